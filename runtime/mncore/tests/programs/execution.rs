//! Execution of steps, masks, forwarding, races and traps that no printed example of the manual
//! covers.

use std::num::NonZero;
use std::ops::ControlFlow;

use tessera_isa_mncore::ast::{DebugMemory, GetFormat, StatementKind};
use tessera_mncore::geometry::Geometry;
use tessera_mncore::machine::{Event, Machine, Options};
use tessera_mncore::race::RacePolicy;

use super::common::{check, run, run_on};

/// Checks that the program traps with a message that contains `expect`.
#[track_caller]
fn check_trap(program: &str, expect: &str) {
    let trap = run(program).expect_err(program);
    assert!(trap.contains(expect), "{program}\n{trap}");
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    // Block 61 traps first, in line 7; block 2, which is run before it, a step later; block 62
    // would trap there for another reason. Line 6 is marked in block 40 alone, and line 9 would be
    // marked in block 9.
    let program = "d set $lm0n3c1b5m3p2 1 7f80000000000000
        d set $lm0n3c1b6m0p0 1 ff80000000000000
        d set $lr0n3c1b6m0p0 1 7f80000000000000
        d set $lm2n0c0b2m15p0 1 7f80000000000000
        d set $lr64n2c1b0m0p0 1 bf80000000000000
        flrelud $lr64 $lr66 $lr72
        fvfma $lm0 $lr0 $lr0 $lr8
        fvfma $lm2 $lr0 $lr0 $lr8
        frsqrt $lr8 $lr8";
    let run_with = |threads| {
        let mut machine = Machine::new(Options {
            threads: NonZero::new(threads),
            ..Options::default()
        });
        (run_on(&mut machine, program), machine.undetermined_points())
    };
    let (one, marks) = run_with(1);
    let trap = one.expect_err("an infinity times zero");
    assert!(trap.starts_with("line 7: "), "{trap}");
    let ids: Vec<_> = marks.iter().map(|point| point.to_string()).collect();
    assert_eq!(ids, ["mau-infinity-times-zero", "leaky-relu-zero"]);
    for threads in [2, 3, 64, 100] {
        assert_eq!(run_with(threads), (Err(trap.clone()), marks), "{threads}");
    }
}

