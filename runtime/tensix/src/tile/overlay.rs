//! The NoC overlay's streams, as far as software uses idle ones for their registers.
//!
//! Source: ISA documentation, `NoC/Overlay/AsGeneralUse.md`; the registers' numbers are those of the public header
//! `noc_overlay_parameters.h` for Wormhole, and its simulator's. Circular buffers count the tiles received and acknowledged in two of these registers.
//! Refused with its number: every other register, and so whatever would make a stream do something.

use std::ops::RangeInclusive;

use super::map;
use crate::trap::Fault;

/// Streams of a Tensix tile.
const STREAMS: usize = 64;
/// Bytes from one stream's registers to the next one's.
const STRIDE: u32 = 0x1000;

/// STREAM_REMOTE_SRC.
const REMOTE_SRC: u32 = 0;
/// STREAM_REMOTE_DEST_BUF_START.
const BUF_START: u32 = 3;
/// STREAM_REMOTE_DEST_BUF_SIZE; what is written there goes to all of [`SPACE`], too.
const BUF_SIZE: u32 = 4;
/// STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE_UPDATE: adds to one of [`SPACE`].
const SPACE_UPDATE: u32 = 34;
/// STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE, of which most streams have one and those that can multicast 32.
const SPACE: u32 = 64;
/// Streams that can transmit to many (`NoC/Overlay/README.md`).
const MULTICAST: RangeInclusive<usize> = 0..=3;

const BITS_17: u32 = (1 << 17) - 1;
const BITS_24: u32 = (1 << 24) - 1;

#[derive(Clone, Copy, Debug, Default)]
struct Stream {
    remote_src: u32,
    buf_start: u32,
    buf_size: u32,
    space: u32,
}

/// The streams of a tile.
#[derive(Clone, Debug)]
pub(crate) struct Overlay {
    streams: Box<[Stream; STREAMS]>,
}

/// Stream and register of an address.
fn place(addr: u32) -> (usize, u32) {
    let offset = addr - map::OVERLAY;
    ((offset / STRIDE) as usize, offset % STRIDE / 4)
}

fn not_modelled<T>(addr: u32) -> Result<T, Fault> {
    let (stream, register) = place(addr);
    Err(Fault::unmodelled(format!(
        "register {register} of stream {stream} of the NoC overlay ({addr:#x})"
    )))
}

impl Overlay {
    /// All registers 0.
    pub(crate) fn new() -> Self {
        Overlay {
            streams: Box::new([Stream::default(); STREAMS]),
        }
    }

    pub(crate) fn load(&self, addr: u32) -> Result<u32, Fault> {
        let (stream, register) = place(addr);
        let s = &self.streams[stream];
        match register {
            REMOTE_SRC => Ok(s.remote_src),
            BUF_START => Ok(s.buf_start),
            BUF_SIZE => Ok(s.buf_size),
            SPACE => Ok(s.space),
            _ => not_modelled(addr),
        }
    }

    pub(crate) fn store(&mut self, addr: u32, value: u32) -> Result<(), Fault> {
        let (stream, register) = place(addr);
        let s = &mut self.streams[stream];
        match register {
            REMOTE_SRC => s.remote_src = value & BITS_24,
            BUF_START => s.buf_start = value & BITS_17,
            BUF_SIZE => {
                s.buf_size = value & BITS_17;
                s.space = s.buf_size;
            }
            SPACE_UPDATE if value & 63 == 0 => s.space = s.space.wrapping_add(value >> 6) & BITS_17,
            SPACE_UPDATE if MULTICAST.contains(&stream) => return not_modelled(addr),
            SPACE_UPDATE => {
                return Err(Fault::undefined(format!(
                    "adds to space {} of stream {stream}, which has one ({addr:#x})",
                    value & 63
                )))
            }
            _ => return not_modelled(addr),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_of_circular_buffers() {
        let mut o = Overlay::new();
        let at = |stream: u32, register: u32| map::OVERLAY + stream * STRIDE + 4 * register;
        o.store(at(8, BUF_SIZE), 0x2_0005).unwrap();
        o.store(at(8, BUF_START), 3).unwrap();
        assert_eq!(
            (o.load(at(8, BUF_SIZE)), o.load(at(8, BUF_START))),
            (Ok(5), Ok(3))
        );
        assert_eq!((o.load(at(8, SPACE)), o.load(at(9, SPACE))), (Ok(5), Ok(0)));
        o.store(at(8, SPACE_UPDATE), 2 << 6).unwrap();
        assert_eq!(
            (o.load(at(8, SPACE)), o.load(at(8, BUF_SIZE))),
            (Ok(7), Ok(5))
        );
        let text = |r: Result<(), Fault>| r.unwrap_err().to_string();
        assert_eq!(
            text(o.store(at(63, 33), 0)),
            "not modelled: register 33 of stream 63 of the NoC overlay (0xffb7f084)"
        );
        assert_eq!(
            text(o.store(at(8, SPACE_UPDATE), 1)),
            "undefined behaviour: adds to space 1 of stream 8, which has one (0xffb48088)"
        );
        assert!(o.load(at(0, SPACE_UPDATE)).is_err());
    }
}
