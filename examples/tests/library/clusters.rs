//! Kernels of a cluster.

use gridwright::prelude::*;

/// Each group's values, moved on by one group in its cluster, as often as `turns` says.
#[gpu_kernel]
fn rotate(cluster: &Cluster, turns: u32, mut x: PerThread<[u32]>, mut m: ClusterMemory<[u32]>) {
    let first = cluster.first_group();
    for _ in 0..turns {
        cluster.each_group((&mut x, &mut m), |g, (mut x, mut m)| {
            g.each((x.elements_mut(), m.elements_mut()), |_, (x, m)| *m = x.map_or(0, |x| *x));
        });
        cluster.each_group((&mut x, &m), |g, (mut x, parts)| {
            let next = parts.of((g.index() - first + 1) % parts.groups());
            g.each(x.elements_mut(), |t, x| {
                if let Some(x) = x {
                    *x = next[t.local().x];
                }
            });
        });
    }
}

/// A row of `64 * groups` elements for each cluster, transposed as a square of its groups by its groups would be: thread `t` of a
/// group reads from the part of the group that `t` names, so that the lanes of a warp read different groups' memory.
#[gpu_kernel(block = 64)]
fn scatter(
    cluster: &Cluster,
    x: &[u32],
    mut y: PerThread<[u32]>,
    mut facts: PerGroup<[u32]>,
    mut m: ClusterMemory<[[u32; 16]; 4]>,
    mut bytes: ClusterMemory<[u8; 3]>,
) {
    let (index, groups, clusters) = (cluster.index(), cluster.groups(), cluster.clusters());
    let first = cluster.first_group();
    let mut mine = cluster.private(0_u32);
    cluster.each_group((&mut m, &mut bytes, &mut mine), |g, (mut m, mut bytes, mut mine)| {
        let rank = g.index() - first;
        g.each((m.flat().elements_mut(), &mut mine), |t, (slot, mine)| {
            *slot = x[t.index()];
            *mine = t.index() as u32;
        });
        g.fill(&mut bytes, rank as u8 + 1);
    });
    cluster.each_group(
        (&m, &bytes, &mut y, &mut facts, &mine),
        |g, (parts, bytes, mut y, mut facts, mine)| {
            let rank = g.index() - first;
            g.each((y.elements_mut(), mine), |t, (y, mine)| {
                let i = t.local().x;
                if let Some(y) = y {
                    *y = parts.of((i + rank) % parts.groups())[i / 16][i % 16] + (t.index() as u32 - *mine);
                }
            });
            let all: usize = (0..bytes.groups()).map(|rank| usize::from(bytes.of(rank)[2])).sum();
            facts.set(g, (((index * 100 + groups) * 100 + clusters) * 100 + all) as u32);
        },
    );
}

/// Counts in bins that are shared out over the groups of a cluster, and adds them up over all clusters.
#[gpu_kernel(block = 64)]
fn histogram(cluster: &Cluster, x: &[u32], counts: Atomic<[u32]>, mut bins: ClusterMemory<[u32; 64]>) {
    let first = cluster.first_group();
    cluster.each_group(&mut bins, |g, mut bins| g.fill(&mut bins, 0));
    cluster.each_group(bins.atomic(), |g, bins| {
        let all = 64 * bins.groups();
        g.each((), |t, ()| {
            if let Some(&x) = x.get(t.index()) {
                let bin = x as usize % all;
                bins.of(bin / 64).fetch_add(t, bin % 64, 1);
            }
        });
    });
    cluster.each_group(&mut bins, |g, bins| {
        let rank = g.index() - first;
        g.each(bins.elements(), |t, count| {
            counts.fetch_add(t, rank * 64 + t.local().x, *count);
        });
    });
}

/// Groups take different ways in a step, and the threads of one of them, or all, panic in it.
#[gpu_kernel(block = 64)]
fn one_group_panics(
    cluster: &Cluster,
    group: u32,
    thread: u32,
    mut x: PerThread<[u32]>,
    mut m: ClusterMemory<[u32; 64]>,
) {
    for turn in 0..3 {
        cluster.each_group(&mut m, |g, mut m| {
            g.each(m.elements_mut(), |t, m| {
                let is_it = g_is(t, group) && (thread == u32::MAX || t.local().x as u32 == thread);
                assert!(turn != 1 || !is_it, "it is this one");
                *m = t.index() as u32;
            });
        });
        cluster.each_group((&m, &mut x), |g, (parts, mut x)| {
            g.each(x.elements_mut(), |t, x| {
                let sum = (0..parts.groups()).map(|rank| parts.of(rank)[t.local().x]).sum();
                if let Some(x) = x {
                    *x = sum;
                }
            });
        });
    }
}

