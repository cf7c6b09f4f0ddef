//! Peers in OpenCL: the kernels of `kernels.cl` on whatever runtimes for the CPU the loader finds.

use super::contestant::{Contestant, clocked};
use super::open_cl::{Argument, Buffer, Cpu, Kernel, Program};
use super::problem::{Array, Problem, Values};

/// What indices are, which the runtimes' compilers vectorise differently, and what else compilers are told.
const TYPES: [&str; 2] = ["size_t", "int"];
const OPTIONS: [&str; 2] = ["", "-cl-fast-relaxed-math"];

/// Words of memory beside the arrays, for what a part leaves.
const SCRATCH: usize = 256;

/// Work-items of each of a runtime's threads where each takes a part.
const PARTS: usize = 8;

/// A launch.
#[derive(Clone, Copy)]
struct Step {
    kernel: &'static str,
    sizes: [usize; 2],
    group: Option<[usize; 2]>,
}

impl Step {
    fn over(kernel: &'static str, sizes: [usize; 2]) -> Vec<Self> {
        vec![Self { kernel, sizes, group: None }]
    }

    fn grouped(kernel: &'static str, sizes: [usize; 2], group: [usize; 2]) -> Vec<Self> {
        vec![Self { kernel, sizes, group: Some(group) }]
    }
}

/// The ways to do what a row asks: each a few launches. None where there are no kernels for it.
fn plans(problem: &Problem, threads: usize) -> Vec<Vec<Step>> {
    let (size, parts) = (problem.size, threads * PARTS);
    let (line, square) = ([size, 1], [size, size]);
    let in_parts = |kernels: [&'static str; 2]| {
        [Step::over(kernels[0], [parts, 1]), Step::over(kernels[1], [1, 1])].concat()
    };
    match problem.subject {
        "nothing" => vec![Step::over("nothing", line)],
        "saxpy" => vec![Step::over("saxpy", line)],
        "matrix_mul_naive" => vec![Step::over("matrix_mul_naive", square)],
        "matrix_mul_tiled" => vec![
            Step::grouped("matrix_mul_tiled", square, [16, 16]),
            Step::grouped("matrix_mul_patches", [size / 16, size / 4], [8, 8]),
        ],
        "reduction" => vec![in_parts(["sum_parts", "sum_sums"]), in_parts(["sum_parts_wide", "sum_sums"])],
        "black_scholes" => vec![Step::over("black_scholes", line)],
        "bodies" => vec![Step::over("bodies", line), Step::grouped("bodies_tiled", line, [64, 1])],
        "mandelbrot" => vec![Step::over("mandelbrot", square)],
        "transpose" => vec![
            Step::over("transpose", square),
            Step::grouped("transpose", square, [16, 16]),
            Step::grouped("transpose_tiled", square, [16, 16]),
        ],
        "histogram" => {
            vec![[Step::over("histogram_parts", [parts, 1]), Step::over("histogram_sums", [256, 1])].concat()]
        }
        "stencil" => vec![Step::over("stencil", square)],
        "scan" => {
            vec![[in_parts(["scan_sums", "scan_starts"]), Step::over("scan_parts", [parts, 1])].concat()]
        }
        _ => Vec::new(),
    }
}

/// A runtime with the kernels compiled in each way.
pub(crate) struct Runtime {
    cpu: Cpu,
    programs: Vec<(String, Program)>,
}

impl Runtime {
    /// Compiles the kernels.
    ///
    /// # Errors
    /// With what the compiler says.
    pub(crate) fn of(cpu: Cpu) -> anyhow::Result<Self> {
        let ways = OPTIONS.iter().flat_map(|options| TYPES.map(|index| (index, options)));
        let programs = ways.map(|(index, options)| {
            let program = cpu.build(include_str!("../kernels.cl"), &format!("-DINDEX={index} {options}"))?;
            Ok((format!("{index} {options}").trim().to_owned(), program))
        });
        let programs = programs.collect::<anyhow::Result<_>>()?;
        Ok(Self { cpu, programs })
    }

    /// The runtime's, as it says itself.
    pub(crate) fn version(&self) -> &str {
        &self.cpu.version
    }

