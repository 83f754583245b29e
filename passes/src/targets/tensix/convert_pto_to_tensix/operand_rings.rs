//! Where in L1 the operands of steps lie: for each unpacker a ring of slots, one slot for a step.
//! Tiles of a ring have elements of one type ([`super::check`]).
//!
//! Pieces of work that follow one another often need the same tiles: those along a row of the
//! result the same left ones, those along a column the same right ones. If L1 has room, a ring is
//! *kept*: it has a slot for every step of a piece, and what lies in it is read again only where it
//! changes. To keep tiles of columns, too, workers go through the result in strips of columns, row
//! by row inside of a strip.
//!
//! Which rings are kept, and how wide strips are, is what reads least on each of 64 workers; if
//! several do, what reads least on one.

use tessera_dialects::mlir::Value;
use tessera_isa_tensix::{tile, Arch};

use super::code_builder::{CodeBuilder, Compare};
use super::expr::{Arith, Var};
use super::plan::{BlockItem, Element, Loop, Node, Operand, Step, TileRect};
use super::walk::PieceStart;

/// Slots of a ring that is not kept: steps whose operands lie in L1 at a time.
pub const SLOTS: u32 = 4;
/// Tiles that an unpacker's Z counter can tell apart.
pub const MAX_TILES: u32 = 256;

/// How long tiles stay in a ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retention {
    /// Until their step is done: the slots go round.
    Step,
    /// Along the innermost of the dealt loops.
    Row,
    /// Along the loop around it, for each column of a strip.
    Strip,
}

/// What positions in rings count.
#[derive(Clone, Copy)]
pub enum PositionUnit {
    /// Tiles.
    Tiles,
    /// Their bytes.
    Bytes,
}

impl PositionUnit {
    /// How many of it a tile of a ring has.
    fn per_tile(self, ring: &OperandRing) -> u32 {
        match self {
            PositionUnit::Tiles => 1,
            PositionUnit::Bytes => ring.element.tile_bytes(),
        }
    }
}

/// The slots of an unpacker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperandRing {
    /// How long tiles stay.
    pub retention: Retention,
    /// Tiles of a slot.
    pub tiles: u32,
    /// How many slots.
    pub slots: u32,
    /// The element type of the tiles.
    pub element: Element,
}

impl OperandRing {
    /// Bytes of L1.
    pub fn bytes(&self) -> u32 {
        self.tiles * self.slots * self.element.tile_bytes()
    }
}

/// The rings of both unpackers.
#[derive(Clone, Debug, PartialEq)]
pub struct OperandRings {
    /// By unpacker.
    pub by_unpacker: [OperandRing; 2],
    /// Turns of the innermost dealt loop that make a strip.
    pub strip: u64,
    /// Variables of the innermost dealt loop and of the one around it.
    column: Option<Var>,
    row: Option<Var>,
}

impl OperandRings {
    /// The rings for pieces of work. Tiles are kept if there is room for them, in bytes.
    pub fn choose(
        arch: Arch,
        distributed: &[&Loop<Node>],
        nodes: &[Node],
        room: Option<u32>,
    ) -> Self {
        let mut steps = Vec::new();
        let known = collect_memory_steps(nodes, 1, &mut steps);
        let (column, row) = match distributed {
            [.., row, column] => (Some(*column), Some(*row)),
            [column] => (Some(*column), None),
            [] => (None, None),
        };
        let trip = |of: Option<&Loop<Node>>| of.and_then(Loop::trip_count).unwrap_or(1);
        let need = PieceDemand::new(
            &steps,
            [column, row].map(|of| of.map(|of| of.var)),
            trip(row),
        );
        let pieces: u64 = distributed
            .iter()
            .filter_map(|of| of.trip_count())
            .product();
        let columns = trip(column);
        let strips = (1..=columns)
            .rev()
            .filter(|strip| columns % strip == 0 && (row.is_some() || *strip == columns));
        let choices = [[false, false], [true, false], [false, true], [true, true]];
        let possible = strips.flat_map(|strip| {
            let rings = choices.map(|choice| need.rings(choice, strip, known));
            rings.into_iter().flatten().map(move |of| (of, strip))
        });
        let bytes =
            |of: &[OperandRing; 2]| of.iter().map(|ring| u64::from(ring.bytes())).sum::<u64>();
        let each = pieces.div_ceil(tile::workers(arch).into());
        let best = possible
            .filter(|(of, _)| bytes(of) <= u64::from(room.unwrap_or(0)))
            .min_by_key(|(of, strip)| {
                let reads = |pieces| need.tiles_read(of, *strip, pieces);
                (reads(each), reads(pieces), bytes(of))
            });
        let (of, strip) = best.unwrap_or((need.cyclic_rings(), columns));
        OperandRings {
            by_unpacker: of,
            strip,
            column: column.map(|of| of.var),
            row: row.map(|of| of.var),
        }
    }

