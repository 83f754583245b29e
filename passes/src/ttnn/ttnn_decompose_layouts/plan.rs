//! Plans the sequence of conversions that takes a tensor from one state to another.

use crate::ttnn::layout::{Layout, Memory, Order};
use tessera_dialects::mlir::Scalar;

/// State of a tensor: memory, element order and element type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// Memory and order.
    pub layout: Layout,
    /// Element type.
    pub element: Scalar,
}

/// Returns the states to go through, without the first. Consecutive states differ in one property,
/// or in order and element type where one operation changes both.
pub fn plan(from: State, to: State) -> Vec<State> {
    let mut path = Path {
        at: from,
        to,
        steps: Vec::new(),
    };
    let reorders = from.layout.order != to.layout.order;
    let needs_host = reorders && !on_device(from.element) && !on_device(to.element);
    // Whether the tiled end is on the device, which can cast tiles of any type.
    let tiles_on_device = match from.layout.order {
        Order::Tile => from.layout.memory != Memory::System,
        Order::RowMajor => to.layout.memory != Memory::System,
    };
    let both_on_host = from.layout.memory == to.layout.memory && to.layout.memory == Memory::System;
    if both_on_host || (needs_host && !tiles_on_device) {
        path.memory(Memory::System);
        path.element();
        path.order();
        path.memory(to.layout.memory);
    } else if needs_host {
        if from.layout.order == Order::Tile {
            path.element();
        }
        path.memory(Memory::System);
        path.order();
        path.memory(to.layout.memory);
        path.element();
    } else if moves_last(from.layout, to.layout) {
        path.order_and_element();
        path.memory(to.layout.memory);
    } else {
        path.memory(to.layout.memory);
        path.order_and_element();
    }
    path.steps
}

/// Returns whether the device can reorder elements of a type.
fn on_device(element: Scalar) -> bool {
    match element {
        Scalar::BF16 | Scalar::F32 => true,
        Scalar::Integer { width, .. } => matches!(width, 16 | 32),
        _ => false,
    }
}

fn is_float(element: Scalar) -> bool {
    matches!(element, Scalar::BF16 | Scalar::F32)
}

/// Returns whether order and element type change before the memory.
fn moves_last(from: Layout, to: Layout) -> bool {
    match (from.memory, to.memory) {
        (Memory::System, _) => false,
        (_, Memory::System) => true,
        (Memory::L1, Memory::Dram) => to.order == Order::Tile || from.order == to.order,
        _ => true,
    }
}

struct Path {
    at: State,
    to: State,
    steps: Vec<State>,
}

impl Path {
    fn step(&mut self, next: State) {
        if next != self.at {
            self.steps.push(next);
            self.at = next;
        }
    }

    fn memory(&mut self, memory: Memory) {
        let layout = Layout {
            memory,
            ..self.at.layout
        };
        self.step(State { layout, ..self.at });
    }

    fn order(&mut self) {
        let layout = Layout {
            order: self.to.layout.order,
            ..self.at.layout
        };
        self.step(State { layout, ..self.at });
    }

    fn element(&mut self) {
        self.step(State {
            element: self.to.element,
            ..self.at
        });
    }

    /// Changes both on the device; the order changes while the type supports it.
    fn order_and_element(&mut self) {
        let tilizes =
            self.at.layout.order == Order::RowMajor && self.to.layout.order == Order::Tile;
        if tilizes && is_float(self.at.element) && is_float(self.to.element) {
            let layout = Layout {
                order: Order::Tile,
                ..self.at.layout
            };
            self.step(State {
                layout,
                element: self.to.element,
            });
            return;
        }
        let element_first = match self.at.layout.order {
            Order::Tile => on_device(self.to.element),
            Order::RowMajor => !on_device(self.at.element),
        };
        if element_first {
            self.element();
            self.order();
        } else {
            self.order();
            self.element();
        }
    }
}

#[cfg(test)]
mod tests;
