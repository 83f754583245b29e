//! `convert-pto-to-mncore`: kernels over tiles become loops of instructions for MN-Core 2.
//!
//! What a group of kernels computes on whole tensors is found in its image in `tessera_pto` ([`crate::pto_group`]), and compiled by
//! [`tessera_mncore_code::compile`]; here is only where kernels come from and where loops go to. The loops are not scheduled:
//! `mncore-schedule` does that. The kernels over tiles stay, so that a module can hold code for both chips.
//!
//! The kernels of a function are compiled together, as the `ttnn.kernel_region`s in it run them: what one makes for another stays in DRAM where
//! it can. A remark says where it cannot.
//!
//! A product of matrices is computed in the precision that the pass is told, unless the `ttnn.matmul` or `ttnn.linear` that a kernel is for says another
//! in its attribute `mncore.precision`, one of the words of the option. The attribute comes from TTIR as it is. If none
//! says more than `auto`, a product that had a factor of f64 is computed in double precision, of what f32 keeps of its factors.
//!
//! Each instruction has the location of the operation that it computes.

use std::collections::HashMap;

use tessera_dialects::mlir::{At, AttributeValue, Location, Op, Pass, Reported, Rewriter, Value};
use tessera_dialects::mncore::write::Writer;
use tessera_dialects::pto;
use tessera_isa_mncore::memory::Precision;
use tessera_mncore_code::compile::{together, Call, F32Matmul, Kernel, Options, Wanted};
use tessera_program::{image_bytes, MAX_IMAGE_BYTES};

use crate::badly_scaled;
use crate::options::{self, Kind, OptionInfo};
use crate::pto_group;
use crate::registry::PassInfo;
use crate::ttir_element_type_normalization::DOUBLE;

/// The options that pipelines have, too.
pub const OPTIONS: &[OptionInfo] = &[
    OptionInfo {
        name: "precision",
        description: "The precision of matrix products: auto is pseudo (18 bits) for bf16, what f32-matmul says where a factor is f32, and double \
                      where it was f64 in TTIR; half has 9 bits and no numbers beyond 2^32",
        kind: Kind::Choice(Wanted::WORDS),
        default: Wanted::WORDS[0],
    },
    OptionInfo {
        name: "f32-matmul",
        description: "The precision of matrix products with a factor of f32, if precision is auto: single has 23 bits and takes twice as long",
        kind: Kind::Choice(F32Matmul::WORDS),
        default: F32Matmul::WORDS[0],
    },
];

/// How the registry knows the pass.
pub const INFO: PassInfo = PassInfo {
    name: "convert-pto-to-mncore",
    description: "Lowers kernels over tiles to loops of instructions for MN-Core 2",
    anchor: Some("builtin.module"),
    options: OPTIONS,
    make: |options| Ok(Box::new(ConvertPtoToMncore(read(options)))),
};

struct ConvertPtoToMncore(Options);

/// The options of a compilation. Words that are no value have been refused.
fn read(options: &options::Options) -> Options {
    Options {
        precision: Wanted::of_word(options.text("precision")).unwrap_or_default(),
        f32_matmul: F32Matmul::of_word(options.text("f32-matmul")).unwrap_or_default(),
    }
}

impl Pass for ConvertPtoToMncore {
    fn name(&self) -> &str {
        INFO.name
    }

    fn run<'a>(&self, module: Op<'a>, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
        let kernels = module.find_all("pto.func");
        let launches = kernels
            .iter()
            .flat_map(|kernel| kernel.find_all("pto.launch"));
        let parts: Vec<&str> = launches.flat_map(pto::launched).collect();
        let kernels = kernels
            .into_iter()
            .filter(|kernel| !parts.contains(&kernel.symbol().unwrap_or_default()));
        let mut all = Vec::new();
        for kernel in kernels {
            all.push(Translated {
                kernel,
                code: translate(kernel)?,
                options: self.options(module, kernel)?,
            });
        }
        let mut compiled: Vec<Option<Kernel>> = all.iter().map(|_| None).collect();
        for called in programs(module, &all) {
            compile(&all, &called, &mut compiled)?;
        }
        // In the order of the kernels, behind all of them.
        for (translated, compiled) in all.iter().zip(&compiled) {
            let compiled = compiled.as_ref().expect("every kernel is in a program");
            write(module, translated, compiled, rewriter)?;
        }
        Ok(())
    }
}

impl ConvertPtoToMncore {
    /// How a kernel is compiled: in the precision that its product asks for, if it does.
    fn options(&self, module: Op<'_>, kernel: Op<'_>) -> Result<Options, Reported> {
        let mut options = self.0;
        for product in products(module, kernel.symbol().unwrap_or_default()) {
            if let Some(word) = product.string(PRECISION) {
                options.precision = Wanted::of_word(word).ok_or_else(|| {
                    let words = Wanted::WORDS.join(" or ");
                    product.error(format!(
                        "its attribute {PRECISION} is {words}, not '{word}'"
                    ))
                })?;
            }
            if options.precision == Wanted::Auto && product.flag(DOUBLE) {
                options.precision = Wanted::Exactly(Precision::Double);
            }
        }
        Ok(options)
    }
}

/// The products of matrices that a kernel is for, in the regions that run it.
fn products<'a>(module: Op<'a>, kernel: &str) -> Vec<Op<'a>> {
    let regions = module.find_all("ttnn.kernel_region").into_iter();
    let named = regions.filter(|region| run(region) == Some(kernel));
    let ops = named.flat_map(Op::children);
    ops.filter(|op| matches!(op.name(), "ttnn.matmul" | "ttnn.linear"))
        .collect()
}

