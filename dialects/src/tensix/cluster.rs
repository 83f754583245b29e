//! `tensix.cluster`: programs that run on neighbouring tiles at the same time.
//!
//! Checked by the verifier: the programs exist, and have the same arguments and work counts; rings
//! connect existing tiles through existing counters. Not checked: that the programs use the rings
//! as declared.

use super::{number, ClusterOp, ProgramOp};
use crate::mlir::AttributeValue;
use tessera_isa_tensix::tile;

/// A ring between two tiles of a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ring {
    /// The consumer tile.
    pub consumer: u32,
    /// The consumer's counter of ready slots.
    pub ready: u32,
    /// The producer tile.
    pub producer: u32,
    /// The producer's counter of freed slots.
    pub freed: u32,
}

/// Returns the rings of a cluster.
///
/// # Errors
/// The error message of the verifier.
pub fn rings(cluster: ClusterOp) -> Result<Vec<Ring>, String> {
    let malformed = || {
        "has a malformed ring; expects consumer tile, ready counter, producer tile, freed counter"
    };
    let ring = |ring: crate::mlir::Attribute| {
        let numbers = ring.elements().unwrap_or_default();
        let numbers: Option<Vec<u32>> = numbers
            .into_iter()
            .map(|number| number.integer().and_then(|number| number.try_into().ok()))
            .collect();
        match numbers.as_deref() {
            Some(&[consumer, ready, producer, freed]) => Ok(Ring {
                consumer,
                ready,
                producer,
                freed,
            }),
            _ => Err(malformed().to_owned()),
        }
    };
    let rings = cluster.rings().unwrap_or_default();
    rings.into_iter().map(ring).collect()
}

/// Verifies `tensix.cluster`.
pub(super) fn verify(cluster: ClusterOp) -> Result<(), String> {
    let names = cluster.tiles().unwrap_or_default();
    if names.len() < 2 {
        return Err(format!(
            "has {} tiles; a cluster has at least two",
            names.len()
        ));
    }
    for name in &names {
        let program: ProgramOp = cluster.beside(name).ok_or_else(|| {
            format!("runs @{name}, but no 'tensix.program' beside it has this name")
        })?;
        for key in [ClusterOp::ARGUMENTS, ClusterOp::WORK] {
            let (own, found) = (number(*cluster, key)?, number(*program, key)?);
            if own != found {
                let what = key.name();
                return Err(format!("has {what} {own}, but @{name} has {what} {found}"));
            }
        }
    }
    let counters = tile::LINES.len() as u32 / tile::LINE;
    for ring in rings(cluster)? {
        for end in [ring.consumer, ring.producer] {
            if end as usize >= names.len() {
                return Err(format!(
                    "has a ring to tile {end}, but only {} tiles",
                    names.len()
                ));
            }
        }
        for counter in [ring.ready, ring.freed] {
            if counter >= counters {
                return Err(format!(
                    "has a ring with counter {counter}; there are {counters}"
                ));
            }
        }
    }
    Ok(())
}
