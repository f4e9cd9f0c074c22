//! The winding number of a mesh around a point: 1 inside, 0 outside, something between near a hole.
//!
//! It is the sum of the solid angles of all triangles over 4 pi, so it needs no neighbours: holes, faces back to back and edges of many
//! faces do not disturb it. Far groups of triangles are replaced by one dipole: G. Barill, N. Dickson, R. Schmidt, D. Levin
//! and A. Jacobson, "Fast winding numbers for soups and clouds", ACM Transactions on Graphics 37(4), 2018 (first order). The solid
//! angle of a triangle is after A. van Oosterom and J. Strackee, 1983.

use crate::mesh::{add, cross, dot, norm, scale, sub};

/// Triangles in a leaf of the tree.
const LEAF: usize = 8;

/// A group is far if its centre is more than this many radii away: the error of the sum then stays far below the half
/// that tells inside from outside.
const FAR: f64 = 2.5;

/// A tree over the triangles of a mesh.
#[derive(Debug)]
pub(crate) struct Winding {
    /// The triangles, those of a node side by side.
    corners: Vec<[[f64; 3]; 3]>,
    root: Node,
}

#[derive(Debug)]
struct Node {
    centre: [f64; 3],
    /// Square of the distance from which the dipole will do.
    far: f64,
    /// Sum of the normals times the areas.
    dipole: [f64; 3],
    part: Part,
}

#[derive(Debug)]
enum Part {
    Triangles(std::ops::Range<usize>),
    Halves(Box<[Node; 2]>),
}

impl Winding {
    /// Cost: n log n.
    pub(crate) fn new(mut corners: Vec<[[f64; 3]; 3]>) -> Self {
        let root = Node::over(&mut corners, 0);
        Self { corners, root }
    }

    /// The winding number around a point off the surface, by and large.
    pub(crate) fn at(&self, point: [f64; 3]) -> f64 {
        self.angle(&self.root, point) / (4.0 * std::f64::consts::PI)
    }

    fn angle(&self, node: &Node, point: [f64; 3]) -> f64 {
        let to_centre = sub(node.centre, point);
        let squared = dot(to_centre, to_centre);
        if squared > node.far {
            return dot(node.dipole, to_centre) / (squared * squared.sqrt());
        }
        match &node.part {
            Part::Triangles(range) => self.corners[range.clone()].iter().map(|t| solid_angle(t, point)).sum(),
            Part::Halves(halves) => halves.iter().map(|half| self.angle(half, point)).sum(),
        }
    }
}

impl Node {
    /// The tree over some triangles, the first of which has the number `first`; brings the triangles into its order.
    fn over(corners: &mut [[[f64; 3]; 3]], first: usize) -> Self {
        let mut dipole = [0.0; 3];
        let mut weighted = [0.0; 3];
        let mut weight = 0.0;
        for t in corners.iter() {
            let normal = scale(cross(sub(t[1], t[0]), sub(t[2], t[0])), 0.5);
            // A little weight for triangles without area keeps the centre defined.
            let area = norm(normal) + f64::MIN_POSITIVE;
            dipole = add(dipole, normal);
            weighted = add(weighted, scale(middle(t), area));
            weight += area;
        }
        let centre = scale(weighted, 1.0 / weight);
        let radius = corners.as_flattened().iter().map(|&c| norm(sub(c, centre))).fold(0.0, f64::max);
        let part = if corners.len() <= LEAF {
            Part::Triangles(first..first + corners.len())
        } else {
            let axis = longest_axis(corners);
            let half = corners.len() / 2;
            corners.select_nth_unstable_by(half, |a, b| middle(a)[axis].total_cmp(&middle(b)[axis]));
            let (low, high) = corners.split_at_mut(half);
            let (low, high) = rayon::join(|| Self::over(low, first), || Self::over(high, first + half));
            Part::Halves(Box::new([low, high]))
        };
        Self { centre, far: (FAR * radius).powi(2), dipole, part }
    }
}

fn middle(t: &[[f64; 3]; 3]) -> [f64; 3] {
    scale(add(add(t[0], t[1]), t[2]), 1.0 / 3.0)
}

fn longest_axis(corners: &[[[f64; 3]; 3]]) -> usize {
    let extent = [0, 1, 2].map(|axis| {
        let (mut lo, mut hi) = (f64::INFINITY, f64::NEG_INFINITY);
        for t in corners {
            let c = middle(t)[axis];
            lo = lo.min(c);
            hi = hi.max(c);
        }
        hi - lo
    });
    (0..3).fold(0, |best, axis| if extent[axis] > extent[best] { axis } else { best })
}

/// Positive if the triangle turns its back to the point.
fn solid_angle(t: &[[f64; 3]; 3], point: [f64; 3]) -> f64 {
    let [a, b, c] = [sub(t[0], point), sub(t[1], point), sub(t[2], point)];
    let [la, lb, lc] = [norm(a), norm(b), norm(c)];
    let below = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
    2.0 * dot(a, cross(b, c)).atan2(below)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distance::tests::Random;
    use crate::mesh::Mesh;
    use crate::mesh::tests::cuboid;
    use crate::torus_knot::torus_knot;

    fn winding(mesh: &Mesh) -> Winding {
        let corner = |i: u32| mesh.vertices()[i as usize].map(f64::from);
        Winding::new(mesh.triangles().iter().map(|t| t.map(corner)).collect())
    }

    #[test]
    fn one_inside_and_zero_outside() {
        let boxed = winding(&cuboid(2.0, 3.0, 4.0));
        let mut random = Random(4);
        for _ in 0..1000 {
            let p = random.point(5.0);
            let inside = (0..3).all(|a| p[a] > 0.0 && p[a] < [2.0, 3.0, 4.0][a]);
            assert!((boxed.at(p) - f64::from(u8::from(inside))).abs() < 1e-9, "{p:?}");
        }
    }

    #[test]
    fn dipoles_are_close_to_the_sum() {
        let knot = winding(&torus_knot(0.4, 200, 24));
        let mut random = Random(5);
        let mut inside = 0;
        for _ in 0..2000 {
            let p = random.point(3.0);
            let exact: f64 = knot.corners.iter().map(|t| solid_angle(t, p)).sum::<f64>() / (4.0 * std::f64::consts::PI);
            assert!((exact - exact.round()).abs() < 1e-9);
            assert!((knot.at(p) - exact).abs() < 0.1, "{} {exact}", knot.at(p));
            inside += usize::from(exact > 0.5);
        }
        assert!(inside > 100);
    }

    #[test]
    fn faces_back_to_back_cancel() {
        let mesh = cuboid(2.0, 2.0, 2.0);
        let mut triangles = mesh.triangles().to_vec();
        triangles.extend([[0, 3, 7], [7, 3, 0]]);
        let odd = winding(&Mesh::new(mesh.vertices().to_vec(), triangles).unwrap());
        assert!((odd.at([0.5, 1.0, 1.4]) - 1.0).abs() < 1e-9);
        assert!((odd.at([1.4, 1.0, 0.5]) - 1.0).abs() < 1e-9);
        assert!(odd.at([-0.1, 1.0, 1.0]).abs() < 1e-9);
    }
}
