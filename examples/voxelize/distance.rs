//! Distance from points to one triangle as affine functions of the point.
//!
//! With the unit normal `n` of a triangle and, for each edge from corner `c` with unit direction `e`, the vector `m = e x n` that
//! points out of the triangle, a point `p` has the height `h = n.(p-c)`, and for each edge the place along it `t = e.(p-c)` and the
//! excess beyond it `w = m.(p-c)`. If no `w` is positive the nearest point is in the face and the squared distance is `h^2`; else it
//! is on an edge and the squared distance is `h^2` plus the least `w^2 + o^2`, where `o` is how far `t` lies outside of `0..length`.
//! All seven functions are affine, so a row of cells costs one multiplication and one addition each, without branches.

use crate::mesh::{cross, dot, norm, scale, sub};

/// One triangle with the directions that its distance needs.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) corners: [[f64; 3]; 3],
    /// Unit normal; of a triangle without area, some direction square to it.
    pub(crate) normal: [f64; 3],
    /// Unit direction of edge `i`, from corner `i` to corner `i + 1`.
    along: [[f64; 3]; 3],
    /// Unit vectors square to the edges and to the normal, out of the triangle.
    pub(crate) outward: [[f64; 3]; 3],
    length: [f64; 3],
    pub(crate) has_area: bool,
}

/// The part of a triangle that is nearest to a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Feature {
    Face,
    /// From this corner to the next.
    Edge(usize),
    Corner(usize),
}

/// The nearest place on a triangle, seen from a point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nearest {
    pub(crate) squared: f64,
    pub(crate) feature: Feature,
    /// From the nearest place to the point.
    pub(crate) offset: [f64; 3],
}

/// `[f(0), f(1), f(2)]`; the `map` of arrays is not always inlined.
#[inline(always)]
fn each<T>(f: impl Fn(usize) -> T) -> [T; 3] {
    [f(0), f(1), f(2)]
}

/// A triangle counts as having no area if its height is below this part of its longest edge.
const FLAT: f64 = 1e-10;

impl Frame {
    pub(crate) fn new(corners: [[f64; 3]; 3]) -> Self {
        let edges = each(|i| sub(corners[(i + 1) % 3], corners[i]));
        let length = each(|i| norm(edges[i]));
        let longest = (0..3).fold(0, |best, i| if length[i] > length[best] { i } else { best });
        let doubled = cross(edges[0], edges[1]);
        let area = norm(doubled);
        let has_area = area > FLAT * length[longest] * length[longest];
        // Edges without length borrow the direction of the longest one; its end points are then its only places.
        let main = if length[longest] > 0.0 { scale(edges[longest], 1.0 / length[longest]) } else { [1.0, 0.0, 0.0] };
        let normal = if has_area { scale(doubled, 1.0 / area) } else { square_to(main) };
        let along = each(|i| if length[i] > 0.0 { scale(edges[i], 1.0 / length[i]) } else { main });
        Self { corners, normal, along, outward: each(|i| cross(along[i], normal)), length, has_area }
    }

    /// The nearest place to `point`, in double precision.
    pub(crate) fn nearest(&self, point: [f64; 3]) -> Nearest {
        let from = each(|i| sub(point, self.corners[i]));
        let excess = each(|i| dot(self.outward[i], from[i]));
        if self.has_area && excess.iter().all(|&w| w <= 0.0) {
            let height = dot(self.normal, from[0]);
            return Nearest { squared: height * height, feature: Feature::Face, offset: scale(self.normal, height) };
        }
        let mut best = Nearest { squared: f64::INFINITY, feature: Feature::Face, offset: [0.0; 3] };
        for i in 0..3 {
            let t = dot(self.along[i], from[i]);
            let (feature, offset) = if t <= 0.0 {
                (Feature::Corner(i), from[i])
            } else if t >= self.length[i] {
                (Feature::Corner((i + 1) % 3), from[(i + 1) % 3])
            } else {
                (Feature::Edge(i), sub(from[i], scale(self.along[i], t)))
            };
            let squared = dot(offset, offset);
            if squared < best.squared {
                best = Nearest { squared, feature, offset };
            }
        }
        best
    }
}

