//! `SPARSE_LAYOUT_EXPAND=Smoke cargo check` prints the expansion of that grid.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

/// Prints an expansion to the standard error, if the environment asks for that grid's.
pub(crate) fn requested(grid: &str, tokens: &TokenStream) {
    if std::env::var_os("SPARSE_LAYOUT_EXPAND").is_some_and(|wanted| wanted == grid) {
        eprintln!("// expansion of `{grid}`\n{}", lines(tokens));
    }
}

/// The tokens with one statement or item per line.
fn lines(tokens: &TokenStream) -> String {
    let mut page = Page { text: String::new(), depth: 0, glued: true };
    page.stream(tokens.clone());
    page.text
}

struct Page {
    text: String,
    depth: usize,
    /// Whether the next token follows without a space.
    glued: bool,
}

impl Page {
    fn stream(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => match group.delimiter() {
                    Delimiter::Brace => {
                        self.word("{");
                        self.depth += 1;
                        self.line();
                        self.stream(group.stream());
                        self.depth -= 1;
                        self.line();
                        self.word("}");
                        self.line();
                    }
                    Delimiter::None => self.stream(group.stream()),
                    Delimiter::Parenthesis => self.inline('(', group.stream(), ')'),
                    Delimiter::Bracket => {
                        self.inline('[', group.stream(), ']');
                        if self.text.lines().last().is_some_and(|line| line.trim_start().starts_with('#')) {
                            self.line();
                        }
                    }
                },
                TokenTree::Punct(punct) => {
                    let sign = punct.as_char();
                    self.glued |= matches!(sign, ';' | ',' | ':' | '.' | '?' | '!' | '>');
                    self.word(&sign.to_string());
                    self.glued =
                        punct.spacing() == Spacing::Joint || matches!(sign, ':' | '.' | '&' | '#' | '<' | '\'' | '!');
                    if sign == ';' {
                        self.line();
                    }
                }
                other => self.word(&other.to_string()),
            }
        }
    }

    fn inline(&mut self, open: char, tokens: TokenStream, close: char) {
        self.glued = true;
        self.word(&open.to_string());
        self.glued = true;
        self.stream(tokens);
        self.glued = true;
        self.word(&close.to_string());
    }

    fn word(&mut self, word: &str) {
        if !self.glued && !self.text.is_empty() && !self.text.ends_with([' ', '\n']) {
            self.text.push(' ');
        }
        if self.text.ends_with('\n') {
            self.text.push_str(&"    ".repeat(self.depth));
        }
        self.text.push_str(word);
        self.glued = false;
    }

    fn line(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
    }
}
