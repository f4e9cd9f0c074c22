//! The `#[sparse_layout]` attribute: see the `sparse-layout` crate, which re-exports it.
