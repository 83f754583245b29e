//! Integer operations that are not a single operator of Rust.

use crate::table::Op;

/// Executes `div`: division by zero gives -1, overflow gives the dividend.
pub(crate) fn div(a: u32, b: u32) -> u32 {
    match b {
        0 => u32::MAX,
        _ => (a as i32).wrapping_div(b as i32) as u32,
    }
}

/// Executes `divu`: division by zero gives all ones.
pub(crate) fn divu(a: u32, b: u32) -> u32 {
    a.checked_div(b).unwrap_or(u32::MAX)
}

/// Executes `rem`: division by zero gives the dividend, overflow gives 0.
pub(crate) fn rem(a: u32, b: u32) -> u32 {
    match b {
        0 => a,
        _ => (a as i32).wrapping_rem(b as i32) as u32,
    }
}

/// Executes `remu`: division by zero gives the dividend.
pub(crate) fn remu(a: u32, b: u32) -> u32 {
    a.checked_rem(b).unwrap_or(a)
}

/// Returns the upper word of signed times signed.
pub(crate) fn mulh(a: u32, b: u32) -> u32 {
    ((i64::from(a as i32) * i64::from(b as i32)) >> 32) as u32
}

/// Returns the upper word of signed times unsigned.
pub(crate) fn mulhsu(a: u32, b: u32) -> u32 {
    ((i64::from(a as i32) * i64::from(b)) >> 32) as u32
}

/// Returns the upper word of unsigned times unsigned.
pub(crate) fn mulhu(a: u32, b: u32) -> u32 {
    ((u64::from(a) * u64::from(b)) >> 32) as u32
}

/// Executes an instruction of Zba or Zbb, `pack` or `grevi`; `b` is the second register or the
/// immediate. Returns `None` for any other operation.
pub(crate) fn bits(op: Op, a: u32, b: u32) -> Option<u32> {
    let (signed_a, signed_b) = (a as i32, b as i32);
    Some(match op {
        Op::Sh1add => (a << 1).wrapping_add(b),
        Op::Sh2add => (a << 2).wrapping_add(b),
        Op::Sh3add => (a << 3).wrapping_add(b),
        Op::Andn => a & !b,
        Op::Orn => a | !b,
        Op::Xnor => !(a ^ b),
        Op::Clz => a.leading_zeros(),
        Op::Ctz => a.trailing_zeros(),
        Op::Cpop => a.count_ones(),
        Op::Sextb => a as i8 as u32,
        Op::Sexth => a as i16 as u32,
        Op::Max => signed_a.max(signed_b) as u32,
        Op::Maxu => a.max(b),
        Op::Min => signed_a.min(signed_b) as u32,
        Op::Minu => a.min(b),
        Op::Rol => a.rotate_left(b & 31),
        Op::Ror | Op::Rori => a.rotate_right(b & 31),
        Op::Orcb => u32::from_le_bytes(a.to_le_bytes().map(|byte| match byte {
            0 => 0,
            _ => 0xff,
        })),
        Op::Pack => a & 0xffff | b << 16,
        Op::Grevi => reverse(a, b),
        _ => return None,
    })
}

/// Executes `grev`: swaps adjacent groups of 2^k bits for each bit k of `by`.
fn reverse(a: u32, by: u32) -> u32 {
    const EVEN: [u32; 5] = [
        0x5555_5555,
        0x3333_3333,
        0x0f0f_0f0f,
        0x00ff_00ff,
        0x0000_ffff,
    ];
    let swap = |word: u32, (k, even): (usize, &u32)| match by >> k & 1 {
        0 => word,
        _ => (word & even) << (1 << k) | word >> (1 << k) & even,
    };
    EVEN.iter().enumerate().fold(a, swap)
}

/// Returns the new value of the memory word `old` after an atomic operation.
pub(crate) fn atomic(op: Op, old: u32, value: u32) -> Option<u32> {
    let (signed_old, signed_value) = (old as i32, value as i32);
    Some(match op {
        Op::Amoadd => old.wrapping_add(value),
        Op::Amoswap => value,
        Op::Amoxor => old ^ value,
        Op::Amoor => old | value,
        Op::Amoand => old & value,
        Op::Amomin => signed_old.min(signed_value) as u32,
        Op::Amomax => signed_old.max(signed_value) as u32,
        Op::Amominu => old.min(value),
        Op::Amomaxu => old.max(value),
        _ => return None,
    })
}
