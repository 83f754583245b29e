//! What the tiles of several launches share on the host: decoded images, and memory that a tile
//! leaves to the next one. Results do not depend on either.

use std::sync::{Arc, Mutex, PoisonError};

use tessera_isa_tensix::Arch;
use tessera_riscv::SharedCode;

use crate::issue::decoded_words::DecodedWords;
use crate::map::{self, IMAGES};
use crate::state::l1::L1;
use crate::tile::Tile;

/// The images of launches, each of which is decoded once.
pub(crate) struct DecodedImages<'a>(Vec<(usize, &'a [u32], Arc<SharedCode>)>);

impl<'a> DecodedImages<'a> {
    /// Creates the set of the images of some launches. The same image of several launches is in the
    /// same place of the host's memory.
    pub(crate) fn new<'l>(arch: Arch, launches: impl Iterator<Item = &'l [&'a [u32]; 5]>) -> Self
    where
        'a: 'l,
    {
        let mut images = DecodedImages(Vec::new());
        for cores in launches {
            for (core, &image) in cores.iter().enumerate() {
                if images.get(core, image).is_none() {
                    let code = SharedCode::new(map::isa(arch, core), IMAGES[core].start, image);
                    images.0.push((core, image, Arc::new(code)));
                }
            }
        }
        images
    }

    /// Returns the code of a core's image.
    fn get(&self, core: usize, image: &[u32]) -> Option<&Arc<SharedCode>> {
        let mut images = self.0.iter();
        let same = images.find(|(of, words, _)| *of == core && std::ptr::eq(*words, image));
        same.map(|(.., code)| code)
    }

    /// Shares decoded code with the cores of a tile that has their images in L1.
    pub(crate) fn share_with(&self, tile: &mut Tile, of_cores: &[&[u32]; 5]) {
        for (core, image) in of_cores.iter().enumerate() {
            if let Some(code) = self.get(core, image) {
                tile.share_code(core, code);
            }
        }
    }
}

/// Memory of tiles that have ended.
#[derive(Clone, Debug, Default)]
pub(crate) struct SpareParts(Arc<Mutex<Vec<TileParts>>>);

/// The parts of a tile that are large, or that the next one can use as they are.
#[derive(Debug)]
struct TileParts {
    l1: L1,
    decoded: [DecodedWords; 3],
}

impl SpareParts {
    /// Gives a new tile of the same chip the parts of one that has ended, if there are any.
    pub(crate) fn give(&self, tile: &mut Tile) {
        let parts = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        if let Some(TileParts { l1, decoded }) = parts {
            let coprocessor = tile.coprocessor_mut();
            coprocessor.core.l1 = l1.cleared();
            for (frontend, decoded) in coprocessor.frontends.iter_mut().zip(decoded) {
                frontend.decoded = decoded;
            }
        }
    }

    /// Keeps the parts of a tile that has ended.
    pub(crate) fn take_from(&self, tile: &mut Tile) {
        let coprocessor = tile.coprocessor_mut();
        let l1 = L1::new(coprocessor.core.arch);
        let parts = TileParts {
            l1: std::mem::replace(&mut coprocessor.core.l1, l1),
            decoded: (coprocessor.frontends)
                .each_mut()
                .map(|frontend| std::mem::take(&mut frontend.decoded)),
        };
        let mut spare = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        spare.push(parts);
    }
}
