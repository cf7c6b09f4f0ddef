//! Launches of sizes that don't fit: an error that says so, and nothing runs.

use gridwright::launch::{Sets, WorkgroupError};
use gridwright::prelude::*;
use gridwright::{ConfigError, Error};

use crate::{Result, cpu};

#[gpu_kernel]
fn scratch(g: &Group, mut out: PerGroup<[u32]>, w: Workgroup<[u32]>) {
    out.set(g, w.len() as u32);
}

/// The error of a launch, after which no group has run.
fn refused<W: Sets<((), u32)>>(config: LaunchConfig<W>) -> Result<Error> {
    let (device, stream) = cpu()?;
    let mut out = stream.alloc_zeroed::<u32>(64)?;
    let result = scratch::load(&device)?.launch(&stream, config, (&mut out,));
    assert_eq!(stream.download(&out)?, [0; 64], "something ran");
    match result {
        Err(error) => Ok(error),
        Ok(()) => panic!("this launch has to be refused"),
    }
}

fn memory_refused<W: Sets<((), u32)>>(config: LaunchConfig<W>) -> Result<WorkgroupError> {
    match refused(config)? {
        Error::WorkgroupMemory { kernel: "scratch", reason } => Ok(reason),
        other => panic!("{other:?}"),
    }
}

#[test]
fn workgroup_memory_of_no_elements_or_too_many_is_refused() -> Result {
    let config = LaunchConfig::grid(2, 64);
    let zero = WorkgroupError::Zero { partition: "w" };
    assert_eq!(memory_refused(config.workgroup::<u32>(0))?, zero);
    assert_eq!(memory_refused(config.workgroup_per_thread::<u32>(0))?, zero);
    assert_eq!(memory_refused(config.dyn_workgroup_bytes(0))?, zero);
    for config in [config.workgroup::<u32>(48 * 1024 / 4), config.workgroup::<u32>(1 << 61)] {
        let reason = memory_refused(config)?;
        assert!(matches!(reason, WorkgroupError::OverLimit { limit: 0xc000, .. }), "{reason:?}");
    }
    for config in [
        config.workgroup::<u32>(usize::MAX),
        config.workgroup::<u32>(usize::MAX / 4 + 1),
        config.workgroup_per_thread::<u32>(usize::MAX),
        config.workgroup_per_thread::<u32>(usize::MAX / 64),
    ] {
        let reason = memory_refused(config)?;
        assert!(matches!(reason, WorkgroupError::Overflow { .. }), "{reason:?}");
    }
    Ok(())
}

#[test]
fn bytes_that_are_no_whole_number_of_elements_are_refused() -> Result {
    for bytes in [1, 3, 1023, usize::MAX] {
        let reason = memory_refused(LaunchConfig::grid(2, 64).dyn_workgroup_bytes(bytes))?;
        assert_eq!(reason, WorkgroupError::Uneven { partition: "w", bytes, element: 4 });
    }
    Ok(())
}

#[test]
fn grids_and_blocks_of_nothing_or_too_much_are_refused() -> Result {
    let reason = |config: LaunchConfig| match refused(config.workgroup::<u32>(1)) {
        Ok(Error::InvalidConfig { kernel: "scratch", reason }) => reason,
        other => panic!("{other:?}"),
    };
    assert!(matches!(reason(LaunchConfig::grid(0, 64)), ConfigError::Zero { .. }));
    assert!(matches!(reason(LaunchConfig::grid(1, 0)), ConfigError::Zero { .. }));
    assert!(matches!(reason(LaunchConfig::threads(0)), ConfigError::Zero { .. }));
    for config in [
        LaunchConfig::grid(1, 1025),
        LaunchConfig::grid(1, usize::MAX),
        LaunchConfig::grid(usize::MAX, 1024),
        LaunchConfig::threads(usize::MAX),
    ] {
        let reason = reason(config);
        assert!(matches!(reason, ConfigError::OverLimit { .. }), "{reason:?}");
    }
    Ok(())
}

#[gpu_kernel]
fn numbers(g: &Group, mut of_threads: PerThread<[u32]>, mut of_groups: PerGroup<[u32]>) {
    g.each(of_threads.elements_mut(), |t, mine| {
        if let Some(mine) = mine {
            *mine = t.index() as u32 + 1;
        }
    });
    of_groups.set(g, g.index() as u32 + 1);
}

