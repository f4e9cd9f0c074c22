//! What a field holds.

use super::describe::describe;
use super::kind::Semantic;
use super::scalar::Scalar;
use crate::tree::{FieldDecl, Packing};

/// A field, described: what [`LayoutInfo::field`](crate::LayoutInfo::field) gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FieldInfo {
    /// Its name.
    pub name: &'static str,
    /// The element type, as written in the declaration.
    pub type_name: &'static str,
    /// Index of the level that holds it, or [`ROOT`](crate::ROOT).
    pub level: usize,
    /// Bytes of a value; 1 for a `bool`, also where a grid keeps it in one bit.
    pub bytes: usize,
    /// The type of a lane. `None`: the element is not described (a struct of the user's, say), or it is a `bool`.
    pub scalar: Option<Scalar>,
    /// Lanes of a value: `bytes` is `lanes * scalar.bytes()`. 1 where there is no scalar.
    pub lanes: usize,
    /// What the lanes are. [`Semantic::None`] of more than one lane: an array.
    pub semantic: Semantic,
    /// How a grid keeps its values.
    pub packing: Packing,
}

impl FieldDecl {
    /// The field, described. A look into a table that is made at the first call.
    pub fn info(&self) -> FieldInfo {
        let description = describe((self.type_id)());
        FieldInfo {
            name: self.name,
            type_name: self.type_name,
            level: self.level,
            bytes: self.size,
            scalar: description.map(|d| d.scalar),
            lanes: description.map_or(1, |d| d.lanes),
            semantic: description.map_or(Semantic::None, |d| d.semantic),
            packing: self.packing,
        }
    }
}
