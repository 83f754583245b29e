//! `ttcore-register-device`: says which system and which device of it a module is compiled for.
//!
//! The module gets the attribute `ttcore.system_desc` and the operation `ttcore.device @default_device`; what it has of
//! these stays, but that `system-desc-path` replaces the attribute. See `system_desc.rs` for description files.

use crate::driver::options::{Kind, OptionInfo, Options};
use crate::driver::registry::PassInfo;
use crate::ttcore::system_desc::{self, SYSTEM_DESC};
use tessera_dialects::mlir::{At, NewOp, Op, Pass, Reported, Rewriter};
use tessera_isa_tensix::arch::Arch;

/// The name of the device a program runs on.
pub const DEVICE: &str = "default_device";

/// The options of this pass, which pipelines have, too.
pub const OPTIONS: [OptionInfo; 3] = [
    OptionInfo {
        name: "system-desc-path",
        description: "A file that describes the system; a built-in description if empty",
        kind: Kind::Text,
        default: "",
    },
    OptionInfo {
        name: "mock-system-desc-arch",
        description: "The chip of the built-in description",
        kind: Kind::Choice(&["wormhole_b0", "blackhole"]),
        default: "wormhole_b0",
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
    description: "Says which system and which device of it a module is compiled for",
    anchor: Some("builtin.module"),
    options: &OPTIONS,
    make: |options| Ok(Box::new(RegisterDevice::new(options)?)),
};

struct RegisterDevice {
    path: String,
    arch: Arch,
}

impl RegisterDevice {
    fn new(options: &Options) -> Result<Self, String> {
        let arch = options.text("mock-system-desc-arch").parse();
        Ok(Self {
            path: options.text("system-desc-path").to_owned(),
            arch: arch.map_err(|error: tessera_isa_tensix::arch::UnknownArch| error.to_string())?,
        })
    }
}

impl Pass for RegisterDevice {
    fn name(&self) -> &str {
        INFO.name
    }

    fn run<'a>(&self, op: Op<'a>, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
        let refuse = |message: String| op.error(message);
        let description = match op.attribute(SYSTEM_DESC) {
            _ if !self.path.is_empty() => system_desc::from_file(&self.path).map_err(refuse)?,
            Some(description) => description.to_string(),
            None => system_desc::built_in(self.arch),
        };
        let context = rewriter.context();
        let parsed = |text: &str| {
            context
                .parse_attribute(text)
                .ok_or_else(|| op.error("internal error: its description does not parse"))
        };
        let attribute = parsed(&description)?;
        rewriter.set_attribute(op, SYSTEM_DESC, attribute);
        let has_device = op
            .children()
            .iter()
            .any(|op| op.is("ttcore.device") && op.symbol() == Some(DEVICE));
        let Some(body) = op.body().filter(|_| !has_device) else {
            return Ok(());
        };
        let device = parsed(&system_desc::device(&attribute.to_string()).map_err(refuse)?)?;
        let device = NewOp::new("ttcore.device", op.location())
            .attribute("sym_name", context.string_attribute(DEVICE))
            .attribute("device_attr", device);
        rewriter.insert(At::Start(body), device);
        Ok(())
    }
}
