use gridwright::prelude::*;

#[gpu_kernel]
pub fn copy<T: KernelArg>(_t: Thread, _x: &[T], _y: PerThread<[T]>) {}

kernel_trait! {
    pub trait Copied: KernelArg {
        type Kernel = copy<Self>;
    }
}

fn main() {}
