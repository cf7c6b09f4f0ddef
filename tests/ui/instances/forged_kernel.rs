//! A generic kernel that no `#[gpu_kernel]` wrote: what it says of its threads nobody has checked.

#![forbid(unsafe_code)]

use gridwright::prelude::*;
use gridwright::launch::GenericKernel;

pub struct Forged<T>(core::marker::PhantomData<fn() -> T>);

impl<T: KernelArg> GenericKernel for Forged<T> {
    type Params = (PerThread<'static, Matrix<T>, Rows>,);
    type Sizes = ();
    type Parts = (T, (Rows, ()));
    const DESCRIPTION: &'static str = "thread, any element is inside";
}

fn main() {}
