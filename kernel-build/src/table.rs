//! Stage 8, *table*: images → the Rust expressions that macros include: one of all kernels of a target, and for each name one of the
//! kernels that have it, so that a kernel is compiled in a time that doesn't grow with their number.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;

use crate::architecture::{Architecture, Family};
use crate::discover::Panic;
use crate::image::{Entry, Image};
use crate::names;
use crate::settings::CpuCode;

/// What the macros get for one target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Table {
    /// Images for each architecture.
    Images(Vec<TableImage>),
    /// None, and why: what to do about it.
    Missing(String),
    /// The host crate must not compile: the device compiler's errors.
    Refused(String),
}

/// One image and where it lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TableImage {
    pub(crate) architecture: Architecture,
    /// The architecture of the PTX, where the image was assembled from some.
    pub(crate) compiled_for: Architecture,
    pub(crate) kind: Kind,
    pub(crate) path: PathBuf,
    pub(crate) contents: Image,
}

/// What an image is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Ptx,
    /// NVIDIA's machine code.
    Cubin,
    /// AMD's machine code.
    CodeObject,
}

impl Kind {
    /// What the compiler makes for a family.
    pub(crate) fn of(family: Family) -> Self {
        match family {
            Family::Nvidia => Self::Ptx,
            Family::Amd => Self::CodeObject,
        }
    }
}

impl Table {
    /// The files that have the kernels of one name each.
    pub(crate) fn files(&self) -> BTreeSet<String> {
        let images = if let Self::Images(images) = self { images.as_slice() } else { &[] };
        images.iter().flat_map(|image| &image.contents.entries).filter_map(file).collect()
    }

    /// The expression, in terms of `__gridwright`, which the including scope brings. An alias of
    /// its own would name the facade, and a user may have renamed that.
    pub(crate) fn expression(&self, cpu: CpuCode, panics: &BTreeMap<String, &[Panic]>) -> String {
        self.expression_with(|_| true, cpu, panics)
    }

    /// The expression for one of [`files`](Self::files).
    pub(crate) fn expression_of(
        &self,
        file: &str,
        cpu: CpuCode,
        panics: &BTreeMap<String, &[Panic]>,
    ) -> String {
        self.expression_with(|entry| self::file(entry).as_deref() == Some(file), cpu, panics)
    }

    fn expression_with(
        &self,
        is_wanted: impl Fn(&Entry) -> bool,
        cpu: CpuCode,
        panics: &BTreeMap<String, &[Panic]>,
    ) -> String {
        let table = |missing: &str, images: &str| {
            format!(
                "__gridwright::Images {{ missing: {missing:?}, images: &[{images}], cpu: __gridwright::CpuCode::{cpu:?} }}\n"
            )
        };
        match self {
            Self::Images(images) => {
                let images: String = images.iter().map(|image| self::image(image, &is_wanted)).collect();
                let table = table("", &format!("\n{images}"));
                format!(
                    "{{\nconst PANICS: &[__gridwright::PanicText] = &[{}];\n{table}}}\n",
                    self::panics(panics)
                )
            }
            Self::Missing(text) => table(text, ""),
            Self::Refused(text) => format!("__gridwright::core::compile_error!({text:?})\n"),
        }
    }
}

/// The file in which macros look for a kernel, by its name without an instance's arguments and in lower case, as folders don't always tell
/// a letter's cases apart; none of a name that is too long for a file's.
fn file(entry: &Entry) -> Option<String> {
    let name = names::own(&entry.path);
    let name = name.split('<').next().unwrap_or(name).to_lowercase();
    (name.len() <= 200).then(|| format!("kernel-{name}.rs"))
}

fn image(image: &TableImage, is_wanted: impl Fn(&Entry) -> bool) -> String {
    let kind = image.kind;
    let wanted = image.contents.entries.iter().filter(|entry| is_wanted(entry));
    let entries: String = wanted.map(|entry| self::entry(entry, kind)).collect();
    format!(
        "    __gridwright::Image {{ architecture: {:?}, compiled_for: {:?}, kind: __gridwright::ImageKind::{kind:?}, bytes: __gridwright::core::include_bytes!({:?}), \
         panics: PANICS, entries: &[\n{entries}    ] }},\n",
        image.architecture.name(),
        image.compiled_for.name(),
        image.path.to_string_lossy()
    )
}

/// What the host adds to messages, one line each.
fn panics(files: &BTreeMap<String, &[Panic]>) -> String {
    let mut texts = String::new();
    for (file, panics) in files {
        for Panic { line, column, values } in *panics {
            let _ = write!(
                texts,
                "\n    __gridwright::PanicText {{ file: {file:?}, line: {line}, column: {column}, values: &{values:?} }},"
            );
        }
    }
    if !texts.is_empty() {
        texts.push('\n');
    }
    texts
}

