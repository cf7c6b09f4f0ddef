//! Kernels at the limits: 24 parameters, 16 views in a phase, large values, and values of no bytes.

use gridwright::prelude::*;

#[host_only]
use crate::setting::{Result, open};

/// An operator that holds nothing.
#[derive(Clone, Copy, Debug, PartialEq, KernelArg)]
struct Product;

#[derive(Clone, Copy, Debug, PartialEq, KernelArg)]
#[repr(C)]
struct Sum {}

/// Three words of 32 bits: a word of 64 and a half.
#[derive(Clone, Copy, Debug, PartialEq, KernelArg)]
#[repr(C)]
struct Line {
    slope: u32,
    offset: u32,
    more: u32,
}

trait Operator: KernelArg {
    fn apply(self, a: u32, b: u32) -> u32;
}

impl Operator for Product {
    fn apply(self, a: u32, b: u32) -> u32 {
        a * b
    }
}

impl Operator for Sum {
    fn apply(self, a: u32, b: u32) -> u32 {
        a + b
    }
}

impl Operator for Line {
    fn apply(self, a: u32, b: u32) -> u32 {
        a * self.slope + b * self.offset + self.more
    }
}

#[gpu_kernel(instances(Product, Sum, Line))]
fn combine<O: Operator>(
    t: Thread,
    before: Sum,
    operator: O,
    by: u32,
    x: &[u32],
    mut y: PerThread<[u32]>,
    behind: [u32; 0],
) {
    let [] = behind;
    if let Some(y) = y.get_mut(t) {
        *y = operator.apply(x[t.index()], before.apply(*y, by));
    }
}

#[test]
fn values_of_no_bytes_are_no_parameters() -> Result {
    let (device, stream) = open()?;
    let x: Vec<u32> = (0..100).collect();
    let input = stream.upload(&x)?;
    let config = LaunchConfig::threads(x.len());
    let mut y = stream.upload(&[1; 100])?;
    combine::<Product>::load(&device)?.launch(&stream, config, (Sum {}, Product, 2, &input, &mut y, []))?;
    assert_eq!(stream.download(&y)?, x.iter().map(|x| 3 * x).collect::<Vec<_>>());
    combine::<Sum>::load(&device)?.launch(&stream, config, (Sum {}, Sum {}, 2, &input, &mut y, []))?;
    assert_eq!(stream.download(&y)?, x.iter().map(|x| 4 * x + 2).collect::<Vec<_>>());
    let line = Line { slope: 2, offset: 3, more: 5 };
    combine::<Line>::load(&device)?.launch(&stream, config, (Sum {}, line, 2, &input, &mut y, []))?;
    assert_eq!(stream.download(&y)?, x.iter().map(|x| 2 * x + 3 * (4 * x + 4) + 5).collect::<Vec<_>>());
    Ok(())
}

#[gpu_kernel]
fn copy_operators(t: Thread, x: &[Product], mut y: PerThread<[Product]>, mut z: PerThread<[u32]>) {
    let i = t.index();
    if let (Some(y), Some(z)) = (y.get_mut(t), z.get_mut(t)) {
        *y = x[i];
        *z = x[i].apply(2, 3);
    }
}

#[test]
fn elements_may_have_no_bytes() -> Result {
    let (device, stream) = open()?;
    let x = stream.upload(&[Product; 70])?;
    let mut y = stream.upload(&[Product; 70])?;
    let mut z = stream.alloc_zeroed::<u32>(70)?;
    let config = LaunchConfig::threads(70);
    copy_operators::load(&device)?.launch(&stream, config, (&x, &mut y, &mut z))?;
    assert_eq!((stream.download(&y)?.len(), stream.download(&z)?), (70, vec![6; 70]));
    Ok(())
}

/// All that one parameter of a kernel with a slice can have, but for some bytes, and no multiple of eight.
#[derive(Clone, Copy, Debug, PartialEq, KernelArg)]
#[repr(C)]
struct Table {
    numbers: [u32; 1000],
    bytes: [u8; 44],
}

#[gpu_kernel]
fn look_up(t: Thread, table: Table, mut y: PerThread<[u32]>) {
    let i = t.index();
    if let Some(y) = y.get_mut(t) {
        *y = table.numbers[i % 1000] + u32::from(table.bytes[i % 44]);
    }
}

#[gpu_kernel]
fn two_tables(
    t: Thread,
    before: u32,
    first: [u32; 256],
    between: u64,
    second: [u64; 256],
    behind: u32,
    mut y: PerThread<[u64]>,
) {
    let i = t.index();
    if let Some(y) = y.get_mut(t) {
        *y = u64::from(before + first[i % 256] + behind) + between + second[255 - i % 256];
    }
}

