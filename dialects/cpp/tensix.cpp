#include "tensix.h"

#include "mlir/CAPI/Registration.h"

#include "tensix/Dialect.cpp.inc"

#define GET_OP_CLASSES
#include "tensix/Ops.cpp.inc"

namespace tessera::tensix {

void TensixDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "tensix/Ops.cpp.inc"
      >();
}

} // namespace tessera::tensix

extern "C" {
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Tensix, tensix);
}
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Tensix, tensix, tessera::tensix::TensixDialect)
