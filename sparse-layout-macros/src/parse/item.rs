//! The struct under the attribute.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Data, DeriveInput, Fields, GenericParam, Generics, Meta, Path, Token, Type, TypeParamBound, Visibility,
    WherePredicate,
};

use super::cursor::{Cursor, is_punct, range, split_commas, text};
use super::number::is_complete;
use crate::error::{Code, Errors, Range};
use crate::words;

/// What a layout takes from the struct.
pub(crate) struct Declared {
    pub(crate) docs: Vec<Attribute>,
    /// Attributes that go to the grid: lint levels and the like.
    pub(crate) grid_attrs: Vec<Attribute>,
    /// Attributes that go to the records: derives and what belongs to them.
    pub(crate) record_attrs: Vec<TokenStream>,
    pub(crate) vis: Visibility,
    pub(crate) ident: Ident,
    pub(crate) generics: Generics,
    pub(crate) fields: Vec<Field>,
}

pub(crate) struct Field {
    pub(crate) docs: Vec<Attribute>,
    /// Attributes for the field of the record.
    pub(crate) record_attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) ident: Ident,
    pub(crate) ty: Type,
    pub(crate) background: Option<TokenStream>,
    pub(crate) split: Option<Span>,
    pub(crate) bits: Option<Span>,
    pub(crate) double: Option<Span>,
    /// Whether it stands beside a `double` field, which declares it.
    pub(crate) twin_of_double: bool,
}

impl Field {
    /// Its name without `r#`.
    pub(crate) fn name(&self) -> String {
        self.ident.unraw().to_string()
    }

    /// The second buffer of a `double` field.
    pub(crate) fn twin(&self) -> Field {
        Field {
            docs: self.docs.clone(),
            record_attrs: Vec::new(),
            vis: self.vis.clone(),
            ident: Ident::new(&format!("{}_next", self.name()), self.ident.span()),
            ty: self.ty.clone(),
            background: self.background.clone(),
            split: self.split,
            bits: self.bits,
            double: None,
            twin_of_double: true,
        }
    }

    /// Its type, as one would write it.
    pub(crate) fn type_name(&self) -> String {
        type_text(&self.ty)
    }
}

pub(crate) fn type_text(ty: &Type) -> String {
    text(&ty.to_token_stream().into_iter().collect::<Vec<_>>())
}

/// Reads the struct, reports what no layout can have. `None` if it is no struct with named fields.
pub(crate) fn item(input: DeriveInput, errors: &mut Errors) -> Option<Declared> {
    let name = input.ident.to_string();
    let (what, at) = match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Unnamed(fields) => {
                tuple(&name, fields, errors);
                return None;
            }
            Fields::Named(_) | Fields::Unit => ("", Span::call_site()),
        },
        Data::Enum(data) => ("an enum", data.enum_token.span),
        Data::Union(data) => ("a union", data.union_token.span),
    };
    let Data::Struct(data) = input.data else {
        let more =
            if what == "an enum" { "; store an enum as an integer" } else { "; store a union as an array of bytes" };
        errors.add(Code::ItemKind, at, &[("what", what), ("name", &name), ("more", more)]);
        return None;
    };
    let mut declared = Declared {
        docs: Vec::new(),
        grid_attrs: Vec::new(),
        record_attrs: Vec::new(),
        vis: input.vis,
        ident: input.ident,
        generics: input.generics,
        fields: data.fields.into_iter().filter_map(|found| field(found, errors)).collect(),
    };
    item_attributes(input.attrs, &mut declared, errors);
    generics(&declared, errors);
    Some(declared)
}

fn tuple(name: &str, fields: &syn::FieldsUnnamed, errors: &mut Errors) {
    let typed = fields.unnamed.iter().zip(["density", "velocity", "third", "fourth"]);
    let mut named: Vec<String> = typed.map(|(field, name)| format!("{name}: {}", type_text(&field.ty))).collect();
    if fields.unnamed.len() > 4 {
        named.push("..".to_owned());
    }
    let span = fields.paren_token.span;
    let at = Range { start: span.open(), end: span.close() };
    errors.add(Code::StructTuple, at, &[("name", name), ("fields", &named.join(", "))]);
}

