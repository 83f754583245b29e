//! FP32 tiles through unpacker 0, Dst, the vector unit and the packers, bit for bit: a program of
//! three threads that pass on halves of Dst, and incorrect variants of it.
//!
//! The program turns the signs of four tiles in DRAM, packs them to L1, unpacks them from there and
//! turns the signs back. Who may use a half of Dst:
//!
//! | semaphore | counts | posted by | taken by |
//! |---|---|---|---|
//! | 5 | halves that are taken, two at most | T0 before it unpacks | T2 when the packers are done |
//! | 4 | unpacked tiles | T0 when unpacker 0 is done | T1 when the vector unit is done |
//! | 1 | finished tiles | T1 when the vector unit is done | T2 when the packers are done |
//!
//! T1 need not look at semaphore 5: what T0 has unpacked for it is its own until it posts
//! semaphore 1. T0 starts when semaphores are set up (list counter 5); T1's configuration need not
//! be ready then.

mod common;
mod images;

use common::mutants::check_mutants;
use images::{launch, of_lists};
use tessera_isa_tensix::cfg::{self, ConfigField, FieldPlace};
use tessera_isa_tensix::list::Lists;
use tessera_isa_tensix::{Arch, Opcode};
use tessera_tensix::{Machine, Stats, TensorArg};
use tessera_test_support::is_long_run;

const TILE_BYTES: u32 = 4096;
/// The words of a tile.
type Tile = Vec<u32>;

/// Number of tiles in DRAM.
const TILES: u32 = 4;

/// Returns the address of tile `n` in L1: the first from DRAM, the next ones negated, the last as
/// the first.
fn buffer(n: u32) -> u32 {
    0x18000 + TILE_BYTES * n
}

/// A step: tile `from` passes through Dst at `row` and becomes tile `to`.
struct Step {
    from: u32,
    to: u32,
    row: u32,
}

/// Returns the steps. Halves of Dst alternate; each step uses one of the four tiles of a half. The
/// second pass processes the results of the first in reverse order.
fn steps() -> impl Iterator<Item = Step> {
    let row = |n| [64, 256 + 128][n as usize % 2];
    let first = (0..TILES).map(move |n| Step {
        from: n,
        to: TILES + n,
        row: row(n),
    });
    let second = (0..TILES).map(move |n| Step {
        from: 2 * TILES - 1 - n,
        to: 3 * TILES - 1 - n,
        row: row(n),
    });
    first.chain(second)
}

/// Sets configuration words from `word` on, in band.
fn configure(word: u32, values: &[u32]) -> String {
    let one = |(word, value): (u32, &u32)| {
        let (low, high) = (value & 0xFFFF, value >> 16);
        let half =
            |half: u32, gpr| format!("ttsetdmareg {}, {}, 0, {gpr}\n", half >> 14, half & 0x3FFF);
        half(low, 32) + &half(high, 33) + &format!("ttwrcfg 16, 0, {word}\n")
    };
    (word..).zip(values).map(one).collect()
}

fn place(field: ConfigField) -> FieldPlace {
    field.place_on(Arch::WormholeB0).expect("Wormhole has it")
}

/// Returns the configuration word of a field.
fn word_of(field: ConfigField) -> u32 {
    place(field).addr32()
}

/// Returns the encoding of an L1 address for unpackers and packers.
fn l1(address: u32) -> u32 {
    address / 16 - 1
}

