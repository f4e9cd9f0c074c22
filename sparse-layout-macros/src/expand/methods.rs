//! The inherent methods: a view per field, per named level, and all fields at once.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::ext::IdentExt;

use super::views::View;
use super::{Context, convert, count, docs, records};
use crate::model::Place;

pub(super) fn methods(context: &Context<'_>) -> TokenStream {
    let Context { model, rt, quiet, .. } = context;
    let (impls, types, clause) = model.item.generics.split_for_impl();
    let (ident, vis) = (context.ident(), &model.item.vis);
    let (fields, levels, records) = (fields(context), levels(context), records::methods(context));
    let conversions = convert::methods(context);
    let (lent, lent_mut) = (context.helper("Fields"), context.helper("FieldsMut"));
    let parameters = parameters(context);
    let names: Vec<_> = model.item.fields.iter().map(|field| &field.ident).collect();
    let indices: Vec<_> = (0..names.len()).map(count).collect();
    let views: Vec<_> = (0..names.len()).map(|field| View::of(model, field)).collect();
    let (reads, takes) = (views.iter().map(View::read), views.iter().map(View::take));
    let all = (!names.is_empty()).then(|| {
        quote! {
            #[doc = "Every field, to read."]
            #[inline]
            #vis fn fields(&self) -> #lent<'_, #parameters> {
                #lent { #(#names: #rt::#reads::new(&self.core, #indices)),* }
            }

            #[doc = "Every field, lent at the same time to write; the cells that are active stay the same."]
            #[inline]
            #vis fn fields_mut(&mut self) -> #lent_mut<'_, #parameters> {
                let mut splitter = #rt::Splitter::new(&mut self.core);
                #lent_mut { #(#names: splitter.#takes(#indices)),* }
            }
        }
    });
    quote! {
        #quiet
        impl #impls #ident #types #clause {
            #[doc = "The layout, to look at: sizes, strides and offsets."]
            #vis const LAYOUT: #rt::LayoutInfo<Self> = #rt::LayoutInfo::new();

            #[doc = "An empty grid.\n\n# Panics\nIf the system refuses to reserve memory; `builder()` gives an error then."]
            #[must_use]
            #vis fn new() -> Self {
                Self { core: #rt::Core::new() }
            }

            #[doc = "Builds a grid with bounds, capacities or background values of its own."]
            #[must_use]
            #vis fn builder() -> #rt::Builder<Self> {
                #rt::Builder::new()
            }

            #all
            #fields
            #levels
            #records
            #conversions
        }
    }
}

/// The struct's parameters as arguments, with a comma after each.
fn parameters(context: &Context<'_>) -> TokenStream {
    let names = context.model.item.generics.params.iter().map(|param| match param {
        syn::GenericParam::Type(param) => &param.ident,
        syn::GenericParam::Const(param) => &param.ident,
        syn::GenericParam::Lifetime(param) => &param.lifetime.ident,
    });
    quote!(#(#names,)*)
}

fn fields(context: &Context<'_>) -> TokenStream {
    let rt = &context.rt;
    let each = context.model.item.fields.iter().enumerate().map(|(index, field)| {
        let (vis, name, ty) = (&field.vis, &field.ident, View::element(rt, field));
        let write = format_ident!("{}_mut", name.unraw(), span = name.span());
        let at = context.at(context.model.places[index], &quote!(Self));
        let (read_docs, write_docs) = docs::field(field);
        let view = View::of(context.model, index);
        let (read, grid) = (view.read(), view.grid());
        let swap = context.model.twin(index).map(|twin| {
            let swap = format_ident!("swap_{}", name.unraw(), span = name.span());
            let docs = format!("Exchanges `{0}` and `{0}_next`, whatever they hold, at once.", name.unraw());
            let (index, twin) = (count(index), count(twin));
            quote! {
                #[doc = #docs]
                #[inline]
                #vis fn #swap(&mut self) {
                    self.core.swap_fields(#index, #twin);
                }
            }
        });
        let index = count(index);
        quote! {
            #swap

            #read_docs
            #[inline]
            #vis fn #name(&self) -> #rt::#read<'_, #at, #ty> {
                #rt::#read::new(&self.core, #index)
            }

            #write_docs
            #[inline]
            #vis fn #write(&mut self) -> #rt::#grid<'_, #at, #ty> {
                #rt::#grid::new(&mut self.core, #index)
            }
        }
    });
    each.collect()
}

fn levels(context: &Context<'_>) -> TokenStream {
    let (model, rt) = (context.model, &context.rt);
    let vis = &model.item.vis;
    let mut seen: Vec<String> = Vec::new();
    let each = (0..model.levels.len()).filter_map(|index| {
        let name = model.handle(index)?;
        // After an error there may be two of one name.
        let plain = name.unraw().to_string();
        if model.field(&plain).is_some() || seen.contains(&plain) {
            return None;
        }
        seen.push(plain.clone());
        let write = format_ident!("{}_mut", name.unraw(), span = name.span());
        let at = context.at(Place::Level(index), &quote!(Self));
        let kind = model.levels[index].kind.word();
        let read_docs = format!("The {kind} level `{plain}`: which of its cells are active.");
        let write_docs = format!("The {kind} level `{plain}`, to activate and deactivate its cells.");
        Some(quote! {
            #[doc = #read_docs]
            #[inline]
            #vis fn #name(&self) -> #rt::LevelView<'_, #at> {
                #rt::LevelView::new(&self.core)
            }

            #[doc = #write_docs]
            #[inline]
            #vis fn #write(&mut self) -> #rt::LevelMut<'_, #at> {
                #rt::LevelMut::new(&mut self.core)
            }
        })
    });
    each.collect()
}
