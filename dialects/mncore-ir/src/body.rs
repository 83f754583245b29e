//! The body of a loop: items, and the values that they pass to one another.
//!
//! The semantics are sequential: iterations in order (the last dimension varies fastest), items in
//! order, each sees all earlier writes. A schedule may reorder items as long as the result is the
//! same.
//!
//! A block without a loop is a body without dimensions, with one iteration. Indices of outer loops
//! precede those of the body. Addresses and guards depend on them; the schedule does not.

use tessera_isa_mncore::memory::{Bank, Width};
use thiserror::Error;

use crate::item::{Dest, Guard, Item, Op, Operand, Value};

/// A loop.
#[derive(Clone, Debug, Default)]
pub struct Body {
    /// Trip counts of the outer loops, outermost first.
    pub outer: Vec<u32>,
    /// Trip counts of the body's dimensions, outermost first.
    pub trip: Vec<u32>,
    /// The items of an iteration, in order.
    pub items: Vec<Item>,
    /// The kinds of its values.
    pub values: Vec<ValueKind>,
    /// A lower bound of the initiation interval, in steps, that MV transfers impose. A shorter
    /// interval would only stall in `wait`s, together with items of earlier iterations.
    pub min_ii: u32,
}

/// The kind of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueKind {
    /// The width per cycle of its writes and reads.
    pub width: Width,
    /// Where it may be stored.
    pub home: Home,
}

/// The storage that a value may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Home {
    /// A forwarding register only: its readers issue in the step after its writer.
    Forward,
    /// A register file, or a forwarding register for readers in the next step.
    Any,
    /// This memory.
    Bank(Bank),
    /// A mask register.
    Flags,
}

/// Why a body is malformed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BodyError {
    /// A value is read before it is written.
    #[error("item {item} reads value {value}, which no item before it writes")]
    Unwritten {
        /// The reader.
        item: usize,
        /// The value's number.
        value: u32,
    },
    /// A value is written again without a mask.
    #[error("item {item} writes value {value} again, without a mask")]
    Overwritten {
        /// The writer.
        item: usize,
        /// The value's number.
        value: u32,
    },
    /// A guard on a dimension that does not exist.
    #[error("item {item} asks for dimension {dimension} of a loop of {dimensions}")]
    Dimension {
        /// The guarded item.
        item: usize,
        /// The dimension.
        dimension: usize,
        /// The number of dimensions.
        dimensions: usize,
    },
    /// A value in a forwarding register has a reader that cannot directly follow its writer.
    #[error("item {item} reads value {value} from a forwarding register, but does not follow item {writer}, which writes it")]
    NotAdjacent {
        /// The reader.
        item: usize,
        /// The value's number.
        value: u32,
        /// The writer.
        writer: usize,
    },
}

impl Body {
    /// Creates a body without items.
    pub fn new(outer: &[u32], trip: &[u32]) -> Self {
        Body {
            outer: outer.to_vec(),
            trip: trip.to_vec(),
            ..Body::default()
        }
    }

    /// Creates a value.
    pub fn value(&mut self, width: Width, home: Home) -> Value {
        self.values.push(ValueKind { width, home });
        Value(self.values.len() as u32 - 1)
    }

    /// Returns the kind of a value.
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

    /// Returns the number of iterations.
    pub fn iterations(&self) -> u64 {
        self.trip.iter().map(|&count| u64::from(count)).product()
    }

    /// Returns address steps with `step` in the innermost dimension and 0 elsewhere.
    pub fn innermost_steps(&self, step: u32) -> Vec<u32> {
        let mut steps = vec![0; self.dimensions()];
        if let Some(last) = steps.last_mut() {
            *last = step;
        }
        steps
    }

    /// Returns the number of dimensions of an index, outer loops included.
    pub fn dimensions(&self) -> usize {
        self.outer.len() + self.trip.len()
    }

    /// Returns the index of an iteration, given its number, with all outer indices 0.
    pub fn index(&self, number: u64) -> Vec<u32> {
        let mut index = vec![0; self.dimensions()];
        self.index_into(number, &mut index);
        index
    }

    /// Writes the index of an iteration behind the outer indices in `index`.
    pub fn index_into(&self, mut number: u64, index: &mut [u32]) {
        let own = &mut index[self.outer.len()..];
        for (slot, &count) in own.iter_mut().zip(&self.trip).rev() {
            *slot = (number % u64::from(count)) as u32;
            number /= u64::from(count);
        }
    }

    /// Returns whether any item issues in an iteration of the outer loops.
    pub fn issues(&self, outer: &[u32]) -> bool {
        let holds = |guard: &Guard| {
            let around = outer.get(guard.dimension);
            around.is_none_or(|&index| guard.test.holds(index))
        };
        self.items.iter().any(|item| item.when.iter().all(holds))
    }

    /// Checks that the body is well-formed.
    ///
    /// # Errors
    /// The first violation.
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
                if self.kind(value).home == Home::Forward && !self.can_follow(writer, item) {
                    return Err(BodyError::NotAdjacent {
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

    /// Returns whether a reader can directly follow the writer of a forwarded value: all items in
    /// between read it, too.
    pub fn can_follow(&self, writer: usize, reader: usize) -> bool {
        let written: Vec<Value> = self.items[writer].writes().collect();
        (writer + 1..reader)
            .all(|between| self.items[between].reads().any(|v| written.contains(&v)))
    }
}

/// Returns all indices within these extents, the last dimension varying fastest.
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

/// Returns a guard for the first iteration of a dimension.
pub fn first(dimension: usize) -> Guard {
    Guard {
        dimension,
        test: crate::item::Test::Is(0),
    }
}
