//! The rings of kernels: who reserves and who imports them, and which of them need no memory.

use std::collections::{HashMap, HashSet};

use tessera_dialects::mlir::{Op, OpView, Reported, Rewriter};
use tessera_dialects::pto::{
    self, address, BufferOp, FuncOp, ImportPeerBufferOp, Kind, LaunchOp, ReserveBufferOp,
};

use crate::pto::kernel_index::KernelIndex;

/// The kernels of a module and the use of rings between them.
pub struct Kernels<'a> {
    index: KernelIndex<'a>,
    /// Kernels that share a core in every group that they are in.
    on_one_core: HashSet<FuncOp<'a>>,
}

impl<'a> Kernels<'a> {
    /// Collects the kernels of a module. Groups share cores only if the machine supports it.
    pub fn new(module: Op<'a>, shares_cores: bool) -> Self {
        let mut kernels = Kernels {
            index: KernelIndex::new(module),
            on_one_core: HashSet::new(),
        };
        if shares_cores {
            let launches = kernels.all().iter();
            let launches = launches.flat_map(|kernel| kernel.find_all::<LaunchOp>());
            let (shared, apart): (Vec<_>, Vec<_>) = launches.partition(|launch| {
                pto::shares_core(*launch, kernels.launched(*launch).first().copied())
            });
            let members = |launches: Vec<LaunchOp<'a>>| -> HashSet<FuncOp<'a>> {
                let members = launches.into_iter();
                members
                    .flat_map(|launch| kernels.launched(launch))
                    .collect()
            };
            kernels.on_one_core = &members(shared) - &members(apart);
        }
        kernels
    }

    /// Returns all kernels.
    pub fn all(&self) -> &[FuncOp<'a>] {
        self.index.all()
    }

    /// Returns whether a kernel shares its core, so that its rings are parts of the core's
    /// accumulators.
    pub fn is_on_one_core(&self, kernel: FuncOp<'a>) -> bool {
        self.on_one_core.contains(&kernel)
    }

    /// Returns the kernels that a launch starts, the cube kernel first.
    fn launched(&self, launch: LaunchOp<'a>) -> Vec<FuncOp<'a>> {
        let beside = pto::enclosing(*launch);
        let names = pto::launched(launch).into_iter();
        names
            .filter_map(|name| self.index.beside(beside?, name))
            .collect()
    }

    /// Returns all imports with the buffers that they name.
    fn imports(&self) -> Vec<Import<'a>> {
        let imports = self.all().iter();
        let imports = imports.flat_map(|kernel| kernel.find_all::<ImportPeerBufferOp>());
        imports.filter_map(|import| self.import(import)).collect()
    }

    fn import(&self, import: ImportPeerBufferOp<'a>) -> Option<Import<'a>> {
        let kernel = pto::enclosing(*import)?;
        let peer = import.peer_func()?;
        let reserved = self
            .index
            .beside(kernel, peer)?
            .find_all::<ReserveBufferOp>()
            .into_iter()
            .find(|reserve| reserve.name_attribute() == import.name_attribute())?;
        Some(Import {
            import,
            kernel,
            reserved,
        })
    }

    /// Checks that each ring has one producer. The two vector kernels of a launch count as one.
    ///
    /// # Errors
    /// At the reservation.
    pub fn check_peers(&self) -> Result<(), Reported> {
        let imports = self.imports();
        let mut of_ring: HashMap<ReserveBufferOp, Vec<&Import>> = HashMap::new();
        for import in &imports {
            of_ring.entry(import.reserved).or_default().push(import);
        }
        let one_sided = |kernel: &&FuncOp| matches!(kernel.kind(), Some(Kind::Cube | Kind::Vector));
        for kernel in self.all().iter().filter(one_sided) {
            for reserve in kernel.find_all::<ReserveBufferOp>() {
                let mut of = of_ring.remove(&reserve).unwrap_or_default();
                of.dedup_by_key(|one| one.kernel);
                self.check_peers_of(reserve, &of)?;
            }
        }
        Ok(())
    }

    fn check_peers_of(
        &self,
        reserve: ReserveBufferOp<'a>,
        imports: &[&Import<'a>],
    ) -> Result<(), Reported> {
        let name = reserve.name_attribute().unwrap_or_default();
        let Some((first, others)) = imports.split_first() else {
            return Err(reserve.error(format!(
                "reserves {name:?}, but no kernel imports it, so none pushes to the ring; add pto.import_peer_buffer {name:?} to \
                 the kernel on the other side"
            )));
        };
        for other in others {
            if !self.run_side_by_side(first.kernel, other.kernel) {
                return Err(reserve.error_with_notes(
                    format!(
                        "reserves {name:?}, which @{} and @{} import; a ring has one producer, so give each of them a ring, or a copy of \
                         this kernel",
                        first.kernel.symbol().unwrap_or_default(),
                        other.kernel.symbol().unwrap_or_default()
                    ),
                    &[(*first.import, "imported here".into()), (*other.import, "imported here".into())],
                ));
            }
        }
        Ok(())
    }

    /// Returns whether all launches that run either of two vector kernels run both.
    fn run_side_by_side(&self, one: FuncOp<'a>, other: FuncOp<'a>) -> bool {
        let launches = self.all().iter();
        let launches = launches.flat_map(|kernel| kernel.find_all::<LaunchOp>());
        let runs: Vec<_> = launches
            .map(|launch| {
                let members = self.launched(launch);
                [one, other].map(|kernel| members.contains(&kernel))
            })
            .filter(|[one, other]| *one || *other)
            .collect();
        !runs.is_empty() && runs.iter().all(|[one, other]| *one && *other)
    }

    /// Sets the addresses of imports to those of the buffers that they name.
    ///
    /// # Errors
    /// At an import with a different address.
    pub fn resolve_imports(&self, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
        for Import {
            import, reserved, ..
        } in self.imports()
        {
            let at = address::buffer_address(BufferOp::view(*reserved));
            let import = BufferOp::view(*import);
            match (address::buffer_address(import), at) {
                (None, None) => {}
                (None, Some(at)) => address::set_buffer(rewriter, import, at),
                (Some(own), at) if at == Some(own) => {}
                (Some(own), at) => {
                    let lies = at.map_or("in no memory".into(), |at| format!("at {at}"));
                    return Err(import.error_with_notes(
                        format!(
                            "imports a buffer at {own}, but the buffer is {lies}; omit the \
                            address here"
                        ),
                        &[(*reserved, "reserved here".into())],
                    ));
                }
            }
        }
        Ok(())
    }
}

/// An import.
struct Import<'a> {
    import: ImportPeerBufferOp<'a>,
    /// The kernel that it is in.
    kernel: FuncOp<'a>,
    /// What it names.
    reserved: ReserveBufferOp<'a>,
}