/// Returns T0's configuration: context 0 unpacks a whole tile of FP32 to Dst, context 1 to SrcA.
fn unpacker() -> String {
    const FP32: u32 = 0;
    const TF32: u32 = 4;
    const UNCOMPRESSED: u32 = 1 << 4;
    const FASTEST: u32 = 2 << 4;
    let contexts = place(cfg::THCON_REG2_Disable_zero_compress.nth(0).nth(0)).encode(1)
        | place(cfg::THCON_REG2_Disable_zero_compress.nth(0).nth(1)).encode(1)
        | place(cfg::THCON_REG2_Unpack_if_sel.nth(0).nth(0)).encode(1);
    let descriptor = [FP32 | UNCOMPRESSED | 256 << 16, 4 | 1 << 16, 1, 0];
    let mut text = configure(
        word_of(cfg::THCON_REG0_TileDescriptor.nth(0).nth(0)),
        &descriptor,
    );
    // FP32 that is converted to TF32 remains FP32 in Dst; SrcA does not accept FP32.
    text += &configure(
        word_of(cfg::THCON_REG2_Out_data_format.nth(0)),
        &[TF32 | FASTEST, contexts, 0, 0],
    );
    // Unpacker 0 counts output rows from 4. The address of context 1 is in the upper half.
    text += &configure(
        word_of(cfg::THCON_REG5_Dest_address.nth(0).nth(0)),
        &[64 | 64 << 16],
    );
    text += &configure(
        word_of(cfg::THCON_REG5_Tile_x_dim.nth(0).nth(0)),
        &[256 | 256 << 16],
    );
    text += &configure(
        word_of(cfg::THCON_REG3_Base_address.nth(0).nth(1)),
        &[l1(buffer(0))],
    );
    text + "ttsetc16 3, 0          # rows of Dst are not those of a face
            ttsetc16 39, 0         # no context offsets
            ttsetadcxy 1, 0, 0, 0, 0, 15
            ttsetadczw 1, 0, 0, 0, 0, 15
            ttsetadcxx 1, 1023, 0
            .wait 5, 1\n"
}

/// Unpacks a tile from L1 to Dst, from `row` on.
fn to_dst(from: u32, row: u32) -> String {
    let base = word_of(cfg::THCON_REG3_Base_address.nth(0).nth(0));
    let output = word_of(cfg::THCON_REG5_Dest_address.nth(0).nth(0));
    configure(base, &[l1(from)])
        + &configure(output, &[(16 * (4 + row)) | 64 << 16])
        + "ttnop
           ttunpacr 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1\n"
}

/// Unpacks a row of zeros to SrcA, so that the unpacker no longer targets Dst.
const TO_SRC_A: &str = "ttsetadcxx 1, 15, 0
                        ttunpacr 0, 0, 0, 1, 0, 1, 0, 0, 1, 0, 0, 0, 1\n";

/// Returns the program of T0.
fn unpack() -> String {
    let mut text = unpacker();
    for (n, step) in (0..).zip(steps()) {
        let (pass, tile) = (n / TILES, n % TILES);
        text += &match (pass, tile) {
            (0, 0) => ".wait 0, 1\n".to_owned(),
            (1, 0) => format!(".wait 2, {TILES}\n"),
            _ => String::new(),
        };
        // At the start of a pass both halves of Dst are free.
        if tile > 1 {
            text += "ttsemwait 10, 32, 2    # holds back sync unit and unpackers \
                     while both halves are taken\n";
        }
        text += "ttsempost 32\n";
        text += &to_dst(buffer(step.from), step.row);
        text += "ttstallwait 2, 2       # unpacker 0 is done; addresses may change, too
                 ttsempost 16\n";
    }
    text + TO_SRC_A
}

/// SrcA and SrcB are BF16 and not used; Dst is 32 bits wide for matrix and vector unit and for the
/// packers.
const WIDE: &str = "ttsetdmareg 1, 8362, 0, 33
                    ttsetdmareg 0, 0, 0, 32
                    ttwrcfg 16, 0, 1
                    ttsetdmareg 0, 0, 0, 33
                    ttsetdmareg 0, 1, 0, 32
                    ttwrcfg 16, 0, 14\n";

/// Every semaphore has a maximum of two; T0 may start; all lanes of the vector unit are enabled.
const SEMAPHORES: &str = "ttseminit 2, 0, 54
                          .wait_idle
                          .post 5
                          sfpencc 3, 0, 10\n";