/// Some unit vector square to a unit vector.
fn square_to(v: [f64; 3]) -> [f64; 3] {
    let axis = if v[0].abs() < 0.6 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    let side = cross(v, axis);
    scale(side, 1.0 / norm(side))
}

/// `base + step.(cell)` over the cells of a block.
#[derive(Clone, Copy, Debug)]
struct Affine {
    base: f32,
    step: [f32; 3],
}

impl Affine {
    /// The function `direction.(p - from) + offset` with `p` counted from `origin`. The base is taken in double precision: blocks may be
    /// many cells away from the corners of a large triangle.
    fn new(direction: [f64; 3], from: [f64; 3], origin: [f64; 3], offset: f64) -> Self {
        Self { base: (dot(direction, sub(origin, from)) + offset) as f32, step: each(|i| direction[i] as f32) }
    }

    /// The value at the first cell of row `y` in a plane whose corner has the value `plane`.
    fn at_row(&self, plane: f32, y: usize) -> f32 {
        plane + self.step[1] * y as f32
    }

    fn at_plane(&self, x: usize) -> f32 {
        self.base + self.step[0] * x as f32
    }

    /// What to add to the value at the first cell of a row to get the least value in it.
    fn least_in_row(&self) -> f32 {
        less(0.0, (EDGE - 1) as f32 * self.step[2])
    }
}

/// A triangle prepared for the cells of one 8 x 8 x 8 block.
#[derive(Clone, Debug)]
pub(crate) struct BlockKernel {
    height: Affine,
    along: [Affine; 3],
    excess: [Affine; 3],
    length: [f32; 3],
    /// The largest excess of points over the face: 0, or nothing for a triangle without area.
    over_face: f32,
}

/// Cells along an edge of a block, and in a block.
pub(crate) const EDGE: usize = 8;
pub(crate) const CELLS: usize = EDGE * EDGE * EDGE;

/// No triangle within reach.
pub(crate) const NONE: u32 = u32::MAX;

impl BlockKernel {
    pub(crate) fn new(frame: &Frame, origin: [f64; 3]) -> Self {
        let middle = origin.map(|o| o + 3.5);
        let along = each(|i| {
            let (start, end) = (frame.corners[i], frame.corners[(i + 1) % 3]);
            let e = frame.along[i];
            // Counted from the nearer end, where the place decides between edge and corner: small numbers are exact numbers.
            if 2.0 * dot(e, sub(middle, start)) < frame.length[i] {
                Affine::new(e, start, origin, 0.0)
            } else {
                Affine::new(scale(e, -1.0), end, origin, 0.0)
            }
        });
        Self {
            height: Affine::new(frame.normal, frame.corners[0], origin, 0.0),
            along,
            excess: each(|i| Affine::new(frame.outward[i], frame.corners[i], origin, 0.0)),
            length: each(|i| frame.length[i] as f32),
            over_face: if frame.has_area { 0.0 } else { f32::NEG_INFINITY },
        }
    }

    /// Lowers the squared distances in the given planes of a block to those of this triangle, and notes `id` where it is nearer.
    /// Rows that surely are farther than `reach` are passed over.
    #[inline(always)]
    pub(crate) fn lower(
        &self,
        planes: std::ops::RangeInclusive<usize>,
        reach: f32,
        id: u32,
        squared: &mut [f32; CELLS],
        nearest: &mut [u32; CELLS],
    ) {
        for x in planes {
            let height = self.height.at_plane(x);
            let along = each(|i| self.along[i].at_plane(x));
            let excess = each(|i| self.excess[i].at_plane(x));
            let bounds = self.bounds_of_rows(height, excess);
            for (y, &bound) in bounds.iter().enumerate() {
                if bound >= reach * reach {
                    continue;
                }
                let height = self.height.at_row(height, y);
                let along = each(|i| self.along[i].at_row(along[i], y));
                let excess = each(|i| self.excess[i].at_row(excess[i], y));
                let mut lanes = [0.0; EDGE];
                for (z, lane) in lanes.iter_mut().enumerate() {
                    let at = |row: f32, a: &Affine| row + a.step[2] * z as f32;
                    let edge = |i: usize| {
                        let t = at(along[i], &self.along[i]);
                        let outside = greater(greater(-t, t - self.length[i]), 0.0);
                        let w = at(excess[i], &self.excess[i]);
                        (w, w * w + outside * outside)
                    };
                    let [(w0, d0), (w1, d1), (w2, d2)] = each(edge);
                    let h = at(height, &self.height);
                    let off_face = less(less(d0, d1), d2);
                    *lane = h * h + keep_if(greater(greater(w0, w1), w2) > self.over_face, off_face);
                }
                let start = x << 6 | y << 3;
                let squared: &mut [f32; EDGE] = (&mut squared[start..start + EDGE]).try_into().expect("a row");
                let nearest: &mut [u32; EDGE] = (&mut nearest[start..start + EDGE]).try_into().expect("a row");
                for z in 0..EDGE {
                    let nearer = all_ones_if(lanes[z] < squared[z]);
                    nearest[z] = id & nearer | nearest[z] & !nearer;
                    squared[z] = less(lanes[z], squared[z]);
                }
            }
        }
    }

