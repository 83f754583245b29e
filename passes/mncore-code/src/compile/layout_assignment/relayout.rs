//! Relayouts by the chip, from the producer's layout to the consumer's.
//!
//! The layout planner finds MV instructions by way of L2BM and PDM. They are prepended to the
//! consumer's loops; their target is private to the consumer.
//!
//! Eligible are tensors without padding, since unwritten padding cannot be read, and only if a
//! small number of MV instructions suffices. All others are left to the host.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use tessera_isa_mncore::ast::{MvMemory, MvOperand, Transfer};
use tessera_isa_mncore::layout::emit::Instruction;
use tessera_isa_mncore::layout::plan::{Plan, Planner, Region, ScratchRegions};
use tessera_isa_mncore::layout::{Layout, Memory, Place, Slot};

use crate::compile::scratchpad::RELAYOUT_TAGS;
use tessera_mncore_ir::address::Address;
use tessera_mncore_ir::body::Body;
use tessera_mncore_ir::item::{Move, MoveMemory, MovePlace, Op};
use tessera_mncore_ir::kernel::Stage;

/// Maximum number of MV instructions issued before a `wait`. No others are in flight before or
/// after them.
const MAX_IN_FLIGHT: usize = RELAYOUT_TAGS.words as usize;
/// Maximum number of items in total.
const MAX_ITEMS: usize = 1024;

/// Low address bits that MV instructions preserve.
const FIXED: u8 = 4;

/// Groups, each with its DRAM.
const GROUPS: u64 = 4;

/// The layouts of a program, and the relayouts between them.
pub(super) struct RelayoutTable {
    layouts: Vec<Layout>,
    planner: RefCell<Planner>,
    known: RefCell<HashMap<[usize; 2], Option<Rc<ChipRelayoutPlan>>>>,
}

/// A relayout between two layouts.
pub(super) struct ChipRelayoutPlan {
    pub steps: u64,
    /// The MV instructions, from a DRAM address to address 0.
    body: Body,
    from: u32,
}

impl RelayoutTable {
    /// Creates the table for these layouts, which are numbered by position.
    pub fn new(layouts: Vec<Layout>) -> Self {
        RelayoutTable {
            layouts,
            planner: RefCell::default(),
            known: RefCell::default(),
        }
    }

    /// Returns the relayout from one layout to another, if there is one.
    pub fn between(&self, numbers: [usize; 2]) -> Option<Rc<ChipRelayoutPlan>> {
        if let Some(known) = self.known.borrow().get(&numbers) {
            return known.clone();
        }
        let [from, to] = numbers.map(|number| &self.layouts[number]);
        let relay = self.find(from, to).map(Rc::new);
        self.known.borrow_mut().insert(numbers, relay.clone());
        relay
    }

    fn find(&self, from: &Layout, to: &Layout) -> Option<ChipRelayoutPlan> {
        if !is_full(from) || !is_full(to) || !is_alike(from, to) {
            return None;
        }
        let beside = u32::try_from(to.padded_words().next_power_of_two()).ok()?;
        let (from, to) = (from.with_base(beside).ok()?, to.with_base(0).ok()?);
        let rooms = ScratchRegions::new(&[Memory::L2bm, Memory::Pdm].map(Region::whole));
        let mut planner = self.planner.borrow_mut();
        let found = planner.plan(&from, &to, &rooms, None).ok()?;
        let (_, plan) = &*found;
        Some(ChipRelayoutPlan {
            steps: plan.steps(),
            body: body(plan)?,
            from: from.base(),
        })
    }
}

impl ChipRelayoutPlan {
    /// Returns the stage that performs it between two addresses, which are aligned as tensors are.
    pub fn stage(&self, [from, to]: [u32; 2]) -> Stage {
        let mut body = self.body.clone();
        for item in &mut body.items {
            if let Op::Mv(transfer) = &mut item.op {
                let Move { source, target, .. } = transfer;
                if source.memory == MoveMemory::Dram {
                    source.address.base = source.address.base - self.from + from;
                }
                if target.memory == MoveMemory::Dram {
                    target.address.base += to;
                }
            }
        }
        Stage::Loop("relayout", body)
    }
}

/// Returns whether a tensor fills its layout without padding.
fn is_full(layout: &Layout) -> bool {
    let words = layout.padded_words() * GROUPS;
    layout.elements() * u64::from(layout.element().bits()) == words * 64
}

/// Returns whether two layouts agree in the bits that MV instructions preserve.
fn is_alike(from: &Layout, to: &Layout) -> bool {
    let (first, parts) = Place::Part.slots();
    let parts = Slot::all().skip(first.into()).take(parts.into());
    let low = (0..FIXED).map(Slot::address);
    let mut all = parts.chain(low);
    from.element() == to.element() && all.all(|slot| from.bit(slot) == to.bit(slot))
}

/// Returns the MV instructions of a plan, each leg complete before the next; `None` if it needs
/// others, or too many.
fn body(plan: &Plan) -> Option<Body> {
    let mut body = Body::new(&[], &[]);
    for phase in plan.phases() {
        for round in 0..phase.rounds() {
            for leg in phase.legs() {
                let instructions = leg.instructions(round);
                if instructions.len() > MAX_IN_FLIGHT || body.items.len() > MAX_ITEMS {
                    return None;
                }
                let tags = RELAYOUT_TAGS.start..RELAYOUT_TAGS.start + instructions.len() as u32;
                for (instruction, tag) in instructions.into_iter().zip(tags.clone()) {
                    let Instruction::Mv(transfer) = instruction else {
                        return None;
                    };
                    let op = Op::Mv(moved(&transfer, tag)?);
                    body.push(op, Vec::new(), Vec::new());
                }
                for tag in tags {
                    let wait = Op::Wait(Address::fixed(tag));
                    body.push(wait, Vec::new(), Vec::new());
                }
            }
        }
    }
    Some(body)
}

/// Returns an MV instruction as an item, unless its address is in a register.
fn moved(transfer: &Transfer, tag: u32) -> Option<Move> {
    let place = |place: &MvOperand| {
        let (memory, address) = match place.memory {
            MvMemory::Pdm(address) => (MoveMemory::Pdm, address),
            MvMemory::Dram(address) => (MoveMemory::Dram, address),
            MvMemory::L2bm(address) => (MoveMemory::L2bm, address.into()),
            MvMemory::DramIndirect(_) => return None,
        };
        Some(MovePlace {
            memory,
            address: Address::fixed(address),
            group: place.group,
            l2b: place.l2b,
        })
    };
    Some(Move {
        mode: transfer.mode,
        rrn: transfer.rrn,
        words: transfer.words,
        tag: Address::fixed(tag),
        source: place(&transfer.source)?,
        target: place(&transfer.target)?,
    })
}
