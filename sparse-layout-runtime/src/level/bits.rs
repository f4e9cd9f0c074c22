//! The activity of a level as bit portals, node by node.

use super::LevelView;
use crate::bits::{BitField, BitPortal};
use crate::coord::Point;
use crate::core::{Core, plan_of};
use crate::layout::{Layout, Level, Planned};
use crate::plan::FREE;
use crate::tree::{Kind, ROOT};

/// The activity bits of a level's cells in one node: bit `i` is cell `i` of the level there.
#[derive(Clone, Debug)]
pub struct NodeBits<'a, P> {
    origin: P,
    bits: Words<'a>,
}

#[derive(Clone, Debug)]
enum Words<'a> {
    Stored(BitPortal<'a>),
    /// A hash level keeps keys, not bits.
    Made(BitField),
}

impl<P: Point> NodeBits<'_, P> {
    /// The coordinates of the cell of bit 0, in cells of the level.
    pub fn origin(&self) -> P {
        self.origin
    }

    /// The bits, to read: activity is changed through the level, which resets what it turns off.
    pub fn portal(&self) -> BitPortal<'_> {
        match &self.bits {
            Words::Stored(portal) => *portal,
            Words::Made(field) => field.portal(),
        }
    }
}

impl<'a, L: Level> LevelView<'a, L> {
    /// The activity bits of the level, for each node that holds its cells, in order. Bits are numbered as cells are: by the
    /// levels in the node, outermost first.
    ///
    /// For `bitmasked` and `pointer` levels no bit is copied; for a `hash` level they are made from its keys. An unbounded
    /// hash has no bits, and a dense level would have ones only: naming this method on them does not compile.
    pub fn bits(&self) -> impl Iterator<Item = NodeBits<'a, L::Point>> + use<'a, L> {
        const {
            assert!(!L::LISTS, "the lists of a dynamic level have no bits");
            let step = &L::PLAN.steps[L::PLAN.n - 1];
            assert!(
                L::LEVEL != ROOT && !matches!(step.kind, Kind::Dense),
                "every cell of a dense level exists: it has no bits"
            );
            let mut j = 0;
            while j < L::PLAN.d {
                assert!(step.size[j] != FREE, "an unbounded hash has no number of cells: use `iter`");
                j += 1;
            }
        }
        let core = self.core();
        let holder = L::Layout::TREE.holder(L::LEVEL);
        core.order(holder)
            .iter()
            .map(move |&node| NodeBits { origin: origin::<L>(core, node), bits: bits::<L>(core, node) })
    }
}

fn bits<L: Level>(core: &Core<L::Layout>, node: u32) -> Words<'_> {
    let step = &plan_of::<L>(core).steps[L::PLAN.n - 1];
    let raw = core.raw();
    let slots = raw.meta.shape.slots[L::LEVEL];
    let part = match step.kind {
        Kind::Bitmasked => step.main,
        Kind::Pointer => step.aux,
        _ => {
            let mut made = BitField::new(slots as usize);
            let plan = crate::plan::Plan::new(&raw.meta.tree, &raw.meta.shape, L::LEVEL);
            for h in raw.live(step.content).filter(|&h| raw.parent(step.content, h) == node) {
                made.set(plan.slot_above(&raw.origin(step.content, h), L::LEVEL) as usize, true);
            }
            return Words::Made(made);
        }
    };
    let words = slots.div_ceil(64) as usize;
    // SAFETY: the words of the level's bits in a node that exists; nobody writes them while the grid is borrowed for reading.
    let words = unsafe { std::slice::from_raw_parts(raw.word(part, node, 0).cast_const(), words) };
    Words::Stored(BitPortal::new(words, 0, slots as usize))
}

/// The coordinates of cell 0 of the level in a node that holds its slots.
fn origin<L: Level>(core: &Core<L::Layout>, node: u32) -> L::Point {
    let plan = plan_of::<L>(core);
    let last = plan.n - 1;
    let first = plan.steps[..last].iter().rposition(|s| s.kind.is_indirect()).map_or(0, |k| k + 1);
    let holder = plan.steps[last].holder;
    let origin = if holder == 0 { [0; crate::tree::MAX_AXES] } else { core.raw().origin(holder, node) };
    L::Point::from_fn(|j| {
        let scale: i32 = plan.steps[first..].iter().filter(|s| s.size[j] != 0).map(|s| s.size[j] as i32).product();
        plan.lo[j].wrapping_add(origin[plan.axis[j]].wrapping_mul(scale))
    })
}
