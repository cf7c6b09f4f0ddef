//! Whole expansions against the files in `expected/`. `GRIDWRIGHT_BLESS=1` writes the files anew,
//! with `rustfmt` to make them readable.

use std::path::PathBuf;
use std::process::Command;
use std::{env, fs};

use proc_macro2::TokenStream;
use quote::quote;

use super::rules;

#[track_caller]
fn expect(name: &str, expansion: &TokenStream, written: &TokenStream) {
    rules::check(expansion, written);
    let path =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/expand/expected").join(name).with_extension("rs");
    if env::var_os("GRIDWRIGHT_BLESS").is_some() {
        fs::write(&path, expansion.to_string()).expect("the file can be written");
        let formatted = Command::new("rustfmt").args(["--edition", "2024"]).arg(&path).status();
        assert!(formatted.is_ok_and(|status| status.success()), "rustfmt");
        return;
    }
    let expected: TokenStream = fs::read_to_string(&path)
        .expect("the file exists; GRIDWRIGHT_BLESS=1 writes it")
        .parse()
        .expect("the file lexes");
    assert!(
        plain(expansion) == plain(&expected),
        "{name} differs: GRIDWRIGHT_BLESS=1 writes it anew, and `git diff` shows where"
    );
}

/// The tokens' text without what rustfmt may add or remove: spaces, a comma at the end of a list and
/// the braces of a closure.
fn plain(tokens: &TokenStream) -> String {
    let skipped = |c: &char| c.is_whitespace() || [',', '{', '}'].contains(c);
    tokens.to_string().chars().filter(|c| !skipped(c)).collect()
}

/// A kernel, by the attribute's arguments and the function.
#[track_caller]
fn kernel(name: &str, arguments: TokenStream, function: TokenStream) {
    let written = quote!(#arguments #function);
    expect(name, &super::gpu_kernel(arguments, function, 7), &written);
}

#[test]
fn saxpy() {
    kernel(
        "saxpy",
        quote!(requires = x.len() == y.len()),
        quote! {
            /// y = a*x + y, one thread an element.
            #[allow(clippy::many_single_char_names)]
            pub fn saxpy(t: Thread, a: f32, x: &[f32], mut y: PerThread<[f32]>) {
                if let Some(y) = y.get_mut(t) {
                    *y = a.mul_add(x[t.index()], *y);
                }
            }
        },
    );
}

#[test]
fn grid() {
    kernel(
        "grid",
        quote!(block = 64),
        quote! {
            fn turn(grid: &Grid, by: f32, mut x: GridMemory<[f32]>, mut w: Workgroup<[f32; 64]>) {
                grid.each(x.grid_stride_mut(), |_, x| x.for_each(|_, x| *x *= by));
            }
        },
    );
}

#[test]
fn cluster() {
    kernel(
        "cluster",
        quote!(block = 64),
        quote! {
            fn turn(cluster: &Cluster, by: f32, mut x: PerGroup<[f32]>, mut w: ClusterMemory<[f32; 64]>) {
                cluster.each_group(&mut w, |g, mut w| g.fill(&mut w, by));
            }
        },
    );
}

#[test]
fn instances() {
    kernel(
        "instances",
        quote!(instances((f32, 4), (f64, 8))),
        quote! {
            fn scale<'a, T: Real, const N: usize>(t: Thread, by: T, mut x: PerThread<'a, [[T; N]]>) {}
        },
    );
}

#[test]
fn requires() {
    kernel(
        "requires",
        quote!(
            index = u64,
            crate = crate,
            requires = m.rows() * n / 2 >= x.len() - 1 && n.is_power_of_two() && x.len() == pairs(&s)
        ),
        quote! {
            fn tested(t: Thread, m: &Matrix<f32>, n: usize, x: &[f32], s: Settings) {}
        },
    );
}

