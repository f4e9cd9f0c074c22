//! What building in bulk needs: records as lists of field numbers, the innermost level, and `FromIterator` and `Extend`.

use proc_macro2::TokenStream;
use quote::quote;

use super::records::{self, Record};
use super::views::View;
use super::{Context, count};
use crate::model::Place;

pub(super) fn bulk(context: &Context<'_>) -> TokenStream {
    let records = records::list(context);
    let mut tokens: TokenStream = records.iter().map(|each| record(context, each)).collect();
    tokens.extend(innermost(context));
    tokens
}

/// `Record` for a record, and the grid made from a list of its cells.
fn record(context: &Context<'_>, record: &Record<'_>) -> TokenStream {
    let Context { model, rt, quiet, .. } = context;
    let (impls, types, _) = model.item.generics.split_for_impl();
    let clause = records::plain(context);
    let (grid, name) = (context.grid_type(), &record.name);
    let at = context.at(Place::Level(record.level), &grid);
    let point = context.point(record.level);
    let names: Vec<_> = record.fields.iter().map(|field| &field.ident).collect();
    let indices: Vec<_> = names
        .iter()
        .filter_map(|name| model.item.fields.iter().position(|field| field.ident == **name))
        .map(count)
        .collect();
    let each = || record.fields.iter().zip(&indices);
    let puts = each().map(|(field, index)| {
        let (name, element) = (&field.ident, View::element(rt, field));
        match View::of_cells(field) {
            View::Packed => quote!(#rt::CellSink::set_packed::<#element>(to, #index, self.#name);),
            _ => quote!(#rt::CellSink::set(to, #index, self.#name);),
        }
    });
    let gets = each().map(|(field, index)| {
        let element = View::element(rt, field);
        match View::of_cells(field) {
            View::Packed => quote!(#rt::CellSource::packed::<#element>(from, #index)),
            _ => quote!(#rt::CellSource::value(from, #index)),
        }
    });
    quote! {
        #[automatically_derived]
        #quiet
        impl #impls #rt::Record for #name #types #clause {
            type Level = #at;
            #[inline]
            fn put(&self, to: &mut impl #rt::CellSink) {
                #(#puts)*
            }
            #[inline]
            fn get(from: &impl #rt::CellSource) -> Self {
                Self { #(#names: #gets),* }
            }
        }

        #[automatically_derived]
        #quiet
        impl #impls ::core::iter::FromIterator<(#point, #name #types)> for #grid #clause {
            /// The grid of these cells; of a cell that comes twice, the last.
            ///
            /// # Panics
            /// If a cell is out of bounds.
            fn from_iter<I: ::core::iter::IntoIterator<Item = (#point, #name #types)>>(cells: I) -> Self {
                #rt::from_cells_or_panic(cells)
            }
        }

        #[automatically_derived]
        #quiet
        impl #impls ::core::iter::Extend<(#point, #name #types)> for #grid #clause {
            /// Writes these cells; of a cell that comes twice, the last.
            ///
            /// # Panics
            /// If a cell is out of bounds.
            fn extend<I: ::core::iter::IntoIterator<Item = (#point, #name #types)>>(&mut self, cells: I) {
                #rt::extend_cells_or_panic(self, cells);
            }
        }
    }
}

/// `Bulk`, if the tree has one innermost level that can be spoken of.
fn innermost(context: &Context<'_>) -> Option<TokenStream> {
    let Context { model, rt, .. } = context;
    let mut leaves = (0..model.levels.len()).filter(|&level| model.levels[level].children.is_empty());
    let (level, None) = (leaves.next()?, leaves.next()) else { return None };
    let spoken_of = !model.levels[level].fields.is_empty() || model.handle(level).is_some();
    if !spoken_of || model.levels[level].kind == crate::ast::Kind::Dynamic {
        return None;
    }
    let (impls, _, clause) = model.item.generics.split_for_impl();
    let grid = context.grid_type();
    let at = context.at(Place::Level(level), &grid);
    Some(quote! {
        #[automatically_derived]
        impl #impls #rt::Bulk for #grid #clause {
            type Innermost = #at;
        }
    })
}
