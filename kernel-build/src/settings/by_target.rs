//! A setting of `[package.metadata.gridwright]` which single targets may have otherwise: a value, or a table of values by targets' names.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::diagnostic::Diagnostic;
use crate::discover::Package;

/// What each target of a package has of a setting.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ByTarget<T> {
    /// That of targets which aren't named.
    otherwise: T,
    named: BTreeMap<String, T>,
}

impl<T> ByTarget<T> {
    /// One for all targets.
    pub(super) fn all(value: T) -> Self {
        Self { otherwise: value, named: BTreeMap::new() }
    }

    /// Reads a value, or a table of them; `read` is told how messages name each. A name that no target has is a warning.
    pub(super) fn read(
        key: &str,
        value: Option<&Value>,
        otherwise: T,
        package: &Package,
        diagnostics: &mut Vec<Diagnostic>,
        mut read: impl FnMut(&str, &Value, &mut Vec<Diagnostic>) -> T,
    ) -> Self {
        let key = format!("[package.metadata.gridwright] {key}");
        let Some(Value::Object(values)) = value else {
            return Self::all(value.map_or(otherwise, |value| read(&key, value, diagnostics)));
        };
        for name in values.keys().filter(|name| !package.targets.iter().any(|t| t.name == **name)) {
            diagnostics
                .push(Diagnostic::warning(format!("{key}: `{}` has no target `{name}`", package.name)));
        }
        let named = values.iter().map(|(name, value)| {
            let value = read(&format!("{key}.{name}"), value, diagnostics);
            (name.clone(), value)
        });
        Self { otherwise, named: named.collect() }
    }

    /// That of a target by its name.
    pub(crate) fn of(&self, target: &str) -> &T {
        self.named.get(target).unwrap_or(&self.otherwise)
    }

    /// All there are, that of targets which aren't named first.
    pub(super) fn values(&self) -> impl Iterator<Item = &T> {
        std::iter::once(&self.otherwise).chain(self.named.values())
    }
}
