//! Translation of `pto` kernels to groups of [`tessera_pto`], which the pipe checker and the
//! interpreter run and every target compiles.
//!
//! An orchestration becomes a list of groups, one per launch, that run one after the other on the
//! same tensors. Any other kernel is a group of its own. A vector kernel that is launched on two
//! lanes becomes two kernels of the group, so `pto.subblock_index` is a constant. Layouts,
//! platforms and most spaces have no effect on results and are dropped: a move is a move. Units,
//! precision, placement and ring addresses are target data ([`tessera_pto::target`]).
//!
//! Checked here: scalars are of type index or i1; elements are f32, bf16 or i32; an orchestration
//! is a sequence of launches; only a launch starts a kernel with one end of a pipe. Well-formedness
//! of groups is checked by [`tessera_pto::validate`], and follows from what the dialect verifies.

mod arithmetic;
mod kernel;
mod pipes;
mod refused;

use std::collections::HashMap;

use tessera_dialects::arith;
use tessera_dialects::mlir::{Op, OpView, Reported, TensorType as _, Type, Value};
use tessera_dialects::pto::{self, FuncOp, Kind, LaunchOp};
use tessera_pto::kernel::{Element, Group, TensorType};
use tessera_pto::target::Placement;

use crate::pto::kernel_index::KernelIndex;
use kernel::Translation;
use pipes::Pipes;
use refused::expect_verified;
pub use refused::{Refused, Why};

/// A group and the MLIR operations that its locations refer to.
pub struct Translated<'a> {
    /// The group.
    pub group: Group,
    /// The operation of each location.
    pub ops: Vec<Op<'a>>,
    /// The operation of each kernel of the group.
    pub kernels: Vec<Op<'a>>,
    /// The operation that starts the kernels: a launch, or the only kernel.
    pub start: Op<'a>,
}

/// Translates a kernel to its groups, in execution order. All groups take the kernel's tensors.
///
/// # Errors
/// At the first operation that cannot be expressed in a group.
pub fn translate<'a>(
    kernel: FuncOp<'a>,
    kernels: &KernelIndex<'a>,
) -> Result<Vec<Translated<'a>>, Refused<'a>> {
    let arguments = kernel
        .body()
        .map(|body| body.arguments())
        .unwrap_or_default();
    let mut tensors = Vec::new();
    let mut given = Vec::new();
    for argument in &arguments {
        given.push(if pto::slot_buffer(argument.r#type()).is_some() {
            None
        } else {
            let r#type = tensor_type(argument.r#type());
            let refused = || Refused::new(*kernel, Why::Argument(*argument));
            tensors.push(r#type.ok_or_else(refused)?);
            Some(tensors.len() - 1)
        });
    }
    if kernel.kind() != Some(Kind::Orchestration) {
        let members = Members {
            start: *kernel,
            members: vec![Member::new(kernel, 0, 1)],
            placement: match kernel.placement() {
                Some(pto::Placement::Cluster) => Placement::Cluster,
                Some(pto::Placement::SameCore) | None => Placement::SameCore,
            },
        };
        return Ok(vec![members.translate(&tensors, &given)?]);
    }
    let known: HashMap<Value, Option<usize>> = arguments.into_iter().zip(given).collect();
    let mut groups = Vec::new();
    for op in kernel.children() {
        match op.name() {
            LaunchOp::NAME => {
                let given = op.operands().into_iter();
                let given: Vec<_> = given
                    .map(|operand| known.get(&operand).copied().flatten())
                    .collect();
                let launch = LaunchOp::view(op);
                groups.push(Members::of_launch(launch, kernels)?.translate(&tensors, &given)?);
            }
            pto::AllocSlotBufferOp::NAME | pto::ReturnOp::NAME | arith::ConstantOp::NAME => {}
            _ => return Err(Refused::new(op, Why::NoLaunch)),
        }
    }
    Ok(groups)
}

/// Returns the only group of a kernel; kernels on `chip` must have one.
///
/// # Errors
/// There are several, or none.
pub fn expect_single_group<'a>(
    kernel: Op<'a>,
    mut groups: Vec<Translated<'a>>,
    chip: &str,
) -> Result<Translated<'a>, Reported> {
    let count = groups.len();
    let last = groups.pop().filter(|_| count == 1);
    last.ok_or_else(|| {
        kernel.error(format!(
            "launches {count} groups; a kernel on {chip} is one"
        ))
    })
}

