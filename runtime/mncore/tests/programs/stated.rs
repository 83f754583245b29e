//! The manual's examples whose result it describes in words: two programs have the same effect, or
//! a memory has a given content. Operands that are illegible in the scan are reconstructed from the
//! sentence under the example.

use tessera_mncore::geometry::Geometry;
use tessera_mncore::machine::{Machine, Options};

use super::common::run_on;

/// All groups and L2B, which MV instructions need, with one L1B of four MABs.
const GEOMETRY: Geometry = Geometry {
    groups: 4,
    l2bs: 2,
    l1bs: 1,
    mabs: 4,
};

/// Returns a machine with a different number in every half word of memory, each from 0.125 to 0.5
/// in every precision.
fn numbered() -> Machine {
    let mut machine = Machine::new(Options {
        geometry: GEOMETRY,
        zero_dram: true,
        ..Options::default()
    });
    let mut state = 1u64;
    let mut long = || {
        // A linear congruential generator modulo 2^64, of which the upper bits are used.
        let mut half = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005) + 1;
            0x3e00 | state >> 55
        };
        half() << 48 | half() << 32 | half() << 16 | half()
    };
    for block in &mut machine.blocks {
        for memory in &mut block.memory {
            for address in 0..64 {
                memory.plane_mut(address).fill_with(&mut long);
            }
        }
        block.l1bm[..1024].fill_with(&mut long);
    }
    for l2bm in &mut machine.board.l2bm {
        l2bm[..1024].fill_with(&mut long);
    }
    for group in &mut machine.board.groups {
        group.pdm[..1024].fill_with(&mut long);
    }
    machine
}

#[track_caller]
fn after(program: &str) -> Machine {
    let mut machine = numbered();
    run_on(&mut machine, program).unwrap_or_else(|error| panic!("{program}\n{error}"));
    machine
}

/// Returns the content of PE memories and L1BM, the parts of other memories that the examples
/// access, and T, masks and matrix registers of one L1B.
fn state(machine: &mut Machine) -> Vec<u64> {
    let mut state = Vec::new();
    for block in machine.blocks.iter() {
        for memory in &block.memory {
            (0..memory.count()).for_each(|address| state.extend(memory.plane(address)));
        }
        state.extend(block.l1bm.iter());
    }
    for l2bm in machine.board.l2bm.iter() {
        state.extend(&l2bm[..2048]);
    }
    for group in &machine.board.groups {
        state.extend(&group.pdm[..2048]);
        let mut dram = vec![0; 1024];
        group.dram.read(0, &mut dram).expect("it begins with zeros");
        state.extend(dram);
    }
    let registers =
        "d get $lltn0c0b0 4\nd get $omr1n0c0b0 3\nd geth $lx0n0c0b0 16\nd geth $ly0n0c0b0 16";
    let dump = run_on(machine, registers).expect("they can be dumped");
    state.extend(dump.iter().flat_map(|line| line.bytes().map(u64::from)));
    state
}

/// Checks that both programs have the same effect, and that they have one.
#[track_caller]
pub fn same(one: &str, other: &str) {
    let [one_state, other_state] = [one, other].map(|program| state(&mut after(program)));
    let differs = one_state.iter().zip(&other_state).position(|(a, b)| a != b);
    assert_eq!(differs, None, "{one}\nand\n{other}");
    assert!(one_state != state(&mut numbered()), "{one} does nothing");
}

/// Loads block floats into `$lm0v`, and a matrix of them into `$lx`.
fn matrix(precision: char) -> String {
    let (count, wide, step, conversion) = match precision {
        'h' => (2, "l", 8, "hbfn/9"),
        'd' => (1, "", 4, "dbfn"),
        'f' => (2, "", 4, "fbfn"),
        _ => (2, "", 4, "gbfn"),
    };
    let mut program = format!("{conversion} $lm0v $lm0v\n");
    for half in 0..count {
        let (from, to) = (32 + 16 * half, step * half);
        program += &format!("{conversion} $l{wide}m{from}v $nowrite\n");
        program += &format!("{precision}mwrite $aluf $l{wide}x{to}\n");
    }
    program
}

