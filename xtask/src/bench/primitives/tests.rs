use serde_json::{Value, json};

use super::markdown;
use super::record::Found;
use crate::bench::record::Record;
use crate::table::rows;

/// What the races write, with some of it changed.
fn record(change: impl FnOnce(&mut Value)) -> Record<Found> {
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
    serde_json::from_value(found).unwrap()
}

#[test]
fn a_table_has_ratios_shares_a_mean_and_the_worst() {
    let text = markdown::tables(&record(|_| ()).found);
    assert_eq!(rows(&text, "scan"), ["scan | std | 2.00 (2.00) | 0.50 (0.50) | u32 10^3"]);
    assert_eq!(rows(&text, "u32 10^3"), ["u32 10^3 | 100.00 (50.00) ns | 0.50 | 0.50 (0.50)"]);
    assert_eq!(rows(&text, "f32 10^4"), ["f32 10^4 | 100.00 (50.00) ns | 0.50 | 8.00 (8.00)"]);
    let times = "scan u32 10^3 | std | a way | 50.00 (25.00) ns | 100.00 ns | 20000 M";
    assert_eq!(rows(&text, "scan u32 10^3")[1], times);
}

#[test]
fn without_ours_there_are_times_and_no_ratios() {
    let record = record(|found| found["rows"][0]["ours"] = Value::Null);
    let text = markdown::tables(&record.found);
    assert_eq!(rows(&text, "u32 10^3"), ["u32 10^3 |  |  | "]);
    assert_eq!(rows(&text, "scan"), ["scan | std | 8.00 (8.00) | 8.00 (8.00) | f32 10^4"]);
}

#[test]
fn files_are_named_for_the_machine_and_have_a_plot() {
    let [(json, _), (text, markdown), (plot, svg)] = &record(|_| ()).files().unwrap()[..] else { panic!() };
    let names = ["json", "md", "svg"].map(|end| format!("primitives-a-tm-cpu-avx2.{end}"));
    assert_eq!([json, text, plot], names.each_ref());
    assert!(markdown.contains("- C++17, TBB was skipped: no file\n"), "{markdown}");
    assert!(svg.contains("scan, f32") && svg.contains("Gridwright"), "{svg}");
}

#[test]
fn a_quick_run_is_not_kept() {
    assert!(record(|found| found["quick"] = true.into()).files().is_err());
}
