//! Many threads write one grid.

mod concurrent {
    mod operations;
}
