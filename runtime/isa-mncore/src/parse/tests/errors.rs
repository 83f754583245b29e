//! Errors of the parser, with their location, message and hint.

use super::*;

/// `line | column | message`.
const ERRORS: &str = r#"
  lpasa $lm0v $ln0v | 3 | unknown opcode `lpasa`
lpassa $1m0v $ln0v | 9 | no such operand here
lpassa $lm1v $ln0v | 11 | 1 is not a multiple of 2, which an access of a long word needs
lpassa $lm0v3 $ln0v | 13 | 3 is not a multiple of 2, which an access of a long word needs
lpassa $lm4096 $ln0v | 11 | an address in LM0 is 0 to 4095, not 4096
lpassa $ls512 $ln0v | 11 | an address in GRF1 is 0 to 511, not 512
lpassa $lm[0,2,4] $ln0v | 17 | expected `,`
lpassa $lmt0j1 $ln0v | 13 | T indirection and `j` exclude each other
lpassa $lm0v | 1 | a destination is missing
lpassa | 1 | an operand is missing: input 1
lpassa $lm0v $nowrite $ln0v | 14 | `$nowrite` excludes other destinations
lpassa $lm0v $ln0v/110 | 20 | a mask is four digits 0 or 1, one for each cycle, or $imr1 to $imr15
lpassa $lm0v $ln0v/ll1100 | 26 | the mask is for two long words, the access is not: add `t`
lpassa $llm0v $lln0v/1100 | 26 | the access is of two long words, the mask is not: add `p`
lpassa $lm0v $ln0v/1100p | 24 | the widths of mask and access agree: remove the suffix
lpassa $lm0v $omr0 | 18 | mask entry 0 is fixed; 1 to 15 can be written
lpassa $lm0v $mauf | 14 | `$mauf` can only be read
nop/0 | 5 | nop/n is for 1 to 65536 steps
nop; ; nop | 5 | an expression is missing before or after `;`
wait i00 | 6 | tag 0 cannot be waited for
wait 1 | 6 | expected a tag: i and two hexadecimal digits, such as i01
wait i1 | 6 | a tag is i and two hexadecimal digits, such as i01
hbfn $llr0v $llr0v | 5 | a half precision block float conversion requires the number of bits to keep: /6 to /9
gbfn/9 $lr0v $lr0v | 6 | a mask is four digits 0 or 1, one for each cycle, or $imr1 to $imr15
dmwrite $lr0v $lx4 | 18 | a row or column in double precision is 0 to 3, not 4
dmwrite $lr0v $llx0 | 15 | only half precision moves two rows a cycle
hmread $lx0 $llr0v | 8 | `hmread` reads two columns a cycle: $llx or $lly
hmwrite $llr0v $llx1 | 16 | two rows a cycle start at an even one
gmmul $lx0 $lm0v $ln0v | 10 | a matrix product takes the whole register: no address
gmmul $lm0v $lm0v $ln0v | 7 | expected the matrix register $lx or $ly
l2bmb $lc8 $lb0 | 10 | 8 is not a multiple of 16, as an address in L2BM must be here
l2bmb $lc0@.0 $lb0 | 11 | a PE instruction's L2BM operand is $lc<addr>, for all L2B
l2bm $lb0 $lc0 | 5 | this opcode requires one L1B after `@`
l2bmi@0/7 $lb0 $lb0 | 6 | this opcode requires some but not all L1B after `@`
l2bmr2dfadd@1 $lb0 $lc0 | 12 | this opcode takes no L1B set
l2bmb@[0,3] $lc0 $lb0 | 8 | no immode selects exactly these L1B
l1bmm $lr0v $lb0 | 6 | from PEs, this opcode names a MAB: @0 to @15
l1bmm4@4 $lr0v $lb0 | 8 | a MAB number is 0 to 3, not 4
l1bmd $llb0 $llr0v | 7 | this opcode has no form of two long words
l1bmrdfadd $llr0v $llb0 | 19 | this opcode has no form of two long words
l1bmr4iiadd $llr0v $llbi | 20 | this opcode has no form of two long words
l1bmrhfadd $lr0v $llb0 | 18 | results in half precision are a long word: $lb
l1bmm $lb2 $lr0v | 10 | 2 is not a multiple of 4, as an address in L1BM must be here
l1bmp $llb58 $llr0v | 11 | the lower six bits of this address are at most 56
imm i1 $lr0 | 5 | an immediate is f, h, i, s, ui or us and a number in double quotes, such as i"1"
iinc $lr0v $ln0v 5 | 18 | expected `$`
noforward $lr0 | 11 | one operand too many
maskq 1 | 1 | `mask` takes the letters r s t m n k, after l or ll
mask 32 | 6 | a mask entry is 0 to 31, not 32
mvx/n64 $p0@0 $d0@0 | 1 | unknown MV opcode `mvx`
mvp $p0@0 $d0@0 | 1 | the length is missing: n and a number of long words
mvp/n65 $p0@0 $d0@0 | 1 | the length 65 is not a positive multiple of 64
mvp/n64 $p32@0 $d0@0 | 9 | the address 32 is not a multiple of 64, the unit of this transfer
mvp/n64n64 $p0@0 $d0@0 | 8 | the length is given twice
mvp/n64x $p0@0 $d0@0 | 8 | not a parameter of MV opcodes
mvp/n64nd2 $p0@0 $d0@0 | 1 | `nd` is for DRAM addresses from DAR: $di
mvp/n64 $d0@0 $d0@1 | 1 | `mvp` does not support these operands
mvp/n64 $p0@4 $d0@1 | 13 | a group is 0 to 3, not 4
mvp/n64 $p0 $lc0 | 1 | `mvp` does not support these operands
mvr2dfadd/n64 $lc0@0 $p0@1 | 22 | both operands are of the same group
d put $lm0 1 | 1 | expected `d get` or `d set`
d getx $lm0 1 | 6 | the format is d, f, h, bd, bf, bg, bh or nothing
d getd $m0n0c0b0m0p0 1 | 8 | the format reads 64 bits, the access has fewer
d get $lx0n0 1 | 7 | a matrix register needs a format, such as `d getf`
d get $lm2c0m0 1 | 7 | an L2B or L1B requires a group: n, then c and b
d get $tn0 5 | 7 | the T register has 1 to 4 words
d set $p0 1 0000000000000000 | 7 | `d set` writes L2BM, L1BM, GRF, LM and T only
d set $lm0 2 0000000000000000 | 14 | expected 2 long words, found 1
d set $lm0 1 000 | 14 | a long word is 16 hexadecimal digits
d set $lm0 1 h1_2_3 | 14 | 4 numbers separated by `_` are required
r 0 000000000 002 0000000000000000 | 19 | expected 2 long words, found 1
c 0 1 i10 i00 0 000022000 001 0000000000000000 | 5 | only `0` is supported here
d get $lm0 1 2 | 14 | `d get` ends with a number of words
d get $lm0 1x | 12 | a number of words is decimal
d get $lm0 x | 12 | a number of words is a decimal number, 0 to 4294967295
d get $lm0n0q 1 | 13 | not part of a place: n, c, b, m, p and numbers follow the address, in this order
d get $q0 1 | 7 | no such memory for `d get` or `d set`
d get $lr0n0c0b0m0 300 | 20 | 300 accesses from address 0 on go beyond the end of GRF0, which is at 512; at most 256 fit
d get $lr0n0c0b0m0 4294967295 | 20 | 4294967295 accesses from address 0 on go beyond the end of GRF0, which is at 512; at most 256 fit
d get $ln4094 2 | 15 | 2 accesses from address 4094 on go beyond the end of LM1, which is at 4096; at most 1 fit
d get $lm4095 1 | 15 | 1 accesses from address 4095 on go beyond the end of LM0, which is at 4096; at most 0 fit
d get $p524287 2 | 16 | 2 accesses from address 524287 on go beyond the end of PDM, which is at 524288; at most 1 fit
d get $d1 536870912 | 11 | 536870912 accesses from address 1 on go beyond the end of DRAM, which is at 536870912; at most 536870911 fit
d get $lc0 32769 | 12 | 32769 accesses from address 0 on go beyond the end of L2BM, which is at 32768; at most 32768 fit
d get $llb0 4097 | 13 | 4097 accesses from address 0 on go beyond the end of L1BM, which is at 8192; at most 4096 fit
d getf $lx1 8 | 13 | 8 accesses from address 1 on go beyond the end of the matrix register, which is at 8; at most 7 fit
d get $omr15 2 | 14 | 2 accesses from address 15 on go beyond the end of the mask registers, which is at 16; at most 1 fit
d set $lb8191 2 00000000000000000000000000000000 | 15 | 2 accesses from address 8191 on go beyond the end of L1BM, which is at 8192; at most 1 fit
d get $lm0n4 1 | 12 | a group is a decimal number, 0 to 3
d get lm0 1 | 7 | expected `$`
d get $p99999999 1 | 9 | an address in PDM is 0 to 524287, not 99999999
d get $d999999999999 1 | 9 | an address in DRAM is 0 to 536870911, not 999999999999
d get $lc99999 1 | 10 | an address in L2BM is 0 to 32767, not 99999
d get $lb99999 1 | 10 | an address in L1BM is 0 to 8191, not 99999
d getf $lx16 1 | 11 | a row is 0 to 15, not 16
d get $omr16 1 | 11 | a mask entry is 0 to 15, not 16
d get $lrx 1 | 10 | expected an address in GRF0
d set $lm0 1 xyz | 14 | a long word is 16 hexadecimal digits, or l, s or h and one, two or four numbers separated by `_`
d set $lm0 1 h12345_2_3_4 | 14 | 1 to 4 hexadecimal digits are required
c 0 0 i01 i00 0 000000000 xyz | 27 | a number of long words is hexadecimal
e 0 0 i02 i00 0 000000000 010000 1 | 34 | `e` ends with a number of long words
e 0 0 i02 i00 0 000000000 1 | 27 | a number of long words is 6 hexadecimal digits
f 1 | 3 | `f` stands alone
r 0 fffffffff 000 | 5 | the address is below 0x20000000
r 0 0 000 | 5 | an address is 9 hexadecimal digits
r 4 000000000 000 | 3 | a group is a decimal number, 0 to 3
dmwrite | 1 | an operand is missing: what is written
dmwrite $lr0v | 1 | an operand is missing: rows of a matrix register, such as $lx0
dmwrite $lr0v $m0 | 15 | expected rows of a matrix register, such as $lx0
dmwrite $lr0v $lz0 | 15 | expected rows of a matrix register, such as $lx0
dmwrite $lr0v $lx0y | 19 | not part of a matrix operand
dmwrite $lr0v $lx | 18 | expected a row or column in double precision
nop/x | 5 | expected a number of steps
nop/99999999999999999999 | 5 | a number of steps does not fit 64 bits
wait | 1 | an operand is missing: a tag, such as i01
wait i01x | 9 | `wait` takes one tag
l2bmdars | 1 | an operand is missing: a place in L2BM, such as $lc0@.0
l2bmdars $lc0@.0 | 1 | an operand is missing: a DAR entry, such as $dar0
l2bmdars $lc1@.0 $dar0 | 13 | 1 is not a multiple of 64, as an address in L2BM must be here
l2bmdars $lc0@.x $dar0 | 16 | expected an L2B number
l2bmdars $lc0@.0x $dar0 | 17 | not part of the operand
l2bmdars $lc0@.0 $darx | 22 | expected a DAR entry
l2bmdars $lc0@.0 $dar0x | 23 | not part of the operand
l2bmb | 1 | an operand is missing: where it reads
l2bmb $lc0 | 1 | an operand is missing: where it writes
l2bmb $lm0 $lb0 | 7 | expected a place in L2BM, such as $lc0
l2bmb $lc0 $lm0 | 12 | expected a place in L1BM, such as $lb0
l2bmb $lc0 $lb0x | 16 | an L2BM expression's L1BM operand is $lb<addr>
l2bmb $lcx $lb0 | 10 | expected an address in L2BM
l2bmb@x $lc0 $lb0 | 7 | expected an L1B number
l2bmb@0/x $lc0 $lb0 | 9 | expected an immode
l1bmm | 1 | an operand is missing: where it reads
l1bmm@0 $lr0v | 1 | an operand is missing: a place in L1BM, such as $lb0
l1bmm@0 $lr0v $lm0 | 15 | expected a place in L1BM, such as $lb0
l1bmm@0 $lr0v $lbix | 19 | `$lbi` has no address
l1bmm@0 $lr0v $lb0x | 19 | not part of an L1BM operand
l1bmp+x $lb0 $lr0v | 6 | not part of the opcode `l1bmp`
l1bmp+x $lr0v $lb0 | 9 | expected a place in L1BM, such as $lb0
dvfmau | 1 | an operand is missing: the first input
dvfmau $lm0v | 1 | an operand is missing: the second factor
dvfmad $lm0v $lr0v | 1 | an operand is missing: the addend
dmfmau | 1 | an operand is missing: $lx or $ly
dmfmau $lx | 1 | an operand is missing: the vector
dmread | 1 | an operand is missing: columns of a matrix register, such as $lx0
hbfn/12 $lr0v $ls0v | 6 | a mantissa length is 0 to 9, not 12
hbfn/x $lr0v $ls0v | 6 | expected a mantissa length
imm | 1 | an operand is missing: an immediate, such as i"1"
imm i"1"x $r0 | 9 | not part of an immediate
lpassa/1100x $lm0v $ln0v | 12 | not part of the opcode `lpassa`
noforward; $lm0 | 12 | unknown opcode `$lm0`
mask 1 2 | 8 | `mask` takes one number
mask x | 6 | expected a mask entry
mvnop/n64 | 6 | `mvnop` has no parameters
mvnop $p0 | 7 | `mvnop` has no operands
mvp/n64 | 1 | an operand is missing: where it reads
mvp/n64 $p0@0 | 1 | an operand is missing: where it writes
mvp/n64 $p0@0 $d0@0 $p0 | 21 | one operand too many
mvp/n64nd0 $di0@0 $p0@0 | 8 | a DAR entry is used at least once
mvp/ndx $di0@0 $p0@0 | 7 | expected a number of uses of a DAR entry
mvp/nx $p0@0 $d0@0 | 6 | expected a number of long words
mvp/n64p4 $p0@0 $d0@0 | 9 | a priority is 0 to 3, not 4
mvp/n64px $p0@0 $d0@0 | 9 | expected a priority
mvp/n64i01i02 $p0@0 $d0@0 | 11 | the tag is given twice
mvp/n64nd1nd2 $di0@0 $p0@0 | 11 | `nd` is given twice
mvp+n64 $p0@0 $d0@0 | 4 | expected `/`
mvp/n64 $q0 $d0 | 9 | MV operands are $p<addr>, $d<addr>, $di<entry> and $lc<addr>
mvp/n64 $px $d0 | 11 | expected an address in PDM
mvp/n64 $dix $p0 | 12 | expected a DAR entry
mvp/n64 $dx $p0 | 11 | expected an address in DRAM
mvp/n64 $lcx $p0 | 12 | expected an address in L2BM
mvp/n64 $p0@0x $d0@0 | 14 | not part of an MV operand
mvp/n64 $p0@x $d0@0 | 13 | expected a group
mvp/n64 $lc0@0.5 $p0@0 | 16 | an L2B number is 0 to 1, not 5
lpassa $mauf0 $ln0v | 10 | expected an address in LM0
lpassa $lm0v $nowrite/1100 | 14 | `$nowrite` cannot have a mask
lpassa $lm0v $omr16 | 18 | a mask register is 0 to 15, not 16
lpassa $lm0v $omrx | 18 | expected a mask register
lpassa $lm0vx $ln0v | 13 | not part of an operand that is read
lpassa $lm0v $ln0vx | 19 | not part of an operand that is written
lpassa $lr $ln0v | 11 | expected an address in GRF0
lpassa $ls $ln0v | 11 | expected an address in GRF1
lpassa $lm $ln0v | 11 | expected an address in LM0
lpassa $lm0j4 $ln0v | 13 | a PE number is 0 to 3, not 4
lpassa $lm0jx $ln0v | 13 | expected a PE number
lpassa $lm0v $q0 | 15 | no such operand here
lpassa $lm0v $ln0v/$imr0 | 24 | mask registers are 1 to 15
lpassa $lm0v $ln0v/$imrx | 24 | expected a mask register
lpassa $lm0v $ln0v/$q | 21 | expected `imr`
"#;

