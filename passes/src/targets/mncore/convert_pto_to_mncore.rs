//! `convert-pto-to-mncore`: lowers kernels over tiles to loops of instructions for MN-Core 2.
//!
//! A group of kernels is translated to its `tessera_pto` image ([`crate::pto::pto_group`]) and
//! compiled by [`tessera_mncore_code::compile`]; this pass connects the two with MLIR. Loops are
//! left unscheduled for `mncore-schedule`. The kernels over tiles are kept, so that a module can
//! hold code for both chips.
//!
//! All kernels of a function are compiled together, in the order of its `ttnn.kernel_region`s, so
//! that tensors stay in DRAM between them where possible. A remark tells where this is not
//! possible. A kernel that several regions run is compiled once for all of them that have its
//! tensors at the same addresses in the same layouts. Otherwise it has several variants, and the
//! attribute `mncore.kernel` of each region names the one it runs.
//!
//! A matrix product has the precision given by the pass option, unless the `ttnn.matmul` or
//! `ttnn.linear` has the attribute `mncore.precision` with another value of that option. The
//! attribute is preserved from TTIR. If both are `auto`, a product that had an f64 factor in TTIR
//! is computed in double precision, from factors rounded to f32.
//!
//! Each instruction has the location of the operation that it implements.

use std::collections::HashMap;
use std::rc::Rc;

use tessera_dialects::mlir::attribute_key::{Symbol, Text};
use tessera_dialects::mlir::{At, AttributeKey, Location, Op, Pass, Reported, Rewriter, Value};
use tessera_dialects::mncore::write::Writer;
use tessera_dialects::pto::FuncOp;
use tessera_dialects::ttnn::KernelRegionOp;
use tessera_dialects::verify::call;
use tessera_dialects::{builtin, func};
use tessera_isa_mncore::memory::Precision;
use tessera_mncore_code::compile::{
    compile_program, Call, F32Matmul, Kernel, Options, PrecisionChoice,
};
use tessera_ops::Class;
use tessera_program::{image_bytes, MAX_IMAGE_BYTES};

use crate::driver::options::{self, Kind, OptionInfo};
use crate::driver::registry::PassInfo;
use crate::pto::kernel_index::KernelIndex;
use crate::pto::pto_group;
use crate::symbols::Symbols;
use crate::targets::mncore::scale_lint;
use crate::targets::mncore::system_desc::{self, SYSTEM_DESC};
use crate::ttir::ttir_element_type_normalization::DOUBLE;
use crate::verified::expect_verified;

/// The options that pipelines share.
pub const OPTIONS: &[OptionInfo] = &[
    OptionInfo {
        name: "precision",
        description: "The precision of matrix products: auto selects pseudo (18 bits) for bf16, \
            the value of f32-matmul for f32 factors, and double for factors that were f64 in TTIR; \
            half has 9 bits and a range up to 2^32",
        kind: Kind::Choice(PrecisionChoice::NAMES),
        default: PrecisionChoice::NAMES[0],
    },
    OptionInfo {
        name: "f32-matmul",
        description: "The precision of matrix products with a factor of f32, if precision is auto: single has 23 bits and takes twice as long",
        kind: Kind::Choice(F32Matmul::NAMES),
        default: F32Matmul::NAMES[0],
    },
];

/// The pass's entry in the registry.
pub const INFO: PassInfo = PassInfo {
    name: "convert-pto-to-mncore",
    description: "Lowers kernels over tiles to loops of instructions for MN-Core 2",
    anchor: Some(builtin::ModuleOp::NAME),
    options: OPTIONS,
    make: |options| Ok(Box::new(ConvertPtoToMncore(read(options)))),
};

struct ConvertPtoToMncore(Options);

/// Converts pass options. Invalid names have been rejected before.
fn read(options: &options::Options) -> Options {
    Options {
        precision: PrecisionChoice::from_name(options.text("precision")).unwrap_or_default(),
        f32_matmul: F32Matmul::from_name(options.text("f32-matmul")).unwrap_or_default(),
    }
}

