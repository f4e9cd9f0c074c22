//! The model test over a matrix of layouts: kinds, nestings, dimensions, sizes that are powers of two or not, storage,
//! bounds, element types.

mod harness;

use harness::{Sample, Spec, Subject, run};
use sparse_layout::prelude::*;
use sparse_layout::{At, Field, GridFieldMut};

/// Declares a layout, describes it to the model, and tests it.
macro_rules! model {
    (
        $test:ident, $d:literal axes $(lo $lo:expr, hi $hi:expr,)? element $t:ty, steps $steps:literal,
        levels [$($name:ident = $kind:literal $sizes:expr $(, $morton:ident)?;)*], on [$($on:ident)*], last $last:literal,
        #[$($attribute:tt)*]
    ) => {
        mod $test {
            use super::*;

            #[$($attribute)*]
            pub struct Subj {
                pub a: $t,
                #[field(background = 7)]
                pub b: u16,
            }

            impl Subject for Subj {
                type Level = At<Subj, $last>;
                type Point = [i32; $d];
                type Value = $t;
                fn make() -> Self {
                    Subj::new()
                }
                fn specs() -> Vec<Spec> {
                    vec![$( Spec {
                        kind: $kind,
                        sizes: $sizes.to_vec(),
                        morton: [$( stringify!($morton) )?].contains(&"morton"),
                    } ),*]
                }
                fn lo() -> Vec<i64> {
                    let lo: Vec<i64> = vec![0; $d];
                    $( let lo: Vec<i64> = $lo.to_vec(); )?
                    lo
                }
                fn hi() -> Vec<i64> {
                    let hi: Vec<i64> = vec![0; $d];
                    $( let hi: Vec<i64> = $hi.to_vec(); )?
                    hi
                }
                fn a(&self) -> Field<'_, At<Subj, $last>, $t> {
                    Subj::a(self)
                }
                fn a_mut(&mut self) -> GridFieldMut<'_, At<Subj, $last>, $t> {
                    Subj::a_mut(self)
                }
                fn zip(&mut self) {
                    let expected: Vec<_> = self.b().iter().map(|(p, b)| (p, b.wrapping_mul(3))).collect();
                    let mut f = self.fields_mut();
                    let before: Vec<_> = f.a.iter().collect();
                    (&mut f.b, &f.a).par_for_each(|p, (b, a)| {
                        assert_eq!(f.a.get(p), Some(a));
                        *b = b.wrapping_mul(3);
                    });
                    assert_eq!(f.b.iter().collect::<Vec<_>>(), expected);
                    let zipped: Vec<_> = (&f.a, &f.b).iter().map(|(p, (a, _))| (p, a)).collect();
                    assert_eq!(zipped, before);
                }
                fn deactivate(&mut self, level: usize, cell: &[i32]) -> bool {
                    let names = [$( stringify!($name) ),*];
                    $( if names[level] == stringify!($on) {
                        return paste_mut!(self, $on).deactivate(to(cell));
                    } )*
                    unreachable!()
                }
                fn activate(&mut self, level: usize, cell: &[i32]) {
                    let mut k = 0;
                    $( if k == level { paste_mut!(self, $name).activate(to(cell)); } k += 1; )*
                    let _ = k;
                }
                fn level_cells(&self, level: usize) -> Vec<Vec<i32>> {
                    let mut k = 0;
                    $( if k == level { return self.$name().iter().map(|p| p.to_vec()).collect(); } k += 1; )*
                    unreachable!("{k}")
                }
                fn level_len(&self, level: usize) -> u64 {
                    let mut k = 0;
                    $( if k == level { return self.$name().len(); } k += 1; )*
                    unreachable!("{k}")
                }
                fn level_is_active(&self, level: usize, cell: &[i32]) -> bool {
                    let mut k = 0;
                    $( if k == level { return self.$name().is_active(to(cell)); } k += 1; )*
                    unreachable!("{k}")
                }
            }

            #[test]
            fn agrees_with_a_map() {
                run::<Subj>(1, $steps);
                run::<Subj>(2, $steps / 2);
            }
        }
    };
}

macro_rules! paste_mut {
    ($g:ident, l0) => {
        $g.l0_mut()
    };
    ($g:ident, l1) => {
        $g.l1_mut()
    };
    ($g:ident, l2) => {
        $g.l2_mut()
    };
    ($g:ident, l3) => {
        $g.l3_mut()
    };
    ($g:ident, l4) => {
        $g.l4_mut()
    };
}
use paste_mut;

fn to<const D: usize>(cell: &[i32]) -> [i32; D] {
    cell.try_into().expect("one coordinate per axis on the path")
}

