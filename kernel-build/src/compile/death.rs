//! A compiler that ends on code it can't compile, by an error of LLVM's or by a panic of its own. The reason stands in one line of what
//! it wrote; cargo adds kilobytes on the process and how it ended.

use std::fmt::Write as _;

use rustc_demangle::demangle;

/// How the compiler ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Death {
    /// LLVM can't make instructions of the code, in its own words.
    Llvm(String),
    /// The compiler panicked, in its own words.
    Compiler(String),
}

/// What LLVM writes before an error that it can't go on after.
const LLVM: &str = "LLVM ERROR: ";
/// What comes before a panic's place, behind the thread's name and number.
const PANIC: &str = " panicked at ";
/// What the compiler writes after a panic of its own, and a build script doesn't.
const OF_COMPILER: &str = "the compiler unexpectedly panicked";
const QUERIES: &str = "query stack during panic:";

impl Death {
    /// Reads what cargo passed on; `None` if the compiler didn't end so.
    pub(super) fn find(errors: &str) -> Option<Self> {
        let mut lines = errors.lines();
        while let Some(line) = lines.next() {
            if let Some((_, text)) = line.split_once(LLVM) {
                return Some(Self::Llvm(of_llvm(text, lines)));
            }
            if errors.contains(OF_COMPILER)
                && line.starts_with("thread '")
                && let Some((_, place)) = line.split_once(PANIC)
            {
                let text = lines.next().unwrap_or_default();
                return Some(Self::Compiler(of_compiler(text, place, lines)));
            }
        }
        None
    }

    /// The error for a user. `kernels` are those of the program.
    pub(crate) fn describe(&self, kernels: &[&str]) -> String {
        let (what, text) = match self {
            Self::Llvm(text) => ("LLVM, which makes the instructions, can't compile", text),
            Self::Compiler(text) => ("the device compiler panics on", text),
        };
        let mut error = format!("error: {what} this code: {text}");
        let names: Vec<_> = kernels.iter().map(|kernel| format!("`{kernel}`")).collect();
        let is_told = kernels.iter().any(|kernel| text.contains(&format!("`{kernel}")));
        if !names.is_empty() && !is_told {
            let _ =
                write!(error, "\n  = note: it stands in one of {}, or in what they call", names.join(", "));
        }
        error.push_str(
            "\n  = help: to find what it is, leave out kernels, then parts of one; a type or an operation that is rare on GPUs is the most \
             likely",
        );
        error
    }
}

/// The first line, and the function where LLVM says it.
fn of_llvm<'t>(text: &str, after: impl Iterator<Item = &'t str>) -> String {
    let mut described = text.trim_end().to_owned();
    // The words of one error end where cargo's own begin.
    let own = after.take_while(|line| !line.starts_with("error") && !line.starts_with("warning"));
    if let Some(function) = own.filter_map(|line| line.trim().strip_prefix("In function: ")).next() {
        let _ = write!(described, ", in `{:#}`", demangle(function));
    }
    described
}

/// The panic's text and place, and what the compiler was doing.
fn of_compiler<'t>(text: &str, place: &str, mut after: impl Iterator<Item = &'t str>) -> String {
    let mut described = format!("{text}, at {}", place.trim_end_matches(':'));
    if after.any(|line| line == QUERIES)
        && let Some((_, doing)) = after.next().and_then(|line| line.split_once("] "))
    {
        let _ = write!(described, ", {doing}");
    }
    described
}
