//! Where index bits are between the ends of a chain of instructions.
//!
//! The hardware's part of each instruction leaves no choice; what operands name does. So an index
//! bit is fixed from the source up to the first instruction that names it, and from the target back
//! to the last one; in between it goes where there is room. Going backwards from the target, each
//! stage first gives the bits that the hardware will carry on, then lays the others on the lowest
//! addresses in the order they have at the target: so loops stay contiguous and a source that is
//! free comes out in the order of the target.
//!
//! A routing is a proposal: [`Leg::new`](super::super::leg::Leg::new) checks each of its legs.

use super::super::leg::Stage;
use super::super::mover::{End, Renaming};
use super::super::place::{Place, Slot, SLOTS};
use super::super::Bit;

/// What is asked of a routing.
pub struct Request<'a> {
    /// The instructions, first to last.
    pub chain: &'a [&'a Renaming],
    /// Where the tensor is; none if that is free.
    pub from: Option<&'a Stage>,
    /// Where it goes.
    pub to: &'a Stage,
    /// For each stage behind an instruction but the last: an empty stage of the memory, and the
    /// index bits over which the legs on both sides loop, so that the stage does not have them.
    pub between: &'a [(Stage, Vec<Bit>)],
    /// The source, where it is free: an empty stage of its memory.
    pub start: Option<&'a Stage>,
}

/// The stages of a chain, the ends among them; and which index bits each stage could have given to
/// an outer loop.
pub struct Routing {
    /// One more than instructions.
    pub stages: Vec<Stage>,
    /// For each stage the index bits that were laid freely, the lowest first.
    pub laid: Vec<Vec<Bit>>,
}

/// Why there are no stages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Blocked {
    /// The hardware takes some index bit elsewhere.
    Never,
    /// The stage behind this many instructions has no room for these index bits: outer loops over
    /// them may help.
    Region(usize, Vec<Bit>),
}

/// The stages of a chain.
pub fn route(request: &Request) -> Result<Routing, Blocked> {
    let count = request.chain.len();
    let pins = pins(request).ok_or(Blocked::Never)?;
    let mut stages = vec![request.to.clone()];
    let mut laid = vec![Vec::new()];
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
        let mut step = Step {
            request,
            pins: &pins,
            number,
            stage: empty.clone(),
            floating: Vec::new(),
            owned: Vec::new(),
        };
        step.carry(after);
        step.floating.append(&mut parked);
        let (now, later) = step.floating.iter().partition(|bit| !outer.contains(bit));
        step.floating = now;
        parked = later;
        laid.push(step.lay()?);
        stages.push(step.stage);
    }
    if let (Some(from), true) = (request.from, count > 0) {
        stages.push(from.clone());
        laid.push(Vec::new());
    }
    stages.reverse();
    laid.reverse();
    Ok(Routing { stages, laid })
}

/// A bit on its way from a source that is known: its slot at each stage up to the first instruction
/// that names it.
struct Pin {
    bit: Bit,
    path: Vec<Slot>,
}

/// The fixed beginnings of all ways; none if the hardware loses something.
fn pins(request: &Request) -> Option<Vec<Pin>> {
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

/// The stage in front of an instruction, being filled.
struct Step<'a> {
    request: &'a Request<'a>,
    pins: &'a [Pin],
    number: usize,
    stage: Stage,
    floating: Vec<Bit>,
    /// Those of the floating bits that go to an owner.
    owned: Vec<Bit>,
}

