//! Groups that have a tile of the chip for each kernel: the cube kernel tile 0, the vector kernels tiles 1 and 2.
//!
//! Each tile's kernel has a plan of its own. What joins them are rings: who pops has the ring in its L1, where unpacker T0 waits until a
//! slot is ready and says when it is free again; who pushes has T2 bring packed tiles there, wait until they have arrived, and
//! say so (rulings 2.2).

use tessera_dialects::mlir::{AttributeValue, Op, Reported, Value};
use tessera_dialects::pto::{self, Side};

use super::parse::promised;
use super::plan::{Pipe, Place};
use super::thread::counter;
use crate::targets::tensix::system_desc;

/// The rings of a group.
#[derive(Default)]
pub struct Cluster {
    /// What tells each from the others; its place is its number.
    rings: Vec<String>,
    /// Consumer, its counter of what is ready, producer, its counter of what was freed.
    ends: Vec<[u32; 4]>,
}

impl Cluster {
    /// The rings between the kernels of a group, the cube kernel first.
    pub fn of(kernels: &[Op]) -> Self {
        let mut cluster = Cluster::default();
        let Some(cube) = kernels.first() else {
            return cluster;
        };
        let ends = ["pto.aic_initialize_pipe", "pto.aiv_initialize_pipe"]
            .iter()
            .flat_map(|name| cube.find_all(name))
            .flat_map(|op| op.results());
        for end in ends {
            let (Some(ring), Some(pipe)) = (pto::ring(*cube, end), pto::pipe(end.r#type())) else {
                continue;
            };
            let number = cluster.rings.len() as u16;
            for k in 0..pipe.split.lanes() as u32 {
                cluster.ends.push(match pipe.direction.consumer() {
                    Side::Vector => [
                        1 + k,
                        counter::ready(number, 0).into(),
                        0,
                        counter::freed(number, k).into(),
                    ],
                    Side::Cube => [
                        0,
                        counter::ready(number, k).into(),
                        1 + k,
                        counter::freed(number, 0).into(),
                    ],
                });
            }
            cluster.rings.push(ring);
        }
        cluster
    }

    /// For each ring, and each part of its tiles: the tile that pops, its counter of what is ready, the tile that pushes, its counter
    /// of what was freed.
    pub fn rings(&self) -> &[[u32; 4]] {
        &self.ends
    }
}

/// A tile of a cluster.
#[derive(Clone, Copy)]
pub struct Member<'c> {
    /// Its number.
    pub number: u32,
    /// The cluster.
    pub cluster: &'c Cluster,
}

impl Member<'_> {
    /// Which vector kernel runs there; nothing if it is the cube kernel.
    pub fn part(self) -> Option<u32> {
        self.number.checked_sub(1)
    }

    /// The end of a ring that result `number` of an initialization is.
    ///
    /// # Errors
    /// If the ring is not in L1, or nobody has said where, or if it is too large.
    pub fn pipe(self, op: Op, number: usize, end: Value, place: Place) -> Result<Pipe, Reported> {
        let kernel = promised(op, pto::enclosing(op))?;
        let ring = promised(op, pto::ring(kernel, end))?;
        let pipe = promised(op, pto::pipe(end.r#type()))?;
        let rings = &self.cluster.rings;
        let ring = promised(op, rings.iter().position(|other| *other == ring))?;
        let buffer = op.operand(number).and_then(Value::defining_op).ok_or_else(|| {
            op.error(
                "has its ring in global memory, which is not lowered to Tensix: DRAM cannot count what is ready and what is free; use \
                 platform = #pto.platform<a5>",
            )
        })?;
        let address = buffer.attribute("base").and_then(AttributeValue::integer);
        let address = address.and_then(|address| u32::try_from(address).ok());
        let address = address.ok_or_else(|| {
            buffer.error(
                "has no address; run --pto-allocate-memory-addr before --convert-pto-to-tensix",
            )
        })?;
        let end = pipe.bytes().saturating_add(address.into());
        let arch = system_desc::assumed_arch(op);
        if end > arch.l1_bytes().into() {
            return Err(op.error(format!(
                "has its ring at {address} to {end}, but L1 of {arch} ends at {}; use fewer or smaller slots",
                arch.l1_bytes()
            )));
        }
        let side = self.part().map_or(Side::Cube, |_| Side::Vector);
        let lanes = pipe.split.lanes() as u32;
        Ok(Pipe {
            number: ring as u16,
            pushes: pipe.direction.producer() == side,
            slots: pipe.slot_num as u32,
            slot_bytes: pipe.slot_size as u32,
            address,
            peers: match side {
                Side::Cube => (1..=lanes).collect(),
                Side::Vector => vec![0],
            },
            part: self.part().filter(|_| lanes > 1),
            axis: pipe.split.axis(),
            place,
        })
    }
}
