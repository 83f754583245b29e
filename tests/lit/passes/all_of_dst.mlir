// A product of one phase has blocks of all of Dst, unless its configuration says that the packers have one half while the matrix unit has the other;
// one of four phases does not wait for unpackers, and keeps to halves.
// RUN: ttmlir-opt --ttir-to-tensix-pipeline="compute-cfg-math-fidelity=lofi" %s | FileCheck %s --check-prefix=ALL
// RUN: ttmlir-opt --ttir-to-tensix-pipeline="compute-cfg-math-fidelity=lofi compute-cfg-dst-full-sync-en=false" %s | FileCheck %s --check-prefix=HALF
// RUN: ttmlir-opt --ttir-to-tensix-pipeline="compute-cfg-math-fidelity=lofi compute-cfg-dst-full-sync-en=true" %s | FileCheck %s --check-prefix=ALL
// RUN: ttmlir-opt --ttir-to-tensix-pipeline %s | FileCheck %s --check-prefix=HALF

// ALL: pto.tmatmul {{.*}} -> <tensor<128x64xf32>, acc>
// ALL: tensix.zeroacc  (clear_mode 3)
// HALF: pto.tmatmul {{.*}} -> <tensor<128x32xf32>, acc>
// HALF: tensix.push "zeroacc" dst = %{{.*}}  (clear_mode 2)
func.func @product(%a: tensor<1024x1024xbf16>, %b: tensor<1024x1024xbf16>) -> tensor<1024x1024xbf16> {
  %0 = "ttir.matmul"(%a, %b) : (tensor<1024x1024xbf16>, tensor<1024x1024xbf16>) -> tensor<1024x1024xbf16>
  return %0 : tensor<1024x1024xbf16>
}
