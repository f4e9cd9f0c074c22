//! `deny(non_power_of_two)` for constants.
use sparse_layout::sparse_layout;

const TEN: usize = 10;

#[sparse_layout(axes(i), dense(i = 32) > dense(i = TEN), deny(non_power_of_two))]
struct Smoke { value: f32 }

fn main() {}
