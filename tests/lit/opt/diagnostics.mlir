// The source line is printed below the message, with a caret below the column.
// RUN: not ttmlir-opt %s --split-input-file 2>&1 | FileCheck %s --strict-whitespace
// RUN: not ttmlir-opt %s --split-input-file --verify-diagnostics 2>&1 | FileCheck %s --check-prefix=VERIFY
// RUN: ttmlir-opt %s --allow-unregistered-dialect --split-input-file -o %t.mlir

//      CHECK:diagnostics.mlir:[[#@LINE+4]]:17: error: operation being parsed with an unregistered dialect
// CHECK-NEXT:  "nobody.knows"() : () -> ()
// CHECK-NEXT:                ^
//      VERIFY:diagnostics.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: unexpected error: operation being parsed
  "nobody.knows"() : () -> ()

// -----

// VERIFY: expected error "never said" was not produced
// expected-error@+1 {{never said}}
func.func private @g()
