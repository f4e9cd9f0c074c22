//! Which axes a level divides into how many cells.

use proc_macro2::{Ident, TokenTree};
use syn::ext::IdentExt;

use crate::ast::{self, Arg, Kind, Number, Value};
use crate::error::{Code, Errors, Range};
use crate::model::{Model, Resolved, Size};
use crate::words;

/// Resolves the arguments of a level.
pub(crate) fn sizes(model: &Model, level: &ast::Level, parent: Option<usize>, errors: &mut Errors) -> Resolved {
    let mut sizing = Sizing {
        axes: model.axis_names(),
        kind: level.kind,
        resolved: Resolved {
            sizes: vec![Size::None; model.axes.len()],
            order: Vec::new(),
            one_size: false,
            list_axes: Vec::new(),
        },
        errors,
    };
    if sizing.axes.is_empty() {
        return sizing.resolved;
    }
    match level.kind {
        Kind::Dynamic => sizing.list(level),
        Kind::Hash => sizing.hash(level, parent.map(|parent| model.described(parent))),
        Kind::Dense | Kind::Bitmasked | Kind::Pointer => sizing.plain(level),
    }
    sizing.resolved
}

struct Sizing<'a> {
    axes: Vec<String>,
    kind: Kind,
    resolved: Resolved,
    errors: &'a mut Errors,
}

