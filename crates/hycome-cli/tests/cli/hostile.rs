//! Names crafted to control a terminal, break a table or escape a folder.

use super::*;

const HOSTILE: &str = "graph [
  node [ id 0 label \"tab\there\" value \"a&#27;[31m\" ]
  node [ id 1 label \"line\nend\" value \"a&#27;[31m\" ]
  node [ id 2 label \"&#27;]0;owned&#7;\" value \"a&#27;[31m\" ]
  node [ id 3 label \"back\\slash &#8238;\" value \"../../b\" ]
  edge [ source 0 target 1 ]
  edge [ source 1 target 2 ]
  edge [ source 2 target 3 ]
]
";

#[test]
fn hostile_names_and_classes_stay_on_their_line() {
    let here = folder();
    write(here.path(), "g.gml", HOSTILE);
    let mut args = vec!["embed", "g.gml", "-o", "run", "--communities", "1"];
    args.extend(SHORT);
    let text = succeed(here.path(), args);
    assert!(!text.contains('\u{1b}') && text.contains("a\\u{1b}[31m"), "{text}");
    let tsv = succeed(here.path(), ["communities", "run"]);
    assert_eq!(tsv.lines().count(), 5);
    let names: Vec<&str> = tsv.lines().skip(1).filter_map(|line| line.split('\t').next()).collect();
    assert_eq!(names, ["tab\\there", "line\\nend", "\\u{1b}]0;owned\\u{7}", "back\\\\slash \\u{202e}"]);
    assert!(tsv.lines().all(|line| line.split('\t').count() == 3));
    for args in [["info", "g.gml"], ["info", "run"]] {
        assert!(!succeed(here.path(), args).contains('\u{1b}'));
    }
    let json = json(&succeed(here.path(), ["communities", "run", "--json"]));
    assert_eq!(json["assignments"][1]["node"], "line\nend");
}

#[test]
fn hostile_arguments_do_not_reach_the_terminal() {
    let here = folder();
    for command in ["embed", "info", "communities"] {
        let message = fail(1, here.path(), [command, "a\u{1b}[31mb.txt"]);
        assert!(!message.contains('\u{1b}') && message.contains("a\\u{1b}[31mb.txt"), "{message}");
    }
}

#[test]
fn a_name_never_leads_out_of_the_folder() {
    let here = folder();
    std::fs::create_dir(here.path().join("inner")).unwrap();
    write(here.path(), "..g.txt", TWO_GROUPS);
    let mut args = vec!["embed", "../..g.txt", "-k", "2", "-q"];
    args.extend(SHORT);
    succeed(&here.path().join("inner"), args);
    assert_eq!(names(&here.path().join("inner")), ["..g-run"]);
}
