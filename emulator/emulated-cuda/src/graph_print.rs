//! Graphs as text, for programs that draw them: a file in the language of Graphviz.

use std::ffi::c_uint;
use std::fmt::Write;

use crate::abi::Text;
use crate::context::current;
use crate::error::Error;
use crate::graph_nodes::{Task, find};
use crate::locks::lock;
use crate::registry::Handle;

/// What a node's box says, in one or two lines. Quotes and lines of its own, names haven't.
fn label(task: &Task) -> String {
    match task {
        Task::Empty => "EMPTY".to_owned(),
        Task::Launch(launch) => {
            let sizes = launch.sizes();
            let ([x, y, z], [width, height, depth]) = (sizes.grid, sizes.block);
            format!(
                "KERNEL {}\\n<<<({x},{y},{z}),({width},{height},{depth}),{}>>>",
                launch.name(),
                sizes.shared
            )
        }
        Task::Copy(transfer) => {
            let [width, height, depth] = transfer.size;
            format!(
                "MEMCPY\\n{:#x} from {:#x}, {width} x {height} x {depth} bytes",
                transfer.to.first, transfer.from.first
            )
        }
        Task::Set(rows) => {
            let bytes = rows.width.saturating_mul(rows.unit);
            format!("MEMSET\\n{:#x} to {:#x}, {bytes} x {} bytes", rows.to, rows.value, rows.height)
        }
        Task::Host { function, .. } => format!("HOST\\n{:#x}", *function as usize),
        Task::Child(_) => "GRAPH".to_owned(),
        Task::Allocate(memory) => format!("MEM_ALLOC\\n{:#x}", memory.address),
        Task::Free(memory) => format!("MEM_FREE\\n{:#x}", memory.address),
        Task::Wait(of) => format!("EVENT_WAIT\\n{:#x}", of.handle.0),
        Task::Record(of) => format!("EVENT_RECORD\\n{:#x}", of.handle.0),
    }
}

/// Appends a graph with a name, and graphs in it.
fn describe(graph: Handle, name: &str, text: &mut String) -> Result<(), Error> {
    let nodes = lock(&find(graph)?.nodes).clone();
    let mut write = |line: std::fmt::Arguments<'_>| text.write_fmt(line).map_err(|_| Error::UNKNOWN);
    write(format_args!("subgraph cluster_{name} {{\nlabel=\"{name}\"\n"))?;
    for (number, node) in nodes.iter().enumerate() {
        let label = label(&node.task);
        write(format_args!("\"{name}_node_{number}\"[shape=\"rectangle\" label=\"{number}\\n{label}\"];\n"))?;
    }
    for (number, node) in nodes.iter().enumerate() {
        for before in &node.after {
            write(format_args!("\"{name}_node_{before}\" -> \"{name}_node_{number}\";\n"))?;
        }
    }
    for (number, node) in nodes.iter().enumerate() {
        if let Task::Child(child) = node.task {
            describe(child, &format!("{name}_{number}"), text)?;
        }
    }
    text.push_str("}\n");
    Ok(())
}

driver! {
    /// All is said, whatever the flags ask for.
    fn cuGraphDebugDotPrint(graph: Handle, path: Text, _flags: c_uint) {
        current()?;
        let mut text = "digraph dot {\n".to_owned();
        describe(graph, "graph", &mut text)?;
        text.push_str("}\n");
        std::fs::write(path.get()?, text).map_err(|_| Error::OPERATING_SYSTEM)
    }
}
