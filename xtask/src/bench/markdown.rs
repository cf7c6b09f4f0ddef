//! A record as Markdown, for people.

use comfy_table::{ColumnConstraint, Table};

use crate::bench::record::{Found, Gpu, Record};
use crate::table::{self, or_empty, row};

pub(super) fn of(record: &Record, name: &str) -> String {
    let Record { date, compiler, device, cpu, found } = record;
    let (title, machine, how) = match &found.gpu {
        None => (
            format!("Gridwright's CPU backend on {cpu}"),
            format!("{device}, {} threads", found.threads),
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
    let Gpu { architecture, cuda, multiprocessors, clock_mhz, memory_clock_mhz, memory_bus_bits, .. } = gpu;
    let (memory, l2) = (gpu.memory_bytes >> 20, gpu.l2_bytes >> 10);
    let kernels = found.reference.as_deref().unwrap_or("nowhere");
    format!(
        "{architecture} with {multiprocessors} multiprocessors at up to {clock_mhz} MHz, {memory} MiB of memory at {memory_clock_mhz} MHz \
         over {memory_bus_bits} bits, {l2} KiB of L2, a driver of CUDA {cuda}, nvcc's kernels from {kernels}"
    )
}

/// Columns of one thread: empty where a row isn't raced against one thread, and left out where none is.
const OF_ONE_THREAD: [usize; 2] = [4, 7];

pub(super) fn table(found: &Found) -> Table {
    let mut table = table::markdown(
        " | against | ours: | peer: | one thread: | peer/ours: | of minima: | one thread/ours:",
    );
    for row in &found.rows {
        let (ratio, serial) = (row.ratio(), row.serial);
        let [medians, minima] = [ratio.of_medians, ratio.of_minima].map(|ratio| format!("{ratio:.2}"));
        let by_one = or_empty(serial.map(|serial| format!("{:.2}", serial.median_ns / row.ours.median_ns)));
        table.add_row(row![
            row.name,
            row.peer_name,
            row.ours,
            row.peer,
            or_empty(serial),
            medians,
            minima,
            by_one
        ]);
    }
    if found.rows.iter().all(|row| row.serial.is_none()) {
        for index in OF_ONE_THREAD {
            table.column_mut(index).map(|column| column.set_constraint(ColumnConstraint::Hidden));
        }
    }
    table
}
