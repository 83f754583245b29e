//! Packed arguments that several runs share.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use tessera_isa_mncore::layout::Image;
use tessera_program::{GlobalId, MncoreTensor};

use crate::DeviceError;

/// The long words of tensors that are the same in all runs, in each layout in which a kernel reads
/// them. The first run that needs them packs them.
pub struct PackedTensors {
    /// The tensors that are the same in all runs.
    tensors: HashSet<GlobalId>,
    images: Mutex<HashMap<GlobalId, Vec<(MncoreTensor, Arc<Image>)>>>,
}

impl PackedTensors {
    /// Creates a store for these tensors, of which none is packed.
    pub fn new(tensors: impl IntoIterator<Item = GlobalId>) -> Self {
        PackedTensors {
            tensors: tensors.into_iter().collect(),
            images: Mutex::default(),
        }
    }

    /// Returns the long words of an argument, packed by `pack` unless they are known.
    pub fn image(
        &self,
        id: GlobalId,
        argument: &MncoreTensor,
        pack: impl FnOnce() -> Result<Image, DeviceError>,
    ) -> Result<Arc<Image>, DeviceError> {
        if !self.tensors.contains(&id) {
            return pack().map(Arc::new);
        }
        if let Some(known) = self.find(id, argument) {
            return Ok(known);
        }
        let image = Arc::new(pack()?);
        let mut images = self.images.lock().unwrap_or_else(PoisonError::into_inner);
        let of_tensor = images.entry(id).or_default();
        of_tensor.push((argument.clone(), Arc::clone(&image)));
        Ok(image)
    }

    fn find(&self, id: GlobalId, argument: &MncoreTensor) -> Option<Arc<Image>> {
        let images = self.images.lock().unwrap_or_else(PoisonError::into_inner);
        let mut of_tensor = images.get(&id)?.iter();
        let found = of_tensor.find(|(layout, _)| layout == argument)?;
        Some(Arc::clone(&found.1))
    }
}
