//! Axes that no level divides, and the places of `_`, of bounds given at run time and of unbounded levels.

use syn::ext::IdentExt;

use crate::ast::{Bounds, Kind, Value};
use crate::error::{Code, Errors};
use crate::model::{Model, Size};

/// Every axis is divided.
pub(super) fn divided(model: &Model, errors: &mut Errors) {
    let unknown = model.levels.iter().any(|level| !level.sizes_known && level.kind != Kind::Dynamic);
    if unknown || model.levels.is_empty() || errors.has(Code::DynamicRoot) {
        return;
    }
    for (axis, declared) in model.axes.iter().enumerate() {
        if !model.levels.iter().any(|level| level.sizes[axis].divides()) {
            let name = declared.name.unraw().to_string();
            errors.add(Code::AxisUnused, &declared.name, &[("axis", &name), ("where", "")]);
        }
    }
}

/// `_` is for the outermost division of an axis with bounds.
pub(super) fn cover(model: &Model, errors: &mut Errors) {
    for level in &model.levels {
        let mut reported = false;
        for &axis in &level.order {
            let Size::Cells(number) = &level.sizes[axis] else { continue };
            if !matches!(number.value, Value::Cover) || reported {
                continue;
            }
            let name = model.axes[axis].name.unraw().to_string();
            if let Some(above) = model.divided_above(level.parent, axis) {
                let above = model.described(above);
                errors.add(Code::CoverInner, number.at, &[("axis", &name), ("above", &above)]);
                reported = true;
            } else if matches!(model.axes[axis].bounds, Bounds::Sizes)
                && !errors.has(Code::BoundsSyntax)
                && !errors.has(Code::AxisSyntax)
            {
                errors.add(Code::CoverUnbounded, number.at, &[("axis", &name)]);
                reported = true;
            }
        }
    }
}

/// Bounds given at run time need `_` as the outermost size.
pub(super) fn run_time(model: &Model, errors: &mut Errors) {
    for level in &model.levels {
        for &axis in &level.order {
            let name = model.axes[axis].name.unraw().to_string();
            let outermost = model.divided_above(level.parent, axis).is_none();
            if !matches!(model.axes[axis].bounds, Bounds::RunTime) || !outermost {
                continue;
            }
            if let Size::Cells(number) = &level.sizes[axis]
                && !matches!(number.value, Value::Cover | Value::Broken)
            {
                errors.add(Code::BoundsRunTime, number.at, &[("axis", &name)]);
            }
        }
    }
}

/// An axis with bounds is not divided without bound.
pub(super) fn unbounded(model: &Model, errors: &mut Errors) {
    for level in &model.levels {
        for &axis in &level.order {
            if let (Size::Unbounded(span), false) =
                (&level.sizes[axis], matches!(model.axes[axis].bounds, Bounds::Sizes))
            {
                let name = model.axes[axis].name.unraw().to_string();
                let named: Vec<String> = level
                    .order
                    .iter()
                    .map(|&axis| {
                        let name = model.axes[axis].name.to_string();
                        if matches!(model.axes[axis].bounds, Bounds::Sizes) { name } else { format!("{name} = _") }
                    })
                    .collect();
                errors.add(Code::BoundsUnbounded, *span, &[("axis", &name), ("named", &named.join(", "))]);
            }
        }
    }
}
