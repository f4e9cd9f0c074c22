//! Records: the values of one cell together, one type per level that holds fields.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use syn::ext::IdentExt;
use syn::{WhereClause, parse_quote};

use super::methods::Names;
use super::{Context, docs};
use crate::parse::Field;

/// The record of a level.
pub(super) struct Record<'a> {
    pub(super) level: usize,
    /// `SmokeCell`, `SmokeTileCell`
    pub(super) name: Ident,
    /// `cell`, `tile_cell`
    read: Ident,
    /// `set_cell`, `set_tile_cell`
    write: Ident,
    pub(super) fields: Vec<&'a Field>,
}

/// The records, but for those whose methods would take the name of a field or a level.
pub(super) fn list<'a>(context: &Context<'a>) -> Vec<Record<'a>> {
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
        indices.retain(|&field| !model.item.fields[field].twin_of_double);
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
    let showing = showing();
    let each = list(context).into_iter().map(|record| {
        let name = &record.name;
        let text = name.to_string();
        let title = match model.handle(record.level) {
            Some(level) => format!("The values of one cell of the level `{}` of `{grid}`.", level.unraw()),
            None => format!("The values of one cell of `{grid}`."),
        };
        let names: Vec<_> = record.fields.iter().map(|field| &field.ident).collect();
        let texts = record.fields.iter().map(|field| field.name());
        let copied = copied(context, &record);
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
            impl #impls ::core::clone::Clone for #name #types #copied {
                #[inline]
                fn clone(&self) -> Self {
                    *self
                }
            }

            #[automatically_derived]
            #quiet
            impl #impls ::core::marker::Copy for #name #types #copied {}

            #[automatically_derived]
            #quiet
            impl #impls ::core::fmt::Debug for #name #types #clause {
                fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                    #showing
                    f.debug_struct(#text)#(.field(#texts, Value(&self.#names).shown()))*.finish()
                }
            }
        }
    });
    each.collect()
}

/// The bounds of the struct, and that its types are `Copy`. All elements are; for a type that is none, the bound keeps
/// the compiler from saying so at the record too. (A bound with a lifetime is not judged where it is written.)
fn copied(context: &Context<'_>, record: &Record<'_>) -> WhereClause {
    let mut generics = context.model.item.generics.clone();
    let mut clause = generics.make_where_clause().clone();
    let mut seen: Vec<String> = Vec::new();
    for field in &record.fields {
        let (ty, text) = (&field.ty, field.type_name());
        if !seen.contains(&text) {
            clause.predicates.push(parse_quote!(for<'element> #ty: ::core::marker::Copy));
            seen.push(text);
        }
    }
    clause
}

/// Values that are not `Debug` are shown as `_`: the inherent method is chosen where its bound holds, else the trait's.
fn showing() -> TokenStream {
    quote! {
        struct Value<'a, T>(&'a T);
        impl<T: ::core::fmt::Debug> Value<'_, T> {
            fn shown(&self) -> &dyn ::core::fmt::Debug {
                self.0
            }
        }
        trait Hidden {
            fn shown(&self) -> &dyn ::core::fmt::Debug;
        }
        impl<T> Hidden for Value<'_, T> {
            fn shown(&self) -> &dyn ::core::fmt::Debug {
                &'_'
            }
        }
    }
}

