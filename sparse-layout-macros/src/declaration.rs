//! All phases in a row, on tokens, so that tests and fuzzers can call them.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::DeriveInput;

use crate::error::{Code, Errors};
use crate::model::Model;
use crate::parse::{self, Parser};
use crate::{expand, fallback};

/// What a declaration becomes.
pub(crate) struct Expansion {
    pub(crate) tokens: TokenStream,
    /// What was reported, for the tests.
    #[cfg_attr(not(test), expect(dead_code))]
    pub(crate) errors: Errors,
}

/// All phases: tokens, ast, model, checks, expansion.
pub(crate) fn declaration(args: TokenStream, item: TokenStream) -> Expansion {
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
