//! Work on the CPU that goes on when the call that submits it has returned: what overlaps, what waits for what, and what is told of it.

#![allow(clippy::unwrap_used)]

use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use gridwright::prelude::*;
use gridwright::{Buffer, Error, Graph};

type Result<T = ()> = std::result::Result<T, Error>;

/// Long enough for anything that should happen.
const SOON: Duration = Duration::from_secs(20);

/// Flags by which the program and kernels on the CPU, which may use statics, tell each other how far they are. Each test has one of its own.
static FLAGS: [AtomicBool; 16] = [const { AtomicBool::new(false) }; 16];

fn set(flag: u32) {
    FLAGS[flag as usize].store(true, Ordering::SeqCst);
}

/// Whether a flag is set, soon.
fn is_set(flag: u32) -> bool {
    let begun = Instant::now();
    while !FLAGS[flag as usize].load(Ordering::SeqCst) {
        if begun.elapsed() > SOON {
            return false;
        }
        thread::yield_now();
    }
    true
}

/// Says that it runs, waits for a flag, and adds to each element.
#[gpu_kernel]
fn add_behind(t: Thread, says: u32, flag: u32, by: u32, mut x: PerThread<[u32]>) {
    if let Some(x) = x.get_mut(t) {
        set(says);
        assert!(is_set(flag), "nobody set the flag");
        *x += by;
    }
}

#[gpu_kernel]
fn add(t: Thread, by: u32, mut x: PerThread<[u32]>) {
    if let Some(x) = x.get_mut(t) {
        *x += by;
    }
}

#[gpu_kernel]
fn panics_behind(t: Thread, flag: u32, mut x: PerThread<[u32]>) {
    if let Some(x) = x.get_mut(t) {
        assert!(is_set(flag), "nobody set the flag");
        assert!(*x != 0, "a zero");
    }
}

/// A flag that is set from the beginning.
const NOW: u32 = 0;

/// A device on whose streams work goes on, and one of its streams. None where there is one thread, which does all at once.
fn ready() -> Result<Option<(Device, Stream)>> {
    set(NOW);
    let device = Device::cpu()?;
    if device.info()?.processors == 1 {
        return Ok(None);
    }
    let stream = device.stream()?;
    Ok(Some((device, stream)))
}

const ONE: LaunchConfig = LaunchConfig::threads(1);

#[test]
fn a_launch_returns_before_its_kernel_ends() -> Result {
    let Some((device, stream)) = ready()? else { return Ok(()) };
    let kernel = add_behind::load(&device)?;
    let mut x = stream.upload(&[5])?;
    kernel.launch(&stream, ONE, (NOW, 1, 2, &mut x))?;
    let reached = stream.record()?;
    set(1);
    stream.synchronize()?;
    assert_eq!(stream.download(&x)?, [7]);
    stream.wait(&reached)
}

#[test]
fn two_streams_overlap() -> Result {
    let Some((device, a)) = ready()? else { return Ok(()) };
    let b = device.stream()?;
    let kernel = add_behind::load(&device)?;
    let (mut x, mut y) = (a.upload(&[1])?, b.upload(&[2])?);
    kernel.launch(&a, ONE, (2, 3, 10, &mut x))?;
    kernel.launch(&b, ONE, (3, 2, 10, &mut y))?;
    assert_eq!((a.download(&x)?, b.download(&y)?), (vec![11], vec![12]));
    Ok(())
}

#[test]
fn a_copy_runs_beside_a_kernel() -> Result {
    let Some((device, stream)) = ready()? else { return Ok(()) };
    let transfers = device.stream()?;
    let kernel = add_behind::load(&device)?;
    let mut x = stream.upload(&[1])?;
    let (from, mut to) = (transfers.upload(&vec![3_u32; 1 << 20])?, transfers.alloc_zeroed(1 << 20)?);
    kernel.launch(&stream, ONE, (NOW, 4, 1, &mut x))?;
    transfers.copy(&from, &mut to)?;
    transfers.on_host(&to, |to| {
        assert!(to.iter().all(|&x| x == 3));
        set(4);
    })?;
    assert_eq!(stream.download(&x)?, [2]);
    transfers.synchronize()
}

