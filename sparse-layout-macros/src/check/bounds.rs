//! Numbers: bounds, extents, cells. Only what is written as literals is known here; the runtime asserts the same in
//! constants for the rest.

use syn::ext::IdentExt;

use crate::ast::{Bounds, Kind};
use crate::check::sizes::shown;
use crate::error::{Code, Errors, Range};
use crate::model::{Level, Model, Size};

const MOST: i128 = 1 << 31;
const LEAST: i128 = -(1 << 31);

pub(super) fn all(model: &Model, errors: &mut Errors) {
    declared(model, errors);
    extents(model, errors);
    cells(model, errors);
    nodes(model, errors);
    agree(model, errors);
}

/// Bounds are `i32`s in ascending order.
fn declared(model: &Model, errors: &mut Errors) {
    for axis in &model.axes {
        let Bounds::Fixed(low, high) = &axis.bounds else { continue };
        let name = axis.name.unraw().to_string();
        let mut fits = true;
        for bound in [low, high] {
            if bound.literal().is_some_and(|value| !(LEAST..=MOST).contains(&value)) {
                errors.add(Code::BoundsRange, bound.at, &[("axis", &name), ("bound", &shown(bound))]);
                fits = false;
            }
        }
        if let (Some(lo), Some(hi), true) = (low.literal(), high.literal(), fits)
            && lo >= hi
        {
            let help =
                if lo == hi { format!("write `{lo}..{}` for one cell", lo + 1) } else { format!("write `{hi}..{lo}`") };
            let at = Range { start: low.at.start, end: high.at.end };
            let values = [("axis", name.as_str()), ("lo", &lo.to_string()), ("hi", &hi.to_string()), ("help", &help)];
            errors.add(Code::BoundsEmpty, at, &values);
        }
    }
}

fn past_i32(bounds: &Bounds) -> bool {
    match bounds {
        Bounds::Fixed(low, high) => {
            [low, high].iter().any(|bound| bound.literal().is_some_and(|value| !(LEAST..=MOST).contains(&value)))
        }
        Bounds::Sizes | Bounds::RunTime => false,
    }
}

/// The levels on a path that divide an axis, with their sizes; `None` if one of these is no literal.
fn along(model: &Model, level: usize, axis: usize) -> Option<Vec<(usize, i128)>> {
    let path = model.path(level).into_iter().filter(|&level| model.levels[level].sizes[axis].divides());
    path.map(|level| model.levels[level].sizes[axis].literal().map(|size| (level, size))).collect()
}

fn product(sizes: impl IntoIterator<Item = i128>) -> i128 {
    sizes.into_iter().fold(1, i128::saturating_mul)
}

/// `16 * 16 * 8 = 2048`
fn written(sizes: &[i128]) -> String {
    let factors: Vec<String> = sizes.iter().map(i128::to_string).collect();
    format!("{} = {}", factors.join(" * "), number(product(sizes.iter().copied())))
}

fn number(value: i128) -> String {
    if value == i128::MAX { "more than 10^38".to_owned() } else { value.to_string() }
}

/// The sizes along each axis multiply to no more than `i32` counts, and to what the bounds need.
fn extents(model: &Model, errors: &mut Errors) {
    for (axis, declared) in model.axes.iter().enumerate() {
        if past_i32(&declared.bounds) {
            continue;
        }
        let name = declared.name.unraw().to_string();
        for level in model.innermost() {
            let Some(sizes) = along(model, level, axis) else {
                inner_extent(model, level, axis, &name, errors);
                continue;
            };
            let (Some(&(outermost, first)), all) =
                (sizes.first(), sizes.iter().map(|&(_, size)| size).collect::<Vec<_>>())
            else {
                continue;
            };
            let total = product(all.iter().copied());
            let at = at(&model.levels[outermost], axis);
            // Siblings share what is above them: report it once.
            let repeated = model
                .innermost()
                .into_iter()
                .take_while(|&other| other != level)
                .any(|other| along(model, other, axis).is_some_and(|other| other == sizes));
            if repeated {
                continue;
            }
            if total > MOST {
                let values = [("axis", name.as_str()), ("extent", &number(total)), ("product", &written(&all))];
                errors.add(Code::ExtentLarge, at, &values);
                continue;
            }
            if let Bounds::Fixed(low, high) = &declared.bounds
                && let (Some(lo), Some(hi)) = (low.literal(), high.literal())
            {
                covers(&name, (lo, hi), first, &all, at, errors);
            }
        }
    }
}

/// Under an unbounded hash or `_`, the sizes further in.
fn inner_extent(model: &Model, level: usize, axis: usize, name: &str, errors: &mut Errors) {
    let path = model.path(level).into_iter().filter(|&level| model.levels[level].sizes[axis].divides());
    let sizes: Vec<(usize, i128)> =
        path.skip(1).filter_map(|level| model.levels[level].sizes[axis].literal().map(|size| (level, size))).collect();
    let all: Vec<i128> = sizes.iter().map(|&(_, size)| size).collect();
    let total = product(all.iter().copied());
    if total >= MOST
        && let Some(&(outermost, _)) = sizes.first()
    {
        let values = [("axis", name), ("extent", &number(total)), ("product", &written(&all))];
        errors.add(Code::ExtentLarge, at(&model.levels[outermost], axis), &values);
    }
}

