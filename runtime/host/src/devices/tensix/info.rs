//! The device's entry in the registry.

use std::num::NonZero;

use serde_json::{json, Value};
use tessera_isa_tensix::{rows, Arch};
use tessera_program::{Chip, DataType};
use tessera_tensix::insn::support;

use super::{check, write_trace, TensixDevice, TensixOptions, NAME};
use crate::device_info::{ChipModel, DeviceInfo};
use crate::options::{DeviceOption, Options, LIMIT_STEPS, SCHEDULE_SEED, THREADS};

const ORDER_SEED: DeviceOption = DeviceOption::seed(
    "order-seed",
    "ORDER_SEED",
    "seed of the order in which memory requests of RISC-V cores complete, where the hardware may \
     reorder them; results of a correct kernel do not depend on it",
);

const WORKERS: DeviceOption = DeviceOption::count(
    "workers",
    "WORKERS",
    "the maximum number of tiles that share the work of a kernel",
);

const PADDING_CANARIES: DeviceOption = DeviceOption::flag(
    "padding-canaries",
    "fill results with 0x7f7f before a kernel writes them, so that unwritten elements show",
);

/// The device.
pub static INFO: DeviceInfo = DeviceInfo {
    name: NAME,
    description: "Runs the kernels on the Tensix model",
    options: &[
        SCHEDULE_SEED,
        ORDER_SEED,
        WORKERS,
        PADDING_CANARIES,
        THREADS,
        LIMIT_STEPS.counting("instructions of each core"),
    ],
    chip: Some(ChipModel {
        description: "The Tensix model",
        runs: |chip| matches!(chip, Chip::Tensix(_)),
        check,
        traced: Some("those of the tiles that do the first share of the work"),
        write_trace,
    }),
    open: |binary, program, options| {
        let mut device = TensixDevice::new(binary, program, options.into())?;
        if options.is_traced {
            device.record();
        }
        let threads = options.number(&THREADS);
        if let Some(threads) = threads.and_then(|count| NonZero::new(count as usize)) {
            device.set_threads(threads);
        }
        Ok(Box::new(device))
    },
    facts,
};

impl From<&Options> for TensixOptions {
    fn from(options: &Options) -> Self {
        TensixOptions {
            schedule_seed: options.number(&SCHEDULE_SEED),
            padding_canaries: options.is_set(&PADDING_CANARIES),
            order_seed: options.number(&ORDER_SEED),
            workers: options.number(&WORKERS).map(|count| count as u32),
            limit: options.number(&LIMIT_STEPS),
        }
    }
}

fn facts() -> Value {
    let archs = Arch::ALL.map(|arch| {
        json!({
            "name": arch.name(),
            "dram_banks": arch.dram_banks(),
            "dram_bank_bytes": arch.dram_bank_bytes(),
            "l1_bytes": arch.l1_bytes(),
            "instructions": instructions(arch),
        })
    });
    json!({ "data_types": [DataType::BF16], "archs": archs })
}

/// Returns the support of the model for each instruction of a chip.
fn instructions(arch: Arch) -> Value {
    let own = rows().iter().filter(|row| row.is_on(arch));
    own.map(|row| (row.mnemonic, support::describe(arch, row)))
        .collect()
}