/// The methods that read and write them.
pub(super) fn methods(context: &Context<'_>, taken: &mut Names) -> TokenStream {
    let (model, rt) = (context.model, &context.rt);
    let (impls, types, _) = model.item.generics.split_for_impl();
    let vis = &model.item.vis;
    let each = list(context).into_iter().map(|record| {
        let Record { name, read, write, .. } = &record;
        let point = context.point(record.level);
        taken.add(read);
        taken.add(write);
        let each = for_each(context, &record, taken);
        // After an error these methods may not be what they seem.
        let (get, set) = if context.stub {
            (quote!(loop {}), TokenStream::new())
        } else {
            (quote!(#rt::cell(&self.core, p)), quote!(#rt::set_cell(&mut self.core, p, cell);))
        };
        quote! {
            #each

            #[doc = "The values of one cell, or none if it is not active."]
            #[inline]
            #vis fn #read(&self, p: impl #rt::Coord<#point>) -> ::core::option::Option<#name #types> {
                #get
            }

            #[doc = "Writes the values of one cell, which becomes active.\n\n# Panics\nIf the cell is out of bounds."]
            #[inline]
            #vis fn #write(&mut self, p: impl #rt::Coord<#point>, cell: #name #types) {
                #set
            }
        }
    });
    let methods: TokenStream = each.collect();
    if methods.is_empty() {
        return methods;
    }
    let (ident, quiet, clause) = (context.ident(), &context.quiet, plain(context));
    quote! {
        #quiet
        impl #impls #ident #types #clause {
            #methods
        }
    }
}

/// The bounds of the struct, and that the types are elements that are not known to be. For a type that is none, the
/// compiler says so at the declaration of the field; in methods with this bound it does not say it again.
pub(super) fn plain(context: &Context<'_>) -> Option<WhereClause> {
    let (rt, mut generics) = (&context.rt, context.model.item.generics.clone());
    for field in context.model.item.fields.iter().filter(|field| field.bits.is_none() && !context.stub) {
        if docs::size_of(&field.type_name()).is_none() {
            let ty = &field.ty;
            generics.make_where_clause().predicates.push(parse_quote!(for<'element> #ty: #rt::Element));
        }
    }
    generics.where_clause
}

/// Most fields of a record for a loop over it: eight tuples of eight.
const MOST: usize = 64;

/// The loop over records: every field of the level is lent, copied into the record, and written back.
fn for_each(context: &Context<'_>, record: &Record<'_>, taken: &mut Names) -> TokenStream {
    let (rt, model) = (&context.rt, context.model);
    if record.fields.len() > MOST || context.stub {
        return TokenStream::new();
    }
    let (_, types, _) = model.item.generics.split_for_impl();
    let (vis, name, point) = (&model.item.vis, &record.name, context.point(record.level));
    let method = format_ident!("par_for_each_{}", record.read);
    if !taken.add(&method) {
        return TokenStream::new();
    }
    let names: Vec<_> = record.fields.iter().map(|field| &field.ident).collect();
    let values: Vec<_> = (0..names.len()).map(|at| format_ident!("value_{at}")).collect();
    let patterns: Vec<_> = record
        .fields
        .iter()
        .zip(&values)
        .map(
            |(field, value)| {
                if field.bits.is_some() || field.split.is_some() { quote!(mut #value) } else { quote!(#value) }
            },
        )
        .collect();
    let body = quote! {
        let mut cell = #name { #(#names: *#values),* };
        f(p, &mut cell);
        #(*#values = cell.#names;)*
    };
    let call = if let [field] = names[..] {
        let value = &values[0];
        quote!(lent.#field.par_for_each(|p, #value| { #body });)
    } else {
        let nest = |parts: Vec<TokenStream>| -> TokenStream {
            if parts.len() <= 8 {
                return quote!((#(#parts),*));
            }
            let groups = parts.chunks(8).map(|group| match group {
                [one] => quote!(#one),
                _ => quote!((#(#group),*)),
            });
            quote!((#(#groups),*))
        };
        let lanes = nest(names.iter().map(|field| quote!(&mut lent.#field)).collect());
        let patterns = nest(patterns);
        quote!(#rt::Zip::par_for_each(#lanes, |p, #patterns| { #body });)
    };
    quote! {
        #[doc = "Calls `f` with the values of each active cell, in parallel, and writes back what it leaves."]
        #vis fn #method(&mut self, f: impl ::core::ops::Fn(#point, &mut #name #types) + ::core::marker::Send + ::core::marker::Sync) {
            let mut lent = self.fields_mut();
            #call
        }
    }
}
