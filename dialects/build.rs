//! Generates the C++ code of the dialects from their ODS files and compiles it. Also generates
//! typed Rust views of their operations, and of those of upstream dialects.
//!
//! A dialect `x` is `ods/x/Ops.td` (which includes the rest of `ods/x/`), `ods/x/Enums.td` if it
//! has enumerations, and `cpp/x.cpp`, which includes the output of `mlir-tblgen`. To add a dialect,
//! extend [`DIALECTS`]. The tensor operations of `ttir` and `ttnn` and the functions of `pto` come
//! from the operation table, the instructions of `tensix` from the table of its ISA.

#[path = "build/records.rs"]
mod records;
#[path = "build/views.rs"]
mod views;

use std::env;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use records::Records;
use tessera_ops::ods;
use views::views;

/// Every dialect declared in `ods/`.
const DIALECTS: &[&str] = &["ttcore", "ttir", "ttnn", "pto", "tensix", "mncore"];

/// Upstream dialects with operation views: the ODS file below MLIR's headers, and the operations,
/// or all if none is listed.
const UPSTREAM: &[(&str, &str, &[&str])] = &[
    ("arith", "mlir/Dialect/Arith/IR/ArithOps.td", &[]),
    ("builtin", "mlir/IR/BuiltinOps.td", &[]),
    ("func", "mlir/Dialect/Func/IR/FuncOps.td", &[]),
    (
        "llvm",
        "mlir/Dialect/LLVMIR/LLVMOps.td",
        &["inline_asm", "inttoptr", "load", "store"],
    ),
    (
        "scf",
        "mlir/Dialect/SCF/IR/SCFOps.td",
        &["for", "if", "while", "yield"],
    ),
    ("tensor", "mlir/Dialect/Tensor/IR/TensorOps.td", &["empty"]),
];

/// The output files of `ods/<dialect>/Ops.td`: the file, the generator, and the option that limits
/// it to one dialect. A generator without such an option sees only the operations of the main file,
/// because operations of other dialects are never included.
const FROM_OPS: &[(&str, &str, Option<&str>)] = &[
    ("Dialect.h.inc", "-gen-dialect-decls", Some("-dialect")),
    ("Dialect.cpp.inc", "-gen-dialect-defs", Some("-dialect")),
    (
        "Types.h.inc",
        "-gen-typedef-decls",
        Some("-typedefs-dialect"),
    ),
    (
        "Types.cpp.inc",
        "-gen-typedef-defs",
        Some("-typedefs-dialect"),
    ),
    (
        "Attrs.h.inc",
        "-gen-attrdef-decls",
        Some("-attrdefs-dialect"),
    ),
    (
        "Attrs.cpp.inc",
        "-gen-attrdef-defs",
        Some("-attrdefs-dialect"),
    ),
    ("Ops.h.inc", "-gen-op-decls", None),
    ("Ops.cpp.inc", "-gen-op-defs", None),
];

/// The output files of `ods/<dialect>/Enums.td`.
const FROM_ENUMS: &[(&str, &str, Option<&str>)] = &[
    ("Enums.h.inc", "-gen-enum-decls", None),
    ("Enums.cpp.inc", "-gen-enum-defs", None),
];

fn main() -> Result<(), Box<dyn Error>> {
    let prefix = PathBuf::from(
        env::var("MLIR_SYS_190_PREFIX").unwrap_or_else(|_| "/usr/lib/llvm-19".into()),
    );
    let out = PathBuf::from(env::var("OUT_DIR")?);
    println!("cargo:rerun-if-env-changed=MLIR_SYS_190_PREFIX");
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=build");
    println!("cargo:rerun-if-changed=ods");
    println!("cargo:rerun-if-changed=cpp");

    for (file, text) in [
        ("tensix/Instructions.td", tensix_instructions()),
        ("ttir/Generated.td", ods::ttir()),
        ("ttnn/Generated.td", ods::ttnn()),
        ("pto/Generated.td", ods::pto()),
    ] {
        let file = out.join(file);
        fs::create_dir_all(file.parent().ok_or("the file has a folder")?)?;
        fs::write(file, text)?;
    }
    for dialect in DIALECTS {
        fs::create_dir_all(out.join(dialect))?;
        generate(&prefix, &out, dialect, "Ops.td", FROM_OPS)?;
        if Path::new("ods").join(dialect).join("Enums.td").exists() {
            generate(&prefix, &out, dialect, "Enums.td", FROM_ENUMS)?;
        }
        generate_views(
            &prefix,
            &out,
            dialect,
            &format!("ods/{dialect}/Ops.td"),
            &[],
        )?;
    }
    for (dialect, file, operations) in UPSTREAM {
        fs::create_dir_all(out.join(dialect))?;
        let file = prefix.join("include").join(file);
        generate_views(&prefix, &out, dialect, &file.to_string_lossy(), operations)?;
    }

    if !linked() {
        return Ok(());
    }
    let mut build = cc::Build::new();
    build
        .cpp(true)
        .std("c++17")
        .include("cpp")
        .include(&out)
        .flag("-isystem")
        .flag(
            prefix
                .join("include")
                .to_str()
                .ok_or("the LLVM prefix is not UTF-8")?,
        )
        .flag_if_supported("-fno-exceptions")
        .flag_if_supported("-Wno-unused-parameter")
        .define("__STDC_CONSTANT_MACROS", None)
        .define("__STDC_FORMAT_MACROS", None)
        .define("__STDC_LIMIT_MACROS", None)
        .opt_level(1)
        .debug(false)
        .file("cpp/bridge.cpp")
        .file("cpp/llvm.cpp");
    for dialect in DIALECTS {
        build.file(format!("cpp/{dialect}.cpp"));
    }
    build.try_compile("tessera_dialects_cpp")?;
    Ok(())
}

