//! Kernels that launch kernels, which the CPU allows: the inner group's memory is not the outer's.

use std::cell::Cell;

use gridwright::Error;
use gridwright::prelude::*;

use crate::{Result, cpu};

#[gpu_kernel]
fn fill(g: &Group, mut out: PerThread<[u32]>, mut w: Workgroup<[u32]>) {
    let mut noise = g.private(u32::MAX);
    g.each((w.elements_mut(), &mut noise), |_, (w, noise)| (*w, *noise) = (0xdead, 0xbeef));
    g.each((out.elements_mut(), w.elements(), &noise), |_, (out, w, noise)| {
        if let Some(out) = out {
            *out = *w + *noise;
        }
    });
}

/// Launches a kernel of groups within a kernel.
fn launch_another() -> Result<Vec<u32>> {
    let (device, stream) = cpu()?;
    let mut out = stream.alloc_zeroed::<u32>(256)?;
    let config = LaunchConfig::grid(4, 64).workgroup::<u32>(64);
    fill::load(&device)?.launch(&stream, config, (&mut out,))?;
    stream.download(&out)
}

#[test]
fn a_kernel_launched_in_a_phase_leaves_the_outer_memory_alone() -> Result {
    #[gpu_kernel(block = 64)]
    fn outer(g: &Group, mut errors: PerGroup<[u32]>, mut w: Workgroup<[u32; 64]>) {
        let kept = g.map((), |t, ()| t.index() as u32);
        g.each(w.elements_mut(), |t, w| *w = t.index() as u32);
        g.each((w.elements(), &kept), |t, (w, kept)| {
            if t.local().x % 32 == 0 {
                assert_eq!(launch_another().ok(), Some(vec![0xdead + 0xbeef; 256]));
                assert_eq!((*w, *kept), (t.index() as u32, t.index() as u32));
            }
        });
        let made_after = g.private(1_u32);
        let bad = g.map((w.elements(), &kept, &made_after), |t, (w, kept, one)| {
            (*w, *kept, *one) != (t.index() as u32, t.index() as u32, 1)
        });
        errors.set(g, g.count(&bad) as u32);
    }
    let (device, stream) = cpu()?;
    let mut errors = stream.upload(&[99_u32; 20])?;
    outer::load(&device)?.launch(&stream, LaunchConfig::grid(20, 64), (&mut errors,))?;
    assert_eq!(stream.download(&errors)?, [0; 20]);
    Ok(())
}

thread_local! {
    static OUTER: Cell<Option<Thread<'static>>> = const { Cell::new(None) };
}

#[test]
fn a_thread_of_the_outer_kernel_owns_nothing_in_the_inner_one() -> Result {
    #[gpu_kernel]
    fn inner_asks(_t: Thread, mut row: PerThread<[u32]>, mut m: PerThread<Matrix<u32>>) {
        if let Some(outer) = OUTER.get() {
            assert!(row.get_mut(outer).is_none() && m.get_mut(outer).is_none());
        }
    }

    #[gpu_kernel]
    fn outer_lends(t: Thread) {
        // What a crate for thread-locals with a scope would do, in code that is sound.
        // SAFETY: it is gone from there when the inner launch, which happens here, has ended.
        OUTER.set(Some(unsafe { std::mem::transmute::<Thread<'_>, Thread<'static>>(t) }));
        let launched = launch_inner();
        OUTER.set(None);
        assert!(launched.is_ok(), "{launched:?}");
    }

    fn launch_inner() -> Result {
        let (device, stream) = cpu()?;
        let (mut row, mut m) = (stream.upload(&[0; 9])?, stream.upload_matrix(1, 9, &[0; 9])?);
        inner_asks::load(&device)?.launch(&stream, LaunchConfig::threads(9), (&mut row, &mut m))?;
        stream.synchronize()
    }

    let (device, stream) = cpu()?;
    outer_lends::load(&device)?.launch(&stream, LaunchConfig::threads(3), ())?;
    stream.synchronize()
}

/// A group, whatever its shape.
trait Opens {
    /// In one of several ways.
    fn open(&self, way: usize, row: PerThread<'_, [u32]>, m: PerThread<'_, Matrix<u32>>);
}

const WAYS: usize = 4;

