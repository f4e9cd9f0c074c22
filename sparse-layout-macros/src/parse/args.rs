//! What stands between the parentheses of a level: sizes and options.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenTree};
use syn::ext::IdentExt;

use super::Parser;
use super::cursor::{Cursor, is_punct, range, split_commas, text};
use super::number::range_at;
use crate::ast::{Arg, Flags, Kind, Storage};
use crate::error::{Code, Range};
use crate::words;

/// What was read, and whether all of it could be.
pub(super) struct Args {
    pub(super) sizes: Vec<Arg>,
    pub(super) flags: Flags,
    pub(super) known: bool,
}

impl Parser<'_> {
    /// Reads the arguments of a level of that kind.
    pub(super) fn args(&mut self, kind: Kind, group: &Group) -> Args {
        let before = self.errors.count();
        let mut args = Args { sizes: Vec::new(), flags: Flags::default(), known: true };
        for part in split_commas(group.stream(), true) {
            let mut rest = Vec::new();
            // `;` for `,`
            for token in part {
                if is_punct(&token, ';') {
                    self.errors.add(Code::Semicolon, &token, &[]);
                    self.arg(kind, std::mem::take(&mut rest), group.span_close(), &mut args);
                } else {
                    rest.push(token);
                }
            }
            self.arg(kind, rest, group.span_close(), &mut args);
        }
        args.known = self.errors.count() == before;
        args
    }

    fn arg(&mut self, kind: Kind, part: Vec<TokenTree>, end: Span, args: &mut Args) {
        if part.is_empty() {
            let values = [("found", ","), ("place", "there is nothing before this comma"), ("help", "remove it")];
            self.errors.add(Code::Unexpected, end, &values);
            return;
        }
        if let [TokenTree::Group(tuple)] = part.as_slice()
            && tuple.delimiter() == Delimiter::Parenthesis
        {
            let inner = text(&tuple.stream().into_iter().collect::<Vec<_>>());
            let at = range(&part, end);
            self.errors.add(Code::SizeTuple, at, &[("kind", kind.word()), ("inner", &inner)]);
            for part in split_commas(tuple.stream(), true) {
                self.arg(kind, part, end, args);
            }
            return;
        }
        let mut cursor = Cursor::new(part.iter().cloned().collect(), end);
        let word = match cursor.ident() {
            Some(word) if word != "_" => word,
            _ => {
                let size = self.size(&part, end);
                args.sizes.push(Arg::Size(size));
                return;
            }
        };
        let name = word.to_string();
        if words::FLAGS.contains(&name.as_str()) {
            self.flag(word, &mut cursor, &mut args.flags);
            return;
        }
        if cursor.is_empty() {
            self.word(kind, word, args);
            return;
        }
        let span = cursor.span();
        let is_axis = self.axes.contains(&word.unraw().to_string());
        let colon = cursor.peek_sign(0, ':') || is_axis && cursor.peek_ident().is_some_and(|word| word == "in");
        let call = is_axis && cursor.peek_group(0, Delimiter::Parenthesis).is_some();
        if colon || call {
            let found = if call {
                "(..)".to_owned()
            } else {
                cursor.peek().map(|token| text(std::slice::from_ref(token))).unwrap_or_default()
            };
            let tokens = if call {
                cursor
                    .group(Delimiter::Parenthesis)
                    .map(|group| group.stream().into_iter().collect())
                    .unwrap_or_default()
            } else {
                cursor.skip(1);
                cursor.rest().to_vec()
            };
            let size = text(&tokens);
            let size = if size.is_empty() || range_at(&tokens).is_some() { "8" } else { &size };
            self.errors.add(Code::SizeColon, span, &[("axis", &name), ("found", &found), ("size", size)]);
            if !tokens.is_empty() {
                let size = self.size(&tokens, span);
                args.sizes.push(Arg::Axis(word, size));
            }
            return;
        }
        if cursor.sign('=') {
            // `==` and `=>` fall through to the errors about sizes.
            if !is_axis && self.option_typo(kind, &word) {
                return;
            }
            let tokens = cursor.rest().to_vec();
            if tokens.is_empty() {
                self.errors.add(Code::SizeOther, range(&part, end), &[("found", &text(&part))]);
                return;
            }
            let size = self.size(&tokens, end);
            args.sizes.push(Arg::Axis(word, size));
            return;
        }
        let size = self.size(&part, end);
        args.sizes.push(Arg::Size(size));
    }

    /// A word alone: an axis, a constant, or an option with a typo.
    fn word(&mut self, kind: Kind, word: Ident, args: &mut Args) {
        let name = word.unraw().to_string();
        let known = self.axes.contains(&name) || kind == Kind::Dynamic;
        let lower = name.chars().all(|c| c.is_lowercase() || c == '_');
        if !known && lower && (self.option_typo(kind, &word) || self.foreign_option(kind, &word)) {
            return;
        }
        args.sizes.push(Arg::Word(word));
    }

    /// Reports an option that is nearly one of ours.
    fn option_typo(&mut self, kind: Kind, word: &Ident) -> bool {
        let name = word.to_string();
        let axes: Vec<&str> = self.axes.iter().map(String::as_str).collect();
        // An axis that is as near is reported as such later.
        if name.len() < 3 || words::nearest(&name, axes).is_some() {
            return false;
        }
        let Some(near) = words::nearest(&name, words::FLAGS) else { return self.foreign_option(kind, word) };
        let help = format!("write `{near}`");
        self.errors.add(Code::FlagUnknown, word, &[("kind", kind.word()), ("flag", &name), ("help", &help)]);
        true
    }

    /// Reports an option of other systems.
    fn foreign_option(&mut self, kind: Kind, word: &Ident) -> bool {
        let help = match word.to_string().as_str() {
            "zorder" | "z_order" | "zcurve" | "hilbert" => "write `morton` for Z-order",
            "buckets" | "capacity" | "hash_size" => "remove it: tables grow by themselves",
            "algo" | "hash" | "hash_fn" | "hash_function" => "write `hasher = TYPE`",
            "chunk_size" | "chunksize" => "write `chunk = N`",
            "max_size" | "max_len" | "len" | "size" => {
                "write `max = N` for the longest list, or name the axis that has that size"
            }
            "bitmasked" | "pointer" | "dense" => "write the kind in front of the parentheses; a level has one kind",
            "packed" => "remove it: nothing is padded unless `padded` stands after the tree",
            "offset" | "origin" => "remove it, and give the axis bounds: `axes(x = -8..8)`",
            "default" | "background" => "write `#[field(background = EXPR)]` on the field",
            _ => return false,
        };
        let flag = word.to_string();
        self.errors.add(Code::FlagUnknown, word, &[("kind", kind.word()), ("flag", &flag), ("help", help)]);
        true
    }

    fn flag(&mut self, word: Ident, cursor: &mut Cursor, flags: &mut Flags) {
        let name = word.to_string();
        let span = word.span();
        let has_value = cursor.sign('=');
        let value = cursor.rest().to_vec();
        if matches!(name.as_str(), "hasher" | "max" | "chunk") {
            let example = match name.as_str() {
                "hasher" => "hasher = MyHasher",
                "max" => "max = 16",
                _ => "chunk = 64",
            };
            if !has_value || value.is_empty() {
                let at = range(&value, span);
                let why = "it needs a value after `=`";
                let values = [("flag", name.as_str()), ("why", why), ("suggestion", example)];
                self.errors.add(Code::FlagValue, Range { start: span, end: at.end }, &values);
                return;
            }
            if name == "hasher" && syn::parse2::<syn::Type>(value.iter().cloned().collect()).is_err() {
                let values = [
                    ("flag", "hasher"),
                    ("why", "its value is a type that implements `CoordHash`"),
                    ("suggestion", example),
                ];
                self.errors.add(Code::FlagValue, range(&value, span), &values);
                return;
            }
            let twice = match name.as_str() {
                "hasher" => flags.hasher.replace((value.iter().cloned().collect(), span)).is_some(),
                "max" => flags.max.replace((self.size(&value, span), span)).is_some(),
                _ => flags.chunk.replace((self.size(&value, span), span)).is_some(),
            };
            if twice {
                self.errors.add(Code::FlagTwice, &word, &[("flag", &name)]);
            }
            return;
        }
        if has_value || !value.is_empty() {
            let at = Range { start: span, end: range(&value, span).end };
            let values = [("flag", name.as_str()), ("why", "it has no value"), ("suggestion", name.as_str())];
            self.errors.add(Code::FlagValue, at, &values);
        }
        let storage = match name.as_str() {
            "soa" => Storage::Soa,
            "aosoa" => Storage::Aosoa,
            "aos" => Storage::Aos,
            _ => {
                if flags.morton.replace(span).is_some() {
                    self.errors.add(Code::FlagTwice, &word, &[("flag", &name)]);
                }
                return;
            }
        };
        match flags.storage {
            Some((before, _)) if before == storage => self.errors.add(Code::FlagTwice, &word, &[("flag", &name)]),
            Some((before, _)) => {
                self.errors.add(Code::FlagConflict, &word, &[("flag", &name), ("other", before.word())]);
            }
            None => flags.storage = Some((storage, span)),
        }
    }
}
