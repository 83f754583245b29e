// Operations of the ttir dialect. They are generated from the operation table (`runtime/ops`); here
// are the classes that the generated file refers to.

#ifndef TESSERA_TTIR_OPS_TD
#define TESSERA_TTIR_OPS_TD

include "Forward.td"
include "ttir/Dialect.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class TTIR_Op<string mnemonic, list<Trait> traits = []> : Op<TTIR_Dialect, mnemonic, traits>;

//===-- Creation ----------------------------------------------------------===//

class TTIR_EmptyTensorOp<string mnemonic> : TTIR_Op<mnemonic, [Pure]> {
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "`(` `)` attr-dict `:` type($result)";
}

// `more` are the attributes besides those that every operation of the class has.
class TTIR_CreationOp<string mnemonic, list<Trait> traits = []>
    : TTIR_Op<mnemonic, [Pure, VerifiedInRust] # traits> {
  dag more = (ins);
  let results = (outs AnyRankedTensor:$result);
}

class TTIR_ConstantTensorOp<string mnemonic>
    : TTIR_CreationOp<mnemonic, [AllShapesMatch<["value", "result"]>]> {
  let arguments = more;
}

class TTIR_RangeTensorOp<string mnemonic> : TTIR_CreationOp<mnemonic> {
  let arguments = more;
}

class TTIR_FilledTensorOp<string mnemonic> : TTIR_CreationOp<mnemonic> {
  let arguments = !con((ins DenseI32ArrayAttr:$shape), more);
}

//===-- Operations on tensors ---------------------------------------------===//

// Takes `least` to `most` tensors and, in the older spelling, an output operand after them, which
// the trait tells from an input.
class TTIR_TensorOp<string mnemonic, int least, int most>
    : TTIR_Op<mnemonic, [Pure, InputsThenOutput<least, most>, VerifiedInRust]> {
  let results = (outs AnyRankedTensor:$result);
}

include "ttir/Generated.td"

#endif // TESSERA_TTIR_OPS_TD
