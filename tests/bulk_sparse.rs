//! Building in bulk over a tree of pointers, and far apart.

#[allow(dead_code, unused_imports, reason = "shared between test programs")]
mod bulk_common;

bulk_common::layouts! {
    tree: 3, [-700; 3], [900; 3], 1500,
        #[sparse_layout(axes(x, y, z), hash() > pointer(4) > bitmasked(4))];
    far: 4, [-1_000_000_000; 4], [1_000_000_000; 4], 400,
        #[sparse_layout(axes(x, y, z, w), hash() > bitmasked(2, aos))];
}
