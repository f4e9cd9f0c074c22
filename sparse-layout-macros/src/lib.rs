//! The `#[sparse_layout]` attribute. Users take it from the crate `sparse-layout`, whose documentation describes the
//! language; the phases are described in the README beside this crate.

mod ast;
mod check;
mod declaration;
mod error;
mod expand;
mod fallback;
mod model;
mod parse;
mod words;

#[cfg(test)]
mod tests;

/// Declares a grid: axes, and a tree of levels that divide them and hold the fields of the struct.
///
/// The documentation of the crate `sparse-layout` describes the language.
#[proc_macro_attribute]
pub fn sparse_layout(args: proc_macro::TokenStream, item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    declaration::declaration(args.into(), item.into()).tokens.into()
}