/// Returns the program of T1, which negates in place.
fn math() -> String {
    let mut text = format!("{WIDE}{SEMAPHORES}");
    for step in steps() {
        text += &format!("ttsetc16 1, {}\n", step.row & 0x100);
        text +=
            "ttsemwait 258, 16, 1   # holds back sync and vector unit until a tile is unpacked\n";
        // Four rows at a time, even and odd columns.
        for place in 0..32 {
            let address = (step.row & 0xFF) + place / 2 * 4 + place % 2 * 2;
            text += &format!(
                "sfpload 0, 3, 0, {address}
                 sfpmov 0, 1, 1
                 sfpstore 1, 4, 0, {address}\n"
            );
        }
        text += "ttstallwait 2, 16384   # the vector unit is done
                 ttsempost 2
                 ttsemget 16\n";
    }
    text
}

/// Returns the program of T2, which packs FP32 unchanged.
fn pack() -> String {
    let mut text = String::new();
    // Packer i packs face i. The outputs are consecutive, 64 units of 16 bytes each.
    for (packer, word) in [56, 84, 96, 124].into_iter().enumerate() {
        let behind = (64 * packer as u32).wrapping_sub(1);
        text += &configure(word, &[0, behind, 1, 0]);
        text += &configure(24 + packer as u32, &[16 << 8]);
    }
    text += &configure(8, &[4]);
    text += &configure(20, &[0xFFFF, 0, 0, 0]);
    text += &configure(16, &[0, 0, 0, 0]);
    text += "ttsetadcxy 4, 0, 0, 0, 0, 15
             ttsetadczw 4, 0, 0, 0, 0, 15
             ttsetadcxx 4, 255, 0\n";
    for step in steps() {
        let rows = [0, 16, 32, 48].map(|face| step.row + face);
        text += &configure(word_of(cfg::DEST_TARGET_REG_CFG_PACK_Offset.nth(0)), &rows);
        text += &configure(57, &[1 << 31 | l1(buffer(step.to))]);
        text += "ttsemwait 6, 2, 1      # holds back sync unit and packers until a tile is finished
                 ttpacr 0, 0, 15, 0, 0, 0, 1
                 ttstallwait 2, 120     # the packers are done; addresses may change, too
                 ttsemget 34
                 ttsempost 4
                 .sem_poll 2, 1
                 .sem_get 2
                 .post 2\n";
    }
    text
}

/// Returns the data movement list: pages of argument 0 in, of argument 1 out.
fn dm() -> String {
    let read = |n| format!(".read 0, {n}, {}\n", buffer(n));
    let write = |n| format!(".write 1, {n}, {}\n", buffer(TILES + n));
    let reads: String = (0..TILES).map(read).collect();
    let writes: String = (0..2 * TILES).map(write).collect();
    format!("{reads}.post 0\n.wait 2, {}\n{writes}", 2 * TILES)
}

fn lists(unpack: &str, math: &str, pack: &str, dm: &str) -> Lists {
    common::program(&format!(
        ".unpack\n{unpack}\n.math\n{math}\n.pack\n{pack}\n.dm\n{dm}"
    ))
}

fn copy() -> Lists {
    lists(&unpack(), &math(), &pack(), &dm())
}

/// Returns a tile of bits from a counter; every eighth value is special.
fn tile(seed: u32) -> Tile {
    const SPECIAL: [u32; 8] = [
        0,
        0x8000_0000,
        1,
        0x807F_FFFF,
        0x7F80_0000,
        0xFF80_0000,
        0x7FC0_0001,
        0xFFFF_FFFF,
    ];
    let mix = |x: u32| {
        let x = (x ^ (x >> 16)).wrapping_mul(0x7FEB_352D);
        let x = (x ^ (x >> 15)).wrapping_mul(0x846C_A68B);
        x ^ (x >> 16)
    };
    (0..1024)
        .map(|n| match n % 8 {
            7 => SPECIAL[n as usize / 8 % 8],
            _ => mix(seed << 10 | n),
        })
        .collect()
}

const INPUT: u64 = 0x400;
const OUTPUT: u64 = 0x8000;

