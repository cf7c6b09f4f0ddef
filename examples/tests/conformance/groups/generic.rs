//! Functions that take a group, generic kernels, and launches from many host threads.

use gridwright::InPhase;
use gridwright::group::{ArrayElement, GroupMemory};
use gridwright::prelude::*;

use super::at;
#[host_only]
use super::{blocks, check, check_blocks};
#[host_only]
use crate::setting::{Result, device, numbers, open, sizes};

/// The sum of the group's slots, of which there is one for each thread, by halves.
fn sum_by_halves<S: GroupShape>(g: &Group<'_, S>, mut slots: WorkgroupMut<'_, u32>) -> u32 {
    let mut len = slots.len();
    while len > 1 {
        let (low, high) = slots.reborrow().split_at_mut(len.div_ceil(2));
        g.each((low.elements_mut().take(len / 2), high.elements().take(len / 2)), |_, (low, high)| {
            *low += *high;
        });
        len = len.div_ceil(2);
    }
    first(g, &slots)
}

fn first<S: GroupShape, M: GroupMemory>(g: &Group<'_, S>, memory: &M) -> M::Element {
    g.read(memory, 0)
}

/// Private values of the caller, changed; and new ones, returned.
fn doubled<'k, S: GroupShape>(g: &Group<'k, S>, values: &mut Private<'_, u32>) -> Private<'k, u32> {
    let old = g.map(&*values, |_, value| *value);
    g.each(values, |_, value| *value *= 2);
    old
}

/// A closure of the caller for each thread.
fn with_each<S: GroupShape, M: Fn(u32) -> u32 + InPhase>(
    g: &Group<'_, S>,
    values: &mut Private<'_, u32>,
    change: M,
) {
    g.each(values, |_, value| *value = change(*value));
}

#[gpu_kernel]
fn of_helpers(g: &Group, x: &[u32], mut out: PerThread<[[u32; 3]]>, mut w: Workgroup<[u32]>) {
    g.each(w.elements_mut(), |t, w| *w = at(x, t.index()));
    let mut mine = g.map(w.elements(), |_, w| *w);
    let sum = sum_by_halves(g, w.reborrow());
    let old = doubled(g, &mut mine);
    with_each(g, &mut mine, |value| value + sum);
    g.each((&old, &mine, out.elements_mut()), |_, (old, mine, out)| {
        if let Some(out) = out {
            *out = [sum, *old, *mine];
        }
    });
}

#[gpu_kernel(block = 33)]
fn of_helpers_in_blocks(g: &Group, x: &[u32], mut out: PerThread<[[u32; 3]]>, mut w: Workgroup<[u32; 33]>) {
    g.each(w.elements_mut(), |t, w| *w = at(x, t.index()));
    let mut mine = g.map(w.elements(), |_, w| *w);
    let sum = sum_by_halves(g, w.flat());
    let old = doubled(g, &mut mine);
    with_each(g, &mut mine, |value| value + sum);
    g.each((&old, &mine, out.elements_mut()), |_, (old, mine, out)| {
        if let Some(out) = out {
            *out = [sum, *old, *mine];
        }
    });
}

#[test]
fn functions_take_groups_of_any_shape() -> Result {
    let naive = |group: &[u32]| {
        let sum: u32 = group.iter().sum();
        group.iter().map(|&x| [sum, x, 2 * x + sum]).collect()
    };
    check(
        |stream, device, config, block, (x, y)| {
            of_helpers::load(device)?.launch(stream, config.workgroup::<u32>(block), (x, y))
        },
        naive,
    )?;
    check_blocks(
        &[33],
        |stream, device, config, _, (x, y)| {
            of_helpers_in_blocks::load(device)?.launch(stream, config, (x, y))
        },
        naive,
    )
}

trait Number: ArrayElement + core::ops::Add<Output = Self> + Default {
    fn scaled(self, by: u8) -> Self;
}

macro_rules! number {
    ($($number:ty)*) => {$(
        impl Number for $number {
            fn scaled(self, by: u8) -> Self {
                self * Self::from(by)
            }
        }
    )*};
}

number!(u16 i64 f32);

/// The sum of each group's elements, scaled, and of what every `N`-th thread finds.
#[gpu_kernel(instances((u16, 1, 2), (i64, 7, 3), (f32, 64, 1)), requires = w.len() == g.len())]
fn sums_of<T: Number, const N: usize, const SCALE: u8>(
    g: &Group,
    x: &[T],
    mut out: PerGroup<[T]>,
    mut w: Workgroup<[T]>,
    mut partial: Workgroup<[T; N]>,
) {
    g.load(&mut w, x, g.origin().x);
    let mine = g.map(w.elements(), |_, x| *x);
    g.each((w.shared(), partial.elements_mut().take(N)), |t, (w, partial)| {
        *partial = w.iter().skip(t.local().x).step_by(N).fold(T::default(), |sum, &x| sum + x);
    });
    let mut sum = g.reduce(&mine, |a, b| a + b).scaled(SCALE);
    for i in 0..N.min(g.len()) {
        sum = sum + g.read(&partial, i);
    }
    out.set(g, sum);
}

