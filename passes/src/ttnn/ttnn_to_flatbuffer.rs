//! The translation `ttnn-to-flatbuffer`: writes a compiled module to a program file.
//!
//! - Every `func.func` becomes a program, public ones first.
//! - Every operation becomes an operation of the file, with its text and location.
//! - Every `ttnn.kernel_region` becomes a kernel operation that keeps the operations it covers, so
//!   that the reference device and the golden comparison can evaluate them.
//! - The `pto.func` that a region names, and everything that targets compiled from it, become
//!   kernels of the file's pool, shared by content.
//!
//! Checked: each operation, type and layout has a counterpart in the file; anything else is
//! reported at its operation. `tessera_program` checks the file's own rules when it encodes it.

mod pool;

use std::collections::HashMap;

use tessera_dialects::mlir::{
    Context, DenseData, DenseElements, Op as MlirOp, OpView, PrintOptions, Printer, Reported,
    TensorType, Type, TypeLike, Value, WalkOrder,
};
use tessera_dialects::ttcore::{self, LoadCachedOp};
use tessera_dialects::ttnn::{self, BufferType, KernelRegionOp, ProductOp};
use tessera_dialects::verify::call;
use tessera_dialects::{builtin, func};
use tessera_ops::{AttributeValue, Class, Creation, OpInfo};
use tessera_program::{
    Binary, CachedCall, Chip, DataType, GlobalId, KernelOp, Layout, MemorySpace, Mlir, Op,
    Operation, Program, SystemDesc, TensorDesc, TensorOp, ValidateError,
};

use crate::functions::{in_file_order, is_private};
use crate::targets;
use crate::verified::expect_verified;
use pool::Pool;

/// Translates a module. `name` is the name of its file. `progress` is called with the name of each
/// kernel before it is compiled. Also returns one-sentence summaries of the targets' work.
///
/// # Errors
/// At the first operation that has no counterpart in a program file.
pub fn translate(
    context: &Context,
    module: MlirOp,
    name: &str,
    progress: &dyn Fn(&str),
) -> Result<(Binary, Vec<String>), Reported> {
    let system = system(module)?;
    let functions = in_file_order(module);
    if functions.is_empty() {
        return Err(module.error("has no function; a program file needs one"));
    }
    let mut binary = Binary::new(system);
    let options = PrintOptions {
        verified: true,
        ..PrintOptions::default()
    };
    let printer = Printer::new(module, options);
    let source = functions.iter().map(|function| printer.print(**function));
    let source: Vec<_> = source.collect();
    binary.mlir = Some(Mlir {
        name: name.into(),
        source: source.join("\n"),
    });
    let mut pool = Pool::new(context, module, progress)?;
    for function in functions {
        let program = Translation::new(&mut pool, &mut binary).function(function)?;
        binary.programs.push(program);
    }
    Ok((binary, pool.summaries()))
}

/// A module that violates a constraint of program files.
#[derive(Debug, thiserror::Error)]
#[error("the module violates a constraint of program files")]
pub struct NotEncodable(#[source] pub ValidateError);

/// Returns the bytes of a translated module's program file.
///
/// # Errors
/// If it violates a constraint of program files.
pub fn encode(binary: &Binary) -> Result<Vec<u8>, NotEncodable> {
    binary.to_bytes().map_err(NotEncodable)
}

/// Returns the chips that the module, or modules inside it, describe: the first one of each family.
fn system(module: MlirOp) -> Result<SystemDesc, Reported> {
    let mut chips: Vec<Chip> = Vec::new();
    let systems: Vec<_> = targets::ALL.iter().map(|target| target.system()).collect();
    let ops = module.walk(WalkOrder::Pre).into_iter();
    for op in ops.filter(|op| op.isa::<builtin::ModuleOp>()) {
        for chip in systems.iter().filter_map(|system| (system.chip)(op)) {
            if !chips.iter().any(|known| known.is_alike(chip)) {
                chips.push(chip);
            }
        }
    }
    if chips.is_empty() {
        let names: Vec<_> = systems.iter().map(|system| system.attribute).collect();
        return Err(module.error(format!(
            "describes no system ({}); run ttcore-register-device first, \
             or a pipeline that ends in kernels",
            names.join(" or ")
        )));
    }
    Ok(SystemDesc { chips })
}

/// Print options for single operations of a verified function.
const ONE_BY_ONE: PrintOptions = PrintOptions {
    debug_info: false,
    local_scope: true,
    generic: false,
    elide_larger: None,
    verified: true,
};

/// Returns the text of an operation. The text of a region is short, as its operations have texts of
/// their own.
fn debug_info<'m>(op: MlirOp<'m>, printer: &Printer<'m>) -> String {
    let kernel = op.dyn_cast().and_then(KernelRegionOp::kernel);
    match kernel {
        Some(kernel) => format!("{} @{kernel}", op.name()),
        None => printer.print(op),
    }
}

