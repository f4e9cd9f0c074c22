use sparse_layout::sparse_layout;

#[sparse_layout(axes(x), dense(8))]
struct Smoke<'a> { density: &'a f32 }

fn main() {
}
