//! `particles` of the CUDA samples: balls that fall into a box and collide; the last state as a picture.
//!
//! Space is a grid of cells of a ball's size, so that a ball can touch only those in its own cell and the 26 around. In each step
//! balls are moved, and sorted by their cells: then those of a cell are neighbours in memory, and a scan of cells' numbers of balls says where
//! each cell's begin.
//!
//! S. Green, "CUDA Particles", 2008.

use gridwright::{math, prelude::*};
use gridwright_primitives as primitives;
use gridwright_primitives::source::{Gather, Slice};
#[host_only]
use {
    anyhow::{Context, ensure},
    clap::Parser,
    gridwright::random::Philox,
    gridwright_examples::{Sample, Timing, check, up_to, write_picture},
    gridwright_primitives::{Error, operators::Add},
    image::{GrayImage, Luma},
    std::path::PathBuf,
};

/// How hard balls are, what slows those that touch, and those that slide along each other, and what a wall leaves of a speed.
const SPRING: f32 = 0.5;
const DAMPING: f32 = 0.02;
const SHEAR: f32 = 0.1;
const WALL: f32 = -0.5;
/// What falling adds to a speed in a unit of time, and the time of a step.
const GRAVITY: f32 = -0.0003;
const STEP: f32 = 0.5;

/// A place or a speed, and the ball's number.
type Ball = [f32; 4];

/// Stands for what is compiled for balls.
#[derive(Debug)]
pub struct OfBalls;

instance! { impl primitives::Collect<Gather<Slice<Ball>, Slice<u32>>> for OfBalls; }

#[inline(always)]
fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0].mul_add(b[0], a[1].mul_add(b[1], a[2] * b[2]))
}

/// The radius of balls as large as a cell. The box is from -1 to 1 on each axis, and so many cells long.
#[inline(always)]
fn radius(cells: usize) -> f32 {
    1.0 / cells as f32
}

/// What a ball does to another's speed. Places and speeds are relative to that one's. What can be fused is, so that no compiler chooses and
/// the host finds the same bits.
#[inline(always)]
fn push(radius: f32, place: [f32; 3], speed: [f32; 3]) -> [f32; 3] {
    let distance = math::sqrt(dot(place, place));
    if distance >= 2.0 * radius || distance == 0.0 {
        return [0.0; 3];
    }
    let normal = place.map(|x| x / distance);
    let along = dot(speed, normal);
    core::array::from_fn(|axis| {
        let sliding = (-along).mul_add(normal[axis], speed[axis]);
        let slowed = SHEAR.mul_add(sliding, DAMPING * speed[axis]);
        (SPRING * (2.0 * radius - distance)).mul_add(-normal[axis], slowed)
    })
}

/// The cell of a place along each axis.
#[inline(always)]
fn cell(cells: usize, ball: Ball) -> [usize; 3] {
    [ball[0], ball[1], ball[2]].map(|x| (((x + 1.0) / (2.0 * radius(cells))) as usize).min(cells - 1))
}

#[inline(always)]
fn number(cells: usize, [x, y, z]: [usize; 3]) -> usize {
    (z * cells + y) * cells + x
}

/// Moves balls, and says in which cells they are, and which is which.
#[gpu_kernel(requires = places.len() == speeds.len() && homes.len() == places.len() && order.len() == places.len())]
pub(crate) fn advance(
    t: Thread,
    cells: usize,
    mut places: PerThread<[[f32; 4]]>,
    mut speeds: PerThread<[[f32; 4]]>,
    mut homes: PerThread<[u32]>,
    mut order: PerThread<[u32]>,
) {
    let of_ball = (places.get_mut(t), speeds.get_mut(t), homes.get_mut(t), order.get_mut(t));
    if let (Some(place), Some(speed), Some(home), Some(ball)) = of_ball {
        let wall = 1.0 - radius(cells);
        speed[1] += GRAVITY * STEP;
        for axis in 0..3 {
            place[axis] = STEP.mul_add(speed[axis], place[axis]);
            if place[axis].abs() > wall {
                place[axis] = wall.copysign(place[axis]);
                speed[axis] *= WALL;
            }
        }
        *home = number(cells, cell(cells, *place)) as u32;
        *ball = t.index() as u32;
    }
}

