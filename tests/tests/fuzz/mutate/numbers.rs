//! Numbers at the edges of types, and small ones.

use tessera_test_support::random::Rng;

/// Edges of the integer types, and texts that are not integers.
///
/// None is between 65,536 and 2^31, because an extent there may be valid and take hours.
const EDGES: &[&str] = &[
    "0",
    "-1",
    "-0",
    "1",
    "255",
    "256",
    "65535",
    "65536",
    "2147483647",
    "2147483648",
    "-2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "340282366920938463463374607431768211456",
    "0xffffffff",
    "0x8000000000000000",
    "1.0e38",
    "1.0e400",
    "nan",
    "inf",
    "-inf",
    "0x7F800001",
    "1.5",
];

/// Extents that compile and run quickly, some of them awkward.
const SMALL: &[&str] = &[
    "0", "1", "2", "3", "4", "7", "8", "15", "16", "17", "31", "32", "33", "64", "65", "96", "100",
    "128",
];

/// Returns a number at an edge.
pub fn edge(rng: &mut Rng) -> String {
    rng.pick(EDGES).to_owned()
}

/// Edges that MLIR reads as an extent.
const EXTENTS: &[&str] = &[
    "0",
    "1",
    "255",
    "65535",
    "65536",
    "2147483647",
    "2147483648",
    "4294967296",
    "4611686018427387904",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551616",
    "?",
];

/// Returns an extent at an edge.
pub fn extent_edge(rng: &mut Rng) -> String {
    rng.pick(EXTENTS).to_owned()
}

/// Returns a small number.
pub fn small(rng: &mut Rng) -> String {
    rng.pick(SMALL).to_owned()
}

/// Returns a small number or one at an edge.
pub fn small_or_edge(rng: &mut Rng) -> String {
    match rng.percent(60) {
        true => small(rng),
        false => edge(rng),
    }
}

/// Returns an edge number as a 64-bit word.
pub fn edge_bits(rng: &mut Rng) -> u64 {
    let power = 1_u64 << rng.below(64);
    let near = [
        power,
        power - 1,
        power.wrapping_neg(),
        !power,
        0,
        1,
        u64::MAX,
    ];
    rng.pick(&near)
}
