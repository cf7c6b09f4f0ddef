//! The rows: one file a subject. Each says what is asked, and gives two of those who answer: ours, with the kernel of an example, and rayon.
//! The other peers answer what is asked by sources of their own.

mod black_scholes;
mod bodies;
mod histogram;
mod launch;
mod mandelbrot;
mod matrix_mul;
mod reduction;
mod saxpy;
mod scan;
mod stencil;
mod transpose;

use anyhow::Context;
use gridwright::prelude::*;

use super::contestant::Contestant;
use super::problem::Problem;

/// What a row begins with.
pub(crate) struct Entry {
    pub(crate) problem: Problem,
    pub(crate) ours: Box<dyn Contestant>,
    pub(crate) rayon: Box<dyn Contestant>,
}

/// Makes a row's memory.
type Enter = fn(&Device) -> anyhow::Result<Entry>;

/// All rows, by their names.
pub(crate) const ROWS: [(&str, Enter); 14] = [
    ("empty launch and wait", |device| launch::enter(device, 1)),
    ("1000 pipelined launches", |device| launch::enter(device, 1000)),
    ("saxpy, 2^15", |device| saxpy::enter(device, 1 << 15)),
    ("saxpy, 2^24", |device| saxpy::enter(device, 1 << 24)),
    ("matmul, naive, 512", |device| matrix_mul::naive(device, 512)),
    ("matmul, tiled, 512", |device| matrix_mul::tiled(device, 512)),
    ("reduction, 2^22", |device| reduction::enter(device, 1 << 22)),
    ("Black-Scholes, 2^20", |device| black_scholes::enter(device, 1 << 20)),
    ("n-body, 4096", |device| bodies::enter(device, 4096)),
    ("mandelbrot, 1024x1024", |device| mandelbrot::enter(device, 1024)),
    ("transpose, 4096x4096", |device| transpose::enter(device, 4096)),
    ("histogram, 2^24", |device| histogram::enter(device, 1 << 24)),
    ("5-point stencil, 2048x2048", |device| stencil::enter(device, 2048)),
    ("prefix sum, 2^24", |device| scan::enter(device, 1 << 24)),
];

/// Makes the memory of the row of this name.
///
/// # Errors
/// Where there is none, or it can't be made.
pub(crate) fn enter(row: &str, device: &Device) -> anyhow::Result<Entry> {
    let (_, enter) = ROWS.iter().find(|(name, _)| *name == row).context("there is no such row")?;
    enter(device)
}
