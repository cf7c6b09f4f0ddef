//! Barriers that separate nothing, in LLVM IR for AMD. [`barriers`](super::barriers) says of which that is true.
//!
//! What isn't understood stays, and counts as the worst that it could be.

use std::collections::{BTreeMap, BTreeSet};

use super::touched::{Touched, touched};
use crate::ir;

/// The IR with fewer barriers; `None` if none can go.
pub(crate) fn remove(ir: &str) -> Option<String> {
    let lines: Vec<&str> = ir.split_inclusive('\n').collect();
    let mut idle = BTreeSet::new();
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        at += 1;
        if line.starts_with("define ") && ir::is_kernel(line) {
            let length = lines[at..].iter().position(|line| line.trim_end() == "}")?;
            let found = Body::new(&lines[at..at + length]).idle().unwrap_or_default();
            idle.extend(found.iter().flat_map(|barrier| AROUND.map(|(offset, _)| at + barrier + offset - 2)));
            at += length;
        }
    }
    let kept = lines.iter().enumerate().filter(|(at, _)| !idle.contains(at)).map(|(_, line)| *line);
    (!idle.is_empty()).then(|| kept.collect())
}

/// The lines that make a barrier of workgroup memory, from the second before the hardware's own.
const AROUND: [(usize, &str); 4] = [
    (0, "fence syncscope(\"singlethread\") seq_cst"),
    (1, "call void @llvm.amdgcn.s.waitcnt(i32 0)"),
    (2, BARRIER),
    (3, "fence syncscope(\"singlethread\") seq_cst"),
];

const BARRIER: &str = "call void @llvm.amdgcn.s.barrier()";

/// The lines of a kernel.
struct Body<'t> {
    /// Without what stands before an instruction: its result, and that it is a tail call.
    lines: Vec<&'t str>,
    labels: BTreeMap<&'t str, usize>,
}

