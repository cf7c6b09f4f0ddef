//! What 64 to 4096 GPUs can do, on paper: `cargo run -p gridwright-comm --example scaling_model` prints the tables of the book's chapter on several
//! machines. Nothing of it is measured here.
//!
//! A message of `n` bytes takes `LATENCY + n / NETWORK` seconds, as in Hockney's model. The rates are those of data sheets: NVIDIA's of the H100 SXM (memory,
//! BF16 without sparsity), and of ConnectX-7 (NDR InfiniBand, 400 Gb/s), one a GPU. The latency is that of a small message of MPI's between two nodes.

/// Bytes a second of a GPU's memory.
const MEMORY: f64 = 3.35e12;
/// Floating-point operations a second of a GPU, of 16 bits.
const OPERATIONS: f64 = 989e12;
/// Share of those that a training step reaches.
const REACHED: f64 = 0.4;
/// Bytes a second between two nodes, for each GPU.
const NETWORK: f64 = 50e9;
/// Seconds of a message without bytes.
const LATENCY: f64 = 5e-6;
/// The numbers of GPUs.
const GPUS: [u32; 4] = [64, 256, 1024, 4096];

/// Side of each GPU's part of the plate, in elements of 4 bytes.
const SIDE: f64 = 4096.0;
/// Iterations of Jacobi's method from one look at the change to the next.
const LOOKS: f64 = 100.0;

/// Weights of the model that is trained.
const WEIGHTS: f64 = 7e9;
/// Tokens of a GPU's part of a batch.
const TOKENS: f64 = 4096.0;

fn main() {
    print!("{}", tables());
}

/// The two tables, as the book has them.
pub(crate) fn tables() -> String {
    let mut text = String::from(
        "| GPUs | Jacobi, halo after | Jacobi, halo meanwhile | training, sums after | sums meanwhile |\n",
    );
    text.push_str("|---:|---:|---:|---:|---:|\n");
    for gpus in GPUS {
        let gpus = f64::from(gpus);
        let share = |done: f64| format!("{:.1} %", 100.0 * done);
        let row = [
            share(jacobi(gpus, false)),
            share(jacobi(gpus, true)),
            share(training(gpus, false)),
            share(training(gpus, true)),
        ];
        text.push_str(&format!("| {gpus} | {} |\n", row.join(" | ")));
    }
    text
}

/// The share of an iteration in which a GPU computes, by Jacobi's method on a plate whose parts are squares.
fn jacobi(gpus: f64, overlaps: bool) -> f64 {
    // Each element is read once, as its neighbours are in caches, and written once.
    let computes = 8.0 * SIDE * SIDE / MEMORY;
    let message = LATENCY + 4.0 * SIDE / NETWORK;
    // Four neighbours, whose messages share the network and overlap their latency.
    let halo = LATENCY + 4.0 * (message - LATENCY);
    // A sum of one number goes up a tree and down again.
    let sum = 2.0 * gpus.log2() * LATENCY / LOOKS;
    let iteration = if overlaps { computes.max(halo) } else { computes + halo };
    computes / (iteration + sum)
}

/// The share of a step in which a GPU computes, where every GPU has all weights and sums gradients of 2 bytes.
fn training(gpus: f64, overlaps: bool) -> f64 {
    // Two operations a weight and token forwards, four backwards.
    let computes = 6.0 * WEIGHTS * TOKENS / (OPERATIONS * REACHED);
    // Around a ring: each GPU sends all bytes twice but for its own part, in 2 (n - 1) messages.
    let sums = 2.0 * (gpus - 1.0) / gpus * 2.0 * WEIGHTS / NETWORK + 2.0 * (gpus - 1.0) * LATENCY;
    // Gradients come in the last two thirds of the step, and travel as they come.
    let step = if overlaps { computes.max(computes / 3.0 + sums) } else { computes + sums };
    computes / step
}
