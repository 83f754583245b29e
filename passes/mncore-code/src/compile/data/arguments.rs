//! The tensors of a kernel and their allocation in DRAM.

use tessera_isa_mncore::layout::{Layout, LayoutError, Memory};
use tessera_isa_mncore::memory::{Bank, Precision, DRAM_WORDS};
use tessera_pto::kernel::{Element, TensorType};

use super::distribution::{Distribution, Mapping};
use super::local_tensors::LocalTensor;
use super::row_operands::{load_stages, RowOperand};
use super::tensor_use::{Role, TensorUse};
use super::vector_layout::VectorLayout;
use super::vectors::TensorVectors;
use crate::compile::error::CompileError;
use crate::compile::kernel::{Kernel, MovedExtent, ResourceBound};
use crate::compile::padding::Fill;
use crate::compile::scratchpad;
use crate::raise::{Expr, ExprKind, Store, TensorProgram};
use tessera_mncore_ir::kernel::{Stage, Tensor};

/// Alignment of tensors, in long words.
pub(crate) const ALIGNMENT: u64 = 64;

/// A tensor with the use and distribution for which it was placed.
type Placed = (
    (usize, TensorUse, VectorLayout, Distribution, bool),
    TensorVectors,
);

/// An argument that several loops of a block read, and its place in local memory. The first of them
/// streams it and stores it there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KeptArgument {
    pub tensor: usize,
    pub place: LocalTensor,
    /// Its vectors in a block.
    pub vectors: u32,
    /// Whether a loop has stored it.
    is_stored: bool,
}

impl KeptArgument {
    pub fn new(tensor: usize, place: LocalTensor, vectors: u32) -> Self {
        KeptArgument {
            tensor,
            place,
            vectors,
            is_stored: false,
        }
    }
}

/// A local tensor that the next loop over its vectors computes, as it reads it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DeferredTensor<'a> {
    pub store: &'a Store,
    /// Whether loops after that one read it, too.
    pub is_stored: bool,
}

/// Allocates the tensors of a kernel in DRAM, one after the other or at given addresses.
pub(crate) struct Arguments<'a> {
    whole: &'a TensorProgram,
    fill: Fill,
    /// Whether the column side of a product is computed in the kernel. Then its padding along the
    /// depth need not be zero.
    pub computes_columns: bool,
    distribution: Distribution,
    tensors: Vec<(Tensor, Option<MovedExtent>)>,
    /// The tensors that are placed as vectors.
    placed: Vec<Placed>,
    /// The places of local tensors, in the order of [`TensorProgram::locals`].
    locals: Vec<LocalTensor>,
    /// The local tensors that the next loop to read them computes.
    deferred: Vec<DeferredTensor<'a>>,
    /// The arguments that several loops read.
    kept: Vec<KeptArgument>,
    /// The tensors that stay in LM1 as row operands, with their uses.
    row_operands: Vec<(usize, TensorUse)>,
    /// Their places.
    rows: Vec<RowOperand>,
    /// Base addresses in order of allocation; empty to allocate one after the other.
    bases: &'a [u32],
    /// The address of the next tensor, in long words.
    pub next: u64,
}

impl<'a> Arguments<'a> {
    pub fn new(
        whole: &'a TensorProgram,
        fill: Fill,
        distribution: Distribution,
        bases: &'a [u32],
    ) -> Self {
        Arguments {
            whole,
            fill,
            computes_columns: false,
            distribution,
            tensors: Vec::new(),
            placed: Vec::new(),
            locals: Vec::new(),
            deferred: Vec::new(),
            kept: Vec::new(),
            row_operands: Vec::new(),
            rows: Vec::new(),
            bases,
            next: bases.first().map_or(0, |&base| base.into()),
        }
    }

    /// Places the local tensors.
    pub fn set_locals(&mut self, locals: Vec<LocalTensor>) {
        self.locals = locals;
    }

    /// Sets the arguments that the first loop to read them keeps in local memory.
    pub fn set_kept(&mut self, kept: Vec<KeptArgument>) {
        self.kept = kept;
    }

    /// Defers a local tensor to the next loop, which must read it as it is, over the same vectors.
    pub fn defer(&mut self, tensor: DeferredTensor<'a>) {
        self.deferred.push(tensor);
    }

