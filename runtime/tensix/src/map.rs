//! The address map of a tile's RISC-V cores. The addresses are in [`tessera_isa_tensix::tile`],
//! which makers of images share.

pub use tessera_isa_tensix::tile::*;

use tessera_isa_tensix::{cfg, Arch};
use tessera_riscv::Isa;

use crate::state::config::Config;

/// Returns the instruction set of core `k`.
pub(crate) fn isa(arch: Arch, k: usize) -> Isa {
    match (arch, k) {
        (Arch::WormholeB0, _) => Isa::WORMHOLE,
        (Arch::Blackhole, B | NC) => Isa::BLACKHOLE_INTERRUPTIBLE,
        (Arch::Blackhole, 3) => Isa::BLACKHOLE_VECTOR,
        (Arch::Blackhole, _) => Isa::BLACKHOLE,
    }
}

/// Returns the core whose image overlaps the `length` bytes from `addr` on; `words` has the size of
/// each image.
pub(crate) fn image_at(words: &[usize; 5], addr: u32, length: u32) -> Option<usize> {
    (0..5).find(|&k| {
        let start = IMAGES[k].start;
        u64::from(addr) < u64::from(start) + 4 * words[k] as u64
            && u64::from(start) < u64::from(addr) + u64::from(length)
    })
}

/// Regions of the address space, each of which keeps its accesses in order. It is undocumented that
/// stores to `MopCfg` and pushes keep their order. Kernels depend on it to configure the expander,
/// because `MopCfg` cannot be read back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Region {
    L1,
    Local,
    /// The local memories as seen by other cores (Blackhole).
    LocalForOthers,
    Tdma,
    Control,
    /// The interrupt controller, and copies of program counters (Blackhole).
    Interrupts,
    /// MopCfg and pushes.
    FrontEnd,
    Dst,
    Gprs,
    PcBuf,
    Mailboxes,
    Config,
    Noc0,
    Noc1,
    Overlay,
    Ethernet,
    Other,
}

/// Returns the region of an address.
pub(crate) fn region(arch: Arch, addr: u32) -> Region {
    match addr {
        _ if addr < l1_end(arch) => Region::L1,
        _ if (LOCAL..LOCAL + local_bytes(arch)[B] as u32).contains(&addr) => Region::Local,
        TDMA..CONTROL => Region::Tdma,
        CONTROL..INTERRUPTS => Region::Control,
        NOC..NOC_1 => Region::Noc0,
        NOC_1..OVERLAY => Region::Noc1,
        OVERLAY..MOP_CFG => Region::Overlay,
        ETHERNET..0xffbc_0000 => Region::Ethernet,
        MOP_CFG..0xffb8_0024 | PUSH..0xffe7_0000 => Region::FrontEnd,
        GPRS..0xffe0_1000 => Region::Gprs,
        PC_BUF..0xffeb_0000 => Region::PcBuf,
        MAILBOXES..0xffec_4000 => Region::Mailboxes,
        CONFIG..=0xffef_ffff => Region::Config,
        _ if arch == Arch::Blackhole => region_of_blackhole(addr),
        _ => Region::Other,
    }
}

/// Returns the region of an address that only Blackhole has.
fn region_of_blackhole(addr: u32) -> Region {
    match addr {
        INTERRUPTS..0xffb1_314c => Region::Interrupts,
        0xffb1_4000..0xffb1_e000 => Region::LocalForOthers,
        0xffbd_8000..0xffbe_0000 => Region::Dst,
        _ => Region::Other,
    }
}

/// Returns the core and the offset of an address in [`Region::LocalForOthers`].
pub(crate) fn local_for_others(addr: u32) -> Option<(usize, u32)> {
    let core = LOCAL_FOR_OTHERS.iter().position(|r| r.contains(&addr))?;
    let bytes = local_bytes(Arch::Blackhole)[core] as u32;
    Some((core, LOCAL + (addr - LOCAL_FOR_OTHERS[core].start) % bytes))
}

/// Returns whether nothing is at an address above L1 for the NoC, although there may be for a core.
pub(crate) fn is_unmapped_for_noc(arch: Arch, addr: u32) -> bool {
    let for_noc = matches!(
        region(arch, addr),
        Region::Control
            | Region::Interrupts
            | Region::LocalForOthers
            | Region::Noc0
            | Region::Noc1
            | Region::Overlay
            | Region::Ethernet
    );
    let only_on_wormhole = arch == Arch::WormholeB0 && region(arch, addr) == Region::Tdma;
    !(for_noc || only_on_wormhole)
}

/// A word in the window at [`CONFIG`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ConfigWord {
    /// A word of a state of `Config`.
    State(usize, u32),
    /// A word of both states, for stores; loads read the first one (Blackhole).
    Both(u32),
    /// A word of the `ThreadConfig` of a thread, for loads (Blackhole).
    Thread(usize, u32),
}

impl ConfigWord {
    /// Returns its value.
    pub(crate) fn load(self, config: &Config) -> u32 {
        match self {
            ConfigWord::State(state, word) => config.word_in_state(state, word),
            ConfigWord::Both(word) => config.word_in_state(0, word),
            ConfigWord::Thread(thread, word) => config.thread_word(thread, word),
        }
    }
}

/// Returns the number of words in the window.
pub(crate) fn config_words(arch: Arch) -> usize {
    let words = cfg::config_words(arch);
    match arch {
        Arch::WormholeB0 => 2 * words,
        Arch::Blackhole => 3 * words + 3 * cfg::thread_words(arch),
    }
}

/// Returns word `at` of the window.
pub(crate) fn config_word(arch: Arch, at: usize) -> Option<ConfigWord> {
    let words = cfg::config_words(arch);
    if at >= config_words(arch) {
        return None;
    }
    let (bank, word) = (at / words, (at % words) as u32);
    Some(match bank {
        0 | 1 => ConfigWord::State(bank, word),
        2 => ConfigWord::Both(word),
        _ => {
            let (of, at) = (cfg::thread_words(arch), at - 3 * words);
            ConfigWord::Thread(at / of, (at % of) as u32)
        }
    })
}
