//! Keeps the binary lean.

fn main() {
    // mlir-sys names the shared libMLIR beside the static libraries. That makes the linker export,
    // and so keep, every function of theirs; hidden ones are dropped when nothing calls them: 49 MB
    // instead of 173.
    println!("cargo:rustc-link-arg-bins=-Wl,--exclude-libs,ALL");
    println!("cargo:rerun-if-changed=build.rs");
}
