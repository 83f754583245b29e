//! Tensors that pass through the PEs vector by vector.
//!
//! A vector comes from DRAM by MV to L2BM, by `l2bmd` to the L1BMs, by `l1bmd` to the PEs, and goes the same way back. While one is
//! worked on, the next is on its way: L2BM has two places for each stream, L1BM some more. Tags alternate between two.
//!
//! A tensor that is the same along an index has its replicas written by the host. What is the same for all rows of the result is no stream: its
//! few vectors are brought to LM1 before.

use tessera_isa_mncore::layout::{Digit, ElementBits, Layout, Memory, Part, Place, Spec};
use tessera_isa_mncore::memory::Width;
use tessera_isa_mncore::table::l1bm::L1bmKind;
use tessera_isa_mncore::table::l2bm::{L1bSet, L2bmKind};
use tessera_isa_mncore::table::{L1bmOp, L2bmOp, MvMode};
use tessera_pto::kernel::TensorType;

use super::shape::{Shape, VECTOR_WORDS};
use crate::address::Address;
use crate::body::{Body, Home};
use crate::item::{Guard, Item, Move, MoveMemory, MovePlace, Op, Operand, Test, Value};
use crate::whole::Spread;

/// Long words of a vector in an L2BM.
const L2BM_VECTOR: u32 = 2048;
/// Long words of a vector in an L1BM.
const L1BM_VECTOR: u32 = 256;
/// Transfers between L2BM and L1BM for a vector.
const TRANSFERS: u32 = 8;
/// Steps of the MV instructions for a vector that goes to or comes from two L2B of four groups.
pub(super) const VECTOR_STEPS: u64 = 64;
/// Steps of the MV instruction for a vector that all L2B get.
pub(super) const BROADCAST_STEPS: u64 = 16;
/// Vectors in L1BM at once.
const L1BM_SLOTS: u32 = 4;

/// Where in the machine an index of a tensor lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Along the rows of the result: see [`Shape`].
    I,
    /// Along its columns.
    J,
    /// Along the depth of a product.
    K,
}

/// How vectors are spread over L2Bs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// As results: an L2B has its own rows.
    Own,
    /// As the column side of a product: all L2B have the same.
    Same,
}

/// Outer loops, in the order of their dimensions: matrices, column blocks, row blocks or chunks of the depth, and the last of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Outer {
    pub matrices: Option<usize>,
    pub j: Option<usize>,
    pub i: Option<usize>,
    pub chunk: Option<usize>,
}

/// A tensor as vectors.
#[derive(Clone, Debug)]
pub(super) struct Vectors {
    pub form: Form,
    /// The first long word in each group's DRAM.
    pub base: u32,
    /// What each dimension around adds in DRAM, matrices, blocks of `j`, blocks of `i` or chunks.
    matrix: u32,
    j_block: u32,
    major_block: u32,
    /// Long words between the parts of the two L2B of a group.
    side: u32,
    /// Long words of a vector in a group's DRAM.
    vector: u32,
    /// How many vectors of a block there are.
    pub count: u32,
    pub layout: Layout,
}

/// Which dimension of a tensor (1 rows, 2 columns) has which role, and along what it is spread.
#[derive(Clone, Copy, Debug)]
pub(super) struct Use {
    pub tensor: TensorType,
    pub rows: Role,
    pub columns: Role,
    pub spread: Spread,
}

impl Use {
    /// Whether it is the same along a role.
    fn is_spread(&self, role: Role) -> bool {
        self.rows == role && self.spread.rows || self.columns == role && self.spread.columns
    }
}

/// A digit of an address, of this extent, whose least bit counts so many long words.
fn digit(place: Place, extent: u32, stride: u32) -> Digit {
    Digit {
        place,
        extent: u64::from(extent),
        stride: Some(u64::from(stride)),
    }
}

/// Bits of a place.
fn part(place: Place, extent: u32, stride: u32) -> Part {
    Part {
        place,
        bits: Some((u64::from(extent), Some(u64::from(stride)))),
    }
}

