//! Lines of sources in LLVM IR that has them: `!7 = !DILocation(line: 5, column: 9, scope: !8, inlinedAt: !9)`.

use std::collections::HashMap;

/// A module's metadata by their numbers.
#[derive(Debug, Default)]
pub(super) struct Places<'t> {
    metadata: HashMap<u32, &'t str>,
}

/// How far inlining is followed.
const DEEPEST: usize = 1000;

impl<'t> Places<'t> {
    /// Reads a line that begins with `!`.
    pub(super) fn read(&mut self, line: &'t str) {
        if let Some((number, node)) = line.split_once(" = ")
            && node.strip_prefix("distinct ").unwrap_or(node).starts_with("!DI")
            && let Some(number) = number.strip_prefix('!').and_then(|number| number.parse().ok())
        {
            self.metadata.insert(number, node);
        }
    }

    /// `src/main.rs:5:9`: the innermost place in the user's own files, in whichever functions it was inlined; or where a function is
    /// defined, `src/main.rs:3`.
    pub(super) fn of(&self, number: u32) -> Option<String> {
        let mut next = Some(number);
        for _ in 0..DEEPEST {
            let node = self.metadata.get(&next?)?;
            let scope = match node.contains("!DILocation(") {
                true => self.metadata.get(&link(node, "scope")?)?,
                false => node,
            };
            let (_, file) = self.metadata.get(&link(scope, "file")?)?.split_once("filename: \"")?;
            let (file, _) = file.split_once('"')?;
            // Files of the workspace are named from its folder on; others are a dependency's or the compiler's.
            if !file.starts_with('/') && !file.contains(':') {
                let line = field(node, "line")?;
                let column = field(node, "column").map_or(String::new(), |column| format!(":{column}"));
                return Some(format!("{file}:{line}{column}"));
            }
            next = link(node, "inlinedAt");
        }
        None
    }
}

/// The number in `, !dbg !7` at the end of an instruction, or in `!dbg !7 {` at that of a definition.
pub(super) fn attached(line: &str) -> Option<u32> {
    let (_, number) = line.rsplit_once("!dbg !")?;
    number.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// What stands behind a field's name.
fn field<'t>(node: &'t str, name: &str) -> Option<&'t str> {
    let is_whole = |at: &usize| node[..*at].ends_with([' ', '(']);
    let at = node.match_indices(name).map(|(at, _)| at).find(is_whole)?;
    let value = node[at..].strip_prefix(name)?.strip_prefix(": ")?;
    value.split([',', ')']).next()
}

fn link(node: &str, name: &str) -> Option<u32> {
    field(node, name)?.strip_prefix('!')?.parse().ok()
}
