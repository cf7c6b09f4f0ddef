//! One check a puzzle: data, a launch by the caller, and the right values by a naive loop.

use gridwright::Error;
use gridwright::prelude::*;

use crate::Unsolved;

type Launched = Result<(), Error>;
type Checked = Result<(), Unsolved>;

fn numbers(len: usize) -> Vec<u32> {
    (0..len as u32).map(|i| i.wrapping_mul(2_654_435_761) % 1000).collect()
}

/// Launches a kernel of one slice to read and one to write, which has as many elements as there are right ones.
fn of_one_input<T: KernelArg + PartialEq + std::fmt::Debug>(
    device: &Device,
    input: &[T],
    config: LaunchConfig,
    launch: impl FnOnce(&Stream, LaunchConfig, &Buffer<T>, &mut Buffer<T>) -> Launched,
    right: &[T],
) -> Checked {
    let stream = device.stream()?;
    let (x, mut y) = (stream.upload(input)?, stream.alloc_zeroed(right.len())?);
    launch(&stream, config, &x, &mut y)?;
    Unsolved::compare(&stream.download(&y)?, right)
}

/// Puzzle 1: `y[i] = x[i] + 10`, for 100 elements.
///
/// # Errors
/// The kernel's failure, or the first wrong element.
pub fn add_ten(
    device: &Device,
    launch: impl FnOnce(&Stream, LaunchConfig, &Buffer<u32>, &mut Buffer<u32>) -> Launched,
) -> Checked {
    let host = numbers(100);
    let right: Vec<u32> = host.iter().map(|x| x + 10).collect();
    of_one_input(device, &host, LaunchConfig::threads(host.len()), launch, &right)
}

/// Puzzle 2: `y[i] = a[i] * b[i]`, for 1000 elements.
///
/// # Errors
/// The kernel's failure, or the first wrong element.
pub fn zip(
    device: &Device,
    launch: impl FnOnce(&Stream, LaunchConfig, &Buffer<u32>, &Buffer<u32>, &mut Buffer<u32>) -> Launched,
) -> Checked {
    let (stream, a) = (device.stream()?, numbers(1000));
    let b: Vec<u32> = a.iter().rev().copied().collect();
    let (on_a, on_b, mut y) = (stream.upload(&a)?, stream.upload(&b)?, stream.alloc_zeroed(a.len())?);
    launch(&stream, LaunchConfig::threads(a.len()), &on_a, &on_b, &mut y)?;
    let right: Vec<u32> = a.iter().zip(&b).map(|(a, b)| a * b).collect();
    Unsolved::compare(&stream.download(&y)?, &right)
}

/// Puzzle 3: `y[i] = x[i + 1] - x[i]`, and zero for the last of 100 elements.
///
/// # Errors
/// The kernel's failure, or the first wrong element.
pub fn difference(
    device: &Device,
    launch: impl FnOnce(&Stream, LaunchConfig, &Buffer<i32>, &mut Buffer<i32>) -> Launched,
) -> Checked {
    let host: Vec<i32> = numbers(100).into_iter().map(u32::cast_signed).collect();
    let mut right: Vec<i32> = host.windows(2).map(|pair| pair[1] - pair[0]).collect();
    right.push(0);
    of_one_input(device, &host, LaunchConfig::threads(host.len()), launch, &right)
}

/// Puzzle 4: `y[row][col] = x[col][row]`, for a matrix of 20 rows and 30 columns.
///
/// # Errors
/// The kernel's failure, or the first wrong element.
pub fn transpose(
    device: &Device,
    launch: impl FnOnce(&Stream, LaunchConfig, &MatrixBuffer<u32>, &mut MatrixBuffer<u32>) -> Launched,
) -> Checked {
    let (rows, cols) = (30, 20);
    let (stream, host) = (device.stream()?, numbers(rows * cols));
    let x = stream.upload_matrix(cols, rows, &host)?;
    let mut y = stream.alloc_matrix_zeroed(rows, cols)?;
    launch(&stream, LaunchConfig::for_matrix(rows, cols), &x, &mut y)?;
    let right: Vec<u32> = (0..rows * cols).map(|i| host[i % cols * rows + i / cols]).collect();
    Unsolved::compare(&stream.download(&y)?, &right)
}

