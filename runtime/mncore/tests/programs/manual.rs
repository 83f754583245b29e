//! The manual's examples with printed output, with errors of the scan corrected. Section numbers
//! are the manual's.

use super::common::{check, run};

#[test]
fn dumps_repeat_the_statement() {
    let program =
        "lpassa $subpeid $lm0\nd get $lm0n0c0b0m0 1\nd get $tn0c0b0m0p0 1 # first cycle\n";
    let statement = "#d get $lm0n0c0b0m0 1";
    let mut expect: Vec<_> = (0..4)
        .map(|pe| {
            format!(
                "DEBUG-LM0(n0c0b0m0p{pe},0):(f:0, i:{{{{0x0,0x0}},{{0x0,0x{pe}}}}}, v:0x{pe}) \
                 {statement}"
            )
        })
        .collect();
    expect.push(
        "DEBUG-TREG(n0c0b0m0p0,0):(f:0, i:{{0x0,0x0},{0x0,0x0}}, v:0x0) #d get $ltn0c0b0m0p0 1"
            .into(),
    );
    assert_eq!(run(program), Ok(expect));
}

#[test]
fn d_get_of_a_half_precision_immediate() {
    // 3.4.3, example 1
    check(
        "imm h\"1.5\" $ln0\nd geth $ln0n0c0b0m0p0 1",
        &["LM1(n0c0b0m0p0,0):(1.5, 1.5, 1.5, 1.5) (0x3f00, 0x3f00, 0x3f00, 0x3f00)"],
    );
}

#[test]
fn d_get_of_one_pe_in_every_l1b() {
    // 3.4.3, example 2
    let expect: Vec<_> = (0..8)
        .map(|l1b| {
            format!("GREG0(n0c0b{l1b}m0p0,0):(f:0, i:{{{{0x0,0x0}},{{0x0,0x{l1b}}}}}, v:0x{l1b})")
        })
        .collect();
    let expect: Vec<_> = expect.iter().map(String::as_str).collect();
    check("lpassa $l1bid $lr0\nd get $lr0n0c0m0p0 1", &expect);
}

#[test]
fn d_get_of_matrix_registers() {
    // 3.4.3, example 3: four of eight rows are written.
    let row = |number: usize, value: &str| {
        let element = format!("{value}, ").repeat(4);
        format!(
            "MRx(n0c0b0m0,{number}):{{{}}}",
            element.trim_end_matches(", ")
        )
    };
    let expect: Vec<_> = (0..8)
        .map(|number| {
            if number < 4 {
                row(number, "(1.5, 1.5) (0x3fc00000, 0x3fc00000)")
            } else {
                row(number, "(0, 0) (0x00000000, 0x00000000)")
            }
        })
        .collect();
    let expect: Vec<_> = expect.iter().map(String::as_str).collect();
    check(
        "imm f\"1.5\" $nowrite\nfmwrite $aluf $lx0\nd getf $lx0n0c0b0m0 8",
        &expect,
    );
    // Example 4: block floats have no hidden bit.
    let expect: Vec<_> = [(1, "3ff8"), (2, "4008"), (3, "400c"), (4, "4018")]
        .into_iter()
        .enumerate()
        .map(|(number, (value, top))| row(number, &format!("({value}) (0x{top}000000000000)")))
        .collect();
    let expect: Vec<_> = expect.iter().map(String::as_str).collect();
    check(
        "d set $lm0n0c0b0m0 1 3FF0000000000000\n\
         d set $lm2n0c0b0m0 1 4000000000000000\n\
         d set $lm4n0c0b0m0 1 4008000000000000\n\
         d set $lm6n0c0b0m0 1 4010000000000000\n\
         dbfn $lm0v $nowrite\n\
         dmwrite $aluf $lx0\n\
         d getbd $lx0n0c0b0m0 4",
        &expect,
    );
}

