//! The resolved tree: levels in one list, parents before children, sizes by axis, fields with their level.

use proc_macro2::{Ident, Span, TokenStream};
use syn::ext::IdentExt;

use crate::ast::{self, Attribute, Item, Kind, Number, Options, Storage, Value};
use crate::check;
use crate::error::{Errors, Range};
use crate::parse::{Declared, Field};

/// A declaration after resolution.
pub(crate) struct Model {
    pub(crate) item: Declared,
    pub(crate) axes: Vec<ast::Axis>,
    pub(crate) levels: Vec<Level>,
    /// The place of each field of the struct.
    pub(crate) places: Vec<Place>,
    pub(crate) options: Options,
    /// Whether axes or tree could not be read, so that stubs stand on a guess.
    pub(crate) guessed: bool,
}

/// Where a field is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// One value per grid.
    Root,
    Level(usize),
    /// Nowhere; an error was reported.
    Nowhere,
}

pub(crate) struct Level {
    pub(crate) name: Option<Ident>,
    pub(crate) kind: Kind,
    /// From the name to the closing parenthesis.
    pub(crate) at: Range,
    pub(crate) parent: Option<usize>,
    pub(crate) children: Vec<usize>,
    /// By axis.
    pub(crate) sizes: Vec<Size>,
    /// The axes it divides, in the order in which its cells are numbered.
    pub(crate) order: Vec<usize>,
    /// Whether one token gives the size of all axes.
    pub(crate) one_size: bool,
    /// Whether the arguments could be read without an error.
    pub(crate) sizes_known: bool,
    pub(crate) morton: Option<Span>,
    pub(crate) storage: Option<(Storage, Span)>,
    pub(crate) hasher: Option<(TokenStream, Span)>,
    pub(crate) max: Option<(Number, Span)>,
    pub(crate) chunk: Option<(Number, Span)>,
    /// The words of a `dynamic` level: its list axis.
    pub(crate) list_axes: Vec<Ident>,
    pub(crate) braces: bool,
    pub(crate) fields: Vec<usize>,
}

impl Level {
    fn made_up(here: Span) -> Level {
        Level {
            name: None,
            kind: Kind::Dense,
            at: here.into(),
            parent: None,
            children: Vec::new(),
            sizes: Vec::new(),
            order: Vec::new(),
            one_size: false,
            sizes_known: false,
            morton: None,
            storage: None,
            hasher: None,
            max: None,
            chunk: None,
            list_axes: Vec::new(),
            braces: false,
            fields: Vec::new(),
        }
    }
}

/// How a level divides one axis.
#[derive(Clone, Debug)]
pub(crate) enum Size {
    None,
    Cells(Number),
    Unbounded(Span),
}

impl Size {
    pub(crate) fn divides(&self) -> bool {
        !matches!(self, Size::None)
    }

    pub(crate) fn number(&self) -> Option<&Number> {
        match self {
            Size::Cells(number) => Some(number),
            _ => None,
        }
    }

    pub(crate) fn literal(&self) -> Option<i128> {
        self.number().and_then(Number::literal)
    }

    pub(crate) fn is_cover(&self) -> bool {
        matches!(self, Size::Cells(Number { value: Value::Cover, .. }))
    }
}

impl Model {
    /// Resolves a declaration; reports what does not fit together.
    pub(crate) fn new(read: Attribute, item: Declared, errors: &mut Errors) -> Model {
        let places = vec![Place::Nowhere; item.fields.len()];
        let mut model =
            Model { item, axes: read.axes, levels: Vec::new(), places, options: read.options, guessed: false };
        let mut placed = check::Placed::default();
        for root in read.roots {
            model.add(root, None, &mut placed, errors);
        }
        let tree_known = read.tree_known && read.axes_known;
        check::rest(&mut model, &placed, read.tree_known, errors);
        check::all(&model, tree_known, errors);
        model.add_twins();
        model
    }

    /// A `double` field `f` has a twin `f_next` beside it.
    fn add_twins(&mut self) {
        for field in 0..self.item.fields.len() {
            if self.item.fields[field].double.is_none() {
                continue;
            }
            let twin = self.item.fields[field].twin();
            // A field of that name was reported.
            if self.field(&twin.name()).is_some() {
                continue;
            }
            let place = self.places[field];
            if let Place::Level(level) = place {
                self.levels[level].fields.push(self.item.fields.len());
            }
            self.item.fields.push(twin);
            self.places.push(place);
        }
    }

    /// The number of the twin of a `double` field.
    pub(crate) fn twin(&self, field: usize) -> Option<usize> {
        self.item.fields[field].double?;
        let name = format!("{}_next", self.item.fields[field].name());
        (field + 1..self.item.fields.len())
            .find(|&other| self.item.fields[other].twin_of_double && self.item.fields[other].name() == name)
    }

    /// Makes up what is missing, so that stubs have signatures: axes, a level, a place for each field.
    pub(crate) fn repair(&mut self, dimension: usize) {
        let here = Span::call_site();
        if self.axes.is_empty() {
            let axis =
                |at: usize| ast::Axis { name: Ident::new(&format!("axis{at}"), here), bounds: ast::Bounds::Sizes };
            self.axes = (0..dimension).map(axis).collect();
            self.guessed = true;
        }
        let axes: Vec<usize> = (0..self.axes.len()).collect();
        let whole = || axes.iter().map(|_| Size::Unbounded(here)).collect::<Vec<_>>();
        if self.levels.is_empty() && self.places.contains(&Place::Nowhere) {
            self.levels.push(Level::made_up(here));
            self.guessed = true;
        }
        for level in &mut self.levels {
            if level.sizes.len() != axes.len()
                || !level.sizes_known && level.order.is_empty() && level.kind != Kind::Dynamic
            {
                (level.sizes, level.order) = (whole(), axes.clone());
            }
        }
        for field in 0..self.places.len() {
            if self.places[field] == Place::Nowhere {
                let last = self.levels.len() - 1;
                self.places[field] = Place::Level(last);
                self.levels[last].fields.push(field);
            }
        }
    }

