//! The page of the book.

use anyhow::{Context, ensure};
use comfy_table::Table;

use super::code;
use super::originals::{Originals, Sample};
use super::ports::Ports;
use crate::table::{self, row};

/// A port and its original.
struct Pair<'p> {
    sample: &'p Sample,
    lines: usize,
    unsafe_words: usize,
}

impl Pair<'_> {
    fn ratio(&self) -> f64 {
        self.lines as f64 / self.sample.lines as f64
    }
}

/// The page for these ports. Originals whose ports aren't there yet are left out.
///
/// # Errors
/// Where an example is neither a port of a sample nor said to be none, or both.
pub(super) fn of(originals: &Originals, ports: &Ports) -> anyhow::Result<String> {
    for name in ports.keys() {
        let known = originals.samples.iter().filter(|sample| sample.port == *name).count()
            + originals.left_out.iter().filter(|left_out| left_out.example == *name).count();
        ensure!(
            known == 1,
            "the example {name} is {known} times in originals.json: name the folder of the sample that it is a port of, or say \
             why it is none, then `cargo xtask lines --count PATH_TO_CUDA_SAMPLES`"
        );
    }
    let pairs = originals.samples.iter().filter_map(|sample| pair(sample, ports).transpose());
    let mut pairs = pairs.collect::<anyhow::Result<Vec<Pair<'_>>>>()?;
    pairs.sort_by(|a, b| a.sample.port.cmp(&b.sample.port));
    ensure!(pairs.iter().all(|pair| pair.sample.lines > 0), "originals.json has samples that nobody counted");

    let left_out = originals.left_out.iter().filter(|left_out| ports.contains_key(&left_out.example));
    let left_out: String =
        left_out.map(|left_out| format!("- `{}`: {}\n", left_out.example, left_out.reason)).collect();
    let without_windows: Vec<f64> =
        pairs.iter().filter(|pair| !pair.sample.has_window).map(Pair::ratio).collect();
    let sum = |count: fn(&Pair<'_>) -> usize| pairs.iter().map(count).sum::<usize>();
    Ok(format!(
        "# Lines of the ports\n\n\
         What the examples that are ports of CUDA samples take, beside the originals. A line counts if there is code on it: no comments, \
         no blank lines. Of an original all files of its folder count that are CUDA, C or C++: kernels, host and the reference that \
         results are compared with, but not the helpers that samples share. Of a port the whole file counts, with its check.\n\n\
         The comparison isn't fair in every row. A port does the same work and checks it, but it may leave out variants, options or \
         output; originals marked \\* also have a viewer in OpenGL, and no port has.\n\n\
         {table}\n\n\
         {notes}\n\
         The median of the {count} ratios is {median:.2}, and {narrow:.2} of the {narrow_count} without a viewer. The originals \
         have {cuda} lines together, the ports {ours}, with the word `unsafe` {unsafe_words} times.\n\n\
         Counted by `cargo xtask lines`; the originals are those of `NVIDIA/cuda-samples`, release {release}.\n\n\
         ## Examples that aren't in the table\n\n\
         {left_out}",
        table = table(&pairs),
        notes = notes(&pairs),
        count = pairs.len(),
        median = median(pairs.iter().map(Pair::ratio).collect()),
        narrow = median(without_windows.clone()),
        narrow_count = without_windows.len(),
        cuda = sum(|pair| pair.sample.lines),
        ours = sum(|pair| pair.lines),
        unsafe_words = sum(|pair| pair.unsafe_words),
        release = originals.release,
    ))
}

/// The sample with its port, if that is there.
fn pair<'p>(sample: &'p Sample, ports: &Ports) -> anyhow::Result<Option<Pair<'p>>> {
    let Some(texts) = ports.get(&sample.port) else { return Ok(None) };
    let (mut lines, mut unsafe_words) = (0, 0);
    for text in texts {
        let counted = code::of_rust(text).with_context(|| format!("the port {}", sample.port))?;
        lines += counted.0;
        unsafe_words += counted.1;
    }
    Ok(Some(Pair { sample, lines, unsafe_words }))
}

