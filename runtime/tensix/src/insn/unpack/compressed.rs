//! Compressed tiles: each datum is followed by 0 to 15 implicit zeros, whose number is stored.
//!
//! A tile begins with its *row starts*: the index of the first datum of each row, 16 bits each, and
//! the end of the last row. The exponents of a block format follow, one per 16 stored datums. Then
//! come groups of 32 datums and their 32 zero counts.
//!
//! An UNPACR reads a whole row if the X counters span it. Otherwise it drops the datums before X
//! and stops after the last one. A row search reads the datums from one row's start to another's
//! end.
//!
//! Unpackers cache row starts and may use stale ones after software has written others. The
//! documentation mentions four caches of one entry, one of them the thread's own, but not which
//! cache is used when. The model therefore records all values that each cache may hold until it is
//! flushed ([`RowStarts`]). A row start that differs from a recorded value is a hazard. An UNPACR
//! with contexts counts as using all caches.
//!
//! Undefined and refused: 2-bit formats, which the description of the compressed format does not
//! list, and row starts that decrease.
//!
//! Source: ISA documentation, `UNPACR_Regular.md`, `UNPACR_FlushCache.md`, `Unpackers/README.md`,
//! `Packers/Compression.md`.

use crate::state::unpacker::{Configured, RowStarts};

use super::input::{Compressed, Input};
use super::settings::Selection;
use crate::state::adc::{Axis, ThreadAdcs};
use crate::state::config::Config;
use crate::state::l1::L1;
use crate::trap::Fault;

/// Datums per group.
const GROUP: u64 = 32;
/// Bytes of zero counts per group.
const COUNTS: u64 = GROUP / 2;

/// The rows that an UNPACR looks up.
pub(super) struct Row {
    /// L1 address of the plane's row starts.
    starts: u64,
    /// L1 address after all row starts, a multiple of 16.
    end: u64,
    /// The first row.
    first: u32,
    /// The last row, or the numbers of datums and zeros to be dropped and then kept.
    until: Until,
}

#[derive(Clone, Copy)]
enum Until {
    Row(u32),
    Count { drop: u32, keep: u32 },
}

/// The datums of a row that has been looked up.
pub(super) struct RowRange {
    /// L1 address after all row starts.
    from: u64,
    /// First datum.
    first: u64,
    /// Number of datums; `None` if `compressed` determines it.
    count: Option<u32>,
    drop: u32,
    keep: Option<u32>,
}

impl Row {
    /// Looks up the row of a compressed tile that the counters select. `tile` is the address after
    /// its header.
    ///
    /// # Errors
    /// Undefined if the X counters are in the wrong order.
    pub fn new(
        selection: Selection,
        tile: u64,
        row_search: bool,
        (config, adcs): (&Config, &[ThreadAdcs; 3]),
    ) -> Result<Row, Fault> {
        let settings = selection.settings(config);
        let [xy, zw] = [selection.adc_thread, selection.thread]
            .map(|thread| &adcs[thread].unpacker[selection.unpacker()]);
        let (x, end, y) = (xy[0].get(Axis::X), xy[1].get(Axis::X), xy[0].get(Axis::Y));
        let until = if row_search {
            Until::Row(x & 0xFF)
        } else if x == 0 && end + 1 == settings.x_dim() {
            Until::Row(y & 0xFF)
        } else if end + 1 > x {
            Until::Count {
                drop: x,
                keep: end + 1 - x,
            }
        } else {
            return Err(Fault::undefined(format!(
                "unpacking from datum {x} to datum {end} of compressed data; check the X counters"
            )));
        };
        let blobs = settings.blobs_per_plane();
        let [z_dim, w_dim] = [settings.z_dim(), settings.w_dim()];
        let in_tile = if blobs != 0 { blobs } else { settings.y_dim() };
        let in_plane = if row_search {
            in_tile
        } else {
            settings.y_dim()
        };
        let plane = zw[0].get(Axis::W) * z_dim + zw[0].get(Axis::Z);
        let starts = u64::from(in_tile * z_dim) * u64::from(w_dim) + 1;
        Ok(Row {
            starts: tile + u64::from(plane) * u64::from(in_plane) * 2,
            end: tile + (starts * 2).next_multiple_of(16),
            first: y & 0xFF,
            until,
        })
    }

