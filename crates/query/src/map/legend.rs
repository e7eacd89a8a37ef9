//! The lines at the top of a map that explain its marks.

use super::alias::Aliases;

/// Mark, what it means, and where it is found in a text.
const MARKS: [&[(&str, &str)]; 2] = [
    &[
        ("c=class", "c "),
        ("m=method", "m "),
        ("f=function", "f "),
        ("af=async func", "af "),
        ("am=async method", "am "),
        ("v=var", "v "),
        ("p=property", "p "),
        ("i=import", "i "),
        ("i→=local", "i→ "),
    ],
    &[
        (":N=line(s)", ":"),
        ("->T=returns", "->"),
        ("?=optional", "?"),
        ("←N=refs", "←"),
        ("→=calls", " →"),
        ("+N=more", ",+"),
        ("″=ditto", "″"),
        ("Nc/Nm=test summary", "c/"),
    ],
];

/// How every map begins.
pub(super) const OPENING: &str = "# c=class m=method f=function";

/// All marks.
pub(super) fn full() -> String {
    lines(|_, _| true)
}

/// The whole legend of a map: all marks, and the aliases that it uses.
pub(super) fn whole(body: &str, aliases: &Aliases) -> String {
    format!("{}{}\n", full(), aliases.legend(body))
}

/// The legend of a map that has to be short: only marks and aliases that it uses.
pub(super) fn of(body: &str, aliases: &Aliases) -> String {
    let starts: Vec<&str> = body.lines().map(str::trim_start).collect();
    let marks = lines(|row, sign| match row {
        0 => starts.iter().any(|line| line.starts_with(sign)),
        _ => body.contains(sign),
    });
    format!("{marks}{}\n", aliases.legend(body))
}

fn lines(used: impl Fn(usize, &str) -> bool) -> String {
    let mut text = String::new();
    for (row, marks) in MARKS.iter().enumerate() {
        let shown: Vec<&str> = marks.iter().filter(|(_, sign)| used(row, sign)).map(|(mark, _)| *mark).collect();
        if !shown.is_empty() {
            text.push_str(&format!("# {}\n", shown.join(" ")));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_map_begins_with_its_legend() {
        assert!(super::full().starts_with(super::OPENING));
    }
}
