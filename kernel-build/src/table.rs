//! Stage 8, *table*: images → the Rust expression that macros include.

use std::fmt::Write as _;
use std::path::PathBuf;

use crate::architecture::{Architecture, Family};
use crate::image::{Entry, Image};
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
    /// The expression, in terms of `__gridwright`, which the including scope brings. An alias of
    /// its own would name the facade, and a user may have renamed that.
    pub(crate) fn expression(&self, cpu: CpuCode) -> String {
        let table = |missing: &str, images: &str| {
            format!(
                "__gridwright::Images {{ missing: {missing:?}, images: &[{images}], cpu: __gridwright::CpuCode::{cpu:?} }}\n"
            )
        };
        match self {
            Self::Images(images) => {
                let images: String = images.iter().map(image).collect();
                table("", &format!("\n{images}"))
            }
            Self::Missing(text) => table(text, ""),
            Self::Refused(text) => format!("__gridwright::core::compile_error!({text:?})\n"),
        }
    }
}

fn image(image: &TableImage) -> String {
    let kind = image.kind;
    let entries: String = image.contents.entries.iter().map(entry).collect();
    format!(
        "    __gridwright::Image {{ architecture: {:?}, kind: __gridwright::ImageKind::{kind:?}, bytes: __gridwright::core::include_bytes!({:?}), \
         entries: &[\n{entries}    ] }},\n",
        image.architecture.name(),
        image.path.to_string_lossy()
    )
}

fn entry(entry: &Entry) -> String {
    let mut parameters = String::new();
    for parameter in &entry.parameters {
        let _ = write!(
            parameters,
            "__gridwright::ImageParameter {{ offset: {}, size: {} }}, ",
            parameter.offset, parameter.size
        );
    }
    format!(
        "        __gridwright::ImageEntry {{ name: {:?}, parameters: &[{}], layout: &{:?} }},\n",
        entry.name,
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
                name: "saxpy".into(),
                parameters: vec![Parameter { offset: 0, size: 4 }, Parameter { offset: 8, size: 8 }],
                layout: vec![4, 4],
            },
            Entry { name: "empty".into(), parameters: vec![], layout: vec![] },
        ];
        let contents = Image { entries, ..Image::default() };
        let architecture = Architecture::parse("sm_80").unwrap();
        let table = Table::Images(vec![TableImage {
            architecture,
            kind: Kind::Ptx,
            path: "/o/bin-a.sm_80.ptx".into(),
            contents,
        }]);
        let expected = r#"__gridwright::Images { missing: "", images: &[
    __gridwright::Image { architecture: "sm_80", kind: __gridwright::ImageKind::Ptx, bytes: __gridwright::core::include_bytes!("/o/bin-a.sm_80.ptx"), entries: &[
        __gridwright::ImageEntry { name: "saxpy", parameters: &[__gridwright::ImageParameter { offset: 0, size: 4 }, __gridwright::ImageParameter { offset: 8, size: 8 }], layout: &[4, 4] },
        __gridwright::ImageEntry { name: "empty", parameters: &[], layout: &[] },
    ] },
], cpu: __gridwright::CpuCode::All }
"#;
        assert_eq!(table.expression(CpuCode::All), expected);
    }

    #[test]
    fn texts_are_literals_whatever_is_in_them() {
        let missing = Table::Missing("say \"x\" \\ \n".into());
        assert_eq!(
            missing.expression(CpuCode::Avx2),
            "__gridwright::Images { missing: \"say \\\"x\\\" \\\\ \\n\", images: &[], cpu: __gridwright::CpuCode::Avx2 }\n"
        );
        assert_eq!(
            Table::Refused("a\nb".into()).expression(CpuCode::All),
            "__gridwright::core::compile_error!(\"a\\nb\")\n"
        );
    }
}