#[test]
fn block_sum() {
    kernel(
        "block_sum",
        quote!(requires = scratch.len() == g.len() && g.len().is_power_of_two()),
        quote! {
            fn block_sum(g: &Group, x: &[f32], mut out: PerGroup<[f32]>, mut scratch: Workgroup<[f32]>) {
                g.each(scratch.elements_mut(), |t, s| *s = x.get(t.index()).copied().unwrap_or(0.0));
            }
        },
    );
}

#[test]
fn matmul() {
    kernel(
        "matmul",
        quote!(block = (T, T), requires = a.cols() == b.rows()),
        quote! {
            fn matmul(
                g: &Group,
                a: &Matrix<f32>,
                b: &Matrix<f32>,
                mut c: PerThread<Matrix<f32>>,
                mut ta: Workgroup<[[f32; T]; T]>,
                mut tb: Workgroup<[[f32; T]; T]>,
            ) {
                let mut acc = g.private(0.0_f32);
            }
        },
    );
}

#[test]
fn group_instances() {
    // Memory in front of what is passed, sizes by generic parameters, and an image of its own for NVIDIA.
    kernel(
        "group_instances",
        quote!(
            instances((f32, 4)),
            fp_contract = off,
            block = 2 * N,
            max_threads = 64,
            min_groups = 2,
            requires = keys.len() >= N && v.planes() == keys.len()
        ),
        quote! {
            fn sorted<T: Real, const N: usize>(
                g: &gw::Group,
                mut keys: Workgroup<[u32]>,
                v: &Volume<T>,
                mut tile: Workgroup<[T; N]>,
                mut values: Workgroup<[T]>,
                mut y: PerThread<'_, [T], Reversed>,
                mut z: PerGroup<Matrix<T>>,
            ) {
            }
        },
    );
}

#[test]
fn reverse() {
    // Raw pointers, and memory of both kinds.
    kernel(
        "reverse",
        quote!(block = 256, requires = n <= 1000),
        quote! {
            unsafe fn reverse(
                t: Thread,
                x: *mut u32,
                y: *const [f32; 2],
                n: usize,
                mut tile: Workgroup<[u32; 256]>,
                mut scratch: Workgroup<[f32]>,
            ) {
                unsafe { sync_threads(t) };
            }
        },
    );
}

#[test]
fn atomic() {
    kernel(
        "atomic",
        quote!(block = 256, index = u64),
        quote! {
            fn histogram(t: Thread, x: &[u8], bins: Atomic<[u32]>, mut seen: PerThread<Volume<u32>>) {}
        },
    );
}

#[test]
fn open() {
    // Without a list of instances: a condition in which the library's own names stand, and types of all kinds.
    kernel(
        "open",
        quote!(block = (N, 4), requires = x.len() == n && fits::<N>(x)),
        quote! {
            pub fn tiled<T: Real, O: Op<T>, const N: usize>(
                g: &Group,
                op: O,
                n: usize,
                x: &[T],
                m: &gw::Matrix<[T; 2]>,
                picture: &Texture2d<f32>,
                mut out: Surface2d<f32>,
                mut y: PerThread<[T], Reversed>,
                mut z: PerGroup<Matrix<T>, PlacedTiles<4, 4, Offset>>,
                mut tile: Workgroup<[[T; N]; 4]>,
                mut w: Workgroup<[T]>,
            ) {
            }
        },
    );
}