/// The name of the kernel that a region runs.
fn run<'a>(region: &Op<'a>) -> Option<&'a str> {
    let symbol = region.attribute("kernel");
    symbol.and_then(AttributeValue::symbol_name)
}

/// The attribute in which a product says its precision.
const PRECISION: &str = "mncore.precision";

/// A kernel over tiles.
struct Translated<'a> {
    kernel: Op<'a>,
    code: pto_group::Translated<'a>,
    options: Options,
}

impl<'a> Translated<'a> {
    fn name(&self) -> &'a str {
        self.kernel.symbol().unwrap_or_default()
    }

    /// The operation of a location, or the kernel.
    fn op(&self, location: Option<usize>) -> Op<'a> {
        let op = location.and_then(|location| self.code.ops.get(location).copied());
        op.unwrap_or(self.kernel)
    }
}

/// A kernel, by its number, where a program runs it: if it does, with the values that its tensors are.
struct Called<'a> {
    kernel: usize,
    tensors: Option<Vec<Value<'a>>>,
}

/// The kernels that each function runs, in order. Those that nobody runs, or more than one region, are programs of their own.
fn programs<'a>(module: Op<'a>, all: &[Translated<'a>]) -> Vec<Vec<Called<'a>>> {
    let regions = module.find_all("ttnn.kernel_region");
    let is_alone = |name: &str| {
        let named = regions.iter().filter(|region| run(region) == Some(name));
        named.count() != 1
    };
    let mut programs: Vec<Vec<Called>> = Vec::new();
    for func in module.find_all("func.func") {
        let runs = func.find_all("ttnn.kernel_region").into_iter();
        let called = runs.filter_map(|region| {
            let kernel = all
                .iter()
                .position(|one| Some(one.name()) == run(&region))?;
            let tensors = [region.operands(), region.results()].concat();
            let is_whole = tensors.len() == all[kernel].code.group.tensors.len();
            (is_whole && !is_alone(all[kernel].name())).then_some(Called {
                kernel,
                tensors: Some(tensors),
            })
        });
        programs.push(called.collect());
    }
    let run: Vec<usize> = programs.iter().flatten().map(|one| one.kernel).collect();
    let others = (0..all.len()).filter(|kernel| !run.contains(kernel));
    let alone = |kernel| Called {
        kernel,
        tensors: None,
    };
    programs.extend(others.map(|kernel| vec![alone(kernel)]));
    programs
}

/// Compiles the kernels of a program.
fn compile<'a>(
    all: &[Translated<'a>],
    called: &[Called<'a>],
    compiled: &mut [Option<Kernel>],
) -> Result<(), Reported> {
    let mut numbers: HashMap<Value, usize> = HashMap::new();
    let calls: Vec<Call> = called
        .iter()
        .map(|one| {
            let Translated { code, options, .. } = &all[one.kernel];
            let group = &code.group;
            let tensors = match &one.tensors {
                Some(values) => values
                    .iter()
                    .map(|value| {
                        let next = numbers.len();
                        *numbers.entry(*value).or_insert(next)
                    })
                    .collect(),
                None => (0..group.tensors.len()).collect(),
            };
            Call {
                group,
                tensors,
                options: *options,
            }
        })
        .collect();
    let made = together(&calls).map_err(|error| {
        let of = &all[called[error.call].kernel];
        of.op(error.error.location()).error(error.error.to_string())
    })?;
    for relaid in &made.relaid {
        let [to, from] = [relaid.call, relaid.from].map(|call| &all[called[call].kernel]);
        let tensor = &made.kernels[relaid.call].tensors[relaid.tensor];
        to.kernel.remark(format!(
            "tensor {} ({}), which @{} makes, is laid out anew by the host: {}",
            tensor.argument,
            tensor.kind,
            from.name(),
            relaid.why
        ));
    }
    for (one, kernel) in called.iter().zip(made.kernels) {
        require_room(all[one.kernel].kernel, &kernel)?;
        compiled[one.kernel] = Some(kernel);
    }
    Ok(())
}

/// Checks that the host can lay out the tensors of a kernel.
fn require_room(op: Op<'_>, kernel: &Kernel) -> Result<(), Reported> {
    for tensor in &kernel.tensors {
        let bytes = image_bytes(&tensor.layout);
        if bytes > MAX_IMAGE_BYTES {
            return Err(op.error(format!(
                "tensor {} ({}) cannot be laid out in DRAM: {} takes {bytes} bytes with its padding and replicas, and the host lays out {MAX_IMAGE_BYTES} at most: split the tensor",
                tensor.argument, tensor.kind, tensor.layout
            )));
        }
    }
    Ok(())
}

/// What a kernel computes.
fn translate(kernel: Op<'_>) -> Result<pto_group::Translated<'_>, Reported> {
    let mut groups = pto_group::translate(kernel)?;
    match groups.pop() {
        Some(only) if groups.is_empty() => Ok(only),
        last => Err(kernel.error(format!(
            "launches {} groups; a kernel on MN-Core 2 is one",
            groups.len() + usize::from(last.is_some())
        ))),
    }
}

fn write<'a>(
    module: Op<'a>,
    translated: &Translated<'a>,
    compiled: &Kernel,
    rewriter: &Rewriter<'a>,
) -> Result<(), Reported> {
    let (kernel, name) = (translated.kernel, translated.name());
    if let Some(precision) = compiled.precision {
        for product in products(module, name) {
            badly_scaled::warn(product, precision);
        }
    }
    let ops = translated.code.ops.iter();
    let lines: Vec<Location> = ops.map(|op| op.location()).collect();
    let body = module.body().ok_or_else(|| module.error("has no body"))?;
    Writer::new(rewriter, kernel.location(), &lines).kernel(
        At::End(body),
        &format!("{name}_mncore"),
        name,
        compiled,
    );
    Ok(())
}
