//! Images of RISC-V cores, plain and as ELF executables: `tensix-emu images`.

use tessera_program::KernelBody;

use crate::devices;
use crate::flags::{self, Flag};
use crate::mutate::bytes;
use crate::runner::{Bench, FuzzTarget};
use crate::targets::program_files;
use tessera_test_support::random::Rng;

/// Files that flags may name.
const FILES: &[&str] = &["in.bin", "out.bin", "nowhere/x", "."];

const CORES: [&str; 5] = ["B", "T0", "T1", "T2", "NC"];

pub fn new(bench: &mut Bench) -> FuzzTarget {
    let images = compiled(bench);
    let flags = flags::parse(&bench.printed("tensix-emu", &["images", "-h"]));
    Box::new(move |bench, rng| case(bench, rng, &images, &flags))
}

/// Returns the images of compiled kernels.
pub fn compiled(bench: &mut Bench) -> Vec<Vec<u8>> {
    let mut images = Vec::new();
    for file in program_files::whole(bench) {
        let binary = devices::read(bench, &file).expect("it is whole");
        for kernel in &binary.kernels {
            if let KernelBody::TensixImages(kernel) = &kernel.body {
                let words = kernel.tiles.iter().flatten().map(|core| core.image.words());
                images.extend(
                    words.map(|words| words.iter().flat_map(|word| word.to_le_bytes()).collect()),
                );
            }
        }
    }
    images.sort();
    images.dedup();
    assert!(images.len() > 4, "{} images", images.len());
    images
}

fn case(bench: &mut Bench, rng: &mut Rng, images: &[Vec<u8>], flags: &[Flag]) {
    let mut arguments = vec!["images".to_owned(), "--limit=20000".to_owned()];
    let count = if rng.percent(60) {
        1
    } else {
        1 + rng.below(CORES.len())
    };
    for number in 0..count {
        let core = rng.pick(&CORES);
        let file = format!("image{number}.bin");
        bench.write(&file, &image(rng, images));
        arguments.push(format!("{core}={file}"));
    }
    bench.write(
        "in.bin",
        &rng.next_u64().to_le_bytes().repeat(rng.below(600)),
    );
    arguments.extend(flags::some(flags, 3, rng, FILES));
    bench.run("tensix-emu", &arguments);
}

/// Returns a compiled image, random instructions or an ELF executable of either, damaged.
fn image(rng: &mut Rng, images: &[Vec<u8>]) -> Vec<u8> {
    let mut code = match rng.percent(50) {
        true => images[rng.below(images.len())].clone(),
        false => random_code(rng),
    };
    if rng.percent(40) {
        code = executable(rng, &code);
    }
    if rng.percent(80) {
        bytes::damage(rng, &mut code);
    }
    code
}

/// Returns words that are mostly instructions. Those of 32 bits end in 11; the others push to the
/// coprocessor.
fn random_code(rng: &mut Rng) -> Vec<u8> {
    let opcodes = [
        0x03, 0x07, 0x0f, 0x13, 0x17, 0x23, 0x27, 0x2f, 0x33, 0x37, 0x43, 0x53, 0x57, 0x63, 0x67,
        0x6f, 0x73,
    ];
    let count = 1 + rng.below(40);
    let words = (0..count).map(|_| match rng.percent(85) {
        true => (rng.next_u64() as u32) & !0x7f | rng.pick(&opcodes),
        false => rng.next_u64() as u32,
    });
    words.flat_map(u32::to_le_bytes).collect()
}

/// Returns a 32-bit ELF file for RISC-V with one or two segments, perhaps with an invalid field.
fn executable(rng: &mut Rng, code: &[u8]) -> Vec<u8> {
    let segments = 1 + rng.below(2) as u32;
    let address = rng.pick(&[0_u32, 0x4000, 0x6000, 0xffb0_0000, 0xffff_fff0, 0x0017_0000]);
    let odd = |value: u32, rng: &mut Rng| match rng.percent(3) {
        true => crate::mutate::numbers::edge_bits(rng) as u32,
        false => value,
    };
    let mut file = b"\x7fELF\x01\x01\x01".to_vec();
    file.resize(16, 0);
    file.extend([2, 0, 243, 0]);
    for value in [1, address, 52, 0, 0] {
        file.extend(odd(value, rng).to_le_bytes());
    }
    for value in [52, 32, segments, 0, 0, 0] {
        file.extend((odd(value, rng) as u16).to_le_bytes());
    }
    let size = code.len() as u32;
    for number in 0..segments {
        let at = address.wrapping_add(number * rng.pick(&[0, 16, 0x1000, 0x8000_0000]));
        for value in [1, 52 + 32 * segments, at, at, size, size, 7, 4] {
            file.extend(odd(value, rng).to_le_bytes());
        }
    }
    [&file[..], code].concat()
}
