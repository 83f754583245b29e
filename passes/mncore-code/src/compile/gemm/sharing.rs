//! What the parts of the chip share of a product's factors: for lower bounds of transfers.

use crate::compile::data::distribution::Mapping;
use crate::compile::data::geometry::L2BS;

/// A factor of a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Factor {
    Rows,
    Columns,
}

/// The shares of factors, and the rates of transfers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sharing {
    /// The factor that all L2Bs receive, at half the rate.
    pub broadcast: Option<Factor>,
    /// The numbers of parts into which L2Bs divide rows and columns.
    pub parts: [u64; 2],
    /// Long words per step of an L2B's rows: between L1BM and PEs, and between L2BM and L1BM.
    pub row_rates: [u64; 2],
    /// The same of an L2B's columns.
    pub column_rates: [u64; 2],
}

impl Sharing {
    /// Returns the sharing of a mapping, with the depth in time.
    pub fn new(mapping: Mapping) -> Self {
        let l2bs = u64::from(L2BS);
        let (broadcast, parts) = match mapping {
            Mapping::ColumnsOverL2bs => (Some(Factor::Rows), [1, l2bs]),
            Mapping::RowsOverL1bs => (Some(Factor::Columns), [4, 2]),
            Mapping::ColumnsOverGroups => (Some(Factor::Rows), [2, 4]),
            Mapping::MatricesOverL2bs => (None, [l2bs, l2bs]),
            Mapping::RowsOverL2bs
            | Mapping::RowsOverL1bPairs
            | Mapping::SharedColumnsOverGroups => (Some(Factor::Columns), [l2bs, 1]),
        };
        let (row_rates, column_rates) = match mapping {
            Mapping::RowsOverL1bPairs => ([2 * 32, 64], [4 * 256, 256]),
            Mapping::RowsOverL1bs | Mapping::ColumnsOverGroups => ([8 * 32, 256], [256, 64]),
            _ => ([32, 64], [8 * 256, 256]),
        };
        Sharing {
            broadcast,
            parts,
            row_rates,
            column_rates,
        }
    }
}
