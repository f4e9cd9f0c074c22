//! Which side of the surface a point is on, from the normal at the nearest place or else from the winding number.
//!
//! At an edge or a vertex the normal of any one face can point away from the point although it is outside. The sum of the normals of
//! both faces at an edge, and of all faces at a vertex weighted by their angle there, always give the right sign for a closed mesh
//! that does not cut itself: J. A. Baerentzen and H. Aanaes, "Signed distance computation using the angle weighted pseudonormal",
//! IEEE Transactions on Visualization and Computer Graphics 11(3), 2005.
//!
//! The normals say nothing where the nearest place is at faces back to back or at an edge of more than two faces; there, and where
//! two cells contradict each other, the winding number decides, which costs more but needs no neighbours.
//!
//! No sign is ever spread from cell to cell, so nothing leaks through a hole: beyond its rim the surface goes on in its own plane, as
//! far as the band reaches. Where a mesh cuts itself, each of its sheets keeps its own two sides.

use rayon::prelude::*;

use crate::distance::{Feature, Frame, Nearest};
use crate::edges::{Doubts, Edges, Seams};
use crate::mesh::{add, dot, norm, scale, sub};
use crate::winding::Winding;

/// The winding number from which a point counts as inside.
const INSIDE: f64 = 0.5;

/// Tells inside from outside.
#[derive(Debug)]
pub(crate) struct Sides {
    /// Sums of normals, of any length: per face for its edges, and per vertex.
    edges: Vec<[[f32; 3]; 3]>,
    vertices: Vec<[f32; 3]>,
    seams: Seams,
    /// Where the normals say nothing, and what to ask there.
    doubts: Option<(Doubts, Winding)>,
}

impl Sides {
    /// `vertices` in cells.
    pub(crate) fn new(vertices: &[[f64; 3]], triangles: &[[u32; 3]]) -> Self {
        let corners_of = |corners: &[u32; 3]| corners.map(|i| vertices[i as usize]);
        let faces: Vec<(Option<[f64; 3]>, [f64; 3])> = triangles
            .par_iter()
            .map(|corners| {
                let frame = Frame::new(corners_of(corners));
                (frame.has_area.then_some(frame.normal), angles(frame.corners))
            })
            .collect();
        // A triangle without area has no side: it adds nothing.
        let normal = |face: usize| faces[face].0.unwrap_or([0.0; 3]);
        let mut vertex_sums = vec![[0.0; 3]; vertices.len()];
        for (face, corners) in triangles.iter().enumerate() {
            for (&i, &angle) in corners.iter().zip(&faces[face].1) {
                vertex_sums[i as usize] = add(vertex_sums[i as usize], scale(normal(face), angle));
            }
        }
        let edges = Edges::new(triangles);
        let mut edge_sums = vec![[[0.0; 3]; 3]; triangles.len()];
        for group in edges.groups() {
            let sum = group.iter().fold([0.0; 3], |sum, half| add(sum, normal(half.face as usize)));
            for half in group {
                edge_sums[half.face as usize][usize::from(half.side)] = sum.map(|c| c as f32);
            }
        }
        let doubts = edges.doubts(vertices.len(), |face| faces[face].0.is_none());
        Self {
            edges: edge_sums,
            vertices: vertex_sums.iter().map(|n| n.map(|c| c as f32)).collect(),
            seams: edges.seams(),
            doubts: doubts.map(|doubts| (doubts, Winding::new(triangles.iter().map(corners_of).collect()))),
        }
    }

    pub(crate) fn seams(&self) -> Seams {
        self.seams
    }

    /// Whether cells that contradict each other should ask [`Sides::winds_around`]: if the mesh has doubtful places, but no holes, at
    /// whose rims contradictions are as it should be.
    pub(crate) fn can_settle(&self) -> bool {
        self.doubts.is_some() && self.seams.open == 0
    }

    /// Whether a point is inside by the winding number; false for meshes without doubtful places.
    pub(crate) fn winds_around(&self, point: [f64; 3]) -> bool {
        self.doubts.as_ref().is_some_and(|(_, winding)| winding.at(point) > INSIDE)
    }

