use super::limits::{Exception, Shortfall, groups, of_exceptions};
use super::{Case, Counts, rows};
use crate::table;

/// Of a case whose kernel of ours has these counts; nvcc's executes 1000 instructions.
fn case(ours: &str) -> Case {
    let theirs = format!(r#"{{"fault": null, "counts": {}}}"#, counts(1000, 80, 0, 40));
    let answer = format!(r#"{{"case": "planted", "ours": {ours}, "theirs": {theirs}}}"#);
    serde_json::from_str(&answer).expect("an answer of the executor")
}

fn counts(instructions: u64, sectors: u64, local: u64, registers: u32) -> String {
    format!(
        r#"{{"instructions": {instructions}, "sectors": {sectors}, "passes": 3, "local": {local},
            "registers": {registers}, "shared": 1024, "threads": 256}}"#
    )
}

fn right(instructions: u64, sectors: u64, local: u64, registers: u32) -> Case {
    case(&format!(r#"{{"fault": null, "counts": {}}}"#, counts(instructions, sectors, local, registers)))
}

/// What is wrong with a case of which nothing is known.
fn of(case: &Case, exceptions: &[Exception]) -> Vec<String> {
    super::limits::of(case, exceptions, &[])
}

const EXCEPTION: Exception = Exception { case: "planted", most: 1.05, reason: "it has to" };

#[test]
fn as_many_as_nvcc_s_pass() {
    assert!(of(&right(1000, 80, 0, 40), &[]).is_empty());
    assert!(of(&right(1020, 60, 0, 16), &[]).is_empty());
}

#[test]
fn more_instructions_fail_but_for_an_exception() {
    let case = right(1021, 80, 0, 40);
    assert_eq!(of(&case, &[]), ["planted: 1.021 times nvcc's instructions, more than 1.02"]);
    assert!(of(&case, &[EXCEPTION]).is_empty());
    let above = of(&right(1051, 80, 0, 40), &[EXCEPTION]);
    assert_eq!(above, ["planted: 1.051 times nvcc's instructions, more than 1.05"]);
}

#[test]
fn exceptions_are_needed_few_small_and_have_a_reason() {
    let unneeded = of(&right(1000, 80, 0, 40), &[EXCEPTION]);
    assert_eq!(unneeded, ["planted: 1.000 times nvcc's instructions, so it needs no exception"]);
    assert!(of_exceptions(&[EXCEPTION; 4]).is_empty());
    assert_eq!(of_exceptions(&[EXCEPTION; 5]), ["5 exceptions, more than 4"]);
    assert_eq!(of_exceptions(&[Exception { most: 1.11, ..EXCEPTION }]).len(), 1);
    assert_eq!(of_exceptions(&[Exception { reason: "", ..EXCEPTION }]).len(), 1);
    assert!(of_exceptions(super::limits::EXCEPTIONS).is_empty());
}

#[test]
fn more_sectors_and_local_accesses_fail() {
    assert_eq!(of(&right(1000, 81, 0, 40), &[]), ["planted: 81 sectors of global memory, nvcc's 80"]);
    assert_eq!(of(&right(1000, 80, 1, 40), &[]), ["planted: 1 accesses to local memory, nvcc's 0"]);
}

#[test]
fn what_falls_short_must_not_get_worse_and_is_said_no_longer_when_it_does_not() {
    let reason = "it indexes an array";
    let short = Shortfall { case: "planted", instructions: 1.3, sectors: 1.1, local: true, reason };
    let of = |case: Case| super::limits::of(&case, &[], &[short]);
    assert!(of(right(1300, 88, 9, 40)).is_empty());
    assert_eq!(of(right(1301, 80, 0, 40)), ["planted: 1.301 times nvcc's instructions, more than 1.3"]);
    assert_eq!(of(right(1300, 89, 0, 40)), ["planted: 89 sectors of global memory, nvcc's 80"]);
    assert_eq!(of(right(1000, 80, 0, 40)), ["planted: is within the limits, so it falls short of nothing"]);
}

#[test]
fn registers_fail_where_they_cost_occupancy() {
    assert!(of(&right(1000, 80, 0, 32), &[]).is_empty());
    let found = of(&right(1000, 80, 0, 41), &[]);
    let expected = "planted: 41 registers, with which a multiprocessor holds 5 groups; with nvcc's 40, 6";
    assert_eq!(found, [expected]);
}

#[test]
fn groups_are_bounded_by_each_resource() {
    let with = |registers, shared, threads| {
        groups(Counts { instructions: 0, sectors: 0, passes: 0, local: 0, registers, shared, threads })
    };
    assert_eq!(with(16, 0, 256), 6);
    assert_eq!(with(16, 0, 32), 16);
    assert_eq!(with(255, 0, 256), 1);
    assert_eq!(with(16, 49 << 10, 64), 2);
}

#[test]
fn faults_fail_with_and_without_counts() {
    let fault = r#"{"fault": "out of bounds of global memory", "counts": null}"#;
    assert_eq!(of(&case(fault), &[]), ["planted, ours: out of bounds of global memory"]);
    let wrong = format!(r#"{{"fault": "9 of 9 are wrong", "counts": {}}}"#, counts(1000, 80, 0, 40));
    assert_eq!(of(&case(&wrong), &[]), ["planted, ours: 9 of 9 are wrong"]);
}

#[test]
fn a_row_has_both_sides_and_no_zeros() {
    let cases = [right(1050, 80, 0, 32), case(r#"{"fault": "no", "counts": null}"#)];
    let text = rows(&cases, table::markdown).to_string();
    let row = "`planted` | 1050 | 1000 | 1.050 | 80 / 80 | 3 / 3 |  | 32 / 40";
    assert_eq!(table::rows(&text, "`planted`"), [row]);
    assert_eq!(text.lines().count(), 3);
}
