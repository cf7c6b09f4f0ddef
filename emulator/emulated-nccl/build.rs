//! Names the library as programs ask for it, and keeps it loaded: communicators have threads of their own.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux") {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libnccl.so.2");
        println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
    }
}
