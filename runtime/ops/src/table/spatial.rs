//! Windows over the height or the width of an image, for pooling and convolutions.

use crate::graph::{Graph, Value};
use crate::op::{Call, CallError};

/// The windows along one dimension of an image.
#[derive(Clone, Debug)]
pub(super) struct Axis {
    /// Elements of the image.
    pub extent: u64,
    /// Elements of a window.
    pub kernel: u64,
    /// Distance of neighbouring windows.
    pub stride: u64,
    /// Distance of neighbouring elements of a window.
    pub dilation: u64,
    /// Elements in front of the image and after it.
    pub padding: [u64; 2],
    /// Whether a last window may exceed the padded image.
    pub is_ceiling: bool,
}

impl Axis {
    /// Returns the elements of the padded image.
    pub fn padded(&self) -> u64 {
        let [low, high] = self.padding;
        self.extent.saturating_add(low + high)
    }

    /// Returns the distance from the first element of a window to after its last one.
    pub fn span(&self) -> u64 {
        match self.kernel {
            0 => 0,
            kernel => self.dilation.saturating_mul(kernel - 1).saturating_add(1),
        }
    }

    /// Returns whether neighbouring windows touch and do not overlap.
    pub fn is_tiling(&self) -> bool {
        self.kernel == self.stride && self.dilation == 1
    }

    /// Returns the number of windows. The image has room for one.
    pub fn outputs(&self) -> u64 {
        let free = self.padded().saturating_sub(self.span());
        if !self.is_ceiling {
            return free / self.stride + 1;
        }
        let windows = free.div_ceil(self.stride) + 1;
        // A window that starts in the padding after the image is dropped.
        let is_beyond = (windows - 1) * self.stride >= self.extent.saturating_add(self.padding[0]);
        windows - u64::from(is_beyond)
    }

    /// Returns the number of elements of each window that lie in the image, or in the padded image.
    pub fn counts(&self, includes_padding: bool) -> Vec<u64> {
        let image = match includes_padding {
            true => 0..self.padded(),
            false => self.padding[0]..self.padding[0] + self.extent,
        };
        let count = |window: u64| {
            let elements = (0..self.kernel).map(|at| window * self.stride + at * self.dilation);
            elements.filter(|element| image.contains(element)).count() as u64
        };
        (0..self.outputs()).map(count).collect()
    }

    /// Pads an image along `dim` such that it holds every window and nothing else.
    pub fn pad(
        &self,
        graph: &mut Graph,
        value: Value,
        dim: usize,
        number: f64,
    ) -> Result<Value, CallError> {
        let needed = (self.outputs() - 1) * self.stride + self.span();
        let low = self.padding[0] as i64;
        let high = needed as i64 - low - self.extent as i64;
        graph.pad(value, dim, [low, high.max(0)], number)
    }

    /// Returns the element at one offset of every window of a padded image.
    pub fn slice(
        &self,
        graph: &mut Graph,
        value: Value,
        dim: usize,
        offset: u64,
    ) -> Result<Value, CallError> {
        let begin = offset * self.dilation;
        let end = begin + (self.outputs() - 1) * self.stride + 1;
        graph.slice(value, dim, [begin, end], self.stride)
    }
}

/// Returns one number for height and one for width.
pub(super) fn pair(call: &Call, name: &str) -> Result<[i64; 2], String> {
    match *call.attributes.ints(name).unwrap_or_default() {
        [both] => Ok([both; 2]),
        [height, width] => Ok([height, width]),
        ref other => Err(format!(
            "Expected integer or pair of integers, got tuple of size {} for {name}",
            other.len()
        )),
    }
}

/// Returns the numbers for top, left, bottom and right.
pub(super) fn quadruple(call: &Call, name: &str) -> Result<[i64; 4], String> {
    match *call.attributes.ints(name).unwrap_or_default() {
        [all] => Ok([all; 4]),
        [height, width] => Ok([height, width, height, width]),
        [top, left, bottom, right] => Ok([top, left, bottom, right]),
        ref other => Err(format!(
            "Expected integer, pair, or tuple of size 4, but got tuple of size {} for {name}",
            other.len()
        )),
    }
}

/// Checks that numbers are at least `least`.
pub(super) fn require(numbers: &[i64], least: i64, text: &str) -> Result<(), String> {
    match numbers.iter().all(|number| *number >= least) {
        true => Ok(()),
        false => Err(text.into()),
    }
}

/// Checks that a tensor has four dimensions.
pub(super) fn require_rank(name: &str, shape: &[u64]) -> Result<(), String> {
    match shape.len() {
        4 => Ok(()),
        _ => Err(format!("{name} must be a 4D tensor")),
    }
}
