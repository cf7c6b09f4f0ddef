//! Kernels of one instruction each, a list of ours: NVIDIA's assembler says which are valid.

use super::run_module::{Files, to_the_end};
use super::{FOLDER, Prepared, Setup, Suite};
use crate::call::Call;
use crate::codegen::toolkit::Toolkit;
use crate::test::examples;

pub(super) const SUITE: Suite = Suite {
    name: "instructions",
    title: "Kernels of one instruction on the emulated driver",
    about: "The list `emulator/tests/emulator/probes/list.txt`. What NVIDIA's assembler refuses for sm_90 is skipped; the rest must load, run and give the list's values.",
    prepare,
};

const LIST: &str = "emulator/tests/emulator/probes/list.txt";

fn prepare(setup: &Setup<'_>) -> anyhow::Result<Prepared> {
    let folder = setup.workspace.metadata.target_directory.join("suites/instructions").into_std_path_buf();
    let runner = setup.workspace.root.join(FOLDER).join("instructions.py");
    let list = setup.workspace.root.join(LIST);
    let assembler = Toolkit::install(setup.workspace)?.bin().join("ptxas");
    let template = Call::new(setup.workspace, "python3")
        .variable("LD_LIBRARY_PATH", examples::library_path(&setup.driver)?);
    let resume = setup.resume;
    let run = move |checks: &str, module: &str| {
        let files = Files::new(&folder, checks, module, resume)?;
        to_the_end(&files, || {
            let call = template.clone().variable("GRIDWRIGHT_EMULATOR_CHECKS", checks);
            call.arguments([
                runner.as_os_str(),
                files.outcomes.as_os_str(),
                list.as_os_str(),
                assembler.as_os_str(),
            ])
        })
    };
    Ok(Prepared { modules: vec!["list".to_owned()], run: Box::new(run) })
}
