//! A product of matrices of tiles as a list program of any size: C = A @ B, all row-major, A the
//! first argument.
//!
//! It follows the protocol of `matmul_three_tiles.tensix`, on either chip.

use std::fmt::Write;

use tessera_isa_tensix::cfg::{self, ConfigField, ThreadField};
use tessera_isa_tensix::list::Lists;
use tessera_isa_tensix::Arch;

use super::fields::{set, set_thread};

/// Rows and columns of C and columns of A, in tiles.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub rows: usize,
    pub columns: usize,
    pub depth: usize,
}

impl Shape {
    /// Returns the numbers of tiles of A, B and C.
    pub fn tiles(self) -> [usize; 3] {
        [
            self.rows * self.depth,
            self.depth * self.columns,
            self.rows * self.columns,
        ]
    }

    fn steps(self) -> usize {
        self.rows * self.columns * self.depth
    }
}

/// Differences between the chips, apart from the positions of fields.
struct Chip {
    /// Number of packers; each packs one face.
    packers: u32,
    /// Number of PACRs per tile, and of datums that a packer or an interface packs in each.
    pacrs: usize,
    datums: u32,
    /// The PACRs except the last, and the last.
    pacr: [&'static str; 2],
    /// The encodings of address modes 4 and 5 in MVMUL, and whether the bias is needed for them.
    high_modes: [u32; 2],
    biased: bool,
    /// The instruction that clears a half of Dst, without the half's number.
    clear_half: &'static str,
    /// Conditions of STALLWAIT.
    packers_idle: u32,
    matrix_and_vector_idle: u32,
}

impl Chip {
    fn for_arch(arch: Arch) -> &'static Chip {
        match arch {
            Arch::WormholeB0 => &Chip {
                packers: 4,
                pacrs: 1,
                datums: 256,
                pacr: ["", "ttpacr 1, 0, 15, 0, 0, 0, 1\n"],
                high_modes: [0, 1],
                biased: true,
                clear_half: "ttzeroacc 2, 0,",
                packers_idle: 0x78,
                matrix_and_vector_idle: 0x4080,
            },
            // Four interfaces pack four rows, and the address mode advances to the next four.
            Arch::Blackhole => &Chip {
                packers: 1,
                pacrs: 16,
                datums: 16,
                pacr: [
                    "ttpacr 0, 0, 0, 0, 0, 0, 15, 0, 0, 0, 0, 0\n",
                    "ttpacr 0, 0, 0, 1, 0, 0, 15, 0, 0, 0, 0, 1\n",
                ],
                high_modes: [4, 5],
                biased: false,
                clear_half: "ttzeroacc 2, 0, 0, 0,",
                packers_idle: 8,
                matrix_and_vector_idle: 0x810,
            },
        }
    }
}

/// Returns the program for a shape and a number of fidelity phases (1 is LoFi, 4 is HiFi4).
pub fn product(arch: Arch, shape: Shape, phases: usize) -> Lists {
    let text = [
        ".unpack\n".to_owned(),
        set_up_unpackers(arch),
        unpack(shape),
        ".math\n".to_owned(),
        set_up_matrix_unit(arch, phases),
        math(arch, shape),
        ".pack\n".to_owned(),
        set_up_packers(arch),
        pack(arch, shape),
        ".dm\n".to_owned(),
        data_movement(shape),
    ];
    Lists::parse(arch, &text.concat()).unwrap_or_else(|e| panic!("{e}"))
}

/// Code of the format.
const BF16: u32 = 5;
/// L1 addresses of the two buffers of each matrix: B's, A's, C's.
const BUFFERS: [u32; 3] = [0x18000, 0x19000, 0x1a000];
/// Bytes of a tile, and distance of two buffers.
const TILE: u32 = 0x800;

/// Returns the last unit of 16 bytes before a buffer, which is the form of addresses in
/// configuration.
fn before(matrix: usize, buffer: u32) -> u32 {
    (BUFFERS[matrix] + TILE * buffer) / 16 - 1
}

/// On Blackhole one word holds fields of the packer and of the unpackers, so nothing is unpacked
/// before the packers are configured.
const PACKERS_ARE_SET_UP: &str = "ttsemwait 511, 16, 1\nttsemget 16\n";

