//! `pto-check-pipes`: checks statically that cube and vector kernels that communicate through pipes
//! terminate.
//!
//! All control flow of a kernel is known at compile time: kernels get tensors only, and no scalar
//! is computed from a tile. The kernels of a launch form a bounded Kahn process network, so one
//! execution without tile data ([`tessera_pto::liveness`]) decides termination for all schedules.
//! Errors are reported where a kernel is stuck or goes wrong, with the values of the loop counters;
//! notes say what the other kernels wait for.
//!
//! | rule | detected as |
//! |---|---|
//! | both sides push and pop equally often, on every path | a wait that no number of slots resolves, including the producer's final wait |
//! | tiles are popped as they were pushed, and freed once, in the order of pops, after their last use | an error at the pop, the free or the use |
//! | no more tiles are held or sent ahead than there are slots | a wait, with the smallest numbers of slots that resolve it |
//! | a launch leaves no tiles in a pipe | the producer's wait for all slots at its end |
//! | both ends of a pipe have the same address, and rings do not overlap | comparison of given addresses |
//! | semaphores of one core count to 15 | comparison, for `placement = same_core` |
//!
//! Also detected: unordered loads and stores of one tensor by two kernels, and tiles outside of a
//! tensor.
//!
//! Not checked: kernels without pipes; whether rings fit into memory (`pto-allocate-memory-addr`);
//! launches of more than [`LIMIT`] operations, for which a warning is emitted. Running an expanded
//! group repeats all of these checks, so `--no-check-pipes` (the pipeline option
//! `check-pipes=false`) delays errors but never makes results wrong.

use tessera_dialects::builtin;
use tessera_dialects::mlir::{Op, Pass, Reported, Rewriter};
use tessera_dialects::pto::{self, FuncOp, ImportPeerBufferOp, Kind, Placement, ReserveBufferOp};
use tessera_pto::liveness::{self, Problem};
use tessera_pto::trap::{FailedOperation, Location, Reason, Trap, Wait, WaitCause};

use crate::driver::registry::PassInfo;
use crate::pto::kernel_index::KernelIndex;
use crate::pto::pto_group::{self, Translated};

/// The pass's entry in the registry.
pub const INFO: PassInfo = PassInfo {
    name: "pto-check-pipes",
    description: "Checks that kernels that communicate through pipes terminate: balance, order, \
        depth, addresses",
    anchor: Some(builtin::ModuleOp::NAME),
    options: &[],
    make: |_| Ok(Box::new(PtoCheckPipes)),
};

/// Maximum number of operations of a launch that is checked.
pub const LIMIT: u64 = 20_000_000;

/// Maximum value of a hardware semaphore.
const SEMAPHORE_MOST: u64 = 15;

struct PtoCheckPipes;

impl Pass for PtoCheckPipes {
    fn name(&self) -> &str {
        INFO.name
    }

    fn run<'a>(&self, module: Op<'a>, _: &Rewriter<'a>) -> Result<(), Reported> {
        let kernels = KernelIndex::new(module);
        let mut verdict = Ok(());
        for kernel in kernels.all() {
            let checked =
                addresses(*kernel, &kernels).and_then(|()| self.kernel(*kernel, &kernels));
            verdict = verdict.and(checked);
        }
        verdict
    }
}

impl PtoCheckPipes {
    fn kernel<'a>(&self, kernel: FuncOp<'a>, kernels: &KernelIndex<'a>) -> Result<(), Reported> {
        match kernel.kind() {
            Some(Kind::Orchestration) => semaphores(kernel, kernels)?,
            Some(Kind::Mixed) if has_pipes(kernel) => semaphores_of(kernel, kernel)?,
            Some(Kind::Cube | Kind::Vector) if has_pipes(kernel) => {
                if !kernels.is_launched(kernel) {
                    kernel.warning(
                        "has pipes, but no pto.launch starts it; its termination is not checked",
                    );
                }
                return Ok(());
            }
            _ => return Ok(()),
        }
        let groups = pto_group::translate(kernel, kernels).map_err(|refused| refused.report())?;
        groups.iter().try_for_each(|group| check(*kernel, group))
    }
}

fn has_pipes(kernel: FuncOp) -> bool {
    kernel
        .children()
        .into_iter()
        .flat_map(Op::results)
        .any(|result| pto::initialized_by(result).is_some())
}

/// Checks the number of slots on one core, where flags are hardware semaphores.
fn semaphores<'a>(orchestration: FuncOp<'a>, kernels: &KernelIndex<'a>) -> Result<(), Reported> {
    for launch in orchestration.find_all() {
        let members = pto::launched(launch).into_iter();
        let members = members.filter_map(|name| kernels.beside(orchestration, name));
        for kernel in members {
            semaphores_of(orchestration, kernel)?;
        }
    }
    Ok(())
}

