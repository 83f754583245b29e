//! Flags of a tool, as its `-h` lists them, and random uses of them.

use crate::mutate::numbers;
use tessera_test_support::random::Rng;

/// Flags that end a tool before it reads anything, or bound a run; the targets set limits
/// themselves.
const LEFT_OUT: [&str; 6] = [
    "help",
    "version",
    "completions",
    "limit",
    "limit-steps",
    "read-limit",
];

/// An option of a command line.
#[derive(Debug, Clone)]
pub struct Flag {
    /// Its long name, without dashes.
    pub name: String,
    value: Value,
}

#[derive(Debug, Clone, PartialEq)]
enum Value {
    None,
    /// One of these words.
    Choice(Vec<String>),
    /// What the tool calls the value, and words of its description.
    Free(String, Vec<String>),
}

/// Reads the flags from the text that `-h` prints.
pub fn parse(help: &str) -> Vec<Flag> {
    let mut texts: Vec<String> = Vec::new();
    for line in help.lines() {
        let starts = line.trim_start().starts_with('-') && line.contains("--");
        match texts.last_mut() {
            _ if starts => texts.push(line.trim().to_owned()),
            Some(last) if line.starts_with("   ") => *last += &format!(" {}", line.trim()),
            _ => {}
        }
    }
    let flags = texts.iter().filter_map(|text| flag(text));
    flags
        .filter(|flag| !LEFT_OUT.contains(&flag.name.as_str()))
        .collect()
}

/// One flag: `-o, --output <FILE>  Where it goes [possible values: a, b]`.
fn flag(text: &str) -> Option<Flag> {
    let (_, rest) = text.split_once("--")?;
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let end = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
    let (name, rest) = rest.split_at(end);
    let metavar = rest.trim_start_matches(['[', '=', ' ']).strip_prefix('<');
    let metavar = metavar.and_then(|rest| rest.split_once('>'));
    let choices = rest
        .split_once("[possible values: ")
        .and_then(|(_, rest)| rest.split_once(']'));
    let value = match (choices, metavar) {
        (Some((words, _)), _) => Value::Choice(words.split(", ").map(str::to_owned).collect()),
        (None, Some((metavar, help))) => {
            let words = help
                .split([' ', ',', ';', '`'])
                .map(|word| word.trim_end_matches('.'));
            let words = words.filter(|word| !word.is_empty());
            Value::Free(metavar.to_owned(), words.map(str::to_owned).collect())
        }
        (None, None) => Value::None,
    };
    let name = name.to_owned();
    (!name.is_empty()).then_some(Flag { name, value })
}

impl Flag {
    /// Returns the words it may take, if the tool lists them.
    pub fn choices(&self) -> &[String] {
        match &self.value {
            Value::Choice(words) => words,
            _ => &[],
        }
    }

    /// Returns the flag with a random value; files are among `files`.
    pub fn random(&self, rng: &mut Rng, files: &[&str]) -> String {
        let name = &self.name;
        match &self.value {
            Value::None => format!("--{name}"),
            Value::Choice(words) => format!("--{name}={}", words[rng.below(words.len())]),
            Value::Free(metavar, words) => {
                let from_help = rng.percent(40) && !words.is_empty();
                let pattern = match from_help {
                    true => words[rng.below(words.len())].clone(),
                    false => metavar.clone(),
                };
                format!("--{name}={}", filled(&pattern, rng, files))
            }
        }
    }
}

/// Returns a pattern such as `X,Y:ADDRESS:FILE` with something for each word in capitals.
fn filled(pattern: &str, rng: &mut Rng, files: &[&str]) -> String {
    let mut text = String::new();
    let mut rest = pattern;
    while let Some(start) = rest.find(|c: char| c.is_ascii_uppercase()) {
        text += &rest[..start];
        let end = rest[start..].find(|c: char| !c.is_ascii_uppercase() && c != '_' && c != '.');
        let end = end.map_or(rest.len(), |length| start + length);
        text += &match &rest[start..end] {
            word if word.starts_with("FILE") || word.starts_with("PATH") => {
                rng.pick(files).to_owned()
            }
            "PLACE" => filled(rng.pick(&["l1:ADDRESS", "X,Y:ADDRESS"]), rng, files),
            "MEMORY" => rng
                .pick(&["pdm0", "pdm3", "dram0", "dram3", "dram4"])
                .to_owned(),
            "CORE" => rng.pick(&["B", "T0", "T1", "T2", "NC"]).to_owned(),
            "X" | "Y" => rng.below(20).to_string(),
            _ => numbers::small_or_edge(rng),
        };
        // The rest of a word such as `FILE.npy` belongs to it.
        rest = rest[end..].trim_start_matches(|c: char| c.is_ascii_lowercase());
    }
    text + rest
}

/// Some flags, at most `most` of them; often none.
pub fn some(flags: &[Flag], most: usize, rng: &mut Rng, files: &[&str]) -> Vec<String> {
    if flags.is_empty() || rng.percent(65) {
        return Vec::new();
    }
    let count = rng.below(most + 1);
    (0..count)
        .map(|_| flags[rng.below(flags.len())].random(rng, files))
        .collect()
}

/// Returns the subcommands that `-h` lists.
pub fn subcommands(help: &str) -> Vec<String> {
    let (_, rest) = help.split_once("Commands:\n").unwrap_or_default();
    let lines = rest.lines().take_while(|line| line.starts_with("  "));
    let names = lines.filter_map(|line| line.split_whitespace().next());
    names
        .filter(|name| *name != "help")
        .map(str::to_owned)
        .collect()
}

#[test]
fn help_is_understood() {
    let help = "Usage: x\n\nCommands:\n  run   Runs\n  help  Helps\n\nOptions:\n  \
                -o, --output <FILE>  Where it\n          goes\n      \
                --how <HOW>  How [default: a] [possible values: a, b]\n      \
                --form[=<FORM>]  The form\n      --plain  Plain\n  -h, --help  Help\n";
    assert_eq!(subcommands(help), ["run"]);
    let flags = parse(help);
    let names: Vec<_> = flags.iter().map(|flag| flag.name.as_str()).collect();
    assert_eq!(names, ["output", "how", "form", "plain"]);
    assert_eq!(flags[1].choices(), ["a", "b"]);
    let words = ["Where", "it", "goes"].map(str::to_owned).to_vec();
    assert_eq!(flags[0].value, Value::Free("FILE".into(), words));
    assert!(matches!(&flags[2].value, Value::Free(name, _) if name == "FORM"));
    assert_eq!(flags[3].value, Value::None);
    let mut rng = Rng::new(1);
    assert_eq!(filled("FILE.npy", &mut rng, &["a.npy"]), "a.npy");
    assert!(filled("l1:ADDRESS:FILE", &mut rng, &["a"]).starts_with("l1:"));
}
