//! The shape of the tree.

use proc_macro2::Ident;

use crate::ast::Kind;
use crate::error::{Code, Errors};
use crate::model::Model;

const MOST_LEVELS: usize = 64;
const MOST_DEPTH: usize = 16;
const MOST_FIELDS: usize = 256;

/// How many levels and fields there may be.
pub(super) fn limits(model: &Model, errors: &mut Errors) {
    let mut too_many = |what: &str, number: usize, most: usize, help: &str, at: crate::error::Range| {
        let (number, most) = (number.to_string(), most.to_string());
        errors.add(Code::TooMany, at, &[("what", what), ("number", &number), ("most", &most), ("help", help)]);
    };
    if let Some(level) = model.levels.get(MOST_LEVELS) {
        too_many("levels", model.levels.len(), MOST_LEVELS, "declare two grids", level.at);
    } else if let Some(level) = (0..model.levels.len()).find(|&level| model.path(level).len() > MOST_DEPTH) {
        let depth = model.path(level).len();
        too_many(
            "levels in one another",
            depth,
            MOST_DEPTH,
            "merge some of them: `dense(2) > dense(2)` is `dense(4)`",
            model.levels[level].at,
        );
    }
    if let Some(field) = model.item.fields.get(MOST_FIELDS) {
        let number = model.item.fields.len();
        too_many(
            "fields",
            number,
            MOST_FIELDS,
            "make arrays of fields of one type, or declare two grids",
            (&field.ident).into(),
        );
    }
}

/// A list is innermost, and belongs to a cell.
pub(super) fn dynamic(model: &Model, errors: &mut Errors) {
    for level in model.levels.iter().filter(|level| level.kind == Kind::Dynamic) {
        let axis = level.list_axes.first().map_or_else(|| "i".to_owned(), Ident::to_string);
        if let Some(&child) = level.children.first() {
            let inner = model.levels[child].kind.word();
            let inner = format!("{inner}(..)");
            errors.add(Code::DynamicInner, level.at, &[("inner", &inner), ("axis", &axis)]);
        }
        if level.parent.is_none() {
            errors.add(Code::DynamicRoot, level.at, &[("axis", &axis)]);
        }
    }
}

/// A level holds fields or levels, or is the activity of a topology.
pub(super) fn holds_something(model: &Model, errors: &mut Errors) {
    if errors.has(Code::RestAmbiguous) || errors.has(Code::FieldUnknown) || errors.has(Code::Unexpected) {
        return;
    }
    let innermost = model.innermost();
    if model.item.fields.is_empty() && !model.levels.is_empty() {
        if !innermost.iter().all(|&level| model.levels[level].kind == Kind::Bitmasked) {
            let name = model.item.ident.to_string();
            errors.add(Code::StructEmpty, &model.item.ident, &[("name", &name)]);
        }
        return;
    }
    for level in innermost {
        let at = &model.levels[level];
        let mask = at.kind == Kind::Bitmasked && !at.braces;
        if at.fields.is_empty() && !mask {
            let help = if at.kind == Kind::Bitmasked {
                "remove the braces to keep only its activity, or name a field in them"
            } else if at.braces {
                "name a field in its braces, or put a level there"
            } else {
                "remove it, or name a field for it in braces: `{ field }`"
            };
            errors.add(Code::LevelEmpty, at.at, &[("level", &model.described(level)), ("help", help)]);
        }
    }
}
