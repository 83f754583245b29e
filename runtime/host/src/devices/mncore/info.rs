//! The device's entry in the registry.

use std::num::NonZero;

use serde_json::json;
use tessera_mncore::dram::DRAM_WORDS;
use tessera_mncore::geometry::Geometry;
use tessera_mncore::machine::Model;
use tessera_mncore::undetermined::UndeterminedPolicy;
use tessera_program::Chip;

use super::{check, write_trace, MncoreDevice, MncoreOptions, NAME};
use crate::device_info::{ChipModel, DeviceInfo};
use crate::options::{DeviceOption, NamedChoice, Options, LIMIT_STEPS, THREADS};
use crate::query::OF_KERNELS;

/// The values of [`MODEL`].
const MODELS: [Model; 3] = [Model::Fast, Model::Timed, Model::Reference];

const MODEL: DeviceOption = DeviceOption::choice(
    "model",
    "MODEL",
    &[
        NamedChoice {
            name: "fast",
            help: "Every instruction is complete before the next",
        },
        NamedChoice {
            name: "timed",
            help: "The same, and reads of what would not have arrived yet trap",
        },
        NamedChoice {
            name: "reference",
            help: "The manual's pseudo-code, executed literally: slow",
        },
    ],
    "how kernels are executed [default: fast]; the results are the same",
);

/// The values of [`UNDETERMINED`].
const UNDETERMINED_RESULTS: [UndeterminedPolicy; 2] =
    [UndeterminedPolicy::Trap, UndeterminedPolicy::Mark];

const UNDETERMINED: DeviceOption = DeviceOption::choice(
    "undetermined",
    "WHAT",
    &[
        NamedChoice {
            name: "trap",
            help: "Stop",
        },
        NamedChoice {
            name: "mark",
            help: "Take the documented result; --stats tells",
        },
    ],
    "what to do where the manual does not determine a result [default: trap]",
);

const MEMORY_CANARIES: DeviceOption = DeviceOption::flag(
    "memory-canaries",
    "fill the memories on the chip with 1e9 before a kernel, so that what it reads without having \
     written it shows",
);

/// The device.
pub static INFO: DeviceInfo = DeviceInfo {
    name: NAME,
    description: "Runs the kernels on the model of MN-Core 2",
    options: &[
        MODEL,
        THREADS,
        UNDETERMINED,
        LIMIT_STEPS.counting("steps"),
        MEMORY_CANARIES,
    ],
    chip: Some(ChipModel {
        description: "The model of MN-Core 2",
        runs: |chip| chip == Chip::MnCore2,
        check,
        traced: None,
        write_trace,
    }),
    open: |binary, program, options| {
        let device = MncoreDevice::new(binary, program, options.into());
        Ok(Box::new(device))
    },
    facts: || {
        json!({
            "data_types": OF_KERNELS,
            "groups": Geometry::BOARD.groups,
            "dram_group_bytes": 8 * DRAM_WORDS,
            "mabs": Geometry::BOARD.block_count() * Geometry::BOARD.mabs,
        })
    },
};

impl From<&Options> for MncoreOptions {
    fn from(options: &Options) -> Self {
        let threads = options.number(&THREADS);
        let model = options.choice(&MODEL);
        let undetermined = options.choice(&UNDETERMINED);
        MncoreOptions {
            model: model.map_or(Model::default(), |choice| MODELS[choice]),
            threads: threads.and_then(|count| NonZero::new(count as usize)),
            undetermined: undetermined.map_or(UndeterminedPolicy::default(), |choice| {
                UNDETERMINED_RESULTS[choice]
            }),
            limit_steps: options.number(&LIMIT_STEPS),
            memory_canaries: options.is_set(&MEMORY_CANARIES),
        }
    }
}
