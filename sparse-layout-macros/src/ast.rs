//! What was written, with its tokens; nothing is resolved yet.

use proc_macro2::{Ident, Span, TokenStream};

use crate::error::Range;

/// The arguments of the attribute.
#[derive(Debug, Default)]
pub(crate) struct Attribute {
    pub(crate) axes: Vec<Axis>,
    /// Whether `axes` was found in a form that could be read.
    pub(crate) axes_known: bool,
    pub(crate) roots: Vec<Item>,
    /// Whether the tree was found in a form that could be read.
    pub(crate) tree_known: bool,
    pub(crate) options: Options,
}

/// What follows the tree.
#[derive(Debug, Default)]
pub(crate) struct Options {
    pub(crate) krate: Option<TokenStream>,
    pub(crate) power_of_two: PowerOfTwo,
    pub(crate) padded: bool,
}

/// What is done about inner sizes that are no powers of two.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum PowerOfTwo {
    #[default]
    Warn,
    Allow,
    Deny,
}

#[derive(Clone, Debug)]
pub(crate) struct Axis {
    pub(crate) name: Ident,
    pub(crate) bounds: Bounds,
}

#[derive(Clone, Debug)]
pub(crate) enum Bounds {
    Sizes,
    Fixed(Number, Number),
    RunTime,
}

/// A number of the declaration: a size or a bound.
#[derive(Clone, Debug)]
pub(crate) struct Number {
    pub(crate) value: Value,
    pub(crate) at: Range,
}

#[derive(Clone, Debug)]
pub(crate) enum Value {
    /// A literal.
    Literal(i128),
    /// A constant or an expression: known to the compiler, not to the macro.
    Const(TokenStream),
    /// `_`
    Cover,
    /// It could not be read; an error was reported.
    Broken,
}

impl Number {
    pub(crate) fn literal(&self) -> Option<i128> {
        match self.value {
            Value::Literal(value) => Some(value),
            _ => None,
        }
    }
}

/// What stands in braces.
#[derive(Debug)]
pub(crate) enum Item {
    Field(Ident),
    Level(Box<Level>),
}

#[derive(Debug)]
pub(crate) struct Level {
    pub(crate) name: Option<Ident>,
    pub(crate) kind: Kind,
    /// The word of the kind.
    pub(crate) word: Ident,
    /// From the name to the arguments.
    pub(crate) at: Range,
    pub(crate) args: Vec<Arg>,
    /// Whether the arguments could be read.
    pub(crate) args_known: bool,
    pub(crate) flags: Flags,
    /// Whether braces follow.
    pub(crate) braces: bool,
    /// The items in its braces, or the next level of the chain.
    pub(crate) items: Vec<Item>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Dense,
    Bitmasked,
    Pointer,
    Hash,
    Dynamic,
}

impl Kind {
    pub(crate) const ALL: [Kind; 5] = [Kind::Dense, Kind::Bitmasked, Kind::Pointer, Kind::Hash, Kind::Dynamic];

    /// The word of a declaration.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Kind::Dense => "dense",
            Kind::Bitmasked => "bitmasked",
            Kind::Pointer => "pointer",
            Kind::Hash => "hash",
            Kind::Dynamic => "dynamic",
        }
    }

    pub(crate) fn from_word(word: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.word() == word)
    }

    /// Whether each cell is a handle to a node of its own.
    pub(crate) const fn is_indirect(self) -> bool {
        matches!(self, Kind::Pointer | Kind::Hash | Kind::Dynamic)
    }
}

/// A size of a level.
#[derive(Debug)]
pub(crate) enum Arg {
    /// `8`
    Size(Number),
    /// A lone identifier: the name of an axis, or the path of a constant.
    Word(Ident),
    /// `x = 8`
    Axis(Ident, Number),
}

impl Arg {
    pub(crate) fn at(&self) -> Range {
        match self {
            Arg::Size(number) => number.at,
            Arg::Word(word) => word.into(),
            Arg::Axis(axis, number) => Range { start: axis.span(), end: number.at.end },
        }
    }
}

/// Where the values of a level's fields stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Storage {
    Soa,
    Aosoa,
    Aos,
}

impl Storage {
    /// The word of a declaration.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Storage::Soa => "soa",
            Storage::Aosoa => "aosoa",
            Storage::Aos => "aos",
        }
    }
}

/// The options of a level.
#[derive(Debug, Default)]
pub(crate) struct Flags {
    pub(crate) morton: Option<Span>,
    pub(crate) storage: Option<(Storage, Span)>,
    pub(crate) hasher: Option<(TokenStream, Span)>,
    pub(crate) max: Option<(Number, Span)>,
    pub(crate) chunk: Option<(Number, Span)>,
}
