//! The source text of a program with kernels: what tells each kernel's function, its reference on the host, and its launch.

use itertools::Itertools;

use super::tree::{Body, Expr, Kernel, ROW, Shuffle, Stage, Ty};
use crate::table::or_empty;

/// What all programs begin with: types and functions that kernels call, and what compares.
const HARNESS: &str = include_str!("harness.txt");

/// Memory that every function is given.
const MEMORY: &str = "x: &[[u64; 4]], s: &[u32], b: &[u8], z: &[u32; 64]";

/// A kernel with its number in the program, and what it is compiled for: elsewhere it is empty, which takes no time.
pub(super) struct Entry<'k> {
    pub(super) number: usize,
    pub(super) kernel: &'k Kernel,
    /// The seed of the kernel's input.
    pub(super) input: u64,
    pub(super) on_cpu: bool,
    pub(super) on_amd: bool,
}

/// How many functions share a kernel.
const SHARED: usize = 8;

impl Entry<'_> {
    /// Whether the entry is a kernel of its own. On the CPU others wouldn't become loops over vectors.
    fn is_alone(&self) -> bool {
        self.on_cpu || matches!(self.kernel, Kernel::Group { .. })
    }

    /// The attribute of the kernel's body.
    fn condition(&self) -> &'static str {
        match (self.on_cpu, self.on_amd) {
            (true, true) => "",
            (true, false) => "#[cfg(not(target_arch = \"amdgpu\"))] ",
            (false, true) => "#[cfg(gridwright_device)] ",
            (false, false) => "#[cfg(target_arch = \"nvptx64\")] ",
        }
    }
}

/// A program. Its head is said in a comment.
pub(super) fn text(entries: &[Entry<'_>], is_contracted: bool, head: &str, threads: usize) -> String {
    let mut out: String = head.lines().map(|line| format!("// {line}\n")).collect();
    out += &HARNESS.replace("unwrap_or(256)", &format!("unwrap_or({threads})"));
    let mut checks = Vec::new();
    let (alone, mut shared): (Vec<_>, Vec<_>) = entries.iter().partition(|entry| entry.is_alone());
    for entry in alone {
        out += &functions(entry, is_contracted);
        checks.push((entry.number, check(entry, &format!("k{}", entry.number), "")));
    }
    shared.sort_by_key(|entry| entry.on_amd);
    for entries in shared.chunk_by(|a, b| a.on_amd == b.on_amd).flat_map(|alike| alike.chunks(SHARED)) {
        out += &shared_kernel(entries, is_contracted);
        for entry in entries {
            let kernel = format!("s{}", entries[0].number);
            checks.push((entry.number, check(entry, &kernel, &format!("{}_u32, ", entry.number))));
        }
    }
    checks.sort();
    let checks = checks.iter().map(|(_, check)| check).format("");
    out + &format!(
        "#[host_only]\nfn main() {{\n    let mut session = Session::start();\n{checks}    session.end();\n}}\n"
    )
}

fn check(Entry { number, input, .. }: &Entry<'_>, kernel: &str, which: &str) -> String {
    format!(
        "    session.check({number}, {input}, r{number}, |p, y| {kernel}::load(&p.device)?.launch(&p.stream, p.config(), ({which}&p.x, &p.s, &p.b, &p.z, y)).map(|_| ()));\n"
    )
}

fn attribute(is_contracted: bool) -> &'static str {
    if is_contracted { "#[gpu_kernel]" } else { "#[gpu_kernel(fp_contract = off)]" }
}

