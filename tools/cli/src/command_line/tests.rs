use super::*;
use clap::error::ErrorKind;
use clap::{CommandFactory, Subcommand};

#[derive(Parser)]
#[command(name = "tool")]
struct Tool {
    #[command(subcommand)]
    _what: What,
}

#[derive(Subcommand)]
enum What {
    Run { _file: String },
}

fn asked(arguments: &[&str]) -> Option<Shell> {
    completions(arguments.iter().map(OsString::from))
}

#[test]
fn completions_need_no_subcommand() {
    for (arguments, expect) in [
        (&["tool", "--completions", "bash"][..], Some(Shell::Bash)),
        (&["tool", "--completions=zsh"], Some(Shell::Zsh)),
        (&["tool", "--completions"], None),
        (&["tool", "--completions", "none"], None),
        (&["tool", "run", "a"], None),
        (&["tool", "run", "--completions=fish"], None),
        (&["tool"], None),
    ] {
        assert_eq!(asked(arguments), expect, "{arguments:?}");
    }
    let strict = with_completions(Tool::command()).try_get_matches_from(["tool", "run"]);
    let kind = strict.expect_err("a file is missing").kind();
    assert_eq!(kind, ErrorKind::MissingRequiredArgument);
}
