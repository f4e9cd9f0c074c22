//! Building in bulk over layouts with a root or leaves without activity of their own.

#[allow(dead_code, unused_imports, reason = "shared between test programs")]
mod bulk_common;

bulk_common::layouts! {
    line: 1, [-3], [400], 300,
        #[sparse_layout(axes(x = -3..400), pointer(37) > bitmasked(11, aosoa), allow(non_power_of_two))];
    image: 2, [0, 0], [256, 128], 2000,
        #[sparse_layout(axes(x, y), bitmasked(x = 256, y = 128, morton))];
    plain: 2, [-90, -90], [90, 90], 1000,
        #[sparse_layout(axes(x, y), hash() > dense(x = 8, y = 4))];
}
