//! What can go wrong while a program runs.

use std::fmt;

/// A coordinate outside the bounds of a field's or a level's index space.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutOfBounds {
    pub(crate) name: &'static str,
    pub(crate) point: Vec<i32>,
    pub(crate) bounds: Vec<(i64, i64)>,
}

impl OutOfBounds {
    /// The coordinate.
    pub fn point(&self) -> &[i32] {
        &self.point
    }

    /// The bounds along each axis, half-open.
    pub fn bounds(&self) -> &[(i64, i64)] {
        &self.bounds
    }
}

impl fmt::Display for OutOfBounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`: {:?} is out of bounds [", self.name, self.point)?;
        for (j, (lo, hi)) in self.bounds.iter().enumerate() {
            write!(f, "{}{lo}..{hi}", if j > 0 { ", " } else { "" })?;
        }
        write!(f, "]")
    }
}

impl std::error::Error for OutOfBounds {}

/// No handle is left for a new node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exhausted {
    pub(crate) nodes: u32,
}

impl fmt::Display for Exhausted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "all {} nodes of one kind are in use: give the grid more with `builder().capacity(..)`", self.nodes)
    }
}

impl std::error::Error for Exhausted {}

/// A list has as many items as it may.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Full {
    pub(crate) name: &'static str,
    pub(crate) max: u32,
}

impl fmt::Display for Full {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`: a list has at most {} items: declare a larger `max`", self.name, self.max)
    }
}

impl std::error::Error for Full {}

/// Why a cell could not be activated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WriteError {
    /// It does not exist.
    OutOfBounds(OutOfBounds),
    /// There is no room for its node.
    Exhausted(Exhausted),
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WriteError::OutOfBounds(e) => e.fmt(f),
            WriteError::Exhausted(e) => e.fmt(f),
        }
    }
}

impl std::error::Error for WriteError {}

impl From<OutOfBounds> for WriteError {
    fn from(e: OutOfBounds) -> Self {
        WriteError::OutOfBounds(e)
    }
}

impl From<Exhausted> for WriteError {
    fn from(e: Exhausted) -> Self {
        WriteError::Exhausted(e)
    }
}

/// A cell is not active, and nothing can be activated now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inactive {
    pub(crate) name: &'static str,
    pub(crate) point: Vec<i32>,
}

impl Inactive {
    /// The coordinate.
    pub fn point(&self) -> &[i32] {
        &self.point
    }
}

impl fmt::Display for Inactive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`: {:?} is not active, and the topology is frozen", self.name, self.point)
    }
}

impl std::error::Error for Inactive {}

/// Why a cell could not be written while the topology is frozen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FrozenError {
    /// It does not exist.
    OutOfBounds(OutOfBounds),
    /// It is not active.
    Inactive(Inactive),
}

impl fmt::Display for FrozenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FrozenError::OutOfBounds(e) => e.fmt(f),
            FrozenError::Inactive(e) => e.fmt(f),
        }
    }
}

impl std::error::Error for FrozenError {}

impl From<OutOfBounds> for FrozenError {
    fn from(e: OutOfBounds) -> Self {
        FrozenError::OutOfBounds(e)
    }
}

impl From<Inactive> for FrozenError {
    fn from(e: Inactive) -> Self {
        FrozenError::Inactive(e)
    }
}

/// Why an item could not be appended to a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PushError {
    /// The cell does not exist.
    OutOfBounds(OutOfBounds),
    /// There is no room for a node.
    Exhausted(Exhausted),
    /// The list has as many items as it may.
    Full(Full),
}

impl fmt::Display for PushError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PushError::OutOfBounds(e) => e.fmt(f),
            PushError::Exhausted(e) => e.fmt(f),
            PushError::Full(e) => e.fmt(f),
        }
    }
}

impl std::error::Error for PushError {}

impl From<WriteError> for PushError {
    fn from(e: WriteError) -> Self {
        match e {
            WriteError::OutOfBounds(e) => PushError::OutOfBounds(e),
            WriteError::Exhausted(e) => PushError::Exhausted(e),
        }
    }
}

impl From<Exhausted> for PushError {
    fn from(e: Exhausted) -> Self {
        PushError::Exhausted(e)
    }
}

impl From<Full> for PushError {
    fn from(e: Full) -> Self {
        PushError::Full(e)
    }
}

/// Why a grid could not be built.
#[derive(Debug)]
#[non_exhaustive]
pub enum BuildError {
    /// The system did not grant the address space.
    Reserve {
        /// What was asked for.
        bytes: u64,
        /// What the system said.
        cause: std::io::Error,
    },
    /// An axis declared `..` was given no bounds, or one declared otherwise was given some.
    Bounds {
        /// The axis.
        axis: &'static str,
        /// What is wrong with its bounds.
        problem: String,
    },
    /// The sizes that the bounds ask for are more than a grid can have.
    Layout {
        /// What is too much, or does not fit.
        problem: &'static str,
    },
    /// A background other than zero was asked for a node too large to be filled with it.
    Background {
        /// The field.
        field: &'static str,
        /// Bytes of that field in one node.
        bytes: u64,
    },
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildError::Reserve { bytes, cause } => {
                write!(f, "cannot reserve {bytes} bytes of address space for the nodes of a level: {cause}")
            }
            BuildError::Bounds { axis, problem } => write!(f, "axis `{axis}`: {problem}"),
            BuildError::Layout { problem } => write!(f, "these bounds do not fit the layout: {problem}"),
            BuildError::Background { field, bytes } => write!(
                f,
                "`{field}`: a background other than zero would fill {bytes} bytes of one node; \
                 divide the level, or use zero"
            ),
        }
    }
}

impl std::error::Error for BuildError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            BuildError::Reserve { cause, .. } => Some(cause),
            _ => None,
        }
    }
}