#[test]
fn streams_and_the_host_wait_for_earlier_uses_of_memory() -> Result {
    let Some((device, a)) = ready()? else { return Ok(()) };
    let (b, c) = (device.stream()?, device.stream()?);
    let (slow, quick) = (add_behind::load(&device)?, add::load(&device)?);
    let (mut x, mut y) = (a.upload(&[1])?, a.upload(&[0])?);
    // What is known to be quick would run at once if it could.
    quick.launch(&b, ONE, (1, &mut x))?;
    b.synchronize()?;
    slow.launch(&a, ONE, (5, 6, 10, &mut x))?;
    assert!(is_set(5));
    b.copy(&x, &mut y)?;
    quick.launch(&c, ONE, (100, &mut x))?;
    b.fill(&mut x, 7)?;
    let setter = thread::spawn(|| {
        thread::sleep(Duration::from_millis(20));
        set(6);
    });
    // Only this waits, for all of it.
    c.copy_from_slice(&mut x, &[8])?;
    setter.join().unwrap();
    assert_eq!((c.download(&x)?, c.download(&y)?), (vec![8], vec![12]));
    Ok(())
}

#[test]
fn a_panic_is_told_once_by_the_next_call_that_waits() -> Result {
    let Some((device, stream)) = ready()? else { return Ok(()) };
    let kernel = panics_behind::load(&device)?;
    let mut x = stream.upload(&[0])?;
    kernel.launch(&stream, ONE, (7, &mut x))?;
    stream.host(|| panic!("on purpose"))?;
    set(7);
    let error = stream.synchronize().unwrap_err();
    assert!(matches!(&error, Error::KernelPanic { message, .. } if message == "a zero"), "{error}");
    assert!(matches!(stream.synchronize(), Err(Error::HostPanic { .. })));
    stream.synchronize()?;
    assert_eq!(stream.download(&x)?, [0]);
    Ok(())
}

#[test]
fn all_may_be_dropped_while_work_uses_it() -> Result {
    let Some((device, stream)) = ready()? else { return Ok(()) };
    let (sender, receiver) = channel();
    let kernel = add_behind::load(&device)?;
    let mut x = stream.upload(&vec![1_u32; 1000])?;
    let mut y = stream.alloc_zeroed::<u32>(1000)?;
    let graph = stream.capture(|stream| stream.copy(&x, &mut y))?;
    kernel.launch(&stream, LaunchConfig::threads(1000), (NOW, 8, 4, &mut x))?;
    graph.launch(&stream)?;
    let staged = stream.copy_to_pinned(&y, stream.pinned(1000)?)?;
    let reached = stream.record()?;
    stream.on_host(&y, move |y| drop(sender.send(y.to_vec())))?;
    drop((kernel, x, y, graph, staged, reached, stream, device));
    // Memory of the same size is other memory.
    let stream = Device::cpu()?.stream()?;
    let others = (0..10).map(|_| stream.upload(&vec![9_u32; 1000])).collect::<Result<Vec<_>>>()?;
    set(8);
    assert_eq!(receiver.recv_timeout(SOON), Ok(vec![5; 1000]));
    for other in &others {
        assert_eq!(stream.download(other)?, vec![9; 1000]);
    }
    Ok(())
}

static RAN_ON: Mutex<Option<ThreadId>> = Mutex::new(None);

#[gpu_kernel]
fn says_where(t: Thread, mut x: PerThread<[u32]>) {
    if let Some(x) = x.get_mut(t) {
        *RAN_ON.lock().unwrap() = Some(thread::current().id());
        *x += 1;
    }
}

#[test]
fn a_launch_of_little_work_runs_on_the_thread_that_launches() -> Result {
    let Some((device, stream)) = ready()? else { return Ok(()) };
    let kernel = says_where::load(&device)?;
    let mut x = stream.alloc_zeroed::<u32>(1)?;
    // Nothing is known of the first; a thread that others interrupt may make one seem long.
    let is_here = (0..100).any(|_| {
        kernel.launch(&stream, ONE, (&mut x,)).and_then(|()| stream.synchronize()).unwrap();
        *RAN_ON.lock().unwrap() = None;
        kernel.launch(&stream, ONE, (&mut x,)).unwrap();
        let ran_on = *RAN_ON.lock().unwrap();
        stream.synchronize().unwrap();
        ran_on == Some(thread::current().id())
    });
    assert!(is_here);
    Ok(())
}

#[test]
fn events_have_the_times_at_which_work_was_done() -> Result {
    let Some((device, a)) = ready()? else { return Ok(()) };
    let b = device.stream()?;
    let kernel = add_behind::load(&device)?;
    let mut x = a.upload(&[1])?;
    let start = a.record()?;
    kernel.launch(&a, ONE, (NOW, 9, 1, &mut x))?;
    let end = a.record()?;
    b.wait(&end)?;
    let behind = b.record()?;
    let (sender, receiver) = channel();
    b.host(move || {
        let _ = sender.send(FLAGS[9].load(Ordering::SeqCst));
    })?;
    thread::sleep(Duration::from_millis(20));
    set(9);
    assert!(end.duration_since(&start)? >= Duration::from_millis(20));
    assert!(behind.duration_since(&start)? >= end.duration_since(&start)?);
    assert_eq!(start.duration_since(&end)?, Duration::ZERO);
    assert_eq!(receiver.recv_timeout(SOON), Ok(true));
    Ok(())
}