impl<S: GroupShape> Opens for Group<'_, S> {
    fn open(&self, way: usize, mut row: PerThread<'_, [u32]>, mut m: PerThread<'_, Matrix<u32>>) {
        let set = |element: Option<&mut u32>| {
            if let Some(element) = element {
                *element = 1;
            }
        };
        match way {
            0 => self.each(row.elements_mut(), |_, row| set(row)),
            1 => self.each(m.elements_mut(), |_, m| set(m)),
            2 => self.each(row.elements_new(), |_, row| set(row)),
            _ => self.each(row.elements_new().deinterleaved(), |_, row| set(row)),
        }
    }
}

thread_local! {
    static OUTER_GROUP: Cell<Option<&'static dyn Opens>> = const { Cell::new(None) };
}

#[test]
fn a_group_of_the_outer_kernel_hands_out_nothing_of_the_inner_one() -> Result {
    #[gpu_kernel]
    fn inner_is_handed_out(t: Thread, way: usize, row: PerThread<[u32]>, m: PerThread<Matrix<u32>>) {
        if let (Some(outer), 5) = (OUTER_GROUP.get(), t.index()) {
            outer.open(way, row, m);
        }
    }

    #[gpu_kernel(block = 4)]
    fn outer_lends_its_group(g: &Group) {
        let outer: &dyn Opens = g;
        // SAFETY: it is gone from there when the inner launches, which happen here, have ended.
        OUTER_GROUP.set(Some(unsafe { std::mem::transmute::<&dyn Opens, &'static dyn Opens>(outer) }));
        let launched: [Result; WAYS] = std::array::from_fn(launch_inner);
        OUTER_GROUP.set(None);
        for launched in launched {
            assert!(
                matches!(&launched, Err(Error::KernelPanic { kernel: "inner_is_handed_out", message, .. })
                    if message.contains("the threads of another launch own")),
                "{launched:?}"
            );
        }
    }

    fn launch_inner(way: usize) -> Result {
        let (device, stream) = cpu()?;
        let (mut row, mut m) = (stream.upload(&[0; 9])?, stream.upload_matrix(1, 9, &[0; 9])?);
        let kernel = inner_is_handed_out::load(&device)?;
        kernel.launch(&stream, LaunchConfig::threads(9), (way, &mut row, &mut m))?;
        stream.synchronize()
    }

    let (device, stream) = cpu()?;
    outer_lends_its_group::load(&device)?.launch(&stream, LaunchConfig::grid(1, 4), ())?;
    stream.synchronize()
}

/// A cluster that its own groups see, as a crate lends what stays on one OS thread.
struct OnThisThread<'c, T>(&'c T);

// SAFETY: nobody sends it.
unsafe impl<T> Sync for OnThisThread<'_, T> {}

#[test]
fn a_cluster_gives_its_groups_no_values_of_a_group() -> Result {
    #[gpu_kernel(block = 32)]
    fn gives_a_groups_values(cluster: &Cluster, mut out: PerGroup<[u32]>) {
        let all = OnThisThread(cluster);
        cluster.each_group(&mut out, |g, mut out| {
            let all = &all;
            let mut of_group = g.private(1_u32);
            all.0.each_group(&mut of_group, |g, mut values| g.each(&mut values, |_, value| *value = 1000));
            out.set(g, g.reduce(&of_group, |a, b| a + b));
        });
    }
    let (device, stream) = cpu()?;
    let mut out = stream.alloc_zeroed::<u32>(8)?;
    let kernel = gives_a_groups_values::load(&device)?;
    let launched = kernel.launch(&stream, LaunchConfig::grid(8, 32).cluster(8), (&mut out,));
    let launched = launched.and_then(|()| stream.synchronize());
    assert!(
        matches!(&launched, Err(Error::KernelPanic { message, .. }) if message.contains("private values of 32 threads")),
        "{launched:?}"
    );
    Ok(())
}

/// What an outer cluster has, for whoever runs within it on the same OS thread.
struct OfOuter {
    out: *mut PerGroup<'static, [u32]>,
    memory: *mut ClusterMemory<'static, [u32; 32]>,
}

thread_local! {
    static OF_OUTER: Cell<Option<&'static OfOuter>> = const { Cell::new(None) };
}

#[test]
fn a_cluster_gives_its_groups_nothing_of_another_launch() -> Result {
    const WAYS: u32 = 4;

    #[gpu_kernel(block = 32)]
    fn is_given_the_outer_ones(cluster: &Cluster, way: u32) {
        let Some(outer) = OF_OUTER.get() else { return };
        // SAFETY: they live while the outer kernel waits for this one, on the same thread, and nobody else uses them then.
        let (out, memory) = unsafe { (&mut *outer.out, &mut *outer.memory) };
        match way {
            0 => cluster.each_group(out, |g, mut out| out.set(g, 1)),
            1 => cluster.each_group(memory, |g, mut memory| g.fill(&mut memory, 1)),
            2 => cluster.each_group(&*memory, |g, parts| g.each((), |_, ()| assert_eq!(parts.of(15)[0], 0))),
            _ => cluster.each_group(memory.atomic(), |g, parts| {
                g.each((), |t, ()| {
                    parts.of(15).fetch_add(t, 0, 1);
                });
            }),
        }
    }

    #[gpu_kernel(block = 32)]
    fn lends_what_it_has(_cluster: &Cluster, mut out: PerGroup<[u32]>, mut memory: ClusterMemory<[u32; 32]>) {
        let lent = OfOuter {
            out: std::ptr::from_mut(&mut out).cast(),
            memory: std::ptr::from_mut(&mut memory).cast(),
        };
        // SAFETY: it is taken back before this ends.
        OF_OUTER.set(Some(unsafe { std::mem::transmute::<&OfOuter, &'static OfOuter>(&lent) }));
        let launched: Vec<Result> = (0..WAYS).map(launch_inner).collect();
        OF_OUTER.set(None);
        for launched in launched {
            assert!(
                matches!(&launched, Err(Error::KernelPanic { kernel: "is_given_the_outer_ones", message, .. })
                    if message.contains("memory of another launch")),
                "{launched:?}"
            );
        }
    }

    fn launch_inner(way: u32) -> Result {
        let (device, stream) = cpu()?;
        // More groups than the outer cluster has.
        let config = LaunchConfig::grid(16, 32).cluster(16);
        is_given_the_outer_ones::load(&device)?.launch(&stream, config, (way,))?;
        stream.synchronize()
    }

    let (device, stream) = cpu()?;
    let mut out = stream.alloc_zeroed::<u32>(64)?;
    let config = LaunchConfig::grid(2, 32).cluster(2);
    lends_what_it_has::load(&device)?.launch(&stream, config, (&mut out,))?;
    assert_eq!(stream.download(&out)?, [0; 64]);
    Ok(())
}

/// What an outer group or grid has, for whoever runs within it on the same OS thread.
#[derive(Clone, Copy)]
enum Lent {
    Element(*mut PerGroup<'static, [u32]>),
    Array(*mut PerGroup<'static, [[u32; 4]]>),
    Tile(*mut PerGroup<'static, Matrix<u32>, Tiles<4, 4>>),
    Grid(*mut GridMemory<'static, [u32]>),
}

thread_local! {
    static LENT: Cell<Option<Lent>> = const { Cell::new(None) };
}

/// Runs kernels within another one, which lends them what its launch's groups own.
fn each_is_refused(lent: Lent, ways: u32) {
    LENT.set(Some(lent));
    let launched: Vec<Result> = (0..ways).map(|way| launch_with(lent, way)).collect();
    LENT.set(None);
    for (way, launched) in launched.into_iter().enumerate() {
        assert!(
            matches!(&launched, Err(Error::KernelPanic { message, .. })
                if message.contains("the threads of another launch own")),
            "{way}: {launched:?}"
        );
    }
}

fn launch_with(lent: Lent, way: u32) -> Result {
    let (device, stream) = cpu()?;
    if matches!(lent, Lent::Grid(_)) {
        writes_an_outer_grids::load(&device)?.launch(&stream, LaunchConfig::grid(2, 4), (way,))?;
    } else {
        writes_an_outer_groups::load(&device)?.launch(&stream, LaunchConfig::grid(2, 4), ())?;
    }
    stream.synchronize()
}

#[gpu_kernel(block = 4)]
fn writes_an_outer_groups(g: &Group) {
    // SAFETY: they live while the outer kernel waits for this one, on the same thread, and nobody else uses them then.
    unsafe {
        match LENT.get() {
            Some(Lent::Element(element)) => (*element).set(g, 1),
            Some(Lent::Array(array)) => g.each((*array).elements_mut(), |_, slot| *slot = 1),
            Some(Lent::Tile(tile)) => {
                g.each((*tile).patches_mut::<4, 1>(), |_, patch| {
                    patch.for_each(|_, _, element| *element = 1);
                });
            }
            _ => {}
        }
    }
}

#[gpu_kernel(block = 4)]
fn writes_an_outer_grids(grid: &Grid, way: u32) {
    let Some(Lent::Grid(memory)) = LENT.get() else { return };
    // SAFETY: it lives while the outer kernel waits for this one, on the same thread, and nobody else uses it then.
    let memory = unsafe { &mut *memory };
    match way {
        0 => grid.each(memory.grid_stride_mut(), |_, mine| mine.for_each(|_, x| *x = 1)),
        1 => grid.each(memory.elements_mut(), |_, x| x.into_iter().for_each(|x| *x = 1)),
        2 => grid.each_group(memory.per_group(), |g, mut x| x.set(g, 1)),
        _ => grid.each_group(memory.per_thread(), |_, _| {}),
    }
}

#[test]
fn a_group_writes_nothing_that_groups_of_another_launch_own() -> Result {
    #[gpu_kernel(block = 4)]
    fn lends_what_a_group_has(
        _g: &Group,
        mut element: PerGroup<[u32]>,
        mut array: PerGroup<[[u32; 4]]>,
        mut tile: PerGroup<Matrix<u32>, Tiles<4, 4>>,
    ) {
        each_is_refused(Lent::Element(std::ptr::from_mut(&mut element).cast()), 1);
        each_is_refused(Lent::Array(std::ptr::from_mut(&mut array).cast()), 1);
        each_is_refused(Lent::Tile(std::ptr::from_mut(&mut tile).cast()), 1);
    }

    let (device, stream) = cpu()?;
    let (mut elements, mut arrays) = (stream.upload(&[0])?, stream.upload(&[[0; 4]])?);
    let mut m = stream.upload_matrix(4, 4, &[0; 16])?;
    let arguments = (&mut elements, &mut arrays, &mut m);
    lends_what_a_group_has::load(&device)?.launch(&stream, LaunchConfig::grid(1, 4), arguments)?;
    assert_eq!(stream.download(&elements)?, [0]);
    assert_eq!(stream.download(&arrays)?, [[0; 4]]);
    Ok(())
}

#[test]
fn a_grid_writes_nothing_that_threads_of_another_launch_own() -> Result {
    #[gpu_kernel(block = 4)]
    fn lends_what_a_grid_has(_grid: &Grid, mut memory: GridMemory<[u32]>) {
        each_is_refused(Lent::Grid(std::ptr::from_mut(&mut memory).cast()), 4);
    }

    let (device, stream) = cpu()?;
    let mut x = stream.upload(&[0; 8])?;
    lends_what_a_grid_has::load(&device)?.launch(&stream, LaunchConfig::grid(1, 4), (&mut x,))?;
    assert_eq!(stream.download(&x)?, [0; 8]);
    Ok(())
}

#[test]
fn a_panic_of_an_inner_kernel_is_the_inner_devices() -> Result {
    #[gpu_kernel]
    fn inner(g: &Group) {
        g.each((), |t, ()| assert!(t.index() != 5, "inner"));
    }

    #[gpu_kernel]
    fn launches(t: Thread, mut out: PerThread<[u32]>) {
        if let Some(out) = out.get_mut(t) {
            let run = || -> Result {
                let (device, stream) = cpu()?;
                inner::load(&device)?.launch(&stream, LaunchConfig::grid(1, 8), ())?;
                stream.synchronize()
            };
            *out = match run() {
                Err(Error::KernelPanic { kernel: "inner", thread: [5, 0, 0], .. }) => 1,
                _ => 2,
            };
        }
    }
    let (device, stream) = cpu()?;
    let mut out = stream.alloc_zeroed::<u32>(10)?;
    launches::load(&device)?.launch(&stream, LaunchConfig::threads(10), (&mut out,))?;
    assert_eq!(stream.download(&out)?, [1; 10]);
    Ok(())
}

#[test]
fn workgroup_memory_may_be_lent_to_another_os_thread_and_comes_back() -> Result {
    #[gpu_kernel(block = 32)]
    fn lend(g: &Group, mut errors: PerGroup<[u32]>, mut w: Workgroup<[u32; 32]>) {
        g.each(w.elements_mut(), |t, w| *w = t.local().x as u32);
        // It is `Send`, but what can be done with it takes the group, which isn't.
        let w = std::thread::scope(|scope| scope.spawn(move || w).join().expect("nothing panics there"));
        let bad = g.map(w.elements(), |t, w| *w != t.local().x as u32);
        errors.set(g, g.count(&bad) as u32);
    }
    let (device, stream) = cpu()?;
    let mut errors = stream.upload(&[99_u32; 3])?;
    lend::load(&device)?.launch(&stream, LaunchConfig::grid(3, 32), (&mut errors,))?;
    assert_eq!(stream.download(&errors)?, [0; 3]);
    Ok(())
}
