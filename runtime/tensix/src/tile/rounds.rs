//! Rounds of a chip: tiles advance on their own, and then what they have sent is delivered.
//!
//! In a round each tile that can advance has a share of turns, as the schedule decides. Nothing
//! that a tile does in its share is seen by another one, nor by DRAM: what its NoCs would deliver
//! to these waits to the end of the round. What they bring from DRAM, which does not change before,
//! arrives at once. So shares can run on several threads of the host, and the results do not depend
//! on these. A tile that is alone in its round does not wait for its deliveries.

use std::sync::{Mutex, PoisonError};

use rayon::ThreadPool;

use super::chip::refused;
use super::niu::{Carried, Delivery, Location, Progress};
use super::{trap, Done, Tile, NOC, TDMA, UNIT};
use crate::dram::Dram;
use crate::scheduler::Turn;
use crate::trap::{Fault, Place, Source, Trap};

/// How far a tile may go on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Share {
    /// Turns that may still begin, and steps that may still be made.
    turns: u64,
    steps: u64,
    /// Whether the tile stops at what its NoCs deliver, and does not go on meanwhile.
    alone: bool,
    /// The turn that goes on, and whether nobody else could have had it.
    turn: Option<(Turn, bool)>,
}

impl Share {
    pub(crate) fn new(turns: u64, steps: u64, alone: bool) -> Self {
        Share {
            turns,
            steps,
            alone,
            turn: None,
        }
    }

    /// Steps that are left.
    pub(crate) fn steps(&self) -> u64 {
        self.steps
    }
}

/// Why a tile does not go on in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pause {
    /// Its share is used up, it has met a break, or it has something to be delivered.
    Goes,
    /// None of its parties can advance before something arrives.
    Rests,
}

/// A tile's part of a round.
pub(crate) struct Part<'t, 'a> {
    pub(crate) tile: &'t mut Tile<'a>,
    pub(crate) share: Share,
    /// How it has ended.
    pub(crate) ended: Result<Pause, Trap>,
}

impl<'t, 'a> Part<'t, 'a> {
    pub(crate) fn new(tile: &'t mut Tile<'a>, share: Share) -> Self {
        Part {
            tile,
            share,
            ended: Ok(Pause::Goes),
        }
    }
}

/// DRAM, as a tile has it in its share.
pub(crate) enum Memory<'d> {
    /// No other tile has its share meanwhile, so that lists can write it.
    Own(&'d mut Dram),
    Shared(&'d Dram),
}

impl Memory<'_> {
    pub(crate) fn writable(&mut self) -> Option<&mut Dram> {
        match self {
            Memory::Own(dram) => Some(dram),
            Memory::Shared(_) => None,
        }
    }

    fn readable(&self) -> &Dram {
        match self {
            Memory::Own(dram) => dram,
            Memory::Shared(dram) => dram,
        }
    }
}

/// Has all parts of a round run, on this thread and those that there are beside it. Data movement
/// by lists needs DRAM, and then there are none.
pub(crate) fn run(parts: &mut [Part], others: Option<&ThreadPool>, dram: &mut Dram) {
    let Some(others) = others else {
        for part in parts {
            part.ended = part.tile.go(&mut part.share, Memory::Own(dram));
        }
        return;
    };
    let dram = &*dram;
    let queue = Mutex::new(parts.iter_mut());
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work = || {
        while let Some(part) = next() {
            part.ended = part.tile.go(&mut part.share, Memory::Shared(dram));
        }
    };
    others.in_place_scope(|scope| {
        (0..others.current_num_threads()).for_each(|_| scope.spawn(|_| work()));
        work();
    });
}