#[test]
fn examples_that_the_manual_calls_equal() {
    for (one, other) in [
        // 3.4.2
        (
            "lpassa $lm0v $ln0v\nquit\nlpassa $lm0v $ln8v",
            "lpassa $lm0v $ln0v",
        ),
        // 3.5.3
        (
            "mvp/n192 $p0@0 $d0@1",
            "mvp/n128 $p0@0 $d0@1\nmvp/n64 $p128@0 $d128@1",
        ),
        // 3.6.1.6
        (
            "lpassa $lm[0,4,10,14] $ln0v",
            "lpassa $lm0 $ln0\nlpassa $lm4 $ln2\nlpassa $lm10 $ln4\nlpassa $lm14 $ln6",
        ),
        (
            "lpassa $lm[0,4,10,14] $ln0v",
            "lpassa $lm[0,4,10,14] $ln[0,2,4,6]",
        ),
        // 3.6.1.16
        (
            "dbfn $lr0v $lr0v\ndmwrite $aluf $lx0",
            "dbfn $lr0v $lr0v\ndmwrite $lr0v $lx0",
        ),
        // 3.6.1.18
        (
            "dmwrite $lm0v $lx0\ndmread $lx0 $lr0v\ndbfn $mreadf $ls0v",
            "dmwrite $lm0v $lx0\ndmread $lx0 $lr0v\ndbfn $lr0v $ls0v",
        ),
        // 3.6.1.19
        (
            "imm f\"1.0\" $nowrite\nfvadd $lm0v $aluf $lr0v\nimm f\"1.0\" $ls0v",
            "imm f\"1.0\" $ls0v\nfvadd $lm0v $ls0v $lr0v",
        ),
        // 3.6.2.1
        (
            "maskr 0b10001\nlpassa $lm0v $lr0v\nlpassa $lm8v $lr8v\nmask 0\nlpassa $lm0 $lr16",
            "lpassa $lm6 $lr6\nlpassa $lm14 $lr14\nlpassa $lm0 $lr16",
        ),
        (
            "mask 0\nlpassa $lm0v $lr0v/0001\nlpassa $lm8v $lr8v/1000",
            "lpassa $lm6 $lr6\nlpassa $lm8 $lr8",
        ),
        (
            "sinc $peid $omr1/1100\nspassa $lm0v $ln0v/$imr1",
            "sinc $peid $omr1/1100\nspassa $lm0v $ln0v/1100",
        ),
        // 3.6.5
        (
            "lpassa $lm0v $ln0v\nnop/2\nlpassa $ln0v $lr0v",
            "lpassa $lm0v $ln0v $lr0v",
        ),
        // 3.6.8.2
        (
            "l1bmm@2 $lr0v $lb0\nl1bmm $lbi $lm0v; l1bmm@2 $lr8v $lb16\nl1bmm $lbi $lm8v",
            "l1bmm@2 $lr0v $lb0\nl1bmm@2 $lr8v $lb16\nnop\nnop\nl1bmm $lb0 $lm0v\n\
             l1bmm $lb16 $lm8v",
        ),
        // 3.6.8.5
        ("l1bmrhfadd $lr0v $lb0", "l1bmrffaddr $lr0ve $lb0"),
        // 3.6.8.20, 3.6.8.21: the shift can be applied in either direction
        (
            "l1bmd+1 $lr0v $lb0\nl1bmd $lr0v $lb256\nnop/2\nl1bmd $lb0 $ls0v\nl1bmd+1 $lb256 $ls8v",
            "l1bmd+1 $lr0v $lb0\nl1bmd $lr0v $lb256\nnop/2\nl1bmd $lb0 $ls8v\nl1bmd+1 $lb256 $ls0v",
        ),
        // 3.6.9.12
        (
            "dvmulu $lm0v $lr0v $nowrite\ndvfmad $lm0v $lr0v $mauf $ls0v",
            "dvmuld $lm0v $lr0v $nowrite\ndvfmau $lm0v $lr0v $mauf $ls0v",
        ),
        // 3.6.12.19
        (
            "sor $llm0v $llm0vr $nowrite; hvfma $llm0v $llm0v $llm0v $nowrite; l1bmm@0 $llm0v \
             $lb0\n\
             lpassa $mauf $llr0v",
            "hvfma $llm0v $llm0v $llm0v $llr0v\nl1bmm@0 $lm0v4 $lb0",
        ),
        (
            "hpassa $llm0vr $ls0v\nsor $llm0v $llm0vr $lr0v",
            "hpassa $llm0vr $ls0v\nsor $lm0v4 $ls0v $lr0v",
        ),
        (
            "hrsqrt $llr0vr $lm0v\nhpassa $llr0vr $ls0v",
            "hpassa $llr0vr $ls0v\nhrsqrt $ls0v $lm0v",
        ),
        // 3.7.2
        (
            "isub $lr0v $llm0v $ln0v; l1bmm@0 $llm0v $llb0",
            "isub $lr0v $lm0v4 $ln0v\nl1bmm@0 $llm0v $llb0",
        ),
    ] {
        same(one, other);
    }
}

