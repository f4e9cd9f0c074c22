//! Views of one level: which of its cells are active.

mod bits;
mod blocks;
mod level_mut;
mod view;

pub use bits::NodeBits;
pub use blocks::{Block, Strided};
pub use level_mut::LevelMut;
pub use view::LevelView;
