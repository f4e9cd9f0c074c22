//! Which cells are neighbours.

/// Which of the cells around one are its neighbours. In three dimensions 6, 18 or 26 of them.
///
/// ```
/// use sparse_layout_runtime::Neighbourhood;
/// assert_eq!(Neighbourhood::Faces.count(3), 6);
/// assert_eq!(Neighbourhood::Edges.count(3), 18);
/// assert_eq!(Neighbourhood::All.count(3), 26);
/// assert_eq!(Neighbourhood::All.count(2), 8);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Neighbourhood {
    /// Those that share a face: they differ by 1 along one axis.
    Faces,
    /// Those that share a face or an edge: they differ by 1 along one axis or two.
    Edges,
    /// All around: they differ by at most 1 along every axis.
    All,
}

impl Neighbourhood {
    /// The number of neighbours of a cell with `axes` coordinates.
    pub const fn count(self, axes: usize) -> u64 {
        let axes = axes as u64;
        match self {
            Neighbourhood::Faces => 2 * axes,
            Neighbourhood::Edges => 2 * axes + 4 * (axes * axes.saturating_sub(1) / 2),
            Neighbourhood::All => 3u64.pow(axes as u32) - 1,
        }
    }

    /// Along how many of `axes` coordinates a neighbour may differ.
    pub(super) fn most(self, axes: usize) -> usize {
        match self {
            Neighbourhood::Faces => 1,
            Neighbourhood::Edges => axes.min(2),
            Neighbourhood::All => axes,
        }
    }
}
