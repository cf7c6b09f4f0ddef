use gridwright::__private::{ParamList, Signature, load};
use gridwright::launch::Arguments;
use gridwright::prelude::*;
use gridwright_core::RawMatrix;

use super::cpu;
use crate::emulator::Emulator;
use gridwright_examples::samples::transpose::{
    copy_matrix, transpose_naive, transpose_padded, transpose_tiled,
};

/// With threads over a matrix of the sizes that `over` makes of the input's, and an output of the sizes that `to` does.
fn compare<K>(over: fn(usize, usize) -> LaunchConfig, to: fn(usize, usize) -> (usize, usize))
where
    K: Signature<Params: ParamList<Raw = (RawMatrix<f32>, RawMatrix<f32>)>, Sizes = ()>,
    for<'a> (&'a MatrixBuffer<f32>, &'a mut MatrixBuffer<f32>): Arguments<K::Params>,
{
    let Some(mut emulator) = Emulator::<K>::start() else { return };
    // Less than a tile, and two of which one is a part.
    for (rows, cols) in [(3, 5), (20, 40)] {
        let input: Vec<f32> = (0..rows * cols).map(|i| i as f32).collect();
        let output = vec![-1.0_f32; rows * cols];
        let (config, to) = (over(rows, cols), to(rows, cols));
        let on_the_cpu = || {
            let (device, stream) = cpu()?;
            let input = stream.upload_matrix(rows, cols, &input)?;
            let mut output = stream.upload_matrix(to.0, to.1, &output)?;
            load::<K>(&device)?.launch(&stream, config, (&input, &mut output))?;
            Ok([stream.download(&output)?])
        };
        emulator.compare(config, on_the_cpu, |memory| {
            let output = memory.matrix(to.0, to.1, &output);
            ((memory.matrix(rows, cols, &input), output), [output.pointer])
        });
    }
}

#[test]
fn transpose_of_elements_gives_the_bits_that_it_gives_on_the_cpu() {
    compare::<copy_matrix>(LaunchConfig::for_matrix, |rows, cols| (rows, cols));
    compare::<transpose_naive>(LaunchConfig::for_matrix, |rows, cols| (cols, rows));
}

#[test]
fn transpose_of_tiles_gives_the_bits_that_it_gives_on_the_cpu() {
    let over_output = |rows, cols| LaunchConfig::for_matrix(cols, rows);
    compare::<transpose_tiled>(over_output, |rows, cols| (cols, rows));
    compare::<transpose_padded>(over_output, |rows, cols| (cols, rows));
}
