//! The arrays on a device, and the kernels that work on them.

use gridwright::Error;
use gridwright::prelude::*;

use super::benchmark::Benchmark;
use super::kernels::{BLOCK, Element, add, copy, dot, init, mul, nstream, triad};

/// Groups of `dot` for each processor of a GPU, so that others run while one waits for memory.
const GROUPS_A_PROCESSOR: usize = 4;

/// The kernels for elements of one type.
struct Kernels<T> {
    init: Kernel<init<T>>,
    copy: Kernel<copy<T>>,
    mul: Kernel<mul<T>>,
    add: Kernel<add<T>>,
    triad: Kernel<triad<T>>,
    nstream: Kernel<nstream<T>>,
    dot: Kernel<dot<T>>,
}

/// Three arrays of one length.
#[expect(missing_debug_implementations, reason = "kernels of an element that may be any")]
pub struct Arrays<T> {
    stream: Stream,
    kernels: Kernels<T>,
    a: Buffer<T>,
    b: Buffer<T>,
    c: Buffer<T>,
    sums: Buffer<T>,
    /// What was last downloaded of `sums`.
    partial: Vec<T>,
}

/// The elements of the three arrays.
#[derive(Debug)]
pub struct Contents<T> {
    /// Of `a`.
    pub a: Vec<T>,
    /// Of `b`.
    pub b: Vec<T>,
    /// Of `c`.
    pub c: Vec<T>,
}

/// Elements for which there are kernels.
pub trait OnDevice: Element {
    /// Arrays of so many elements, as they are at the start.
    ///
    /// # Errors
    /// Where the device has no kernels or not the memory.
    fn arrays(device: &Device, len: usize) -> Result<Arrays<Self>, Error>;

    /// Runs a benchmark to its end. Only [`Dot`](Benchmark::Dot) has a result.
    ///
    /// # Errors
    /// Those of a launch.
    fn run(arrays: &mut Arrays<Self>, benchmark: Benchmark) -> Result<Option<Self>, Error>;
}

// A kernel is loaded and launched for a type that is known: there is an instance for each.
macro_rules! on_device {
    ($($float:ty),*) => {$(
        impl OnDevice for $float {
            fn arrays(device: &Device, len: usize) -> Result<Arrays<Self>, Error> {
                let stream = device.stream()?;
                let kernels = Kernels::<Self> {
                    init: init::load(device)?,
                    copy: copy::load(device)?,
                    mul: mul::load(device)?,
                    add: add::load(device)?,
                    triad: triad::load(device)?,
                    nstream: nstream::load(device)?,
                    dot: dot::load(device)?,
                };
                let groups = GROUPS_A_PROCESSOR * kernels.dot.occupancy(BLOCK)?.processors;
                let sums = stream.alloc_zeroed(groups)?;
                let array = || stream.alloc_zeroed(len);
                let (mut a, mut b, mut c) = (array()?, array()?, array()?);
                let all = (&mut a, &mut b, &mut c);
                kernels.init.launch(&stream, LaunchConfig::threads(len), all)?;
                stream.synchronize()?;
                Ok(Arrays { stream, kernels, a, b, c, sums, partial: vec![0.0; groups] })
            }

            fn run(arrays: &mut Arrays<Self>, benchmark: Benchmark) -> Result<Option<Self>, Error> {
                let Arrays { stream, kernels, a, b, c, sums, partial } = arrays;
                let each = LaunchConfig::threads(a.len());
                match benchmark {
                    Benchmark::Copy => kernels.copy.launch(stream, each, (&*a, c))?,
                    Benchmark::Mul => kernels.mul.launch(stream, each, (b, &*c))?,
                    Benchmark::Add => kernels.add.launch(stream, each, (&*a, &*b, c))?,
                    Benchmark::Triad => kernels.triad.launch(stream, each, (a, &*b, &*c))?,
                    Benchmark::Nstream => kernels.nstream.launch(stream, each, (a, &*b, &*c))?,
                    Benchmark::Dot => {
                        let groups = LaunchConfig::grid(sums.len(), BLOCK);
                        kernels.dot.launch(stream, groups, (&*a, &*b, &mut *sums))?;
                        stream.copy_to_slice(sums, partial)?;
                        return Ok(Some(partial.iter().sum()));
                    }
                }
                stream.synchronize()?;
                Ok(None)
            }
        }
    )*};
}

on_device!(f32, f64);

impl<T: Element> Arrays<T> {
    /// What the arrays hold.
    ///
    /// # Errors
    /// Those of a download.
    pub fn download(&self) -> Result<Contents<T>, Error> {
        Ok(Contents {
            a: self.stream.download(&self.a)?,
            b: self.stream.download(&self.b)?,
            c: self.stream.download(&self.c)?,
        })
    }
}
