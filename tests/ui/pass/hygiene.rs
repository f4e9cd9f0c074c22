//! Generated code names everything by paths from the root, and is clean under strict lints.
#![no_implicit_prelude]
#![forbid(unsafe_code)]
#![deny(
    missing_docs,
    missing_debug_implementations,
    unreachable_pub,
    unused,
    warnings,
    clippy::all,
    clippy::pedantic,
    clippy::nursery,
    rust_2018_idioms,
    trivial_numeric_casts,
    single_use_lifetimes
)]

#[allow(non_camel_case_types, dead_code, missing_debug_implementations, missing_docs, unreachable_pub)]
mod shadows {
    pub struct Option;
    pub struct Vec;
    pub struct Result;
    pub struct Some;
    pub struct None;
    pub struct Ok;
    pub struct Clone;
    pub struct Copy;
    pub struct Default;
    pub struct Debug;
    pub struct PartialEq;
    pub struct Self_;
    pub struct bool;
    pub struct i32;
    pub struct i128;
    pub struct u64;
    pub struct usize;
    pub struct Field;
    pub struct Core;
    pub struct Tree;
    pub mod core {}
    pub mod std {}
    pub mod alloc {}
    pub mod sparse_layout {}
    pub mod rt {}
}
#[allow(unused_imports)]
use shadows::*;

const N: ::std::primitive::u8 = 4;

/// A grid that is not public.
#[::sparse_layout::sparse_layout(axes(x, y = -8..8), tile: pointer(N) > cells: dense(2, { 2 + 2 }, morton, aos))]
struct Smoke {
    density: f32,
    #[field(background = [0.0, 1.0])]
    r#type: [f32; 2],
    /// The axis has the same name.
    x: ::std::primitive::u64,
}

/// A module with grids of every visibility.
pub mod grids {
    /// Public.
    #[::sparse_layout::sparse_layout(axes(x, y), hash() > pointer(N) > bitmasked(8))]
    #[derive(::std::cmp::PartialEq)]
    pub struct Public {
        /// Public.
        pub density: f32,
        pub(crate) mass: f64,
        pub(super) age: ::std::primitive::u32,
        private: ::std::primitive::u8,
    }

    const N: ::std::primitive::usize = 4;

    /// In the crate.
    #[::sparse_layout::sparse_layout(axes(x), dense(8) { a, pointer(4) { b } c: bitmasked(2) })]
    pub(crate) struct Crate {
        a: f32,
        pub b: f32,
        /// Its own.
        pub(in crate::grids) d: f32,
    }

    /// A topology.
    #[::sparse_layout::sparse_layout(axes(x, y, z), hash() > bitmasked(8))]
    pub struct Topology;

    /// With parameters.
    #[::sparse_layout::sparse_layout(axes(x), hash() > dense(N))]
    pub struct Generic<T: ::sparse_layout::Element + ::std::fmt::Debug, const N: ::std::primitive::usize>
    where
        T: ::std::marker::Copy,
    {
        /// Of any type.
        pub value: T,
        /// As many as the size.
        pub more: [f32; 3],
    }

    /// Uses what is private.
    pub fn run() {
        let mut public = Public::new();
        public.private_mut().set([1, 2], 3);
        ::std::assert_eq!(public.cell([1, 2]).map(|cell| cell.private), ::std::option::Option::Some(3));
        let mut some = <Crate as ::std::default::Default>::default();
        some.d_mut().set([3], 1.0);
        some.c_mut().activate([3]);
        ::std::assert_eq!(some.b().get([0]), ::std::option::Option::None);
        let mut generic = Generic::<f32, 4>::new();
        generic.value_mut().set([1], 2.0);
        ::std::assert_eq!(generic.fields().value.get([1]), ::std::option::Option::Some(2.0));
        ::std::assert!(!Topology::new().leaf().is_active([0, 0, 0]));
    }
}

fn main() {
    let mut smoke = Smoke::new();
    smoke.density_mut().set([1, -8], 2.0);
    smoke.type_mut().set([1, -8], [1.0, 2.0]);
    ::std::assert_eq!(smoke.x().value([1, -8]), 0);
    ::std::assert!(smoke.tile().is_active([0, -2]));
    let fields = smoke.fields_mut();
    ::std::assert_eq!(fields.r#type.value([0, 0]), [0.0, 1.0]);
    grids::run();

    /// In the body of a function.
    #[::sparse_layout::sparse_layout(axes(x), dense(8))]
    struct Inner {
        height: f32,
    }
    let mut inner = Inner::new();
    inner.height_mut().set([7], 1.0);
    ::std::assert_eq!(::std::clone::Clone::clone(&inner), inner);
}