    /// Reads the row starts.
    ///
    /// # Errors
    /// A hazard if the unpacker may have cached other values; undefined if they decrease or exceed
    /// L1.
    pub fn read(
        &self,
        selection: Selection,
        (l1, row_starts): (&mut L1, &mut RowStarts),
    ) -> Result<RowRange, Fault> {
        let mut start = |row: u32| {
            let address = self.starts + 2 * u64::from(row);
            row_start(address, selection, (l1, row_starts))
        };
        let first = start(self.first)?;
        let (count, drop, keep) = match self.until {
            Until::Count { drop, keep } => (None, drop, Some(keep)),
            Until::Row(last) => {
                let end = start(last + 1)?;
                let count = end.checked_sub(first).ok_or_else(|| {
                    Fault::undefined(format!(
                        "unpacking compressed data from datum {first} to its end at {end}; row \
                         starts must not decrease"
                    ))
                })?;
                (Some(count.into()), 0, None)
            }
        };
        Ok(RowRange {
            from: self.end,
            first: first.into(),
            count,
            drop,
            keep,
        })
    }
}

/// Returns a row start in L1.
fn row_start(
    address: u64,
    selection: Selection,
    (l1, row_starts): (&mut L1, &mut RowStarts),
) -> Result<u16, Fault> {
    let address = in_l1(address)?;
    let bytes = l1.read(address, 2)?;
    let start = u16::from_le_bytes([bytes[0], bytes[1]]);
    row_starts.read(selection, address, start)?;
    Ok(start)
}

/// Checks that an address fits into 32 bits.
pub(super) fn in_l1(address: u64) -> Result<u32, Fault> {
    u32::try_from(address).map_err(|_| {
        Fault::undefined(format!(
            "unpacking from L1 address {address:#x}; check the base address"
        ))
    })
}

impl RowRange {
    /// Returns the source of the row's datums.
    ///
    /// # Errors
    /// Undefined for formats that cannot be compressed.
    pub fn input(&self, configured: &Configured) -> Result<Input, Fault> {
        let conversion = &configured.conversion;
        let bits = u64::from(conversion.bits);
        if bits < 4 {
            return Err(Fault::undefined(format!(
                "unpacking compressed {}; compressed datums have 4 bits or more",
                conversion.input
            )));
        }
        let sections = configured.sections(self.from);
        let (group, index) = (self.first / GROUP, self.first % GROUP);
        let datums = sections.datums + group * (GROUP * bits / 8 + COUNTS);
        let counts = (datums + GROUP * bits / 8) * 2 + index;
        Ok(Input {
            datums: sections.fifo.wrap(datums * 8 + index * bits, 8),
            exponents: sections.exponent(self.first),
            count: self.count,
            row: 16,
            stride: 2 * conversion.bits,
            fifo: sections.fifo,
            compressed: Some(Compressed {
                zeros: sections.fifo.wrap(counts, 2),
                drop: self.drop,
                keep: self.keep,
            }),
        })
    }
}

/// The key of an UNPACR with contexts; one without contexts uses its thread's cache, 0 to 2.
const ANY_CACHE: usize = 3;

impl RowStarts {
    /// Records a row start that is read.
    fn read(&mut self, selection: Selection, address: u32, start: u16) -> Result<(), Fault> {
        let cache = if selection.key.multi {
            ANY_CACHE
        } else {
            selection.thread
        };
        let caches = if selection.key.multi {
            [0, 1, 2]
        } else {
            [cache; 3]
        };
        let held = caches.into_iter().chain([ANY_CACHE]);
        let held = held.filter_map(|cache| self.0.get(&(cache, address)));
        if let Some(old) = held.into_iter().find(|&&held| held != start) {
            return Err(Fault::hazard(format!(
                "uses the row start {start} at L1 {address:#x}, which was {old} when the unpacker \
                 read it before; flush its cache (UNPACR with search_cache_flush) after writing \
                 compressed data"
            )));
        }
        self.0.insert((cache, address), start);
        Ok(())
    }

    /// Flushes all caches, or one thread's.
    pub(super) fn flush(&mut self, thread: Option<usize>) {
        match thread {
            None => self.0.clear(),
            Some(thread) => self.0.retain(|(cache, _), _| *cache != thread),
        }
    }
}