impl Pass for ConvertPtoToMncore {
    fn name(&self) -> &str {
        INFO.name
    }

    fn run<'a>(&self, module: Op<'a>, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
        let kernels = KernelIndex::new(module);
        let is_whole = |kernel: &FuncOp| !kernels.is_launched(*kernel);
        let runs = RegionsByKernel::new(module);
        let mut all = Vec::new();
        for kernel in kernels.all().iter().copied().filter(is_whole) {
            let code = translate(kernel, &kernels)?;
            let moves = code.group.rearrangement();
            if moves.is_some_and(|(_, moves)| moves.map.lookup.is_some()) {
                // The host executes it: transfers have addresses that the compiler knows.
                continue;
            }
            all.push(Translated {
                kernel,
                code,
                options: self.options(&runs, kernel)?,
            });
        }
        let mut compiled: Vec<Variants> = all.iter().map(|_| Variants::default()).collect();
        for called in programs(module, &all, &runs) {
            compile(&all, &called, &mut compiled)?;
        }
        for translated in &all {
            describe_system(*translated.kernel, rewriter)?;
        }
        // In the order of the kernels, after all of them.
        let symbols = Symbols::default();
        for (translated, variants) in all.iter().zip(&compiled) {
            variants.write(module, translated, (&runs, &symbols), rewriter)?;
        }
        Ok(())
    }
}

/// Adds the system description of the chip to the module of a kernel, unless it has one: kernels
/// may be shared with another target, whose pipeline described another system.
fn describe_system<'a>(kernel: Op<'a>, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
    let Some(module) = kernel.parent() else {
        return Ok(());
    };
    if let Some(description) = module.attribute(SYSTEM_DESC) {
        let checked = system_desc::check(&description.to_string());
        return checked.map_err(|message| module.error(message));
    }
    let description = rewriter.context().parse_attribute(&system_desc::built_in());
    rewriter.set_attribute(module, SYSTEM_DESC, expect_verified(module, description)?);
    Ok(())
}

/// The kernel regions of a module, by the name of the kernel that they run.
struct RegionsByKernel<'a>(HashMap<&'a str, Vec<KernelRegionOp<'a>>>);

impl<'a> RegionsByKernel<'a> {
    fn new(module: Op<'a>) -> Self {
        let mut runs: HashMap<&str, Vec<KernelRegionOp>> = HashMap::new();
        for region in module.find_all::<KernelRegionOp>() {
            runs.entry(region.kernel().unwrap_or_default())
                .or_default()
                .push(region);
        }
        RegionsByKernel(runs)
    }

    /// Returns the regions that run a kernel.
    fn regions(&self, kernel: &str) -> &[KernelRegionOp<'a>] {
        self.0.get(kernel).map_or(&[], Vec::as_slice)
    }
}

impl ConvertPtoToMncore {
    /// Returns the options for a kernel, with the precision that its product requests.
    fn options(&self, runs: &RegionsByKernel<'_>, kernel: FuncOp<'_>) -> Result<Options, Reported> {
        let mut options = self.0;
        let regions = runs.regions(kernel.symbol().unwrap_or_default());
        for product in regions.iter().copied().flat_map(products) {
            if let Some(word) = PRECISION.get(product) {
                options.precision = PrecisionChoice::from_name(word).ok_or_else(|| {
                    let words = PrecisionChoice::NAMES.join(" or ");
                    product.error(format!(
                        "its attribute {} is {words}, not '{word}'",
                        PRECISION.name()
                    ))
                })?;
            }
            if options.precision == PrecisionChoice::Auto && DOUBLE.get(product) == Some(true) {
                options.precision = PrecisionChoice::Fixed(Precision::Double);
            }
        }
        Ok(options)
    }
}

/// Returns the matrix products of a region.
fn products<'a>(region: KernelRegionOp<'a>) -> Vec<Op<'a>> {
    let is_product = |op: &Op| matches!(call::class(*op), Some(Class::Contraction));
    region.children().into_iter().filter(is_product).collect()
}

/// The attribute that requests the precision of a product.
const PRECISION: AttributeKey<Text> = AttributeKey::new("mncore.precision");