#[test]
fn matrix_examples_that_the_manual_calls_equal() {
    for (precision, one, other) in [
        // 3.6.1.15
        (
            'f',
            "fmfma $lx $lm0v $lr0v $lr0v\nl1bmrffadd $mauf $lb0",
            "fmfma $lx $lm0v $lr0v $lr0v\nl1bmrffadd $lr0v $lb0",
        ),
        // 3.6.2.1
        (
            'h',
            "sinc $peid $omr1/1010\nhmmul $lx $lm0v $llr0v/$llimr1",
            "sinc $peid $omr1/1010\nhmmul $lx $lm0v $llr0v/ll1010",
        ),
        // 3.6.2.2
        (
            'h',
            "hmmul/ll0111 $lx $lm0v $llr0v",
            "hmmul $lx $lm0v $llr0v\nzero $llr0",
        ),
        // 3.6.9.3
        (
            'd',
            "dmmulu $lx $lm0v $nowrite\ndmfmad $lx $lm0v $mauf $ls0v",
            "dmmuld $lx $lm0v $nowrite\ndmfmau $lx $lm0v $mauf $ls0v",
        ),
    ] {
        let [one, other] = [one, other].map(|program| matrix(precision) + program);
        same(&one, &other);
    }
}

/// Returns the words that a program leaves at a location, on a machine with initialised memories.
#[track_caller]
fn holds(program: &str, place: &str, expect: &[u64]) {
    let dump = format!("{program}\nd getd {place} {}", expect.len());
    let lines = run_on(&mut numbered(), &dump).unwrap_or_else(|error| panic!("{dump}\n{error}"));
    let words: Vec<_> = lines
        .iter()
        .map(|line| {
            let word = line.split("(0x").nth(1).and_then(|word| word.get(..16));
            word.and_then(|word| u64::from_str_radix(word, 16).ok())
        })
        .collect();
    let expect: Vec<_> = expect.iter().map(|word| Some(*word)).collect();
    assert_eq!(words, expect, "{program}\n{lines:?}");
}