    fn add(&mut self, item: Item, parent: Option<usize>, placed: &mut check::Placed, errors: &mut Errors) {
        match item {
            Item::Field(name) => check::place(self, &name, parent, placed, errors),
            Item::Level(level) => {
                let index = self.levels.len();
                let items = self.push(*level, parent, errors);
                if let Some(parent) = parent {
                    self.levels[parent].children.push(index);
                }
                for item in items {
                    self.add(item, Some(index), placed, errors);
                }
            }
        }
    }

    fn push(&mut self, level: ast::Level, parent: Option<usize>, errors: &mut Errors) -> Vec<Item> {
        let before = errors.count();
        let resolved = check::sizes(self, &level, parent, errors);
        let flags = level.flags;
        self.levels.push(Level {
            name: level.name,
            kind: level.kind,
            at: level.at,
            parent,
            children: Vec::new(),
            sizes: resolved.sizes,
            order: resolved.order,
            one_size: resolved.one_size,
            sizes_known: level.args_known && errors.count() == before,
            morton: flags.morton,
            storage: flags.storage,
            hasher: flags.hasher,
            max: flags.max,
            chunk: flags.chunk,
            list_axes: resolved.list_axes,
            braces: level.braces,
            fields: Vec::new(),
        });
        level.items
    }

    /// The name of a level, or `level0`, `level1`, ...
    pub(crate) fn level_name(&self, level: usize) -> String {
        match &self.levels[level].name {
            Some(name) => name.unraw().to_string(),
            None => format!("level{level}"),
        }
    }

    /// A level as messages speak of it.
    pub(crate) fn described(&self, level: usize) -> String {
        match &self.levels[level].name {
            Some(name) => format!("the level `{}`", name.unraw()),
            None => format!("the `{}` level", self.levels[level].kind.word()),
        }
    }

    /// The names of the axes.
    pub(crate) fn axis_names(&self) -> Vec<String> {
        self.axes.iter().map(|axis| axis.name.unraw().to_string()).collect()
    }

    /// The levels from the root down to one, in that order.
    pub(crate) fn path(&self, level: usize) -> Vec<usize> {
        let mut path = vec![level];
        while let Some(parent) = self.levels[path[path.len() - 1]].parent {
            path.push(parent);
        }
        path.reverse();
        path
    }

    /// How many axes the levels down to one divide.
    pub(crate) fn dimension(&self, level: usize) -> usize {
        let path = self.path(level);
        (0..self.axes.len()).filter(|&axis| path.iter().any(|&level| self.levels[level].sizes[axis].divides())).count()
    }

    /// The level above one that divides an axis, if there is one.
    pub(crate) fn divided_above(&self, parent: Option<usize>, axis: usize) -> Option<usize> {
        let path = parent.map(|parent| self.path(parent)).unwrap_or_default();
        path.into_iter().rev().find(|&level| self.levels[level].sizes[axis].divides())
    }

    /// The innermost levels.
    pub(crate) fn innermost(&self) -> Vec<usize> {
        (0..self.levels.len()).filter(|&level| self.levels[level].children.is_empty()).collect()
    }

    /// The level of a field, if it is placed at one.
    pub(crate) fn level_of(&self, field: usize) -> Option<usize> {
        match self.places[field] {
            Place::Level(level) => Some(level),
            Place::Root | Place::Nowhere => None,
        }
    }

    /// The levels that hold fields.
    pub(crate) fn holders(&self) -> Vec<usize> {
        let holds = |level: &Level| !level.fields.is_empty() && level.kind != Kind::Dynamic;
        (0..self.levels.len()).filter(|&level| holds(&self.levels[level])).collect()
    }

    /// Whether a field is stored in lists.
    pub(crate) fn is_list(&self, field: usize) -> bool {
        matches!(self.places[field], Place::Level(level) if self.levels[level].kind == Kind::Dynamic)
    }

    /// The name that a level has in the methods of the grid: its own, or `leaf` for the one innermost level.
    /// The lists of a `dynamic` level are reached through its fields.
    pub(crate) fn handle(&self, level: usize) -> Option<Ident> {
        if self.levels[level].kind == Kind::Dynamic {
            return None;
        }
        if let Some(name) = &self.levels[level].name {
            return Some(name.clone());
        }
        let alone = self.innermost() == [level];
        let taken = |word: &str| {
            self.field(word).is_some()
                || self.levels.iter().any(|level| level.name.as_ref().is_some_and(|name| name == word))
        };
        (alone && !taken("leaf") && !taken("leaf_mut")).then(|| Ident::new("leaf", Span::call_site()))
    }

    pub(crate) fn field(&self, name: &str) -> Option<(usize, &Field)> {
        self.item.fields.iter().enumerate().find(|(_, field)| field.name() == name)
    }
}

/// The sizes of a level, resolved.
pub(crate) struct Resolved {
    pub(crate) sizes: Vec<Size>,
    pub(crate) order: Vec<usize>,
    pub(crate) one_size: bool,
    pub(crate) list_axes: Vec<Ident>,
}
