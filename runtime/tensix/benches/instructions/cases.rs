//! The measured instructions, their states, and the goals for their ratios to ttsim.

use tessera_isa_tensix::cfg;
use tessera_tensix::arith::fast::Level;

use crate::packer::Packing;
use crate::unpacker::{Order, Unpacking};

/// A measured instruction.
#[derive(Clone, Copy)]
pub struct Case {
    pub name: &'static str,
    pub setup: Setup,
    /// Whether the levels of SIMD are measured apart.
    pub has_levels: bool,
    /// The ratio to reach with AVX-512 and with less.
    goals: Option<[f64; 2]>,
}

impl Case {
    /// Returns whether the instruction is measured with a level of SIMD.
    pub fn uses(&self, level: Level) -> bool {
        level == Level::best() || self.has_levels && level != Level::all()[0]
    }

    /// Returns what bounds the instruction, where it is known that it may miss its goal.
    pub fn bound(&self) -> Option<&'static str> {
        let bound = BOUNDS.iter().find(|(name, _)| *name == self.name);
        bound.map(|(_, bound)| *bound)
    }

    /// Returns the ratio to reach.
    pub fn goal(&self, level: Level) -> Option<f64> {
        let is_widest = Level::all().len() == 3 && level == Level::best();
        self.goals
            .map(|[best, less]| if is_widest { best } else { less })
    }
}

/// What bounds instructions that miss their goals on some processors.
const BOUNDS: &[(&str, &str)] = &[
    ("GAPOOL", "vector operations, and where their buffers are"),
    ("MVMUL", "vector operations; Zen 4 halves those of 512 bits"),
    ("ELWMUL", "vector operations: 180 of 256 bits a row"),
    ("MOVB2A", "dispatch: the goal is the time of an SFPNOP"),
    ("SFPLOAD LO16", "checks and records: 13 of 17 ns"),
    ("SFPSTORE LO16", "checks and records: 13 of 18 ns"),
    (
        "PACR BF16 from FP32, edge mask",
        "settings and addresses, for half of the datums",
    ),
];

/// The state in which an instruction is executed.
#[derive(Clone, Copy)]
pub enum Setup {
    /// Sources and Dst of a width with datums; these instructions in turn.
    Registers {
        wide: bool,
        texts: &'static [&'static str],
    },
    Packing(Packing),
    Unpacking(Unpacking),
}

/// MVMULs of all rows of SrcB.
const MVMULS: &[&str] = &[
    "ttmvmul 0, 0, 0, 0",
    "ttmvmul 0, 0, 0, 8",
    "ttmvmul 0, 0, 0, 16",
    "ttmvmul 0, 0, 0, 24",
    "ttmvmul 0, 0, 0, 32",
    "ttmvmul 0, 0, 0, 40",
    "ttmvmul 0, 0, 0, 48",
    "ttmvmul 0, 0, 0, 56",
];

