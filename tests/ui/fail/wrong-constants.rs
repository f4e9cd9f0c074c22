//! Sizes that only the compiler knows.
use sparse_layout::sparse_layout;

const NONE: usize = 0;
const HALF: f32 = 0.5;
const FEW: usize = 3;

#[sparse_layout(axes(x), dense(NONE))]
struct Zero { value: f32 }

#[sparse_layout(axes(x), dense(HALF))]
struct Float { value: f32 }

#[sparse_layout(axes(x = 0..100), dense(FEW) > dense(8))]
struct Short { value: f32 }

#[sparse_layout(axes(x), dense(MISSING))]
struct Missing { value: f32 }

fn main() {}