/// Speeds after all collisions.
#[gpu_kernel(requires = places.len() == speeds.len() && new.len() == speeds.len() && counts.len() == starts.len())]
pub(crate) fn collide(
    t: Thread,
    cells: usize,
    places: &[[f32; 4]],
    speeds: &[[f32; 4]],
    starts: &[u32],
    counts: &[u32],
    mut new: PerThread<[[f32; 4]]>,
) {
    let Some(new) = new.get_mut(t) else { return };
    let (place, speed) = (places[t.index()], speeds[t.index()]);
    let ([x, y, z], near) = (cell(cells, place), |at: usize| at.saturating_sub(1)..(at + 2).min(cells));
    let radius = radius(cells);
    let mut sum = speed;
    for (z, y) in near(z).flat_map(|z| near(y).map(move |y| (z, y))) {
        for x in near(x) {
            let cell = number(cells, [x, y, z]);
            let start = starts[cell] as usize;
            for other in start..start + counts[cell] as usize {
                if other != t.index() {
                    let relative =
                        |a: &[[f32; 4]], b: Ball| core::array::from_fn(|axis| a[other][axis] - b[axis]);
                    let push = push(radius, relative(places, place), relative(speeds, speed));
                    (0..3).for_each(|axis| sum[axis] += push[axis]);
                }
            }
        }
    }
    *new = sum;
}

/// Lets balls fall, and checks the collisions of a step against those of all pairs.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    /// The number of balls.
    #[arg(long, default_value_t = 16_384, value_parser = up_to::<{ 1 << 20 }>)]
    len: usize,
    /// The number of steps.
    #[arg(long, default_value_t = 100, value_parser = up_to::<100_000>)]
    steps: usize,
    /// The cells along each axis of the box. A ball is as large as one.
    #[arg(long, default_value_t = 64, value_parser = up_to::<256>)]
    cells: usize,
    /// Where to write a picture of the last state, a PNG file.
    #[arg(short, long, default_value = "particles.png")]
    output: PathBuf,
}

/// The balls on a device.
#[host_only]
struct Balls {
    cells: usize,
    kernels: (Kernel<advance>, Kernel<collide>),
    places: Buffer<Ball>,
    speeds: Buffer<Ball>,
    /// Places and speeds of before, out of order.
    old: [Buffer<Ball>; 2],
    /// Each ball's cell, and its number before it was sorted.
    homes: Buffer<u32>,
    order: Buffer<u32>,
    counts: Buffer<u32>,
    starts: Buffer<u32>,
}

#[host_only]
impl Balls {
    fn new(stream: &Stream, cells: usize, places: &[Ball]) -> Result<Self, Error> {
        let (device, len, all) = (stream.device(), places.len(), cells * cells * cells);
        Ok(Self {
            cells,
            kernels: (advance::load(device)?, collide::load(device)?),
            places: stream.upload(places)?,
            speeds: stream.upload(&places.iter().map(|ball| [0.0, 0.0, 0.0, ball[3]]).collect::<Vec<_>>())?,
            old: [stream.alloc_zeroed(len)?, stream.alloc_zeroed(len)?],
            homes: stream.alloc_zeroed(len)?,
            order: stream.alloc_zeroed(len)?,
            counts: stream.alloc_zeroed(all)?,
            starts: stream.alloc_zeroed(all)?,
        })
    }

    /// After it, `old[1]` has the speeds before the collisions.
    fn step(&mut self, stream: &Stream) -> Result<(), Error> {
        let Self { cells, kernels: (advance, collide), places, speeds, old, homes, order, counts, starts } =
            self;
        let (cells, balls) = (*cells, LaunchConfig::threads(places.len()));
        let (p, of_balls) = (primitives::on(stream), primitives::on(stream).with_kernels::<OfBalls>());
        advance.launch(stream, balls, (cells, &mut *places, &mut *speeds, &mut *homes, &mut *order))?;
        p.sort_pairs(&mut *homes, &mut *order)?;
        p.histogram(&*homes, &mut *counts)?;
        p.exclusive_scan(&*counts, 0, Add, &mut *starts)?;
        of_balls.gather(places, order, &mut old[0])?;
        of_balls.gather(speeds, order, &mut old[1])?;
        std::mem::swap(places, &mut old[0]);
        Ok(collide.launch(stream, balls, (cells, &*places, &old[1], &*starts, &*counts, speeds))?)
    }