    /// For each row of a plane, a bound below the squared distances in it: the least height and the least excess over any one edge.
    fn bounds_of_rows(&self, height: f32, excess: [f32; 3]) -> [f32; EDGE] {
        let up = self.height.least_in_row();
        let down = less(0.0, (1 - EDGE as i32) as f32 * self.height.step[2]);
        let over = each(|i| self.excess[i].least_in_row());
        std::array::from_fn(|y| {
            let h = self.height.at_row(height, y);
            let h = greater(greater(h + up, down - h), 0.0);
            let [w0, w1, w2] = each(|i| self.excess[i].at_row(excess[i], y) + over[i]);
            let w = greater(greater(greater(w0, w1), w2), 0.0);
            h * h + w * w
        })
    }
}

// Comparisons as bit masks: written as choices, they become branches per cell.

fn all_ones_if(condition: bool) -> u32 {
    u32::from(condition).wrapping_neg()
}

fn keep_if(condition: bool, value: f32) -> f32 {
    f32::from_bits(value.to_bits() & all_ones_if(condition))
}

/// `max` without care for NaN, which is one instruction.
fn greater(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// `min` without care for NaN, which is one instruction.
fn less(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::mesh::add;

    /// The squared distance by another road: the barycentric case analysis of Ericson, "Real-Time Collision Detection", 5.1.5.
    pub(crate) fn reference([a, b, c]: [[f64; 3]; 3], p: [f64; 3]) -> f64 {
        let squared = |q: [f64; 3]| dot(sub(p, q), sub(p, q));
        let (ab, ac) = (sub(b, a), sub(c, a));
        let [d1, d2] = [dot(ab, sub(p, a)), dot(ac, sub(p, a))];
        let [d3, d4] = [dot(ab, sub(p, b)), dot(ac, sub(p, b))];
        let [d5, d6] = [dot(ab, sub(p, c)), dot(ac, sub(p, c))];
        let [va, vb, vc] = [d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2];
        if d1 <= 0.0 && d2 <= 0.0 {
            squared(a)
        } else if d3 >= 0.0 && d4 <= d3 {
            squared(b)
        } else if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
            squared(add(a, scale(ab, d1 / (d1 - d3))))
        } else if d6 >= 0.0 && d5 <= d6 {
            squared(c)
        } else if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
            squared(add(a, scale(ac, d2 / (d2 - d6))))
        } else if va <= 0.0 && d4 >= d3 && d5 >= d6 {
            squared(add(b, scale(sub(c, b), (d4 - d3) / ((d4 - d3) + (d5 - d6)))))
        } else {
            let sum = va + vb + vc;
            squared(add(a, add(scale(ab, vb / sum), scale(ac, vc / sum))))
        }
    }

    /// A small generator, so that the tests need no crate (Steele and others, SplitMix64).
    pub(crate) struct Random(pub(crate) u64);

    impl Random {
        pub(crate) fn next(&mut self) -> u64 {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = self.0;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        }

        /// Evenly from `-size` to `size`.
        pub(crate) fn point(&mut self, size: f64) -> [f64; 3] {
            [0; 3].map(|_| ((self.next() >> 11) as f64 / (1_u64 << 52) as f64 - 1.0) * size)
        }
    }

    #[test]
    fn features_of_a_right_triangle() {
        let frame = Frame::new([[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 3.0, 0.0]]);
        for (point, feature, squared, offset) in [
            ([1.0, 1.0, -2.0], Feature::Face, 4.0, [0.0, 0.0, -2.0]),
            ([1.0, -2.0, 1.0], Feature::Edge(0), 5.0, [0.0, -2.0, 1.0]),
            ([-3.0, 2.0, 4.0], Feature::Edge(2), 25.0, [-3.0, 0.0, 4.0]),
            ([5.0, 5.5, 0.0], Feature::Edge(1), 16.0 * 25.0 / 25.0 + 4.41, [0.0; 3]),
            ([-1.0, -2.0, 2.0], Feature::Corner(0), 9.0, [-1.0, -2.0, 2.0]),
            ([6.0, -1.0, 0.0], Feature::Corner(1), 5.0, [2.0, -1.0, 0.0]),
            ([-1.0, 5.0, 0.0], Feature::Corner(2), 5.0, [-1.0, 2.0, 0.0]),
        ] {
            let near = frame.nearest(point);
            assert_eq!(near.feature, feature, "{point:?}");
            if feature == Feature::Edge(1) {
                // The line 3x + 4y = 12: distance (15 + 22 - 12) / 5.
                assert!((near.squared - 25.0).abs() < 1e-12);
            } else {
                assert!((near.squared - squared).abs() < 1e-12, "{point:?}");
                assert!(norm(sub(near.offset, offset)) < 1e-12, "{point:?}");
            }
        }
    }

    #[test]
    fn triangles_without_area_are_segments_and_points() {
        let p = [3.0, 4.0, 12.0];
        assert!((Frame::new([[0.0; 3]; 3]).nearest(p).squared - 169.0).abs() < 1e-9);
        let segment = Frame::new([[0.0; 3], [0.0; 3], [0.0, 0.0, 20.0]]);
        assert!((segment.nearest(p).squared - 25.0).abs() < 1e-9);
        let line = Frame::new([[0.0; 3], [0.0, 0.0, 20.0], [0.0, 0.0, 7.0]]);
        assert!((line.nearest(p).squared - 25.0).abs() < 1e-9);
        assert!((line.nearest([0.0, 3.0, 24.0]).squared - 25.0).abs() < 1e-9);
    }

    #[test]
    fn rows_and_points_agree_with_case_analysis() {
        let mut random = Random(1);
        for round in 0..400 {
            // Triangles much smaller and much larger than a block; every fifth one has no area.
            let size = [0.3, 3.0, 30.0, 400.0][round % 4];
            let shift = random.point(size);
            let mut corners = [0; 3].map(|_| add(random.point(size), shift));
            if round % 5 == 0 {
                corners[2] = add(scale(corners[0], 0.25), scale(corners[1], 0.75));
            }
            let frame = Frame::new(corners);
            let origin = [-8.0, 16.0, 0.0];
            let mut squared = [f32::MAX; CELLS];
            let mut nearest = [NONE; CELLS];
            let kernel = BlockKernel::new(&frame, origin);
            kernel.lower(0..=7, f32::INFINITY, 9, &mut squared, &mut nearest);
            for cell in 0..CELLS {
                let p = add(origin, [cell >> 6, cell >> 3 & 7, cell & 7].map(|c| c as f64));
                // The case analysis cannot tell the features of a flat triangle: its long side is all there is.
                let sides = if round % 5 == 0 { [corners[0], corners[1], corners[1]] } else { corners };
                let expected = reference(sides, p).sqrt();
                let exact = frame.nearest(p);
                assert!((exact.squared.sqrt() - expected).abs() < 1e-7, "{corners:?} {p:?}");
                assert!((norm(exact.offset) - expected).abs() < 1e-7);
                let tolerance = 1e-5 + 1e-6 * expected;
                assert!((f64::from(squared[cell]).sqrt() - expected).abs() < tolerance, "{corners:?} {p:?}");
                assert_eq!(nearest[cell], 9);
            }
        }
    }
}
