//! `ttcore-wrap-device-module`: separates what runs on the device from the module around it.
//!
//! `module { ops }` becomes `module { ttcore.device_module { builtin.module { ops } } }`, the inner
//! module with the attributes of the outer one. A module that has a device module, or is inside
//! another, stays as it is.

use crate::driver::registry::PassInfo;
use tessera_dialects::mlir::{At, NamedOp, Op, Pass, Reported, Rewriter};
use tessera_dialects::{builtin, ttcore};

/// `ttcore-wrap-device-module`
pub const INFO: PassInfo = PassInfo {
    name: "ttcore-wrap-device-module",
    description: "Wraps the contents of a module in a ttcore.device_module",
    anchor: Some(builtin::ModuleOp::NAME),
    options: &[],
    make: |_| Ok(Box::new(WrapDeviceModule)),
};

struct WrapDeviceModule;

impl Pass for WrapDeviceModule {
    fn name(&self) -> &str {
        INFO.name
    }

    fn run<'a>(&self, op: Op<'a>, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
        let contents = op.children();
        let wrapped = contents.iter().any(|op| op.isa::<ttcore::DeviceModuleOp>());
        let Some(body) = op.body().filter(|_| !wrapped && op.parent().is_none()) else {
            return Ok(());
        };
        let device = ttcore::DeviceModuleOp::build(op.location()).region([]);
        let device = rewriter.insert(At::Start(body), device);
        let inner = builtin::ModuleOp::build(op.location())
            .attributes(op.attributes())
            .region([]);
        let inner = device
            .body()
            .map(|body| rewriter.insert(At::Start(body), inner));
        if let Some(inner) = inner.and_then(Op::body) {
            for op in contents {
                rewriter.move_to(op, At::End(inner));
            }
        }
        Ok(())
    }
}
