//! Kernels: what each kind may contain, and launches of groups.

use super::enums::{Kind, Placement, Platform};
use super::group;
use super::types::{slot_buffer, tile, Side};
use super::{declared, result, FuncOp, LaunchOp, RearrangeOp, ReturnOp, TPopOp};
use crate::mlir::{Op, Signature, TensorType, Type, TypeLike, Value, WalkOrder};
use crate::scf::{ForOp, IfOp, WhileOp, YieldOp};

/// The control flow operations that kernels may contain.
const STRUCTURED: [&str; 3] = [ForOp::NAME, IfOp::NAME, YieldOp::NAME];

/// Returns the enclosing kernel of an operation.
pub fn enclosing(op: Op) -> Option<FuncOp> {
    std::iter::successors(op.parent(), |op| op.parent()).find_map(Op::dyn_cast)
}

/// Returns the location of the rings of a kernel.
pub fn platform(kernel: FuncOp) -> Platform {
    kernel.platform().unwrap_or(Platform::A5)
}

/// Returns a kernel's name for messages.
pub(super) fn name(kernel: FuncOp) -> String {
    format!("@{}", kernel.symbol().unwrap_or_default())
}

/// Returns the enclosing kernel of an operation, and its kind.
pub(super) fn require(op: Op) -> Result<(FuncOp, Kind), String> {
    let kernel = enclosing(op).ok_or("expects to be inside a 'pto.func'")?;
    let kind = declared(kernel.kind())?;
    Ok((kernel, kind))
}

/// Checks that the enclosing kernel of an operation has the side of the operation.
pub(super) fn require_side<'a>(op: Op<'a>, side: Side) -> Result<(FuncOp<'a>, Kind), String> {
    let (kernel, kind) = require(op)?;
    match (kind, side) {
        (Kind::Mixed, _) | (Kind::Cube, Side::Cube) | (Kind::Vector, Side::Vector) => {
            Ok((kernel, kind))
        }
        _ => Err(format!(
            "belongs to the {side} side, but is in {}, a kernel of kind {kind}",
            name(kernel)
        )),
    }
}

