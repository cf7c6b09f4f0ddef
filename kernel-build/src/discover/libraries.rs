//! Dependencies with device code of their own: those that use gridwright, and that device code names or a package lists. A device build
//! compiles them as their own package's device build would.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use super::host_only::Tests;
use super::metadata::{self, Edge, Node};
use super::{CONTRACTION, Dependency, FACADE, Names, Package, Panic, Target, VARIABLES, walk};
use crate::settings;

/// A dependency with device code.
#[derive(Clone, Debug)]
pub(crate) struct Library {
    pub(crate) package: Package,
    pub(crate) target: Target,
    /// What its device code is linked with, and the name of that among the libraries if it is one of them.
    pub(crate) dependencies: Vec<(Dependency, Option<String>)>,
    /// The files of its modules, by their paths in the crate.
    pub(crate) modules: BTreeMap<String, PathBuf>,
    /// The modules that are all of its device code, if it names some.
    pub(crate) named_modules: Vec<String>,
    /// Whether some of its kernels may want an image in which products and sums stay apart.
    pub(crate) says_contraction: bool,
    /// What panics take from its sources, by their files.
    pub(crate) panics: BTreeMap<PathBuf, Vec<Panic>>,
}

impl Library {
    /// Whether it lies in a folder of the user's.
    pub(crate) fn is_local(&self) -> bool {
        self.package.id.starts_with("path+")
    }
}

/// The libraries that a package's device code may be linked with.
#[derive(Clone, Debug, Default)]
pub(crate) struct Libraries {
    /// By cargo's names for their packages.
    all: BTreeMap<String, Library>,
    /// The package's own dependencies among them, by the names that its manifest has for them.
    direct: BTreeMap<String, String>,
    /// The packages without device code that device code may be linked with, by names and versions.
    plain: BTreeSet<String>,
}

impl Libraries {
    /// The library by cargo's name for its package.
    pub(crate) fn get(&self, id: &str) -> Option<&Library> {
        self.all.get(id)
    }

    /// The library that is a dependency of the package.
    pub(crate) fn of(&self, dependency: &Dependency) -> Option<&Library> {
        self.all.get(self.direct.get(dependency.key())?)
    }

    /// All of them.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Library> {
        self.all.values()
    }

    /// The packages without device code that device code may be linked with, as `name@version`: those that neither gridwright is made of
    /// nor use it.
    pub(crate) fn plain(&self) -> impl Iterator<Item = &str> {
        self.plain.iter().map(String::as_str)
    }

    /// Some libraries, and those that they are linked with, each once.
    pub(crate) fn with_linked<'l>(
        &'l self,
        libraries: impl Iterator<Item = &'l Library>,
    ) -> Vec<&'l Library> {
        let mut found: BTreeMap<&str, &Library> = BTreeMap::new();
        let mut waiting: Vec<&Library> = libraries.collect();
        while let Some(library) = waiting.pop() {
            if found.insert(&library.package.id, library).is_none() {
                let linked = library.dependencies.iter().filter_map(|(_, id)| self.get(id.as_deref()?));
                waiting.extend(linked);
            }
        }
        found.into_values().collect()
    }
}

/// The packages of one of cargo's answers, by its names for them.
struct Graph {
    packages: BTreeMap<String, Package>,
    nodes: BTreeMap<String, Node>,
    /// The packages from which gridwright is reached.
    users: BTreeSet<String>,
}

/// Reads the libraries in cargo's answer about a package with the dependencies of a build. `is_wanted` says which of them device code
/// may use; `None` where the answer isn't one.
pub(crate) fn read(answer: &[u8], is_wanted: impl Fn(&Dependency) -> bool) -> Option<Libraries> {
    let (packages, resolve) = metadata::resolved(answer)?;
    let root = resolve.root?;
    let mut graph = Graph {
        packages: packages.into_iter().map(|package| (package.id.clone(), package)).collect(),
        nodes: resolve.nodes.into_iter().map(|node| (node.id.clone(), node)).collect(),
        users: BTreeSet::new(),
    };
    graph.users = graph.users_of_gridwright();
    let mut libraries = Libraries::default();
    let mut linked = Vec::new();
    for dependency in graph.packages.get(&root)?.dependencies.iter().filter(|d| is_wanted(d)) {
        let Some(id) = graph.edge(&root, dependency) else { continue };
        linked.push(id);
        if graph.is_library(id) {
            libraries.direct.insert(dependency.key().to_owned(), id.to_owned());
        }
    }
    libraries.plain = graph.plain(linked);
    let mut waiting: Vec<String> = libraries.direct.values().cloned().collect();
    while let Some(id) = waiting.pop() {
        if !libraries.all.contains_key(&id)
            && let Some(library) = graph.library(&id)
        {
            waiting.extend(library.dependencies.iter().filter_map(|(_, id)| id.clone()));
            libraries.all.insert(id, library);
        }
    }
    Some(libraries)
}

