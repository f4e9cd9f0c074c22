//! The mesh that is used when no file is given.

use std::f64::consts::TAU;

use crate::mesh::{Mesh, add, cross, norm, scale};

/// A closed tube of radius `tube` along the (2, 3) torus knot, that is the curve which winds twice around the axis of a torus
/// (radii 2 and 1) and three times around its tube. `around` corners per ring, `along` rings.
///
/// The knot stays clear of itself for `tube` up to 0.5.
pub(crate) fn torus_knot(tube: f64, along: u32, around: u32) -> Mesh {
    let mut vertices = Vec::with_capacity((along * around) as usize);
    for i in 0..along {
        let t = TAU * f64::from(i) / f64::from(along);
        let (sin_p, cos_p) = (2.0 * t).sin_cos();
        let (sin_q, cos_q) = (3.0 * t).sin_cos();
        let radius = 2.0 + cos_q;
        let centre = [radius * cos_p, radius * sin_p, sin_q];
        let tangent =
            [-3.0 * sin_q * cos_p - 2.0 * radius * sin_p, -3.0 * sin_q * sin_p + 2.0 * radius * cos_p, 3.0 * cos_q];
        // The normal of the torus is square to the tangent and comes back to itself: a frame that closes without a twist.
        let normal = [cos_q * cos_p, cos_q * sin_p, sin_q];
        let side = cross(tangent, normal);
        let side = scale(side, 1.0 / norm(side));
        for j in 0..around {
            let (s, c) = (TAU * f64::from(j) / f64::from(around)).sin_cos();
            let offset = scale(add(scale(normal, c), scale(side, s)), tube);
            vertices.push(add(centre, offset).map(|c| c as f32));
        }
    }
    let mut triangles = Vec::with_capacity((along * around * 2) as usize);
    for i in 0..along {
        for j in 0..around {
            let at = |i: u32, j: u32| (i % along) * around + j % around;
            let [a, b, c, d] = [at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j)];
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    Mesh::new(vertices, triangles).expect("rings of finite vertices")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::sub;
    use std::collections::HashSet;

    #[test]
    fn every_edge_has_its_opposite() {
        let mesh = torus_knot(0.4, 90, 12);
        let edges: Vec<_> = mesh.triangles().iter().flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)]).collect();
        let set: HashSet<_> = edges.iter().copied().collect();
        assert_eq!(set.len(), edges.len(), "an edge is walked twice in one direction");
        assert!(edges.iter().all(|&(a, b)| set.contains(&(b, a))));
    }

    #[test]
    fn volume_is_cross_section_times_length() {
        // A tube whose rings stand square on the curve has the volume pi r^2 L (Weyl).
        let mesh = torus_knot(0.4, 2000, 400);
        let point = |i: usize| {
            let t = TAU * i as f64 / 100_000.0;
            let r = 2.0 + (3.0 * t).cos();
            [r * (2.0 * t).cos(), r * (2.0 * t).sin(), (3.0 * t).sin()]
        };
        let length: f64 = (0..100_000).map(|i| norm(sub(point(i + 1), point(i)))).sum();
        let expected = TAU / 2.0 * 0.4 * 0.4 * length;
        assert!((mesh.signed_volume() / expected - 1.0).abs() < 1e-3);
    }
}
