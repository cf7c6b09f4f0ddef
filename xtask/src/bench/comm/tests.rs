use serde_json::json;

use super::record::Found;
use super::tables;
use crate::bench::record::Record;
use crate::table::rows;

/// What the ranks write.
fn record() -> Record<Found> {
    let time = |median: f64| json!({ "min_ns": median / 2.0, "median_ns": median });
    let row = |call: &str, bytes: u64, ours: f64, peer: f64| {
        json!({
            "call": call, "ranks": 2, "bytes": bytes, "rounds": 9, "calls": 4, "ours": time(ours), "peer": time(peer)
        })
    };
    let found = json!({
        "device": "CPU, 1 thread, avx2", "cpu": "A (TM) CPU", "cores": 2, "library": "Open MPI v4.1.4", "quick": false,
        "load_before": 0.5, "load_after": null,
        "rows": [row("all_reduce", 4, 100.0, 50.0), row("all_reduce", 1 << 20, 100.0, 200.0), row("send/receive", 4096, 100.0, 400.0)]
    });
    serde_json::from_value(found).unwrap()
}

#[test]
fn tables_have_bandwidths_ratios_and_means() {
    let text = tables(&record().found);
    for row in [
        "all_reduce, 2 ranks | 1.00 (1.00)",
        "send/receive, 2 ranks | 4.00 (4.00)",
        "all | 1.59 (1.59)",
        "4 B | 100.00 (50.00) ns | 50.00 (25.00) ns | 0.040 | 0.080 | 0.50 (0.50)",
        "1 MiB | 100.00 (50.00) ns | 200.00 (100.00) ns | 10485.760 | 5242.880 | 2.00 (2.00)",
        "4 KiB | 100.00 (50.00) ns | 400.00 (200.00) ns | 40.960 | 10.240 | 4.00 (4.00)",
    ] {
        assert_eq!(rows(&text, row.split(" | ").next().unwrap()), [row]);
    }
}

#[test]
fn files_are_named_for_the_machine_and_have_a_plot() {
    let [(json, _), (text, markdown), (plot, svg)] = &record().files().unwrap()[..] else { panic!() };
    assert_eq!(
        [json, text, plot],
        ["json", "md", "svg"].map(|end| format!("comm-a-tm-cpu.{end}")).each_ref()
    );
    assert!(
        markdown.contains("(comm-a-tm-cpu.svg)") && markdown.contains("0.50 before and unknown after"),
        "{markdown}"
    );
    assert!(svg.contains("send/receive, 2 ranks"), "{svg}");
}
