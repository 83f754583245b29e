//! A core for single instructions, used by the units' tests.

use tessera_isa_tensix::cfg::{self, ConfigField, ThreadField};
use tessera_isa_tensix::{Arch, Instruction};

use crate::arith::spec::bits;
use crate::arith::{Row, COLUMNS};
use crate::insn;
use crate::state::banks::Src;
use crate::state::core_state::CoreState;
use crate::state::row32::Row32;
use crate::state::sync::Sync;

/// The thread that executes.
pub(crate) const THREAD: usize = 1;

/// A core, driven instruction by instruction.
pub(crate) struct Bench {
    pub(crate) core: CoreState,
}

impl Bench {
    /// Creates a core of Wormhole B0 with BF16 sources and a 32-bit Dst.
    pub(crate) fn new() -> Bench {
        Bench::on(Arch::WormholeB0)
    }

    /// Creates a core with BF16 sources and a 32-bit Dst. The configured formats also apply on
    /// Blackhole.
    pub(crate) fn on(arch: Arch) -> Bench {
        Bench::with(CoreState::new(arch))
    }

    /// Applies this set-up to a core.
    pub(crate) fn with(core: CoreState) -> Bench {
        let mut bench = Bench { core };
        if bench.core.arch == Arch::Blackhole {
            bench.set_thread(cfg::DISABLE_IMPLIED_SRCA_FMT_Base, 1);
            bench.set_thread(cfg::DISABLE_IMPLIED_SRCB_FMT_Base, 1);
        }
        for field in [
            cfg::ALU_FORMAT_SPEC_REG0_SrcA,
            cfg::ALU_FORMAT_SPEC_REG1_SrcB,
            cfg::ALU_FORMAT_SPEC_REG2_Dstacc,
        ] {
            bench.set(field, 5);
        }
        bench.dst_width(1)
    }

    /// Sets the three bits that say whether Dst is 32 bits wide.
    pub(crate) fn dst_width(mut self, wide: u32) -> Bench {
        for field in [
            cfg::ALU_ACC_CTRL_Fp32_enabled,
            cfg::ALU_ACC_CTRL_SFPU_Fp32_enabled,
            cfg::PCK_DEST_RD_CTRL_Read_32b_data,
        ] {
            self.set(field, wide);
        }
        self
    }

    pub(crate) fn set(&mut self, field: ConfigField, value: u32) {
        self.core.config.set(THREAD, field, value).unwrap();
    }

    pub(crate) fn set_thread(&mut self, field: ThreadField, value: u32) {
        self.core.config.set_thread(THREAD, field, value).unwrap();
    }

    /// Executes one instruction, given as text.
    pub(crate) fn try_run(&mut self, text: &str) -> Result<(), String> {
        let instruction = Instruction::parse(self.core.arch, text);
        let instruction = instruction.unwrap_or_else(|e| panic!("{text}: {e}"));
        self.core.access.clear();
        self.core.request = None;
        let mut sync = Sync::new(self.core.arch);
        let whose = (&instruction, instruction.row().unit);
        insn::execute(whose, THREAD, &mut self.core, &mut sync).map_err(|fault| fault.to_string())
    }

    /// Executes instructions that must succeed, one per line.
    pub(crate) fn run(&mut self, text: &str) {
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            self.try_run(line)
                .unwrap_or_else(|fault| panic!("{line}: {fault}"));
        }
    }

    /// Checks that an instruction is refused with this text.
    pub(crate) fn refuses(&mut self, text: &str, fault: &str) {
        assert_eq!(self.try_run(text), Err(fault.to_owned()), "{text}");
    }

    /// Fills a bank with BF16 data and gives it to the matrix unit.
    pub(crate) fn give_src(&mut self, src: Src, datum: impl Fn(usize, usize) -> u16) {
        let bank = self.core.banks.unpacker_bank(src);
        for row in 0..64 {
            let datums = std::array::from_fn(|column| bits::src_from_bf16(datum(row, column)));
            self.core.regs.src_mut(src).write_row(bank, row, datums);
        }
        self.core.banks.hand_to_matrix(src, THREAD, 0).unwrap();
    }

    /// Marks all rows of Dst as zero.
    pub(crate) fn zero_dst(&mut self) {
        (0..1024).for_each(|place| self.core.regs.dst.mark_place(place));
    }

    /// Returns a row of a 32-bit Dst as FP32.
    pub(crate) fn dst32(&self, row: usize) -> Row {
        self.core
            .regs
            .dst
            .row32(Row32::new(row))
            .unwrap()
            .map(bits::fp32_from_dst)
    }

    /// Writes a row of a 32-bit Dst.
    pub(crate) fn put_dst32(&mut self, row: usize, datums: Row) {
        self.core
            .regs
            .dst
            .write_row32(Row32::new(row), datums.map(bits::dst_from_fp32));
    }

    /// Returns a row of a 16-bit Dst as BF16.
    pub(crate) fn dst16(&self, row: usize) -> [u16; COLUMNS] {
        self.core
            .regs
            .dst
            .row16(row)
            .unwrap()
            .map(bits::bf16_from_dst)
    }

    /// Writes a row of a 16-bit Dst.
    pub(crate) fn put_dst16(&mut self, row: usize, datums: [u16; COLUMNS]) {
        self.core
            .regs
            .dst
            .write_row16(row, datums.map(bits::dst_from_bf16));
    }
}

/// Returns the FP32 bits of a small integer.
pub(crate) fn f32_of(n: i32) -> u32 {
    let magnitude = n.unsigned_abs();
    if magnitude == 0 {
        return 0;
    }
    let top = 31 - magnitude.leading_zeros();
    assert!(top < 24);
    u32::from(n < 0) << 31 | (127 + top) << 23 | (magnitude << (23 - top)) & 0x7F_FFFF
}

/// Returns the BF16 bits of an integer below 256.
pub(crate) fn bf16_of(n: i32) -> u16 {
    let bits = f32_of(n);
    assert_eq!(bits & 0xFFFF, 0);
    (bits >> 16) as u16
}