/// Returns a machine with tiles in DRAM and space for twice as many.
fn set_up(tiles: &[Tile]) -> (Machine, [TensorArg; 2]) {
    let mut machine = Machine::new(Arch::WormholeB0);
    for (bank, tile) in (0..).zip(tiles) {
        let bytes: Vec<u8> = tile.iter().flat_map(|x| x.to_le_bytes()).collect();
        machine.dram().write(bank, INPUT, &bytes).unwrap();
    }
    let arg = |base, pages| TensorArg {
        base,
        page_bytes: TILE_BYTES,
        pages,
    };
    (machine, [arg(INPUT, TILES), arg(OUTPUT, 2 * TILES)])
}

/// Runs the machine by `go` and returns the tiles in DRAM.
fn run(
    tiles: &[Tile],
    go: impl FnOnce(&mut Machine, &[TensorArg]) -> Result<Stats, tessera_tensix::Trap>,
) -> Result<(Vec<Tile>, Stats), String> {
    let (mut machine, args) = set_up(tiles);
    let stats = go(&mut machine, &args).map_err(|trap| trap.to_string())?;
    let mut bytes = vec![0; TILE_BYTES as usize];
    let out = (0..2 * TILES).map(|bank| {
        machine
            .dram()
            .read(bank, OUTPUT, &mut bytes)
            .map_err(|_| format!("page {bank} was not written"))?;
        let words = bytes
            .chunks(4)
            .map(|b| u32::from_le_bytes(b.try_into().unwrap()));
        Ok(words.collect())
    });
    Ok((out.collect::<Result<_, String>>()?, stats))
}

fn expected(tiles: &[Tile]) -> Vec<Tile> {
    let turned = |tile: &Tile| tile.iter().map(|x| x ^ 1 << 31).collect();
    tiles
        .iter()
        .map(turned)
        .chain(tiles.iter().cloned())
        .collect()
}

fn tiles(seed: u32) -> Vec<Tile> {
    (0..TILES).map(|n| tile(TILES * seed + n)).collect()
}

/// Returns `count` schedules, or 100 times as many in long tests.
fn seeds(count: u32) -> std::ops::Range<u32> {
    if is_long_run() {
        0..100 * count
    } else {
        0..count
    }
}

/// Returns the seed of a random schedule, or none (the schedule that is not random) for every tenth
/// seed.
fn greedy_or(seed: u32) -> Option<u64> {
    Some(seed.into()).filter(|seed| seed % 10 != 0)
}

#[test]
fn every_schedule_keeps_every_bit() {
    let lists = copy();
    for seed in seeds(100) {
        let tiles = tiles(seed);
        let (out, stats) = run(&tiles, |machine, args| {
            machine.run(&lists, args, greedy_or(seed))
        })
        .unwrap_or_else(|trap| panic!("seed {seed}: {trap}"));
        assert!(out == expected(&tiles), "seed {seed}");
        // The last UNPACR goes to SrcA.
        assert_eq!(stats.count(Opcode::Unpacr), 2 * u64::from(TILES) + 1);
    }
}

#[test]
fn five_cores_keep_every_bit() {
    let lists = copy();
    let images = of_lists(&lists);
    for seed in seeds(10) {
        for order in [None, Some(u64::from(seed))] {
            let tiles = tiles(seed);
            let out = run(&tiles, |machine, args| {
                machine.run_images(&launch(&images, &lists, args, order), greedy_or(seed))
            });
            let (out, _) = out.unwrap_or_else(|trap| panic!("seed {seed}, {order:?}: {trap}"));
            assert!(out == expected(&tiles), "seed {seed}, {order:?}");
        }
    }
}

#[test]
fn nothing_that_synchronises_can_be_left_out() {
    let tiles = tiles(0);
    let expected = expected(&tiles);
    let redundant = [
        // No thread waits for a half after the last step of a pass, and a semaphore decremented at
        // 0 remains 0.
        "unpack entry 75, `ttsempost 32`, removed",
        "unpack entry 122, `ttsempost 32`, removed",
    ];
    check_mutants(&copy(), &redundant, |mutant, seed| {
        run(&tiles, |machine, args| machine.run(mutant, args, seed))
            .is_ok_and(|(out, _)| out == expected)
    });
}

