//! Values that aren't numbers: AMD's entries take them in words.

use gridwright::prelude::*;

/// Twelve bytes: a word and a half.
#[derive(Clone, Copy, Debug, PartialEq, KernelArg)]
#[repr(C)]
pub(super) struct Line {
    slope: f32,
    offset: f32,
    scale: f32,
}

/// Of the most words that a value can have, all.
#[derive(Clone, Copy, Debug, PartialEq, KernelArg)]
#[repr(C)]
pub(super) struct Weights {
    values: [u64; 16],
}

#[gpu_kernel(requires = x.len() == y.len())]
fn along(
    t: Thread,
    before: u32,
    line: Line,
    between: u64,
    weights: Weights,
    x: &[f32],
    mut y: PerThread<[f32]>,
) {
    let i = t.index();
    if let Some(y) = y.get_mut(t) {
        let sum = weights.values.iter().fold(0, |sum: u64, weight| sum.wrapping_add(*weight));
        *y = (line.slope * x[i] + line.offset) * line.scale + before as f32 + between as f32 + sum as f32;
    }
}

#[cfg(not(gridwright_device))]
mod tests {
    use gridwright::prelude::*;

    use super::super::setting::{Result, device};
    use super::{Line, Weights, along};

    #[test]
    fn structs_arrive_whole_between_numbers_and_slices() -> Result {
        let Some(device) = device() else { return Ok(()) };
        let stream = device.stream()?;
        let x: Vec<f32> = (0..100_u8).map(f32::from).collect();
        let mut y = stream.alloc_zeroed::<f32>(x.len())?;
        let line = Line { slope: 2.0, offset: 3.0, scale: 4.0 };
        let weights = Weights { values: std::array::from_fn(|i| 1 << i) };
        let kernel = along::load(&device)?;
        let input = stream.upload(&x)?;
        kernel.launch(
            &stream,
            LaunchConfig::threads(x.len()),
            (5, line, 1 << 20, weights, &input, &mut y),
        )?;
        let expected: Vec<f32> =
            x.iter().map(|x| (2.0 * x + 3.0) * 4.0 + 5.0 + 1_048_576.0 + 65_535.0).collect();
        assert_eq!(stream.download(&y)?, expected);
        Ok(())
    }
}