fn semaphores_of(placed: FuncOp, kernel: FuncOp) -> Result<(), Reported> {
    if placed.placement() != Some(Placement::SameCore) {
        return Ok(());
    }
    for initialize in kernel.children() {
        for pipe in initialize.results() {
            let made = pto::initialized_by(pipe).and(pto::pipe(pipe.r#type()));
            if let Some(made) = made.filter(|made| made.slot_num > SEMAPHORE_MOST) {
                return Err(initialize.error(format!(
                    "makes a ring of {} slots on one core, whose semaphores count to {SEMAPHORE_MOST}; use fewer slots, or \
                     placement = cluster",
                    made.slot_num
                )));
            }
        }
    }
    Ok(())
}

/// Checks that the rings of a kernel do not overlap, and that imports agree with reservations.
fn addresses<'a>(kernel: FuncOp<'a>, kernels: &KernelIndex<'a>) -> Result<(), Reported> {
    let ring = |op: ReserveBufferOp| {
        let buffer = pto::buffer(op.result()?.r#type())?;
        Some((op.base()?.unsigned_abs(), buffer))
    };
    let reserved = kernel.find_all::<ReserveBufferOp>();
    for (number, op) in reserved.iter().enumerate() {
        for other in &reserved[..number] {
            let (Some((at, own)), Some((before, its))) = (ring(*op), ring(*other)) else {
                continue;
            };
            let (end, its_end) = (
                at.saturating_add(own.bytes),
                before.saturating_add(its.bytes),
            );
            if own.space == its.space && at < its_end && before < end {
                return Err(op.error_with_notes(
                    format!(
                        "reserves bytes {at} to {end} of {}, which overlap {before} to {its_end}",
                        own.space
                    ),
                    &[(**other, "reserved here".into())],
                ));
            }
        }
    }
    for op in kernel.find_all::<ImportPeerBufferOp>() {
        let peer = op.peer_func();
        let peer = peer.and_then(|peer| kernels.beside(kernel, peer));
        let reserved = peer
            .into_iter()
            .flat_map(|peer| peer.find_all::<ReserveBufferOp>());
        for other in reserved.filter(|other| other.name_attribute() == op.name_attribute()) {
            // An import without an address gets that of the reservation later.
            if op.base().is_some() && other.base() != op.base() {
                let address = |base: Option<i64>| base.map_or("auto".into(), |at| at.to_string());
                return Err(op.error_with_notes(
                    format!(
                        "imports a buffer at {}, which is reserved at {}",
                        address(op.base()),
                        address(other.base())
                    ),
                    &[(*other, "reserved here".into())],
                ));
            }
        }
    }
    Ok(())
}

/// Executes a group without its tiles and reports deadlocks and traps.
fn check<'a>(kernel: Op<'a>, group: &Translated<'a>) -> Result<(), Reported> {
    // A single kernel without pipes never waits.
    if group.group.pipes.is_empty() && group.group.kernels.len() == 1 {
        return Ok(());
    }
    match liveness::check(&group.group, LIMIT) {
        Ok(_) => Ok(()),
        Err(Problem::Trap(Trap::Limit(limit))) => {
            kernel.warning(format!(
                "executes more than {limit} operations; the termination of its pipes is not \
                 checked at compile time"
            ));
            Ok(())
        }
        Err(Problem::Trap(Trap::Operation(stop))) => Err(stopped(kernel, group, &stop)),
        Err(Problem::Deadlock {
            trap,
            sufficient_slots: enough,
        }) => match trap {
            Trap::Deadlock(waits) => Err(stuck(kernel, group, &waits, enough)),
            other => Err(kernel.error(other.to_string())),
        },
        Err(other) => Err(kernel.error(other.to_string())),
    }
}

/// Returns the operation that a kernel is at; the kernel itself at its end.
fn op_at<'a>(kernel: Op<'a>, group: &Translated<'a>, at: &Location) -> Op<'a> {
    let op = at.number.and_then(|number| group.ops.get(number));
    let end = || {
        let siblings = kernel.parent().map(Op::children).unwrap_or_default();
        let mut siblings = siblings.into_iter().filter(|op| op.isa::<FuncOp>());
        siblings.find(|op| {
            let symbol = op.symbol().unwrap_or_default();
            at.kernel.trim_start_matches('@').split(' ').next() == Some(symbol)
        })
    };
    op.copied().or_else(end).unwrap_or(kernel)
}

/// Formats a kernel and its iteration: `@k, iteration [1, 2]`.
fn who(at: &Location) -> String {
    match &at.iteration[..] {
        [] => at.kernel.clone(),
        iteration => format!("{}, iteration {iteration:?},", at.kernel),
    }
}

fn stopped<'a>(kernel: Op<'a>, group: &Translated<'a>, stop: &FailedOperation) -> Reported {
    let op = op_at(kernel, group, &stop.at);
    let mut notes = Vec::new();
    if let Reason::Race { number, .. } = &stop.reason {
        notes.extend(
            group
                .ops
                .get(*number)
                .map(|op| (*op, "the other one".into())),
        );
    }
    op.error_with_notes(
        format!(
            "cannot be executed by {}: {}",
            who(&stop.at).trim_end_matches(','),
            stop.reason
        ),
        &notes,
    )
}

fn stuck<'a>(
    kernel: Op<'a>,
    group: &Translated<'a>,
    waits: &[Wait],
    enough: Option<Vec<(String, u32)>>,
) -> Reported {
    // Kernels that have ended only drain their pipes; the cause is one of the others.
    let first = waits.iter().position(|wait| wait.cause != WaitCause::Drain);
    let first = first.unwrap_or(0);
    let mut notes = Vec::new();
    for (number, wait) in waits.iter().enumerate() {
        if number != first {
            notes.push((op_at(kernel, group, &wait.at), waits_for(wait)));
        }
    }
    let Some(wait) = waits.get(first) else {
        return kernel.error("internal error: is stuck, but waits for nothing");
    };
    op_at(kernel, group, &wait.at).error_with_notes(
        format!(
            "deadlocks: {}, and no kernel can proceed; {}",
            waits_for(wait),
            liveness::advice(&enough)
        ),
        &notes,
    )
}

fn waits_for(wait: &Wait) -> String {
    let [pushed, popped, freed] = wait.counts;
    format!(
        "{} waits for {} of pipe {} from {} ({pushed} pushed, {popped} popped, {freed} freed, {} slots)",
        who(&wait.at),
        wait.cause,
        wait.pipe,
        wait.for_kernels.join(" and "),
        wait.slots
    )
}
