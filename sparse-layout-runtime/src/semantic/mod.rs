//! What the lanes of an element mean: scalars, vectors, colours, matrices, dual numbers and quaternions.
//!
//! Any plain data is an [`Element`](crate::Element); nothing here has to be used. But a type that says what its numbers
//! mean cannot be mixed up with another of the same bytes, and a program that reads the layout at run time
//! ([`LayoutInfo::field`](crate::LayoutInfo::field)) learns it too: the [`Scalar`], the [`Semantic`], the number of lanes.
//!
//! | semantic | lanes | types |
//! | --- | --- | --- |
//! | `None` | 1 | the eleven scalars: `i8` … `i64`, `u8` … `u64`, `half::f16`, `f32`, `f64` |
//! | `Vec2`, `Vec3`, `Vec4` | 2, 3, 4 | `[T; N]`, vectors of `glam`, vectors and points of `nalgebra` |
//! | colours | 3 or 4 | [`ColorSrgbRec709`], [`ColorSrgbaRec709`], [`ColorRgbRec2020`], [`ColorRgbaRec2020`] |
//! | `Mat22`, `Mat33`, `Mat34`, `Mat44` | 4, 9, 12, 16 | [`Mat22`] to [`Mat44`], matrices of `glam` and `nalgebra`, `glam::Affine3` |
//! | `Complex` | 2 | `num_complex::Complex` |
//! | `Dual` | 2 | [`Dual`] |
//! | `Quaternion` | 4 | [`Quaternion`], quaternions of `glam` and `nalgebra` |
//!
//! The order of lanes is the same for all types of a semantic: matrices are **column-major** (`Mat34` has 3 rows and
//! 4 columns), quaternions are `x, y, z, w` with the real part last, dual and complex numbers begin with the real part,
//! alpha comes last. A type is aligned as its scalar, but for the vectors of `glam` that stand in registers.
//!
//! ```
//! use sparse_layout_runtime::semantic::{Described, Mat34, Scalar, Semantic};
//! assert_eq!(<Mat34<f32>>::SEMANTIC, Semantic::Mat34);
//! assert_eq!(<Mat34<f32> as Described>::Scalar::SCALAR, Scalar::F32);
//! # use sparse_layout_runtime::semantic::ScalarElement;
//! assert_eq!(size_of::<Mat34<f32>>(), Scalar::F32.bytes() * Semantic::Mat34.lanes());
//! ```
//!
//! # Other crates' types
//!
//! The features `half`, `glam`, `nalgebra` and `num-complex` turn on the `bytemuck` support of these crates, descriptions
//! of their types, [`split`](crate::Components) for their vectors, and [`Coord`](crate::Coord) for their integer vectors. The
//! crates are re-exported, so that versions agree; their other features are yours to choose (`nalgebra` comes without `std`,
//! so without the functions of real numbers, unless you depend on it with `std` or `libm`). With another version of such a crate its types can still be stored (turn on
//! that crate's own `bytemuck` feature); only their description is missing.

mod color;
mod convert;
mod describe;
mod dual;
#[cfg(feature = "glam")]
mod glam;
mod info;
mod kind;
mod matrix;
#[cfg(feature = "nalgebra")]
mod nalgebra;
mod plain;
mod quaternion;
mod scalar;

pub use color::{ColorRgbRec2020, ColorRgbaRec2020, ColorSrgbRec709, ColorSrgbaRec709};
pub use convert::{decode_srgb, encode_srgb, rec709_to_rec2020, rec2020_to_rec709};
pub use describe::Described;
pub use dual::Dual;
pub use info::FieldInfo;
pub use kind::Semantic;
pub use matrix::{Mat22, Mat33, Mat34, Mat44, Matrix};
pub use quaternion::Quaternion;
pub use scalar::{Scalar, ScalarElement};
