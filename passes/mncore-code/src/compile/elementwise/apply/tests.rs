use tessera_isa_mncore::memory::Width;
use tessera_pto::bounds::{binary_has_bf16_code, unary_has_bf16_code};
use tessera_pto::target::Precision;

use super::*;

/// Returns the number of items that an operation of f32 or bf16 has.
fn count(
    precision: Precision,
    emit: impl Fn(&mut Body, Pair) -> Result<Operand, CompileError>,
) -> usize {
    let mut body = Body::new(&[], &[]);
    let operands = [(); 2].map(|()| body.value(Width::Long, Home::Any).into());
    let made = emit(&mut body, operands);
    assert!(made.is_ok(), "{precision:?}: {made:?}");
    body.items.len()
}

/// Operations take the code of their precision, and no other.
#[test]
fn operations_have_the_code_of_their_precision() {
    let types = [Element::F32; 2];
    for &precision in Precision::ALL {
        for &function in Unary::ALL {
            if !unary_has_bf16_code(function) {
                continue;
            }
            let row = Function::unary(function, precision).row();
            let precise = Precise {
                function,
                precision,
            };
            let found = count(precision, |body, [x, _]| unary(body, precise, x, types, 0));
            assert_eq!(found, row.mau + row.alu, "{function} of {precision:?}");
        }
        for &function in Binary::ALL {
            if !binary_has_bf16_code(function) {
                continue;
            }
            let row = Function::binary(function, precision).row();
            let precise = Precise {
                function,
                precision,
            };
            let found = count(precision, |body, both| {
                binary(body, precise, both, types, 0)
            });
            assert_eq!(found, row.mau + row.alu, "{function} of {precision:?}");
        }
    }
}
