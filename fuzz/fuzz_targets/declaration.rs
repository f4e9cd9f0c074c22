//! The attribute on any text: it never panics, and a struct keeps its name, whatever its layout is.
//!
//! The input is the attribute's arguments, then `|`, then the item. The macro crate exports a macro only, so its modules are
//! included here.
#![no_main]
#![allow(dead_code)]

#[path = "../../sparse-layout-macros/src/ast.rs"]
mod ast;
#[path = "../../sparse-layout-macros/src/check/mod.rs"]
mod check;
#[path = "../../sparse-layout-macros/src/declaration.rs"]
mod declaration;
#[path = "../../sparse-layout-macros/src/error/mod.rs"]
mod error;
#[path = "../../sparse-layout-macros/src/expand/mod.rs"]
mod expand;
#[path = "../../sparse-layout-macros/src/fallback.rs"]
mod fallback;
#[path = "../../sparse-layout-macros/src/model.rs"]
mod model;
#[path = "../../sparse-layout-macros/src/parse/mod.rs"]
mod parse;
#[path = "../../sparse-layout-macros/src/words.rs"]
mod words;

use libfuzzer_sys::fuzz_target;
use proc_macro2::TokenStream;

fuzz_target!(|text: &str| {
    let Some((arguments, item)) = text.split_once('|') else { return };
    let (Ok(arguments), Ok(item)) = (arguments.parse::<TokenStream>(), item.parse::<TokenStream>()) else { return };
    let name = syn::parse2::<syn::DeriveInput>(item.clone()).ok().map(|input| input.ident.to_string());
    let expansion = declaration::declaration(arguments, item).tokens.to_string();
    if let Some(name) = name {
        assert!(expansion.contains(&name), "the item is lost");
    }
});
