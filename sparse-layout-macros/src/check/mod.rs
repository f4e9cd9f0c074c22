//! The rules of a declaration, one function each. They report at the token that breaks the rule, and stay silent
//! where an error before makes it impossible to know.

mod axes;
mod bounds;
mod fields;
mod flags;
mod names;
mod place;
mod power_of_two;
mod sizes;
mod tree;

use crate::error::{Code, Errors};
use crate::model::Model;

pub(crate) use names::RESERVED;
pub(crate) use place::{Placed, place, rest};
pub(crate) use power_of_two::violations;
pub(crate) use sizes::{shown, sizes};

/// What is said about a constant that is no size.
pub(crate) fn zero_text() -> String {
    Code::SizeZero.text().filled(&[("along", "")])
}

/// Checks a whole declaration. `known`: axes and tree could be read, if not without errors.
pub(crate) fn all(model: &Model, known: bool, errors: &mut Errors) {
    names::all(model, errors);
    fields::all(model, errors);
    flags::all(model, errors);
    if known {
        tree::limits(model, errors);
        tree::dynamic(model, errors);
        axes::divided(model, errors);
        tree::holds_something(model, errors);
        axes::cover(model, errors);
        axes::run_time(model, errors);
        axes::unbounded(model, errors);
        bounds::all(model, errors);
        power_of_two::deny(model, errors);
    }
}
