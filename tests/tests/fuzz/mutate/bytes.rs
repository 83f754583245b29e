//! Damage to bytes.

use super::numbers;
use tessera_test_support::random::Rng;

/// Makes one to six changes of any kind.
pub fn damage(rng: &mut Rng, bytes: &mut Vec<u8>) {
    for _ in 0..=rng.below(6) {
        change(rng, bytes);
    }
}

fn change(rng: &mut Rng, bytes: &mut Vec<u8>) {
    if bytes.is_empty() {
        return;
    }
    let at = rng.below(bytes.len());
    match rng.below(12) {
        0..=3 => bytes[at] ^= 1 << rng.below(8),
        4 => bytes[at] = numbers::edge_bits(rng) as u8,
        5..=7 => write_edge(rng, bytes, at),
        8 => copy_block(rng, bytes, at),
        9 => drop(bytes.drain(at..(at + 1 + rng.below(8)).min(bytes.len()))),
        10 => bytes.insert(at, rng.next_u64() as u8),
        _ if rng.percent(30) => bytes.truncate(at),
        _ => copy_block(rng, bytes, at),
    }
}

/// Makes changes that keep the length: flipped bits, edge numbers in aligned words, blocks copied
/// over others.
///
/// Most changes hit numbers instead of texts.
pub fn damage_in_place(rng: &mut Rng, bytes: &mut [u8]) {
    for _ in 0..=rng.below(3) {
        let mut at = rng.below(bytes.len());
        while is_text(bytes, at) && rng.percent(95) {
            at = rng.below(bytes.len());
        }
        match rng.below(6) {
            0 | 1 => bytes[at] ^= 1 << rng.below(8),
            2..=4 => write_edge(rng, bytes, at),
            _ => copy_block(rng, bytes, at),
        }
    }
}

/// Returns whether the word of four bytes around a place is printable.
fn is_text(bytes: &[u8], at: usize) -> bool {
    let word = bytes[at / 4 * 4..].iter().take(4);
    word.copied()
        .all(|byte| byte.is_ascii_graphic() || byte == b' ')
}

/// Writes an edge number of 2, 4 or 8 bytes where one of that size may be.
fn write_edge(rng: &mut Rng, bytes: &mut [u8], at: usize) {
    let size = rng.pick(&[2, 4, 4, 8]);
    let at = at / size * size;
    let edge = numbers::edge_bits(rng).to_le_bytes();
    // A field of four bytes is damaged with edges of four bytes.
    let edge = if rng.percent(50) {
        &edge[..size]
    } else {
        &edge[8 - size..]
    };
    if let Some(place) = bytes.get_mut(at..at + size) {
        place.copy_from_slice(edge);
    }
}

fn copy_block(rng: &mut Rng, bytes: &mut [u8], at: usize) {
    let from = rng.below(bytes.len()) / 4 * 4;
    let to = at / 4 * 4;
    let length = rng
        .pick(&[4, 4, 4, 8, 16, 32])
        .min(bytes.len() - from.max(to));
    bytes.copy_within(from..from + length, to);
}
