use gridwright::__private::{Signature, load};
use gridwright::launch::Sets;
use gridwright::prelude::*;

use super::cpu;
use crate::emulator::Emulator;
use gridwright_examples::samples::reduction::{
    collective, first_add, interleaved, sequential, several, shuffles, strided, warps,
};

type Parameters = (&'static [f32], PerGroup<'static, [f32]>);

/// In groups that each add so many elements, some of them beyond the last one.
fn compare<K, W>(per_group: usize, with_memory: impl Fn(LaunchConfig) -> LaunchConfig<W>)
where
    K: Signature<Params = Parameters>,
    W: Sets<K::Sizes>,
{
    let Some(mut emulator) = Emulator::<K>::start() else { return };
    for len in [1_usize, per_group, per_group + 100] {
        let groups = len.div_ceil(per_group);
        // Whole numbers: the order in which they are added is the device's choice.
        let x: Vec<f32> = (0..len).map(|i| (i * 7919 % 1000) as f32).collect();
        let sums = vec![-1.0_f32; groups];
        let config = with_memory(LaunchConfig::grid(groups, 256));
        let on_the_cpu = || {
            let (device, stream) = cpu()?;
            let (x, mut sums) = (stream.upload(&x)?, stream.upload(&sums)?);
            load::<K>(&device)?.launch(&stream, config, (&x, &mut sums))?;
            Ok([stream.download(&sums)?])
        };
        emulator.compare(config, on_the_cpu, |memory| {
            let sums = memory.slice(&sums);
            ((memory.slice(&x), sums), [sums.pointer])
        });
    }
}

#[test]
fn reduction_by_trees_gives_the_sums_that_it_gives_on_the_cpu() {
    compare::<interleaved, _>(256, |config| config);
    compare::<strided, _>(256, |config| config.workgroup::<f32>(256));
    compare::<sequential, _>(256, |config| config);
}

#[test]
fn reduction_with_few_groups_gives_the_sums_that_it_gives_on_the_cpu() {
    compare::<first_add, _>(512, |config| config);
    compare::<shuffles, _>(512, |config| config);
    compare::<several, _>(8192, |config| config);
    compare::<warps, _>(8192, |config| config);
    compare::<collective, _>(8192, |config| config);
}
