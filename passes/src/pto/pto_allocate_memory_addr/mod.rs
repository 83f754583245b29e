//! `pto-allocate-memory-addr`: assigns memory addresses to the rings and tiles of cube and vector
//! kernels.
//!
//! | module | does |
//! |---|---|
//! | [`rings`] | finds who reserves and who imports a ring |
//! | [`live_ranges`] | computes the live ranges of tiles |
//! | [`place`] | chooses the addresses |
//! | [`map`] | prints the memory map |
//!
//! Addresses are attributes ([`tessera_dialects::pto::address`]). Rings with a given address are
//! placed first, then other rings, which fill the gaps, then tiles if the machine assigns addresses
//! to them. Tiles with disjoint live ranges may share memory. An import gets the address of the
//! buffer that it names. Kernels are placed one by one, since each has a core of its own. Rings of
//! kernels that share a core are parts of its accumulators and get no address. Nor do local
//! tensors, which a target places.
//!
//! Checked: alignment, range and overlap of given addresses; that everything fits; that each ring
//! is imported by one kernel. The dialect checks that a ring is as large as its slots. The pass is
//! idempotent.

mod live_ranges;
mod map;
mod place;
mod rings;

use std::collections::HashMap;

use tessera_dialects::builtin;
use tessera_dialects::mlir::{Op, OpView, Pass, Reported, Rewriter};
use tessera_dialects::pto::{self, address, BufferOp, FuncOp, Kind};

use crate::driver::options::{Kind as OptionKind, OptionInfo, Options};
use crate::driver::registry::PassInfo;
use crate::pto::machine::{Machine, ALIGN};
use crate::targets;
use place::{Lifetime, MemoryBlock, Reason, Refused};
use rings::Kernels;

/// Option that prints the memory map.
pub const PRINT_MEMORY_MAP: OptionInfo = OptionInfo {
    name: "print-memory-map",
    description: "Print the memory map of each kernel",
    kind: OptionKind::Bool,
    default: "false",
};

/// Prefix of the remark that shows a kernel's memory map.
pub const MEMORY_OF: &str = "memory of ";

/// The pass's entry in the registry.
pub const INFO: PassInfo = PassInfo {
    name: "pto-allocate-memory-addr",
    description: "Assigns memory addresses to the rings and tiles of cube and vector kernels",
    anchor: Some(builtin::ModuleOp::NAME),
    options: &[
        OptionInfo {
            name: "target",
            description: "The machine that determines the memories and their sizes",
            kind: OptionKind::Choice(targets::MACHINES),
            default: targets::MACHINES[0],
        },
        PRINT_MEMORY_MAP,
    ],
    make: |options| Ok(Box::new(AllocateMemoryAddr::new(options))),
};

struct AllocateMemoryAddr {
    machine: String,
    prints: bool,
}

impl AllocateMemoryAddr {
    fn new(options: &Options) -> Self {
        Self {
            machine: options.text("target").to_owned(),
            prints: options.flag(PRINT_MEMORY_MAP.name),
        }
    }

    /// Returns the machine that the option names, for the chip that the module is compiled for.
    fn machine(&self, module: Op) -> Result<Machine, Reported> {
        let of_target = || targets::from_name(&self.machine)?.machine(module);
        let machine = Machine::generic(&self.machine).or_else(of_target);
        machine
            .ok_or_else(|| module.error(format!("internal error: no machine '{}'", self.machine)))
    }
}

impl Pass for AllocateMemoryAddr {
    fn name(&self) -> &str {
        INFO.name
    }

    fn run<'a>(&self, module: Op<'a>, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
        let placing = Placing {
            machine: &self.machine(module)?,
            prints: self.prints,
        };
        let kernels = Kernels::new(module, placing.machine.shares_cores);
        kernels.check_peers()?;
        for kernel in kernels.all() {
            match kernel.kind() {
                Some(Kind::Cube | Kind::Vector) => placing.place(*kernel, &kernels, rewriter)?,
                Some(Kind::Mixed) => placing.refuse_mixed(**kernel)?,
                Some(Kind::Orchestration | Kind::Movement) | None => {}
            }
        }
        kernels.resolve_imports(rewriter)
    }
}

