//! Operators and methods of `core` on numbers: the emulator gives what the host gives. Emulated AMD GPUs are the step `hip`'s.

use crate::checked;
use crate::test::device;
use crate::workspace::Workspace;

/// The target with the table of rows.
pub(super) const TARGET: &str = "core_numbers";

/// The variable that says how many inputs a row gets.
const INPUTS: &str = "GRIDWRIGHT_NUMBERS_INPUTS";

/// Inputs of a row in the step that takes long.
const MANY: &str = "1000000";

/// On as many inputs as the test takes by itself.
pub(super) fn run(workspace: &Workspace) -> anyhow::Result<()> {
    device::or_skip(workspace, || {
        let test = checked::cargo_test(workspace).arguments(["--test", TARGET]);
        test.variable("GRIDWRIGHT_DEVICE", "emulator").run_quietly()
    })
}

/// On very many. The checks of the emulator are the other step's.
pub(super) fn many(workspace: &Workspace) -> anyhow::Result<()> {
    device::or_skip(workspace, || {
        let test = checked::cargo_test(workspace).arguments(["--test", TARGET]);
        let test = test.variable("GRIDWRIGHT_DEVICE", "emulator").variable(INPUTS, MANY);
        test.variable("GRIDWRIGHT_EMULATOR_CHECKS", "off").run_quietly()
    })
}
