//! Random PE expressions, drawn from the instruction tables.

use tessera_isa_mncore::ast::{Alu, Convert, L1Operand, L1bm, MatrixRows, Mau, Op, PeOperands};
use tessera_isa_mncore::memory::{Precision, Side, Width, DAR_ENTRIES, L1BM_WORDS, L2BM_WORDS};
use tessera_isa_mncore::table::l2bm::Direction;
use tessera_isa_mncore::table::mau::{matrix_rows, Port};
use tessera_isa_mncore::table::{AluOp, L1bmKind, L1bmOp, L2bmKind, L2bmOp, MauOp};
use tessera_mncore::geometry::Geometry;

use super::operands::{Frame, Wanted, Written, PLAIN_OPCODES};
use super::MATRIX_PRECISIONS;
use tessera_test_support::random::{Deck, Rng};

/// The opcodes of every family: those that a machine can execute, and all.
pub struct Decks {
    alu: Deck<AluOp>,
    /// By precision: vector operations, and those with a matrix register.
    mau: [[Deck<MauOp>; 2]; 4],
    l1bm: [Deck<L1bmOp>; 2],
    l2bm: [Deck<L2bmOp>; 2],
    geometry: Geometry,
}

/// The percentage of opcodes for which the machine may be too small.
const TOO_LARGE: usize = 3;

impl Decks {
    pub fn new(geometry: Geometry) -> Self {
        let board = Geometry::BOARD;
        let l1bm = |mabs: usize| {
            let fits = |op: &L1bmOp| usize::from(op.mab) < mabs;
            Deck::new(L1bmOp::all().into_iter().filter(fits).collect())
        };
        let l2bm = |l1bs: usize| {
            let fits = |op: &L2bmOp| match op.kind {
                L2bmKind::Pick => usize::from(op.set.base()) < l1bs,
                L2bmKind::Collect | L2bmKind::PairReduce => l1bs == board.l1bs,
                _ => true,
            };
            Deck::new(L2bmOp::all().into_iter().filter(fits).collect())
        };
        Decks {
            alu: Deck::new(AluOp::all()),
            mau: MATRIX_PRECISIONS.map(|precision| {
                [false, true].map(|matrix| {
                    let all = MauOp::all().into_iter();
                    let of_kind =
                        all.filter(|op| op.precision == precision && op.kind.is_matrix() == matrix);
                    Deck::new(of_kind.collect())
                })
            }),
            l1bm: [l1bm(geometry.mabs), l1bm(board.mabs)],
            l2bm: [l2bm(geometry.l1bs), l2bm(board.l1bs)],
            geometry,
        }
    }

    /// ALU arithmetic.
    pub fn alu(&mut self, rng: &mut Rng, frame: &Frame) -> Option<Op> {
        let op = self.alu.draw(rng)?;
        let narrows = op.precision.is_some_and(|precision| precision.bits() == 16);
        let inputs = (0..op.kind.row().inputs).map(|index| {
            let narrow = narrows && rng.percent(20);
            let wanted = Wanted {
                width: narrow.then_some(Width::Double),
                convert: if narrow {
                    Convert::Narrow
                } else {
                    Convert::None
                },
                first_of_alu: index == 0,
                ..PLAIN_OPCODES
            };
            frame.input(rng, wanted)
        });
        let inputs = inputs.collect();
        let written = Written {
            width: None,
            bases: true,
            flags: true,
        };
        Some(Op::Alu(Alu {
            op,
            immediate: if op.kind.is_immediate() {
                rng.next_u64() as u32
            } else {
                0
            },
            inputs,
            outputs: frame.outputs(rng, written),
        }))
    }

    /// MAU arithmetic of the step's precision.
    pub fn mau(&mut self, rng: &mut Rng, frame: &Frame) -> Option<Op> {
        let precision = MATRIX_PRECISIONS
            .iter()
            .position(|p| *p == frame.precision)?;
        let matrix = rng.percent(frame.matrices);
        let op = self.mau[precision][usize::from(matrix)].draw(rng)?;
        let inputs = op.kind.row().ports.iter().map(|port| {
            let often = if op.precision == Precision::Half {
                25
            } else {
                8
            };
            let convert = match port {
                _ if !rng.percent(often) => Convert::None,
                Port::Vector => Convert::None,
                Port::A | Port::B if op.precision == Precision::Half => Convert::Narrow,
                Port::A | Port::B | Port::C => Convert::Widen,
            };
            let wanted = Wanted {
                width: match (convert, port) {
                    (Convert::Narrow, _) => Some(Width::Double),
                    (_, Port::Vector) if rng.percent(90) => Some(Width::Long),
                    _ => None,
                },
                convert,
                negate: rng.percent(25),
                block: *port == Port::Vector,
                ..PLAIN_OPCODES
            };
            frame.input(rng, wanted)
        });
        let inputs = inputs.collect();
        let written = Written {
            width: None,
            bases: true,
            flags: true,
        };
        Some(Op::Mau(Mau {
            op,
            matrix: op.kind.is_matrix().then(|| side(rng)),
            inputs,
            outputs: frame.outputs(rng, written),
        }))
    }

