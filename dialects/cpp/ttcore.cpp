#include "ttcore.h"

#include "mlir/CAPI/Registration.h"

#include "ttcore/Dialect.cpp.inc"

#define GET_OP_CLASSES
#include "ttcore/Ops.cpp.inc"

namespace tessera::ttcore {

void TTCoreDialect::initialize() {}

} // namespace tessera::ttcore

extern "C" {
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(TTCore, ttcore);
}
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(TTCore, ttcore, tessera::ttcore::TTCoreDialect)
