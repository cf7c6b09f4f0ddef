//! What is spelled as one of Rust's numbers is a struct, which a GPU's entry would get in another way.
use gridwright::prelude::*;

mod numbers {
    #[allow(non_camel_case_types)]
    #[derive(Clone, Copy, gridwright::KernelArg)]
    #[repr(C)]
    pub struct u64 {
        words: [super::Word; 2],
    }
}

type Word = u32;

mod kernels {
    use super::numbers::u64;
    use gridwright::prelude::*;

    #[gpu_kernel]
    fn kernel(_t: Thread, _x: u64) {}
}

fn main() {}
