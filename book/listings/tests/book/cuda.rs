//! "CUDA to Gridwright": what the right column of its tables says is in here, or in a sample.

use gridwright::atomic::fence;
#[host_only]
use gridwright::graph::GraphBuilder;
use gridwright::prelude::*;
use gridwright::{Error, Priority};
use gridwright::{math, unroll};

// ANCHOR: kernel
#[gpu_kernel(requires = x.len() == y.len())]
fn axpy(t: Thread, a: f32, x: &[f32], mut y: PerThread<[f32]>) {
    if let Some(y) = y.get_mut(t) {
        *y += a * x[t.index()];
    }
}
// ANCHOR_END: kernel

// ANCHOR: launch
#[host_only]
fn launch_axpy(
    device: &Device,
    n: usize,
    a: f32,
    x: &[f32],
    y: &mut [f32],
) -> Result<(), Error> {
    let stream = device.stream()?;
    let d_x = stream.upload(x)?;
    let mut d_y = stream.upload(y)?;
    let kernel = axpy::load(device)?;
    let config = LaunchConfig::grid(n.div_ceil(256), 256);
    kernel.launch(&stream, config, (a, &d_x, &mut d_y))?;
    stream.copy_to_slice(&d_y, y)?;
    Ok(())
} // the buffers are freed
// ANCHOR_END: launch

/// Where a thread is.
#[gpu_kernel(block = 64)]
fn places(g: &Group, mut out: PerThread<[[u32; 8]]>) {
    let (groups, threads) = (g.grid().x, g.shape().x);
    let group = g.index();
    g.each(out.elements_mut(), |t, out| {
        let thread = t.local().x;
        let block = t.group_index();
        let i = t.index();
        let lane = t.lane();
        if let Some(out) = out {
            *out = [thread, block, i, lane, groups, threads, group, 0].map(|n| n as u32);
        }
    });
}

#[gpu_kernel]
fn places_2d(t: Thread, mut out: PerThread<Matrix<u32>>) {
    let x = t.col();
    let y = t.row();
    if let Some(out) = out.get_mut(t) {
        *out = (1000 * y + x) as u32;
    }
}

// ANCHOR: device_function
/// CUDA's `__host__ __device__`: any function is both.
#[inline(always)]
fn lerp(a: f32, b: f32, t: f32) -> f32 {
    t.mul_add(b - a, a)
}
// ANCHOR_END: device_function

// ANCHOR: constants
const WEIGHTS: [f32; 3] = [0.25, 0.5, 0.25];

/// `factors` is a parameter by value, which lies in NVIDIA's constant memory.
#[gpu_kernel(max_threads = 256, min_groups = 4, requires = x.len() == y.len())]
fn filtered(t: Thread, factors: [f32; 3], x: &[f32], mut y: PerThread<[f32]>) {
    if let Some(y) = y.get_mut(t) {
        let mut sum = 0.0;
        unroll!(for i in 0..3 {
            sum += factors[i]
                * WEIGHTS[i]
                * x.get((t.index() + i).wrapping_sub(1)).copied().unwrap_or(0.0);
        });
        *y = lerp(x[t.index()], sum, 0.5);
    }
}
// ANCHOR_END: constants

// ANCHOR: table
/// Each thread wants another element: the table is a buffer, which the host fills once.
#[gpu_kernel(requires = at.len() == y.len())]
fn looked_up(t: Thread, table: &[f32], at: &[u32], mut y: PerThread<[f32]>) {
    if let Some(y) = y.get_mut(t) {
        *y = table[at[t.index()] as usize];
    }
}
// ANCHOR_END: table

// ANCHOR: template
/// CUDA's `template <typename T>`: the instances are named, so that the image has them.
#[gpu_kernel(instances(f32, i32))]
fn fill_with<T: KernelArg>(t: Thread, value: T, mut x: PerThread<[T]>) {
    if let Some(x) = x.get_mut(t) {
        *x = value;
    }
}
// ANCHOR_END: template

