use std::ops::Range;

use gridwright_core::{CpuCode, CpuEntry, Images, Isa, LaunchSizes};
use gridwright_cpu::Processors;

use super::Processor;
use crate::backend::Printed;
use crate::backend::queued::Engine;
use crate::submission::Code;

/// Such a kernel is in a program that was built for another machine alone.
#[test]
fn a_kernel_without_code_for_the_device_is_not_loaded() {
    unsafe fn never(_: Isa, _: &LaunchSizes, _: Range<usize>, _: *const ()) {}
    static OTHERS: Images = Images { missing: "", images: &[], cpu: CpuCode::Avx512 };
    static CODE: Code = Code::for_tests(CpuEntry::Groups(never), &OTHERS);
    let processors = Processors { isa: Isa::Baseline, threads: 1 };
    let cpu = Processor { name: "CPU".into(), processors, printed: Printed::new().unwrap() };
    let error = cpu.load(&CODE).expect_err("there is no such code").to_string();
    assert!(error.contains("one instruction set alone") && error.contains("GRIDWRIGHT_CPU_ISA"), "{error}");
}
