//! The source text of a program with kernels: what tells each kernel's function, its reference on the host, and its launch.

use std::fmt::Write;

use super::tree::{Body, COMMON, Expr, Kernel, OTHER, OWN, ROW, Shuffle, Stage, Ty};

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
    let mut out = String::new();
    head.lines().for_each(|line| _ = writeln!(out, "// {line}"));
    out.push_str(&HARNESS.replace("unwrap_or(256)", &format!("unwrap_or({threads})")));
    let mut checks = Vec::new();
    let (alone, mut shared): (Vec<_>, Vec<_>) = entries.iter().partition(|entry| entry.is_alone());
    for entry in alone {
        functions(entry, is_contracted, &mut out);
        checks.push((entry.number, check(entry, &format!("k{}", entry.number), "")));
    }
    shared.sort_by_key(|entry| entry.on_amd);
    for entries in shared.chunk_by(|a, b| a.on_amd == b.on_amd).flat_map(|alike| alike.chunks(SHARED)) {
        shared_kernel(entries, is_contracted, &mut out);
        for entry in entries {
            let kernel = format!("s{}", entries[0].number);
            checks.push((entry.number, check(entry, &kernel, &format!("{}_u32, ", entry.number))));
        }
    }
    checks.sort();
    let checks: String = checks.into_iter().map(|(_, check)| check).collect();
    _ = writeln!(
        out,
        "#[host_only]\nfn main() {{\n    let mut session = Session::start();\n{checks}    session.end();\n}}"
    );
    out
}

fn check(entry: &Entry<'_>, kernel: &str, which: &str) -> String {
    let Entry { number, input, .. } = entry;
    format!(
        "    session.check({number}, {input}, r{number}, |p, y| {kernel}::load(&p.device)?.launch(&p.stream, p.config(), ({which}&p.x, &p.s, &p.b, &p.z, y)).map(|_| ()));\n"
    )
}

fn attribute(is_contracted: bool) -> &'static str {
    if is_contracted { "#[gpu_kernel]" } else { "#[gpu_kernel(fp_contract = off)]" }
}

