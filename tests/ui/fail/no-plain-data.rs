//! Field types that are not plain data.
use sparse_layout::sparse_layout;

#[derive(Clone, Copy)]
enum State {
    Off,
    On,
}

#[sparse_layout(axes(x), dense(8))]
struct Names { name: String }

#[sparse_layout(axes(x), dense(8))]
struct States { density: f32, state: State }

fn main() {
    let _ = (State::Off, State::On);
    let _ = States::new().density();
}