model! { vdb, 3 axes element f32, steps 300,
levels [l0 = 'h' [-1, -1, -1]; l1 = 'p' [4, 4, 4]; l2 = 'b' [4, 4, 4];], on [l0 l1 l2], last 2,
#[sparse_layout(axes(x, y, z), l0: hash() > l1: pointer(4) > l2: bitmasked(4))] }
model! { dense_1d, 1 axes element u64, steps 200,
levels [l0 = 'd' [17];], on [], last 0,
#[sparse_layout(axes(i), l0: dense(17))] }
model! { dense_negative, 2 axes lo [-5, -3], hi [8, 10], element u8, steps 200,
levels [l0 = 'd' [4, 4]; l1 = 'd' [4, 4];], on [], last 1,
#[sparse_layout(axes(x = -5..8, y = -3..10), l0: dense(4) > l1: dense(4))] }
model! { bitmasked_1d, 1 axes element f64, steps 300,
levels [l0 = 'b' [100];], on [l0], last 0,
#[sparse_layout(axes(i), l0: bitmasked(100))] }
model! { pointer_dense_2d, 2 axes element [f32; 3], steps 300,
levels [l0 = 'p' [3, 3]; l1 = 'd' [8, 8];], on [l0], last 1,
#[sparse_layout(axes(x, y), l0: pointer(3) > l1: dense(8))] }
model! { pointer_pointer_aos, 2 axes element [f32; 3], steps 300,
levels [l0 = 'p' [5, 7]; l1 = 'p' [4, 4]; l2 = 'b' [8, 8];], on [l0 l1 l2], last 2,
#[sparse_layout(axes(x, y), l0: pointer(5, 7) > l1: pointer(4) > l2: bitmasked(8, aos))] }
model! { spgrid, 3 axes element f32, steps 200,
levels [l0 = 'b' [4, 4, 4], morton; l1 = 'd' [8, 4, 4];], on [l0], last 1,
#[sparse_layout(axes(x, y, z), l0: bitmasked(4, morton) > l1: dense(x = 8, y = 4, z = 4, aosoa))] }
model! { masked_over_pointer, 2 axes element u32, steps 300,
levels [l0 = 'b' [6, 6]; l1 = 'p' [4, 4]; l2 = 'd' [2, 2]; l3 = 'b' [4, 4];], on [l0 l1 l3], last 3,
#[sparse_layout(axes(x, y), l0: bitmasked(6) > l1: pointer(4) > l2: dense(2) > l3: bitmasked(4))] }
model! { nested_masks, 1 axes element i16, steps 300,
levels [l0 = 'b' [5]; l1 = 'b' [8]; l2 = 'd' [2]; l3 = 'b' [4];], on [l0 l1 l3], last 3,
#[sparse_layout(axes(i), l0: bitmasked(5) > l1: bitmasked(8) > l2: dense(2) > l3: bitmasked(4))] }
model! { axes_apart, 3 axes element f32, steps 200,
levels [l0 = 'p' [8, 8, 0]; l1 = 'd' [0, 0, 6]; l2 = 'b' [2, 2, 4];], on [l0 l2], last 2,
#[sparse_layout(axes(x, y, z), l0: pointer(x = 8, y = 8) > l1: dense(z = 6) > l2: bitmasked(2, 2, 4))] }
model! { hash_some_axes, 3 axes element u8, steps 200,
levels [l0 = 'h' [-1, 0, -1]; l1 = 'd' [8, 6, 4];], on [l0], last 1,
#[sparse_layout(axes(x, y, z), l0: hash(x, z) > l1: dense(8, 6, 4))] }
model! { hash_odd_blocks, 2 axes element [u8; 5], steps 300,
levels [l0 = 'h' [-1, -1]; l1 = 'b' [5, 7];], on [l0 l1], last 1,
#[sparse_layout(axes(x, y), l0: hash() > l1: bitmasked(5, 7))] }
model! { hash_below_pointer, 2 axes lo [-16, -16], hi [240, 240], element f32, steps 300,
levels [l0 = 'p' [4, 4]; l1 = 'h' [16, 16]; l2 = 'b' [4, 4];], on [l0 l1 l2], last 2,
#[sparse_layout(axes(x = -16..240, y = -16..240), l0: pointer(4) > l1: hash(x = 16, y = 16) > l2: bitmasked(4))] }
model! { hash_below_masked, 2 axes element f32, steps 300,
levels [l0 = 'b' [3, 2]; l1 = 'd' [2, 2]; l2 = 'h' [8, 8]; l3 = 'p' [2, 2]; l4 = 'd' [2, 2];], on [l0 l2 l3], last 4,
#[sparse_layout(axes(x, y), l0: bitmasked(3, 2) > l1: dense(2) > l2: hash(x = 8, y = 8) > l3: pointer(2) > l4: dense(2))] }
model! { four_d, 4 axes element u32, steps 200,
levels [l0 = 'h' [-1, -1, -1, -1]; l1 = 'b' [4, 2, 4, 2];], on [l0 l1], last 1,
#[sparse_layout(axes(x, y, z, t), l0: hash() > l1: bitmasked(4, 2, 4, 2))] }
model! { four_d_bounded_aos, 4 axes lo [-4, 0, -2, 0], hi [4, 6, 6, 4], element f64, steps 150,
levels [l0 = 'p' [2, 3, 2, 2]; l1 = 'b' [4, 2, 4, 2];], on [l0 l1], last 1,
#[sparse_layout(axes(x = -4..4, y = 0..6, z = -2..6, t = 0..4), l0: pointer(2, 3, 2, 2) > l1: bitmasked(4, 2, 4, 2, aos))] }
model! { eight_d, 8 axes element u8, steps 100,
levels [l0 = 'h' [-1, -1, -1, -1, -1, -1, -1, -1]; l1 = 'b' [2, 2, 2, 2, 2, 2, 2, 2];], on [l0 l1], last 1,
#[sparse_layout(axes(a0, a1, a2, a3, a4, a5, a6, a7), l0: hash() > l1: bitmasked(2))] }
model! { covered, 2 axes lo [-7, 3], hi [30, 50], element f32, steps 200,
levels [l0 = 'p' [5, 6]; l1 = 'd' [8, 8];], on [l0], last 1,
#[sparse_layout(axes(x = -7..30, y = 3..50), l0: pointer(_) > l1: dense(8))] }