/// Translation of one function.
struct Translation<'t, 'm, 'p> {
    pool: &'t mut Pool<'m, 'p>,
    binary: &'t mut Binary,
    program: Program,
    ids: HashMap<Value<'m>, GlobalId>,
}

impl<'t, 'm, 'p> Translation<'t, 'm, 'p> {
    fn new(pool: &'t mut Pool<'m, 'p>, binary: &'t mut Binary) -> Self {
        let program = Program {
            name: String::new(),
            private: false,
            tensors: Vec::new(),
            inputs: Vec::new(),
            cached: Vec::new(),
            outputs: Vec::new(),
            operations: Vec::new(),
        };
        Translation {
            pool,
            binary,
            program,
            ids: HashMap::new(),
        }
    }

    fn function(mut self, function: func::FuncOp<'m>) -> Result<Program, Reported> {
        self.program.name = function.symbol().unwrap_or_default().into();
        self.program.private = is_private(function);
        let body = function
            .body()
            .ok_or_else(|| function.error("has no body to translate"))?;
        for argument in body.arguments() {
            let id = self.define(*function, argument)?;
            self.program.inputs.push(id);
        }
        let printer = Printer::new(*function, ONE_BY_ONE);
        for op in body.ops() {
            if let Some(call) = op.dyn_cast::<LoadCachedOp>() {
                let call = self.cached_call(call)?;
                self.program.cached.push(call);
            } else if op.isa::<func::ReturnOp>() {
                let outputs = op.operands().into_iter().map(|value| self.id(op, value));
                self.program.outputs = outputs.collect::<Result<_, _>>()?;
            } else {
                let operation = self.operation(op, &printer)?;
                self.program.operations.push(operation);
            }
        }
        Ok(self.program)
    }

    fn cached_call(&mut self, call: LoadCachedOp<'m>) -> Result<CachedCall, Reported> {
        let op = *call;
        let inputs = op.operands().into_iter().map(|value| self.id(op, value));
        let inputs = inputs.collect::<Result<_, _>>()?;
        let outputs = op.results().into_iter().map(|value| self.define(op, value));
        Ok(CachedCall {
            program: expect_verified(op, call.callee())?.to_owned(),
            inputs,
            outputs: outputs.collect::<Result<_, _>>()?,
        })
    }

    fn operation(&mut self, op: MlirOp<'m>, printer: &Printer<'m>) -> Result<Operation, Reported> {
        Ok(Operation {
            op: self.op(op)?,
            debug_info: debug_info(op, printer),
            loc: op
                .place()
                .map(|place| place.to_string())
                .unwrap_or_default(),
        })
    }

    fn op(&mut self, op: MlirOp<'m>) -> Result<Op, Reported> {
        if let Some(region) = op.dyn_cast() {
            return self.region(region);
        }
        if op.isa::<func::CallOp>() {
            return Err(op.error(
                "calls a function, and program files have no calls; inline it with ttmlir-opt --inline, which \
                 needs a callee with a body and without recursion",
            ));
        }
        let info = call::info(op).filter(|_| op.name().starts_with("ttnn."));
        let info = info.ok_or_else(|| {
            op.error("has no counterpart in a program file; lower it to ttnn first")
        })?;
        self.computed(op, info).map(Op::Tensor)
    }

    /// Translates an operation of the operation table.
    fn computed(&mut self, op: MlirOp<'m>, info: &'static OpInfo) -> Result<TensorOp, Reported> {
        if ProductOp::ACTIVATION.is_in(op) {
            return Err(op.error(
                "has an activation, which a program file cannot represent; apply it in its own \
                 operation",
            ));
        }
        let inputs = call::inputs(op).into_iter().map(|value| self.id(op, value));
        let inputs = inputs.collect::<Result<Vec<_>, _>>()?;
        let is_tensor = |value: &Value| value.r#type().is_ranked_tensor();
        let results = op.results().into_iter().filter(is_tensor);
        let outputs = results.map(|value| self.define(op, value));
        let outputs = outputs.collect::<Result<Vec<_>, _>>()?;
        let mut made = TensorOp::from_info(info, &inputs, &outputs);
        made.attributes = call::attributes(op, info);
        if matches!(info.class, Class::Creation(Creation::Constant)) {
            made = made.with("value", AttributeValue::Bytes(constant(op)?));
        }
        Ok(made)
    }

