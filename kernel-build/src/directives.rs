//! What cargo reads from a build script's output. The only thing that prints is [`crate::compile_kernels`].

use crate::diagnostic::{Diagnostic, Severity};
use crate::environment;
use crate::pipeline::Report;

/// For every build, and also within a device build.
pub(crate) const ALWAYS: &str =
    "cargo::rustc-check-cfg=cfg(gridwright_device, gridwright_entries, gridwright_uncontracted_entries)";

/// A line for each thing to tell.
pub(crate) fn lines(report: &Report) -> Vec<String> {
    let mut lines: Vec<String> =
        environment::WATCHED.iter().map(|v| format!("cargo::rerun-if-env-changed={v}")).collect();
    lines.extend(report.watch.iter().map(|path| format!("cargo::rerun-if-changed={}", path.display())));
    lines.extend(report.diagnostics.iter().map(diagnostic));
    lines
}

fn diagnostic(diagnostic: &Diagnostic) -> String {
    let kind = match diagnostic.severity {
        Severity::Warning => "warning",
        Severity::Error => "error",
    };
    // A directive is one line.
    format!("cargo::{kind}={}", diagnostic.message.replace('\n', " "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_becomes_directives() {
        let report = Report {
            diagnostics: vec![Diagnostic::warning("two\nlines"), Diagnostic::error("bad")],
            watch: ["/w/a.rs".into()].into(),
        };
        let lines = lines(&report);
        assert!(lines.contains(&"cargo::rerun-if-env-changed=GRIDWRIGHT_ARCHITECTURES".to_owned()));
        assert_eq!(
            lines[lines.len() - 3..],
            ["cargo::rerun-if-changed=/w/a.rs", "cargo::warning=two lines", "cargo::error=bad"]
        );
    }
}
