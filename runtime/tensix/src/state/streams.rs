//! Registers of the NoC overlay's streams, as used by software while the streams are idle.
//!
//! Circular buffers count the tiles received and acknowledged in two of these registers. On
//! Blackhole the coprocessor also reads them (STREAMWRCFG) and waits for phases (STREAMWAIT). All
//! other registers are refused, and with them everything that would activate a stream.
//!
//! Source: ISA documentation, `NoC/Overlay/AsGeneralUse.md`; register numbers as in the public
//! headers `noc_overlay_parameters.h` of the two chips.

use std::ops::RangeInclusive;

use tessera_isa_tensix::tile::OVERLAY;
use tessera_isa_tensix::Arch;

use crate::trap::Fault;

/// Bits of STREAMWAIT's target in the instruction; the configuration has the upper ones.
pub(crate) const STREAM_TARGET_BITS: u32 = 10;

/// Number of streams of a Tensix tile.
const STREAMS: usize = 64;
/// Bytes between the registers of consecutive streams.
const STRIDE: u32 = 0x1000;

/// The modelled registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Register {
    /// STREAM_REMOTE_SRC.
    RemoteSrc,
    /// STREAM_REMOTE_DEST_BUF_START.
    BufStart,
    /// STREAM_REMOTE_DEST_BUF_SIZE; writes also set all of [`Register::Space`].
    BufSize,
    /// STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE_UPDATE: adds to one of [`Register::Space`].
    SpaceUpdate,
    /// STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE; most streams have one, those that can multicast 32.
    Space,
    /// STREAM_CURR_PHASE_BASE, on Blackhole.
    PhaseBase,
    /// STREAM_CURR_PHASE, on Blackhole; the sum with [`Register::PhaseBase`] is stored.
    Phase,
}
use Register::*;

/// Register numbers on Wormhole and on Blackhole.
const REGISTERS: [(Register, [Option<u32>; 2]); 7] = [
    (RemoteSrc, [Some(0), Some(4)]),
    (BufStart, [Some(3), Some(8)]),
    (BufSize, [Some(4), Some(10)]),
    (SpaceUpdate, [Some(34), Some(270)]),
    (Space, [Some(64), Some(297)]),
    (PhaseBase, [None, Some(28)]),
    (Phase, [None, Some(29)]),
];

/// Returns the number of a register on a chip.
fn number(arch: Arch, [wormhole, blackhole]: [Option<u32>; 2]) -> Option<u32> {
    match arch {
        Arch::WormholeB0 => wormhole,
        Arch::Blackhole => blackhole,
    }
}

/// Streams that can multicast (`NoC/Overlay/README.md`).
const MULTICAST: RangeInclusive<usize> = 0..=3;

const BITS_20: u32 = (1 << 20) - 1;
const BITS_17: u32 = (1 << 17) - 1;
const BITS_24: u32 = (1 << 24) - 1;

#[derive(Clone, Copy, Debug, Default)]
struct Stream {
    remote_src: u32,
    buf_start: u32,
    buf_size: u32,
    space: u32,
    phase_base: u32,
    /// The phase, including its base.
    phase: u32,
}

/// The streams of a tile.
#[derive(Clone, Debug)]
pub struct Streams {
    arch: Arch,
    streams: Box<[Stream; STREAMS]>,
}

/// Returns the stream and register of an address.
fn place(addr: u32) -> (usize, u32) {
    let offset = addr - OVERLAY;
    ((offset / STRIDE) as usize, offset % STRIDE / 4)
}

/// Returns the address of a register of a stream, of which there are 64 with 1024 registers each.
pub(crate) fn address(stream: usize, register: u32) -> u32 {
    OVERLAY + stream as u32 * STRIDE + 4 * register
}

fn not_modelled<T>(addr: u32) -> Result<T, Fault> {
    let (stream, register) = place(addr);
    Err(Fault::unmodelled(format!(
        "register {register} of stream {stream} of the NoC overlay ({addr:#x})"
    )))
}

impl Streams {
    /// Creates streams whose registers are all 0.
    pub(crate) fn new(arch: Arch) -> Self {
        Streams {
            arch,
            streams: Box::new([Stream::default(); STREAMS]),
        }
    }

    /// Returns the stream of an address, and its register if it is modelled.
    fn register(&self, addr: u32) -> (usize, Option<Register>) {
        let (stream, at) = place(addr);
        let mut known = REGISTERS.iter();
        let known = known.find(|&&(_, numbers)| number(self.arch, numbers) == Some(at));
        (stream, known.map(|&(register, _)| register))
    }

    pub(crate) fn load(&self, addr: u32) -> Result<u32, Fault> {
        let (stream, register) = self.register(addr);
        let s = &self.streams[stream];
        match register {
            Some(RemoteSrc) => Ok(s.remote_src),
            Some(BufStart) => Ok(s.buf_start),
            Some(BufSize) => Ok(s.buf_size),
            Some(Space) => Ok(s.space),
            Some(PhaseBase) => Ok(s.phase_base),
            Some(Phase) => Ok(self.phase(stream)),
            Some(SpaceUpdate) | None => not_modelled(addr),
        }
    }

    /// Returns the phase of a stream.
    pub(crate) fn phase(&self, stream: usize) -> u32 {
        let s = &self.streams[stream];
        s.phase.wrapping_sub(s.phase_base) & BITS_20
    }

    pub(crate) fn store(&mut self, addr: u32, value: u32) -> Result<(), Fault> {
        let (stream, register) = self.register(addr);
        let s = &mut self.streams[stream];
        match register {
            Some(RemoteSrc) => s.remote_src = value & BITS_24,
            Some(BufStart) => s.buf_start = value & BITS_17,
            Some(BufSize) => {
                s.buf_size = value & BITS_17;
                s.space = s.buf_size;
            }
            Some(PhaseBase) => s.phase_base = value & BITS_20,
            Some(Phase) => s.phase = value.wrapping_add(s.phase_base) & BITS_20,
            Some(SpaceUpdate) if value & 63 == 0 => {
                s.space = s.space.wrapping_add(value >> 6) & BITS_17;
            }
            Some(SpaceUpdate) if !MULTICAST.contains(&stream) => {
                return Err(Fault::undefined(format!(
                    "adds to space {} of stream {stream}, which has one ({addr:#x})",
                    value & 63
                )))
            }
            Some(SpaceUpdate | Space) | None => return not_modelled(addr),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
