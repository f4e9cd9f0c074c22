//! The one table of texts. `{place}`s are filled in; the page of the errors and its examples follow the same order.

/// What is said about one mistake.
#[derive(Debug)]
pub(crate) struct Text {
    /// Its stable name, on the page of the errors.
    #[cfg_attr(not(test), expect(dead_code))]
    pub(crate) id: &'static str,
    /// What is wrong.
    pub(crate) message: &'static str,
    /// Why it is.
    pub(crate) note: &'static str,
    /// What to write instead.
    pub(crate) help: &'static str,
}

impl Text {
    /// The whole text with its places filled.
    pub(crate) fn filled(&self, values: &[(&str, &str)]) -> String {
        let mut text = fill(self.message, values);
        for (head, part) in [("note", self.note), ("help", self.help)] {
            let part = fill(part, values);
            if !part.is_empty() {
                text.push_str(&format!("\n{head}: {part}"));
            }
        }
        text
    }
}

/// Replaces each `{name}` of `values`; other braces stay, and values are not looked into.
fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut text = String::new();
    let mut rest = template;
    while let Some(at) = rest.find('{') {
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        let named =
            values.iter().find(|(name, _)| rest[1..].strip_prefix(name).is_some_and(|after| after.starts_with('}')));
        match named {
            Some((name, value)) => {
                text.push_str(value);
                rest = &rest[name.len() + 2..];
            }
            None => {
                text.push('{');
                rest = &rest[1..];
            }
        }
    }
    text.push_str(rest);
    text
}

macro_rules! catalogue {
    ($($code:ident $id:literal $message:literal note $note:literal help $help:literal;)*) => {
        /// Every mistake the macro knows.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum Code { $($code),* }

        /// Their texts, in the order of [`Code`].
        pub(crate) static TABLE: &[Text] =
            &[$(Text { id: $id, message: $message, note: $note, help: $help }),*];
    };
}

impl Code {
    /// Its text.
    pub(crate) fn text(self) -> &'static Text {
        &TABLE[self as usize]
    }
}

