//! Sparse spatial data: declare the layout, write the loop.
//!
//! A grid is a struct whose attribute says how space is divided: nested levels of five kinds, from the outermost to the
//! innermost. The attribute turns it into a type with one accessor per field, and rustc compiles each access to the shifts,
//! masks and loads that a kernel written by hand for that one layout would have.
//!
//! ```
//! use sparse_layout::prelude::*;
//!
//! /// Smoke on a VDB-like tree: unbounded, 16^3 * 16^3 * 8^3.
//! #[sparse_layout(axes(x, y, z), hash() > pointer(16) > pointer(16) > bitmasked(8))]
//! pub struct Smoke {
//!     pub density: f32,
//!     pub velocity: [f32; 3],
//! }
//!
//! let mut smoke = Smoke::new();
//! smoke.density_mut().set([-3, 7, 40], 0.5);
//! assert_eq!(smoke.density().get([-3, 7, 40]), Some(0.5));
//! assert_eq!(smoke.density().get([0, 0, 0]), None);
//! assert_eq!(smoke.density().value([0, 0, 0]), 0.0);
//!
//! let mut f = smoke.fields_mut();
//! f.density.par_for_each(|p, d| *d *= 1.0 - f.velocity.value(p)[1].abs());
//! (&mut f.velocity, &f.density).par_for_each(|_p, (v, d)| v[1] += 0.1 * d);
//! ```
//!
//! # Another layout, the same loop
//!
//! A loop names fields and points, never levels. This one runs on any grid whose field holds `f32`s in space:
//!
//! ```
//! use sparse_layout::{FieldMut, Level, prelude::*};
//!
//! fn cool<L: Level<Point = [i32; 3]>>(mut heat: FieldMut<'_, L, f32>) {
//!     heat.par_for_each(|[_, y, _], t| *t -= 0.1 * y as f32);
//! }
//!
//! #[sparse_layout(axes(x, y, z), pointer(32) > bitmasked(8))]
//! struct Room { heat: f32 }
//! #[sparse_layout(axes(x, y, z), dense(x = 64, y = 64, z = 64))]
//! struct Box { heat: f32 }
//!
//! let (mut room, mut small) = (Room::new(), Box::new());
//! room.heat_mut().set([1, 2, 3], 20.0);
//! small.heat_mut().set([1, 2, 3], 20.0);
//! cool(room.fields_mut().heat);
//! cool(small.fields_mut().heat);
//! assert_eq!(room.heat().value([1, 2, 3]), small.heat().value([1, 2, 3]));
//! ```
//!
//! Several fields at once, by cells or by whole blocks whose values come as slices:
//!
//! ```
//! use sparse_layout::prelude::*;
//!
//! #[sparse_layout(axes(x, y), hash() > bitmasked(8))]
//! struct Air { heat: f32, flow: [f32; 2] }
//!
//! let mut air = Air::new();
//! air.heat_mut().fill_in(Region::new([0, 0], [20, 10]), 1.0);
//! let mut f = air.fields_mut();
//! (&mut f.flow, &f.heat).par_for_each(|_p, (flow, heat)| flow[1] += heat);
//! (&mut f.heat, &f.flow).par_for_each_block(|_block, (heat, flow)| {
//!     for (heat, flow) in heat.iter_mut().zip(flow) {
//!         *heat += flow[1]; // what this writes to inactive cells is lost
//!     }
//! });
//! assert_eq!(air.heat().iter().map(|(_, heat)| heat).sum::<f32>(), 400.0);
//! ```
//!
//! # What holds always
//!
//! * Reading never activates, writing activates the path to the cell. Any coordinates can be read; [`GridFieldMut::set`] out
//!   of bounds panics and names field, coordinates and bounds, [`GridFieldMut::try_set`] says the same as an error. Nothing
//!   is clamped, wrapped or lost.
//! * An active cell has active ancestors, and an inactive cell holds the background. So a cell that is activated starts at
//!   the background, whatever stood there before.
//! * Cells are visited by their numbers, level by level (below a hash level: by key), whatever the order in which they were
//!   set; parallel iterators collect in the same order.
//! * No loop can race: a struct-for holds its field exclusively and hands each cell to one thread, while the topology is
//!   frozen.
//!
//! ```compile_fail,E0502
//! # use sparse_layout::prelude::*;
//! # #[sparse_layout(axes(x), bitmasked(8))]
//! # struct Line { a: f32 }
//! # let mut line = Line::new();
//! let mut f = line.fields_mut();
//! f.a.par_for_each(|[x], v| *v += f.a.value([x + 1])); // its own field, while it changes: borrowed twice
//! ```
//!
//! # Topology
//!
//! Which cells are active is data of its own: it grows, shrinks and combines, whole words of bits at a time and in parallel,
//! with grids of other fields and other layouts too. What becomes active holds the background.
//!
//! ```
//! use sparse_layout::{Neighbourhood, prelude::*};
//!
//! #[sparse_layout(axes(x, y, z), hash() > pointer(16) > leaf: bitmasked(8))]
//! struct Band { distance: f32 }
//! /// A topology: cells without values.
//! #[sparse_layout(axes(x, y, z), hash() > leaf: bitmasked(4))]
//! struct Mask {}
//!
//! let mut band = Band::new();
//! band.distance_mut().set([0, 0, 7], 1.0);
//! band.dilate(Neighbourhood::Faces, 2);                   // over the border of the block, activating the next one
//! assert_eq!(band.count(), 25);
//! assert_eq!(band.distance().get([0, 0, 9]), Some(0.0));
//! assert_eq!(band.bounding_box(), Some(Region::new([-2, -2, 5], [3, 3, 10])));
//!
//! let mut mask = Mask::with_topology_of(&band);
//! mask.leaf_mut().clip(Region::new([-2, -2, 0], [3, 3, 8]));
//! band.intersection(&mask);
//! assert!(band.same_topology(&mask));
//! band.erode(Neighbourhood::Faces, 1);
//! assert_eq!(band.distance().iter().collect::<Vec<_>>(), [([0, 0, 6], 0.0)]);
//! assert!(band.prune() > 0);                              // frees the blocks that are empty now
//! ```
//!
//! # Three phases
//!
//! What borrows a grid says what may happen to it, so that no loop can race:
//!
//! 1. `&grid`: reading, from any number of threads.
//! 2. `&mut grid`: one exclusive owner. `density_mut()` holds the whole grid and may activate; `fields_mut()` lends each field on
//!    its own over a frozen topology, and its loops hand each cell to one thread.
//! 3. [`grid.concurrent()`](Shared): many threads write, activate and append through `&self`, by atomics. Each operation says whether
//!    it was possible. `fields_mut().density.atomic()` does so for one field over a frozen topology.
//!
//! ```
//! use sparse_layout::prelude::*;
//!
//! #[sparse_layout(axes(x, y), hash() > tile: bitmasked(8) { mass, count, dynamic(i, max = 100) { particle } })]
//! struct Dust { mass: f32, count: u32, particle: [f32; 2] }
//!
//! let mut dust = Dust::new();
//! let c = dust.concurrent();
//! rayon::scope(|scope| {
//!     for t in 0..4 {
//!         scope.spawn(move |_| {
//!             let mut mass = c.mass().accessor();                       // remembers its path
//!             for x in 0..20 {
//!                 mass.fetch_add([x, -1], 0.5).unwrap();                // activates the path
//!                 c.count().fetch_max([x, 0], t * 10).unwrap();
//!             }
//!             c.particle().push([3, 3], [0.5, t as f32]).unwrap();
//!         });
//!     }
//! });
//! assert_eq!(dust.mass().get([19, -1]), Some(2.0));
//! assert_eq!(dust.count().get([0, 0]), Some(30));
//! assert_eq!(dust.particle().len([3, 3]), 4);
//!
//! let mut f = dust.fields_mut();
//! let count = f.count.atomic();                                         // only active cells from here on
//! f.mass.par_for_each(|[x, _], m| { *m = 0.0; let _ = count.fetch_add([x, 0], 1); });
//! assert!(dust.count().get([50, 0]).is_none());
//! ```
//!
//! ```compile_fail,E0277
//! # use sparse_layout::prelude::*;
//! # #[sparse_layout(axes(x), bitmasked(8))]
//! # struct Line { a: [f32; 4] }
//! # let mut line = Line::new();
//! line.concurrent().a().update([3], |a| a); // an array is no atomic scalar: `fetch_add`, `store`, by component
//! ```
//!
//! # Bounds
//!
//! An axis goes from 0 to the product of its sizes, over declared bounds, over bounds given when the grid is built, or over
//! all of `i32` below an unbounded hash:
//!
//! ```
//! use sparse_layout::prelude::*;
//!
//! #[sparse_layout(axes(x = -20..30, y = ..), pointer(_) > dense(8))]
//! struct Plate { level: u8 }
//!
//! let mut plate = Plate::builder().bounds([5..77]).build()?;
//! assert!(plate.level_mut().try_set([-20, 76], 1).is_ok());
//! let error = plate.level_mut().try_set([-20, 77], 1).unwrap_err();
//! assert_eq!(error.to_string(), "`level`: [-20, 77] is out of bounds [-20..30, 5..77]");
//! # Ok::<(), sparse_layout::BuildError>(())
//! ```
//!
//! # Elements
//!
//! A field holds any plain data. The types of [`semantic`] also say what their numbers mean, to the compiler and, through
//! `LAYOUT`, at run time; those of `half`, `glam`, `nalgebra` and `num-complex` do under the feature of that name.
//!
//! ```
//! use sparse_layout::{prelude::*, semantic::{ColorSrgbRec709, Scalar, Semantic}};
//!
//! #[sparse_layout(axes(x, y), pointer(8) > bitmasked(8))]
//! struct Paint { color: ColorSrgbRec709<u8>, wet: [f32; 2] }
//!
//! let color = Paint::LAYOUT.field("color").unwrap();
//! assert_eq!((color.scalar, color.lanes, color.bytes), (Some(Scalar::U8), 3, 3));
//! assert_eq!(color.semantic, Semantic::ColorSrgbRec709);
//! ```
//!
//! ```compile_fail,E0308
//! # use sparse_layout::{prelude::*, semantic::{ColorRgbRec2020, ColorSrgbRec709}};
//! # #[sparse_layout(axes(x), dense(8))]
//! # struct Light { color: ColorRgbRec2020<f32> }
//! # let mut light = Light::new();
//! light.color_mut().set([3], ColorSrgbRec709([0.5, 0.5, 0.5])); // the same bytes, another meaning: `.to_rec2020()`
//! ```
//!
//! # Stencils
//!
//! A loop that reads the cells around each cell names their shape, [`Star`] or [`Cube`], and reads them by offset. Nothing is looked up
//! per cell; offsets are checked against the shape when the program is compiled. See [`Stencils`] for the forms, for what each
//! spelling costs, and [`Boundary`] for what is read beyond the bounds.
//!
//! ```
//! use sparse_layout::prelude::*;
//!
//! #[sparse_layout(axes(x, y), dense(32))]
//! struct Picture { a: f32, b: f32 }
//!
//! let mut picture = Picture::new();
//! for tile in [[2, 2], [10, 16], [0, 20]] {
//!     Region::new(tile, tile.offset([8, 8])).iter().for_each(|p| picture.a_mut().set(p, 1.0));
//! }
//! let mut f = picture.fields_mut();
//! // Called for active cells only, once each:
//! f.b.par_for_each_stencil::<Cube<1>>(&f.a, |_p, mean, s| *mean = s.fold_box(0.0, |sum, v| sum + v) / 9.0);
//! assert_eq!(format!("{:.4}", f.b.as_field().sum()), "189.3333");
//!
//! // The pure form may be called for inactive cells too, so that whole rows are worked out at once. Several inputs, and a rule:
//! let edge = f.a.with_boundary(Boundary::Clamp);
//! f.b.par_map_stencil::<Star<1>>((edge, &f.a), |_p, mean, (edge, a)| mean + edge.at([0, -1]) - a.at([0, -1]));
//! assert_eq!(f.b.get([3, 0]), Some(0.0));
//! ```
//!
//! # Elsewhere
//!
//! [`bits`] (bit fields and bit portals) and [`parallel`] (histogram, scan, counting sort, bins) stand on their own.

