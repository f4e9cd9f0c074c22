//! Colours, and a picture as a PNG file.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

pub(crate) type Colour = [f32; 3];

/// Side of one panel in pixels.
pub(crate) const PANEL: usize = 720;

pub(crate) fn mix(a: Colour, b: Colour, t: f32) -> Colour {
    [0, 1, 2].map(|i| a[i] + (b[i] - a[i]) * t)
}

/// Colours from 0 to 1, encoded as they are.
pub(crate) fn bytes(colour: Colour) -> [u8; 3] {
    colour.map(|c| (c.clamp(0.0, 1.0) * 255.0 + 0.5) as u8)
}

/// Writes square panels side by side; the error is one line that begins with the path.
pub(crate) fn write_png(path: &Path, panels: &[Vec<[u8; 3]>]) -> Result<(), String> {
    let mut pixels = Vec::with_capacity(panels.len() * PANEL * PANEL * 3);
    for row in 0..PANEL {
        for panel in panels {
            pixels.extend(panel[row * PANEL..][..PANEL].as_flattened());
        }
    }
    let write = || -> Result<(), Box<dyn std::error::Error>> {
        let file = BufWriter::new(File::create(path)?);
        let mut encoder = png::Encoder::new(file, (panels.len() * PANEL) as u32, PANEL as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&pixels)?;
        writer.finish()?;
        Ok(())
    };
    write().map_err(|e| format!("{}: cannot be written: {e}", path.display()))
}
