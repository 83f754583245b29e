// Small models, for the tests that compile and run them: what single operations do not show.
func.func @relu_of_linear(%x: tensor<33x65xbf16>, %w: tensor<65x97xbf16>, %b: tensor<97xbf16>) -> tensor<33x97xbf16> {
  %0 = "ttir.linear"(%x, %w, %b) : (tensor<33x65xbf16>, tensor<65x97xbf16>, tensor<97xbf16>) -> tensor<33x97xbf16>
  %1 = "ttir.relu"(%0) : (tensor<33x97xbf16>) -> tensor<33x97xbf16>
  return %1 : tensor<33x97xbf16>
}
func.func @one_operand_twice(%x: tensor<33x33xbf16>) -> (tensor<33x33xbf16>, tensor<33x33xbf16>, tensor<33x33xbf16>) {
  %0 = "ttir.add"(%x, %x) : (tensor<33x33xbf16>, tensor<33x33xbf16>) -> tensor<33x33xbf16>
  %1 = "ttir.matmul"(%0, %x) : (tensor<33x33xbf16>, tensor<33x33xbf16>) -> tensor<33x33xbf16>
  %2 = "ttir.matmul"(%x, %x) : (tensor<33x33xbf16>, tensor<33x33xbf16>) -> tensor<33x33xbf16>
  %3 = "ttir.subtract"(%x, %x) : (tensor<33x33xbf16>, tensor<33x33xbf16>) -> tensor<33x33xbf16>
  return %1, %2, %3 : tensor<33x33xbf16>, tensor<33x33xbf16>, tensor<33x33xbf16>
}
func.func @creation(%x: tensor<33x40xbf16>) -> (tensor<33x40xbf16>, tensor<40xbf16>, tensor<2x3xbf16>) {
  %ones = "ttir.ones"() <{shape = array<i32: 1, 40>}> : () -> tensor<1x40xbf16>
  %zeros = "ttir.zeros"() <{shape = array<i32: 33, 40>}> : () -> tensor<33x40xbf16>
  %full = "ttir.full"() <{fill_value = -2.5 : f32, shape = array<i32: 1, 1>}> : () -> tensor<1x1xbf16>
  %row = "ttir.constant"() <{value = dense<0.1> : tensor<40xbf16>}> : () -> tensor<40xbf16>
  %c = "ttir.constant"() <{value = dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xbf16>}> : () -> tensor<2x3xbf16>
  %0 = "ttir.add"(%x, %ones) : (tensor<33x40xbf16>, tensor<1x40xbf16>) -> tensor<33x40xbf16>
  %1 = "ttir.subtract"(%zeros, %0) : (tensor<33x40xbf16>, tensor<33x40xbf16>) -> tensor<33x40xbf16>
  %2 = "ttir.multiply"(%full, %1) : (tensor<1x1xbf16>, tensor<33x40xbf16>) -> tensor<33x40xbf16>
  %3 = "ttir.neg"(%row) : (tensor<40xbf16>) -> tensor<40xbf16>
  return %2, %3, %c : tensor<33x40xbf16>, tensor<40xbf16>, tensor<2x3xbf16>
}
func.func @from_host(%x: tensor<33x40xbf16> {ttcore.argument_type = #ttcore.argument_type<input>}, %w: tensor<40x35xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<33x35xbf16> {
  %0 = "ttir.matmul"(%x, %w) : (tensor<33x40xbf16>, tensor<40x35xbf16>) -> tensor<33x35xbf16>
  return %0 : tensor<33x35xbf16>
}
func.func @argument_through(%x: tensor<33x40xbf16>) -> (tensor<33x40xbf16>, tensor<33x40xbf16>) {
  return %x, %x : tensor<33x40xbf16>, tensor<33x40xbf16>
}
func.func @unused(%x: tensor<33x40xbf16>, %y: tensor<7xbf16>) -> tensor<33x40xbf16> {
  %0 = "ttir.neg"(%y) : (tensor<7xbf16>) -> tensor<7xbf16>
  %1 = "ttir.relu"(%x) : (tensor<33x40xbf16>) -> tensor<33x40xbf16>
  return %1 : tensor<33x40xbf16>
}
func.func private @hidden(%x: tensor<2x3xbf16>) -> tensor<2x3xbf16> {
  %1 = "ttir.relu"(%x) : (tensor<2x3xbf16>) -> tensor<2x3xbf16>
  return %1 : tensor<2x3xbf16>
}
func.func @calls(%x: tensor<2x3xbf16>) -> tensor<2x3xbf16> {
  %0 = func.call @hidden(%x) : (tensor<2x3xbf16>) -> tensor<2x3xbf16>
  %1 = "ttir.neg"(%0) : (tensor<2x3xbf16>) -> tensor<2x3xbf16>
  return %1 : tensor<2x3xbf16>
}
