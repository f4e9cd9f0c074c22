//! What is emitted beside the errors of a declaration that fails, so that the rest of the crate resolves.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{Attribute, DeriveInput, Fields, GenericParam, parse_quote};

use crate::ast::{self, Arg, Item};
use crate::expand;
use crate::model::Model;
use crate::parse::Declared;

/// The number of axes that the levels of an attribute without readable axes seem to have.
pub(crate) fn dimension(read: &ast::Attribute) -> usize {
    let mut named: Vec<String> = Vec::new();
    let mut most = 0;
    fn walk(items: &[Item], named: &mut Vec<String>, most: &mut usize) {
        for item in items {
            let Item::Level(level) = item else { continue };
            *most = (*most).max(level.args.len());
            for arg in &level.args {
                if let Arg::Axis(axis, _) = arg
                    && !named.contains(&axis.to_string())
                {
                    named.push(axis.to_string());
                }
            }
            walk(&level.items, named, most);
        }
    }
    walk(&read.roots, &mut named, &mut most);
    match (named.len(), most) {
        (0, 0 | 1) => 3,
        (0, most) => most.min(8),
        (named, _) => named.min(8),
    }
}

/// Stubs with the right signatures.
pub(crate) fn stubs(mut model: Model, dimension: usize) -> TokenStream {
    model.repair(dimension);
    let krate = model.options.krate.clone().unwrap_or_else(|| quote!(::sparse_layout));
    plain(&mut model.item, &krate);
    expand::expand(&model, true)
}

/// Makes every type one that a grid can hold, where an error says that it is none.
fn plain(item: &mut Declared, krate: &TokenStream) {
    let params = std::mem::take(&mut item.generics.params);
    item.generics.params = params.into_iter().filter(|param| !matches!(param, GenericParam::Lifetime(_))).collect();
    for param in &mut item.generics.params {
        if let GenericParam::Type(param) = param {
            param.bounds.push(parse_quote!(#krate::__rt::Element));
        }
    }
    for field in &mut item.fields {
        if borrows(field.ty.to_token_stream()) {
            field.ty = parse_quote!(::core::primitive::u8);
        }
        let is_bool = field.type_name() == "bool";
        field.bits = is_bool.then(Span::call_site);
        field.split = field.split.filter(|_| !is_bool && field.type_name().starts_with('['));
    }
}

/// Whether a lifetime or a reference stands in a type.
fn borrows(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Punct(sign) => matches!(sign.as_char(), '&' | '\''),
        TokenTree::Group(group) => borrows(group.stream()),
        _ => false,
    })
}

/// The item as it was, without the attributes that only the layout understands.
pub(crate) fn item(mut input: DeriveInput) -> TokenStream {
    let strip = |fields: &mut Fields| {
        for field in fields.iter_mut() {
            field.attrs.retain(|attr| !attr.path().is_ident("field"));
        }
    };
    let keep = |attr: &Attribute| attr.path().is_ident("doc") || attr.path().is_ident("derive");
    match &mut input.data {
        syn::Data::Struct(data) => strip(&mut data.fields),
        syn::Data::Enum(data) => data.variants.iter_mut().for_each(|variant| strip(&mut variant.fields)),
        syn::Data::Union(data) => {
            data.fields.named.iter_mut().for_each(|field| field.attrs.retain(|attr| !attr.path().is_ident("field")))
        }
    }
    input.attrs.retain(keep);
    let item = input.to_token_stream();
    quote!(#[allow(dead_code, missing_docs)] #item)
}
