//! Matrix products that keep the MAU busy in every step: they assemble in both modes and have no
//! hazards.
//!
//! `tessera-mncore` executes them (`tests/programs/loops.rs` there), so the text of the loops is
//! stored in that crate.

#[path = "../../mncore/tests/loops/source.rs"]
mod source;

use source::{Kernel, Loop};
use tessera_isa_mncore::word::Mode;
use tessera_isa_mncore::{check, hazards, parse, unit};

/// Half precision, A block-floated in LM1, B in LM0, C in GRF0; the matrix registers change roles
/// each round.
const RESIDENT: &str = "\
hmfma $lx $lm64v $llr0v $llr0v; hmwrite $lln96v $lly0
hmfma $lx $lm72v $llr16v $llr16v; hmwrite $lln112v $lly8
hmfma $lx $lm80v $llr32v $llr32v
hmfma $lx $lm88v $llr48v $llr48v
hmfma $lx $lm96v $llr64v $llr64v
hmfma $lx $lm104v $llr80v $llr80v
hmfma $lx $lm112v $llr96v $llr96v
hmfma $lx $lm120v $llr112v $llr112v
";

/// Half precision, A streamed from L1BM and converted to block float on the way.
const STREAMED_HALF: &str = "\
hmfma $lx $lm16v $llr0v $llr0v; hmwrite $aluf $lly0; hbfn/9 $lbf $nowrite; l1bmm $llb640 $nowrite
hmfma $lx $lm24v $llr16v $llr16v; hmwrite $aluf $lly8; hbfn/9 $lbf $nowrite; l1bmm $llb672 $nowrite
hmfma $ly $lm16v $llr32v $llr32v; hmwrite $aluf $llx0; hbfn/9 $lbf $nowrite; l1bmm $llb704 $nowrite
hmfma $ly $lm24v $llr48v $llr48v; hmwrite $aluf $llx8; hbfn/9 $lbf $nowrite; l1bmm $llb736 $nowrite
";

/// Pseudo-single precision, A streamed through a ring buffer in GRF1, while the next B is loaded
/// into LM1.
const STREAMED_PSEUDO: &str = "\
gmfma $lx $lm16v $lr0v $lr0v; gmwrite $aluf $ly0; gbfn $ls18v4 $nowrite; l1bmd $lb5120 $ln32v
gmfma $lx $lm24v $lr8v $lr8v; gmwrite $aluf $ly4; gbfn $ls32v4 $nowrite; l1bmm $llb224 $lls48v
gmfma $ly $lm16v $lr16v $lr16v; gmwrite $aluf $lx0; gbfn $ls34v4 $nowrite; l1bmd $lb5376 $ln40v
gmfma $ly $lm24v $lr24v $lr24v; gmwrite $aluf $lx4; gbfn $ls48v4 $nowrite; l1bmm $llb256 $lls0v
";

/// Loop, number of row tiles, the tile with which the lines below start.
const PERIODS: &[(Kernel, usize, usize, &str)] = &[
    (Kernel::Resident, 2, 2, RESIDENT),
    (Kernel::StreamedHalf, 8, 8, STREAMED_HALF),
    (Kernel::StreamedPseudo, 4, 4, STREAMED_PSEUDO),
];

#[test]
fn the_steady_state_is_as_designed() {
    for &(kernel, row_tiles, tile, expect) in PERIODS {
        let of = Loop {
            kernel,
            row_tiles,
            k_blocks: 3,
        };
        let source = of.pipelined();
        assert_eq!(source.lines().count(), of.steps());
        let period = source
            .lines()
            .skip(kernel.prologue() + tile * kernel.steps());
        for (line, expect) in period.zip(expect.lines()) {
            let sorted = |line: &str| {
                let mut expressions: Vec<_> = line.split("; ").map(str::to_owned).collect();
                expressions.sort();
                expressions
            };
            assert_eq!(sorted(line), sorted(expect));
        }
    }
}

#[test]
fn loops_have_no_hazards_and_fit_their_units() {
    for &(kernel, _, _, _) in PERIODS {
        for row_tiles in [1, 2, 8, 16] {
            let of = Loop {
                kernel,
                row_tiles: row_tiles.min(kernel.most_row_tiles()),
                k_blocks: 3,
            };
            accept(&of.sequential());
            let source = of.pipelined();
            let program = accept(&source);
            for (mode, per_unit) in [(Mode::AutoStride, 3), (Mode::Flat, 2)] {
                let bytes = unit::pack(&program, mode).expect("the mode has room for it");
                let units = of.steps().div_ceil(per_unit);
                assert_eq!(bytes.len(), units * unit::UNIT_BYTES);
                let (again, _) = unit::unpack(&bytes).expect("it was packed");
                assert_eq!(unit::pack(&again, mode), Ok(bytes));
            }
        }
    }
}

/// Parses a source that breaks no rule.
#[track_caller]
fn accept(source: &str) -> tessera_isa_mncore::Program {
    let program = parse(source).unwrap_or_else(|e| panic!("{}", e[0].render("loop", source)));
    if let Some(found) = check(&program).first() {
        panic!("{}", found.render("loop", source));
    }
    if let Some(hazard) = hazards(&program).first() {
        panic!("{}", hazard.diagnostic.render("loop", source));
    }
    program
}

/// A ring buffer slot is read one step after it is written; the checker must detect that.
#[test]
fn a_loop_with_too_short_a_ring_is_refused() {
    let body = STREAMED_PSEUDO.replace("gbfn $ls18v4", "gbfn $ls2v4");
    let source = body.repeat(2);
    let program = parse(&source).expect("the language allows it");
    assert_eq!(hazards(&program).len(), 1);
}
