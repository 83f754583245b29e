//! Kernels of one tile that use the unpacking, packing and data movement lists of the one-tile
//! matmul with another math list: element-wise operations with every broadcast, copies by MOVA2D,
//! the vector unit, matmul with a bias row.
//!
//! The expected values are computed in f64 from inputs for which every step but the packer's
//! rounding is exact.

mod common;

use common::{program, run, tile, Tile};
use tessera_isa_tensix::list::Lists;

const MATMUL: &str = include_str!("programs/matmul_one_tile.tensix");
const SEEDS: u64 = 20;

/// Returns `lists` with another math list.
fn with_math(mut lists: Lists, math: &str) -> Lists {
    lists.math = program(&format!(".math\n{math}")).math;
    lists
}

/// Returns the configuration of the math thread. `formats` is the upper half of word 1: 0x6AAA for
/// BF16 sources, 0x6AA8 for SrcA in TF32, each with a 32-bit Dst packed as BF16.
fn preamble(formats: u32) -> String {
    format!(
        "ttsetdmareg 0, 0, 0, 32
         ttsetdmareg {}, {}, 0, 33
         ttwrcfg 16, 0, 1
         ttsetdmareg 0, 1, 0, 32
         ttsetdmareg 0, 0, 0, 33
         ttwrcfg 16, 0, 14
         ttnop
         ttseminit 2, 0, 2
         ttsetc16 1, 0
         ttzeroacc 2, 0, 0\n",
        formats >> 14,
        formats & 0x3FFF
    )
}

/// Hands the finished half of Dst to the packers.
const FINISH: &str = "ttstallwait 2, 16512\nttsempost 2\n";

