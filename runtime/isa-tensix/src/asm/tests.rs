use super::*;
use proptest::prelude::*;
use tessera_test_support::is_long_run;

#[test]
fn texts_of_streams() {
    let text = "ttnop # nothing\n\n  ttreplay 16,16,0,1\n.word 0xff000000\n";
    let words = assemble(Arch::WormholeB0, text).unwrap();
    assert_eq!(words, [0x0200_0000, 0x0404_0101, 0xff00_0000]);
    assert_eq!(
        disassemble(Arch::WormholeB0, words),
        "ttnop\nttreplay 16, 16, 0, 1\n\
         .word 0xff000000 # word 0xff000000: no instruction has opcode 0xff\n"
    );
}

#[test]
fn every_line_with_a_problem_is_named() {
    let text = "ttnop 1\n.long 3\n .word\n.word 0x100000000\nttmvmul 0, 0, 4, 0\nttfoo";
    let errors = assemble(Arch::WormholeB0, text).unwrap_err();
    let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
    assert_eq!(
        errors,
        [
            "1:1: NOP takes 0 operand(s), but 1 were given",
            "2:1: unknown directive `.long`; there is .word 0x…",
            "3:2: .word takes one number of 32 bits",
            "4:7: .word takes one number of 32 bits",
            "5:15: MVMUL: addr_mode is 4, but its field holds 0 to 3",
            "6:1: unknown instruction `ttfoo`",
        ]
    );
}

#[test]
fn rendered_with_a_caret_and_a_hint() {
    for (line, expect) in [
        (
            " ttmvmull 0, 0, 0, 0",
            "a.s:1:2: error: unknown instruction `ttmvmull`\n   ttmvmull 0, 0, 0, 0\n   \
             ^^^^^^^^\nhint: did you mean `ttmvmul`?\n",
        ),
        (
            "mvmul 0, 0, 0, 0",
            "a.s:1:1: error: unknown instruction `mvmul`\n  mvmul 0, 0, 0, 0\n  \
             ^^^^^\nhint: did you mean `ttmvmul`?\n",
        ),
        (
            "SFPLAOD",
            "a.s:1:1: error: unknown instruction `SFPLAOD`\n  SFPLAOD\n  \
             ^^^^^^^\nhint: did you mean `sfpload`?\n",
        ),
        (
            "ttmvmul 0, 0, 100, 0",
            "a.s:1:15: error: MVMUL: addr_mode is 100, but its field holds 0 to 3\n  \
             ttmvmul 0, 0, 100, 0\n                ^^^\n",
        ),
        (
            "ttmvmul 0",
            "a.s:1:1: error: MVMUL takes 4 operand(s), but 1 were given\n  ttmvmul 0\n  \
             ^^^^^^^\nhint: write `ttmvmul clear_dvalid, instr_mod19, addr_mode, dst`\n",
        ),
        (
            "sfparecip 0, 0, 0, 0",
            "a.s:1:1: error: wormhole_b0 has no SFPARECIP\n  sfparecip 0, 0, 0, 0\n  \
             ^^^^^^^^^\nhint: blackhole has it (--arch blackhole)\n",
        ),
        (
            ".word 12x",
            "a.s:1:7: error: .word takes one number of 32 bits\n  .word 12x\n        ^^^\n",
        ),
    ] {
        let errors = assemble(Arch::WormholeB0, line).unwrap_err();
        assert_eq!(errors[0].render("a.s", line), expect);
    }
}

proptest! {
    #[test]
    fn every_stream_has_a_text(words in prop::collection::vec(any::<u32>(), 0..50)) {
        for arch in Arch::ALL {
            let text = disassemble(arch, words.iter().copied());
            prop_assert_eq!(assemble(arch, &text), Ok(words.clone()));
        }
    }
}

/// 10^8 random words, or a few in a short run.
#[test]
fn random_words_survive_disassembly_and_assembly() {
    let count = if is_long_run() {
        100_000_000
    } else {
        100_000_u32
    };
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    for _ in 0..count {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        // Rows are dense up to here.
        let word = (state >> 32) as u32 % 0xb900_0000;
        for arch in Arch::ALL {
            let Ok(instruction) = Instruction::decode(arch, word) else {
                continue;
            };
            let text = instruction.text(arch).to_string();
            assert_eq!(Instruction::parse(arch, &text), Ok(instruction), "{text}");
        }
    }
}