/// One kernel of several functions, which is told which one to call: what a launch takes to compile on the host is longer than they are.
fn shared_kernel(entries: &[&Entry<'_>], is_contracted: bool, out: &mut String) {
    let Some(first) = entries.first() else { return };
    let mut arms = String::new();
    for Entry { number, kernel, .. } in entries {
        if let Kernel::Threads(body) = kernel {
            threads(*number, body, out);
            thread_reference(*number, out);
        }
        _ = writeln!(arms, "            {number} => f{number}(t.index(), x, s, b, &z[0]),");
    }
    _ = writeln!(
        out,
        "{}\nfn s{}(t: Thread, which: u32, x: &[[u64; 4]], s: &[u32], b: &[u8], z: &[[u32; 64]], mut y: PerThread<[[u64; 2]]>) {{\n    {}if let Some(y) = y.get_mut(t) {{\n        *y = match which {{\n{arms}            _ => [0; 2],\n        }};\n    }}\n}}\n",
        attribute(is_contracted),
        first.number,
        first.condition()
    );
}

/// A kernel's own functions, without the program around them: what a person reads of a finding.
pub(super) fn core(kernel: &Kernel, number: usize, is_contracted: bool) -> String {
    let mut out = String::new();
    functions(&Entry { number, kernel, input: 0, on_cpu: true, on_amd: true }, is_contracted, &mut out);
    out
}

fn functions(entry: &Entry<'_>, is_contracted: bool, out: &mut String) {
    let (Entry { number, kernel, .. }, condition) = (entry, entry.condition());
    let contraction = if is_contracted { "" } else { "fp_contract = off" };
    match kernel {
        Kernel::Threads(body) => {
            threads(*number, body, out);
            let attribute = attribute(is_contracted);
            _ = writeln!(
                out,
                "{attribute}\nfn k{number}(t: Thread, x: &[[u64; 4]], s: &[u32], b: &[u8], z: &[[u32; 64]], mut y: PerThread<[[u64; 2]]>) {{\n    {condition}if let Some(y) = y.get_mut(t) {{\n        *y = f{number}(t.index(), x, s, b, &z[0]);\n    }}\n}}"
            );
            thread_reference(*number, out);
        }
        Kernel::Group { ty, stages } => {
            for (stage, body) in
                stages.iter().enumerate().filter_map(|(at, stage)| Some((at, body_of(stage)?)))
            {
                piece(*number, stage, *ty, body, out);
            }
            let contraction = if is_contracted { String::new() } else { format!(", {contraction}") };
            group_kernel(*number, *ty, stages, (&contraction, condition), out);
            group_reference(*number, *ty, stages, out);
        }
    }
}

fn body_of(stage: &Stage) -> Option<&Body> {
    match stage {
        Stage::Map(body) | Stage::Exchange { place: body, .. } | Stage::Atomics { place: body, .. } => {
            Some(body)
        }
        _ => None,
    }
}

fn thread_reference(number: usize, out: &mut String) {
    _ = writeln!(
        out,
        "#[host_only]\nfn r{number}(h: &Host) -> Vec<[u64; 2]> {{\n    let f = std::hint::black_box(f{number} as fn(usize, &[[u64; 4]], &[u32], &[u8], &[u32; 64]) -> [u64; 2]);\n    (0..h.x.len()).map(|i| f(i, &h.x, &h.s, &h.b, &h.z[0])).collect()\n}}\n"
    );
}

/// The row of the thread's own, where it is looked at.
fn row(body: &Body, out: &mut String) {
    if body.mentions(&ROW) {
        let [a, b, c, d] = ROW;
        _ = writeln!(out, "    let [v{a}, v{b}, v{c}, v{d}] = x[i];");
    }
}

fn threads(number: usize, body: &Body, out: &mut String) {
    _ = writeln!(out, "fn f{number}(i: usize, {MEMORY}) -> [u64; 2] {{");
    row(body, out);
    body.write(out);
    let results: Vec<String> = body.results.iter().map(number_of).collect();
    let second = results.get(1).map_or("0", String::as_str);
    _ = writeln!(out, "    [{}, {second}]\n}}", results.first().map_or("0", String::as_str));
}

/// A result as a `u64`.
fn number_of(result: &Expr) -> String {
    let mut text = String::new();
    result.write(&mut text);
    match result.ty {
        Ty::U64 => text,
        Ty::F32 => format!("bits32({text})"),
        Ty::F64 => format!("bits64({text})"),
        Ty::U128 | Ty::I128 => format!("fold128({text} as u128)"),
        _ => format!("{text} as u64"),
    }
}

fn piece(number: usize, stage: usize, ty: Ty, body: &Body, out: &mut String) {
    let (name, result) = (ty.name(), body.results.first());
    let returned = result.map_or("u32", |result| result.ty.name());
    _ = writeln!(
        out,
        "fn f{number}_{stage}(i: usize, {MEMORY}, own: {name}, other: {name}, common: {name}) -> {returned} {{"
    );
    row(body, out);
    body.write(out);
    out.push_str("    ");
    if let Some(result) = result {
        result.write(out);
    }
    out.push_str("\n}\n");
    debug_assert!([OWN, OTHER, COMMON].iter().all(|id| !ROW.contains(id)));
}

/// How a phase calls a stage's function.
fn call(number: usize, stage: usize) -> String {
    format!("f{number}_{stage}(t.index(), x, s, b, z, *own, *other, common)")
}

fn group_kernel(
    number: usize,
    ty: Ty,
    stages: &[Stage],
    (contraction, condition): (&str, &str),
    out: &mut String,
) {
    let name = ty.name();
    let uses = |is: fn(&Stage) -> bool| stages.iter().any(is);
    let mut memory = String::new();
    if uses(|stage| matches!(stage, Stage::Exchange { square: false, .. })) {
        _ = write!(memory, ", mut w: Workgroup<[{name}; 64]>");
    }
    if uses(|stage| matches!(stage, Stage::Exchange { square: true, .. })) {
        _ = write!(memory, ", mut q: Workgroup<[[{name}; 8]; 8]>");
    }
    if uses(|stage| matches!(stage, Stage::Atomics { .. })) {
        _ = write!(memory, ", mut m: Workgroup<[{name}; 8]>");
    }
    _ = writeln!(
        out,
        "#[gpu_kernel(block = 64{contraction})]\nfn k{number}(g: &Group, x: &[[u64; 4]], s: &[u32], b: &[u8], z: &[[u32; 64]], mut y: PerThread<[[u64; 2]]>{memory}) {{"
    );
    _ = writeln!(
        out,
        "    {condition}{{\n    let z = &z[0];\n    let mut own = g.private(0_{name});\n    let mut other = g.private(0_{name});\n    let mut common = 0_{name};"
    );
    for (at, stage) in stages.iter().enumerate() {
        let call = call(number, at);
        let line = match stage {
            Stage::Map(_) => format!("own = g.map((&own, &other), |t, (own, other)| {call});"),
            Stage::Exchange { square: false, .. } => format!(
                "g.each((w.elements_mut(), &own), |_, (w, own)| *w = *own);\n    g.each((&mut other, &own, w.shared()), |t, (other, own, w)| *other = w[{call} % 64]);"
            ),
            Stage::Exchange { square: true, .. } => format!(
                "g.each((q.flat().elements_mut(), &own), |_, (q, own)| *q = *own);\n    g.each((&mut other, &own, q.shared()), |t, (other, own, q)| {{ let p = {call}; *other = q[p % 8][(p >> 3) % 8]; }});"
            ),
            Stage::Reduce(combine) => format!("common = g.reduce(&own, {});", combine.closure()),
            Stage::Scan { combine, exclusive: false } => {
                format!("other = g.scan_inclusive(&own, {});", combine.closure())
            }
            Stage::Scan { combine, exclusive: true } => {
                format!("other = g.scan_exclusive(&own, {}, {});", combine.neutral(ty), combine.closure())
            }
            Stage::Shuffle { kind: Shuffle::Xor, by } => format!("other = g.shuffle_xor(&own, {by});"),
            Stage::Shuffle { kind: Shuffle::Up, by } => format!(
                "let moved = g.shuffle_up(&own, {by});\n    g.each((&mut other, &moved), |t, (other, moved)| if t.local().x % 32 >= {by} {{ *other = *moved; }});"
            ),
            Stage::Shuffle { kind: Shuffle::Down, by } => format!(
                "let moved = g.shuffle_down(&own, {by});\n    g.each((&mut other, &moved), |t, (other, moved)| if t.local().x % 32 + {by} < 32 {{ *other = *moved; }});"
            ),
            Stage::Atomics { combine, .. } => format!(
                "g.fill(&mut m, {});\n    g.each((m.atomic(), &own, &other), |t, (m, own, other)| {{ m.{}(t, {call} % 8, *own); }});\n    g.each((&mut other, m.shared()), |t, (other, m)| *other = m[t.local().x % 8]);",
                combine.neutral(ty),
                combine.atomic().unwrap_or("fetch_add"),
            ),
            Stage::Count => {
                format!(
                    "let odd = g.map(&own, |_, own| *own & 1 == 1);\n    common = g.count(&odd) as {name};"
                )
            }
        };
        _ = writeln!(out, "    {line}");
    }
    out.push_str("    g.each((y.elements_mut(), &own, &other), |_, (y, own, other)| if let Some(y) = y { *y = [*own as u64, *other as u64 ^ common as u64]; });\n    }\n}\n");
}

fn group_reference(number: usize, ty: Ty, stages: &[Stage], out: &mut String) {
    let name = ty.name();
    _ = writeln!(
        out,
        "#[host_only]\nfn r{number}(h: &Host) -> Vec<[u64; 2]> {{\n    let (x, s, b, z) = (&h.x[..], &h.s[..], &h.b[..], &h.z[0]);\n    let mut y = Vec::new();\n    for first in (0..x.len()).step_by(64) {{\n        let (mut own, mut other, mut common) = ([0_{name}; 64], [0_{name}; 64], 0_{name});"
    );
    for (at, stage) in stages.iter().enumerate() {
        let call = format!("f{number}_{at}(first + t, x, s, b, z, own[t], other[t], common)");
        let line = match stage {
            Stage::Map(_) => format!("for t in 0..64 {{ own[t] = {call}; }}"),
            Stage::Exchange { square: false, .. } => {
                format!("for t in 0..64 {{ other[t] = own[{call} % 64]; }}")
            }
            Stage::Exchange { square: true, .. } => {
                format!("for t in 0..64 {{ let p = {call}; other[t] = own[p % 8 * 8 + (p >> 3) % 8]; }}")
            }
            Stage::Reduce(combine) => {
                format!("common = own.into_iter().fold({}, {});", combine.neutral(ty), combine.closure())
            }
            Stage::Scan { combine, exclusive } => {
                let (neutral, closure) = (combine.neutral(ty), combine.closure());
                let skipped = if *exclusive { "t" } else { "t + 1" };
                format!(
                    "for t in 0..64 {{ other[t] = own[..{skipped}].iter().copied().fold({neutral}, {closure}); }}"
                )
            }
            Stage::Shuffle { kind: Shuffle::Xor, by } => {
                format!("for t in 0..64 {{ other[t] = own[t ^ {by}]; }}")
            }
            Stage::Shuffle { kind: Shuffle::Up, by } => {
                format!("for t in 0..64 {{ if t % 32 >= {by} {{ other[t] = own[t - {by}]; }} }}")
            }
            Stage::Shuffle { kind: Shuffle::Down, by } => {
                format!("for t in 0..64 {{ if t % 32 + {by} < 32 {{ other[t] = own[t + {by}]; }} }}")
            }
            Stage::Atomics { combine, .. } => format!(
                "let combine: fn({name}, {name}) -> {name} = {};\n        let mut m = [{}; 8];\n        for t in 0..64 {{ let p = {call} % 8; m[p] = combine(m[p], own[t]); }}\n        for t in 0..64 {{ other[t] = m[t % 8]; }}",
                combine.closure(),
                combine.neutral(ty),
            ),
            Stage::Count => format!("common = own.iter().filter(|own| **own & 1 == 1).count() as {name};"),
        };
        _ = writeln!(out, "        {line}");
    }
    out.push_str("        y.extend((0..64).map(|t| [own[t] as u64, other[t] as u64 ^ common as u64]));\n    }\n    y\n}\n\n");
}
