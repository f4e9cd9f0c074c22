//! The documentation of what is generated: the user's text, and the layout as a table.

use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt;

use crate::ast::{Bounds, Kind};
use crate::check::shown;
use crate::model::{Model, Place, Size};
use crate::parse::Field;

/// The user's text of a field, or its name.
pub(super) fn plain(field: &Field) -> TokenStream {
    let docs = &field.docs;
    if docs.is_empty() {
        let text = format!("The field `{}`.", field.name());
        return quote!(#[doc = #text]);
    }
    quote!(#(#docs)*)
}

/// The documentation of the methods that lend a field to read and to write.
pub(super) fn field(field: &Field) -> (TokenStream, TokenStream) {
    let (docs, name) = (&field.docs, field.name());
    let gap = if docs.is_empty() { "" } else { "\n" };
    let read = format!("{gap}A view of the field `{name}` to read.");
    let write = format!("{gap}A view of the field `{name}` to write; what is set becomes active.");
    (quote!(#(#docs)* #[doc = #read]), quote!(#(#docs)* #[doc = #write]))
}

/// What is said of a field where it is lent to many threads.
pub(super) fn shared(field: &Field) -> TokenStream {
    let (docs, name) = (&field.docs, field.name());
    let gap = if docs.is_empty() { "" } else { "\n" };
    let text = format!("{gap}The field `{name}`, for many threads.");
    quote!(#(#docs)* #[doc = #text])
}

/// The layout as a table.
pub(super) fn table(model: &Model) -> String {
    let axes: Vec<String> = model
        .axes
        .iter()
        .map(|axis| {
            let name = axis.name.unraw();
            match &axis.bounds {
                Bounds::Sizes => format!("`{name}`"),
                Bounds::RunTime => format!("`{name}` (bounds given when built)"),
                Bounds::Fixed(low, high) => format!("`{name}` (`{}..{}`)", shown(low), shown(high)),
            }
        })
        .collect();
    let mut text = format!("\n\n# Layout\n\nAxes: {}.\n\n", axes.join(", "));
    text.push_str(
        "| level | kind | sizes | bits | bytes of values per node | fields |\n| --- | --- | --- | --- | --- | --- |\n",
    );
    let root: Vec<usize> = (0..model.places.len()).filter(|&field| model.places[field] == Place::Root).collect();
    if !root.is_empty() {
        text.push_str(&format!("| (grid) | one value | | | | {} |\n", fields(model, &root)));
    }
    for index in 0..model.levels.len() {
        let level = &model.levels[index];
        let depth = model.path(index).len() - 1;
        let name = match &level.name {
            Some(name) => format!("`{}`", name.unraw()),
            None => model.handle(index).map_or_else(|| "-".to_owned(), |name| format!("`{name}`")),
        };
        let mut kind = level.kind.word().to_owned();
        if level.morton.is_some() {
            kind.push_str(", morton");
        }
        if let Some((storage, _)) = level.storage {
            kind.push_str(&format!(", {}", storage.word()));
        }
        let row = [
            format!("{}{name}", "\u{b7} ".repeat(depth)),
            kind,
            sizes(model, index),
            bits(model, index),
            bytes(model, index).map_or_else(String::new, |bytes| bytes.to_string()),
            fields(model, &level.fields),
        ];
        text.push_str(&format!("| {} |\n", row.join(" | ")));
    }
    if let Some(hint) = hint(model) {
        text.push_str(&format!("\n{hint}\n"));
    }
    text
}

fn sizes(model: &Model, level: usize) -> String {
    let level = &model.levels[level];
    if let (Kind::Dynamic, Some((max, _))) = (level.kind, &level.max) {
        return format!("up to `{}`", shown(max));
    }
    let each = level.order.iter().map(|&axis| {
        let name = model.axes[axis].name.unraw();
        match &level.sizes[axis] {
            Size::Unbounded(_) => format!("`{name}` unbounded"),
            Size::Cells(number) => format!("`{name} = {}`", shown(number)),
            Size::None => String::new(),
        }
    });
    each.collect::<Vec<_>>().join(", ")
}

/// The bits of each axis, where a size is a power of two.
fn bits(model: &Model, level: usize) -> String {
    let level = &model.levels[level];
    let each: Option<Vec<String>> = level
        .order
        .iter()
        .map(|&axis| {
            level.sizes[axis]
                .literal()
                .filter(|size| size.count_ones() == 1)
                .map(|size| size.trailing_zeros().to_string())
        })
        .collect();
    each.map_or_else(String::new, |each| each.join(" + "))
}

/// The bytes of the level's values in one node, where all sizes are literals and all types are known here.
fn bytes(model: &Model, index: usize) -> Option<u128> {
    let level = &model.levels[index];
    if level.fields.is_empty() {
        return None;
    }
    let value: u128 =
        level.fields.iter().map(|&field| size_of(&model.item.fields[field].type_name())).sum::<Option<u128>>()?;
    let mut cells: u128 = 1;
    let mut at = Some(index);
    while let Some(level) = at {
        if level != index && model.levels[level].kind.is_indirect() {
            break;
        }
        // A cell of an indirect level is a node by itself.
        if model.levels[level].kind.is_indirect() {
            return Some(value);
        }
        for &axis in &model.levels[level].order {
            cells = cells.checked_mul(u128::try_from(model.levels[level].sizes[axis].literal()?).ok()?)?;
        }
        at = model.levels[level].parent;
    }
    cells.checked_mul(value)
}

/// The size of a primitive type, or an array of such.
pub(super) fn size_of(ty: &str) -> Option<u128> {
    if let Some(array) = ty.strip_prefix('[').and_then(|ty| ty.strip_suffix(']')) {
        let (element, length) = array.rsplit_once(';')?;
        return size_of(element.trim())?.checked_mul(length.trim().parse().ok()?);
    }
    Some(match ty {
        "u8" | "i8" => 1,
        "u16" | "i16" => 2,
        "u32" | "i32" | "f32" => 4,
        "u64" | "i64" | "f64" => 8,
        "u128" | "i128" => 16,
        _ => return None,
    })
}

fn fields(model: &Model, fields: &[usize]) -> String {
    let mut fields = fields.to_vec();
    fields.sort_unstable();
    let each = fields.iter().map(|&field| {
        let field = &model.item.fields[field];
        format!("`{}: {}`", field.name(), field.type_name().replace('|', "\\|"))
    });
    each.collect::<Vec<_>>().join(", ")
}

/// What could be better.
fn hint(model: &Model) -> Option<String> {
    let wasteful = (0..model.levels.len()).find(|&index| {
        let level = &model.levels[index];
        matches!(level.kind, Kind::Pointer | Kind::Hash) && !level.fields.is_empty() && level.children.is_empty()
    })?;
    let kind = model.levels[wasteful].kind.word();
    Some(format!(
        "Hint: each cell of the innermost `{kind}` level is a node of one value, with a handle and an origin of its own. \
         A `bitmasked` or `dense` level inside it stores blocks of values instead."
    ))
}
