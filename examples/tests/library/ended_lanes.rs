//! What a warp, or a group, goes by after a thread of it has panicked: on NVIDIA the others go on, all with one value.
//!
//! Each kernel goes by a value as often as it says, with something that all lanes do together in each turn: threads of
//! different minds would wait for each other.

use gridwright::prelude::*;

/// What lets a thread end.
macro_rules! ends {
    ($t:ident, $ends:ident) => {
        assert!($ends.get($t.index()) != Some(&1), "a lane ends");
    };
}

/// Kernels of warps. Groups of lanes are made before a lane ends, and are asked after it.
macro_rules! warps {
    ($($name:ident |$w:ident, $values:ident, $odd:ident, $active:ident, $parts:ident| $value:expr;)*) => {$(
        #[gpu_kernel]
        #[allow(unused_variables)]
        fn $name(g: &Group, ends: &[u32], mut out: PerThread<[[u64; 2]]>) {
            g.each_warp(&mut out, |$w, mut out| {
                let $odd = $w.map((), |t, ()| t.lane() % 2 == 1);
                let labels = $w.map((), |t, ()| t.lane() as u64 / 5);
                let not_the_last = $w.map((), |t, ()| t.lane() != 31);
                let ($active, $parts) = ($w.coalesced(&not_the_last), $w.labeled_partition(&labels));
                let $values = $w.map((), |t, ()| {
                    ends!(t, ends);
                    t.index() as u32 * 3 + 1
                });
                let value: u64 = $value;
                for _ in 0..value % 16 {
                    let odd = $w.count(&$odd);
                    $w.each(out.elements_mut(), |_, out| {
                        if let Some(out) = out {
                            out[0] += odd as u64;
                        }
                    });
                }
                $w.each(out.elements_mut(), |_, out| {
                    if let Some(out) = out {
                        *out = [1, value];
                    }
                });
            });
        }
    )*};
}

warps! {
    broadcast_of_the_first |w, values, odd, active, parts| w.broadcast(&values, 0).into();
    broadcast_of_one |w, values, odd, active, parts| w.broadcast(&values, 5).into();
    broadcast_of_the_last |w, values, odd, active, parts| w.broadcast(&values, w.len() - 1).into();
    broadcast_of_more |w, values, odd, active, parts| {
        let wide = w.map(&values, |_, value| [u64::from(*value), 7, 9]);
        w.broadcast(&wide, 5).iter().sum()
    };
    reduce |w, values, odd, active, parts| w.reduce(&values, |a, b| a + b).into();
    reduce_in_order |w, values, odd, active, parts| w.reduce(&values, |a, b| (a * 31 + b) % 1009).into();
    reduce_add |w, values, odd, active, parts| w.reduce_add(&values).into();
    reduce_xor_of_more |w, values, odd, active, parts| {
        w.reduce_xor(&w.map(&values, |_, value| u64::from(*value) << 20 | 3))
    };
    votes |w, values, odd, active, parts| {
        let large = w.map(&values, |_, value| *value > 50);
        u64::from(w.any(&large)) + 2 * u64::from(w.all(&large)) + 4 * w.count(&large) as u64 + w.ballot(&large)
    };
    invoke_one |w, values, odd, active, parts| w.invoke_one(|t| t.index() as u64 + 3);
    coalesced_broadcast |w, values, odd, active, parts| active.broadcast(&values, 5).into();
    coalesced_reduce |w, values, odd, active, parts| active.reduce(&values, |a, b| a + b).unwrap_or(5).into();
    coalesced_reduce_add |w, values, odd, active, parts| active.reduce_add(&values).unwrap_or(5).into();
    coalesced_reduce_of_more |w, values, odd, active, parts| {
        active.reduce_max(&w.map(&values, |_, value| u64::from(*value) << 3 | 3)).unwrap_or(5)
    };
    coalesced_invoke_one |w, values, odd, active, parts| {
        active.invoke_one(|t| t.index() as u64 + 3).unwrap_or(5)
    };
    coalesced_votes |w, values, odd, active, parts| {
        let (any, all) = (active.any(&odd), active.all(&odd));
        u64::from(any) + u64::from(all) + active.count(&odd) as u64 + active.ballot(&odd) + active.len() as u64
    };
    // Each lane has its own result: that of one of them.
    partition |w, values, odd, active, parts| {
        let sums = parts.reduce(&values, |a, b| a + b);
        let so_far = parts.scan_exclusive(&values, 3, |a, b| a + b);
        let of_first = parts.broadcast(&values, 0);
        let all = w.map((&sums, &so_far, &of_first), |_, (sum, so_far, first)| sum ^ so_far ^ first);
        w.broadcast(&all, 5).into()
    };
    scans |w, values, odd, active, parts| {
        let (total, before) = (w.scan_inclusive(&values, |a, b| a + b), w.scan_exclusive(&values, 3, |a, b| a + b));
        u64::from(w.broadcast(&total, w.len() - 1)) + u64::from(w.broadcast(&before, 5))
    };
    match_any |w, values, odd, active, parts| {
        let same = w.match_any(&w.map(&values, |_, value| u64::from(value % 4)));
        w.broadcast(&same, 5)
    };
    shuffles |w, values, odd, active, parts| {
        w.broadcast(&w.shuffle_xor(&w.shuffle_up(&w.shuffle_down(&values, 1), 2), 1), 0).into()
    };
}

