//! Walking over token trees.

use proc_macro2::{Delimiter, Group, Ident, Spacing, Span, TokenStream, TokenTree};
use quote::ToTokens;

use crate::error::Range;

/// A place in a list of token trees.
///
/// Groups without delimiters, which `macro_rules` puts around its `$fragments`, are opened where the grammar wants a
/// word, and kept whole where it wants a value.
#[derive(Debug)]
pub(crate) struct Cursor {
    tokens: Vec<TokenTree>,
    at: usize,
    /// Where "here is nothing" is reported.
    end: Span,
}

impl Cursor {
    pub(crate) fn new(tokens: TokenStream, end: Span) -> Cursor {
        Cursor { tokens: tokens.into_iter().collect(), at: 0, end }
    }

    /// The inside of a group.
    pub(crate) fn inside(group: &Group) -> Cursor {
        Cursor::new(group.stream(), group.span_close())
    }

    /// Opens an undelimited group that stands here.
    fn open(&mut self) {
        while let Some(TokenTree::Group(group)) = self.tokens.get(self.at) {
            if group.delimiter() != Delimiter::None {
                return;
            }
            let inner: Vec<TokenTree> = group.stream().into_iter().collect();
            self.tokens.splice(self.at..=self.at, inner);
        }
    }

    pub(crate) fn is_empty(&mut self) -> bool {
        self.open();
        self.at >= self.tokens.len()
    }

    /// What stands here.
    pub(crate) fn peek(&mut self) -> Option<&TokenTree> {
        self.open();
        self.tokens.get(self.at)
    }

    /// What stands some places further.
    pub(crate) fn peek_at(&mut self, distance: usize) -> Option<&TokenTree> {
        self.open();
        self.tokens.get(self.at + distance)
    }

    /// The tokens from here that are not yet read.
    pub(crate) fn rest(&self) -> &[TokenTree] {
        &self.tokens[self.at.min(self.tokens.len())..]
    }

    /// Takes tokens up to the next comma (or `;`), which is left.
    pub(crate) fn until_comma(&mut self) -> Vec<TokenTree> {
        let rest = self.rest();
        let length = rest.iter().position(|token| is_punct(token, ',') || is_punct(token, ';')).unwrap_or(rest.len());
        let taken = rest[..length].to_vec();
        self.at += length;
        taken
    }

    pub(crate) fn span(&mut self) -> Span {
        let end = self.end;
        self.peek().map_or(end, TokenTree::span)
    }

    /// The identifier that stands here.
    pub(crate) fn peek_ident(&mut self) -> Option<Ident> {
        match self.peek() {
            Some(TokenTree::Ident(ident)) => Some(ident.clone()),
            _ => None,
        }
    }

    pub(crate) fn ident(&mut self) -> Option<Ident> {
        let ident = self.peek_ident()?;
        self.at += 1;
        Some(ident)
    }

    /// The group with that delimiter that stands some places further.
    pub(crate) fn peek_group(&mut self, distance: usize, delimiter: Delimiter) -> Option<Group> {
        match self.peek_at(distance) {
            Some(TokenTree::Group(group)) if group.delimiter() == delimiter => Some(group.clone()),
            _ => None,
        }
    }

    pub(crate) fn group(&mut self, delimiter: Delimiter) -> Option<Group> {
        let group = self.peek_group(0, delimiter)?;
        self.at += 1;
        Some(group)
    }

    /// Whether a lone `sign` stands some places further: not `::` for `:`, not `==` or `=>` for `=`.
    pub(crate) fn peek_sign(&mut self, distance: usize, sign: char) -> bool {
        if matches!(sign, ',' | ';') {
            return self.peek_at(distance).is_some_and(|token| is_punct(token, sign));
        }
        let alone = match self.peek_at(distance) {
            Some(TokenTree::Punct(punct)) if punct.as_char() == sign => punct.spacing() == Spacing::Alone,
            _ => return false,
        };
        alone || !matches!(self.peek_at(distance + 1), Some(TokenTree::Punct(next)) if "=:>.".contains(next.as_char()))
    }

    pub(crate) fn sign(&mut self, sign: char) -> bool {
        let found = self.peek_sign(0, sign);
        self.at += usize::from(found);
        found
    }

    /// The run of joined punctuation that stands here, such as `->`.
    pub(crate) fn peek_signs(&mut self) -> String {
        let mut text = String::new();
        for distance in 0.. {
            let Some(TokenTree::Punct(punct)) = self.peek_at(distance) else { break };
            text.push(punct.as_char());
            if punct.spacing() == Spacing::Alone {
                break;
            }
        }
        text
    }

    /// How many tokens are left: a loop that leaves as many as before must skip one.
    pub(crate) fn left(&mut self) -> usize {
        self.open();
        self.tokens.len() - self.at.min(self.tokens.len())
    }

    pub(crate) fn skip(&mut self, count: usize) {
        self.at = (self.at + count).min(self.tokens.len());
    }
}

pub(crate) fn is_punct(token: &TokenTree, sign: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == sign)
}

/// Splits at the commas that are in no group and in no generics. Among `types`, every `<` opens generics; among values,
/// only one that cannot compare.
pub(crate) fn split_commas(tokens: impl IntoIterator<Item = TokenTree>, types: bool) -> Vec<Vec<TokenTree>> {
    let mut parts = vec![Vec::new()];
    let mut depth = 0_usize;
    let mut before = ' ';
    for token in tokens {
        let sign = match &token {
            TokenTree::Punct(punct) => punct.as_char(),
            _ => 'x',
        };
        match sign {
            '<' if types || depth > 0 || matches!(before, ':' | '=' | ' ') => depth += 1,
            '>' if depth > 0 && before != '-' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(Vec::new());
                before = ' ';
                continue;
            }
            _ => {}
        }
        before = sign;
        if let Some(part) = parts.last_mut() {
            part.push(token);
        }
    }
    if parts.last().is_some_and(Vec::is_empty) {
        parts.pop();
    }
    parts
}

/// The text of some tokens, as one would write it.
pub(crate) fn text(tokens: &[TokenTree]) -> String {
    let stream: TokenStream = tokens.iter().cloned().collect();
    tidy(&stream.to_token_stream().to_string())
}

/// Removes the spaces that printing token streams puts around some signs.
pub(crate) fn tidy(text: &str) -> String {
    let mut text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for (spaced, plain) in [
        (" :: ", "::"),
        (":: ", "::"),
        (" ::", "::"),
        (" ;", ";"),
        (" ,", ","),
        ("( ", "("),
        (" )", ")"),
        ("[ ", "["),
        (" ]", "]"),
        ("& ", "&"),
        (" <", "<"),
        ("< ", "<"),
        (" >", ">"),
        (" (", "("),
        (". .", ".."),
        (" .. ", ".."),
        (" .", "."),
        ("- ", "-"),
        (" :", ":"),
    ] {
        text = text.replace(spaced, plain);
    }
    text
}

/// From the first to the last token.
pub(crate) fn range(tokens: &[TokenTree], otherwise: Span) -> Range {
    Range::of(tokens, otherwise)
}