impl Graph {
    fn users_of_gridwright(&self) -> BTreeSet<String> {
        let is_facade = |id: &str| self.packages.get(id).is_some_and(|package| package.name == FACADE);
        let mut users: BTreeSet<String> = BTreeSet::new();
        loop {
            let uses = |edge: &Edge| is_normal(edge) && (is_facade(&edge.pkg) || users.contains(&edge.pkg));
            let more =
                self.nodes.values().filter(|node| !users.contains(&node.id) && node.deps.iter().any(uses));
            let more: Vec<_> = more.map(|node| node.id.clone()).collect();
            if more.is_empty() {
                return users;
            }
            users.extend(more);
        }
    }

    /// Packages, and all that they are linked with. What the compiler itself loads is the host's.
    fn reached<'g>(&'g self, mut waiting: Vec<&'g str>) -> BTreeSet<&'g str> {
        let mut reached = BTreeSet::new();
        let is_macro =
            |package: &Package| package.targets.iter().any(|t| t.kind.iter().any(|k| k == "proc-macro"));
        while let Some(id) = waiting.pop() {
            if !self.packages.get(id).is_none_or(is_macro) && reached.insert(id) {
                let edges = self.nodes.get(id).into_iter().flat_map(|node| &node.deps);
                waiting.extend(edges.filter(|edge| is_normal(edge)).map(|edge| edge.pkg.as_str()));
            }
        }
        reached
    }

    fn plain(&self, linked: Vec<&str>) -> BTreeSet<String> {
        let facade = self.packages.values().filter(|package| package.name == FACADE);
        let of_gridwright = self.reached(facade.map(|package| package.id.as_str()).collect());
        let reached = self.reached(linked);
        let plain = reached.iter().filter(|&&id| !of_gridwright.contains(id) && !self.users.contains(id));
        let packages = plain.filter_map(|&id| self.packages.get(id));
        packages.map(|package| format!("{}@{}", package.name, package.version)).collect()
    }

    fn is_library(&self, id: &str) -> bool {
        self.users.contains(id) && self.packages.get(id).is_some_and(|package| package.library().is_some())
    }

    /// The package that a dependency became, if this build has it.
    fn edge(&self, id: &str, dependency: &Dependency) -> Option<&str> {
        let edges = || self.nodes.get(id).into_iter().flat_map(|node| &node.deps).filter(|e| is_normal(e));
        let is_named = |edge: &&Edge| edge.name == dependency.crate_name();
        // A package may give its library another name.
        let is_it = |edge: &&Edge| {
            dependency.rename.is_none()
                && self.packages.get(&edge.pkg).is_some_and(|package| package.name == dependency.name)
        };
        edges().find(is_named).or_else(|| edges().find(is_it)).map(|edge| edge.pkg.as_str())
    }

    fn library(&self, id: &str) -> Option<Library> {
        let mut package = self.packages.get(id)?.clone();
        let target = package.library()?.clone();
        package.active_features = self.nodes.get(id)?.features.clone();
        let own = settings::of_library(&package);
        let crates: Vec<String> = package.dependencies.iter().map(Dependency::crate_name).collect();
        let crates = crates.iter().map(String::as_str);
        let words: Vec<&str> = [CONTRACTION].into_iter().chain(VARIABLES).chain(crates).collect();
        let sources = walk::walk(&target.src_path, &words, Tests::Left);
        let variables = VARIABLES.into_iter().filter(|&name| sources.device_words.contains(name));
        package.named_variables = variables.map(str::to_owned).collect();
        let names = Names(sources.by_module);
        let mut dependencies: Vec<(Dependency, Option<String>)> = Vec::new();
        for dependency in package.dependencies.iter().filter(|d| d.kind.is_none()) {
            let Some(linked) = self.edge(id, dependency) else { continue };
            let is_listed = own.device_dependencies.iter().any(|name| name == dependency.key());
            let is_named = names.hold(&dependency.crate_name(), &own.modules);
            let library = (self.is_library(linked) && (is_listed || is_named)).then(|| linked.to_owned());
            let is_wanted = dependency.name == FACADE || is_listed || library.is_some();
            if is_wanted && !dependencies.iter().any(|(other, _)| other.key() == dependency.key()) {
                dependencies.push((dependency.clone(), library));
            }
        }
        Some(Library {
            package,
            target,
            dependencies,
            modules: sources.modules,
            named_modules: own.modules,
            says_contraction: sources.words.contains(CONTRACTION),
            panics: sources.panics,
        })
    }
}

