//! The mean of 3 x 3 cells over three tiles in a sparse domain of 32 x 32, into a dense picture.
//!
//! ```text
//! cargo run --release --example mean
//! cargo run --release --example mean -- elsewhere.png
//! ```
//!
//! The cells of the tiles are 1, everything else reads as 0, past the bounds of the domain too. So each cell hands a ninth to
//! itself and to its eight neighbours; only those at the domain's left edge lose three of the nine.

#[allow(dead_code, reason = "shared with voxelize")]
#[path = "../voxelize/picture.rs"]
mod picture;

use std::process::ExitCode;

use sparse_layout::prelude::*;

use crate::picture::PANEL;

/// Cells of the domain along each axis.
const SIDE: i32 = 32;
/// Where the tiles begin, and their cells along each axis.
const TILES: [[i32; 2]; 3] = [[2, 2], [10, 16], [0, 20]];
const TILE: i32 = 8;

/// The tiles.
#[sparse_layout(axes(x, y), pointer(8) > leaf: bitmasked(4))]
struct Sparse {
    value: f32,
}

/// The picture, by rows.
#[sparse_layout(axes(x, y), dense(y = 32, x = 32))]
struct Image {
    value: f32,
}

fn main() -> ExitCode {
    let path = std::env::args_os().nth(1).unwrap_or_else(|| "mean.png".into());
    if path == "--help" || path == "-h" {
        println!("Usage: mean [FILE]: the mean of 3 x 3 cells of three tiles, drawn to FILE [mean.png]");
        return ExitCode::SUCCESS;
    }
    let image = mean(&tiles());
    println!("the picture sums to {:.4}", image.value().sum());
    match picture::write_png(path.as_ref(), &[pixels(&image)]) {
        Ok(()) => ExitCode::SUCCESS,
        Err(line) => {
            eprintln!("mean: {line}");
            ExitCode::FAILURE
        }
    }
}

fn tiles() -> Sparse {
    let mut sparse = Sparse::new();
    for [x, y] in TILES {
        sparse.leaf_mut().activate_box(Region::new([x, y], [x + TILE, y + TILE]));
    }
    sparse.fields_mut().value.fill(1.0);
    sparse
}

/// Reads the sparse grid around each cell of the picture; what is inactive or out of bounds is 0.
fn mean(sparse: &Sparse) -> Image {
    let mut image = Image::new();
    let value = sparse.value();
    image.fields_mut().value.par_for_each(|p, mean| {
        let around = Region::new([-1, -1], [2, 2]);
        *mean = around.iter().map(|by| value.value(p.offset(by))).sum::<f32>() / 9.0;
    });
    image
}

fn pixels(image: &Image) -> Vec<[u8; 3]> {
    let cell = |i: usize| (i * SIDE as usize / PANEL) as i32;
    let pixel = |i: usize| picture::bytes([image.value().value([cell(i % PANEL), cell(i / PANEL)]); 3]);
    (0..PANEL * PANEL).map(pixel).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_is_that_of_the_cells_but_for_the_left_edge() {
        let image = mean(&tiles());
        // 192 cells of 1; the 8 at x = 0 lose 3 ninths each.
        assert!((image.value().sum() - (192.0 - 8.0 * 3.0 / 9.0)).abs() < 1e-4);
        assert!((image.value().value([5, 5]) - 1.0).abs() < 1e-6);
        assert!((image.value().value([1, 1]) - 1.0 / 9.0).abs() < 1e-6);
        assert!((image.value().value([0, 20]) - 4.0 / 9.0).abs() < 1e-6);
        assert_eq!(image.value().value([31, 0]), 0.0);
    }
}
