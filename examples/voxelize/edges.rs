//! Which faces meet at the edges and vertices of a mesh, and where they do not meet as in a closed surface.

use rayon::prelude::*;

/// One edge of one face.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Half {
    /// Smaller vertex in the high half, larger one in the low half.
    key: u64,
    pub(crate) face: u32,
    /// From this corner of the face to its next.
    pub(crate) side: u8,
}

/// The edges of all faces, sorted so that those at the same place are together.
#[derive(Debug)]
pub(crate) struct Edges<'a> {
    triangles: &'a [[u32; 3]],
    halves: Vec<Half>,
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

/// The faces, edges and vertices around which the mesh is not a surface with two sides: at crowded and twisted edges and their ends, at
/// faces with the same three corners, and at vertices where several fans of faces touch. The rim of a hole is not doubted.
#[derive(Debug)]
pub(crate) struct Doubts {
    /// Per face: bit 0 the face itself, bits 1 to 3 its edges.
    faces: Vec<u8>,
    vertices: Vec<bool>,
}

impl<'a> Edges<'a> {
    pub(crate) fn new(triangles: &'a [[u32; 3]]) -> Self {
        let mut halves: Vec<Half> = (0..triangles.len())
            .into_par_iter()
            .flat_map_iter(|face| {
                (0..3_u8).map(move |side| {
                    let (a, b) = ends(triangles, face, side.into());
                    Half { key: u64::from(a.min(b)) << 32 | u64::from(a.max(b)), face: face as u32, side }
                })
            })
            .collect();
        halves.par_sort_unstable();
        Self { triangles, halves }
    }

    /// For each place of an edge, the edges of faces there.
    pub(crate) fn groups(&self) -> impl Iterator<Item = &[Half]> {
        self.halves.chunk_by(|a, b| a.key == b.key)
    }

    fn directed(&self, half: &Half) -> (u32, u32) {
        ends(self.triangles, half.face as usize, half.side.into())
    }

    /// The two edges of a group as they are in a closed surface.
    fn pair<'g>(&self, group: &'g [Half]) -> Option<[&'g Half; 2]> {
        match group {
            [a, b] if self.directed(a) != self.directed(b) => Some([a, b]),
            _ => None,
        }
    }

    pub(crate) fn seams(&self) -> Seams {
        let mut seams = Seams::default();
        for group in self.groups() {
            match group.len() {
                1 => seams.open += 1,
                2 => seams.twisted += usize::from(self.pair(group).is_none()),
                _ => seams.crowded += 1,
            }
        }
        seams
    }

    /// Looks for doubtful places; `is_flat` tells faces without area, which have no side. None if there are no such places.
    pub(crate) fn doubts(&self, vertices: usize, is_flat: impl Fn(usize) -> bool) -> Option<Doubts> {
        let mut doubts = Doubts { faces: vec![0; self.triangles.len()], vertices: vec![false; vertices] };
        // The same edge seen from the other face, as 3 * face + side.
        let mut twins = vec![0; self.halves.len()];
        let mut at_rim = vec![false; vertices];
        for group in self.groups() {
            if let Some([a, b]) = self.pair(group) {
                twins[number(a)] = number(b);
                twins[number(b)] = number(a);
            } else if let [half] = group {
                let (a, b) = self.directed(half);
                at_rim[a as usize] = true;
                at_rim[b as usize] = true;
            } else {
                for half in group {
                    let (a, b) = self.directed(half);
                    doubts.faces[half.face as usize] |= 2 << half.side;
                    doubts.vertices[a as usize] = true;
                    doubts.vertices[b as usize] = true;
                }
            }
            let third = |half: &Half| self.triangles[half.face as usize][(usize::from(half.side) + 2) % 3];
            for (i, a) in group.iter().enumerate() {
                if group[..i].iter().any(|b| third(a) == third(b)) {
                    group
                        .iter()
                        .filter(|b| third(a) == third(b))
                        .for_each(|b| doubts.mark_face(b.face, self.triangles));
                }
            }
        }
        (0..self.triangles.len()).filter(|&f| is_flat(f)).for_each(|f| doubts.mark_face(f as u32, self.triangles));
        self.mark_touching_fans(&twins, &at_rim, &mut doubts);
        let any = doubts.vertices.contains(&true);
        any.then_some(doubts)
    }

    /// Walks once around each vertex off the rims from face to face; a fan that ends before all of the vertex' faces were seen is not alone.
    fn mark_touching_fans(&self, twins: &[usize], at_rim: &[bool], doubts: &mut Doubts) {
        let mut faces_at = vec![0_u32; doubts.vertices.len()];
        let mut corner_at = vec![usize::MAX; doubts.vertices.len()];
        for (corner, &vertex) in self.triangles.as_flattened().iter().enumerate() {
            faces_at[vertex as usize] += 1;
            corner_at[vertex as usize] = corner;
        }
        for vertex in 0..faces_at.len() {
            if faces_at[vertex] == 0 || doubts.vertices[vertex] || at_rim[vertex] {
                continue;
            }
            let mut corner = corner_at[vertex];
            let mut seen = 0;
            loop {
                seen += 1;
                let twin = twins[corner];
                corner = twin / 3 * 3 + (twin + 1) % 3;
                if corner == corner_at[vertex] {
                    break;
                }
            }
            doubts.vertices[vertex] = seen != faces_at[vertex];
        }
    }
}

