//! Scalar unit (ThCon): loads, stores and atomics on L1, registers and Src.
//!
//! An instruction takes effect when it is issued. Its memory request then stays in flight
//! ([`crate::issue::flight`]), and a GPR written by a load cannot be used before the thread has
//! waited for it ([`crate::state::gpr`]). Requests of the unit stay in order. Some instructions
//! wait while they occupy the unit: ATCAS and ATINCGETPTR for a value in L1, STOREIND for a bank of
//! Src. Functions in `…_is_ready` tell whether the wait is over.
//!
//! Source: ISA documentation, `ScalarUnit.md` and the pages of the instructions below. Traps:
//! `mem_hier_sel` where the pages say 0, combinations of STOREIND's selectors that the pages do not
//! have, L1 addresses beyond its end. ttsim 1.10.0 has only STOREREG of these; it was compared.

use tessera_isa_tensix::cfg;
use tessera_isa_tensix::table::{
    Atcas, Atincget, Atincgetptr, Atswap, Loadind, Loadreg, Storeind, Storereg,
};

use super::unit::ScalarUnit;
use crate::arith::spec::bits;
use crate::state::banks::{Banks, Src};
use crate::state::config::Config;
use crate::state::gpr::Gprs;
use crate::state::l1::{little_endian, L1};
use crate::state::request::{register, Request};
use crate::trap::Fault;

/// Returns whether an ATCAS no longer has to wait inside the scalar unit.
pub(super) fn atcas_is_ready(i: &Atcas, (gprs, l1): (&Gprs, &mut L1)) -> Result<bool, Fault> {
    let address = line(i.mem_hier_sel, i.addr_reg_index, gprs)? + 4 * i.sel_32b;
    Ok(l1.poll_word(address)? == i.cmp_val)
}

/// Returns whether an ATINCGETPTR no longer has to wait inside the scalar unit.
pub(super) fn atincgetptr_is_ready(
    i: &Atincgetptr,
    (gprs, l1): (&Gprs, &mut L1),
) -> Result<bool, Fault> {
    let address = line(i.mem_hier_sel, i.addr_reg_index, gprs)?;
    let [read, write] = [l1.poll_word(address)?, l1.poll_word(address + 4)?];
    Ok(fifo_allows(i, read, write))
}

/// Returns whether a STOREIND no longer has to wait inside the scalar unit.
pub(super) fn storeind_is_ready(i: &Storeind, banks: &Banks) -> Result<bool, Fault> {
    Ok(!is_to_src(i) || banks.unpacker_may_write(src_of(i)))
}

/// Returns whether a STOREIND writes Src.
pub(super) fn is_to_src(i: &Storeind) -> bool {
    i.mem_hier_sel | i.size_sel == 0
}

/// Returns the L1 address of the 16 bytes that a GPR numbers.
fn line(hierarchy: u32, gpr: u32, gprs: &Gprs) -> Result<u32, Fault> {
    if hierarchy != 0 {
        return Err(Fault::undefined(
            "an atomic instruction with mem_hier_sel = 1",
        ));
    }
    Ok(gprs.get(gpr)?.wrapping_mul(16))
}

/// An indirect address: the base in one GPR and the offset in half a GPR, which is then
/// incremented.
struct Indirect {
    base: u32,
    offset: u32,
}

impl Indirect {
    fn read(base: u32, half: u32, step: u32, gprs: &mut Gprs) -> Result<Indirect, Fault> {
        let (base, offset) = (gprs.get(base)?, gprs.get_half(half)?);
        gprs.set_half(half, offset.wrapping_add([0, 2, 4, 16][step as usize]));
        Ok(Indirect {
            base,
            offset: offset.into(),
        })
    }

    fn of_store(i: &Storeind, gprs: &mut Gprs) -> Result<Indirect, Fault> {
        let (base, half, step) = (i.addr_reg_index, i.offset_index, i.auto_inc_spec);
        Indirect::read(base, half, step, gprs)
    }

    fn in_l1(&self) -> u32 {
        self.base.wrapping_mul(16).wrapping_add(self.offset)
    }
}

