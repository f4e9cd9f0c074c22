//! Which level holds which field.

use proc_macro2::Ident;
use syn::ext::IdentExt;

use crate::ast::Kind;
use crate::error::{Code, Errors};
use crate::model::{Model, Place};
use crate::words;

/// The names placed so far.
#[derive(Default)]
pub(crate) struct Placed {
    /// By field: whether its name was seen in braces.
    seen: Vec<usize>,
    /// Whether an unknown name was, which may be meant for a field that is missing then.
    unknown: bool,
}

/// Places a field that is named in the braces of a level (`None`: at the root).
pub(crate) fn place(model: &mut Model, name: &Ident, parent: Option<usize>, placed: &mut Placed, errors: &mut Errors) {
    let plain = name.unraw().to_string();
    let Some((field, _)) = model.field(&plain) else {
        placed.unknown = true;
        let names: Vec<String> = model.item.fields.iter().map(|field| field.name()).collect();
        let help = match words::nearest(&plain, names.iter().map(String::as_str)) {
            Some(near) => format!("write `{near}`"),
            None if Kind::from_word(&plain).is_some() => format!("a level has parentheses: `{plain}(8)`"),
            None => format!("write one of these, or add the field to the struct: `{plain}: f32`"),
        };
        let fields = if names.is_empty() { String::new() } else { format!(": {}", words::listed(&names)) };
        errors.add(Code::FieldUnknown, name, &[("field", &plain), ("fields", &fields), ("help", &help)]);
        return;
    };
    let described = |model: &Model, level: Option<usize>| match level {
        None => "the braces of the whole tree".to_owned(),
        Some(level) => model.described(level),
    };
    if placed.seen.contains(&field) {
        let first = described(model, model.level_of(field));
        errors.add(Code::FieldTwice, name, &[("field", &plain), ("first", &first)]);
        return;
    }
    placed.seen.push(field);
    model.places[field] = match parent {
        None => Place::Root,
        Some(level) => {
            model.levels[level].fields.push(field);
            Place::Level(level)
        }
    };
}

/// Places the fields that no braces name: at the one level that has neither braces nor a level inside it.
pub(crate) fn rest(model: &mut Model, placed: &Placed, tree_known: bool, errors: &mut Errors) {
    let left: Vec<usize> = (0..model.places.len()).filter(|&field| model.places[field] == Place::Nowhere).collect();
    let open: Vec<usize> = (0..model.levels.len())
        .filter(|&level| model.levels[level].children.is_empty() && !model.levels[level].braces)
        .collect();
    if left.is_empty() {
        return;
    }
    if let Some(&first) = open.first() {
        // With several, the error is about all of these fields; placing them at the first keeps the rest quiet.
        for &field in &left {
            model.places[field] = Place::Level(first);
            model.levels[first].fields.push(field);
        }
    }
    // Fields keep the order of the struct.
    let names: Vec<String> = left.iter().map(|&field| model.item.fields[field].name()).collect();
    if let [_, second, ..] = open.as_slice() {
        let shown: Vec<String> = open.iter().map(|&level| written(model, level)).collect();
        let (levels, level) = (
            if shown.len() == 2 { format!("`{}` as well as `{}`", shown[0], shown[1]) } else { words::listed(&shown) },
            shown[1].clone(),
        );
        let fields = words::listed(&names);
        let values = [
            ("levels", levels.as_str()),
            ("fields", fields.as_str()),
            ("level", level.as_str()),
            ("field", names[0].as_str()),
        ];
        errors.add(Code::RestAmbiguous, model.levels[*second].at, &values);
    } else if open.is_empty() && tree_known && !model.levels.is_empty() && !placed.unknown {
        let last = model.levels.len() - 1;
        let level = written(model, last);
        for &field in &left {
            let name = model.item.fields[field].name();
            errors.add(Code::FieldUnplaced, &model.item.fields[field].ident, &[("field", &name), ("level", &level)]);
        }
    } else if open.is_empty() && model.levels.is_empty() && tree_known && !placed.unknown && errors.is_empty() {
        for &field in &left {
            let name = model.item.fields[field].name();
            errors.add(
                Code::FieldUnplaced,
                &model.item.fields[field].ident,
                &[("field", &name), ("level", "dense(8)")],
            );
        }
    }
}

/// A level as it begins in the declaration.
fn written(model: &Model, level: usize) -> String {
    let kind = model.levels[level].kind.word();
    match &model.levels[level].name {
        Some(name) => format!("{name}: {kind}(..)"),
        None => format!("{kind}(..)"),
    }
}
