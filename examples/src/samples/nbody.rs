//! `nbody` of the CUDA samples: bodies that pull on each other, each on each, through time; the last state as a picture.
//!
//! The loop over the bodies is the group's, and its body a phase: on a CPU that is what makes vectors of threads, and on a GPU all threads of
//! a group read the same body at the same time.

use gridwright::math::fast;
use gridwright::prelude::*;
#[host_only]
use {
    crate::{Sample, Timing, check, up_to, write_picture},
    clap::Parser,
    image::{GrayImage, Luma},
    std::path::PathBuf,
};

/// Threads in a workgroup.
const BLOCK: usize = 256;

/// Bodies whose pulls a phase adds: what it reads and writes of each thread, it does once for all of them.
const AT_ONCE: usize = 8;

/// What keeps the pull of bodies that meet finite: the square of a length.
pub const SOFTENING: f32 = 1e-4;

/// The cube of a distance, along each axis.
#[inline(always)]
fn cube([x, y, z]: [f32; 3]) -> f32 {
    let square = x.mul_add(x, y.mul_add(y, z.mul_add(z, SOFTENING)));
    square * fast::sqrt(square)
}

/// Two bodies, away from a thread's own, and what their pulls are made of. One division is for both, as nothing else takes a CPU as
/// long. No cube is below 1e-6, so that their product is far from the least float.
struct Pair {
    distances: [[f32; 3]; 2],
    /// Each mass times the other body's cube.
    masses: [f32; 2],
    /// One over both cubes.
    inverse: f32,
}

impl Pair {
    /// Distances are away from the other body, against its pull: an instruction takes what is subtracted straight from memory.
    #[inline(always)]
    fn new(bodies: [[f32; 4]; 2], [x, y, z]: [f32; 3]) -> Self {
        let distances = bodies.map(|[at_x, at_y, at_z, _]| [x - at_x, y - at_y, z - at_z]);
        let [first, second] = distances.map(cube);
        let masses = [bodies[0][3] * second, bodies[1][3] * first];
        Self { distances, masses, inverse: fast::recip(first * second) }
    }

    /// Adds the pulls to sums.
    #[inline(always)]
    fn pull(self, sums: &mut [f32; 3]) {
        for ([x, y, z], mass) in self.distances.into_iter().zip(self.masses) {
            let pull = mass * self.inverse;
            *sums = [x.mul_add(-pull, sums[0]), y.mul_add(-pull, sums[1]), z.mul_add(-pull, sums[2])];
        }
    }
}

