//! Many threads write one grid.

mod concurrent {
    mod limits;
    mod lists;
    mod operations;
    mod phases;
    mod threads;
}
