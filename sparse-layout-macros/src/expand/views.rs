//! The structs that lend every field at once: `SmokeFields` and `SmokeFieldsMut`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt;

use super::{Context, docs};

pub(super) fn views(context: &Context<'_>) -> TokenStream {
    let Context { model, rt, quiet, .. } = context;
    if model.item.fields.is_empty() {
        return TokenStream::new();
    }
    let vis = &model.item.vis;
    let (grid, generics) = (context.grid_type(), context.lent_generics());
    let (impls, types, clause) = generics.split_for_impl();
    let (lent, lent_mut) = (context.helper("Fields"), context.helper("FieldsMut"));
    let name = context.ident().unraw().to_string();
    let (lent_docs, lent_mut_docs) = (
        format!("Every field of `{name}`, to read."),
        format!("Every field of `{name}`, lent at the same time to write."),
    );
    let fields = &model.item.fields;
    let names: Vec<_> = fields.iter().map(|field| &field.ident).collect();
    let texts: Vec<_> = fields.iter().map(|field| field.name()).collect();
    let viss = fields.iter().map(|field| &field.vis).collect::<Vec<_>>();
    let docs: Vec<_> = fields.iter().map(docs::plain).collect();
    let ats: Vec<_> = model.places.iter().map(|&place| context.at(place, &grid)).collect();
    let types_of: Vec<_> = fields.iter().map(|field| &field.ty).collect();
    let (lent_text, lent_mut_text) = (lent.to_string(), lent_mut.to_string());
    quote! {
        #[doc = #lent_docs]
        #quiet
        #vis struct #lent #generics #clause {
            #(#docs #viss #names: #rt::Field<'a, #ats, #types_of>,)*
        }

        #[automatically_derived]
        #quiet
        impl #impls ::core::clone::Clone for #lent #types #clause {
            #[inline]
            fn clone(&self) -> Self {
                *self
            }
        }

        #[automatically_derived]
        impl #impls ::core::marker::Copy for #lent #types #clause {}

        #[automatically_derived]
        impl #impls ::core::fmt::Debug for #lent #types #clause {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.debug_struct(#lent_text)#(.field(#texts, &self.#names))*.finish()
            }
        }

        #[doc = #lent_mut_docs]
        #quiet
        #vis struct #lent_mut #generics #clause {
            #(#docs #viss #names: #rt::FieldMut<'a, #ats, #types_of>,)*
        }

        #[automatically_derived]
        impl #impls ::core::fmt::Debug for #lent_mut #types #clause {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.debug_struct(#lent_mut_text)#(.field(#texts, &self.#names))*.finish()
            }
        }
    }
}
