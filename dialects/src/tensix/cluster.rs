//! `tensix.cluster`: programs that run on neighbouring tiles at the same time.
//!
//! Checked by the verifier: the programs exist, and are made for the same arguments and pieces of
//! work; rings join tiles that there are, through counters that there are. Not checked: that the
//! programs use the rings so.

use super::{number, ClusterOp, ProgramOp};
use crate::mlir::AttributeValue;
use tessera_isa_tensix::tile;

/// A ring between two tiles of a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ring {
    /// The tile that pops.
    pub consumer: u32,
    /// Its counter of what is ready.
    pub ready: u32,
    /// The tile that pushes.
    pub producer: u32,
    /// Its counter of what was freed.
    pub freed: u32,
}

/// Returns the rings of a cluster.
///
/// # Errors
/// What the verifier says about them.
pub fn rings(cluster: ClusterOp) -> Result<Vec<Ring>, String> {
    let malformed = || {
        "has a ring that is not the tile that pops, its counter, the tile that pushes, its counter"
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
            "has {} tiles; a program that runs alone is no cluster",
            names.len()
        ));
    }
    for name in &names {
        let program: ProgramOp = cluster.beside(name).ok_or_else(|| {
            format!("runs @{name}, but no 'tensix.program' beside it is called so")
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