/// Configures address mode `mode`: increments of SrcA and SrcB, everything else zero.
fn address_mode(mode: u32, a: u32, b: u32) -> String {
    let (ab, dst, bias) = (7 + 2 * mode, 23 + mode, 48 + mode);
    format!(
        "ttsetc16 {ab}, {}\nttsetc16 {dst}, 0\nttsetc16 {bias}, 0\n",
        a | b << 8
    )
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Broadcast {
    None,
    Row,
    Column,
    Scalar,
}

impl Broadcast {
    const ALL: [Broadcast; 4] = [
        Broadcast::None,
        Broadcast::Row,
        Broadcast::Column,
        Broadcast::Scalar,
    ];

    /// Returns the bits of `instr_mod19`: row, column.
    fn bits(self) -> u32 {
        match self {
            Broadcast::None => 0,
            Broadcast::Column => 1,
            Broadcast::Row => 2,
            Broadcast::Scalar => 3,
        }
    }

    /// Returns SrcB's row for each block of eight rows of SrcA; faces are 16 rows apart.
    fn rows(self) -> [u32; 8] {
        match self {
            Broadcast::None => [0, 8, 16, 24, 32, 40, 48, 56],
            Broadcast::Row => [0, 0, 16, 16, 0, 0, 16, 16],
            Broadcast::Column => [0, 8, 0, 8, 32, 40, 32, 40],
            Broadcast::Scalar => [0; 8],
        }
    }

    /// Returns the element of the second operand that is combined with (i, j).
    fn element(self, i: usize, j: usize) -> (usize, usize) {
        match self {
            Broadcast::None => (i, j),
            Broadcast::Row => (0, j),
            Broadcast::Column => (i, 0),
            Broadcast::Scalar => (0, 0),
        }
    }
}

/// Returns eight instructions that cover the tile; address modes 0 to 3 hold the steps between
/// SrcB's rows.
fn elementwise(mnemonic: &str, accumulate: u32, broadcast: Broadcast) -> String {
    let rows = broadcast.rows();
    let steps: Vec<u32> = rows
        .windows(2)
        .map(|pair| (pair[1] + 64 - pair[0]) % 64)
        .collect();
    let mut modes = steps.clone();
    modes.sort_unstable();
    modes.dedup();
    let mut text: String = (0u32..)
        .zip(&modes)
        .map(|(mode, &step)| address_mode(mode, 8, step))
        .collect();
    for block in 0..8 {
        let mode = steps
            .get(block)
            .map_or(0, |step| modes.iter().position(|m| m == step).unwrap());
        let give_back = if block == 7 { 3 } else { 0 };
        text += &format!(
            "{mnemonic} {give_back}, {accumulate}, {}, {mode}, {}\n",
            broadcast.bits(),
            8 * block
        );
    }
    text
}

/// Returns the math list of the vector unit: `body` on LReg 0 for every vector of the tile, after
/// SFPENCC.
fn vector(body: &str) -> String {
    let mut text = address_mode(3, 0, 0) + "ttstallwait 256, 128\nsfpencc 3, 0, 10\n";
    for vector in 0..32 {
        text += &format!(
            "sfpload 0, 3, 3, {0}\n{body}\nsfpstore 0, 3, 3, {0}\n",
            2 * vector
        );
    }
    text
}

/// Copies SrcA to Dst by moves, which wait for SrcA only, and releases both banks once SrcB's tile
/// has arrived, too.
fn copy() -> String {
    let moves: String = (0..8)
        .map(|block| format!("ttmova2d 0, {0}, 0, 2, {0}\n", 8 * block))
        .collect();
    address_mode(0, 0, 0) + &moves + "ttstallwait 64, 2048\nttcleardvalid 3, 0\n"
}

/// Input values: small quarters, whose sums and products are exact in Dst.
fn a(i: usize, j: usize) -> f32 {
    ((i * 7 + j * 3) % 29) as f32 / 4.0 - 3.0
}

fn b(i: usize, j: usize) -> f32 {
    ((i * 5 + j * 11) % 23) as f32 / 4.0 - 2.0
}

/// Returns the BF16 of an exact value as the packer rounds it: to nearest, ties away from zero, −0
/// to +0.
fn packed(x: f64) -> u16 {
    let bits = (x as f32).to_bits();
    assert_eq!(f64::from(f32::from_bits(bits)), x, "exact in Dst");
    if x == 0.0 {
        return 0;
    }
    ((bits + 0x8000) >> 16) as u16
}

/// Runs a kernel under all seeds. As in the matmul, argument 0 is the tile for SrcB and argument 1
/// the tile for SrcA.
fn check(name: &str, lists: &Lists, inputs: &[&[Tile]], expected: impl Fn(usize, usize) -> f64) {
    let expected: Tile = std::array::from_fn(|i| std::array::from_fn(|j| packed(expected(i, j))));
    for seed in 0..SEEDS {
        let (out, _) = run(lists, inputs, 1, seed)
            .unwrap_or_else(|trap| panic!("{name}, seed {seed}: {trap}"));
        assert!(out[0] == expected, "{name}, seed {seed}");
    }
}

fn check_on_a_and_b(name: &str, math: &str, expected: impl Fn(usize, usize) -> f64) {
    let lists = with_math(program(MATMUL), math);
    check(name, &lists, &[&[tile(b)], &[tile(a)]], expected);
}

#[test]
fn elementwise_with_every_broadcast() {
    let operations: [(&str, fn(f64, f64) -> f64); 3] = [
        ("ttelwadd", |x, y| x + y),
        ("ttelwsub", |x, y| x - y),
        ("ttelwmul", |x, y| x * y),
    ];
    for (mnemonic, operation) in operations {
        for broadcast in Broadcast::ALL {
            // BF16 needs all four phases for exact products; these operands have few bits and fit
            // into the first phase.
            let math = preamble(0x6AAA) + &elementwise(mnemonic, 0, broadcast) + FINISH;
            check_on_a_and_b(&format!("{mnemonic} {broadcast:?}"), &math, |i, j| {
                let (k, l) = broadcast.element(i, j);
                operation(a(i, j).into(), b(k, l).into())
            });
        }
    }
}

#[test]
fn copies_through_the_vector_unit() {
    let operations: [(&str, &str, fn(f64) -> f64); 6] = [
        ("copy", "", |x| x),
        ("neg", "sfpmov 0, 0, 1", |x| -x),
        ("abs", "sfpabs 0, 0, 1", f64::abs),
        (
            "relu",
            "sfpsetcc 0, 0, 0, 0\nsfpmov 9, 0, 0\nsfpencc 0, 0, 0",
            |x| x.max(0.0),
        ),
        (
            "maximum with 1",
            "sfpmov 10, 1, 0\nsfpswap 0, 1, 1\nsfpnop",
            |x| x.max(1.0),
        ),
        ("square plus 1", "sfpmad 0, 0, 10, 0, 0\nsfpnop", |x| {
            x * x + 1.0
        }),
    ];
    for (name, body, operation) in operations {
        let vector = if name == "copy" {
            String::new()
        } else {
            vector(body)
        };
        let math = preamble(0x6AA8) + &copy() + &vector + FINISH;
        check_on_a_and_b(name, &math, |i, j| operation(a(i, j).into()));
    }
}

#[test]
fn matmul_with_a_bias_row() {
    let bias = |i: usize, j: usize| if i == 0 { j as f32 / 4.0 - 4.0 } else { 1000.0 };
    let mut lists = program(MATMUL);
    // After the tiles of the product: zeros for SrcA, the bias (in the buffer of context 1) for
    // SrcB.
    lists.unpack.extend(
        program(
            ".unpack\nttunpacr_nop 0, 1\nttunpacr_nop 0, 7\n\
             ttunpacr 1, 0, 0, 1, 0, 1, 1, 0, 0, 0, 0, 0, 1",
        )
        .unpack,
    );
    lists.dm = program(
        ".dm
         .read 1, 0, 0x18000
         .read 0, 0, 0x19000
         .read 2, 0, 0x19800
         .post 0
         .wait 2, 1
         .write 3, 0, 0x1a000",
    )
    .dm;
    // Insert before the half of Dst is handed over: STALLWAIT and SEMPOST are the last two
    // instructions.
    let at = lists.math.len() - 2;
    let bias_row = program(&format!(
        ".math\n{}",
        elementwise("ttelwadd", 1, Broadcast::Row)
    ))
    .math;
    lists.math.splice(at..at, bias_row);
    check(
        "linear",
        &lists,
        &[&[tile(a)], &[tile(b)], &[tile(bias)]],
        |i, j| {
            let product: f64 = (0..32)
                .map(|k| f64::from(a(i, k)) * f64::from(b(k, j)))
                .sum();
            product + f64::from(bias(0, j))
        },
    );
}
