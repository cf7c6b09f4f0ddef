//! What launches ask for beyond their sizes, and priorities of streams.

use gridwright::graph::GraphBuilder;
use gridwright::launch::Carveout;
use gridwright::prelude::*;
use gridwright::{ConfigError, Dim, Error, Priority};

use super::kernels::{advance, advanced, group_sums, poke};
use super::setting::{Result, device, is_child, with_driver};

/// Compiled elsewhere, as no kernel of ours waits for the launch before it.
#[foreign_kernels("tests/cuda/waits.ptx")]
unsafe extern "C" {
    /// Adds 1 to each element, once the launch before has ended.
    ///
    /// # Safety
    /// `x` has `n` elements.
    fn increment_when_done(n: u32, x: *mut u32);
}

/// What was asked for that isn't there, with the device and the reason.
fn lacking(result: Result, kernel: &str) -> (&'static str, String) {
    match result.expect_err("it isn't there") {
        ref error @ Error::AttributeUnsupported { kernel: named, ref device, attribute, ref reason } => {
            let text = error.to_string();
            assert!(named == kernel && text.contains(kernel) && text.contains(device.as_str()), "{text}");
            assert!(text.contains(attribute) && text.contains(reason.as_str()), "{text}");
            (attribute, reason.clone())
        }
        error => panic!("{error}"),
    }
}

/// Whether the device has clusters, and launches that overlap. Of the emulated one that is known.
fn has_clusters(device: &Device) -> Result<bool> {
    let stream = device.stream()?;
    let mut x = stream.alloc_zeroed::<u32>(2)?;
    let config = LaunchConfig::grid(2, 1).cluster(2);
    match advance::load(device)?.launch(&stream, config, (1, &mut x)) {
        Ok(()) => Ok(true),
        Err(Error::AttributeUnsupported { attribute: "cluster", .. }) => {
            assert!(!device.name().contains("sm_90"), "{}", device.name());
            Ok(false)
        }
        Err(error) => Err(error),
    }
}

#[test]
fn clusters_compute_what_is_computed_without() -> Result {
    let Some(device) = device() else { return Ok(()) };
    if !has_clusters(&device)? {
        return Ok(());
    }
    let stream = device.stream()?;
    let mut x = stream.upload(&[7_u32; 1000])?;
    let kernel = advance::load(&device)?;
    for cluster in [1, 2, 4, 8] {
        kernel.launch(&stream, LaunchConfig::threads(1000).block(128).cluster(cluster), (1, &mut x))?;
    }
    assert_eq!(stream.download(&x)?, [advanced(4, 7); 1000]);
    let ones = stream.upload(&[1_u32; 1024])?;
    let mut sums = stream.alloc_zeroed(4)?;
    let config = LaunchConfig::grid(4, 256).cluster(2);
    group_sums::load(&device)?.launch(&stream, config.cooperative(), (&ones, &mut sums))?;
    assert_eq!(stream.download(&sums)?, [256; 4]);
    Ok(())
}

#[test]
fn clusters_that_dont_fit_are_refused_and_nothing_runs() -> Result {
    let Some(device) = device() else { return Ok(()) };
    if !has_clusters(&device)? {
        return Ok(());
    }
    let stream = device.stream()?;
    let mut x = stream.upload(&[7_u32; 64])?;
    let kernel = advance::load(&device)?;
    let result = kernel.launch(&stream, LaunchConfig::grid(64, 1).cluster(32), (1, &mut x));
    let Err(Error::InvalidConfig { kernel: "advance", reason: ConfigError::OverLimit { value, limit, .. } }) =
        result
    else {
        panic!("{result:?}");
    };
    assert!(value == 32 && (8..=16).contains(&limit), "{value}, {limit}");
    let most = usize::try_from(limit).expect("16 at most");
    kernel.launch(&stream, LaunchConfig::grid(64, 1).cluster(most), (1, &mut x))?;
    let result = kernel.launch(&stream, LaunchConfig::grid(64, 1).cluster(3), (1, &mut x));
    let (cluster, groups) = (Dim::from(3), Dim::from(64));
    let expected = ConfigError::Cluster { cluster, groups };
    assert!(matches!(result, Err(Error::InvalidConfig { reason, .. }) if reason == expected), "{result:?}");
    assert_eq!(stream.download(&x)?, [advanced(1, 7); 64]);
    Ok(())
}