    /// Translates a kernel region: its operations read its operands and define its results.
    fn region(&mut self, region: KernelRegionOp<'m>) -> Result<Op, Reported> {
        let op = *region;
        let body = expect_verified(op, op.body())?;
        for (argument, input) in body.arguments().into_iter().zip(op.operands()) {
            let id = self.id(op, input)?;
            self.ids.insert(argument, id);
        }
        let mut operations = Vec::new();
        let mut outputs = Vec::new();
        let printer = Printer::new(op, ONE_BY_ONE);
        for inner in body.ops() {
            if inner.isa::<ttnn::YieldOp>() {
                let yielded = inner
                    .operands()
                    .into_iter()
                    .map(|value| self.id(inner, value));
                outputs = yielded.collect::<Result<Vec<_>, _>>()?;
            } else {
                operations.push(self.operation(inner, &printer)?);
            }
        }
        for (result, id) in op.results().into_iter().zip(&outputs) {
            self.ids.insert(result, *id);
        }
        let inputs = op.operands().into_iter().map(|input| self.id(op, input));
        let args = inputs
            .chain(outputs.iter().map(|id| Ok(*id)))
            .collect::<Result<Vec<_>, _>>()?;
        let kernels = self.pool.kernels(region, self.binary)?.into_iter();
        let kernels = kernels.map(|made| made.reference(&args));
        Ok(Op::Kernel(KernelOp {
            operations,
            outputs,
            kernels: kernels.collect(),
        }))
    }

    fn id(&self, op: MlirOp<'m>, value: Value<'m>) -> Result<GlobalId, Reported> {
        expect_verified(op, self.ids.get(&value).copied())
    }

    fn define(&mut self, op: MlirOp<'m>, value: Value<'m>) -> Result<GlobalId, Reported> {
        let desc = describe(value.r#type()).map_err(|problem| op.error(problem))?;
        let id = self.program.add_tensor(desc);
        self.ids.insert(value, id);
        Ok(id)
    }
}

/// Returns the file's description of a tensor.
fn describe(r#type: Type) -> Result<TensorDesc, String> {
    let shape = r#type
        .static_shape()
        .ok_or_else(|| format!("{type} is not a tensor of static shape"))?;
    let layout = r#type.encoding().and_then(ttnn::Layout::from_attribute);
    let layout =
        layout.ok_or_else(|| format!("{type} has no #ttnn.ttnn_layout; run ttnn-layout first"))?;
    let data_type = match layout.scalar() {
        Some(ttcore::DataType::BFloat16) => DataType::BF16,
        Some(ttcore::DataType::Float32) => DataType::F32,
        Some(ttcore::DataType::Int32) => DataType::SI32,
        Some(ttcore::DataType::UInt32) => DataType::UI32,
        Some(ttcore::DataType::UInt16) => DataType::UI16,
        Some(ttcore::DataType::UInt8) => DataType::UI8,
        _ => {
            return Err(format!(
                "{type} has elements that a program file cannot hold"
            ))
        }
    };
    let memory = match layout.buffer_type() {
        BufferType::Dram => MemorySpace::Dram,
        BufferType::L1 => MemorySpace::L1,
        BufferType::SystemMemory => MemorySpace::System,
        other => {
            return Err(format!(
                "{type} is in {other}, which a program file does not support"
            ))
        }
    };
    let layout = if layout.is_tiled() {
        Layout::Tile
    } else {
        Layout::RowMajor
    };
    Ok(TensorDesc {
        name: None,
        shape,
        data_type,
        layout,
        memory,
    })
}

/// Returns all elements of a constant, little-endian.
fn constant(op: MlirOp) -> Result<Vec<u8>, Reported> {
    let value = ttnn::ConstantOp::view(op).value();
    let data = expect_verified(op, value)?.try_dense();
    let DenseData {
        splat,
        bytes,
        r#type,
    } = data.map_err(|reason| op.error(reason))?;
    let count = r#type
        .static_shape()
        .unwrap_or_default()
        .iter()
        .product::<u64>() as usize;
    Ok(if splat { bytes.repeat(count) } else { bytes })
}
