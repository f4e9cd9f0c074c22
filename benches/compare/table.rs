//! The table of the race, as Markdown and CSV.

use std::fmt::Write as _;

use crate::discover::{OURS, SYSTEMS};
use crate::expected::{WORKLOADS, Workload};
use crate::results::Results;

/// What a peer reached in a workload.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PeerFigure {
    pub(crate) system: &'static str,
    /// The best of its ways.
    pub(crate) best: f64,
    /// The way that its documentation would teach, if that is another one.
    pub(crate) plain: Option<f64>,
    /// This library's figure over the peer's best: below 1 it is ahead.
    pub(crate) ratio: Option<f64>,
}

/// A row of the table: this library's row and what the peers reached in that workload.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) workload: &'static Workload,
    /// Name of this library's row, or of the workload if it has none.
    pub(crate) name: String,
    pub(crate) threads: usize,
    pub(crate) ours: Option<f64>,
    pub(crate) peers: Vec<PeerFigure>,
}

/// The rows of all workloads that anything was measured of. Rows of ours without a tree (`dense_`) are in the CSV only.
pub(crate) fn rows(results: &Results, threads: &[usize]) -> Vec<Row> {
    let mut rows = Vec::new();
    for workload in WORKLOADS {
        for &threads in threads {
            let mut ours: Vec<(String, Option<f64>)> = results
                .of(OURS, workload.name, threads)
                .filter(|(row, _)| row.starts_with(workload.name))
                .map(|(row, figure)| (row.to_owned(), Some(figure)))
                .collect();
            if ours.is_empty() {
                ours.push((workload.name.to_owned(), None));
            }
            for (name, ours) in ours {
                let peers: Vec<_> = SYSTEMS
                    .iter()
                    .filter(|&&system| system != OURS)
                    .filter_map(|system| peer_figure(results, system, workload, threads, ours))
                    .collect();
                if ours.is_some() || !peers.is_empty() {
                    rows.push(Row { workload, name, threads, ours, peers });
                }
            }
        }
    }
    rows
}

fn peer_figure(
    results: &Results,
    system: &'static str,
    workload: &Workload,
    threads: usize,
    ours: Option<f64>,
) -> Option<PeerFigure> {
    let ways = || results.of(system, workload.name, threads);
    let best = ways().map(|(_, figure)| figure).min_by(f64::total_cmp)?;
    let plain = ways().find_map(|(row, figure)| (row == workload.name && figure > best).then_some(figure));
    Some(PeerFigure { system, best, plain, ratio: ours.map(|ours| ours / best) })
}

/// Milliseconds, or bytes, with three digits.
pub(crate) fn figure(value: f64, workload: &Workload) -> String {
    if workload.is_size() { format!("{} B", three_digits(value)) } else { three_digits(value * 1e3) }
}

fn three_digits(value: f64) -> String {
    let decimals = match value {
        v if v < 0.1 => 4,
        v if v < 1.0 => 3,
        v if v < 10.0 => 2,
        v if v < 100.0 => 1,
        _ => 0,
    };
    format!("{value:.decimals$}")
}

/// The table, then the rows that belong to no workload, then what went wrong.
pub(crate) fn markdown(rows: &[Row], results: &Results) -> String {
    let takes_part = |system: &&&str| rows.iter().any(|row| row.peers.iter().any(|peer| peer.system == **system));
    let peers: Vec<&str> = SYSTEMS.iter().filter(takes_part).copied().collect();
    let mut cells = vec![vec!["workload".to_owned(), "threads".to_owned(), OURS.to_owned()]];
    cells[0].extend(peers.iter().flat_map(|peer| [(*peer).to_owned(), "ratio".to_owned()]));
    for row in rows {
        let ours = row.ours.map(|ours| figure(ours, row.workload)).unwrap_or_default();
        let mut line = vec![row.name.clone(), row.threads.to_string(), ours];
        for system in &peers {
            let peer = row.peers.iter().find(|peer| peer.system == *system);
            line.push(peer.map(|peer| peer_cell(peer, row.workload)).unwrap_or_default());
            line.push(peer.and_then(|peer| peer.ratio).map(three_digits).unwrap_or_default());
        }
        cells.push(line);
    }
    let mut text = format!(
        "Milliseconds, minimum of all rounds. A peer's figure is the best of its ways, its usual way in brackets; the ratio \
         is {OURS} over that best, below 1 is ahead.\n\n"
    );
    text += &aligned(&cells);
    let others: Vec<Vec<String>> = results
        .iter()
        .filter(|(key, _)| key.workload().is_none())
        .map(|(key, best)| {
            vec![key.system.to_owned(), key.row.clone(), key.threads.to_string(), three_digits(best.figure * 1e3)]
        })
        .collect();
    if !others.is_empty() {
        let head = ["system", "other row", "threads", "ms"].map(str::to_owned).to_vec();
        text += "\n";
        text += &aligned(&[vec![head], others].concat());
    }
    for skipped in results.skipped() {
        let _ = writeln!(text, "\nSkipped: {skipped}");
    }
    for complaint in results.complaints() {
        let _ = writeln!(text, "\nNot compared: {complaint}");
    }
    text
}

fn peer_cell(peer: &PeerFigure, workload: &Workload) -> String {
    let best = figure(peer.best, workload);
    peer.plain.map_or(best.clone(), |plain| format!("{best} ({})", figure(plain, workload)))
}

/// A Markdown table whose columns line up in a terminal too; the first row is the head.
fn aligned(cells: &[Vec<String>]) -> String {
    let columns = cells.first().map_or(0, Vec::len);
    let width = |column: usize| cells.iter().map(|row| row[column].chars().count()).max().unwrap_or(0).max(3);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for (line, row) in cells.iter().enumerate() {
        let padded: Vec<_> = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        let _ = writeln!(text, "| {} |", padded.join(" | "));
        if line == 0 {
            let rules: Vec<_> = widths.iter().map(|width| "-".repeat(*width)).collect();
            let _ = writeln!(text, "| {} |", rules.join(" | "));
        }
    }
    text
}

/// Every measured row of every system.
pub(crate) fn csv(results: &Results) -> String {
    let mut text = "system,workload,row,threads,figure,unit,checksum,checksum_right,ours_over_it\n".to_owned();
    for (key, best) in results.iter() {
        let workload = key.workload();
        let name = workload.map_or("", |workload| workload.name);
        let unit = if workload.is_some_and(Workload::is_size) { "bytes" } else { "seconds" };
        let ours = results.of(OURS, name, key.threads).find(|(row, _)| *row == name);
        let ratio = ours.filter(|_| best.right).map(|(_, ours)| format!("{:.4}", ours / best.figure));
        let right = workload.map_or(String::new(), |_| best.right.to_string());
        let _ = writeln!(
            text,
            "{},{name},{},{},{},{unit},{},{right},{}",
            key.system,
            key.row,
            key.threads,
            best.figure,
            best.checksum,
            ratio.unwrap_or_default()
        );
    }
    text
}
