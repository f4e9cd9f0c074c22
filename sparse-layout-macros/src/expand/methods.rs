//! The inherent methods: a view per field, per named level, and all fields at once.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;

use super::views::View;
use super::{Context, concurrent, convert, count, docs, moved, records};
use crate::check;
use crate::model::Place;

pub(super) fn methods(context: &Context<'_>) -> TokenStream {
    let Context { model, rt, quiet, .. } = context;
    let (impls, types, clause) = model.item.generics.split_for_impl();
    let (ident, vis) = (context.ident(), &model.item.vis);
    let mut taken = Names::new();
    let (fields, levels) = (fields(context, &mut taken), levels(context, &mut taken));
    let records = records::methods(context, &mut taken);
    let conversions = convert::methods(context, &mut taken);
    let (lent, lent_mut) = (context.helper("Fields"), context.helper("FieldsMut"));
    let (parameters, concurrent) = (parameters(context), concurrent::method(context));
    let names: Vec<_> = model.item.fields.iter().map(|field| &field.ident).collect();
    let views: Vec<_> = (0..names.len()).map(|field| View::of(model, field)).collect();
    let read = (0..names.len()).map(|field| call(context, field, &views[field].read(), "new", &quote!(&self.core)));
    let splitter = format_ident!("Splitter");
    let take =
        (0..names.len()).map(|field| call(context, field, &splitter, views[field].take(), &quote!(&mut splitter)));
    let all = (!names.is_empty()).then(|| {
        quote! {
            #[doc = "Every field, to read."]
            #[inline]
            #vis fn fields(&self) -> #lent<'_, #parameters> {
                #lent { #(#names: #read),* }
            }

            #[doc = "Every field, lent at the same time to write; the cells that are active stay the same."]
            #[inline]
            #vis fn fields_mut(&mut self) -> #lent_mut<'_, #parameters> {
                let mut splitter = #rt::Splitter::new(&mut self.core);
                #lent_mut { #(#names: #take),* }
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
            #concurrent
            #fields
            #levels
            #conversions
        }
        #records
    }
}

/// The struct's parameters as arguments, with a comma after each.
pub(super) fn parameters(context: &Context<'_>) -> TokenStream {
    let names = context.model.item.generics.params.iter().map(|param| match param {
        syn::GenericParam::Type(param) => &param.ident,
        syn::GenericParam::Const(param) => &param.ident,
        syn::GenericParam::Lifetime(param) => &param.lifetime.ident,
    });
    quote!(#(#names,)*)
}

/// The methods so far: of two with one name (after an error, or one of them is made up) the second is left out.
pub(super) struct Names(Vec<String>);

impl Names {
    pub(super) fn new() -> Names {
        Names(check::RESERVED.iter().map(|(name, _)| (*name).to_owned()).collect())
    }

    /// Whether a method can have that name.
    pub(super) fn add(&mut self, name: &Ident) -> bool {
        let name = name.unraw().to_string();
        let free = !self.0.contains(&name);
        self.0.push(name);
        free
    }
}

/// `VIEW::method(from, index)` for a field. What the runtime asks of its type is said at the tokens of the type.
pub(super) fn call(context: &Context<'_>, field: usize, view: &Ident, method: &str, from: &TokenStream) -> TokenStream {
    let place = context.model.item.fields[field].ty.span().resolved_at(Span::call_site());
    let (view, method) = (Ident::new(&view.to_string(), place), Ident::new(method, place));
    let (rt, index, from) = (context.rt_at(place), count(field), moved(from.clone(), place));
    quote_spanned!(place=> #rt::#view::#method(#from, #index))
}

fn fields(context: &Context<'_>, names: &mut Names) -> TokenStream {
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
            names.add(&swap).then(|| {
                quote! {
                    #[doc = #docs]
                    #[inline]
                    #vis fn #swap(&mut self) {
                        self.core.swap_fields(#index, #twin);
                    }
                }
            })
        });
        let make = call(context, index, &read, "new", &quote!(&self.core));
        let make_mut = call(context, index, &grid, "new", &quote!(&mut self.core));
        let read = names.add(name).then(|| {
            quote! {
                #read_docs
                #[inline]
                #vis fn #name(&self) -> #rt::#read<'_, #at, #ty> {
                    #make
                }
            }
        });
        let write = names.add(&write).then(|| {
            quote! {
                #write_docs
                #[inline]
                #vis fn #write(&mut self) -> #rt::#grid<'_, #at, #ty> {
                    #make_mut
                }
            }
        });
        quote!(#read #write #swap)
    });
    each.collect()
}

fn levels(context: &Context<'_>, names: &mut Names) -> TokenStream {
    let (model, rt) = (context.model, &context.rt);
    let vis = &model.item.vis;
    let each = (0..model.levels.len()).filter_map(|index| {
        let name = model.handle(index)?;
        let plain = name.unraw().to_string();
        let write = format_ident!("{}_mut", name.unraw(), span = name.span());
        let at = context.at(Place::Level(index), &quote!(Self));
        let kind = model.levels[index].kind.word();
        let read_docs = format!("The {kind} level `{plain}`: which of its cells are active.");
        let write_docs = format!("The {kind} level `{plain}`, to activate and deactivate its cells.");
        let read = names.add(&name).then(|| {
            quote! {
                #[doc = #read_docs]
                #[inline]
                #vis fn #name(&self) -> #rt::LevelView<'_, #at> {
                    #rt::LevelView::new(&self.core)
                }
            }
        });
        let write = names.add(&write).then(|| {
            quote! {
                #[doc = #write_docs]
                #[inline]
                #vis fn #write(&mut self) -> #rt::LevelMut<'_, #at> {
                    #rt::LevelMut::new(&mut self.core)
                }
            }
        });
        Some(quote!(#read #write))
    });
    each.collect()
}
