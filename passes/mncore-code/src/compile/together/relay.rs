//! Tensors that the chip lays out anew, from what one kernel made to what another reads.
//!
//! The planner of layouts finds the MV instructions for that, by way of L2BM and PDM; they stand
//! before the loops of the reader, which then has the tensor where the maker left it. What they
//! make lies beside, for the reader alone.
//!
//! Only tensors without padding go this way, as padding that was not written cannot be read; and
//! only where MV instructions alone take them from the one layout to the other, and few of them.
//! All others are the host's.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use tessera_isa_mncore::ast::{MvMemory, MvOperand, Transfer};
use tessera_isa_mncore::layout::emit::Instruction;
use tessera_isa_mncore::layout::plan::{Plan, Planner, Region, ScratchRegions};
use tessera_isa_mncore::layout::{Layout, Memory, Place, Slot};

use tessera_mncore_ir::address::Address;
use tessera_mncore_ir::body::Body;
use tessera_mncore_ir::item::{Move, MoveMemory, MovePlace, Op};
use tessera_mncore_ir::kernel::Stage;

/// The first tag of the MV instructions: none is under way before or behind them.
const FIRST_TAG: u32 = 1;
/// How many of them are issued before one waits.
const MOST_AT_ONCE: usize = 64;
/// How many there are.
const MOST: usize = 1024;

/// Bits of addresses that MV instructions leave alone.
const FIXED: u8 = 4;

/// Groups, each with its DRAM.
const GROUPS: u64 = 4;

/// The layouts of a program, and how a tensor comes from one to another.
pub(super) struct Relays {
    layouts: Vec<Layout>,
    planner: RefCell<Planner>,
    known: RefCell<HashMap<[usize; 2], Option<Rc<Relay>>>>,
}

/// How a tensor comes from one layout to another.
pub(super) struct Relay {
    pub steps: u64,
    /// From DRAM, from this long word on, to DRAM, from the first one on.
    body: Body,
    from: u32,
}

impl Relays {
    /// Between these layouts, whose numbers are their places here.
    pub fn new(layouts: Vec<Layout>) -> Self {
        Relays {
            layouts,
            planner: RefCell::default(),
            known: RefCell::default(),
        }
    }

    /// From one layout to another, if there is a way.
    pub fn between(&self, numbers: [usize; 2]) -> Option<Rc<Relay>> {
        if let Some(known) = self.known.borrow().get(&numbers) {
            return known.clone();
        }
        let [from, to] = numbers.map(|number| &self.layouts[number]);
        let relay = self.find(from, to).map(Rc::new);
        self.known.borrow_mut().insert(numbers, relay.clone());
        relay
    }

    fn find(&self, from: &Layout, to: &Layout) -> Option<Relay> {
        if !is_full(from) || !is_full(to) || !is_alike(from, to) {
            return None;
        }
        let beside = u32::try_from(to.padded_words().next_power_of_two()).ok()?;
        let (from, to) = (from.with_base(beside).ok()?, to.with_base(0).ok()?);
        let rooms = ScratchRegions::new(&[Memory::L2bm, Memory::Pdm].map(Region::whole));
        let mut planner = self.planner.borrow_mut();
        let found = planner.plan(&from, &to, &rooms, None).ok()?;
        let (_, plan) = &*found;
        Some(Relay {
            steps: plan.steps(),
            body: body(plan)?,
            from: from.base(),
        })
    }
}

impl Relay {
    /// The loop that brings a tensor from one long word of DRAM on to another; both are aligned as
    /// tensors are.
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
        Stage::Loop("relay", body)
    }
}

/// Whether a tensor has all that its layout reaches.
fn is_full(layout: &Layout) -> bool {
    let words = layout.padded_words() * GROUPS;
    layout.elements() * u64::from(layout.element().bits()) == words * 64
}

/// Whether two layouts have the same in what MV instructions leave alone.
fn is_alike(from: &Layout, to: &Layout) -> bool {
    let (first, parts) = Place::Part.slots();
    let parts = Slot::all().skip(first.into()).take(parts.into());
    let low = (0..FIXED).map(Slot::address);
    let mut all = parts.chain(low);
    from.element() == to.element() && all.all(|slot| from.bit(slot) == to.bit(slot))
}

/// The MV instructions of a plan, each leg complete before the next begins; none if others are
/// needed, or many.
fn body(plan: &Plan) -> Option<Body> {
    let mut body = Body::new(&[], &[]);
    for phase in plan.phases() {
        for round in 0..phase.rounds() {
            for leg in phase.legs() {
                let instructions = leg.instructions(round);
                if instructions.len() > MOST_AT_ONCE || body.items.len() > MOST {
                    return None;
                }
                let tags = FIRST_TAG..FIRST_TAG + instructions.len() as u32;
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

/// An MV instruction as an item, unless it takes addresses from a register.
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