/// The first lane indexes beyond the end, and its value says how often the warp goes round.
#[gpu_kernel(block = 32)]
fn turns_of_the_first(g: &Group, x: &[u32], mut out: PerThread<[u32]>) {
    g.each_warp(&mut out, |w, mut out| {
        let values = w.map((), |t, ()| x[31 - t.lane()] + t.lane() as u32);
        let most = w.broadcast(&values, 0);
        let mut turns = 0;
        while turns < most {
            turns += 1;
            let lanes = w.map((), |t, ()| t.lane() as u32);
            let _ = w.reduce_add(&lanes);
        }
        w.each(out.elements_mut(), |_, out| {
            if let Some(out) = out {
                *out = turns;
            }
        });
    });
    // And the group, by a sum of which the first lane's share is gone.
    let indices = g.map((), |t, ()| t.index() as u32);
    for _ in 0..g.reduce(&indices, |a, b| a + b) % 3 {
        g.each((), |_, ()| {});
    }
}

/// A lane ends in what one lane does for all.
#[gpu_kernel]
fn invoke_one_that_ends(g: &Group, ends: &[u32], mut out: PerThread<[[u64; 2]]>) {
    g.each_warp(&mut out, |w, mut out| {
        let value = w.invoke_one(|t| {
            ends!(t, ends);
            t.index() as u64 + 3
        });
        for _ in 0..value % 16 {
            w.each(out.elements_mut(), |_, out| {
                if let Some(out) = out {
                    out[0] += 1;
                }
            });
        }
        w.each(out.elements_mut(), |_, out| {
            if let Some(out) = out {
                *out = [1, value];
            }
        });
    });
}

/// Lanes end in the middle of a reduction.
#[gpu_kernel]
fn reduce_that_ends(g: &Group, ends: &[u32], mut out: PerThread<[[u64; 2]]>) {
    g.each_warp(&mut out, |w, mut out| {
        let values = w.map((), |t, ()| ends.get(t.index()).map_or(0, |ends| *ends));
        let value: u64 = w
            .reduce(&values, |a, b| {
                assert!(a + b != 1, "a lane ends");
                a + b + 2
            })
            .into();
        let total = w.reduce(&values, |a, b| a + b);
        for _ in 0..(value + u64::from(total)) % 16 {
            w.each(out.elements_mut(), |_, out| {
                if let Some(out) = out {
                    out[0] += 1;
                }
            });
        }
        w.each(out.elements_mut(), |_, out| {
            if let Some(out) = out {
                *out = [1, value];
            }
        });
    });
}

