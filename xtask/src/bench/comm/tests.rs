use serde_json::{Value, json};

use super::record::Record;
use super::{files, markdown};

/// What the ranks write, with some of it changed.
fn record(change: impl FnOnce(&mut Value)) -> Record {
    let time = |median: f64| json!({ "min_ns": median / 2.0, "median_ns": median });
    let row = |call: &str, bytes: u64, ours: f64, peer: f64| {
        json!({
            "call": call, "ranks": 2, "bytes": bytes, "rounds": 9, "calls": 4, "ours": time(ours), "peer": time(peer)
        })
    };
    let mut found = json!({
        "device": "CPU, 1 thread, avx2", "cpu": "A (TM) CPU", "cores": 2, "library": "Open MPI v4.1.4", "quick": false,
        "load_before": 0.5, "load_after": null,
        "rows": [row("all_reduce", 4, 100.0, 50.0), row("all_reduce", 1 << 20, 100.0, 200.0), row("send/receive", 4096, 100.0, 400.0)]
    });
    change(&mut found);
    Record {
        date: "2026-11-27".into(),
        compiler: "rustc 1.95.0".into(),
        found: serde_json::from_value(found).unwrap(),
    }
}

#[test]
fn tables_have_bandwidths_ratios_and_means() {
    let text = markdown::tables(&record(|_| ()).found);
    let lines: Vec<Vec<&str>> =
        text.lines().map(|line| line.trim_matches('|').split('|').map(str::trim).collect()).collect();
    let line = |first: &str| lines.iter().find(|cells| cells[0] == first).unwrap();
    assert_eq!(line("all_reduce, 2 ranks")[1], "1.00 (1.00)");
    assert_eq!(line("send/receive, 2 ranks")[1], "4.00 (4.00)");
    assert_eq!(line("all")[1], "1.59 (1.59)");
    assert_eq!(line("4 B")[1..], ["100.00 (50.00) ns", "50.00 (25.00) ns", "0.040", "0.080", "0.50 (0.50)"]);
    assert_eq!(line("1 MiB")[5], "2.00 (2.00)");
    assert_eq!(line("4 KiB")[3], "40.960");
}

#[test]
fn files_are_named_for_the_machine_and_have_a_plot() {
    let [(json, _), (text, markdown), (plot, svg)] = files(&record(|_| ())).unwrap();
    assert_eq!([json, text, plot], ["json", "md", "svg"].map(|end| format!("comm-a-tm-cpu.{end}")));
    assert!(
        markdown.contains("(comm-a-tm-cpu.svg)") && markdown.contains("0.50 before and unknown after"),
        "{markdown}"
    );
    assert!(svg.contains("send/receive, 2 ranks"), "{svg}");
}

#[test]
fn a_quick_run_is_not_kept() {
    assert!(files(&record(|found| found["quick"] = true.into())).is_err());
}
