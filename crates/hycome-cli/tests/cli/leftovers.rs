//! Temporary files of killed commands are removed by the next command that writes to the folder.

use super::*;

/// Files of a command that was killed while writing.
fn leave(folder: &Path) -> [std::path::PathBuf; 3] {
    let left = [".k.hyg.AbCdEf.hycome-tmp", ".probe.AbCdEf.hycome-tmp", ".k.hyg.GhIjKl.hycome-old"];
    left.map(|name| {
        std::fs::write(folder.join(name), "half").unwrap();
        folder.join(name)
    })
}

#[test]
fn leftovers_of_killed_commands_are_removed() {
    let here = folder();
    succeed(here.path(), ["embed", "karate", "-o", "run", "--quiet", "--no-plot"].into_iter().chain(SHORT));
    write(here.path(), "grid.toml", "graph = \"karate\"\nwalks = 1\nepochs = 1\nseeds = 1\n");
    for command in [
        "convert karate -o k.hyg",
        "convert karate -o k.csv",
        "generate sbm --nodes 100 --communities 2 -o g.edges",
        "communities run -o c.tsv",
        "classify run --labels karate --save-model m.safetensors",
        "predict run --model m.safetensors -o p.csv",
        "plot run -o p.html",
        "figure zeta -o z.svg",
        "sweep grid.toml --csv t.csv",
    ] {
        let left = leave(here.path());
        succeed(here.path(), command.split(' '));
        assert!(left.iter().all(|path| !path.exists()), "{command}: {:?}", names(here.path()));
    }
    let left = leave(&here.path().join("run"));
    succeed(here.path(), ["embed", "karate", "-o", "run", "-q"].into_iter().chain(SHORT));
    assert!(left.iter().all(|path| !path.exists()));
}

#[test]
fn files_of_a_command_that_is_still_running_stay() {
    let here = folder();
    let path = here.path().join(".k.hyg.AbCdEf.hycome-tmp");
    let living = std::fs::File::create(&path).unwrap();
    living.lock().unwrap();
    succeed(here.path(), ["convert", "karate", "-o", "k.hyg"]);
    assert!(path.exists());
    drop(living);
    succeed(here.path(), ["convert", "karate", "-o", "k.hyg"]);
    assert!(!path.exists());
}

/// Files of a run whose replacement was interrupted by a kill.
#[cfg(unix)]
#[test]
fn a_killed_replacement_is_rolled_back() {
    use std::os::unix::fs::MetadataExt;
    let here = folder();
    let train = |run: &str, seed: &str| {
        let args = ["embed", "karate", "-o", run, "--seed", seed, "--quiet", "--no-plot"];
        succeed(here.path(), args.into_iter().chain(SHORT));
    };
    let contents = |run: &str| {
        let files = ["communities.tsv", "run.safetensors"];
        files.map(|name| std::fs::read(here.path().join(run).join(name)).unwrap())
    };
    train("run", "1");
    train("new", "2");
    let (old, new) = (contents("run"), contents("new"));
    assert!(old[1] != new[1]);
    for command in [&["communities", "run"][..], &["info", "run"], &["plot", "run", "-o", "p.html"]] {
        let run = |name: &str| here.path().join("run").join(name);
        std::fs::rename(run("run.safetensors"), run(".run.safetensors.AbCdEf.hycome-old")).unwrap();
        std::fs::hard_link(run("communities.tsv"), run(".communities.tsv.AbCdEf.hycome-old")).unwrap();
        std::fs::write(run("run.safetensors"), &new[1]).unwrap();
        let inode = run("run.safetensors").metadata().unwrap().ino();
        let journal = serde_json::json!({ "hycome_journal": 1, "files": [
            { "name": "run.safetensors", "had_old": true, "is_stale": false, "inode": inode },
            { "name": "communities.tsv", "had_old": true, "is_stale": false, "inode": 1 },
        ]});
        std::fs::write(run(".AbCdEf.hycome-journal"), journal.to_string()).unwrap();
        let _ = super::run(here.path(), command);
        assert!(contents("run") == old, "{command:?}");
        assert!(!names(&here.path().join("run")).iter().any(|name| name.starts_with('.')), "{command:?}");
    }
}