#[gpu_kernel]
fn first_and_last(t: Thread, table: Table, mut y: PerThread<[u32]>) {
    if let Some(y) = y.get_mut(t) {
        *y = table.numbers[0] + table.numbers[33] + table.numbers[999] + u32::from(table.bytes[43]);
    }
}

#[test]
fn values_of_kibibytes_arrive_whole() -> Result {
    let (device, stream) = open()?;
    let table = Table {
        numbers: core::array::from_fn(|i| i as u32 * 1000),
        bytes: core::array::from_fn(|i| i as u8 * 5),
    };
    let mut y = stream.alloc_zeroed::<u32>(1100)?;
    look_up::load(&device)?.launch(&stream, LaunchConfig::threads(1100), (table, &mut y))?;
    for (i, y) in stream.download(&y)?.into_iter().enumerate() {
        assert_eq!(y, table.numbers[i % 1000] + u32::from(table.bytes[i % 44]), "at {i}");
    }
    first_and_last::load(&device)?.launch(&stream, LaunchConfig::threads(1100), (table, &mut y))?;
    assert_eq!(stream.download(&y)?, [33_000 + 999_000 + 215; 1100]);
    let (first, second) = (core::array::from_fn(|i| i as u32), core::array::from_fn(|i| (i as u64) << 40));
    let mut y = stream.alloc_zeroed::<u64>(300)?;
    let config = LaunchConfig::threads(300);
    two_tables::load(&device)?.launch(&stream, config, (7, first, 1 << 33, second, 9, &mut y))?;
    for (i, y) in stream.download(&y)?.into_iter().enumerate() {
        assert_eq!(y, 16 + (i as u64 % 256) + (1 << 33) + second[255 - i % 256], "at {i}");
    }
    Ok(())
}

#[gpu_kernel]
fn of_24(
    t: Thread,
    a: u32,
    b: u32,
    c: u32,
    d: u32,
    e: u32,
    f: u32,
    g: u32,
    h: u32,
    i: u32,
    j: u32,
    k: u32,
    l: u32,
    m: u32,
    n: u32,
    o: u32,
    p: u32,
    q: u32,
    r: u32,
    first: [u32; 3],
    u: &[u32],
    v: &Matrix<u32>,
    mut w: PerThread<[u32]>,
    mut x: PerThread<[u32]>,
    last: Line,
) {
    let numbers = [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r];
    let at = t.index();
    if let (Some(w), Some(x)) = (w.get_mut(t), x.get_mut(t)) {
        *w = u[at];
        for (place, number) in numbers.into_iter().enumerate() {
            *w += number << place;
        }
        *x = first[2] + last.apply(*x, v.get(0, at).copied().unwrap_or(0));
    }
}

#[gpu_kernel(block = 32)]
fn groups_of_24(
    g: &Group,
    a: u32,
    b: u32,
    c: u32,
    d: u32,
    e: u32,
    f: u32,
    h: u32,
    i: u32,
    j: u32,
    k: u32,
    l: u32,
    m: u32,
    n: u32,
    o: u32,
    p: u32,
    q: u32,
    r: u32,
    s: u32,
    u: u32,
    first: Sum,
    v: &[u32],
    mut w: PerThread<[u32]>,
    mut x: PerGroup<[u32]>,
    last: Line,
) {
    let sum = a + b + c + d + e + f + h + i + j + k + l + m + n + o + p + q + r + s + u;
    g.each(w.elements_mut(), |t, w| {
        if let Some(w) = w {
            *w = last.apply(v[t.index()], sum);
        }
    });
    x.set(g, first.apply(sum, g.index() as u32));
}

