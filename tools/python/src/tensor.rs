//! Tensors of the runtime as Python objects.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyByteArray;
use tessera_program::DataType;
use tessera_reference::Tensor as HostTensor;

/// A tensor in the form that programs take and return. It is immutable.
#[pyclass(frozen, module = "tessera._native")]
pub struct Tensor(pub HostTensor);

#[pymethods]
impl Tensor {
    /// Creates a tensor of little-endian elements in row-major order.
    #[new]
    fn new(shape: Vec<u64>, data_type: &str, data: &[u8]) -> PyResult<Self> {
        let mut known = DataType::ALL.iter();
        let data_type = known
            .find(|known| known.to_string() == data_type)
            .ok_or_else(|| PyValueError::new_err(format!("unknown element type '{data_type}'")))?;
        let tensor = HostTensor::new(shape, *data_type, data.to_vec());
        let tensor = tensor.map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(Tensor(tensor))
    }

    /// The extents.
    #[getter]
    fn shape(&self) -> Vec<u64> {
        self.0.shape().to_vec()
    }

    /// The name of the element type, such as 'bf16'.
    #[getter]
    fn data_type(&self) -> String {
        self.0.data_type().to_string()
    }

    /// Returns the elements, little-endian and in row-major order.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyByteArray> {
        PyByteArray::new(py, self.0.data())
    }
}