#[test]
fn an_older_device_says_what_it_lacks() -> Result {
    let name = "attributes::an_older_device_says_what_it_lacks";
    let Some(device) = device() else { return Ok(()) };
    if !is_child() {
        with_driver(&device, name, &[("GRIDWRIGHT_EMULATOR_ARCHITECTURE", "sm_80")]);
        return Ok(());
    }
    let stream = device.stream()?;
    let mut x = stream.upload(&[7_u32; 256])?;
    let kernel = advance::load(&device)?;
    let config = LaunchConfig::grid(2, 128);
    let why = "it takes compute capability 9.0 or newer, and the device has 8.0";
    let refused = kernel.launch(&stream, config.cluster(2), (1, &mut x));
    assert_eq!(lacking(refused, "advance"), ("cluster", why.into()));
    // SAFETY: nothing is launched.
    let refused =
        unsafe { poke::load(&device)?.launch(&stream, config.programmatic_dependent(), (&mut x, 0)) };
    assert_eq!(lacking(refused, "poke"), ("programmatic_dependent", why.into()));
    let mut builder = GraphBuilder::new(&stream);
    let refused = builder.launch(&kernel, config.cluster(2), (1, &mut x)).map(drop);
    assert_eq!(lacking(refused, "advance"), ("cluster", why.into()));
    assert_eq!(stream.download(&x)?, [7; 256]);
    // That it has.
    kernel.launch(&stream, config.preferred_workgroup_memory(Carveout::Percent(20)), (1, &mut x))?;
    assert_eq!(stream.download(&x)?, [advanced(1, 7); 256]);
    Ok(())
}

#[test]
fn an_older_driver_says_what_it_takes() -> Result {
    let name = "attributes::an_older_driver_says_what_it_takes";
    let Some(device) = device() else { return Ok(()) };
    if !is_child() {
        with_driver(&device, name, &[("GRIDWRIGHT_EMULATOR_CUDA", "11.4")]);
        return Ok(());
    }
    let stream = device.stream()?;
    let mut x = stream.upload(&[7_u32; 256])?;
    let kernel = advance::load(&device)?;
    let config = LaunchConfig::grid(2, 128);
    let why = |needed| format!("it takes a driver for CUDA {needed} or newer, and this one is for CUDA 11.4");
    let refused = kernel.launch(&stream, config.cluster(2), (1, &mut x));
    assert_eq!(lacking(refused, "advance"), ("cluster", why("11.8")));
    // SAFETY: nothing is launched.
    let refused =
        unsafe { poke::load(&device)?.launch(&stream, config.programmatic_dependent(), (&mut x, 0)) };
    assert_eq!(lacking(refused, "poke"), ("programmatic_dependent", why("11.8")));
    let preferring = config.preferred_workgroup_memory(Carveout::Percent(20));
    let refused = kernel.launch(&stream, preferring, (1, &mut x));
    assert_eq!(lacking(refused, "advance"), ("preferred_workgroup_memory", why("12.5")));
    assert_eq!(stream.download(&x)?, [7; 256]);
    kernel.launch(&stream, config.cooperative(), (1, &mut x))?;
    assert_eq!(stream.download(&x)?, [advanced(1, 7); 256]);
    Ok(())
}

#[test]
fn preferred_memory_is_a_hint_up_to_what_there_is() -> Result {
    let Some(device) = device() else { return Ok(()) };
    let stream = device.stream()?;
    let ones = stream.upload(&[1_u32; 512])?;
    let mut sums = stream.alloc_zeroed(2)?;
    let kernel = group_sums::load(&device)?;
    let config = LaunchConfig::grid(2, 256);
    for carveout in
        [0, 50, 100].map(Carveout::Percent).into_iter().chain([0, 1, 32 << 10].map(Carveout::Bytes))
    {
        stream.fill(&mut sums, 0)?;
        kernel.launch(&stream, config.preferred_workgroup_memory(carveout), (&ones, &mut sums))?;
        assert_eq!(stream.download(&sums)?, [256; 2], "{carveout:?}");
    }
    for (carveout, asked) in [(Carveout::Percent(101), 101), (Carveout::Bytes(1 << 30), 1 << 30)] {
        let result = kernel.launch(&stream, config.preferred_workgroup_memory(carveout), (&ones, &mut sums));
        let Err(Error::InvalidConfig { reason: ConfigError::OverLimit { value, limit, .. }, .. }) = result
        else {
            panic!("{result:?}");
        };
        assert!(value == asked && limit < value, "{value}, {limit}");
    }
    Ok(())
}

