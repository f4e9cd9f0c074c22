//! The resolved tree to items: types, constants and forwarding methods, never an algorithm and never `unsafe`.

mod bulk;
mod concurrent;
mod convert;
mod docs;
mod grid;
mod methods;
mod print;
mod records;
mod traits;
mod tree;
mod views;
mod warnings;

use proc_macro2::{Group, Ident, Literal, Span, TokenStream, TokenTree};
use quote::{format_ident, quote};
use syn::ext::IdentExt;
use syn::{GenericParam, Generics, Lifetime};

use crate::model::{Model, Place};

pub(crate) use print::requested;

/// What every part of the expansion needs.
pub(crate) struct Context<'a> {
    pub(crate) model: &'a Model,
    /// The path of the runtime.
    rt: TokenStream,
    /// Lint levels for generated items.
    quiet: TokenStream,
    /// Whether the declaration has errors: sizes and backgrounds are left out then.
    stub: bool,
}

/// Expands a declaration. `stub`: it has errors, and only signatures are wanted.
pub(crate) fn expand(model: &Model, stub: bool) -> TokenStream {
    let krate = model.options.krate.clone().unwrap_or_else(|| quote!(::sparse_layout));
    let quiet = quote! {
        #[allow(
            clippy::all, clippy::pedantic, clippy::nursery,
            non_snake_case, trivial_numeric_casts, unreachable_pub, unused, unused_lifetimes
        )]
    };
    let context = Context { model, rt: quote!(#krate::__rt), quiet, stub };
    let mut tokens = grid::grid(&context);
    tokens.extend(tree::layout(&context));
    tokens.extend(tree::levels(&context));
    tokens.extend(methods::methods(&context));
    tokens.extend(views::views(&context));
    tokens.extend(concurrent::handle(&context));
    tokens.extend(records::records(&context));
    tokens.extend(traits::traits(&context));
    tokens.extend(bulk::bulk(&context));
    if !stub {
        tokens.extend(tree::check(&context));
        tokens.extend(warnings::warnings(&context));
    }
    tokens
}

impl Context<'_> {
    fn ident(&self) -> &Ident {
        &self.model.item.ident
    }

    /// The name of a helper type: `SmokeFields`.
    fn helper(&self, suffix: &str) -> Ident {
        let ident = self.ident();
        format_ident!("{}{}", ident.unraw(), suffix, span = ident.span())
    }

    /// The grid's type with its parameters.
    fn grid_type(&self) -> TokenStream {
        let (ident, (_, types, _)) = (self.ident(), self.model.item.generics.split_for_impl());
        quote!(#ident #types)
    }

    /// The parameters of the struct with a lifetime before them.
    fn lent_generics(&self) -> Generics {
        let mut generics = self.model.item.generics.clone();
        let lifetime = Lifetime::new("'a", Span::call_site());
        generics.params.insert(0, GenericParam::Lifetime(syn::LifetimeParam::new(lifetime)));
        generics
    }

    /// The path of the runtime, with its place in the source at other tokens: errors about them point there.
    fn rt_at(&self, place: Span) -> TokenStream {
        moved(self.rt.clone(), place)
    }

    /// The index of a level in the tree, or the root's.
    fn index(&self, place: Place) -> TokenStream {
        match place {
            Place::Level(level) => {
                let level = Literal::usize_unsuffixed(level);
                quote!(#level)
            }
            Place::Root | Place::Nowhere => {
                let rt = &self.rt;
                quote!({ #rt::ROOT })
            }
        }
    }

    /// The type that stands for a level of the grid.
    fn at(&self, place: Place, grid: &TokenStream) -> TokenStream {
        let (rt, index) = (&self.rt, self.index(place));
        quote!(#rt::At<#grid, #index>)
    }

    /// The type of a cell's coordinates.
    fn point(&self, level: usize) -> TokenStream {
        let dimension = Literal::usize_unsuffixed(self.model.dimension(level));
        quote!([::core::primitive::i32; #dimension])
    }
}

/// Tokens with their place in the source elsewhere; what their names mean stays.
fn moved(tokens: TokenStream, place: Span) -> TokenStream {
    let each = tokens.into_iter().map(|token| {
        let mut token = match token {
            TokenTree::Group(group) => Group::new(group.delimiter(), moved(group.stream(), place)).into(),
            other => other,
        };
        token.set_span(place.resolved_at(token.span()));
        token
    });
    each.collect()
}

/// A number of the tree's lists.
fn count(number: usize) -> Literal {
    Literal::usize_unsuffixed(number)
}