    /// Who takes part in a row, or nobody where there are no kernels for it.
    ///
    /// # Errors
    /// Where a kernel can't be had, or there isn't the memory.
    pub(crate) fn enter<'p>(
        &'p self,
        problem: &'p Problem,
    ) -> anyhow::Result<Option<Box<dyn Contestant + 'p>>> {
        let cpu = &self.cpu;
        let plans = plans(problem, cpu.threads);
        if plans.is_empty() {
            return Ok(None);
        }
        let arrays = problem.arrays.iter().map(|array| upload(cpu, array));
        let arrays = arrays.collect::<anyhow::Result<Vec<_>>>()?;
        let (size, parts) = (u32::try_from(problem.size)?, u32::try_from(cpu.threads * PARTS)?);
        let scratch = cpu.upload(&vec![0_u32; cpu.threads * PARTS * SCRATCH])?;
        let mut ways = Vec::new();
        for (name, program) in &self.programs {
            let scalars = problem.scalars.iter().map(|&scalar| Argument::Float(scalar));
            let rest = [Argument::Int(size), Argument::Int(parts), Argument::Buffer(&scratch)];
            let arguments: Vec<_> = arrays.iter().map(Argument::Buffer).chain(scalars).chain(rest).collect();
            for (number, plan) in plans.iter().enumerate() {
                let steps = plan.iter().map(|&step| {
                    let mut kernel = program.kernel(cpu, step.kernel)?;
                    // SAFETY: the kernels of `kernels.cl` take these and touch the elements that a row of this size has, by work-items of a
                    // plan's number; of the scratch memory no more than `SCRATCH` words a part. `InCl` keeps the memory as long as the kernels.
                    unsafe { kernel.set(&arguments)? };
                    anyhow::Ok((kernel, step))
                });
                let steps = steps.collect::<anyhow::Result<_>>()?;
                let name = match &plans[..] {
                    [_] => name.clone(),
                    _ => format!("plan {}, {name}", number + 1),
                };
                ways.push(Way { name, steps });
            }
        }
        Ok(Some(Box::new(InCl { cpu, problem, arrays, _scratch: scratch, ways, way: 0 })))
    }
}

struct InCl<'p> {
    cpu: &'p Cpu,
    problem: &'p Problem,
    arrays: Vec<Buffer>,
    /// Kept, as kernels have it.
    _scratch: Buffer,
    ways: Vec<Way<'p>>,
    way: usize,
}

struct Way<'p> {
    name: String,
    steps: Vec<(Kernel<'p>, Step)>,
}

fn upload(cpu: &Cpu, array: &Array) -> anyhow::Result<Buffer> {
    match array {
        Array::F32(numbers) => cpu.upload(numbers),
        Array::U32(numbers) => cpu.upload(numbers),
        Array::U8(numbers) => cpu.upload(numbers),
    }
}

fn write(cpu: &Cpu, buffer: &Buffer, array: &Array) -> anyhow::Result<()> {
    match array {
        Array::F32(numbers) => cpu.write(buffer, numbers),
        Array::U32(numbers) => cpu.write(buffer, numbers),
        Array::U8(numbers) => cpu.write(buffer, numbers),
    }
}

impl Contestant for InCl<'_> {
    fn ways(&self) -> Vec<String> {
        self.ways.iter().map(|way| way.name.clone()).collect()
    }

    fn take(&mut self, way: usize) {
        self.way = way;
    }

    fn result(&mut self) -> anyhow::Result<Vec<f64>> {
        for (buffer, array) in self.arrays.iter().zip(&self.problem.arrays) {
            write(self.cpu, buffer, array)?;
        }
        self.time(1)?;
        let first = self.arrays.len() - self.problem.results;
        let mut values = Vec::new();
        for (buffer, array) in self.arrays.iter().zip(&self.problem.arrays).skip(first) {
            let bytes = self.cpu.download::<u8>(buffer)?;
            values.extend(array.of_same_type(&bytes).values());
        }
        Ok(values)
    }

    fn time(&mut self, calls: u32) -> anyhow::Result<f64> {
        let steps = &self.ways[self.way].steps;
        clocked(calls, || {
            for _ in 0..self.problem.launches {
                for (kernel, Step { sizes, group, .. }) in steps {
                    kernel.submit(*sizes, *group)?;
                }
            }
            self.cpu.wait()
        })
    }
}
