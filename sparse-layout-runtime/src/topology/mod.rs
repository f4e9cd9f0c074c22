//! Operations on topology: which cells are active, and not what they hold. See the README beside this file.

mod bitbox;
pub(crate) mod combine;
mod cube;
mod divisor;
mod find;
mod geometry;
pub(crate) mod grid;
mod grow;
mod lanes;
mod level;
mod merge;
mod neighbourhood;
mod pairs;
mod query;
mod read;
mod source;
pub(crate) mod target;
mod twins;
mod write;

pub use neighbourhood::Neighbourhood;
