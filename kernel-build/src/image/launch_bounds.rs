//! Launch bounds: what a kernel demands of its groups, from its record to directives of PTX. Rust can't say them.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use gridwright_image::ptx::Module;

use super::Malformed;

/// The macros export a kernel's demands under this name, with the kernel's after it: the threads of its block along
/// each axis, the most threads of a group, and the least groups of a multiprocessor. Zero is no demand.
const PREFIX: &str = "__gridwright_bounds_";

/// The most threads that a group has on any NVIDIA GPU.
const MOST_THREADS: u32 = 1024;

/// What one kernel demands.
#[derive(Debug)]
struct Demands {
    block: Option<[u32; 3]>,
    max_threads: Option<u32>,
    min_groups: Option<u32>,
}

/// The module with a directive for each demand, and without the records.
pub(super) fn state(text: &str) -> Result<Cow<'_, str>, Malformed> {
    if !text.contains(PREFIX) {
        return Ok(Cow::Borrowed(text));
    }
    let module = Module::read(text)?;
    let mut records = BTreeMap::new();
    for variable in &module.variables {
        if let Some(kernel) = variable.name.strip_prefix(PREFIX)
            && records.insert(kernel, variable).is_some()
        {
            return Err(wrong(kernel, "they are there twice"));
        }
    }
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    for entry in &module.entries {
        if let Some(record) = records.remove(entry.name) {
            let demands = Demands::read(&record.bytes()?).map_err(|e| wrong(entry.name, e))?;
            edits.push((entry.directives..entry.directives, demands.directives()));
            edits.push((record.place.clone(), String::new()));
        }
    }
    if let Some(kernel) = records.keys().next() {
        return Err(wrong(kernel, "there is no such kernel"));
    }
    edits.sort_by_key(|(place, _)| place.start);
    let mut stated = String::with_capacity(text.len());
    let mut end = 0;
    for (place, directives) in edits {
        stated.push_str(text.get(end..place.start).unwrap_or_default());
        stated.push_str(&directives);
        end = place.end;
    }
    stated.push_str(text.get(end..).unwrap_or_default());
    Ok(Cow::Owned(stated))
}

fn wrong(kernel: &str, what: &str) -> Malformed {
    Malformed(format!("the launch bounds of `{kernel}` can't be used: {what}"))
}

