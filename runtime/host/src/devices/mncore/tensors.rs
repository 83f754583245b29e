//! The tensors of a program on the host.
//!
//! The next kernel reads most results where they are in DRAM. The host therefore keeps a copy of
//! the long words of a result, and converts them when something else needs the tensor.

use std::collections::HashMap;
use std::sync::Arc;

use tessera_isa_mncore::layout::Image;
use tessera_program::{GlobalId, MncoreTensor, TensorDesc};
use tessera_reference::{EvalError, Tensor, Values};

use super::arguments::Assembly;
use crate::device::value;
use crate::DeviceError;

/// A result of a kernel as it is in DRAM.
#[derive(Clone)]
pub struct Unread {
    /// The kernel.
    pub kernel: String,
    /// The place and layout; no view.
    pub argument: MncoreTensor,
    /// The shape and type.
    pub desc: TensorDesc,
    /// The long words.
    pub image: Arc<Image>,
}

/// Tensors on the host.
#[derive(Clone, Default)]
pub struct HostTensors {
    values: Values,
    unread: HashMap<GlobalId, Unread>,
}

impl HostTensors {
    /// Returns a tensor.
    pub fn get(&mut self, id: GlobalId) -> Result<&Tensor, DeviceError> {
        self.convert(id)?;
        value(&self.values, id)
    }

    /// Returns whether a tensor is defined.
    pub fn contains(&self, id: GlobalId) -> bool {
        self.unread.contains_key(&id) || self.values.get(id).is_some()
    }

    /// Returns the tensors, of which `ids` are converted.
    pub fn converted(
        &mut self,
        ids: impl IntoIterator<Item = GlobalId>,
    ) -> Result<&mut Values, DeviceError> {
        ids.into_iter().try_for_each(|id| self.convert(id))?;
        Ok(&mut self.values)
    }

    /// Defines a tensor.
    pub fn set(&mut self, id: GlobalId, tensor: Tensor) {
        self.unread.remove(&id);
        self.values.set(id, tensor);
    }

    /// Defines a tensor by the long words of a result.
    pub fn set_unread(&mut self, id: GlobalId, result: Unread) {
        self.values.remove(id);
        self.unread.insert(id, result);
    }

    /// Removes a tensor.
    pub fn remove(&mut self, id: GlobalId) -> Result<(), DeviceError> {
        let unread = self.unread.remove(&id).is_some();
        if self.values.remove(id).is_none() && !unread {
            return Err(EvalError::Undefined(id).into());
        }
        Ok(())
    }

    /// Converts a tensor if it is not converted yet.
    fn convert(&mut self, id: GlobalId) -> Result<(), DeviceError> {
        let Some(result) = self.unread.remove(&id) else {
            return Ok(());
        };
        let mut assembly = Assembly::new(id);
        assembly.add(&result.kernel, &result.argument, &result.image)?;
        let tensor = assembly.finish(&result.kernel, &result.desc)?;
        self.values.set(id, tensor);
        Ok(())
    }
}
