//! A triangle mesh: what may be in one, its size, its volume.

use std::collections::HashMap;
use std::fmt;

/// A triangle mesh with finite vertices and at least one triangle; corners run counterclockwise seen from outside.
#[derive(Clone, Debug)]
pub(crate) struct Mesh {
    vertices: Vec<[f32; 3]>,
    triangles: Vec<[u32; 3]>,
}

/// Why vertices and triangles are not a [`Mesh`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum MeshError {
    NoVertices,
    NoTriangles,
    NotFinite { vertex: usize },
    IndexOutOfRange { triangle: usize, index: u32, vertices: usize },
    NoExtent,
}

impl fmt::Display for MeshError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoVertices => write!(f, "no vertices"),
            Self::NoTriangles => write!(f, "no faces"),
            Self::NotFinite { vertex } => write!(f, "vertex {vertex} (from 0) has a coordinate that is not finite"),
            Self::IndexOutOfRange { triangle, index, vertices } => {
                write!(f, "triangle {triangle} (from 0) uses vertex {index} (from 0), but there are {vertices}")
            }
            Self::NoExtent => write!(f, "all vertices of the faces lie in one point"),
        }
    }
}

impl std::error::Error for MeshError {}

impl Mesh {
    /// Checks the parts and puts them together.
    pub(crate) fn new(vertices: Vec<[f32; 3]>, triangles: Vec<[u32; 3]>) -> Result<Self, MeshError> {
        if vertices.is_empty() {
            return Err(MeshError::NoVertices);
        }
        if triangles.is_empty() {
            return Err(MeshError::NoTriangles);
        }
        if let Some(vertex) = vertices.iter().position(|v| v.iter().any(|c| !c.is_finite())) {
            return Err(MeshError::NotFinite { vertex });
        }
        for (triangle, corners) in triangles.iter().enumerate() {
            if let Some(&index) = corners.iter().find(|&&i| i as usize >= vertices.len()) {
                return Err(MeshError::IndexOutOfRange { triangle, index, vertices: vertices.len() });
            }
        }
        let mesh = Self { vertices, triangles };
        let (lo, hi) = mesh.bounds();
        if lo == hi {
            return Err(MeshError::NoExtent);
        }
        Ok(mesh)
    }

    pub(crate) fn vertices(&self) -> &[[f32; 3]] {
        &self.vertices
    }

    pub(crate) fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Smallest box around the vertices that triangles use (scans leave stray ones).
    pub(crate) fn bounds(&self) -> ([f32; 3], [f32; 3]) {
        let mut lo = [f32::INFINITY; 3];
        let mut hi = [f32::NEG_INFINITY; 3];
        for &i in self.triangles.iter().flatten() {
            for (axis, &c) in self.vertices[i as usize].iter().enumerate() {
                lo[axis] = lo[axis].min(c);
                hi[axis] = hi[axis].max(c);
            }
        }
        (lo, hi)
    }

    /// Edge of a cell if `resolution` cells cover the longest side of the bounding box.
    pub(crate) fn voxel_size(&self, resolution: u32) -> f64 {
        let (lo, hi) = self.bounds();
        let longest = (0..3).map(|a| f64::from(hi[a]) - f64::from(lo[a])).fold(0.0, f64::max);
        longest / f64::from(resolution)
    }

    /// Volume by the divergence theorem: the sum of the tetrahedra that each triangle spans with one fixed point.
    /// Right for closed meshes; negative if the faces look inwards.
    pub(crate) fn signed_volume(&self) -> f64 {
        // Any fixed point will do; one nearby keeps the terms small.
        let origin = self.bounds().0.map(f64::from);
        let corner = |i: u32| {
            let v = self.vertices[i as usize];
            [0, 1, 2].map(|a| f64::from(v[a]) - origin[a])
        };
        self.triangles.iter().map(|&[a, b, c]| dot(corner(a), cross(corner(b), corner(c)))).sum::<f64>() / 6.0
    }

    /// Turns every face over.
    pub(crate) fn flip(&mut self) {
        for corners in &mut self.triangles {
            corners.swap(1, 2);
        }
    }

