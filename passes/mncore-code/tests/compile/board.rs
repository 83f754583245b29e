//! Compiles groups of kernels over tiles and runs their code on the emulator.

use std::num::NonZero;
use std::ops::ControlFlow;

use tessera_isa_mncore::ast::Program as Statements;
use tessera_isa_mncore::layout::pack::{pack, unpack, Image, Raw};
use tessera_isa_mncore::layout::{ElementBits, Layout};
use tessera_mncore::machine::{Machine, Model, Options};
use tessera_mncore::race::RacePolicy;
use tessera_mncore::trap::Trap;
use tessera_mncore_code::compile::{self, Kernel};
use tessera_mncore_code::program::{self, IssueOrder};
use tessera_pto::kernel::Group;

/// Returns values with few bits, so that products and sums are exact.
pub fn integers(count: usize, seed: u32) -> Vec<f32> {
    let mut state = seed.wrapping_mul(2_654_435_761).wrapping_add(1);
    let next = |_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f32::from((state >> 24) as u8 % 15) - 7.0
    };
    (0..count).map(next).collect()
}

/// Returns random bits.
pub fn random(seed: u32) -> impl Iterator<Item = u32> {
    let mut state = u64::from(seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    std::iter::repeat_with(move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 32) as u32
    })
}

/// Compiles a group.
pub fn kernel(group: &Group) -> Kernel {
    kernel_with(group, &compile::Options::default())
}

/// Compiles with options.
pub fn kernel_with(group: &Group, options: &compile::Options) -> Kernel {
    compile::compile(group, options).unwrap_or_else(|error| panic!("{error}"))
}

/// Runs a kernel on a model of the board in one issue order, and returns its result.
pub fn run(kernel: &Kernel, inputs: &[Vec<f32>], form: IssueOrder, model: Model) -> Vec<f32> {
    let (program, _) = kernel.program().unwrap_or_else(|error| panic!("{error}"));
    let statements = program::statements(&program, form);
    let statements = statements.unwrap_or_else(|error| panic!("{error}"));
    execute(kernel, inputs, &statements, model).unwrap_or_else(|trap| panic!("{form:?}: {trap}"))
}

/// Executes the statements of a kernel on inputs, and returns the result.
pub fn execute(
    kernel: &Kernel,
    inputs: &[Vec<f32>],
    statements: &Statements,
    model: Model,
) -> Result<Vec<f32>, Trap> {
    let mut machine = Machine::new(Options {
        model,
        races: RacePolicy::Error,
        // Tests run side by side.
        threads: Some(NonZero::<usize>::MIN),
        ..Options::default()
    });
    for tensor in &kernel.tensors[..kernel.inputs] {
        write_tensor(&mut machine, &tensor.layout, &inputs[tensor.argument]);
    }
    let result = &kernel.tensors[kernel.inputs].layout;
    run_on(&mut machine, result, statements)?;
    Ok(fetch(&mut machine, result))
}

/// Writes a tensor to DRAM.
pub fn write_tensor(machine: &mut Machine, layout: &Layout, values: &[f32]) {
    write(machine, &to_dram(layout, values));
}

fn write(machine: &mut Machine, image: &Image) {
    let groups = machine.board.groups.iter_mut();
    for (group, words) in groups.zip(&image.groups) {
        group.dram.write(image.base.into(), words);
    }
}

/// Runs statements whose result lies so.
pub fn run_on(machine: &mut Machine, result: &Layout, statements: &Statements) -> Result<(), Trap> {
    write(machine, &Image::new(result).unwrap());
    machine.run_while(statements, &mut |_| ControlFlow::Continue(()))
}

/// Writes zeros to the DRAM of a tensor.
pub fn write_empty(machine: &mut Machine, layout: &Layout) {
    write(machine, &Image::new(layout).unwrap());
}

/// Reads a tensor from DRAM.
pub fn fetch(machine: &mut Machine, layout: &Layout) -> Vec<f32> {
    let mut image = Image::new(layout).unwrap();
    let groups = machine.board.groups.iter_mut();
    for (group, words) in groups.zip(&mut image.groups) {
        group.dram.read(image.base.into(), words).unwrap();
    }
    from_dram(layout, &image)
}

/// Returns the long words of a tensor. Elements of 16 bits are the upper halves of singles.
fn to_dram(layout: &Layout, values: &[f32]) -> Image {
    let bits = values.iter().map(|value| value.to_bits());
    let packed = match layout.element() {
        ElementBits::Sixteen => {
            let halves = bits.inspect(|bits| assert_eq!(bits & 0xffff, 0, "bf16 has fewer bits"));
            let halves: Vec<u8> = halves
                .flat_map(|b| ((b >> 16) as u16).to_le_bytes())
                .collect();
            pack(layout, &Raw::<2>, &halves)
        }
        _ => pack(
            layout,
            &Raw::<4>,
            &bits.flat_map(u32::to_le_bytes).collect::<Vec<_>>(),
        ),
    };
    packed.unwrap()
}

fn from_dram(layout: &Layout, image: &Image) -> Vec<f32> {
    match layout.element() {
        ElementBits::Sixteen => {
            let bytes = unpack(layout, &Raw::<2>, image).unwrap();
            let halves = bytes
                .chunks_exact(2)
                .map(|b| u16::from_le_bytes([b[0], b[1]]));
            halves
                .map(|half| f32::from_bits(u32::from(half) << 16))
                .collect()
        }
        _ => {
            let bytes = unpack(layout, &Raw::<4>, image).unwrap();
            let words = bytes.chunks_exact(4);
            words
                .map(|b| f32::from_le_bytes(b.try_into().unwrap()))
                .collect()
        }
    }
}

/// Returns the index of the first element that differs from the expected one.
pub fn first_wrong(result: &[f32], expected: &[f32]) -> Option<usize> {
    let mut pairs = result.iter().zip(expected);
    pairs.position(|(one, other)| one != other)
}
