//! The benchmark `compare`: what it reads from the programs, how it compares, what it writes.

#[path = "../benches/compare/chart.rs"]
mod chart;
#[path = "../benches/compare/discover.rs"]
#[allow(dead_code, reason = "shared with the benchmark")]
mod discover;
#[path = "../benches/workloads/expected.rs"]
mod expected;
#[path = "../benches/compare/machine.rs"]
mod machine;
#[path = "../benches/compare/options.rs"]
mod options;
#[path = "../benches/compare/results.rs"]
mod results;
#[path = "../benches/compare/run.rs"]
#[allow(dead_code, reason = "shared with the benchmark")]
mod run;
#[path = "../benches/compare/table.rs"]
mod table;

use discover::OURS;
use options::Options;
use results::Results;

/// Two rounds: this library 3 then 2 ms, OpenVDB's usual way 8 and its best 4 ms, a Taichi whose result is wrong once.
fn two_rounds() -> Results {
    let mut results = Results::default();
    let mut add = |system, text: &str| results.add(system, run::parse(text));
    add(OURS, "# version sparse-layout 9.9\nlaplacian 1 0.003 -753176.9681\nlaplacian.strict 1 0.006 -753176.9681\n");
    add(OURS, "laplacian 1 0.002 -753176.9681\nlaplacian.strict 1 0.007 -753176.9681\nstream_read 1 0.5 3\n");
    add("OpenVDB", "laplacian 1 0.008 -753176.9681\nlaplacian.by_hand 1 0.004 -753176.9681\nbytes 1 0 12.5\n");
    add("Taichi", "laplacian 1 0.001 -753176.9681\nlaplacian 2 0.001 -753176.9681\n");
    add("Taichi", "laplacian 1 0.001 -753170.9681\n");
    results
}

#[test]
fn options_are_read() {
    let read = |args: &[&str]| Options::from_args(args.iter().map(|arg| (*arg).to_owned()));
    assert!(read(&[]).unwrap().is_none());
    let options = read(&["--bench", "rounds=5", "threads=2,1,2", "only=sum,P2G", "systems=openvdb"]).unwrap().unwrap();
    assert_eq!((options.rounds, options.threads.as_slice()), (5, [1, 2].as_slice()));
    assert_eq!(options.only, ["sum", "p2g"]);
    assert!(options.wants_system("OpenVDB") && !options.wants_system("Taichi"));
    for wrong in ["rounds=0", "rounds=x", "threads=0,1", "faster"] {
        assert!(read(&["--bench", wrong]).is_err(), "{wrong}");
    }
}

#[test]
fn lines_in_another_form_are_left_out() {
    let text = "[Taichi] Starting on arch=x64\n# version Taichi 1.7.4\nsum 2 0.5 1505572.0474\nsum 1 NaN 1\nsum 1 0.5\n\
                sum 1 0.5 1 2\n# sum 1 0.5 1\n#sum 1 0.5 1\n";
    let output = run::parse(text);
    assert_eq!(output.version.as_deref(), Some("Taichi 1.7.4"));
    let sum = run::Line { row: "sum".into(), threads: 2, seconds: 0.5, checksum: "1505572.0474".into() };
    assert_eq!(output.lines, [sum]);
}

#[test]
fn cargo_names_the_executable() {
    let messages =
        "{\"executable\":null}\n{\"target\":1,\"executable\":\"C:\\\\t\\\\w.exe\",\"fresh\":true}\n{\"success\":true}";
    assert_eq!(discover::executable(messages), Some(r"C:\t\w.exe".into()));
    assert_eq!(discover::executable("{\"executable\":null}"), None);
}

