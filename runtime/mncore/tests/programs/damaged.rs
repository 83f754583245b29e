//! Fuzz test: in every model, damaged programs that are still valid run or trap at one of their
//! statements.
//!
//! `TESSERA_LONG_TESTS=1` runs a million sources. The assembler's tests cover damage that makes a
//! program invalid.

use tessera_isa_mncore::ast::{Host, StatementKind};
use tessera_isa_mncore::Program;
use tessera_mncore::geometry::Geometry;
use tessera_mncore::machine::{Machine, Model, Options};
use tessera_test_support::is_long_run;

use super::generate::Generator;
use tessera_test_support::random::Rng;

/// Two L2B of one group, so that a number changed by one may still be valid.
const GEOMETRY: Geometry = Geometry {
    groups: 1,
    l2bs: 2,
    l1bs: 1,
    mabs: 2,
};

/// Statements that the generator does not produce.
const OTHERS: &[&str] = &[
    "d getbh $llr4n0c1b0m1p1 2",
    "d get $lm0n0c0b0m0 3",
    "d getd $omr1n0c0b0m0p0 2",
    "d getf $lx2n0c0b0m1 3",
    "d geth $llt0n0c0b0m0p0 4",
    "d set $lm0n0c0b0m0p0 2 h1_2_3_4h5_6_7_8",
    "d set $llt0n0c0b0m1p3 1 l1l2",
    "r 0 000000001 001 00000000000000AB",
    "c 0 0 i01 i00 0 000000000 001 00000000000000AB",
    "e 0 0 i02 i00 0 000000000 000010",
    "nop; wait i01",
    "lpassa $lmt0 $lnb",
    "maskrst 0b10110",
];

const LETTERS: &[u8] = b"$lmnrstvbcdxyfe0123456789@./;-+\"";

fn damage(source: &mut Vec<u8>, rng: &mut Rng) {
    let (at, letter) = (rng.below(source.len()), rng.pick(LETTERS));
    match rng.below(4) {
        0 => source[at] = letter,
        1 => source.insert(at, letter),
        2 => drop(source.remove(at)),
        _ => {
            let other = rng.below(source.len());
            source.swap(at, other);
        }
    }
}

/// Returns whether no statement transfers or prints a large amount of data, since damage also
/// changes lengths.
fn is_small(program: &Program) -> bool {
    program
        .statements
        .iter()
        .all(|statement| match &statement.kind {
            StatementKind::Mv(mv) => mv
                .transfer
                .as_ref()
                .is_none_or(|transfer| transfer.words <= 4096),
            StatementKind::Get(get) => get.count <= 64,
            StatementKind::Host(Host::FromPdm { words, .. }) => *words <= 4096,
            _ => true,
        })
}

#[test]
fn damaged_programs_run_or_stop_at_a_statement() {
    let long = is_long_run();
    let (machines, sources) = if long { (10_000, 100) } else { (30, 100) };
    let mut rng = Rng::new(11);
    let mut generator = Generator::new(12, GEOMETRY);
    let (mut ran, mut stopped) = (0, 0);
    for number in 0..machines {
        let mut machine = Machine::new(Options {
            geometry: GEOMETRY,
            model: [Model::Fast, Model::Timed, Model::Reference][number % 3],
            zero_dram: number % 2 == 0,
            limit_steps: Some(10_000),
            ..Options::default()
        });
        generator.contents().fill(&mut machine);
        for _ in 0..sources {
            let mut source = generator.program(3).to_string();
            source = format!("{}\n{source}{}\n", rng.pick(OTHERS), rng.pick(OTHERS));
            let mut bytes = source.into_bytes();
            for _ in 0..rng.below(3) {
                damage(&mut bytes, &mut rng);
            }
            let source = String::from_utf8(bytes).expect("the letters are ASCII");
            let Ok(program) = tessera_isa_mncore::parse(&source) else {
                continue;
            };
            if !tessera_isa_mncore::check(&program).is_empty() || !is_small(&program) {
                continue;
            }
            match machine.run(&program, &mut |_| {}) {
                Ok(()) => ran += 1,
                Err(trap) => {
                    stopped += 1;
                    let line = trap.span.line as usize;
                    assert!(
                        (1..=source.lines().count()).contains(&line),
                        "{trap}: {source}"
                    );
                    assert!(trap.render("f", &source).contains("error: "), "{trap}");
                }
            }
        }
    }
    let all = machines * sources;
    assert!(
        ran > all / 20 && stopped > all / 20,
        "{ran} ran, {stopped} stopped of {all}"
    );
}
