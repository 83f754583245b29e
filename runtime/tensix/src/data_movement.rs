//! Data movement: pages of tensors between DRAM and L1.

use crate::dram::Dram;
use crate::issue::coprocessor::Coprocessor;
use crate::trap::Fault;

/// A tensor in DRAM: page p is in bank `p % banks`, at `base + (p / banks) * page_bytes`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TensorArg {
    /// Byte offset in every bank.
    pub base: u64,
    /// Bytes per page.
    pub page_bytes: u32,
    /// Number of pages.
    pub pages: u32,
}

/// Parameters of data movement.
pub(crate) struct DataMovement<'a> {
    pub(crate) banks: u32,
    pub(crate) args: &'a [TensorArg],
    page: Vec<u8>,
}

impl<'a> DataMovement<'a> {
    pub(crate) fn new(banks: u32, args: &'a [TensorArg]) -> Self {
        DataMovement {
            banks,
            args,
            page: Vec::new(),
        }
    }

    /// Returns bank, offset and size of a page.
    fn page_place(&self, arg: u16, page: u32, l1: u32) -> Result<(u32, u64, usize), Fault> {
        let tensor = self.args.get(usize::from(arg)).ok_or_else(|| {
            Fault::undefined(format!(
                "argument {arg} does not exist; the kernel was given {}",
                self.args.len()
            ))
        })?;
        if page >= tensor.pages {
            return Err(Fault::undefined(format!(
                "argument {arg} has {} pages; there is no page {page}",
                tensor.pages
            )));
        }
        let offset = tensor.base + u64::from(page / self.banks) * u64::from(tensor.page_bytes);
        if offset % 32 != u64::from(l1 % 32) {
            return Err(Fault::undefined(format!(
                "DRAM offset {offset:#x} and L1 address {l1:#x} differ modulo 32; the NoC moves \
                 aligned pieces of 32 bytes"
            )));
        }
        Ok((page % self.banks, offset, tensor.page_bytes as usize))
    }

    /// Copies a page from DRAM to L1.
    pub(crate) fn read_page(
        &mut self,
        dram: &mut Dram,
        coprocessor: &mut Coprocessor,
        (arg, page, l1): (u16, u32, u32),
    ) -> Result<(), Fault> {
        let (bank, offset, len) = self.page_place(arg, page, l1)?;
        self.page.resize(len, 0);
        dram.read(bank, offset, &mut self.page)?;
        coprocessor.core.l1.write(l1, &self.page)?;
        coprocessor.check_l1()
    }

    /// Copies a page from L1 to DRAM.
    pub(crate) fn write_page(
        &mut self,
        dram: &mut Dram,
        coprocessor: &mut Coprocessor,
        (arg, page, l1): (u16, u32, u32),
    ) -> Result<(), Fault> {
        let (bank, offset, len) = self.page_place(arg, page, l1)?;
        let bytes = coprocessor.core.l1.read(l1, len)?;
        dram.write(bank, offset, bytes)?;
        coprocessor.check_l1()
    }
}
