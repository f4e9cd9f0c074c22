//! The best of all rounds.

use std::collections::BTreeMap;

use crate::expected::{WORKLOADS, Workload};
use crate::run::Output;

/// A row of one system with one thread count.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key {
    /// Place of the row's workload in the table; rows of no workload come last.
    pub(crate) place: usize,
    pub(crate) row: String,
    pub(crate) threads: usize,
    pub(crate) system: &'static str,
}

impl Key {
    /// The workload this row belongs to.
    pub(crate) fn workload(&self) -> Option<&'static Workload> {
        WORKLOADS.get(self.place)
    }
}

/// The minimum over the rounds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Best {
    /// Seconds, or bytes for a row whose figure is a size.
    pub(crate) figure: f64,
    pub(crate) checksum: String,
    /// Whether the checksum was right in every round (rows of no workload are not checked).
    pub(crate) right: bool,
}

/// What the race measured.
#[derive(Debug, Default)]
pub(crate) struct Results {
    best: BTreeMap<Key, Best>,
    versions: BTreeMap<&'static str, String>,
    complaints: Vec<String>,
    skipped: Vec<String>,
}

impl Results {
    /// Takes in one run of a program.
    pub(crate) fn add(&mut self, system: &'static str, output: Output) {
        self.versions.extend(output.version.map(|version| (system, version)));
        self.complaints.extend(output.failure.map(|failure| format!("{system}: {failure}")));
        for line in output.lines {
            let workload = Workload::of_row(&line.row);
            let error = workload.and_then(|workload| workload.check(&line.checksum).err());
            if let Some(error) = &error {
                self.complaints.push(format!("{system}: {} with {} thread(s): {error}", line.row, line.threads));
            }
            let is_size = workload.is_some_and(Workload::is_size);
            let figure = if is_size { line.checksum.parse().unwrap_or(f64::NAN) } else { line.seconds };
            let same = |other: &Workload| workload.is_some_and(|workload| workload.name == other.name);
            let place = WORKLOADS.iter().position(same).unwrap_or(WORKLOADS.len());
            let key = Key { place, row: line.row, threads: line.threads, system };
            let best = Best { figure, checksum: line.checksum, right: error.is_none() };
            self.best
                .entry(key)
                .and_modify(|old| {
                    old.right &= best.right;
                    old.figure = old.figure.min(best.figure);
                })
                .or_insert(best);
        }
    }

    /// Every row, workload by workload.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&Key, &Best)> {
        self.best.iter()
    }

    /// The rows of a workload by one system that reached its checksum.
    pub(crate) fn of(&self, system: &str, workload: &str, threads: usize) -> impl Iterator<Item = (&str, f64)> {
        let wanted = move |key: &Key| {
            key.system == system && key.threads == threads && key.workload().is_some_and(|w| w.name == workload)
        };
        let rows = self.best.iter().filter(move |(key, best)| best.right && wanted(key));
        rows.map(|(key, best)| (key.row.as_str(), best.figure))
    }

    /// What the programs say that they are.
    pub(crate) fn versions(&self) -> impl Iterator<Item = &str> {
        self.versions.values().map(String::as_str)
    }

    /// Notes a system that takes no further part, and why.
    pub(crate) fn skip(&mut self, reason: String) {
        println!("skipped: {reason}");
        self.skipped.push(reason);
    }

    /// Systems that took no part or dropped out.
    pub(crate) fn skipped(&self) -> &[String] {
        &self.skipped
    }

    /// Wrong checksums and failures.
    pub(crate) fn complaints(&self) -> &[String] {
        &self.complaints
    }
}
