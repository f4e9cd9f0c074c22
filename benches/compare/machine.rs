//! What the race ran on, and when.

use std::fmt;
use std::process::Command;
use std::thread;
use std::time::{SystemTime, UNIX_EPOCH};

/// Date, processor and versions: without them a figure means nothing.
#[derive(Clone, Debug)]
pub(crate) struct Machine {
    date: String,
    processor: String,
    cores: usize,
    versions: Vec<String>,
}

impl Machine {
    /// Reads this machine; `versions` are the programs' own.
    pub(crate) fn read<'a>(versions: impl Iterator<Item = &'a str>) -> Self {
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
        let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let rustc = Command::new(rustc).arg("--version").output().ok();
        let rustc = rustc.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
        Self {
            date: date(seconds / 86_400),
            processor: processor(),
            cores: thread::available_parallelism().map_or(1, usize::from),
            versions: versions.map(str::to_owned).chain(rustc).collect(),
        }
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}, {} cores; {}.", self.date, self.processor, self.cores, self.versions.join("; "))
    }
}

fn processor() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    model.map_or_else(|| std::env::consts::ARCH.to_owned(), |(_, model)| model.trim().to_owned())
}

/// The UTC date, as year-month-day, of a day counted from 1970-01-01 (Hinnant, "chrono-compatible low-level date
/// algorithms", `civil_from_days`).
pub(crate) fn date(days: u64) -> String {
    let z = days + 719_468;
    let (era, day_of_era) = (z / 146_097, z % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    format!("{year}-{month:02}-{day:02}")
}