fn notes(pairs: &[Pair<'_>]) -> String {
    let noted = pairs.iter().filter_map(|pair| Some((&pair.sample.port, pair.sample.note.as_ref()?)));
    noted.map(|(port, note)| format!("- `{port}`: {note}\n")).collect()
}

fn table(pairs: &[Pair<'_>]) -> Table {
    let mut table = table::markdown("port | its original | lines of CUDA: | ours: | ours/CUDA: | `unsafe`:");
    for pair in pairs {
        let Sample { port, folder, lines, has_window, .. } = pair.sample;
        let folder = folder.strip_prefix("Samples/").unwrap_or(folder);
        let original = format!("`{folder}`{}", if *has_window { " \\*" } else { "" });
        let ratio = format!("{:.2}", pair.ratio());
        table.add_row(row![format!("`{port}`"), original, lines, pair.lines, ratio, pair.unsafe_words]);
    }
    table
}

/// The middle ratio, or the mean of the middle two. Of none it is no number.
fn median(mut ratios: Vec<f64>) -> f64 {
    ratios.sort_by(f64::total_cmp);
    let middle = ratios.len() / 2;
    match ratios.len() {
        0 => f64::NAN,
        len if len % 2 == 1 => ratios[middle],
        _ => ratios[middle - 1].midpoint(ratios[middle]),
    }
}

#[cfg(test)]
mod tests {
    use super::super::originals::LeftOut;
    use super::*;

    fn originals() -> Originals {
        let sample = |port: &str, lines, has_window: bool| {
            let (folder, note) = (format!("Samples/0_Introduction/{port}"), "it has a window");
            let (port, note) = (port.to_owned(), has_window.then(|| note.into()));
            Sample { port, folder, files: 1, lines, has_window, note }
        };
        let left_out = LeftOut { example: "own".into(), reason: "it is ours".into() };
        let samples = vec![sample("two", 10, false), sample("one", 4, true), sample("later", 7, false)];
        Originals { release: "v1.2".into(), samples, left_out: vec![left_out] }
    }

    fn ports(names: &[&str]) -> Ports {
        let texts = || vec!["// One.\nfn main() {\n    unsafe { f() }\n}\n".to_owned()];
        names.iter().map(|name| ((*name).to_owned(), texts())).collect()
    }

    #[test]
    fn rows_are_sorted_and_have_ratios() {
        let page = of(&originals(), &ports(&["two", "own", "one"])).unwrap();
        let rows: Vec<&str> = page.lines().filter(|line| line.contains("0_Introduction")).collect();
        assert_eq!(rows.len(), 2);
        assert!(rows[0].contains("`0_Introduction/one` \\*") && rows[0].contains("0.75"), "{page}");
        assert!(rows[1].contains("0.30"), "{page}");
        assert!(
            page.contains("The median of the 2 ratios is 0.53, and 0.30 of the 1 without a viewer."),
            "{page}"
        );
        assert!(page.contains("\n\n- `one`: it has a window\n\nThe median"), "{page}");
        assert!(page.contains("14 lines together, the ports 6, with the word `unsafe` 2 times."), "{page}");
        assert!(page.ends_with("- `own`: it is ours\n"), "{page}");
    }

    #[test]
    fn an_example_that_nobody_knows_is_an_error() {
        let error = of(&originals(), &ports(&["three"])).unwrap_err().to_string();
        assert!(error.contains("the example three is 0 times"), "{error}");
    }

    #[test]
    fn an_original_that_nobody_counted_is_an_error() {
        let mut originals = originals();
        originals.samples[0].lines = 0;
        assert!(of(&originals, &ports(&["two"])).is_err());
    }

    #[test]
    fn medians() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![3.0, 1.0]), 2.0);
    }
}