/// Puzzle 5: `y[row][col] = a[row] + b[col]`, for 17 rows and 23 columns.
///
/// # Errors
/// The kernel's failure, or the first wrong element.
pub fn broadcast(
    device: &Device,
    launch: impl FnOnce(&Stream, LaunchConfig, &Buffer<u32>, &Buffer<u32>, &mut MatrixBuffer<u32>) -> Launched,
) -> Checked {
    let (stream, a, b) = (device.stream()?, numbers(17), numbers(23));
    let (on_a, on_b) = (stream.upload(&a)?, stream.upload(&b)?);
    let mut y = stream.alloc_matrix_zeroed(a.len(), b.len())?;
    launch(&stream, LaunchConfig::for_matrix(a.len(), b.len()), &on_a, &on_b, &mut y)?;
    let right: Vec<u32> = a.iter().flat_map(|a| b.iter().map(move |b| a + b)).collect();
    Unsolved::compare(&stream.download(&y)?, &right)
}

/// Puzzle 6: the sum of each group's elements, for 1000 elements in groups of 128.
///
/// # Errors
/// The kernel's failure, or the first wrong element.
pub fn sums_of_groups(
    device: &Device,
    launch: impl FnOnce(&Stream, LaunchConfig, &Buffer<u32>, &mut Buffer<u32>) -> Launched,
) -> Checked {
    let host = numbers(1000);
    let right: Vec<u32> = host.chunks(128).map(|group| group.iter().sum()).collect();
    of_one_input(device, &host, LaunchConfig::threads(host.len()).block(128), launch, &right)
}

/// Puzzle 7: the mean of each element and its two neighbours within a group of 64; what isn't there counts as zero.
///
/// # Errors
/// The kernel's failure, or the first wrong element.
pub fn mean_of_three(
    device: &Device,
    launch: impl FnOnce(&Stream, LaunchConfig, &Buffer<u32>, &mut Buffer<u32>) -> Launched,
) -> Checked {
    let host = numbers(256);
    let mean = |group: &[u32], i: usize| {
        let at = |at: Option<usize>| at.and_then(|at| group.get(at)).copied().unwrap_or(0);
        (at(i.checked_sub(1)) + at(Some(i)) + at(Some(i + 1))) / 3
    };
    let right: Vec<u32> = host.chunks(64).flat_map(|group| (0..64).map(move |i| mean(group, i))).collect();
    of_one_input(device, &host, LaunchConfig::threads(host.len()).block(64), launch, &right)
}

/// Puzzle 8: each group's 64 elements in reverse order, without a race.
///
/// # Errors
/// The kernel's failure, or the first wrong element.
pub fn turn_around(
    device: &Device,
    launch: impl FnOnce(&Stream, LaunchConfig, &mut Buffer<u32>) -> Launched,
) -> Checked {
    let (stream, host) = (device.stream()?, numbers(256));
    let mut x = stream.upload(&host)?;
    launch(&stream, LaunchConfig::threads(host.len()).block(64), &mut x)?;
    stream.synchronize()?;
    let right: Vec<u32> = host.chunks(64).flat_map(|group| group.iter().rev().copied()).collect();
    Unsolved::compare(&stream.download(&x)?, &right)
}

/// Puzzle 9: the sum of the elements up to each one, within groups of 100.
///
/// # Errors
/// The kernel's failure, or the first wrong element.
pub fn prefix_sum(
    device: &Device,
    launch: impl FnOnce(&Stream, LaunchConfig, &Buffer<u32>, &mut Buffer<u32>) -> Launched,
) -> Checked {
    let host = numbers(300);
    let sums = |group: &[u32]| {
        let sum = |sum: &mut u32, x: &u32| {
            *sum += x;
            Some(*sum)
        };
        group.iter().scan(0, sum).collect::<Vec<_>>()
    };
    let right: Vec<u32> = host.chunks(100).flat_map(sums).collect();
    of_one_input(device, &host, LaunchConfig::threads(host.len()).block(100), launch, &right)
}

/// Puzzle 10: the product of a matrix of 20 by 33 and one of 33 by 18.
///
/// # Errors
/// The kernel's failure, or the first wrong element.
pub fn matrix_product(
    device: &Device,
    launch: impl FnOnce(
        &Stream,
        LaunchConfig,
        &MatrixBuffer<u32>,
        &MatrixBuffer<u32>,
        &mut MatrixBuffer<u32>,
    ) -> Launched,
) -> Checked {
    let (rows, inner, cols) = (20, 33, 18);
    let (stream, a, b) = (device.stream()?, numbers(rows * inner), numbers(inner * cols));
    let (on_a, on_b) = (stream.upload_matrix(rows, inner, &a)?, stream.upload_matrix(inner, cols, &b)?);
    let mut c = stream.alloc_matrix_zeroed(rows, cols)?;
    launch(&stream, LaunchConfig::for_matrix(rows, cols), &on_a, &on_b, &mut c)?;
    let product = |i: usize| (0..inner).map(|k| a[i / cols * inner + k] * b[k * cols + i % cols]).sum();
    let right: Vec<u32> = (0..rows * cols).map(product).collect();
    Unsolved::compare(&stream.download(&c)?, &right)
}
