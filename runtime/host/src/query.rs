//! Which devices there are.

use serde_json::{json, Value};
use tessera_program::{schema_hash, DataType, Version};

use crate::devices::ALL;

/// The types of elements that kernels over tiles compute with.
pub(crate) const OF_KERNELS: [DataType; 3] = [DataType::BF16, DataType::F32, DataType::SI32];

/// Devices, their chips and what they hold, and the program files that are read, as JSON.
pub fn query() -> Value {
    let devices = ALL.iter().map(|device| {
        let mut facts = (device.facts)();
        facts["name"] = device.name.into();
        facts
    });
    json!({
        "version": Version::CURRENT.to_string(),
        "schema_hash": schema_hash().to_string(),
        "devices": devices.collect::<Vec<_>>(),
    })
}
