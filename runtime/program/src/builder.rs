//! The builder of program files: a FlatBuffer builder that writes each string once.

use std::collections::HashMap;
use std::ops::{Deref, DerefMut};

use flatbuffers::{FlatBufferBuilder, WIPOffset};

/// Builds a program file.
///
/// Shared strings are found by their hash. The builder of the `flatbuffers` crate keeps them
/// sorted, which is quadratic in their number.
#[derive(Default)]
pub(crate) struct Builder<'f> {
    inner: FlatBufferBuilder<'f>,
    shared: HashMap<String, WIPOffset<&'f str>>,
}

impl<'f> Builder<'f> {
    /// Writes a string unless it has been written by this function before.
    pub fn shared_string(&mut self, text: &str) -> WIPOffset<&'f str> {
        if let Some(written) = self.shared.get(text) {
            return *written;
        }
        let written = self.inner.create_string(text);
        self.shared.insert(text.to_owned(), written);
        written
    }
}

impl<'f> Deref for Builder<'f> {
    type Target = FlatBufferBuilder<'f>;

    fn deref(&self) -> &Self::Target {
        &self.inner
    }
}

impl DerefMut for Builder<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.inner
    }
}
