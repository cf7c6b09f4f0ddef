//! Elements that threads get anew, and elements of four words that the CPU takes apart.

#[cfg(not(gridwright_device))]
use gridwright::Error;
use gridwright::memory::Vector;
use gridwright::prelude::*;

#[cfg(not(gridwright_device))]
use super::device;

type Four = Vector<u32, 4>;

/// Of each vector its running sums.
#[gpu_kernel(requires = x.len() == y.len())]
fn running_sums(g: &Group, x: &[Four], mut y: PerThread<[Four]>) {
    let x = x.elements_from(g.origin().x).deinterleaved(g);
    let totals = g.map(&x, |_, x| x.map_or(0, |x| x.iter().fold(0_u32, |sum, x| sum.wrapping_add(*x))));
    g.each((&x, &totals, y.elements_new().deinterleaved()), |_, (x, total, y)| {
        if let (Some(x), Some(y)) = (x, y) {
            let mut sum = 0_u32;
            *y = x.map(|x| {
                sum = sum.wrapping_add(x);
                sum
            });
            // Read again what was just made.
            if y[3] != *total {
                *y = Four::splat(u32::MAX);
            }
        }
    });
}

/// A struct of four words, not all of one kind.
#[derive(Clone, Copy, Debug, PartialEq, KernelArg)]
#[repr(C)]
struct Body {
    position: [f32; 3],
    kind: u32,
}

/// Bodies of a kind move; of the others, nothing is left.
#[gpu_kernel(requires = x.len() == y.len())]
fn moved(g: &Group, kind: u32, x: &[Body], mut y: PerThread<[Body]>) {
    let x = x.elements_from(g.origin().x).deinterleaved(g);
    g.each((&x, y.elements_new().deinterleaved()), |_, (x, y)| {
        if let (Some(x), Some(y)) = (x, y)
            && x.kind == kind
        {
            y.position = [x.position[0] + 1.0, x.position[1] + 2.0, x.position[2] + 3.0];
            y.kind = kind;
        }
    });
}

/// Even numbers' halves, and each index.
#[gpu_kernel(requires = x.len() == y.len() && x.len() == z.len())]
fn halves_anew(g: &Group, x: &[u32], mut y: PerThread<[u32]>, mut z: PerThread<[u64]>) {
    g.each((x.elements_from(g.origin().x), y.elements_new(), z.elements_new()), |t, (x, y, z)| {
        if let (Some(x), Some(y), Some(z)) = (x, y, z) {
            if x % 2 == 0 {
                *y = x / 2;
            }
            *z = t.index() as u64;
        }
    });
}

/// The first threads of each group write, the others' elements stay.
#[gpu_kernel(block = 64)]
fn first_ones_anew(
    g: &Group,
    threads: usize,
    mut y: PerThread<[Four]>,
    mut z: PerThread<[u32]>,
    w: Workgroup<[u32; 64]>,
) {
    g.each(
        (w.elements().take(threads), y.elements_new().deinterleaved(), z.elements_new()),
        |t, (_, y, z)| {
            if let (Some(y), Some(z)) = (y, z) {
                *y = Four::splat(t.index() as u32);
                *z = t.index() as u32;
            }
        },
    );
}

#[cfg(not(gridwright_device))]
const BLOCKS: [usize; 5] = [1, 7, 33, 256, 1024];

#[test]
fn words_that_were_taken_apart_are_put_together() -> Result<(), Error> {
    let device = device()?;
    let stream = device.stream()?;
    let kernel = running_sums::load(&device)?;
    for len in [1, 8, 255, 1003] {
        let x: Vec<Four> = (0..len as u32).map(|i| Four::from([i, i * i, 7 * i, u32::MAX - i])).collect();
        let expected: Vec<Four> = x
            .iter()
            .map(|x| {
                let [a, b, c, d] = **x;
                let ab = a.wrapping_add(b);
                let abc = ab.wrapping_add(c);
                Four::from([a, ab, abc, abc.wrapping_add(d)])
            })
            .collect();
        let x = stream.upload(&x)?;
        for block in BLOCKS {
            let mut y = stream.upload(&vec![Four::splat(9); len])?;
            kernel.launch(&stream, LaunchConfig::threads(len).block(block), (&x, &mut y))?;
            assert!(stream.download(&y)? == expected, "{len} vectors in groups of {block}");
        }
    }
    Ok(())
}

#[test]
fn words_of_a_struct_need_not_be_of_one_kind() -> Result<(), Error> {
    let device = device()?;
    let stream = device.stream()?;
    let bodies: Vec<Body> =
        (0..777).map(|i| Body { position: [i as f32, 0.5 * i as f32, -1.0], kind: i % 3 }).collect();
    let expected = bodies.iter().map(|body| match body {
        Body { position: [x, y, z], kind: 2 } => Body { position: [x + 1.0, y + 2.0, z + 3.0], kind: 2 },
        _ => Body { position: [0.0; 3], kind: 0 },
    });
    let x = stream.upload(&bodies)?;
    let mut y = stream.upload(&bodies)?;
    moved::load(&device)?.launch(&stream, LaunchConfig::threads(777).block(96), (2, &x, &mut y))?;
    assert!(stream.download(&y)?.into_iter().eq(expected));
    Ok(())
}

#[test]
fn what_a_thread_does_not_write_is_zero() -> Result<(), Error> {
    let device = device()?;
    let stream = device.stream()?;
    let kernel = halves_anew::load(&device)?;
    for len in [1_usize, 100, 1025] {
        let x: Vec<u32> = (0..len as u32).collect();
        let x = stream.upload(&x)?;
        for block in BLOCKS {
            let (mut y, mut z) = (stream.upload(&vec![5; len])?, stream.upload(&vec![5; len])?);
            kernel.launch(&stream, LaunchConfig::threads(len).block(block), (&x, &mut y, &mut z))?;
            let halves = (0..len as u32).map(|i| if i % 2 == 0 { i / 2 } else { 0 });
            assert!(stream.download(&y)?.into_iter().eq(halves), "{len} in groups of {block}");
            assert!(stream.download(&z)?.into_iter().eq(0..len as u64));
        }
    }
    Ok(())
}

#[test]
fn who_takes_no_part_keeps_what_it_has() -> Result<(), Error> {
    let device = device()?;
    let stream = device.stream()?;
    let kernel = first_ones_anew::load(&device)?;
    for threads in [0, 1, 10, 64] {
        let (mut y, mut z) = (stream.upload(&[Four::splat(77); 150])?, stream.upload(&[77; 150])?);
        kernel.launch(&stream, LaunchConfig::threads(150), (threads, &mut y, &mut z))?;
        let expected = (0..150).map(|i| if i as usize % 64 < threads { i } else { 77 });
        assert!(stream.download(&z)?.into_iter().eq(expected.clone()), "{threads} of 64");
        assert!(stream.download(&y)?.into_iter().eq(expected.map(Four::splat)), "{threads} of 64");
    }
    Ok(())
}
