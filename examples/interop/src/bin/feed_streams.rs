//! Tasks of rayon prepare data, and each gives its piece to a stream of one device.

#[host_only]
use gridwright::memory::BufferSliceMut;
use gridwright::prelude::*;
#[host_only]
use rayon::prelude::*;

/// Each element's square, in place.
#[gpu_kernel]
fn square(t: Thread, mut x: PerThread<[u64]>) {
    if let Some(x) = x.get_mut(t) {
        *x *= *x;
    }
}

#[host_only]
const CHUNKS: usize = 64;
#[host_only]
const CHUNK: usize = 1000;

// ANCHOR: feed
/// The sums of the squares of each chunk's numbers. A stream, a kernel and a device are used by many threads at once.
#[host_only]
fn sums(device: &Device) -> Result<Vec<u64>, gridwright::Error> {
    let kernel = square::load(device)?;
    let chunks = (0..CHUNKS).into_par_iter();
    chunks
        .map_init(
            || device.stream(), // one for each of rayon's pieces of work
            |stream, chunk| {
                let stream = stream.as_ref().map_err(Clone::clone)?;
                let mut x = stream.upload(&numbers(chunk))?;
                kernel.launch(stream, LaunchConfig::threads(CHUNK), (&mut x,))?;
                Ok(stream.download(&x)?.iter().sum())
            },
        )
        .collect()
}
// ANCHOR_END: feed

/// Sums of squares by two streams that all tasks have, into halves of one buffer, which two tasks write.
#[host_only]
fn sums_by_shared_streams(device: &Device) -> Result<Vec<u64>, gridwright::Error> {
    let kernel = square::load(device)?;
    let streams = [device.stream()?, device.stream()?];
    let chunks: Vec<_> = (0..CHUNKS)
        .into_par_iter()
        .map(|chunk| streams[chunk % 2].upload(&numbers(chunk)))
        .collect::<Result<_, _>>()?;
    let mut all = streams[0].alloc_zeroed(CHUNKS * CHUNK)?;
    let (first, second) = all.split_at_mut(CHUNKS / 2 * CHUNK)?;
    let (first_chunks, second_chunks) = chunks.split_at(CHUNKS / 2);
    let fill = |stream: &Stream, mut half: BufferSliceMut<'_, u64>, chunks: &[Buffer<u64>]| {
        let elements: Vec<Vec<u64>> = chunks.iter().map(|x| stream.download(x)).collect::<Result<_, _>>()?;
        stream.copy_from_slice(&mut half, &elements.concat())?;
        kernel.launch(stream, LaunchConfig::threads(half.len()), (half,))
    };
    let (one, two) =
        rayon::join(|| fill(&streams[0], first, first_chunks), || fill(&streams[1], second, second_chunks));
    one.and(two)?;
    let squares = streams[0].download(&all)?;
    Ok(squares.chunks(CHUNK).map(|chunk| chunk.iter().sum()).collect())
}

/// What a chunk holds.
#[host_only]
fn numbers(chunk: usize) -> Vec<u64> {
    (chunk * CHUNK..(chunk + 1) * CHUNK).map(|n| n as u64).collect()
}

#[host_only]
fn expected() -> Vec<u64> {
    let square = |n: usize| (n * n) as u64;
    (0..CHUNKS).map(|chunk| (chunk * CHUNK..(chunk + 1) * CHUNK).map(square).sum()).collect()
}

#[host_only]
fn main() -> Result<(), gridwright::Error> {
    let device = Device::from_env()?;
    assert_eq!(sums(&device)?, expected());
    assert_eq!(sums_by_shared_streams(&device)?, expected());
    println!("{}: the squares of all chunks are right", device.name());
    Ok(())
}