fn g_is(t: Thread<'_>, group: u32) -> bool {
    t.group_index() as u32 == group
}

/// A group that there isn't.
#[gpu_kernel(block = 64)]
fn beyond_the_cluster(cluster: &Cluster, mut y: PerThread<[u32]>, m: ClusterMemory<[u32; 64]>) {
    cluster.each_group((&m, &mut y), |g, (parts, mut y)| {
        g.each(y.elements_mut(), |t, y| {
            if let Some(y) = y {
                *y = parts.of(parts.groups())[t.local().x];
            }
        });
    });
}

#[cfg(not(gridwright_device))]
mod tests {
    use super::*;
    use crate::device;
    use gridwright::{ConfigError, DeviceKind, Dim, Error};

    type Result = std::result::Result<(), Error>;

    /// The sizes of clusters that the device runs; of one alone, where it says that it has no larger ones.
    fn sizes(device: &Device) -> std::result::Result<&'static [usize], Error> {
        let stream = device.stream()?;
        let mut x = stream.upload(&[0_u32; 4])?;
        let config = LaunchConfig::grid(2, 2).cluster(2).workgroup::<u32>(2);
        match rotate::load(device)?.launch(&stream, config, (0, &mut x)) {
            Ok(()) => Ok(&[1, 2, 3, 4, 8]),
            Err(error @ Error::AttributeUnsupported { kernel: "rotate", attribute: "cluster", .. }) => {
                assert!(device.kind() != DeviceKind::Cpu, "{error}");
                assert!(error.to_string().contains(device.name()), "{error}");
                println!("only clusters of one: {error}");
                Ok(&[1])
            }
            Err(error) => Err(error),
        }
    }

    #[test]
    fn values_go_round_a_cluster() -> Result {
        let device = device()?;
        let stream = device.stream()?;
        let kernel = rotate::load(&device)?;
        for &size in sizes(&device)? {
            // Groups of whole warps and not, and elements for all threads but the last ones.
            for (block, turns) in [(64, 1), (40, 2), (7, 5)] {
                let groups = 2 * size;
                let values: Vec<u32> = (0..groups * block - 3).map(|i| i as u32 + 1).collect();
                let mut x = stream.upload(&values)?;
                let config = LaunchConfig::grid(groups, block).cluster(size).workgroup::<u32>(block);
                kernel.launch(&stream, config, (turns, &mut x))?;
                let mut expected = values.clone();
                for _ in 0..turns {
                    let before = expected.clone();
                    for (i, x) in expected.iter_mut().enumerate() {
                        let (group, thread) = (i / block, i % block);
                        let from = group / size * size + (group % size + 1) % size;
                        *x = before.get(from * block + thread).copied().unwrap_or(0);
                    }
                }
                assert_eq!(stream.download(&x)?, expected, "{size} groups of {block}");
            }
        }
        Ok(())
    }

    #[test]
    fn lanes_read_different_groups_and_groups_know_where_they_are() -> Result {
        let device = device()?;
        let stream = device.stream()?;
        for &size in sizes(&device)? {
            let groups = 3 * size;
            let values: Vec<u32> = (0..groups * 64).map(|i| (i * 7919 % 10007) as u32).collect();
            let x = stream.upload(&values)?;
            let (mut y, mut facts) =
                (stream.alloc_zeroed::<u32>(groups * 64)?, stream.alloc_zeroed::<u32>(groups)?);
            let config = LaunchConfig::grid(groups, 64).cluster(size);
            scatter::load(&device)?.launch(&stream, config, (&x, &mut y, &mut facts))?;
            let expected = (0..groups * 64).map(|i| {
                let (group, thread) = (i / 64, i % 64);
                values[(group / size * size + (thread + group % size) % size) * 64 + thread]
            });
            assert!(stream.download(&y)?.into_iter().eq(expected), "{size}");
            let sum = size * (size + 1) / 2;
            let expected =
                (0..groups).map(|group| (((group / size * 100 + size) * 100 + 3) * 100 + sum) as u32);
            assert!(stream.download(&facts)?.into_iter().eq(expected), "{size}");
        }
        Ok(())
    }

    #[test]
    fn bins_are_counted_in_other_groups_memory() -> Result {
        let device = device()?;
        let stream = device.stream()?;
        for &size in sizes(&device)? {
            let values: Vec<u32> = (0..6 * size * 64 - 5).map(|i| (i * i % 1009) as u32).collect();
            let x = stream.upload(&values)?;
            let mut counts = stream.alloc_zeroed::<u32>(64 * size)?;
            let config = LaunchConfig::grid(6 * size, 64).cluster(size);
            histogram::load(&device)?.launch(&stream, config, (&x, &mut counts))?;
            let mut expected = vec![0; 64 * size];
            values.iter().for_each(|&x| expected[x as usize % (64 * size)] += 1);
            assert_eq!(stream.download(&counts)?, expected, "{size}");
        }
        Ok(())
    }

    #[test]
    fn a_panic_ends_its_threads_and_no_others_memory_goes() -> Result {
        let device = device()?;
        let stream = device.stream()?;
        let kernel = one_group_panics::load(&device)?;
        let most = *sizes(&device)?.last().expect("one at least");
        let config = LaunchConfig::grid(2 * most, 64).cluster(most);
        let mut x = stream.alloc_zeroed::<u32>(2 * most * 64)?;
        for thread in [0, 63, u32::MAX] {
            kernel.launch(&stream, config, (1, thread, &mut x))?;
            let result = stream.synchronize();
            let Err(Error::KernelPanic { message, group, .. }) = &result else { panic!("{result:?}") };
            assert!(message.contains("it is this one") && *group == [1, 0, 0], "{result:?}");
            // The device and the kernel go on.
            kernel.launch(&stream, config, (u32::MAX, 0, &mut x))?;
            let sum =
                |i: usize| (0..most).map(|rank| (i / (64 * most) * most + rank) * 64 + i % 64).sum::<usize>();
            let expected = (0..2 * most * 64).map(|i| sum(i) as u32);
            assert!(stream.download(&x)?.into_iter().eq(expected));
        }
        Ok(())
    }

    #[test]
    fn a_group_that_there_isnt_is_a_panic() -> Result {
        let device = device()?;
        let stream = device.stream()?;
        for &size in sizes(&device)? {
            let mut y = stream.alloc_zeroed::<u32>(size * 64)?;
            beyond_the_cluster::load(&device)?.launch(
                &stream,
                LaunchConfig::grid(size, 64).cluster(size),
                (&mut y,),
            )?;
            let result = stream.synchronize();
            assert!(matches!(result, Err(Error::KernelPanic { .. })), "{result:?}");
        }
        Ok(())
    }

    #[test]
    fn clusters_that_cannot_be_are_refused_and_nothing_runs() -> Result {
        let device = device()?;
        let stream = device.stream()?;
        let kernel = rotate::load(&device)?;
        let values: Vec<u32> = (0..96).collect();
        let mut x = stream.upload(&values)?;
        let config = LaunchConfig::grid(96, 1).workgroup::<u32>(1);
        let mut reason = |cluster: Dim| match kernel.launch(&stream, config.cluster(cluster), (1, &mut x)) {
            Err(Error::InvalidConfig { kernel: "rotate", reason }) => Some(reason),
            Err(Error::AttributeUnsupported { kernel: "rotate", attribute: "cluster", .. }) => None,
            other => panic!("{cluster:?}: {other:?}"),
        };
        // What can be on no device.
        assert_eq!(reason(0.into()), Some(ConfigError::Zero { what: "workgroups in a cluster" }));
        for cluster in [Dim::from(5), Dim::from((2, 2)), Dim::from((1, 1, 3))] {
            let groups = Dim::from(96);
            assert_eq!(reason(cluster), Some(ConfigError::Cluster { cluster, groups }));
        }
        // What is too large, or any, where there are none.
        let too_many = reason(32.into());
        if sizes(&device)?.len() > 1 {
            let Some(ConfigError::OverLimit { value: 32, limit, .. }) = too_many else {
                panic!("{too_many:?}")
            };
            assert!((8..=16).contains(&limit), "{limit}");
        } else {
            assert_eq!(too_many, None);
        }
        assert_eq!(stream.download(&x)?, values);
        Ok(())
    }
}