    /// The unpackers, together if one position says where both are.
    pub fn positions(&self) -> Vec<Vec<usize>> {
        if self.by_unpacker[0] == self.by_unpacker[1] {
            vec![vec![0, 1]]
        } else {
            vec![vec![0], vec![1]]
        }
    }

    /// Which of the positions is an unpacker's.
    pub fn position(&self, unpacker: usize) -> usize {
        let mut positions = self.positions().into_iter();
        let own = positions.position(|of| of.contains(&unpacker));
        own.expect("each unpacker has a position")
    }

    /// Brings positions, which are in the state from `at` on, to the first step of a piece.
    pub fn start_piece<'a>(
        &self,
        code: &mut CodeBuilder<'_, 'a>,
        start: &PieceStart<'a>,
        at: usize,
        count: PositionUnit,
    ) {
        for (number, unpackers) in self.positions().iter().enumerate() {
            let unpacker = unpackers[0];
            code.state[at + number] = match self.by_unpacker[unpacker].retention {
                // Where the piece before has ended.
                Retention::Step => continue,
                Retention::Row => code.constant(0),
                Retention::Strip => {
                    let ring = self.by_unpacker[unpacker];
                    let strip = i64::from(ring.tiles * ring.slots * count.per_tile(&ring));
                    code.arith_const(Arith::Mul, start.column, strip / self.strip as i64)
                }
            };
        }
    }

    /// Brings positions to the next step.
    pub fn advance(&self, code: &mut CodeBuilder, at: usize, count: PositionUnit) {
        for (number, unpackers) in self.positions().iter().enumerate() {
            let ring = self.by_unpacker[unpackers[0]];
            let OperandRing {
                retention,
                tiles,
                slots,
                ..
            } = ring;
            let (position, by) = (code.state[at + number], tiles * count.per_tile(&ring));
            code.state[at + number] = match retention {
                Retention::Step => code.advance_cyclic(position, by, slots * by),
                Retention::Row | Retention::Strip => {
                    code.arith_const(Arith::Add, position, by.into())
                }
            };
        }
    }

    /// Whether tiles that are kept must be read in a piece: in the first one that a worker does of
    /// a row, or of a column of a strip.
    pub fn needs_reload<'a>(
        &self,
        code: &CodeBuilder<'_, 'a>,
        start: &PieceStart<'a>,
        unpacker: usize,
    ) -> Option<Value<'a>> {
        let done = code.arith(Arith::Sub, start.piece, start.first);
        match self.by_unpacker[unpacker].retention {
            Retention::Step => None,
            Retention::Row => {
                let least = code.arith(Arith::Min, start.column, done);
                Some(code.compare(Compare::Equal, least, code.constant(0)))
            }
            Retention::Strip => {
                let strip = self.strip as i64;
                let above = code.arith_const(Arith::Mul, start.row, strip);
                let least = code.arith(Arith::Min, above, done);
                Some(code.compare(Compare::Less, least, code.constant(strip)))
            }
        }
    }

    /// Whether an operand's tiles stay in the ring from one piece to another.
    pub fn is_retained(&self, unpacker: usize, tiles: &TileRect) -> bool {
        let along = match self.by_unpacker[unpacker].retention {
            Retention::Step => None,
            Retention::Row => self.column,
            Retention::Strip => self.row,
        };
        along.is_some_and(|var| !depends_on(tiles, var))
    }
}

fn depends_on(tiles: &TileRect, var: Var) -> bool {
    tiles.row.depends_on(var) || tiles.column.depends_on(var)
}

/// What a step reads from memory, by unpacker.
pub fn operands(step: &Step) -> [Option<&TileRect>; 2] {
    step.operands().map(|operand| match operand {
        Some(Operand::Memory(tiles)) => Some(tiles),
        Some(Operand::Popped(_)) | None => None,
    })
}

/// Whether a step reads memory, so that NC brings something for it.
pub fn reads_memory(step: &Step) -> bool {
    operands(step).iter().any(Option::is_some)
}

/// Collects the steps of a piece that read memory, and how often each is done; tells whether that
/// is the same in every piece.
fn collect_memory_steps<'p>(
    nodes: &'p [Node],
    times: u64,
    steps: &mut Vec<(u64, &'p Step)>,
) -> bool {
    let mut known = true;
    for node in nodes {
        known &= match node {
            Node::Loop(inner) => {
                let all = total_trips(inner, times);
                collect_memory_steps(&inner.body, all.unwrap_or(times), steps) && all.is_some()
            }
            Node::Block(block) => collect_item_steps(&block.items, times, steps),
            Node::SlotEvent(_) => true,
        };
    }
    known
}

