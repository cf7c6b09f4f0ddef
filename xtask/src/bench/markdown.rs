//! A record as Markdown, for people.

use comfy_table::presets::ASCII_MARKDOWN;
use comfy_table::{CellAlignment, ColumnConstraint, Table};

use crate::bench::record::{Found, Gpu, Record};

pub(super) fn of(record: &Record, name: &str) -> String {
    let Record { date, compiler, found } = record;
    let (title, machine, how) = match &found.gpu {
        None => (
            format!("Gridwright's CPU backend on {}", found.cpu),
            format!("{}, {} threads", found.device, found.threads),
            "Measured by `cargo xtask bench`",
        ),
        Some(gpu) => {
            (format!("Gridwright on {}", gpu.name), on_gpu(found, gpu), "Measured by a bundle's `run.sh`")
        }
    };
    format!(
        "# {title}\n\n\
         {date}, {machine}, {compiler}. {how}: ours and the peer in one \
         process, in alternating rounds, results compared first, on arrays that begin at a cache line. Times are of one call, the median of the rounds and \
         in brackets the least. Ratios are the other's time over ours: above 1, ours is faster.\n\n\
         {table}\n\n\
         ![The ratios]({name}.svg)\n",
        table = table(found),
    )
}

fn on_gpu(found: &Found, gpu: &Gpu) -> String {
    format!(
        "{} with {} multiprocessors at up to {} MHz, {} MiB of memory at {} MHz over {} bits, {} KiB of L2, a driver of CUDA {}, \
         nvcc's kernels from {}",
        gpu.architecture,
        gpu.multiprocessors,
        gpu.clock_mhz,
        gpu.memory_bytes >> 20,
        gpu.memory_clock_mhz,
        gpu.memory_bus_bits,
        gpu.l2_bytes >> 10,
        gpu.cuda,
        found.reference.as_deref().unwrap_or("nowhere"),
    )
}

/// Columns of one thread: empty where a row isn't raced against one thread, and left out where none is.
const OF_ONE_THREAD: [usize; 2] = [4, 7];

pub(super) fn table(found: &Found) -> Table {
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN);
    table.set_header([
        "",
        "against",
        "ours",
        "peer",
        "one thread",
        "peer/ours",
        "of minima",
        "one thread/ours",
    ]);
    for row in &found.rows {
        let serial = row.serial;
        table.add_row([
            row.name.clone(),
            row.peer_name.clone(),
            row.ours.to_string(),
            row.peer.to_string(),
            serial.map(|serial| serial.to_string()).unwrap_or_default(),
            format!("{:.2}", row.ratio().of_medians),
            format!("{:.2}", row.ratio().of_minima),
            serial.map_or_else(String::new, |serial| format!("{:.2}", serial.median_ns / row.ours.median_ns)),
        ]);
    }
    for column in table.column_iter_mut().skip(2) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    if found.rows.iter().all(|row| row.serial.is_none()) {
        for index in OF_ONE_THREAD {
            table.column_mut(index).map(|column| column.set_constraint(ColumnConstraint::Hidden));
        }
    }
    table
}
