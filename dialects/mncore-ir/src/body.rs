//! A loop of items, with the values they hand to one another.
//!
//! The meaning is sequential: iterations in order, the last dimension fastest, in each the items in
//! order; an item sees everything that those before it wrote. A schedule may do it in any order
//! that nobody can tell from this one.
//!
//! A block without a loop is a body without dimensions: one iteration. The indices of loops around
//! a body come before its own: addresses and guards see them, the schedule does not.

use tessera_isa_mncore::memory::{Bank, Width};
use thiserror::Error;

use crate::item::{Dest, Guard, Item, Op, Operand, Value};

/// A loop.
#[derive(Clone, Debug, Default)]
pub struct Body {
    /// How often the loops around it are gone through, outermost first.
    pub outer: Vec<u32>,
    /// How often each dimension is gone through, outermost first.
    pub trip: Vec<u32>,
    /// What one iteration does, in order.
    pub items: Vec<Item>,
    /// What its values are.
    pub values: Vec<ValueKind>,
    /// Steps that an iteration is not to be shorter than, if its MV instructions take so many: a
    /// shorter one would only wait for them, and what is left of those before with it.
    pub min_ii: u32,
}

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueKind {
    /// Its width in each cycle, as it is written and read.
    pub width: Width,
    /// Where it may lie.
    pub home: Home,
}

/// Where a value may lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Home {
    /// In a forwarding register alone: its readers issue in the step after its writer.
    Forward,
    /// In a register file, or in a forwarding register for those who read it in the next step.
    Any,
    /// In this memory.
    Bank(Bank),
    /// In a mask register.
    Flags,
}

/// Why a body is none.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BodyError {
    /// A value is read before it is written.
    #[error("item {item} reads value {value}, which no item before it writes")]
    Unwritten {
        /// Who reads.
        item: usize,
        /// The value's number.
        value: u32,
    },
    /// A value is written again without a mask.
    #[error("item {item} writes value {value} again, without a mask")]
    Overwritten {
        /// Who writes.
        item: usize,
        /// The value's number.
        value: u32,
    },
    /// A guard on a dimension that there is not.
    #[error("item {item} asks for dimension {dimension} of a loop of {dimensions}")]
    Dimension {
        /// Whose guard.
        item: usize,
        /// The dimension.
        dimension: usize,
        /// How many there are.
        dimensions: usize,
    },
    /// A forwarded value is read by an item that does not stand behind its writer.
    #[error("item {item} reads value {value} from a forwarding register, but does not follow item {writer}, which writes it")]
    Parted {
        /// Who reads.
        item: usize,
        /// The value's number.
        value: u32,
        /// Who writes it.
        writer: usize,
    },
}

impl Body {
    /// A loop without items, in other loops.
    pub fn new(outer: &[u32], trip: &[u32]) -> Self {
        Body {
            outer: outer.to_vec(),
            trip: trip.to_vec(),
            ..Body::default()
        }
    }

    /// A new value.
    pub fn value(&mut self, width: Width, home: Home) -> Value {
        self.values.push(ValueKind { width, home });
        Value(self.values.len() as u32 - 1)
    }

    /// What a value is.
    pub fn kind(&self, value: Value) -> ValueKind {
        self.values[value.0 as usize]
    }

    /// Appends an item that issues in every iteration.
    pub fn push(&mut self, op: Op, inputs: Vec<Operand>, outputs: Vec<Dest>) -> &mut Item {
        self.items.push(Item {
            op,
            inputs,
            outputs,
            when: Vec::new(),
            line: 0,
        });
        self.items.last_mut().expect("one was just put there")
    }

    /// How many iterations there are.
    pub fn iterations(&self) -> u64 {
        self.trip.iter().map(|&count| u64::from(count)).product()
    }

    /// The steps of an address that its innermost dimension alone moves, by so much.
    pub fn along(&self, step: u32) -> Vec<u32> {
        let mut steps = vec![0; self.dimensions()];
        if let Some(last) = steps.last_mut() {
            *last = step;
        }
        steps
    }

    /// How many dimensions an index has: those around it and its own.
    pub fn dimensions(&self) -> usize {
        self.outer.len() + self.trip.len()
    }

    /// The index of an iteration by its number, in the first iteration of all loops around.
    pub fn index(&self, number: u64) -> Vec<u32> {
        let mut index = vec![0; self.dimensions()];
        self.index_into(number, &mut index);
        index
    }

    /// The same in an index that has those of the loops around.
    pub fn index_into(&self, mut number: u64, index: &mut [u32]) {
        let own = &mut index[self.outer.len()..];
        for (slot, &count) in own.iter_mut().zip(&self.trip).rev() {
            *slot = (number % u64::from(count)) as u32;
            number /= u64::from(count);
        }
    }

    /// Whether any item issues in an iteration of the loops around.
    pub fn issues(&self, outer: &[u32]) -> bool {
        let holds = |guard: &Guard| {
            let around = outer.get(guard.dimension);
            around.is_none_or(|&index| guard.test.holds(index))
        };
        self.items.iter().any(|item| item.when.iter().all(holds))
    }

    /// Checks what [`BodyError`] says.
    ///
    /// # Errors
    /// The first that is wrong.
    pub fn check(&self) -> Result<(), BodyError> {
        let mut writers: Vec<Option<usize>> = vec![None; self.values.len()];
        for (item, what) in self.items.iter().enumerate() {
            if let Some(guard) = what.when.iter().find(|g| g.dimension >= self.dimensions()) {
                return Err(BodyError::Dimension {
                    item,
                    dimension: guard.dimension,
                    dimensions: self.dimensions(),
                });
            }
            for value in what.reads() {
                let number = value.0;
                let writer = writers[number as usize].ok_or(BodyError::Unwritten {
                    item,
                    value: number,
                })?;
                if self.kind(value).home == Home::Forward && !self.follows(writer, item) {
                    return Err(BodyError::Parted {
                        item,
                        value: number,
                        writer,
                    });
                }
            }
            for output in &what.outputs {
                let crate::item::Target::Value(value) = output.target else {
                    continue;
                };
                let writer = &mut writers[value.0 as usize];
                if writer.is_some() && output.mask.is_none() {
                    return Err(BodyError::Overwritten {
                        item,
                        value: value.0,
                    });
                }
                *writer = Some(item);
            }
        }
        Ok(())
    }

    /// Whether everything between a writer and a reader of a forwarded value reads the same value.
    pub fn follows(&self, writer: usize, reader: usize) -> bool {
        let written: Vec<Value> = self.items[writer].writes().collect();
        (writer + 1..reader)
            .all(|between| self.items[between].reads().any(|v| written.contains(&v)))
    }
}

/// All indices of dimensions of these extents, the last dimension fastest.
pub fn indices(extents: &[u32]) -> impl Iterator<Item = Vec<u32>> + '_ {
    let count: u64 = extents.iter().map(|&extent| u64::from(extent)).product();
    (0..count).map(move |mut number| {
        let mut index = vec![0; extents.len()];
        for (slot, &extent) in index.iter_mut().zip(extents).rev() {
            *slot = (number % u64::from(extent)) as u32;
            number /= u64::from(extent);
        }
        index
    })
}

/// Only in the first iteration of a dimension.
pub fn first(dimension: usize) -> Guard {
    Guard {
        dimension,
        test: crate::item::Test::Is(0),
    }
}