/// Checks that the tiles of an operation are in memories of its kernel.
pub(super) fn require_tiles(op: Op) -> Result<(), String> {
    let (kernel, kind) = require(op)?;
    if kind == Kind::Orchestration {
        return Err(format!(
            "is in {}, which only launches kernels; an orchestration has no tiles",
            name(kernel)
        ));
    }
    let values = op.operands().into_iter().chain(op.results());
    for tile in values.filter_map(|value| tile(value.r#type())) {
        let side = tile.space.side();
        if matches!(
            (kind, side),
            (Kind::Cube, Side::Vector) | (Kind::Vector, Side::Cube)
        ) {
            return Err(format!(
                "has a tile in {}, on the {side} side, but is in {}, a kernel of kind {kind}; \
                 hand it over with pto.tpush and pto.tpop",
                tile.space,
                name(kernel)
            ));
        }
    }
    Ok(())
}

/// Verifies `pto.func`.
pub(super) fn verify(kernel: FuncOp) -> Result<(), String> {
    let Some(body) = kernel.body() else {
        return Err("requires a body".into());
    };
    for argument in body.arguments() {
        if slot_buffer(argument.r#type()).is_none() {
            require_matrices(argument.r#type())?;
        }
    }
    let results = signature(kernel).map_or(0, |(_, results)| results.len());
    if results > 0 {
        return Err(format!(
            "has {results} results; a kernel writes its results to its arguments"
        ));
    }
    let region = kernel.body_region();
    let blocks = region.map_or(0, |body| body.blocks().len());
    if blocks > 1 {
        return Err(format!(
            "has {blocks} blocks; control flow in a kernel is scf.for and scf.if"
        ));
    }
    verify_attributes(kernel)?;
    if kernel.kind() == Some(Kind::Movement) {
        return verify_movement(kernel);
    }
    kernel
        .walk(WalkOrder::Pre)
        .into_iter()
        .skip(1)
        .try_for_each(require_known)
}

/// Checks that a movement kernel contains one `pto.rearrange` and nothing else.
fn verify_movement(kernel: FuncOp) -> Result<(), String> {
    let names: Vec<&str> = kernel.children().into_iter().map(Op::name).collect();
    match names[..] {
        [RearrangeOp::NAME, ReturnOp::NAME] => Ok(()),
        _ => Err("is of kind movement, which has one pto.rearrange and nothing else".into()),
    }
}

/// Checks that the enclosing kernel of an operation has a kind.
pub(super) fn require_kind(op: Op, expected: Kind) -> Result<(), String> {
    let (kernel, kind) = require(op)?;
    match kind == expected {
        true => Ok(()),
        false => Err(format!(
            "is in {}, a kernel of kind {kind}; expects one of kind {expected}",
            name(kernel)
        )),
    }
}

/// Checks that the attributes of a kernel are those of its kind.
fn verify_attributes(kernel: FuncOp) -> Result<(), String> {
    let kind = declared(kernel.kind())?;
    let has = |name: &str| kernel.attribute(name).is_some();
    if !matches!(kind, Kind::Orchestration | Kind::Movement) {
        for needed in [FuncOp::FIDELITY.name(), FuncOp::DST.name()] {
            if !has(needed) {
                return Err(format!("requires attribute '{needed}'"));
            }
        }
    }
    if kind != Kind::Mixed {
        for expansion in [FuncOp::SPLIT.name(), FuncOp::SLOT_NUM.name()] {
            if has(expansion) {
                return Err(format!(
                    "of kind {kind} has attribute '{expansion}', which says how a mixed kernel is expanded"
                ));
            }
        }
    }
    match kernel.slot_num() {
        Some(slots) if slots < 1 => {
            return Err(format!(
                "requires rings of {slots} slots; expects at least one"
            ))
        }
        _ => {}
    }
    if matches!(kind, Kind::Cube | Kind::Vector | Kind::Movement)
        && FuncOp::PLACEMENT.is_in(*kernel)
    {
        return Err(format!(
            "of kind {kind} has a placement; that is for a mixed kernel, or for the orchestration that launches a group"
        ));
    }
    Ok(())
}

/// Checks that a kernel may contain an operation.
fn require_known(op: Op) -> Result<(), String> {
    let name = op.name();
    let dialect = name.split('.').next().unwrap_or_default();
    if matches!(dialect, "pto" | "arith") || STRUCTURED.contains(&name) {
        return Ok(());
    }
    let place = op
        .place()
        .map(|place| format!(" (at {place})"))
        .unwrap_or_default();
    if name == WhileOp::NAME {
        return Err(format!(
            "contains 'scf.while': only the side that computes its condition would know when it ends; \
             use scf.for with bounds that both sides can compute, and scf.if inside{place}"
        ));
    }
    Err(format!(
        "contains '{name}'; a kernel is made of pto and arith operations, scf.for and scf.if{place}"
    ))
}

/// Checks that a tensor is a matrix or a sequence of matrices.
pub(super) fn require_matrices(r#type: Type) -> Result<(), String> {
    let shape = r#type.is_mem_ref().then(|| r#type.static_shape()).flatten();
    match shape.as_deref() {
        Some(shape) if shape.contains(&0) => Err(format!("{type} has no elements")),
        Some([_, _] | [_, _, _]) => Ok(()),
        _ => Err(format!(
            "{type} is not a memref of known shape with two or three dimensions"
        )),
    }
}

fn signature(kernel: FuncOp) -> Option<(Vec<Type>, Vec<Type>)> {
    kernel.function_type()?.signature()
}

/// Returns the kernel with a name among the siblings of the enclosing kernel.
pub(super) fn beside<'a>(kernel: FuncOp<'a>, symbol: &str) -> Result<FuncOp<'a>, String> {
    kernel.beside(symbol).ok_or_else(|| {
        format!(
            "names @{symbol}, but no 'pto.func' beside {} has this name",
            name(kernel)
        )
    })
}

fn require_orchestration(op: Op) -> Result<FuncOp, String> {
    match require(op)? {
        (kernel, Kind::Orchestration) => Ok(kernel),
        (kernel, kind) => Err(format!(
            "is in {}, a kernel of kind {kind}; only one of kind orchestration starts others",
            name(kernel)
        )),
    }
}

