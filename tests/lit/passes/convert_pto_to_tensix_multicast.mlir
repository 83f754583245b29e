// Products whose workers form a grid: operands are read once for each row and column, and multicast.
// RUN: ttmlir-opt --ttir-to-tensix-pipeline %s | FileCheck %s
// Fewer than 16 workers read their operands themselves.
// RUN: sed 's/128x/96x/g' %s | ttmlir-opt --ttir-to-tensix-pipeline | FileCheck %s --check-prefix=ALONE
// So they do if rows or columns of pieces cannot be divided evenly: 11 of 8.
// RUN: sed 's/128x/352x/g' %s | ttmlir-opt --ttir-to-tensix-pipeline=block=1x1 | FileCheck %s --check-prefix=ALONE
// ALONE: tensix.program {{.*}} work {{[0-9]+}} unpack {
// ALONE-NOT: tensix.noc_multicast

// CHECK: tensix.program {{.*}} work 16 rows 4 unpack {
// All cores go through the same rectangle of pieces.
// CHECK-DAG: tensix.argument begin 0
// CHECK-DAG: tensix.argument end 0
// CHECK-DAG: tensix.argument begin 1
// CHECK-DAG: tensix.argument end 1
// CHECK: } read {
// CHECK: %[[FROM:.*]] = tensix.argument sender 1
// CHECK: %[[RECEIVES:.*]] = arith.cmpi sgt, %[[FROM]], %c-1
// CHECK: %[[COUNT:.*]] = tensix.argument receiver_count 1
// The tiles of a step are read by the senders, unpacker 0's from NoC 0.
// CHECK: scf.for
// CHECK: tensix.await counter 1
// CHECK: scf.if
// CHECK: tensix.noc_read {{.*}} transaction %[[T:[^ ]*]]{{$}}
// CHECK: scf.if
// CHECK: tensix.noc_read {{.*}} transaction %[[T]] on 1
// Those of the previous step have arrived. All receivers have granted them; data comes before the flag.
// CHECK: tensix.noc_wait transaction {{.*}} on 1
// CHECK: tensix.await counter 5
// CHECK: tensix.noc_multicast bytes 2048 at {{.*}} transaction %c2
// CHECK: tensix.await counter 6
// CHECK-NEXT: %[[ALL:.*]] = tensix.argument receivers 1
// CHECK-NEXT: tensix.noc_multicast bytes 2048 at {{.*}} to %[[ALL]] transaction %c2 on 1
// CHECK-NEXT: tensix.noc_wait_all requests 1 to %[[COUNT]] transaction %c2 on 1
// CHECK-NEXT: tensix.noc_post_all counter 8 to %[[ALL]] transaction %c2 on 1
// CHECK-NEXT: tensix.noc_wait_all requests 1 to %[[COUNT]] transaction %c2 on 1
// CHECK: scf.if %[[RECEIVES]]
// CHECK-NEXT: tensix.await counter 8
// CHECK: tensix.post counter 0
// CHECK: tensix.noc_post counter 6 of %[[FROM]] transaction %c3 on 1

func.func @forward(%a: tensor<128x64xbf16>, %b: tensor<64x128xbf16>) -> tensor<128x128xbf16> {
  %0 = "ttir.matmul"(%a, %b) : (tensor<128x64xbf16>, tensor<64x128xbf16>) -> tensor<128x128xbf16>
  return %0 : tensor<128x128xbf16>
}
