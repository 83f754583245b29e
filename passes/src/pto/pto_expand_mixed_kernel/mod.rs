//! `pto-expand-mixed-kernel`: splits a mixed kernel into a cube and a vector kernel with pipes
//! between them.
//!
//! A mixed kernel `@k` with work on both sides becomes `@k_aic` (kind cube), `@k_aiv` (kind vector)
//! and `@k`, now an orchestration that launches the two. A mixed kernel with work on one side
//! becomes a kernel of that kind; one without work becomes a vector kernel.
//!
//! | module | does |
//! |---|---|
//! | [`fences`] | orders accesses of the two sides to the same tensor in global memory |
//! | [`local`] | checks that a tensor in the memory of a core is accessed from one side |
//! | [`slice`] | computes the program slice of a side (Weiser 1981, "Program slicing") |
//! | [`split`] | checks and derives the split of the vector side over two cores |
//! | [`halves`] | computes the positions of half tiles in their tensors |
//! | [`rings`] | determines the rings, and creates the ends of their pipes |
//! | [`kernel_writer`] | writes the kernel of a side |
//! | [`frees`] | inserts frees of popped tiles |
//!
//! The side of a tile is part of its type, so a tile crosses sides in a `pto.tmove` between types
//! on different sides. The move becomes a push on one side and a pop on the other, both at its
//! position. No operation is reordered, so tiles are popped in the order of their pushes. A move
//! whose result is unused is kept as well, since a push without its pop would block a later one.
//! Scalars are recomputed on every side that reads them. That is always possible because no
//! operation computes a scalar from a tile.
//!
//! Control flow is copied to every side that has something inside, with the values that this side's
//! slice carries. A yielded tile lies on the side of its reader.
//!
//! Units, attributes and locations of operations are preserved. Not checked here: that rings are
//! deep enough and that hand-written pipes match (`pto-check-pipes`). Kernel arguments are assumed
//! not to alias. The pass is idempotent: no mixed kernel is left, and every popped tile is freed.

mod fences;
mod frees;
mod halves;
mod kernel_writer;
mod local;
mod rings;
mod slice;
mod split;

use std::collections::HashSet;

use tessera_dialects::builtin;
use tessera_dialects::mlir::{At, NamedOp, Op, Pass, Reported, Rewriter, Value, WalkOrder};
use tessera_dialects::pto::{
    self, Direction, FuncOp, Kind, LaunchOp, Platform, Side, Split, TMoveOp, Tile,
};

use crate::driver::options::{Kind as OptionKind, OptionInfo, Options};
use crate::driver::registry::PassInfo;
use kernel_writer::KernelWriter;
use rings::Rings;
use slice::Slice;

/// The pass's entry in the registry.
pub const INFO: PassInfo = PassInfo {
    name: "pto-expand-mixed-kernel",
    description: "Splits each mixed kernel into a cube and a vector kernel that are connected by \
        pipes",
    anchor: Some(builtin::ModuleOp::NAME),
    options: &[
        OptionInfo {
            name: "slot-num",
            description: "Default number of slots of a ring; 0 selects 8, or 4 if there is a ring \
                in each direction",
            kind: OptionKind::Integer,
            default: "0",
        },
        OptionInfo {
            name: "split",
            description: "Default split of tiles between two vector kernels",
            kind: OptionKind::Choice(&["none", "up_down", "left_right"]),
            default: "none",
        },
    ],
    make: |options| Ok(Box::new(ExpandMixedKernel::new(options)?)),
};

/// Attributes of a mixed kernel that are not copied to the kernels of its sides.
const OWN_ATTRIBUTES: [&str; 6] = [
    FuncOp::SYM_NAME.name(),
    FuncOp::KIND.name(),
    FuncOp::PLACEMENT.name(),
    FuncOp::SPLIT.name(),
    FuncOp::SLOT_NUM.name(),
    FuncOp::FUNCTION_TYPE.name(),
];

