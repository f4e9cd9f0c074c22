//! The command line.

use lexopt::prelude::*;

use crate::command::within;

pub(crate) const HELP: &str = "\
Heat that spreads from a torch on its way round, on a sparse grid that follows it, drawn every few steps.

Usage: heat [OPTIONS]

  -n, --steps N      steps, 1 to 100000 [240]
  -e, --every N      steps from picture to picture, 1 to 100000 [40]
  -r, --radius N     radius of the torch's way in cells, 8 to 1000 [80]
  -c, --cooling C    part of the heat that is lost in a step, 0 to 0.5 [0.02]
  -l, --limit T      cells colder than this go, 0 to 0.5 [0.001]
  -t, --threads N    threads, 0 for one per processor [0]
  -o, --output NAME  the pictures are NAME-0040.png, ... [heat]
  -h, --help         this text
";

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Args {
    pub(crate) steps: u32,
    pub(crate) every: u32,
    pub(crate) radius: u32,
    pub(crate) cooling: f32,
    pub(crate) limit: f32,
    pub(crate) threads: usize,
    pub(crate) output: String,
}

/// The arguments, or None if help is asked for. The error is one line.
pub(crate) fn parse(mut parser: lexopt::Parser) -> Result<Option<Args>, lexopt::Error> {
    let mut args =
        Args { steps: 240, every: 40, radius: 80, cooling: 0.02, limit: 0.001, threads: 0, output: "heat".into() };
    while let Some(arg) = parser.next()? {
        match arg {
            Short('n') | Long("steps") => args.steps = within("--steps", parser.value()?.parse()?, 1, 100_000)?,
            Short('e') | Long("every") => args.every = within("--every", parser.value()?.parse()?, 1, 100_000)?,
            Short('r') | Long("radius") => args.radius = within("--radius", parser.value()?.parse()?, 8, 1000)?,
            Short('c') | Long("cooling") => args.cooling = within("--cooling", parser.value()?.parse()?, 0.0, 0.5)?,
            Short('l') | Long("limit") => args.limit = within("--limit", parser.value()?.parse()?, 0.0, 0.5)?,
            Short('t') | Long("threads") => args.threads = within("--threads", parser.value()?.parse()?, 0, 1024)?,
            Short('o') | Long("output") => args.output = parser.value()?.string()?,
            Short('h') | Long("help") => return Ok(None),
            _ => return Err(arg.unexpected()),
        }
    }
    Ok(Some(args))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_become_arguments() {
        let read = |words: &[&str]| parse(lexopt::Parser::from_args(words)).map_err(|e| e.to_string());
        assert_eq!(read(&["-n8", "--cooling=0.25"]).unwrap().map(|a| (a.steps, a.cooling)), Some((8, 0.25)));
        assert_eq!(read(&["--help"]), Ok(None));
        assert_eq!(read(&["-r", "2"]), Err("--radius takes 8 to 1000, not 2".into()));
        assert!(read(&["-l", "NaN"]).is_err() && read(&["file"]).is_err());
    }
}
