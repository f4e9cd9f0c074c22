//! The power-of-two rule as a warning on stable: the use of a deprecated item at the token of the size.

use proc_macro2::{TokenStream, TokenTree};
use quote::{quote, quote_spanned};

use super::Context;
use crate::ast::{PowerOfTwo, Value};
use crate::check;
use crate::parse::mentions;

/// For a literal the use is there only if the rule is broken. For a constant the compiler chooses between two types,
/// one of which has the deprecated item; sizes that depend on parameters are not known where this could be said.
pub(super) fn warnings(context: &Context<'_>) -> TokenStream {
    let model = context.model;
    if model.options.power_of_two != PowerOfTwo::Warn {
        return TokenStream::new();
    }
    let mut tokens = TokenStream::new();
    for violation in check::violations(model) {
        let (note, span) = (violation.text(), violation.number.at.start);
        let name = TokenTree::Ident(proc_macro2::Ident::new("NON_POWER_OF_TWO", span));
        match &violation.number.value {
            Value::Literal(_) => tokens.extend(quote! {
                const _: () = {
                    #[deprecated(note = #note)]
                    const NON_POWER_OF_TWO: () = ();
                    #name
                };
            }),
            Value::Const(size) => {
                if model.item.generics.params.iter().any(|param| match param {
                    syn::GenericParam::Const(param) => mentions(size.clone(), &param.ident),
                    syn::GenericParam::Type(param) => mentions(size.clone(), &param.ident),
                    syn::GenericParam::Lifetime(_) => false,
                }) {
                    continue;
                }
                let size = quote_spanned!(span=> ((#size) | 0) as ::core::primitive::u128);
                tokens.extend(quote! {
                    const _: () = {
                        struct Size<const POWER_OF_TWO: ::core::primitive::bool>;
                        #[allow(dead_code)]
                        impl Size<true> {
                            const NON_POWER_OF_TWO: () = ();
                        }
                        #[allow(dead_code)]
                        impl Size<false> {
                            #[deprecated(note = #note)]
                            const NON_POWER_OF_TWO: () = ();
                        }
                        #[allow(unused_parens, unused_braces, trivial_numeric_casts, clippy::all, clippy::pedantic)]
                        const POWER_OF_TWO: ::core::primitive::bool = ::core::primitive::u128::is_power_of_two(#size);
                        Size::<POWER_OF_TWO>::#name
                    };
                });
            }
            Value::Cover | Value::Broken => {}
        }
    }
    tokens
}
