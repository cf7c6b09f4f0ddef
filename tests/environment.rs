//! The environment variables. Each test runs itself again in a process of its own.

#![allow(clippy::expect_used)] // also in the helper

use std::process::Command;

use gridwright::math;
use gridwright::prelude::*;

#[gpu_kernel]
fn square(t: Thread, mut x: PerThread<[f32]>) {
    if let Some(x) = x.get_mut(t) {
        *x = x.mul_add(*x, 0.25);
    }
}

/// Loops that end one by one, roots, quotients and sums, whose order is the library's.
#[gpu_kernel]
fn mixed(g: &Group, x: &[f32], mut y: PerThread<[f32]>) {
    let mut mine = g.map((), |t, ()| x.get(t.index()).copied().unwrap_or(0.5));
    let mut turns = g.private(0_u32);
    g.each_while((&mut mine, &mut turns), |t, (mine, turns)| {
        *mine = (*mine / 3.0 + 0.7).sqrt() + *turns as f32 * 0.01;
        *turns += 1;
        *turns < 3 + t.local().x as u32 % 5
    });
    let total = g.reduce(&mine, |a, b| a + b);
    let so_far = g.scan_inclusive(&mine, |a, b| a + b);
    g.each((&mine, &so_far, y.elements_mut()), |t, (mine, so_far, y)| {
        if let Some(y) = y {
            *y = mine.max(0.9) * total - so_far / (t.local().x as f32 + 1.0)
                + math::exp(-*mine) * math::ln(total);
        }
    });
}

/// What a process with these variables says: the device's name and a result, or the error.
fn with(variables: &[(&str, &str)]) -> String {
    let test = std::env::current_exe().expect("the test's own path");
    let output = Command::new(test)
        .args(["--exact", "child", "--nocapture"])
        .env("CHILD", "1")
        .env("GRIDWRIGHT_DEVICE", "cpu")
        .env_remove("GRIDWRIGHT_CPU_ISA")
        .env_remove("GRIDWRIGHT_CPU_THREADS")
        .envs(variables.iter().copied())
        .output()
        .expect("the test runs again");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn child() {
    if std::env::var_os("CHILD").is_none() {
        return; // Not a child: nothing to say.
    }
    let run = || -> Result<String, gridwright::Error> {
        let device = Device::from_env()?;
        let stream = device.stream()?;
        let mut x = stream.upload(&(0..100_000).map(|i| i as f32 * 0.37).collect::<Vec<_>>())?;
        square::load(&device)?.launch(&stream, LaunchConfig::threads(100_000), (&mut x,))?;
        let mut y = stream.alloc_zeroed::<f32>(100_000)?;
        mixed::load(&device)?.launch(&stream, LaunchConfig::threads(100_000).block(96), (&x, &mut y))?;
        let (x, y) = (stream.download(&x)?, stream.download(&y)?);
        assert!(x.iter().chain(&y).all(|x| x.is_finite()), "nothing to compare");
        let bits = x.iter().chain(&y).fold(0_u64, |sum, x| sum.rotate_left(5) ^ u64::from(x.to_bits()));
        Ok(format!("{} bits={bits:x}", device.name()))
    };
    println!("{}", run().unwrap_or_else(|error| error.to_string()));
}

#[test]
fn the_device_is_the_one_that_is_named_or_the_best_present() {
    assert!(with(&[]).contains("CPU, "));
    // Without a name a GPU, whose kernels this test has no image of, else the CPU.
    let said = with(&[("GRIDWRIGHT_DEVICE", "")]);
    assert!(said.contains("CPU, ") || said.contains("kernel `square` can't run on"), "{said}");
}

#[test]
fn an_unknown_device_lists_what_there_is() {
    let said = with(&[("GRIDWRIGHT_DEVICE", "tpu")]);
    assert!(said.contains("no device `tpu`: no device has such a name; there is: "), "{said}");
    assert!(said.contains("cpu (choose with GRIDWRIGHT_DEVICE)"), "{said}");
    for odd in ["cuda:x", "cpu:1", ":", "cuda:-1", "CPU"] {
        assert!(with(&[("GRIDWRIGHT_DEVICE", odd)]).contains(&format!("no device `{odd}`")), "{odd}");
    }
}

#[test]
fn a_gpu_that_is_not_there_is_an_error_that_says_what_to_do() {
    for (driver, device) in [("CUDA", "cuda:99"), ("HIP", "hip:99")] {
        let said = with(&[("GRIDWRIGHT_DEVICE", device)]);
        let no_driver =
            said.contains(&format!("no {driver} driver")) && said.contains("or set GRIDWRIGHT_DEVICE=cpu");
        assert!(no_driver || said.contains(&format!("no device `{device}`")), "{said}");
    }
}

#[test]
fn every_instruction_set_and_number_of_threads_gives_the_same_bits() {
    let bits = |variables: &[(&str, &str)]| {
        let said = with(variables);
        said.split_once("bits=").map(|(_, bits)| bits.lines().next().unwrap_or("").to_owned()).expect(&said)
    };
    let expected = bits(&[]);
    assert_eq!(bits(&[("GRIDWRIGHT_CPU_ISA", "baseline")]), expected);
    for isa in ["avx2", "avx512"] {
        if with(&[("GRIDWRIGHT_CPU_ISA", isa)]).contains("bits=") {
            assert_eq!(bits(&[("GRIDWRIGHT_CPU_ISA", isa)]), expected, "{isa}");
        }
    }
    for threads in ["1", "2", "3", "7"] {
        assert_eq!(bits(&[("GRIDWRIGHT_CPU_THREADS", threads)]), expected, "{threads} threads");
    }
}

#[test]
fn settings_that_mean_nothing_are_errors() {
    let said = with(&[("GRIDWRIGHT_CPU_THREADS", "0")]);
    assert!(
        said.contains("GRIDWRIGHT_CPU_THREADS=`0` isn't understood: it takes a number from 1 to 1024"),
        "{said}"
    );
    let said = with(&[("GRIDWRIGHT_CPU_ISA", "mmx")]);
    assert!(
        said.contains("GRIDWRIGHT_CPU_ISA=`mmx` isn't understood") && said.contains("baseline"),
        "{said}"
    );
}

#[cfg(feature = "emulator")]
#[test]
fn counts_go_to_a_file_that_can_be_written() {
    let said =
        with(&[("GRIDWRIGHT_DEVICE", "emulator"), ("GRIDWRIGHT_EMULATOR_COUNTS", "/no/such/folder/counts")]);
    assert!(
        said.contains("GRIDWRIGHT_EMULATOR_COUNTS") && said.contains("a file that can be written"),
        "{said}"
    );
}
