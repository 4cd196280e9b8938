//! Writes the seed corpus, one folder per target, and the dictionary.

use std::fs;
use std::path::Path;

use hycome_fuzz::{TARGETS, seeds, words};

fn main() -> std::io::Result<()> {
    let folder = std::env::args().nth(1).expect("a folder is given");
    let folder = Path::new(&folder);
    for (target, _) in TARGETS {
        fs::create_dir_all(folder.join(target))?;
        for (name, seed) in seeds::seeds(target) {
            fs::write(folder.join(target).join(name), seed)?;
        }
    }
    fs::write(folder.join("words.dict"), words::dictionary())
}
