//! `ttcore-register-device`: says which system and which device of it a module is compiled for.
//!
//! The module gets the attribute that describes a system with the chip, such as
//! `ttcore.system_desc`, and, if the target's modules have one, the operation `ttcore.device
//! @default_device`; what it has of these stays, but that `system-desc-path` replaces the
//! attribute. See `description_file.rs` for description files.

use crate::driver::options::{Kind, OptionInfo, Options};
use crate::driver::registry::PassInfo;
use crate::target::SystemInfo;
use crate::targets;
use crate::ttcore::description_file;
use tessera_dialects::builtin;
use tessera_dialects::mlir::{At, NamedOp, Op, Pass, Reported, Rewriter};
use tessera_dialects::ttcore::DeviceOp;

/// The name of the device a program runs on.
pub const DEVICE: &str = "default_device";

/// The option that names the chip of the built-in description.
pub const CHIP: &str = "mock-system-desc-arch";

/// The options of this pass, which pipelines have, too.
pub const OPTIONS: [OptionInfo; 3] = [
    OptionInfo {
        name: "system-desc-path",
        description: "File with the system description; empty selects the built-in one",
        kind: Kind::Text,
        default: "",
    },
    OptionInfo {
        name: CHIP,
        description: "The chip of the built-in description",
        kind: Kind::Choice(targets::CHIPS),
        default: targets::CHIPS[0],
    },
    OptionInfo {
        name: "mesh-shape",
        description: "Rows and columns of the mesh of chips; programs run on one",
        kind: Kind::Choice(&["1,1", "1"]),
        default: "1,1",
    },
];

/// `ttcore-register-device`
pub const INFO: PassInfo = PassInfo {
    name: "ttcore-register-device",
    description: "Adds the system description and the device that a module is compiled for",
    anchor: Some(builtin::ModuleOp::NAME),
    options: &OPTIONS,
    make: |options| Ok(Box::new(RegisterDevice::new(options))),
};

struct RegisterDevice {
    path: String,
    chip: String,
}

impl RegisterDevice {
    fn new(options: &Options) -> Self {
        Self {
            path: options.text("system-desc-path").to_owned(),
            chip: options.text(CHIP).to_owned(),
        }
    }

    /// Returns the descriptions that a module gets, as attribute text.
    fn descriptions(&self, module: Op) -> Result<Vec<(&'static SystemInfo, String)>, Reported> {
        if !self.path.is_empty() {
            return description_file::read(&self.path).map_err(|message| module.error(message));
        }
        let target = targets::for_chip(&self.chip).ok_or_else(|| {
            module.error(format!(
                "internal error: no target has chip '{}'",
                self.chip
            ))
        })?;
        let system = target.system();
        let text = match module.attribute(system.attribute) {
            Some(description) => description.to_string(),
            None => (system.built_in)(&self.chip),
        };
        Ok(vec![(system, text)])
    }
}

impl Pass for RegisterDevice {
    fn name(&self) -> &str {
        INFO.name
    }

    fn run<'a>(&self, op: Op<'a>, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
        for (system, description) in self.descriptions(op)? {
            describe(op, system, &description, rewriter)?;
        }
        Ok(())
    }
}

/// Gives a module a description, and the device that follows from it if it has none.
fn describe<'a>(
    module: Op<'a>,
    system: &SystemInfo,
    description: &str,
    rewriter: &Rewriter<'a>,
) -> Result<(), Reported> {
    let context = rewriter.context();
    let parsed = |text: &str| {
        context
            .parse_attribute(text)
            .ok_or_else(|| module.error("internal error: its description does not parse"))
    };
    let attribute = parsed(description)?;
    rewriter.set_attribute(module, system.attribute, attribute);
    let has_device = module
        .children()
        .iter()
        .any(|op| op.isa::<DeviceOp>() && op.symbol() == Some(DEVICE));
    let Some(body) = module.body().filter(|_| !has_device) else {
        return Ok(());
    };
    let device = (system.device)(&attribute.to_string());
    if let Some(device) = device.map_err(|message| module.error(message))? {
        let device = DeviceOp::build(module.location())
            .with(context, DeviceOp::SYM_NAME, DEVICE)
            .with(context, DeviceOp::DEVICE_ATTR, parsed(&device)?);
        rewriter.insert(At::Start(body), device);
    }
    Ok(())
}
