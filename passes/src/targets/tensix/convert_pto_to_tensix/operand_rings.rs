//! Operand rings in L1: one ring of slots per unpacker, one slot per step. All tiles of a ring have
//! the same element type ([`super::check`]).
//!
//! Consecutive pieces of work often need the same operand tiles: pieces in a row of the result
//! share the left operand's, pieces in a column share the right operand's. If L1 has room, a ring
//! *retains* its tiles ([`Retention`]): it has a slot for every step of a piece, and a slot is read
//! again only when its tile changes. To retain tiles along columns too, workers traverse the result
//! in strips of columns, row by row within a strip (strip-mining).
//!
//! [`OperandRings::choose`] enumerates which rings are retained and all strip widths that divide
//! the columns. It takes the choice with the fewest tiles read per worker on a full chip, then with
//! the fewest on a single worker, then with the least L1.

use tessera_dialects::mlir::Value;
use tessera_isa_tensix::worker_grid::WorkerGrid;
use tessera_isa_tensix::{tile, Arch};

use super::code_builder::{CodeBuilder, Compare};
use super::expr::{Arith, Var};
use super::plan::{BlockItem, Element, Loop, Node, Operand, Step, TileRect};
use super::walk::PieceStart;

/// Slots of a ring without retention: steps whose operands are in L1 at a time.
pub const SLOTS: u32 = 4;
/// Number of tiles that an unpacker's Z counter can address.
pub const MAX_TILES: u32 = 256;

/// How long tiles are retained in a ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retention {
    /// Until their step is done: the ring is cyclic.
    Step,
    /// Along the innermost distributed loop.
    Row,
    /// Along the next outer distributed loop, for each column of a strip.
    Strip,
}

/// The order in which a worker executes its pieces.
#[derive(Clone, Copy, Debug)]
pub enum PieceOrder<'g> {
    /// Row by row within strips of columns, whose width the rings choose.
    Strips,
    /// Row by row: the stages of a kernel share the order.
    Rows,
    /// In passes of a grid of tiles, which are along rows. The number of passes is known only when
    /// the kernel runs.
    Passes(&'g WorkerGrid),
}

impl PieceOrder<'_> {
    fn has_strips(self) -> bool {
        matches!(self, PieceOrder::Strips)
    }
}

/// Unit of positions in rings.
#[derive(Clone, Copy)]
pub enum PositionUnit {
    /// Tiles.
    Tiles,
    /// Their bytes.
    Bytes,
}

impl PositionUnit {
    /// Returns how many units a tile of the ring has.
    fn per_tile(self, ring: &OperandRing) -> u32 {
        match self {
            PositionUnit::Tiles => 1,
            PositionUnit::Bytes => ring.element.tile_bytes(),
        }
    }
}

/// The operand ring of one unpacker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperandRing {
    /// Retention of its tiles.
    pub retention: Retention,
    /// Tiles per slot.
    pub tiles: u32,
    /// Number of slots.
    pub slots: u32,
    /// The element type of the tiles.
    pub element: Element,
}

impl OperandRing {
    fn is_strip(&self) -> bool {
        self.retention == Retention::Strip
    }

    /// Returns the size in bytes.
    pub fn bytes(&self) -> u32 {
        self.tiles * self.slots * self.element.tile_bytes()
    }
}

/// The operand rings of both unpackers.
#[derive(Clone, Debug, PartialEq)]
pub struct OperandRings {
    /// The ring of each unpacker.
    pub by_unpacker: [OperandRing; 2],
    /// Width of a strip, in iterations of the innermost distributed loop.
    pub strip: u64,
    /// Variables of the innermost distributed loop and of the next outer one.
    column: Option<Var>,
    row: Option<Var>,
}

