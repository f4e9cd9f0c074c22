//! The macro as a function on tokens.

mod smoke;
