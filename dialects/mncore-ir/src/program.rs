//! Scheduled kernels: loops in sequence.

use crate::body::Body;
use crate::schedule::Schedule;

/// A scheduled kernel.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The nodes, in order; each completes before the next begins.
    pub nodes: Vec<Node>,
}

/// A node of a kernel.
#[derive(Clone, Debug)]
pub enum Node {
    /// A scheduled loop.
    Loop(ScheduledLoop),
    /// Nodes that are repeated in sequence: an outer dimension of the bodies inside.
    Repeat(u32, Vec<Node>),
}

/// A scheduled loop.
#[derive(Clone, Debug)]
pub struct ScheduledLoop {
    /// Its name.
    pub name: Box<str>,
    /// The loop.
    pub body: Body,
    /// Its schedule.
    pub schedule: Schedule,
}
