//! A small network is trained on data that is divided among all ranks: gradients are summed over them, so that all have one network.

#[host_only]
use anyhow::ensure;
use gridwright::prelude::*;
#[host_only]
use gridwright_comm::{Communicator, Error, ReduceOp, World};

#[host_only]
use crate::numbers;

/// Numbers of a sample.
const INPUTS: usize = 2;
const HIDDEN: usize = 16;
/// Where the network's parameters begin: weights of the hidden units, their biases, weights of the output, its bias.
const BIASES: usize = HIDDEN * INPUTS;
const OUTPUT: usize = BIASES + HIDDEN;
const LAST: usize = OUTPUT + HIDDEN;
/// The number of parameters.
pub const PARAMETERS: usize = LAST + 1;

/// What a hidden unit sees of a sample.
fn seen(parameters: &[f32], unit: usize, sample: [f32; INPUTS]) -> f32 {
    let weights = sample[0] * parameters[unit * INPUTS] + sample[1] * parameters[unit * INPUTS + 1];
    weights + parameters[BIASES + unit]
}

/// By how much the network is wrong for a sample.
fn error(parameters: &[f32], sample: [f32; INPUTS], target: f32) -> f32 {
    let mut output = parameters[LAST];
    for unit in 0..HIDDEN {
        output += parameters[OUTPUT + unit] * seen(parameters, unit, sample).max(0.0);
    }
    output - target
}

/// What a sample with an error adds to a parameter's gradient.
fn gradient(parameters: &[f32], parameter: usize, sample: [f32; INPUTS], error: f32) -> f32 {
    let through = |unit: usize, factor: f32| {
        if seen(parameters, unit, sample) > 0.0 { error * parameters[OUTPUT + unit] * factor } else { 0.0 }
    };
    if parameter < BIASES {
        let unit = parameter / INPUTS;
        through(unit, if parameter.is_multiple_of(INPUTS) { sample[0] } else { sample[1] })
    } else if parameter < OUTPUT {
        through(parameter - BIASES, 1.0)
    } else if parameter < LAST {
        error * seen(parameters, parameter - OUTPUT, sample).max(0.0)
    } else {
        error
    }
}

/// By how much the network is wrong for each sample.
#[gpu_kernel(requires = samples.len() == errors.len() && targets.len() == errors.len() && parameters.len() == PARAMETERS)]
pub fn forward(
    t: Thread,
    parameters: &[f32],
    samples: &[[f32; INPUTS]],
    targets: &[f32],
    mut errors: PerThread<[f32]>,
) {
    let i = t.index();
    if let Some(wrong) = errors.get_mut(t) {
        *wrong = error(parameters, samples[i], targets[i]);
    }
}

/// The gradient of each parameter, summed over samples; behind them, the sum of the squared errors.
#[gpu_kernel(requires = samples.len() == errors.len() && sums.len() == PARAMETERS + 1 && parameters.len() == PARAMETERS)]
pub fn backward(
    t: Thread,
    parameters: &[f32],
    samples: &[[f32; INPUTS]],
    errors: &[f32],
    mut sums: PerThread<[f32]>,
) {
    let parameter = t.index();
    if let Some(sum) = sums.get_mut(t) {
        let mut total = 0.0;
        for (sample, &error) in samples.iter().zip(errors) {
            total += if parameter < PARAMETERS {
                gradient(parameters, parameter, *sample, error)
            } else {
                error * error
            };
        }
        *sum = total;
    }
}

/// Moves each parameter against its gradient.
#[gpu_kernel(requires = gradients.len() == parameters.len() + 1)]
pub fn update(t: Thread, rate: f32, gradients: &[f32], mut parameters: PerThread<[f32]>) {
    let i = t.index();
    if let Some(parameter) = parameters.get_mut(t) {
        *parameter -= rate * gradients[i];
    }
}

/// A sample of a number, and what the network is to say of it.
#[host_only]
fn sample(number: usize) -> ([f32; INPUTS], f32) {
    // Points that cover a square evenly.
    let along = |step: f64| ((number as f64 * step).fract() * 2.0 - 1.0) as f32;
    let (x, y) = (along(0.754_877_666_246_693), along(0.569_840_290_998_053));
    ([x, y], x * x - 0.5 * y)
}

