//! Compiles functions in LLVM IR to an object file for the RISC-V cores.

use inkwell::attributes::AttributeLoc;
use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::{FlagBehavior, Module};
use inkwell::passes::PassBuilderOptions;
use inkwell::targets::{
    CodeModel, FileType, InitializationConfig, RelocMode, Target, TargetMachine, TargetTriple,
};
use inkwell::OptimizationLevel;
use tessera_dialects::mlir::crash;
use tessera_dialects::mlir::llvm::retain_functions;

use super::Problem;

/// The cores implement RV32IM without compressed instructions. Linker relaxation is off.
const TRIPLE: &str = "riscv32-unknown-elf";
const CPU: &str = "generic-rv32";
const FEATURES: &str = "+m,-c,-relax";
/// Passes that help control code: hoisting of addresses, simple induction variables. Loops are not
/// unrolled, since images have little room.
const PASSES: &str = "function(simplifycfg,early-cse,instcombine<no-verify-fixpoint>,\
    loop-mssa(loop-rotate<header-duplication>,licm),loop(indvars),instcombine<no-verify-fixpoint>,simplifycfg)";

/// A module in LLVM IR that belongs to no context.
pub(super) struct Bitcode(Vec<u8>);

impl Bitcode {
    pub(super) fn of(module: &Module) -> Self {
        Bitcode(module.write_bitcode_to_memory().as_slice().to_vec())
    }
}

/// Compiles functions of a module, each into a section of its own, [`section`].
///
/// # Errors
/// LLVM's error about the target or the module; cannot happen for verified programs.
pub(super) fn compile(code: &Bitcode, names: &[&str]) -> Result<MemoryBuffer<'static>, Problem> {
    crash::guard("LLVM's code generator", || {
        let context = Context::create();
        let buffer = MemoryBuffer::create_from_memory_range_copy(&code.0, "code");
        let module = Module::parse_bitcode_from_buffer(&buffer, &context);
        let module = module.map_err(Problem::internal)?;
        retain_functions(&module, names);
        Compiler::new()?.compile(&context, &module)
    })
}

/// Compiles modules.
pub(super) struct Compiler {
    machine: TargetMachine,
}

impl Compiler {
    pub(super) fn new() -> Result<Self, Problem> {
        Target::initialize_riscv(&InitializationConfig::default());
        let triple = TargetTriple::create(TRIPLE);
        let target = Target::from_triple(&triple).map_err(Problem::internal)?;
        let machine = target.create_target_machine(
            &triple,
            CPU,
            FEATURES,
            OptimizationLevel::Default,
            RelocMode::Static,
            CodeModel::Small,
        );
        let machine = machine
            .ok_or_else(|| Problem::Internal(format!("LLVM has no target machine for {TRIPLE}")))?;
        Ok(Self { machine })
    }

    /// Compiles all functions of a module.
    pub(super) fn compile<'l>(
        &self,
        context: &'l Context,
        module: &Module<'l>,
    ) -> Result<MemoryBuffer<'static>, Problem> {
        module.set_triple(&self.machine.get_triple());
        module.set_data_layout(&self.machine.get_target_data().get_data_layout());
        for function in module.get_functions() {
            // There is no library and no linker, so code must not call anything or refer to other
            // sections.
            for (name, value) in [("no-builtins", ""), ("no-jump-tables", "true")] {
                let attribute = context.create_string_attribute(name, value);
                function.add_attribute(AttributeLoc::Function, attribute);
            }
            let nounwind = inkwell::attributes::Attribute::get_named_enum_kind_id("nounwind");
            let nounwind = context.create_enum_attribute(nounwind, 0);
            function.add_attribute(AttributeLoc::Function, nounwind);
            let name = function.get_name().to_string_lossy();
            function
                .as_global_value()
                .set_section(Some(&section(&name)));
        }
        // Before version 5 the line table holds the names of files itself, and not in a section
        // that only a linker finds.
        let version = context.i32_type().const_int(4, false);
        module.add_basic_value_flag("Dwarf Version", FlagBehavior::Warning, version);
        let passes = module.run_passes(PASSES, &self.machine, PassBuilderOptions::create());
        passes.map_err(Problem::internal)?;
        let file = self
            .machine
            .write_to_memory_buffer(module, FileType::Object);
        file.map_err(Problem::internal)
    }
}

/// Returns the section of a function's code.
pub(super) fn section(function: &str) -> String {
    format!(".text.{function}")
}
