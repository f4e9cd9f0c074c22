//! The command line.

use std::path::PathBuf;

use lexopt::prelude::*;

use crate::command::within;

pub(crate) const HELP: &str = "\
Scatters particles to a sparse grid of masses and momenta and draws the density.

Usage: particles [FILE] [OPTIONS]

FILE is an OBJ or PLY file, plain or gzipped, whose vertices are the particles. Without one, a noisy shell is made.

  -n, --count N        particles of the shell, 1 to 1000000000 [1000000]
  -r, --resolution N   cells along the longest side of the cloud, 8 to 4096 [416]
  -o, --output FILE    the picture [particles.png]
  -h, --help           this text
";

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Args {
    pub(crate) file: Option<PathBuf>,
    pub(crate) count: usize,
    pub(crate) resolution: u32,
    pub(crate) output: PathBuf,
}

/// The arguments, or None if help is asked for. The error is one line.
pub(crate) fn parse(mut parser: lexopt::Parser) -> Result<Option<Args>, lexopt::Error> {
    let mut args = Args { file: None, count: 1_000_000, resolution: 416, output: PathBuf::from("particles.png") };
    while let Some(arg) = parser.next()? {
        match arg {
            Short('n') | Long("count") => args.count = within("--count", parser.value()?.parse()?, 1, 1_000_000_000)?,
            Short('r') | Long("resolution") => {
                args.resolution = within("--resolution", parser.value()?.parse()?, 8, 4096)?;
            }
            Short('o') | Long("output") => args.output = parser.value()?.into(),
            Short('h') | Long("help") => return Ok(None),
            Value(path) if args.file.is_none() => args.file = Some(path.into()),
            _ => return Err(arg.unexpected()),
        }
    }
    Ok(Some(args))
}
