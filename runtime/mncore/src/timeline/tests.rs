use super::*;

/// Statements separated by ` | `: when each begins and ends, and when all is complete.
#[track_caller]
fn check(source: &str, expect: &[(u64, u64)], end: u64) {
    let program = tessera_isa_mncore::parse(&source.replace(" | ", "\n")).expect(source);
    let (mut clock, mut issued) = (Timeline::default(), 0);
    let mut found = Vec::new();
    for statement in &program.statements {
        match clock.advance(statement, issued) {
            Timing::Step(Interval { start, end }, _) => found.push((start, end)),
            Timing::Transfer(at, pending) => {
                assert!(at <= pending.moves.start);
                issued += 1;
                found.push((pending.moves.start, pending.moves.end));
            }
            Timing::Nothing => {}
        }
    }
    assert_eq!((found.as_slice(), clock.end()), (expect, end), "{source}");
}

#[test]
fn steps_transfers_and_waits() {
    check("nop/2 | d getd $lc0 1", &[(0, 4), (4, 8)], 8);
    // 16 long words a cycle within a group, 8 across.
    check(
        "nop | mvp/n64 $p0@0 $d0@0 | nop",
        &[(0, 4), (4, 8), (4, 8)],
        8,
    );
    check("mvp/n64 $p0@0 $d0@1", &[(0, 8)], 8);
    // One after the other, and a wait for both: the first has no tag.
    check(
        "mvp/n1600 $p0@0 $d0@0 | mvp/n128 $p0@0 $d0@0 | nop",
        &[(0, 100), (100, 108), (0, 4)],
        108,
    );
    check(
        "mvp/n640 $p0@0 $d0@0 | mvp/n64i02 $p0@0 $d0@0 | nop | nop; wait i02 | nop",
        &[(0, 40), (40, 44), (0, 4), (44, 48), (48, 52)],
        52,
    );
    // A wait covers no transfer with another tag, and none that came later.
    check(
        "mvp/n64i01 $p0@0 $d0@0 | mvp/n640i02 $p0@0 $d0@0 | nop; wait i01",
        &[(0, 4), (4, 44), (4, 8)],
        44,
    );
    // The host completed it.
    check("nop; wait i09", &[(0, 4)], 4);
    check("mvnop", &[], 0);
}

#[test]
fn events_after_a_trap_are_omitted() {
    let program = tessera_isa_mncore::parse("nop/3\nlinc $lr0 $lr0\nmvnop\n").expect("fine");
    let trap = |line: usize, reason| Trap {
        span: program.statements[line].span,
        reason,
    };
    for (trap, count) in [
        (None, 5),
        (Some(trap(3, Reason::NoReduction)), 3),
        (Some(trap(0, Reason::StepLimit(2))), 2),
        (Some(trap(3, Reason::StepLimit(3))), 3),
    ] {
        assert_eq!(executed(&program, trap.as_ref()).len(), count, "{trap:?}");
    }
}
