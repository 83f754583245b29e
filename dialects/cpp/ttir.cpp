#include "ttir.h"

#include "mlir/CAPI/Registration.h"

#include "ttir/Dialect.cpp.inc"

#define GET_OP_CLASSES
#include "ttir/Ops.cpp.inc"

namespace tessera::ttir {

void TTIRDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "ttir/Ops.cpp.inc"
      >();
}

} // namespace tessera::ttir

extern "C" {
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(TTIR, ttir);
}
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(TTIR, ttir, tessera::ttir::TTIRDialect)
