//! Records: the values of one cell together, one type per level that holds fields.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use syn::ext::IdentExt;

use super::{Context, docs};
use crate::parse::Field;

/// The record of a level.
struct Record<'a> {
    level: usize,
    /// `SmokeCell`, `SmokeTileCell`
    name: Ident,
    /// `cell`, `tile_cell`
    read: Ident,
    /// `set_cell`, `set_tile_cell`
    write: Ident,
    fields: Vec<&'a Field>,
}

/// The records, but for those whose methods would take the name of a field or a level.
fn list<'a>(context: &Context<'a>) -> Vec<Record<'a>> {
    let model = context.model;
    let holders = model.holders();
    let mut records = Vec::new();
    for &level in &holders {
        let prefix = match model.handle(level) {
            _ if holders.len() == 1 => String::new(),
            Some(name) => format!("{}_", name.unraw()),
            None => continue,
        };
        let read = Ident::new(&format!("{prefix}cell"), Span::call_site());
        let write = Ident::new(&format!("set_{prefix}cell"), Span::call_site());
        let taken = |method: &Ident| {
            let method = method.to_string();
            let levels = (0..model.levels.len()).filter_map(|level| model.handle(level));
            let names = model.item.fields.iter().map(Field::name).chain(levels.map(|name| name.unraw().to_string()));
            names.into_iter().any(|name| name == method || format!("{name}_mut") == method)
        };
        if taken(&read) || taken(&write) {
            continue;
        }
        let mut indices = model.levels[level].fields.clone();
        indices.sort_unstable();
        let fields = indices.into_iter().map(|field| &model.item.fields[field]).collect();
        records.push(Record { level, name: context.helper(&format!("{}Cell", camel(&prefix))), read, write, fields });
    }
    records
}

/// `fine_tile` as `FineTile`.
fn camel(name: &str) -> String {
    let words = name.split('_').filter(|word| !word.is_empty());
    words
        .flat_map(|word| word.chars().enumerate().map(|(at, c)| if at == 0 { c.to_ascii_uppercase() } else { c }))
        .collect()
}

/// The types.
pub(super) fn records(context: &Context<'_>) -> TokenStream {
    let Context { model, quiet, .. } = context;
    let vis = &model.item.vis;
    let (generics, derives) = (&model.item.generics, &model.item.record_attrs);
    let (impls, types, clause) = generics.split_for_impl();
    let grid = context.ident().unraw().to_string();
    let each = list(context).into_iter().map(|record| {
        let name = &record.name;
        let text = name.to_string();
        let title = match model.handle(record.level) {
            Some(level) => format!("The values of one cell of the level `{}` of `{grid}`.", level.unraw()),
            None => format!("The values of one cell of `{grid}`."),
        };
        let names: Vec<_> = record.fields.iter().map(|field| &field.ident).collect();
        let texts = record.fields.iter().map(|field| field.name());
        let fields = record.fields.iter().map(|field| {
            let (docs, attrs, vis, name, ty) =
                (docs::plain(field), &field.record_attrs, &field.vis, &field.ident, &field.ty);
            quote!(#docs #(#attrs)* #vis #name: #ty,)
        });
        quote! {
            #[doc = #title]
            #(#derives)*
            #quiet
            #vis struct #name #generics #clause {
                #(#fields)*
            }

            #[automatically_derived]
            #quiet
            impl #impls ::core::clone::Clone for #name #types #clause {
                #[inline]
                fn clone(&self) -> Self {
                    *self
                }
            }

            #[automatically_derived]
            impl #impls ::core::marker::Copy for #name #types #clause {}

            #[automatically_derived]
            impl #impls ::core::fmt::Debug for #name #types #clause {
                fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                    f.debug_struct(#text)#(.field(#texts, &self.#names))*.finish()
                }
            }
        }
    });
    each.collect()
}

/// The methods that read and write them.
pub(super) fn methods(context: &Context<'_>) -> TokenStream {
    let (model, rt) = (context.model, &context.rt);
    let (_, types, _) = model.item.generics.split_for_impl();
    let vis = &model.item.vis;
    let each = list(context).into_iter().map(|record| {
        let Record { name, read, write, .. } = &record;
        let point = context.point(record.level);
        let names: Vec<_> = record.fields.iter().map(|field| &field.ident).collect();
        let writers = record.fields.iter().map(|field| format_ident!("{}_mut", field.ident.unraw()));
        quote! {
            #[doc = "The values of one cell, or none if it is not active."]
            #[inline]
            #vis fn #read(&self, p: impl #rt::Coord<#point>) -> ::core::option::Option<#name #types> {
                let p = #rt::Coord::point(p);
                ::core::option::Option::Some(#name { #(#names: self.#names().get(p)?),* })
            }

            #[doc = "Writes the values of one cell, which becomes active.\n\n# Panics\nIf the cell is out of bounds."]
            #[inline]
            #vis fn #write(&mut self, p: impl #rt::Coord<#point>, cell: #name #types) {
                let p = #rt::Coord::point(p);
                #(self.#writers().set(p, cell.#names);)*
            }
        }
    });
    each.collect()
}
