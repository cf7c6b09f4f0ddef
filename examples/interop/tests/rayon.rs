//! Many tasks of rayon on streams of one device: `feed_streams`, which checks its results, on each device that there is.

#![allow(clippy::expect_used, reason = "also in the helpers")]

use std::process::Command;

use gridwright::Device;

fn passes(device: &str) {
    for threads in ["1", "8"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_feed_streams"));
        command.env("GRIDWRIGHT_DEVICE", device).env("RAYON_NUM_THREADS", threads);
        let output = command.output().expect("the program starts");
        assert!(output.status.success(), "{device}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn tasks_feed_the_cpu() {
    passes("cpu");
}

#[test]
fn tasks_feed_the_emulator() {
    passes("emulator");
}

#[test]
fn tasks_feed_a_gpu() {
    // Without one it is said by the tests of Python's arrays.
    if Device::cuda(0).is_ok() {
        passes("cuda:0");
    }
}