impl<'t> Body<'t> {
    fn new(lines: &[&'t str]) -> Self {
        let labels = lines.iter().enumerate().filter_map(|(at, line)| Some((label(line)?, at))).collect();
        Self { lines: lines.iter().map(|line| instruction(line)).collect(), labels }
    }

    /// The barriers that separate nothing; `None` if it isn't known where control goes.
    fn idle(&self) -> Option<Vec<usize>> {
        let count = self.lines.len();
        let mut before = vec![Vec::new(); count];
        let after: Vec<Vec<usize>> = (0..count).map(|at| self.next(at)).collect::<Option<_>>()?;
        for (at, next) in after.iter().enumerate() {
            next.iter().for_each(|&to| before[to].push(at));
        }
        let all: Vec<usize> = (0..count).filter(|&at| self.lines[at].starts_with(BARRIER)).collect();
        let mut barriers: BTreeSet<usize> = all.iter().copied().collect();
        let mut idle = Vec::new();
        for at in all {
            let is_whole = AROUND.iter().all(|(offset, start)| {
                let line = (at + offset).checked_sub(2).and_then(|at| self.lines.get(at));
                line.is_some_and(|line| line.starts_with(start))
            });
            let earlier = touched(at, &before, &barriers, |at| self.touch(at));
            let later = touched(at, &after, &barriers, |at| self.touch(at));
            if is_whole && !earlier.meets(later) {
                barriers.remove(&at);
                idle.push(at);
            }
        }
        Some(idle)
    }

    /// The lines that may come after one.
    fn next(&self, at: usize) -> Option<Vec<usize>> {
        let line = self.lines[at];
        match opcode(line) {
            "ret" | "unreachable" => Some(Vec::new()),
            "br" => self.targets(line),
            "switch" => {
                let length = self.lines[at..].iter().position(|line| line.contains(']'))?;
                self.targets(&self.lines[at..=at + length].join(" "))
            }
            "indirectbr" | "callbr" | "invoke" | "resume" => None,
            _ => (at + 1 < self.lines.len()).then(|| vec![at + 1]),
        }
    }

    /// The labels that a text names; `None` if one isn't here.
    fn targets(&self, text: &str) -> Option<Vec<usize>> {
        let names = text.split("label %").skip(1).map(|name| match name.strip_prefix('"') {
            Some(quoted) => quoted.split('"').next(),
            None => name.split([',', ' ']).next(),
        });
        names.map(|name| self.labels.get(name?).copied()).collect()
    }

    fn touch(&self, at: usize) -> Touched {
        let line = self.lines[at];
        let is_plain = |line: &str| !line.starts_with("load atomic") && !line.contains(" volatile ");
        match opcode(line) {
            "load" if is_plain(line) => match space(line) {
                Some(CONSTANTS | PRIVATE) => Touched::NOTHING,
                Some(SHARED) => Touched::SHARED_READ,
                Some(GLOBAL) => Touched::GLOBAL_READ,
                _ => Touched::SHARED_READ | Touched::GLOBAL_READ,
            },
            "store" if is_plain(line) && !line.starts_with("store atomic") => match space(line) {
                Some(PRIVATE) => Touched::NOTHING,
                Some(SHARED) => Touched::SHARED_WRITE,
                Some(GLOBAL) => Touched::GLOBAL_WRITE,
                _ => Touched::SHARED_WRITE | Touched::GLOBAL_WRITE,
            },
            // For the compiler.
            "fence" if line.starts_with(AROUND[0].1) => Touched::NOTHING,
            "call" if touches_nothing(line) || self.never_returns(at) => Touched::NOTHING,
            opcode if REGISTERS.contains(&opcode) => Touched::NOTHING,
            _ => Touched::ANYTHING,
        }
    }

    /// Whether a call is the last thing that a thread does: a panic.
    fn never_returns(&self, call: usize) -> bool {
        self.lines.get(call + 1).is_some_and(|next| opcode(next) == "unreachable")
    }
}

/// Address spaces. Source: LLVM's user guide for AMDGPU, "Address Spaces".
const GLOBAL: u32 = 1;
const SHARED: u32 = 3;
const CONSTANTS: u32 = 4;
const PRIVATE: u32 = 5;

/// The address space that a load or store is of; `None` if it may be any.
fn space(line: &str) -> Option<u32> {
    let (_, pointer) = line.split_once(", ptr addrspace(")?;
    // A pointer that is stored is one, too.
    let is_only = line.matches("ptr").count() == 1;
    let (number, _) = pointer.split_once(')')?;
    if is_only { number.parse().ok() } else { None }
}

/// Whether a call touches no memory that other threads see.
fn touches_nothing(line: &str) -> bool {
    let Some((before, callee)) = line.split_once('@') else {
        return line.contains(" asm \"");
    };
    if before.contains('(') {
        // What is called is a value, or of several types.
        return false;
    }
    let name = callee.split('(').next().unwrap_or_default();
    match name.strip_prefix("llvm.") {
        // Functions that stage *mend* puts in the place of instructions.
        None => name.starts_with("gridwright."),
        Some(name) => INTRINSICS.iter().any(|start| name.starts_with(start)),
    }
}

/// Beginnings of the names of intrinsics that touch registers and a thread's own memory only.
const INTRINSICS: &[&str] = &[
    "abs.",
    "amdgcn.ballot.",
    "amdgcn.dispatch.ptr",
    "amdgcn.ds.bpermute",
    "amdgcn.endpgm",
    "amdgcn.exp2.",
    "amdgcn.log.",
    "amdgcn.mbcnt.",
    "amdgcn.mfma.",
    "amdgcn.perm",
    "amdgcn.rcp.",
    "amdgcn.readfirstlane",
    "amdgcn.readlane",
    "amdgcn.rsq.",
    "amdgcn.s.waitcnt",
    "amdgcn.sqrt.",
    "amdgcn.wave.barrier",
    "amdgcn.wmma.",
    "amdgcn.workgroup.id.",
    "amdgcn.workitem.id.",
    "assume",
    "bitreverse.",
    "bswap.",
    "ceil.",
    "copysign.",
    "ctlz.",
    "ctpop.",
    "cttz.",
    "experimental.noalias.scope.decl",
    "fabs.",
    "floor.",
    "fma.",
    "fptosi.sat.",
    "fptoui.sat.",
    "fshl.",
    "fshr.",
    "is.fpclass.",
    "lifetime.",
    "maximumnum.",
    "memcpy.p5.p5.",
    "memset.p5.",
    "minimumnum.",
    "rint.",
    "sadd.",
    "scmp.",
    "smax.",
    "smin.",
    "smul.",
    "sqrt.",
    "ssub.",
    "trunc.",
    "uadd.",
    "ucmp.",
    "umax.",
    "umin.",
    "umul.",
    "usub.",
    "vector.reduce.",
];

/// Instructions that touch registers only. A line without one is empty, a label or a case.
const REGISTERS: &[&str] = &[
    "",
    "add",
    "addrspacecast",
    "alloca",
    "and",
    "ashr",
    "bitcast",
    "br",
    "extractelement",
    "extractvalue",
    "fadd",
    "fcmp",
    "fdiv",
    "fmul",
    "fneg",
    "fpext",
    "fptosi",
    "fptoui",
    "fptrunc",
    "freeze",
    "frem",
    "fsub",
    "getelementptr",
    "icmp",
    "insertelement",
    "insertvalue",
    "inttoptr",
    "lshr",
    "mul",
    "or",
    "phi",
    "ptrtoaddr",
    "ptrtoint",
    "ret",
    "sdiv",
    "select",
    "sext",
    "shl",
    "shufflevector",
    "sitofp",
    "srem",
    "sub",
    "switch",
    "trunc",
    "udiv",
    "uitofp",
    "unreachable",
    "urem",
    "xor",
    "zext",
];

/// The block's name, in the line where one begins.
fn label(line: &str) -> Option<&str> {
    let (name, rest) = match line.strip_prefix('"') {
        Some(quoted) => quoted.split_once('"').map(|(name, rest)| (name, rest.strip_prefix(':')))?,
        None => line.split_once(':').map(|(name, rest)| (name, Some(rest)))?,
    };
    let is_label = !name.is_empty() && !name.starts_with([' ', ';']) && rest.is_some();
    is_label.then_some(name)
}

/// An instruction without its result, and without a word before it.
fn instruction(line: &str) -> &str {
    if label(line).is_some() {
        return "";
    }
    let line = line.trim();
    let line =
        if line.starts_with('%') { line.split_once(" = ").map_or(line, |(_, line)| line) } else { line };
    line.strip_prefix("tail ").unwrap_or(line)
}

fn opcode(line: &str) -> &str {
    let is_end = |c: char| !c.is_ascii_lowercase();
    line.split(is_end).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{BARRIER, remove};

    const WAIT: &str = "  fence syncscope(\"singlethread\") seq_cst, !noalias !4\n  tail call void @llvm.amdgcn.s.waitcnt(i32 0)\n  \
        tail call void @llvm.amdgcn.s.barrier(), !noalias !4\n  fence syncscope(\"singlethread\") seq_cst\n";
    const WRITE: &str = "  store float %v, ptr addrspace(3) %p, align 4\n";
    const READ: &str = "  %r = load float, ptr addrspace(3) %q, align 4\n";

    /// The barriers that are left of a kernel with such a body.
    fn barriers(body: &str) -> usize {
        let ir = format!("define amdgpu_kernel void @k(ptr %x) #1 {{\nstart:\n{body}}}\n\n!4 = !{{}}\n");
        let left = remove(&ir).unwrap_or_else(|| ir.clone());
        assert_eq!(left.matches("fence").count(), 2 * left.matches(BARRIER).count(), "{left}");
        left.matches(BARRIER).count()
    }

    #[test]
    fn a_barrier_before_the_end_goes_with_its_fences() {
        let ir = format!("define amdgpu_kernel void @k() {{\nstart:\n{WRITE}{WAIT}  ret void\n}}\n");
        let left = format!("define amdgpu_kernel void @k() {{\nstart:\n{WRITE}  ret void\n}}\n");
        assert_eq!(remove(&ir), Some(left));
        assert_eq!(remove(&ir.replace("amdgpu_kernel ", "")), None, "a function goes on in its caller");
    }

    #[test]
    fn a_barrier_between_accesses_that_concern_each_other_stays() {
        assert_eq!(barriers(&format!("{WRITE}{WAIT}{READ}  ret void\n")), 1);
        assert_eq!(barriers(&format!("{READ}{WAIT}{WRITE}  ret void\n")), 1);
        assert_eq!(barriers(&format!("{READ}{WAIT}{READ}  ret void\n")), 0);
        let stores = "  store float %r, ptr addrspace(1) %g, align 4\n";
        assert_eq!(barriers(&format!("{WRITE}{WAIT}{READ}{WAIT}{stores}  ret void\n")), 1);
        let flat = "  store float %r, ptr %g, align 4\n";
        assert_eq!(barriers(&format!("{READ}{WAIT}{flat}  ret void\n")), 1, "any memory");
        let own = "  store float %r, ptr addrspace(5) %g, align 4\n";
        assert_eq!(barriers(&format!("{WRITE}{WAIT}{own}  ret void\n")), 0, "a thread's own memory");
        let pointer = "  store ptr addrspace(5) %v, ptr addrspace(3) %p, align 4\n";
        assert_eq!(barriers(&format!("{pointer}{WAIT}{READ}  ret void\n")), 1, "a pointer that is stored");
    }

    #[test]
    fn what_a_barrier_separates_is_followed_through_blocks() {
        let turns = format!(
            "  br label %head\n\nhead:  ; preds = %\"two words\", %start\n{READ}{WAIT}  br i1 %c, label %\"two words\", label %out\n\n\
            \"two words\":  ; preds = %head\n{WRITE}  br label %head\n\nout:\n  ret void\n"
        );
        assert_eq!(barriers(&turns), 1, "the next turn's");
        assert_eq!(barriers(&turns.replace(WRITE, "")), 0);
        let switch = format!(
            "{WRITE}{WAIT}  switch i32 %x, label %a [\n    i32 0, label %b\n    i32 1, label %a\n  ]\n\na:\n  ret void\n\nb:\n{READ}  ret void\n"
        );
        assert_eq!(barriers(&switch), 1);
        assert_eq!(barriers(&switch.replace(READ, "")), 0);
    }

    #[test]
    fn what_is_not_known_is_the_worst() {
        let with = |after: &str| barriers(&format!("{WRITE}{WAIT}{after}  ret void\n"));
        assert_eq!(with("  %x = tail call float @llvm.fma.f32(float %a, float %b, float %c)\n"), 0);
        assert_eq!(with("  call void @helper()\n"), 1);
        assert_eq!(with("  call void %f(ptr @gridwright.table)\n"), 1);
        assert_eq!(
            with("  call void @llvm.memcpy.p5.p3.i64(ptr addrspace(5) %a, ptr addrspace(3) %b, i64 4)\n"),
            1
        );
        assert_eq!(with("  %x = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic\n"), 1);
        assert_eq!(with("  %x = load atomic i32, ptr addrspace(5) %p monotonic, align 4\n"), 1);
        assert_eq!(with("  %x = call i32 asm \"s_mov_b32 $0, 0\", \"=s\"()\n"), 0);
        assert_eq!(with("  call void asm sideeffect \"s_nop 0\", \"\"()\n"), 1);
        assert_eq!(with("  indirectbr ptr %p, [label %start]\n"), 1);
        assert_eq!(with("  br label %nowhere\n"), 1);
        let panics = format!(
            "{WRITE}{WAIT}  br i1 %c, label %p, label %e\n\np:\n  call void @panic()\n  unreachable\n\ne:\n  ret void\n"
        );
        assert_eq!(barriers(&panics), 0);
    }

    #[test]
    fn only_the_barrier_of_workgroup_memory_goes() {
        let global = "  fence release\n  tail call void @llvm.amdgcn.s.barrier()\n  fence acquire\n";
        let ir = format!("define amdgpu_kernel void @k() {{\nstart:\n{global}  ret void\n}}\n");
        assert_eq!(remove(&ir), None);
    }
}