    /// Whether a point is inside, given the place of the mesh that is nearest to it: on triangle `face` with these corners.
    pub(crate) fn is_inside(
        &self,
        point: [f64; 3],
        face: usize,
        corners: [u32; 3],
        frame: &Frame,
        nearest: &Nearest,
    ) -> bool {
        if let Some((doubts, winding)) = &self.doubts {
            let doubtful = match nearest.feature {
                Feature::Face => doubts.face(face),
                Feature::Edge(i) => doubts.edge(face, i),
                Feature::Corner(i) => doubts.vertex(corners[i]),
            };
            if doubtful {
                return winding.at(point) > INSIDE;
            }
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::tests::cuboid;

    #[test]
    fn a_corner_of_a_box_looks_along_the_diagonal() {
        // Three right angles: each face counts alike however it is cut into triangles.
        let mesh = cuboid(1.0, 1.0, 1.0);
        let vertices: Vec<_> = mesh.vertices().iter().map(|v| v.map(f64::from)).collect();
        let sides = Sides::new(&vertices, mesh.triangles());
        let quarter = std::f64::consts::FRAC_PI_2;
        let n = sides.vertices[7].map(f64::from);
        assert!(norm(sub(n, [quarter; 3])) < 1e-6, "{n:?}");
        let n = sides.vertices[0].map(f64::from);
        assert!(norm(add(n, [quarter; 3])) < 1e-6, "{n:?}");
    }

    /// Whether `point` is inside, by each of the faces that are nearest to it.
    fn answers(vertices: &[[f64; 3]], triangles: &[[u32; 3]], point: [f64; 3]) -> Vec<bool> {
        let sides = Sides::new(vertices, triangles);
        let frames: Vec<_> = triangles.iter().map(|t| Frame::new(t.map(|i| vertices[i as usize]))).collect();
        let near: Vec<_> = frames.iter().map(|f| f.nearest(point)).collect();
        let least = near.iter().map(|n| n.squared).fold(f64::INFINITY, f64::min);
        (0..triangles.len())
            .filter(|&f| near[f].squared < least + 1e-9)
            .map(|f| sides.is_inside(point, f, triangles[f], &frames[f], &near[f]))
            .collect()
    }

    /// A spike along x.
    const SPIKE: ([[f64; 3]; 4], [[u32; 3]; 4]) = (
        [[10.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, -1.0, 1.0], [0.0, -1.0, -1.0]],
        [[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]],
    );

    #[test]
    fn all_faces_at_a_tip_agree() {
        let (v, t) = SPIKE;
        // Beyond the tip, and before some of its faces but behind the planes of others.
        for point in [[10.5, 0.4, 0.0], [10.2, 0.0, -0.9], [10.2, -0.9, 0.9], [12.0, 0.0, 0.0]] {
            assert_eq!(answers(&v, &t, point), [false; 3], "{point:?}");
        }
        assert!(answers(&v, &t, [5.0, 0.0, 0.0]).iter().all(|&inside| inside));
        assert!(answers(&v, &t, [5.0, 0.6, 0.0]).iter().all(|&inside| !inside));
    }

    #[test]
    fn both_faces_at_a_sharp_edge_agree() {
        let v = [[0.0, 0.0, -5.0], [0.0, 0.0, 5.0], [10.0, 1.0, 0.0], [10.0, -1.0, 0.0]];
        let t = [[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]];
        // Before the edge, but behind the plane of one face.
        for y in [0.9, 0.0, -0.9] {
            assert_eq!(answers(&v, &t, [-0.5, y, 0.0]), [false; 2], "{y}");
        }
        assert!(answers(&v, &t, [3.0, 0.0, 0.0]).iter().all(|&inside| inside));
    }

    #[test]
    fn faces_back_to_back_have_no_inside() {
        let (v, t) = SPIKE;
        // A flap on the tip, with faces to both sides.
        let v: Vec<_> = v.into_iter().chain([[14.0, 0.0, 0.0], [12.0, 0.0, 3.0]]).collect();
        let t: Vec<_> = t.into_iter().chain([[0, 4, 5], [0, 5, 4]]).collect();
        for point in [[12.0, 0.2, 1.0], [12.0, -0.2, 1.0], [12.0, 0.2, -0.5], [9.9, 0.3, 0.0]] {
            assert!(answers(&v, &t, point).iter().all(|&inside| !inside), "{point:?}");
        }
        assert!(answers(&v, &t, [9.0, 0.0, 0.0]).iter().all(|&inside| inside));
    }
}