/// Returns whether the build result may be linked. Clippy runs the build scripts again but links
/// nothing, so compiling the C++ code for it would be redundant.
fn linked() -> bool {
    println!("cargo:rerun-if-env-changed=RUSTC_WORKSPACE_WRAPPER");
    env::var_os("RUSTC_WORKSPACE_WRAPPER")
        .is_none_or(|wrapper| Path::new(&wrapper).file_stem() != Some("clippy-driver".as_ref()))
}

/// Runs `mlir-tblgen` on an ODS file, once per generator.
fn generate(
    prefix: &Path,
    out: &Path,
    dialect: &str,
    file: &str,
    outputs: &[(&str, &str, Option<&str>)],
) -> Result<(), Box<dyn Error>> {
    let tblgen = prefix.join("bin/mlir-tblgen");
    for (output, generator, filter) in outputs {
        let mut command = Command::new(&tblgen);
        command
            .arg(generator)
            .args(filter.map(|option| format!("{option}={dialect}")))
            .arg("-Iods")
            .arg(format!("-I{}", out.display()))
            .arg(format!("-I{}", prefix.join("include").display()))
            .arg(format!("ods/{dialect}/{file}"))
            .arg("-o")
            .arg(out.join(dialect).join(output));
        let status = command.status().map_err(|error| {
            format!(
                "cannot run {} ({error}); install mlir-19-tools",
                tblgen.display()
            )
        })?;
        if !status.success() {
            return Err(format!("{command:?} failed").into());
        }
    }
    Ok(())
}

/// Writes the views of the operations that an ODS file declares: of the listed operations, or of
/// all if none is listed.
fn generate_views(
    prefix: &Path,
    out: &Path,
    dialect: &str,
    file: &str,
    named: &[&str],
) -> Result<(), Box<dyn Error>> {
    let tblgen = prefix.join("bin/llvm-tblgen");
    let mut command = Command::new(&tblgen);
    command
        .arg("--dump-json")
        .arg("-Iods")
        .arg(format!("-I{}", out.display()))
        .arg(format!("-I{}", prefix.join("include").display()))
        .arg(file);
    let output = command
        .output()
        .map_err(|error| format!("cannot run {} ({error}); install llvm-19", tblgen.display()))?;
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{command:?} failed: {errors}").into());
    }
    let mut operations = Records::parse(&output.stdout)?.operations(dialect)?;
    operations.retain(|one| named.is_empty() || named.contains(&one.mnemonic.as_str()));
    fs::write(out.join(dialect).join("views.rs"), views(&operations)?)?;
    Ok(())
}

/// Generates one operation per instruction of the Tensix table. Operands are not declared, since
/// hundreds of attributes would take minutes to compile; the verifier uses the table directly.
fn tensix_instructions() -> String {
    let mut td = String::new();
    for row in tessera_isa_tensix::rows() {
        let mnemonic = row.mnemonic.to_ascii_lowercase();
        td += &format!(
            "def Tensix_{}Op : Tensix_Instruction<\"{mnemonic}\"> {{\n  let summary = [{{{}}}];\n}}\n\n",
            camel_case(&mnemonic),
            row.doc,
        );
    }
    td
}

/// Converts a mnemonic to a class name: `pacr_setreg` to `PacrSetreg`.
fn camel_case(name: &str) -> String {
    let mut camel = String::new();
    for word in name.split('_') {
        let (first, rest) = word.split_at(word.len().min(1));
        camel += &first.to_ascii_uppercase();
        camel += rest;
    }
    camel
}