/// Adds the pulls of some bodies on each thread's, two at a time. A pair's division is under way while the next pair's begins.
#[inline(always)]
fn add_pulls<const N: usize, S: GroupShape>(
    g: &Group<'_, S>,
    bodies: &[[f32; 4]; N],
    [x, y, z]: [&Private<'_, f32>; 3],
    [along_x, along_y, along_z]: &mut [Private<'_, f32>; 3],
) {
    g.each((x, y, z, along_x, along_y, along_z), |_, (x, y, z, along_x, along_y, along_z)| {
        let own = [*x, *y, *z];
        let mut sums = [*along_x, *along_y, *along_z];
        let (pairs, last) = bodies.as_chunks();
        let mut before: Option<Pair> = None;
        for &pair in pairs {
            if let Some(before) = before.replace(Pair::new(pair, own)) {
                before.pull(&mut sums);
            }
        }
        if let &[body] = last {
            // With one that has no mass.
            let [x, y, z, _] = body;
            Pair::new([body, [x, y, z, 0.0]], own).pull(&mut sums);
        }
        if let Some(before) = before {
            before.pull(&mut sums);
        }
        [*along_x, *along_y, *along_z] = sums;
    });
}

/// A step: velocities by the pull of all bodies, then places by the velocities. A body is its place and its mass.
#[gpu_kernel(block = BLOCK, requires = old.len() == new.len() && velocities.len() == old.len())]
pub fn step(
    g: &Group,
    time: f32,
    old: &[[f32; 4]],
    mut new: PerThread<[[f32; 4]]>,
    mut velocities: PerThread<[[f32; 3]]>,
) {
    let own = |axis: usize| g.map((), |t, ()| old.get(t.index()).map_or(0.0, |body| body[axis]));
    let [x, y, z] = [own(0), own(1), own(2)];
    let mut sums = [g.private(0.0_f32), g.private(0.0_f32), g.private(0.0_f32)];
    let (bodies, rest) = old.as_chunks::<AT_ONCE>();
    for bodies in bodies {
        add_pulls(g, bodies, [&x, &y, &z], &mut sums);
    }
    for body in rest {
        add_pulls(g, core::array::from_ref(body), [&x, &y, &z], &mut sums);
    }
    let [along_x, along_y, along_z] = sums;
    g.each(
        (&along_x, &along_y, &along_z, velocities.elements_mut(), new.elements_mut()),
        |t, (x, y, z, velocity, new)| {
            if let (Some(velocity), Some(new)) = (velocity, new) {
                let body = old[t.index()];
                let pull = [*x, *y, *z];
                for axis in 0..3 {
                    velocity[axis] = time.mul_add(pull[axis], velocity[axis]);
                    new[axis] = time.mul_add(velocity[axis], body[axis]);
                }
                new[3] = body[3];
            }
        },
    );
}

/// Lets bodies pull on each other and checks how they move.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    /// The number of bodies.
    #[arg(long, default_value_t = 4096, value_parser = up_to::<{ 1 << 20 }>)]
    len: usize,
    /// The number of steps.
    #[arg(long, default_value_t = 100, value_parser = up_to::<100_000>)]
    steps: usize,
    /// Where to write a picture of the last state, a PNG file.
    #[arg(short, long, default_value = "nbody.png")]
    output: PathBuf,
}

/// Two discs that turn and move towards each other.
#[host_only]
pub fn galaxies(len: usize) -> (Vec<[f32; 4]>, Vec<[f32; 3]>) {
    let mass = 1.0 / len as f32;
    let body = |i: usize| {
        let side = if i.is_multiple_of(2) { 1.0 } else { -1.0 };
        // The golden angle spreads them evenly; within a radius lies a share of the mass like its square.
        let (angle, radius) = (i as f32 * 2.399_963, (i as f32 / len as f32).sqrt() * 0.5 + 0.01);
        let speed = (radius * 2.0).sqrt() * 0.7;
        let (sin, cos) = angle.sin_cos();
        let place = [radius * cos + side * 0.8, radius * sin + side * 0.3, 0.02 * (i as f32).sin(), mass];
        (place, [-sin * speed - side * 0.25, cos * speed, 0.0])
    };
    (0..len).map(body).unzip()
}

/// The pull on some of the bodies, on the host.
#[host_only]
pub fn pulls(bodies: &[[f32; 4]], some: impl Iterator<Item = usize>) -> Vec<[f64; 3]> {
    let on = |i: usize| {
        bodies.iter().fold([0.0; 3], |sum: [f64; 3], other| {
            let d: [f64; 3] = std::array::from_fn(|axis| f64::from(other[axis]) - f64::from(bodies[i][axis]));
            let square = d.iter().map(|d| d * d).sum::<f64>() + f64::from(SOFTENING);
            let inverse = f64::from(other[3]) / (square * square.sqrt());
            std::array::from_fn(|axis| sum[axis] + d[axis] * inverse)
        })
    };
    some.map(on).collect()
}

/// The program.
///
/// # Errors
/// Those of the device, and a result that is wrong.
#[host_only]
pub fn main() -> anyhow::Result<()> {
    let Sample { options: Options { len, steps, output }, device, stream, report } = Sample::begin("nbody")?;
    let (places, speeds) = galaxies(len);
    let time = 0.01_f32;

    let (mut old, mut velocities) = (stream.upload(&places)?, stream.upload(&speeds)?);
    let mut new = stream.alloc_zeroed::<[f32; 4]>(len)?;
    let kernel = step::load(&device)?;
    let config = LaunchConfig::threads(len);
    kernel.launch(&stream, config, (time, &old, &mut new, &mut velocities))?;

    // The first step tells the pulls: velocities after it less those before.
    let after = stream.download(&velocities)?;
    let some = || (0..len).step_by(len.div_ceil(512).max(1));
    let expected = pulls(&places, some());
    let largest = expected.iter().flatten().fold(0.0_f64, |largest, pull| largest.max(pull.abs()));
    // Rounding of a sum of `len` terms, and of the velocity.
    let bound = largest * (len as f64).sqrt().mul_add(1e-6, 1e-4);
    for (i, pull) in some().zip(&expected) {
        let found = [0, 1, 2].map(|axis| f64::from(after[i][axis] - speeds[i][axis]) / f64::from(time));
        check::close(&format!("body {i}: pull along axis"), &found, pull.map(|pull| (pull, bound)))?;
    }
    std::mem::swap(&mut old, &mut new);
    for _ in 1..steps {
        kernel.launch(&stream, config, (time, &old, &mut new, &mut velocities))?;
        std::mem::swap(&mut old, &mut new);
    }
    let last = stream.download(&old)?;
    let timing =
        Timing::of(&stream, || kernel.launch(&stream, config, (time, &old, &mut new, &mut velocities)))?;
    let rate = timing.rate("interactions", len * len);
    report.row("nbody", format_args!("{len} bodies, {steps} steps, {timing} a step, {rate}"))?;
    report.row("checked", format_args!("the pull on {} bodies", expected.len()))?;

    const SIZE: u32 = 512;
    let mut image = GrayImage::new(SIZE, SIZE);
    for [x, y, ..] in last {
        let pixel = [x, -y].map(|at| ((at / 2.0 + 0.5) * SIZE as f32) as i64);
        if let [Ok(x), Ok(y)] = pixel.map(u32::try_from)
            && let Some(Luma([light])) = image.get_pixel_mut_checked(x, y)
        {
            *light = light.saturating_add(100);
        }
    }
    write_picture(&output, image)?;
    report.row("picture", output.display())
}
