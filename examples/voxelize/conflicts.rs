//! Neighbours that contradict each other about their sides.
//!
//! A cell at distance `a` and its neighbour at distance `b` can only be on different sides if the surface passes between them, and
//! then `a + b` is at most the edge of a cell. Where it is more and the signs differ all the same, one of the two is wrong: such cells
//! stand beside faces that overlap, where the nearest face is a matter of chance.

use crate::distance::{CELLS, EDGE};

/// Asks `is_inside` about each cell that contradicts a neighbour in the same block, and about the neighbours that contradict the
/// answers, until no new ones do. `edge` is that of a cell in the unit of the values, whose sign is set anew.
pub(crate) fn settle(values: &mut [f32], mask: &[u64; 8], edge: f32, mut is_inside: impl FnMut(usize) -> bool) {
    let contradict = |values: &[f32], a: usize, b: usize| {
        let (a, b) = (values[a], values[b]);
        (a < 0.0) != (b < 0.0) && a.abs() + b.abs() > 1.001 * edge
    };
    let active = |cell: usize| mask[cell >> 6] >> (cell & 63) & 1 == 1;
    let mut open: Vec<usize> = Vec::new();
    for cell in (0..CELLS).filter(|&cell| active(cell)) {
        for next in after(cell).filter(|&next| active(next)) {
            if contradict(values, cell, next) {
                open.extend([cell, next]);
            }
        }
    }
    let mut settled = [0_u64; 8];
    while let Some(cell) = open.pop() {
        if settled[cell >> 6] >> (cell & 63) & 1 == 1 {
            continue;
        }
        settled[cell >> 6] |= 1 << (cell & 63);
        let distance = values[cell].abs();
        values[cell] = if is_inside(cell) { -distance } else { distance };
        open.extend(after(cell).chain(before(cell)).filter(|&next| active(next) && contradict(values, cell, next)));
    }
}

/// The strides of the three axes in cell numbers.
const STRIDES: [usize; 3] = [EDGE * EDGE, EDGE, 1];

fn after(cell: usize) -> impl Iterator<Item = usize> {
    STRIDES.into_iter().filter(move |stride| cell / stride % EDGE + 1 < EDGE).map(move |stride| cell + stride)
}

fn before(cell: usize) -> impl Iterator<Item = usize> {
    STRIDES.into_iter().filter(move |stride| !(cell / stride).is_multiple_of(EDGE)).map(move |stride| cell - stride)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The distance to the plane x = 3.25.
    fn plane(cell: usize) -> f32 {
        (cell / 64) as f32 - 3.25
    }

    fn settled(wrong: impl Fn(usize) -> bool) -> ([f32; CELLS], usize) {
        let mut values: [f32; CELLS] = std::array::from_fn(|cell| if wrong(cell) { -plane(cell) } else { plane(cell) });
        let mut asked = 0;
        settle(&mut values, &[u64::MAX; 8], 1.0, |cell| {
            asked += 1;
            plane(cell) < 0.0
        });
        (values, asked)
    }

    #[test]
    fn a_patch_of_wrong_signs_is_turned() {
        // Cells with x of 5 to 7, y and z of 2 to 5.
        let wrong = |cell: usize| cell >= 320 && (2..6).contains(&(cell / 8 % 8)) && (2..6).contains(&(cell % 8));
        let (values, asked) = settled(wrong);
        assert!((0..CELLS).all(|cell| values[cell] == plane(cell)));
        // Each wrong cell and the right ones around, once: 48 cells, 16 a layer beside them, 16 below.
        assert_eq!(asked, 48 + 3 * 16 + 16);
    }

    #[test]
    fn layers_of_wrong_signs_are_turned_from_their_edge() {
        // Two layers at either end: only the inner one contradicts at first. Each is asked with the right layer beside it.
        for wrong in [|cell: usize| cell < 128, |cell: usize| cell >= 384] {
            let (values, asked) = settled(wrong);
            assert!((0..CELLS).all(|cell| values[cell] == plane(cell)));
            assert_eq!(asked, 3 * 64);
        }
    }

    #[test]
    fn where_all_agree_nobody_is_asked() {
        assert_eq!(settled(|_| false).1, 0);
    }
}
