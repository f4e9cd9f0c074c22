//! Lists: where the items of a `dynamic` level stand.
//!
//! Each cell of the level above has a length and a short table of chunks; a chunk is a node of its own kind that holds
//! a fixed number of items. Item `i` of a list is item `i % chunk` of its chunk `i / chunk`.

use super::shape::Shape;
use super::storage::PartId;
use crate::tree::{Kind, Tree};

/// Most entries of a chunk table, if the library chooses the size of chunks.
const TABLE: u64 = 32;
/// Fewest items of a chunk, if the library chooses, unless a list cannot have that many.
const LEAST: u64 = 32;

/// A `dynamic` level.
#[derive(Clone, Copy, Debug)]
pub struct ListPlan {
    /// Most items of a list.
    pub max: u64,
    /// Items of a chunk.
    pub chunk: u64,
    /// Entries of a chunk table.
    pub chunks: u64,
    /// Lengths, one `u32` per cell of the level above.
    pub lengths: PartId,
    /// Bytes per node there.
    pub lengths_stride: u64,
    /// Chunk tables, `chunks` handles per cell of the level above.
    pub tables: PartId,
    /// Bytes per node there.
    pub tables_stride: u64,
    /// The kind of node that a chunk is.
    pub content: usize,
}

impl Tree {
    /// The items of a chunk of a `dynamic` level: as declared, or the least that keeps the table short.
    pub const fn chunk_of(&self, level: usize) -> u64 {
        let (max, chunk) = (self.levels[level].max as u64, self.levels[level].chunk as u64);
        if chunk > 0 {
            return chunk;
        }
        let short = max.div_ceil(TABLE).next_power_of_two();
        let chunk = if short > LEAST { short } else { LEAST };
        if chunk < max { chunk } else { max }
    }

    /// Entries of the chunk table of one list.
    pub const fn chunks_of(&self, level: usize) -> u64 {
        (self.levels[level].max as u64).div_ceil(self.chunk_of(level))
    }

    /// The plan of a `dynamic` level.
    pub const fn list_plan(&self, shape: &Shape, level: usize) -> ListPlan {
        assert!(matches!(self.levels[level].kind, Kind::Dynamic), "not a dynamic level");
        let (lengths, tables) = (self.main_part(level), self.aux_part(level));
        ListPlan {
            max: self.levels[level].max as u64,
            chunk: self.chunk_of(level),
            chunks: self.chunks_of(level),
            lengths,
            lengths_stride: self.part_stride(shape, lengths),
            tables,
            tables_stride: self.part_stride(shape, tables),
            content: self.content(level),
        }
    }
}
