//! Types by the names of the library's that are others.
use gridwright::prelude::*;

mod names {
    pub type Atomic<'a, S> = &'a S;
    pub type PerThread<'a, S> = gridwright::PerGroup<'a, S>;
    pub type Matrix<T> = gridwright::Volume<T>;
    pub type Texture1d<T> = gridwright::Matrix<T>;
}

use names::{Atomic, Matrix, PerThread, Texture1d};

#[gpu_kernel]
fn lends(_t: Thread, _x: Atomic<[u32]>) {}

#[gpu_kernel]
fn owns(_g: &Group, _x: PerThread<[u32]>) {}

#[gpu_kernel]
fn reads(_t: Thread, _x: &Matrix<u32>) {}

#[gpu_kernel]
fn samples(_t: Thread, _x: &Texture1d<f32>) {}

fn main() {}