// ANCHOR: shared
#[gpu_kernel(block = 256)]
fn reverse_blocks(
    g: &Group,
    x: &[f32],
    mut y: PerThread<[f32]>,
    mut s: Workgroup<[f32; 256]>,
) {
    g.each(s.elements_mut(), |t, s| *s = x.get(t.index()).copied().unwrap_or(0.0));
    g.each((s.elements().reversed(), y.elements_mut()), |_, (s, y)| {
        if let Some(y) = y {
            *y = *s;
        }
    });
}
// ANCHOR_END: shared

// ANCHOR: dynamic
#[gpu_kernel(requires = s.len() == g.len())]
fn reverse_dynamic(g: &Group, x: &[f32], mut y: PerThread<[f32]>, mut s: Workgroup<[f32]>) {
    g.each(s.elements_mut(), |t, s| *s = x.get(t.index()).copied().unwrap_or(0.0));
    g.each((s.elements().reversed(), y.elements_mut()), |_, (s, y)| {
        if let Some(y) = y {
            *y = *s;
        }
    });
}
// ANCHOR_END: dynamic

/// Workgroup memory of two axes.
#[gpu_kernel(block = (32, 32))]
fn tiled(
    g: &Group,
    m: &Matrix<f32>,
    mut out: PerThread<Matrix<f32>>,
    mut tile: Workgroup<[[f32; 33]; 32]>,
) {
    g.load_tile(&mut tile, m, g.origin().y, g.origin().x);
    g.each((tile.shared(), out.elements_mut()), |t, (tile, out)| {
        if let Some(out) = out {
            *out = tile[t.local().y][t.local().x];
        }
    });
}

/// What a group's threads know of each other.
#[gpu_kernel(block = 128)]
fn collectives(
    g: &Group,
    x: &[u32],
    mut out: PerGroup<[[u32; 8]]>,
    mut s: Workgroup<[u32; 128]>,
) {
    let v = g.map((), |t, ()| x.get(t.index()).copied().unwrap_or(0));
    let p = g.map(&v, |_, v| *v > 5);
    let n = g.count(&p);
    let any = g.any(&p);
    let all = g.all(&p);
    let sum = g.reduce(&v, |a, b| a + b);
    let before = g.scan_exclusive(&v, 0, |a, b| a + b);
    let last = g.broadcast(&before, g.len() - 1);
    g.each((s.elements_mut(), &v), |_, (s, v)| *s = *v);
    let first = g.read(&s, 0);
    let values = [n as u32, u32::from(any), u32::from(all), sum, last, first, 0, 0];
    g.each(out.elements_mut().take(8), |t, out| *out = values[t.local().x]);
}

/// What a warp's lanes know of each other.
#[gpu_kernel(block = 128)]
fn warps_know(g: &Group, x: &[u32], mut out: PerThread<[[u32; 8]]>) {
    let v = g.map((), |t, ()| x.get(t.index()).copied().unwrap_or(0));
    let p = g.map(&v, |_, v| *v > 5);
    let zeros = g.private(0_u32);
    let from_first = g.shuffle(&v, &zeros);
    let other = g.shuffle_xor(&v, 1);
    let next = g.shuffle_down(&v, 1);
    let before = g.shuffle_up(&v, 1);
    let mask = g.ballot(&p);
    let any = g.vote_any(&p);
    let all = g.vote_all(&p);
    let wide = g.map(&v, |_, v| u64::from(*v));
    let same = g.match_any(&wide);
    let sum = g.warp_reduce(&v, |a, b| a + b);
    let of_four = g.tiled::<4>().reduce(&v, |a, b| a + b);
    let items = (&from_first, &other, &next, &before, &sum, &of_four);
    let words = g.map(items, |_, (a, b, c, d, e, f)| [*a, *b, *c, *d, *e, *f]);
    g.each(
        (&words, &mask, &any, &all, &same, out.elements_mut()),
        |_, (w, mask, any, all, same, out)| {
            if let Some(out) = out {
                let votes = mask.count_ones() | u32::from(*any) << 8 | u32::from(*all) << 9;
                *out = [w[0], w[1], w[2], w[3], w[4], w[5], votes, same.count_ones()];
            }
        },
    );
}

