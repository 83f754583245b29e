//! Checks the Markdown pages: their links and anchors, and the table of contents of the book.

use std::collections::HashSet;
use std::path::{Component, Path, PathBuf};

use comrak::nodes::{AstNode, NodeValue};
use comrak::{parse_document, Arena, Options};
use tessera_tests::pages::{self, Page};

/// The links of a page, and its anchors.
#[derive(Debug, Default, PartialEq, Eq)]
struct Outline {
    links: Vec<String>,
    anchors: HashSet<String>,
}

/// Returns the anchor of a heading as GitHub and mdBook make it.
fn anchor(heading: &str) -> String {
    let keep = |letter: &char| letter.is_alphanumeric() || " -_".contains(*letter);
    let kept = heading.trim().to_lowercase();
    let kept = kept.chars().filter(keep);
    kept.map(|letter| if letter == ' ' { '-' } else { letter })
        .collect()
}

/// Appends the text below a node to `text`.
fn collect_text<'a>(node: &'a AstNode<'a>, text: &mut String) {
    for below in node.descendants() {
        match &below.data.borrow().value {
            NodeValue::Text(piece) => text.push_str(piece),
            NodeValue::Code(code) => text.push_str(&code.literal),
            _ => {}
        }
    }
}

/// Returns the values of `src`, `srcset` and `href` in a piece of HTML.
fn html_links(html: &str) -> Vec<String> {
    let value = |name: &str| {
        let start = format!("{name}=\"");
        let values = html.split(&start).skip(1);
        let values = values.filter_map(|rest| rest.split('"').next());
        values.map(str::to_owned).collect::<Vec<_>>()
    };
    ["src", "srcset", "href"]
        .into_iter()
        .flat_map(value)
        .collect()
}

fn outline(text: &str) -> Outline {
    let arena = Arena::new();
    let mut options = Options::default();
    options.extension.table = true;
    let mut found = Outline::default();
    for node in parse_document(&arena, text, &options).descendants() {
        match &node.data.borrow().value {
            NodeValue::Link(link) | NodeValue::Image(link) => found.links.push(link.url.clone()),
            NodeValue::HtmlBlock(html) => found.links.extend(html_links(&html.literal)),
            NodeValue::HtmlInline(html) => found.links.extend(html_links(html)),
            NodeValue::Heading(_) => {
                let mut heading = String::new();
                collect_text(node, &mut heading);
                found.anchors.insert(anchor(&heading));
            }
            _ => {}
        }
    }
    found
}

/// Returns `path` without `.` and `..`.
fn normalize(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => {
                normal.pop();
            }
            Component::CurDir => {}
            other => normal.push(other),
        }
    }
    normal
}

/// Checks one link of a page. Pages of the book may only link to files of the book.
fn check_link(page: &Page, link: &str, all: &[(Page, Outline)]) -> Result<(), String> {
    if link.starts_with("https://") {
        return Ok(());
    }
    let (path, wanted) = match link.split_once('#') {
        Some((path, anchor)) => (path, Some(anchor)),
        None => (link, None),
    };
    let target = match path {
        "" => PathBuf::from(&page.path),
        path => {
            let folder = Path::new(&page.path).parent();
            normalize(&folder.expect("a page is in a folder").join(path))
        }
    };
    if !pages::root().join(&target).exists() {
        return Err(format!("there is no {}", target.display()));
    }
    if page.path.starts_with("docs/") && !target.starts_with("docs") {
        return Err("the book does not contain it".to_owned());
    }
    let Some(wanted) = wanted else {
        return Ok(());
    };
    let target = all.iter().find(|(page, _)| target == Path::new(&page.path));
    match target {
        Some((_, outline)) if outline.anchors.contains(wanted) => Ok(()),
        _ => Err("there is no such heading".to_owned()),
    }
}

#[test]
fn links_lead_somewhere() {
    let pages = pages::all().into_iter().map(|page| {
        let outline = outline(&page.text);
        (page, outline)
    });
    let all: Vec<_> = pages.collect();
    let mut broken = Vec::new();
    for (page, outline) in &all {
        for link in &outline.links {
            if let Err(reason) = check_link(page, link, &all) {
                broken.push(format!("{}: {link}: {reason}", page.path));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

/// The book contains exactly the pages that its summary lists.
#[test]
fn the_summary_lists_every_page() {
    let pages = pages::all();
    let summary = pages.iter().find(|page| page.path == "docs/SUMMARY.md");
    let summary = outline(&summary.expect("the book has a summary").text);
    let listed: HashSet<_> = summary
        .links
        .iter()
        .map(|link| format!("docs/{link}"))
        .collect();
    let missing: Vec<_> = pages
        .iter()
        .map(|page| &page.path)
        .filter(|path| path.starts_with("docs/") && *path != "docs/SUMMARY.md")
        .filter(|path| !listed.contains(*path))
        .collect();
    assert!(missing.is_empty(), "not in docs/SUMMARY.md: {missing:?}");
}

/// The README is an overview; details belong to `docs`.
#[test]
fn the_readme_is_short() {
    let pages = pages::all();
    let readme = pages.iter().find(|page| page.path == "README.md");
    let lines = readme.expect("there is a README").text.lines().count();
    assert!(lines <= 200, "README.md has {lines} lines");
}

#[test]
fn the_check_sees_links_and_anchors() {
    let found =
        outline("# A `b` C-d, e_f\n[x](y.md#z) ![](p.svg) `[no](link)`\n\n<img src=\"q.svg\">\n");
    assert_eq!(found.links, ["y.md#z", "p.svg", "q.svg"]);
    assert_eq!(found.anchors, ["a-b-c-d-e_f".to_owned()].into());
    let page = |path: &str| Page {
        path: path.to_owned(),
        text: String::new(),
    };
    let index = page("docs/README.md");
    let all = [(index.clone(), outline("# One two"))];
    let check = |link: &str| check_link(&index, link, &all).is_ok();
    assert!(check("#one-two") && check("README.md#one-two") && check("https://example.org"));
    assert!(!check("#two") && !check("absent.md") && !check("../README.md"));
}