fn collect_item_steps<'p>(
    items: &'p [BlockItem],
    times: u64,
    steps: &mut Vec<(u64, &'p Step)>,
) -> bool {
    let mut known = true;
    for item in items {
        known &= match item {
            BlockItem::Loop(inner) => {
                let all = total_trips(inner, times);
                collect_item_steps(&inner.body, all.unwrap_or(times), steps) && all.is_some()
            }
            BlockItem::Step(step) => {
                if reads_memory(step) {
                    steps.push((times, step));
                }
                true
            }
            BlockItem::SlotEvent(_) => true,
        };
    }
    known
}

/// How often a loop turns that is met so often, if its variable has the same values every time.
/// More turns than a core counts are as good as unknown.
fn total_trips<T>(of: &Loop<T>, times: u64) -> Option<u64> {
    of.low.constant()?;
    let all = times.checked_mul(of.trip_count()?);
    all.filter(|all| *all <= u32::MAX.into())
}

/// What a piece needs of each unpacker.
struct PieceDemand {
    /// Turns of the loop around the innermost dealt one.
    rows: u64,
    /// Steps.
    steps: u64,
    /// Tiles of the largest step.
    tiles: [u32; 2],
    /// Their element type.
    elements: [Element; 2],
    /// Tiles of all steps.
    total_tiles: [u64; 2],
    /// Of these, those that stay the same along the innermost dealt loop, and along the one around
    /// it.
    invariant_tiles: [[u64; 2]; 2],
}

impl PieceDemand {
    fn new(steps: &[(u64, &Step)], along: [Option<Var>; 2], rows: u64) -> Self {
        let mut need = PieceDemand {
            rows,
            steps: steps.iter().map(|(times, _)| times).sum(),
            tiles: [1; 2],
            elements: [Element::Bf16; 2],
            total_tiles: [0; 2],
            invariant_tiles: [[0; 2]; 2],
        };
        for (times, step) in steps {
            for (unpacker, tiles) in operands(step).into_iter().enumerate() {
                let Some(tiles) = tiles else { continue };
                let all = times * u64::from(tiles.count());
                need.tiles[unpacker] = need.tiles[unpacker].max(tiles.count());
                need.elements[unpacker] = tiles.tensor.element;
                need.total_tiles[unpacker] += all;
                for (same, var) in need.invariant_tiles[unpacker].iter_mut().zip(along) {
                    if var.is_some_and(|var| !depends_on(tiles, var)) {
                        *same += all;
                    }
                }
            }
        }
        need
    }

    /// The rings if nothing is kept.
    fn cyclic_rings(&self) -> [OperandRing; 2] {
        [0, 1].map(|unpacker| OperandRing {
            retention: Retention::Step,
            tiles: self.tiles[unpacker],
            slots: SLOTS,
            element: self.elements[unpacker],
        })
    }

    /// The rings if those chosen are kept, each the way that saves most; nothing if they cannot be.
    fn rings(&self, choice: [bool; 2], strip: u64, known: bool) -> Option<[OperandRing; 2]> {
        let mut rings = self.cyclic_rings();
        for (unpacker, ring) in rings.iter_mut().enumerate() {
            if !choice[unpacker] {
                continue;
            }
            let [row, column] = self.invariant_tiles[unpacker];
            let (retention, copies) = match row >= column {
                true => (Retention::Row, 1),
                false => (Retention::Strip, strip),
            };
            let slots = self.steps.checked_mul(copies)?;
            // A slot that is filled again has been free for as long as in a ring that goes round.
            let fits = slots >= SLOTS.into() && slots * u64::from(ring.tiles) <= MAX_TILES.into();
            if !known || row.max(column) == 0 || !fits {
                return None;
            }
            ring.retention = retention;
            ring.slots = slots as u32;
        }
        Some(rings)
    }

    /// Tiles that a worker reads who does so many pieces one after the other.
    fn tiles_read(&self, rings: &[OperandRing; 2], strip: u64, pieces: u64) -> u64 {
        let of = |unpacker: usize| {
            let [row, column] = self.invariant_tiles[unpacker];
            let (same, times) = match rings[unpacker].retention {
                Retention::Step => (0, 0),
                Retention::Row => (row, pieces.div_ceil(strip)),
                // Each column once in a strip.
                Retention::Strip if pieces <= strip => (column, pieces),
                Retention::Strip => (column, pieces.div_ceil(self.rows * strip) * strip),
            };
            pieces * (self.total_tiles[unpacker] - same) + times * same
        };
        of(0) + of(1)
    }
}

#[cfg(test)]
mod tests;
