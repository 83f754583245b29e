//! Routing: chooses the place bits of index bits at the intermediate stages of a chain.
//!
//! The part that the hardware moves leaves no choice; named bits do. An index bit is fixed from the
//! source up to the first instruction that names it, and from the target back to the last one. In
//! between, it may use any free place. The router works backwards from the target. At each stage it
//! first assigns the bits that the hardware will move on. Then it assigns the others to the lowest
//! addresses, in their order at the target. This keeps loops contiguous, and a source layout that
//! may be chosen gets the order of the target.
//!
//! A routing is a proposal: [`Leg::new`](super::super::leg::Leg::new) checks each of its legs.

use super::super::leg::Stage;
use super::super::place::{Place, Slot, SLOTS};
use super::super::transfer::{BitRenaming, End};
use super::super::Bit;

/// The input of the router.
pub struct Request<'a> {
    /// The instructions in order.
    pub chain: &'a [&'a BitRenaming],
    /// The source stage; `None` if it is to be chosen.
    pub from: Option<&'a Stage>,
    /// The target stage.
    pub to: &'a Stage,
    /// For each intermediate stage, an empty stage of its memory, and the index bits over which
    /// both neighbouring legs loop. The stage does not hold these bits.
    pub between: &'a [(Stage, Vec<Bit>)],
    /// An empty stage of the source's memory, if the source is to be chosen.
    pub start: Option<&'a Stage>,
}

/// The stages of a chain including both ends, and the index bits that each stage could give to an
/// outer loop.
pub struct Routing {
    /// The stages: one more than instructions.
    pub stages: Vec<Stage>,
    /// For each stage, the index bits that were placed freely, lowest first.
    pub placed: Vec<Vec<Bit>>,
}

/// The reason why routing failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Blocked {
    /// The hardware moves an index bit to a wrong place.
    Never,
    /// The stage after this many instructions has no room for these index bits. Outer loops over
    /// them may help.
    Region(usize, Vec<Bit>),
}

/// Routes a chain.
pub fn route(request: &Request) -> Result<Routing, Blocked> {
    let count = request.chain.len();
    let pins = fixed_paths(request).ok_or(Blocked::Never)?;
    let mut stages = vec![request.to.clone()];
    let mut placed = vec![Vec::new()];
    let mut parked: Vec<Bit> = Vec::new();
    for number in (0..count).rev() {
        let after = &stages[stages.len() - 1];
        if number == 0 && request.from.is_some() {
            break;
        }
        let (empty, outer) = match number {
            0 => (request.start.ok_or(Blocked::Never)?, &[][..]),
            _ => {
                let (stage, outer) = &request.between[number - 1];
                (stage, outer.as_slice())
            }
        };
        let mut step = RoutingStep {
            request,
            pins: &pins,
            number,
            stage: empty.clone(),
            floating: Vec::new(),
            owned: Vec::new(),
        };
        step.propagate(after);
        step.floating.append(&mut parked);
        let (now, later) = step.floating.iter().partition(|bit| !outer.contains(bit));
        step.floating = now;
        parked = later;
        placed.push(step.place_floating()?);
        stages.push(step.stage);
    }
    if let (Some(from), true) = (request.from, count > 0) {
        stages.push(from.clone());
        placed.push(Vec::new());
    }
    stages.reverse();
    placed.reverse();
    Ok(Routing { stages, placed })
}

/// The fixed path of a content from a given source: its slot at each stage up to the first
/// instruction that names it.
struct Pin {
    bit: Bit,
    path: Vec<Slot>,
}

/// Returns the fixed paths of all source bits; `None` if the hardware loses one.
fn fixed_paths(request: &Request) -> Option<Vec<Pin>> {
    let Some(from) = request.from else {
        return Some(Vec::new());
    };
    let mut pins = Vec::new();
    for slot in Slot::all() {
        let bit = from.bit(slot);
        if bit == Bit::Fixed(false) {
            continue;
        }
        let mut path = vec![slot];
        for renaming in request.chain {
            let here = path[path.len() - 1];
            let summed = bit == Bit::Summed && renaming.summed & here.mask() != 0;
            if renaming.source_named & here.mask() != 0 || summed {
                break;
            }
            path.push(renaming.moved.iter().find(|pair| pair.0 == here)?.1);
        }
        pins.push(Pin { bit, path });
    }
    Some(pins)
}

/// The stage before an instruction, while it is being filled.
struct RoutingStep<'a> {
    request: &'a Request<'a>,
    pins: &'a [Pin],
    number: usize,
    stage: Stage,
    floating: Vec<Bit>,
    /// The floating bits that become owner bits.
    owned: Vec<Bit>,
}

