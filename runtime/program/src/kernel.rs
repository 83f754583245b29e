//! Kernels: what a device executes for a group of operations.

use serde::Serialize;
use tessera_isa_tensix::list::{Entry, Lists};
use tessera_isa_tensix::Arch;
use tessera_pto::kernel::TensorType;

use crate::entry::{store, store_arch, store_dm};
use crate::groups::PtoGroups;
use crate::hash::{Digest, Hasher};
use crate::images::TensixImages;
use crate::mncore::MncoreProgram;

/// A kernel of a file's pool. Kernels are shared by content: see [`Kernel::hash`].
#[derive(Debug, Clone, PartialEq)]
pub struct Kernel {
    /// Name for diagnostics; not part of the content.
    pub name: String,
    /// The code.
    pub body: KernelBody,
}

/// The form of a kernel, one variant per kind of target.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "target", rename_all = "snake_case")]
pub enum KernelBody {
    /// Lists of words for one Tensix core.
    Tensix(TensixLists),
    /// Code for the RISC-V cores of Tensix tiles.
    #[serde(rename = "tensix")]
    TensixImages(Box<TensixImages>),
    /// Tile kernels, which the interpreter runs.
    Pto(PtoGroups),
    /// Runs on MN-Core 2.
    Mncore(MncoreProgram),
}

/// Lists for the three threads of a Tensix core and for the transfer of pages between DRAM and L1.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TensixLists {
    /// The instruction set of the words.
    #[serde(serialize_with = "crate::json::displayed")]
    pub arch: Arch,
    /// Number of arguments that are read; they are numbered from 0.
    pub inputs: u16,
    /// Number of arguments that are written; they are numbered after the inputs.
    pub outputs: u16,
    /// First L1 byte address after everything that the kernel uses.
    pub l1_end: u32,
    /// The lists.
    #[serde(flatten, serialize_with = "assembly")]
    pub lists: Lists,
}

impl Kernel {
    /// Returns the SHA-256 of everything but the name, in a fixed byte order. Files store it and
    /// readers check it.
    pub fn hash(&self) -> Digest {
        let mut hasher = Hasher::default();
        match &self.body {
            KernelBody::Tensix(lists) => {
                hasher.bytes(b"tensix lists");
                hasher.word(store_arch(lists.arch).0.into());
                hasher.word(lists.inputs.into());
                hasher.word(lists.outputs.into());
                hasher.word(lists.l1_end);
                for (_, list) in lists.lists.threads() {
                    hasher.length(list.len());
                    for entry in list {
                        let entry = store(*entry);
                        hasher.words([entry.kind().0.into(), entry.index().into(), entry.value()]);
                    }
                }
                hasher.length(lists.lists.dm.len());
                for entry in &lists.lists.dm {
                    let entry = store_dm(*entry);
                    hasher.words([
                        entry.kind().0.into(),
                        entry.index().into(),
                        entry.value(),
                        entry.l1(),
                    ]);
                }
            }
            KernelBody::TensixImages(images) => images.hash(&mut hasher),
            KernelBody::Pto(groups) => groups.hash(&mut hasher),
            KernelBody::Mncore(program) => program.hash(&mut hasher),
        }
        hasher.finish()
    }

    /// Returns the Tensix architecture whose instructions the kernel contains, if it is a Tensix
    /// kernel.
    pub fn arch(&self) -> Option<Arch> {
        match &self.body {
            KernelBody::Tensix(lists) => Some(lists.arch),
            KernelBody::TensixImages(images) => Some(images.arch),
            KernelBody::Pto(_) | KernelBody::Mncore(_) => None,
        }
    }

    /// Returns the name of the kind of device that runs the kernel.
    pub fn target(&self) -> &'static str {
        match &self.body {
            KernelBody::Tensix(_) | KernelBody::TensixImages(_) => "tensix",
            KernelBody::Pto(_) => "pto",
            KernelBody::Mncore(_) => "mncore",
        }
    }

    /// Returns the numbers of arguments that are read and written.
    pub fn arity(&self) -> (usize, usize) {
        match &self.body {
            KernelBody::Tensix(lists) => (lists.inputs.into(), lists.outputs.into()),
            KernelBody::TensixImages(images) => (images.inputs.into(), images.outputs.into()),
            KernelBody::Pto(groups) => groups.arity(),
            KernelBody::Mncore(program) => program.arity(),
        }
    }

    /// Returns the types of the arguments, or `None` if the kernel does not declare them.
    pub(crate) fn tensor_types(&self) -> Option<Vec<TensorType>> {
        match &self.body {
            KernelBody::Tensix(_) | KernelBody::TensixImages(_) => None,
            KernelBody::Pto(groups) => Some(groups.tensors().to_vec()),
            KernelBody::Mncore(program) => {
                Some(program.tensors.iter().map(|one| one.tensor).collect())
            }
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

/// Serializes lists in their text form, one string for each entry; an instruction is followed by
/// its word as a comment.
fn assembly<S: serde::Serializer>(lists: &Lists, serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct View {
        unpack: Vec<String>,
        math: Vec<String>,
        pack: Vec<String>,
        dm: Vec<String>,
    }
    fn line(entry: &Entry) -> String {
        match entry {
            Entry::Push(word) => format!("{entry}  # {word:#010x}"),
            _ => entry.to_string(),
        }
    }
    View {
        unpack: lists.unpack.iter().map(line).collect(),
        math: lists.math.iter().map(line).collect(),
        pack: lists.pack.iter().map(line).collect(),
        dm: lists.dm.iter().map(ToString::to_string).collect(),
    }
    .serialize(serializer)
}