fn is_normal(edge: &Edge) -> bool {
    edge.dep_kinds.iter().any(|kind| kind.kind.is_none())
}

/// Cargo's answer about a package `my-app` that depends on `klib`, which has `base`, and on `plain`; these sources don't exist.
#[cfg(test)]
pub(crate) fn answer() -> Vec<u8> {
    let dependency = |name: &str| {
        serde_json::json!({"name": name, "source": null, "req": "*", "kind": null, "rename": null, "optional": false,
            "uses_default_features": true, "features": [], "registry": null, "path": format!("/w/{name}")})
    };
    let package = |name: &str, dependencies: &[&str], metadata: serde_json::Value| {
        let dependencies: Vec<_> = dependencies.iter().map(|name| dependency(name)).collect();
        serde_json::json!({"id": format!("path+file:///w/{name}#0.2.0"), "name": name, "version": "0.2.0",
            "manifest_path": format!("/w/{name}/Cargo.toml"), "dependencies": dependencies, "metadata": {"gridwright": metadata},
            "features": {"double": [], "off": []},
            "targets": [{"name": name.replace('-', "_"), "kind": ["lib"], "src_path": format!("/w/{name}/src/lib.rs"), "edition": "2024"}]})
    };
    let node = |name: &str, dependencies: &[&str], features: &[&str]| {
        let edge = |name: &&str| serde_json::json!({"name": name, "pkg": format!("path+file:///w/{name}#0.2.0"), "dep_kinds": [{"kind": null}]});
        serde_json::json!({"id": format!("path+file:///w/{name}#0.2.0"), "features": features,
            "deps": dependencies.iter().map(edge).collect::<Vec<_>>()})
    };
    let listed = serde_json::json!({"device-dependencies": ["base", "small"]});
    let of_klib = ["gridwright", "base", "small", "rayon"];
    let answer = serde_json::json!({
        "workspace_root": "/w",
        "packages": [
            package("my-app", &["gridwright", "klib", "plain"], serde_json::Value::Null),
            package("klib", &of_klib, listed),
            package("base", &["gridwright"], serde_json::Value::Null),
            package("gridwright", &[], serde_json::Value::Null),
            package("small", &[], serde_json::Value::Null),
            package("rayon", &[], serde_json::Value::Null),
            package("plain", &[], serde_json::Value::Null),
        ],
        "resolve": {"root": "path+file:///w/my-app#0.2.0", "nodes": [
            node("my-app", &["gridwright", "klib", "plain"], &[]),
            node("klib", &of_klib, &["double"]),
            node("base", &["gridwright"], &[]),
            node("gridwright", &[], &[]),
            node("small", &[], &[]),
            node("rayon", &[], &[]),
            node("plain", &[], &[]),
        ]},
    });
    answer.to_string().into_bytes()
}

#[cfg(test)]
mod tests {
    use super::{answer, read};

    #[test]
    fn libraries_are_dependencies_from_which_gridwright_is_reached() {
        let libraries = read(&answer(), |_| true).unwrap();
        let names: Vec<_> = libraries.iter().map(|library| library.package.name.as_str()).collect();
        assert_eq!(names, ["base", "klib"]);
        let klib = libraries.get("path+file:///w/klib#0.2.0").unwrap();
        let linked: Vec<_> = klib.dependencies.iter().map(|(d, id)| (d.key(), id.is_some())).collect();
        assert_eq!(linked, [("gridwright", false), ("base", true), ("small", false)], "rayon is the host's");
        assert!(klib.is_local() && klib.package.active_features.contains("double"));
        let plain: Vec<_> = libraries.plain().collect();
        assert_eq!(plain, ["plain@0.2.0", "rayon@0.2.0", "small@0.2.0"]);
        // What device code doesn't name isn't compiled for devices.
        assert_eq!(read(&answer(), |d| d.name != "klib").unwrap().iter().count(), 0);
        assert!(read(b"no json", |_| true).is_none());
        assert!(read(b"{\"packages\": [], \"workspace_root\": \"/w\"}", |_| true).is_none());
    }
}