    /// Lets corners at the same position share one vertex, as files with one vertex per corner or per texture seam need:
    /// the sign of the distance rests on knowing which faces meet. Faces that have one vertex twice are dropped. Returns how many
    /// vertices were merged; no faces left is an error.
    pub(crate) fn weld(&mut self) -> Result<usize, MeshError> {
        let mut first = HashMap::with_capacity(self.vertices.len());
        let mut merged = 0;
        let target: Vec<u32> = (0_u32..)
            .zip(&self.vertices)
            .map(|(i, v)| {
                // Adding zero makes -0.0 equal to 0.0.
                let keep = *first.entry(v.map(|c| (c + 0.0).to_bits())).or_insert(i);
                merged += usize::from(keep != i);
                keep
            })
            .collect();
        for i in self.triangles.iter_mut().flatten() {
            *i = target[*i as usize];
        }
        self.triangles.retain(|&[a, b, c]| a != b && b != c && c != a);
        if self.triangles.is_empty() { Err(MeshError::NoTriangles) } else { Ok(merged) }
    }
}

pub(crate) fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(crate) fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub(crate) fn sub(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(crate) fn add(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub(crate) fn scale(a: [f64; 3], s: f64) -> [f64; 3] {
    [a[0] * s, a[1] * s, a[2] * s]
}

pub(crate) fn norm(a: [f64; 3]) -> f64 {
    dot(a, a).sqrt()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// The box `[0, x] * [0, y] * [0, z]` as twelve triangles.
    pub(crate) fn cuboid(x: f32, y: f32, z: f32) -> Mesh {
        let vertices = (0..8).map(|i| [(i >> 2) as f32 * x, (i >> 1 & 1) as f32 * y, (i & 1) as f32 * z]).collect();
        let quads = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]];
        let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
        Mesh::new(vertices, triangles).unwrap()
    }

    #[test]
    fn volume_of_a_box_and_of_the_same_box_turned_over() {
        let mut mesh = cuboid(2.0, 3.0, 5.0);
        assert!((mesh.signed_volume() - 30.0).abs() < 1e-12);
        mesh.flip();
        assert!((mesh.signed_volume() + 30.0).abs() < 1e-12);
    }

    #[test]
    fn broken_parts_are_named() {
        let v = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        assert_eq!(Mesh::new(vec![], vec![[0, 1, 2]]).unwrap_err(), MeshError::NoVertices);
        assert_eq!(Mesh::new(v.clone(), vec![]).unwrap_err(), MeshError::NoTriangles);
        let out = MeshError::IndexOutOfRange { triangle: 1, index: 3, vertices: 3 };
        assert_eq!(Mesh::new(v.clone(), vec![[0, 1, 2], [0, 1, 3]]).unwrap_err(), out);
        assert_eq!(Mesh::new(v.clone(), vec![[1, 1, 1]]).unwrap_err(), MeshError::NoExtent);
        for bad in [f32::NAN, f32::INFINITY] {
            let mut v = v.clone();
            v[2][1] = bad;
            assert_eq!(Mesh::new(v, vec![[0, 1, 2]]).unwrap_err(), MeshError::NotFinite { vertex: 2 });
        }
    }

    #[test]
    fn bounds_leave_stray_vertices_out() {
        let mesh = Mesh::new(vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, -4.0, 2.0], [99.0; 3]], vec![[0, 1, 2]]).unwrap();
        assert_eq!(mesh.bounds(), ([0.0, -4.0, 0.0], [1.0, 0.0, 2.0]));
        assert_eq!(mesh.voxel_size(8), 0.5);
    }

    #[test]
    fn welding_joins_equal_positions() {
        let v = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [-0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
        let mut mesh = Mesh::new(v.clone(), vec![[0, 1, 2], [4, 3, 5], [0, 3, 5]]).unwrap();
        assert_eq!(mesh.weld(), Ok(2));
        assert_eq!(mesh.triangles(), [[0, 1, 2], [1, 0, 5]]);
        assert_eq!(Mesh::new(v, vec![[0, 3, 5]]).unwrap().weld(), Err(MeshError::NoTriangles));
    }
}