fn item_attributes(attrs: Vec<Attribute>, declared: &mut Declared, errors: &mut Errors) {
    let mut derives: Vec<Path> = Vec::new();
    for attr in attrs {
        let word = attr.path().segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default();
        match word.as_str() {
            "doc" => declared.docs.push(attr),
            "derive" => {
                // The records are `Clone`, `Copy` and `Debug` in any case.
                if let Ok(paths) = attr.parse_args_with(Punctuated::<Path, Token![,]>::parse_terminated) {
                    derives.extend(paths);
                }
            }
            "allow" | "warn" | "expect" | "deny" | "forbid" => {
                declared.record_attrs.push(attr.to_token_stream());
                declared.grid_attrs.push(attr);
            }
            "must_use" | "deprecated" | "cfg" | "cfg_attr" => declared.grid_attrs.push(attr),
            "sparse_layout" => {
                let why = "a struct is one grid, with one layout";
                let help = "declare a second struct for the second layout";
                errors.add(
                    Code::AttributeLost,
                    &attr.path().segments[0].ident,
                    &[("attribute", &word), ("why", why), ("help", help)],
                );
            }
            "repr" => {
                let why =
                    "a grid has no layout in memory that `repr` could set: its fields are stored as its levels say";
                let help = "remove it; `aos`, `aosoa` and `soa` on a level choose how fields are stored";
                errors.add(
                    Code::AttributeLost,
                    &attr.path().segments[0].ident,
                    &[("attribute", &word), ("why", why), ("help", help)],
                );
            }
            _ => declared.record_attrs.push(attr.to_token_stream()),
        }
    }
    let own = |path: &Path| {
        let word = path.segments.last().map(|segment| segment.ident.to_string());
        matches!(word.as_deref(), Some("Clone" | "Copy" | "Debug"))
    };
    derives.retain(|path| !own(path));
    if !derives.is_empty() {
        declared.record_attrs.insert(0, quote!(#[derive(#(#derives),*)]));
    }
}

fn generics(declared: &Declared, errors: &mut Errors) {
    for param in &declared.generics.params {
        match param {
            GenericParam::Lifetime(lifetime) => {
                let name = lifetime.lifetime.to_string();
                errors.add(Code::Lifetime, lifetime.lifetime.span(), &[("lifetime", &name)]);
            }
            GenericParam::Type(param) => {
                let used = declared.fields.iter().any(|field| mentions(field.ty.to_token_stream(), &param.ident));
                let is_trait = |bound: &TypeParamBound| matches!(bound, TypeParamBound::Trait(_));
                let inline = param.bounds.iter().any(is_trait);
                let predicates = declared.generics.where_clause.iter().flat_map(|clause| &clause.predicates);
                let bounded = inline
                    || predicates.into_iter().any(|predicate| match predicate {
                        WherePredicate::Type(bound) => {
                            param.ident == type_text(&bound.bounded_ty) && bound.bounds.iter().any(is_trait)
                        }
                        _ => false,
                    });
                // A bound of the user's own may imply `Element`: the compiler knows.
                if used && !bounded {
                    errors.add(Code::GenericElement, &param.ident, &[("param", &param.ident.to_string())]);
                }
            }
            GenericParam::Const(_) => {}
        }
    }
}

/// Whether an identifier stands anywhere in some tokens.
pub(crate) fn mentions(tokens: TokenStream, ident: &Ident) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(found) => found == *ident,
        TokenTree::Group(group) => mentions(group.stream(), ident),
        _ => false,
    })
}

fn field(found: syn::Field, errors: &mut Errors) -> Option<Field> {
    let ident = found.ident?;
    let mut field = Field {
        docs: Vec::new(),
        record_attrs: Vec::new(),
        vis: found.vis,
        ident,
        ty: found.ty,
        background: None,
        split: None,
        bits: None,
        double: None,
        twin_of_double: false,
    };
    for attr in found.attrs {
        let word = attr.path().get_ident().map(Ident::to_string).unwrap_or_default();
        match word.as_str() {
            "doc" => field.docs.push(attr),
            "cfg" => errors.add(Code::FieldCfg, &attr.path().segments[0].ident, &[]),
            "field" => options(&attr, &mut field, errors),
            _ => field.record_attrs.push(attr),
        }
    }
    Some(field)
}

/// `#[field(background = EXPR, split, bits, double)]`
fn options(attr: &Attribute, field: &mut Field, errors: &mut Errors) {
    let word = &attr.path().segments[0].ident;
    let Meta::List(list) = &attr.meta else {
        let values = [("option", "field"), ("suggestion", "#[field(background = 0.0)]")];
        errors.add(Code::FieldOptionSyntax, word, &values);
        return;
    };
    let parts = split_commas(list.tokens.clone(), false);
    if parts.is_empty() {
        let values = [("option", "field"), ("suggestion", "#[field(background = 0.0)]")];
        errors.add(Code::FieldOptionSyntax, word, &values);
    }
    for part in parts {
        option(part, word.span(), field, errors);
    }
}

fn option(part: Vec<TokenTree>, otherwise: Span, field: &mut Field, errors: &mut Errors) {
    let at = range(&part, otherwise);
    let found = text(&part);
    let mut cursor = Cursor::new(part.into_iter().collect(), otherwise);
    let Some(word) = cursor.ident() else {
        let values = [("option", found.as_str()), ("suggestion", "background = 0.0")];
        errors.add(Code::FieldOptionSyntax, at, &values);
        return;
    };
    let name = word.to_string();
    let rest = cursor.rest().to_vec();
    let twice = match name.as_str() {
        "background" => match rest.split_first() {
            Some((equals, value)) if is_punct(equals, '=') && is_complete(value) => {
                field.background.replace(value.iter().cloned().collect()).is_some()
            }
            _ => {
                errors.add(
                    Code::FieldOptionSyntax,
                    at,
                    &[("option", "background"), ("suggestion", "background = 0.0")],
                );
                return;
            }
        },
        "split" | "bits" | "double" => {
            if !rest.is_empty() {
                errors.add(Code::FieldOptionSyntax, at, &[("option", &name), ("suggestion", &name)]);
            }
            let place = match name.as_str() {
                "split" => &mut field.split,
                "bits" => &mut field.bits,
                _ => &mut field.double,
            };
            place.replace(word.span()).is_some()
        }
        _ => {
            let help = match words::nearest(&name, ["background", "split", "bits", "double"]) {
                Some(near) => format!("write `{near}`"),
                None if name == "default" => "write `background`: the value where nothing is active".to_owned(),
                None if words::FLAGS.contains(&name.as_str()) => {
                    format!("`{name}` is said at the level that holds the field")
                }
                None => "remove it".to_owned(),
            };
            errors.add(Code::FieldOption, &word, &[("option", &name), ("help", &help)]);
            return;
        }
    };
    if twice {
        errors.add(Code::FieldOptionTwice, &word, &[("option", &name), ("field", &field.name())]);
    }
}