impl Tile<'_> {
    /// Lets parties have turns until the share is used up or nobody can advance.
    pub(crate) fn go(&mut self, share: &mut Share, mut dram: Memory) -> Result<Pause, Trap> {
        self.wake();
        while !self.broke && share.steps > 0 && !(share.alone && self.has_delivery()) {
            let (turn, others_are_blocked) = match share.turn.take() {
                Some(turn) => turn,
                None if share.turns == 0 => break,
                None => {
                    share.turns -= 1;
                    match self.choose() {
                        Some(turn) => (turn, false),
                        None => {
                            self.check_rest(dram.writable())?;
                            match self.turn_of_noc() {
                                Some(turn) => (turn, true),
                                None if self.has_delivery() => break,
                                None => return Ok(Pause::Rests),
                            }
                        }
                    }
                }
            };
            let turn = turn.of_at_most(share.steps);
            let took = self.turn(turn, others_are_blocked, &mut dram)?;
            share.steps -= u64::from(took.max(1));
            if took < turn.steps && share.alone && self.has_delivery() {
                let steps = turn.steps - took;
                share.turn = Some((Turn { steps, ..turn }, others_are_blocked));
            }
        }
        Ok(Pause::Goes)
    }

    /// Lets a party have its turn, up to a break or a delivery; gives how many steps that took.
    fn turn(
        &mut self,
        turn: Turn,
        others_are_blocked: bool,
        dram: &mut Memory,
    ) -> Result<u32, Trap> {
        let party = turn.party;
        let mut done = 0;
        let mut goes_on = true;
        while done < turn.steps && !self.broke {
            let step = match party {
                NOC.. => Done::from(self.noc(party - NOC, others_are_blocked, dram.readable())?),
                _ => self.advance(party, turn.steps - done, dram.writable())?,
            };
            done += step.steps;
            // A NoC goes on when that has been delivered.
            if party >= NOC && self.deliveries[party - NOC].is_some() {
                break;
            }
            if step.steps > 0 {
                self.note_advanced(party);
            }
            if !step.goes_on {
                goes_on = false;
                break;
            }
            // The scheduler knows by itself of units that are empty.
            if matches!(party, UNIT..TDMA)
                && self.devices.coprocessor.flights.count(party - UNIT) == 0
            {
                break;
            }
        }
        self.wake();
        if !goes_on {
            self.block(party);
        }
        Ok(done)
    }

    /// Lets a NoC advance with a request of the tile, unless it has something to be delivered.
    #[inline(never)]
    fn noc(&mut self, noc: usize, others_are_blocked: bool, dram: &Dram) -> Result<bool, Trap> {
        if self.deliveries[noc].is_some() {
            return Ok(false);
        }
        let devices = &mut self.devices;
        let progress = devices.nius[noc].advance(others_are_blocked, &mut devices.coprocessor);
        match progress.map_err(|(pc, fault)| of_noc(pc, fault))? {
            Progress::Nothing => return Ok(false),
            Progress::Advanced => {}
            Progress::Deliver(delivery) => match self.bring(noc, &delivery, dram) {
                Some(brought) => brought.map_err(|fault| of_noc(delivery.pc, fault))?,
                None => self.deliveries[noc] = Some(delivery),
            },
        }
        Ok(true)
    }

    /// Delivers what a NoC brings the tile from DRAM, if it is that.
    fn bring(&mut self, noc: usize, delivery: &Delivery, dram: &Dram) -> Option<Result<(), Fault>> {
        let (bank, offset, addr, length) = match delivery.what {
            Carried::Copy {
                from: Location::Dram { bank, offset },
                to: Location::L1 { tile, addr },
                length,
            } if tile == self.devices.nius[noc].at() => (bank, offset, addr, length),
            _ => return None,
        };
        let mut bytes = std::mem::take(&mut self.carried);
        bytes.resize(length as usize, 0);
        let read = dram.read(bank, offset, &mut bytes).map_err(refused);
        let written = read.and_then(|()| self.write(addr, &bytes));
        self.carried = bytes;
        let devices = &mut self.devices;
        let stats = &mut devices.coprocessor.stats;
        Some(written.map(|()| {
            devices.nius[noc].delivered(delivery, stats);
        }))
    }

    /// Whether something is to be delivered.
    fn has_delivery(&self) -> bool {
        self.deliveries.iter().any(Option::is_some)
    }

    /// Notes that a NoC has delivered what it had to, and can go on.
    pub(crate) fn note_delivered(&mut self, noc: usize) {
        let bit = 1 << (NOC + noc);
        self.scheduler.set_free(bit, bit);
        self.note_advanced(NOC + noc);
    }

    /// A step of a NoC that has requests and nothing to be delivered.
    fn turn_of_noc(&self) -> Option<Turn> {
        let has_some =
            |noc: &usize| !self.devices.nius[*noc].is_idle() && self.deliveries[*noc].is_none();
        let noc = [0, 1].into_iter().find(has_some)?;
        Some(Turn {
            party: NOC + noc,
            steps: 1,
        })
    }
}

/// A trap of a NoC, whose request an instruction at `pc` has made.
pub(crate) fn of_noc(pc: u32, fault: Fault) -> Trap {
    Trap {
        place: Some(Place::Pc(pc)),
        ..trap(Some(Source::Noc), fault)
    }
}
