//! Finds the programs of the race, and builds those that are built.

use std::env;
use std::ffi::OsString;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use crate::options::Options;
use crate::run::{Program, last_line};

/// This library's name in the table; the other systems are compared with it.
pub(crate) const OURS: &str = "sparse-layout";
/// All systems, in the order of the table's columns.
pub(crate) const SYSTEMS: &[&str] = &[OURS, "bounds", "OpenVDB", "Taichi", "numpy"];

/// A system that cannot run here, and why.
#[derive(Debug)]
pub(crate) struct Missing {
    system: &'static str,
    reason: String,
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.system, self.reason)
    }
}

/// The programs that can run, and the systems that cannot.
pub(crate) fn programs(options: &Options, out: &Path) -> (Vec<Program>, Vec<Missing>) {
    let (mut found, mut missing) = (Vec::new(), Vec::new());
    for &system in SYSTEMS.iter().filter(|system| options.wants_system(system)) {
        eprintln!("looking for {system}");
        let program = match system {
            "bounds" => compiled("bounds", "bounds.cc", &["-fopenmp"], out),
            "OpenVDB" => {
                let libraries = ["-lopenvdb", "-ltbb", "-ltbbmalloc_proxy", "-lImath", "-pthread"];
                compiled("openvdb", "bench.cc", &libraries, out)
            }
            "Taichi" => python("taichi", "import taichi, numpy", out),
            "numpy" => python("numpy", "import numpy; numpy.bitwise_count", out),
            _ => workloads().map(|path| (path.into(), vec!["--bench".into()])),
        };
        match program {
            Ok((program, first_args)) => found.push(Program { system, program, first_args, cache: out.to_owned() }),
            Err(reason) => missing.push(Missing { system, reason }),
        }
    }
    (found, missing)
}

type Found = Result<(OsString, Vec<OsString>), String>;

fn peer_folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/peers").join(name)
}

/// Builds this library's benchmark `workloads` and gives its path.
fn workloads() -> Result<PathBuf, String> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args([
            "bench",
            "--bench",
            "workloads",
            "--no-run",
            "--all-features",
            "--message-format=json-render-diagnostics",
        ])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(format!("the benchmark does not build: {}", last_line(&output.stderr)));
    }
    let messages = String::from_utf8_lossy(&output.stdout);
    executable(&messages).ok_or_else(|| "cargo names no executable".to_owned())
}

/// The path in the last `"executable":"PATH"` of cargo's messages.
pub(crate) fn executable(messages: &str) -> Option<PathBuf> {
    let (_, path) = messages.rsplit_once(r#""executable":""#)?;
    let (path, _) = path.split_once('"')?;
    Some(path.replace(r"\\", r"\").into())
}

/// Builds a C++ peer if its program is missing or older than one of its sources.
fn compiled(name: &str, main: &str, flags: &[&str], out: &Path) -> Found {
    let folder = peer_folder(name);
    let program = out.join(format!("{name}{}", env::consts::EXE_SUFFIX));
    let modified = |path: &Path| fs::metadata(path).and_then(|data| data.modified()).ok();
    let sources = fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let newest = sources.filter_map(|entry| modified(&entry.ok()?.path())).max().unwrap_or(SystemTime::UNIX_EPOCH);
    if modified(&program).is_none_or(|built| built < newest) {
        let compiler = env::var_os("CXX").unwrap_or_else(|| "g++".into());
        eprintln!("building {name}");
        let output = Command::new(&compiler)
            .args(["-O3", "-march=native", "-std=c++17", "-DNDEBUG"])
            .arg(folder.join(main))
            .arg("-o")
            .arg(&program)
            .args(flags)
            .output()
            .map_err(|error| format!("{}: {error}", compiler.display()))?;
        if !output.status.success() {
            let errors = String::from_utf8_lossy(&output.stderr);
            let first = errors.lines().find(|line| line.contains("error")).unwrap_or("no message");
            return Err(format!("does not build: {first} (see benches/peers/README.md)"));
        }
    }
    Ok((program.into(), Vec::new()))
}

/// The first Python that runs `probe`, with the peer's script.
fn python(name: &str, probe: &str, out: &Path) -> Found {
    let in_venv = |venv: PathBuf| [venv.join("bin/python"), venv.join("Scripts/python.exe")];
    let mut candidates: Vec<PathBuf> = env::var_os("PEERS_PYTHON").into_iter().map(PathBuf::from).collect();
    candidates.extend(env::var_os("VIRTUAL_ENV").into_iter().flat_map(|venv| in_venv(venv.into())));
    candidates.extend(in_venv(out.join("venv")));
    candidates.extend(["python3", "python"].map(PathBuf::from));
    let works = |python: &PathBuf| {
        Command::new(python).args(["-c", probe]).output().is_ok_and(|output| output.status.success())
    };
    let python = candidates.into_iter().find(works).ok_or_else(|| {
        let venv = out.join("venv");
        format!("no Python that can `{probe}`: name one in PEERS_PYTHON or make {}", venv.display())
    })?;
    Ok((python.into(), vec![peer_folder(name).join("bench.py").into()]))
}
