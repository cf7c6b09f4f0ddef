use gridwright::prelude::*;

#[gpu_kernel]
pub fn convert<A: KernelArg, B: KernelArg + From<A>>(_t: Thread, _x: &[A], _y: PerThread<[B]>) {}

kernel_trait! {
    pub trait Converted<B: KernelArg + From<Self>>: KernelArg {
        type Kernel = crate::convert<Self, B>;
    }
}

instance! { impl Converted for u8; }

fn main() {}