#[test]
fn event_handlers_may_stop_the_machine() {
    let source = "lpassa $subpeid $lr0\nd getd $lr0n0c0b0m0 1\n\
                  c 0 0 i01 i00 0 000000000 001 0000000000000001\n\
                  e 0 0 i02 i00 0 000000000 000002";
    let program = tessera_isa_mncore::parse(source).expect("it is right");
    for (most, line) in [(1, 2), (3, 2), (5, 4), (6, 4)] {
        let mut machine = Machine::new(Options::default());
        let mut check_continue = 0;
        let ran = machine.run_while(&program, &mut |_| {
            check_continue += 1;
            if check_continue < most {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
        let trap = ran.expect_err("there is more to tell").to_string();
        assert_eq!(
            (check_continue, trap),
            (most, format!("line {line}: stopped on request"))
        );
    }
}

#[test]
fn a_step_reads_before_it_writes() {
    // Four cycles increment the same word once.
    check(
        "linc $lr0 $lr0\nd get $lr0n0c0b0m0p0 1",
        &["GREG0(n0c0b0m0p0,0):(f:0, i:{{0x0,0x0},{0x0,0x1}}, v:0x1)"],
    );
    // The second cycle reads what the first is about to overwrite.
    check(
        "d set $lr0n0c0b0m0p0 2 l1l2\nlpassa $lr0v $lr2v\nd getd $lr4n0c0b0m0p0 1",
        &["GREG0(n0c0b0m0p0,4):(0) (0x0000000000000002)"],
    );
}

#[test]
fn a_step_forms_its_addresses_before_it_writes() {
    // The base address register is written, and so is a word at the base address before that.
    check(
        "imm i\"4\" $nb $ln0\nimm i\"7\" $ln0\nd getf $ln0n0c0b0m0p0 1\nd getf $ln4n0c0b0m0p0 1",
        &[
            "LM1(n0c0b0m0p0,0):(0, 0) (0x00000004, 0x00000004)",
            "LM1(n0c0b0m0p0,4):(0, 0) (0x00000007, 0x00000007)",
        ],
    );
    // The T register is written, and what it held before is added to the address.
    check(
        "imm i\"6\" $nowrite\nlpassa $aluf $t $lmt0\nd getf $lm0n0c0b0m0p0 1",
        &["LM0(n0c0b0m0p0,0):(0, 0) (0x00000006, 0x00000006)"],
    );
}

#[test]
fn a_word_of_l1bm_is_written_from_one_side_at_a_time() {
    // 64 long words from L2BM at 0 or from another L1BM, 16 from PEs.
    for (step, traps) in [
        ("l2bmb $lc0 $lb0; l1bmm@0 $lr0v $lb60", true),
        ("l2bmb $lc0 $lb0; l1bmm@0 $lr0v $lb64", false),
        ("l2bmb $lc0 $lb64; l1bmm@0 $lr0v $lb48", false),
        ("l2bmb $lc0 $lb64; l1bmm@0 $lr0v $lb52", true),
        ("l2bmb $lc0 $lb8176; l1bmm@0 $lr0v $lb0", true),
        ("l2bmb $lc0 $lb0; l1bmm@0 $lr0v $lbi", false),
        ("l2bmi@0 $lb64 $lb0; l1bmm@0 $lr0v $lb0", true),
        ("l2bm@0 $lb0 $lc0; l1bmm@0 $lr0v $lb0", false),
    ] {
        match run(step) {
            Ok(_) => assert!(!traps, "{step}"),
            Err(trap) => assert!(
                traps && trap.contains("l1bm-written-twice"),
                "{step}: {trap}"
            ),
        }
    }
    // On a machine without the sender, nothing comes from there.
    let mut machine = Machine::new(Options {
        geometry: Geometry {
            l1bs: 1,
            ..Geometry::SMALL
        },
        ..Options::default()
    });
    let ran = run_on(&mut machine, "l2bmi@1/4 $lb64 $lb0; l1bmm@0 $lr0v $lb0");
    assert_eq!(ran, Ok(vec![]));
}

#[test]
fn only_halves_that_a_row_takes_are_open() {
    // Four halves are read and two of them widened: zeros with a mantissa count in the first two.
    for (halves, marked) in [("h3E00_3E00_0001_0001", 0), ("h0001_3E00_3E00_3E00", 1)] {
        let program = format!("d set $lr0n0c0b0m0p0 1 {halves}\nfmwrite $lr0e $lx0");
        let mut machine = Machine::new(Options {
            geometry: Geometry::SMALL,
            ..Options::default()
        });
        run_on(&mut machine, &program).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(
            machine.undetermined_points().iter().count(),
            marked,
            "{halves}"
        );
    }
}

#[test]
fn a_shifted_collection_writes_what_an_unshifted_one_does() {
    // Where a small machine lacks MABs, zeros go to L1BM, shifted or not.
    for shift in ["", "+1"] {
        let mut machine = Machine::new(Options {
            geometry: Geometry::SMALL,
            ..Options::default()
        });
        machine.blocks[0].l1bm.fill(u64::MAX);
        let program = format!("l1bmd{shift} $lr0v $lb0");
        run_on(&mut machine, &program).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(machine.blocks[0].l1bm[..256], [0; 256], "{shift}");
    }
}

#[test]
fn masks_select_words_and_cycles() {
    // A long mask covers the first long word only; the flags of a cycle are its half words.
    check(
        "d set $lm0n0c0b0m0p0 1 h0000_1111_0000_1111\n\
         spassa $lm0 $omr1\n\
         imm i\"-1\" $llr0v/$imr1p\n\
         d geth $llr0n0c0b0m0p0 1",
        &[
            "GREG0(n0c0b0m0p0,0):{(-inf, 0, -inf, 0) (0xffff, 0x0000, 0xffff, 0x0000), \
             (-inf, -inf, -inf, -inf) (0xffff, 0xffff, 0xffff, 0xffff)}",
        ],
    );
    // A mask of two long words covers single words.
    check(
        "d set $lm0n0c0b0m0p0 1 h0000_1111_0000_1111\n\
         spassa $lm0 $omr1\n\
         imm i\"-1\" $llr0v/$llimr1\n\
         d getf $llr0n0c0b0m0p0 1",
        &[
            "GREG0(n0c0b0m0p0,0):{(-inf, 0) (0xffffffff, 0x00000000), (-inf, 0) (0xffffffff, \
             0x00000000)}",
        ],
    );
    // Fixed entries, over several statements and over one.
    check(
        "imm i\"7\" $nowrite\nmaskr 0b10001\nlpassa $aluf $lr0v\nlpassa $aluf $lr8v/0100\nmask 0\n\
         d getf $lr0n0c0b0m0p0 8",
        &[
            "GREG0(n0c0b0m0p0,0):(0, 0) (0x00000000, 0x00000000)",
            "GREG0(n0c0b0m0p0,2):(0, 0) (0x00000000, 0x00000000)",
            "GREG0(n0c0b0m0p0,4):(0, 0) (0x00000000, 0x00000000)",
            "GREG0(n0c0b0m0p0,6):(0, 0) (0x00000007, 0x00000007)",
            "GREG0(n0c0b0m0p0,8):(0, 0) (0x00000000, 0x00000000)",
            "GREG0(n0c0b0m0p0,10):(0, 0) (0x00000007, 0x00000007)",
            "GREG0(n0c0b0m0p0,12):(0, 0) (0x00000000, 0x00000000)",
            "GREG0(n0c0b0m0p0,14):(0, 0) (0x00000000, 0x00000000)",
        ],
    );
}

#[test]
fn zero_flush_clears_what_is_written_and_forwarded_but_not_flags() {
    // ALU: cycles 1 to 3 are flushed; the flags are those of the sum.
    check(
        "linc/1000 $lm0v $lr0v $omr1\nlpassa $aluf $ls0v\n\
         d get $omr1n0c0b0m0p0 1\nd getd $lr0n0c0b0m0p0 2\nd getd $ls0n0c0b0m0p0 2",
        &[
            "OMR(n0c0b0m0p0,1):Mask{15}",
            "OMR(n0c0b0m0p0,1):Mask{15}",
            "OMR(n0c0b0m0p0,1):Mask{15}",
            "OMR(n0c0b0m0p0,1):Mask{15}",
            "GREG0(n0c0b0m0p0,0):(0) (0x0000000000000001)",
            "GREG0(n0c0b0m0p0,2):(0) (0x0000000000000000)",
            "GREG1(n0c0b0m0p0,0):(0) (0x0000000000000001)",
            "GREG1(n0c0b0m0p0,2):(0) (0x0000000000000000)",
        ],
    );
}

#[test]
fn forwarding_skips_nop_and_noforward() {
    check(
        "imm i\"5\" $nowrite\nnop/3\nimm i\"6\" $lr0; noforward\nipassa $aluf $ls0\n\
         d getf $ls0n0c0b0m0p0 1",
        &["GREG1(n0c0b0m0p0,0):(0, 0) (0x00000005, 0x00000005)"],
    );
    check_trap(
        "lpassa $aluf $lr0",
        "line 1: $aluf is read, but its unit had no instruction",
    );
    check_trap(
        "imm i\"5\" $nowrite\nfvpassa $lr0 $ls0\nlpassa $aluf $lr2",
        "line 3: $aluf",
    );
}

#[test]
fn matrix_registers_transpose() {
    // Words of every precision come back with rows and columns exchanged.
    for (letter, operand, count, step) in [
        ('d', "$lr0v", 1, 4),
        ('f', "$lr0v", 2, 4),
        ('h', "$llr0v", 2, 8),
    ] {
        let wide = if letter == 'h' { "l" } else { "" };
        let mut machine = Machine::new(Options {
            geometry: Geometry::SMALL,
            ..Options::default()
        });
        let longs = if letter == 'h' { 2 } else { 1 };
        let mut matrix = Vec::new();
        for address in 0..4 * count * longs {
            for lane in 0..16 {
                let word = (0..4).fold(0, |all, half| {
                    all << 16 | ((address << 8) + lane * 4 + half) as u64
                });
                machine.blocks[0].memory[0].plane_mut(address)[lane] = word;
                matrix.push(word);
            }
        }
        let mut program = String::new();
        for half in 0..count {
            let memory = operand.replace("r0v", &format!("r{}v", 8 * longs * half));
            program += &format!("{letter}mwrite {memory} ${wide}lx{}\n", half * step);
        }
        for half in 0..count {
            let memory = operand.replace("r0v", &format!("s{}v", 8 * longs * half));
            program += &format!("{letter}mread ${wide}lx{} {memory}\n", half * step);
        }
        run_on(&mut machine, &program).unwrap();
        let bits = match letter {
            'd' => 64,
            'f' => 32,
            _ => 16,
        };
        let per_long = 64 / bits;
        let size = 4 * per_long;
        let element = |memory: usize, row: usize, column: usize, mab: usize| {
            let word = machine.blocks[0].memory[memory].plane(row)[mab * 4 + column / per_long];
            word << (column % per_long * bits) >> (64 - bits)
        };
        for mab in 0..4 {
            for row in 0..size {
                for column in 0..size {
                    assert_eq!(
                        element(1, row, column, mab),
                        element(0, column, row, mab),
                        "{letter} {mab} {row} {column}"
                    );
                }
            }
        }
    }
}

#[test]
fn rotation_between_pes_and_base_addresses() {
    check(
        "lpassa $subpeid $lr0\nmsl $aluf $ls0\nmsr $lr0 $ls2\n\
         d getd $ls0n0c0b0m0 1\nd getd $ls2n0c0b0m0 1",
        &[
            "GREG1(n0c0b0m0p0,0):(0) (0x0000000000000003)",
            "GREG1(n0c0b0m0p1,0):(0) (0x0000000000000000)",
            "GREG1(n0c0b0m0p2,0):(0) (0x0000000000000001)",
            "GREG1(n0c0b0m0p3,0):(0) (0x0000000000000002)",
            "GREG1(n0c0b0m0p0,2):(0) (0x0000000000000001)",
            "GREG1(n0c0b0m0p1,2):(0) (0x0000000000000002)",
            "GREG1(n0c0b0m0p2,2):(0) (0x0000000000000003)",
            "GREG1(n0c0b0m0p3,2):(0) (0x0000000000000000)",
        ],
    );
    check(
        "d set $lm6n0c0b0m0p0 1 l9\nimm i\"4\" $lmb\nlpassa $lm2 $ls0\nd getd $ls0n0c0b0m0p0 1",
        &["GREG1(n0c0b0m0p0,0):(0) (0x0000000000000009)"],
    );
}

#[test]
fn transfers_under_way_must_be_waited_for() {
    let transfer = "mvp/n64i01 $p0@0 $lc0@0.0\n";
    let use_it = "l2bmb $lc0 $lb0\n";
    check_trap(
        &format!("{transfer}{use_it}"),
        "line 2: race: this statement reads a region being written",
    );
    check_trap(
        &format!("{transfer}mvp/n64 $d0@0 $p0@0"),
        "line 2: race: this statement writes a region being read",
    );
    check_trap(
        &format!("{transfer}{transfer}"),
        "line 2: race: this statement writes a region being written",
    );
    check_trap(
        &format!("{transfer}mvp/n64i01 $p64@0 $lc64@0.0"),
        "tag i01 is in use since line 1",
    );
    check_trap("nop; wait i01", "no MV instruction carries tag i01");
    assert!(run(&format!("{transfer}nop; wait i01\n{use_it}")).is_ok());
    assert!(run(&format!("{transfer}l2bmb $lc64 $lb0")).is_ok());
    // The same, recorded instead of trapping.
    let mut machine = Machine::new(Options {
        races: RacePolicy::Warn,
        ..Options::default()
    });
    let program = tessera_isa_mncore::parse(&format!("{transfer}{use_it}")).unwrap();
    let mut told = 0;
    let ran = machine.run(&program, &mut |event| {
        told += u32::from(matches!(event, Event::Race(span, _) if span.line == 2));
    });
    assert_eq!((ran, told), (Ok(()), 1));
}

#[test]
fn the_host_moves_words_and_completes_tags() {
    let program = "c 0 0 i01 i00 0 000000005 002 00000000000000aa00000000000000bb\n\
                   nop; wait i01\nr 2 000000010 001 00000000000000cc\n\
                   e 0 0 i02 i00 0 000000005 000002\nf\n\
                   d getd $d16n2 1\nd getd $p6n0 1";
    let parsed = tessera_isa_mncore::parse(program).unwrap();
    let mut machine = Machine::new(Options::default());
    let mut check_continue = Vec::new();
    let ran = machine.run(&parsed, &mut |event| match event {
        Event::ToHost(address, word) => check_continue.push(format!("{address} {word:x}")),
        Event::Dump(line) => {
            check_continue.push(line.split(" #").next().unwrap_or_default().into())
        }
        Event::Race(..) => {}
    });
    assert_eq!(ran, Ok(()));
    let expect = [
        "5 aa",
        "6 bb",
        "DEBUG-DRAM(n2,16):(0) (0x00000000000000cc)",
        "DEBUG-PDM(n0,6):(0) (0x00000000000000bb)",
    ];
    assert_eq!(check_continue, expect);
}

#[test]
fn a_turn_around_register_that_was_read_holds_nothing() {
    let fill = "linc $lr0 $lr0\nl1bmm@0 $lr0v $lbi\n";
    let read = "l1bmm $lbi $ls0v\n";
    let dump = "d getd $ls0n0c0b0m0p0 1";
    let one = ["GREG1(n0c0b0m0p0,0):(0) (0x0000000000000001)"];
    for between in [
        // Kept while it is not used, or by noforward; filled again.
        "nop\nlinc $lr8 $lr8\n",
        "noforward; l1bmm $lbi $lm0v\n",
        "l1bmm $lbi $lm0v; l1bmm@0 $lr0v $lbi\n",
    ] {
        check(&format!("{fill}{between}{read}{dump}"), &one);
    }
    check_trap(
        &format!("{fill}{read}{read}"),
        "line 4: $lbi was read already and not filled again",
    );
    check_trap(&format!("{fill}{read}nop\n{read}"), "(turnaround-spent)");
}

#[test]
fn traps_have_a_location_and_a_reason() {
    let mut machine = Machine::new(Options::default());
    let trap = run_on(&mut machine, "nop\nd getd $d8192n1 1").expect_err("never written");
    assert!(
        trap.contains("line 2: long word 0x2000 of the DRAM of group 1 was never written"),
        "{trap}"
    );
    let mut machine = Machine::new(Options {
        limit_steps: Some(2),
        ..Options::default()
    });
    let trap = run_on(&mut machine, "nop\nnop\nnop").expect_err("three steps");
    assert!(
        trap.contains("line 3: the program has more than 2 steps"),
        "{trap}"
    );
    assert_eq!(machine.steps(), 2);
    for (program, expect) in [
        (
            "l1bmm@0 $lr0v $lb0\nl1bmd $lbi $ls0v",
            "$lbi holds 4 long words a cycle, and 64 are read",
        ),
        ("l1bmm $lbi $ls0v", "$lbi holds 0 long words a cycle"),
        (
            "d set $lm0n0c0b0m0p1 1 3f80000040000000\nfmwrite $lm0 $lx0\nd getbf $lx0n0c0b0m0 1",
            "row 0 is not a block float",
        ),
        (
            "mvp/n64 $lc0 $d0\nd set $lc5n0c1 1 l1\nmvp/n64 $lc0 $d0",
            "the two L2BM of group 0 differ",
        ),
        (
            "d set $lm0n0c0b0m0p0 1 7ff0000000000000\ndvfmau $lm0 $lr0 $lr0 $ls0",
            "not determined by the manual (mau-infinity-times-zero, section 4.3)",
        ),
    ] {
        check_trap(program, expect);
    }
}

/// Statements that the assembler rejects, but that a caller can construct, trap.
#[test]
fn debug_statements_end_with_the_memory() {
    for (statement, count, expect) in [
        (
            "d getbf $lx7n0c0b0m0 1",
            2,
            "end of the matrix register, which is at 8; at most 1 fit",
        ),
        (
            "d get $lr0n0c0b0m0p0 1",
            300,
            "end of GRF0, which is at 512; at most 256 fit",
        ),
        (
            "d get $lb8190n0c0b0 1",
            3,
            "end of L1BM, which is at 8192; at most 2 fit",
        ),
        (
            "d get $p524287n0 1",
            2,
            "end of PDM, which is at 524288; at most 1 fit",
        ),
        (
            "d get $omr15n0c0b0m0p0 1",
            2,
            "end of the mask registers, which is at 16; at most 1 fit",
        ),
        (
            "d get $tn0c0b0m0p0 1",
            5,
            "end of the T register, which is at 4; at most 4 fit",
        ),
        (
            "d set $lm4094n0c0b0m0p0 1 0000000000000000",
            2,
            "end of LM0, which is at 4096; at most 1 fit",
        ),
    ] {
        let mut program = tessera_isa_mncore::parse(statement).expect(statement);
        match &mut program.statements[0].kind {
            StatementKind::Get(get) => get.count = count,
            StatementKind::Set(set) => set.count = count,
            other => panic!("{other:?}"),
        }
        let mut lines = 0;
        let mut machine = Machine::new(Options::default());
        let trap = machine.run(&program, &mut |_| lines += 1);
        let trap = trap.expect_err(statement).to_string();
        assert!(trap.contains(expect), "{statement}: {trap}");
        assert_eq!(lines, 0, "{statement}");
    }
}

#[test]
fn a_smaller_machine_refuses_what_it_lacks() {
    for (program, expect) in [
        (
            "mvp/n64 $p0@1 $d0@0",
            "there is no group 1 on this machine, which has 1",
        ),
        (
            "mvb/n64 $d0 $lc0",
            "mvb needs 4 groups of 1 L2B, and this machine has 1 of 2",
        ),
        (
            "l2bmd $lb0 $lc0",
            "l2bmd needs 8 L1B, and this machine has 2",
        ),
        ("l2bm@5 $lb0 $lc0", "there is no L1B 5"),
        ("l1bmm@9 $lr0v $lb0", "there is no MAB 9"),
        ("d get $lm0n0c0b3 1", "there is no L1B 3"),
    ] {
        let mut machine = Machine::new(Options {
            geometry: Geometry::SMALL,
            zero_dram: true,
            ..Options::default()
        });
        let trap = run_on(&mut machine, program).expect_err(program);
        assert!(trap.contains(expect), "{program}: {trap}");
    }
}

#[test]
fn constructed_invalid_statements_trap() {
    let refuse = |program: &str, change: fn(&mut StatementKind), expect: &str| {
        let mut parsed = tessera_isa_mncore::parse(program).unwrap();
        change(&mut parsed.statements[0].kind);
        let trap = Machine::new(Options::default()).run(&parsed, &mut |_| {});
        let trap = trap.expect_err(program).to_string();
        assert!(trap.contains(expect), "{program}: {trap}");
    };
    refuse(
        "d getd $lx0n0c0b0m0 1",
        |kind| {
            if let StatementKind::Get(get) = kind {
                get.format = GetFormat::Plain;
            }
        },
        "write d getd, getf or geth",
    );
    refuse(
        "d set $lm0n0c0b0m0p0 1 l1",
        |kind| {
            if let StatementKind::Set(set) = kind {
                set.place.memory = DebugMemory::Mask(1);
            }
        },
        "d set cannot write",
    );
    refuse(
        "mvrliadd/n64 $lc0 $p0@0",
        |kind| {
            if let StatementKind::Mv(mv) = kind {
                mv.transfer
                    .iter_mut()
                    .for_each(|transfer| transfer.rrn = None);
            }
        },
        "a reduction needs an operation",
    );
}
