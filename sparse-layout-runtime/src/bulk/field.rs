//! Many values of one field at once.

use super::error::BulkError;
use super::fill::{Combine, Merge, Replace, write_many};
use crate::coord::Region;
use crate::element::Element;
use crate::field::{GridFieldMut, Lane};
use crate::layout::Level;
use crate::parallel::ParallelError;
use rayon::prelude::*;

impl<L: Level, T: Element> GridFieldMut<'_, L, T> {
    /// Sets many cells at once, activating the paths to them: `values[i]` at `coords[i]`. A cell that comes twice keeps the
    /// last value. In parallel; the same grid results for any number of threads and any order of distinct cells.
    ///
    /// # Errors
    /// If a cell is out of bounds, naming the first and how many there are: then nothing is changed. If the grid's nodes are
    /// exhausted.
    ///
    /// # Panics
    /// If there are not as many values as cells.
    ///
    /// # Cost
    /// Three passes over the cells, and 4 bytes a cell besides a copy of the values. Several times faster than
    /// [`set`](Self::set) for cells in any order.
    pub fn set_many(&mut self, coords: &[L::Point], values: &[T]) -> Result<(), BulkError> {
        assert_eq!(coords.len(), values.len(), "set_many: one value for each cell");
        self.set_many_with(coords, |i| values[i])
    }

    /// As [`set_many`](Self::set_many), with the value that `value` gives for the index of each cell. It is called once for
    /// each, from many threads.
    ///
    /// # Errors
    /// As [`set_many`](Self::set_many).
    pub fn set_many_with(&mut self, coords: &[L::Point], value: impl Fn(usize) -> T + Sync) -> Result<(), BulkError> {
        self.write_many(coords, value, &Replace)
    }

    /// As [`set_many_with`](Self::set_many_with), but a value that comes to an active cell (one from before, or one that came
    /// earlier in the list) is combined with the one there: `combine(there, new)`, in the order of the list.
    ///
    /// Cells of levels without activity of their own (dense ones) are active as soon as their node exists: a value that
    /// comes to one is combined with the background.
    ///
    /// # Errors
    /// As [`set_many`](Self::set_many).
    ///
    /// # Panics
    /// If `combine` does; the grid stays valid.
    pub fn combine_many(
        &mut self,
        coords: &[L::Point],
        value: impl Fn(usize) -> T + Sync,
        combine: impl Fn(&mut T, T) + Sync,
    ) -> Result<(), BulkError> {
        self.write_many(coords, value, &Combine(combine))
    }

    /// Sets the cells of a box from an array, row by row, the last coordinate fastest. Values that equal the background, byte
    /// by byte, are left out: their cells stay as they are.
    ///
    /// # Errors
    /// If there are not as many values as cells; as [`set_many`](Self::set_many) for those that are not left out.
    ///
    /// # Cost
    /// One pass over the array, then as [`set_many`](Self::set_many) for what is not background.
    pub fn set_dense(&mut self, region: Region<L::Point>, values: &[T]) -> Result<(), BulkError> {
        let background = self.as_field().background();
        let is_set = |v: &T| bytemuck::bytes_of(v) != bytemuck::bytes_of(&background);
        let (coords, places) = foreground(region, values, is_set)?;
        self.set_many_with(&coords, |i| values[places[i] as usize])
    }

    fn write_many(
        &mut self,
        coords: &[L::Point],
        value: impl Fn(usize) -> T + Sync,
        merge: &impl Merge<T>,
    ) -> Result<(), BulkError> {
        let (field, name) = (self.field, self.as_field().name());
        write_many::<L, Lane<'_, L, T>>(self.core, name, coords, value, |core| Lane::new(core, field), merge)
    }
}

/// The cells of a box whose values are not background, and the places of these in the array.
pub(super) fn foreground<P: crate::coord::Point, V: Sync>(
    region: Region<P>,
    values: &[V],
    is_set: impl Fn(&V) -> bool + Sync,
) -> Result<(Vec<P>, Vec<u32>), BulkError> {
    if region.len() != values.len() as u64 {
        return Err(BulkError::Length { values: values.len(), cells: region.len() });
    }
    if values.len() > u32::MAX as usize {
        return Err(ParallelError::TooManyItems { items: values.len() }.into());
    }
    let places: Vec<u32> = (values.par_iter().enumerate().with_min_len(1 << 12))
        .filter_map(|(i, v)| is_set(v).then_some(i as u32))
        .collect();
    let coords = places.par_iter().map(|&i| region.point(u64::from(i))).collect();
    Ok((coords, places))
}
