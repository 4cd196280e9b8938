//! TOML settings, read the way `hycome embed --config` reads them: a table, JSON, settings, their ranges.

use hycome::TrainConfig;

/// Settings of a training.
pub fn settings(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let table: toml::Table = match toml::from_str(text) {
        Ok(table) => table,
        Err(error) => {
            let start = error.span().map_or(0, |span| span.start.min(text.len()));
            assert!(text.is_char_boundary(start), "the place of a fault is between characters");
            return;
        }
    };
    let Ok(json) = serde_json::to_value(table) else { return };
    let Ok(config) = serde_json::from_value::<TrainConfig>(json) else { return };
    if config.validate().is_ok() {
        let text = serde_json::to_string(&config).expect("settings have no keys that are not text");
        assert_eq!(serde_json::from_str::<TrainConfig>(&text).expect("what was written can be read"), config);
    }
}