#[test]
fn instance() {
    let instances = quote!([gridwright]
        /// Documented.
        pub kernel tiled_f32 = library::deep::tiled<f32, Scale, 16>;
        impl library::Sort<u32> for Key;
    );
    let calls = super::instance(instances.clone());
    let given = quote! {
        { [gridwright] #[doc = "Documented."] pub tiled_f32 library::deep::tiled<f32, Scale, 16> }
        {
            group g, u32, on, cpu on, block 2, max_threads false, min_groups true, first none,
            (
                op: value __Part0,
                n: number usize,
                x: spelled &[__Part1],
                z: placed __gridwright::PerGroup<__gridwright::Matrix<__Part2>, __Part3>,
                s: surface 2 __gridwright::Surface<__Part4, __Part5>,
                tile: fixed __gridwright::Workgroup<__Part6>,
                w: spelled __gridwright::Workgroup<[__Part7]>
            ),
            (fixed "x.len() == n", free 1 "fits::<N>(x)")
        }
    };
    let made = super::instance_of(given.clone(), 0);
    expect("instance", &quote!(#calls #made), &quote!(#instances #given));
}

#[test]
fn kernel_trait() {
    let declaration = quote!([gridwright]
        /// Sorted by it.
        pub trait Sort<V: Value>: Key where V: Copy {
            /// Counts digits.
            type Count = crate::radix::count<Self, crate::Wide<[crate::Digit; 2], V>>;
        }
    );
    let given = quote! {
        { [gridwright] (library::Sort<u32>) Colour<f32> }
        { (V) Count [library::radix::count] [<Self, V>] }
    };
    let made = super::kernel_trait(declaration.clone(), 0);
    let implemented = super::implement(given.clone());
    // Its own, whose name is made of the user's words.
    let instance = quote!(Sort_u32_Count_Colour_f32);
    expect("kernel_trait", &quote!(#made #implemented), &quote!(#declaration #given #instance));
}

#[test]
fn operator() {
    let written = quote!([gridwright]
        /// Documented.
        pub struct Affine { pub scale: f32, shift: f32 } = |x: f32, (y, _): (f32, u32)| -> f32 { x * scale + y };
        struct Larger = for<T: PartialOrd> |a: T, b: T| -> T { if a < b { b } else { a } };
    );
    expect("operator", &super::operator(written.clone()), &written);
}

#[test]
fn stub() {
    kernel(
        "stub",
        quote!(instances(f32)),
        quote! {
            pub async fn refused<T>(t: Thread, a: T, b: bool) {}
        },
    );
}

#[test]
fn kernel_arg() {
    let written = quote! {
        #[repr(C)]
        struct Body {
            position: [f32; 3],
            mass: f32,
        }
    };
    expect("kernel_arg", &super::derive_kernel_arg(written.clone()), &written);
}

#[test]
fn host_only() {
    let item = quote! {
        fn main() {}
    };
    expect("host_only", &super::host_only(quote!(), &item), &item);
}

#[test]
fn print() {
    let written = quote!([gridwright] t, "x = {}, {{y}} = {}", x[t.index()], y,);
    let expansion = super::print(written.clone());
    expect("print", &quote!(fn kernel() { #expansion }), &written);
}

#[test]
fn format() {
    let written = quote!([gridwright] "x = {}, {{y}} = {}", x[t.index()], y,);
    let expansion = super::format(written.clone());
    expect("format", &quote!(fn kernel() { #expansion }), &written);
}

#[test]
fn unroll() {
    let written = quote!(for i in 0..=1_u32 {
        if i == x {
            continue;
        }
        y += i;
    });
    let all = super::unroll(written.clone());
    let in_parts = quote!(2; 'all: for i in 0..n {
        loop {
            break 'all;
        }
    });
    let by = super::unroll(in_parts.clone());
    // A method, and of integers, whose own come before any trait's.
    let known = quote!(wrapping_sub);
    expect("unroll", &quote!(fn kernel() { #all #by }), &quote!(#written #in_parts #known));
}

#[test]
fn foreign() {
    let images = quote!("../kernel-image/src/fixtures/two.ptx");
    let block = quote! {
        unsafe extern "C" {
            /// y = a * x + y.
            pub fn saxpy(n: u32, a: f32, x: *const f32, y: *mut f32);
        }
    };
    let expansion = super::foreign_kernels(images.clone(), block.clone()).to_string();
    // Whole paths are the machine's.
    let expansion = expansion.replace(env!("CARGO_MANIFEST_DIR"), "kernel-derive");
    expect("foreign", &expansion.parse().expect("an expansion lexes"), &quote!(#images #block));
}