/// Returns the traps of a program of T0 and T1 under 100 schedules.
fn traps(unpack: &str, math: &str) -> Vec<String> {
    let dm = format!(".read 0, 0, {}\n.post 0\n", buffer(0));
    let lists = lists(unpack, math, "", &dm);
    let (machine, args) = set_up(&tiles(0));
    let trap = |seed| machine.clone().run(&lists, &args, seed).err();
    (0..100)
        .filter_map(trap)
        .map(|trap| trap.to_string())
        .collect()
}

/// Returns a program in which T0 unpacks a tile to row 0 and notifies T1 after `wait`.
fn one_tile(wait: &str) -> String {
    let to_dst = to_dst(buffer(0), 0);
    format!(
        "{}.wait 0, 1\n{to_dst}{wait}ttsempost 16\n{TO_SRC_A}",
        unpacker()
    )
}

/// Waits until unpacker 0 is idle.
const WAIT: &str = "ttstallwait 2, 2\n";

/// Checks that `wrong` traps under some schedules, always with `expect`, and that `right` never
/// traps.
fn check(wrong: &[&str; 2], right: &[&str; 2], expect: &str) {
    let failed = traps(wrong[0], wrong[1]);
    assert!(!failed.is_empty(), "{wrong:?}");
    for trap in failed {
        assert_eq!(trap, expect);
    }
    assert_eq!(traps(right[0], right[1]), Vec::<String>::new(), "{right:?}");
}

#[test]
fn rows_that_are_still_being_unpacked() {
    for (access, reads) in [
        ("sfpload 0, 3, 0, 0", "reads"),
        ("ttzeroacc 1, 0, 0", "writes"),
    ] {
        let math = format!("{WIDE}{SEMAPHORES}ttsemwait 322, 16, 1\n{access}\nttsemget 16\n");
        check(
            &[&one_tile(""), &math],
            &[&one_tile(WAIT), &math],
            &format!(
                "math (T1), entry 11, `{access}`: hazard: {reads} Dst row 0 (of 1024) while UNPACR \
                 of thread 0 may still access it in unpacker 0; wait for that unit first"
            ),
        );
    }
}

#[test]
fn rows_that_the_vector_unit_is_still_at() {
    let math = |wait: &str| {
        format!(
            "{WIDE}{SEMAPHORES}ttsemwait 322, 16, 1\nsfpload 0, 3, 0, 0\n\
             {wait}ttsempost 2\nttsemget 16\n"
        )
    };
    // T0 unpacks to the same rows again after T1's notification.
    let again = format!(
        "ttsempost 16\nttsemwait 10, 2, 1\nttunpacr 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1\n\
         {WAIT}ttsemget 2\n"
    );
    let unpack = one_tile(WAIT).replace("ttsempost 16\n", &again);
    check(
        &[&unpack, &math("")],
        &[&unpack, &math("ttstallwait 2, 16384\n")],
        "unpack (T0), entry 51, `ttunpacr 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1`: hazard: writes \
         Dst row 0 (of 1024) while SFPLOAD of thread 1 may still access it in the vector unit; \
         wait for that unit first",
    );
}

#[test]
fn the_unpacker_must_not_end_with_dst() {
    let unpack = one_tile(WAIT);
    let math = format!("{SEMAPHORES}ttsemwait 2, 16, 1\nttsemget 16\n");
    let wrong = unpack.replace(TO_SRC_A, "");
    let failed = traps(&wrong, &math);
    assert_eq!(failed.len(), 100);
    for trap in failed {
        assert_eq!(
            trap,
            "the kernel ended uncleanly: the last UNPACR of unpacker 0 went to Dst; one to SrcA \
             must follow"
        );
    }
    assert_eq!(traps(&unpack, &math), Vec::<String>::new());
}
