use sparse_layout::sparse_layout;

#[sparse_layout(axes(x), dense(8))]
#[repr(C)] struct Smoke { density: f32 }

fn main() {
}