pub use sparse_layout_macros::sparse_layout;
pub use sparse_layout_runtime::{
    Accessor, AccessorAround, Accumulate, At, Atomic, AtomicBits, AtomicScalar, Bin, Bits, Block, BlockBins,
    BlockLanes, BlockMut, BuildError, Builder, Bulk, BulkError, CellBlock, Components, Coord, CoordExt, CoordHash,
    Digits, Element, Exhausted, Features, Field, FieldMut, Frozen, FrozenError, Full, GetMany, Grid, GridFieldMut,
    GridListsMut, GridPackedFieldMut, Growing, Halo, Inactive, Iter, Lanes, LayoutInfo, Level, LevelMut, LevelView,
    Line, LineRun, List, ListMut, Lists, ListsMut, Memory, Mode, Neighbourhood, NodeBits, Ordered, OutOfBounds,
    PackedField, PackedFieldMut, Packing, ParIter, Point, PushError, Read, Record, Region, Shared, SharedAccessor,
    SharedLevel, SharedLists, SharedPacked, SharedPacking, Slot, Split, Strided, Summed, ValueMany, View, Write,
    WriteError, Zip, bits, parallel,
};
pub use sparse_layout_runtime::{
    Around, Boundary, Cube, HaloBlock, HaloView, Inputs, Row, RowAround, Star, StencilShape, Stencils, WithBoundary,
};
pub use sparse_layout_runtime::{FieldInfo, semantic};

#[cfg(feature = "glam")]
#[doc(no_inline)]
pub use sparse_layout_runtime::glam;
#[cfg(feature = "half")]
#[doc(no_inline)]
pub use sparse_layout_runtime::half;
#[cfg(feature = "nalgebra")]
#[doc(no_inline)]
pub use sparse_layout_runtime::nalgebra;
#[cfg(feature = "num-complex")]
#[doc(no_inline)]
pub use sparse_layout_runtime::num_complex;

/// What most programs need: `use sparse_layout::prelude::*;`.
pub mod prelude {
    pub use crate::{Boundary, Bulk, CoordExt, Cube, Element, Grid, Region, Star, Stencils, Zip, sparse_layout};
    pub use rayon::iter::ParallelIterator;
}

/// What the attribute's expansion names. Not for use by hand.
#[doc(hidden)]
pub mod __rt {
    pub use sparse_layout_runtime::*;
}
