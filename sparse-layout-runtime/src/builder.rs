//! Building a grid with bounds, backgrounds and limits of the program's choice.

use crate::core::{BuildOptions, Core};
use crate::element::Element;
use crate::error::BuildError;
use crate::grid::Grid;
use crate::layout::Layout;
use crate::tree::{Bounds, Size};
use std::marker::PhantomData;
use std::ops::Range;

/// Builds a grid: `Smoke::builder().capacity(1 << 20).build()?`.
pub struct Builder<G> {
    options: BuildOptions,
    problem: Option<BuildError>,
    grid: PhantomData<fn() -> G>,
}

impl<G> std::fmt::Debug for Builder<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Builder").finish_non_exhaustive()
    }
}

impl<G: Grid + Layout> Builder<G> {
    /// The declared layout, nothing changed.
    #[doc(hidden)]
    pub fn new() -> Self {
        Builder { options: BuildOptions::default(), problem: None, grid: PhantomData }
    }

    /// The bounds of the axes declared `..`, in the order of `axes(..)`: one half-open range each.
    #[must_use]
    pub fn bounds(mut self, bounds: impl IntoIterator<Item = Range<i32>>) -> Self {
        let tree = &G::TREE;
        let mut given = bounds.into_iter();
        for (a, axis) in tree.axes.iter().enumerate() {
            if !matches!(axis.bounds, Bounds::RunTime) {
                continue;
            }
            match given.next() {
                Some(r) => self.options.bounds[a] = Some((r.start.into(), r.end.into())),
                None => self.refuse(axis.name, "no bounds are given for it".into()),
            }
        }
        let extra = given.count();
        if extra > 0 {
            let axis = tree.axes.last().map_or("", |a| a.name);
            self.refuse(axis, format!("{extra} more bounds are given than axes declared `..`"));
        }
        self
    }

    /// The most nodes that each kind of node may have; by default as many as the reserved address space holds.
    /// Memory is used as nodes are.
    #[must_use]
    pub fn capacity(mut self, nodes: u32) -> Self {
        self.options.nodes = nodes.clamp(1, u32::MAX - 1);
        self
    }

    /// The background of a field, by name, in place of the declared one.
    ///
    /// # Panics
    /// If no field has that name, or its element type is another.
    #[must_use]
    pub fn background<T: Element>(mut self, field: &str, value: T) -> Self {
        let fields = G::TREE.fields;
        let Some(f) = fields.iter().position(|f| f.name == field) else {
            panic!("{}: there is no field `{field}`", G::TREE.name)
        };
        assert!(
            fields[f].size == size_of::<T>() && fields[f].align == align_of::<T>(),
            "{}: `{field}` holds `{}`, not `{}`",
            G::TREE.name,
            fields[f].type_name,
            std::any::type_name::<T>()
        );
        self.options.backgrounds.push((f, bytemuck::bytes_of(&value).to_vec()));
        self
    }

    /// Builds the grid, empty.
    ///
    /// # Errors
    /// If bounds are missing, empty or too large for the declared sizes, a background would fill a huge node, or the
    /// system does not grant the address space.
    pub fn build(self) -> Result<G, BuildError> {
        if let Some(problem) = self.problem {
            return Err(problem);
        }
        check_bounds::<G>(&self.options)?;
        Core::build(&self.options).map(G::from_core)
    }

    fn refuse(&mut self, axis: &'static str, problem: String) {
        self.problem.get_or_insert(BuildError::Bounds { axis, problem });
    }
}

fn check_bounds<G: Layout>(options: &BuildOptions) -> Result<(), BuildError> {
    let tree = &G::TREE;
    for (a, axis) in tree.axes.iter().enumerate() {
        if !matches!(axis.bounds, Bounds::RunTime) {
            continue;
        }
        let wrong = |problem| Err(BuildError::Bounds { axis: axis.name, problem });
        let Some((lo, hi)) = options.bounds[a] else {
            return wrong("it is declared `..`: give its bounds with `builder().bounds(..)`".into());
        };
        if hi <= lo {
            return wrong(format!("its bounds {lo}..{hi} are empty"));
        }
        let covers = tree.levels.iter().any(|l| matches!(l.sizes[a], Size::Cover));
        if !covers {
            return wrong("its sizes are fixed: write `_` at the outermost level that divides it".into());
        }
    }
    Ok(())
}

impl<G: Grid + Layout> Default for Builder<G> {
    fn default() -> Self {
        Self::new()
    }
}
