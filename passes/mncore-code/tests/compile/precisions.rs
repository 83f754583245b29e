//! Products in all precisions.

use tessera_isa_mncore::memory::Precision;
use tessera_mncore_code::compile::{Options, PrecisionChoice};

use crate::groups::{over_tiles, product, singles};
use crate::{check_with, matmul};

pub const ALL: [Precision; 4] = [
    Precision::Half,
    Precision::Pseudo,
    Precision::Single,
    Precision::Double,
];

/// Products of small integers are exact.
#[test]
fn small_numbers() {
    for precision in ALL {
        let options = Options {
            precision: PrecisionChoice::Fixed(precision),
            ..Options::default()
        };
        for [m, k, n] in [[1, 1, 1], [33, 65, 97], [256, 96, 31], [600, 48, 600]] {
            let tensors = [singles(m, k), singles(k, n), singles(m, n)];
            let group = over_tiles(&tensors, |builder, row, column| {
                product(builder, row, column, k)
            });
            check_with(&group, &options, |inputs| {
                matmul(&inputs[0], &inputs[1], [m, k, n])
            });
        }
    }
}
