//! Bytes of a node in each part, and where a field's value stands.
//!
//! A node is spread over *parts*, each with a fixed stride per handle: its header (origin and parent), masks, handle
//! tables, and values. A part belongs to one kind of node. Their numbering is fixed:
//!
//! | parts | what |
//! | --- | --- |
//! | one per kind of node | header: the origin along every axis, then the parent's handle; of chunks of lists: then one byte per item |
//! | two per level | bitmasked: mask words, summary words; pointer: handles, occupancy words; dynamic: lengths, chunk tables |
//! | one per field | its values (`soa`), or those of all fields of its level (`aosoa`, `aos`: the first field's part) |

use super::{TOO_LARGE, round_up, shape::Shape, times};
use crate::tree::{Kind, Packing, ROOT, Storage, Tree};

/// Index of a part.
pub type PartId = usize;

/// Mask words from which a level keeps a summary: one bit per mask word.
pub const SUMMARY_FROM: u64 = 1 << 12;

impl Tree {
    /// How many parts the tree has.
    pub const fn parts(&self) -> usize {
        self.node_kinds() + 2 * self.levels.len() + self.fields.len()
    }

    /// The header part of a kind of node.
    pub const fn header_part(&self, node_kind: usize) -> PartId {
        node_kind
    }

    /// Masks or handles of a level.
    pub const fn main_part(&self, level: usize) -> PartId {
        self.node_kinds() + 2 * level
    }

    /// Summary or occupancy of a level.
    pub const fn aux_part(&self, level: usize) -> PartId {
        self.node_kinds() + 2 * level + 1
    }

    /// The values of a field.
    pub const fn value_part(&self, field: usize) -> PartId {
        self.node_kinds() + 2 * self.levels.len() + self.group(field)
    }

    /// The storage that a level asks for; the root's own fields are `soa`.
    pub const fn storage(&self, level: usize) -> Storage {
        if level == ROOT { Storage::Soa } else { self.levels[level].storage }
    }

    /// The first field that shares memory with this one.
    const fn group(&self, field: usize) -> usize {
        let level = self.fields[field].level;
        if matches!(self.storage(level), Storage::Soa) {
            return field;
        }
        let mut f = 0;
        while self.fields[f].level != level {
            f += 1;
        }
        f
    }

    /// The kind of node that a part belongs to.
    pub const fn part_owner(&self, part: PartId) -> usize {
        let kinds = self.node_kinds();
        if part < kinds {
            part
        } else if part < kinds + 2 * self.levels.len() {
            self.holder((part - kinds) / 2)
        } else {
            self.content(self.fields[part - kinds - 2 * self.levels.len()].level)
        }
    }

    /// Bytes of one node in a part, before rounding; 0: the part is not used.
    const fn part_bytes(&self, shape: &Shape, part: PartId) -> u64 {
        let kinds = self.node_kinds();
        if part < kinds {
            return if part == 0 { 0 } else { 4 * (self.axes.len() as u64 + 1) + self.places_bytes(part) };
        }
        if part < kinds + 2 * self.levels.len() {
            let level = (part - kinds) / 2;
            let main = (part - kinds).is_multiple_of(2);
            let slots = shape.slots[level];
            let words = slots.div_ceil(64);
            return match self.levels[level].kind {
                Kind::Bitmasked if main => words * 8,
                Kind::Bitmasked if words >= SUMMARY_FROM => words.div_ceil(64) * 8,
                Kind::Pointer if main => times(slots, 4),
                Kind::Pointer => words * 8,
                Kind::Dynamic if main => times(slots, 4),
                Kind::Dynamic => times(times(slots, 4), self.chunks_of(level)),
                _ => 0,
            };
        }
        let field = part - kinds - 2 * self.levels.len();
        if self.group(field) != field {
            return 0;
        }
        let level = self.fields[field].level;
        let cells = shape.per_node(self, level);
        match self.storage(level) {
            Storage::Soa => self.packed_bytes(field, cells),
            _ => times(self.field_plan(shape, field).block, cells / self.block_cells(shape, level)),
        }
    }

    /// The bytes in a chunk's header that say which items are finished; none in other kinds of node.
    const fn places_bytes(&self, node_kind: usize) -> u64 {
        let maker = self.maker(node_kind);
        match self.levels[maker].kind {
            Kind::Dynamic => round_up(self.chunk_of(maker), 4),
            _ => 0,
        }
    }

    /// Bytes of that many values in memory of their own.
    const fn packed_bytes(&self, field: usize, cells: u64) -> u64 {
        match self.fields[field].packing {
            Packing::Bits => cells.div_ceil(64) * 8,
            _ => times(cells, self.fields[field].size as u64),
        }
    }

    /// Bytes from one node to the next in a part.
    pub const fn part_stride(&self, shape: &Shape, part: PartId) -> u64 {
        let bytes = self.part_bytes(shape, part);
        if part < self.node_kinds() { bytes } else { stride_of(bytes) }
    }

    /// Cells of one block of a level: those under one cell of the level above.
    pub const fn block_cells(&self, shape: &Shape, level: usize) -> u64 {
        if level == ROOT || self.levels[level].kind.is_indirect() { 1 } else { shape.cells[level] }
    }

    /// Where the values of a field stand.
    pub const fn field_plan(&self, shape: &Shape, field: usize) -> FieldPlan {
        let decl = &self.fields[field];
        let level = decl.level;
        let cells = self.block_cells(shape, level);
        let part = self.value_part(field);
        let storage = self.storage(level);
        if let Storage::Soa = storage {
            let cell = decl.size as u64;
            let node = stride_of(self.packed_bytes(field, shape.per_node(self, level)));
            return FieldPlan { part, offset: 0, node, block: times(cells, cell), cell };
        }
        let aos = matches!(storage, Storage::Aos);
        let (mut end, mut align, mut offset) = (0, 1, 0);
        let mut f = 0;
        while f < self.fields.len() {
            let other = &self.fields[f];
            if other.level == level {
                if other.align as u64 > align {
                    align = other.align as u64;
                }
                end = round_up(end, other.align as u64);
                if f == field {
                    offset = end;
                }
                let bytes = times(other.size as u64, if aos { 1 } else { cells });
                end = if end + bytes < TOO_LARGE { end + bytes } else { TOO_LARGE };
            }
            f += 1;
        }
        let unit = round_up(end, align);
        let block = if aos { times(unit, cells) } else { unit };
        let cell = if aos { unit } else { decl.size as u64 };
        let bytes = times(block, shape.per_node(self, level) / cells);
        FieldPlan { part, offset, node: stride_of(bytes), block, cell }
    }
}

const fn stride_of(bytes: u64) -> u64 {
    if bytes >= 64 {
        round_up(bytes, 64)
    } else if bytes == 0 {
        0
    } else {
        bytes.next_power_of_two()
    }
}

/// Where the values of a field stand: byte `offset + handle * node + block number * block + cell in block * cell` of
/// its part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FieldPlan {
    /// The part.
    pub part: PartId,
    /// Bytes before the first value.
    pub offset: u64,
    /// Bytes from node to node.
    pub node: u64,
    /// Bytes from block to block.
    pub block: u64,
    /// Bytes from cell to cell.
    pub cell: u64,
}
