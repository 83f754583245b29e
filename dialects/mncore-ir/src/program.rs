//! Scheduled loops one after the other: a kernel.

use crate::body::Body;
use crate::schedule::Schedule;

/// A kernel.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// In order; each is complete before the next begins.
    pub nodes: Vec<Node>,
}

/// A part of a kernel.
#[derive(Clone, Debug)]
pub enum Node {
    /// A scheduled loop.
    Part(Part),
    /// Parts one after the other, again and again: a dimension around the bodies in it.
    Repeat(u32, Vec<Node>),
}

/// A scheduled loop.
#[derive(Clone, Debug)]
pub struct Part {
    /// What it is for, in a word.
    pub name: Box<str>,
    /// The loop.
    pub body: Body,
    /// Its schedule.
    pub schedule: Schedule,
}
