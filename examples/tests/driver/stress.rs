//! Random work on several streams and buffers, compared with the same work done one after another.

use gridwright::memory::Pending;
use gridwright::prelude::*;

use super::kernels::{advance, advanced, mix, mixed};
use super::random::Random;
use super::setting::{Result, device};

const LEN: usize = 300;
const BUFFERS: usize = 5;
const STREAMS: usize = 4;

/// What a copy to the host must give.
struct Copied {
    pending: Pending<u32>,
    expected: Vec<u32>,
}

fn run(device: &Device, seed: u64, steps: usize) -> Result {
    let mut random = Random::new(seed);
    let (mix, advance) = (mix::load(device)?, advance::load(device)?);
    let mut streams = (0..STREAMS).map(|_| device.stream()).collect::<Result<Vec<_>>>()?;
    let mut model = vec![vec![0_u32; LEN]; BUFFERS];
    let mut buffers =
        (0..BUFFERS).map(|i| streams[i % STREAMS].alloc_zeroed::<u32>(LEN)).collect::<Result<Vec<_>>>()?;
    let mut copies: Vec<Copied> = Vec::new();
    for step in 0..steps {
        let (s, b) = (random.below(STREAMS), random.below(BUFFERS));
        let stream = &streams[s];
        let context = || format!("seed {seed}, step {step}");
        match random.below(20) {
            0..8 => {
                let (x, y) = (random.below(BUFFERS), random.below(BUFFERS));
                if x != b && y != b {
                    let k = random.next();
                    let mut written = std::mem::replace(&mut buffers[b], stream.alloc_zeroed(0)?);
                    mix.launch(
                        stream,
                        LaunchConfig::threads(LEN),
                        (k, &buffers[x], &buffers[y], &mut written),
                    )?;
                    buffers[b] = written;
                    model[b] = (0..LEN).map(|i| mixed(k, model[x][i], model[y][i], model[b][i])).collect();
                }
            }
            8..11 => {
                let times = random.next() % 50;
                advance.launch(stream, LaunchConfig::threads(LEN), (times, &mut buffers[b]))?;
                model[b].iter_mut().for_each(|x| *x = advanced(times, *x));
            }
            11 => {
                // The two halves on two streams.
                let mid = random.below(LEN);
                let other = &streams[random.below(STREAMS)];
                let (mut low, mut high) = buffers[b].split_at_mut(mid)?;
                other.fill(&mut low, 5)?;
                if mid < LEN {
                    advance.launch(stream, LaunchConfig::threads(LEN - mid), (3, &mut high))?;
                }
                model[b][..mid].fill(5);
                model[b][mid..].iter_mut().for_each(|x| *x = advanced(3, *x));
            }
            12 => {
                let elements: Vec<u32> = (0..LEN).map(|_| random.next()).collect();
                stream.copy_from_slice(&mut buffers[b], &elements)?;
                model[b] = elements;
            }
            13 => {
                let mut elements = stream.pinned(LEN)?;
                elements.iter_mut().for_each(|element| *element = random.next());
                model[b] = elements.to_vec();
                // Dropped at once: the copy is made all the same.
                drop(stream.copy_from_pinned(&mut buffers[b], elements)?);
            }
            14 => {
                let pending = stream.copy_to_pinned(&buffers[b], stream.pinned(LEN)?)?;
                copies.push(Copied { pending, expected: model[b].clone() });
            }
            15 => assert_eq!(stream.download(&buffers[b])?, model[b], "{}", context()),
            16 => {
                // The old one is dropped with work on it.
                buffers[b] = stream.alloc_zeroed(LEN)?;
                model[b].fill(0);
            }
            17 => {
                let value = random.next();
                stream.fill(&mut buffers[b], value)?;
                model[b].fill(value);
            }
            18 => streams[s] = device.stream()?,
            _ => {
                if !copies.is_empty() {
                    let Copied { pending, expected } = copies.swap_remove(random.below(copies.len()));
                    assert_eq!(pending.wait()?[..], expected, "{}", context());
                }
            }
        }
    }
    for (buffer, expected) in buffers.iter().zip(&model) {
        let stream = &streams[random.below(STREAMS)];
        assert_eq!(stream.download(buffer)?, *expected, "seed {seed}, at the end");
    }
    for Copied { pending, expected } in copies {
        assert_eq!(pending.wait()?[..], expected, "seed {seed}, at the end");
    }
    Ok(())
}

#[test]
fn random_work_on_several_streams_is_as_if_done_one_after_another() -> Result {
    let Some(device) = device() else { return Ok(()) };
    (0..20).try_for_each(|seed| run(&device, seed, 200))
}
