//! `binomialOptions` of the CUDA samples: what European call options are worth, by trees of prices that go up or down in each step.
//!
//! A workgroup walks back through the tree of one option, from the last prices to today's. Each thread has a few neighbouring nodes
//! in registers. The sample passes one node to the neighbour before every step; here threads pass all that they have and then
//! take as many steps as those last, so that there are a few barriers for many steps.

use gridwright::math;
use gridwright::prelude::*;
#[host_only]
use {
    anyhow::ensure,
    clap::Parser,
    gridwright::random::Philox,
    gridwright_examples::{
        Sample, Timing,
        check::{self, Name},
        samples::black_scholes::distance,
        up_to,
    },
};

/// Threads in a workgroup, and nodes of each: an odd number, so that workgroup memory's banks are used evenly.
const BLOCK: usize = 256;
const NODES: usize = 9;

/// The tree of an option.
#[derive(Clone, Copy, Debug, KernelArg)]
#[repr(C)]
pub(crate) struct Tree {
    /// Today's price, and the one that the option is for.
    price: f32,
    strike: f32,
    /// The logarithm of what a step multiplies or divides a price with.
    up: f32,
    /// The chance of a step up, and of one down, each discounted by a step's interest.
    up_weight: f32,
    down_weight: f32,
}

/// What each option is worth today.
#[gpu_kernel(block = BLOCK, requires = steps < BLOCK * NODES && trees.len() == values.len())]
pub(crate) fn walk_back(
    g: &Group,
    steps: usize,
    trees: &[Tree],
    mut values: PerGroup<[f32]>,
    mut all: Workgroup<[[f32; NODES]; BLOCK]>,
) {
    let tree = trees[g.index()];
    let mut nodes = g.map((), |t, ()| {
        core::array::from_fn(|i| {
            let ups = 2.0 * (t.local().x * NODES + i) as f32 - steps as f32;
            tree.price.mul_add(math::exp(tree.up * ups), -tree.strike).max(0.0)
        })
    });
    let mut left = steps;
    while left > 0 {
        g.each((all.flat().chunks::<NODES>().elements_mut(), &nodes), |_, (slot, nodes)| *slot = *nodes);
        let turns = left.min(NODES);
        g.each((&mut nodes, all.shared()), |t, (nodes, all)| {
            let thread = t.local().x;
            // Threads behind the tree's last node have nothing to do any more.
            if thread * NODES <= left {
                let after = all.get(thread + 1).unwrap_or(nodes);
                let mut both: [f32; 2 * NODES] =
                    core::array::from_fn(|i| if i < NODES { nodes[i] } else { after[i - NODES] });
                for turn in 0..NODES {
                    if turn < turns {
                        for i in 0..2 * NODES - 1 - turn {
                            both[i] = tree.up_weight.mul_add(both[i + 1], tree.down_weight * both[i]);
                        }
                    }
                }
                *nodes = core::array::from_fn(|i| both[i]);
            }
        });
        left -= turns;
    }
    let first = g.map(&nodes, |_, nodes| nodes[0]);
    values.set(g, g.broadcast(&first, 0));
}

/// Values options and checks some against the same trees in double precision.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    /// The number of options.
    #[arg(long, default_value_t = 256, value_parser = up_to::<{ 1 << 20 }>)]
    options: usize,
    /// The steps of a tree.
    #[arg(long, default_value_t = 2048, value_parser = up_to::<{ BLOCK * NODES - 1 }>)]
    steps: usize,
}

/// An option on the market: prices, and the years until it ends.
#[host_only]
struct Call {
    price: f64,
    strike: f64,
    years: f64,
}

/// What money earns in a year, and how far prices stray.
#[host_only]
const INTEREST: f64 = 0.06;
#[host_only]
const VOLATILITY: f64 = 0.1;

#[host_only]
impl Call {
    fn random(number: usize) -> Self {
        let mut rng = Philox::new(123, number as u64);
        let mut between = |low: f64, high: f64| low + (high - low) * rng.next_f64();
        Self { price: between(5.0, 30.0), strike: between(1.0, 100.0), years: between(0.25, 10.0) }
    }

    /// The logarithm of a step up, and the discounted chances of one up and one down.
    fn step(&self, steps: usize) -> [f64; 3] {
        let time = self.years / steps as f64;
        let up = VOLATILITY * time.sqrt();
        let chance = ((INTEREST * time).exp() - (-up).exp()) / (up.exp() - (-up).exp());
        let discount = (-INTEREST * time).exp();
        [up, chance * discount, (1.0 - chance) * discount]
    }

    fn tree(&self, steps: usize) -> Tree {
        let [up, up_weight, down_weight] = self.step(steps).map(|x| x as f32);
        Tree { price: self.price as f32, strike: self.strike as f32, up, up_weight, down_weight }
    }

    /// The value by the tree.
    fn walk_back(&self, steps: usize) -> f64 {
        let [up, up_weight, down_weight] = self.step(steps);
        let last = |i| self.price * (up * (2.0 * i as f64 - steps as f64)).exp() - self.strike;
        let mut nodes: Vec<f64> = (0..=steps).map(|i| last(i).max(0.0)).collect();
        for step in (0..steps).rev() {
            (0..=step).for_each(|i| nodes[i] = up_weight * nodes[i + 1] + down_weight * nodes[i]);
        }
        nodes[0]
    }

    /// The value by the formula of Black and Scholes, which trees come close to with more steps.
    fn black_scholes(&self) -> f64 {
        let deviation = VOLATILITY * self.years.sqrt();
        let drift = INTEREST * self.years;
        let d = ((self.price / self.strike).ln() + drift) / deviation + 0.5 * deviation;
        self.price * math::norm_cdf(d) - self.strike * (-drift).exp() * math::norm_cdf(d - deviation)
    }
}

#[host_only]
fn main() -> anyhow::Result<()> {
    let Sample { options: Options { options, steps }, device, stream, report } = Sample::begin("options")?;
    ensure!(steps > 0, "a tree has steps");
    let calls: Vec<Call> = (0..options).map(Call::random).collect();
    let trees: Vec<Tree> = calls.iter().map(|call| call.tree(steps)).collect();
    let (trees, mut values) = (stream.upload(&trees)?, stream.alloc_zeroed(options)?);
    let kernel = walk_back::load(&device)?;
    let config = LaunchConfig::grid(options, BLOCK);
    let timing = Timing::of(&stream, || kernel.launch(&stream, config, (steps, &trees, &mut values)))?;
    report.timed(format_args!("{options}, trees of {steps} steps"), timing, "options", options)?;

    let values = stream.download(&values)?;
    let off = distance(&values, calls.iter().map(Call::black_scholes));
    report.row("formula", format_args!("of Black and Scholes: off by {off:.1e}"))?;
    let step = options.div_ceil(64).max(1);
    let some: Vec<f32> = values.into_iter().step_by(step).collect();
    let expected = calls.iter().step_by(step).map(|call| {
        // Nodes are sums of what isn't negative, and no more than today's price in all. A step rounds twice, and its weights once;
        // a last price's exponent, of up to as many steps up as there are, twice, and the price and its parts four times.
        let exponent = steps as f64 * call.step(steps)[0];
        let bound =
            call.price.max(call.strike) * (3.0 * steps as f64 + 2.0 * exponent + 4.0) / f64::from(1 << 24);
        (call.walk_back(steps), bound)
    });
    let largest = check::close(Name::from("option").step_by(step), &some, expected)?;
    report.row("checked", format_args!("{} options, off by at most {largest:.1e}", some.len()))
}
