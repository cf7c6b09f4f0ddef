//! The host compiler's assembly, by kernel.

use std::collections::{BTreeSet, HashMap};

use rustc_demangle::demangle;

use crate::names::own;

/// What the macros write beside each kernel: a symbol that two kernels of one path would share.
const UNIQUE: &str = "gridwright_kernel_names_must_be_unique_in_a_module__";

/// The loops over kernels' threads in an assembly file.
///
/// The file is what `rustc --emit asm` writes with `-Csymbol-mangling-version=v0`, by which the names of functions have those of the
/// types that they were made for, and a kernel is one. The phases of a kernel of workgroups are found by who calls them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CpuListing {
    /// The paths of kernels, without the crate's name.
    kernels: Vec<String>,
    /// The crate's name.
    krate: String,
    functions: Vec<Function>,
    /// Places by symbol.
    places: HashMap<String, usize>,
}

/// Any function of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Function {
    name: String,
    text: String,
}

/// What the loops over a kernel's threads are called: one for each instruction set.
const INSTRUCTION_SETS: [&str; 3] = ["baseline", "avx2", "avx512"];

/// A loop over a kernel's threads, in an assembly file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CpuFunction {
    /// The loop's name in Rust, as a function.
    pub name: String,
    /// The instruction set that the loop is for, as `GRIDWRIGHT_CPU_ISA` names it.
    pub instruction_set: &'static str,
    /// Whether the loop is for threads whose indices are known to be inside of all that they read.
    pub is_interior: bool,
    /// The lines of the loop, from its label on.
    pub text: String,
}

impl CpuFunction {
    /// The number of the loop's instructions.
    ///
    /// ```
    /// use gridwright_build::inspect::CpuFunction;
    ///
    /// let text = "f:\n\t.cfi_startproc\n\tretq\n".to_owned();
    /// let function = CpuFunction { name: "f".into(), instruction_set: "avx2", is_interior: true, text };
    /// assert_eq!(function.instructions(), 1);
    /// ```
    pub fn instructions(&self) -> usize {
        let lines = self.text.lines().filter(|line| line.starts_with(char::is_whitespace)).map(str::trim);
        lines.filter(|line| line.starts_with(|first: char| first.is_ascii_alphabetic())).count()
    }
}

impl CpuListing {
    /// Reads an assembly file.
    ///
    /// ```
    /// use gridwright_build::inspect::CpuListing;
    ///
    /// let listing = CpuListing::read("f:\n\t.cfi_startproc\n\tretq\n.Lfunc_end0:\n");
    /// assert!(listing.kernels().is_empty());
    /// ```
    pub fn read(assembly: &str) -> Self {
        let mut listing = Self::default();
        let mut open: Option<(&str, Vec<&str>)> = None;
        for line in assembly.lines() {
            if let Some(label) = label(line) {
                if let Some((krate, kernel)) = label.strip_prefix(UNIQUE).and_then(kernel) {
                    krate.clone_into(&mut listing.krate);
                    listing.kernels.push(kernel.to_owned());
                }
                if label.contains("func_end") {
                    listing.close(open.take());
                } else if !label.starts_with(['.', 'L']) {
                    listing.close(open.take());
                    open = Some((label, Vec::new()));
                }
            }
            if let Some((_, lines)) = &mut open {
                lines.push(line);
            }
        }
        listing.close(open);
        listing.kernels.sort();
        listing
    }

    /// The paths of the crate's kernels, without its name.
    ///
    /// ```
    /// use gridwright_build::inspect::CpuListing;
    ///
    /// let label = "\"gridwright_kernel_names_must_be_unique_in_a_module__hello_0_1_0__hello_bin__hello::sums::saxpy\":";
    /// assert_eq!(CpuListing::read(label).kernels(), ["sums::saxpy"]);
    /// ```
    pub fn kernels(&self) -> &[String] {
        &self.kernels
    }