/// Configures tiles of four faces as one row of datums each, with one context per buffer.
fn set_up_unpackers(arch: Arch) -> String {
    let mut fields = Vec::new();
    for unpacker in 0..2 {
        let descriptor = cfg::THCON_REG0_TileDescriptor.nth(unpacker);
        fields.extend([
            (descriptor.nth(0), 256 << 16 | 1 << 4 | BF16),
            (descriptor.nth(1), 4 << 16 | 1),
            (cfg::THCON_REG2_Out_data_format.nth(unpacker), BF16),
        ]);
        for context in 0..2 {
            let address = before(unpacker as usize, context);
            let uncompressed = cfg::THCON_REG2_Disable_zero_compress.nth(unpacker);
            let base = cfg::THCON_REG3_Base_address.nth(unpacker);
            fields.extend([(uncompressed.nth(context), 1), (base.nth(context), address)]);
        }
    }
    for context in 0..2 {
        // Rows 0 to 3 are dropped.
        fields.extend([
            (cfg::THCON_REG5_Dest_address.nth(0).nth(context), 64),
            (cfg::THCON_REG5_Tile_x_dim.nth(0).nth(context), 256),
        ]);
    }
    set(arch, &fields)
        + &set_thread(arch, &[(cfg::SRCA_SET_SetOvrdWithAddr, 1)])
        + "ttsetadcxy 3, 0, 0, 0, 0, 15\nttsetadczw 3, 0, 0, 0, 0, 15\nttsetadcxx 3, 1023, 0\n"
        + PACKERS_ARE_SET_UP
}

/// Configures a 32-bit Dst and a MOP that executes a pass over the tile once per phase, then
/// releases both banks and resets the counters.
fn set_up_matrix_unit(arch: Arch, phases: usize) -> String {
    const NOTHING: usize = 0x0200_0000;
    const HAND_BACK: usize = 0x37c0_000f;
    const PLAY: usize = 0x0404_0100;
    let fields = [
        (cfg::ALU_FORMAT_SPEC_REG0_SrcA, BF16),
        (cfg::ALU_FORMAT_SPEC_REG1_SrcB, BF16),
        (cfg::ALU_FORMAT_SPEC_REG2_Dstacc, BF16),
        (cfg::ALU_ACC_CTRL_Fp32_enabled, 1),
        (cfg::ALU_ACC_CTRL_SFPU_Fp32_enabled, 1),
        (cfg::PCK_DEST_RD_CTRL_Read_32b_data, 1),
    ];
    let mut text = set(arch, &fields) + "ttseminit 2, 0, 2\n";
    text += &set_thread(arch, &address_modes(Chip::for_arch(arch)));
    text += &pass(Chip::for_arch(arch));
    let mop = [
        1, phases, NOTHING, HAND_BACK, NOTHING, PLAY, NOTHING, PLAY, PLAY,
    ];
    for (index, word) in mop.into_iter().enumerate() {
        writeln!(text, ".mopcfg {index}, {word:#010x}").unwrap();
    }
    text
}

/// Returns address modes: 0 to 4 advance by blocks of eight rows, 5 advances to the next phase.
fn address_modes(chip: &Chip) -> Vec<(ThreadField, u32)> {
    let mut fields = Vec::new();
    for (mode, (a, b)) in (0..).zip([(0, 8), (16, 56), (48, 24), (0, 8), (16, 40)]) {
        fields.extend([
            (cfg::ADDR_MOD_AB_SrcAIncr.nth(mode), a),
            (cfg::ADDR_MOD_AB_SrcBIncr.nth(mode), b),
        ]);
    }
    fields.extend([
        (cfg::ADDR_MOD_AB_SrcAClear.nth(5), 1),
        (cfg::ADDR_MOD_AB_SrcBClear.nth(5), 1),
        (cfg::ADDR_MOD_DST_FidelityIncr.nth(5), 1),
    ]);
    if chip.biased {
        fields.extend([
            (cfg::ADDR_MOD_BIAS_BiasIncr.nth(3), 1),
            (cfg::ADDR_MOD_BIAS_BiasClear.nth(4), 1),
            (cfg::ADDR_MOD_BIAS_BiasClear.nth(5), 1),
        ]);
    }
    fields
}

/// Records a pass: both halves of the depth, with all eight blocks of rows in each.
fn pass(chip: &Chip) -> String {
    let mut text = "ttreplay 16, 16, 0, 1\n".to_owned();
    for last in chip.high_modes {
        for (block, mode) in [0, 1, 0, 2, 0, 1, 3, last].into_iter().enumerate() {
            writeln!(text, "ttmvmul 0, 0, {mode}, {}", 8 * block).unwrap();
        }
    }
    text
}

