//! Kernels of one instruction each, a list of ours: NVIDIA's assembler says which are valid.

use super::{Prepared, Setup, Suite};
use crate::codegen::toolkit::Toolkit;

pub(super) const SUITE: Suite = Suite {
    name: "instructions",
    title: "Kernels of one instruction on the emulated driver",
    about: "The list `emulator/tests/emulator/probes/list.txt`. What NVIDIA's assembler refuses for sm_90 is skipped; the rest must load, run and give the list's values.",
    prepare,
};

const LIST: &str = "emulator/tests/emulator/probes/list.txt";

fn prepare(setup: &Setup<'_>) -> anyhow::Result<Prepared> {
    let list = setup.workspace.root.join(LIST);
    let assembler = Toolkit::install(setup.workspace)?.bin().join("ptxas");
    let python = setup.call("python3", &[])?;
    let call = move |_: &str| Ok((python.clone(), vec![list.clone().into(), assembler.clone().into()]));
    Ok(setup.prepared(&SUITE, "instructions.py", vec!["list".to_owned()], call))
}
