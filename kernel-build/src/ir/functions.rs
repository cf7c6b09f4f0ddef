//! The functions of a program: each is a line that begins with `define`, and those up to a brace.

use std::borrow::Cow;

/// LLVM's calling conventions of functions that hosts launch.
const KERNELS: [&str; 2] = ["ptx_kernel", "amdgpu_kernel"];

/// The functions with a body: the line that begins each, and the body's lines.
pub(crate) fn functions(ir: &str) -> impl Iterator<Item = (&str, Vec<&str>)> {
    let mut lines = ir.lines();
    std::iter::from_fn(move || {
        let head = lines.find(|line| line.starts_with("define "))?;
        Some((head, lines.by_ref().take_while(|line| *line != "}").collect()))
    })
}

/// The body of the function of a name.
pub(crate) fn body<'t>(ir: &'t str, of: &str) -> Option<Vec<&'t str>> {
    functions(ir).find(|(head, _)| name(head) == Some(of)).map(|(_, body)| body)
}

/// The program with other bodies where `change` writes some, from the line that begins a function and those of its body.
pub(crate) fn rewritten<'t>(
    ir: &'t str,
    mut change: impl FnMut(&'t str, &[&'t str]) -> Option<String>,
) -> Cow<'t, str> {
    let mut text = String::new();
    let mut is_changed = false;
    let mut rest = ir.lines();
    while let Some(line) = rest.next() {
        push(&mut text, line);
        if !line.starts_with("define ") {
            continue;
        }
        let mut end = None;
        let lines: Vec<&str> = rest
            .by_ref()
            .take_while(|line| {
                end = (*line == "}").then_some(*line);
                end.is_none()
            })
            .collect();
        match change(line, &lines) {
            Some(body) => {
                text.push_str(&body);
                is_changed = true;
            }
            None => lines.iter().for_each(|line| push(&mut text, line)),
        }
        end.iter().for_each(|line| push(&mut text, line));
    }
    if is_changed { Cow::Owned(text) } else { Cow::Borrowed(ir) }
}

fn push(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

/// The first global name in a line: of the function that it begins, or calls.
pub(crate) fn name(line: &str) -> Option<&str> {
    let (_, after) = line.split_once('@')?;
    after.split(['(', ' ', ',']).next().map(|name| name.trim_matches('"'))
}

/// Whether the host launches the function that a line begins.
pub(crate) fn is_kernel(head: &str) -> bool {
    head.split(' ').any(|word| KERNELS.contains(&word))
}

/// The arguments that are pointers, in the line that begins a function: their names, and what is said of each.
pub(crate) fn pointers(head: &str) -> impl Iterator<Item = (&str, &str)> {
    head.split("ptr ").skip(1).filter_map(|text| {
        let (attributes, rest) = text.split_at(text.find('%')?);
        Some((rest.split([',', ')']).next()?, attributes))
    })
}