    /// Returns a deferred tensor, which the caller computes now.
    pub fn take_deferred(&mut self, tensor: usize) -> Option<DeferredTensor<'a>> {
        let mut deferred = self.deferred.iter();
        let found = deferred.position(|one| one.store.tensor == tensor)?;
        Some(self.deferred.remove(found))
    }

    /// Returns the place of a tensor, if it is local or if a loop has stored it.
    pub fn local(&self, tensor: usize) -> Option<LocalTensor> {
        let mut locals = self.whole.locals.iter().zip(&self.locals);
        let found = locals.find(|(store, _)| store.tensor == tensor);
        let kept = self.kept.iter().filter(|one| one.is_stored);
        let mut kept = kept.filter(|one| one.tensor == tensor);
        found.map_or_else(|| Some(kept.next()?.place), |(_, local)| Some(*local))
    }

    /// Returns whether loops read a tensor from local memory: it is there, and not computed by the
    /// loop itself.
    pub fn is_local(&self, tensor: usize) -> bool {
        let mut deferred = self.deferred.iter();
        self.local(tensor).is_some() && deferred.all(|one| one.store.tensor != tensor)
    }

    /// Returns whether an argument is, or will be, in local memory.
    pub fn is_kept(&self, tensor: usize) -> bool {
        self.kept.iter().any(|one| one.tensor == tensor)
    }

    /// Returns the place where a loop that streams all of these vectors of an argument stores it
    /// for later ones, if there are any.
    pub fn keep(&mut self, tensor: usize, vectors: &TensorVectors) -> Option<LocalTensor> {
        if vectors.vector_layout.is_column_side() {
            return None;
        }
        let mut kept = self.kept.iter_mut().filter(|one| !one.is_stored);
        let kept = kept.find(|one| one.tensor == tensor && one.vectors == vectors.all)?;
        kept.is_stored = true;
        Some(kept.place)
    }

    /// Returns the words of a memory that are not reserved for local tensors.
    pub fn words(&self, bank: Bank) -> u32 {
        match bank {
            _ if self.locals.is_empty() => bank.words().into(),
            Bank::Lm0 => scratchpad::LOCAL_LM0.start,
            Bank::Lm1 => scratchpad::LOCAL_LM1.start,
            Bank::Grf0 | Bank::Grf1 => bank.words().into(),
        }
    }

    /// Returns whether the kernel has several stages. These share stream buffers with the row side
    /// of products.
    pub fn has_stages(&self) -> bool {
        !self.whole.locals.is_empty()
    }

    /// Returns the current distribution.
    pub fn distribution(&self) -> Distribution {
        self.distribution
    }

    /// Changes the distribution for what is placed from now on.
    pub fn set_distribution(&mut self, distribution: Distribution) {
        self.distribution = distribution;
    }

    /// Returns the types of the group's arguments.
    pub fn tensors(&self) -> &'a [TensorType] {
        &self.whole.tensors
    }

    /// Returns the type of an argument.
    pub fn tensor(&self, argument: usize) -> TensorType {
        self.whole.tensors[argument]
    }

    /// Returns whether an argument has elements of type bf16.
    pub fn is_bf16(&self, argument: usize) -> bool {
        self.whole.tensors[argument].element == Element::Bf16
    }

    /// Counts how often an expression reads a bf16 argument.
    pub fn bf16_reads(&self, expr: &Expr) -> usize {
        bf16_reads(self.whole, expr)
    }

    /// Returns whether an argument that a store reads or writes has elements of type bf16.
    pub fn has_bf16(&self, store: &Store) -> bool {
        self.is_bf16(store.tensor) || self.bf16_reads(&store.value) > 0
    }

    /// Places a tensor as vectors, packing bf16 if `halves` and if the number of vectors is even. A
    /// tensor placed in the same way before is shared.
    pub fn place(
        &mut self,
        tensor: usize,
        r#use: &TensorUse,
        vector_layout: VectorLayout,
        halves: bool,
    ) -> Result<TensorVectors, CompileError> {
        let key = (tensor, *r#use, vector_layout, self.distribution, halves);
        if let Some((_, vectors)) = self.placed.iter().find(|(placed, _)| *placed == key) {
            return Ok(vectors.clone());
        }
        let at = |base| -> Result<TensorVectors, CompileError> {
            let placed =
                TensorVectors::place(r#use, vector_layout, &self.distribution, halves, base);
            let mut placed = placed.map_err(|error| self.layout_error(tensor, error))?;
            let is_summed = vector_layout.is_column_side() && !self.computes_columns;
            placed.layout =
                self.with_host_padding(placed.layout, [r#use.rows, r#use.columns], is_summed);
            placed.repeats_cycles &= match self.distribution.rows_over_cycles {
                true => self.fill.tall_cycles,
                false => self.fill.cycles,
            };
            Ok(placed)
        };
        let mut vectors = at(self.next)?;
        match self.existing_base(tensor, &vectors.layout) {
            Some(base) => vectors = at(base.into())?,
            None => {
                let extent = vectors.moved_extent();
                self.add(tensor, vectors.layout.clone(), Some(extent))?;
            }
        }
        self.placed.push((key, vectors.clone()));
        Ok(vectors)
    }

    /// Places a tensor as tiles in this layout and returns its base. A tensor that has the layout
    /// already, for example as a factor of another stage's product, is shared.
    pub fn place_tiles(&mut self, tensor: usize, layout: Layout) -> Result<u32, CompileError> {
        let Some(base) = self.existing_base(tensor, &layout) else {
            let base = layout.base();
            self.add(tensor, layout, None)?;
            return Ok(base);
        };
        // Tiles are read with all of their padding.
        let is_shared = |one: &Tensor| one.argument == tensor && one.layout.base() == base;
        let shared = self.tensors.iter_mut().find(|(one, _)| is_shared(one));
        if let Some((_, moved)) = shared {
            *moved = None;
        }
        Ok(base)
    }

    /// Places a tensor as a row operand, if a loop with the current distribution can read it so.
    /// Only kernels of several stages have row operands.
    pub fn row_operand(
        &mut self,
        tensor: usize,
        r#use: &TensorUse,
    ) -> Result<Option<RowOperand>, CompileError> {
        if !self.has_stages() || !RowOperand::is_one(r#use, &self.distribution) {
            return Ok(None);
        }
        let found = self
            .row_operands
            .iter()
            .position(|one| *one == (tensor, *r#use));
        if let Some(number) = found {
            return Ok(Some(self.rows[number].clone()));
        }
        let Some(operand) = RowOperand::next(&self.rows, r#use, self.next) else {
            return Ok(None);
        };
        let layout = operand.layout(r#use);
        let layout = layout.map_err(|error| self.layout_error(tensor, error))?;
        let layout = self.with_host_padding(layout, [r#use.rows, r#use.columns], false);
        self.add(tensor, layout, None)?;
        self.row_operands.push((tensor, *r#use));
        self.rows.push(operand.clone());
        Ok(Some(operand))
    }

    /// Adds to a layout the padding that the host fills with edge values. Along the depth of a
    /// product the padding stays zero if `is_summed`.
    pub fn with_host_padding(&self, layout: Layout, roles: [Role; 2], is_summed: bool) -> Layout {
        let names = ["r", "c"].into_iter().zip(roles);
        let edges = names.filter(|(_, role)| !(is_summed && *role == Role::K));
        let mut edges: Vec<&str> = match self.fill.edges {
            true => edges.map(|(name, _)| name).collect(),
            false => Vec::new(),
        };
        // L2Bs without matrices compute those of others.
        if self.distribution.mapping == Mapping::MatricesOverL2bs {
            edges.push("x");
        }
        layout.with_edges(&edges)
    }

    /// Returns the base of a tensor that already has this layout for another use, for example as a
    /// factor and as vectors.
    fn existing_base(&self, tensor: usize, layout: &Layout) -> Option<u32> {
        let of_tensor = self
            .tensors
            .iter()
            .filter(|(other, _)| other.argument == tensor);
        let mut bases = of_tensor.map(|(other, _)| (other.layout.base(), &other.layout));
        let twin =
            bases.find(|(base, other)| layout.with_base(*base).is_ok_and(|moved| moved == **other));
        twin.map(|(base, _)| base)
    }

    /// Returns the error for a tensor that does not fit.
    pub fn layout_error(&self, tensor: usize, error: LayoutError) -> CompileError {
        CompileError::Layout {
            tensor,
            kind: self.whole.tensors[tensor],
            error,
        }
    }

    /// Adds a tensor with its layout and the extent that the kernel moves of it.
    ///
    /// # Errors
    /// Returns an error if the tensor with its padding exceeds DRAM.
    pub fn add(
        &mut self,
        argument: usize,
        layout: Layout,
        vectors: Option<MovedExtent>,
    ) -> Result<(), CompileError> {
        let (base, words) = (u64::from(layout.base()), layout.padded_words());
        let end = base + words;
        if end > u64::from(DRAM_WORDS) {
            let error = LayoutError::Capacity {
                layout: layout.to_string(),
                memory: Memory::Dram,
                base,
                words,
                has: DRAM_WORDS.into(),
            };
            return Err(self.layout_error(argument, error));
        }
        let tensor = Tensor {
            argument,
            kind: self.whole.tensors[argument],
            layout,
            view: None,
        };
        self.tensors.push((tensor, vectors));
        self.next = match self.bases.get(self.tensors.len()) {
            Some(&base) => base.into(),
            None => end.next_multiple_of(ALIGNMENT),
        };
        Ok(())
    }

    /// Assembles the kernel. `product` gives the precision and the bounds of its product.
    pub fn kernel(
        mut self,
        result: usize,
        stages: Vec<Stage>,
        product: Option<(Precision, ResourceBound)>,
    ) -> Result<Kernel, CompileError> {
        self.tensors
            .sort_by_key(|(tensor, _)| (tensor.argument == result, tensor.argument));
        let (tensors, vectors): (Vec<_>, Vec<_>) = self.tensors.into_iter().unzip();
        let stages = load_stages(&self.rows).into_iter().chain(stages);
        Ok(Kernel {
            inputs: tensors.len() - 1,
            tensors,
            vectors,
            stages: stages.collect(),
            precision: product.map(|(precision, _)| precision),
            bound: product.map(|(_, bound)| bound),
            estimate: None,
        })
    }
}

/// Counts how often an expression reads a bf16 tensor.
pub(crate) fn bf16_reads(whole: &TensorProgram, expr: &Expr) -> usize {
    let mut count = 0;
    expr.visit(&mut |expr| match expr.kind {
        ExprKind::Tensor(tensor, _) if whole.tensors[tensor].element == Element::Bf16 => count += 1,
        _ => {}
    });
    count
}
