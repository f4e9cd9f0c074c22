//! The structs that lend every field at once: `SmokeFields` and `SmokeFieldsMut`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::ext::IdentExt;

use super::{Context, docs};
use crate::model::Model;
use crate::parse::Field;

/// Which of the runtime's views a field has.
pub(super) enum View {
    /// A value per cell.
    Cells,
    /// A list per cell.
    Lists,
    /// A value per cell, that does not stand in memory as such.
    Packed,
}

impl View {
    pub(super) fn of(model: &Model, field: usize) -> Self {
        if model.is_list(field) { Self::Lists } else { Self::of_cells(&model.item.fields[field]) }
    }

    /// For a field of a level whose cells hold one value each.
    pub(super) fn of_cells(declared: &Field) -> Self {
        if declared.bits.is_some() || declared.split.is_some() { Self::Packed } else { Self::Cells }
    }

    /// What a view of the field is typed by, beside its level.
    pub(super) fn element(rt: &TokenStream, field: &Field) -> TokenStream {
        let ty = &field.ty;
        match (&field.bits, &field.split) {
            (Some(_), _) => quote!(#rt::Bits),
            (_, Some(_)) => quote!(#rt::Split<#ty>),
            _ => quote!(#ty),
        }
    }

    fn pick(&self, cells: &str, lists: &str, packed: &str) -> Ident {
        let name = match self {
            Self::Cells => cells,
            Self::Lists => lists,
            Self::Packed => packed,
        };
        Ident::new(name, Span::call_site())
    }

    /// To read.
    pub(super) fn read(&self) -> Ident {
        self.pick("Field", "Lists", "PackedField")
    }

    /// To write, beside the other fields.
    pub(super) fn write(&self) -> Ident {
        self.pick("FieldMut", "ListsMut", "PackedFieldMut")
    }

    /// To write, with the whole grid.
    pub(super) fn grid(&self) -> Ident {
        self.pick("GridFieldMut", "GridListsMut", "GridPackedFieldMut")
    }

    /// To write from many threads.
    pub(super) fn shared(&self) -> Ident {
        self.pick("Shared", "SharedLists", "SharedPacked")
    }

    /// The splitter's method.
    pub(super) fn take(&self) -> &'static str {
        match self {
            Self::Cells => "take",
            Self::Lists => "take_lists",
            Self::Packed => "take_packed",
        }
    }
}

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
    let viss = fields.iter().map(|field| &field.vis).collect::<Vec<_>>();
    let docs: Vec<_> = fields.iter().map(docs::plain).collect();
    let ats: Vec<_> = model.places.iter().map(|&place| context.at(place, &grid)).collect();
    let types_of: Vec<_> = fields.iter().map(|field| View::element(rt, field)).collect();
    // What is shown is what the fields are: their values can be many.
    let typed: Vec<String> = fields.iter().map(|field| format!("{}: {}", field.name(), field.type_name())).collect();
    let typed = typed.join(", ");
    let (lent_text, lent_mut_text) = (format!("{lent} {{ {typed} }}"), format!("{lent_mut} {{ {typed} }}"));
    let kinds: Vec<_> = (0..fields.len()).map(|field| View::of(model, field)).collect();
    let (reads, writes) = (kinds.iter().map(View::read), kinds.iter().map(View::write));
    quote! {
        #[doc = #lent_docs]
        #quiet
        #vis struct #lent #generics #clause {
            #(#docs #viss #names: #rt::#reads<'a, #ats, #types_of>,)*
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
                f.write_str(#lent_text)
            }
        }

        #[doc = #lent_mut_docs]
        #quiet
        #vis struct #lent_mut #generics #clause {
            #(#docs #viss #names: #rt::#writes<'a, #ats, #types_of>,)*
        }

        #[automatically_derived]
        impl #impls ::core::fmt::Debug for #lent_mut #types #clause {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.write_str(#lent_mut_text)
            }
        }
    }
}