#[test]
fn replays_go_on_and_keep_the_arguments_that_they_had() -> Result {
    let Some((device, stream)) = ready()? else { return Ok(()) };
    let kernel = add_behind::load(&device)?;
    let mut x = stream.upload(&[1])?;
    let mut graph: Graph = stream.capture(|stream| kernel.launch(stream, ONE, (NOW, 10, 1, &mut x)))?;
    let node = graph.nodes(&kernel)[0];
    graph.launch(&stream)?;
    graph.launch(&device.stream()?)?;
    graph.update(node, ONE, (NOW, NOW, 100, &mut x))?;
    graph.launch(&device.stream()?)?;
    drop(graph);
    set(10);
    assert_eq!(stream.download(&x)?, [103]);
    Ok(())
}

#[test]
fn pinned_and_unified_memory_are_the_hosts_when_work_is_done() -> Result {
    let Some((device, stream)) = ready()? else { return Ok(()) };
    let kernel = add_behind::load(&device)?;
    let mut unified = stream.alloc_unified::<u32>(1)?;
    unified.write()?[0] = 3;
    kernel.launch(&stream, ONE, (NOW, 11, 1, &mut unified))?;
    let copied = stream.copy_to_pinned(&unified.slice(..)?, stream.pinned(1)?)?;
    assert!(!copied.is_done()?);
    set(11);
    assert_eq!(copied.wait()?[..], [4]);
    assert_eq!(unified.read()?, [4]);
    Ok(())
}

#[test]
fn panics_of_replays_and_of_other_streams_are_counted_and_what_comes_behind_them_is_done() -> Result {
    let Some((device, a)) = ready()? else { return Ok(()) };
    let b = device.stream()?;
    let (panics, quick) = (panics_behind::load(&device)?, add::load(&device)?);
    let (mut x, mut y) = (a.upload(&[0])?, b.upload(&[0])?);
    let graph = a.capture(|a| {
        panics.launch(a, ONE, (13, &mut x))?;
        quick.launch(a, ONE, (1, &mut x))
    })?;
    graph.launch(&a)?;
    panics.launch(&b, ONE, (13, &mut y))?;
    quick.launch(&b, ONE, (2, &mut y))?;
    // It isn't recorded what runs meanwhile.
    let copy = b.capture(|b| b.copy(&y, &mut x))?;
    set(13);
    drop((graph, panics, quick));
    b.wait(&a.record()?)?;
    // This waits for both.
    let error = b.download(&y).unwrap_err();
    assert!(matches!(&error, Error::KernelPanic { others: 1, .. }), "{error}");
    assert_eq!((b.download(&y)?, a.download(&x)?), (vec![2], vec![1]));
    copy.launch(&a)?;
    assert_eq!(b.download(&x)?, [2]);
    Ok(())
}

#[test]
fn who_gives_more_work_than_a_line_takes_waits_for_some_of_it() -> Result {
    let Some((device, stream)) = ready()? else { return Ok(()) };
    let (slow, quick) = (add_behind::load(&device)?, add::load(&device)?);
    let mut x = stream.upload(&[0])?;
    slow.launch(&stream, ONE, (NOW, 14, 0, &mut x))?;
    let setter = thread::spawn(|| {
        thread::sleep(Duration::from_millis(50));
        set(14);
    });
    for _ in 0..40_000 {
        quick.launch(&stream, ONE, (1, &mut x))?;
    }
    setter.join().unwrap();
    assert_eq!(stream.download(&x)?, [40_000]);
    Ok(())
}

#[test]
fn memory_that_work_still_uses_is_limited() -> Result {
    let Some((device, stream)) = ready()? else { return Ok(()) };
    let slow = add_behind::load(&device)?;
    let mut x = stream.upload(&[0])?;
    slow.launch(&stream, ONE, (NOW, 15, 0, &mut x))?;
    let setter = thread::spawn(|| {
        thread::sleep(Duration::from_millis(50));
        set(15);
    });
    // A quarter of a gibibyte, which is given back when the copies are done; who wants more waits for them.
    for _ in 0..6 {
        let large = stream.alloc_zeroed::<u32>(16 << 20)?;
        let mut copied = stream.upload(&[1])?;
        stream.copy(&large.slice(..1)?, &mut copied)?;
    }
    let is_limited = FLAGS[15].load(Ordering::SeqCst);
    let last = stream.alloc_zeroed::<u32>(1)?;
    assert!(is_limited || FLAGS[15].load(Ordering::SeqCst));
    setter.join().unwrap();
    assert_eq!(stream.download(&last)?, [0]);
    Ok(())
}