fn set_up_packers(arch: Arch) -> String {
    let chip = Chip::for_arch(arch);
    let mut fields = vec![
        (cfg::PCK0_ADDR_CTRL_Xstride.nth(0), 2),
        (cfg::PCK0_ADDR_CTRL_Ystride.nth(0), 32),
    ];
    fields.extend((0..4).map(|mask| (cfg::PCK_EDGE_OFFSET_mask.nth(mask), 0xffff)));
    for packer in 0..chip.packers {
        let of = |family: ConfigField| family.nth(packer / 2).nth(packer % 2);
        fields.extend([
            (of(cfg::THCON_PACK_Disable_zero_compress), 1),
            (of(cfg::THCON_PACK_In_data_format), BF16),
            (of(cfg::THCON_PACK_Out_data_format), BF16),
            (cfg::PACK_COUNTERS_pack_reads_per_xy_plane.nth(packer), 16),
        ]);
        if packer > 0 {
            // After the output of packer 0.
            fields.push((of(cfg::THCON_PACK_L1_Dest_addr), 32 * packer - 1));
        }
    }
    let modes = [
        (cfg::ADDR_MOD_PACK_YsrcIncr.nth(0), 4),
        (cfg::ADDR_MOD_PACK_YsrcClear.nth(1), 1),
    ];
    set(arch, &fields)
        + &set_thread(arch, &modes)
        + "ttsetadcxy 4, 0, 0, 0, 0, 15\nttsetadczw 4, 0, 0, 0, 0, 15\n"
        + &format!("ttsetadcxx 4, {}, 0\nttsempost 16\n", chip.datums - 1)
}

fn unpack(shape: Shape) -> String {
    let mut text = String::new();
    for step in 0..shape.steps() {
        let context = step % 2;
        writeln!(text, ".wait 0, {}", step + 1).unwrap();
        if step > 0 {
            text += "ttstallwait 2, 6\nttsempost 8\n";
        }
        for unpacker in 0..2 {
            writeln!(
                text,
                "ttunpacr {unpacker}, 0, 0, {context}, 0, 1, 1, 0, 0, 0, 0, 0, 1"
            )
            .unwrap();
        }
        if step > 0 {
            text += ".sem_poll 3, 1\n.sem_get 3\n.post 1\n";
        }
    }
    text
}

fn math(arch: Arch, shape: Shape) -> String {
    let chip = Chip::for_arch(arch);
    let mut text = String::new();
    for tile in 0..shape.rows * shape.columns {
        let half = tile as u32 % 2;
        text += "ttsemwait 322, 2, 2\n";
        text += &set_thread(arch, &[(cfg::DEST_TARGET_REG_CFG_MATH_Offset, 256 * half)]);
        writeln!(text, "{} {half}", chip.clear_half).unwrap();
        text += &"ttmop 1, 0, 0\n".repeat(shape.depth);
        writeln!(
            text,
            "ttstallwait 2, {}\nttsempost 2",
            chip.matrix_and_vector_idle
        )
        .unwrap();
    }
    text
}

fn pack(arch: Arch, shape: Shape) -> String {
    let chip = Chip::for_arch(arch);
    let mut text = String::new();
    for tile in 0..shape.rows * shape.columns {
        let half = tile as u32 % 2;
        if tile > 1 {
            writeln!(text, ".wait 3, {}", tile - 1).unwrap();
        }
        // With bit 31 set, the other packers' addresses are relative to this one.
        let mut fields = vec![(
            cfg::THCON_PACK_L1_Dest_addr.nth(0).nth(0),
            before(2, half) | u32::from(chip.packers > 1) << 31,
        )];
        fields.extend((0..chip.packers).map(|packer| {
            let offset = cfg::DEST_TARGET_REG_CFG_PACK_Offset.nth(packer);
            (offset, 256 * half + 16 * packer)
        }));
        text += &set(arch, &fields);
        text += "ttsemwait 6, 2, 1\n";
        text += &chip.pacr[0].repeat(chip.pacrs - 1);
        text += chip.pacr[1];
        writeln!(text, "ttstallwait 2, {}", chip.packers_idle).unwrap();
        text += "ttsemget 2\nttsempost 4\n.sem_poll 2, 1\n.sem_get 2\n.post 2\n";
    }
    text
}

/// Loads the tiles of a step into the buffers that the previous step used; writes a tile while the
/// next one is computed.
fn data_movement(shape: Shape) -> String {
    let mut text = String::new();
    let write = |text: &mut String, tile: usize| {
        let l1 = BUFFERS[2] + TILE * (tile as u32 % 2);
        writeln!(
            text,
            ".wait 2, {}\n.write 2, {tile}, {l1:#x}\n.post 3",
            tile + 1
        )
        .unwrap();
    };
    for step in 0..shape.steps() {
        let (tile, k) = (step / shape.depth, step % shape.depth);
        let (row, column) = (tile / shape.columns, tile % shape.columns);
        if step > 1 {
            writeln!(text, ".wait 1, {}", step - 1).unwrap();
        }
        for (argument, page, matrix) in [
            (1, k * shape.columns + column, 0),
            (0, row * shape.depth + k, 1),
        ] {
            let l1 = BUFFERS[matrix] + TILE * (step as u32 % 2);
            writeln!(text, ".read {argument}, {page}, {l1:#x}").unwrap();
        }
        text += ".post 0\n";
        if k + 1 == shape.depth && tile > 0 {
            write(&mut text, tile - 1);
        }
    }
    write(&mut text, shape.rows * shape.columns - 1);
    text
}
