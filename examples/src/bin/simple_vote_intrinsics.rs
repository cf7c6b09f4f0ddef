//! `simpleVoteIntrinsics` of the CUDA samples: whether any thread of a warp, or all of them, say yes, and which.

use gridwright::prelude::*;
#[host_only]
use {
    anyhow::ensure,
    clap::Parser,
    gridwright_examples::{Sample, up_to},
};

/// Threads in a workgroup.
const BLOCK: usize = 128;

/// For each thread its warp's answers: bit 0 that any said yes, bit 1 that all did; and how many lanes before it did.
#[gpu_kernel(block = BLOCK, requires = x.len() == answers.len() && before.len() == x.len())]
pub(crate) fn vote(g: &Group, x: &[u32], mut answers: PerThread<[u32]>, mut before: PerThread<[u32]>) {
    // Who is beyond the end says what the last one does.
    let yes = g.map((), |t, ()| x.get(t.index()).or(x.last()).is_some_and(|&x| x != 0));
    let (any, all, ballot) = (g.vote_any(&yes), g.vote_all(&yes), g.ballot(&yes));
    g.each(
        (&any, &all, &ballot, answers.elements_mut(), before.elements_mut()),
        |t, (any, all, ballot, answer, before)| {
            if let (Some(answer), Some(before)) = (answer, before) {
                *answer = u32::from(*any) | u32::from(*all) << 1;
                *before = (ballot & ((1 << t.lane()) - 1)).count_ones();
            }
        },
    );
}

/// Lets threads vote and checks the results.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    /// Threads.
    #[arg(long, default_value_t = 4096, value_parser = up_to::<{ 1 << 20 }>)]
    threads: usize,
}

#[host_only]
fn main() -> anyhow::Result<()> {
    let Sample { options: Options { threads }, device, stream, report } = Sample::begin("checked")?;
    // Some warps of one mind, some not.
    let x: Vec<u32> = (0..threads).map(|i| [0, 1, (i % 3 == 0) as u32][i / 64 % 3]).collect();
    let on_device = stream.upload(&x)?;
    let (mut answers, mut before) = (stream.alloc_zeroed(threads)?, stream.alloc_zeroed(threads)?);
    let config = LaunchConfig::threads(threads);
    vote::load(&device)?.launch(&stream, config, (&on_device, &mut answers, &mut before))?;

    let (answers, before) = (stream.download(&answers)?, stream.download(&before)?);
    // AMD's have 64 lanes on some devices: those whose groups of 64 are all of one mind or of three.
    let warp = [32, 64].into_iter().find(|&warp| {
        x.chunks(warp).enumerate().all(|(number, of_warp)| {
            let last = x[threads - 1];
            let is_cut = of_warp.len() < warp && threads % BLOCK != 0;
            let any = of_warp.iter().any(|&x| x != 0) || is_cut && last != 0;
            let all = of_warp.iter().all(|&x| x != 0) && (!is_cut || last != 0);
            let answer = u32::from(any) | u32::from(all) << 1;
            (0..of_warp.len()).all(|lane| {
                let yes = of_warp[..lane].iter().filter(|&&x| x != 0).count() as u32;
                answers[number * warp + lane] == answer && before[number * warp + lane] == yes
            })
        })
    });
    ensure!(warp.is_some() || threads == 0, "a warp's answers are wrong");
    report.row("checked", format_args!("{threads} threads in warps of {}", warp.unwrap_or_default()))
}
