//! The options of fields.

use syn::spanned::Spanned;

use crate::ast::{Kind, Storage};
use crate::error::{Code, Errors};
use crate::model::{Model, Place};
use crate::parse::Field;

const SCALARS: [&str; 16] = [
    "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "f16", "f32", "f64", "bool",
];

pub(super) fn all(model: &Model, errors: &mut Errors) {
    for (index, field) in model.item.fields.iter().enumerate() {
        split(field, errors);
        bits(field, errors);
        storage(model, index, errors);
    }
}

/// What is packed, or exchanged as a whole, has memory of its own.
fn storage(model: &Model, index: usize, errors: &mut Errors) {
    let field = &model.item.fields[index];
    let Place::Level(level) = model.places[index] else { return };
    let level = &model.levels[level];
    let packed = "its values do not stand in memory as such, so they cannot stand side by side with others";
    let double = "two buffers are exchanged as wholes, so each has memory of its own";
    for (option, span, why) in
        [("split", field.split, packed), ("bits", field.bits, packed), ("double", field.double, double)]
    {
        let Some(span) = span else { continue };
        let storage = match level.storage {
            _ if level.kind == Kind::Dynamic && option != "double" => "in lists",
            Some((storage @ (Storage::Aos | Storage::Aosoa), _)) => storage.word(),
            _ => continue,
        };
        errors.add(Code::OptionStorage, span, &[("option", option), ("storage", storage), ("why", why)]);
    }
}

/// `split` is for what has components.
fn split(field: &Field, errors: &mut Errors) {
    let Some(span) = field.split else { return };
    let ty = field.type_name();
    if SCALARS.contains(&ty.as_str()) && field.bits.is_none() {
        errors.add(Code::SplitScalar, span, &[("field", &field.name()), ("type", &ty)]);
    }
    if field.bits.is_some() {
        errors.add(Code::BitsSplit, span, &[]);
    }
}

/// `bits` is for `bool`, and `bool` needs it.
fn bits(field: &Field, errors: &mut Errors) {
    let ty = field.type_name();
    match (field.bits, ty == "bool") {
        (Some(span), false) => errors.add(Code::BitsType, span, &[("field", &field.name()), ("type", &ty)]),
        (None, true) => errors.add(Code::BitsMissing, field.ty.span(), &[("field", &field.name())]),
        _ => {}
    }
}
