//! Guards for ranges of mixed-radix numbers whose digits are loop indices.

use tessera_mncore_ir::item::{Guard, Test};

/// A conjunction of guards; a list of these is a disjunction.
pub(crate) type Guards = Vec<Guard>;

/// Returns the mixed-radix digits of a number, one per dimension.
pub(crate) fn mixed_radix_digits(dimensions: &[(usize, u32)], mut number: u32) -> Vec<u32> {
    let mut digits = vec![0; dimensions.len()];
    for (digit, &(_, count)) in digits.iter_mut().zip(dimensions).rev() {
        *digit = number % count;
        number /= count;
    }
    digits
}

/// Returns mutually exclusive guards for a mixed-radix number below a bound. The digits are loop
/// indices, the last one least significant.
pub(crate) fn guards_below(dimensions: &[(usize, u32)], bound: u32) -> Vec<Guards> {
    let count: u32 = dimensions.iter().map(|(_, count)| count).product();
    if bound >= count {
        return vec![Vec::new()];
    }
    let (mut found, mut same) = (Vec::new(), Vec::new());
    for (&(dimension, count), digit) in dimensions.iter().zip(mixed_radix_digits(dimensions, bound))
    {
        let guard = |test| Guard { dimension, test };
        if digit > 0 {
            found.push([&same[..], &[guard(Test::Below(digit))]].concat());
        }
        if count > 1 {
            same.push(guard(Test::Is(digit)));
        }
    }
    found
}

/// Returns mutually exclusive guards for a mixed-radix number not below a bound.
pub(crate) fn guards_from(dimensions: &[(usize, u32)], bound: u32) -> Vec<Guards> {
    let count: u32 = dimensions.iter().map(|(_, count)| count).product();
    if bound >= count {
        return Vec::new();
    }
    let (mut found, mut same) = (Vec::new(), Vec::new());
    for (&(dimension, count), digit) in dimensions.iter().zip(mixed_radix_digits(dimensions, bound))
    {
        let guard = |test| Guard { dimension, test };
        if digit + 1 < count {
            found.push([&same[..], &[guard(Test::From(digit + 1))]].concat());
        }
        if count > 1 {
            same.push(guard(Test::Is(digit)));
        }
    }
    found.push(same);
    found
}

#[cfg(test)]
mod tests;
