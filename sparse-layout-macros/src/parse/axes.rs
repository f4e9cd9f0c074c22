//! `axes(x, y = -8..8, z = ..)`

use proc_macro2::{Delimiter, Span, TokenTree};
use syn::ext::IdentExt;

use super::Parser;
use super::cursor::{Cursor, is_punct, range, split_commas, text};
use super::number::{Read, range_at, value};
use crate::ast::{Attribute, Axis, Bounds, Number, Value};
use crate::error::Code;
use crate::words;

impl Parser<'_> {
    /// Reads the whole part, of which `axes` stands here.
    pub(super) fn axes(&mut self, cursor: &mut Cursor, read: &mut Attribute, seen: &mut bool) {
        let Some(word) = cursor.ident() else { return };
        if std::mem::replace(seen, true) {
            self.errors.add(Code::AxesTwice, &word, &[]);
            cursor.group(Delimiter::Parenthesis);
            return;
        }
        let group = match cursor.group(Delimiter::Parenthesis) {
            Some(group) => group,
            None => {
                self.errors.add(Code::AxesSyntax, &word, &[]);
                // As if the list in other brackets, or after `=` or `:`, stood in parentheses.
                if cursor.peek_sign(0, '=') || cursor.peek_sign(0, ':') {
                    cursor.skip(1);
                }
                let other = [Delimiter::Parenthesis, Delimiter::Bracket, Delimiter::Brace];
                match other.into_iter().find_map(|delimiter| cursor.group(delimiter)) {
                    Some(group) => group,
                    None => return,
                }
            }
        };
        let parts = split_commas(group.stream(), true);
        if parts.is_empty() {
            self.errors.add(Code::AxesEmpty, group.span_open(), &[]);
            return;
        }
        for part in parts {
            if let Some(axis) = self.axis(part, group.span_close()) {
                if read.axes.iter().any(|known| known.name == axis.name) {
                    self.errors.add(Code::AxisTwice, &axis.name, &[("axis", &axis.name.to_string())]);
                    continue;
                }
                read.axes.push(axis);
                if read.axes.len() == 9 {
                    self.errors.add(Code::AxesMany, &read.axes[8].name, &[("number", "9")]);
                }
            }
        }
        read.axes.truncate(8);
        read.axes_known = !read.axes.is_empty();
        self.axes = read.axes.iter().map(|axis| axis.name.unraw().to_string()).collect();
    }

    fn axis(&mut self, part: Vec<TokenTree>, end: Span) -> Option<Axis> {
        let at = range(&part, end);
        let found = text(&part);
        let mut cursor = Cursor::new(part.into_iter().collect(), end);
        let Some(name) = cursor.ident() else {
            let place = "an axis begins with its name, as in `axes(x, y = -8..8)`";
            let values = [("found", found.as_str()), ("place", place), ("help", "write its name there")];
            self.errors.add(Code::Unexpected, at, &values);
            return None;
        };
        let word = name.unraw().to_string();
        if words::FLAGS.contains(&name.to_string().as_str()) || name == "_" {
            let axis = if word == "_" { "index" } else { &word };
            self.errors.add(Code::AxisReserved, &name, &[("axis", axis)]);
        }
        if cursor.is_empty() {
            return Some(Axis { name, bounds: Bounds::Sizes });
        }
        // `:`, `in` and brackets are the usual mistakes for `=`.
        let span = cursor.span();
        if !cursor.sign('=') {
            let signs = cursor.peek_signs();
            let found = if signs.is_empty() {
                cursor.peek().map(|token| text(std::slice::from_ref(token))).unwrap_or_default()
            } else {
                signs
            };
            self.errors.add(Code::AxisSyntax, span, &[("axis", &word), ("found", &found)]);
            let known = cursor.sign(':') || cursor.peek_ident().is_some_and(|word| word == "in");
            if known && cursor.peek_ident().is_some_and(|word| word == "in") {
                cursor.skip(1);
            }
            if !known || range_at(cursor.rest()).is_none() {
                return Some(Axis { name, bounds: Bounds::Sizes });
            }
        }
        let tokens = cursor.rest().to_vec();
        let bounds = self.bounds(&word, &tokens, cursor.span());
        Some(Axis { name, bounds })
    }

    /// `LO..HI` or `..`
    fn bounds(&mut self, axis: &str, tokens: &[TokenTree], end: Span) -> Bounds {
        let at = range(tokens, end);
        let inner: Vec<TokenTree>;
        // `(0..8)` and `$range:expr`
        if let [TokenTree::Group(group)] = tokens
            && matches!(group.delimiter(), Delimiter::None | Delimiter::Parenthesis)
        {
            inner = group.stream().into_iter().collect();
            return self.bounds(axis, &inner, end);
        }
        let Some(dots) = range_at(tokens) else {
            let suggestion = match value(tokens) {
                Read::Value(Value::Literal(size)) if size > 0 => format!("0..{size}"),
                Read::Value(Value::Const(_)) => format!("0..{}", text(tokens)),
                _ => "-8..8".to_owned(),
            };
            self.errors.add(Code::BoundsSyntax, at, &[("axis", axis), ("suggestion", &suggestion)]);
            return Bounds::Sizes;
        };
        let (low, high) = (&tokens[..dots], &tokens[dots + 2..]);
        if low.is_empty() && high.is_empty() {
            return Bounds::RunTime;
        }
        let closed = high.first().is_some_and(|token| is_punct(token, '=') || is_punct(token, '.'));
        let high = if closed { &high[1..] } else { high };
        let (low, high) = (self.bound(low, at.start), self.bound(high, at.end));
        match (low, high) {
            (Some(low), Some(high)) if !closed => Bounds::Fixed(low, high),
            (low, high) => {
                let past = |value: i128| if closed { value.saturating_add(1) } else { value };
                let low = low.and_then(|low| low.literal());
                let high = high.and_then(|high| high.literal()).map(past);
                let suggestion = match (low, high) {
                    (Some(low), Some(high)) => format!("{low}..{high}"),
                    (None, Some(high)) if dots == 0 => format!("0..{high}"),
                    (Some(low), None) => format!("{low}..{}", low.saturating_add(64)),
                    _ => "LO..HI".to_owned(),
                };
                self.errors.add(Code::BoundsSyntax, at, &[("axis", axis), ("suggestion", &suggestion)]);
                Bounds::Sizes
            }
        }
    }

    fn bound(&mut self, tokens: &[TokenTree], end: Span) -> Option<Number> {
        let at = range(tokens, end);
        match value(tokens) {
            Read::Value(value) => Some(Number { value, at }),
            // `-LO`, `N - 1`: between `..`, an expression is clear without braces.
            Read::Expression => Some(Number { value: Value::Const(tokens.iter().cloned().collect()), at }),
            Read::Float(_) | Read::Nothing => None,
        }
    }
}
