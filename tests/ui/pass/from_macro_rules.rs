//! Declarations written by `macro_rules`, with fragments of every kind.
#![deny(warnings)]
use sparse_layout::prelude::*;

mod path {
    pub(crate) use ::sparse_layout as layouts;
}

macro_rules! tree {
    ($name:ident, $tree:expr) => {
        #[sparse_layout(axes(x), $tree)]
        struct $name {
            value: f32,
        }
    };
}

const SIZE: usize = 4;

macro_rules! named {
    ($v:vis $name:ident, $n:expr, $lo:literal, $hi:expr, $path:path, $t:ty, $background:expr) => {
        #[sparse_layout(axes(x = $lo..$hi, y), hash(x = _, y = 8) > dense(x = $n, y = $path), crate = $crate::path::layouts)]
        $v struct $name {
            #[field(background = $background)]
            $v value: $t,
        }
    };
}

named!(pub(crate) Sum, 4 + 4, -16, 8 * 2, self::SIZE, [f32; 2], [0.5; 2]);
named!(Private, 8, -16, 16, SIZE, u8, 1 + 1);
tree!(Chain, pointer(4) > dense(8));

fn main() {
    let mut sum = Sum::new();
    assert_eq!(sum.value().value([0, 0]), [0.5, 0.5]);
    sum.value_mut().set([-16, 31], [1.0, 2.0]);
    assert_eq!(sum.count(), 32);
    let mut private = Private::new();
    private.value_mut().modify([0, 0], |value| *value += 1);
    assert_eq!(private.value().get([0, 0]), Some(3));
    let mut chain = Chain::default();
    chain.value_mut().set([31], 1.0);
    assert_eq!(chain.value().value([31]), 1.0);
}
