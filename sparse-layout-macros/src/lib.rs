//! The `#[sparse_layout]` attribute. Users take it from the crate `sparse-layout`, whose documentation describes the
//! language; the phases are described in the README beside this crate.

mod ast;
mod check;
mod error;
mod expand;
mod fallback;
mod model;
mod parse;
mod words;

#[cfg(test)]
mod tests;

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::DeriveInput;

use error::{Code, Errors};
use model::Model;
use parse::Parser;

/// Declares a grid: axes, and a tree of levels that divide them and hold the fields of the struct.
///
/// The documentation of the crate `sparse-layout` describes the language.
#[proc_macro_attribute]
pub fn sparse_layout(args: proc_macro::TokenStream, item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    declaration(args.into(), item.into()).tokens.into()
}

/// What a declaration becomes.
struct Expansion {
    tokens: TokenStream,
    errors: Errors,
}

/// All phases: tokens, ast, model, checks, expansion.
fn declaration(args: TokenStream, item: TokenStream) -> Expansion {
    let mut errors = Errors::default();
    let input: DeriveInput = match syn::parse2(item.clone()) {
        Ok(input) => input,
        Err(error) => {
            let tokens = other_item(item, error, &mut errors);
            return Expansion { tokens, errors };
        }
    };
    let (name, original) = (input.ident.to_string(), input.clone());
    let Some(declared) = parse::item(input, &mut errors) else {
        let mut tokens = errors.tokens();
        tokens.extend(fallback::item(original));
        return Expansion { tokens, errors };
    };
    let fields: Vec<String> = declared.fields.iter().map(parse::Field::name).collect();
    let read = Parser { errors: &mut errors, fields: &fields, axes: Vec::new() }.attribute(args);
    let dimension = fallback::dimension(&read);
    let model = Model::new(read, declared, &mut errors);
    let mut tokens = errors.tokens();
    tokens.extend(if errors.is_empty() { expand::expand(&model, false) } else { fallback::stubs(model, dimension) });
    expand::requested(&name, &tokens);
    Expansion { tokens, errors }
}

/// Something that is no struct, enum or union: it stays as it is.
fn other_item(item: TokenStream, error: syn::Error, errors: &mut Errors) -> TokenStream {
    let words = ["fn", "mod", "trait", "impl", "type", "const", "static", "use", "macro_rules"];
    let found = item.clone().into_iter().find_map(|token| {
        let word = token.to_string();
        words.into_iter().find(|known| *known == word).map(|known| (known, token.span()))
    });
    let mut tokens = match found {
        Some((word, span)) => {
            let what = format!("a `{word}` item");
            errors.add(Code::ItemKind, span, &[("what", &what), ("name", "Smoke"), ("more", "")]);
            errors.tokens()
        }
        None => error.to_compile_error(),
    };
    tokens.extend(item.to_token_stream());
    tokens
}