#[test]
fn kernels_take_24_parameters() -> Result {
    let (device, stream) = open()?;
    let n = 100;
    let line = Line { slope: 2, offset: 3, more: 5 };
    let host: Vec<u32> = (0..n as u32).collect();
    let (u, v) = (stream.upload(&host)?, stream.upload_matrix(1, n, &host)?);
    let (mut w, mut x) = (stream.alloc_zeroed::<u32>(n)?, stream.upload(&vec![7; n])?);
    of_24::load(&device)?.launch(
        &stream,
        LaunchConfig::threads(n),
        (
            1,
            2,
            3,
            4,
            5,
            6,
            7,
            8,
            9,
            10,
            11,
            12,
            13,
            14,
            15,
            16,
            17,
            18,
            [0, 0, 11],
            &u,
            &v,
            &mut w,
            &mut x,
            line,
        ),
    )?;
    let sum: u32 = (0..18).map(|place| (place + 1) << place).sum();
    assert_eq!(stream.download(&w)?, host.iter().map(|u| u + sum).collect::<Vec<_>>());
    assert_eq!(stream.download(&x)?, host.iter().map(|v| 11 + 14 + 3 * v + 5).collect::<Vec<_>>());
    let mut x = stream.alloc_zeroed::<u32>(4)?;
    groups_of_24::load(&device)?.launch(
        &stream,
        LaunchConfig::threads(n),
        (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, Sum {}, &u, &mut w, &mut x, line),
    )?;
    assert_eq!(stream.download(&w)?, host.iter().map(|v| 2 * v + 3 * 190 + 5).collect::<Vec<_>>());
    assert_eq!(stream.download(&x)?, [190, 191, 192, 193]);
    Ok(())
}

/// Sixteen views of all kinds: elements, memory of the group, and values of threads.
#[gpu_kernel(block = 64)]
fn of_16_views(
    g: &Group,
    x: &[u32],
    mut y: PerThread<[u32]>,
    mut z: PerThread<[u32]>,
    mut w: Workgroup<[u32; 64]>,
    mut all: Workgroup<[u32; 64]>,
) {
    let mut values: [Private<u32>; 5] =
        core::array::from_fn(|n| g.map((), |t, ()| t.local().x as u32 + n as u32));
    let others: [Private<u32>; 5] =
        core::array::from_fn(|n| g.map((), |t, ()| t.local().x as u32 * n as u32));
    g.each(all.elements_mut(), |t, all| *all = 100 * t.local().x as u32);
    let [p0, p1, p2, p3, p4] = &mut values;
    let [q0, q1, q2, q3, q4] = &others;
    let views = (
        x.elements_from(64 * g.index()),
        y.elements_mut(),
        z.elements_mut(),
        w.elements_mut(),
        all.shared(),
        p0,
        p1,
        p2,
        p3,
        p4,
        q0,
        q1,
        q2,
        q3,
        q4,
        q0,
    );
    g.each(views, |t, (x, y, z, w, all, p0, p1, p2, p3, p4, q0, q1, q2, q3, q4, again)| {
        *p0 += 1;
        *p1 += *p0;
        *p2 += *p1;
        *p3 += *p2;
        *p4 += *p3;
        *w = *p4 + q0 + q1 + q2 + q3 + q4 + again + all[63 - t.local().x];
        if let Some(y) = y {
            *y = *w + x.copied().unwrap_or(0);
        }
        if let Some(z) = z {
            *z = *p3;
        }
    });
    let [p0, p1, p2, p3, p4] = &mut values;
    // Repeated calls keep the changes of those that returned true, and of the last.
    g.each_while((p0, p1, p2, p3, p4, q1, q2, q3, q4), |_, (p0, p1, p2, p3, p4, q1, q2, q3, q4)| {
        *p0 += 1;
        *p1 += q1 + q2 + q3 + q4;
        *p4 += *p0 + *p1 + *p2 + *p3;
        *p0 < 70
    });
    let last = &values[4];
    g.each((last, z.elements_mut()), |_, (last, z)| {
        if let Some(z) = z {
            *z += *last;
        }
    });
}

#[test]
fn phases_hand_out_16_views() -> Result {
    let (device, stream) = open()?;
    for n in [64, 200] {
        let x: Vec<u32> = (0..n as u32).map(|i| 1_000_000 * i).collect();
        let input = stream.upload(&x)?;
        let (mut y, mut z) = (stream.alloc_zeroed::<u32>(n)?, stream.alloc_zeroed::<u32>(n)?);
        of_16_views::load(&device)?.launch(&stream, LaunchConfig::threads(n), (&input, &mut y, &mut z))?;
        let (y, z) = (stream.download(&y)?, stream.download(&z)?);
        for i in 0..n {
            let t = (i % 64) as u32;
            let mut p = [t, t + 1, t + 2, t + 3, t + 4];
            let mut sum = 1;
            for value in &mut p {
                *value += sum;
                sum = *value;
            }
            assert_eq!(y[i], p[4] + t * 10 + 100 * (63 - t) + x[i], "y at {i}");
            let of_phase = p[3];
            loop {
                p[0] += 1;
                p[1] += t * 10;
                p[4] += p[0] + p[1] + p[2] + p[3];
                if p[0] >= 70 {
                    break;
                }
            }
            assert_eq!(z[i], of_phase + p[4], "z at {i}");
        }
    }
    Ok(())
}
