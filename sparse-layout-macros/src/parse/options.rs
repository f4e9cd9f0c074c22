//! What stands after the tree: `crate = path`, `allow(non_power_of_two)`, `deny(non_power_of_two)`, `padded`.

use proc_macro2::{Delimiter, TokenTree};

use super::Parser;
use super::cursor::{Cursor, range, text};
use crate::ast::{Options, PowerOfTwo};
use crate::error::{Code, Range};
use crate::words;

impl Parser<'_> {
    /// Reads one option; `seen` holds those before it.
    pub(super) fn option(&mut self, cursor: &mut Cursor, options: &mut Options, seen: &mut Vec<String>) {
        let Some(word) = cursor.ident() else { return };
        let name = word.to_string();
        let tokens = cursor.until_comma();
        let at = Range { start: word.span(), end: range(&tokens, word.span()).end };
        let class = if name == "deny" { "allow" } else { &name };
        if words::OPTIONS.contains(&name.as_str()) {
            if seen.iter().any(|before| before == class) {
                let why = if class == "allow" {
                    "`allow(non_power_of_two)` and `deny(non_power_of_two)` exclude each other"
                } else {
                    "an option is said once"
                };
                self.errors.add(Code::OptionTwice, &word, &[("option", &name), ("why", why)]);
                return;
            }
            seen.push(class.to_owned());
        }
        match name.as_str() {
            "crate" => match tokens.split_first() {
                Some((TokenTree::Punct(equals), path)) if equals.as_char() == '=' && is_module_path(path) => {
                    options.krate = Some(path.iter().cloned().collect());
                }
                _ => self.option_syntax(at, "crate", "crate = path::of::sparse_layout"),
            },
            "allow" | "deny" => {
                let lint = match tokens.as_slice() {
                    [TokenTree::Group(group)] if group.delimiter() == Delimiter::Parenthesis => {
                        text(&group.stream().into_iter().collect::<Vec<_>>())
                    }
                    _ => String::new(),
                };
                if lint != "non_power_of_two" {
                    self.option_syntax(at, &name, &format!("{name}(non_power_of_two)"));
                }
                options.power_of_two = if name == "allow" { PowerOfTwo::Allow } else { PowerOfTwo::Deny };
            }
            "padded" => {
                if !tokens.is_empty() {
                    self.option_syntax(at, "padded", "padded");
                }
                options.padded = true;
            }
            _ => self.unknown_option(&name, &text(&tokens), at),
        }
    }

    fn option_syntax(&mut self, at: Range, option: &str, suggestion: &str) {
        self.errors.add(Code::OptionSyntax, at, &[("option", option), ("suggestion", suggestion)]);
    }

    fn unknown_option(&mut self, name: &str, rest: &str, at: Range) {
        let help = if rest.contains("power") {
            "write `allow(non_power_of_two)` or `deny(non_power_of_two)`; without them the compiler warns".to_owned()
        } else {
            match words::nearest(name, words::OPTIONS) {
                Some("allow" | "deny") | None => "remove it".to_owned(),
                Some(near) => format!("write `{near}`"),
            }
        };
        self.errors.add(Code::OptionUnknown, at, &[("option", name), ("help", &help)]);
    }
}

fn is_module_path(tokens: &[TokenTree]) -> bool {
    // `$crate` is one identifier, which syn takes as such.
    syn::parse::Parser::parse2(syn::Path::parse_mod_style, tokens.iter().cloned().collect()).is_ok()
}
