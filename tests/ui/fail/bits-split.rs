use sparse_layout::sparse_layout;

#[sparse_layout(axes(x), dense(8))]
struct Smoke { #[field(bits, split)] solid: bool }

fn main() {
}