// ANCHOR: warp_level
#[gpu_kernel(block = 128)]
fn one_row_a_warp(
    g: &Group,
    m: &Matrix<f32>,
    mut sums: Workgroup<[f32; 4]>,
    mut out: PerGroup<[f32]>,
) {
    g.each_warp(sums.warp_chunks_mut(1), |w, mut slot| {
        let row = w.index();
        let mut mine = w.private(0.0_f32);
        for col in (0..m.cols()).step_by(w.size()) {
            w.each(&mut mine, |t, mine| *mine += m.get_or(row, col + t.lane(), 0.0));
        }
        w.set(&mut slot, 0, w.reduce(&mine, |a, b| a + b));
    });
    let total = (0..g.warps()).map(|warp| g.read(&sums, warp)).sum();
    out.set(g, total);
}
// ANCHOR_END: warp_level

/// Atomic updates of global memory.
#[gpu_kernel(requires = a.len() >= 8)]
fn updates(t: Thread, a: Atomic<[u32]>, f: Atomic<[f32]>) {
    let v = t.index() as u32;
    a.fetch_add(t, 0, v);
    a.fetch_sub(t, 1, v);
    a.fetch_max(t, 2, v);
    a.fetch_min(t, 3, v);
    a.fetch_or(t, 4, v);
    a.fetch_xor(t, 4, v);
    a.exchange(t, 5, v);
    let old = a.compare_exchange(t, 6, 0, v);
    a.fetch_add_with(t, 7, old, Scope::Device, Ordering::AcqRel);
    f.fetch_add(t, 0, 1.0);
}

/// Atomic updates of workgroup memory.
#[gpu_kernel(block = 64)]
fn shared_updates(
    g: &Group,
    data: &[u8],
    bins: Atomic<[u32]>,
    mut s: Workgroup<[u32; 64]>,
) {
    g.fill(&mut s, 0);
    g.each(s.atomic(), |t, s| {
        if let Some(byte) = data.get(t.index()) {
            s.fetch_add(t, usize::from(*byte % 64), 1);
        }
    });
    g.each(s.elements(), |t, count| {
        bins.fetch_add(t, t.local().x, *count);
    });
}

/// Functions of numbers.
#[gpu_kernel]
fn functions(t: Thread, x: &[f32], mut y: PerThread<[[f32; 6]]>) {
    if let Some(y) = y.get_mut(t) {
        let x = x[t.index()];
        *y = [
            x.sqrt(),
            x.mul_add(2.0, 1.0),
            math::exp(x),
            math::fast::exp(x),
            math::rsqrt(x),
            (t.index() as u32).count_ones() as f32,
        ];
    }
}

/// What a thread can do besides.
#[gpu_kernel]
fn besides(t: Thread, mut ticks: PerThread<[u64]>) {
    let start = t.clock();
    gpu_println!(t, "thread {}", t.index());
    assert!(t.index() < 1000, "a large index");
    t.sleep(100);
    if let Some(ticks) = ticks.get_mut(t) {
        *ticks = t.clock().wrapping_sub(start);
    }
}

// ANCHOR: port
/// Line by line from CUDA C.
///
/// # Safety
/// `x` has `n` elements.
#[gpu_kernel(block = 256)]
unsafe fn reverse_port(t: Thread, x: *mut u32, n: usize, mut tile: Workgroup<[u32; 256]>) {
    let tile = tile.as_mut_ptr();
    let i = t.group_index() * 256 + t.local().x;
    if i < n {
        // SAFETY: both have such an element, by what the caller promises and by the block.
        unsafe { *tile.add(t.local().x) = *x.add(i) };
    }
    // SAFETY: all threads of the group get here.
    unsafe { sync_threads(t) };
    if i < n {
        // SAFETY: both have such an element, by `n` and by the block; a barrier is between what others wrote and this.
        unsafe { *x.add(i) = *tile.add(255 - t.local().x) };
    }
}
// ANCHOR_END: port

