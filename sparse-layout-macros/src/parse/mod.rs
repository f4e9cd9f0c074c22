//! Tokens to ast: a tolerant parser by hand. It knows the likely mistakes, reports each at its token, and goes on as if
//! the right thing had been written, so that all errors of a declaration are found in one compile.

mod args;
mod axes;
mod cursor;
mod item;
mod level;
mod number;
mod options;

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};

use crate::ast::{Attribute, Item, Kind};
use crate::error::{Code, Errors};
use crate::words;
use cursor::Cursor;

pub(crate) use cursor::text;
pub(crate) use item::{Declared, Field, item, mentions, type_text};

/// What the parser of the attribute knows while it reads.
pub(crate) struct Parser<'a> {
    pub(crate) errors: &'a mut Errors,
    /// The names of the struct's fields.
    pub(crate) fields: &'a [String],
    /// The names of the axes, once known.
    pub(crate) axes: Vec<String>,
}

impl Parser<'_> {
    /// Reads the arguments of the attribute.
    pub(crate) fn attribute(&mut self, args: TokenStream) -> Attribute {
        let mut read = Attribute::default();
        let here = Span::call_site();
        let rest = text(&args.clone().into_iter().collect::<Vec<_>>());
        let mut cursor = Cursor::new(args, here);
        let mut axes_seen = false;
        let mut seen = Vec::new();
        while !cursor.is_empty() {
            if self.stray_sign(&mut cursor) {
                continue;
            }
            let left = cursor.left();
            let word = cursor.peek_ident().map(|ident| ident.to_string());
            match word.as_deref() {
                Some("axes") => self.axes(&mut cursor, &mut read, &mut axes_seen),
                Some(word) if self.is_option(word, &mut cursor) => {
                    self.option(&mut cursor, &mut read.options, &mut seen);
                }
                _ => self.tree(&mut cursor, &mut read),
            }
            self.end_of_part(&mut cursor);
            if cursor.left() == left {
                cursor.skip(1);
            }
        }
        if !axes_seen {
            let tree = if rest.is_empty() { "dense(64)" } else { &rest };
            self.errors.add(Code::AxesMissing, here, &[("rest", tree)]);
        }
        if read.roots.is_empty() && !read.tree_known && !rest.is_empty() {
            let axes = if self.axes.is_empty() { "x, y, z".to_owned() } else { self.axes.join(", ") };
            self.errors.add(Code::TreeMissing, here, &[("axes", &axes)]);
        }
        read
    }

    /// Skips `;`, and a comma with nothing before it.
    fn stray_sign(&mut self, cursor: &mut Cursor) -> bool {
        let span = cursor.span();
        if cursor.sign(';') {
            self.errors.add(Code::Semicolon, span, &[]);
            return true;
        }
        if cursor.sign(',') {
            let values = [("found", ","), ("place", "there is nothing before this comma"), ("help", "remove it")];
            self.errors.add(Code::Unexpected, span, &values);
            return true;
        }
        false
    }

    /// Whether a part of the attribute that begins with that word is meant as an option, not as a tree.
    fn is_option(&self, word: &str, cursor: &mut Cursor) -> bool {
        if words::OPTIONS.contains(&word) {
            return true;
        }
        let plain = word.trim_start_matches("r#");
        if Kind::from_word(plain).is_some()
            || words::FLAGS.contains(&plain)
            || self.axes.iter().any(|axis| axis == plain)
        {
            return false;
        }
        let lint =
            cursor.peek_group(1, Delimiter::Parenthesis).is_some_and(|group| group.to_string().contains("power"));
        let alone = cursor.peek_at(1).is_none() || cursor.peek_sign(1, ',');
        let value = cursor.peek_sign(1, '=') && cursor.peek_group(3, Delimiter::Parenthesis).is_none();
        lint || alone
            && !self.fields.iter().any(|field| field == plain)
            && words::foreign(plain).is_none()
            && words::nearest(plain, Kind::ALL.map(Kind::word)).is_none()
            || value
    }

    /// The tree, or a second one.
    fn tree(&mut self, cursor: &mut Cursor, read: &mut Attribute) {
        let span = cursor.span();
        let second = !read.roots.is_empty() || read.tree_known;
        let mut found: Vec<Item> = Vec::new();
        match cursor.group(Delimiter::Brace) {
            Some(group) => {
                read.tree_known = true;
                let before = self.errors.count();
                let mut inside = Cursor::inside(&group);
                found = self.items(&mut inside);
                if found.is_empty() && self.errors.count() == before {
                    let axes = if self.axes.is_empty() { "x, y, z".to_owned() } else { self.axes.join(", ") };
                    self.errors.add(Code::TreeMissing, group.span_open(), &[("axes", &axes)]);
                }
            }
            None => {
                if let Some(level) = self.chain(cursor) {
                    found.push(Item::Level(Box::new(level)));
                }
                read.tree_known |= !found.is_empty() || !self.errors.is_empty();
            }
        }
        if second && !found.is_empty() {
            let first = read.roots.iter().find_map(level_text).unwrap_or_else(|| "..".to_owned());
            let other = found.iter().find_map(level_text).unwrap_or_else(|| "..".to_owned());
            self.errors.add(Code::TreeTwice, span, &[("first", &first), ("second", &other)]);
            // As if `>` had been written.
            if let Some(Item::Level(innermost)) = read.roots.last_mut().map(innermost)
                && !innermost.braces
            {
                innermost.items.append(&mut found);
            }
        }
        read.roots.append(&mut found);
    }

    /// What stands after a part of the attribute must be a comma.
    fn end_of_part(&mut self, cursor: &mut Cursor) {
        if cursor.is_empty() || cursor.sign(',') {
            return;
        }
        let span = cursor.span();
        if cursor.sign(';') {
            self.errors.add(Code::Semicolon, span, &[]);
            return;
        }
        // A new part can begin here: only the comma is missing.
        let found = cursor.peek().map(|token| text(std::slice::from_ref(token))).unwrap_or_default();
        if matches!(cursor.peek(), Some(TokenTree::Ident(_))) {
            self.errors.add(Code::ItemComma, span, &[("found", &found)]);
            return;
        }
        let tokens = cursor.until_comma();
        let found = text(&tokens);
        let values = [
            ("found", found.as_str()),
            ("place", "a layout is `axes(..)`, a tree of levels, and options, with commas between them"),
            ("help", "remove it"),
        ];
        self.errors.add(Code::Unexpected, cursor::range(&tokens, span), &values);
        cursor.sign(',');
    }
}

fn level_text(item: &Item) -> Option<String> {
    match item {
        Item::Level(level) => Some(format!("{}(..)", level.word)),
        Item::Field(_) => None,
    }
}

/// The innermost level of a chain.
fn innermost(mut item: &mut Item) -> &mut Item {
    loop {
        let further = matches!(&*item, Item::Level(level) if !level.braces && level.items.len() == 1);
        if !further {
            return item;
        }
        match item {
            Item::Level(level) => item = &mut level.items[0],
            Item::Field(_) => return item,
        }
    }
}
