//! The struct itself.

use proc_macro2::TokenStream;
use quote::quote;

use super::{Context, docs};

pub(super) fn grid(context: &Context<'_>) -> TokenStream {
    let Context { model, rt, .. } = context;
    let item = &model.item;
    let (docs, attrs, vis, ident) = (&item.docs, &item.grid_attrs, &item.vis, &item.ident);
    let (generics, clause) = (&item.generics, &item.generics.where_clause);
    let (grid, table) = (context.grid_type(), docs::table(model));
    let intro = docs.is_empty().then(|| {
        let text = format!("The grid `{ident}`.");
        quote!(#[doc = #text])
    });
    quote! {
        #(#docs)*
        #intro
        #[doc = #table]
        #(#attrs)*
        #vis struct #ident #generics #clause {
            core: #rt::Core<#grid>,
        }
    }
}
