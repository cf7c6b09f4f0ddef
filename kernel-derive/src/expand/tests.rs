//! Whole expansions against the files in `expected/`. `GRIDWRIGHT_BLESS=1` writes the files anew,
//! with `rustfmt` to make them readable.

use std::path::PathBuf;
use std::process::Command;
use std::{env, fs};

use proc_macro2::TokenStream;
use quote::quote;

#[track_caller]
fn expect(name: &str, expansion: &TokenStream) {
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

#[test]
fn saxpy() {
    let expansion = super::gpu_kernel(
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
    expect("saxpy", &expansion);
}

#[test]
fn instances() {
    let expansion = super::gpu_kernel(
        quote!(instances((f32, 4), (f64, 8))),
        quote! {
            fn scale<'a, T: Real, const N: usize>(t: Thread, by: T, mut x: PerThread<'a, [[T; N]]>) {}
        },
    );
    expect("instances", &expansion);
}

#[test]
fn requires() {
    let expansion = super::gpu_kernel(
        quote!(
            index = u64,
            crate = crate,
            requires = m.rows() * n / 2 >= x.len() - 1 && n.is_power_of_two() && x.len() == pairs(&s)
        ),
        quote! {
            fn tested(t: Thread, m: &Matrix<f32>, n: usize, x: &[f32], s: Settings) {}
        },
    );
    expect("requires", &expansion);
}

#[test]
fn stub() {
    let expansion = super::gpu_kernel(
        quote!(instances(f32)),
        quote! {
            pub async fn refused<T>(t: Thread, a: T, b: bool) {}
        },
    );
    expect("stub", &expansion);
}

#[test]
fn kernel_arg() {
    let expansion = super::derive_kernel_arg(quote! {
        #[repr(C)]
        struct Body {
            position: [f32; 3],
            mass: f32,
        }
    });
    expect("kernel_arg", &expansion);
}

#[test]
fn host_only() {
    let item = quote! {
        fn main() {}
    };
    expect("host_only", &super::host_only(quote!(), &item));
}
