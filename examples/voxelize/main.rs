//! Builds a narrow-band level set of a closed mesh on a sparse grid, in parallel, and draws it.
//!
//! ```text
//! cargo run --release --example voxelize
//! cargo run --release --example voxelize -- bunny.obj.gz --resolution 512
//! ```
//!
//! Reading: `command`, `args`, `read`, `read_obj`, `read_ply`, `mesh`, `torus_knot`. Distances: `bins` (which triangles come near which
//! blocks), `distance` (one triangle and a row of cells), `sides`, `edges`, `winding` and `conflicts` (the sign), `band` (a block from all of these).
//! The grid: `grid`. Results: `measure`, `picture`, `slice`, `view`, `occupancy`.

mod args;
mod band;
mod bins;
mod command;
mod conflicts;
mod distance;
mod edges;
mod grid;
mod measure;
mod mesh;
mod occupancy;
mod picture;
mod progress;
mod read;
mod read_obj;
mod read_ply;
mod sides;
mod slice;
#[cfg(test)]
mod tests;
mod torus_knot;
mod view;
mod winding;

use std::process::ExitCode;
use std::time::Instant;

use crate::args::Args;
use crate::band::Band;
use crate::edges::Seams;
use crate::grid::LevelSet;
use crate::mesh::Mesh;
use crate::occupancy::Occupancy;

fn main() -> ExitCode {
    command::run("voxelize", args::HELP, args::parse(lexopt::Parser::from_env()), run)
}

fn run(args: &Args) -> Result<(), String> {
    let threads = rayon::ThreadPoolBuilder::new().num_threads(args.threads);
    threads.build_global().map_err(|e| format!("no threads: {e}"))?;
    let mut clock = Clock::new();

    let mesh = load(args)?;
    clock.lap("read the mesh");
    let voxel_size = mesh.voxel_size(args.resolution);

    let band = Band::new(&mesh, voxel_size, f64::from(args.band));
    clock.lap("list the triangles of each block");
    let bar = progress::bar("distances", band.origins().len());
    let mut level_set = LevelSet::build(&band, voxel_size, &bar);
    bar.finish_and_clear();
    clock.lap("fill the blocks");

    println!("\n{}", level_set.describe());
    let (cells, blocks, memory) = (level_set.cells(), level_set.blocks(), level_set.memory());
    println!("cells      {cells} in {blocks} blocks, edge {voxel_size:.6}, band of {} to each side", args.band);
    println!(
        "memory     {:.1} MiB, {:.2} bytes a cell",
        memory as f64 / f64::from(1 << 20),
        memory as f64 / cells as f64
    );
    report_volume(&mesh, band.seams(), &level_set);
    clock.lap("count and measure");

    let bar = progress::bar("smoothing", args.sweeps as usize);
    for _ in 0..args.sweeps {
        level_set.smooth();
        bar.inc(1);
    }
    bar.finish_and_clear();
    clock.lap("smooth");

    draw(args, &mesh, &level_set, voxel_size)?;
    clock.lap("draw");
    println!("picture    {}\n", args.output.display());
    clock.print(rayon::current_num_threads());
    Ok(())
}

/// Holds the volume against that of the triangles, if the mesh encloses one.
fn report_volume(mesh: &Mesh, seams: Seams, level_set: &LevelSet) {
    if seams != Seams::default() {
        println!(
            "surface    {} edges at holes, {} of more than two faces, {} between faces turned against each other;",
            seams.open, seams.crowded, seams.twisted
        );
        println!("           the sign jumps at {} places of the band", level_set.jumps());
    }
    if seams.open + seams.twisted == 0 {
        let (exact, found) = (mesh.signed_volume(), level_set.volume());
        println!("volume     {found:.6e}; of the triangles {exact:.6e} ({:+.3} %)", (found / exact - 1.0) * 100.0);
    } else {
        println!("volume     not defined: the mesh is not closed");
    }
}

/// The mesh, welded and facing outwards.
fn load(args: &Args) -> Result<Mesh, String> {
    let (mut mesh, name) = match &args.mesh {
        Some(path) => (read::read_mesh(path)?, path.display().to_string()),
        None => (torus_knot::torus_knot(0.4, 720, 90), "torus knot".into()),
    };
    println!("mesh       {name}: {} vertices, {} triangles", mesh.vertices().len(), mesh.triangles().len());
    let merged = mesh.weld().map_err(|e| format!("{name}: {e}"))?;
    if merged > 0 {
        println!("           {merged} vertices merged with others at the same place");
    }
    if mesh.signed_volume() < 0.0 {
        mesh.flip();
        println!("           the faces looked inwards: turned over");
    }
    Ok(mesh)
}

fn draw(args: &Args, mesh: &Mesh, level_set: &LevelSet, voxel_size: f64) -> Result<(), String> {
    let (lo, hi) = mesh.bounds();
    let size = [0, 1, 2].map(|a| ((f64::from(hi[a]) - f64::from(lo[a])) / voxel_size).ceil() as i32);
    let bar = progress::bar("drawing", picture::PANEL);
    let slice = slice::draw(size, args.band, level_set.reader());
    let scene = view::Scene {
        size,
        reach: args.band,
        reader: || level_set.reader(),
        blocks: Occupancy::new(&level_set.origins()),
    };
    let view = view::draw(&scene, || bar.inc(1));
    bar.finish_and_clear();
    picture::write_png(&args.output, &[slice, view])
}

/// Wall-clock times of the steps.
struct Clock {
    last: Instant,
    laps: Vec<(&'static str, f64)>,
}

impl Clock {
    fn new() -> Self {
        Self { last: Instant::now(), laps: Vec::new() }
    }

    fn lap(&mut self, name: &'static str) {
        self.laps.push((name, self.last.elapsed().as_secs_f64() * 1e3));
        self.last = Instant::now();
    }

    fn print(&self, threads: usize) {
        println!("milliseconds with {threads} threads");
        for (name, time) in &self.laps {
            println!("  {time:>9.1}  {name}");
        }
    }
}
