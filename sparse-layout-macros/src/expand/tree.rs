//! The declaration as constant data, and the types that its levels stand for.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;

use super::{Context, count};
use crate::ast::{Bounds, Kind, Number, PowerOfTwo, Storage, Value};
use crate::model::{Level, Place, Size};
use crate::{check, parse};

/// `impl Layout`
pub(super) fn layout(context: &Context<'_>) -> TokenStream {
    let Context { model, rt, quiet, .. } = context;
    let (impls, types, clause) = model.item.generics.split_for_impl();
    let ident = context.ident();
    let name = ident.unraw().to_string();
    let padded = model.options.padded;
    let axes = model.axes.iter().map(|axis| {
        let name = axis.name.unraw().to_string();
        let bounds = match &axis.bounds {
            _ if context.stub => quote!(Sizes),
            Bounds::Sizes => quote!(Sizes),
            Bounds::RunTime => quote!(RunTime),
            Bounds::Fixed(low, high) => {
                let (low, high) = (number(low), number(high));
                quote!(Fixed(#low, #high))
            }
        };
        quote!(#rt::Axis { name: #name, bounds: #rt::Bounds::#bounds })
    });
    let levels = (0..model.levels.len()).map(|index| level(context, index));
    let fields = (0..model.item.fields.len()).map(|index| field(context, index));
    let kinds = 1 + model.levels.iter().filter(|level| level.kind.is_indirect()).count();
    let parts = count(kinds + 2 * model.levels.len() + model.item.fields.len());
    let kinds = count(kinds);
    let (hasher, mut asserted) = (hasher(context), positive(context));
    asserted.extend(denied(context));
    let constants = constants(context);
    quote! {
        #[automatically_derived]
        #quiet
        impl #impls #rt::Layout for #ident #types #clause {
            const TREE: #rt::Tree = {
                #asserted
                #rt::Tree {
                    name: #name,
                    axes: &[#(#axes),*],
                    levels: &[#(#levels),*],
                    fields: &[#(#fields),*],
                    padded: #padded,
                }
            };
            #constants
            type Parts = [#rt::Part; #parts];
            type Pools = [#rt::Pool; #kinds];
            #hasher
        }
    }
}

/// A number as an `i128` of the constant. `| 0` makes a float or a `bool` a type error at the user's token.
fn number(number: &Number) -> TokenStream {
    match &number.value {
        Value::Literal(value) => {
            let mut literal = Literal::i128_unsuffixed(*value);
            literal.set_span(number.at.start);
            quote!(#literal)
        }
        Value::Const(tokens) => quote_spanned!(number.at.start=> ((#tokens) | 0) as ::core::primitive::i128),
        Value::Cover | Value::Broken => quote!(1),
    }
}

fn level(context: &Context<'_>, index: usize) -> TokenStream {
    let (model, rt) = (context.model, &context.rt);
    let level = &model.levels[index];
    let name = model.level_name(index);
    let kind = match level.kind {
        Kind::Dense => quote!(Dense),
        Kind::Bitmasked => quote!(Bitmasked),
        Kind::Pointer => quote!(Pointer),
        Kind::Hash => quote!(Hash),
        Kind::Dynamic => quote!(Dynamic),
    };
    let parent = match level.parent {
        Some(parent) => {
            let parent = count(parent);
            quote!(#parent)
        }
        None => quote!(#rt::ROOT),
    };
    let sizes = level.sizes.iter().map(|size| {
        let size = match size {
            Size::None => quote!(None),
            _ if context.stub => quote!(Cells(1)),
            Size::Unbounded(_) => quote!(Unbounded),
            _ if size.is_cover() => quote!(Cover),
            Size::Cells(cells) => {
                let cells = number(cells);
                quote!(Cells(#cells))
            }
        };
        quote!(#rt::Size::#size)
    });
    let order = level.order.iter().map(|&axis| count(axis));
    let options = options(context, level);
    quote!(#rt::LevelDecl::new(#name, #rt::Kind::#kind, #parent, &[#(#sizes),*], &[#(#order),*]) #options)
}

fn options(context: &Context<'_>, level: &Level) -> TokenStream {
    let rt = &context.rt;
    let mut tokens = TokenStream::new();
    if level.morton.is_some() {
        tokens.extend(quote!(.morton()));
    }
    match level.storage {
        Some((Storage::Aos, _)) => tokens.extend(quote!(.storage(#rt::Storage::Aos))),
        Some((Storage::Aosoa, _)) => tokens.extend(quote!(.storage(#rt::Storage::Aosoa))),
        Some((Storage::Soa, _)) | None => {}
    }
    if let Some((max, _)) = &level.max {
        let max = number(max);
        let chunk = level.chunk.as_ref().map_or_else(|| quote!(0), |(chunk, _)| number(chunk));
        tokens.extend(quote!(.list(#max, #chunk)));
    }
    tokens
}

fn field(context: &Context<'_>, index: usize) -> TokenStream {
    let rt = &context.rt;
    let field = &context.model.item.fields[index];
    let (name, ty) = (field.name(), &field.ty);
    let type_name = parse::type_text(ty);
    let level = context.index(context.model.places[index]);
    let background = field.background.as_ref().filter(|_| !context.stub);
    if field.bits.is_some() {
        // A bool is kept as a bit, its background as a byte.
        let background = background.map(|value| {
            quote!(.with_background(|bytes| {
                let on: ::core::primitive::bool = #value;
                #rt::write_background::<::core::primitive::u8>(bytes, ::core::convert::From::from(on))
            }))
        });
        return quote!(#rt::FieldDecl::bits(#name, #level) #background);
    }
    let background =
        background.map(|value| quote!(.with_background(|bytes| #rt::write_background::<#ty>(bytes, #value))));
    let made = if field.split.is_some() { quote!(split) } else { quote!(of) };
    quote!(#rt::FieldDecl::#made::<#ty>(#name, #type_name, #level) #background)
}

/// `hash_key`, if a level names its hasher.
fn hasher(context: &Context<'_>) -> Option<TokenStream> {
    let rt = &context.rt;
    let arms: Vec<TokenStream> = context
        .model
        .levels
        .iter()
        .enumerate()
        .filter_map(|(index, level)| {
            let (hasher, index) = (&level.hasher.as_ref()?.0, count(index));
            Some(quote!(#index => <#hasher as #rt::CoordHash>::hash(key),))
        })
        .collect();
    if arms.is_empty() || context.stub {
        return None;
    }
    Some(quote! {
        fn hash_key(level: ::core::primitive::usize, key: &[::core::primitive::i32]) -> ::core::primitive::u64 {
            match level {
                #(#arms)*
                _ => #rt::default_hash(key),
            }
        }
    })
}

/// Constants as sizes are positive: asserted at their tokens, where the values are known.
fn positive(context: &Context<'_>) -> TokenStream {
    let text = check::zero_text();
    let mut tokens = TokenStream::new();
    for level in context.model.levels.iter().filter(|_| !context.stub) {
        let once = if level.one_size { 1 } else { level.order.len() };
        for size in level.order.iter().take(once).filter_map(|&axis| level.sizes[axis].number()) {
            if matches!(size.value, Value::Const(_)) {
                let value = number(size);
                tokens.extend(quote_spanned!(size.at.start=> ::core::assert!(#value > 0, #text);));
            }
        }
    }
    tokens
}

/// Axes and levels described by constants are asked about at their tokens, once the compiler knows the values.
fn constants(context: &Context<'_>) -> Option<TokenStream> {
    let model = context.model;
    if context.stub {
        return None;
    }
    let (rt, mut asked) = (&context.rt, TokenStream::new());
    let mut ask = |at: Span, question: &str, index: usize| {
        let (question, index) = (Ident::new(question, at), count(index));
        asked.extend(quote_spanned! {at=>
            if let ::core::option::Option::Some(problem) = <Self as #rt::Layout>::TREE.#question(#index) {
                ::core::panic!("{}", problem);
            }
        });
    };
    let is_const = |number: &Number| matches!(number.value, Value::Const(_));
    let const_size = |level: &Level, axis: usize| level.sizes[axis].number().is_some_and(is_const);
    for (index, axis) in model.axes.iter().enumerate() {
        let const_bounds = matches!(&axis.bounds, Bounds::Fixed(low, high) if is_const(low) || is_const(high));
        if const_bounds || model.levels.iter().any(|level| const_size(level, index)) {
            ask(axis.name.span(), "axis_problem", index);
        }
    }
    for (index, level) in model.levels.iter().enumerate() {
        let list = [&level.max, &level.chunk].into_iter().flatten().any(|(number, _)| is_const(number));
        if list || level.morton.is_some() && (0..model.axes.len()).any(|axis| const_size(level, axis)) {
            ask(level.at.start, "level_problem", index);
        }
    }
    (!asked.is_empty()).then(|| quote!(const CONSTANTS: () = { #asked };))
}

/// `deny(non_power_of_two)` for constants: asserted where their values are known.
fn denied(context: &Context<'_>) -> TokenStream {
    if context.model.options.power_of_two != PowerOfTwo::Deny || context.stub {
        return TokenStream::new();
    }
    let asserts = check::violations(context.model).into_iter().map(|violation| {
        let (text, size) = (violation.text().replace('{', "{{").replace('}', "}}"), number(violation.number));
        quote_spanned!(violation.number.at.start=> ::core::assert!((#size as ::core::primitive::u128).is_power_of_two(), #text);)
    });
    asserts.collect()
}

/// `impl HasLevel` for the levels that views speak of.
pub(super) fn levels(context: &Context<'_>) -> TokenStream {
    let Context { model, rt, .. } = context;
    let (impls, types, clause) = model.item.generics.split_for_impl();
    let ident = context.ident();
    let mut tokens = TokenStream::new();
    let mut add = |place: Place, point: TokenStream| {
        let index = context.index(place);
        tokens.extend(quote! {
            #[automatically_derived]
            impl #impls #rt::HasLevel<#index> for #ident #types #clause {
                type Point = #point;
            }
        });
    };
    for (index, level) in model.levels.iter().enumerate() {
        if !level.fields.is_empty() || model.handle(index).is_some() {
            add(Place::Level(index), context.point(index));
        }
    }
    if model.places.iter().any(|place| !matches!(place, Place::Level(_))) {
        add(Place::Root, quote!([::core::primitive::i32; 0]));
    }
    tokens
}

/// A wrong layout does not compile, used or not. With parameters the check runs when they are known.
pub(super) fn check(context: &Context<'_>) -> TokenStream {
    let (rt, ident) = (&context.rt, context.ident());
    if context.model.item.generics.params.is_empty() {
        quote_spanned!(ident.span()=> const _: () = #rt::check::<#ident>();)
    } else {
        TokenStream::new()
    }
}
