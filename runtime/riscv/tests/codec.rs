//! Tests of decoding, encoding and printing over the whole space of words.

use tessera_riscv::table::ROWS;
use tessera_riscv::{Instruction, Isa, Op};
use tessera_test_support::is_long_run;

/// Checks that a word decodes to an instruction that encodes to it, or to nothing. Returns whether
/// it decodes.
fn round_trip(isa: Isa, word: u32) -> bool {
    let Ok(instruction) = Instruction::decode_for(isa, word) else {
        return false;
    };
    assert_eq!(instruction.encode(), Ok(word), "{instruction}");
    let row = instruction.op.row();
    assert_eq!(word & row.mask, row.bits, "{word:#010x}");
    true
}

/// Returns the number of words in the specification's encoding tables, counted from the fields.
fn words_of_rv32im() -> u64 {
    let upper_and_jump = 3 * (1 << 25);
    let immediate = (1 + 6 + 5 + 3 + 6) * (1 << 22);
    let register = (10 + 8 + 3) * (1 << 15);
    let fence = 1 << 8;
    let exact = 3;
    upper_and_jump + immediate + register + fence + exact
}

/// Returns the number of words that Blackhole adds: registers and immediates of Zicsr, Zaamo, Zba,
/// Zbb, `pack` and `grevi`, F, Zfh, and `mret`.
fn words_of_blackhole() -> u64 {
    let csr = 6 * (1 << 22);
    let atomic = 9 * (1 << 17);
    let register = (3 + 9 + 1 + 2) * (1 << 15);
    let unary = 6 * (1 << 10);
    // Loads and stores; fused, with a rounding mode; sums and products with one; others; those with
    // one source.
    let float = 2 * (1 << 22)
        + 4 * (1 << 23)
        + 3 * (1 << 18)
        + 8 * (1 << 15)
        + 3 * (1 << 10)
        + 4 * (1 << 13);
    // The same for half precision, and two conversions between the precisions.
    let half = float + 2 * (1 << 13);
    csr + atomic + register + unary + float + half + 1
}

/// Returns the number of words that T2 adds, counted from the specification's tables.
fn words_of_vectors() -> u64 {
    let types = (1 << 21) + (1 << 20) + (1 << 15);
    // Two registers, fields and a mask; three of them; two registers alone: masks and whole
    // registers.
    let loads = 6 * (1 << 14) + 9 * (1 << 19) + 13 * (1 << 10);
    let stores = 3 * (1 << 14) + 9 * (1 << 19) + 5 * (1 << 10);
    // Three registers and a mask, by the columns V, X, I of OPI, OPM and F of OPF.
    let masked = (33 + 35 + 25 + 34 + 29 + 24 + 25) * (1 << 16);
    // Carries, merges, logic of masks.
    let unmasked = (18 + 9 + 1) * (1 << 15);
    // One source and a mask; two registers: moves; vid.
    let unary = (10 + 13) * (1 << 11) + (3 + 4 + 2 + 3) * (1 << 10) + (1 << 6);
    types + loads + stores + masked + unmasked + unary
}

/// All rows together have as many words as the specification's tables.
#[test]
fn rows_are_complete() {
    let words = |isa: Isa| -> u64 {
        let rows = ROWS.iter().filter(|row| row.op != Op::Ttinsn);
        let rows = rows.filter(|row| isa.has(row.extension));
        rows.map(|row| 1 << row.mask.count_zeros()).sum()
    };
    let base = words_of_rv32im();
    assert_eq!(words(Isa::WORMHOLE), base);
    // mret exists only on cores with interrupts.
    assert_eq!(
        words(Isa::BLACKHOLE_INTERRUPTIBLE),
        base + words_of_blackhole()
    );
    assert_eq!(words(Isa::BLACKHOLE), base + words_of_blackhole() - 1);
    let vectors = base + words_of_blackhole() - 1 + words_of_vectors();
    assert_eq!(words(Isa::BLACKHOLE_VECTOR), vectors);
}

#[test]
fn all_words() {
    let wormhole = (Isa::WORMHOLE, words_of_rv32im());
    let more = words_of_rv32im() + words_of_blackhole();
    let blackhole = (Isa::BLACKHOLE_INTERRUPTIBLE, more);
    let vectors = (Isa::BLACKHOLE_VECTOR, more - 1 + words_of_vectors());
    for (isa, words) in [wormhole, blackhole, vectors] {
        if is_long_run() {
            let decoded = (0..=u32::MAX).filter(|&word| round_trip(isa, word));
            assert_eq!(decoded.count() as u64, words + 3 * (1 << 30));
        } else {
            // An odd step visits every combination of the low bits.
            let decoded = (0..4_000_000u32)
                .filter(|k| round_trip(isa, k.wrapping_mul(0x9e37_79b1)))
                .count();
            assert!((3_000_000..4_000_000).contains(&decoded), "{decoded}");
        }
    }
}

