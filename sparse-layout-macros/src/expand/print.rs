//! `SPARSE_LAYOUT_EXPAND=Smoke cargo check` prints the expansion of that grid.

use proc_macro2::{Delimiter, Group, Spacing, TokenStream, TokenTree};

/// Prints an expansion to the standard error, if the environment asks for that grid's.
pub(crate) fn requested(grid: &str, tokens: &TokenStream) {
    if std::env::var_os("SPARSE_LAYOUT_EXPAND").is_some_and(|wanted| wanted == grid) {
        eprintln!("// expansion of `{grid}`\n{}", lines(tokens));
    }
}

/// The tokens with one statement or item per line.
fn lines(tokens: &TokenStream) -> String {
    let mut page = Page { text: String::new(), depth: 0, nested: 0, glued: true };
    page.stream(tokens.clone());
    page.text
}

struct Page {
    text: String,
    depth: usize,
    /// How many parentheses and brackets are open.
    nested: usize,
    /// Whether the next token follows without a space.
    glued: bool,
}

impl Page {
    fn stream(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        for (at, token) in tokens.iter().enumerate() {
            match token {
                TokenTree::Group(group) => self.group(group, tokens.get(at + 1)),
                TokenTree::Punct(punct) => {
                    let sign = punct.as_char();
                    let path = sign == ':' && (punct.spacing() == Spacing::Alone || self.after_segment());
                    self.glued |= path || matches!(sign, ';' | ',' | '.' | '?' | '!');
                    self.word(&sign.to_string());
                    self.glued = punct.spacing() == Spacing::Joint
                        || matches!(sign, '.' | '&' | '#' | '<' | '!')
                        || sign == ':' && self.text.ends_with("::");
                    if sign == ';' && self.nested == 0 {
                        self.line();
                    }
                }
                other => self.word(&other.to_string()),
            }
        }
    }

    /// Whether `::` goes on with what stands before it, rather than beginning a path.
    fn after_segment(&self) -> bool {
        let word = self.text.rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or_default();
        let keyword = matches!(word, "impl" | "for" | "as" | "dyn" | "mut" | "const" | "return" | "in");
        !word.is_empty() && !keyword || self.text.ends_with('>')
    }

    fn group(&mut self, group: &Group, next: Option<&TokenTree>) {
        match group.delimiter() {
            Delimiter::Brace => {
                self.word("{");
                self.depth += 1;
                self.line();
                self.stream(group.stream());
                self.depth -= 1;
                self.line();
                self.word("}");
                if !matches!(next, Some(TokenTree::Punct(sign)) if sign.as_char() != '#') {
                    self.line();
                }
            }
            Delimiter::None => self.stream(group.stream()),
            Delimiter::Parenthesis => self.inline('(', group.stream(), ')'),
            Delimiter::Bracket => {
                self.inline('[', group.stream(), ']');
                if self.text.lines().last().is_some_and(|line| line.trim_start().starts_with('#')) {
                    self.line();
                }
            }
        }
    }

    fn inline(&mut self, open: char, tokens: TokenStream, close: char) {
        self.glued |= !self.text.ends_with('=');
        self.word(&open.to_string());
        self.glued = true;
        self.nested += 1;
        self.stream(tokens);
        self.nested -= 1;
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

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;

    #[test]
    fn lines_read_as_the_same_tokens() {
        let tokens = quote! {
            #[doc = "a { b"] #[inline] pub fn a<'b, T: Copy>(&'b self, x: &mut [i32; 3]) -> Option<T> { let y = x[0]? .. -1; f::<{ N }>(y) }
            impl A { const B: () = assert!(1 >= 2 && C != D, "text"); }
        };
        let text = lines(&tokens);
        let bare = |text: &str| text.split_whitespace().collect::<String>();
        let read: TokenStream = text.parse().expect("tokens");
        assert_eq!(bare(&read.to_string()), bare(&tokens.to_string()), "{text}");
        assert!(text.lines().count() > 10, "{text}");
    }
}
