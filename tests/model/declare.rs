//! The macro that declares a layout, describes it, and tests it.

/// One layout. Fields are on a level by number; `a` and `b` are on the same one. `b`'s background is 7.
macro_rules! model {
    (
        $test:ident, $d:literal axes, steps $steps:literal $(, lo $lo:expr, hi $hi:expr)? $(, with [$($generics:tt)*] [$($args:tt)*])? $(, make $make:expr)?;
        levels [$($level:ident $kind:ident $sizes:expr $(, $morton:ident)? $(=> $below:expr)?;)*];
        $($field:ident: $t:ty $(= $background:expr)?, on $on:ident $on_number:literal;)*
        #[$($attribute:tt)*]
    ) => {
        mod $test {
            use super::*;

            #[$($attribute)*]
            pub struct Grid $(<$($generics)*>)? {
                $( $(#[field(background = $background)])? pub $field: $t, )*
            }

            type Subj = Grid $(<$($args)*>)?;

            impl $crate::model::Subject for Subj {
                fn fresh() -> Box<dyn $crate::model::Subject> {
                    Box::new(made!(Subj $(, $make)?))
                }
                fn shape() -> $crate::model::Shape {
                    let levels = vec![$( $crate::model::Spec {
                        kind: stringify!($kind).chars().next().expect("a kind"),
                        below: None $(.or(Some($below)))?,
                        sizes: Vec::<i64>::from($sizes),
                        morton: [$( stringify!($morton) )?].contains(&"morton"),
                    } ),*];
                    let shape = $crate::model::Shape { levels, lo: vec![0; $d], hi: vec![0; $d] };
                    $( let shape = $crate::model::Shape { lo: Vec::<i64>::from($lo), hi: Vec::<i64>::from($hi), ..shape }; )?
                    shape
                }
                fn with_field(&mut self, field: usize, f: &mut dyn FnMut(&mut dyn $crate::model::FieldOps)) {
                    let mut n = field;
                    $(
                        if n == 0 { return f(&mut exclusive!(self, $field)); }
                        n = n.wrapping_sub(1);
                    )*
                    unreachable!("field {field} of {}", field - n);
                }
                fn with_level(&mut self, level: usize, f: &mut dyn FnMut(&mut dyn $crate::model::LevelOps)) {
                    let mut n = level;
                    $(
                        if n == 0 { return f(&mut level!($kind, exclusive!(self, $level))); }
                        n = n.wrapping_sub(1);
                    )*
                    unreachable!("level {level} of {}", level - n);
                }
                fn zip(&mut self) {
                    use $crate::model::Sample;
                    let mut f = self.fields_mut();
                    (&mut f.b, &f.a).par_for_each(|p, (b, a)| {
                        assert_eq!(f.a.get(p), Some(a));
                        *b = Sample::sample($crate::model::sum(b.number(), a.number()));
                    });
                    assert!((&f.a, &f.b).iter().map(|(p, (a, b))| (p, a, b)).eq(f.a.iter().zip(f.b.iter()).map(|((p, a), (_, b))| (p, a, b))));
                }
                fn blocks(&self) -> Vec<([i32; 8], u8)> {
                    first!($( (self.$on(), self.$field()) )*)
                }
                fn clear(&mut self) {
                    sparse_layout::Grid::clear(self);
                }
                fn prune(&mut self) -> u64 {
                    sparse_layout::Grid::prune(self)
                }
                fn shrink(&mut self) {
                    sparse_layout::Grid::shrink(self);
                }
                fn compact(&mut self) {
                    sparse_layout::Grid::compact(self);
                }
                fn nodes(&self) -> u64 {
                    sparse_layout::Grid::memory(self).nodes
                }
                fn count(&self) -> u64 {
                    sparse_layout::Grid::count(self)
                }
                fn validate(&self) {
                    sparse_layout::Grid::internal_validate(self);
                }
                fn copy(&self) -> Box<dyn $crate::model::Subject> {
                    Box::new(self.clone())
                }
                fn same(&self, other: &dyn $crate::model::Subject) -> bool {
                    (other as &dyn std::any::Any).downcast_ref::<Self>().is_some_and(|other| self == other)
                }
                fn text(&self) -> String {
                    format!("{}\n{:?}\n{}", sparse_layout::Grid::describe(self), self, sparse_layout::Grid::memory(self))
                }
            }

            #[test]
            fn agrees_with_a_map() {
                let fields = [$( $on_number ),*];
                $crate::model::run::<Subj>(&fields, 1, $steps);
                $crate::model::run::<Subj>(&fields, 2, $steps / 2);
            }
        }
    };
}

/// The accessor that holds the grid.
macro_rules! exclusive {
    ($g:ident, a) => {
        $g.a_mut()
    };
    ($g:ident, b) => {
        $g.b_mut()
    };
    ($g:ident, c) => {
        $g.c_mut()
    };
    ($g:ident, d) => {
        $g.d_mut()
    };
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
    ($g:ident, l5) => {
        $g.l5_mut()
    };
}

macro_rules! level {
    (d, $view:expr) => {
        $crate::model::Full($view)
    };
    ($kind:ident, $view:expr) => {
        $crate::model::Sparse($view)
    };
}

macro_rules! made {
    ($grid:ident) => {
        $grid::new()
    };
    ($grid:ident, $make:expr) => {
        $make
    };
}

/// The blocks of the first field.
macro_rules! first {
    (($level:expr, $field:expr) $($rest:tt)*) => {
        $crate::model::blocks($level, $field)
    };
}
