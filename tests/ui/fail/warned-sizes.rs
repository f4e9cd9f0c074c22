//! The power-of-two rule: four layouts as literals, then the same with constants. As warnings, made errors here.
#![deny(deprecated)]
use sparse_layout::sparse_layout;

// Silent: the first division may have any size.
#[sparse_layout(axes(i), dense(i = 10) > dense(i = 32))]
struct A { value: f32 }

// At 10.
#[sparse_layout(axes(i), dense(i = 32) > dense(i = 10))]
struct B { value: f32 }

// Silent: both are first.
#[sparse_layout(axes(i, j), dense(i = 10) > dense(j = 30))]
struct C { value: f32 }

// At 6.
#[sparse_layout(axes(i, j), dense(i = 3) > dense(j = 5) > dense(i = 8) > rows: dense(j = 6))]
struct D { value: f32 }

const TEN: usize = 10;
const THIRTY_TWO: u8 = 32;
mod sizes {
    pub const SIX: i32 = 6;
}

#[sparse_layout(axes(i), dense(i = TEN) > dense(i = THIRTY_TWO))]
struct E { value: f32 }

// At TEN.
#[sparse_layout(axes(i), dense(i = THIRTY_TWO) > dense(i = TEN))]
struct F { value: f32 }

// Silent.
#[sparse_layout(axes(i, j), dense(i = TEN) > dense(j = 30))]
struct G { value: f32 }

// At sizes::SIX, and at the braces.
#[sparse_layout(axes(i, j), dense(i = 3) > dense(j = 5) > dense(i = { 5 + 5 }) > dense(j = sizes::SIX))]
struct H { value: f32 }

// Silent: allowed, and rounded up.
#[sparse_layout(axes(i), dense(i = 32) > dense(i = 10), allow(non_power_of_two))]
struct I { value: f32 }
#[sparse_layout(axes(i), dense(i = 32) > dense(i = 10), padded)]
struct J { value: f32 }

fn main() {}
