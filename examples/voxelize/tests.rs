//! The whole way from a mesh to a level set.

use indicatif::ProgressBar;

use crate::band::Band;
use crate::distance::tests::{Random, reference};
use crate::grid::LevelSet;
use crate::mesh::Mesh;
use crate::mesh::tests::cuboid;
use crate::read::read_mesh;
use crate::read::tests::shared_mesh;
use crate::torus_knot::torus_knot;

const REACH: f64 = 3.0;

fn level_set(mesh: &Mesh, resolution: u32) -> LevelSet {
    let voxel_size = mesh.voxel_size(resolution);
    LevelSet::build(&Band::new(mesh, voxel_size, REACH), voxel_size, &ProgressBar::hidden())
}

/// The mesh in cells, as [`Band`] places it.
fn in_cells(mesh: &Mesh, resolution: u32) -> Vec<[[f64; 3]; 3]> {
    let (lo, size) = (mesh.bounds().0, mesh.voxel_size(resolution));
    let cells = |i: u32| {
        let v = mesh.vertices()[i as usize];
        [0, 1, 2].map(|a| (f64::from(v[a]) - f64::from(lo[a])) / size)
    };
    mesh.triangles().iter().map(|t| t.map(cells)).collect()
}

/// Compares cells near random places of the surface with the least distance to any triangle: those in the band must have it, those
/// out of the band must be out of reach. Returns how many were in the band.
fn check_by_brute_force(mesh: &Mesh, resolution: u32, samples: usize) -> usize {
    let set = level_set(mesh, resolution);
    let size = mesh.voxel_size(resolution);
    let triangles = in_cells(mesh, resolution);
    let mut random = Random(3);
    let mut in_band = 0;
    for _ in 0..samples {
        let corner = triangles[random.next() as usize % triangles.len()][0];
        let shift = random.point(REACH + 1.0);
        let cell = [0, 1, 2].map(|a| (corner[a] + shift[a]).round() as i32);
        let p = cell.map(f64::from);
        let expected = triangles.iter().map(|&t| reference(t, p)).fold(f64::INFINITY, f64::min).sqrt();
        match set.distance(cell) {
            Some(d) => {
                let d = f64::from(d.abs()) / size;
                assert!((d - expected).abs() < 1e-4, "{cell:?}: {d} instead of {expected}");
                in_band += 1;
            }
            None => assert!(expected > REACH - 1e-4, "{cell:?} is missing at {expected}"),
        }
    }
    in_band
}

#[test]
fn a_box_has_the_distances_of_a_box() {
    // The longest side is 32 cells; the others do not end on cells.
    let mesh = cuboid(16.0, 10.25, 7.1);
    let set = level_set(&mesh, 32);
    let half = [16.0, 10.25, 7.1];
    let mut cells = 0;
    for x in -5..38 {
        for y in -5..27 {
            for z in -5..21 {
                // Signed distance to a box, by Quilez.
                let q = [0, 1, 2].map(|a| (f64::from([x, y, z][a]) - half[a]).abs() - half[a]);
                let outside = q.iter().map(|&c| c.max(0.0).powi(2)).sum::<f64>().sqrt();
                let expected = outside + q.iter().fold(f64::MIN, |a, &b| a.max(b)).min(0.0);
                match set.distance([x, y, z]) {
                    Some(d) => {
                        assert!((f64::from(d) / 0.5 - expected).abs() < 1e-4, "{:?}: {d} {expected}", [x, y, z]);
                        cells += 1;
                    }
                    None => assert!(expected.abs() > REACH - 1e-4, "{:?}", [x, y, z]),
                }
            }
        }
    }
    assert_eq!(cells, set.cells());
    set.internal_validate();
}

#[test]
fn the_knot_encloses_its_volume() {
    let mesh = torus_knot(0.4, 240, 40);
    let set = level_set(&mesh, 128);
    assert_eq!(set.jumps(), 0);
    assert!((set.volume() / mesh.signed_volume() - 1.0).abs() < 0.01);
    assert!(check_by_brute_force(&mesh, 128, 300) > 100);
}

#[test]
fn large_and_flat_triangles() {
    // Two triangles far larger than blocks, one of them also cut by corners on its long side.
    let v = vec![[0.0, 0.0, 0.0], [300.0, 7.0, 40.0], [20.0, 280.0, 11.0], [31.0, 20.0, 260.0], [150.0, 3.5, 20.0]];
    let mesh = Mesh::new(v, vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3], [0, 4, 1]]).unwrap();
    assert!(check_by_brute_force(&mesh, 400, 3000) > 500);
}

#[test]
fn spot_encloses_its_volume_and_agrees_with_brute_force() {
    let Some(path) = shared_mesh("spot.obj.gz") else { return };
    let mut mesh = read_mesh(&path).unwrap();
    mesh.weld().unwrap();
    let set = level_set(&mesh, 256);
    assert_eq!(set.jumps(), 0);
    assert!((set.volume() / mesh.signed_volume() - 1.0).abs() < 0.01);
    assert!(check_by_brute_force(&mesh, 256, 4000) > 2000);
}

#[test]
fn overlapping_faces_do_not_disturb_the_side() {
    // A thousand faces of the dragon lie back to back with others: normals alone leave twelve thousand jumps.
    let Some(path) = shared_mesh("dragon_vrip_res3.ply.gz") else { return };
    let mesh = read_mesh(&path).unwrap();
    let set = level_set(&mesh, 256);
    assert!(set.jumps() < 20, "{}", set.jumps());
    assert!((set.volume() / mesh.signed_volume() - 1.0).abs() < 2e-3);
}

#[test]
fn scanned_meshes_agree_with_brute_force() {
    for name in ["stanford_bunny.obj.gz", "dragon_vrip_res3.ply.gz"] {
        let Some(path) = shared_mesh(name) else { return };
        let mut mesh = read_mesh(&path).unwrap();
        mesh.weld().unwrap();
        assert!(check_by_brute_force(&mesh, 200, 500) > 200, "{name}");
    }
}