#[test]
fn results_that_the_manual_states() {
    const PE0: &str = "n0c0b0m0p0";
    const ONES: u64 = u64::MAX;
    let two = |value: f64| value.to_bits();
    for (program, place, expect) in [
        // 3.2.2
        ("imm f\"-1.0\" $ln0", "$ln0", vec![0xbf80_0000_bf80_0000]),
        ("imm us\"0x8000\" $lr0", "$lr0", vec![0x8000_8000_8000_8000]),
        // 3.6.1.20
        ("ipassa $msb1 $llm0", "$lm0", vec![0x8000_0000_8000_0000; 2]),
        // 3.6.12.2
        ("zero $llr0v", "$lr0", vec![0; 8]),
        // 3.6.12.3
        ("immu s\"1\" $llr0", "$lr0", vec![0x0001_0001_0000_0000; 2]),
        // 3.6.12.6, 3.6.12.7
        ("zero $nowrite\nsdec $aluf $lr0v", "$lr0", vec![ONES; 4]),
        ("zero $nowrite\nlnot $aluf $lr0v", "$lr0", vec![ONES; 4]),
        // 3.6.12.8
        ("ilnot $subpeid $lr0", "$lr0", vec![0x0000_0001_0000_0001]),
        // 3.6.1.17: twice what was broadcast
        (
            "d set $lb0n0c0b0 1 4000000000000000\nl1bmm $lb0 $lr0v\ndvadd $lbf $lbf $ls0v",
            "$ls0",
            vec![two(4.0)],
        ),
        // 3.6.9.22
        (
            "d set $lr0n0c0b0m0p0 1 4000000000000000\nd set $lm0n0c0b0m0p0 1 3ff0000000000000\n\
             dvadd -$lr0v -$lm0v $ln0v",
            "$ln0",
            vec![two(-3.0)],
        ),
        // 3.6.9.23, example 3
        (
            "d set $m0n0c0b0m0p0 1 4000000000000000\nd set $r0n0c0b0m0p0 1 4040000000000000\n\
             d set $n0n0c0b0m0p0 1 3f80000000000000\ndvfmau $m0ve $r0ve $n0ve $lr4v",
            "$lr4",
            vec![two(7.0)],
        ),
        // 3.6.9.23, example 4: halves 2, 3, 4, 5 squared plus halves of 1
        (
            "d set $lm0n0c0b0m0p0 1 4000410042004280\nd set $lr0n0c0b0m0p0 1 4000410042004280\n\
             d set $ln0n0c0b0m0p0 1 3e003e003e003e00\nhvfma $lm0v $lr0v $ln0ve $llr8v",
            "$lr8",
            vec![0x40a0_0000_4120_0000, 0x4188_0000_41d0_0000],
        ),
        // 3.6.9.24: singles 2, 3, 4, 5 times halves of 2
        (
            "d set $lr0n0c0b0m0p0 2 40000000404000004080000040a00000\n\
             d set $lm0n0c0b0m0p0 1 4000400040004000\nhvmul $llr0vr $lm0v $llt\nlpassa $t $lls0v",
            "$ls0",
            vec![0x4080_0000_40c0_0000, 0x4100_0000_4120_0000],
        ),
        // 3.6.9.25: halves of 2 times halves of 2 plus halves of 1, as halves
        (
            "d set $lm0n0c0b0m0p0 1 4000400040004000\nd set $ln0n0c0b0m0p0 1 4000400040004000\n\
             d set $lr0n0c0b0m0p0 1 3e003e003e003e00\nhvfmar $lm0v $ln0v $lr0ve $lr8v",
            "$lr8",
            vec![0x4280_4280_4280_4280],
        ),
        // 3.6.12.14: signs of four times four halves, the first ones to the left
        (
            "d set $lr0n0c0b0m0p0 1 h8000_0_8000_0\nd set $lr8n0c0b0m0p0 1 h8000_8000_0_0\n\
             d set $lr16n0c0b0m0p0 1 h0_0_0_0\nd set $lr24n0c0b0m0p0 1 h8000_0_0_8000\n\
             hpackbit $msb1 $lr0v $nowrite\nhpackbit $aluf $lr8v $nowrite\n\
             hpackbit $aluf $lr16v $nowrite\nhpackbit $aluf $lr24v $ls0v",
            "$ls0",
            vec![0x000d_0004_0008_0001],
        ),
    ] {
        holds(program, &format!("{place}{PE0}"), &expect);
    }
}