/// Instructions on registers: name, whether Dst is 32 bits wide, instructions, goal.
const ON_REGISTERS: &[(&str, bool, &[&str], Option<f64>)] = &[
    ("GMPOOL", true, &["ttgmpool 0, 1, 0, 0, 0"], Some(4.0)),
    ("MOVA2D", false, &["ttmova2d 0, 0, 3, 2, 0"], Some(4.0)),
    ("MOVB2D", false, &["ttmovb2d 0, 0, 3, 4, 0"], Some(4.0)),
    (
        "MOVB2D broadcast",
        false,
        &["ttmovb2d 0, 0, 3, 2, 0"],
        Some(4.0),
    ),
    ("MOVD2A", true, &["ttmovd2a 0, 0, 3, 2, 0"], Some(4.0)),
    ("MOVD2B", true, &["ttmovd2b 0, 0, 3, 2, 0"], Some(4.0)),
    ("MOVB2A", true, &["ttmovb2a 0, 3, 2, 0"], Some(4.0)),
    ("SETRWC", true, &["ttsetrwc 0, 0, 0, 0, 0, 7"], None),
    ("SFPMAD", true, &["sfpmad 0, 1, 2, 3, 0"], Some(6.0)),
    ("SFPLUT", true, &["sfplut 3, 4"], Some(3.0)),
    ("SFPLUTFP32", true, &["sfplutfp32 7, 2"], Some(3.0)),
    (
        "SFPSTOCHRND FP32 to BF16",
        true,
        &["sfpstochrnd 0, 0, 0, 1, 3, 1"],
        Some(3.0),
    ),
    (
        "SFPSTOCHRND FP32 to UINT8",
        true,
        &["sfpstochrnd 0, 0, 0, 1, 3, 2"],
        Some(3.0),
    ),
    ("SFPCAST", true, &["sfpcast 0, 3, 0"], Some(3.0)),
    ("SFPIADD", true, &["sfpiadd 0, 1, 3, 4"], None),
    ("SFPAND", true, &["sfpand 0, 1, 3, 0"], None),
    ("SFPNOP", true, &["sfpnop"], None),
    ("SFPLOAD FP32", true, &["sfpload 4, 3, 3, 0"], Some(3.0)),
    ("SFPLOAD BF16", false, &["sfpload 4, 2, 3, 0"], Some(3.0)),
    ("SFPLOAD FP16", false, &["sfpload 4, 1, 3, 0"], None),
    ("SFPLOAD INT32", true, &["sfpload 4, 4, 3, 0"], Some(3.0)),
    ("SFPLOAD LO16", false, &["sfpload 4, 6, 3, 0"], Some(3.0)),
    ("SFPSTORE FP32", true, &["sfpstore 0, 3, 3, 0"], Some(3.0)),
    ("SFPSTORE BF16", false, &["sfpstore 0, 2, 3, 0"], Some(3.0)),
    ("SFPSTORE FP16", false, &["sfpstore 0, 1, 3, 0"], None),
    ("SFPSTORE INT32", true, &["sfpstore 0, 4, 3, 0"], Some(3.0)),
    ("SFPSTORE LO16", false, &["sfpstore 0, 6, 3, 0"], Some(3.0)),
];

/// Instructions with kernels of their own for each level of SIMD.
const BY_LEVEL: &[(&str, &[&str], [f64; 2])] = &[
    ("MVMUL", MVMULS, [25.0, 18.0]),
    (
        "GAPOOL",
        &["ttgapool 0, 1, 0, 0, 0", "ttgapool 0, 1, 0, 0, 4"],
        [12.0; 2],
    ),
    (
        "ELWADD",
        &["ttelwadd 0, 0, 0, 0, 0", "ttelwadd 0, 0, 0, 0, 8"],
        [12.0; 2],
    ),
    (
        "ELWSUB",
        &["ttelwsub 0, 0, 0, 0, 0", "ttelwsub 0, 0, 0, 0, 8"],
        [12.0; 2],
    ),
    (
        "ELWMUL",
        &["ttelwmul 0, 0, 0, 0, 0", "ttelwmul 0, 0, 0, 0, 8"],
        [12.0; 2],
    ),
];

const fn packing(name: &'static str, wide: bool, formats: [u32; 2]) -> Packing {
    Packing {
        name,
        wide,
        formats,
        more: &[],
        accumulates: false,
    }
}

const FP32: u32 = 0;
const FP16: u32 = 1;
const BF16: u32 = 5;
const BFP8: u32 = 6;
const BFP4: u32 = 7;
const INT32: u32 = 8;
const INT8: u32 = 14;