struct ExpandMixedKernel {
    slot_num: Option<u64>,
    split: Split,
}

impl ExpandMixedKernel {
    fn new(options: &Options) -> Result<Self, String> {
        let slot_num = match options.integer("slot-num") {
            0 => None,
            slots => Some(u64::try_from(slots).map_err(|_| {
                format!("option 'slot-num' takes a number of slots, or 0, not '{slots}'")
            })?),
        };
        let split = Split::from_word(options.text("split"))
            .ok_or("internal error: option 'split' has a word that is not a split")?;
        Ok(Self { slot_num, split })
    }
}

impl Pass for ExpandMixedKernel {
    fn name(&self) -> &str {
        INFO.name
    }

    fn run<'a>(&self, module: Op<'a>, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
        for kernel in module.find_all::<FuncOp>() {
            match kernel.kind() {
                Some(Kind::Mixed) => self.expand(kernel, rewriter)?,
                Some(Kind::Cube | Kind::Vector) => frees::insert_frees(*kernel, rewriter),
                Some(Kind::Orchestration | Kind::Movement) | None => {}
            }
        }
        Ok(())
    }
}

impl ExpandMixedKernel {
    fn expand<'a>(&self, kernel: FuncOp<'a>, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
        require_both_ends(kernel)?;
        local::check_sides(*kernel)?;
        let name = kernel.symbol().unwrap_or_default();
        let slice = |side, split| Slice::compute(*kernel, side, split);
        let sides = [Side::Cube, Side::Vector].map(|side| slice(side, Split::None));
        match &sides {
            [cube, vector] if cube.is_empty() || vector.is_empty() => {
                let only = if cube.is_empty() { vector } else { cube };
                KernelWriter::new(kernel, only, name, name, rewriter).write(&Rings::none())?;
            }
            _ => {
                let split = self.split_of(kernel)?;
                fences::insert(*kernel, rewriter);
                let sides = [Side::Cube, Side::Vector].map(|side| slice(side, split));
                self.write_group(kernel, &sides, split, rewriter)?;
            }
        }
        rewriter.erase(*kernel);
        Ok(())
    }

    /// Writes the kernels of both sides and the orchestration that launches them.
    fn write_group<'a>(
        &self,
        kernel: FuncOp<'a>,
        [cube, vector]: &[Slice<'a>; 2],
        split: Split,
        rewriter: &Rewriter<'a>,
    ) -> Result<(), Reported> {
        let name = kernel.symbol().unwrap_or_default();
        let taken: HashSet<&str> = kernel.parent().map_or_else(HashSet::new, |parent| {
            parent
                .children()
                .into_iter()
                .filter_map(Op::symbol)
                .collect()
        });
        let [aic, aiv] =
            ["aic", "aiv"].map(|suffix| free_name(&format!("{name}_{suffix}"), &taken));
        split::check(*kernel, vector)?;
        let slot_num = kernel
            .slot_num()
            .and_then(|slots| u64::try_from(slots).ok())
            .or(self.slot_num);
        let rings = Rings::for_kernel(kernel, split, slot_num)?;
        KernelWriter::new(kernel, cube, &aic, &aiv, rewriter).write(&rings)?;
        KernelWriter::new(kernel, vector, &aiv, &aic, rewriter).write(&rings)?;
        launch(kernel, &rings, &aic, &vec![&*aiv; split.lanes()], rewriter);
        Ok(())
    }

    /// Returns how the tiles of a kernel are split over vector kernels.
    fn split_of(&self, kernel: FuncOp) -> Result<Split, Reported> {
        let split = kernel.split().unwrap_or(self.split);
        for op in kernel.walk(WalkOrder::Pre) {
            for pipe in op
                .results()
                .into_iter()
                .filter_map(|result| pto::pipe(result.r#type()))
            {
                if split != Split::None || pipe.split != Split::None {
                    return Err(op.error(format!(
                        "makes {pipe} in a mixed kernel whose split is {split}; a group with pipes of its own is split by writing \
                         its cube and vector kernels"
                    )));
                }
            }
        }
        Ok(split)
    }
}

/// Reports a ring with a pipe on one side only: its kernels could not be launched.
fn require_both_ends(kernel: FuncOp) -> Result<(), Reported> {
    let results = kernel.children().into_iter().flat_map(Op::results);
    let ends: Vec<_> = results.filter_map(pto::initialized_by).collect();
    for (end, side) in &ends {
        let other = match side {
            Side::Cube => Side::Vector,
            Side::Vector => Side::Cube,
        };
        let is_peer =
            |(peer, side): &(Op, Side)| *side == other && peer.operand(0) == end.operand(0);
        if !ends.iter().any(is_peer) {
            return Err(end.error(format!(
                "makes a pipe without an end on the {other} side; initialize that end, too"
            )));
        }
    }
    Ok(())
}

/// Returns the name, with a number appended if it is taken.
fn free_name(name: &str, taken: &HashSet<&str>) -> String {
    let numbered = (0..).map(|number| format!("{name}_{number}"));
    std::iter::once(name.to_owned())
        .chain(numbered)
        .find(|name| !taken.contains(name.as_str()))
        .unwrap_or_default()
}

/// Creates the orchestration, which takes the mixed kernel's place and name.
fn launch<'a>(
    kernel: FuncOp<'a>,
    rings: &Rings,
    cube: &str,
    vectors: &[&str],
    rewriter: &Rewriter<'a>,
) {
    let (context, location) = (rewriter.context(), kernel.location());
    let dropped = [
        FuncOp::KIND.name(),
        FuncOp::SPLIT.name(),
        FuncOp::SLOT_NUM.name(),
        FuncOp::FIDELITY.name(),
        FuncOp::DST.name(),
    ];
    let kept = kernel.attributes().into_iter();
    let kept = kept.filter(|(name, _)| !dropped.contains(name));
    let arguments = kernel
        .body()
        .map(|body| body.arguments())
        .unwrap_or_default();
    let orchestration = FuncOp::build(location)
        .attributes(kept)
        .with(context, FuncOp::KIND, Kind::Orchestration)
        .region(
            arguments
                .iter()
                .map(|argument| (argument.r#type(), location)),
        );
    let orchestration = rewriter.insert(At::Before(*kernel), orchestration);
    let Some(body) = orchestration.body() else {
        return;
    };
    let mut arguments = body.arguments();
    if let Some(slots) = rings.slot_buffer(context) {
        let alloc = pto::AllocSlotBufferOp::build(location).results([slots]);
        arguments.extend(rewriter.insert(At::End(body), alloc).results());
    }
    let launch = LaunchOp::build(location)
        .operands(arguments)
        .with(context, LaunchOp::CUBE, cube)
        .with(context, LaunchOp::VECTOR, vectors);
    rewriter.insert(At::End(body), launch);
    rewriter.insert(At::End(body), pto::ReturnOp::build(location));
}

/// A move from one side to the other.
struct Crossing<'a> {
    from: Tile<'a>,
    to: Tile<'a>,
    direction: Direction,
}

/// Returns the crossing that an operation makes, if any.
fn crossing<'a>(op: Op<'a>) -> Option<Crossing<'a>> {
    let r#move = op.dyn_cast::<TMoveOp>()?;
    let tile = |value: Value<'a>| pto::tile(value.r#type());
    let (from, to) = (tile(r#move.source()?)?, tile(r#move.result()?)?);
    let (source, target) = (from.space.side(), to.space.side());
    let direction = Direction::ALL
        .iter()
        .find(|direction| (direction.producer(), direction.consumer()) == (source, target))?;
    Some(Crossing {
        from,
        to,
        direction: *direction,
    })
}

/// Returns whether the rings of a kernel lie in the consumer's memory.
fn has_local_rings(kernel: FuncOp) -> bool {
    pto::platform(kernel) == Platform::A5
}