/// Verifies `pto.launch`.
pub(super) fn verify_launch(launch: LaunchOp) -> Result<(), String> {
    let orchestration = require_orchestration(*launch)?;
    let (cube, vectors) = (declared(launch.cube())?, declared(launch.vector())?);
    if !(1..=2).contains(&vectors.len()) {
        return Err(format!(
            "has {} vector kernels; a cube kernel runs with one or two",
            vectors.len()
        ));
    }
    let cube = require_member(launch, orchestration, cube, Kind::Cube)?;
    let vectors = vectors.into_iter();
    let vectors = vectors.map(|one| require_member(launch, orchestration, one, Kind::Vector));
    group::verify(cube, &vectors.collect::<Result<Vec<_>, String>>()?)
}

/// Returns the kernels that a `pto.launch` names, the cube kernel first.
pub fn launched<'a>(launch: LaunchOp<'a>) -> Vec<&'a str> {
    let vectors = launch.vector().unwrap_or_default();
    launch.cube().into_iter().chain(vectors).collect()
}

/// Returns whether the kernels of a launch, whose first is `cube`, run on one core. The group may
/// specify it. Otherwise they do if there is one vector kernel and no pipe to the cube kernel.
pub fn shares_core(launch: LaunchOp, cube: Option<FuncOp>) -> bool {
    let Some(orchestration) = enclosing(*launch) else {
        return false;
    };
    if let Some(placement) = orchestration.placement() {
        return placement == Placement::SameCore;
    }
    match launched(launch)[..] {
        [_, _] => cube.is_some_and(|cube| cube.find_all::<TPopOp>().is_empty()),
        _ => false,
    }
}

/// Returns the kernel of a group with a name, if it has the kind that the launch requires.
fn require_member<'a>(
    launch: LaunchOp<'a>,
    orchestration: FuncOp<'a>,
    symbol: &str,
    needs: Kind,
) -> Result<FuncOp<'a>, String> {
    let kernel = beside(orchestration, symbol)?;
    // A kernel after the launch is not verified yet.
    let has = kernel
        .kind()
        .ok_or_else(|| format!("runs @{symbol}, which has no kind"))?;
    if has != needs {
        return Err(format!(
            "runs @{symbol} as a {needs} kernel, but it is of kind {has}"
        ));
    }
    let (own, other) = (platform(orchestration), platform(kernel));
    if own != other {
        return Err(format!(
            "runs @{symbol}, whose rings are made for platform {other}, on platform {own}"
        ));
    }
    let arguments = launch.arguments().into_iter();
    let given: Vec<_> = arguments.map(Value::r#type).collect();
    let (inputs, _) = signature(kernel).unwrap_or_default();
    if given.len() != inputs.len() {
        return Err(format!(
            "gives {} arguments to every kernel, but @{symbol} takes {}",
            given.len(),
            inputs.len()
        ));
    }
    for (number, (given, input)) in given.iter().zip(&inputs).enumerate() {
        if given != input {
            return Err(format!(
                "gives {given} as argument #{number}, but @{symbol} takes {input}"
            ));
        }
    }
    Ok(kernel)
}

/// Verifies `pto.alloc_slot_buffer`.
pub(super) fn verify_slot_buffer(op: Op) -> Result<(), String> {
    let kernel = require_orchestration(op)?;
    let r#type = result(op)?.r#type();
    if !matches!(slot_buffer(r#type), Some(1..)) {
        return Err(format!(
            "makes {type}; a slot buffer is a memref of i8 with one dimension of known, positive extent"
        ));
    }
    if platform(kernel) == Platform::A5 {
        return Err(format!(
            "makes rings in global memory, but {} is for platform a5, whose rings are in the \
             memory of the core that pops; use pto.reserve_buffer there",
            name(kernel)
        ));
    }
    Ok(())
}

/// Verifies `pto.subblock_index`.
pub(super) fn verify_subblock_index(op: Op) -> Result<(), String> {
    match require(op)? {
        (_, Kind::Vector) => Ok(()),
        (kernel, kind) => Err(format!(
            "distinguishes vector kernels, but is in {}, a kernel of kind {kind}",
            name(kernel)
        )),
    }
}