#[test]
fn minima_and_ratios() {
    let results = two_rounds();
    let rows = table::rows(&results, &[1, 2]);
    let names: Vec<_> = rows.iter().map(|row| (row.name.as_str(), row.threads, row.ours)).collect();
    let expected = [
        ("laplacian", 1, Some(0.002)),
        ("laplacian.strict", 1, Some(0.006)),
        ("laplacian", 2, None),
        ("bytes", 1, None),
    ];
    assert_eq!(names, expected);
    // Taichi's wrong round takes it out for one thread, not for two.
    assert_eq!(rows[0].peers.len(), 1);
    let openvdb = &rows[0].peers[0];
    assert_eq!((openvdb.system, openvdb.best, openvdb.plain), ("OpenVDB", 0.004, Some(0.008)));
    assert_eq!(openvdb.ratio, Some(0.5));
    assert_eq!(rows[1].peers[0].ratio, Some(1.5));
    assert_eq!((rows[2].peers[0].system, rows[2].peers[0].ratio), ("Taichi", None));
    assert_eq!(rows[3].peers[0].best, 12.5);
    assert_eq!(results.versions().collect::<Vec<_>>(), ["sparse-layout 9.9"]);
    assert_eq!(results.complaints().len(), 1);
    assert!(results.complaints()[0].starts_with("Taichi: laplacian with 1 thread(s): checksum -753170.9681"));
}

#[test]
fn the_table_lines_up() {
    let mut results = two_rounds();
    results.skip("numpy: not found".into());
    let text = table::markdown(&table::rows(&results, &[1, 2]), &results);
    let lines: Vec<_> = text.lines().filter(|line| line.starts_with("| laplacian")).collect();
    assert_eq!(lines.len(), 3);
    let cells: Vec<_> = lines[0].split('|').map(str::trim).collect();
    assert_eq!(cells, ["", "laplacian", "1", "2.00", "4.00 (8.00)", "0.500", "", "", ""]);
    assert!(lines.iter().all(|line| line.chars().count() == lines[0].chars().count()));
    assert!(text.contains("12.5 B") && text.contains("stream_read") && text.contains("Not compared: Taichi"));
    assert!(text.contains("\nSkipped: numpy: not found\n"));
}

#[test]
fn the_csv_has_every_row() {
    let csv = table::csv(&two_rounds());
    let lines: Vec<_> = csv.lines().collect();
    assert_eq!(lines.len(), 1 + 8);
    assert!(lines.iter().all(|line| line.split(',').count() == 9));
    assert!(lines.contains(&"OpenVDB,laplacian,laplacian.by_hand,1,0.004,seconds,-753176.9681,true,0.5000"));
    assert!(lines.contains(&"Taichi,laplacian,laplacian,1,0.001,seconds,-753176.9681,false,"));
    assert!(lines.contains(&"OpenVDB,bytes,bytes,1,12.5,bytes,12.5,true,"));
}

#[test]
fn the_chart_shows_every_figure() {
    let results = two_rounds();
    let machine = machine::Machine::read(["A & B <1>"].into_iter());
    let svg = chart::svg(&table::rows(&results, &[1, 2]), &[1, 2], &machine);
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    assert!(svg.contains("A &amp; B &lt;1&gt;") && !svg.contains("NaN") && !svg.contains("inf"));
    // One thread: this library and OpenVDB; two: Taichi. The size is no time, and the legend has three dots more.
    assert_eq!(svg.matches("<circle").count(), 3 + 3);
    for figure in ["sparse-layout: 2.00 ms", "OpenVDB: 4.00 ms", "Taichi: 1.00 ms"] {
        assert_eq!(svg.matches(figure).count(), 1, "{figure}");
    }
    // From 1 to 10 ms over a panel of 430: 4 ms lies log10(4) = 0.602 of the way, after labels of 170.
    assert!(svg.contains("cx=\"428.9\""));
}

#[test]
fn days_become_dates() {
    // 951782400 s is 2000-02-29, 1583020800 s is 2020-03-01.
    assert_eq!(machine::date(0), "1970-01-01");
    assert_eq!(machine::date(951_782_400 / 86_400), "2000-02-29");
    assert_eq!(machine::date(1_583_020_800 / 86_400), "2020-03-01");
    assert_eq!(machine::date(1_583_020_800 / 86_400 - 2), "2020-02-28");
}
