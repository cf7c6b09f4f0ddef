//! The GPU that is measured.

use std::env;

use anyhow::bail;
use gridwright::Error;
use gridwright::prelude::*;

/// The first GPU. Where there is none this says `SKIPPED`, or fails with `GRIDWRIGHT_REQUIRE_CUDA=1`.
pub fn cuda() -> anyhow::Result<Option<Device>> {
    match Device::cuda(0) {
        Ok(device) => Ok(Some(device)),
        Err(missing @ (Error::DriverMissing { .. } | Error::NoDevice { .. })) => {
            if env::var_os("GRIDWRIGHT_REQUIRE_CUDA").is_some_and(|value| value == "1") {
                bail!("{missing}");
            }
            println!("SKIPPED: {missing}");
            Ok(None)
        }
        Err(error) => Err(error.into()),
    }
}
