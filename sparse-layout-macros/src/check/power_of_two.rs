//! Going from the root down, the first level that divides an axis may have any size; every later one should have a
//! power of two.

use syn::ext::IdentExt;

use super::sizes::shown;
use crate::ast::{Number, PowerOfTwo, Value};
use crate::error::{Code, Errors};
use crate::model::{Model, Size};
use crate::words;

/// A size that divides an axis again: known to break the rule, or a constant that may.
pub(crate) struct Violation<'a> {
    pub(crate) number: &'a Number,
    level: String,
    axes: String,
}

impl Violation<'_> {
    /// What the warning or the error says.
    pub(crate) fn values(&self) -> [(&'static str, String); 4] {
        let next = match self.number.literal() {
            Some(size) => next(size),
            None => "the next power of two".to_owned(),
        };
        let size = match self.number.literal() {
            Some(size) => size.to_string(),
            None => format!("`{}`", shown(self.number)),
        };
        [("level", self.level.clone()), ("axes", self.axes.clone()), ("size", size), ("next", next)]
    }

    /// Its text.
    pub(crate) fn text(&self) -> String {
        let values = self.values();
        let values: Vec<(&str, &str)> = values.iter().map(|(name, value)| (*name, value.as_str())).collect();
        Code::PowerOfTwo.text().filled(&values)
    }
}

/// The sizes that break the rule, and the constants that may, in the order of the levels.
pub(crate) fn violations(model: &Model) -> Vec<Violation<'_>> {
    let mut found = Vec::new();
    if model.options.padded {
        return found;
    }
    for (index, level) in model.levels.iter().enumerate() {
        let again: Vec<usize> = level
            .order
            .iter()
            .copied()
            .filter(|&axis| match &level.sizes[axis] {
                Size::Cells(Number { value: Value::Literal(size), .. }) => *size > 0 && size.count_ones() != 1,
                Size::Cells(Number { value: Value::Const(_), .. }) => true,
                _ => false,
            })
            .filter(|&axis| model.divided_above(level.parent, axis).is_some())
            .collect();
        // One size for all axes is one token, which is reported once.
        let groups: Vec<Vec<usize>> = if level.one_size && !again.is_empty() {
            vec![again]
        } else {
            again.into_iter().map(|axis| vec![axis]).collect()
        };
        for axes in groups {
            let Some(number) = axes.first().and_then(|&axis| level.sizes[axis].number()) else { continue };
            let names: Vec<String> = axes.iter().map(|&axis| model.axes[axis].name.unraw().to_string()).collect();
            let axes = format!("{} {}", if names.len() == 1 { "the axis" } else { "the axes" }, words::listed(&names));
            found.push(Violation { number, level: model.described(index), axes });
        }
    }
    found
}

/// `deny(non_power_of_two)`: the sizes that are known to break the rule are errors.
pub(super) fn deny(model: &Model, errors: &mut Errors) {
    if model.options.power_of_two != PowerOfTwo::Deny {
        return;
    }
    for violation in violations(model).iter().filter(|violation| violation.number.literal().is_some()) {
        let values = violation.values();
        let values: Vec<(&str, &str)> = values.iter().map(|(name, value)| (*name, value.as_str())).collect();
        errors.add(Code::PowerOfTwo, violation.number.at, &values);
    }
}

/// The next power of two.
pub(super) fn next(size: i128) -> String {
    size.unsigned_abs().checked_next_power_of_two().map_or_else(|| "a power of two".to_owned(), |next| next.to_string())
}
