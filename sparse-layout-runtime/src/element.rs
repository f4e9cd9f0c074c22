//! The types that a field may hold.

use bytemuck::Pod;

/// Plain data: any bit pattern is a value, zero among them.
///
/// Implemented for everything that is [`bytemuck::Pod`], `Send` and `Sync`: integers, floats, arrays of them and
/// structs that derive `Pod`. `bool` is not plain data (declare `#[field(bits)]`), nor are enums (store the integer).
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be stored in a grid: it is not plain data",
    label = "not plain data",
    note = "a field holds `bytemuck::Pod` values: integers, floats, arrays of them, and structs without padding that derive `Pod`",
    note = "for `bool` write `#[field(bits)]`; for an enum store its integer; for types of other crates turn on their `bytemuck` feature"
)]
pub trait Element: Pod + Send + Sync {}

// What is missing is said in our words, without bytemuck's list of types.
#[diagnostic::do_not_recommend]
impl<T: Pod + Send + Sync> Element for T {}
