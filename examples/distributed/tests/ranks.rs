//! Each program, by one rank without a launcher and by several with `mpirun`. A program checks its own result, and ends with an error if it is wrong.

#![allow(clippy::unwrap_used)]

use std::process::Command;

/// Set where a test fails that can't start ranks.
const REQUIRED: &str = "GRIDWRIGHT_REQUIRE_MPI";

/// Has `cuda` where an emulated driver with several devices and an emulated NCCL are loaded.
const DEVICES: &str = "GRIDWRIGHT_TEST_COMM_DEVICES";

fn run(program: &str, arguments: &[&str]) {
    let alone = Command::new(program).args(arguments).env("GRIDWRIGHT_DEVICE", "cpu").output().unwrap();
    assert!(alone.status.success(), "{program}: {}", String::from_utf8_lossy(&alone.stderr));
    let has_gpus = std::env::var(DEVICES).is_ok_and(|devices| devices.split(',').any(|name| name == "cuda"));
    let gpus = has_gpus.then_some([("cuda", "2"), ("cuda", "4")]).into_iter().flatten();
    for (device, ranks) in [("cpu", "2"), ("cpu", "3"), ("cpu", "4")].into_iter().chain(gpus) {
        if !run_ranks(ranks, device, program, arguments) {
            return;
        }
    }
}

/// Whether there is a launcher, and the program ended well.
fn run_ranks(ranks: &str, device: &str, program: &str, arguments: &[&str]) -> bool {
    let mpirun = std::env::var("GRIDWRIGHT_MPIRUN").unwrap_or_else(|_| "mpirun".into());
    let mut command = Command::new(&mpirun);
    command.args(["--allow-run-as-root", "--oversubscribe", "-n", ranks]);
    command.args(["-x", "GRIDWRIGHT_CPU_THREADS=1", "-x", "GRIDWRIGHT_COMM_TIME_LIMIT_S=60"]);
    command.args(["-x", &format!("GRIDWRIGHT_DEVICE={device}"), "-x", "GRIDWRIGHT_EMULATOR_DEVICES=4"]);
    let output = match command.arg(program).args(arguments).output() {
        Ok(output) => output,
        Err(error) => {
            assert!(std::env::var_os(REQUIRED).is_none(), "{mpirun}: {error}");
            println!("skipped: {mpirun}: {error}; install Open MPI");
            return false;
        }
    };
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text);
    assert!(output.status.success(), "{ranks} ranks of {program} on {device}:\n{text}");
    assert!(text.contains(&format!("{ranks} ranks")) || text.contains(" by "), "{text}");
    true
}

#[test]
fn all_ranks_get_the_sum() {
    run(env!("CARGO_BIN_EXE_sum_of_ranks"), &[]);
}

#[test]
fn the_plate_is_as_warm_as_one_thread_computes_it() {
    run(env!("CARGO_BIN_EXE_distributed_jacobi"), &["61", "45", "40"]);
    run(env!("CARGO_BIN_EXE_distributed_jacobi"), &["5", "100", "7"]);
}

#[test]
fn bodies_are_where_one_thread_has_them() {
    run(env!("CARGO_BIN_EXE_distributed_nbody"), &["50", "3"]);
}

#[test]
fn ranks_train_the_network_that_a_single_one_trains() {
    run(env!("CARGO_BIN_EXE_data_parallel"), &["401", "60"]);
}

#[test]
fn keys_of_all_ranks_are_sorted() {
    run(env!("CARGO_BIN_EXE_sample_sort"), &["20000"]);
    run(env!("CARGO_BIN_EXE_sample_sort"), &["1"]);
}
