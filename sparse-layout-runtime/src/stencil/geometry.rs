//! The tiles that a level's nodes are cut into, and the buffer that holds one with a margin around it.
//!
//! A tile is a box of cells within one block; blocks of up to a few thousand cells are one tile each. All sizes here are
//! constants, so that an offset in the buffer is one too; where bounds are known at run time only, tiles are of fixed size.

use super::neighbours::Reach;
use super::shape::Shape;
use crate::layout::{Layout, Level, Planned, Shaped};
use crate::plan::{FREE, Plan};
use crate::tree::{Kind, MAX_AXES, Size, Storage};
use std::marker::PhantomData;

/// Cells of a block from which it is cut into more than one tile.
const LARGEST: usize = 4096;
/// Values that a row of the buffer is aligned to.
const ALIGN: usize = 8;

/// What is known at compile time of a level's tiles.
pub(crate) struct Tiles<L>(PhantomData<L>);

impl<L: Level> Tiles<L> {
    pub(crate) const D: usize = {
        assert!(L::PLAN.d > 0, "a stencil needs an axis: this field is one value per grid");
        L::PLAN.d
    };
    /// Whether cells of the level stand side by side in a block.
    const BLOCKS: bool = L::PLAN.tail < L::PLAN.n;
    /// The coordinate along which cells of a block are numbered one after the other, if there is one.
    pub(crate) const ROW: Option<usize> = {
        if Self::BLOCKS {
            let step = &L::PLAN.steps[L::PLAN.n - 1];
            if step.morton || step.divided == 0 { None } else { Some(step.order[step.divided - 1] as usize) }
        } else {
            None
        }
    };
    /// The coordinate along which values of the buffer stand side by side.
    pub(crate) const FAST: usize = match Self::ROW {
        Some(j) => j,
        None => Self::D - 1,
    };
    /// Most cells of a tile along each coordinate.
    pub(crate) const SIDE: [usize; MAX_AXES] = Self::side();
    /// Whether every tile has these sizes.
    pub(crate) const FIXED: bool = {
        let mut fixed = true;
        let mut j = 0;
        while j < Self::D {
            fixed &= matches!(Self::known_side(j), Some(n) if n.is_multiple_of(Self::SIDE[j] as u64));
            j += 1;
        }
        fixed
    };
    /// Whether a node is one tile.
    pub(crate) const SINGLE: bool = Self::FIXED && {
        let (mut cells, mut block) = (1, 1);
        let mut j = 0;
        while j < Self::D {
            cells *= Self::SIDE[j] as u64;
            block *= block_side(&L::PLAN, j);
            j += 1;
        }
        // Of levels with run-time bounds only those above the block could be larger than they look.
        let alone = L::PLAN.tail + 1 >= L::PLAN.n || (!<L::Layout as Shaped>::RUN_TIME && block == L::PLAN.per_node);
        cells == block && alone
    };
    /// Cells of a row, where that is a constant: 1 where cells that follow each other are not neighbours; otherwise 0.
    pub(crate) const ROW_LEN: usize = match Self::ROW {
        Some(j) if Self::FIXED => Self::SIDE[j],
        Some(_) => 0,
        None => 1,
    };
    /// Cells of a row that fills mask words evenly, where every tile has such rows; otherwise 0.
    pub(crate) const EVEN_ROW: usize = {
        let own_bits = L::PLAN.mask_step > 0 && L::PLAN.grain == 1;
        match Self::ROW {
            Some(j) if Self::SINGLE && own_bits => {
                let n = Self::SIDE[j];
                if n <= 64 && n.is_power_of_two() && L::PLAN.per_node.is_multiple_of(64) { n } else { 0 }
            }
            _ => 0,
        }
    };
    /// The coordinate along which rows stand next to each other in the buffer, if there is one.
    pub(crate) const NEXT: Option<usize> = {
        let mut j = Self::D;
        while j > 0 && (j == Self::D || j == Self::FAST) {
            j -= 1;
        }
        if j == Self::FAST { None } else { Some(j) }
    };
    /// Rows along that coordinate, where tiles all have as many; otherwise 1.
    pub(crate) const RUN: usize = match Self::NEXT {
        Some(j) if Self::FIXED && Self::ROW.is_some() => Self::SIDE[j],
        _ => 1,
    };
    /// How much the numbers of cells of such rows differ in a block.
    pub(crate) const RUN_STEP: u64 = match Self::NEXT {
        Some(j) if Self::RUN > 1 => L::PLAN.steps[L::PLAN.n - 1].weight[j],
        _ => 0,
    };
    /// Mask words of a node where rows are even.
    pub(crate) const WORDS: usize = if Self::EVEN_ROW > 0 { L::PLAN.per_node as usize / 64 } else { 0 };
    /// Whether the values of a row stand side by side.
    pub(crate) const PACKED: bool = Self::ROW.is_some() && !matches!(L::Layout::TREE.storage(L::LEVEL), Storage::Aos);
    /// Whether nodes of the level have nodes around them.
    pub(crate) const NEIGHBOURS: bool = L::PLAN.node_kind != 0;

    /// Cells of a block along a coordinate, if that is a constant.
    const fn known_side(j: usize) -> Option<u64> {
        let tree = &L::Layout::TREE;
        if Self::BLOCKS && <L::Layout as Shaped>::RUN_TIME {
            match tree.levels[L::LEVEL].sizes[L::PLAN.axis[j]] {
                Size::None => Some(1),
                Size::Cells(n) if !tree.padded => Some(n as u64),
                _ => None,
            }
        } else {
            Some(block_side(&L::PLAN, j))
        }
    }

