use serde_json::{Value, json};

use super::record::Record;
use super::{files, markdown};

/// What the races write, with some of it changed.
fn record(change: impl FnOnce(&mut Value)) -> Record {
    let timed = |peer: &str, median: f64| {
        json!({
            "peer": peer, "way": "a way", "calls": 4, "min_ns": median / 2.0, "median_ns": median, "max_ns": median * 2.0
        })
    };
    let row = |element: &str, elements: u64, ours: f64, std: f64| {
        json!({
            "algorithm": "scan", "element": element, "elements": elements, "rounds": 9, "bytes": 8 * elements,
            "copied": 16 * elements, "copy": timed("copy", 100.0), "ours": timed("Gridwright", ours),
            "peers": [timed("std", std)]
        })
    };
    let mut found = json!({
        "device": "CPU, 2 threads, avx2", "cpu": "A (TM) CPU", "threads": 2, "quick": false, "load_before": 0.5,
        "load_after": null, "rows": [row("u32", 1000, 100.0, 50.0), row("f32", 10_000, 100.0, 800.0)],
        "skipped": [{ "peer": "C++17, TBB", "row": null, "reason": "no file\nof this name" }]
    });
    change(&mut found);
    Record {
        date: "2026-11-27".into(),
        compiler: "rustc 1.95.0".into(),
        found: serde_json::from_value(found).unwrap(),
    }
}

/// The lines of the tables that begin with a cell, as their cells.
fn lines<'t>(markdown: &'t str, first: &str) -> Vec<Vec<&'t str>> {
    let lines =
        markdown.lines().map(|line| line.trim_matches('|').split('|').map(str::trim).collect::<Vec<_>>());
    lines.filter(|cells| cells[0] == first).collect()
}

#[test]
fn a_table_has_ratios_shares_a_mean_and_the_worst() {
    let text = markdown::tables(&record(|_| ()).found);
    assert_eq!(lines(&text, "scan"), [["scan", "std", "2.00 (2.00)", "0.50 (0.50)", "u32 10^3"]]);
    assert_eq!(lines(&text, "u32 10^3"), [["u32 10^3", "100.00 (50.00) ns", "0.50", "0.50 (0.50)"]]);
    assert_eq!(lines(&text, "f32 10^4"), [["f32 10^4", "100.00 (50.00) ns", "0.50", "8.00 (8.00)"]]);
    assert_eq!(
        lines(&text, "scan u32 10^3")[1],
        ["scan u32 10^3", "std", "a way", "50.00 (25.00) ns", "100.00 ns", "20000 M"]
    );
}

#[test]
fn without_ours_there_are_times_and_no_ratios() {
    let record = record(|found| found["rows"][0]["ours"] = Value::Null);
    let text = markdown::tables(&record.found);
    assert_eq!(lines(&text, "u32 10^3"), [["u32 10^3", "", "", ""]]);
    assert_eq!(lines(&text, "scan"), [["scan", "std", "8.00 (8.00)", "8.00 (8.00)", "f32 10^4"]]);
}

#[test]
fn files_are_named_for_the_machine_and_have_a_plot() {
    let [(json, _), (text, markdown), (plot, svg)] = files(&record(|_| ())).unwrap();
    let name = "primitives-a-tm-cpu-avx2";
    assert_eq!([json, text, plot], ["json", "md", "svg"].map(|end| format!("{name}.{end}")));
    assert!(markdown.contains("- C++17, TBB was skipped: no file\n"), "{markdown}");
    assert!(svg.contains("scan, f32") && svg.contains("Gridwright"), "{svg}");
}

#[test]
fn a_quick_run_is_not_kept() {
    assert!(files(&record(|found| found["quick"] = true.into())).is_err());
}