#[test]
fn only_unsafe_kernels_begin_before_others_have_ended() -> Result {
    let Some(device) = device() else { return Ok(()) };
    let stream = device.stream()?;
    let mut x = stream.upload(&[7_u32; 1000])?;
    let kernel = advance::load(&device)?;
    let config = LaunchConfig::threads(1000);
    let result = kernel.launch(&stream, config.programmatic_dependent(), (1, &mut x));
    let is_refused = |result: &Result| {
        matches!(
            result,
            Err(Error::InvalidConfig { kernel: "advance", reason: ConfigError::ProgrammaticDependent })
        )
    };
    assert!(is_refused(&result), "{result:?}");
    let captured =
        stream.capture(|stream| kernel.launch(stream, config.programmatic_dependent(), (1, &mut x)));
    assert!(is_refused(&captured.map(drop)));
    assert_eq!(stream.download(&x)?, [7; 1000]);
    if !has_clusters(&device)? {
        return Ok(());
    }
    let waiting = increment_when_done::load(&device)?;
    kernel.launch(&stream, config, (1, &mut x))?;
    for _ in 0..20 {
        // SAFETY: there are as many elements, and each thread waits for the launch before.
        unsafe { waiting.launch(&stream, config.programmatic_dependent(), (1000, &mut x)) }?;
    }
    kernel.launch(&stream, config, (1, &mut x))?;
    assert_eq!(stream.download(&x)?, [advanced(1, advanced(1, 7) + 20); 1000]);
    // SAFETY: nothing is recorded.
    let captured = stream
        .capture(|stream| unsafe { waiting.launch(stream, config.programmatic_dependent(), (1000, &mut x)) });
    let (attribute, reason) = lacking(captured.map(drop), "increment_when_done");
    assert!(attribute == "programmatic_dependent" && reason.contains("graph"), "{reason}");
    Ok(())
}

#[test]
fn graphs_keep_the_attributes_of_their_launches() -> Result {
    let Some(device) = device() else { return Ok(()) };
    let stream = device.stream()?;
    let mut x = stream.upload(&[7_u32; 512])?;
    let kernel = advance::load(&device)?;
    let config = LaunchConfig::grid(4, 128).preferred_workgroup_memory(Carveout::Percent(10));
    let mut graph = stream.capture(|stream| kernel.launch(stream, config, (1, &mut x)))?;
    graph.launch(&stream)?;
    let node = graph.nodes(&kernel)[0];
    // Without it, and with others.
    graph.update(node, LaunchConfig::grid(4, 128), (1, &mut x))?;
    graph.launch(&stream)?;
    if has_clusters(&device)? {
        graph.update(node, config.cluster(2), (1, &mut x))?;
        graph.launch(&stream)?;
        // The driver checks them too: three groups make no clusters of two.
        let three = LaunchConfig::grid(3, 128).cluster(2);
        assert!(matches!(graph.update(node, three, (1, &mut x)), Err(Error::InvalidConfig { .. })));
    } else {
        graph.launch(&stream)?;
    }
    assert_eq!(stream.download(&x)?, [advanced(3, 7); 512]);
    Ok(())
}

#[test]
fn streams_have_the_priority_that_they_were_opened_with() -> Result {
    let Some(device) = device() else { return Ok(()) };
    let all = device.priorities();
    assert!(all.contains(&Priority::NORMAL));
    if device.name().contains("Gridwright Emulated") {
        assert_eq!(all, Priority::NORMAL..=Priority::level(5));
    }
    let (lowest, highest) = (*all.start(), *all.end());
    for (asked, given) in [
        (Priority::NORMAL, Priority::NORMAL),
        (Priority::HIGHEST, highest),
        (Priority::LOWEST, lowest),
        (highest, highest),
        (Priority::level(1), Priority::level(1).min(highest)),
    ] {
        let stream = device.stream_with_priority(asked)?;
        assert_eq!(stream.priority(), given, "{asked:?}");
        let mut x = stream.upload(&[7_u32; 100])?;
        advance::load(&device)?.launch(&stream, LaunchConfig::threads(100), (1, &mut x))?;
        assert_eq!(stream.download(&x)?, [advanced(1, 7); 100]);
    }
    // What was closed is opened again, but not for another priority.
    for _ in 0..10 {
        assert_eq!(device.stream()?.priority(), Priority::NORMAL);
        assert_eq!(device.stream_with_priority(Priority::HIGHEST)?.priority(), highest);
    }
    Ok(())
}