/// # Safety
/// `flags` has an element for each group.
#[gpu_kernel]
unsafe fn publish(t: Thread, flags: *mut u32) {
    if t.local().x == 0 {
        fence(t, Scope::Device);
        // SAFETY: there is a flag for each group, as this kernel asks.
        unsafe { flags.add(t.group_index()).write_volatile(1) };
    }
}

// ANCHOR: grid
/// Doubles all elements until their sum is at least `least`: phases of the whole launch.
#[gpu_kernel]
fn until(grid: &Grid, least: u32, mut x: GridMemory<[u32]>) {
    loop {
        let mut mine = grid.private(0_u32);
        grid.each((x.grid_stride_mut(), &mut mine), |_, (x, mine)| {
            x.for_each(|_, x| {
                *x *= 2;
                *mine += *x;
            });
        });
        if grid.reduce(&mine, |a, b| a + b) >= least {
            break;
        }
    }
}
// ANCHOR_END: grid

#[gpu_kernel]
fn sampled_rows(t: Thread, image: &Texture2d<f32>, mut y: PerThread<[f32]>) {
    if let Some(y) = y.get_mut(t) {
        *y = image.sample(t.index() as f32 + 0.5, 0.5);
    }
}

#[test]
fn kernels_run() -> Result<(), Error> {
    let device = crate::device()?;
    let stream = device.stream()?;
    let (x, mut y) = ([2.0; 1000], [1.0; 1000]);
    launch_axpy(&device, 1000, 3.0, &x, &mut y)?;
    assert_eq!(y, [7.0; 1000]);

    let mut out = stream.alloc_zeroed::<u32>(8 * 128)?;
    places::load(&device)?.launch(&stream, LaunchConfig::threads(128), (&mut out,))?;
    let lane = |i: u32, found: u32| assert!(found == i % 32 || found == i % 64);
    for (i, place) in (0..).zip(stream.download(&out)?.chunks(8)) {
        lane(i % 64, place[3]);
        assert_eq!([place[0], place[1], place[2]], [i % 64, i / 64, i]);
        assert_eq!(place[4..7], [2, 64, i / 64]);
    }
    let mut m = stream.alloc_matrix_zeroed(3, 5)?;
    places_2d::load(&device)?.launch(&stream, LaunchConfig::for_matrix(3, 5), (&mut m,))?;
    assert_eq!(stream.download(&m)?[14], 2004);

    let mut y = [0.0; 3];
    let config = LaunchConfig::threads(3);
    let arguments = ([1.0; 3], &[4.0, 8.0, 12.0], Out(&mut y));
    filtered::load(&device)?.run(&device, config, arguments)?;
    assert_eq!(y, [4.0, 8.0, 10.0]);
    looked_up::load(&device)?.run(
        &device,
        config,
        (&[0.5, 1.5, 2.5, 3.5], &[3, 0, 2], Out(&mut y)),
    )?;
    assert_eq!(y, [3.5, 0.5, 2.5]);
    let mut y = [0; 3];
    fill_with::<i32>::load(&device)?.run(&device, config, (-7, Out(&mut y)))?;
    assert_eq!(y, [-7; 3]);

    let x: Vec<f32> = (0..512).map(|i| i as f32).collect();
    let mut y = stream.alloc_zeroed(512)?;
    let reversed: Vec<f32> =
        x.chunks(256).flat_map(|part| part.iter().rev().copied()).collect();
    let (x, kernel) = (stream.upload(&x)?, reverse_dynamic::load(&device)?);
    // ANCHOR: launch_dynamic
    let config = LaunchConfig::grid(2, 256).workgroup::<f32>(256);
    kernel.launch(&stream, config, (&x, &mut y))?;
    // ANCHOR_END: launch_dynamic
    assert_eq!(stream.download(&y)?, reversed);
    let mut z = stream.alloc_zeroed(512)?;
    reverse_blocks::load(&device)?.launch(
        &stream,
        LaunchConfig::grid(2, 256),
        (&x, &mut z),
    )?;
    assert_eq!(stream.download(&z)?, reversed);

    let elements: Vec<f32> = (0..40 * 50).map(|i| i as f32).collect();
    let m = stream.upload_matrix(40, 50, &elements)?;
    let mut copied = stream.alloc_matrix_zeroed(40, 50)?;
    let config = LaunchConfig::for_matrix(40, 50);
    tiled::load(&device)?.launch(&stream, config, (&m, &mut copied))?;
    assert_eq!(stream.download(&copied)?, elements);
    Ok(())
}