/// No word belongs to two rows, so the order of rows does not matter.
#[test]
fn rows_are_disjoint() {
    for (k, a) in ROWS.iter().enumerate() {
        assert_eq!(a.op as usize, k);
        let others = ROWS[k + 1..].iter().filter(|b| b.op != Op::Ttinsn);
        for b in others.filter(|_| a.op != Op::Ttinsn) {
            let common = a.mask & b.mask;
            assert_ne!(a.bits & common, b.bits & common, "{a:?} {b:?}");
        }
    }
}

/// Encodings produced by LLVM's assembler.
#[test]
fn known_words() {
    let cases = [
        (0x1234_50b7, "lui x1, 0x12345"),
        (0xffff_f117, "auipc x2, 0xfffff"),
        (0x8000_00ef, "jal x1, -1048576"),
        (0x7fff_f06f, "jal x0, 1048574"),
        (0xffc1_00e7, "jalr x1, -4(x2)"),
        (0x8020_8063, "beq x1, x2, -4096"),
        (0x7e20_9fe3, "bne x1, x2, 4094"),
        (0xfe20_cee3, "blt x1, x2, -4"),
        (0x8002_2283, "lw x5, -2048(x4)"),
        (0x7ff2_5283, "lhu x5, 2047(x4)"),
        (0x8052_2023, "sw x5, -2048(x4)"),
        (0x7e52_0fa3, "sb x5, 2047(x4)"),
        (0xfff3_0293, "addi x5, x6, -1"),
        (0x01f3_1293, "slli x5, x6, 31"),
        (0x41f3_5293, "srai x5, x6, 31"),
        (0x4073_02b3, "sub x5, x6, x7"),
        (0x0273_32b3, "mulhu x5, x6, x7"),
        (0x0273_62b3, "rem x5, x6, x7"),
        (0x0ff0_000f, "fence iorw, iorw"),
        (0x0310_000f, "fence rw, w"),
        (0x0010_000f, "fence 0, w"),
        (0x8330_000f, "fence.tso"),
        (0x0000_0073, "ecall"),
        (0x0010_0073, "ebreak"),
        (0x0800_0000, "ttinsn 0x02000000"),
        (0xfc00_0002, "ttinsn 0xbf000000"),
    ];
    for (word, text) in cases {
        assert_eq!(
            Instruction::decode(word).map(|i| i.to_string()),
            Ok(text.to_owned())
        );
        assert!(round_trip(Isa::WORMHOLE, word));
    }
}

#[test]
fn words_that_are_no_instruction() {
    // All ones, a load of 64 bits, RV64's shift amount, an unknown funct7, fence.i, a CSR access,
    // fences with reserved fields, mret.
    for word in [
        u32::MAX,
        0x0000_3003,
        0x0200_1013,
        0x0400_0033,
        0x0000_100f,
        0xc000_2073,
        0x1000_000f,
        0x0000_008f,
        0x3020_0073,
    ] {
        let error = Instruction::decode(word).unwrap_err().to_string();
        assert_eq!(
            error,
            format!("{word:#010x} is not an instruction of RV32IM")
        );
    }
}

#[test]
fn operands_that_do_not_fit() {
    use Instruction as I;
    let cases = [
        (
            I::r(Op::Add, 32, 0, 0),
            "add: register x32 does not fit; rd is x0 to x31",
        ),
        (
            I::r(Op::Addi, 1, 1, 5),
            "addi: register x5 does not fit; rs2 is x0 to x0",
        ),
        (
            I::i(Op::Addi, 1, 1, 2048),
            "addi: immediate 2048 does not fit; accepted is -2048 to 2047",
        ),
        (
            I::s(Op::Sw, 1, 1, -2049),
            "sw: immediate -2049 does not fit; accepted is -2048 to 2047",
        ),
        (
            I::i(Op::Slli, 1, 1, 32),
            "slli: immediate 32 does not fit; accepted is 0 to 31",
        ),
        (
            I::s(Op::Beq, 1, 1, 3),
            "beq: immediate 3 does not fit; accepted is even, -4096 to 4094",
        ),
        (
            I::s(Op::Beq, 1, 1, 4096),
            "beq: immediate 4096 does not fit; accepted is even, -4096 to 4094",
        ),
        (
            I::i(Op::Jal, 1, 0, 1 << 20),
            "jal: immediate 1048576 does not fit; accepted is even, -1048576 to 1048574",
        ),
        (
            I::i(Op::Lui, 1, 0, 1),
            "lui: immediate 1 does not fit; accepted is a word whose low 12 bits are 0",
        ),
        (
            I::i(Op::Fence, 0, 0, 256),
            "fence: immediate 256 does not fit; accepted is 0 to 255",
        ),
        (
            I::i(Op::Ecall, 0, 0, 1),
            "ecall: immediate 1 does not fit; accepted is 0: there is none",
        ),
        (
            I::push(0xc000_0000),
            "ttinsn: immediate -1073741824 does not fit; accepted is below 0xc0000000",
        ),
    ];
    for (instruction, expect) in cases {
        assert_eq!(instruction.encode().unwrap_err().to_string(), expect);
    }
}
