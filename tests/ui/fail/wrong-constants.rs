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

#[sparse_layout(axes(x = 0..FEW, y = FEW..2), dense(8) > dense(2, morton))]
struct Overshoot { value: f32 }

#[sparse_layout(axes(x, y), dense(FEW, FEW, morton))]
struct NoZOrder { value: f32 }

#[sparse_layout(axes(x), dense(8) > dynamic(i, max = FEW, chunk = { FEW + 1 }))]
struct LongChunk { value: f32 }

#[sparse_layout(axes(x), dense(N))]
struct Generic<const N: usize> { value: f32 }

#[sparse_layout(axes(x = 0..10), dense(N))]
struct Covered<const N: usize> { value: f32 }

fn main() {
    Covered::<10>::new();
    Covered::<9>::new();
    Generic::<0>::new();
}
