//! Levels, chains of levels, and what stands in braces.

use proc_macro2::{Delimiter, Ident, Span, TokenTree};
use syn::ext::IdentExt;

use super::Parser;
use super::args::Args;
use super::cursor::{Cursor, is_punct, range, text};
use crate::ast::{Flags, Item, Kind, Level};
use crate::error::{Code, Range};
use crate::words;

/// Chains are read by recursion: a bound that no sensible declaration reaches.
const MOST_LEVELS: usize = 64;

impl Parser<'_> {
    /// `LEVEL > LEVEL > LEVEL { .. }`
    pub(super) fn chain(&mut self, cursor: &mut Cursor) -> Option<Level> {
        let mut levels: Vec<Level> = Vec::new();
        let mut items = None;
        loop {
            if levels.len() == MOST_LEVELS {
                let number = (levels.len() + 1).to_string();
                let values =
                    [("what", "levels"), ("number", number.as_str()), ("most", "64"), ("help", "merge some of them")];
                self.errors.add(Code::TooMany, cursor.span(), &values);
                cursor.until_comma();
                break;
            }
            match self.level(cursor, levels.last()) {
                Found::Level(level) => levels.push(*level),
                Found::Field => {}
                Found::Nothing => break,
            }
            if let Some(group) = cursor.group(Delimiter::Brace) {
                items = Some(self.braces(&group, cursor));
                break;
            }
            if !self.separator(cursor, levels.last()) {
                break;
            }
            if let Some(group) = cursor.group(Delimiter::Brace) {
                let level = levels.last().map_or_else(|| "LEVEL".to_owned(), |level| format!("{}(..)", level.word));
                self.errors.add(Code::GreaterBeforeBraces, group.span_open(), &[("level", &level)]);
                items = Some(self.braces(&group, cursor));
                break;
            }
        }
        let mut inner: Option<Level> = None;
        for mut level in levels.into_iter().rev() {
            match inner.take() {
                Some(below) => level.items = vec![Item::Level(Box::new(below))],
                None => {
                    if let Some(items) = items.take() {
                        level.items = items;
                        level.braces = true;
                    }
                }
            }
            inner = Some(level);
        }
        inner
    }

    fn braces(&mut self, group: &proc_macro2::Group, cursor: &mut Cursor) -> Vec<Item> {
        let items = self.items(&mut Cursor::inside(group));
        // `{ .. } > dense(8)`
        let span = cursor.span();
        let signs = cursor.peek_signs();
        if !signs.is_empty() && !signs.starts_with([',', ';']) {
            cursor.skip(signs.len());
            let tokens = cursor.until_comma();
            let found = text(&tokens);
            let at = Range { start: span, end: range(&tokens, span).end };
            self.errors.add(Code::AfterBraces, at, &[("found", &found)]);
        }
        items
    }

    /// Takes `>`; other signs between levels are reported and taken for it. False at the end of the chain.
    fn separator(&mut self, cursor: &mut Cursor, level: Option<&Level>) -> bool {
        let span = cursor.span();
        if cursor.sign('>') {
            if cursor.is_empty() || cursor.peek_sign(0, ',') {
                let place = "after `>` stands a level";
                let help = "write the level inside, or remove the `>`";
                self.errors.add(Code::Unexpected, span, &[("found", ">"), ("place", place), ("help", help)]);
                cursor.until_comma();
                return false;
            }
            return true;
        }
        let signs = cursor.peek_signs();
        if signs.is_empty() {
            // `dense(8) dense(4)`: a level follows without any sign.
            let level_follows = cursor.peek_ident().is_some_and(|word| Kind::from_word(&word.to_string()).is_some());
            if level_follows && level.is_some() {
                let found = cursor.peek_ident().map(|word| word.to_string()).unwrap_or_default();
                let values = [
                    ("found", found.as_str()),
                    ("place", "levels in one another have `>` between them"),
                    ("help", "write `>` before it"),
                ];
                self.errors.add(Code::Unexpected, span, &values);
            }
            return level_follows;
        }
        if signs.starts_with([',', ';']) {
            return false;
        }
        let end = match cursor.peek_at(signs.chars().count() - 1) {
            Some(token) => token.span(),
            None => span,
        };
        cursor.skip(signs.chars().count());
        self.errors.add(Code::Separator, Range { start: span, end }, &[("found", &signs)]);
        !cursor.is_empty()
    }

    /// One level, without what follows its arguments.
    fn level(&mut self, cursor: &mut Cursor, above: Option<&Level>) -> Found {
        let start = cursor.span();
        let name = self.level_name(cursor);
        let Some(word) = cursor.ident() else {
            let tokens = cursor.until_comma();
            let found = text(&tokens);
            let found = if found.is_empty() { "the end" } else { &found };
            let place = "here stands a level: `[name:] KIND(SIZES)`";
            let values = [("found", found), ("place", place), ("help", "write a level such as `dense(8)`")];
            self.errors.add(Code::Unexpected, range(&tokens, start), &values);
            return Found::Nothing;
        };
        let plain = word.unraw().to_string();
        let has_parens = cursor.peek_group(0, Delimiter::Parenthesis).is_some();
        if words::FLAGS.contains(&plain.as_str()) {
            let kind = above.map_or("dense", |level| level.kind.word());
            let suggestion = match plain.as_str() {
                "hasher" => "hash(hasher = MyHasher)".to_owned(),
                "max" | "chunk" => format!("dynamic(i, {plain} = 16)"),
                _ => format!("{kind}(8, {plain})"),
            };
            self.errors.add(Code::FlagAsLevel, &word, &[("flag", &plain), ("suggestion", &suggestion)]);
            cursor.group(Delimiter::Parenthesis);
            return Found::Field;
        }
        let kind = match Kind::from_word(&word.to_string()) {
            Some(kind) => kind,
            None if !has_parens && above.is_some() && self.fields.contains(&plain) => {
                let level = above.map_or_else(String::new, |level| format!("{}(..)", level.word));
                self.errors.add(Code::FieldChained, &word, &[("field", &plain), ("level", &level)]);
                return Found::Field;
            }
            None => self.unknown_kind(&word, &plain),
        };
        let (args, end) = self.parens(cursor, kind, &word);
        let at = Range { start, end };
        let Args { sizes, flags, known } = args;
        Found::Level(Box::new(Level {
            name,
            kind,
            word,
            at,
            args: sizes,
            args_known: known,
            flags,
            braces: false,
            items: Vec::new(),
        }))
    }

    /// `name:`, or with `=` for `:`.
    fn level_name(&mut self, cursor: &mut Cursor) -> Option<Ident> {
        let name = cursor.peek_ident()?;
        let equals = cursor.peek_sign(1, '=');
        if !equals && !cursor.peek_sign(1, ':') {
            return None;
        }
        cursor.skip(1);
        let span = cursor.span();
        cursor.skip(1);
        if equals {
            let kind = cursor.peek_ident().map_or_else(|| "dense".to_owned(), |kind| kind.to_string());
            let values = [("name", name.to_string()), ("kind", kind), ("found", "=".to_owned())];
            let values: Vec<(&str, &str)> = values.iter().map(|(name, value)| (*name, value.as_str())).collect();
            self.errors.add(Code::NameEquals, span, &values);
        }
        (name != "_").then_some(name)
    }

    /// Reports a word that is no kind, and says which is meant.
    fn unknown_kind(&mut self, word: &Ident, plain: &str) -> Kind {
        if let Some(near) = words::nearest(plain, Kind::ALL.map(Kind::word)) {
            let help = format!("write `{near}`");
            self.errors.add(Code::KindUnknown, word, &[("kind", plain), ("help", &help)]);
            return Kind::from_word(near).unwrap_or(Kind::Dense);
        }
        if let Some((kind, why)) = words::foreign(plain) {
            self.errors.add(Code::KindForeign, word, &[("kind", plain), ("why", why), ("kind2", kind.word())]);
            return kind;
        }
        let help = if self.fields.iter().any(|field| field == plain) {
            "a field is written without anything after it: fields stand in the braces of their level".to_owned()
        } else {
            "write one of these; a level is named with `:`, as in `tile: dense(8)`".to_owned()
        };
        self.errors.add(Code::KindUnknown, word, &[("kind", plain), ("help", &help)]);
        Kind::Dense
    }

    /// The arguments, in whatever brackets.
    fn parens(&mut self, cursor: &mut Cursor, kind: Kind, word: &Ident) -> (Args, Span) {
        if let Some(group) = cursor.group(Delimiter::Parenthesis) {
            return (self.args(kind, &group), group.span_close());
        }
        if let Some(group) = cursor.group(Delimiter::Bracket) {
            let inner = text(&group.stream().into_iter().collect::<Vec<_>>());
            let suggestion = format!("{}({inner})", kind.word());
            self.errors.add(Code::KindBrackets, &TokenTree::Group(group.clone()), &[("suggestion", &suggestion)]);
            let mut args = self.args(kind, &group);
            args.known = false;
            return (args, group.span_close());
        }
        let none = Args { sizes: Vec::new(), flags: Flags::default(), known: false };
        if cursor.peek_sign(0, '<') {
            let start = cursor.span();
            let close = cursor.rest().iter().position(|token| is_punct(token, '>') || is_punct(token, ','));
            let length = close.unwrap_or(cursor.rest().len().saturating_sub(1));
            let inner = text(cursor.rest().get(1..length).unwrap_or_default());
            let end = cursor.rest().get(length).map_or(start, TokenTree::span);
            let suggestion = format!("{}({inner})", kind.word());
            self.errors.add(Code::KindBrackets, Range { start, end }, &[("suggestion", &suggestion)]);
            cursor.skip(length + 1);
            return (none, end);
        }
        let suggestion = match kind {
            Kind::Hash => "hash()",
            Kind::Dynamic => "dynamic(i, max = 16)",
            Kind::Pointer => "pointer(16)",
            Kind::Dense => "dense(8)",
            Kind::Bitmasked => "bitmasked(8)",
        };
        self.errors.add(Code::KindParens, word, &[("kind", kind.word()), ("suggestion", suggestion)]);
        (none, word.span())
    }

    /// What stands in braces: fields and levels. Commas after `}` are optional.
    pub(super) fn items(&mut self, cursor: &mut Cursor) -> Vec<Item> {
        let mut items = Vec::new();
        while !cursor.is_empty() {
            let span = cursor.span();
            if cursor.sign(';') {
                self.errors.add(Code::Semicolon, span, &[]);
                continue;
            }
            if cursor.sign(',') {
                let place = "there is nothing before this comma";
                self.errors.add(Code::Unexpected, span, &[("found", ","), ("place", place), ("help", "remove it")]);
                continue;
            }
            let left = cursor.left();
            let mut braced = false;
            match self.field_item(cursor) {
                Some(field) => items.push(Item::Field(field)),
                None => {
                    if let Some(level) = self.chain(cursor) {
                        braced = ends_in_braces(&level);
                        items.push(Item::Level(Box::new(level)));
                    }
                }
            }
            let span = cursor.span();
            if cursor.is_empty() || cursor.sign(',') {
                continue;
            }
            if cursor.sign(';') {
                self.errors.add(Code::Semicolon, span, &[]);
            } else if !braced {
                let found = cursor.peek().map(|token| text(std::slice::from_ref(token))).unwrap_or_default();
                self.errors.add(Code::ItemComma, span, &[("found", &found)]);
                if cursor.peek_ident().is_none() {
                    cursor.until_comma();
                    cursor.sign(',');
                }
            }
            if cursor.left() == left {
                cursor.skip(1);
            }
        }
        items
    }

    /// A field, if one stands here.
    fn field_item(&mut self, cursor: &mut Cursor) -> Option<Ident> {
        let word = cursor.peek_ident()?;
        let plain = word.unraw().to_string();
        let is_field = self.fields.contains(&plain);
        // `density: f32`, as in a struct.
        if cursor.peek_sign(1, ':') {
            let level_follows = match cursor.peek_at(2) {
                Some(TokenTree::Ident(kind)) => {
                    let kind = kind.to_string();
                    Kind::from_word(&kind).is_some() || words::nearest(&kind, Kind::ALL.map(Kind::word)).is_some()
                }
                _ => false,
            };
            let parens = cursor.peek_group(3, Delimiter::Parenthesis).is_some();
            if !is_field || level_follows || parens {
                return None;
            }
            let tokens = cursor.until_comma();
            let at = range(tokens.get(1..).unwrap_or_default(), word.span());
            self.errors.add(Code::FieldTyped, at, &[("field", &plain)]);
            return Some(word);
        }
        let alone = match cursor.peek_at(1) {
            None => true,
            Some(token) => is_punct(token, ',') || is_punct(token, ';'),
        };
        let other_item = matches!(cursor.peek_at(1), Some(TokenTree::Ident(_))) && Kind::from_word(&plain).is_none();
        if !(alone && (is_field || Kind::from_word(&plain).is_none() && !words::FLAGS.contains(&plain.as_str()))
            || is_field && other_item)
        {
            return None;
        }
        cursor.skip(1);
        Some(word)
    }
}

enum Found {
    Level(Box<Level>),
    /// A word that is no level was reported; the chain goes on.
    Field,
    Nothing,
}

fn ends_in_braces(level: &Level) -> bool {
    match level.items.as_slice() {
        _ if level.braces => true,
        [Item::Level(below)] => ends_in_braces(below),
        _ => false,
    }
}
