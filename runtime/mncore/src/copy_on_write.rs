//! Values of which those in equal states are stored once.
//!
//! A kernel on small tensors gives most L1 blocks the same data, or only padding, so that they go
//! through the same states. Such values form a *class*, whose first member, its *owner*, stores the
//! state of all. Only owners are computed. A member leaves its class when it is written alone
//! (copy on write), or when an update gives it other data. Classes are joined again only by
//! [`CopyOnWrite::clear`].

use std::ops::{Index, IndexMut, Range};

/// A state that can be stored once for several values.
pub trait State {
    /// Returns to the initial state.
    fn clear(&mut self);
    /// Takes the state of another value. What identifies the value stays.
    fn copy_from(&mut self, other: &Self);
}

/// Values of which those in equal states may be stored once.
#[derive(Clone, Debug)]
pub struct CopyOnWrite<T> {
    /// The values. Those of members that are not owners mean nothing.
    values: Box<[T]>,
    /// For each value, the index of the owner of its class.
    owners: Box<[usize]>,
}

/// A range of values whose owners are all in this range.
#[derive(Debug)]
pub struct Part<'a, T> {
    values: &'a mut [T],
    owners: &'a mut [usize],
    /// The index of the first value in the whole.
    first: usize,
}

impl<T> FromIterator<T> for CopyOnWrite<T> {
    /// Creates values, each in a class of its own.
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        let values: Box<[T]> = values.into_iter().collect();
        CopyOnWrite {
            owners: (0..values.len()).collect(),
            values,
        }
    }
}

impl<T: State> CopyOnWrite<T> {
    /// Returns the number of values.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Returns whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Returns all values to their initial state, in one class.
    pub fn clear(&mut self) {
        self.owners.fill(0);
        if let Some(first) = self.values.first_mut() {
            first.clear();
        }
    }

    /// Returns the values, in order. What identifies them is that of their owners.
    pub fn iter(&self) -> impl Iterator<Item = &T> + Clone {
        self.owners.iter().map(|owner| &self.values[*owner])
    }

    /// Returns all values, mutably, each in a class of its own.
    pub fn all_mut(&mut self) -> &mut [T] {
        let is_owner = |(index, owner): (usize, &usize)| index == *owner;
        if !self.owners.iter().enumerate().all(is_owner) {
            self.split(|_, _| false);
        }
        &mut self.values
    }

    /// Makes the same change to all values. Classes stay.
    pub fn for_each(&mut self, change: impl FnMut(&mut T)) {
        self.owners_mut().for_each(change);
    }

    /// Returns the owners, mutably.
    pub fn owners_mut(&mut self) -> impl Iterator<Item = &mut T> {
        let owned = self.values.iter_mut().zip(&self.owners).enumerate();
        owned.filter_map(|(index, (value, owner))| (index == *owner).then_some(value))
    }

    /// Returns whether two values are known to be in equal states.
    pub fn are_same(&self, one: usize, other: usize) -> bool {
        self.owners[one] == self.owners[other]
    }

    /// Returns the owner of a value's class.
    pub fn owner(&self, index: usize) -> usize {
        self.owners[index]
    }

    /// Splits classes: values stay together only if `together` relates them, an equivalence.
    pub fn split(&mut self, together: impl Fn(usize, usize) -> bool) {
        self.whole().split(together);
    }

    /// Gives the owners of a range that are outside of it a substitute inside.
    pub fn close(&mut self, range: Range<usize>) {
        self.whole().split_range(range, |_, _| true);
    }

    /// Puts the values of one range into the classes of those of an earlier one.
    pub fn join(&mut self, from: Range<usize>, to: usize) {
        self.owners.copy_within(from, to);
    }

    /// Returns the parts of `length` values each. Those that are used must be closed.
    pub fn parts(&mut self, length: usize) -> impl Iterator<Item = Part<'_, T>> {
        let values = self.values.chunks_mut(length);
        let parts = values.zip(self.owners.chunks_mut(length)).enumerate();
        parts.map(move |(number, (values, owners))| Part {
            values,
            owners,
            first: number * length,
        })
    }

    fn whole(&mut self) -> Part<'_, T> {
        Part {
            values: &mut self.values,
            owners: &mut self.owners,
            first: 0,
        }
    }
}

impl<T> Index<usize> for CopyOnWrite<T> {
    type Output = T;

    fn index(&self, index: usize) -> &T {
        &self.values[self.owners[index]]
    }
}

impl<T: State> IndexMut<usize> for CopyOnWrite<T> {
    /// Returns a value, in a class of its own.
    fn index_mut(&mut self, index: usize) -> &mut T {
        self.whole()
            .split(|one, other| (one == index) == (other == index));
        &mut self.values[index]
    }
}

impl<'a, T: State> IntoIterator for &'a mut CopyOnWrite<T> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.all_mut().iter_mut()
    }
}

impl<T: State> Part<'_, T> {
    /// Returns the number of values.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Returns whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Returns the values, in order.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        (0..self.len()).map(|index| &self[index])
    }

    /// Returns the owners, mutably.
    pub fn owners_mut(&mut self) -> impl Iterator<Item = &mut T> {
        let owned = (self.first..).zip(&mut *self.values).zip(&*self.owners);
        owned.filter_map(|((index, value), owner)| (index == *owner).then_some(value))
    }

    /// Changes each value by its own argument. Values of a class with equal arguments stay in one.
    pub fn update<A: PartialEq>(
        &mut self,
        argument: impl Fn(usize) -> A,
        change: impl Fn(&mut T, A),
    ) {
        self.split(|one, other| argument(one) == argument(other));
        for (index, value) in self.values.iter_mut().enumerate() {
            if self.owners[index] == self.first + index {
                change(value, argument(index));
            }
        }
    }

    /// Splits classes: values stay together only if `together` relates them, an equivalence.
    fn split(&mut self, together: impl Fn(usize, usize) -> bool) {
        self.split_range(0..self.values.len(), together);
    }

    /// Splits classes in a range, whose owners are then in this range.
    fn split_range(&mut self, range: Range<usize>, together: impl Fn(usize, usize) -> bool) {
        // In descending order, so that the owners of earlier values are those before.
        for index in range.clone().rev() {
            let owner = self.owners[index];
            let stays =
                |earlier: &usize| self.owners[*earlier] == owner && together(*earlier, index);
            let new = (range.start..index).find(stays);
            self.owners[index] = self.first + new.unwrap_or(index);
            if new.is_none() {
                copy(self.values, owner - self.first, index);
            }
        }
    }
}

impl<T> Index<usize> for Part<'_, T> {
    type Output = T;

    fn index(&self, index: usize) -> &T {
        &self.values[self.owners[index] - self.first]
    }
}

/// Copies the state of one value to a later one, or to itself.
fn copy<T: State>(values: &mut [T], from: usize, to: usize) {
    if from < to {
        let (before, after) = values.split_at_mut(to);
        after[0].copy_from(&before[from]);
    }
}

#[cfg(test)]
mod tests;
