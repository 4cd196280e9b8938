//! Tokenizer of GML: keys and values, quoted strings, brackets.
//!
//! Strings may span lines and write characters as HTML entities (`&quot;`, `&#38;`); an `&` that starts no
//! entity is itself, as in `"TexasA&M"`. `#` starts a comment where a word could start.

use std::borrow::Cow;

use crate::io::formats::text::{Fault, Text, quoted, utf8};

/// Maximum nesting depth of lists.
const DEPTH_LIMIT: usize = 64;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token<'a> {
    /// A key, a number or a value without quotes.
    Word(&'a str),
    /// A value in quotes, without them.
    String(Cow<'a, str>),
    Open,
    Close,
    End,
}

impl Token<'_> {
    /// The token for error messages.
    pub(super) fn shown(&self) -> String {
        match self {
            Self::Word(word) => quoted(word.as_bytes()),
            Self::String(string) => quoted(string.as_bytes()),
            Self::Open => "`[`".to_owned(),
            Self::Close => "`]`".to_owned(),
            Self::End => "the end of the file".to_owned(),
        }
    }
}

/// Tokenizer of a text.
pub(super) struct Tokens<'a> {
    text: Text<'a>,
    at: usize,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: Text<'a>) -> Self {
        Self { text, at: 0 }
    }

    /// The next token and its offset.
    pub(super) fn next(&mut self) -> Result<(usize, Token<'a>), Fault> {
        self.skip_blanks();
        let start = self.at;
        let bytes = self.text.bytes;
        let Some(&byte) = bytes.get(start) else { return Ok((start, Token::End)) };
        self.at += 1;
        let token = match byte {
            b'[' => Token::Open,
            b']' => Token::Close,
            b'"' => {
                let Some(length) = memchr::memchr(b'"', &bytes[self.at..]) else {
                    return Err(Fault::new(start, "a `\"` that ends this string", quoted(&bytes[start..])));
                };
                let inside = &bytes[self.at..self.at + length];
                self.at += length + 1;
                Token::String(decode_entities(utf8(inside, start)?))
            }
            _ => {
                let ends = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'[' | b']' | b'"');
                let length = bytes[start..].iter().position(ends).unwrap_or(bytes.len() - start);
                self.at = start + length;
                Token::Word(utf8(&bytes[start..self.at], start)?)
            }
        };
        Ok((start, token))
    }

    /// The next key of the list we are in, or `None` at its end, which is consumed.
    pub(super) fn key_in_list(&mut self) -> Result<Option<(usize, &'a str)>, Fault> {
        match self.next()? {
            (offset, Token::Word(key)) => Ok(Some((offset, key))),
            (_, Token::Close) => Ok(None),
            (offset, other) => Err(Fault::new(offset, "a key or `]`", other.shown())),
        }
    }

    /// The start of a list.
    pub(super) fn open(&mut self, key: &str) -> Result<(), Fault> {
        match self.next()? {
            (_, Token::Open) => Ok(()),
            (offset, other) => Err(Fault::new(offset, format!("`[` after `{key}`"), other.shown())),
        }
    }

    /// The value after a key; `None` if it was a list, which is skipped.
    pub(super) fn value(&mut self) -> Result<Option<Cow<'a, str>>, Fault> {
        match self.next()? {
            (_, Token::Word(word)) => Ok(Some(Cow::Borrowed(word))),
            (_, Token::String(string)) => Ok(Some(string)),
            (_, Token::Open) => self.skip_list().map(|()| None),
            (offset, other) => Err(Fault::new(offset, "a value", other.shown())),
        }
    }

    /// Everything up to the `]` that matches a `[` already consumed.
    fn skip_list(&mut self) -> Result<(), Fault> {
        let mut depth = 1;
        while depth > 0 {
            let (offset, token) = self.next()?;
            match token {
                Token::Open if depth == DEPTH_LIMIT => {
                    let expected = format!("lists at most {DEPTH_LIMIT} deep");
                    return Err(Fault::new(offset, expected, "a deeper one"));
                }
                Token::Open => depth += 1,
                Token::Close => depth -= 1,
                Token::End => return Err(Fault::new(offset, "a key or `]`", token.shown())),
                _ => {}
            }
        }
        Ok(())
    }

    fn skip_blanks(&mut self) {
        let bytes = self.text.bytes;
        while let Some(&byte) = bytes.get(self.at) {
            if byte == b'#' {
                let rest = &bytes[self.at..];
                self.at += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            } else if byte.is_ascii_whitespace() {
                self.at += 1;
            } else {
                return;
            }
        }
    }
}

/// No entity we decode is longer than this, from `&` to `;`.
const ENTITY_LENGTH: usize = 10;

fn decode_entities(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let mut decoded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        decoded.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = rest.bytes().take(ENTITY_LENGTH).position(|byte| byte == b';');
        let found = end.and_then(|end| Some((entity(&rest[1..end])?, end + 1)));
        let (character, length) = found.unwrap_or(('&', 1));
        decoded.push(character);
        rest = &rest[length..];
    }
    decoded.push_str(rest);
    Cow::Owned(decoded)
}

fn entity(name: &str) -> Option<char> {
    match name {
        "amp" => Some('&'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "nbsp" => Some('\u{a0}'),
        _ => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(hexadecimal) => u32::from_str_radix(hexadecimal, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(code).filter(|&character| character != '\0')
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn entities_are_decoded_and_lone_ampersands_stay() {
        assert_eq!(decode_entities("TexasA&M"), "TexasA&M");
        assert_eq!(decode_entities("a&#38;b&amp;&quot;&#xe9;&unknown;&"), "a&b&\"é&unknown;&");
        assert_eq!(decode_entities("&#0;&#xffffffff;é&é;"), "&#0;&#xffffffff;é&é;");
    }

    #[test]
    fn brackets_need_no_blanks_and_comments_are_skipped() {
        let mut tokens = Tokens::new(Text::new(Path::new("g"), b"node[id 1]# no\n\"a\nb\""));
        let mut all = Vec::new();
        loop {
            let token = tokens.next().unwrap().1;
            if token == Token::End {
                break;
            }
            all.push(token);
        }
        let string = Token::String("a\nb".into());
        assert_eq!(
            all,
            [Token::Word("node"), Token::Open, Token::Word("id"), Token::Word("1"), Token::Close, string]
        );
    }
}
