// Additions to the C API of MLIR 19 for the wrapper in src/mlir.
//
// Each function is one call into MLIR; src/mlir/ffi.rs declares them for Rust.

#include "mlir-c/Diagnostics.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Registration.h"
#include "mlir/CAPI/Support.h"
#include "mlir/CAPI/Utils.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBufferRef.h"

using namespace mlir;

static DiagnosticSeverity severityOf(int severity) {
  switch (severity) {
  case MlirDiagnosticWarning:
    return DiagnosticSeverity::Warning;
  case MlirDiagnosticRemark:
    return DiagnosticSeverity::Remark;
  case MlirDiagnosticNote:
    return DiagnosticSeverity::Note;
  default:
    return DiagnosticSeverity::Error;
  }
}

// Returns whether a module, possibly invalid, has only UTF-8 strings. Bytecode may have others.
static bool printsAsUtf8(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream, OpPrintingFlags().printGenericOpForm().elideLargeElementsAttrs(16));
  return llvm::json::isUTF8(text);
}

// Reports the first operation with a string that is not UTF-8. The printer escapes such strings, so
// a text with escapes has them, too.
static LogicalResult verifyStringsAreUtf8(ModuleOp module) {
  AttrTypeWalker walker;
  walker.addWalk([](StringAttr string) {
    return llvm::json::isUTF8(string) ? WalkResult::advance() : WalkResult::interrupt();
  });
  WalkResult result = module->walk([&](Operation *op) {
    if (!walker.walk(op->getAttrDictionary()).wasInterrupted())
      return WalkResult::advance();
    op->emitError() << "has a string that is not UTF-8";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

extern "C" {

// Parses text or bytecode into a module, an implicit one if the text has none. `source` must be
// followed by a NUL.
MlirModule tesseraModuleParse(MlirContext context, MlirStringRef source, MlirStringRef name) {
  MLIRContext *ctx = unwrap(context);
  bool bytecode = isBytecode(llvm::MemoryBufferRef(unwrap(source), unwrap(name)));
  ParserConfig config(ctx, /*verifyAfterParse=*/!bytecode);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(unwrap(source), config, unwrap(name));
  if (!module)
    return wrap(ModuleOp());
  if (bytecode && !printsAsUtf8(*module)) {
    emitError(FileLineColLoc::get(ctx, unwrap(name), 1, 1))
        << "the bytecode has names that are not UTF-8";
    return wrap(ModuleOp());
  }
  bool mayHaveBytes = bytecode || unwrap(source).contains('\\');
  if (mayHaveBytes && failed(verifyStringsAreUtf8(*module)))
    return wrap(ModuleOp());
  if (bytecode && failed(verify(*module)))
    return wrap(ModuleOp());
  return wrap(module.release());
}

// Emits `message` at the op the way its own C++ verifier would, prefixed with "'name' op ".
void tesseraOperationEmit(MlirOperation op, int severity, MlirStringRef message) {
  Operation *operation = unwrap(op);
  switch (severityOf(severity)) {
  case DiagnosticSeverity::Warning:
    operation->emitWarning() << unwrap(message);
    return;
  case DiagnosticSeverity::Remark:
  case DiagnosticSeverity::Note:
    operation->emitRemark() << unwrap(message);
    return;
  case DiagnosticSeverity::Error:
    operation->emitOpError() << unwrap(message);
    return;
  }
}

// Emits an error as tesseraOperationEmit does, with a note at each of `count` locations.
void tesseraOperationEmitErrorWithNotes(MlirOperation op, MlirStringRef message, intptr_t count,
                                        const MlirLocation *locations, const MlirStringRef *notes) {
  InFlightDiagnostic error = unwrap(op)->emitOpError() << unwrap(message);
  for (intptr_t i = 0; i < count; ++i)
    error.attachNote(unwrap(locations[i])) << unwrap(notes[i]);
}

void tesseraLocationEmit(MlirLocation location, int severity, MlirStringRef message) {
  Location loc = unwrap(location);
  loc->getContext()->getDiagEngine().emit(loc, severityOf(severity)) << unwrap(message);
}

// Finds the first file position inside a location. Returns false if there is none.
bool tesseraLocationFile(MlirLocation location, MlirStringCallback file, void *user, unsigned *line,
                         unsigned *column) {
  auto found = unwrap(location)->findInstanceOf<FileLineColLoc>();
  if (!found)
    return false;
  file(wrap(found.getFilename().getValue()), user);
  *line = found.getLine();
  *column = found.getColumn();
  return true;
}

// Changes the location of the op to a call site: its own location, called from `caller`.
void tesseraOperationSetCaller(MlirOperation op, MlirLocation caller) {
  unwrap(op)->setLoc(CallSiteLoc::get(unwrap(op)->getLoc(), unwrap(caller)));
}

// Removes the operands and successors of the op and its nested ops, so that they can be destroyed
// in any order. Operands are erased first, since dropAllReferences alone would leave null
// operands.
void tesseraOperationDropReferences(MlirOperation op) {
  unwrap(op)->walk([](Operation *inner) { inner->setOperands({}); });
  unwrap(op)->dropAllReferences();
}

// Drops all uses of values that the op or its nested ops define.
void tesseraOperationDropUses(MlirOperation op) { unwrap(op)->dropAllDefinedValueUses(); }

// Copies the properties of an operation to another one of the same name.
void tesseraOperationCopyProperties(MlirOperation from, MlirOperation to) {
  if (unwrap(from)->getPropertiesStorage())
    unwrap(to)->copyProperties(unwrap(from)->getPropertiesStorage());
}

// Returns whether the regions of the op use no values from outside.
bool tesseraOperationIsIsolated(MlirOperation op) {
  return unwrap(op)->hasTrait<OpTrait::IsIsolatedFromAbove>();
}

// Sets whether errors get a note with the text of the operation.
void tesseraContextPrintOpOnDiagnostic(MlirContext context, bool enable) {
  unwrap(context)->printOpOnDiagnostic(enable);
}

// Calls back with each dialect the context can load.
void tesseraContextDialects(MlirContext context, MlirStringCallback name, void *user) {
  for (StringRef dialect : unwrap(context)->getAvailableDialects())
    name(wrap(dialect), user);
}

// Calls back with each operation of a dialect, in the order of their names.
void tesseraContextOperations(MlirContext context, MlirStringRef dialect, MlirStringCallback name,
                              void *user) {
  if (!unwrap(context)->getOrLoadDialect(unwrap(dialect)))
    return;
  for (RegisteredOperationName op : unwrap(context)->getRegisteredOperations())
    if (op.getDialectNamespace() == unwrap(dialect))
      name(wrap(op.getStringRef()), user);
}

// The name of the resource that a dense_resource attribute refers to.
MlirStringRef tesseraResourceName(MlirAttribute attribute) {
  return wrap(cast<DenseResourceElementsAttr>(unwrap(attribute)).getRawHandle().getKey());
}

// The bytes of the resource; false if the module came without them.
bool tesseraResourceData(MlirAttribute attribute, MlirStringRef *bytes) {
  AsmResourceBlob *blob = cast<DenseResourceElementsAttr>(unwrap(attribute)).getRawHandle().getBlob();
  if (!blob)
    return false;
  *bytes = wrap(StringRef(blob->getData().data(), blob->getData().size()));
  return true;
}

MlirStringRef tesseraLLVMVersion() { return wrap(StringRef(LLVM_VERSION_STRING)); }

// Registers the inliner interface of func.call.
void tesseraRegisterExtensions(MlirDialectRegistry registry) {
  func::registerInlinerExtension(*unwrap(registry));
}

// Prints an operation with the names of an AsmState. `mlirOperationPrintWithState` of LLVM 19
// prints it twice.
void tesseraOperationPrintWithState(MlirOperation op, MlirAsmState state, MlirStringCallback callback, void *user) {
  mlir::detail::CallbackOstream stream(callback, user);
  unwrap(op)->print(stream, *unwrap(state));
}

} // extern "C"
