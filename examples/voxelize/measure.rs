//! What can be read off a level set, cell by cell: each function is the body of a loop over the active cells.
//!
//! `get` is the distance at a cell in any one unit, None outside of the band.

use crate::mesh::norm;

/// What a cell adds to the enclosed volume, in cells. Along z, each column of cells goes in and out of the surface; the volume is
/// the sum of the heights at which it comes out less those at which it goes in (the divergence theorem for the field (0, 0, z)).
/// A crossing lies between two cells of different sign, both in the band, and belongs to the lower one.
pub(crate) fn volume_of_cell(p: [i32; 3], d: f32, get: impl FnOnce([i32; 3]) -> Option<f32>) -> f64 {
    let Some(above) = get([p[0], p[1], p[2] + 1]) else { return 0.0 };
    let crosses = (d < 0.0) != (above < 0.0);
    if !crosses {
        return 0.0;
    }
    let height = f64::from(p[2]) + f64::from(d) / (f64::from(d) - f64::from(above));
    if d < 0.0 { height } else { -height }
}

/// How many of the three neighbours along the axes differ from the cell by more than one cell's edge. A distance cannot; a signed one
/// does where the sign jumps: at the rims of holes and where the mesh cuts itself.
pub(crate) fn jumps_of_cell(p: [i32; 3], d: f32, edge: f32, mut get: impl FnMut([i32; 3]) -> Option<f32>) -> usize {
    (0..3)
        .filter(|&axis| {
            let mut q = p;
            q[axis] += 1;
            get(q).is_some_and(|other| (other - d).abs() > 1.001 * edge)
        })
        .count()
}

/// One step of smoothing: the cell moves a good way towards the mean of its neighbours along the axes, as far as these are in the band.
pub(crate) fn smoothed_cell(p: [i32; 3], d: f32, mut get: impl FnMut([i32; 3]) -> Option<f32>) -> f32 {
    const WEIGHT: f32 = 0.5;
    let mut sum = 0.0;
    for axis in 0..3 {
        for step in [-1, 1] {
            let mut q = p;
            q[axis] += step;
            // Past the edge of the band the distance goes on in its slope: the opposite neighbour says how.
            let mut opposite = p;
            opposite[axis] -= step;
            sum += get(q).unwrap_or_else(|| 2.0 * d - get(opposite).unwrap_or(d));
        }
    }
    d + WEIGHT * (sum / 6.0 - d)
}

/// The unit gradient at a point from six values around it, or `fallback` where it vanishes.
pub(crate) fn unit_gradient(p: [f64; 3], fallback: [f64; 3], mut value: impl FnMut([f64; 3]) -> f64) -> [f64; 3] {
    let gradient = [0, 1, 2].map(|axis| {
        let (mut before, mut after) = (p, p);
        before[axis] -= 1.0;
        after[axis] += 1.0;
        value(after) - value(before)
    });
    let length = norm(gradient);
    if length > 0.0 { gradient.map(|g| g / length) } else { fallback }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Distance to a sphere of radius 20, in a band of 3 cells.
    fn sphere(p: [i32; 3]) -> Option<f32> {
        let d = norm(p.map(f64::from)) - 20.0;
        (d.abs() < 3.0).then_some(d as f32)
    }

    fn cells() -> impl Iterator<Item = ([i32; 3], f32)> {
        let side = -25..26;
        let all = side.clone().flat_map(move |x| {
            let side = side.clone();
            side.clone().flat_map(move |y| side.clone().map(move |z| [x, y, z]))
        });
        all.filter_map(|p| Some((p, sphere(p)?)))
    }

    #[test]
    fn volume_of_a_sphere() {
        let volume: f64 = cells().map(|(p, d)| volume_of_cell(p, d, sphere)).sum();
        let expected = 4.0 / 3.0 * std::f64::consts::PI * 8000.0;
        assert!((volume / expected - 1.0).abs() < 2e-3, "{volume} {expected}");
    }

    #[test]
    fn jumps_are_where_the_sign_is_wrong() {
        assert_eq!(cells().map(|(p, d)| jumps_of_cell(p, d, 1.0, sphere)).sum::<usize>(), 0);
        // One cell well outside is given the wrong sign: it differs from its neighbours on both sides along the three axes.
        let wrong = |p: [i32; 3]| sphere(p).map(|d| if p == [22, 0, 0] { -d } else { d });
        assert_eq!(cells().map(|(p, _)| jumps_of_cell(p, wrong(p).unwrap(), 1.0, wrong)).sum::<usize>(), 5);
    }

    #[test]
    fn smoothing_keeps_planes_and_flattens_spikes() {
        let plane = |p: [i32; 3]| (p[0].abs() < 3).then_some(p[0] as f32);
        for x in -2..3 {
            assert_eq!(smoothed_cell([x, 5, 7], x as f32, plane), x as f32);
        }
        let spike = |p: [i32; 3]| Some(if p == [0, 0, 0] { 1.0 } else { 0.0 });
        assert_eq!(smoothed_cell([0, 0, 0], 1.0, spike), 0.5);
        assert!((smoothed_cell([1, 0, 0], 0.0, spike) - 0.5 / 6.0).abs() < 1e-7);
    }
}
