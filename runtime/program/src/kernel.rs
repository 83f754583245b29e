//! Kernels: what a device executes for a group of operations.
//!
//! The lists mirror `tessera_isa_tensix::list`, which this crate must not know: a file can be read, listed and
//! checked without any instruction set. Whether the words are instructions is the device's business.

use serde::Serialize;

use crate::hash::{Digest, Hasher};
use crate::Arch;

/// A kernel of a file's pool. Kernels are shared by content: see [`Kernel::hash`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kernel {
    /// Name for people; not part of the content.
    pub name: String,
    /// What runs.
    pub body: KernelBody,
}

/// The form of a kernel, one variant per kind of target.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "target", rename_all = "snake_case")]
pub enum KernelBody {
    /// Runs on one Tensix core.
    Tensix(TensixLists),
}

/// Lists for the three threads of a Tensix core and for the movement of pages between DRAM and L1.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TensixLists {
    /// The instruction set of the words.
    pub arch: Arch,
    /// Number of arguments that are read; they are numbered from 0.
    pub inputs: u16,
    /// Number of arguments that are written; they are numbered after the inputs.
    pub outputs: u16,
    /// First L1 byte address above everything the kernel uses.
    pub l1_end: u32,
    /// List of thread T0.
    pub unpack: Vec<Entry>,
    /// List of thread T1.
    pub math: Vec<Entry>,
    /// List of thread T2.
    pub pack: Vec<Entry>,
    /// List of the data movement.
    pub dm: Vec<DmEntry>,
}

/// An entry of a thread's list; entries retire in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Entry {
    /// Push an instruction word into the thread's FIFO.
    Push(#[serde(serialize_with = "word")] u32),
    /// Store to a register of the macro-op expander.
    MopCfg {
        /// Register.
        index: u8,
        /// Word.
        #[serde(serialize_with = "word")]
        value: u32,
    },
    /// Until the thread's FIFO holds no MOP and its expander is idle.
    WaitMop,
    /// Until everything the thread pushed has completed.
    WaitIdle,
    /// Increment a hardware semaphore by store.
    SemPost(u8),
    /// Decrement a hardware semaphore by store.
    SemGet(u8),
    /// Until a hardware semaphore has at least a value.
    SemPoll {
        /// Semaphore.
        sem: u8,
        /// Least value.
        at_least: u8,
    },
    /// Increment an L1 counter.
    Post {
        /// Counter.
        counter: u16,
    },
    /// Until an L1 counter has at least a value.
    Wait {
        /// Counter.
        counter: u16,
        /// Least value.
        at_least: u32,
    },
}

/// An entry of the data-movement list; entries retire in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DmEntry {
    /// Copy a page of an argument from DRAM to L1.
    Read {
        /// Argument of the kernel.
        arg: u16,
        /// Page of the argument.
        page: u32,
        /// L1 byte address.
        l1: u32,
    },
    /// Copy a page of an argument from L1 to DRAM.
    Write {
        /// Argument of the kernel.
        arg: u16,
        /// Page of the argument.
        page: u32,
        /// L1 byte address.
        l1: u32,
    },
    /// Increment an L1 counter.
    Post {
        /// Counter.
        counter: u16,
    },
    /// Until an L1 counter has at least a value.
    Wait {
        /// Counter.
        counter: u16,
        /// Least value.
        at_least: u32,
    },
}

impl Kernel {
    /// SHA-256 of everything but the name, over a fixed byte order; files store it and readers compare it.
    pub fn hash(&self) -> Digest {
        let mut hasher = Hasher::default();
        match &self.body {
            KernelBody::Tensix(lists) => {
                hasher.bytes(b"tensix lists");
                hasher.word(lists.arch.to_fb().0.into());
                hasher.word(lists.inputs.into());
                hasher.word(lists.outputs.into());
                hasher.word(lists.l1_end);
                for list in [&lists.unpack, &lists.math, &lists.pack] {
                    hasher.length(list.len());
                    for entry in list {
                        let entry = entry.to_fb();
                        hasher.words([entry.kind().0.into(), entry.index().into(), entry.value()]);
                    }
                }
                hasher.length(lists.dm.len());
                for entry in &lists.dm {
                    let entry = entry.to_fb();
                    hasher.words([
                        entry.kind().0.into(),
                        entry.index().into(),
                        entry.value(),
                        entry.l1(),
                    ]);
                }
            }
        }
        hasher.finish()
    }

    /// The architecture whose instructions the kernel holds.
    pub fn arch(&self) -> Arch {
        match &self.body {
            KernelBody::Tensix(lists) => lists.arch,
        }
    }

    /// Name of the kind of device that runs it.
    pub fn target(&self) -> &'static str {
        match &self.body {
            KernelBody::Tensix(_) => "tensix",
        }
    }

    /// Number of arguments it reads and number it writes.
    pub fn arity(&self) -> (usize, usize) {
        match &self.body {
            KernelBody::Tensix(lists) => (lists.inputs.into(), lists.outputs.into()),
        }
    }
}

impl Serialize for Kernel {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct View<'a> {
            name: &'a str,
            hash: String,
            #[serde(flatten)]
            body: &'a KernelBody,
        }
        View {
            name: &self.name,
            hash: self.hash().to_string(),
            body: &self.body,
        }
        .serialize(serializer)
    }
}

/// An instruction word as people read it.
fn word<S: serde::Serializer>(word: &u32, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("{word:#010x}"))
}
