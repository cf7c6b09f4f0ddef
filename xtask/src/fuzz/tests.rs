use super::batch;
use super::program::{self, Entry};
use super::reduce::{self, Oracle};
use super::tree::{Body, Expr, Kernel, Ty};

fn text(seed: u64) -> String {
    program::core(&batch::kernel(seed), 3, seed & 1 == 1)
}

#[test]
fn a_seed_makes_the_same_kernel_each_time() {
    for seed in batch::seeds(7, 0, 50) {
        assert_eq!(text(seed), text(seed));
    }
    assert_ne!(text(2), text(4));
    assert_eq!(batch::seeds(7, 0, 50), batch::seeds(7, 0, 50));
}

#[test]
fn programs_of_generated_kernels_parse() -> syn::Result<()> {
    for number in 0..6 {
        let kernels: Vec<Kernel> = batch::seeds(1, number, 100).into_iter().map(batch::kernel).collect();
        assert!(kernels.iter().all(Kernel::is_closed));
        let entries: Vec<Entry<'_>> = kernels
            .iter()
            .enumerate()
            .map(|(number, kernel)| Entry { number, kernel, input: 1, on_cpu: true, on_amd: number % 2 == 0 })
            .collect();
        syn::parse_file(&program::text(&entries, false, "what it is", 2))?;
    }
    Ok(())
}

/// Oracle that says that kernels differ whose text has some words.
struct Words(&'static str);

impl Oracle for Words {
    fn tries(&self, _finding: usize) -> usize {
        100
    }

    fn differ(&mut self, questions: &[(usize, Kernel)]) -> anyhow::Result<Vec<bool>> {
        Ok(questions.iter().map(|(_, kernel)| program::core(kernel, 0, false).contains(self.0)).collect())
    }
}

#[test]
fn a_kernel_is_reduced_to_what_differs() -> anyhow::Result<()> {
    let seeds = (0..20).flat_map(|batch| batch::seeds(5, batch, 100));
    let has = |kernel: &Kernel| program::core(kernel, 0, false).contains("swap_bytes");
    let mut kernels: Vec<Kernel> = seeds.map(batch::kernel).filter(has).take(8).collect();
    assert_eq!(kernels.len(), 8);
    reduce::all(&mut kernels, &mut Words("swap_bytes"))?;
    for kernel in kernels {
        let size = kernel.size();
        assert!(size < 60, "{size}: {}", program::core(&kernel, 0, false));
    }
    Ok(())
}

#[test]
fn a_part_takes_its_whole_place_if_the_type_fits() {
    let one = Expr::constant(Ty::U32, "7_u32");
    let sum = Expr::new(Ty::U32, "$0.wrapping_add($1)", vec![one.clone(), Expr::variable(Ty::U32, 99)]);
    let smaller = reduce::exprs(&sum);
    assert!(smaller.contains(&one));
    // A variable that isn't there is no way out.
    let kernel = Kernel::Threads(Body { stmts: Vec::new(), results: vec![Expr::variable(Ty::U32, 99)] });
    assert!(!kernel.is_closed());
}