/// A kernel over tiles, translated.
struct Translated<'a> {
    kernel: FuncOp<'a>,
    code: pto_group::Translated<'a>,
    options: Options,
}

impl<'a> Translated<'a> {
    fn name(&self) -> &'a str {
        self.kernel.symbol().unwrap_or_default()
    }

    /// Returns the locations of the kernel's operations in a region that runs it. The kernel itself
    /// has those of the region for which it was made.
    fn lines(
        &self,
        runs: &RegionsByKernel<'a>,
        region: Option<KernelRegionOp<'a>>,
    ) -> Vec<Location<'a>> {
        let locations =
            |region: KernelRegionOp<'a>| region.children().into_iter().map(Op::location);
        let regions = runs.regions(self.name()).iter();
        let mut regions = regions.filter(|region| region.location() == self.kernel.location());
        let renamed: Vec<(Location, Location)> = match (regions.next(), region) {
            (Some(from), Some(to)) => locations(*from).zip(locations(to)).collect(),
            _ => Vec::new(),
        };
        let in_region = |location: Location<'a>| {
            let known = renamed.iter().find(|(from, _)| *from == location);
            known.map_or(location, |(_, to)| *to)
        };
        let ops = self.code.ops.iter();
        ops.map(|op| in_region(op.location())).collect()
    }

    /// Returns the operation of a location, or the kernel.
    fn op(&self, location: Option<usize>) -> Op<'a> {
        let op = location.and_then(|location| self.code.ops.get(location).copied());
        op.unwrap_or(*self.kernel)
    }
}

/// A kernel, by its number, with the region that runs it, if any.
struct Called<'a> {
    kernel: usize,
    region: Option<KernelRegionOp<'a>>,
}

impl<'a> Called<'a> {
    /// Returns the region, or the kernel if no region runs it.
    fn op(&self, all: &[Translated<'a>]) -> Op<'a> {
        self.region
            .map_or(*all[self.kernel].kernel, |region| *region)
    }

    /// Returns the values of the kernel's tensors, if a region runs it.
    fn tensors(&self) -> Option<Vec<Value<'a>>> {
        let region = self.region?;
        Some([region.operands(), region.results()].concat())
    }
}

/// Returns the kernels that each function runs, in order. A kernel that no function runs is a
/// program of its own.
fn programs<'a>(
    module: Op<'a>,
    all: &[Translated<'a>],
    runs: &RegionsByKernel<'a>,
) -> Vec<Vec<Called<'a>>> {
    let numbers: HashMap<&str, usize> = all.iter().map(Translated::name).zip(0..).collect();
    let called = |region: KernelRegionOp<'a>| {
        let kernel = *numbers.get(region.kernel()?)?;
        let tensors = region.operand_count() + region.result_count();
        (tensors == all[kernel].code.group.tensors.len()).then_some(Called {
            kernel,
            region: Some(region),
        })
    };
    let mut programs: Vec<Vec<Called>> = Vec::new();
    for func in module.find_all::<func::FuncOp>() {
        let regions = func.find_all::<KernelRegionOp>().into_iter();
        programs.push(regions.filter_map(called).collect());
    }
    let is_run = |translated: &Translated<'a>| {
        let regions = runs.regions(translated.name()).iter();
        regions.copied().any(|region| called(region).is_some())
    };
    let others = all.iter().enumerate().filter(|(_, one)| !is_run(one));
    let alone = |(kernel, _)| {
        vec![Called {
            kernel,
            region: None,
        }]
    };
    let alone: Vec<_> = others.map(alone).collect();
    programs.extend(alone);
    programs
}

