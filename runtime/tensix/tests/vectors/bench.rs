//! A core that executes single instructions, and the notation of the vectors.

use tessera_isa_tensix::cfg::{self, ConfigField, ThreadField};
use tessera_isa_tensix::{Arch, Instruction, Unit};
use tessera_tensix::arith::spec::format::Format;
use tessera_tensix::insn::pack::{self, Packers};
use tessera_tensix::insn::unpack::{self, Unpackers};
use tessera_tensix::insn::vector::{self, VectorUnit};
use tessera_tensix::state::core_state::CoreState;

/// The thread that executes.
pub const THREAD: usize = 0;
/// The address of inputs and outputs in L1.
pub const L1: u32 = 0x18000;

/// A core, driven instruction by instruction.
pub struct Bench {
    pub core: CoreState,
}

impl Bench {
    /// Creates a core whose configuration is zero.
    pub fn new(arch: Arch) -> Bench {
        Bench {
            core: CoreState::new(arch),
        }
    }

    pub fn set(&mut self, field: ConfigField, value: u32) {
        let set = self.core.config.set(THREAD, field, value);
        set.unwrap_or_else(|fault| panic!("{}: {fault}", field.name));
    }

    pub fn set_thread(&mut self, field: ThreadField, value: u32) {
        let set = self.core.config.set_thread(THREAD, field, value);
        set.unwrap_or_else(|fault| panic!("{}: {fault}", field.name));
    }

    /// Sets the width of Dst for the units that read and write it.
    pub fn set_dst_width(&mut self, wide: bool) {
        for field in [
            cfg::ALU_ACC_CTRL_Fp32_enabled,
            cfg::ALU_ACC_CTRL_SFPU_Fp32_enabled,
            cfg::PCK_DEST_RD_CTRL_Read_32b_data,
        ] {
            self.set(field, wide.into());
        }
    }

    /// Executes an instruction, given as a word.
    ///
    /// # Errors
    /// What the model refuses.
    pub fn run(&mut self, word: u32) -> Result<(), String> {
        let arch = self.core.arch;
        let instruction = Instruction::decode(arch, word).map_err(|e| e.to_string())?;
        self.core.access.clear();
        let core = &mut self.core;
        let done = match instruction.row().unit {
            Unit::Unpacker => unpack::execute(&instruction, THREAD, &mut Unpackers::of(core)),
            Unit::Packer => pack::execute(&instruction, THREAD, &mut Packers::of(core)),
            _ => vector::execute(&instruction, THREAD, VectorUnit::of(core)),
        };
        done.map_err(|fault| fault.to_string())
    }

    /// Executes an instruction, given as text.
    pub fn run_text(&mut self, text: &str) -> Result<(), String> {
        self.run(encode(self.core.arch, text))
    }
}

/// Returns the word of an instruction that is given as text.
pub fn encode(arch: Arch, text: &str) -> u32 {
    let instruction = Instruction::parse(arch, text).unwrap_or_else(|e| panic!("{text}: {e}"));
    let word = instruction.encode(arch);
    word.unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// Returns the chip that a vector names.
pub fn chip(name: &str) -> Arch {
    match name {
        "wh" => Arch::WormholeB0,
        "bh" => Arch::Blackhole,
        _ => panic!("chip {name}"),
    }
}

/// Returns the format that a vector names, with its code.
pub fn format(name: &str) -> (Format, u32) {
    let codes = (0..16).map(|code| (Format::from_code(code), code));
    let mut named = codes.filter(|(format, _)| format.to_string().eq_ignore_ascii_case(name));
    named.next().unwrap_or_else(|| panic!("format {name}"))
}

/// Returns the options of a vector: `name` or `name=value`, or `-` for none.
pub fn options(field: &str, separator: char) -> impl Iterator<Item = (&str, &str)> {
    let options = field.split(separator).filter(|option| *option != "-");
    options.map(|option| option.split_once('=').unwrap_or((option, "")))
}

pub fn hex(field: &str) -> u32 {
    u32::from_str_radix(field, 16).unwrap_or_else(|e| panic!("{field}: {e}"))
}

/// Returns bytes that are written one after the other.
pub fn bytes(field: &str) -> Vec<u8> {
    let digits = field.as_bytes().chunks(2);
    let digits = digits.map(|pair| std::str::from_utf8(pair).expect("two digits"));
    digits.map(|pair| hex(pair) as u8).collect()
}

/// Returns the notation of bytes.
pub fn text(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
