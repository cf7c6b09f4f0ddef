//! What a kernel computes, the emulator computes as the host does: operators and methods of `core` on numbers, and functions that
//! compilers are known to get wrong. Emulated AMD GPUs are the step `hip`'s.

use crate::call::Call;
use crate::checked;
use crate::test::device;
use crate::test::hip::Gpu;
use crate::workspace::Workspace;

/// The target with the table of rows.
const TARGET: &str = "core_numbers";

/// The target with what compilers get wrong.
const COMPILERS: &str = "compilers";

/// The variable that says how many inputs a row gets.
const INPUTS: &str = "GRIDWRIGHT_TEST_NUMBERS_INPUTS";

/// Inputs of a row on emulated AMD GPUs, which are slow; and in the step that takes long.
pub(super) const FEW: &str = "256";
pub(super) const AS_ELSEWHERE: &str = "4096";

/// Inputs of a row: of the 35 rows of a kernel, a million in all.
const SOME: &str = "30000";

/// Inputs of a row in the step that takes long.
const MANY: &str = "1000000";

/// Tests numbers on few inputs with the emulator's checks, and on more without.
pub(super) fn run(workspace: &Workspace) -> anyhow::Result<()> {
    device::or_skip(workspace, || {
        on_emulator(workspace, COMPILERS).passes("what compilers get wrong")?;
        on_emulator(workspace, TARGET).passes("numbers, with the emulator's checks")?;
        on_inputs(workspace, SOME)
    })
}

/// Tests numbers on very many inputs.
pub(super) fn many(workspace: &Workspace) -> anyhow::Result<()> {
    device::or_skip(workspace, || on_inputs(workspace, MANY))
}

/// Tests numbers on an emulated AMD GPU.
pub(super) fn on_hip(gpu: &Gpu<'_>, inputs: &str) -> anyhow::Result<()> {
    let what = format!("operators and methods of numbers: {}, {inputs} inputs a row", gpu.architecture);
    gpu.test(&[TARGET]).variable(INPUTS, inputs).passes(what)
}

/// Tests what compilers get wrong, on an emulated AMD GPU.
pub(super) fn compilers_on_hip(gpu: &Gpu<'_>) -> anyhow::Result<()> {
    gpu.test(&[COMPILERS]).passes(format!("what compilers get wrong: {}", gpu.architecture))
}

fn on_emulator(workspace: &Workspace, target: &str) -> Call {
    checked::test(workspace, &[target]).variable("GRIDWRIGHT_DEVICE", "emulator")
}

fn on_inputs(workspace: &Workspace, inputs: &str) -> anyhow::Result<()> {
    let test = on_emulator(workspace, TARGET).variable(INPUTS, inputs);
    test.variable("GRIDWRIGHT_EMULATOR_CHECKS", "off").passes(format!("{inputs} inputs a row"))
}