/// Converts the type of a tensor, if groups support it.
fn tensor_type(r#type: Type) -> Option<TensorType> {
    let narrow = |extent: u64| u32::try_from(extent).ok();
    let shape = r#type.static_shape()?.into_iter().map(narrow);
    let shape: Vec<u32> = shape.collect::<Option<_>>()?;
    let (matrices, rows, columns) = match shape[..] {
        [rows, columns] => (1, rows, columns),
        [matrices, rows, columns] => (matrices, rows, columns),
        _ => return None,
    };
    Some(TensorType {
        matrices,
        rows,
        columns,
        element: element(r#type.element_type()?)?,
    })
}

/// Converts an element type, if groups support it.
pub fn element(r#type: Type) -> Option<Element> {
    Element::from_name(&r#type.to_string())
}

/// A kernel of a group.
struct Member<'a> {
    kernel: FuncOp<'a>,
    /// Number of the vector lane.
    lane: usize,
    /// Name in messages.
    name: String,
}

impl<'a> Member<'a> {
    /// Creates a member that is launched `times` times.
    fn new(kernel: FuncOp<'a>, lane: usize, times: usize) -> Self {
        let symbol = kernel.symbol().unwrap_or_default();
        Member {
            kernel,
            lane,
            name: match times {
                1 => format!("@{symbol}"),
                _ => format!("@{symbol} (lane {lane})"),
            },
        }
    }
}

/// Kernels that are started together.
struct Members<'a> {
    /// What starts them.
    start: Op<'a>,
    /// The kernels, the cube kernel first.
    members: Vec<Member<'a>>,
    placement: Placement,
}

impl<'a> Members<'a> {
    /// Collects the kernels of a launch.
    fn of_launch(launch: LaunchOp<'a>, kernels: &KernelIndex<'a>) -> Result<Self, Refused<'a>> {
        let names = pto::launched(launch);
        let (cube, vector) = expect_verified(*launch, names.split_first())?;
        let orchestration = expect_verified(*launch, pto::enclosing(*launch))?;
        let find = |symbol| expect_verified(*launch, kernels.beside(orchestration, symbol));
        let cube = find(cube)?;
        let mut members = vec![Member::new(cube, 0, 1)];
        for (lane, symbol) in vector.iter().enumerate() {
            let times = vector.iter().filter(|other| *other == symbol).count();
            members.push(Member::new(find(symbol)?, lane, times));
        }
        Ok(Members {
            start: *launch,
            members,
            placement: match pto::shares_core(launch, Some(cube)) {
                true => Placement::SameCore,
                false => Placement::Cluster,
            },
        })
    }

    /// Translates the kernels to a group, given the tensors of their arguments.
    fn translate(
        self,
        tensors: &[TensorType],
        given: &[Option<usize>],
    ) -> Result<Translated<'a>, Refused<'a>> {
        let mut pipes = Pipes::between(self.start, &self.members)?;
        let mut ops = Vec::new();
        let mut kernels = Vec::new();
        for (number, member) in self.members.iter().enumerate() {
            let given = (tensors.len(), given);
            let translation = Translation::new((number, member), given, &mut pipes, &mut ops);
            kernels.push(translation.kernel()?);
        }
        let location = |op: &Op| match op.place() {
            Some(place) => place.to_string(),
            None => format!("an unknown place ('{}')", op.name()),
        };
        Ok(Translated {
            group: Group {
                tensors: tensors.to_vec(),
                pipes: pipes.finish(),
                kernels,
                locations: ops.iter().map(location).collect(),
                placement: self.placement,
            },
            ops,
            kernels: self.members.iter().map(|member| *member.kernel).collect(),
            start: self.start,
        })
    }
}