impl Demands {
    fn read(record: &[u8]) -> Result<Self, &'static str> {
        let (words, rest) = record.as_chunks::<4>();
        let words: Vec<u32> = words.iter().map(|word| u32::from_le_bytes(*word)).collect();
        let &[x, y, z, max_threads, min_groups] = words.as_slice() else {
            return Err("a record has five words");
        };
        if !rest.is_empty() {
            return Err("a record has five words");
        }
        let block = match [x, y, z] {
            [0, 0, 0] => None,
            block if block.contains(&0) => return Err("a block has threads along every axis"),
            block => Some(block),
        };
        let threads = u128::from(x) * u128::from(y) * u128::from(z);
        if max_threads != 0 && threads > u128::from(max_threads) {
            return Err("a block has more threads than the most of a group");
        }
        let given = |word: u32| Some(word).filter(|word| *word != 0);
        Ok(Self { block, max_threads: given(max_threads), min_groups: given(min_groups) })
    }

    fn directives(&self) -> String {
        let mut directives = match (self.block, self.max_threads) {
            // An entry may not have both, and the block says more.
            (Some([x, y, z]), _) => format!("\n.reqntid {x}, {y}, {z}"),
            (None, Some(most)) => format!("\n.maxntid {}, 1, 1", most.min(MOST_THREADS)),
            // The least number of groups means nothing without their size.
            (None, None) if self.min_groups.is_some() => format!("\n.maxntid {MOST_THREADS}, 1, 1"),
            (None, None) => String::new(),
        };
        if let Some(least) = self.min_groups {
            directives.push_str(&format!("\n.minnctapersm {least}"));
        }
        directives
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "//\n.version 8.3\n.target sm_80\n.address_size 64\n\n";

    fn stated(record: &str) -> Result<String, Malformed> {
        let text = format!(
            "{HEAD}\t// .globl k\n.visible .global .align 4 .b8 __gridwright_bounds_k[20]{record};\n\
             .visible .entry k(\n\t.param .u32 n\n)\n{{ {{ }} ret; }}\n.visible .entry other(){{ ret; }}\n"
        );
        state(&text).map(Cow::into_owned)
    }

    fn expected(directives: &str) -> String {
        format!(
            "{HEAD}\t// .globl k\n\n.visible .entry k(\n\t.param .u32 n\n){directives}\n{{ {{ }} ret; }}\n\
             .visible .entry other(){{ ret; }}\n"
        )
    }

    #[test]
    fn demands_become_directives_and_records_go() {
        for (record, directives) in [
            (" = {16, 0, 0, 0, 8, 0, 0, 0, 1}", "\n.reqntid 16, 8, 1"),
            (
                " = {0, 2, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 3}",
                "\n.reqntid 512, 1, 1\n.minnctapersm 3",
            ),
            (" = {8, 0, 0, 0, 8, 0, 0, 0, 2, 0, 0, 0, 128}", "\n.reqntid 8, 8, 2"),
            (" = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 96}", "\n.maxntid 96, 1, 1"),
            (" = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 16}", "\n.maxntid 1024, 1, 1"),
            (
                " = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2}",
                "\n.maxntid 1024, 1, 1\n.minnctapersm 2",
            ),
            ("", ""),
        ] {
            assert_eq!(stated(record), Ok(expected(directives)), "{record}");
        }
    }

    #[test]
    fn kernels_keep_their_own_bounds_in_any_order() {
        let text = format!(
            "{HEAD}.entry a\n{{ ret; }}\n.const .u32 __gridwright_bounds_b[5] = {{8, 4, 2}};\n\
             .entry b(.param .u32 n){{ ret; }}\n.global .u32 __gridwright_bounds_a[5] = {{0, 0, 0, 64}};"
        );
        let expected = format!(
            "{HEAD}.entry a\n.maxntid 64, 1, 1\n{{ ret; }}\n\n.entry b(.param .u32 n)\n.reqntid 8, 4, 2{{ ret; }}\n"
        );
        assert_eq!(state(&text).unwrap(), expected);
    }

    #[test]
    fn modules_without_records_are_left_alone() {
        let text = format!("{HEAD}.entry k() {{ ret; }}");
        assert!(matches!(state(&text), Ok(Cow::Borrowed(same)) if same == text));
    }

    #[test]
    fn bounds_that_contradict_themselves_are_an_error() {
        for (record, what) in [
            (" = {16}", "a block has threads along every axis"),
            (
                " = {16, 0, 0, 0, 8, 0, 0, 0, 1, 0, 0, 0, 127}",
                "a block has more threads than the most of a group",
            ),
            (
                " = {255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1}",
                "a block has more threads than the most of a group",
            ),
        ] {
            assert_eq!(stated(record), Err(wrong("k", what)), "{record}");
        }
    }

    #[test]
    fn broken_records_are_an_error() {
        let end = ".entry k() { ret; }";
        for text in [
            format!(".global .u32 __gridwright_bounds_k[4]; {end}"),
            format!(".global .u32 __gridwright_bounds_k[6]; {end}"),
            format!(".global .b8 __gridwright_bounds_k[21]; {end}"),
            format!(".global .u32 __gridwright_bounds_k[5] = {{many}}; {end}"),
            format!(".global .u32 __gridwright_bounds_gone[5]; {end}"),
            format!(".global .u32 __gridwright_bounds_k[5]; .global .u32 __gridwright_bounds_k[5]; {end}"),
            ".global .u32 __gridwright_bounds_k[5]; .entry k(".to_owned(),
            ".global .u32 __gridwright_bounds_k[5]; .entry".to_owned(),
            ".global .u32 __gridwright_bounds_k[5".to_owned(),
        ] {
            assert!(state(&format!("{HEAD}{text}")).is_err(), "{text}");
        }
    }

    #[test]
    fn text_cut_anywhere_never_panics() {
        let text = format!(
            "{HEAD}.visible .global .u32 __gridwright_bounds_é[5] = {{1, 1, 1}};\n.entry é(.param .u32 n) {{ ret; }}"
        );
        for end in (0..text.len()).filter(|end| text.is_char_boundary(*end)) {
            let _ = state(&text[..end]);
        }
    }
}