impl Doubts {
    pub(crate) fn face(&self, face: usize) -> bool {
        self.faces[face] & 1 != 0
    }

    pub(crate) fn edge(&self, face: usize, side: usize) -> bool {
        self.faces[face] & 2 << side != 0
    }

    pub(crate) fn vertex(&self, vertex: u32) -> bool {
        self.vertices[vertex as usize]
    }

    fn mark_face(&mut self, face: u32, triangles: &[[u32; 3]]) {
        self.faces[face as usize] = 0b1111;
        triangles[face as usize].iter().for_each(|&v| self.vertices[v as usize] = true);
    }
}

fn ends(triangles: &[[u32; 3]], face: usize, side: usize) -> (u32, u32) {
    (triangles[face][side], triangles[face][(side + 1) % 3])
}

/// Number of the corner at which the edge begins, over all faces.
fn number(half: &Half) -> usize {
    half.face as usize * 3 + usize::from(half.side)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::tests::cuboid;
    use crate::torus_knot::torus_knot;

    fn seams(triangles: &[[u32; 3]]) -> Seams {
        Edges::new(triangles).seams()
    }

    fn doubts(triangles: &[[u32; 3]]) -> Option<Doubts> {
        let vertices = *triangles.as_flattened().iter().max().unwrap() as usize + 1;
        Edges::new(triangles).doubts(vertices, |_| false)
    }

    fn doubtful_vertices(triangles: &[[u32; 3]]) -> Vec<usize> {
        let doubts = doubts(triangles).unwrap();
        (0..doubts.vertices.len()).filter(|&v| doubts.vertices[v]).collect()
    }

    #[test]
    fn closed_meshes_have_no_seams_and_leave_no_doubts() {
        for mesh in [torus_knot(0.3, 40, 8), cuboid(1.0, 1.0, 1.0)] {
            assert_eq!(seams(mesh.triangles()), Seams::default());
            assert!(doubts(mesh.triangles()).is_none());
        }
    }

    #[test]
    fn odd_edges_are_counted_and_doubted() {
        let mut triangles = cuboid(1.0, 1.0, 1.0).triangles().to_vec();
        triangles[0].swap(0, 1);
        assert_eq!(seams(&triangles), Seams { twisted: 3, ..Seams::default() });
        let mut corners = triangles[0].map(|v| v as usize);
        corners.sort_unstable();
        assert_eq!(doubtful_vertices(&triangles), corners);

        let lost = triangles.remove(0);
        assert_eq!(seams(&triangles), Seams { open: 3, ..Seams::default() });
        assert!(doubts(&triangles).is_none());

        triangles.extend([lost, lost]);
        assert_eq!(seams(&triangles).crowded, 3);
        let crowded = doubts(&triangles).unwrap();
        let edges = |face| (0..3).filter(|&side| crowded.edge(face, side)).count();
        // The two copies wholly, and one edge of each face beside them.
        assert_eq!((edges(11), edges(12)), (3, 3));
        assert_eq!((0..11).map(edges).sum::<usize>(), 3);
        assert!(crowded.face(11) && crowded.face(12) && (0..11).all(|face| !crowded.face(face)));
    }

    #[test]
    fn two_faces_back_to_back_are_doubted() {
        // A closed surface by its edges, but without an inside.
        let flap = doubts(&[[0, 1, 2], [0, 2, 1]]).unwrap();
        assert!(flap.face(0) && flap.face(1) && flap.edge(1, 2) && flap.vertex(1));
        assert_eq!(seams(&[[0, 1, 2], [0, 2, 1]]), Seams::default());
    }

    #[test]
    fn boxes_that_touch_in_a_vertex_are_doubted_there() {
        let one = cuboid(1.0, 1.0, 1.0).triangles().to_vec();
        let shifted = one.iter().map(|t| t.map(|v| v + 7));
        let both: Vec<_> = one.iter().copied().chain(shifted).collect();
        assert_eq!(seams(&both), Seams::default());
        assert_eq!(doubtful_vertices(&both), [7]);
    }

    #[test]
    fn faces_without_area_are_doubted() {
        let mesh = cuboid(1.0, 1.0, 1.0);
        let doubts = Edges::new(mesh.triangles()).doubts(8, |face| face == 4).unwrap();
        assert!(doubts.face(4) && !doubts.face(3));
        assert!(mesh.triangles()[4].iter().all(|&v| doubts.vertex(v)));
    }
}
