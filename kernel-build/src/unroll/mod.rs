//! Stage *unroll*: LLVM IR → IR without loops over arrays, and with those arrays in registers.
//!
//! rustc runs LLVM's passes for the target, and for a GPU they don't thread jumps: a way that lanes share would be split. So the `None` that
//! ends `for x in array` is tested twice, the loop has no trip count, and an array that a loop indexes lies in local memory. Threads of
//! jumps are therefore made for no target, which splits no way with more than two instructions on it; then the usual passes go on. What
//! still has arrays in local memory is tried again, with [loops in one](one_loop) and their first turns peeled off.

mod alignment;
mod blocks;
pub(crate) mod kernels;
mod nulls;
mod one_loop;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::Path;

use crate::architecture::Family;
use crate::files::write_if_changed;
use crate::llvm::{self, Passes, Target};
use crate::lower::Lowering;
use kernels::Kernel;

/// Splits ways, for no target in particular: of a GPU LLVM says that lanes part, and does nothing.
const THREADS: &str = "jump-threading";

/// What `-O3` does with loops and what becomes of them.
const LOOPS: &str = "simplifycfg,sroa,early-cse<memssa>,instcombine<no-verify-fixpoint>,loop-mssa(loop-rotate,licm),simplifycfg,\
                     instcombine<no-verify-fixpoint>,loop(indvars),loop-unroll<O3;upperbound>,sroa,gvn,sccp,\
                     instcombine<no-verify-fixpoint>,dse,alignment-from-assumptions,simplifycfg,instcombine<no-verify-fixpoint>,sroa,\
                     early-cse,instcombine<no-verify-fixpoint>";

/// What constants leave.
const CLEAN: &str = "instcombine<no-verify-fixpoint>,simplifycfg,gvn,simplifycfg";

/// - Two instructions may be doubled where a way is split: a comparison with `None`, and another condition with it.
/// - Turns that a loop has at most are unrolled as those are that it has.
const ARGUMENTS: [&str; 2] = ["-jump-threading-threshold=2", "-unroll-max-upperbound=64"];

/// Turns that are peeled off each loop of a kernel that is tried again: arrays of so many elements, less one, are done then.
const PEELED: &str = "-unroll-peel-count=17";
const PEELED_TURNS: usize = 17;

/// A kernel that would have more lines with these turns isn't tried: the passes would take minutes.
const MOST_LINES_TRIED: usize = 20_000;

/// A kernel whose arrays are gone may be so many times as long, or longer by so many lines.
const LONGER: usize = 2;
const MORE_LINES: usize = 600;

/// The IR with loops unrolled; as it is where the toolchain has no library of LLVM. What an earlier build made of the same is taken.
pub(crate) fn unroll<'t>(lowering: &Lowering, ir: &'t str) -> Cow<'t, str> {
    let Some(library) = llvm::library(&lowering.sysroot) else { return Cow::Borrowed(ir) };
    let mut hash = DefaultHasher::new();
    ir.hash(&mut hash);
    let head = format!("; {} {} {:016x}\n", library.display(), lowering.target, hash.finish());
    if let Ok(old) = fs::read_to_string(&lowering.unrolled)
        && let Some(unrolled) = old.strip_prefix(&head)
    {
        return Cow::Owned(unrolled.to_owned());
    }
    match unrolled(&library, &lowering.target, ir) {
        Ok(unrolled) => {
            // A record that can't be written is made again by the next build.
            let _ = write_if_changed(&lowering.unrolled, format!("{head}{unrolled}").as_bytes());
            Cow::Owned(unrolled)
        }
        // The same program, with its loops.
        Err(_) => Cow::Borrowed(ir),
    }
}

fn unrolled(library: &Path, target: &Target, ir: &str) -> Result<String, String> {
    let run = |arguments: &[&'static str], functions: Option<&[String]>, ir: &str| {
        let mut target = target.clone();
        target.arguments.extend(ARGUMENTS.iter().chain(arguments));
        let passes = [(THREADS, false), (LOOPS, true)].map(|(pipeline, knows_target)| Passes {
            pipeline,
            knows_target,
            functions: functions.map(<[String]>::to_vec),
        });
        llvm::run(library, &target, passes.to_vec(), ir)
    };
    let clean = |ir: &str| {
        let passes = Passes { pipeline: CLEAN, knows_target: true, functions: None };
        llvm::run(library, target, vec![passes], ir)
    };
    let ir = nulls::answered(ir);
    let ir = alignment::said_of_pointers(&ir);
    let first = match target.family {
        Family::Nvidia => run(&[], None, &ir)?,
        // Its compiler keeps small arrays in registers even so, and gets loops wrong that nobody needs: only what has arrays left.
        Family::Amd => better(&ir, &with_arrays(&ir, |_| true), |names| run(&[], Some(names), &ir))?,
    };
    // Threads of jumps leave some more.
    let first = match nulls::answered(&first) {
        Cow::Owned(answered) => clean(&answered)?,
        Cow::Borrowed(_) => first,
    };
    // Loops in one part lanes elsewhere: not where something depends on which are together.
    let mut names = with_arrays(&first, |kernel| {
        !kernel.is_convergent && kernel.lines.saturating_mul(PEELED_TURNS) <= MOST_LINES_TRIED
    });
    names.retain(|name| one_loop::lines_with_turns(&first, name, PEELED_TURNS) <= MOST_LINES_TRIED);
    better(&first, &names, |names| run(&[PEELED], Some(names), &one_loop::in_one(&first, names)))
}

/// The kernels that have arrays in local memory, of those that are asked for.
fn with_arrays(ir: &str, is_asked: impl Fn(&Kernel) -> bool) -> Vec<String> {
    let kernels =
        kernels::read(ir).into_iter().filter(|(_, kernel)| kernel.local_bytes > 0 && is_asked(kernel));
    kernels.map(|(name, _)| name.to_owned()).collect()
}

/// What becomes of the program by a change of those of the named kernels that have less in local memory by it, and aren't much longer.
fn better(
    ir: &str,
    names: &[String],
    change: impl Fn(&[String]) -> Result<String, String>,
) -> Result<String, String> {
    if names.is_empty() {
        return Ok(ir.to_owned());
    }
    let tried = change(names)?;
    let good: Vec<String> = {
        let (before, after) = (kernels::read(ir), kernels::read(&tried));
        let kernel = |of: &BTreeMap<&str, Kernel>, name: &String| of.get(name.as_str()).copied();
        let is_better = |name: &&String| {
            kernel(&before, name).zip(kernel(&after, name)).is_some_and(|(old, new)| {
                let most = old.lines.saturating_mul(LONGER).max(old.lines.saturating_add(MORE_LINES));
                new.local_bytes < old.local_bytes && new.lines <= most
            })
        };
        names.iter().filter(is_better).cloned().collect()
    };
    match good.len() {
        0 => Ok(ir.to_owned()),
        all if all == names.len() => Ok(tried),
        _ => change(&good),
    }
}
