//! The arguments of a kernel, as they get their places in DRAM.

use tessera_isa_mncore::layout::{Layout, LayoutError, Memory};
use tessera_isa_mncore::memory::{Precision, DRAM_WORDS};
use tessera_pto::kernel::{Element, TensorType};

use super::padding::Fill;
use super::shape::Shape;
use super::vectors::{Form, Role, Use, Vectors};
use super::{Bound, CompileError, Kernel, Reach};
use crate::whole::{Expr, ExprKind, Whole};
use tessera_mncore_ir::kernel::{Stage, Tensor};

/// Tensors begin at multiples of so many long words.
pub(super) const ALIGNMENT: u64 = 64;

/// A tensor, how it is read, and how it lies.
type Placed = ((usize, Use, Form, Shape, bool), Vectors);

/// The tensors of a kernel, as they get their places in DRAM.
pub(super) struct Arguments<'a> {
    whole: &'a Whole,
    fill: Fill,
    /// Whether the column side of a product is computed: then its padding along the depth need not
    /// be zero.
    pub computes_columns: bool,
    shape: Shape,
    tensors: Vec<(Tensor, Option<Reach>)>,
    /// What lies there already as vectors.
    placed: Vec<Placed>,
    /// Where tensors lie, in the order in which they get their places; none if one behind the
    /// other.
    bases: &'a [u32],
    /// The long word of DRAM where the next one lies.
    pub next: u64,
}

impl<'a> Arguments<'a> {
    pub fn new(whole: &'a Whole, fill: Fill, shape: Shape, bases: &'a [u32]) -> Self {
        Arguments {
            whole,
            fill,
            computes_columns: false,
            shape,
            tensors: Vec::new(),
            placed: Vec::new(),
            bases,
            next: bases.first().map_or(0, |&base| base.into()),
        }
    }

    /// How the result is spread.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Says that what comes is spread in another way.
    pub fn set_shape(&mut self, shape: Shape) {
        self.shape = shape;
    }

    /// What the arguments of the group are.
    pub fn tensors(&self) -> &'a [TensorType] {
        &self.whole.tensors
    }

    /// What an argument is.
    pub fn tensor(&self, argument: usize) -> TensorType {
        self.whole.tensors[argument]
    }

    /// Whether an argument's elements are bf16.
    pub fn is_bf16(&self, argument: usize) -> bool {
        self.whole.tensors[argument].element == Element::Bf16
    }

    /// How often an expression reads an argument of bf16.
    pub fn bf16_reads(&self, expr: &Expr) -> usize {
        bf16_reads(self.whole, expr)
    }

    /// Gives a tensor its place, as vectors, those of bf16 in 16 bits if `halves`, and if there are
    /// two; it has one already, if it was given one in the same way.
    pub fn place(
        &mut self,
        tensor: usize,
        r#use: &Use,
        form: Form,
        halves: bool,
    ) -> Result<Vectors, CompileError> {
        let key = (tensor, *r#use, form, self.shape, halves);
        if let Some((_, vectors)) = self.placed.iter().find(|(placed, _)| *placed == key) {
            return Ok(vectors.clone());
        }
        let at = |base| -> Result<Vectors, CompileError> {
            let placed = Vectors::place(r#use, form, &self.shape, halves, base);
            let mut placed = placed.map_err(|error| self.refuse(tensor, error))?;
            let is_summed = form.is_column_side() && !self.computes_columns;
            placed.layout = self.filled(placed.layout, [r#use.rows, r#use.columns], is_summed);
            placed.repeats_cycles &= match self.shape.tall {
                true => self.fill.tall_cycles,
                false => self.fill.cycles,
            };
            Ok(placed)
        };
        let mut vectors = at(self.next)?;
        match self.lies_so(tensor, &vectors.layout) {
            Some(base) => vectors = at(base.into())?,
            None => {
                let reach = Reach {
                    vectors: vectors.all,
                    cycles: vectors.cycles,
                };
                self.add(tensor, vectors.layout.clone(), Some(reach))?;
            }
        }
        self.placed.push((key, vectors.clone()));
        Ok(vectors)
    }

    /// A layout with the padding that the host puts there: along the depth zeros, if a product sums
    /// over it as it is.
    pub fn filled(&self, layout: Layout, roles: [Role; 2], is_summed: bool) -> Layout {
        let names = ["r", "c"].into_iter().zip(roles);
        let edges = names.filter(|(_, role)| !(is_summed && *role == Role::K));
        let edges: Vec<&str> = edges.map(|(name, _)| name).collect();
        layout.with_edges(if self.fill.edges { &edges } else { &[] })
    }

    /// Where a tensor lies already as a layout has it, for another use: as a factor and as vectors,
    /// say.
    fn lies_so(&self, tensor: usize, layout: &Layout) -> Option<u32> {
        let of_tensor = self
            .tensors
            .iter()
            .filter(|(other, _)| other.argument == tensor);
        let mut bases = of_tensor.map(|(other, _)| (other.layout.base(), &other.layout));
        let twin =
            bases.find(|(base, other)| layout.with_base(*base).is_ok_and(|moved| moved == **other));
        twin.map(|(base, _)| base)
    }

    /// Why a tensor has no place.
    pub fn refuse(&self, tensor: usize, error: LayoutError) -> CompileError {
        CompileError::Layout {
            tensor,
            kind: self.whole.tensors[tensor],
            error,
        }
    }

    /// Adds a tensor that lies so, in so many vectors of a matrix and a block of columns.
    ///
    /// # Errors
    /// If it does not fit with its padding.
    pub fn add(
        &mut self,
        argument: usize,
        layout: Layout,
        vectors: Option<Reach>,
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
            return Err(self.refuse(argument, error));
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

    /// The kernel whose result is this argument; with the precision of its product and what that
    /// costs at least.
    pub fn kernel(
        mut self,
        result: usize,
        stages: Vec<Stage>,
        product: Option<(Precision, Bound)>,
    ) -> Result<Kernel, CompileError> {
        self.tensors
            .sort_by_key(|(tensor, _)| (tensor.argument == result, tensor.argument));
        let (tensors, vectors): (Vec<_>, Vec<_>) = self.tensors.into_iter().unzip();
        Ok(Kernel {
            inputs: tensors.len() - 1,
            tensors,
            vectors,
            stages,
            precision: product.map(|(precision, _)| precision),
            bound: product.map(|(_, bound)| bound),
            estimate: None,
        })
    }
}

/// How often an expression reads a tensor of bf16.
pub(super) fn bf16_reads(whole: &Whole, expr: &Expr) -> usize {
    let mut count = 0;
    expr.visit(&mut |expr| match expr.kind {
        ExprKind::Tensor(tensor, _) if whole.tensors[tensor].element == Element::Bf16 => count += 1,
        _ => {}
    });
    count
}

/// How many of so many vectors an iteration takes: two if some of them lie in 16 bits.
pub(super) fn width(halves: bool, vectors: u32) -> u32 {
    if halves && vectors % 2 == 0 {
        2
    } else {
        1
    }
}
