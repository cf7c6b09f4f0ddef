use serde_json::{Value, json};

use super::record::Record;

/// What `run.sh` writes, with some of it changed.
fn results(change: impl FnOnce(&mut Value)) -> anyhow::Result<Record> {
    let time = |median: f64| json!({ "min_ns": median - 1.0, "median_ns": median });
    let mut results = json!({
        "facts": { "date": "2026-11-21", "system": "Linux" },
        "bundle": { "compiler": "rustc 1.95.0" },
        "parts": [],
        "gpu": {
            "device": "cuda:0", "cpu": "a host", "threads": 16, "quick": false, "reference": "nvcc-here.cubin",
            "rows": [{
                "name": "vector_add, 1", "peer_name": "nvcc", "rounds": 41, "calls": 9,
                "ours": time(100.0), "peer": time(98.0), "serial": null
            }],
            "gpu": {
                "name": "NVIDIA Test 80GB", "is_emulated": false, "architecture": "sm_90", "cuda": "13.0",
                "multiprocessors": 132, "clock_mhz": 1980, "memory_clock_mhz": 2619, "memory_bus_bits": 5120,
                "l2_bytes": 52_428_800, "memory_bytes": 85_000_000_000_u64
            }
        }
    });
    change(&mut results);
    Record::of_results(results)
}

#[test]
fn a_record_of_a_gpu_has_its_name_its_facts_and_its_ratios() {
    let files = results(|_| ()).unwrap().files().unwrap();
    let [(json_name, json), (_, markdown), (_, svg)] = &files[..] else { panic!() };
    assert_eq!(json_name, "gpu-nvidia-test-80gb.json");
    let json: Value = serde_json::from_str(json).unwrap();
    assert_eq!((&json["date"], &json["gpu"]["clock_mhz"]), (&json!("2026-11-21"), &json!(1980)));
    assert!(markdown.contains("# Gridwright on NVIDIA Test 80GB"), "{markdown}");
    assert!(markdown.contains("nvcc-here.cubin") && markdown.contains("0.98"), "{markdown}");
    assert!(!markdown.contains("one thread"), "{markdown}");
    assert!(svg.contains("NVIDIA Test 80GB"), "{svg}");
}

#[test]
fn what_measures_nothing_is_not_kept() {
    let quick = results(|results| results["gpu"]["quick"] = json!(true)).unwrap();
    assert!(quick.files().unwrap_err().to_string().contains("quick"));
    let emulated = results(|results| results["gpu"]["gpu"]["is_emulated"] = json!(true)).unwrap();
    assert!(emulated.files().unwrap_err().to_string().contains("emulated"));
    assert!(results(|results| results["gpu"] = Value::Null).is_err());
}
