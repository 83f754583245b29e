// RUN: ttmlir-opt --allow-unregistered-dialect %s | FileCheck %s
// RUN: ttmlir-opt --split-input-file --verify-diagnostics %s

// CHECK: "nobody.knows"() {answer = 42 : i64} : () -> ()
// expected-error@+1 {{operation being parsed with an unregistered dialect}}
"nobody.knows"() {answer = 42} : () -> ()