    /// Whether some of the speeds are what all pairs of balls make of them.
    fn check(&self, stream: &Stream) -> anyhow::Result<usize> {
        let places = stream.download(&self.places)?;
        let (before, after) = (stream.download(&self.old[1])?, stream.download(&self.speeds)?);
        let some = || (0..places.len()).step_by(places.len().div_ceil(256).max(1));
        let mut touching = 0;
        for ball in some() {
            let mut sum: [f64; 3] = std::array::from_fn(|axis| before[ball][axis].into());
            let mut sizes = sum.map(f64::abs);
            for other in (0..places.len()).filter(|&other| other != ball) {
                let relative = |of: &[Ball]| std::array::from_fn(|axis| of[other][axis] - of[ball][axis]);
                let push = push(radius(self.cells), relative(&places), relative(&before));
                touching += usize::from(push != [0.0; 3]);
                for axis in 0..3 {
                    sum[axis] += f64::from(push[axis]);
                    sizes[axis] += f64::from(push[axis].abs());
                }
            }
            // No ball has more than 32 around it: so many sums are rounded, none of them above all sizes together.
            let bounds = sizes.map(|size| 32.0 * f64::from(f32::EPSILON) * size);
            let speed = format!("ball {ball}: speed along axis");
            check::close(&speed, &after[ball][..3], sum.into_iter().zip(bounds))?;
        }
        Ok(touching)
    }
}

#[host_only]
fn main() -> anyhow::Result<()> {
    let Sample { options, stream, report, .. } = Sample::begin("particles")?;
    let Options { len, steps, cells, output } = options;
    ensure!(len > 0 && steps > 0, "there are balls and steps");
    // A block of balls, not quite in order, in a corner of the box.
    let side = (1..).find(|side| side * side * side >= len).context("too many balls")?;
    // At the top they begin 0.3 from the floor, in cells of 2 in all.
    ensure!(side as f32 + 0.15 * cells as f32 + 1.0 < cells as f32, "{len} balls don't fit into the box");
    let radius = radius(cells);
    let mut rng = Philox::new(1973, 0);
    let places = (0..len).map(|ball| {
        let [x, y, z] = [ball % side, ball / side / side, ball / side % side]
            .map(|at| 2.0 * radius * at as f32 - 1.0 + radius * rng.next_f32().mul_add(0.02, 1.0));
        [x, y + 0.3, z, ball as f32]
    });
    let mut balls = Balls::new(&stream, cells, &places.collect::<Vec<_>>())?;
    (0..steps).try_for_each(|_| balls.step(&stream))?;
    let touching = balls.check(&stream)?;
    let last = stream.download(&balls.places)?;
    let mut seen = vec![false; len];
    for ball in &last {
        ensure!(ball[..3].iter().all(|x| x.abs() <= 1.0 - radius), "{ball:?} is outside of the box");
        ensure!(!std::mem::replace(&mut seen[ball[3] as usize], true), "{ball:?} is there twice");
    }
    let timing = Timing::of_calls(&stream, || balls.step(&stream))?;
    let rate = timing.rate("balls", len);
    report.row("particles", format_args!("{len} balls, {steps} steps, {timing} a step, {rate}"))?;
    let collisions = format_args!("{touching} collisions of the last step");
    report.row("checked", format_args!("the box, every ball's number, and {collisions}"))?;
    write_picture(&output, draw(radius, last))?;
    report.row("picture", output.display())
}

/// The balls from the front, the nearer the brighter, shaded like spheres.
#[host_only]
fn draw(radius: f32, mut balls: Vec<Ball>) -> GrayImage {
    const SIZE: u32 = 512;
    let mut image = GrayImage::new(SIZE, SIZE);
    balls.sort_by(|a, b| a[2].total_cmp(&b[2]));
    let radius = radius * SIZE as f32 / 2.0;
    for [x, y, z, _] in balls {
        let [x, y] = [x, -y].map(|at| (at + 1.0) / 2.0 * SIZE as f32);
        for row in (y - radius).max(0.0) as u32..((y + radius) as u32 + 1).min(SIZE) {
            for col in (x - radius).max(0.0) as u32..((x + radius) as u32 + 1).min(SIZE) {
                let from_middle = (col as f32 - x).hypot(row as f32 - y) / radius;
                if from_middle < 1.0 {
                    let shade = (1.0 - from_middle * from_middle).sqrt() * z.mul_add(0.25, 0.75);
                    image.put_pixel(col, row, Luma([(255.0 * shade) as u8]));
                }
            }
        }
    }
    image
}