    /// The loops into which the kernel at a path was inlined, for all instruction sets, in the file's order.
    ///
    /// ```
    /// use gridwright_build::inspect::CpuListing;
    ///
    /// assert!(CpuListing::read("").of_kernel("saxpy").is_empty());
    /// ```
    pub fn of_kernel(&self, kernel: &str) -> Vec<CpuFunction> {
        let mut found = BTreeSet::new();
        let named = |kernel: &str| -> Vec<usize> {
            let functions = self.functions.iter().enumerate();
            functions.filter(|(_, function)| is_of(&function.name, kernel)).map(|(place, _)| place).collect()
        };
        // Names of functions have no `r#` in them.
        let mut open = named(&format!("{}::{}", self.krate, kernel.replace("r#", "")));
        if open.is_empty() {
            // In a function, which is part of the type's path and not of the module's.
            open = named(&format!("::{}", own(kernel)));
        }
        while let Some(place) = open.pop() {
            if found.insert(place)
                && let Some(function) = self.functions.get(place)
            {
                open.extend(self.loops_that_are_called(function));
            }
        }
        found.into_iter().filter_map(|place| self.functions.get(place)?.as_loop()).collect()
    }

    fn loops_that_are_called(&self, function: &Function) -> impl Iterator<Item = usize> {
        let is_word = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '$' | '.');
        let words = function.text.split(move |letter| !is_word(letter));
        let called = words.filter_map(move |word| self.places.get(word).copied());
        called.filter(move |&place| {
            self.functions.get(place).is_some_and(|other| other.instruction_set().is_some())
        })
    }

    /// Adds a function that has ended. Data has labels too, and is left out.
    fn close(&mut self, open: Option<(&str, Vec<&str>)>) {
        let Some((symbol, lines)) = open else { return };
        if lines.iter().any(|line| line.contains(".cfi_startproc")) {
            let text = lines.iter().flat_map(|line| [*line, "\n"]).collect();
            self.places.insert(symbol.to_owned(), self.functions.len());
            self.functions.push(Function { name: format!("{:#}", demangle(symbol)), text });
        }
    }
}

impl Function {
    /// The instruction set of a loop; other functions have none.
    fn instruction_set(&self) -> Option<&'static str> {
        let is_of = |set: &&str| self.name.strip_suffix(set).is_some_and(|rest| rest.ends_with(">::"));
        INSTRUCTION_SETS.into_iter().find(is_of)
    }

    fn as_loop(&self) -> Option<CpuFunction> {
        Some(CpuFunction {
            name: self.name.clone(),
            instruction_set: self.instruction_set()?,
            is_interior: self.name.contains("shape::Interior<"),
            text: self.text.clone(),
        })
    }
}

/// The crate and the kernel's path in it, behind the package and the target in what comes after [`UNIQUE`]. Within tests something
/// stands behind it.
fn kernel(symbol: &str) -> Option<(&str, &str)> {
    let path = symbol.splitn(3, "__").nth(2)?;
    path.strip_suffix("__in_tests").unwrap_or(path).split_once("::")
}

/// `name` of `name:` or `"na::me":`, at the start of a line.
fn label(line: &str) -> Option<&str> {
    if let Some((name, after)) = line.strip_prefix('"').and_then(|line| line.split_once('"')) {
        return after.starts_with(':').then_some(name);
    }
    let label = line.split('#').next()?.trim_end().strip_suffix(':')?;
    (!label.is_empty() && !label.contains(char::is_whitespace)).then_some(label)
}

/// Whether a path stands somewhere in a function's name: whole, or, if it begins with `::`, the end of one.
fn is_of(name: &str, path: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let is_inside = |before: &str| before.ends_with("::") || before.ends_with(is_part);
    name.match_indices(path).any(|(at, _)| {
        let (before, after) = (&name[..at], &name[at + path.len()..]);
        (path.starts_with("::") || !is_inside(before)) && !after.starts_with(is_part)
    })
}
