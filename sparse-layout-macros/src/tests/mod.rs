//! The macro as a function on tokens.

mod cases;
mod catalogue;
mod page;
mod rubbish;
mod snapshots;
mod valid;

use crate::declaration::{Expansion, declaration};
use proc_macro2::{TokenStream, TokenTree};

/// Expands a declaration written with its attribute.
fn expand(code: &str) -> Expansion {
    let (args, item) = parts(code);
    declaration(args, item)
}

/// The arguments of the attribute `sparse_layout`, and the item without it.
fn parts(code: &str) -> (TokenStream, TokenStream) {
    let tokens: TokenStream = code.parse().expect("the tokens of a declaration");
    let mut args = None;
    let mut item = Vec::new();
    for token in tokens {
        if let (TokenTree::Group(group), None) = (&token, &args) {
            let inner: Vec<TokenTree> = group.stream().into_iter().collect();
            if inner.first().is_some_and(|word| word.to_string() == "sparse_layout") {
                args = Some(match inner.get(1) {
                    Some(TokenTree::Group(args)) => args.stream(),
                    _ => TokenStream::new(),
                });
                item.pop();
                continue;
            }
        }
        item.push(token);
    }
    (args.expect("the attribute"), item.into_iter().collect())
}
