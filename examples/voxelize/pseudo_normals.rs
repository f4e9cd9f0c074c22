//! Which side of the surface a point is on, from the normal at the nearest place.
//!
//! At an edge or a vertex the normal of any one face can point away from the point although it is outside. The sum of the normals of
//! both faces at an edge, and of all faces at a vertex weighted by their angle there, always give the right sign for a closed mesh
//! that does not cut itself: J. A. Baerentzen and H. Aanaes, "Signed distance computation using the angle weighted pseudonormal",
//! IEEE Transactions on Visualization and Computer Graphics 11(3), 2005.
//!
//! In a mesh with holes every place still has a sign, decided by the faces nearest to it: at the rim of a hole the surface is
//! continued in its own plane, as far as the band reaches. Nothing leaks through a hole, because no sign is spread over a distance.

use rayon::prelude::*;

use crate::distance::{Feature, Frame, Nearest};
use crate::mesh::{add, dot, norm, scale, sub};

/// Normals of the edges and vertices of a mesh, of any length.
#[derive(Debug)]
pub(crate) struct PseudoNormals {
    edges: Vec<[[f32; 3]; 3]>,
    vertices: Vec<[f32; 3]>,
    seams: Seams,
}

/// Edges that a closed, well oriented mesh does not have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Seams {
    /// Edges of one face only: the rims of holes.
    pub(crate) open: usize,
    /// Edges of more than two faces.
    pub(crate) crowded: usize,
    /// Edges that both faces walk in the same direction: one of the two looks the wrong way.
    pub(crate) twisted: usize,
}

impl PseudoNormals {
    /// `vertices` in cells.
    pub(crate) fn new(vertices: &[[f64; 3]], triangles: &[[u32; 3]]) -> Self {
        let faces: Vec<([f64; 3], [f64; 3])> = triangles
            .par_iter()
            .map(|corners| {
                let frame = Frame::new(corners.map(|i| vertices[i as usize]));
                // A triangle without area has no side: it adds nothing.
                let normal = if frame.has_area { frame.normal } else { [0.0; 3] };
                (normal, angles(frame.corners))
            })
            .collect();
        let mut sums = vec![[0.0; 3]; vertices.len()];
        for (corners, (normal, angles)) in triangles.iter().zip(&faces) {
            for (&i, &angle) in corners.iter().zip(angles) {
                sums[i as usize] = add(sums[i as usize], scale(*normal, angle));
            }
        }
        let (edges, seams) = edge_sums(triangles, |face| faces[face].0);
        Self { edges, vertices: sums.iter().map(|n| n.map(|c| c as f32)).collect(), seams }
    }

    pub(crate) fn seams(&self) -> Seams {
        self.seams
    }

    /// Whether a point is inside, given the place of the mesh that is nearest to it: on triangle `face` with these corners.
    pub(crate) fn is_inside(&self, face: usize, corners: [u32; 3], frame: &Frame, nearest: &Nearest) -> bool {
        let normal = match nearest.feature {
            Feature::Face => frame.normal,
            Feature::Edge(i) => self.edges[face][i].map(f64::from),
            Feature::Corner(i) => self.vertices[corners[i] as usize].map(f64::from),
        };
        dot(nearest.offset, normal) < 0.0
    }
}

/// The angles at the three corners; 0 at a corner without two directions.
fn angles(corners: [[f64; 3]; 3]) -> [f64; 3] {
    [0, 1, 2].map(|i| {
        let u = sub(corners[(i + 1) % 3], corners[i]);
        let v = sub(corners[(i + 2) % 3], corners[i]);
        let lengths = norm(u) * norm(v);
        if lengths > 0.0 { (dot(u, v) / lengths).clamp(-1.0, 1.0).acos() } else { 0.0 }
    })
}