/// Assignment of addresses to a module's kernels.
struct Placing<'t> {
    machine: &'t Machine,
    prints: bool,
}

impl Placing<'_> {
    /// Reports a mixed kernel, unless nothing in it needs an address.
    fn refuse_mixed(&self, kernel: Op) -> Result<(), Reported> {
        if !self.machine.places_tiles && kernel.find_all::<pto::ReserveBufferOp>().is_empty() {
            return Ok(());
        }
        Err(kernel.error(
            "is of kind mixed, which cannot be allocated; run --pto-expand-mixed-kernel first",
        ))
    }

    fn place<'a>(
        &self,
        kernel: FuncOp<'a>,
        kernels: &Kernels<'a>,
        rewriter: &Rewriter<'a>,
    ) -> Result<(), Reported> {
        let shared = kernels.is_on_one_core(kernel);
        let allocations = self.allocations(*kernel, shared)?;
        let mut placed = vec![None; allocations.len()];
        for (number, memory) in self.machine.memories.iter().enumerate() {
            let here: Vec<usize> = (0..allocations.len())
                .filter(|index| allocations[*index].memory == number)
                .collect();
            let pieces: Vec<_> = here
                .iter()
                .map(|index| allocations[*index].block.clone())
                .collect();
            match place::allocate(&memory.room, &pieces) {
                Ok(found) => {
                    for (index, at) in here.into_iter().zip(found) {
                        placed[index] = Some(at);
                    }
                }
                Err(refused) => return Err(self.refuse(*kernel, &allocations, &here, &refused)),
            }
        }
        set(&allocations, &placed, rewriter);
        if self.prints {
            let map = map::text(self.machine, &allocations, &placed);
            let map = match (&*map, shared) {
                (_, true) => {
                    format!(" its rings are parts of Dst, on the core that it shares{map}")
                }
                ("", false) => " nothing".into(),
                _ => map,
            };
            kernel.remark(format!(
                "{MEMORY_OF}@{} on {}:{map}",
                kernel.symbol().unwrap_or_default(),
                self.machine.name
            ));
        }
        Ok(())
    }

    /// Returns what needs an address in a kernel: the rings first.
    fn allocations<'a>(
        &self,
        kernel: Op<'a>,
        shared: bool,
    ) -> Result<Vec<Allocation<'a>>, Reported> {
        let mut allocations = Vec::new();
        for reserve in kernel.find_all::<pto::ReserveBufferOp>() {
            let buffer = reserve
                .result()
                .and_then(|buffer| pto::buffer(buffer.r#type()));
            let Some((buffer, memory)) =
                buffer.and_then(|buffer| Some((buffer, self.machine.memory(buffer.space)?)))
            else {
                continue;
            };
            let at = address::buffer_address(BufferOp::view(*reserve));
            // A given address is checked even for shared cores.
            if shared && at.is_none() {
                continue;
            }
            allocations.push(Allocation {
                what: format!("ring {:?}", reserve.name_attribute().unwrap_or_default()),
                memory,
                block: MemoryBlock {
                    bytes: buffer.bytes,
                    align: self.machine.ring_align,
                    at,
                    lifetime: Lifetime::Always,
                },
                results: vec![(*reserve, 0)],
            });
        }
        if self.machine.places_tiles {
            allocations.extend(self.tiles(kernel)?);
        }
        Ok(allocations)
    }

    fn tiles<'a>(&self, kernel: Op<'a>) -> Result<Vec<Allocation<'a>>, Reported> {
        let live_ranges = live_ranges::live_ranges(kernel)?.into_iter();
        let allocations = live_ranges.filter_map(|tenant| {
            Some(Allocation {
                what: match tenant.results.len() {
                    1 => "a tile".into(),
                    several => format!("{several} tiles"),
                },
                memory: self.machine.memory(tenant.space)?,
                block: MemoryBlock {
                    bytes: tenant.bytes,
                    align: ALIGN,
                    at: None,
                    lifetime: Lifetime::During(tenant.times),
                },
                results: tenant.results,
            })
        });
        Ok(allocations.collect())
    }

    /// Reports why an allocation failed.
    fn refuse(
        &self,
        kernel: Op,
        allocations: &[Allocation],
        here: &[usize],
        refused: &Refused,
    ) -> Reported {
        let block = &allocations[here[refused.block]];
        let memory = &self.machine.memories[block.memory];
        let (bytes, align) = (block.block.bytes, block.block.align);
        let at = block.block.at.unwrap_or_default();
        let end = at.saturating_add(bytes);
        let (name, room) = (memory.name, &memory.room);
        let what = &block.what;
        match refused.reason {
            Reason::Misaligned => block.op().error(format!(
                "places {what} at {at}, which is not a multiple of {align}; the next multiple is \
                 {}",
                at.checked_next_multiple_of(align).unwrap_or(room.start)
            )),
            Reason::Outside => block.op().error(format!(
                "places {what} at {at} to {end}, but {name} of {} spans {} to {}",
                self.machine.name, room.start, room.end
            )),
            Reason::Overlap(other) => {
                let other = &allocations[here[other]];
                let before = other.block.at.unwrap_or_default();
                block.op().error_with_notes(
                    format!(
                        "places {what} at {at} to {end} of {name}, which overlaps {} at {before} \
                         to {}",
                        other.what,
                        before.saturating_add(other.block.bytes)
                    ),
                    &[(other.op(), "this one".into())],
                )
            }
            Reason::Full(largest) => {
                let mut placed = vec![None; allocations.len()];
                for (index, at) in here.iter().zip(&refused.placed) {
                    placed[*index] = *at;
                }
                block.op().error_with_notes(
                    format!(
                        "needs {bytes} bytes of {name} for {what}, but the largest gap has {largest}; use smaller tiles, or rings of fewer \
                         slots"
                    ),
                    &[(
                        kernel,
                        format!(
                            "memory map:{}",
                            map::text(self.machine, allocations, &placed)
                        ),
                    )],
                )
            }
        }
    }
}

