//! Findings as JSON, one object a line, for programs that read them.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

use gridwright_emulator::{Finding, FindingKind, MemoryAccess, Party, SourceLocation, Space};
use serde_json::{Map, Value};

/// Where lines go to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// Standard error, in the place of the text.
    StandardError,
    /// The end of a file, which other processes may write to as well.
    File(PathBuf),
}

impl Target {
    /// What a variable says: `-`, or a path. The file is made now, so that one which can't be is told.
    pub(crate) fn named(name: &str) -> Result<Self, String> {
        if name == "-" {
            return Ok(Self::StandardError);
        }
        let path = PathBuf::from(name);
        append(&path, "").map_err(|error| error.to_string())?;
        Ok(Self::File(path))
    }

    /// Writes a finding. `severity`: `warning`, or `error` of one that ended its launch.
    pub(crate) fn write(&self, finding: &Finding, severity: &str) {
        let line = format!("{}\n", object(finding, severity));
        // Nobody reads it: then there is nobody to tell.
        let _ = match self {
            Self::StandardError => std::io::stderr().lock().write_all(line.as_bytes()),
            Self::File(path) => append(path, &line),
        };
    }
}

fn append(path: &Path, text: &str) -> std::io::Result<()> {
    OpenOptions::new().append(true).create(true).open(path)?.write_all(text.as_bytes())
}

fn fields<const N: usize>(fields: [(&str, Value); N]) -> Value {
    let fields = fields.into_iter().filter(|(_, value)| !value.is_null());
    Value::Object(fields.map(|(name, value)| (name.to_owned(), value)).collect::<Map<_, _>>())
}

fn object(finding: &Finding, severity: &str) -> Value {
    let Finding { kind, kernel, line, source, group, thread, count } = finding;
    fields([
        ("kind", kind.name().into()),
        ("severity", severity.into()),
        ("kernel", kernel.as_str().into()),
        ("ptx_line", (*line).into()),
        ("source", place(source.as_ref())),
        ("group", group.to_vec().into()),
        ("thread", thread.to_vec().into()),
        ("access", access_of(kind).map_or(Value::Null, access)),
        ("other", if let FindingKind::Race { other, .. } = kind { party(other) } else { Value::Null }),
        ("count", (*count).into()),
        ("message", finding.to_string().into()),
    ])
}

fn place(source: Option<&SourceLocation>) -> Value {
    let Some(SourceLocation { file, line, column }) = source else { return Value::Null };
    fields([("file", file.as_str().into()), ("line", (*line).into()), ("column", (*column).into())])
}

fn access_of(kind: &FindingKind) -> Option<&MemoryAccess> {
    match kind {
        FindingKind::OutOfBounds(access)
        | FindingKind::Misaligned(access)
        | FindingKind::UseAfterFree(access)
        | FindingKind::ReadOnly(access)
        | FindingKind::Uninitialised(access)
        | FindingKind::GroupEnded { access, .. }
        | FindingKind::Race { access, .. } => Some(access),
        _ => None,
    }
}

fn access(access: &MemoryAccess) -> Value {
    let allocation = access.nearest.as_ref().map_or(Value::Null, |nearest| {
        fields([
            ("address", nearest.address.into()),
            ("bytes", nearest.bytes.into()),
            ("name", nearest.name.as_deref().map_or(Value::Null, Value::from)),
        ])
    });
    let space = match access.space {
        Space::Global => "global",
        Space::Shared => "shared",
        Space::Local => "local",
        Space::Parameter => "parameter",
        _ => "other",
    };
    fields([
        ("space", space.into()),
        ("address", access.address.into()),
        ("bytes", access.size.into()),
        ("is_write", access.is_write.into()),
        ("allocation", allocation),
    ])
}

fn party(other: &Party) -> Value {
    fields([
        ("group", other.group.to_vec().into()),
        ("thread", other.thread.to_vec().into()),
        ("ptx_line", other.line.into()),
        ("source", place(other.source.as_ref())),
        ("is_write", other.is_write.into()),
        ("is_atomic", other.is_atomic.into()),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_is_one_object_with_what_is_known_of_it() {
        let access =
            MemoryAccess { space: Space::Global, address: 64, size: 4, is_write: true, nearest: None };
        let source = SourceLocation { file: "a \"b\".cu".into(), line: 7, column: 3 };
        let mut finding = Finding {
            kind: FindingKind::OutOfBounds(access),
            kernel: "k".into(),
            line: 12,
            source: Some(source),
            group: [1, 0, 0],
            thread: [2, 3, 0],
            count: 5,
        };
        let text = object(&finding, "error").to_string();
        assert!(!text.contains('\n'));
        let read: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(read["kind"], "out of bounds");
        assert_eq!((read["ptx_line"].as_u64(), read["count"].as_u64()), (Some(12), Some(5)));
        assert_eq!((&read["source"]["file"], &read["source"]["line"]), (&"a \"b\".cu".into(), &7.into()));
        assert_eq!((&read["group"][0], &read["thread"][1]), (&1.into(), &3.into()));
        assert_eq!((&read["access"]["address"], &read["access"]["is_write"]), (&64.into(), &true.into()));
        assert_eq!(read["message"], finding.to_string());
        (finding.kind, finding.source) = (FindingKind::Trap, None);
        let read = object(&finding, "error");
        assert!(read.get("source").is_none() && read.get("access").is_none() && read.get("other").is_none());
    }
}
