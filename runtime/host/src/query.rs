//! Properties of all devices as JSON.

use serde_json::{json, Value};
use tessera_program::{schema_hash, DataType, Version};

use crate::devices::ALL;

/// The element types that tile kernels support.
pub(crate) const OF_KERNELS: [DataType; 3] = [DataType::BF16, DataType::F32, DataType::SI32];

/// Returns the devices with their capabilities, and the version of program files, as JSON.
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