impl Step<'_> {
    fn renaming(&self) -> &Renaming {
        self.request.chain[self.number]
    }

    /// What the stage behind the instruction says of this one.
    fn carry(&mut self, after: &Stage) {
        let renaming = self.request.chain[self.number];
        for (from, to) in &renaming.moved {
            self.stage.bits[from.index()] = after.bit(*to);
        }
        for slot in in_order(renaming.summed | renaming.tied) {
            self.stage.bits[slot.index()] = match renaming.tied & slot.mask() {
                0 => Bit::Summed,
                _ => after.bit(slot),
            };
        }
        for slot in in_order(renaming.target_named & !renaming.tied) {
            let bit @ Bit::Index { .. } = after.bit(slot) else {
                continue;
            };
            self.floating.push(bit);
            if slot.place().0 != Place::Address {
                self.owned.push(bit);
            }
        }
    }

    /// Lays the floating bits: those whose way from the source is fixed first, then where the
    /// instruction before will carry them, then on the lowest addresses.
    fn lay(&mut self) -> Result<Vec<Bit>, Blocked> {
        let named = self.renaming().source_named & !self.renaming().tied;
        let mut waiting = std::mem::take(&mut self.floating);
        let mut taken: u64 = 0;
        // A bit that came so far without a choice lies where it lies, and takes part in no choice.
        for pin in self.pins {
            let Some(slot) = pin.path.get(self.number) else {
                continue;
            };
            taken |= slot.mask();
            if !matches!(pin.bit, Bit::Index { .. }) {
                // Constants and replicas that an instruction names are what they were; what it
                // carries is seen to by the leg.
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
        let mut free: Vec<(i64, Slot)> = in_order(named & !taken)
            .into_iter()
            .filter(|slot| u64::from(self.stage.memory.words()) > 1 << address_bit(*slot))
            .filter_map(|slot| Some((self.resumes(slot)?, slot)))
            .collect();
        // The hardware of earlier instructions is fed first.
        free.sort_by_key(|(resumes, _)| *resumes);
        let mut laid = Vec::new();
        for (resumes, slot) in free {
            let fits = |bit: &Bit| self.entry(*bit) <= resumes && self.can_walk(*bit, slot);
            let Some(position) = waiting.iter().position(fits) else {
                continue;
            };
            let bit = waiting.remove(position);
            self.stage.bits[slot.index()] = bit;
            laid.push(bit);
        }
        if waiting.is_empty() {
            return Ok(laid);
        }
        let count = laid.len();
        // A loop inside which an owner changes must not enclose what follows in that owner:
        // addresses are looped over instead, and of those what was an address for the longest.
        laid.append(&mut waiting);
        let missing = laid.len() - count;
        laid.sort_by_key(|bit| (!self.owned.contains(bit), -self.entry(*bit)));
        Err(Blocked::Region(
            self.number,
            laid.split_off(laid.len() - missing),
        ))
    }

    /// The instruction that first names an index bit; -1 if the source is free.
    fn entry(&self, bit: Bit) -> i64 {
        let pin = self.pins.iter().find(|pin| pin.bit == bit);
        pin.map_or(-1, |pin| pin.path.len() as i64 - 1)
    }

    /// Whether an index bit may lie in a slot: where the cycles of the instruction before walk,
    /// only if it comes from an address.
    fn can_walk(&self, bit: Bit, slot: Slot) -> bool {
        let Some(before) = self.number.checked_sub(1) else {
            return true;
        };
        let walks = matches!(self.request.chain[before].walk, Some((End::Target, slots)) if slots.contains(&slot));
        let pin = self.pins.iter().find(|pin| pin.bit == bit);
        let from = pin.and_then(|pin| pin.path.get(before));
        !walks || from.is_none_or(|from| from.place().0 == Place::Address)
    }

    /// Going back from a slot of this stage: the instruction that names it, -1 where a free source
    /// has it; none if no index bit can come this way.
    fn resumes(&self, slot: Slot) -> Option<i64> {
        let mut slot = slot;
        for number in (0..self.number).rev() {
            let renaming = self.request.chain[number];
            if renaming.target_named & slot.mask() != 0 {
                return (renaming.tied & slot.mask() == 0).then_some(number as i64);
            }
            slot = renaming.moved.iter().find(|pair| pair.1 == slot)?.0;
        }
        self.request.from.is_none().then_some(-1)
    }
}

/// The address bit of a slot, 0 for others.
fn address_bit(slot: Slot) -> u8 {
    match slot.place() {
        (Place::Address, bit) => bit,
        _ => 0,
    }
}

/// Slots of a mask: addresses from the lowest on, then the others.
fn in_order(mask: u64) -> Vec<Slot> {
    let first = usize::from(Place::Address.slots().0);
    let slots = Slot::all().filter(|slot| mask & slot.mask() != 0);
    let (mut addresses, owners): (Vec<Slot>, Vec<Slot>) =
        slots.partition(|slot| slot.index() >= first && slot.index() < SLOTS);
    addresses.extend(owners);
    addresses
}