/// Compiles the kernels of a program.
fn compile<'a>(
    all: &[Translated<'a>],
    called: &[Called<'a>],
    compiled: &mut [Variants<'a>],
) -> Result<(), Reported> {
    let mut numbers: HashMap<Value, usize> = HashMap::new();
    let calls: Vec<Call> = called
        .iter()
        .map(|one| {
            let Translated { code, options, .. } = &all[one.kernel];
            let group = &code.group;
            let number = |value: Value<'a>| {
                let next = numbers.len();
                *numbers.entry(value).or_insert(next)
            };
            let tensors = match one.tensors() {
                Some(values) => values.into_iter().map(number).collect(),
                None => (0..group.tensors.len()).collect(),
            };
            Call {
                group,
                tensors,
                options: *options,
            }
        })
        .collect();
    let made = compile_program(&calls).map_err(|error| {
        let of = &all[called[error.call].kernel];
        of.op(error.error.location()).error(error.error.to_string())
    })?;
    for relayout in &made.host_relayouts {
        let [to, from] = [relayout.call, relayout.from].map(|call| &called[call]);
        let tensor = &made.kernels[relayout.call].tensors[relayout.tensor];
        to.op(all).remark(format!(
            "tensor {} ({}), which @{} makes, is converted to another layout by the host: {}",
            tensor.argument,
            tensor.kind,
            all[from.kernel].name(),
            relayout.reason
        ));
    }
    for (one, kernel) in called.iter().zip(made.kernels) {
        require_room(one.op(all), &kernel)?;
        compiled[one.kernel].add(kernel, one.region);
    }
    Ok(())
}

/// The variants of a kernel: different layouts or addresses in DRAM for different neighbours.
#[derive(Default)]
struct Variants<'a> {
    /// Each variant with the regions that run it.
    all: Vec<(Rc<Kernel>, Vec<KernelRegionOp<'a>>)>,
    /// The number of each variant, keyed by address.
    numbers: HashMap<*const Kernel, usize>,
}

/// The attribute of a region that names the variant of its kernel, if there are several.
pub(crate) const VARIANT: AttributeKey<Symbol> = AttributeKey::new("mncore.kernel");

impl<'a> Variants<'a> {
    fn add(&mut self, kernel: Rc<Kernel>, region: Option<KernelRegionOp<'a>>) {
        let next = self.all.len();
        let number = *self.numbers.entry(Rc::as_ptr(&kernel)).or_insert(next);
        if number == next {
            self.all.push((kernel, Vec::new()));
        }
        self.all[number].1.extend(region);
    }

    /// Writes all variants of a kernel and names them in the regions.
    fn write(
        &self,
        module: Op<'a>,
        translated: &Translated<'a>,
        (runs, symbols): (&RegionsByKernel<'a>, &Symbols<'a>),
        rewriter: &Rewriter<'a>,
    ) -> Result<(), Reported> {
        let body = expect_verified(module, module.body())?;
        let (kernel, name) = (*translated.kernel, translated.name());
        for (number, (compiled, regions)) in self.all.iter().enumerate() {
            let symbol = match number {
                0 => format!("{name}_mncore"),
                _ => format!("{name}_mncore_{number}"),
            };
            symbols.claim(module, kernel, &symbol)?;
            if kernel.parent() != Some(module) {
                symbols.claim_beside(kernel, &symbol)?;
            }
            if let Some(precision) = compiled.precision {
                let products = regions.iter().copied().flat_map(products);
                products.for_each(|product| scale_lint::warn_of_scales(product, precision));
            }
            if self.all.len() > 1 {
                let regions = regions.iter();
                regions.for_each(|region| rewriter.set(**region, VARIANT, &symbol));
            }
            let first = regions.first().copied();
            let lines = translated.lines(runs, first);
            let location = first.map_or(kernel, |region| *region).location();
            let writer = Writer::new(rewriter, location, &lines);
            let (tensors, stages) = (&compiled.tensors, &compiled.stages);
            writer.kernel(
                At::End(body),
                &symbol,
                name,
                tensors,
                compiled.inputs,
                stages,
            );
        }
        Ok(())
    }
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

/// Translates a kernel to its group.
fn translate<'a>(
    kernel: FuncOp<'a>,
    kernels: &KernelIndex<'a>,
) -> Result<pto_group::Translated<'a>, Reported> {
    let groups = pto_group::translate(kernel, kernels).map_err(|refused| refused.report())?;
    pto_group::expect_single_group(*kernel, groups, "MN-Core 2")
}
