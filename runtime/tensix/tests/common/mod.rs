//! Helpers of the program tests: BF16, tiles, and running a list program on tensors of tiles.
#![allow(dead_code, reason = "each test binary uses a part")]

pub mod fields;
pub mod mutants;
pub mod product;

use tessera_isa_tensix::list::Lists;
use tessera_isa_tensix::Arch;
use tessera_tensix::{Machine, Model, Stats, TensorArg, Trap};

/// 32 by 32 BF16 values, row-major.
pub type Tile = [[u16; 32]; 32];

/// Returns a tile of `f(row, column)`, which must be exact in BF16.
pub fn tile(f: impl Fn(usize, usize) -> f32) -> Tile {
    std::array::from_fn(|i| std::array::from_fn(|j| bf16(f(i, j))))
}

/// Returns the bits of an f32 that is exact in BF16.
pub fn bf16(x: f32) -> u16 {
    assert_eq!(x.to_bits() & 0xffff, 0, "{x} is not exact in bf16");
    (x.to_bits() >> 16) as u16
}

/// Returns the value of BF16 bits.
pub fn value(bits: u16) -> f64 {
    f32::from_bits(u32::from(bits) << 16).into()
}

/// Returns a pseudo-random value in (-2, 2) that is exact in BF16, a hash of the position.
pub fn noise(seed: u64, i: usize, j: usize) -> f32 {
    let mut x = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ ((i as u64) << 32 | j as u64);
    for _ in 0..3 {
        x = (x ^ x >> 31).wrapping_mul(0x7fb5_d329_728e_a185);
    }
    let exponent = 120 + (x >> 20) % 8;
    let (sign, mantissa) = (x as u32 & 0x8000_0000, (x >> 40) as u32 % 128);
    f32::from_bits(sign | (exponent as u32) << 23 | mantissa << 16)
}

/// Returns the index of element (i, j) in the tile's memory: four faces, each row-major.
fn place(i: usize, j: usize) -> usize {
    (i / 16 * 2 + j / 16) * 256 + i % 16 * 16 + j % 16
}

pub fn to_bytes(tile: &Tile) -> Vec<u8> {
    let mut bytes = vec![0; 2048];
    for (i, row) in tile.iter().enumerate() {
        for (j, bits) in row.iter().enumerate() {
            bytes[2 * place(i, j)..][..2].copy_from_slice(&bits.to_le_bytes());
        }
    }
    bytes
}

pub fn from_bytes(bytes: &[u8]) -> Tile {
    std::array::from_fn(|i| {
        std::array::from_fn(|j| {
            let at = 2 * place(i, j);
            u16::from_le_bytes([bytes[at], bytes[at + 1]])
        })
    })
}

/// Returns a machine and arguments for inputs and one output of `pages` tiles.
fn set_up(
    (arch, model): (Arch, Model),
    inputs: &[&[Tile]],
    pages: u32,
) -> (Machine, Vec<TensorArg>) {
    let mut machine = Machine::with_model(arch, model);
    let banks = machine.arch().dram_banks();
    let mut args = Vec::new();
    let mut base = 0x400;
    for tiles in inputs {
        for (p, tile) in (0u32..).zip(tiles.iter()) {
            machine
                .dram()
                .write(
                    p % banks,
                    base + u64::from(p / banks) * 2048,
                    &to_bytes(tile),
                )
                .unwrap();
        }
        args.push(TensorArg {
            base,
            page_bytes: 2048,
            pages: tiles.len() as u32,
        });
        base += (tiles.len() as u64).div_ceil(banks.into()) * 2048;
    }
    args.push(TensorArg {
        base,
        page_bytes: 2048,
        pages,
    });
    (machine, args)
}

/// Runs a kernel whose last argument is its output of `pages` tiles.
pub fn run(
    lists: &Lists,
    inputs: &[&[Tile]],
    pages: u32,
    seed: u64,
) -> Result<(Vec<Tile>, Stats), Trap> {
    run_with(Model::fast(), lists, inputs, pages, seed)
}

/// Like [`run`], with the given model of the arithmetic.
pub fn run_with(
    model: Model,
    lists: &Lists,
    inputs: &[&[Tile]],
    pages: u32,
    seed: u64,
) -> Result<(Vec<Tile>, Stats), Trap> {
    run_on((Arch::WormholeB0, model), lists, inputs, pages, seed)
}

/// Like [`run_with`], on the given chip.
pub fn run_on(
    chip: (Arch, Model),
    lists: &Lists,
    inputs: &[&[Tile]],
    pages: u32,
    seed: u64,
) -> Result<(Vec<Tile>, Stats), Trap> {
    go_by(chip, inputs, pages, |machine, args| {
        machine.run(lists, args, seed)
    })
}

/// Like [`run`], but `go` runs the machine.
pub fn run_by(
    inputs: &[&[Tile]],
    pages: u32,
    go: impl FnOnce(&mut Machine, &[TensorArg]) -> Result<Stats, Trap>,
) -> Result<(Vec<Tile>, Stats), Trap> {
    go_by((Arch::WormholeB0, Model::fast()), inputs, pages, go)
}

fn go_by(
    chip: (Arch, Model),
    inputs: &[&[Tile]],
    pages: u32,
    go: impl FnOnce(&mut Machine, &[TensorArg]) -> Result<Stats, Trap>,
) -> Result<(Vec<Tile>, Stats), Trap> {
    let (mut machine, args) = set_up(chip, inputs, pages);
    let stats = go(&mut machine, &args)?;
    let banks = machine.arch().dram_banks();
    let base = args[args.len() - 1].base;
    let mut out = Vec::new();
    let mut bytes = vec![0; 2048];
    for p in 0..pages {
        match machine
            .dram()
            .read(p % banks, base + u64::from(p / banks) * 2048, &mut bytes)
        {
            Ok(()) => out.push(from_bytes(&bytes)),
            // A page that was never written differs from every tile.
            Err(_) => out.push([[0xffff; 32]; 32]),
        }
    }
    Ok((out, stats))
}

/// Parses a program of `tests/programs`.
pub fn program(text: &str) -> Lists {
    text.parse().unwrap_or_else(|e| panic!("{e}"))
}
