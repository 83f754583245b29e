use super::*;
use tessera_dialects::mlir::Severity;
use tessera_program::Binary;

const TTIR: &str = "func.func @forward(%a: tensor<32x32xbf16>) -> tensor<32x32xbf16> {
  %0 = \"ttir.exp\"(%a) : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
  return %0 : tensor<32x32xbf16>
}
";

const STABLEHLO: &str = "\"func.func\"() <{function_type = (tensor<32x32xbf16>) -> \
tensor<32x32xbf16>, sym_name = \"main\", sym_visibility = \"public\"}> ({
^bb0(%a: tensor<32x32xbf16>):
  %0 = \"stablehlo.OP\"(%a) : (tensor<32x32xbf16>) -> tensor<32x32xbf16> loc(\"a.py\":7:3)
  \"func.return\"(%0) : (tensor<32x32xbf16>) -> ()
}) : () -> ()
";

fn request(frontend: Frontend, input: &str, target: &str, options: &str) -> Request {
    Request {
        name: "a.mlir".into(),
        input: input.into(),
        frontend,
        target: target.into(),
        parameters: Vec::new(),
        options: options.into(),
    }
}

fn compile(request: Request) -> Result<Compiled, CompileError> {
    super::compile(request, &AtomicBool::new(false))
}

#[test]
fn every_target_compiles() {
    for target in targets::NAMES {
        let compiled = compile(request(Frontend::Ttir, TTIR, target, "")).expect(target);
        assert_eq!(compiled.ttir, TTIR, "{target}");
        let binary = Binary::read(&compiled.program).expect(target);
        assert_eq!(binary.programs[0].name, "forward", "{target}");
    }
}

#[test]
fn stablehlo_is_converted() {
    let text = STABLEHLO.replace("OP", "exponential");
    let request = request(
        Frontend::StableHlo,
        &text,
        targets::NAMES[0],
        "fusion=\"none\"",
    );
    let compiled = compile(request).expect("it compiles");
    assert!(compiled.ttir.contains("ttir.exp"), "{}", compiled.ttir);
    assert!(compiled.ttir.contains("\"a.py\":7:3"), "{}", compiled.ttir);
}

#[test]
fn parameters_are_marked() {
    let text = STABLEHLO.replace("OP", "exponential");
    for (frontend, text) in [(Frontend::Ttir, TTIR), (Frontend::StableHlo, &text)] {
        let request = Request {
            parameters: vec![0],
            ..request(frontend, text, targets::NAMES[0], "")
        };
        let compiled = compile(request).expect("it compiles");
        let binary = Binary::read(&compiled.program).expect("it was written");
        assert!(binary.programs[0].operations.is_empty(), "{frontend:?}");
        assert!(binary.programs[1].private, "{frontend:?}");
    }
}

#[test]
fn parameters_are_arguments() {
    let request = Request {
        parameters: vec![1],
        ..request(Frontend::Ttir, TTIR, targets::NAMES[0], "")
    };
    let Err(CompileError::Module { diagnostics, .. }) = compile(request) else {
        panic!("argument 1 does not exist");
    };
    assert_eq!(
        diagnostics[0].message,
        "'func.func' op has 1 arguments; argument 1 cannot be a parameter"
    );
}

#[test]
fn compilations_are_interrupted() {
    let text = STABLEHLO.replace("OP", "exponential");
    for (frontend, text) in [(Frontend::Ttir, TTIR), (Frontend::StableHlo, &text)] {
        let request = request(frontend, text, targets::NAMES[0], "");
        let compiled = super::compile(request, &AtomicBool::new(true));
        assert!(matches!(compiled, Err(CompileError::Interrupted)));
    }
}

#[test]
fn rejected_modules_have_diagnostics() {
    let text = STABLEHLO.replace("OP", "fft");
    let error = compile(request(Frontend::StableHlo, &text, targets::NAMES[0], ""));
    let Err(CompileError::Module { diagnostics, .. }) = error else {
        panic!("{error:?}");
    };
    assert_eq!(diagnostics[0].severity, Severity::Error);
    let place = diagnostics[0].place.as_ref().map(ToString::to_string);
    assert_eq!(place.as_deref(), Some("a.py:7:3"));
    let error = compile(request(Frontend::Ttir, "", targets::NAMES[0], ""));
    let Err(CompileError::Module { rendered, .. }) = error else {
        panic!("{error:?}");
    };
    assert_eq!(
        rendered,
        "a.mlir:1:1: error: the input is empty; expected MLIR text\n"
    );
}

#[test]
fn errors_in_called_functions_have_the_place_of_the_call() {
    let text = "\"func.func\"() <{function_type = (tensor<4xf32>) -> tensor<4xf32>, \
                sym_name = \"main\", sym_visibility = \"public\"}> ({
^bb0(%a: tensor<4xf32>):
  %0 = \"func.call\"(%a) <{callee = @helper}> : (tensor<4xf32>) -> tensor<4xf32> \
                loc(\"a.py\":7:3)
  \"func.return\"(%0) : (tensor<4xf32>) -> ()
}) : () -> ()
\"func.func\"() <{function_type = (tensor<4xf32>) -> tensor<4xf32>, sym_name = \"helper\", \
                sym_visibility = \"private\"}> ({
^bb0(%a: tensor<4xf32>):
  %0 = \"stablehlo.fft\"(%a) : (tensor<4xf32>) -> tensor<4xf32> loc(\"fft\")
  \"func.return\"(%0) : (tensor<4xf32>) -> ()
}) : () -> ()
";
    let error = compile(request(Frontend::StableHlo, text, targets::NAMES[0], ""));
    let Err(CompileError::Module { rendered, .. }) = error else {
        panic!("{error:?}");
    };
    assert_eq!(
        rendered,
        "a.py:7:3: error: 'stablehlo.fft' op is not supported by 'convert-stablehlo-to-ttir'; \
         complex numbers are not supported; use two tensors\n"
    );
}

#[test]
fn unknown_targets_and_options_are_errors() {
    let message = |target: &str, options: &str| {
        let error = compile(request(Frontend::Ttir, TTIR, target, options));
        error.map(|_| ()).expect_err(target).to_string()
    };
    let known = targets::NAMES.join(", ");
    assert_eq!(
        message("gpu", ""),
        format!("unknown target 'gpu'; known: {known}")
    );
    let first = targets::NAMES[0];
    let unknown = message(first, "fusing=none");
    let expect = format!("ttir-to-{first}-pipeline: no such option 'fusing'; known: fusion, ");
    assert!(unknown.starts_with(&expect), "{unknown}");
}
