//! Entries of the operation table, and calls: operations applied to operands.

use std::fmt;

use crate::attribute::{AttributeInfo, AttributeKind, Attributes, Presence};
use crate::element::TensorType;
use crate::graph::Graph;
use crate::index_map::IndexMap;
use crate::scalar::{Binary, Domain, Reduce, Unary};

/// The declaration of an operand.
#[derive(Clone, Copy, Debug)]
pub struct OperandInfo {
    /// Its name in ODS.
    pub name: &'static str,
    /// The number of tensors that it stands for.
    pub count: Arity,
}

/// The number of tensors that a declared operand stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arity {
    /// One.
    One,
    /// One or none. Only the last operands may be optional; if there are several,
    /// `operandSegmentSizes` tells which are present.
    Optional,
    /// One or more. Only the last operand may be variadic.
    Variadic,
}

/// The attribute of operations with several optional operands that counts the tensors of each
/// declared operand. Without it, the first operands are present. The older form of TTIR also counts
/// the output operand, after the others.
pub const SEGMENTS: AttributeInfo =
    AttributeInfo::optional("operandSegmentSizes", AttributeKind::Segments);

/// The class of an operation. Everything but shapes and names follows from it.
#[derive(Clone, Copy, Debug)]
pub enum Class {
    /// Creates a tensor without operands.
    Creation(Creation),
    /// An element-wise function of one tensor.
    Unary(Unary),
    /// An element-wise function of two tensors, which are broadcast.
    Binary(Binary),
    /// An element-wise function of three tensors, which are broadcast.
    Ternary(Ternary),
    /// An element-wise function of one tensor with numbers as attributes.
    Parametric(Parametric),
    /// Rounds every element once to the element type of the result.
    Cast,
    /// Reduces along dimensions.
    Reduction(Reduction),
    /// A matrix product, with a bias if there is a third operand.
    Contraction,
    /// Moves elements: the result consists of elements of the operands, re-indexed.
    Movement(fn(&Call) -> IndexMap),
    /// Moves elements by a map with a [`Lookup`](crate::Lookup): positions are elements of an
    /// operand.
    Lookup(fn(&Call) -> IndexMap),
    /// Copies a tensor to another layout or memory; elements do not change.
    Placement(Placement),
    /// Decomposes into other operations, which replace it before layouts are chosen.
    Composite(Decompose),
    /// Opens the device; it has neither operands nor a tensor result.
    GetDevice,
    /// Frees its operand.
    Deallocate,
}

/// Builds the operations into which a composite decomposes. The last one computes its result.
pub type Decompose = fn(&Call, &mut Graph) -> Result<(), CallError>;

/// The elements of a created tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Creation {
    /// Unspecified.
    Empty,
    /// 0
    Zeros,
    /// 1
    Ones,
    /// The attribute `fill_value`.
    Full,
    /// The elements of the attribute `value`.
    Constant,
    /// Evenly spaced numbers along a dimension.
    Range,
}

/// An element-wise function of three tensors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ternary {
    /// The second operand where the first is not zero, else the third.
    Where,
    /// The first operand, at least the second, at most the third.
    Clamp,
}

/// An element-wise function of one tensor with numbers as attributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parametric {
    /// The element, times `parameter` where it is negative.
    LeakyRelu,
    /// The element, at least `min` and at most `max`; `max` if `min` is greater than `max`.
    Clamp,
}

/// A reduction of a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    /// A reduction of elements.
    Fold(Reduce),
    /// The sum divided by the number of elements.
    Mean,
}

impl Reduction {
    /// Returns the function that combines the elements; a mean uses the sum.
    pub fn fold(self) -> Reduce {
        match self {
            Reduction::Fold(reduce) => reduce,
            Reduction::Mean => Reduce::Sum,
        }
    }
}

/// The destination of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// Another layout in the same memory.
    Layout,
    /// From the host to the device.
    ToDevice,
    /// From the device to the host.
    FromDevice,
    /// Another memory of the device.
    MemoryConfig,
}

/// Constraint on the element types of operands and result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElementRule {
    /// All operands and the result have the same element type.
    Same,
    /// All operands have the same element type; the result, 1 or 0, may have another.
    Predicate,
    /// The result and all operands but the first have the same element type.
    AllButFirst,
    /// No constraint.
    Any,
}