#[test]
fn dimensions_in_which_an_element_would_have_two_owners_are_refused() -> Result {
    let (device, stream) = cpu()?;
    let kernel = numbers::load(&device)?;
    let (mut t, mut p) = (stream.alloc_zeroed::<u32>(64)?, stream.alloc_zeroed::<u32>(64)?);
    for config in [
        LaunchConfig::grid((2, 2), 32),
        LaunchConfig::grid(2, (8, 8)),
        LaunchConfig::grid((1, 1, 2), 32),
        LaunchConfig::for_matrix(2, 32),
    ] {
        match kernel.launch(&stream, config, (&mut t, &mut p)) {
            Err(Error::InvalidConfig { reason: ConfigError::Rank { kernel: 1, .. }, .. }) => {}
            other => panic!("{other:?}"),
        }
    }
    assert_eq!((stream.download(&t)?, stream.download(&p)?), (vec![0; 64], vec![0; 64]), "something ran");
    Ok(())
}

#[test]
fn groups_in_two_dimensions_own_an_element_each() -> Result {
    #[gpu_kernel(block = (8, 4))]
    fn flat(g: &Group, mut out: PerGroup<[u32]>, mut arrays: PerGroup<[[u32; 32]]>) {
        out.set(g, g.index() as u32 + 1);
        g.each(arrays.elements_mut(), |t, slot| *slot = t.group_index() as u32 + 1);
    }
    let (device, stream) = cpu()?;
    let (mut out, mut arrays) = (stream.alloc_zeroed::<u32>(15)?, stream.alloc_zeroed::<u32>(15 * 32)?);
    flat::load(&device)?.launch(&stream, LaunchConfig::grid((5, 3), (8, 4)), (&mut out, &mut arrays))?;
    assert!(stream.download(&out)?.into_iter().eq(1..=15));
    assert!(stream.download(&arrays)?.into_iter().eq((0..15 * 32).map(|i| i / 32 + 1)));
    Ok(())
}

#[test]
fn a_block_other_than_the_declared_one_is_refused() -> Result {
    #[gpu_kernel(block = (16, 4))]
    fn declared(g: &Group, mut out: PerGroup<Matrix<u32>>) {
        g.each(out.elements_mut(), |_, out| {
            if let Some(out) = out {
                *out = 1;
            }
        });
    }
    let (device, stream) = cpu()?;
    let kernel = declared::load(&device)?;
    let mut out = stream.alloc_matrix_zeroed::<u32>(8, 32)?;
    for block in [(4, 16), (16, 8), (64, 1), (8, 4)] {
        let result = kernel.launch(&stream, LaunchConfig::for_matrix(8, 32).block(block), (&mut out,));
        assert!(
            matches!(result, Err(Error::InvalidConfig { reason: ConfigError::Block { .. }, .. })),
            "{result:?}"
        );
    }
    assert_eq!(stream.download(&out)?, [0; 256], "something ran");
    kernel.launch(&stream, LaunchConfig::for_matrix(8, 32).block((16, 4)), (&mut out,))?;
    assert_eq!(stream.download(&out)?, [1; 256]);
    Ok(())
}

#[test]
fn memory_smaller_and_larger_than_the_groups_is_written_where_there_is_some() -> Result {
    let (device, stream) = cpu()?;
    let kernel = numbers::load(&device)?;
    for (threads, groups) in [(1, 1), (63, 7), (64, 8), (65, 9), (512, 8), (600, 20)] {
        let (mut t, mut p) = (stream.alloc_zeroed::<u32>(threads)?, stream.alloc_zeroed::<u32>(groups)?);
        kernel.launch(&stream, LaunchConfig::grid(8, 64), (&mut t, &mut p))?;
        let up_to =
            |n: usize, last: usize| (1..=n as u32).map(move |i| if i as usize <= last { i } else { 0 });
        assert!(stream.download(&t)?.into_iter().eq(up_to(threads, 512)));
        assert!(stream.download(&p)?.into_iter().eq(up_to(groups, 8)));
    }
    Ok(())
}