/// Tiles take ways of their own.
#[gpu_kernel]
fn tiles(g: &Group, ends: &[u32], mut out: PerThread<[[u64; 2]]>) {
    g.tiled::<8>().each_tile(&mut out, |tile, mut out| {
        let values = tile.map((), |t, ()| {
            ends!(t, ends);
            t.index() as u32 * 3 + 1
        });
        let (sum, of_one) = (tile.reduce(&values, |a, b| a + b), tile.broadcast(&values, 5));
        let value = u64::from(sum) << 32 | u64::from(of_one + tile.reduce_add(&values));
        for _ in 0..value % 16 {
            let count = tile.count(&tile.map(&values, |_, value| *value > 0));
            tile.each(out.elements_mut(), |_, out| {
                if let Some(out) = out {
                    out[0] += count as u64;
                }
            });
        }
        tile.each(out.elements_mut(), |_, out| {
            if let Some(out) = out {
                *out = [1, value];
            }
        });
    });
}

/// Kernels of groups.
macro_rules! groups {
    ($($name:ident |$g:ident, $values:ident| $value:expr;)*) => {$(
        #[gpu_kernel]
        fn $name($g: &Group, ends: &[u32], mut out: PerThread<[[u64; 2]]>) {
            let $values = $g.map((), |t, ()| {
                ends!(t, ends);
                t.index() as u32 * 3 + 1
            });
            let value: u64 = $value;
            for _ in 0..value % 16 {
                let count = $g.count(&$g.map(&$values, |_, value| *value > 0));
                $g.each(out.elements_mut(), |_, out| {
                    if let Some(out) = out {
                        out[0] += count as u64;
                    }
                });
            }
            $g.each(out.elements_mut(), |_, out| {
                if let Some(out) = out {
                    *out = [1, value];
                }
            });
        }
    )*};
}

groups! {
    group_reduce |g, values| g.reduce(&values, |a, b| a + b).into();
    group_reduce_in_order |g, values| g.reduce(&values, |a, b| (a * 31 + b) % 1009).into();
    group_broadcast_of_the_first |g, values| g.broadcast(&values, 0).into();
    group_broadcast_of_one |g, values| g.broadcast(&values, 5).into();
    group_broadcast_of_the_last |g, values| g.broadcast(&values, g.len() - 1).into();
    group_votes |g, values| {
        let large = g.map(&values, |_, value| *value > 50);
        u64::from(g.any(&large)) + 2 * u64::from(g.all(&large)) + 4 * g.count(&large) as u64
    };
    group_scans |g, values| {
        let (total, before) = (g.scan_inclusive(&values, |a, b| a + b), g.scan_exclusive(&values, 3, |a, b| a + b));
        u64::from(g.broadcast(&total, g.len() - 1)) + u64::from(g.broadcast(&before, 13))
    };
    group_of_warps_and_tiles |g, values| {
        let (warp, tile) = (g.warp_reduce(&values, |a, b| a + b), g.tiled::<8>().reduce_add(&values));
        u64::from(g.broadcast(&warp, 13)) + u64::from(g.broadcast(&tile, 13))
    };
}

#[cfg(not(gridwright_device))]
mod host {
    use gridwright::Error;
    use gridwright::prelude::*;

    use super::*;
    use crate::device;