pub(super) fn loadind(i: &Loadind, (gprs, l1): (&mut Gprs, &mut L1)) -> Result<(), Fault> {
    let at = Indirect::read(i.addr_reg_index, i.offset_index, i.auto_inc_spec, gprs)?;
    let (address, first) = (at.in_l1(), i.data_reg_index);
    let width = [16, 4, 2, 1][i.size_sel as usize];
    let bytes = l1.read(address & !(width - 1), width as usize)?;
    let words: [u32; 4] = std::array::from_fn(|k| match bytes.get(4 * k..) {
        Some(rest) => little_endian(&rest[..rest.len().min(4)]),
        None => 0,
    });
    match i.size_sel {
        0 => {
            for (register, word) in (first & !3..).zip(words) {
                gprs.begin_load(register)?;
                gprs.set(register, word);
            }
            return Ok(());
        }
        _ => gprs.begin_load(first)?,
    }
    match i.size_sel {
        1 => gprs.set(first, words[0]),
        2 => gprs.set_half(2 * first, words[0] as u16),
        _ => gprs.set_byte(first, words[0] as u8),
    }
    Ok(())
}

pub(super) fn storeind(
    i: &Storeind,
    thread: usize,
    unit: &mut ScalarUnit<'_>,
) -> Result<(), Fault> {
    let gprs = &mut unit.gprs[thread];
    match (i.mem_hier_sel, i.size_sel, i.reg_size_sel) {
        (1, high, low) => storeind_l1(i, high << 1 | low, (gprs, unit.l1)),
        (0, 1, 0) => storeind_register(i, gprs, unit.request),
        (0, 0, _) => storeind_src(i, thread, unit),
        _ => Err(Fault::undefined(
            "STOREIND with mem_hier_sel 0, size_sel 1 and reg_size_sel 1; see its three forms",
        )),
    }
}

fn storeind_l1(i: &Storeind, size: u32, (gprs, l1): (&mut Gprs, &mut L1)) -> Result<(), Fault> {
    let address = Indirect::of_store(i, gprs)?.in_l1();
    let bytes: Vec<u8> = match size {
        0 => gprs
            .get_four(i.data_reg_index)?
            .iter()
            .flat_map(|word| word.to_le_bytes())
            .collect(),
        1 => gprs.get(i.data_reg_index)?.to_le_bytes().to_vec(),
        2 => gprs.get_half(2 * i.data_reg_index)?.to_le_bytes().to_vec(),
        _ => vec![gprs.get_half(2 * i.data_reg_index)? as u8],
    };
    l1.write(address & !(bytes.len() as u32 - 1), &bytes)
}

fn storeind_register(
    i: &Storeind,
    gprs: &mut Gprs,
    request: &mut Option<Request>,
) -> Result<(), Fault> {
    // The value is read before the offset is incremented, so it can be the offset itself.
    let value = gprs.get(i.data_reg_index)?;
    let at = Indirect::of_store(i, gprs)?;
    let offset = at.base.wrapping_add(at.offset >> 4) & 0xF_FFFC;
    let address = register(offset)?;
    *request = Some(Request::Store { address, value });
    Ok(())
}

fn src_of(i: &Storeind) -> Src {
    Src::for_unpacker(i.reg_size_sel as usize)
}

/// Writes four BF16 datums from two GPRs. The low halves are in Dst's bit order, the high halves in
/// IEEE order, as documented.
fn storeind_src(i: &Storeind, thread: usize, unit: &mut ScalarUnit<'_>) -> Result<(), Fault> {
    let [first, second, ..] = unit.gprs[thread].get_four(i.data_reg_index)?;
    let datums = [first, first >> 16, second, second >> 16].map(|half| half as u16);
    let at = Indirect::of_store(i, &mut unit.gprs[thread])?;
    let index = at.base.wrapping_add(at.offset >> 4) & 0xF_FFFF;
    let src = src_of(i);
    let Some(row) = src_row(src, index, thread, (unit.config, unit.banks))? else {
        return Ok(());
    };
    let bank = unit.banks.unpacker_bank(src);
    for (k, datum) in datums.into_iter().enumerate() {
        let datum = match k % 2 {
            0 => bits::src_from_dst_bf16(datum),
            _ => bits::src_from_bf16(datum),
        };
        let column = (index & 3) as usize * 4 + k;
        unit.src[src as usize].write(bank, row, column, datum);
    }
    Ok(())
}

