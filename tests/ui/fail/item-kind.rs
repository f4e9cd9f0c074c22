use sparse_layout::sparse_layout;

#[sparse_layout(axes(x), dense(8))]
enum Smoke { Density }

fn main() {
}
