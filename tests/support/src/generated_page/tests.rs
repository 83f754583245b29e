use super::*;

#[test]
fn pages_are_written_or_compared() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let text = fs::read_to_string(&path).expect("the manifest can be read");
    assert_eq!(write_or_compare(&path, &text, false), Ok(()));
    let error = write_or_compare(&path, &format!("[pages]\n{text}"), false);
    assert_eq!(
        error.expect_err("the texts differ"),
        "the page is not up to date; TESSERA_BLESS=1 rewrites it\nline 1\n\
         committed: [package]\ngenerated: [pages]\n"
    );

    let path = std::env::temp_dir().join(format!("tessera-page-{}", std::process::id()));
    assert!(write_or_compare(&path, "a\n", false).is_err());
    assert_eq!(write_or_compare(&path, "a\n", true), Ok(()));
    assert_eq!(write_or_compare(&path, "a\n", false), Ok(()));
    fs::remove_file(&path).expect("the file was written");
}