/// An entry of the table.
#[derive(Debug)]
pub struct OpInfo {
    /// Its name in `ttnn` and in the program file.
    pub name: &'static str,
    /// Its name in `ttir`, if it is an operation there.
    pub ttir: Option<&'static str>,
    /// Whether it is an operation of `ttnn`. Composites that decompose before are not.
    pub in_ttnn: bool,
    /// A short description of its value.
    pub summary: &'static str,
    /// Further documentation, in Markdown.
    pub description: &'static str,
    /// An example in `ttir`; empty if one can be generated from the signature.
    pub example: &'static str,
    /// Its operands.
    pub operands: &'static [OperandInfo],
    /// Its attributes.
    pub attributes: &'static [AttributeInfo],
    /// Its class.
    pub class: Class,
    /// The constraint on element types.
    pub elements: ElementRule,
    /// The arithmetics in which it is defined.
    pub domain: Domain,
    /// Upstream's checks of operands and result that precede all others.
    pub verify: fn(&Call, &TensorType) -> Result<(), String>,
    /// The shape of the result.
    pub shape: fn(&Call) -> Result<Vec<u64>, String>,
    /// Upstream's diagnostic for a result shape that differs from the expected one. The parameters
    /// are the call, the expected and the found shape.
    pub mismatch: fn(&Call, &[u64], &[u64]) -> String,
}

impl PartialEq for OpInfo {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for OpInfo {}

impl fmt::Display for OpInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl OpInfo {
    /// Returns the least and the greatest number of operands; the latter is `None` if it is
    /// unbounded.
    pub fn operand_counts(&self) -> (usize, Option<usize>) {
        let declared = self.operands.len();
        let is_optional = |operand: &&OperandInfo| operand.count == Arity::Optional;
        let optional = self.operands.iter().rev().take_while(is_optional).count();
        match self.operands.last().map(|last| last.count) {
            Some(Arity::Variadic) => (declared, None),
            _ => (declared - optional, Some(declared)),
        }
    }

    /// Returns the declaration of an attribute.
    pub fn attribute(&self, name: &str) -> Option<&'static AttributeInfo> {
        self.attributes.iter().find(|info| info.name == name)
    }

    /// Returns the number of result tensors.
    pub fn result_count(&self) -> usize {
        match self.class {
            Class::GetDevice | Class::Deallocate => 0,
            _ => 1,
        }
    }

    /// Returns whether the result is computed from the elements of its operands.
    pub fn is_arithmetic(&self) -> bool {
        matches!(
            self.class,
            Class::Unary(_)
                | Class::Binary(_)
                | Class::Ternary(_)
                | Class::Parametric(_)
                | Class::Cast
                | Class::Reduction(_)
                | Class::Contraction
                | Class::Movement(_)
                | Class::Lookup(_)
                | Class::Composite(_)
        )
    }
}

/// An operation applied to operands.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    /// The operation.
    pub op: &'static OpInfo,
    /// The types of its operands.
    pub operands: &'a [TensorType],
    /// Its attributes.
    pub attributes: &'a Attributes,
}

/// Why a call is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CallError {
    /// Invalid shapes, attributes or number of operands.
    #[error("{0}")]
    Shape(String),
    /// An element type that the operation does not support.
    #[error("'{op}' does not support element type '{element}'; cast to '{instead}' first")]
    Domain {
        /// The name of the operation.
        op: &'static str,
        /// The operand.
        operand: usize,
        /// Its element type.
        element: crate::ElementType,
        /// An element type that is supported.
        instead: &'static str,
    },
    /// An element type that breaks the constraint of the operation. Operands are numbered first,
    /// the result follows.
    #[error("'{op}' has element type '{found}' where '{expected}' is needed; insert a typecast")]
    Element {
        /// The name of the operation.
        op: &'static str,
        /// The operand, or the number of operands for the result.
        operand: usize,
        /// Its element type.
        found: crate::ElementType,
        /// What is needed.
        expected: crate::ElementType,
    },
    /// A position of a lookup that is out of range.
    #[error(transparent)]
    Index(#[from] crate::IndexError),
}

