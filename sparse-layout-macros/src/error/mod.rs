//! What the macro says: the table of texts, and the collector of the errors of one declaration.

mod table;

use proc_macro2::{Delimiter, Group, Ident, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::quote_spanned;

pub(crate) use table::Code;
#[cfg(test)]
pub(crate) use table::TABLE;

/// One error at its tokens.
#[derive(Debug)]
pub(crate) struct Problem {
    pub(crate) code: Code,
    /// First and last token.
    pub(crate) at: Range,
    pub(crate) text: String,
}

/// First and last token of what an error is about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Range {
    pub(crate) start: Span,
    pub(crate) end: Span,
}

impl Range {
    /// From the first to the last of some tokens; `otherwise` if there are none.
    pub(crate) fn of(tokens: &[TokenTree], otherwise: Span) -> Range {
        match (tokens.first(), tokens.last()) {
            (Some(first), Some(last)) => Range { start: open(first), end: close(last) },
            _ => otherwise.into(),
        }
    }
}

impl From<Span> for Range {
    fn from(span: Span) -> Range {
        Range { start: span, end: span }
    }
}

impl From<&Ident> for Range {
    fn from(ident: &Ident) -> Range {
        ident.span().into()
    }
}

impl From<&TokenTree> for Range {
    fn from(token: &TokenTree) -> Range {
        token.span().into()
    }
}

fn open(token: &TokenTree) -> Span {
    match token {
        TokenTree::Group(group) if group.delimiter() != Delimiter::None => group.span_open(),
        other => other.span(),
    }
}

fn close(token: &TokenTree) -> Span {
    match token {
        TokenTree::Group(group) if group.delimiter() != Delimiter::None => group.span_close(),
        other => other.span(),
    }
}

/// The errors of one declaration, all of which are reported in one compile.
#[derive(Debug, Default)]
pub(crate) struct Errors {
    list: Vec<Problem>,
}

impl Errors {
    /// Adds an error; `values` fill the `{places}` of its text.
    pub(crate) fn add(&mut self, code: Code, at: impl Into<Range>, values: &[(&str, &str)]) {
        self.list.push(Problem { code, at: at.into(), text: code.text().filled(values) });
    }

    /// Whether there is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.list.len()
    }

    /// Whether an error of that kind was reported.
    pub(crate) fn has(&self, code: Code) -> bool {
        self.list.iter().any(|problem| problem.code == code)
    }

    /// All of them, for the tests.
    #[cfg(test)]
    pub(crate) fn list(&self) -> &[Problem] {
        &self.list
    }

    /// One `compile_error!` each, at its tokens.
    pub(crate) fn tokens(&self) -> TokenStream {
        self.list.iter().map(|problem| compile_error(problem.at, &problem.text)).collect()
    }
}

/// `compile_error!` whose message points at a range of tokens.
pub(crate) fn compile_error(at: Range, text: &str) -> TokenStream {
    let path = quote_spanned! {at.start=> ::core::compile_error };
    let mut bang = Punct::new('!', Spacing::Alone);
    bang.set_span(at.start);
    let mut body = Group::new(Delimiter::Brace, quote_spanned! {at.end=> #text });
    body.set_span(at.end);
    let mut tokens = path;
    tokens.extend([TokenTree::from(bang), TokenTree::from(body)]);
    tokens
}
