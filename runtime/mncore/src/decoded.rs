//! Programs whose statements are prepared once, for repeated runs.

use std::sync::Arc;

use tessera_isa_mncore::ast::{Program, Statement, StatementKind};

use crate::geometry::Geometry;
use crate::step::DecodedStep;
use crate::transfer::{is_indirect, StagingPlan};

/// A program with its prepared statements.
#[derive(Clone, Debug)]
pub struct DecodedProgram {
    program: Program,
    geometry: Geometry,
    /// What is prepared for each statement.
    prepared: Vec<Prepared>,
}

/// What is prepared for a statement.
#[derive(Clone, Debug)]
pub enum Prepared {
    /// Nothing: it is decoded when it runs.
    Nothing,
    /// A decoded step.
    Step(Arc<DecodedStep>),
    /// An MV instruction that a batch can execute.
    Transfer(StagingPlan),
}

impl Prepared {
    /// Prepares a statement.
    fn new(statement: &Statement, geometry: &Geometry) -> Self {
        match &statement.kind {
            StatementKind::Step(step) => Prepared::Step(Arc::new(DecodedStep::new(step))),
            StatementKind::Mv(mv) => {
                let transfer = mv.transfer.as_ref();
                let direct = transfer.filter(|transfer| !is_indirect(transfer));
                let plan = direct.and_then(|direct| StagingPlan::new(direct, &[], geometry));
                plan.map_or(Prepared::Nothing, Prepared::Transfer)
            }
            _ => Prepared::Nothing,
        }
    }

    /// Returns the plan of an MV instruction.
    pub fn plan(&self) -> Option<&StagingPlan> {
        match self {
            Prepared::Transfer(plan) => Some(plan),
            _ => None,
        }
    }
}

impl DecodedProgram {
    /// Prepares the statements of a program for machines of this geometry.
    pub fn new(program: Program, geometry: Geometry) -> Self {
        let statements = program.statements.iter();
        let prepared = statements.map(|statement| Prepared::new(statement, &geometry));
        DecodedProgram {
            prepared: prepared.collect(),
            program,
            geometry,
        }
    }

    /// Returns the program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Returns the statements, and what is prepared for each. On a machine of another geometry,
    /// nothing is.
    pub fn statements(&self, geometry: &Geometry) -> impl Iterator<Item = (&Statement, &Prepared)> {
        let is_usable = self.geometry == *geometry;
        let statements = self.program.statements.iter().zip(&self.prepared);
        statements.map(move |(statement, prepared)| match is_usable {
            true => (statement, prepared),
            false => (statement, &Prepared::Nothing),
        })
    }
}