impl Call<'_> {
    /// Returns the shape of an operand, which is empty if the operand is absent.
    pub fn operand_shape(&self, index: usize) -> &[u64] {
        self.operands
            .get(index)
            .map_or(&[], |operand| &operand.shape)
    }

    /// Returns, for each declared operand, its index among the tensors, or `None` if it is absent.
    ///
    /// # Errors
    /// If `operandSegmentSizes` does not count the tensors that there are.
    pub fn operand_indices(&self) -> Result<Vec<Option<usize>>, CallError> {
        let declared = self.op.operands;
        let found = self.operands.len();
        let Some(counts) = self.attributes.ints(SEGMENTS.name) else {
            return Ok((0..declared.len())
                .map(|at| (at < found).then_some(at))
                .collect());
        };
        let own = counts.get(..declared.len()).unwrap_or_default();
        let fits = |(info, count): (&OperandInfo, &i64)| match info.count {
            Arity::One => *count == 1,
            Arity::Optional => matches!(count, 0 | 1),
            Arity::Variadic => *count >= 1,
        };
        let is_output = matches!(counts.get(declared.len()..), Some([] | [1]));
        let sum: i64 = own.iter().sum();
        if !is_output || sum != found as i64 || !declared.iter().zip(own).all(fits) {
            return Err(CallError::Shape(format!(
                "attribute '{}' ({}) does not count the {found} operands",
                SEGMENTS.name,
                crate::shape::join(counts, ", ")
            )));
        }
        let mut next = 0;
        Ok(own
            .iter()
            .map(|&count| {
                next += count as usize;
                (count > 0).then(|| next - count as usize)
            })
            .collect())
    }

    /// Checks the number of operands.
    ///
    /// # Errors
    /// If it has not.
    pub fn check_count(&self) -> Result<(), CallError> {
        let (least, most) = self.op.operand_counts();
        let found = self.operands.len();
        if found < least || most.is_some_and(|most| found > most) {
            return Err(CallError::Shape(format!(
                "'{}' takes {} operands, but has {found}",
                self.op,
                match most {
                    Some(most) if most == least => least.to_string(),
                    Some(most) => format!("{least} to {most}"),
                    None => format!("{least} or more"),
                }
            )));
        }
        Ok(())
    }

    /// Checks that all required attributes are present, and that all attributes are declared and
    /// have the declared kind.
    ///
    /// # Errors
    /// If it lacks one, has one that it does not declare, or one of another kind.
    pub fn check_attributes(&self) -> Result<(), CallError> {
        let op = self.op;
        let mut required = op.attributes.iter();
        let lacking = required.find(|info| {
            info.presence == Presence::Required && self.attributes.get(info.name).is_none()
        });
        if let Some(AttributeInfo { name, .. }) = lacking {
            let text = format!("'{op}' requires attribute '{name}'");
            return Err(CallError::Shape(text));
        }
        for (name, value) in self.attributes.iter() {
            let Some(info) = op.attribute(name) else {
                let text = format!("'{op}' has no attribute '{name}'");
                return Err(CallError::Shape(text));
            };
            if !value.has_kind(info.kind) {
                let kind = info.kind;
                let text = format!("attribute '{name}' of '{op}' must be {kind}");
                return Err(CallError::Shape(text));
            }
        }
        Ok(())
    }

    /// Returns the shape of the result.
    ///
    /// # Errors
    /// If the operation is not defined for operands of these shapes, or for this number of them.
    pub fn infer_shape(&self) -> Result<Vec<u64>, CallError> {
        self.check_count()?;
        (self.op.shape)(self).map_err(CallError::Shape)
    }

    /// Checks that the result has the inferred shape.
    ///
    /// # Errors
    /// If it does not, or the operands do not fit each other.
    pub fn check_shape(&self, result: &[u64]) -> Result<(), CallError> {
        let expected = self.infer_shape()?;
        match expected == result {
            true => Ok(()),
            false => Err(CallError::Shape((self.op.mismatch)(
                self, &expected, result,
            ))),
        }
    }

    /// Returns the operations into which a composite decomposes.
    ///
    /// # Errors
    /// If it does not fit its operands, or is not a composite.
    pub fn decompose(&self) -> Result<Graph, CallError> {
        self.infer_shape()?;
        let Class::Composite(decompose) = self.op.class else {
            return Err(CallError::Shape(format!(
                "'{}' is not a composite",
                self.op
            )));
        };
        let mut graph = Graph::new(self.operands);
        decompose(self, &mut graph)?;
        Ok(graph)
    }

    /// Checks that the operation supports the element types of its operands.
    ///
    /// # Errors
    /// At the first operand for which it is not.
    pub fn check_domain(&self) -> Result<(), CallError> {
        let domain = self.op.domain;
        let mut operands = self.operands.iter().enumerate();
        match operands.find(|(_, operand)| !operand.element.is_in(domain)) {
            None => Ok(()),
            Some((index, operand)) => Err(CallError::Domain {
                op: self.op.name,
                operand: index,
                element: operand.element,
                instead: domain.example(),
            }),
        }
    }

    /// Checks the constraint on the element types of operands and result.
    ///
    /// # Errors
    /// At the first one that is not.
    pub fn check_elements(&self, result: crate::ElementType) -> Result<(), CallError> {
        let operands = self.operands.iter().map(|operand| operand.element);
        let mut all = operands.chain([result]).enumerate();
        let compared: Vec<_> = match self.op.elements {
            ElementRule::Any => vec![],
            ElementRule::Same => all.collect(),
            ElementRule::AllButFirst => all.skip(1).collect(),
            ElementRule::Predicate => all.by_ref().take(self.operands.len()).collect(),
        };
        let Some(&(_, expected)) = compared.last() else {
            return Ok(());
        };
        match compared.iter().find(|(_, found)| *found != expected) {
            None => Ok(()),
            Some(&(operand, found)) => Err(CallError::Element {
                op: self.op.name,
                operand,
                found,
                expected,
            }),
        }
    }
}
