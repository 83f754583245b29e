//! Which devices there are.

use serde_json::{json, Value};
use tessera_isa_tensix::{rows, Arch};
use tessera_mncore::dram::DRAM_WORDS;
use tessera_mncore::geometry::Geometry;
use tessera_program::{schema_hash, DataType, Version};
use tessera_tensix::support;

/// What kernels over tiles compute with.
const OF_KERNELS: [DataType; 3] = [DataType::BF16, DataType::F32, DataType::SI32];

/// Devices, their chips and what they hold, and the program files that are read, as JSON.
pub fn query() -> Value {
    let archs = Arch::ALL.map(|arch| {
        json!({
            "name": arch.name(),
            "dram_banks": arch.dram_banks(),
            "dram_bank_bytes": arch.dram_bank_bytes(),
            "l1_bytes": arch.l1_bytes(),
            "instructions": instructions(arch),
        })
    });
    json!({
        "version": Version::CURRENT.to_string(),
        "schema_hash": schema_hash().to_string(),
        "devices": [
            { "name": "reference", "data_types": DataType::ALL },
            { "name": "interpreter", "data_types": OF_KERNELS },
            { "name": "tensix", "data_types": [DataType::BF16], "archs": archs },
            {
                "name": "mncore",
                "data_types": OF_KERNELS,
                "groups": Geometry::BOARD.groups,
                "dram_group_bytes": 8 * DRAM_WORDS,
                "mabs": Geometry::BOARD.block_count() * Geometry::BOARD.mabs,
            },
        ],
    })
}

/// What the model has of a chip's instructions.
fn instructions(arch: Arch) -> Value {
    let own = rows().iter().filter(|row| row.is_on(arch));
    own.map(|row| (row.mnemonic, support::describe(arch, row)))
        .collect()
}