const PACKINGS: &[Packing] = &[
    packing("PACR FP32 from FP32", true, [FP32, FP32]),
    packing("PACR BF16 from FP32", true, [BF16, BF16]),
    packing("PACR BF16 from BF16", false, [BF16, BF16]),
    packing("PACR FP16 from FP32", true, [FP32, FP16]),
    packing("PACR FP16 from FP16", false, [FP16, FP16]),
    packing("PACR INT32 from INT32", true, [INT32, INT32]),
    packing("PACR INT8 from INT32", true, [INT8, INT8]),
    packing("PACR BFP8 from FP32", true, [FP32, BFP8]),
    packing("PACR BFP8 from BF16", false, [BF16, BFP8]),
    packing("PACR BFP4 from FP32", true, [FP32, BFP4]),
    Packing {
        more: &[(cfg::STACC_RELU_ApplyRelu, 1)],
        ..packing("PACR BF16 from FP32, relu", true, [BF16, BF16])
    },
    Packing {
        more: &[
            (cfg::STACC_RELU_ApplyRelu, 3),
            (cfg::STACC_RELU_ReluThreshold, 0x4000),
        ],
        ..packing("PACR BF16 from FP32, relu threshold", true, [BF16, BF16])
    },
    Packing {
        more: &[(cfg::PCK_EDGE_OFFSET_mask.nth(0), 0x00FF)],
        ..packing("PACR BF16 from FP32, edge mask", true, [BF16, BF16])
    },
    Packing {
        accumulates: true,
        ..packing("PACR FP32 from FP32, accumulating", true, [FP32, FP32])
    },
    Packing {
        accumulates: true,
        ..packing("PACR BF16 from BF16, accumulating", false, [BF16, BF16])
    },
];

const fn unpacking(name: &'static str, formats: [u32; 2]) -> Unpacking {
    Unpacking {
        name,
        formats,
        to_dst: false,
        order: Order::Plain,
    }
}

const UNPACKINGS: &[Unpacking] = &[
    unpacking("UNPACR BF16 to SrcA", [BF16, BF16]),
    unpacking("UNPACR BFP8 to SrcA", [BFP8, BFP8]),
    unpacking("UNPACR BFP4 to SrcA", [BFP4, BFP4]),
    unpacking("UNPACR FP16 to SrcA", [FP16, FP16]),
    unpacking("UNPACR INT8 to SrcA", [INT8, INT8]),
    unpacking("UNPACR FP32 to TF32 in SrcA", [FP32, 4]),
    unpacking("UNPACR FP32 to FP16 in SrcA", [FP32, FP16]),
    Unpacking {
        to_dst: true,
        ..unpacking("UNPACR FP32 to Dst", [FP32, FP32])
    },
    Unpacking {
        order: Order::Transposed,
        ..unpacking("UNPACR BF16 to SrcA, transposed", [BF16, BF16])
    },
    Unpacking {
        order: Order::Tilizing,
        ..unpacking("UNPACR BF16 to SrcA, tilizing", [BF16, BF16])
    },
    Unpacking {
        order: Order::DatumByDatum,
        ..unpacking("UNPACR BF16 to SrcA, datum by datum", [BF16, BF16])
    },
];

/// Returns all cases.
pub fn all() -> impl Iterator<Item = Case> {
    let by_level = BY_LEVEL.iter().map(|&(name, texts, goals)| Case {
        name,
        setup: Setup::Registers { wide: true, texts },
        has_levels: true,
        goals: Some(goals),
    });
    let plain = |name: &'static str, setup, goal: Option<f64>| Case {
        name,
        setup,
        has_levels: false,
        goals: goal.map(|goal| [goal; 2]),
    };
    let on_registers = (ON_REGISTERS.iter())
        .map(move |&(name, wide, texts, goal)| plain(name, Setup::Registers { wide, texts }, goal));
    let packings = (PACKINGS.iter())
        .map(move |&packing| plain(packing.name, Setup::Packing(packing), Some(4.0)));
    let unpackings = (UNPACKINGS.iter())
        .map(move |&unpacking| plain(unpacking.name, Setup::Unpacking(unpacking), None));
    by_level
        .chain(on_registers)
        .chain(packings)
        .chain(unpackings)
}
