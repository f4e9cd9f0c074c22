//! The handle that lends the grid to many threads: `SmokeConcurrent`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt;

use super::methods::{Names, call, parameters};
use super::views::View;
use super::{Context, docs};
use crate::model::Place;

/// The grid's method.
pub(super) fn method(context: &Context<'_>) -> TokenStream {
    let (rt, vis, handle) = (&context.rt, &context.model.item.vis, context.helper("Concurrent"));
    let parameters = parameters(context);
    quote! {
        #[doc = "Lends the grid to many threads, which write and activate at once, as long as the handle lives."]
        #[inline]
        #vis fn concurrent(&mut self) -> #handle<'_, #parameters> {
            #handle { shared: #rt::Concurrent::new(&mut self.core) }
        }
    }
}

pub(super) fn handle(context: &Context<'_>) -> TokenStream {
    let Context { model, rt, quiet, .. } = context;
    let vis = &model.item.vis;
    let (grid, generics) = (context.grid_type(), context.lent_generics());
    let (impls, types, clause) = generics.split_for_impl();
    let handle = context.helper("Concurrent");
    let docs = format!("`{}`, lent to many threads: `Copy`, and all methods take `&self`.", context.ident().unraw());
    let mut taken = Names::new();
    let (fields, levels) = (fields(context, &mut taken), levels(context, &mut taken));
    quote! {
        #[doc = #docs]
        #quiet
        #vis struct #handle #generics #clause {
            shared: #rt::Concurrent<'a, #grid>,
        }

        #quiet
        impl #impls #handle #types #clause {
            #fields
            #levels
        }

        #[automatically_derived]
        #quiet
        impl #impls ::core::clone::Clone for #handle #types #clause {
            #[inline]
            fn clone(&self) -> Self {
                *self
            }
        }

        #[automatically_derived]
        impl #impls ::core::marker::Copy for #handle #types #clause {}

        #[automatically_derived]
        impl #impls ::core::fmt::Debug for #handle #types #clause {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::fmt::Debug::fmt(&self.shared, f)
            }
        }
    }
}

fn fields(context: &Context<'_>, names: &mut Names) -> TokenStream {
    let (model, rt, grid) = (context.model, &context.rt, context.grid_type());
    let each = model.item.fields.iter().enumerate().filter_map(|(index, field)| {
        let (vis, name, ty) = (&field.vis, &field.ident, View::element(rt, field));
        let (at, view) = (context.at(model.places[index], &grid), View::of(model, index).shared());
        let (docs, make) = (docs::shared(field), call(context, index, &view, "new", &quote!(self.shared)));
        names.add(name).then(|| {
            quote! {
                #docs
                #[inline]
                #vis fn #name(&self) -> #rt::#view<'a, #at, #ty> {
                    #make
                }
            }
        })
    });
    each.collect()
}

fn levels(context: &Context<'_>, names: &mut Names) -> TokenStream {
    let (model, rt, grid) = (context.model, &context.rt, context.grid_type());
    let vis = &model.item.vis;
    let each = (0..model.levels.len()).filter_map(|index| {
        let name = model.handle(index)?;
        let at = context.at(Place::Level(index), &grid);
        let docs = format!("The {} level `{}`, to activate its cells.", model.levels[index].kind.word(), name.unraw());
        names.add(&name).then(|| {
            quote! {
                #[doc = #docs]
                #[inline]
                #vis fn #name(&self) -> #rt::SharedLevel<'a, #at> {
                    #rt::SharedLevel::new(self.shared)
                }
            }
        })
    });
    each.collect()
}
