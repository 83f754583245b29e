//! Recorded host accesses: `tensix-emu trace`.

use crate::flags::{self, Flag};
use crate::mutate::{numbers, text};
use crate::runner::{Bench, FuzzTarget};
use crate::targets::images;
use tessera_test_support::random::Rng;

/// Files that flags may name.
const FILES: &[&str] = &["in.bin", "out.bin", "nowhere/x", "."];

/// Coordinates of tiles of every kind, and of none.
const TILES: [&str; 8] = ["1,1", "1,2", "2,2", "0,0", "0,2", "5,11", "9,9", "16,12"];

/// Addresses of L1, of reset vectors, of registers, and of nothing.
const ADDRESSES: [u64; 10] = [
    0,
    0x20,
    0x3fe0,
    0x4000,
    0x0016_fff0,
    0xffb1_2000,
    0xffb1_21b0,
    0xffe8_0000,
    0xffff_ffff,
    0x8_0000_0000,
];

pub fn new(bench: &mut Bench) -> FuzzTarget {
    let images = images::compiled(bench);
    let flags = flags::parse(&bench.printed("tensix-emu", &["trace", "-h"]));
    Box::new(move |bench, rng| case(bench, rng, &images, &flags))
}

fn case(bench: &mut Bench, rng: &mut Rng, images: &[Vec<u8>], flags: &[Flag]) {
    let mut text = trace(rng, images);
    if rng.percent(50) {
        let others = [text.clone()];
        let mutated = text::mutated(rng, &text, &others);
        bench.write("in.trace", &mutated);
    } else {
        if rng.percent(50) {
            text += "EXIT core=0,0 addr=0x0 size=0 data=-\n";
        }
        bench.write("in.trace", text.as_bytes());
    }
    let limits = ["trace", "in.trace", "--limit=20000", "--read-limit=5000"];
    let mut arguments = limits.map(str::to_owned).to_vec();
    arguments.extend(flags::some(flags, 3, rng, FILES));
    bench.run("tensix-emu", &arguments);
}

fn trace(rng: &mut Rng, images: &[Vec<u8>]) -> String {
    let count = 1 + rng.below(20);
    (0..count).map(|_| line(rng, images)).collect()
}

fn line(rng: &mut Rng, images: &[Vec<u8>]) -> String {
    let tile = if rng.percent(70) {
        "1,1"
    } else {
        rng.pick(&TILES)
    };
    let addr = match rng.percent(90) {
        true => rng.pick(&ADDRESSES),
        false => numbers::edge_bits(rng),
    };
    let place = format!("core={tile} addr={addr:#x}");
    let hex = |bytes: &[u8]| {
        bytes
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect::<String>()
    };
    match rng.below(6) {
        0 | 1 => {
            let data = match rng.percent(40) {
                true => images[rng.below(images.len())].clone(),
                false => rng.next_u64().to_le_bytes()[..1 + rng.below(8)].to_vec(),
            };
            format!("WRITE {place} size={} data={}\n", data.len(), hex(&data))
        }
        2 | 3 => {
            let reply = rng.next_u64().to_le_bytes()[..1 + rng.below(8)].to_vec();
            match rng.percent(50) {
                true => format!(
                    "READ {place} size={} data=- reply={}\n",
                    reply.len(),
                    hex(&reply)
                ),
                false => format!("READ {place} size={} data=-\n", numbers::small(rng)),
            }
        }
        4 => format!("RESET_DEASSERT core={tile} addr=0x0 size=0 data=-\n"),
        _ => format!("RESET_ASSERT core={tile} addr=0x0 size=0 data=-\n"),
    }
}