    /// Runs a kernel in two groups in which threads of the first end, and compares what each run of so many threads that has
    /// one mind went by. Lanes that aren't there or end have nothing to say.
    fn agree<K>(
        name: &str,
        device: &Device,
        kernel: &K,
        mind: Option<usize>,
        launch: impl Fn(&K, &Stream, LaunchConfig, &Buffer<u32>, &mut Buffer<[u64; 2]>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let stream = device.stream()?;
        for block in [32, 40, 64] {
            for ended in [&[0][..], &[5], &[13], &[31], &[0, 1, 2, 13, 30, 31], &[5, 7]] {
                let what = format!("{name}, groups of {block}, {ended:?} end");
                let mut ends = vec![0; 2 * block];
                ended.iter().for_each(|&thread| ends[thread] = 1);
                let ends = stream.upload(&ends)?;
                let mut out = stream.alloc_zeroed(2 * block)?;
                launch(kernel, &stream, LaunchConfig::grid(2, block), &ends, &mut out)?;
                match stream.synchronize() {
                    Err(Error::KernelPanic { message, .. }) => assert_eq!(message, "a lane ends", "{what}"),
                    // Threads that do nothing of what would end them.
                    Ok(()) if name.ends_with("that_ends") => continue,
                    other => panic!("{what}: {other:?}"),
                }
                let out = stream.download(&out)?;
                for group in out.chunks(block) {
                    for of_one_mind in group.chunks(mind.unwrap_or(block)) {
                        let mut living = of_one_mind.iter().filter(|[lives, _]| *lives != 0);
                        let first = living.next();
                        assert!(living.all(|other| Some(other) == first), "{what}: {of_one_mind:?}");
                    }
                }
                let living = out.iter().filter(|[lives, _]| *lives != 0).count();
                let end_alone =
                    std::env::var_os("GRIDWRIGHT_DEVICE").is_some_and(|device| device == "emulator");
                if end_alone && !name.ends_with("that_ends") {
                    assert_eq!(living, 2 * block - ended.len(), "{what}: the others go on");
                }
            }
        }
        Ok(())
    }

    #[test]
    fn lanes_that_live_go_round_as_often_as_each_other() -> Result<(), Error> {
        let device = device()?;
        let stream = device.stream()?;
        let x = stream.upload(&[3_u32; 31])?;
        let mut out = stream.alloc_zeroed::<u32>(32)?;
        turns_of_the_first::load(&device)?.launch(&stream, LaunchConfig::grid(1, 32), (&x, &mut out))?;
        match stream.synchronize() {
            Err(Error::KernelPanic { message, .. }) => {
                assert!(message.starts_with("index out of bounds"), "{message}");
            }
            other => panic!("{other:?}"),
        }
        let out = stream.download(&out)?;
        assert_eq!(out[0], 0, "it ended");
        assert!(out[1..].iter().all(|turns| *turns == out[1]), "{out:?}");
        Ok(())
    }

    macro_rules! tests {
        ($($test:ident: $mind:expr, $($kernel:ident)*;)*) => {$(
            #[test]
            fn $test() -> Result<(), Error> {
                let device = device()?;
                $(agree(stringify!($kernel), &device, &$kernel::load(&device)?, $mind, |kernel, stream, config, ends, out| {
                    kernel.launch(stream, config, (ends, out))
                })?;)*
                Ok(())
            }
        )*};
    }

    tests! {
        lanes_that_live_get_one_value_of_a_lane_that_ended: Some(32),
            broadcast_of_the_first broadcast_of_one broadcast_of_the_last broadcast_of_more;
        lanes_that_live_get_one_value_of_a_reduction: Some(32),
            reduce reduce_in_order reduce_add reduce_xor_of_more reduce_that_ends;
        lanes_that_live_get_one_value_of_a_vote: Some(32), votes;
        lanes_that_live_get_one_value_of_what_one_did_for_all: Some(32), invoke_one invoke_one_that_ends;
        lanes_that_live_get_one_value_of_a_group_of_lanes: Some(32),
            coalesced_broadcast coalesced_reduce coalesced_reduce_add coalesced_reduce_of_more coalesced_invoke_one
            coalesced_votes;
        lanes_that_live_get_one_value_of_what_each_lane_has: Some(32), partition scans match_any shuffles;
        lanes_that_live_get_one_value_of_their_tile: Some(8), tiles;
        threads_that_live_get_one_value_of_their_group: None,
            group_reduce group_reduce_in_order group_broadcast_of_the_first group_broadcast_of_one
            group_broadcast_of_the_last group_votes group_scans group_of_warps_and_tiles;
    }
}