fn entry(entry: &Entry, kind: Kind) -> String {
    let mut parameters = String::new();
    for parameter in &entry.parameters {
        let _ = write!(
            parameters,
            "__gridwright::ImageParameter {{ offset: {}, size: {} }}, ",
            parameter.offset, parameter.size
        );
    }
    // Machine code is loaded whole.
    let parts = entry.parts.iter().filter(|_| kind == Kind::Ptx);
    let parts: Vec<_> = parts.map(|part| [part.start, part.end]).collect();
    format!(
        "        __gridwright::ImageEntry {{ name: {:?}, path: {:?}, parameters: &[{}], layout: &{:?}, parts: &{parts:?} }},\n",
        entry.name,
        entry.path,
        parameters.trim_end_matches(", "),
        entry.layout
    )
}

#[cfg(test)]
mod tests {
    use gridwright_image::Parameter;

    use super::*;

    #[test]
    fn images_become_an_expression() {
        let entries = vec![
            Entry {
                name: "sums_saxpy".into(),
                path: "sums::saxpy".into(),
                parameters: vec![Parameter { offset: 0, size: 4 }, Parameter { offset: 8, size: 8 }],
                layout: vec![4, 4],
                parts: vec![0..40, 70..90],
            },
            Entry { name: "empty".into(), path: "empty".into(), ..Entry::default() },
        ];
        let contents = Image { entries, ..Image::default() };
        let architecture = Architecture::parse("sm_80").unwrap();
        let table = Table::Images(vec![TableImage {
            compiled_for: architecture.clone(),
            architecture,
            kind: Kind::Ptx,
            path: "/o/bin-a.sm_80.ptx".into(),
            contents,
        }]);
        let panic = Panic { line: 3, column: 9, values: vec![String::new(), "a \"b\"".into()] };
        let panics = BTreeMap::from([("src/main.rs".to_owned(), std::slice::from_ref(&panic))]);
        let expected = r#"{
const PANICS: &[__gridwright::PanicText] = &[
    __gridwright::PanicText { file: "src/main.rs", line: 3, column: 9, values: &["", "a \"b\""] },
];
__gridwright::Images { missing: "", images: &[
    __gridwright::Image { architecture: "sm_80", compiled_for: "sm_80", kind: __gridwright::ImageKind::Ptx, bytes: __gridwright::core::include_bytes!("/o/bin-a.sm_80.ptx"), panics: PANICS, entries: &[
        __gridwright::ImageEntry { name: "sums_saxpy", path: "sums::saxpy", parameters: &[__gridwright::ImageParameter { offset: 0, size: 4 }, __gridwright::ImageParameter { offset: 8, size: 8 }], layout: &[4, 4], parts: &[[0, 40], [70, 90]] },
        __gridwright::ImageEntry { name: "empty", path: "empty", parameters: &[], layout: &[], parts: &[] },
    ] },
], cpu: __gridwright::CpuCode::All }
}
"#;
        assert_eq!(table.expression(CpuCode::All, &panics), expected);
        assert_eq!(table.files().into_iter().collect::<Vec<_>>(), ["kernel-empty.rs", "kernel-saxpy.rs"]);
        let of_saxpy = table.expression_of("kernel-saxpy.rs", CpuCode::All, &panics);
        let (before, after) =
            expected.split_once("        __gridwright::ImageEntry { name: \"empty\"").unwrap();
        assert_eq!(of_saxpy, format!("{before}{}", after.split_once('\n').unwrap().1));
        // Machine code for a newer chip has no instructions that the PTX hadn't, such as those of clusters.
        let Table::Images(mut images) = table else { panic!("it has images") };
        images[0].kind = Kind::Cubin;
        images[0].architecture = Architecture::parse("sm_90").unwrap();
        let text = Table::Images(images).expression(CpuCode::All, &BTreeMap::new());
        assert!(
            text.contains(
                r#"architecture: "sm_90", compiled_for: "sm_80", kind: __gridwright::ImageKind::Cubin"#
            ),
            "{text}"
        );
        assert!(text.contains("parts: &[]") && !text.contains("parts: &[["), "{text}");
    }

    #[test]
    fn kernels_of_one_name_share_a_file() {
        let file = |path: &str| file(&Entry { path: path.into(), ..Entry::default() });
        let blur = Some("kernel-blur.rs".to_owned());
        assert_eq!([file("filters::gpu::Blur<f32, my::Lines>"), file("blur")], [blur.clone(), blur]);
        assert_eq!(file("one::Größe").as_deref(), Some("kernel-größe.rs"));
        assert_eq!(file(&"k".repeat(300)), None);
        assert!(Table::Missing(String::new()).files().is_empty());
    }

    #[test]
    fn texts_are_literals_whatever_is_in_them() {
        let missing = Table::Missing("say \"x\" \\ \n".into());
        assert_eq!(
            missing.expression(CpuCode::Avx2, &BTreeMap::new()),
            "__gridwright::Images { missing: \"say \\\"x\\\" \\\\ \\n\", images: &[], cpu: __gridwright::CpuCode::Avx2 }\n"
        );
        assert_eq!(
            Table::Refused("a\nb".into()).expression(CpuCode::All, &BTreeMap::new()),
            "__gridwright::core::compile_error!(\"a\\nb\")\n"
        );
    }
}