impl OperandRings {
    /// Chooses the rings for a plan. Tiles are retained only if `room`, in bytes of L1, is given
    /// and suffices, and from row to row only in strips.
    pub fn choose(
        arch: Arch,
        distributed: &[&Loop<Node>],
        nodes: &[Node],
        room: Option<u32>,
        order: PieceOrder,
    ) -> Self {
        let mut steps = Vec::new();
        let exact = collect_memory_steps(nodes, 1, &mut steps);
        let (column, row) = match distributed {
            [.., row, column] => (Some(*column), Some(*row)),
            [column] => (Some(*column), None),
            [] => (None, None),
        };
        let trip = |of: Option<&Loop<Node>>| of.and_then(Loop::trip_count).unwrap_or(1);
        let pieces: u64 = distributed
            .iter()
            .filter_map(|of| of.trip_count())
            .product();
        let (rows, columns, each) = match order {
            PieceOrder::Passes(grid) => {
                let [rows, columns] = grid.passes_along().map(u64::from);
                (rows, columns, pieces / u64::from(grid.tiles()))
            }
            PieceOrder::Strips | PieceOrder::Rows => {
                let workers = u64::from(tile::workers(arch));
                (trip(row), trip(column), pieces.div_ceil(workers))
            }
        };
        let along = [column, row].map(|of| of.map(|of| of.var));
        let need = PieceDemand::new(&steps, along, rows);
        let strips = (1..=columns)
            .rev()
            .filter(|strip| columns % strip == 0)
            .filter(|strip| *strip == columns || (row.is_some() && order.has_strips()));
        let choices = [[false, false], [true, false], [false, true], [true, true]];
        let possible = strips.flat_map(|strip| {
            let rings = choices.map(|choice| need.rings(choice, strip, exact));
            rings.into_iter().flatten().map(move |of| (of, strip))
        });
        let bytes =
            |of: &[OperandRing; 2]| of.iter().map(|ring| u64::from(ring.bytes())).sum::<u64>();
        let best = possible
            .filter(|(of, _)| bytes(of) <= u64::from(room.unwrap_or(0)))
            .filter(|([first, second], _)| first.bytes() % second.element.tile_bytes() == 0)
            .filter(|(of, _)| order.has_strips() || of.iter().all(|ring| !ring.is_strip()))
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

    /// Returns the size of both rings in bytes.
    pub fn bytes(&self) -> u32 {
        self.by_unpacker.iter().map(OperandRing::bytes).sum()
    }

    /// Groups the unpackers by position: both share one position, relative to the start of their
    /// own ring, if their rings have equal geometry and retention.
    pub fn positions(&self) -> Vec<Vec<usize>> {
        if self.by_unpacker[0] == self.by_unpacker[1] {
            vec![vec![0, 1]]
        } else {
            vec![vec![0], vec![1]]
        }
    }

    /// Returns the index of an unpacker's position.
    pub fn position(&self, unpacker: usize) -> usize {
        let mut positions = self.positions().into_iter();
        let own = positions.position(|of| of.contains(&unpacker));
        own.expect("each unpacker has a position")
    }

    /// Sets positions, which begin at index `at` of the state, to the first step of a piece.
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
                // Continues where the previous piece ended.
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

    /// Advances positions to the next step.
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

    /// Builds the condition under which retained tiles must be read: in the worker's first piece of
    /// a row, or of a column of a strip. Returns `None` for rings without retention.
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

    /// Returns whether an operand's tiles are retained from piece to piece.
    pub fn is_retained(&self, unpacker: usize, tiles: &TileRect) -> bool {
        let along = match self.by_unpacker[unpacker].retention {
            Retention::Step => None,
            Retention::Row => self.column,
            Retention::Strip => self.row,
        };
        along.is_some_and(|var| !depends_on(tiles, var))
    }
}

/// Returns whether the place of tiles depends on a variable.
pub fn depends_on(tiles: &TileRect, var: Var) -> bool {
    tiles.row.depends_on(var) || tiles.column.depends_on(var)
}

/// Returns the tiles that a step reads from DRAM, by unpacker.
pub fn operands(step: &Step) -> [Option<&TileRect>; 2] {
    step.operands()
        .map(|operand| operand.and_then(Operand::dram))
}

/// Returns whether NC reads operands for a step.
pub fn reads_dram(step: &Step) -> bool {
    operands(step).iter().any(Option::is_some)
}

/// Collects the steps of a piece that read memory, with the number of executions of each. Returns
/// whether these numbers are exact, and so the same in every piece. Loops whose trip count is not
/// constant count as one iteration.
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
            Node::SlotEvent(_) | Node::StageStart(_) => true,
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
                if reads_dram(step) {
                    steps.push((times, step));
                }
                true
            }
            BlockItem::SlotEvent(_) => true,
        };
    }
    known
}

/// Returns the total iterations of a loop that is entered `times` times, if that is constant and
/// fits 32 bits.
fn total_trips<T>(of: &Loop<T>, times: u64) -> Option<u64> {
    of.low.constant()?;
    let all = times.checked_mul(of.trip_count()?);
    all.filter(|all| *all <= u32::MAX.into())
}

/// Demand of a piece on each unpacker.
struct PieceDemand {
    /// Trip count of the second innermost distributed loop.
    rows: u64,
    /// Number of executions of steps that read memory.
    steps: u64,
    /// Tiles of the largest step, by unpacker.
    tiles: [u32; 2],
    /// Their element type.
    elements: [Element; 2],
    /// Tiles of all executions, by unpacker.
    total_tiles: [u64; 2],
    /// Of these, the tiles that are invariant along the innermost distributed loop, and along the
    /// next outer one.
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

    /// Returns the rings without retention.
    fn cyclic_rings(&self) -> [OperandRing; 2] {
        [0, 1].map(|unpacker| OperandRing {
            retention: Retention::Step,
            tiles: self.tiles[unpacker],
            slots: SLOTS,
            element: self.elements[unpacker],
        })
    }

    /// Returns the rings if those chosen are retained along the loop that saves most reads, and the
    /// others are cyclic. Returns `None` if that is impossible: the numbers of executions are not
    /// `exact`, no tile is invariant, or the slots are too few or exceed [`MAX_TILES`].
    fn rings(&self, choice: [bool; 2], strip: u64, exact: bool) -> Option<[OperandRing; 2]> {
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
            // With at least SLOTS slots, a slot is refilled no earlier than in a cyclic ring.
            let fits = slots >= SLOTS.into() && slots * u64::from(ring.tiles) <= MAX_TILES.into();
            if !exact || row.max(column) == 0 || !fits {
                return None;
            }
            ring.retention = retention;
            ring.slots = slots as u32;
        }
        Some(rings)
    }

    /// Returns the number of tiles that a worker reads for `pieces` consecutive pieces, of which
    /// the first one begins a strip. Workers that begin elsewhere may read more.
    fn tiles_read(&self, rings: &[OperandRing; 2], strip: u64, pieces: u64) -> u64 {
        let of = |unpacker: usize| {
            let [row, column] = self.invariant_tiles[unpacker];
            let (same, times) = match rings[unpacker].retention {
                Retention::Step => (0, 0),
                Retention::Row => (row, pieces.div_ceil(strip)),
                // Each column of a strip once.
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
