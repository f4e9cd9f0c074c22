//! The runtime of `sparse-layout`: what the `#[sparse_layout]` attribute expands to calls this crate.
pub mod parallel;
