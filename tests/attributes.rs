//! What launches ask for beyond their sizes, and priorities of streams, on the CPU.

use gridwright::graph::GraphBuilder;
use gridwright::launch::Carveout;
use gridwright::prelude::*;
use gridwright::{ConfigError, Dim, Error, Priority};

type Result<T = ()> = std::result::Result<T, Error>;

#[gpu_kernel]
fn double(t: Thread, mut x: PerThread<[u32]>) {
    if let Some(x) = x.get_mut(t) {
        *x *= 2;
    }
}

#[gpu_kernel]
unsafe fn set(t: Thread, x: *mut u32, n: usize, value: u32) {
    if t.index() < n {
        // SAFETY: there are `n` elements, as its launches say.
        unsafe { *x.add(t.index()) = value };
    }
}

const N: usize = 1000;

fn ready() -> Result<(Device, Stream)> {
    let device = Device::cpu()?;
    let stream = device.stream()?;
    Ok((device, stream))
}

#[test]
fn hints_are_taken_and_change_nothing() -> Result {
    let (device, stream) = ready()?;
    let kernel = double::load(&device)?;
    let mut x = stream.upload(&[1_u32; N])?;
    let config = LaunchConfig::threads(N);
    for carveout in [Carveout::Percent(0), Carveout::Percent(100), Carveout::Bytes(1 << 20)] {
        kernel.launch(&stream, config.preferred_workgroup_memory(carveout), (&mut x,))?;
    }
    assert_eq!(stream.download(&x)?, [8; N]);
    let result = kernel.launch(&stream, config.preferred_workgroup_memory(Carveout::Percent(101)), (&mut x,));
    let Err(Error::InvalidConfig { reason: ConfigError::OverLimit { value: 101, limit: 100, .. }, .. }) =
        result
    else {
        panic!("{result:?}");
    };
    Ok(())
}

#[test]
fn clusters_are_refused_with_the_reason() -> Result {
    let (device, stream) = ready()?;
    let kernel = double::load(&device)?;
    let mut x = stream.upload(&[1_u32; N])?;
    let refused = |result: Result| {
        let Err(error @ Error::AttributeUnsupported { kernel: "double", attribute: "cluster", .. }) = result
        else {
            panic!("{result:?}");
        };
        let text = error.to_string();
        assert!(text.contains("`double`") && text.contains(device.name()), "{text}");
        assert!(text.contains("no two at the same time"), "{text}");
    };
    let config = LaunchConfig::grid(4, 250);
    refused(kernel.launch(&stream, config.cluster(2), (&mut x,)));
    refused(stream.capture(|stream| kernel.launch(stream, config.cluster(2), (&mut x,))).map(drop));
    refused(GraphBuilder::new(&stream).launch(&kernel, config.cluster(2), (&mut x,)).map(drop));
    let mut on_host = [1_u32; N];
    refused(kernel.run(&device, config.cluster(2), (InOut(&mut on_host),)));
    // What makes no sense anywhere is told first.
    let result = kernel.launch(&stream, config.cluster(3), (&mut x,));
    let reason = ConfigError::Cluster { cluster: Dim::from(3), groups: Dim::from(4) };
    assert!(
        matches!(&result, Err(Error::InvalidConfig { reason: told, .. }) if *told == reason),
        "{result:?}"
    );
    assert_eq!(stream.download(&x)?, [1; N]);
    Ok(())
}

#[test]
fn a_safe_kernel_never_begins_before_the_one_before_has_ended() -> Result {
    let (device, stream) = ready()?;
    let kernel = double::load(&device)?;
    let mut x = stream.upload(&[1_u32; N])?;
    let config = LaunchConfig::threads(N).programmatic_dependent();
    let refused = |result: Result| {
        let reason = match result {
            Err(Error::InvalidConfig { kernel: "double", reason }) => reason,
            other => panic!("{other:?}"),
        };
        assert_eq!(reason, ConfigError::ProgrammaticDependent);
        assert!(reason.to_string().contains("`unsafe fn`"), "{reason}");
    };
    refused(kernel.launch(&stream, config, (&mut x,)));
    refused(stream.capture(|stream| kernel.launch(stream, config, (&mut x,))).map(drop));
    let mut graph = stream.capture(|stream| kernel.launch(stream, LaunchConfig::threads(N), (&mut x,)))?;
    let node = graph.nodes(&kernel)[0];
    refused(graph.update(node, config, (&mut x,)));
    graph.launch(&stream)?;
    assert_eq!(stream.download(&x)?, [2; N]);
    Ok(())
}

#[test]
fn an_unsafe_kernel_may_be_let_begin_early_but_not_in_a_graph() -> Result {
    let (device, stream) = ready()?;
    let kernel = set::load(&device)?;
    let mut x = stream.upload(&[1_u32; N])?;
    let config = LaunchConfig::threads(N).programmatic_dependent();
    // SAFETY: there are as many elements, and on the CPU the launch before has ended.
    unsafe { kernel.launch(&stream, config, (&mut x, N, 9)) }?;
    assert_eq!(stream.download(&x)?, [9; N]);
    // SAFETY: nothing is recorded.
    let result = stream.capture(|stream| unsafe { kernel.launch(stream, config, (&mut x, N, 3)) });
    let Err(Error::AttributeUnsupported { attribute: "programmatic_dependent", reason, .. }) = result else {
        panic!("{result:?}");
    };
    assert!(reason.contains("graph"), "{reason}");
    Ok(())
}

#[test]
fn all_streams_have_the_one_priority() -> Result {
    let (device, _) = ready()?;
    assert_eq!(device.priorities(), Priority::NORMAL..=Priority::NORMAL);
    for asked in [Priority::LOWEST, Priority::level(-1), Priority::NORMAL, Priority::HIGHEST] {
        let stream = device.stream_with_priority(asked)?;
        assert_eq!(stream.priority(), Priority::NORMAL);
        let mut x = stream.upload(&[1_u32; 4])?;
        double::load(&device)?.launch(&stream, LaunchConfig::threads(4), (&mut x,))?;
        assert_eq!(stream.download(&x)?, [2; 4]);
    }
    Ok(())
}
