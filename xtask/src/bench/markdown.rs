//! A record for people.

use comfy_table::presets::ASCII_MARKDOWN;
use comfy_table::{CellAlignment, Table};

use crate::bench::record::{Found, Gpu, Record, Time};

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
         process, in alternating rounds, results compared first. Times are of one call, the median of the rounds and \
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

/// What was raced against one thread has two more columns.
fn table(found: &Found) -> Table {
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN);
    let has_serial = found.rows.iter().any(|row| row.serial.is_some());
    let mut header = vec!["", "against", "ours", "peer", "peer/ours", "of minima"];
    header.extend(has_serial.then_some(["one thread", "one thread/ours"]).into_iter().flatten());
    table.set_header(header);
    for row in &found.rows {
        let mut cells = vec![
            row.name.clone(),
            row.peer_name.clone(),
            shown(row.ours),
            shown(row.peer),
            format!("{:.2}", row.ratio()),
            format!("{:.2}", row.ratio_of_minima()),
        ];
        if has_serial {
            cells.push(row.serial.map_or_else(String::new, shown));
            let ratio = |serial: Time| format!("{:.2}", serial.median_ns / row.ours.median_ns);
            cells.push(row.serial.map_or_else(String::new, ratio));
        }
        table.add_row(cells);
    }
    for column in table.column_iter_mut().skip(2) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

fn shown(time: Time) -> String {
    let (unit, nanoseconds) = match time.median_ns {
        ns if ns < 1e3 => ("ns", 1.0),
        ns if ns < 1e6 => ("µs", 1e3),
        _ => ("ms", 1e6),
    };
    format!("{:.2} ({:.2}) {unit}", time.median_ns / nanoseconds, time.min_ns / nanoseconds)
}
