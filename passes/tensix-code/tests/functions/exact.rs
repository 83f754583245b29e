//! What is exact: integers, choices, changes of type, signs.

use tessera_isa_tensix::Arch;
use tessera_ops::{Binary, Unary};
use tessera_pto::kernel::Element;
use tessera_tensix_code::functions::{self, Function, FunctionImpl};
use tessera_test_support::is_long_run;

use crate::machine::Kernel;
use crate::sample::{floats, integers};

/// The word that operands must give.
fn expected(row: &FunctionImpl, [x, y, z]: [u32; 3]) -> u32 {
    let integer = |word: u32| f64::from(word as i32);
    match (row.function, row.element.is_integer()) {
        (Function::Unary(function), true) => function.eval(Element::I32, integer(x)) as i32 as u32,
        (Function::Binary(function), true) => {
            function.eval(Element::I32, integer(x), integer(y)) as i32 as u32
        }
        (Function::Select, true) if x != 0 => y,
        (Function::Select, false) if x << 1 >= 1 << 24 => y,
        (Function::Select, _) => z,
        (Function::Convert, true) => (x as i32 as f32).to_bits(),
        (Function::Convert, false) => {
            let nan = f32::from_bits(x).is_nan();
            let end = [i32::MAX, i32::MIN][(x >> 31) as usize];
            if nan {
                end as u32
            } else {
                f32::from_bits(x) as i32 as u32
            }
        }
        (Function::Round, _) => match x & 0x7f80_0000 {
            0 => 0,
            0x7f80_0000 => x & 0xff80_0000,
            _ => x.wrapping_add(0x8000) & 0xffff_0000,
        },
        (Function::Unary(Unary::Neg), false) => x ^ 1 << 31,
        (Function::Unary(Unary::Abs), false) => x & !(1 << 31),
        (Function::Unary(Unary::Relu), false) => {
            if x >> 31 == 0 {
                x
            } else {
                0
            }
        }
        (Function::Binary(Binary::Max | Binary::Min), false) => {
            let key = |x: u32| if x >> 31 == 0 { x } else { !x } as i32 ^ (x >> 31 << 31) as i32;
            let greater = row.function == Function::Binary(Binary::Max);
            if (key(x) > key(y)) == greater {
                x
            } else {
                y
            }
        }
        (function, _) => unreachable!("{function:?} is not exact"),
    }
}

fn is_exact(row: &FunctionImpl) -> bool {
    let signs = [
        Function::Unary(Unary::Neg),
        Function::Unary(Unary::Abs),
        Function::Unary(Unary::Relu),
        Function::Binary(Binary::Max),
        Function::Binary(Binary::Min),
    ];
    let moves = [Function::Select, Function::Convert, Function::Round];
    row.element.is_integer() || signs.contains(&row.function) || moves.contains(&row.function)
}

#[test]
fn every_bit_is_right() {
    let count = match (is_long_run(), cfg!(debug_assertions)) {
        (true, _) => 1 << 22,
        (false, true) => 4_000,
        (false, false) => 200_000,
    };
    for (row, seed) in functions::all().filter(|row| is_exact(row)).zip(1..) {
        let words = if row.element.is_integer() {
            integers
        } else {
            floats
        };
        let operands = [0, 1, 2].map(|k| {
            let mut words = words(count, seed + 100 * k);
            words.rotate_left(7 * k as usize);
            words
        });
        let of: Vec<&[u32]> = operands.iter().map(Vec::as_slice).collect();
        for arch in Arch::ALL {
            let results = Kernel::on(arch, row).run(&of[..row.arity]);
            for (at, found) in results.into_iter().enumerate() {
                let operands = [0, 1, 2].map(|k| operands[k][at]);
                let expect = expected(row, operands);
                assert_eq!(
                    found,
                    expect,
                    "{} of {operands:#010x?} on {arch}",
                    row.name()
                );
            }
        }
    }
}
