use serde_json::{Value, json};

use super::record::Found;
use crate::bench::ratio::Ratio;
use crate::bench::record::Record;
use crate::table::rows;

/// What the bench writes, with some of it changed.
fn record(change: impl FnOnce(&mut Value)) -> Record<Found> {
    let timed = |peer: &str, median: f64| {
        json!({
            "peer": peer, "way": "", "off": 0.0, "calls": 4, "min_ns": median / 2.0, "median_ns": median,
            "max_ns": median * 2.0, "spread": 0.25
        })
    };
    let mut found = json!({
        "date": "2026-11-22", "device": "CPU, 2 threads, avx2", "cpu": "A (TM) CPU", "threads": 2, "quick": false, "load_before": 0.5,
        "versions": [["C", "gcc 12"]],
        "rows": [
            {
                "name": "empty launch", "rounds": 9, "work": 1.0, "unit": "launches",
                "contestants": [timed("Gridwright", 100.0), timed("rayon", 50.0), timed("Intel", 800.0)]
            },
            {
                "name": "saxpy", "rounds": 9, "work": 2e6, "unit": "B",
                "contestants": [timed("Gridwright", 1e6), timed("rayon", 2e6), timed("C", 4e6), timed("Intel", 2e6)],
                "one_thread": timed("Gridwright, one thread", 1.9e6),
                "limit": timed("copy", 0.8e6)
            },
        ],
        "skipped": [{ "peer": "Warp", "row": "saxpy", "reason": "no module\nnamed warp" }]
    });
    change(&mut found);
    serde_json::from_value(found).unwrap()
}

#[test]
fn rows_have_ratios_a_best_peer_and_a_mean() {
    let [_, (_, markdown), _] = &record(|_| ()).files().unwrap()[..] else { panic!() };
    for row in [
        "empty launch | 100.00 (50.00) ns | 0.50 (0.50) | 8.00 (8.00) |  | rayon |  | ",
        "saxpy | 1.00 (0.50) ms | 2.00 (2.00) | 2.00 (2.00) | 4.00 (4.00) | rayon | 1.90 (1.90) | 80 % of copy",
        "geometric mean |  | 1.00 (1.00) of 2 | 4.00 (4.00) of 2 | 4.00 (4.00) of 1 |  |  | ",
        "the same without launches |  | 2.00 (2.00) of 1 | 2.00 (2.00) of 1 | 4.00 (4.00) of 1 |  |  | ",
    ] {
        assert_eq!(rows(markdown, row.split(" | ").next().unwrap())[0], row);
    }
    assert!(markdown.contains("- empty launch: rayon takes 0.50 of our time\n"), "{markdown}");
    assert!(!markdown.contains("- saxpy: "), "{markdown}");
    assert!(markdown.contains("Gridwright, one thread"), "{markdown}");
}

#[test]
fn who_was_skipped_is_said_in_a_line() {
    let [(name, json), (_, markdown), (_, svg)] = &record(|_| ()).files().unwrap()[..] else { panic!() };
    assert_eq!(name, "peers-a-tm-cpu-avx2.json");
    assert!(markdown.contains("- Warp in saxpy was skipped: no module\n"), "{markdown}");
    assert!(markdown.contains("- C: gcc 12\n"), "{markdown}");
    let json: Value = serde_json::from_str(json).unwrap();
    assert_eq!(
        (&json["date"], &json["rows"][1]["contestants"][2]["peer"]),
        (&json!("2026-11-22"), &json!("C"))
    );
    assert!(svg.contains("A (TM) CPU") && svg.contains("Intel"), "{svg}");
}

#[test]
fn minima_have_ratios_of_their_own() {
    let record = record(|found| found["rows"][1]["contestants"][0]["min_ns"] = json!(1e6));
    let ratio = record.found.rows[1].ratio("C");
    assert_eq!(ratio, Some(Ratio { of_medians: 4.0, of_minima: 2.0 }));
    assert_eq!(record.found.rows[1].ratio("nobody"), None);
}

#[test]
fn a_quick_run_is_not_kept() {
    let quick = record(|found| found["quick"] = json!(true));
    assert!(quick.files().unwrap_err().to_string().contains("quick"));
}
