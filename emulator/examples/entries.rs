//! Prints the kernels of a PTX file and what they need.
//!
//! `cargo run -p gridwright-emulator --example entries -- FILE.ptx`

use std::error::Error;
use std::{env, fs};

use gridwright_emulator::Module;

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args().nth(1).ok_or("which file? entries FILE.ptx")?;
    let module = Module::parse(&fs::read_to_string(&path)?)?;
    let (major, minor) = module.version();
    println!("{path}: PTX {major}.{minor} for {}", module.target());
    for entry in module.entries() {
        let registers = entry.registers();
        println!(
            "{}: {} parameters of {} bytes, workgroup memory {}, local memory {}, registers {} + {} + {} + {}",
            entry.name(),
            entry.parameters().len(),
            entry.parameter_bytes(),
            entry.shared_bytes(),
            entry.local_bytes(),
            registers.predicates,
            registers.b16,
            registers.b32,
            registers.b64
        );
    }
    Ok(())
}
