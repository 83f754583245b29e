//! A program file as JSON, for people and scripts.

use serde_json::{json, Value};

use crate::{schema_hash, Binary};

impl Binary {
    /// The whole file as JSON: the fields of the owned types under their own names, bytes and instruction words
    /// in hexadecimal, and the `schema_hash`.
    pub fn to_json(&self) -> Value {
        json!({
            "version": self.version.to_string(),
            "schema_hash": schema_hash().to_string(),
            "system_desc": self.system_desc,
            "mlir": self.mlir,
            "kernels": self.kernels,
            "programs": self.programs,
        })
    }
}
