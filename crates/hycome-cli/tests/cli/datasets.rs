//! Public graphs by name, with local files.

use std::path::Path;

use crate::{hycome, succeed};

/// Two groups of four nodes, in the file layout of BlogCatalog and Flickr.
fn write_flickr(folder: &Path) {
    let place = folder.join("flickr");
    std::fs::create_dir_all(&place).unwrap();
    let edges = "1,2\n1,3\n2,3\n3,4\n1,4\n5,6\n5,7\n6,7\n7,8\n5,8\n4,5\n";
    std::fs::write(place.join("edges.csv"), edges).unwrap();
    let groups = "1,1\n2,1\n3,1\n4,1\n4,2\n5,2\n6,2\n7,2\n8,2\n";
    std::fs::write(place.join("group-edges.csv"), groups).unwrap();
}

#[test]
fn dataset_name_loads_graph_and_labels() {
    let folder = tempfile::tempdir().unwrap();
    write_flickr(folder.path());
    let embed = ["embed", "flickr", "--walks", "1", "--epochs", "1", "--json", "--data", "."];
    let json: serde_json::Value = serde_json::from_str(&succeed(folder.path(), embed)).unwrap();
    assert_eq!(
        (&json["graph"], &json["nodes"], &json["communities"]),
        (&"flickr".into(), &8.into(), &2.into())
    );
    let classify = ["classify", "flickr-run", "--labels", "flickr", "--folds", "2", "--json", "--data", "."];
    let json: serde_json::Value = serde_json::from_str(&succeed(folder.path(), classify)).unwrap();
    assert_eq!(json["labels"]["multi_label"], true);
}

#[test]
fn data_flag_overrides_the_environment_variable() {
    let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    write_flickr(folder.path());
    let output =
        hycome(other.path()).args(["info", "flickr"]).env("HYCOME_DATA", folder.path()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut command = hycome(other.path());
    command.args(["info", "flickr", "--data", "."]).env("HYCOME_DATA", folder.path());
    let errors = String::from_utf8(command.output().unwrap().stderr).unwrap();
    assert!(
        errors.contains("the files of `flickr` are not in .; `hycome datasets get flickr --unverified`"),
        "{errors}"
    );
}

#[test]
fn default_data_folder_is_per_user() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = hycome(folder.path());
    command.args(["datasets", "path"]).env("XDG_DATA_HOME", folder.path()).env("HOME", folder.path());
    let path = String::from_utf8(command.output().unwrap().stdout).unwrap();
    assert!(path.trim_end().ends_with("hycome") && Path::new(path.trim_end()).is_absolute(), "{path}");
}
