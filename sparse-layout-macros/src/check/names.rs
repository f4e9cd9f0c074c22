//! Methods share one namespace: fields, levels, and what every grid has.

use proc_macro2::Ident;
use syn::ext::IdentExt;

use crate::error::{Code, Errors};
use crate::model::Model;

/// Inherent methods of every grid, and what they are for.
pub(crate) const RESERVED: [(&str, &str); 5] = [
    ("new", "builds an empty grid"),
    ("builder", "builds a grid with bounds, capacities or background values of its own"),
    ("fields", "lends every field"),
    ("fields_mut", "lends every field mutably"),
    ("concurrent", "lends the grid to many threads"),
];

struct Method<'a> {
    name: String,
    /// The field or level it is for.
    owner: &'a Ident,
    what: &'static str,
}

pub(super) fn all(model: &Model, errors: &mut Errors) {
    let mut methods: Vec<Method<'_>> = Vec::new();
    for field in &model.item.fields {
        let plain = field.name();
        let mut names = vec![plain.clone(), format!("{plain}_mut")];
        if field.double.is_some() {
            names.extend([format!("{plain}_next"), format!("{plain}_next_mut"), format!("swap_{plain}")]);
        }
        add(&mut methods, names, &field.ident, "field", errors);
    }
    let mut seen: Vec<String> = Vec::new();
    for name in model.levels.iter().filter_map(|level| level.name.as_ref()) {
        let plain = name.unraw().to_string();
        if seen.contains(&plain) {
            errors.add(Code::LevelNameTwice, name, &[("level", &plain)]);
        } else if model.field(&plain).is_some() {
            errors.add(Code::LevelNameField, name, &[("level", &plain)]);
        } else {
            add(&mut methods, vec![plain.clone(), format!("{plain}_mut")], name, "level", errors);
        }
        seen.push(plain);
    }
}

fn add<'a>(
    methods: &mut Vec<Method<'a>>,
    names: Vec<String>,
    owner: &'a Ident,
    what: &'static str,
    errors: &mut Errors,
) {
    let plain = owner.unraw().to_string();
    if let Some((method, purpose)) = RESERVED.into_iter().find(|(method, _)| names.iter().any(|name| name == method)) {
        let values = [("what", what), ("name", plain.as_str()), ("method", method), ("purpose", purpose)];
        errors.add(Code::NameReserved, owner, &values);
        return;
    }
    let taken = names.iter().find_map(|name| methods.iter().find(|method| method.name == *name));
    // Two fields of one name are the compiler's business.
    if let Some(taken) = taken.filter(|taken| *taken.owner != *owner) {
        let holder = format!("the {} `{}`", taken.what, taken.owner);
        let values =
            [("what", what), ("name", plain.as_str()), ("method", taken.name.as_str()), ("owner", holder.as_str())];
        errors.add(Code::NameTaken, owner, &values);
        return;
    }
    methods.extend(names.into_iter().map(|name| Method { name, owner, what }));
}