#[test]
fn generic_group_kernels_run_as_their_instances() -> Result {
    let (device, stream) = open()?;
    macro_rules! instance {
        ($number:ty, $n:literal, $scale:literal) => {
            for &block in blocks(&device) {
                let host: Vec<$number> =
                    (0..sizes(&device, &[2500_u16], &[300])[0]).map(|i| (i % 5).into()).collect();
                let groups = host.len().div_ceil(block);
                let (x, mut out) = (stream.upload(&host)?, stream.alloc_zeroed::<$number>(groups)?);
                let config = LaunchConfig::grid(groups, block).workgroup::<$number>(block);
                sums_of::<$number, $n, $scale>::load(&device)?.launch(&stream, config, (&x, &mut out))?;
                let sum = |chunk: &[$number]| chunk.iter().sum::<$number>() * <$number>::from($scale + 1_u8);
                assert_eq!(
                    stream.download(&out)?,
                    host.chunks(block).map(sum).collect::<Vec<_>>(),
                    "{block}"
                );
            }
        };
    }
    instance!(u16, 1, 2);
    instance!(i64, 7, 3);
    instance!(f32, 64, 1);
    Ok(())
}

#[gpu_kernel(index = u64, block = 64)]
fn wide(g: &Group, x: &[u32], mut out: PerThread<[u32]>, mut sums: PerGroup<[u32]>) {
    let mine = g.map((), |t, ()| at(x, t.index()));
    sums.set(g, g.reduce(&mine, |a, b| a + b));
    g.each((&mine, out.elements_mut()), |t, (mine, out)| {
        if let Some(out) = out {
            *out = *mine + t.index() as u32;
        }
    });
}

#[test]
fn indices_of_64_bits_are_the_same_indices() -> Result {
    let (device, stream) = open()?;
    for n in [1, 63, 64, 1000] {
        let host = numbers(n);
        let (x, mut out) = (stream.upload(&host)?, stream.alloc_zeroed::<u32>(n)?);
        let mut sums = stream.alloc_zeroed::<u32>(n.div_ceil(64))?;
        wide::load(&device)?.launch(&stream, LaunchConfig::threads(n), (&x, &mut out, &mut sums))?;
        assert_eq!(stream.download(&sums)?, host.chunks(64).map(|x| x.iter().sum()).collect::<Vec<u32>>());
        let expected: Vec<_> = host.iter().zip(0..).map(|(x, i)| x + i).collect();
        assert_eq!(stream.download(&out)?, expected);
    }
    Ok(())
}

#[test]
fn many_host_threads_launch_groups_on_one_device() -> Result {
    let device = device()?;
    let (blocks, launches) = (blocks(&device), sizes(&device, &[16], &[3])[0]);
    let kernel = of_helpers::load(&device)?;
    std::thread::scope(|scope| {
        let launches: Vec<_> = (0..launches)
            .map(|i| {
                let (device, kernel) = (&device, &kernel);
                scope.spawn(move || -> Result {
                    let stream = device.stream()?;
                    let (block, n) = (blocks[i % blocks.len()], sizes(device, &[5000], &[500])[0] + i * 1001);
                    let host = numbers(n);
                    let x = stream.upload(&host)?;
                    let mut y = stream.alloc_zeroed::<[u32; 3]>(n)?;
                    let sums: Vec<u32> = host.chunks(block).map(|group| group.iter().sum()).collect();
                    for _ in 0..sizes(device, &[5], &[2])[0] {
                        stream.fill(&mut y, [0; 3])?;
                        let config = LaunchConfig::threads(n).block(block).workgroup::<u32>(block);
                        kernel.launch(&stream, config, (&x, &mut y))?;
                        for (i, y) in stream.download(&y)?.into_iter().enumerate() {
                            assert_eq!(y, [sums[i / block], host[i], 2 * host[i] + sums[i / block]]);
                        }
                    }
                    Ok(())
                })
            })
            .collect();
        launches.into_iter().try_for_each(|launch| launch.join().expect("a launch panicked"))
    })
}

macro_rules! of_block {
    ($name:ident, $block:expr) => {
        #[gpu_kernel(block = $block)]
        fn $name(g: &Group, mut out: PerThread<Matrix<u32>>) {
            let len = g.len() as u32;
            g.each(out.elements_mut(), |_, out| {
                if let Some(out) = out {
                    *out = len;
                }
            });
        }
    };
}

of_block!(of_a_tuple_by_macro, (8, 4));
of_block!(of_a_number_by_macro, 16 + 16);

#[test]
fn a_macro_passes_a_block_as_an_expression() -> Result {
    let (device, stream) = open()?;
    let mut out = stream.upload_matrix(9, 33, &[0_u32; 9 * 33])?;
    of_a_tuple_by_macro::load(&device)?.launch(&stream, LaunchConfig::for_matrix(9, 33), (&mut out,))?;
    assert_eq!(stream.download(&out)?, [32; 9 * 33]);
    let flat = LaunchConfig::for_matrix(9, 33).block((32, 1));
    assert!(of_a_tuple_by_macro::load(&device)?.launch(&stream, flat, (&mut out,)).is_err());
    of_a_number_by_macro::load(&device)?.launch(&stream, flat, (&mut out,))?;
    Ok(())
}