impl Sizing<'_> {
    /// `x = 8, y = 8`, for the help texts.
    fn named(&self, given: &[&Arg]) -> String {
        let size = |at: usize| match given.get(at).or(given.first()) {
            Some(Arg::Size(number)) | Some(Arg::Axis(_, number)) => shown(number),
            Some(Arg::Word(word)) => word.to_string(),
            None => "8".to_owned(),
        };
        let pairs: Vec<String> =
            self.axes.iter().enumerate().map(|(at, axis)| format!("{axis} = {}", size(at))).collect();
        pairs.join(", ")
    }

    fn plain(&mut self, level: &ast::Level) {
        let given: Vec<&Arg> = level.args.iter().collect();
        if given.is_empty() {
            if level.args_known {
                let named = self.named(&[]);
                let values = [("kind", self.kind.word()), ("named", named.as_str())];
                self.errors.add(Code::SizeMissing, level.word.span(), &values);
            }
            return;
        }
        let axis_words: Vec<&Ident> = given.iter().filter_map(|arg| self.axis_word(arg)).collect();
        for word in &axis_words {
            self.errors.add(Code::SizeOfAxis, *word, &[("axis", &word.unraw().to_string())]);
        }
        let named = given.iter().any(|arg| matches!(arg, Arg::Axis(..)));
        let positional = given.iter().any(|arg| !matches!(arg, Arg::Axis(..)) && self.axis_word(arg).is_none());
        if named && positional {
            self.mixed(&given);
        } else if named {
            self.by_name(&given);
        } else if axis_words.is_empty() {
            self.in_order(level, &given);
        }
    }

    /// The axis that a lone word names.
    fn axis_word<'b>(&self, arg: &'b Arg) -> Option<&'b Ident> {
        match arg {
            Arg::Word(word) if self.axes.contains(&word.unraw().to_string()) => Some(word),
            _ => None,
        }
    }

    fn mixed(&mut self, given: &[&Arg]) {
        let mut named: Vec<String> = Vec::new();
        for (at, arg) in given.iter().enumerate() {
            let free = self.axes.get(at).map_or("x", String::as_str);
            named.push(match arg {
                Arg::Axis(axis, number) => format!("{axis} = {}", shown(number)),
                Arg::Size(number) => format!("{free} = {}", shown(number)),
                Arg::Word(word) => format!("{free} = {word}"),
            });
        }
        let odd = given.iter().find(|arg| !matches!(arg, Arg::Axis(..)) && self.axis_word(arg).is_none());
        let at = odd.map_or(given[0].at(), |arg| arg.at());
        self.errors.add(Code::SizeMixed, at, &[("kind", self.kind.word()), ("named", &named.join(", "))]);
    }

    /// One size for all axes, or one for each.
    fn in_order(&mut self, level: &ast::Level, given: &[&Arg]) {
        if given.len() != 1 && given.len() != self.axes.len() {
            let at = Range { start: given[0].at().start, end: given[given.len() - 1].at().end };
            let named = self.named(given);
            let all: Vec<String> =
                (0..self.axes.len()).map(|at| given.get(at).map_or("8".to_owned(), |arg| text(arg))).collect();
            let (count, axes) = (given.len().to_string(), self.axes.len().to_string());
            let names = words::listed(&self.axes);
            let values = [
                ("given", count.as_str()),
                ("axes", axes.as_str()),
                ("names", names.as_str()),
                ("kind", level.kind.word()),
                ("all", &all.join(", ")),
                ("named", &named),
            ];
            self.errors.add(Code::SizeCount, at, &values);
            return;
        }
        self.resolved.one_size = given.len() == 1;
        for axis in 0..self.axes.len() {
            let number = number(given[if given.len() == 1 { 0 } else { axis }]);
            self.resolved.sizes[axis] = Size::Cells(number);
            self.resolved.order.push(axis);
        }
    }

    /// `axis = SIZE, ..`
    fn by_name(&mut self, given: &[&Arg]) {
        for arg in given {
            if let Arg::Axis(axis, number) = arg {
                self.set(axis, Size::Cells(number.clone()));
            }
        }
    }

    fn set(&mut self, name: &Ident, size: Size) {
        let plain = name.unraw().to_string();
        let Some(axis) = self.axes.iter().position(|axis| *axis == plain) else {
            let help = match words::nearest(&plain, self.axes.iter().map(String::as_str)) {
                Some(near) => format!("write `{near}`"),
                None => format!("write one of these, or add it: `axes({}, {plain})`", self.axes.join(", ")),
            };
            let axes = words::listed(&self.axes);
            self.errors.add(Code::AxisUnknown, name, &[("axis", &plain), ("axes", &axes), ("help", &help)]);
            return;
        };
        if self.resolved.sizes[axis].divides() {
            self.errors.add(Code::SizeTwice, name, &[("axis", &plain), ("kind", self.kind.word())]);
            return;
        }
        self.resolved.sizes[axis] = size;
        self.resolved.order.push(axis);
    }

    /// Unbounded over all axes or some, or with sizes by axis.
    fn hash(&mut self, level: &ast::Level, above: Option<String>) {
        let given: Vec<&Arg> = level.args.iter().collect();
        let numbers: Vec<&&Arg> = given.iter().filter(|arg| self.is_count(arg)).collect();
        if let [only] = numbers.as_slice() {
            let (size, named) = (text(only), self.named(&[**only]));
            let values = [("size", size.as_str()), ("named", named.as_str())];
            self.errors.add(Code::HashBuckets, only.at(), &values);
            // As if it had been meant as unbounded.
            if above.is_none() {
                self.unbounded(level);
            }
            return;
        }
        if !numbers.is_empty() {
            if numbers.len() == given.len() {
                self.in_order(level, &given);
            } else {
                self.mixed(&given);
            }
            return;
        }
        let unbounded = given.is_empty() || given.iter().any(|arg| matches!(arg, Arg::Word(_)));
        if let (true, Some(above)) = (unbounded, above) {
            let named = self.named(&[]);
            self.errors.add(Code::HashInner, level.at, &[("above", &above), ("named", &named)]);
            return;
        }
        if given.is_empty() && level.args_known {
            self.unbounded(level);
        }
        for arg in given {
            match arg {
                Arg::Word(axis) => self.set(axis, Size::Unbounded(axis.span())),
                Arg::Axis(axis, number) => self.set(axis, Size::Cells(number.clone())),
                Arg::Size(_) => {}
            }
        }
    }

    fn unbounded(&mut self, level: &ast::Level) {
        for axis in 0..self.axes.len() {
            self.resolved.sizes[axis] = Size::Unbounded(level.word.span());
            self.resolved.order.push(axis);
        }
    }

    /// In a hash, a lone word in lower case is meant as an axis; others are constants.
    fn is_count(&self, arg: &Arg) -> bool {
        match arg {
            Arg::Size(_) => true,
            Arg::Word(word) => self.axis_word(arg).is_none() && word.to_string().chars().any(char::is_uppercase),
            Arg::Axis(..) => false,
        }
    }

    /// `dynamic(i, max = N)`
    fn list(&mut self, level: &ast::Level) {
        for arg in &level.args {
            match arg {
                Arg::Word(word) if self.axis_word(arg).is_some() => {
                    self.errors.add(Code::DynamicAxis, word, &[("axis", &word.unraw().to_string())]);
                    self.resolved.list_axes.push(word.clone());
                }
                Arg::Word(word) => self.resolved.list_axes.push(word.clone()),
                Arg::Axis(axis, size) => {
                    let help = format!("write `dynamic({axis}, max = {})`", shown(size));
                    self.errors.add(Code::DynamicAxes, arg.at(), &[("given", "an axis and a size"), ("help", &help)]);
                    self.resolved.list_axes.push(axis.clone());
                }
                Arg::Size(size) => {
                    let help = format!("write `max = {}` for the longest list", shown(size));
                    self.errors.add(
                        Code::DynamicAxes,
                        arg.at(),
                        &[("given", "a size without a name"), ("help", &help)],
                    );
                }
            }
        }
        match self.resolved.list_axes.as_slice() {
            [] if level.args_known && level.args.is_empty() => {
                let values = [("given", "none"), ("help", "write `dynamic(i, max = 16)`")];
                self.errors.add(Code::DynamicAxes, level.word.span(), &values);
            }
            [first, second, ..] => {
                let count = self.resolved.list_axes.len().to_string();
                let help = format!("write `dynamic({first}, max = 16)`, and the axes into the level above");
                let second = second.clone();
                self.errors.add(Code::DynamicAxes, &second, &[("given", &count), ("help", &help)]);
            }
            _ => {}
        }
        if level.flags.max.is_none() && level.args_known {
            let axis = self.resolved.list_axes.first().map_or_else(|| "i".to_owned(), Ident::to_string);
            self.errors.add(Code::DynamicMax, level.word.span(), &[("axis", &axis)]);
        }
    }
}

fn number(arg: &Arg) -> Number {
    match arg {
        Arg::Size(number) | Arg::Axis(_, number) => number.clone(),
        Arg::Word(word) => Number { value: Value::Const(TokenTree::from(word.clone()).into()), at: word.into() },
    }
}

fn text(arg: &Arg) -> String {
    shown(&number(arg))
}

/// A number as it was written.
pub(crate) fn shown(number: &Number) -> String {
    match &number.value {
        Value::Literal(value) => value.to_string(),
        Value::Const(tokens) => crate::parse::text(&tokens.clone().into_iter().collect::<Vec<_>>()),
        Value::Cover => "_".to_owned(),
        Value::Broken => "8".to_owned(),
    }
}