#[test]
fn errors_have_a_message_and_a_location() {
    let found: Vec<String> = ERRORS
        .lines()
        .skip(1)
        .map(|row| {
            let line = row.split(" | ").next().unwrap_or_default();
            let errors = parse(line).expect_err(line);
            assert_eq!(errors.len(), 1, "{line}");
            let error = &errors[0];
            format!("{line} | {} | {}", error.span.column, error.message)
        })
        .collect();
    let expected: Vec<&str> = ERRORS.lines().skip(1).collect();
    assert_eq!(found, expected);
}

/// `line | hint`.
const HINTS: &str = r#"
dvfma $lm0v $lm0v $lm0v $nowrite | did you mean `dvfmad`?
lpassa $lm0v | `$nowrite` if only the forwarding register is wanted
lpassa $1m0v $ln0v | the width is the letter l, not the digit 1
lpassa $lm0v $q0 | PE memories are $r $s $m $n (with l or ll for the width), $t; read only: $mauf $aluf $lbf $mreadf and fixed values; written only: $omr<n> $mb $nb $nowrite
imm f"nan" $r0 | there is no NaN on this machine
imm ul"1" $r0 | use f, h, i, s, ui or us, or `immu` for the upper half of long words
l2bmb@[0,3] $lc0 $lb0 | a set has 1, 2, 4 or 8 members, which agree in all bits but some: see table 3.7
l1bmm $lr0v $lb0 | or the operands are in the wrong order
l1bmr4iiadd $llr0v $llbi | only reductions in single precision and bitwise or have one
mvx/n64 $p0@0 $d0@0 | the modes are mvp mvb mvb2 mvb4 mvd mvnop, and mvr mvr2 mvr4 with a reduction such as dfadd
mvp/n64x $p0@0 $d0@0 | n<long words>, i<tag>, nd<uses>, p<priority>
mvb2/n64 $p0 $lc0 | it takes $d<addr> $lc<addr>
d get $q0 1 | $p $d $lc $lb $llb, $r $s $m $n (with l or ll for the width), $t, $lx $ly, $omr
d getd $m0 1 | add l before the letter of the memory, or choose a narrower format
c 0 1 i10 i00 0 000022000 001 0000000000000000 | the form is c 0 0 <tag> i00 0 <address> <count> <long words>, or e … <count>
"#;

#[test]
fn hints_name_an_alternative() {
    for row in HINTS.lines().skip(1) {
        let (line, hint) = row.split_once(" | ").expect(row);
        let errors = parse(line).expect_err(line);
        assert_eq!(errors[0].hint.as_deref(), Some(hint), "{line}");
    }
}

#[test]
fn a_mask_is_nothing_but_a_mask() {
    let error = parse_mask("1100t").unwrap_err();
    assert_eq!(error.message, "not part of a mask");
}