/// For each edge of each triangle the sum of the normals of all faces at that edge, and what is odd about the edges.
fn edge_sums(triangles: &[[u32; 3]], normal: impl Fn(usize) -> [f64; 3]) -> (Vec<[[f32; 3]; 3]>, Seams) {
    let ends = |face: usize, i: usize| (triangles[face][i], triangles[face][(i + 1) % 3]);
    // Half edges sorted by their two ends bring the faces at an edge together.
    let mut halves: Vec<(u64, u32, u8)> = (0..triangles.len())
        .into_par_iter()
        .flat_map_iter(|face| {
            (0..3_u8).map(move |i| {
                let (a, b) = ends(face, usize::from(i));
                (u64::from(a.min(b)) << 32 | u64::from(a.max(b)), face as u32, i)
            })
        })
        .collect();
    halves.par_sort_unstable();
    let mut sums = vec![[[0.0; 3]; 3]; triangles.len()];
    let mut seams = Seams::default();
    for edge in halves.chunk_by(|a, b| a.0 == b.0) {
        let sum = edge.iter().fold([0.0; 3], |sum, &(_, face, _)| add(sum, normal(face as usize))).map(|c| c as f32);
        for &(_, face, i) in edge {
            sums[face as usize][usize::from(i)] = sum;
        }
        match *edge {
            // A corner used twice: no edge at all.
            [(key, ..), ..] if key >> 32 == key & 0xffff_ffff => {}
            [_] => seams.open += 1,
            [(_, f, i), (_, g, j)] => {
                seams.twisted += usize::from(ends(f as usize, usize::from(i)) == ends(g as usize, usize::from(j)));
            }
            _ => seams.crowded += 1,
        }
    }
    (sums, seams)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::Mesh;
    use crate::mesh::tests::cuboid;
    use crate::torus_knot::torus_knot;

    fn doubles(mesh: &Mesh) -> Vec<[f64; 3]> {
        mesh.vertices().iter().map(|v| v.map(f64::from)).collect()
    }

    fn seams(mesh: &Mesh, triangles: &[[u32; 3]]) -> Seams {
        PseudoNormals::new(&doubles(mesh), triangles).seams()
    }

    #[test]
    fn a_corner_of_a_box_looks_along_the_diagonal() {
        // Three right angles: each face counts alike however it is cut into triangles.
        let mesh = cuboid(1.0, 1.0, 1.0);
        let normals = PseudoNormals::new(&doubles(&mesh), mesh.triangles());
        let n = normals.vertices[7].map(f64::from);
        let quarter = std::f64::consts::FRAC_PI_2;
        assert!(norm(sub(n, [quarter; 3])) < 1e-6, "{n:?}");
        let n = normals.vertices[0].map(f64::from);
        assert!(norm(add(n, [quarter; 3])) < 1e-6, "{n:?}");
    }

    #[test]
    fn odd_edges_are_counted() {
        let knot = torus_knot(0.3, 40, 8);
        assert_eq!(seams(&knot, knot.triangles()), Seams::default());
        let mesh = cuboid(1.0, 1.0, 1.0);
        let mut triangles = mesh.triangles().to_vec();
        triangles[0].swap(0, 1);
        assert_eq!(seams(&mesh, &triangles), Seams { twisted: 3, ..Seams::default() });
        let lost = triangles.remove(0);
        assert_eq!(seams(&mesh, &triangles), Seams { open: 3, ..Seams::default() });
        triangles.extend([lost, lost]);
        assert_eq!(seams(&mesh, &triangles).crowded, 3);
    }

    #[test]
    fn sign_beside_a_sharp_spike() {
        // A spike along +x whose faces all look away from points beyond its tip, where single faces mislead.
        let (v, s) = (vec![[10.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, -1.0, 1.0], [0.0, -1.0, -1.0]], Feature::Corner(0));
        let triangles = [[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]];
        let normals = PseudoNormals::new(&v, &triangles);
        assert_eq!(normals.seams(), Seams::default());
        for point in [[10.5, 0.4, 0.0], [10.2, 0.0, -0.9], [10.2, -0.9, 0.9]] {
            for face in 0..3 {
                let frame = Frame::new(triangles[face].map(|i: u32| v[i as usize]));
                let near = frame.nearest(point);
                if near.feature == s {
                    assert!(!normals.is_inside(face, triangles[face], &frame, &near), "{point:?}");
                }
            }
        }
        let frame = Frame::new(triangles[0].map(|i| v[i as usize]));
        let near = frame.nearest([5.0, 0.1, 0.1]);
        assert!(normals.is_inside(0, triangles[0], &frame, &near));
    }
}
