//! The options of fields.

use crate::error::{Code, Errors};
use crate::model::Model;
use crate::parse::Field;

const SCALARS: [&str; 16] = [
    "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "f16", "f32", "f64", "bool",
];

pub(super) fn all(model: &Model, errors: &mut Errors) {
    for field in &model.item.fields {
        split(field, errors);
        bits(field, errors);
        not_yet(field, errors);
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

/// `bits` is for `bool`. (Whether a type of that name is ours to refuse without it, only the compiler knows.)
fn bits(field: &Field, errors: &mut Errors) {
    let ty = field.type_name();
    if let (Some(span), false) = (field.bits, ty == "bool") {
        errors.add(Code::BitsType, span, &[("field", &field.name()), ("type", &ty)]);
    }
}

fn not_yet(field: &Field, errors: &mut Errors) {
    if !errors.is_empty() {
        return;
    }
    for (option, span, help) in [
        ("split", field.split, "remove it: `aosoa` or `soa` keep arrays together per field"),
        ("bits", field.bits, "store a `u8`"),
        ("double", field.double, "declare two fields"),
    ] {
        if let Some(span) = span {
            errors.add(Code::NotYet, span, &[("what", option), ("help", help)]);
        }
    }
}
