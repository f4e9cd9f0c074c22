//! The trees that the workloads run on.

use sparse_layout::prelude::*;

use crate::input::{self, Coord};

/// Unbounded, as OpenVDB's.
#[sparse_layout(axes(x, y, z), hash() > pointer(16) > pointer(16) > leaf: bitmasked(8))]
pub(crate) struct Vdb {
    pub(crate) value: f32,
}

/// Bounded to 1024^3, as Taichi's.
#[sparse_layout(axes(x, y, z), pointer(8) > pointer(16) > leaf: bitmasked(8))]
pub(crate) struct Bounded {
    pub(crate) value: f32,
}

/// As [`Vdb`], with a second field for what stencils write.
#[sparse_layout(axes(x, y, z), hash() > pointer(16) > pointer(16) > leaf: bitmasked(8))]
pub(crate) struct Pair {
    pub(crate) a: f32,
    pub(crate) b: f32,
}

/// Full blocks.
#[sparse_layout(axes(x, y, z), pointer(16) > bitmasked(8))]
pub(crate) struct Full {
    pub(crate) a: f32,
    pub(crate) b: f32,
}

/// An image by rows.
#[sparse_layout(axes(y, x), dense(2048))]
pub(crate) struct Image {
    pub(crate) a: f32,
    pub(crate) b: f32,
}

/// For voxels far apart: no table is larger than a page.
#[sparse_layout(axes(x, y, z), hash() > bitmasked(8))]
pub(crate) struct Far {
    pub(crate) value: f32,
}

/// What the rows need of a tree, so that each is written once.
macro_rules! tree {
    ($($name:ident)*) => { $(
        impl $name {
            /// The voxels, set one by one.
            pub(crate) fn set_all(&mut self, set: &[Coord]) {
                let mut value = self.value_mut();
                for &p in set {
                    value.set(p, input::value(p));
                }
            }

            /// The voxels, set in batches.
            pub(crate) fn extend_all(&mut self, set: &[Coord]) {
                self.value_mut().extend(set.iter().map(|&p| (p, input::value(p))));
            }

            /// The sum of the active values, and how many there are.
            pub(crate) fn sum_and_count(&self) -> (f64, u64) {
                (self.value().iter().map(|(_, v)| f64::from(v)).sum(), self.leaf().len())
            }
        }
    )* };
}
tree!(Vdb Bounded);
