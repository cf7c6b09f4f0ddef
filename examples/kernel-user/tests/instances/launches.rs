//! What instances do, and what they refuse.

use gridwright::prelude::*;
use gridwright::{DeviceKind, Error, InOut};
use gridwright_kernel_library::{Total, total};
use gridwright_kernel_user::{
    Brightness, Colour, Further, Sum, add_further, brightness, fill_colours, neighbours, others_of_warp,
    product_and_sum_f64, sums_of_eight, sums_of_three, transpose_colours, turn_colours,
};

use crate::{Double, double};

type Result<T = ()> = std::result::Result<T, Error>;

fn device() -> Result<Device> {
    match std::env::var_os("GRIDWRIGHT_DEVICE") {
        None => Device::cpu(),
        Some(_) => Device::from_env(),
    }
}

fn colours(len: usize) -> Vec<Colour> {
    (0..len).map(|i| Colour { red: i as f32, green: (i % 7) as f32, blue: 1.0 }).collect()
}

#[test]
fn an_operator_with_captured_values_on_a_type_of_the_users() -> Result {
    let stream = device()?.stream()?;
    let colours = colours(1000);
    let (x, mut y) = (stream.upload(&colours)?, stream.alloc_zeroed(1000)?);
    let op = Brightness { most: 4.0 };
    brightness::load(stream.device())?.launch(&stream, LaunchConfig::threads(1000), (op, &x, &mut y))?;
    for (y, colour) in stream.download(&y)?.iter().zip(&colours) {
        let expected = op.call((*colour,));
        assert!((y - expected).abs() <= 1e-5 * expected.abs(), "{y} {expected}");
    }
    Ok(())
}

#[test]
fn conditions_of_the_library_hold_for_instances() -> Result {
    let stream = device()?.stream()?;
    let (x, mut y) = (stream.upload(&[Colour::default(); 4])?, stream.alloc_zeroed(5)?);
    let kernel = brightness::load(stream.device())?;
    let refused = kernel.launch(&stream, LaunchConfig::threads(4), (Brightness { most: 1.0 }, &x, &mut y));
    assert!(matches!(&refused, Err(Error::Requirement { .. })), "{refused:?}");
    // A condition that calls a function of the library's.
    let (x, mut y) = (stream.upload(&[1_u32; 5])?, stream.alloc_zeroed(5)?);
    let refused =
        sums_of_eight::load(stream.device())?.launch(&stream, LaunchConfig::threads(5), (&x, &mut y));
    assert!(refused.is_err_and(|error| error.to_string().contains("is_at_least::<N>(x.len())")));
    sums_of_three::load(stream.device())?.launch(&stream, LaunchConfig::threads(5), (&x, &mut y))?;
    assert_eq!(stream.download(&y)?, [3; 5]);
    Ok(())
}

#[test]
fn names_that_are_words_of_the_language() -> Result {
    let device = device()?;
    let mut y = [1.0_f32, -5.0, 2.0];
    add_further::load(&device)?.run(
        &device,
        LaunchConfig::threads(3),
        (Further, &[-3.0_f32, 4.0, 2.5], InOut(&mut y)),
    )?;
    assert_eq!(y, [-3.0, -5.0, 2.5]);
    Ok(())
}

#[test]
fn arrays_in_workgroup_memory_of_constants_of_the_instance() -> Result {
    let stream = device()?.stream()?;
    let (rows, cols) = (19, 33);
    let colours = colours(rows * cols);
    let x = stream.upload_matrix(rows, cols, &colours)?;
    let mut y = stream.alloc_matrix_zeroed(cols, rows)?;
    let config = LaunchConfig::for_matrix(cols, rows);
    transpose_colours::load(stream.device())?.launch(&stream, config, (&x, &mut y))?;
    let y = stream.download(&y)?;
    for row in 0..rows {
        for col in 0..cols {
            assert_eq!(y[col * rows + row], colours[row * cols + col]);
        }
    }
    Ok(())
}

