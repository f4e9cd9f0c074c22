//! The options of levels: whether they fit the kind.

use proc_macro2::Span;
use syn::ext::IdentExt;

use crate::ast::{Kind, Storage};
use crate::error::{Code, Errors};
use crate::model::{Level, Model, Size};

pub(super) fn all(model: &Model, errors: &mut Errors) {
    for level in &model.levels {
        fit(level, errors);
        storage(model, level, errors);
        morton(model, level, errors);
    }
}

fn misfit(level: &Level, flag: &str, at: Span, why: &str, help: &str, errors: &mut Errors) {
    let values = [("flag", flag), ("kind", level.kind.word()), ("why", why), ("help", help)];
    errors.add(Code::FlagMisfit, at, &values);
}

/// `hasher` is for `hash`, `max` and `chunk` are for `dynamic`.
fn fit(level: &Level, errors: &mut Errors) {
    if let (Some((_, span)), false) = (&level.hasher, level.kind == Kind::Hash) {
        let why = "only the cells of a `hash` level are found by hashing";
        misfit(level, "hasher", *span, why, "remove it, or make the level a `hash`", errors);
    }
    for (flag, given) in [("max", &level.max), ("chunk", &level.chunk)] {
        if let (Some((_, span)), false) = (given, level.kind == Kind::Dynamic) {
            let why = "only the lists of a `dynamic` level grow";
            misfit(level, flag, *span, why, "remove it, or make the level `dynamic`", errors);
        }
    }
}

/// How fields are stored is said where there are fields.
fn storage(model: &Model, level: &Level, errors: &mut Errors) {
    let Some((storage, span)) = level.storage else { return };
    if level.fields.is_empty() && !errors.has(Code::RestAmbiguous) {
        let holder = model.holders().first().map(|&level| model.described(level));
        let help = holder.map_or_else(
            || "remove it".to_owned(),
            |holder| format!("write it at the level that holds the fields: {holder}"),
        );
        misfit(
            level,
            storage.word(),
            span,
            "it says how the fields of a level are stored, and this level holds none",
            &help,
            errors,
        );
    } else if storage == Storage::Aosoa && level.kind.is_indirect() {
        let why = "`aosoa` stores the arrays of one block side by side, and the cells of this level are no block";
        misfit(level, "aosoa", span, why, "write `aos`, or put a `dense` or `bitmasked` level inside it", errors);
    }
}

/// Z-order is for numbered cells, and for powers of two.
fn morton(model: &Model, level: &Level, errors: &mut Errors) {
    let Some(span) = level.morton else { return };
    if matches!(level.kind, Kind::Hash | Kind::Dynamic) {
        let why = "its cells are not numbered: they stand in a table or in lists";
        misfit(level, "morton", span, why, "write it at the `pointer`, `dense` or `bitmasked` level inside", errors);
        return;
    }
    for &axis in &level.order {
        let Size::Cells(number) = &level.sizes[axis] else { continue };
        if let Some(size) = number.literal().filter(|size| *size > 0 && size.count_ones() != 1) {
            if model.options.padded {
                continue;
            }
            let name = model.axes[axis].name.unraw().to_string();
            let next = super::power_of_two::next(size);
            errors.add(Code::MortonSize, number.at, &[("axis", &name), ("size", &size.to_string()), ("next", &next)]);
            break;
        }
    }
}