    const fn side() -> [usize; MAX_AXES] {
        let mut side = [1; MAX_AXES];
        let mut j = 0;
        while j < Self::D {
            let n = match Self::known_side(j) {
                Some(n) => n,
                None => LARGEST as u64,
            };
            side[j] = if n < LARGEST as u64 { n as usize } else { LARGEST };
            j += 1;
        }
        // Rows are the last to be cut short, but not longer than what leaves room for neighbours beside it.
        let longest = match Self::D {
            1 => LARGEST,
            2 => 256,
            _ => 64,
        };
        loop {
            let (mut cells, mut widest) = (1, MAX_AXES);
            let mut j = 0;
            while j < Self::D {
                cells *= side[j];
                if j != Self::FAST && (widest == MAX_AXES || side[j] > side[widest]) {
                    widest = j;
                }
                j += 1;
            }
            if cells <= LARGEST {
                return side;
            }
            if side[Self::FAST] > longest || widest == MAX_AXES || side[widest] == 1 {
                let half = side[Self::FAST].div_ceil(2);
                side[Self::FAST] = if half > longest { half } else { longest };
            } else {
                side[widest] = side[widest].div_ceil(2);
            }
        }
    }
}

/// Cells of a block along a coordinate.
pub(crate) const fn block_side(plan: &Plan, j: usize) -> u64 {
    if plan.tail == plan.n {
        return 1;
    }
    match plan.steps[plan.n - 1].size[j] {
        0 | FREE => 1,
        n => n as u64,
    }
}

/// The buffer of a tile and what a stencil reads around it.
pub(crate) struct Buffer<L, S>(PhantomData<(L, S)>);

impl<L: Level, S: Shape> Buffer<L, S> {
    pub(crate) const R: usize = S::RADIUS;
    /// Values before the first cell of a row: room for two margins, since what is read past the end of a row stands before
    /// the next.
    const BEFORE: usize = (2 * Self::R).next_multiple_of(ALIGN);
    /// Values from one cell to the next along each coordinate.
    pub(crate) const STRIDE: [usize; MAX_AXES] = Self::strides().0;
    /// Values from one row to the next of a run.
    pub(crate) const RUN_STRIDE: usize = match Tiles::<L>::NEXT {
        Some(j) => Self::STRIDE[j],
        None => 0,
    };
    /// Values of the buffer.
    pub(crate) const LEN: usize = Self::strides().1;
    /// The value of the tile's first cell.
    pub(crate) const FIRST: usize = {
        let mut first = Self::BEFORE;
        let mut j = 0;
        while j < Tiles::<L>::D {
            if j != Tiles::<L>::FAST {
                first += Self::R * Self::STRIDE[j];
            }
            j += 1;
        }
        first
    };
    /// What the neighbours of a node are looked up in.
    pub(crate) const REACH: Reach = if S::STAR { Reach::Faces } else { Reach::All };

    const fn strides() -> ([usize; MAX_AXES], usize) {
        let mut strides = [0; MAX_AXES];
        let fast = Tiles::<L>::FAST;
        strides[fast] = 1;
        let mut end = Self::BEFORE + Tiles::<L>::SIDE[fast].next_multiple_of(ALIGN);
        let mut j = Tiles::<L>::D;
        while j > 0 {
            j -= 1;
            if j != fast {
                strides[j] = end;
                end *= Tiles::<L>::SIDE[j] + 2 * Self::R;
            }
        }
        // A row of lanes may be read from any place of the last row.
        (strides, end + Self::BEFORE + ALIGN)
    }

    /// The distance of a cell of the shape in the buffer.
    ///
    /// # Panics
    /// If it is not one of the shape's.
    #[inline(always)]
    pub(crate) fn distance(offset: L::Point) -> isize {
        assert!(S::contains(offset), "a stencil reads a cell that does not belong to its shape");
        let mut distance = 0;
        for j in 0..<L::Point as crate::coord::Point>::LEN {
            distance += crate::coord::Point::at(&offset, j) as isize * const { Self::STRIDE }[j] as isize;
        }
        distance
    }

    /// Whether a tile's margin may reach past the nodes next to its own, or past more than one block along a row: then it is
    /// read cell by cell.
    pub(crate) fn is_far(plan: &Plan) -> bool {
        let r = Self::R as u64;
        let mut far = false;
        for j in 0..plan.d {
            far |= Tiles::<L>::NEIGHBOURS && has_neighbours(plan, j) && u64::from(plan.scale[j]) < r;
        }
        if let Some(j) = Tiles::<L>::ROW {
            let (block, side) = (block_side(plan, j), Tiles::<L>::SIDE[j] as u64);
            let rest = block % side;
            far |= block < r || side < r || (rest != 0 && rest < r);
        }
        far
    }
}

/// Whether nodes have neighbours along a coordinate: where it is divided at or above the level that makes them.
pub(crate) fn has_neighbours(plan: &Plan, j: usize) -> bool {
    plan.tail > 0 && crate::core::divides(&plan.steps[plan.tail - 1], j)
}

/// Whether the level keeps a summary over a mask in the root's node, so that its tiles are found through that.
pub(crate) fn is_summarised(plan: &Plan) -> bool {
    plan.node_kind == 0
        && plan.mask_step > 0
        && plan.steps[plan.mask_step - 1].kind == Kind::Bitmasked
        && plan.steps[plan.mask_step - 1].aux_stride > 0
}