#[test]
fn threads_know_of_each_other() -> Result<(), Error> {
    let device = crate::device()?;
    let stream = device.stream()?;
    let numbers: Vec<u32> = (0..128).map(|i| i % 10).collect();
    let x = stream.upload(&numbers)?;
    let mut out = stream.alloc_zeroed::<u32>(8)?;
    collectives::load(&device)?.launch(
        &stream,
        LaunchConfig::grid(1, 128),
        (&x, &mut out),
    )?;
    let more = numbers.iter().filter(|&&x| x > 5).count() as u32;
    let sum: u32 = numbers.iter().sum();
    assert_eq!(stream.download(&out)?, [more, 1, 0, sum, sum - numbers[127], 0, 0, 0]);

    let mut out = stream.alloc_zeroed::<u32>(8 * 128)?;
    warps_know::load(&device)?.launch(
        &stream,
        LaunchConfig::threads(128),
        (&x, &mut out),
    )?;
    let out = stream.download(&out)?;
    // Lane 9 of the first warp, on each device.
    let four: u32 = numbers[8..12].iter().sum();
    assert_eq!(out[8 * 9..8 * 9 + 4], [0, numbers[8], numbers[10], numbers[8]]);
    assert_eq!(out[8 * 9 + 5], four);

    let ones = stream.upload_matrix(4, 70, &[1.0; 280])?;
    let mut out = stream.alloc_zeroed(1)?;
    let config = LaunchConfig::grid(1, 128);
    one_row_a_warp::load(&device)?.launch(&stream, config, (&ones, &mut out))?;
    let rows = stream.download(&out)?[0] / 70.0;
    assert!(rows == 4.0 || rows == 2.0); // as many as there are warps

    let mut a = stream.upload(&[0, 0, 0, 9, 0, 0, 0, 0])?;
    let mut f = stream.alloc_zeroed(1)?;
    updates::load(&device)?.launch(&stream, LaunchConfig::threads(4), (&mut a, &mut f))?;
    let a = stream.download(&a)?;
    assert_eq!((a[0], a[1], a[2], a[3]), (6, 0_u32.wrapping_sub(6), 3, 0));
    assert_eq!(stream.download(&f)?, [4.0]);

    let mut bins = [0; 64];
    let data: Vec<u8> = (0..200).collect();
    let config = LaunchConfig::threads(200);
    shared_updates::load(&device)?.run(&device, config, (&data, InOut(&mut bins)))?;
    assert_eq!((bins.iter().sum::<u32>(), bins[0], bins[63]), (200, 4, 3));
    Ok(())
}

#[test]
fn the_rest_runs() -> Result<(), Error> {
    let device = crate::device()?;
    let stream = device.stream()?;
    let x = stream.upload(&[4.0_f32; 18])?;
    let mut y = stream.alloc_zeroed::<f32>(6 * 18)?;
    functions::load(&device)?.launch(&stream, LaunchConfig::threads(18), (&x, &mut y))?;
    assert_eq!(
        stream.download(&y)?[6 * 7..6 * 8],
        [2.0, 9.0, 4.0_f32.exp(), 4.0_f32.exp(), 0.5, 3.0]
    );
    device.on_print(|_| {});
    let mut ticks = stream.alloc_zeroed(4)?;
    besides::load(&device)?.launch(&stream, LaunchConfig::threads(4), (&mut ticks,))?;
    stream.synchronize()?;

    let numbers: Vec<u32> = (0..512).collect();
    let mut x = stream.upload(&numbers)?;
    let kernel = reverse_port::load(&device)?;
    // ANCHOR: launch_port
    // SAFETY: the buffer has 512 elements.
    unsafe { kernel.launch(&stream, LaunchConfig::grid(2, 256), (&mut x, 512))? };
    // ANCHOR_END: launch_port
    let reversed: Vec<u32> =
        numbers.chunks(256).flat_map(|part| part.iter().rev().copied()).collect();
    assert_eq!(stream.download(&x)?, reversed);
    let mut flags = stream.alloc_zeroed::<u32>(2)?;
    // SAFETY: there is an element for each of two groups.
    unsafe {
        publish::load(&device)?.launch(
            &stream,
            LaunchConfig::grid(2, 64),
            (&mut flags,),
        )?;
    }
    assert_eq!(stream.download(&flags)?, [1, 1]);

    let mut x = stream.upload(&[1_u32; 100])?;
    until::load(&device)?.launch(&stream, LaunchConfig::grid(1, 64), (1000, &mut x))?;
    assert_eq!(stream.download(&x)?, [16; 100]);
    Ok(())
}

