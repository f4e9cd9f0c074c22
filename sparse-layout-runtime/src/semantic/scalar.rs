//! The eleven scalars.

use super::describe::Described;
use super::kind::Semantic;
use std::fmt;

mod sealed {
    pub trait Sealed {}
}

/// The type of one lane.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Scalar {
    /// `i8`
    I8,
    /// `i16`
    I16,
    /// `i32`
    I32,
    /// `i64`
    I64,
    /// `u8`
    U8,
    /// `u16`
    U16,
    /// `u32`
    U32,
    /// `u64`
    U64,
    /// `half::f16`: IEEE 754 binary16
    F16,
    /// `f32`
    F32,
    /// `f64`
    F64,
}

impl Scalar {
    /// All of them.
    pub const ALL: [Scalar; 11] = [
        Scalar::I8,
        Scalar::I16,
        Scalar::I32,
        Scalar::I64,
        Scalar::U8,
        Scalar::U16,
        Scalar::U32,
        Scalar::U64,
        Scalar::F16,
        Scalar::F32,
        Scalar::F64,
    ];

    /// Bytes of a value.
    pub const fn bytes(self) -> usize {
        match self {
            Scalar::I8 | Scalar::U8 => 1,
            Scalar::I16 | Scalar::U16 | Scalar::F16 => 2,
            Scalar::I32 | Scalar::U32 | Scalar::F32 => 4,
            Scalar::I64 | Scalar::U64 | Scalar::F64 => 8,
        }
    }

    /// Its name in Rust.
    pub const fn name(self) -> &'static str {
        match self {
            Scalar::I8 => "i8",
            Scalar::I16 => "i16",
            Scalar::I32 => "i32",
            Scalar::I64 => "i64",
            Scalar::U8 => "u8",
            Scalar::U16 => "u16",
            Scalar::U32 => "u32",
            Scalar::U64 => "u64",
            Scalar::F16 => "f16",
            Scalar::F32 => "f32",
            Scalar::F64 => "f64",
        }
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// One of the eleven scalar types; implemented for these only.
pub trait ScalarElement:
    sealed::Sealed + Described<Scalar = Self> + PartialEq + PartialOrd + fmt::Debug + fmt::Display + Default
{
    /// Which one.
    const SCALAR: Scalar;
}

macro_rules! scalars {
    ($($ty:ty: $scalar:ident),+ $(,)?) => {$(
        impl sealed::Sealed for $ty {}

        impl Described for $ty {
            type Scalar = Self;
            const SEMANTIC: Semantic = Semantic::None;
        }

        impl ScalarElement for $ty {
            const SCALAR: Scalar = Scalar::$scalar;
        }
    )+};
}

scalars!(i8: I8, i16: I16, i32: I32, i64: I64, u8: U8, u16: U16, u32: U32, u64: U64, f32: F32, f64: F64);
#[cfg(feature = "half")]
scalars!(::half::f16: F16);
