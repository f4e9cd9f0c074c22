//! Tuples within tuples: more than eight fields in one loop.

use super::zip::{View, Zip};

macro_rules! nested {
    ($(($($name:ident),*))*) => { $(
        impl<$($name: View),*> View for ($($name,)*)
        where
            ($($name,)*): Zip,
        {
            type Lanes = <($($name,)*) as Zip>::Lanes;

            fn lanes(self) -> Self::Lanes {
                self.zipped()
            }
        }
    )* };
}
nested! {
    (A, B)
    (A, B, C)
    (A, B, C, D)
    (A, B, C, D, E)
    (A, B, C, D, E, F)
    (A, B, C, D, E, F, G)
    (A, B, C, D, E, F, G, H)
}