fn at(level: &Level, axis: usize) -> Range {
    level.sizes[axis].number().map_or(level.at, |number| number.at)
}

/// The sizes cover the bounds, and no outermost cell lies wholly outside.
fn covers(axis: &str, (lo, hi): (i128, i128), first: i128, all: &[i128], at: Range, errors: &mut Errors) {
    let extent = hi - lo;
    if extent <= 0 || hi > MOST || lo < LEAST {
        return;
    }
    let total = product(all.iter().copied());
    let cell = total / first;
    let needed = (extent + cell - 1) / cell;
    let code = if total < extent {
        Code::BoundsShort
    } else if total - extent >= cell {
        Code::BoundsLong
    } else {
        return;
    };
    let values = [
        ("axis", axis),
        ("total", &total.to_string()),
        ("lo", &lo.to_string()),
        ("hi", &hi.to_string()),
        ("extent", &extent.to_string()),
        ("product", &written(all)),
        ("cell", &cell.to_string()),
        ("needed", &needed.to_string()),
        ("end", &(lo + total).to_string()),
    ];
    errors.add(code, at, &values);
}

/// The cells down to a level fit in 63 bits. Under an unbounded hash nothing is counted.
fn cells(model: &Model, errors: &mut Errors) {
    for level in 0..model.levels.len() {
        let path = model.path(level);
        let sizes: Vec<i128> =
            path.iter().flat_map(|&level| model.levels[level].sizes.iter().filter_map(Size::literal)).collect();
        let above: Vec<i128> = path[..path.len() - 1]
            .iter()
            .flat_map(|&level| model.levels[level].sizes.iter().filter_map(Size::literal))
            .collect();
        let unbounded =
            path.iter().any(|&level| model.levels[level].sizes.iter().any(|size| matches!(size, Size::Unbounded(_))));
        let total = product(sizes.iter().copied());
        if !unbounded && total > 1 << 63 && product(above) <= 1 << 63 && !errors.has(Code::ExtentLarge) {
            let name = model.described(level);
            let values = [("level", name.as_str()), ("cells", &number(total)), ("product", &written(&sizes))];
            errors.add(Code::CellsMany, model.levels[level].at, &values);
        }
    }
}

/// One node, which is a run of levels without a `pointer` or `hash` between them, fits in the address space.
fn nodes(model: &Model, errors: &mut Errors) {
    for (index, level) in model.levels.iter().enumerate() {
        if matches!(level.kind, Kind::Hash | Kind::Dynamic)
            || errors.has(Code::CellsMany)
            || errors.has(Code::ExtentLarge)
        {
            continue;
        }
        let mut sizes: Vec<i128> = level.sizes.iter().filter_map(Size::literal).collect();
        let mut above = level.parent;
        while let Some(parent) = above.filter(|&parent| !model.levels[parent].kind.is_indirect()) {
            sizes.splice(0..0, model.levels[parent].sizes.iter().filter_map(Size::literal));
            above = model.levels[parent].parent;
        }
        // A handle has 4 bytes; a value at least 1.
        let cell = match level.kind {
            Kind::Pointer => 4,
            _ if level.fields.is_empty() => 0,
            _ => 1,
        };
        let bytes = product(sizes.iter().copied()).saturating_mul(cell);
        if bytes >= 1 << 46 {
            let name = model.described(index);
            let values = [("level", name.as_str()), ("bytes", &number(bytes)), ("product", &written(&sizes))];
            errors.add(Code::NodeLarge, level.at, &values);
        }
    }
}

/// Every path gives an axis with bounds the same extent.
fn agree(model: &Model, errors: &mut Errors) {
    if errors.has(Code::BoundsShort) || errors.has(Code::BoundsLong) {
        return;
    }
    for (axis, declared) in model.axes.iter().enumerate() {
        if !matches!(declared.bounds, Bounds::Fixed(..)) {
            continue;
        }
        let mut known: Option<(usize, i128)> = None;
        for level in model.innermost() {
            let Some(sizes) = along(model, level, axis).filter(|sizes| !sizes.is_empty()) else { continue };
            let total = product(sizes.iter().map(|&(_, size)| size));
            match known {
                Some((first, extent)) if extent != total => {
                    let divides = sizes[sizes.len() - 1].0;
                    let name = declared.name.unraw().to_string();
                    let (one, two) = (model.described(first), model.described(level));
                    let values = [
                        ("axis", name.as_str()),
                        ("one", &extent.to_string()),
                        ("level", &one),
                        ("other", &total.to_string()),
                        ("level2", &two),
                    ];
                    errors.add(Code::ExtentsDiffer, at(&model.levels[divides], axis), &values);
                    break;
                }
                Some(_) => {}
                None => known = Some((level, total)),
            }
        }
    }
}