#[test]
fn results_in_other_pes_and_registers() {
    // 3.6.12.4: PE 0 to 2 give to the next, PE 3 to the first.
    for pe in 0..4 {
        let program = format!(
            "d set $lr0n0c0b0m2p{pe} 4 l1l2l3l4\nmsl $lr0v $lr0v\nd set $lr8n0c0b0m2p{} 1 l0",
            (pe + 1) % 4
        );
        holds(
            &program,
            &format!("$lr0n0c0b0m2p{}", (pe + 1) % 4),
            &[1, 2, 3, 4],
        );
    }
    // 3.6.12.8: zero in all PE but the first.
    holds("ilnot $subpeid $lr0", "$lr0n0c0b0m3p2", &[0]);
    // 3.6.8.20, 3.6.8.21: what arrives is the same, whichever way shifts.
    let program =
        "l1bmd+1 $lr0v $lb0\nl1bmd $lr0v $lb256\nnop/2\nl1bmd $lb0 $ls0v\nl1bmd+1 $lb256 $ls8v";
    let machine = after(program);
    for address in 0..4 {
        let memory = &machine.blocks[0].memory[1];
        assert_eq!(memory.plane(address), memory.plane(address + 4));
    }
    // 3.6.9.12: products in all four PE.
    let set = |pe: usize| {
        let (x, y) = ((pe as f64 + 1.0).to_bits(), (pe as f64 + 5.0).to_bits());
        format!("d set $lm0n0c0b0m0p{pe} 1 {x:016x}\nd set $lr0n0c0b0m0p{pe} 1 {y:016x}\n")
    };
    let program = (0..4).map(set).collect::<String>()
        + "dvmulu $lm0v $lr0v $nowrite\ndvfmad $lm0v $lr0v $mauf $ls0v";
    for pe in 0..4 {
        let product = ((pe as f64 + 1.0) * (pe as f64 + 5.0)).to_bits();
        holds(&program, &format!("$ls0n0c0b0m0p{pe}"), &[product]);
    }
}

#[test]
fn a_two_long_result_in_several_memories() {
    // 3.7.3: all eight long words to GRF1, every other one to LM1, and whether that one is zero.
    let program = "d set $lm0n0c0b0m0p0 8 l1l2l0l4l5l0l7l8\nlpassa $llm0v $ln0v $lls0v $omr1";
    let place = |memory: &str| format!("${memory}n0c0b0m0p0");
    holds(program, &place("ls0"), &[1, 2, 0, 4, 5, 0, 7, 8]);
    holds(program, &place("ln0"), &[1, 0, 5, 7]);
    let mut machine = numbered();
    let dump = run_on(&mut machine, &format!("{program}\nd get $omr1n0c0b0m0p0 1"));
    let masks: Vec<_> = dump
        .expect("it runs")
        .iter()
        .map(|line| line.contains("Mask{15}"))
        .collect();
    assert_eq!(masks, [false, true, false, false]);
}

#[test]
fn eight_integers_become_numbers() {
    // 3.7.1
    let mut program: String = (0..8)
        .map(|index| format!("imm i\"{}\" $s{index}/1000\n", 100 + index))
        .collect();
    program += "imm f\"8388608\" $lr0/1000\nior $ls0v $aluf $nowrite\nfvadd $aluf -$lr0 $ls0v";
    let single = |value: usize| u64::from((value as f32).to_bits());
    let expect: Vec<_> = (0..4)
        .map(|pair| single(100 + 2 * pair) << 32 | single(101 + 2 * pair))
        .collect();
    holds(&program, "$ls0n0c0b0m0p0", &expect);
}

#[test]
fn transfers_named_with_hexadecimal_numbers() {
    // 3.5.2.1 to 3.5.2.3, with DRAM addresses that 3.5.3 allows; the manual's own are 0x20.
    let words = |place: &str, machine: &mut Machine| {
        let dump = run_on(machine, &format!("d getd {place} 64")).expect("the place exists");
        let word = |line: &String| line.split("(0x").nth(1).unwrap_or_default()[..16].to_owned();
        dump.iter().map(word).collect::<Vec<_>>()
    };
    for (program, from, to) in [
        ("mvp/n0x80 $p0x40@1 $d0x40@2", "$p128n1", "$d128n2"),
        (
            "mvp/n0x80i01 $p0x40@1 $d0x40@2\nnop; wait i01\nmvp/n0x80 $d0x40@2 $p0x40@3",
            "$p128n1",
            "$p128n3",
        ),
        (
            "mvp/n0x40i01 $p0x40@3 $d0x40@3\nnop; wait i01\nmvp/n0x40 $d0x40 $lc0@.1",
            "$p64n3",
            "$lc0n3c1",
        ),
    ] {
        let expect = words(from, &mut numbered());
        assert_eq!(words(to, &mut after(program)), expect, "{program}");
    }
}