#[test]
fn a_library_that_is_generic_itself() -> Result {
    let stream = device()?.stream()?;
    let x: Vec<f32> = (0..1000).map(|i| ((i * 37) % 101) as f32 - 60.0).collect();
    let buffer = stream.upload(&x)?;
    assert_eq!(total(&stream, Sum, 0.0, &buffer)?, x.iter().sum::<f32>());
    assert_eq!(total(&stream, Further, 0.0, &buffer)?, -60.0);
    assert_eq!(total(&stream, Sum, 0.0, &stream.alloc_zeroed(0)?)?, 0.0);
    Ok(())
}

#[test]
fn a_product_and_a_sum_stay_two_in_an_instance() -> Result {
    let device = device()?;
    // Fused, the rounding error of the product would be left.
    let (a, b) = (1.0 + f64::EPSILON, 1.0 - f64::EPSILON);
    let mut y = [-1.0_f64; 4];
    product_and_sum_f64::load(&device)?.run(&device, LaunchConfig::threads(4), (a, b, InOut(&mut y)))?;
    assert_eq!(y, [a * b - 1.0; 4]);
    Ok(())
}

#[test]
fn groups_with_memory_of_the_launchs_size() -> Result {
    let device = device()?;
    // A warp has 32 threads or 64, and a group of 64 is one or two: of ones, all warps of a size have one total.
    let x: Vec<i32> = vec![1; 256];
    let mut y = vec![0; 256];
    let config = LaunchConfig::threads(256).block(64).workgroup::<i32>(64);
    others_of_warp::load(&device)?.run(&device, config, (&x[..], InOut(&mut y[..])))?;
    let warp = device.limits().warp_size as i32;
    assert_eq!(y, vec![(warp - 1) + 1; 256]);
    Ok(())
}

#[test]
fn a_grid() -> Result {
    let stream = device()?.stream()?;
    let colours = colours(100);
    let (mut x, mut y) = (stream.upload(&colours)?, stream.alloc_zeroed(100)?);
    let kernel = turn_colours::load(stream.device())?;
    // The emulator of AMD's GPUs runs groups one after the other, so that they can't wait for each other.
    let groups = if stream.device().kind() == DeviceKind::Hip { 1 } else { 2 };
    kernel.launch(&stream, LaunchConfig::grid(groups, 32), (2, &mut x, &mut y))?;
    let turned = stream.download(&x)?;
    assert!((0..100).all(|i| turned[i] == colours[(i + 2) % 100]));
    Ok(())
}

#[test]
fn a_cluster() -> Result {
    let stream = device()?.stream()?;
    let x: Vec<u64> = (0..128).collect();
    let mut buffer = stream.upload(&x)?;
    let config = LaunchConfig::grid(4, 32).cluster(2).workgroup::<u64>(32);
    match neighbours::load(stream.device())?.launch(&stream, config, (&mut buffer,)) {
        // Older GPUs, and AMD's, have no clusters of several groups.
        Err(Error::AttributeUnsupported { .. }) => {
            assert_ne!(stream.device().kind(), DeviceKind::Cpu);
            return Ok(());
        }
        launched => launched?,
    }
    let expected: Vec<u64> = x.iter().map(|x| x ^ 32).collect();
    assert_eq!(stream.download(&buffer)?, expected);
    Ok(())
}

#[test]
fn an_unsafe_kernel_stays_unsafe() -> Result {
    let stream = device()?.stream()?;
    let mut x = stream.upload(&colours(10))?;
    let kernel = fill_colours::load(stream.device())?;
    let white = Colour { red: 1.0, green: 1.0, blue: 1.0 };
    // SAFETY: there are ten elements.
    unsafe { kernel.launch(&stream, LaunchConfig::threads(10), (white, 10, &mut x))? };
    assert_eq!(stream.download(&x)?, [white; 10]);
    Ok(())
}

#[test]
fn an_instance_of_a_test() -> Result {
    let device = device()?;
    let mut y = [0_u32; 3];
    double::load(&device)?.run(
        &device,
        LaunchConfig::threads(3),
        (Double, &[1_u16, 2, 60000], InOut(&mut y)),
    )?;
    assert_eq!(y, [2, 4, 120_000]);
    Ok(())
}

/// The trait's bound is all that generic code needs to know.
fn takes_any<O: Total<f32>>(_: O) {}

#[test]
fn a_trait_of_instances_is_a_bound() {
    takes_any(Sum);
    takes_any(Further);
}