/// One kernel of several functions, which is told which one to call: what a launch takes to compile on the host is longer than they are.
fn shared_kernel(entries: &[&Entry<'_>], is_contracted: bool) -> String {
    let (mut out, mut arms) = (String::new(), String::new());
    for Entry { number, kernel, .. } in entries {
        if let Kernel::Threads(body) = kernel {
            out += &threads(*number, body);
            out += &thread_reference(*number);
        }
        arms += &format!("            {number} => f{number}(t.index(), x, s, b, &z[0]),\n");
    }
    let (attribute, first) = (attribute(is_contracted), entries[0]);
    let (number, condition) = (first.number, first.condition());
    out + &format!(
        "{attribute}\nfn s{number}(t: Thread, which: u32, x: &[[u64; 4]], s: &[u32], b: &[u8], z: &[[u32; 64]], mut y: PerThread<[[u64; 2]]>) {{\n    {condition}if let Some(y) = y.get_mut(t) {{\n        *y = match which {{\n{arms}            _ => [0; 2],\n        }};\n    }}\n}}\n\n"
    )
}

/// A kernel's own functions, without the program around them: what a person reads of a finding.
pub(super) fn core(kernel: &Kernel, number: usize, is_contracted: bool) -> String {
    functions(&Entry { number, kernel, input: 0, on_cpu: true, on_amd: true }, is_contracted)
}

fn functions(entry: &Entry<'_>, is_contracted: bool) -> String {
    let (Entry { number, kernel, .. }, condition) = (entry, entry.condition());
    match kernel {
        Kernel::Threads(body) => {
            let (attribute, function) = (attribute(is_contracted), threads(*number, body));
            let reference = thread_reference(*number);
            format!(
                "{function}{attribute}\nfn k{number}(t: Thread, x: &[[u64; 4]], s: &[u32], b: &[u8], z: &[[u32; 64]], mut y: PerThread<[[u64; 2]]>) {{\n    {condition}if let Some(y) = y.get_mut(t) {{\n        *y = f{number}(t.index(), x, s, b, &z[0]);\n    }}\n}}\n{reference}"
            )
        }
        Kernel::Group { ty, stages } => {
            let piece = |(stage, body): (usize, _)| Some(piece(*number, stage, *ty, Stage::body(body)?));
            let pieces: String = stages.iter().enumerate().filter_map(piece).collect();
            let contraction = if is_contracted { "" } else { ", fp_contract = off" };
            let kernel = group_kernel(*number, *ty, stages, contraction, condition);
            pieces + &kernel + &group_reference(*number, *ty, stages)
        }
    }
}

fn thread_reference(number: usize) -> String {
    format!(
        "#[host_only]\nfn r{number}(h: &Host) -> Vec<[u64; 2]> {{\n    let f = std::hint::black_box(f{number} as fn(usize, &[[u64; 4]], &[u32], &[u8], &[u32; 64]) -> [u64; 2]);\n    (0..h.x.len()).map(|i| f(i, &h.x, &h.s, &h.b, &h.z[0])).collect()\n}}\n\n"
    )
}

/// The statements of a function, with the row of the thread's own before them where it is looked at.
fn statements(body: &Body) -> String {
    let [a, b, c, d] = ROW;
    let row = body.mentions(&ROW).then(|| format!("    let [v{a}, v{b}, v{c}, v{d}] = x[i];\n"));
    or_empty(row) + &body.text()
}

fn threads(number: usize, body: &Body) -> String {
    let results = body.results.iter().map(number_of).pad_using(2, |_| "0".into()).take(2).join(", ");
    let statements = statements(body);
    format!("fn f{number}(i: usize, {MEMORY}) -> [u64; 2] {{\n{statements}    [{results}]\n}}\n")
}

/// A result as a `u64`.
fn number_of(result: &Expr) -> String {
    match result.ty {
        Ty::U64 => result.to_string(),
        Ty::F32 => format!("bits32({result})"),
        Ty::F64 => format!("bits64({result})"),
        Ty::U128 | Ty::I128 => format!("fold128({result} as u128)"),
        _ => format!("{result} as u64"),
    }
}

fn piece(number: usize, stage: usize, ty: Ty, body: &Body) -> String {
    let (name, result, statements) = (ty.name(), body.results.first(), statements(body));
    let returned = result.map_or("u32", |result| result.ty.name());
    let result = or_empty(result);
    format!(
        "fn f{number}_{stage}(i: usize, {MEMORY}, own: {name}, other: {name}, common: {name}) -> {returned} {{\n{statements}    {result}\n}}\n"
    )
}

fn group_kernel(number: usize, ty: Ty, stages: &[Stage], contraction: &str, condition: &str) -> String {
    let name = ty.name();
    let memory = stages.iter().filter_map(memory).sorted().rev().dedup();
    let memory = memory.map(|memory| format!(", mut {}", memory.replace("TYPE", name))).format("");
    let lines = stages.iter().enumerate().map(|(at, stage)| {
        let call = format!("f{number}_{at}(t.index(), x, s, b, z, *own, *other, common)");
        format!("    {}\n", filled(texts(stage)[0], stage, ty, &call))
    });
    let lines = lines.format("");
    format!(
        "#[gpu_kernel(block = 64{contraction})]\nfn k{number}(g: &Group, x: &[[u64; 4]], s: &[u32], b: &[u8], z: &[[u32; 64]], mut y: PerThread<[[u64; 2]]>{memory}) {{\n    {condition}{{\n    let z = &z[0];\n    let mut own = g.private(0_{name});\n    let mut other = g.private(0_{name});\n    let mut common = 0_{name};\n{lines}    g.each((y.elements_mut(), &own, &other), |_, (y, own, other)| if let Some(y) = y {{ *y = [*own as u64, *other as u64 ^ common as u64]; }});\n    }}\n}}\n"
    )
}

fn group_reference(number: usize, ty: Ty, stages: &[Stage]) -> String {
    let name = ty.name();
    let lines = stages.iter().enumerate().map(|(at, stage)| {
        let call = format!("f{number}_{at}(first + t, x, s, b, z, own[t], other[t], common)");
        format!("        {}\n", filled(texts(stage)[1], stage, ty, &call))
    });
    let lines = lines.format("");
    format!(
        "#[host_only]\nfn r{number}(h: &Host) -> Vec<[u64; 2]> {{\n    let (x, s, b, z) = (&h.x[..], &h.s[..], &h.b[..], &h.z[0]);\n    let mut y = Vec::new();\n    for first in (0..x.len()).step_by(64) {{\n        let (mut own, mut other, mut common) = ([0_{name}; 64], [0_{name}; 64], 0_{name});\n{lines}        y.extend((0..64).map(|t| [own[t] as u64, other[t] as u64 ^ common as u64]));\n    }}\n    y\n}}\n\n"
    )
}

/// The parameter of a kernel with the workgroup memory that a stage needs.
fn memory(stage: &Stage) -> Option<&'static str> {
    match stage {
        Stage::Exchange { square: false, .. } => Some("w: Workgroup<[TYPE; 64]>"),
        Stage::Exchange { square: true, .. } => Some("q: Workgroup<[[TYPE; 8]; 8]>"),
        Stage::Atomics { .. } => Some("m: Workgroup<[TYPE; 8]>"),
        _ => None,
    }
}

