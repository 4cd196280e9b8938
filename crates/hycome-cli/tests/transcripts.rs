//! Transcripts of help texts and summaries in `tests/cmd`; `TRYCMD=overwrite` updates them.

#[test]
fn transcripts_match() {
    trycmd::TestCases::new().case("tests/cmd/*.trycmd");
}