/// The host's calls, in the order of the tables.
#[test]
fn the_hosts_calls() -> Result<(), Error> {
    let device = crate::device()?;
    let stream = device.stream()?;
    let n = 1000;
    let (host, mut back) = (vec![1.0_f32; n], vec![0.0_f32; n]);

    let mut d = stream.alloc_zeroed::<f32>(n)?;
    let mut e = stream.alloc_zeroed::<f32>(n)?;
    stream.copy_from_slice(&mut d, &host)?;
    stream.copy(&d, &mut e)?;
    stream.fill(&mut d, 0.0)?;
    stream.copy_to_slice(&e, &mut back)?;
    drop(d);
    assert_eq!(back, host);

    let pinned = stream.pinned::<f32>(n)?;
    let sent = stream.copy_from_pinned(&mut e, pinned)?;
    let pinned = sent.wait()?;
    assert_eq!(pinned.len(), n);
    let mut shared = stream.alloc_unified::<f32>(n)?;
    shared.write()?[0] = 2.0;
    assert_eq!(shared.read()?[0], 2.0);
    let mapped = stream.alloc_mapped::<f32>(n)?;
    assert_eq!(mapped.len(), n);

    let (pixels, mut y) = ([0.0_f32, 1.0, 2.0, 3.0], stream.alloc_zeroed(4)?);
    let image = stream.texture(1, 4, &pixels, Sampling::nearest())?;
    let kernel = sampled_rows::load(&device)?;
    kernel.launch(&stream, LaunchConfig::threads(4), (&image, &mut y))?;
    assert_eq!(stream.download(&y)?, pixels);

    let other = device.stream()?;
    let urgent = device.stream_with_priority(Priority::HIGHEST)?;
    let start = stream.record()?;
    other.wait(&start)?;
    stream.host(|| ())?;
    let end = stream.record()?;
    let time = end.duration_since(&start)?;
    assert!(time < std::time::Duration::from_secs(60));
    urgent.synchronize()?;
    stream.synchronize()?;

    let kernel = axpy::load(&device)?;
    let config = LaunchConfig::threads(n);
    let (x, mut y) = (stream.upload(&host)?, stream.upload(&host)?);
    let mut graph =
        stream.capture(|stream| kernel.launch(stream, config, (1.0, &x, &mut y)))?;
    graph.launch(&stream)?;
    let node = graph.nodes(&kernel)[0];
    graph.update(node, config, (2.0, &x, &mut y))?;
    graph.launch(&stream)?;
    assert_eq!(stream.download(&y)?, vec![4.0; n]);
    let mut builder = GraphBuilder::new(&stream);
    builder.fill(&mut y, 0.0)?;
    builder.build()?.launch(&stream)?;
    assert_eq!(stream.download(&y)?, vec![0.0; n]);

    let devices = Device::all()?;
    let most = device.limits().threads_per_group;
    println!("{} devices, {}, {most} threads in a group", devices.len(), device.name());
    let attributes = kernel.attributes()?;
    let occupancy = kernel.occupancy(256)?;
    println!("{attributes:?} {occupancy:?}");
    let peer = Device::cpu()?;
    if device.can_access_peer(&peer)? {
        device.enable_peer_access(&peer)?;
    }
    Ok(())
}