/// How a kernel does a stage, and how the host does it. `CALL` is the call of the stage's function, and [`filled`] knows the other words.
fn texts(stage: &Stage) -> [&'static str; 2] {
    match stage {
        Stage::Map(_) => {
            ["own = g.map((&own, &other), |t, (own, other)| CALL);", "for t in 0..64 { own[t] = CALL; }"]
        }
        Stage::Exchange { square: false, .. } => [
            "g.each((w.elements_mut(), &own), |_, (w, own)| *w = *own);\n    g.each((&mut other, &own, w.shared()), |t, (other, own, w)| *other = w[CALL % 64]);",
            "for t in 0..64 { other[t] = own[CALL % 64]; }",
        ],
        Stage::Exchange { square: true, .. } => [
            "g.each((q.flat().elements_mut(), &own), |_, (q, own)| *q = *own);\n    g.each((&mut other, &own, q.shared()), |t, (other, own, q)| { let p = CALL; *other = q[p % 8][(p >> 3) % 8]; });",
            "for t in 0..64 { let p = CALL; other[t] = own[p % 8 * 8 + (p >> 3) % 8]; }",
        ],
        Stage::Reduce(_) => {
            ["common = g.reduce(&own, CLOSURE);", "common = own.into_iter().fold(NEUTRAL, CLOSURE);"]
        }
        Stage::Scan { exclusive: false, .. } => [
            "other = g.scan_inclusive(&own, CLOSURE);",
            "for t in 0..64 { other[t] = own[..t + 1].iter().copied().fold(NEUTRAL, CLOSURE); }",
        ],
        Stage::Scan { exclusive: true, .. } => [
            "other = g.scan_exclusive(&own, NEUTRAL, CLOSURE);",
            "for t in 0..64 { other[t] = own[..t].iter().copied().fold(NEUTRAL, CLOSURE); }",
        ],
        Stage::Shuffle { kind: Shuffle::Xor, .. } => {
            ["other = g.shuffle_xor(&own, BY);", "for t in 0..64 { other[t] = own[t ^ BY]; }"]
        }
        Stage::Shuffle { kind: Shuffle::Up, .. } => [
            "let moved = g.shuffle_up(&own, BY);\n    g.each((&mut other, &moved), |t, (other, moved)| if t.local().x % 32 >= BY { *other = *moved; });",
            "for t in 0..64 { if t % 32 >= BY { other[t] = own[t - BY]; } }",
        ],
        Stage::Shuffle { kind: Shuffle::Down, .. } => [
            "let moved = g.shuffle_down(&own, BY);\n    g.each((&mut other, &moved), |t, (other, moved)| if t.local().x % 32 + BY < 32 { *other = *moved; });",
            "for t in 0..64 { if t % 32 + BY < 32 { other[t] = own[t + BY]; } }",
        ],
        Stage::Atomics { .. } => [
            "g.fill(&mut m, NEUTRAL);\n    g.each((m.atomic(), &own, &other), |t, (m, own, other)| { m.ATOMIC(t, CALL % 8, *own); });\n    g.each((&mut other, m.shared()), |t, (other, m)| *other = m[t.local().x % 8]);",
            "let combine: fn(TYPE, TYPE) -> TYPE = CLOSURE;\n        let mut m = [NEUTRAL; 8];\n        for t in 0..64 { let p = CALL % 8; m[p] = combine(m[p], own[t]); }\n        for t in 0..64 { other[t] = m[t % 8]; }",
        ],
        Stage::Count => [
            "let odd = g.map(&own, |_, own| *own & 1 == 1);\n    common = g.count(&odd) as TYPE;",
            "common = own.iter().filter(|own| **own & 1 == 1).count() as TYPE;",
        ],
    }
}

/// A stage's text with what its words stand for.
fn filled(text: &str, stage: &Stage, ty: Ty, call: &str) -> String {
    let text = text.replace("CALL", call).replace("TYPE", ty.name());
    match stage {
        Stage::Reduce(combine) | Stage::Scan { combine, .. } | Stage::Atomics { combine, .. } => {
            let text = text.replace("NEUTRAL", &combine.neutral(ty)).replace("CLOSURE", combine.closure());
            text.replace("ATOMIC", combine.atomic().unwrap_or("fetch_add"))
        }
        Stage::Shuffle { by, .. } => text.replace("BY", &by.to_string()),
        _ => text,
    }
}
