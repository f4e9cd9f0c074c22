//! Two pictures of the band: the hottest cell of each column, from above and from the side.

use crate::band::Band;
use crate::picture::{Colour, PANEL, bytes, mix};

/// From cold to hot; what is not active keeps the first.
const COLOURS: [Colour; 5] =
    [[0.05, 0.05, 0.09], [0.35, 0.05, 0.33], [0.80, 0.17, 0.20], [0.98, 0.60, 0.15], [1.0, 0.98, 0.80]];

/// The hottest cells seen along z, and along y.
pub(crate) fn panels(band: &Band) -> [Vec<[u8; 3]>; 2] {
    let reach = band.reach();
    let side = (2 * reach + 1) as usize;
    let mut columns = [vec![None; side * side], vec![None; side * side]];
    band.for_each(|[x, y, z], t| {
        for (columns, row) in columns.iter_mut().zip([y, z]) {
            let (Ok(column), Ok(row)) = (usize::try_from(x + reach), usize::try_from(reach - row)) else { continue };
            if column < side && row < side {
                let hottest: &mut Option<f32> = &mut columns[row * side + column];
                *hottest = Some(hottest.map_or(t, |old| old.max(t)));
            }
        }
    });
    columns.map(|columns| {
        let pixel = |i: usize| {
            let at = |i: usize| (i * side) / PANEL;
            columns[at(i / PANEL) * side + at(i % PANEL)].map_or(bytes(COLOURS[0]), colour)
        };
        (0..PANEL * PANEL).map(pixel).collect()
    })
}

/// The colour of an active cell: temperatures below 1 by their logarithm, three decades of it.
fn colour(t: f32) -> [u8; 3] {
    let place = ((t.max(1e-6).log10() + 3.0) / 3.0).clamp(0.0, 1.0);
    let at = 0.6 + place * (COLOURS.len() as f32 - 1.6);
    let i = (at as usize).min(COLOURS.len() - 2);
    bytes(mix(COLOURS[i], COLOURS[i + 1], at - i as f32))
}
