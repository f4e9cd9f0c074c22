//! Conversions between the cells of a field and those of the named levels above it, which need no grid.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::ext::IdentExt;

use super::Context;
use super::methods::Names;
use crate::ast::Bounds;
use crate::model::Place;

/// `id_to_section(p)` and `section_to_id(c)` for a field `id` below a level named `section`.
pub(super) fn methods(context: &Context<'_>, names: &mut Names) -> TokenStream {
    let (model, rt, vis) = (context.model, &context.rt, &context.model.item.vis);
    if model.axes.iter().any(|axis| matches!(axis.bounds, Bounds::RunTime)) {
        return TokenStream::new();
    }
    let mut tokens = TokenStream::new();
    for (index, field) in model.item.fields.iter().enumerate() {
        let Place::Level(level) = model.places[index] else { continue };
        if field.twin_of_double {
            continue;
        }
        let path = model.path(level);
        for &above in path.iter().filter(|&&above| above != level) {
            let Some(name) = &model.levels[above].name else { continue };
            let (fine, coarse) = (field.ident.unraw(), name.unraw());
            let down = format_ident!("{fine}_to_{coarse}", span = field.ident.span());
            let up = format_ident!("{coarse}_to_{fine}", span = field.ident.span());
            // A field or level of that name has it.
            if !names.add(&down) || !names.add(&up) {
                continue;
            }
            let (from, to) =
                (context.at(Place::Level(level), &quote!(Self)), context.at(Place::Level(above), &quote!(Self)));
            let (point, cell) = (context.point(level), context.point(above));
            let down_docs = format!("The cell of the level `{coarse}` that holds a cell of `{fine}`.");
            let up_docs = format!("The cells of `{fine}` in a cell of the level `{coarse}`.");
            tokens.extend(quote! {
                #[doc = #down_docs]
                #[inline]
                #[must_use]
                #vis fn #down(p: impl #rt::Coord<#point>) -> #cell {
                    #rt::coarse_cell::<#from, #to>(#rt::Coord::point(p))
                }

                #[doc = #up_docs]
                #[inline]
                #[must_use]
                #vis fn #up(cell: impl #rt::Coord<#cell>) -> #rt::Region<#point> {
                    #rt::fine_cells::<#to, #from>(#rt::Coord::point(cell))
                }
            });
        }
    }
    tokens
}
