//! What the environment says beside [where the emulator is](gridwright_amd_emulator_client::setting): with `GRIDWRIGHT_REQUIRE_DEVICE` a
//! program that was built without the images fails. Without an emulator the tests are skipped.

use std::env;
use std::io::{Write, stderr};

/// Whether images have to be there; as the device build reads it.
pub(crate) fn requires_images() -> bool {
    env::var_os("GRIDWRIGHT_REQUIRE_DEVICE").is_some_and(|value| !value.is_empty() && value != "0")
}

/// Says that a test checked nothing. The harness hides what `eprintln!` says, but not this.
pub(crate) fn skip(kernel: &str, why: &str) {
    let _ = writeln!(stderr(), "SKIPPED: `{kernel}` wasn't run in the emulator of AMD's GPUs: {why}");
}