catalogue! {
    // The attribute: axes.
    AxesMissing "axes-missing" "this layout has no `axes(..)`"
        note "the axes are named once, and every level divides all or some of them"
        help "begin with them: `#[sparse_layout(axes(x, y, z), {rest})]`";
    AxesTwice "axes-twice" "`axes(..)` is written twice"
        note "a grid has one list of axes"
        help "write all axes into the first one, and remove this one";
    AxesSyntax "axes-syntax" "the axes are not written as `axes(..)`"
        note "their names stand between round parentheses, with commas"
        help "write `axes(x, y, z)`, or with bounds `axes(x = -8..8, y = 0..100)`";
    AxesEmpty "axes-empty" "`axes()` names no axis"
        note "a grid has 1 to 8 axes"
        help "name them: `axes(x)` for a line, `axes(x, y)` for an image, `axes(x, y, z)` for a volume";
    AxesMany "axes-many" "this is axis number {number}, but a grid has at most 8"
        note "coordinates are `[i32; D]` with D from 1 to 8"
        help "store the components that are no coordinates as an array: `value: [f32; 4]`";
    AxisSyntax "axis-syntax" "the axis `{axis}` is followed by `{found}`"
        note "an axis is a name, or a name with bounds after `=`"
        help "write `{axis}`, `{axis} = -8..8` or `{axis} = ..` (bounds given when the grid is built)";
    AxisTwice "axis-twice" "the axis `{axis}` is named twice"
        note "each axis stands for one coordinate"
        help "give the second one another name, or remove it";
    AxisReserved "axis-reserved" "an axis cannot be called `{axis}`"
        note "inside a level, `{axis}` is an option"
        help "give the axis another name, such as `x`, `row` or `{axis}_axis`";
    AxisUnused "axis-unused" "no level divides the axis `{axis}`{where}"
        note "an axis has as many cells as its levels divide it into"
        help "give one of the levels a size for it: `{axis} = 8`; or remove it from `axes(..)`";
    AxisUnknown "axis-unknown" "there is no axis `{axis}`"
        note "`axes(..)` names {axes}"
        help "{help}";

    // The attribute: bounds.
    BoundsSyntax "bounds-syntax" "the bounds of the axis `{axis}` are not written as `LO..HI`"
        note "bounds are half-open: the first is in, the second is not"
        help "write `{axis} = {suggestion}`, or `{axis} = ..` to give them when the grid is built";
    BoundsEmpty "bounds-empty" "the axis `{axis}` has no cell: its bounds are {lo}..{hi}"
        note "bounds are half-open, the lower one first"
        help "{help}";
    BoundsRange "bounds-range" "the bound {bound} of the axis `{axis}` is no `i32`"
        note "coordinates are `i32`: bounds lie from -2147483648 to 2147483648, of which the upper one is not included"
        help "shift the axis so that all its coordinates are `i32`, or make it shorter";
    BoundsShort "bounds-short" "the sizes of the axis `{axis}` give {total} cells, but its bounds {lo}..{hi} hold {extent}"
        note "the sizes along an axis must cover its bounds: here {product}"
        help "make the outermost size {needed}, or `_` for what is needed, or end the bounds at {end}";
    BoundsLong "bounds-long" "the sizes of the axis `{axis}` give {total} cells, but its bounds {lo}..{hi} hold {extent}"
        note "at least one whole outermost cell of {cell} would never be used"
        help "make the outermost size {needed}, or `_` for what is needed, or let the bounds end at {end}";
    BoundsRunTime "bounds-run-time" "the bounds of the axis `{axis}` are given when the grid is built, so its outermost size must be `_`"
        note "how many outermost cells there are follows from the bounds"
        help "write `_` in place of this size, or fixed bounds: `{axis} = LO..HI`";
    BoundsUnbounded "bounds-unbounded" "the axis `{axis}` has bounds, but this `hash` divides it without bound"
        note "an unbounded `hash` takes every `i32`"
        help "remove the bounds of `{axis}`, or give the level a size: `hash({named})`";

    // The attribute: what it consists of.
    TreeMissing "tree-missing" "this layout has no level"
        note "after the axes stands the tree: levels from the outermost to the innermost, with `>` between them"
        help "add one: `axes({axes}), hash() > pointer(16) > bitmasked(8)` (unbounded), or `axes({axes}), dense(64)`";
    TreeTwice "tree-twice" "a second tree of levels begins here"
        note "levels in one another have `>` between them; levels side by side stand in braces"
        help "write `>` instead of the comma, or `{ {first}, {second} }`";
    Separator "separator" "`{found}` does not separate levels"
        note "a level is followed by `>` and the level inside it"
        help "write `>`";
    GreaterBeforeBraces "greater-before-braces" "`>` stands before braces"
        note "the braces of a level follow it at once"
        help "remove the `>`: `{level} { .. }`";
    AfterBraces "after-braces" "nothing can follow the braces of a level but a comma"
        note "what a level holds stands inside its braces"
        help "move it into the braces: `{ .., {found} }`";
    ItemComma "item-comma" "a comma is missing before `{found}`"
        note "the fields and levels in braces are separated by commas"
        help "write `, {found}`";
    Semicolon "semicolon" "`;` does not separate the parts of a layout"
        note "commas do"
        help "write `,`";
    Unexpected "unexpected" "unexpected `{found}`"
        note "{place}"
        help "{help}";
    OptionUnknown "option-unknown" "there is no option `{option}`"
        note "after the tree may stand `crate = path`, `allow(non_power_of_two)`, `deny(non_power_of_two)` and `padded`"
        help "{help}";
    OptionSyntax "option-syntax" "the option `{option}` is not written like this"
        note "the options are `crate = path`, `allow(non_power_of_two)`, `deny(non_power_of_two)` and `padded`"
        help "write `{suggestion}`";
    OptionTwice "option-twice" "the option `{option}` is given twice"
        note "{why}"
        help "remove one of the two";

    // Levels: the words.
    KindUnknown "kind-unknown" "there is no kind of level `{kind}`"
        note "a level is `dense`, `bitmasked`, `pointer`, `hash` or `dynamic`"
        help "{help}";
    KindForeign "kind-foreign" "there is no kind of level `{kind}`"
        note "{why}"
        help "write `{kind2}`";
    KindParens "kind-parens" "`{kind}` is not followed by round parentheses"
        note "every level is written with them: `{kind}(SIZES)`"
        help "write `{suggestion}`";
    KindBrackets "kind-brackets" "the sizes of a level stand in round parentheses"
        note "as in a call, not as in an index or a list of generics"
        help "write `{suggestion}`";
    NameEquals "name-equals" "a level is named with `:`, not with `{found}`"
        note "`=` gives sizes and options their values"
        help "write `{name}: {kind}(..)`";
    FlagAsLevel "flag-as-level" "`{flag}` is an option of a level, not a level"
        note "options stand between the parentheses of their level, after its sizes"
        help "write `{suggestion}`";
    FieldChained "field-chained" "the field `{field}` is placed with `>`"
        note "`>` is for levels; fields stand in the braces of their level"
        help "write `{level} { {field} }`";
    FieldTyped "field-typed" "the field `{field}` is given a type here"
        note "types stand in the struct below; the tree has only the names"
        help "write `{field}`";

    // Levels: the sizes.
    SizeMissing "size-missing" "this `{kind}` level has no sizes"
        note "only `hash()` can do without: it is unbounded then"
        help "write `{kind}(8)` for 8 cells along every axis, or `{kind}({named})`";
    SizeColon "size-colon" "the size of the axis `{axis}` follows `{found}`"
        note "sizes and options are given with `=`"
        help "write `{axis} = {size}`";
    SizeTuple "size-tuple" "these sizes stand in parentheses of their own"
        note "the sizes of a level are written one after the other"
        help "write `{kind}({inner})`";
    SizeZero "size-zero" "a level cannot have the size 0"
        note "it would hold no cell{along}"
        help "write 1 or more, or leave the axis out: then the level does not divide it";
    SizeNegative "size-negative" "the size {size} is negative"
        note "a size counts cells; where the axis begins is said by its bounds"
        help "write `{positive}`, and for negative coordinates bounds such as `axes(x = -{positive}..{positive})`";
    SizeFloat "size-float" "the size {size} is no integer"
        note "a size counts cells"
        help "write `{suggestion}`";
    SizeRange "size-range" "a size is one number, not a range"
        note "a size counts cells; where an axis begins and ends is said by its bounds"
        help "write `{suggestion}` here, and `axes(x {bounds})` for the bounds";
    SizeExpr "size-expr" "an expression as a size needs braces"
        note "a size is an integer, the path of a constant, an expression in braces, or `_`"
        help "write `{{expr}}`";
    SizeOther "size-other" "`{found}` is no size"
        note "a size is an integer, the path of a constant, an expression in braces, or `_` for what the bounds need"
        help "write such a size: `8`, `N`, `{ 2 * N }`";
    SizeCount "size-count" "{given} sizes are given for {axes} axes"
        note "one size holds for every axis; else there is one for each of {names}, or they are named"
        help "write `{kind}({all})`, or name the axes that this level divides: `{kind}({named})`";
    SizeMixed "size-mixed" "sizes with and without an axis are mixed"
        note "either every size names its axis, or none does"
        help "write `{kind}({named})`";
    SizeTwice "size-twice" "the axis `{axis}` gets two sizes in one level"
        note "a level divides an axis once"
        help "remove one, or write two levels: `{kind}({axis} = ..) > {kind}({axis} = ..)`";
    SizeOfAxis "size-of-axis" "the axis `{axis}` gets no size"
        note "only a `hash` level can leave an axis unbounded"
        help "write `{axis} = 8`";
    CoverInner "cover-inner" "`_` is for the outermost level that divides an axis, and {above} divides `{axis}` before"
        note "the outermost size follows from the bounds and the sizes inside; an inner one does not"
        help "write how many cells each cell of {above} has along `{axis}`";
    CoverUnbounded "cover-unbounded" "`_` needs bounds to cover, and the axis `{axis}` has none"
        note "without bounds the extent of an axis is the product of its sizes"
        help "write the size, or give the axis bounds: `axes({axis} = LO..HI)`, or `axes({axis} = ..)` to give them when the grid is built";

    // Levels: the options.
    FlagUnknown "flag-unknown" "a `{kind}` level has no option `{flag}`"
        note "levels have the options `morton`, `soa`, `aosoa`, `aos`; `hash` levels `hasher = TYPE`, `dynamic` levels `max = N` and `chunk = N`"
        help "{help}";
    FlagMisfit "flag-misfit" "`{flag}` does not fit a `{kind}` level"
        note "{why}"
        help "{help}";
    FlagTwice "flag-twice" "`{flag}` is given twice"
        note "an option is said once"
        help "remove one of the two";
    FlagConflict "flag-conflict" "`{flag}` contradicts `{other}`"
        note "fields are stored in one way: `soa` (each in memory of its own), `aosoa` (the arrays of one block side by side) or `aos` (records)"
        help "keep one of the two";
    FlagValue "flag-value" "the option `{flag}` is not written like this"
        note "{why}"
        help "write `{suggestion}`";
    MortonSize "morton-size" "`morton` needs powers of two, and the size of the axis `{axis}` is {size}"
        note "Z-order interleaves the bits of the coordinates"
        help "write {next}, or leave out `morton`";

    // The tree.
    FieldUnknown "field-unknown" "the struct has no field `{field}`"
        note "the names in braces are fields of the struct below{fields}"
        help "{help}";
    FieldTwice "field-twice" "the field `{field}` is placed twice"
        note "a field has one value per cell of one level; it was placed in {first} before"
        help "remove one of the two";
    FieldUnplaced "field-unplaced" "no level holds the field `{field}`"
        note "every level has braces or a level inside it, so there is none for the fields that are not named"
        help "name it in the braces of a level: `{level} { {field} }`";
    LevelEmpty "level-empty" "{level} holds nothing"
        note "a level holds fields, or levels; only over `bitmasked` is the activity itself data"
        help "{help}";
    LevelNameTwice "level-name-twice" "two levels are called `{level}`"
        note "the name becomes a method of the grid: `{level}()`"
        help "rename one of the two";
    LevelNameField "level-name-field" "`{level}` is the name of a level and of a field"
        note "both become a method of the grid: `{level}()`"
        help "rename the level: `{level}s` or `{level}_level`";
    HashInner "hash-inner" "an unbounded `hash` must be outermost, and this one stands inside {above}"
        note "the cells of a level inside another one are counted from 0 in each cell of that other one"
        help "move it to the front, or give it sizes: `hash({named})`";
    HashBuckets "hash-buckets" "`hash({size})` does not say which axes have {size} cells"
        note "the number is the extent of the level, not a number of buckets: its table grows by itself"
        help "write `hash()` for an unbounded level, or `hash({named})`";
    DynamicInner "dynamic-inner" "a `dynamic` level is innermost: it cannot hold levels"
        note "it is a list for each cell of the level above"
        help "put the levels above it: `.. > {inner} > dynamic({axis}, max = 16)`";
    DynamicAxis "dynamic-axis" "the list axis of a `dynamic` level cannot be the axis `{axis}`"
        note "it counts the items of each list, and is no coordinate"
        help "give it a name of its own: `dynamic(i, max = 16)`";
    DynamicAxes "dynamic-axes" "a `dynamic` level has one list axis, but this one is given {given}"
        note "it is a list for each cell of the level above: `dynamic(i, max = 16)`"
        help "{help}";
    DynamicMax "dynamic-max" "this `dynamic` level has no `max`"
        note "`max` is the largest number of items of one list; a push beyond it gives `Full`"
        help "write `dynamic({axis}, max = 16)`";
    DynamicRoot "dynamic-root" "a `dynamic` level needs a level around it"
        note "it is a list for each cell of the level above"
        help "write `hash() > dynamic({axis}, max = 16)`, or use a `Vec` for one list";
    RestAmbiguous "rest-ambiguous" "{levels} could hold the fields {fields}"
        note "fields that are not named in braces go to the one level that has neither braces nor a level inside it"
        help "name them in the braces of their level: `{level} { {field} }`";
    ExtentsDiffer "extents-differ" "the axis `{axis}` has {one} cells in {level}, but {other} here, in {level2}"
        note "an axis with bounds has one extent: the sizes along every path must give the same product"
        help "change the sizes of one of the two, or leave the axis out of that path";
    ExtentLarge "extent-large" "the axis `{axis}` has {extent} cells, more than the 2147483648 that an `i32` counts from 0"
        note "the sizes of its levels multiply: {product}"
        help "make one of the sizes smaller, or use an unbounded `hash` as the outermost level";
    CellsMany "cells-many" "the levels down to {level} have {cells} cells, more than 2^63"
        note "cells are numbered with 64 bits: {product}"
        help "make one of the sizes smaller, or use a `hash` as the outermost level";
    NodeLarge "node-large" "a node of {level} would take {bytes} bytes or more, beyond the 2^46 that can be addressed"
        note "all cells down to the next `pointer` or `hash` level are one node: {product}"
        help "put a `pointer` or `hash` level around it, so that only what is used takes memory";
    TooMany "too-many" "{what}: {number}, but at most {most} are possible"
        note "the limit keeps compile times bounded"
        help "{help}";
    PowerOfTwo "power-of-two" "{level} divides {axes} again, by {size}, which is no power of two"
        note "a level further in divides an axis by shift and mask if its size is a power of two, else by division, which makes every access slower"
        help "use {next}, or say that it is meant: `allow(non_power_of_two)` after the tree (and please report the use that needs it)";

    // The item.
    ItemKind "item-kind" "`#[sparse_layout]` is for structs: this is {what}"
        note "the fields of the struct become the fields of the grid"
        help "write `struct {name} { density: f32 }`{more}";
    StructTuple "struct-tuple" "the fields of a layout need names"
        note "each field becomes a method of the grid"
        help "write `struct {name} { {fields} }`";
    StructEmpty "struct-empty" "`{name}` has no field"
        note "only a `bitmasked` innermost level can do without: its activity is the data then"
        help "add a field: `density: f32`; or make the innermost level `bitmasked`";
    Lifetime "lifetime" "a layout cannot have the lifetime parameter `{lifetime}`"
        note "a grid owns its values, and they are plain data that can be copied byte by byte, so nothing in it can borrow"
        help "remove it; to refer to other data, store its index";
    GenericElement "generic-element" "the type parameter `{param}` has no bound `Element`"
        note "a field holds plain data, which the bound says"
        help "write `{param}: Element` (from the prelude)";
    NameTaken "name-taken" "the {what} `{name}` would get the method `{method}`, which {owner} has already"
        note "names of fields and levels become methods of the grid"
        help "rename one of the two";
    NameReserved "name-reserved" "a {what} cannot be called `{name}`"
        note "every grid has the method `{method}` (it {purpose})"
        help "give it another name, such as `{name}_`";
    FieldCfg "field-cfg" "`#[cfg]` on a field of a layout"
        note "the tree is read before the compiler decides which fields exist"
        help "put `#[cfg(..)]` on two whole layouts, one with the field and one without";
    FieldOption "field-option" "a field has no option `{option}`"
        note "the options are `background = EXPR`, `split`, `bits` and `double`"
        help "{help}";
    FieldOptionTwice "field-option-twice" "the option `{option}` of the field `{field}` is given twice"
        note "an option is said once"
        help "remove one of the two";
    FieldOptionSyntax "field-option-syntax" "the option `{option}` is not written like this"
        note "the options are `#[field(background = EXPR)]`, `#[field(split)]`, `#[field(bits)]` and `#[field(double)]`"
        help "write `{suggestion}`";
    SplitScalar "split-scalar" "the field `{field}` has no components to split: it is a `{type}`"
        note "`split` stores an array or a vector as one array per component"
        help "remove `split`, or make the field an array such as `[{type}; 3]`";
    BitsType "bits-type" "`bits` is for `bool`, and the field `{field}` is a `{type}`"
        note "it stores a bool in one bit"
        help "make the field a `bool`, or remove `bits`";
    BitsMissing "bits-missing" "the field `{field}` is a `bool`"
        note "values are stored as plain bytes, and not every byte is a `bool`"
        help "store it in one bit: `#[field(bits)] {field}: bool`; or as a `u8`";
    BitsSplit "bits-split" "`bits` and `split` are given for one field"
        note "a `bool` has no components"
        help "keep one of the two";
    AttributeLost "attribute-lost" "the attribute `#[{attribute}]` would be lost"
        note "{why}"
        help "{help}";
    OptionStorage "option-storage" "`{option}` does not fit a level that is stored `{storage}`"
        note "{why}"
        help "remove `{storage}` from the level, or `{option}` from the field";
}
