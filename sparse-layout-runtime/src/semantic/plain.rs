//! How a type over an array of scalars is declared.

/// A struct over `[T; N]`: plain data where `T` is, described where `T` is a scalar.
macro_rules! over_array {
    ($(#[$attr:meta])* $name:ident[$n:literal]) => {
        $(#[$attr])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
        #[repr(transparent)]
        pub struct $name<T>(pub [T; $n]);

        // SAFETY: `repr(transparent)` over an array of `T`: all zeros are a value, as they are of `T`.
        unsafe impl<T: bytemuck::Zeroable> bytemuck::Zeroable for $name<T> {}
        // SAFETY: `repr(transparent)` over an array of `T`: no padding, any bits are a value, as they are of `T`.
        unsafe impl<T: bytemuck::Pod> bytemuck::Pod for $name<T> {}

        impl<T: crate::semantic::ScalarElement> crate::semantic::Described for $name<T> {
            type Scalar = T;
            const SEMANTIC: crate::semantic::Semantic = crate::semantic::Semantic::$name;
        }

        impl<T: crate::element::Element> crate::field::Components for $name<T> {
            type Component = T;
            const COUNT: usize = $n;
        }
    };
}

pub(super) use over_array;