/// A request for an address.
struct Allocation<'a> {
    /// Description for messages.
    what: String,
    /// Number of the memory.
    memory: usize,
    block: MemoryBlock,
    /// Results that get the address.
    results: Vec<(Op<'a>, usize)>,
}

impl<'a> Allocation<'a> {
    /// Returns the operation for messages.
    fn op(&self) -> Op<'a> {
        self.results[0].0
    }

    fn first_time(&self) -> u64 {
        match &self.block.lifetime {
            Lifetime::Always => 0,
            Lifetime::During(times) => times.iter().map(|time| time.start).min().unwrap_or(0),
        }
    }

    /// Returns the description with the operations and their locations.
    fn described(&self) -> String {
        let mut ops: Vec<_> = self.results.iter().map(|(op, _)| *op).collect();
        ops.dedup();
        let ops: Vec<_> = ops
            .into_iter()
            .map(|op| match op.place() {
                Some(place) => format!("{} ({place})", op.name()),
                None => op.name().into(),
            })
            .collect();
        format!("{} of {}", self.what, ops.join(", "))
    }
}

/// Writes the addresses to the operations.
fn set<'a>(allocations: &[Allocation<'a>], placed: &[Option<u64>], rewriter: &Rewriter<'a>) {
    let mut tiles: HashMap<Op<'a>, Vec<Option<u64>>> = HashMap::new();
    for (allocations, at) in allocations.iter().zip(placed) {
        for (op, number) in &allocations.results {
            if let (Some(at), Lifetime::Always) = (at, &allocations.block.lifetime) {
                address::set_buffer(rewriter, BufferOp::view(*op), *at);
                continue;
            }
            let tiles = tiles.entry(*op);
            tiles.or_insert_with(|| vec![None; op.result_count()])[*number] = *at;
        }
    }
    for (op, addresses) in tiles {
        address::set_tiles(rewriter, op, &addresses);
    }
}
