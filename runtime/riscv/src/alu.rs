//! The M extension where Rust's operators differ: division by zero and the one quotient that overflows.

/// `div`: by zero gives -1, the overflow gives the dividend.
pub(crate) fn div(a: u32, b: u32) -> u32 {
    match b {
        0 => u32::MAX,
        _ => (a as i32).wrapping_div(b as i32) as u32,
    }
}

/// `divu`: by zero gives all ones.
pub(crate) fn divu(a: u32, b: u32) -> u32 {
    a.checked_div(b).unwrap_or(u32::MAX)
}

/// `rem`: by zero gives the dividend, the overflow gives 0.
pub(crate) fn rem(a: u32, b: u32) -> u32 {
    match b {
        0 => a,
        _ => (a as i32).wrapping_rem(b as i32) as u32,
    }
}

/// `remu`: by zero gives the dividend.
pub(crate) fn remu(a: u32, b: u32) -> u32 {
    a.checked_rem(b).unwrap_or(a)
}

/// The upper word of signed times signed.
pub(crate) fn mulh(a: u32, b: u32) -> u32 {
    ((i64::from(a as i32) * i64::from(b as i32)) >> 32) as u32
}

/// The upper word of signed times unsigned.
pub(crate) fn mulhsu(a: u32, b: u32) -> u32 {
    ((i64::from(a as i32) * i64::from(b)) >> 32) as u32
}

/// The upper word of unsigned times unsigned.
pub(crate) fn mulhu(a: u32, b: u32) -> u32 {
    ((u64::from(a) * u64::from(b)) >> 32) as u32
}
