// Lowering of func, scf and arith to LLVM IR: registration of the dialects, translations and passes
// that src/mlir/llvm.rs uses.

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Registration.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"

using namespace mlir;

extern "C" {

// Registers the dialects of the conversions and their translations to LLVM IR.
void tesseraRegisterLLVM(MlirDialectRegistry registry) {
  unwrap(registry)->insert<LLVM::LLVMDialect, cf::ControlFlowDialect>();
  registerBuiltinDialectTranslation(*unwrap(registry));
  registerLLVMDialectTranslation(*unwrap(registry));
}

// Registers the conversion passes.
void tesseraRegisterLLVMPasses() {
  registerSCFToControlFlowPass();
  registerConvertControlFlowToLLVMPass();
  registerArithToLLVMConversionPass();
  registerConvertFuncToLLVMPass();
  registerReconcileUnrealizedCastsPass();
  LLVM::registerDIScopeForLLVMFuncOpPass();
}

} // extern "C"