#[test]
fn d_get_of_mask_registers() {
    // 3.4.3, example 5: PE i minus cycle c is not negative up to cycle i.
    let expect: Vec<_> = (0..16)
        .map(|line| {
            let (pe, cycle) = (line / 4, line % 4);
            format!(
                "OMR(n0c0b0m0p{pe},1):Mask{{{}}}",
                if pe >= cycle { 15 } else { 0 }
            )
        })
        .collect();
    let expect: Vec<_> = expect.iter().map(String::as_str).collect();
    check(
        "imm i\"0\" $lr0\nimm i\"1\" $lr2\nimm i\"2\" $lr4\nimm i\"3\" $lr6\nnop\n\
         isub $subpeid $lr0v $omr1\nd get $omr1n0c0b0m0 1",
        &expect,
    );
    // Example 6: cycle by cycle, in each of them entry by entry.
    check(
        "d set $lm0n0c0b0m0p0 1 h0000_1111_1111_0000\n\
         d set $lm2n0c0b0m0p0 1 h0000_0000_1111_1111\n\
         d set $lm4n0c0b0m0p0 1 h1111_0000_0000_0000\n\
         d set $lm6n0c0b0m0p0 1 h0000_0000_0000_0000\n\
         spassa $lm0v $omr1\nlpassa $lm0v $omr2\nd get $omr1n0c0b0m0p0 2",
        &[
            "OMR(n0c0b0m0p0,1):Mask{9}",
            "OMR(n0c0b0m0p0,2):Mask{0}",
            "OMR(n0c0b0m0p0,1):Mask{12}",
            "OMR(n0c0b0m0p0,2):Mask{0}",
            "OMR(n0c0b0m0p0,1):Mask{7}",
            "OMR(n0c0b0m0p0,2):Mask{0}",
            "OMR(n0c0b0m0p0,1):Mask{15}",
            "OMR(n0c0b0m0p0,2):Mask{15}",
        ],
    );
}

#[test]
fn d_set_notations() {
    // 3.4.4, examples 1 to 3
    check(
        "d set $lm0n0c0b0m0p0 2 h1_2_3_4h5_6_7_8\n\
         d set $lm4n0c0b0m0p0 2 laabblccdd\n\
         d set $lm8n0c0b0m0p0 2 l4321hf_e_d_c\n\
         d get $lm0n0c0b0m0p0 6",
        &[
            "LM0(n0c0b0m0p0,0):(f:0, i:{{0x1,0x2},{0x3,0x4}}, v:0x1000200030004)",
            "LM0(n0c0b0m0p0,2):(f:0, i:{{0x5,0x6},{0x7,0x8}}, v:0x5000600070008)",
            "LM0(n0c0b0m0p0,4):(f:0, i:{{0x0,0x0},{0x0,0xAABB}}, v:0xAABB)",
            "LM0(n0c0b0m0p0,6):(f:0, i:{{0x0,0x0},{0x0,0xCCDD}}, v:0xCCDD)",
            "LM0(n0c0b0m0p0,8):(f:0, i:{{0x0,0x0},{0x0,0x4321}}, v:0x4321)",
            "LM0(n0c0b0m0p0,10):(f:0, i:{{0xF,0xE},{0xD,0xC}}, v:0xF000E000D000C)",
        ],
    );
    check(
        "d set $lr0n0c0b0m0p0 2 s1_2s3_4\nd get $lr2n0c0b0m0p0 1",
        &["GREG0(n0c0b0m0p0,2):(f:0, i:{{0x0,0x3},{0x0,0x4}}, v:0x300000004)"],
    );
    check(
        "d set $m0n0c0b0m0p0 2 h1_2_3_4h5_6_7_8\nd get $lm0n0c0b0m0p0 2",
        &[
            "LM0(n0c0b0m0p0,0):(f:0, i:{{0x1,0x2},{0x5,0x6}}, v:0x1000200050006)",
            "LM0(n0c0b0m0p0,2):(f:0, i:{{0x0,0x0},{0x0,0x0}}, v:0x0)",
        ],
    );
}

