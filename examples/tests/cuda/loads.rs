//! What the driver is given to load.

use gridwright_examples::samples::sobel::sobel;

use super::setting::{Result, device};

#[test]
fn the_driver_compiles_the_kernel_that_is_loaded_and_no_other() -> Result {
    let Some(device) = device() else { return Ok(()) };
    // The library has more than fifty kernels, whose PTX is 390 kB.
    let bytes = sobel::load(&device)?.attributes()?.loaded_bytes;
    assert!((1000..8000).contains(&bytes), "{bytes}");
    Ok(())
}
