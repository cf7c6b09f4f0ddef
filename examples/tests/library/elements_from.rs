//! Elements that threads read from a start on, which may lie anywhere.

#[cfg(not(gridwright_device))]
use gridwright::Error;
use gridwright::prelude::*;

#[cfg(not(gridwright_device))]
use super::device;

/// Too large to be lent as a copy.
#[derive(Clone, Copy, Debug, KernelArg)]
#[repr(C)]
struct Large {
    number: u32,
    rest: [u32; 7],
}

/// What threads find: an element's number, or where there is none, zero.
#[gpu_kernel(requires = x.len() == y.len())]
fn from_a_start(g: &Group, start: usize, x: &[u32], y: &[Large], mut found: PerThread<[[u32; 2]]>) {
    g.each((x.elements_from(start), y.elements_from(start), found.elements_mut()), |_, (x, y, found)| {
        if let Some(found) = found {
            *found = [x.copied().unwrap_or(0), y.map_or(0, |y| y.number + y.rest[6])];
        }
    });
}

#[test]
fn beyond_the_end_there_is_nothing() -> Result<(), Error> {
    let device = device()?;
    let stream = device.stream()?;
    let kernel = from_a_start::load(&device)?;
    const LEN: usize = 100;
    let numbers = 1..=LEN as u32;
    let x = stream.upload(&numbers.clone().collect::<Vec<u32>>())?;
    let larges: Vec<Large> = numbers.map(|number| Large { number: number - 1, rest: [1; 7] }).collect();
    let y = stream.upload(&larges)?;
    for block in [1, 33, 64] {
        // From some starts a thread's number leads beyond the largest index, to the first elements.
        for start in [0, 1, 67, LEN - 1, LEN, LEN + 1, 1 << 62, usize::MAX / 4, usize::MAX - 40, usize::MAX] {
            let mut found = stream.upload(&[[7; 2]; 64])?;
            let config = LaunchConfig::threads(64).block(block);
            kernel.launch(&stream, config, (start, &x, &y, &mut found))?;
            let expected = (0..64).map(|i| {
                let index = start.checked_add(i % block).filter(|&index| index < LEN);
                [index.map_or(0, |index| index as u32 + 1); 2]
            });
            let expected: Vec<_> = expected.collect();
            assert_eq!(stream.download(&found)?, expected, "from {start} on in groups of {block}");
        }
    }
    Ok(())
}
