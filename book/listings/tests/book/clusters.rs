//! Chapter "Clusters".

#[host_only]
use gridwright::Error;
use gridwright::prelude::*;

// ANCHOR: differences
/// Each element minus its left neighbour, within clusters of groups of 64.
#[gpu_kernel(block = 64, requires = x.len() == y.len())]
fn differences_in_clusters(
    cluster: &Cluster,
    x: &[f32],
    mut y: PerThread<[f32]>,
    mut tiles: ClusterMemory<[f32; 64]>,
) {
    let first = cluster.first_group();
    cluster.each_group(&mut tiles, |g, mut tile| {
        g.load(&mut tile, x, g.origin().x);
    });
    // A barrier of the cluster is here: the first step wrote memory that all groups read.
    cluster.each_group((&tiles, &mut y), |g, (tiles, mut y)| {
        let rank = g.index() - first;
        g.each(y.elements_mut(), |t, y| {
            if let Some(y) = y {
                let i = t.local().x;
                let left = match (rank, i) {
                    (0, 0) => 0.0,
                    (_, 0) => tiles.of(rank - 1)[63],
                    _ => tiles.of(rank)[i - 1],
                };
                *y = tiles.of(rank)[i] - left;
            }
        });
    });
}
// ANCHOR_END: differences

// ANCHOR: histogram
/// Counts words in bins, of which each group of a cluster has 64 in its memory.
#[gpu_kernel(block = 64)]
fn histogram_of_clusters(
    cluster: &Cluster,
    x: &[u32],
    counts: Atomic<[u32]>,
    mut bins: ClusterMemory<[u32; 64]>,
) {
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
// ANCHOR_END: histogram

#[test]
fn listings_run() -> Result<(), Error> {
    let device = crate::device()?;
    let stream = device.stream()?;
    let squares: Vec<f32> = (0..500).map(|i| (i * i % 1009) as f32).collect();
    let x = stream.upload(&squares)?;
    let mut y = stream.alloc_zeroed(500)?;

    // ANCHOR: launch
    let kernel = differences_in_clusters::load(&device)?;
    let config = LaunchConfig::grid(8, 64);
    let size = match kernel.launch(&stream, config.cluster(4), (&x, &mut y)) {
        Ok(()) => 4,
        // A device without clusters: each group is alone.
        Err(Error::AttributeUnsupported { attribute: "cluster", .. }) => {
            kernel.launch(&stream, config, (&x, &mut y))?;
            1
        }
        Err(error) => return Err(error),
    };
    // ANCHOR_END: launch
    for (i, y) in stream.download(&y)?.into_iter().enumerate() {
        let left = if i % (64 * size) > 0 { squares[i - 1] } else { 0.0 };
        assert_eq!(y, squares[i] - left, "{i}");
    }

    let words: Vec<u32> = (0..500).map(|i| i * i % 1009).collect();
    let x = stream.upload(&words)?;
    let mut counts = stream.alloc_zeroed(64 * size)?;
    let config = LaunchConfig::grid(8, 64).cluster(size);
    histogram_of_clusters::load(&device)?.launch(&stream, config, (&x, &mut counts))?;
    let mut expected = vec![0; 64 * size];
    words.iter().for_each(|&x| expected[x as usize % (64 * size)] += 1);
    assert_eq!(stream.download(&counts)?, expected);
    Ok(())
}

#[test]
fn clusters_are_whole() -> Result<(), Error> {
    let device = crate::device()?;
    let stream = device.stream()?;
    let (x, mut y) = (stream.upload(&[0.0; 640])?, stream.alloc_zeroed(640)?);
    let kernel = differences_in_clusters::load(&device)?;
    let config = LaunchConfig::grid(10, 64).cluster(4);
    let error = kernel.launch(&stream, config, (&x, &mut y)).unwrap_err();
    crate::says(&error, include_str!("../../messages/cluster.txt"));
    Ok(())
}

// ANCHOR: sums
/// A sum for each group, of the elements of its whole cluster.
#[gpu_kernel(block = 64)]
fn sums_of_clusters(
    cluster: &Cluster,
    x: &[f32],
    mut out: PerGroup<[f32]>,
    mut sum: ClusterMemory<[f32; 1]>,
) {
    cluster.each_group(&mut sum, |g, mut sum| {
        let mine = g.map((), |t, ()| x.get(t.index()).copied().unwrap_or(0.0));
        let total = g.reduce(&mine, |a, b| a + b);
        g.fill(&mut sum, total);
    });
    cluster.each_group((&sum, &mut out), |g, (sums, mut out)| {
        out.set(g, (0..sums.groups()).map(|rank| sums.of(rank)[0]).sum());
    });
}
// ANCHOR_END: sums

#[test]
fn solutions() -> Result<(), Error> {
    let device = crate::device()?;
    let stream = device.stream()?;
    let x = stream.upload(&[1.0_f32; 200])?;
    let mut out = stream.alloc_zeroed(4)?;
    let kernel = sums_of_clusters::load(&device)?;
    let config = LaunchConfig::grid(4, 64);
    kernel.launch(&stream, config, (&x, &mut out))?;
    assert_eq!(stream.download(&out)?, [64.0, 64.0, 64.0, 8.0]);
    match kernel.launch(&stream, config.cluster(2), (&x, &mut out)) {
        Err(Error::AttributeUnsupported { attribute: "cluster", .. }) => Ok(()),
        done => {
            done?;
            assert_eq!(stream.download(&out)?, [128.0, 128.0, 72.0, 72.0]);
            Ok(())
        }
    }
}
