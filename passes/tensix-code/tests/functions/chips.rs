//! Both chips compute the same, so that what the other tests say of Wormhole holds for Blackhole.

use tessera_isa_tensix::Arch;
use tessera_tensix_code::functions::ROWS;

use crate::machine::Kernel;
use crate::sample::{floats, integers};

#[test]
fn every_function_has_the_same_bits_on_both_chips() {
    let count = match cfg!(debug_assertions) {
        true => 2_000,
        false => 100_000,
    };
    for (row, seed) in ROWS.iter().zip(1..) {
        let words = if row.integer { integers } else { floats };
        let operands = [0, 1, 2].map(|k| {
            let mut words = words(count, seed + 100 * k);
            words.rotate_left(7 * k as usize);
            words
        });
        let of: Vec<&[u32]> = operands[..row.arity].iter().map(Vec::as_slice).collect();
        let [wormhole, blackhole] = Arch::ALL.map(|arch| Kernel::on(arch, row).run(&of));
        for (at, (on_wormhole, on_blackhole)) in wormhole.iter().zip(&blackhole).enumerate() {
            let operands = [0, 1, 2].map(|k| operands[k][at]);
            assert_eq!(
                on_blackhole,
                on_wormhole,
                "{} of {operands:#010x?}",
                row.name()
            );
        }
    }
}