    /// A transfer between L1BM and PEs. A transfer from the turn-around register is one that
    /// `filled` allows.
    pub fn l1bm(&mut self, rng: &mut Rng, frame: &Frame, filled: Option<L1bmOp>) -> Option<Op> {
        let all = usize::from(rng.percent(TOO_LARGE));
        let mut op = self.l1bm[all].draw(rng)?;
        let down = op.kind.row().down;
        let turn = match filled {
            Some(_) if down => rng.percent(60),
            // Reading a register that was not filled traps.
            None if down => rng.percent(1),
            _ => rng.percent(30),
        };
        if let Some(filled) = filled.filter(|_| down && turn) {
            // A transfer to PEs that may follow: with the same row length and shift.
            let kinds = [
                L1bmKind::PeBroadcast,
                L1bmKind::Broadcast,
                L1bmKind::Broadcast4,
                L1bmKind::Distribute,
            ];
            let fits = kinds.iter().flat_map(|kind| {
                [false, true].map(|wide| L1bmOp {
                    shift: filled.shift,
                    ..L1bmOp::new(*kind, wide)
                })
            });
            let found = fits
                .filter(|op| L1bmOp::all().contains(op))
                .find(|op| op.l1_rate() == filled.l1_rate());
            op = found.unwrap_or(op);
        }
        let l1 = if turn {
            L1Operand::Turnaround
        } else {
            L1Operand::Address(l1_address(rng, &op))
        };
        let pe = if op.kind.row().down {
            let written = Written {
                width: op.wide.then_some(Width::Double),
                bases: !op.wide,
                flags: false,
            };
            PeOperands::Down(frame.outputs(rng, written))
        } else {
            let single = op.rrn.is_some_and(|rrn| rrn.is_single_float());
            let widen = single && op.wide && rng.percent(40);
            let wanted = Wanted {
                width: widen.then_some(Width::Long),
                convert: if widen { Convert::Widen } else { Convert::None },
                ..PLAIN_OPCODES
            };
            PeOperands::Up(frame.input(rng, wanted))
        };
        Some(Op::L1bm(L1bm { op, l1, pe }))
    }

    /// A transfer between L2BM and L1BM.
    pub fn l2bm(&mut self, rng: &mut Rng) -> Option<Op> {
        let all = usize::from(rng.percent(TOO_LARGE));
        let op = self.l2bm[all].draw(rng)?;
        let row = op.kind.row();
        let l2 = if row.flow == Direction::Across {
            long_address(rng, L1BM_WORDS, row.l1_rate)
        } else {
            long_address(rng, L2BM_WORDS, row.l2_rate)
        };
        let l1 = long_address(rng, L1BM_WORDS, row.l1_rate);
        Some(Op::L2bm { op, l2, l1 })
    }

    /// `l2bmdars`.
    pub fn dar_start(&self, rng: &mut Rng) -> Op {
        Op::DarStart {
            l2: long_address(rng, L2BM_WORDS, 64),
            l2b: rng.below(self.geometry.l2bs) as u8,
            dar: rng.below(DAR_ENTRIES as usize) as u16,
        }
    }
}

/// A write to a matrix register.
pub fn mwrite(rng: &mut Rng, frame: &Frame) -> Op {
    let precision = frame.precision;
    let half = precision == Precision::Half;
    let mut matrix = rows(rng, precision, false);
    let convert = match (rng.percent(12), half) {
        (false, _) => Convert::None,
        (true, false) => Convert::Widen,
        (true, true) => {
            matrix = rows(rng, precision, true);
            Convert::Narrow
        }
    };
    if convert == Convert::Narrow {
        matrix.wide = false;
    }
    let width = match (convert, half) {
        (Convert::None, true) if matrix.wide => Some(Width::Double),
        (Convert::None, true) => Some(Width::Long),
        (Convert::Narrow, _) => Some(Width::Double),
        _ => None,
    };
    let wanted = Wanted {
        width,
        convert,
        negate: rng.percent(25),
        block: true,
        ..PLAIN_OPCODES
    };
    Op::Mwrite {
        precision,
        input: frame.input(rng, wanted),
        matrix,
    }
}

/// A transposed read of a matrix register.
pub fn mread(rng: &mut Rng, frame: &Frame) -> Op {
    let precision = frame.precision;
    let written = Written {
        width: None,
        bases: true,
        flags: false,
    };
    Op::Mread {
        precision,
        matrix: rows(rng, precision, precision == Precision::Half),
        outputs: frame.outputs(rng, written),
    }
}

fn side(rng: &mut Rng) -> Side {
    rng.pick(&[Side::X, Side::Y])
}

/// Rows or columns; two per cycle if required, in half precision.
fn rows(rng: &mut Rng, precision: Precision, must: bool) -> MatrixRows {
    let wide = precision == Precision::Half && (must || rng.percent(50));
    let first = rng.below(matrix_rows(precision).into()) as u8;
    MatrixRows {
        side: side(rng),
        first: if wide { first & !1 } else { first },
        wide,
    }
}

fn l1_address(rng: &mut Rng, op: &L1bmOp) -> u16 {
    let address = long_address(rng, L1BM_WORDS, op.alignment());
    if op.kind == L1bmKind::PeBroadcast && op.wide && address % 64 > 56 {
        address - 7
    } else {
        address
    }
}

/// The number of long words at the start and at the end of a memory that most addresses refer to.
pub const NEAR: usize = 1024;

/// Returns a multiple of `unit` in a memory of `size` long words.
pub fn long_address(rng: &mut Rng, size: u32, unit: u16) -> u16 {
    let (size, unit) = (size as usize, usize::from(unit));
    let word = match rng.below(100) {
        0..=79 => rng.below(NEAR),
        80..=94 => size - 1 - rng.below(NEAR / 2),
        _ => rng.below(size),
    };
    (word / unit * unit) as u16
}
