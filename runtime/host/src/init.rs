//! Generated inputs.

use tessera_program::{DataType, Program, TensorDesc};
use tessera_reference::{full, Tensor, TensorError};

use crate::domain::{distributions, Distribution};

/// The elements of generated inputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Init {
    /// Floats: normal distribution with mean 0 and deviation 1, within ±6; uniform from -1 to 1 or
    /// from 0.5 to 1.5 for inputs with which an operation would otherwise leave its domain.
    /// Integers: uniform from 0 to 99.
    Randn,
    /// 0, 1, 2, … in row-major order; integers start again at 0 after the type's last.
    Arange,
    /// 0.
    Zeros,
    /// 1.
    Ones,
}

/// A generator of input tensors. A seed gives the same tensors on every machine and in every
/// version.
pub struct Source {
    init: Init,
    state: u64,
}

impl Source {
    /// Creates a generator; `seed` only affects random tensors.
    pub fn new(init: Init, seed: u64) -> Self {
        Self { init, state: seed }
    }

    /// Returns the inputs of a program. Random inputs are chosen to keep operations inside their
    /// domains where possible.
    ///
    /// # Errors
    /// If one does not fit in memory.
    pub fn inputs(&mut self, program: &Program) -> Result<Vec<Tensor>, TensorError> {
        let distributions = distributions(program).into_iter();
        let inputs = program.inputs.iter().zip(distributions);
        let described = inputs.filter_map(|(id, chosen)| Some((program.tensor(*id)?, chosen)));
        described
            .map(|(desc, chosen)| self.distributed(desc, chosen))
            .collect()
    }

    /// Returns the next tensor, of the shape and type of `desc`.
    ///
    /// # Errors
    /// If it does not fit in memory.
    pub fn tensor(&mut self, desc: &TensorDesc) -> Result<Tensor, TensorError> {
        self.distributed(desc, Distribution::Normal)
    }

    fn distributed(
        &mut self,
        desc: &TensorDesc,
        distribution: Distribution,
    ) -> Result<Tensor, TensorError> {
        if let Init::Zeros | Init::Ones = self.init {
            return full(desc, self.element(desc.data_type, 0, distribution));
        }
        let elements = Tensor::filled(desc, 0)?.elements() as u64;
        let values: Vec<_> = (0..elements)
            .map(|index| self.element(desc.data_type, index, distribution))
            .collect();
        Tensor::from_f64s(desc.shape.clone(), desc.data_type, &values)
    }

    fn element(&mut self, data_type: DataType, index: u64, distribution: Distribution) -> f64 {
        let is_float = matches!(data_type, DataType::BF16 | DataType::F32);
        match self.init {
            Init::Zeros => 0.0,
            Init::Ones => 1.0,
            Init::Arange if is_float => index as f64,
            // A shape has at most 2^31 bytes, so only the short types run out.
            Init::Arange => (index % (1 << (8 * data_type.size()).min(31))) as f64,
            Init::Randn => match distribution {
                Distribution::Below(end) => (self.next() % end.max(1)) as f64,
                _ if !is_float => (self.next() % 100) as f64,
                Distribution::Normal => self.normal(),
                Distribution::Uniform(low, high) => low + (high - low) * self.unit(),
            },
        }
    }

    /// Returns the sum of twelve numbers in [0, 1), minus 6. It is nearly normal and avoids
    /// functions that differ between machines.
    fn normal(&mut self) -> f64 {
        let sum: f64 = (0..12).map(|_| self.unit()).sum();
        sum - 6.0
    }

    /// Returns a number in [0, 1).
    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Returns the next number of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom
    /// number generators", 2014).
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

#[cfg(test)]
mod tests;
