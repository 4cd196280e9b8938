//! What the command prints, kept word by word in `tests/cmd`. `TRYCMD=overwrite` writes them anew.

#[test]
fn transcripts_are_still_true() {
    trycmd::TestCases::new().case("tests/cmd/*.trycmd");
}
