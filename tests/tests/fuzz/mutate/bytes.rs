//! Damage to bytes.

use super::numbers;
use crate::dice::Dice;

/// One to six changes of any kind.
pub fn damage(dice: &mut Dice, bytes: &mut Vec<u8>) {
    for _ in 0..=dice.below(6) {
        change(dice, bytes);
    }
}

fn change(dice: &mut Dice, bytes: &mut Vec<u8>) {
    if bytes.is_empty() {
        return;
    }
    let at = dice.below(bytes.len());
    match dice.below(12) {
        0..=3 => bytes[at] ^= 1 << dice.below(8),
        4 => bytes[at] = numbers::edge_bits(dice) as u8,
        5..=7 => write_edge(dice, bytes, at),
        8 => copy_block(dice, bytes, at),
        9 => drop(bytes.drain(at..(at + 1 + dice.below(8)).min(bytes.len()))),
        10 => bytes.insert(at, dice.word() as u8),
        _ if dice.percent(30) => bytes.truncate(at),
        _ => copy_block(dice, bytes, at),
    }
}

/// Changes that keep the length: bits, edges of aligned words, blocks copied over others.
///
/// Most places are in numbers and not in texts.
pub fn damage_in_place(dice: &mut Dice, bytes: &mut [u8]) {
    for _ in 0..=dice.below(3) {
        let mut at = dice.below(bytes.len());
        while is_text(bytes, at) && dice.percent(95) {
            at = dice.below(bytes.len());
        }
        match dice.below(6) {
            0 | 1 => bytes[at] ^= 1 << dice.below(8),
            2..=4 => write_edge(dice, bytes, at),
            _ => copy_block(dice, bytes, at),
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
fn write_edge(dice: &mut Dice, bytes: &mut [u8], at: usize) {
    let size = dice.pick(&[2, 4, 4, 8]);
    let at = at / size * size;
    let edge = numbers::edge_bits(dice).to_le_bytes();
    // A field of four bytes is damaged with edges of four bytes.
    let edge = if dice.percent(50) {
        &edge[..size]
    } else {
        &edge[8 - size..]
    };
    if let Some(place) = bytes.get_mut(at..at + size) {
        place.copy_from_slice(edge);
    }
}

fn copy_block(dice: &mut Dice, bytes: &mut [u8], at: usize) {
    let from = dice.below(bytes.len()) / 4 * 4;
    let to = at / 4 * 4;
    let length = dice
        .pick(&[4, 4, 4, 8, 16, 32])
        .min(bytes.len() - from.max(to));
    bytes.copy_within(from..from + length, to);
}