/// Returns the row of Src that contains the four datums of an index; `None` for the first four rows
/// of SrcA, which are dropped.
fn src_row(
    src: Src,
    index: u32,
    thread: usize,
    (config, banks): (&Config, &Banks),
) -> Result<Option<usize>, Fault> {
    let beyond = |rows: u32| {
        Err(Fault::undefined(format!(
            "STOREIND to Src{src:?} at index {index:#x}, beyond its {rows} rows"
        )))
    };
    let row = match (src, index >> 2) {
        (Src::A, 0..4) => return Ok(None),
        (Src::A, row) => row - 4,
        (Src::B, row) => row,
    };
    let whole = config.thread(thread, cfg::SRCA_SET_SetOvrdWithAddr) != 0;
    if src == Src::A && whole {
        return if row < 64 {
            Ok(Some(row as usize))
        } else {
            beyond(64)
        };
    }
    if row >= 16 {
        return beyond(16);
    }
    let base = banks.src_row[src as usize][thread];
    Ok(Some((row + base) as usize & 63))
}

pub(super) fn storereg(
    i: &Storereg,
    gprs: &Gprs,
    request: &mut Option<Request>,
) -> Result<(), Fault> {
    let address = register(i.reg_addr << 2)?;
    let value = gprs.get(i.tdma_data_reg_index)?;
    *request = Some(Request::Store { address, value });
    Ok(())
}

pub(super) fn loadreg(i: &Loadreg, thread: usize, unit: &mut ScalarUnit<'_>) -> Result<(), Fault> {
    let address = register(i.reg_addr << 2)?;
    unit.gprs[thread].begin_load(i.tdma_data_reg_index)?;
    *unit.request = Some(Request::Load {
        address,
        thread,
        register: i.tdma_data_reg_index,
    });
    Ok(())
}

/// Replaces the bits of `mask` of an L1 word by those of `change`'s result; returns the old word.
fn update(l1: &mut L1, address: u32, mask: u32, change: impl Fn(u32) -> u32) -> Result<u32, Fault> {
    let old = little_endian(l1.read(address, 4)?);
    let new = change(old) & mask | old & !mask;
    l1.write(address, &new.to_le_bytes())?;
    Ok(old)
}

pub(super) fn atincget(i: &Atincget, (gprs, l1): (&mut Gprs, &mut L1)) -> Result<(), Fault> {
    let address = line(i.mem_hier_sel, i.addr_reg_index, gprs)? + 4 * i.sel_32b;
    let increment = gprs.get(i.data_reg_index)?;
    let mask = (2u32 << i.wrap_val).wrapping_sub(1);
    let old = update(l1, address, mask, |old| old.wrapping_add(increment))?;
    gprs.begin_load(i.data_reg_index)?;
    gprs.set(i.data_reg_index, old);
    Ok(())
}

/// Returns whether a FIFO's counters permit a push (odd `sel_32b`: the write counter) or a pop.
/// popped.
fn fifo_allows(i: &Atincgetptr, read: u32, write: u32) -> bool {
    let size = write.wrapping_sub(read);
    let capacity = match i.wrap_val {
        0 => 0x8000,
        width => 1u32 << (width - 1),
    };
    match i.sel_32b & 1 {
        0 => size != 0,
        _ => size == 0 || size % capacity != 0,
    }
}

pub(super) fn atincgetptr(i: &Atincgetptr, (gprs, l1): (&mut Gprs, &mut L1)) -> Result<(), Fault> {
    let address = line(i.mem_hier_sel, i.addr_reg_index, gprs)?;
    let increment = (1 - i.no_incr) << i.incr_val;
    let mask = (1u32 << i.wrap_val) - 1;
    // Both counters take part, whichever is returned.
    l1.read(address, 8)?;
    let old = update(l1, address + 4 * i.sel_32b, mask, |old| {
        old.wrapping_add(increment)
    })?;
    gprs.check_loaded(i.data_reg_index)?;
    gprs.set(i.data_reg_index, old);
    Ok(())
}

pub(super) fn atcas(i: &Atcas, (gprs, l1): (&Gprs, &mut L1)) -> Result<(), Fault> {
    let address = line(i.mem_hier_sel, i.addr_reg_index, gprs)? + 4 * i.sel_32b;
    update(l1, address, u32::MAX, |_| i.swap_val).map(|_| ())
}

pub(super) fn atswap(i: &Atswap, (gprs, l1): (&Gprs, &mut L1)) -> Result<(), Fault> {
    let address = line(i.mem_hier_sel, i.addr_reg_index, gprs)?;
    let words = gprs.get_four(i.data_reg_index)?;
    for k in (0..8).filter(|k| i.swap_mask >> k & 1 != 0) {
        let half = (words[k / 2] >> (16 * (k % 2))) as u16;
        l1.write(address + 2 * k as u32, &half.to_le_bytes())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
