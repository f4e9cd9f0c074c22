//! Sizes and bounds.

use proc_macro2::{Delimiter, Literal, Span, TokenTree};

use super::Parser;
use super::cursor::{is_punct, range, text};
use crate::ast::{Number, Value};
use crate::error::Code;

impl Parser<'_> {
    /// Reads one size; reports what is none.
    pub(crate) fn size(&mut self, tokens: &[TokenTree], otherwise: Span) -> Number {
        let at = range(tokens, otherwise);
        let broken = Number { value: Value::Broken, at };
        let found = text(tokens);
        match tokens {
            [TokenTree::Ident(word)] if word == "_" => return Number { value: Value::Cover, at },
            [minus, TokenTree::Literal(_)] if is_punct(minus, '-') => {
                let positive = found.trim_start_matches('-').to_owned();
                self.errors.add(Code::SizeNegative, at, &[("size", &found), ("positive", &positive)]);
                return broken;
            }
            _ => {}
        }
        if let Some(dots) = range_at(tokens) {
            let suggestion = range_size(tokens, dots);
            let bounds = format!("= {found}");
            self.errors.add(Code::SizeRange, at, &[("suggestion", &suggestion), ("bounds", &bounds)]);
            return broken;
        }
        match value(tokens) {
            Read::Value(Value::Literal(0)) => {
                self.errors.add(Code::SizeZero, at, &[("along", "")]);
                broken
            }
            Read::Value(value) => Number { value, at },
            Read::Float(text) => {
                let suggestion = whole(&text);
                self.errors.add(Code::SizeFloat, at, &[("size", &text), ("suggestion", &suggestion)]);
                broken
            }
            Read::Expression => {
                self.errors.add(Code::SizeExpr, at, &[("expr", &format!(" {found} "))]);
                broken
            }
            Read::Nothing => {
                self.errors.add(Code::SizeOther, at, &[("found", &found)]);
                broken
            }
        }
    }
}

/// What some tokens are as a number.
pub(super) enum Read {
    Value(Value),
    Float(String),
    Expression,
    Nothing,
}

/// Reads an integer, a path, or an expression in braces.
pub(super) fn value(tokens: &[TokenTree]) -> Read {
    match tokens {
        [] => Read::Nothing,
        [TokenTree::Literal(literal)] => integer(literal),
        [minus, TokenTree::Literal(literal)] if is_punct(minus, '-') => match integer(literal) {
            Read::Value(Value::Literal(value)) => Read::Value(Value::Literal(-value)),
            other => other,
        },
        [TokenTree::Group(group)] => match group.delimiter() {
            // `$n:expr` of `macro_rules`: what is in it was parsed as one expression.
            Delimiter::None => {
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                match value(&inner) {
                    Read::Expression => Read::Value(Value::Const(tokens.iter().cloned().collect())),
                    other => other,
                }
            }
            Delimiter::Brace if is_complete(tokens) => Read::Value(Value::Const(tokens.iter().cloned().collect())),
            Delimiter::Brace => Read::Nothing,
            _ => Read::Expression,
        },
        _ if is_path(tokens) => Read::Value(Value::Const(tokens.iter().cloned().collect())),
        _ if looks_like_expression(tokens) => Read::Expression,
        _ => Read::Nothing,
    }
}

fn integer(literal: &Literal) -> Read {
    let text = literal.to_string();
    match syn::Lit::new(literal.clone()) {
        // A literal past `i128` is past every limit of the checks too.
        syn::Lit::Int(int) => match int.suffix() {
            "f32" | "f64" => Read::Float(text),
            _ => Read::Value(Value::Literal(int.base10_parse::<i128>().unwrap_or(i128::MAX))),
        },
        syn::Lit::Float(_) => Read::Float(text),
        _ => Read::Nothing,
    }
}

/// Whether an expression ends: not in an operator, and not in empty braces. What is in it is the compiler's business,
/// but an expansion that ends in the middle of an expression would be lost as a whole.
pub(super) fn is_complete(tokens: &[TokenTree]) -> bool {
    let ends = match tokens.last() {
        Some(TokenTree::Punct(last)) => !"+-*/%&|^<=!.:#".contains(last.as_char()),
        Some(_) => true,
        None => false,
    };
    ends && tokens.iter().all(|token| match token {
        TokenTree::Group(group) => {
            let inner: Vec<TokenTree> = group.stream().into_iter().collect();
            is_complete(&inner) || inner.is_empty() && group.delimiter() != Delimiter::Brace
        }
        _ => true,
    })
}

/// A path: identifiers and `::`, with generics in `<..>`.
fn is_path(tokens: &[TokenTree]) -> bool {
    let tokens: proc_macro2::TokenStream = tokens.iter().cloned().collect();
    syn::parse2::<syn::ExprPath>(tokens).is_ok()
}

/// An operator or a call among values, rather than rubbish.
fn looks_like_expression(tokens: &[TokenTree]) -> bool {
    let stream: proc_macro2::TokenStream = tokens.iter().cloned().collect();
    syn::parse2::<syn::Expr>(stream).is_ok_and(|expr| !matches!(expr, syn::Expr::Lit(_)))
}

/// Where `..` stands.
pub(super) fn range_at(tokens: &[TokenTree]) -> Option<usize> {
    (1..tokens.len()).map(|at| at - 1).find(|&at| is_punct(&tokens[at], '.') && is_punct(&tokens[at + 1], '.'))
}

/// The number of cells of a range of literals, else its end.
fn range_size(tokens: &[TokenTree], dots: usize) -> String {
    let low = value(&tokens[..dots]);
    let after = &tokens[dots + 2..];
    let (after, closed) = match after {
        [equals, rest @ ..] if is_punct(equals, '=') => (rest, 1),
        _ => (after, 0),
    };
    match (low, value(after)) {
        (Read::Value(Value::Literal(low)), Read::Value(Value::Literal(high))) if high >= low => {
            (high - low + closed).to_string()
        }
        _ => "8".to_owned(),
    }
}

/// `8.0` as `8`.
fn whole(text: &str) -> String {
    let digits: String = text.chars().take_while(|c| c.is_ascii_digit() || *c == '_').collect();
    if digits.trim_matches('_').is_empty() || digits.trim_matches(['0', '_']).is_empty() {
        "8".to_owned()
    } else {
        digits
    }
}