#[test]
fn a_host_function_may_wait_for_what_the_program_does_later() -> Result {
    let Some((_, stream)) = ready()? else { return Ok(()) };
    let (sender, receiver) = channel();
    let (told, tells) = channel();
    stream.host(move || {
        let _ = told.send(receiver.recv_timeout(SOON));
    })?;
    sender.send(5).unwrap();
    stream.synchronize()?;
    assert_eq!(tells.recv().unwrap(), Ok(5));
    Ok(())
}

#[test]
fn a_program_may_end_while_work_is_pending() -> Result {
    const VARIABLE: &str = "ENDS_WITH_WORK_PENDING";
    let Some((device, stream)) = ready()? else { return Ok(()) };
    if std::env::var_os(VARIABLE).is_some() {
        let mut x = stream.upload(&[1])?;
        add_behind::load(&device)?.launch(&stream, ONE, (NOW, 12, 1, &mut x))?;
        return stream.host(|| ());
    }
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", "a_program_may_end_while_work_is_pending"]).env(VARIABLE, "1");
    let begun = Instant::now();
    let output = child.output().unwrap();
    assert!(output.status.success() && begun.elapsed() < SOON, "{output:?}");
    Ok(())
}

/// Numbers below a bound, the same in each run.
struct Random(u32);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) as usize % bound
    }
}

#[gpu_kernel(requires = x.len() == y.len())]
fn mix(t: Thread, a: u32, x: &[u32], mut y: PerThread<[u32]>) {
    if let Some(y) = y.get_mut(t) {
        *y = y.wrapping_mul(3).wrapping_add(a.wrapping_mul(x[t.index()]));
    }
}

fn two(buffers: &mut [Buffer<u32>], from: usize, to: usize) -> Option<(&Buffer<u32>, &mut Buffer<u32>)> {
    let [from, to] = buffers.get_disjoint_mut([from, to]).ok()?;
    Some((from, to))
}

#[test]
fn random_work_on_several_streams_is_as_if_done_one_after_another() -> Result {
    // Most of the work is long, or behind what is, with the larger one.
    const LENGTHS: [usize; 2] = [100, 2_500_000];
    let Some((device, _)) = ready()? else { return Ok(()) };
    for (round, n) in (0..12).zip(LENGTHS.into_iter().cycle()) {
        let mut random = Random(round);
        let streams = (0..4).map(|_| device.stream()).collect::<Result<Vec<_>>>()?;
        let kernel = mix::load(&device)?;
        let mut buffers = (0..5_u32).map(|i| streams[0].upload(&vec![i; n])).collect::<Result<Vec<_>>>()?;
        let mut model: Vec<u32> = (0..5).collect();
        let graph = {
            let (x, y) = two(&mut buffers, 0, 1).unwrap();
            streams[0].capture(|stream| kernel.launch(stream, LaunchConfig::threads(n), (7, x, y)))?
        };
        let mix_model = |y: u32, a: u32, x: u32| y.wrapping_mul(3).wrapping_add(a.wrapping_mul(x));
        for step in 0..60 {
            let (stream, i, j) = (&streams[random.below(4)], random.below(5), random.below(5));
            match (random.below(8), two(&mut buffers, i, j)) {
                (0..=2, Some((x, y))) => {
                    kernel.launch(stream, LaunchConfig::threads(n), (step, x, y))?;
                    model[j] = mix_model(model[j], step, model[i]);
                }
                (3, Some((x, y))) => {
                    stream.copy(x, y)?;
                    model[j] = model[i];
                }
                (4, _) => {
                    stream.fill(&mut buffers[i], step)?;
                    model[i] = step;
                }
                (5, _) => {
                    graph.launch(stream)?;
                    model[1] = mix_model(model[1], 7, model[0]);
                }
                (6, Some((x, y))) => {
                    stream.on_host((x, y), |(x, y)| y.iter_mut().zip(x).for_each(|(y, x)| *y ^= x))?;
                    model[j] ^= model[i];
                }
                (7, _) if random.below(4) == 0 => {
                    // The graph has the first two.
                    let i = i.max(2);
                    buffers[i] = stream.upload(&vec![step; n])?;
                    model[i] = step;
                }
                _ => {}
            }
        }
        for (buffer, &value) in buffers.iter().zip(&model) {
            let found = streams[random.below(4)].download(buffer)?;
            assert!(found.iter().all(|&x| x == value), "round {round}: {} for {value}", found[0]);
        }
    }
    Ok(())
}