impl RoutingStep<'_> {
    fn renaming(&self) -> &BitRenaming {
        self.request.chain[self.number]
    }

    /// Assigns the bits that the stage after the instruction determines.
    fn propagate(&mut self, after: &Stage) {
        let renaming = self.request.chain[self.number];
        for (from, to) in &renaming.moved {
            self.stage.bits[from.index()] = after.bit(*to);
        }
        for slot in ordered_slots(renaming.summed | renaming.shared) {
            self.stage.bits[slot.index()] = match renaming.shared & slot.mask() {
                0 => Bit::Summed,
                _ => after.bit(slot),
            };
        }
        for slot in ordered_slots(renaming.target_named & !renaming.shared) {
            let bit @ Bit::Index { .. } = after.bit(slot) else {
                continue;
            };
            self.floating.push(bit);
            if slot.place().0 != Place::Address {
                self.owned.push(bit);
            }
        }
    }

    /// Places the floating bits: first those with a fixed path from the source, then where the
    /// previous instruction's hardware moves them, then on the lowest addresses.
    fn place_floating(&mut self) -> Result<Vec<Bit>, Blocked> {
        let named = self.renaming().source_named & !self.renaming().shared;
        let mut waiting = std::mem::take(&mut self.floating);
        let mut taken: u64 = 0;
        // A bit on its fixed path stays there and takes no part in the choice.
        for pin in self.pins {
            let Some(slot) = pin.path.get(self.number) else {
                continue;
            };
            taken |= slot.mask();
            if !matches!(pin.bit, Bit::Index { .. }) {
                // Named constants and replicas keep their slots. The leg checks those that the
                // hardware moves.
                if named & slot.mask() != 0 {
                    self.stage.bits[slot.index()] = pin.bit;
                }
                continue;
            }
            match waiting.iter().position(|bit| *bit == pin.bit) {
                Some(position) if named & slot.mask() != 0 => {
                    waiting.remove(position);
                    self.stage.bits[slot.index()] = pin.bit;
                }
                None if self.stage.bit(*slot) == pin.bit => {}
                _ => return Err(Blocked::Never),
            }
        }
        let mut free: Vec<(i64, Slot)> = ordered_slots(named & !taken)
            .into_iter()
            .filter(|slot| u64::from(self.stage.memory.words()) > 1 << address_bit(*slot))
            .filter_map(|slot| Some((self.origin(slot)?, slot)))
            .collect();
        // Places that the hardware of earlier instructions fills come first.
        free.sort_by_key(|(resumes, _)| *resumes);
        let mut placed = Vec::new();
        for (resumes, slot) in free {
            let fits =
                |bit: &Bit| self.first_naming(*bit) <= resumes && self.can_select_cycle(*bit, slot);
            let Some(position) = waiting.iter().position(fits) else {
                continue;
            };
            let bit = waiting.remove(position);
            self.stage.bits[slot.index()] = bit;
            placed.push(bit);
        }
        if waiting.is_empty() {
            return Ok(placed);
        }
        let count = placed.len();
        // A loop over an owner must not enclose loops inside that owner. So prefer address bits as
        // outer loops, and among them those that have been addresses the longest.
        placed.append(&mut waiting);
        let missing = placed.len() - count;
        placed.sort_by_key(|bit| (!self.owned.contains(bit), -self.first_naming(*bit)));
        Err(Blocked::Region(
            self.number,
            placed.split_off(placed.len() - missing),
        ))
    }

    /// Returns the instruction that first names an index bit, or -1 if the source is to be chosen.
    fn first_naming(&self, bit: Bit) -> i64 {
        let pin = self.pins.iter().find(|pin| pin.bit == bit);
        pin.map_or(-1, |pin| pin.path.len() as i64 - 1)
    }

    /// Returns whether an index bit may be in a slot. A slot that selects the cycle of the previous
    /// instruction requires an address bit there.
    fn can_select_cycle(&self, bit: Bit, slot: Slot) -> bool {
        let Some(before) = self.number.checked_sub(1) else {
            return true;
        };
        let walks = match self.request.chain[before].cycle_bits {
            Some((End::Target, slots)) => slots.contains(&slot),
            _ => false,
        };
        let pin = self.pins.iter().find(|pin| pin.bit == bit);
        let from = pin.and_then(|pin| pin.path.get(before));
        !walks || from.is_none_or(|from| from.place().0 == Place::Address)
    }

    /// Follows a slot back and returns the instruction that names it, or -1 if it reaches a source
    /// to be chosen. `None` if no index bit can arrive this way.
    fn origin(&self, slot: Slot) -> Option<i64> {
        let mut slot = slot;
        for number in (0..self.number).rev() {
            let renaming = self.request.chain[number];
            if renaming.target_named & slot.mask() != 0 {
                return (renaming.shared & slot.mask() == 0).then_some(number as i64);
            }
            slot = renaming.moved.iter().find(|pair| pair.1 == slot)?.0;
        }
        self.request.from.is_none().then_some(-1)
    }
}

/// Returns the address bit of a slot, 0 for other slots.
fn address_bit(slot: Slot) -> u8 {
    match slot.place() {
        (Place::Address, bit) => bit,
        _ => 0,
    }
}

/// Returns the slots of a mask: address bits from the lowest on, then the others.
fn ordered_slots(mask: u64) -> Vec<Slot> {
    let first = usize::from(Place::Address.slots().0);
    let slots = Slot::all().filter(|slot| mask & slot.mask() != 0);
    let (mut addresses, owners): (Vec<Slot>, Vec<Slot>) =
        slots.partition(|slot| slot.index() >= first && slot.index() < SLOTS);
    addresses.extend(owners);
    addresses
}
