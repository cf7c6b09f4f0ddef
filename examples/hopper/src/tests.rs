//! A kernel of a unit test is in an image of its own.

use gridwright::prelude::*;

#[gpu_kernel]
fn rotate(t: Thread, x: &[u32], mut y: PerThread<[u32]>) {
    let Some(y) = y.get_mut(t) else { return };
    *y = x[t.index()].rotate_left(THREE);
}

/// What kernels use of a unit test is the device's too.
const THREE: u32 = 3;

#[test]
fn kernels_of_unit_tests_run_on_the_emulator() -> Result<(), gridwright::Error> {
    let emulator = Device::emulator()?;
    let stream = emulator.stream()?;
    let rotate = match rotate::load(&emulator) {
        Ok(rotate) => rotate,
        // Where device code isn't required, there may be no toolchain.
        Err(error) => {
            assert!(option_env!("GRIDWRIGHT_REQUIRE_DEVICE").is_none(), "{error}");
            return Ok(());
        }
    };
    let x = stream.upload(&[1_u32, 2, u32::MAX, 1 << 31])?;
    let mut y = stream.upload(&[0_u32; 4])?;
    rotate.launch(&stream, LaunchConfig::threads(4), (&x, &mut y))?;
    assert_eq!(stream.download(&y)?, [8, 16, u32::MAX, 4]);
    Ok(())
}
