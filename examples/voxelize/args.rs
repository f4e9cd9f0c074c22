//! The command line.

use std::path::PathBuf;

use lexopt::prelude::*;

use crate::command::within;

pub(crate) const HELP: &str = "\
Builds a narrow-band level set of a closed triangle mesh on a sparse grid and draws it.

Usage: voxelize [MESH] [OPTIONS]

MESH is an OBJ or PLY file, plain or gzipped. Without one, a torus knot is made.

  -r, --resolution N   cells along the longest side of the mesh, 8 to 4096 [256]
  -b, --band W         half the width of the band in cells, 1 to 32 [3]
  -s, --sweeps N       smoothing sweeps, 0 to 1000 [3]
  -t, --threads N      threads, 0 for one per processor [0]
  -o, --output FILE    the picture [voxelize.png]
  -h, --help           this text
";

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Args {
    pub(crate) mesh: Option<PathBuf>,
    pub(crate) resolution: u32,
    pub(crate) band: f32,
    pub(crate) sweeps: u32,
    pub(crate) threads: usize,
    pub(crate) output: PathBuf,
}

/// The arguments, or None if help is asked for. The error is one line.
pub(crate) fn parse(mut parser: lexopt::Parser) -> Result<Option<Args>, lexopt::Error> {
    let mut args =
        Args { mesh: None, resolution: 256, band: 3.0, sweeps: 3, threads: 0, output: PathBuf::from("voxelize.png") };
    while let Some(arg) = parser.next()? {
        match arg {
            Short('r') | Long("resolution") => {
                args.resolution = within("--resolution", parser.value()?.parse()?, 8, 4096)?;
            }
            Short('b') | Long("band") => args.band = within("--band", parser.value()?.parse()?, 1.0, 32.0)?,
            Short('s') | Long("sweeps") => args.sweeps = within("--sweeps", parser.value()?.parse()?, 0, 1000)?,
            Short('t') | Long("threads") => args.threads = within("--threads", parser.value()?.parse()?, 0, 1024)?,
            Short('o') | Long("output") => args.output = parser.value()?.into(),
            Short('h') | Long("help") => return Ok(None),
            Value(path) if args.mesh.is_none() => args.mesh = Some(path.into()),
            _ => return Err(arg.unexpected()),
        }
    }
    Ok(Some(args))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &[&str]) -> Result<Option<Args>, String> {
        parse(lexopt::Parser::from_args(words)).map_err(|e| e.to_string())
    }

    #[test]
    fn words_become_arguments() {
        let none = read(&[]).unwrap().unwrap();
        assert_eq!((none.mesh, none.resolution, none.band), (None, 256, 3.0));
        let all = read(&["-r64", "a.obj", "--band=2.5", "-s", "0", "-t", "2", "-o", "b.png"]).unwrap().unwrap();
        let expected = Args {
            mesh: Some("a.obj".into()),
            resolution: 64,
            band: 2.5,
            sweeps: 0,
            threads: 2,
            output: "b.png".into(),
        };
        assert_eq!(all, expected);
        assert_eq!(read(&["x", "--help"]).unwrap(), None);
    }

    #[test]
    fn wrong_words_are_named() {
        assert_eq!(read(&["-r", "7"]).unwrap_err(), "--resolution takes 8 to 4096, not 7");
        assert_eq!(read(&["--band", "NaN"]).unwrap_err(), "--band takes 1 to 32, not NaN");
        assert!(read(&["-r", "many"]).unwrap_err().contains("many"));
        assert!(read(&["a", "b"]).unwrap_err().contains("\"b\""));
        assert!(read(&["--fast"]).unwrap_err().contains("--fast"));
        assert!(read(&["--sweeps"]).is_err());
    }
}