#[test]
fn d_set_of_the_t_register() {
    // 3.4.4, example 4
    check(
        "d set $tn0c0b0m0p0 1 123456789abcdef0\n\
         d get $lltn0c0b0m0p0 2\n\
         d set $lltn0c0b0m0p0 2 111122223333444455556666777788889999aaaabbbbccccddddeeeeffff0000\n\
         d get $lltn0c0b0m0p0 2",
        &[
            "TREG(n0c0b0m0p0,0):{(f:5.62635e-221, i:{{0x1234,0x5678},{0x9ABC,0xDEF0}}, \
             v:0x123456789ABCDEF0), (f:0, i:{{0x0,0x0},{0x0,0x0}}, v:0x0)}",
            "TREG(n0c0b0m0p0,1):{(f:0, i:{{0x0,0x0},{0x0,0x0}}, v:0x0), (f:0, \
             i:{{0x0,0x0},{0x0,0x0}}, v:0x0)}",
            "TREG(n0c0b0m0p0,0):{(f:1.80811e-226, i:{{0x1111,0x2222},{0x3333,0x4444}}, \
             v:0x1111222233334444), (f:1.19826e+103, i:{{0x5555,0x6666},{0x7777,0x8888}}, \
             v:0x5555666677778888)}",
            "TREG(n0c0b0m0p0,1):{(f:-2.35957e-185, i:{{0x9999,0xAAAA},{0xBBBB,0xCCCC}}, \
             v:0x9999AAAABBBBCCCC), (f:-1.46007e+144, i:{{0xDDDD,0xEEEE},{0xFFFF,0x0}}, \
             v:0xDDDDEEEEFFFF0000)}",
        ],
    );
}

#[test]
fn masks_on_writes_of_mask_registers() {
    // 3.6.2.1
    check(
        "sinc $peid $omr1/1100\nd get $omr1n0c0b0m0p0 1",
        &[
            "OMR(n0c0b0m0p0,1):Mask{15}",
            "OMR(n0c0b0m0p0,1):Mask{15}",
            "OMR(n0c0b0m0p0,1):Mask{0}",
            "OMR(n0c0b0m0p0,1):Mask{0}",
        ],
    );
}

#[test]
fn integers_become_numbers() {
    // 3.7.1: 2^23 + n as bits, minus 2^23.
    check(
        "imm i\"100\" $s0/1000\nimm i\"107\" $s1/1000\nimm f\"8388608\" $lr0/1000\n\
         ior $ls0 $aluf $nowrite\nfvadd $aluf -$lr0 $ls2\nd getf $ls2n0c0b0m0p0 1",
        &["GREG1(n0c0b0m0p0,2):(100, 107) (0x42c80000, 0x42d60000)"],
    );
}

#[test]
fn shifted_distribution_and_collection() {
    // 3.6.8.20: the turn-around register is not shifted, so both ways agree.
    let expect = [(0, 15), (8, 1), (16, 15), (24, 1)].map(|(address, value)| {
        format!(
            "GREG1(n0c0b0m0p0,{address}):(f:0, i:{{{{0x0,0x0}},{{0x0,0x{value:X}}}}}, \
             v:0x{value:X})"
        )
    });
    let expect: Vec<_> = expect.iter().map(String::as_str).collect();
    check(
        "lpassa $mabid $lr0v\nnop\nl1bmd+1 $lr0v $lb0\n\
         l1bmd-1 $lr0v $lb256; l1bmd+1 $lbi $ls0v\nl1bmd-1 $lbi $ls8v\nnop\n\
         l1bmd $lb0 $ls16v\nl1bmd $lb256 $ls24v\n\
         d get $ls0n0c0b0m0p0 1\nd get $ls8n0c0b0m0p0 1\nd get $ls16n0c0b0m0p0 1\n\
         d get $ls24n0c0b0m0p0 1",
        &expect,
    );
}