impl Vectors {
    /// A tensor as vectors, from a long word on; and the first long word behind it.
    pub fn place(r#use: &Use, form: Form, shape: &Shape, base: u32) -> (Vectors, u32) {
        use Place::{Address, Group, Part as Word};
        let (major_role, major, blocks) = match form {
            Form::Own => (Role::I, shape.tiles, shape.i_blocks),
            Form::Same => (Role::K, shape.k_blocks, shape.chunks),
        };
        let (major_spread, j_spread) = (r#use.is_spread(major_role), r#use.is_spread(Role::J));
        // Addresses of a vector: those of L2BM, of which `mvb` takes two bits from the groups.
        let (vector, above) = match form {
            Form::Own => (L2BM_VECTOR, 1),
            Form::Same => (L2BM_VECTOR / 4, 4),
        };
        let steps = shape.steps;
        let time = if major_spread { 1 } else { major };
        let side = (time * steps).next_power_of_two() * vector;
        let sides = if form == Form::Own { 2 } else { 1 };
        let block = side * sides;
        let major_count = if major_spread { 1 } else { blocks.next_power_of_two() };
        let j_block = block * major_count;
        let j_count = if j_spread { 1 } else { shape.j_blocks.next_power_of_two() };
        let matrix = j_block * j_count;

        let mut major_digits = vec![(Word, 2, 1), (Address, 4, 1), (Address, major, steps * vector)];
        let mut major_rep = vec![part(Word, 2, 1), part(Address, 4, 1)];
        if form == Form::Own {
            major_digits.extend([(Address, 2, side), (Group, 4, 1)]);
            major_rep.extend([part(Address, 2, side), part(Group, 4, 1)]);
        }
        major_digits.push((Address, blocks, block));
        let mut j_digits = vec![
            (Address, 4, 512 / above),
            (Address, steps, vector),
            (Address, 2, 4),
        ];
        j_digits.extend([(Address, 8, 64 / above)]);
        match form {
            Form::Own => j_digits.push((Address, 8, 8)),
            Form::Same => j_digits.extend([(Address, 2, 8), (Group, 4, 1)]),
        }
        let j_rep: Vec<Part> = j_digits
            .iter()
            .filter(|(_, extent, _)| *extent > 1)
            .map(|&(place, extent, stride)| part(place, extent, stride))
            .collect();
        j_digits.push((Address, shape.j_blocks, j_block));

        let kind = r#use.tensor;
        let mut spec = Spec::new(Memory::Dram, ElementBits::ThirtyTwo).at(base);
        let matrices = [(Address, kind.matrices, matrix)];
        let own = !(r#use.spread.matrices || kind.matrices == 1);
        spec = spec.dim("x", kind.matrices.into(), &digits(own, &matrices));
        for (name, extent, role) in [("r", kind.rows, r#use.rows), ("c", kind.columns, r#use.columns)] {
            let (spread, list) = match role {
                Role::J => (j_spread, &j_digits),
                Role::I | Role::K => (major_spread, &major_digits),
            };
            spec = spec.dim(name, extent.into(), &digits(!spread, list));
        }
        if major_spread {
            spec.replicated.extend(major_rep);
        }
        if j_spread {
            spec.replicated.extend(j_rep);
        }
        let layout = spec.build().expect("the digits are of a layout's form");
        let end = base + layout.words() as u32;
        let step = |own: bool, stride: u32| if own { stride } else { 0 };
        let vectors = Vectors {
            form,
            base,
            matrix: step(own, matrix),
            j_block: step(!j_spread, j_block),
            major_block: step(!major_spread, block),
            side,
            vector,
            count: time * steps,
            layout,
        };
        (vectors, end.next_multiple_of(64))
    }

    /// The address in DRAM of the vector of an iteration, `ahead` vectors further, for a side, inside the loops around.
    fn dram(&self, outer: &Outer, time: usize, ahead: u32, side: u32) -> Address {
        let mut steps = vec![0; time + 1];
        for (dimension, stride) in [
            (outer.matrices, self.matrix),
            (outer.j, self.j_block),
            (if self.form == Form::Own { outer.i } else { outer.chunk }, self.major_block),
        ] {
            if let Some(dimension) = dimension {
                steps[dimension] = stride;
            }
        }
        steps[time] = self.vector;
        let base = self.base + side * self.side + ahead * self.vector;
        Address::moving(base, &steps)
    }
}

/// The digits of a dimension, those of one value left out; none if it has one element.
fn digits(own: bool, list: &[(Place, u32, u32)]) -> Vec<Digit> {
    if !own {
        return Vec::new();
    }
    let list = list.iter().filter(|(_, extent, _)| *extent > 1);
    list.map(|&(place, extent, stride)| digit(place, extent, stride)).collect()
}

/// The places and tags of a stream: streams that go on at the same time have different lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lane(pub u32);

/// How many lanes there are.
pub(super) const LANES: u32 = 4;
/// The first tag of lanes; those before are for others.
const FIRST_TAG: u32 = 16;

impl Lane {
    /// Its two vectors in L2BM.
    fn l2bm(self, steps: &[u32], ahead: u32) -> Address {
        let first = self.0 * 2 * L2BM_VECTOR;
        Address::moving(ahead * L2BM_VECTOR, &scaled(steps, L2BM_VECTOR)).around(first, 2 * L2BM_VECTOR)
    }

    /// Its vectors in L1BM.
    fn l1bm(self, steps: &[u32]) -> Address {
        let first = self.0 * L1BM_SLOTS * L1BM_VECTOR;
        Address::moving(0, &scaled(steps, L1BM_VECTOR)).around(first, L1BM_SLOTS * L1BM_VECTOR)
    }

    /// The tag of the MV instructions for one side of a vector.
    fn tag(self, side: u32, steps: &[u32], ahead: u32) -> Address {
        let first = FIRST_TAG + self.0 * 4 + side * 2;
        Address::moving(ahead, steps).around(first, 2)
    }
}

fn scaled(steps: &[u32], factor: u32) -> Vec<u32> {
    steps.iter().map(|step| step * factor).collect()
}

/// The steps of an address that moves with the last dimension only.
fn along(time: usize) -> Vec<u32> {
    let mut steps = vec![0; time + 1];
    steps[time] = 1;
    steps
}

fn transfer(kind: L2bmKind) -> L2bmOp {
    L2bmOp {
        kind,
        set: L1bSet::ALL,
        rrn: None,
    }
}

impl Vectors {
    /// The sides that MV instructions go to or come from one after the other.
    fn sides(&self) -> &'static [u32] {
        match self.form {
            Form::Own => &[0, 1],
            Form::Same => &[0],
        }
    }

    /// The MV instruction that brings a side of the vector `ahead` of an iteration, or takes one away.
    fn r#move(&self, lane: Lane, outer: &Outer, time: usize, side: u32, direction: Direction, ahead: u32) -> Op {
        let place = |memory, address, l2b| MovePlace {
            memory,
            address,
            group: None,
            l2b,
        };
        let l2b = (self.form == Form::Own).then_some(side as u8);
        let dram = place(MoveMemory::Dram, self.dram(outer, time, ahead, side), None);
        let l2bm = place(MoveMemory::L2bm, lane.l2bm(&along(time), ahead), l2b);
        let (mode, source, target) = match (self.form, direction) {
            (Form::Own, Direction::In) => (MvMode::DramToL2bmEach, dram, l2bm),
            (Form::Own, Direction::Out) => (MvMode::L2bmToDramEach, l2bm, dram),
            (Form::Same, _) => (MvMode::DramBroadcast, dram, l2bm),
        };
        Op::Mv(Move {
            mode,
            rrn: None,
            words: L2BM_VECTOR,
            tag: lane.tag(side, &along(time), ahead),
            source,
            target,
        })
    }

    /// What brings the first vector, before the loop.
    pub fn fetch_first(&self, body: &mut Body, lane: Lane, outer: &Outer) {
        for &side in self.sides() {
            // Without a loop there is no time: the address of its first iteration.
            let mut first = self.r#move(lane, outer, body.dimensions(), side, Direction::In, 0);
            if let Op::Mv(first) = &mut first {
                for address in [&mut first.tag, &mut first.source.address, &mut first.target.address] {
                    address.steps.truncate(body.dimensions());
                }
            }
            body.push(first, Vec::new(), Vec::new());
        }
    }

    /// The items that bring a vector in each iteration of a loop over all of them, and fetch the next.
    pub fn bring(&self, body: &mut Body, lane: Lane, outer: &Outer) -> Value {
        let value = body.value(Width::Long, Home::Any);
        self.bring_to(body, lane, outer, value);
        value
    }

    /// The same, to a value.
    pub fn bring_to(&self, body: &mut Body, lane: Lane, outer: &Outer, value: Value) {
        let time = body.dimensions() - 1;
        for &side in self.sides() {
            let next = self.r#move(lane, outer, time, side, Direction::In, 1);
            let guard = Guard {
                dimension: time,
                test: Test::Below(self.count - 1),
            };
            body.push(next, Vec::new(), Vec::new()).when.push(guard);
        }
        for &side in self.sides() {
            body.push(Op::Wait(lane.tag(side, &along(time), 0)), Vec::new(), Vec::new());
        }
        for number in 0..TRANSFERS {
            let op = Op::L2bm {
                op: transfer(L2bmKind::Distribute),
                l2: lane.l2bm(&along(time), 0).beyond(number * (L2BM_VECTOR / TRANSFERS)),
                l1: lane.l1bm(&along(time)).beyond(number * (L1BM_VECTOR / TRANSFERS)),
            };
            body.push(op, Vec::new(), Vec::new());
        }
        let down = L1bmOp::plain(L1bmKind::Distribute, false);
        body.push(Op::L1bm(down, lane.l1bm(&along(time))), Vec::new(), vec![value.into()]);
    }

    /// The items that take a vector away in each iteration of a loop over all of them.
    pub fn take(&self, body: &mut Body, lane: Lane, outer: &Outer, value: impl Into<Operand>) {
        let time = body.dimensions() - 1;
        let up = L1bmOp::plain(L1bmKind::Collect, false);
        body.push(Op::L1bm(up, lane.l1bm(&along(time))), vec![value.into()], Vec::new());
        for &side in self.sides() {
            let wait = Op::Wait(lane.tag(side, &along(time), 0));
            body.push(wait, Vec::new(), Vec::new()).when.push(Guard {
                dimension: time,
                test: Test::From(2),
            });
        }
        for number in 0..TRANSFERS {
            let op = Op::L2bm {
                op: transfer(L2bmKind::Collect),
                l2: lane.l2bm(&along(time), 0).beyond(number * (L2BM_VECTOR / TRANSFERS)),
                l1: lane.l1bm(&along(time)).beyond(number * (L1BM_VECTOR / TRANSFERS)),
            };
            body.push(op, Vec::new(), Vec::new());
        }
        for &side in self.sides() {
            let away = self.r#move(lane, outer, time, side, Direction::Out, 0);
            body.push(away, Vec::new(), Vec::new());
        }
    }

    /// What waits for the last vectors that were taken away, behind the loop.
    pub fn wait_last(&self, body: &mut Body, lane: Lane) {
        for vector in self.count.saturating_sub(2)..self.count {
            for &side in self.sides() {
                let tag = lane.tag(side, &[], vector);
                body.push(Op::Wait(tag), Vec::new(), Vec::new());
            }
        }
    }
}

/// Whether a stream goes to the PEs or comes from them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    In,
    Out,
}

/// Where vectors lie in LM1 that are brought before a loop: the address of vector `number`.
pub(super) fn resident(number: u32) -> u32 {
    number * VECTOR_WORDS
}
