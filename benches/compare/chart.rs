//! The chart of the race: a dot for each system on a logarithmic scale of time, a panel for each thread count.

use std::fmt::Write as _;

use crate::discover::{OURS, SYSTEMS};
use crate::expected::Workload;
use crate::machine::Machine;
use crate::table::{Row, figure};

const LABELS: f64 = 170.0;
const PANEL: f64 = 430.0;
const GAP: f64 = 64.0;
const LINE: f64 = 22.0;
const TOP: f64 = 96.0;
const BOTTOM: f64 = 40.0;

/// Okabe and Ito's colours, which colour-blind readers tell apart; one for each of [`SYSTEMS`].
const COLOURS: [&str; 5] = ["#d55e00", "#000000", "#0072b2", "#009e73", "#cc79a7"];

/// A logarithmic scale of seconds over one panel.
struct Scale {
    decades: std::ops::Range<i32>,
}

impl Scale {
    fn of(rows: &[&Row]) -> Self {
        let times = rows.iter().flat_map(|row| row.ours.into_iter().chain(row.peers.iter().map(|peer| peer.best)));
        let (least, most) =
            times.filter(|time| *time > 0.0).fold((f64::MAX, 0.0_f64), |(a, b), t| (a.min(t), b.max(t)));
        if most == 0.0 {
            return Self { decades: -4..0 };
        }
        let start = least.log10().floor() as i32;
        Self { decades: start..(most.log10().ceil() as i32).max(start + 1) }
    }

    fn x(&self, seconds: f64) -> f64 {
        let span = f64::from(self.decades.end - self.decades.start);
        (seconds.log10() - f64::from(self.decades.start)) / span * PANEL
    }
}

/// The whole chart; a workload's best row of this library is shown.
pub(crate) fn svg(rows: &[Row], threads: &[usize], machine: &Machine) -> String {
    let timed: Vec<&Row> = rows.iter().filter(|row| !row.workload.is_size()).collect();
    let mut workloads: Vec<&Workload> = timed.iter().map(|row| row.workload).collect();
    workloads.dedup_by_key(|workload| workload.name);
    let scale = Scale::of(&timed);
    let panels = threads.len() as f64;
    let width = LABELS + panels * (PANEL + GAP);
    let height = TOP + workloads.len() as f64 * LINE + BOTTOM;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"12\" fill=\"#222\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
    );
    text(&mut svg, 12.0, 22.0, "font-size=\"15\" font-weight=\"bold\"", "Time per workload, left is faster");
    text(&mut svg, 12.0, 40.0, "font-size=\"10\" fill=\"#666\"", &machine.to_string());
    legend(&mut svg, &timed);
    for (line, workload) in workloads.iter().enumerate() {
        let _ = write!(svg, "<g><title>{}</title>", escaped(workload.work));
        text(&mut svg, LABELS - 10.0, line_y(line) + 4.0, "text-anchor=\"end\"", workload.name);
        svg += "</g>\n";
    }
    for (panel, &threads) in threads.iter().enumerate() {
        let left = LABELS + panel as f64 * (PANEL + GAP);
        let title = if threads == 1 { "1 thread".to_owned() } else { format!("{threads} threads") };
        text(&mut svg, left, TOP - 20.0, "font-weight=\"bold\"", &title);
        axis(&mut svg, &scale, left, workloads.len());
        for (line, workload) in workloads.iter().enumerate() {
            let of_line = timed.iter().filter(|row| row.workload.name == workload.name && row.threads == threads);
            dots(&mut svg, &scale, left, line_y(line), of_line.copied());
        }
    }
    svg += "</svg>\n";
    svg
}

fn line_y(line: usize) -> f64 {
    TOP + (line as f64 + 0.5) * LINE
}

fn text(svg: &mut String, x: f64, y: f64, style: &str, content: &str) {
    let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" {style}>{}</text>", escaped(content));
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn legend(svg: &mut String, rows: &[&Row]) {
    let mut x = 18.0;
    for (system, colour) in SYSTEMS.iter().zip(COLOURS) {
        let takes_part = |row: &&Row| match *system {
            OURS => row.ours.is_some(),
            _ => row.peers.iter().any(|peer| peer.system == *system),
        };
        if rows.iter().any(takes_part) {
            let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"56\" r=\"5\" fill=\"{colour}\"/>");
            text(svg, x + 9.0, 60.0, "", system);
            x += 40.0 + 7.0 * system.len() as f64;
        }
    }
}

fn axis(svg: &mut String, scale: &Scale, left: f64, lines: usize) {
    let bottom = TOP + lines as f64 * LINE;
    for decade in scale.decades.start..=scale.decades.end {
        let seconds = 10.0_f64.powi(decade);
        let x = left + scale.x(seconds);
        let _ = writeln!(svg, "<path d=\"M{x:.1} {TOP}V{bottom}\" stroke=\"#ddd\"/>");
        let label = match decade {
            0.. => format!("{seconds:.0} s"),
            -3..0 => format!("{:.0} ms", seconds * 1e3),
            _ => format!("{:.0} µs", seconds * 1e6),
        };
        text(svg, x, bottom + 18.0, "text-anchor=\"middle\" fill=\"#666\"", &label);
    }
}

/// One line of a panel: the systems' dots, this library's last so that it lies on top.
fn dots<'a>(svg: &mut String, scale: &Scale, left: f64, y: f64, rows: impl Iterator<Item = &'a Row> + Clone) {
    let best = |row: &&Row| row.ours.unwrap_or(f64::MAX);
    let Some(row) = rows.min_by(|a, b| best(a).total_cmp(&best(b))) else { return };
    let peers = row.peers.iter().map(|peer| (peer.system, peer.best));
    let figures: Vec<(&str, f64)> = peers.chain(row.ours.map(|ours| (OURS, ours))).filter(|(_, t)| *t > 0.0).collect();
    let xs = figures.iter().map(|(_, time)| left + scale.x(*time));
    let (first, last) = xs.fold((f64::MAX, f64::MIN), |(a, b), x| (a.min(x), b.max(x)));
    if first < last {
        let _ = writeln!(svg, "<path d=\"M{first:.1} {y:.1}H{last:.1}\" stroke=\"#bbb\" stroke-width=\"1.5\"/>");
    }
    for (system, time) in figures {
        let colour = SYSTEMS.iter().zip(COLOURS).find_map(|(name, colour)| (*name == system).then_some(colour));
        let (colour, radius) = (colour.unwrap_or("#999"), if system == OURS { 6 } else { 5 });
        let x = left + scale.x(time);
        let _ = writeln!(
            svg,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" fill=\"{colour}\"><title>{system}: {} ms</title></circle>",
            figure(time, row.workload)
        );
    }
}
