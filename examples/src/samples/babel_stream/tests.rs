//! What is validated, and how it is printed.

use super::arrays::Contents;
use super::benchmark::{Benchmark, Order};
use super::report::{Report, Times, Unit};
use super::validation::Expected;

fn after(times: usize) -> Expected<f64> {
    Expected::after(&Benchmark::ALL[..5], Order::Classic, times, 8)
}

fn contents(expected: &Expected<f64>) -> Contents<f64> {
    Contents { a: vec![expected.a; 8], b: vec![expected.b; 8], c: vec![expected.c; 8] }
}

#[test]
fn a_round_of_the_classic_benchmarks_takes_a_25th_off() {
    let (one, two) = (after(1), after(2));
    // a becomes 0.4a + 0.4·(a + 0.4a).
    assert!((one.a - 0.096).abs() < 1e-16 && (two.a - 0.096 * 0.96).abs() < 1e-16);
    assert!((one.b - 0.04).abs() < 1e-16 && (one.c - 0.14).abs() < 1e-16);
    assert!((one.sum - 8.0 * 0.096 * 0.04).abs() < 1e-15);
}

#[test]
fn what_is_off_by_more_than_the_tolerance_is_told() {
    let expected = after(3);
    assert_eq!(expected.wrong(&contents(&expected), Some(expected.sum)).1, 0);

    let mut nearly = contents(&expected);
    nearly.a[3] *= 1.0 + 90.0 * f64::EPSILON;
    assert_eq!(expected.wrong(&nearly, Some(expected.sum * (1.0 + 1e-9))).1, 0);

    let mut off = contents(&expected);
    off.b[5] *= 1.0 + 120.0 * f64::EPSILON;
    off.c[0] = f64::NAN;
    let (told, count) = expected.wrong(&off, Some(expected.sum * (1.0 + 1e-8)));
    assert_eq!(count, 3);
    assert!(told[0].starts_with("the sum is") && told[1].starts_with("b[5] is"), "{told:?}");
    assert!(told[2].starts_with("c[0] is NaN"), "{told:?}");
}

#[test]
fn no_more_than_ten_are_told() {
    let expected = after(1);
    let mut off = contents(&expected);
    off.a.fill(0.0);
    off.b.fill(0.0);
    let (told, count) = expected.wrong(&off, None);
    assert_eq!((told.len(), count), (10, 16));
}

const REPORT: Report = Report { as_csv: true, unit: Unit::Megabytes, times: 100, len: 1 << 25, element: 8 };

const TIMES: Times = Times { min: 0.05, max: 0.0625, mean: 0.055 };

#[test]
fn csv_has_the_columns_of_published_results() {
    assert_eq!(
        REPORT.header(),
        "function,num_times,n_elements,sizeof,max_mbytes_per_sec,min_runtime,max_runtime,avg_runtime"
    );
    assert_eq!(
        REPORT.row(Benchmark::Triad, TIMES),
        "Triad,100,33554432,8,16106.127,0.050000000,0.062500000,0.055000000"
    );
}

#[test]
fn rows_for_people_stand_below_their_titles() {
    let report = Report { as_csv: false, unit: Unit::Mebibytes, ..REPORT };
    assert_eq!(report.header().trim_end(), "Function    MiBytes/sec Min (sec)   Max         Average");
    assert_eq!(
        report.row(Benchmark::Copy, TIMES).trim_end(),
        "Copy        10240.000   0.05000     0.06250     0.05500"
    );
}

#[test]
fn the_first_run_counts_for_nothing() {
    assert_eq!(Times::of(&[9.0, 1.0, 3.0]), Times { min: 1.0, max: 3.0, mean: 2.0 });
}