/// Parameters at first, different for each hidden unit.
#[host_only]
fn at_first() -> Vec<f32> {
    (0..PARAMETERS).map(|at| ((at as f32 * 0.618_034).fract() - 0.5) * 0.8).collect()
}

// ANCHOR: train
/// The parameters after some steps, and the mean squared error before each. Each rank has some of the samples.
#[host_only]
fn train(
    communicator: &Communicator,
    count: usize,
    steps: usize,
    rate: f32,
) -> Result<(Vec<f32>, Vec<f32>), Error> {
    let (rank, size, device) = (communicator.rank(), communicator.size(), communicator.device());
    let stream = device.stream()?;
    let (forward, backward, update) =
        (forward::load(device)?, backward::load(device)?, update::load(device)?);
    let (samples, targets): (Vec<_>, Vec<_>) = (rank..count).step_by(size).map(sample).unzip();
    let (samples, targets) = (stream.upload(&samples)?, stream.upload(&targets)?);
    let mut parameters = stream.upload(&at_first())?;
    let mut errors = stream.alloc_zeroed(samples.len())?;
    let mut gradients = stream.alloc_zeroed(PARAMETERS + 1)?;
    let mut losses = Vec::with_capacity(steps);
    for _ in 0..steps {
        let threads = LaunchConfig::threads(samples.len());
        forward.launch(&stream, threads, (&parameters, &samples, &targets, &mut errors))?;
        let threads = LaunchConfig::threads(PARAMETERS + 1);
        backward.launch(&stream, threads, (&parameters, &samples, &errors, &mut gradients))?;
        // In the stream's order: behind the kernel that computes them, before the one that uses them.
        communicator.all_reduce_in_place(&stream, &mut gradients, ReduceOp::Sum)?;
        let threads = LaunchConfig::threads(PARAMETERS);
        update.launch(&stream, threads, (rate / count as f32, &gradients, &mut parameters))?;
        let sums = stream.download(&gradients)?;
        losses.extend(sums.last().map(|sum| sum / count as f32));
    }
    Ok((stream.download(&parameters)?, losses))
}
// ANCHOR_END: train

/// The parameters after some steps with all samples in one place.
#[host_only]
fn expected(count: usize, steps: usize, rate: f32) -> Vec<f32> {
    let samples: Vec<_> = (0..count).map(sample).collect();
    let mut parameters = at_first();
    for _ in 0..steps {
        let mut gradients = vec![0.0; PARAMETERS];
        for &(sample, target) in &samples {
            let error = error(&parameters, sample, target);
            for (at, sum) in gradients.iter_mut().enumerate() {
                *sum += gradient(&parameters, at, sample, error);
            }
        }
        for (parameter, sum) in parameters.iter_mut().zip(gradients) {
            *parameter -= rate / count as f32 * sum;
        }
    }
    parameters
}

/// Trains, and sees that the error falls, that all ranks have one network, and that it is the one that a single rank gets.
///
/// # Errors
/// Those of the ranks; what isn't so.
#[host_only]
pub fn main() -> anyhow::Result<()> {
    let [count, steps] = numbers([4096, 100], "samples of all ranks, steps")?;
    let world = World::from_env()?;
    let communicator = world.communicator(&world.device()?)?;
    ensure!(count >= communicator.size(), "each rank needs a sample");
    let rate = 0.2;
    let (parameters, losses) = train(&communicator, count, steps, rate)?;
    let (first, last) = (losses.first().copied().unwrap_or(0.0), losses.last().copied().unwrap_or(0.0));
    ensure!(steps < 10 || last < first / 2.0, "the error was {first} and is {last}");

    let stream = communicator.device().stream()?;
    let own = stream.upload(&parameters)?;
    let mut all = stream.alloc_zeroed(PARAMETERS * communicator.size())?;
    communicator.all_gather(&stream, &own, &mut all)?;
    let same = stream.download(&all)?.chunks(PARAMETERS).all(|theirs| theirs == parameters);
    ensure!(same, "rank {} has other parameters than the others", communicator.rank());
    let expected = expected(count, steps, rate);
    let furthest = parameters.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    ensure!(furthest <= 1e-3, "a parameter differs by {furthest} from what a single rank gets");
    if communicator.rank() == 0 {
        let ranks = communicator.size();
        println!("{count} samples, {steps} steps, {ranks} ranks: the error was {first:.4} and is {last:.4}");
    }
    communicator.check()?;
    Ok(())
}
