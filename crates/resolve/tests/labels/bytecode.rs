//! Reads what `javap -c -l -p -s` prints: which methods and fields each line uses, and where those begin.

use std::collections::BTreeMap;
use std::fmt::Write;

#[derive(Default)]
struct Class {
    name: String,
    source: String,
    bases: Vec<String>,
    members: Vec<Member>,
}

#[derive(Default)]
struct Member {
    name: String,
    descriptor: String,
    has_code: bool,
    /// Where it is in the code, and what it uses: `Method a/B.name:(I)V`.
    uses: Vec<(u32, String)>,
    /// From where in the code on it is which line.
    lines: Vec<(u32, u32)>,
}

/// One line for each use: path, line, names, type, place.
pub(crate) fn sightings(listing: &str, files: &[String]) -> String {
    let classes: BTreeMap<String, Class> = read(listing).into_iter().map(|c| (c.name.clone(), c)).collect();
    let path = |class: &Class| files.iter().find(|file| file.rsplit('/').next() == Some(&class.source)).cloned();
    let mut out = String::new();
    for class in classes.values() {
        let Some(from) = path(class) else { continue };
        for member in &class.members {
            for (at, used) in &member.uses {
                let Some(line) = member.lines.iter().rev().find(|(start, _)| start <= at).map(|(_, line)| line) else {
                    continue;
                };
                let Some((owner, name, descriptor)) = parts(used, &class.name) else { continue };
                let found = declaring(&classes, owner, name, descriptor);
                let Some(home) = found.map(|(home, _)| home).or_else(|| classes.get(owner)) else {
                    continue;
                };
                let place = found.and_then(|(home, member)| Some((path(home)?, member.lines.first()?.1)));
                let place = place.map_or("-".to_owned(), |(path, line)| format!("{path}:{line}"));
                let short = short(&home.name);
                let names = names(name, short);
                writeln!(out, "{from}\t{line}\t{names}\t{short}\t{place}").expect("a text takes any text");
            }
        }
    }
    out
}

/// The class that declares what is used of it, and the member.
fn declaring<'c>(
    classes: &'c BTreeMap<String, Class>,
    owner: &str,
    name: &str,
    descriptor: &str,
) -> Option<(&'c Class, &'c Member)> {
    let class = classes.get(owner)?;
    // Code without lines is written nowhere: the compiler made it for what a base declares.
    let made = |member: &Member| member.has_code && member.lines.is_empty();
    let is_it = |member: &&Member| member.name == name && member.descriptor == descriptor && !made(member);
    let own = class.members.iter().find(is_it);
    match own {
        Some(member) => Some((class, member)),
        None => class.bases.iter().find_map(|base| declaring(classes, base, name, descriptor)),
    }
}

/// `Method a/B.name:(I)V`; what belongs to the class itself stands without it.
fn parts<'t>(used: &'t str, own: &'t str) -> Option<(&'t str, &'t str, &'t str)> {
    let (kind, rest) = used.split_once(' ')?;
    if !matches!(kind, "Method" | "InterfaceMethod" | "Field") {
        return None;
    }
    let (path, descriptor) = rest.split_once(':')?;
    let (owner, name) = path.rsplit_once('.').unwrap_or((own, path));
    Some((owner.trim_matches('"'), name.trim_matches('"'), descriptor))
}

fn short(class: &str) -> &str {
    class.rsplit(['/', '$']).next().unwrap_or(class)
}

/// What a member may be called in the text: properties are methods, and defaults have functions of their own.
fn names(name: &str, class: &str) -> String {
    if name == "<init>" {
        return class.to_owned();
    }
    let name = name.split("$default").next().unwrap_or(name);
    let property = ["get", "set"].iter().find_map(|prefix| name.strip_prefix(prefix));
    match property.and_then(|rest| Some((rest.chars().next()?, rest))) {
        Some((first, rest)) if first.is_uppercase() => {
            format!("{name} {}{}", first.to_lowercase(), &rest[first.len_utf8()..])
        }
        _ => name.to_owned(),
    }
}

fn read(listing: &str) -> Vec<Class> {
    let mut classes: Vec<Class> = Vec::new();
    let mut source = String::new();
    let mut in_lines = false;
    for row in listing.lines() {
        let text = row.trim();
        let depth = row.len() - row.trim_start().len();
        if let Some(name) = text.strip_prefix("Compiled from ") {
            source = name.trim_matches('"').to_owned();
        } else if depth == 0 && text.ends_with('{') {
            classes.push(Class { source: source.clone(), ..head(text) });
        } else if let Some(class) = classes.last_mut() {
            match depth {
                2 if text.ends_with(';') => class.members.push(member(text, &class.name)),
                _ => {
                    let Some(member) = class.members.last_mut() else { continue };
                    if let Some(descriptor) = text.strip_prefix("descriptor: ") {
                        member.descriptor = descriptor.to_owned();
                    }
                    member.has_code |= text == "Code:";
                    in_lines = text == "LineNumberTable:" || in_lines && text.starts_with("line ");
                    if let Some((line, at)) =
                        text.strip_prefix("line ").filter(|_| in_lines).and_then(|t| t.split_once(": "))
                    {
                        member.lines.extend(at.parse().ok().zip(line.parse().ok()));
                    } else if let (Some((at, _)), Some((_, used))) = (text.split_once(": "), text.split_once("// ")) {
                        member.uses.extend(at.parse().ok().map(|at| (at, used.to_owned())));
                    }
                }
            }
        }
    }
    classes
}

/// `public final class a.B extends a.C implements a.D, a.E {`, with or without type arguments.
fn head(text: &str) -> Class {
    let mut plain = String::new();
    let mut depth = 0;
    for c in text.trim_end_matches('{').chars() {
        depth += i32::from(c == '<');
        if depth == 0 {
            plain.push(if c == '.' { '/' } else { c });
        }
        depth -= i32::from(c == '>');
    }
    let words: Vec<&str> = plain.split([' ', ',']).filter(|word| !word.is_empty()).collect();
    let at = words.iter().position(|word| matches!(*word, "class" | "interface")).map_or(0, |at| at + 1);
    let bases = words.iter().skip(at + 1).filter(|word| !matches!(**word, "extends" | "implements"));
    Class {
        name: words.get(at).unwrap_or(&"").to_string(),
        bases: bases.map(|word| word.to_string()).collect(),
        ..Class::default()
    }
}

/// `public final int get(int);`, a constructor by the name of its class, or a field.
fn member(text: &str, class: &str) -> Member {
    let head = text.split('(').next().unwrap_or(text).trim_end_matches(';');
    let name = head.rsplit(' ').next().unwrap_or(head);
    let name = if name.replace('.', "/") == class { "<init>" } else { name };
    Member { name: name.to_owned(), ..Member::default() }
}

#[test]
fn a_call_is_seen_with_the_line_of_what_it_reaches() {
    let listing = r#"Compiled from "a.kt"
public final class a.Vec extends a.Base {
  public final int getX();
descriptor: ()I
Code:
   0: aload_0
   1: getfield      #10                 // Field x:I
LineNumberTable:
  line 3: 0

  public final void run(a.Vec);
descriptor: (La/Vec;)V
Code:
   6: aload_0
   7: invokevirtual #27                 // Method getX:()I
  10: pop
LineNumberTable:
  line 5: 6
}
"#;
    let seen = sightings(listing, &["src/a.kt".to_owned()]);
    assert_eq!(seen, "src/a.kt\t3\tx\tVec\t-\nsrc/a.kt\t5\tgetX x\tVec\tsrc/a.kt:3\n");
}
