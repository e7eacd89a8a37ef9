//! From a selector (a name, a place, an id) to the symbols that it may mean.

use std::sync::Arc;

use codegraph_model::{FileId, Span, Symbol, SymbolId, SymbolKind, TermId};
use codegraph_store::{FileRecord, Lists, SymbolRow, Term};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::paths::FileFilter;
use crate::reader::FileView;
use crate::{FilePlace, Mode, Reader, Result, Selector, pattern};

/// A symbol that fits.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) file: Arc<FileRecord>,
    pub(crate) symbol: SymbolId,
    /// Lower is better.
    pub(crate) rank: u8,
}

/// Which symbols are wanted apart from their names.
pub(crate) struct Wanted {
    pub(crate) files: FileFilter,
    /// Any, if empty.
    pub(crate) kinds: Vec<SymbolKind>,
    /// Any, if empty.
    pub(crate) languages: Vec<&'static str>,
}

impl Wanted {
    pub(crate) fn anything() -> Wanted {
        Wanted { files: FileFilter::All, kinds: Vec::new(), languages: Vec::new() }
    }

    pub(crate) fn file(&self, record: &FileRecord) -> bool {
        (self.languages.is_empty() || self.languages.contains(&record.language.as_str()))
            && self.files.accepts(&record.path)
    }

    pub(crate) fn kind(&self, kind: SymbolKind) -> bool {
        self.kinds.is_empty() || self.kinds.contains(&kind)
    }
}

/// The symbols that a selector means, best first. What is found in no other way is looked for as people write it.
pub(crate) fn by_selector(
    reader: &Reader,
    selector: &Selector,
    case_sensitive: bool,
    wanted: &Wanted,
) -> Result<Vec<Candidate>> {
    let found = as_written(reader, selector, case_sensitive, wanted)?;
    if !found.is_empty() {
        return Ok(found);
    }
    let text = selector.text();
    match plainer(&text) {
        Some(Plainer::Name(name)) => as_written(reader, &Selector::Name(name.to_owned()), case_sensitive, wanted),
        Some(Plainer::Pattern(pattern)) => by_name(reader, &pattern, Mode::Regex, case_sensitive, wanted),
        None => Ok(found),
    }
}

/// What a text that is no name may stand for.
enum Plainer<'t> {
    Name(&'t str),
    Pattern(String),
}

/// `run()` and `class Store` are names with something around them; `Store*` is a pattern of names.
fn plainer(text: &str) -> Option<Plainer<'_>> {
    let text = text.trim();
    let is_word = |word: &str| word.bytes().all(|byte| byte.is_ascii_lowercase());
    match text.rsplit_once(char::is_whitespace) {
        _ if text.ends_with(')') => text.split_once('(').map(|(name, _)| name.trim()),
        Some((before, name)) if before.split_whitespace().count() < 4 => {
            before.split_whitespace().all(is_word).then_some(name)
        }
        _ => None,
    }
    .filter(|name| !name.is_empty())
    .map(Plainer::Name)
    .or_else(|| pattern_of(text).map(Plainer::Pattern))
}

/// The regular expression for names that a word with `*` stands for.
pub(crate) fn pattern_of(text: &str) -> Option<String> {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '*');
    let has_letters = text.chars().any(char::is_alphanumeric);
    (text.contains('*') && has_letters && text.chars().all(is_plain)).then(|| format!("^{}$", text.replace('*', ".*")))
}

/// What is no id and no place may still be a name.
fn as_written(reader: &Reader, selector: &Selector, case_sensitive: bool, wanted: &Wanted) -> Result<Vec<Candidate>> {
    let found = match selector {
        Selector::Id(digits) => by_id(reader, digits, wanted)?,
        Selector::Place(place) => by_place(reader, place, wanted)?,
        Selector::Row { id, entity } => by_row(reader, *id, *entity, wanted)?,
        Selector::Name(_) => Vec::new(),
    };
    if !found.is_empty() {
        return Ok(found);
    }
    let text = selector.text();
    let found = by_name(reader, &text, Mode::Exact, case_sensitive, wanted)?;
    if !found.is_empty() {
        return Ok(found);
    }
    let found = by_qualified(reader, &text, case_sensitive, wanted)?;
    if found.is_empty() { in_file(reader, &text, case_sensitive, wanted) } else { Ok(found) }
}

/// What is written as `FILE:NAME`.
fn in_file(reader: &Reader, text: &str, case_sensitive: bool, wanted: &Wanted) -> Result<Vec<Candidate>> {
    let Some((file, name)) = text.rsplit_once(':') else { return Ok(Vec::new()) };
    let Ok(Some(record)) = reader.meant_file(file) else { return Ok(Vec::new()) };
    let path = record.path.clone();
    let mut found = by_name_in(reader, name, Mode::Exact, case_sensitive, wanted, |file| file.path == path)?;
    if found.is_empty() {
        found = by_qualified(reader, name, case_sensitive, wanted)?;
        found.retain(|candidate| candidate.file.path == path);
    }
    Ok(found)
}

fn by_id(reader: &Reader, digits: &str, wanted: &Wanted) -> Result<Vec<Candidate>> {
    let mut found = Vec::new();
    for row in reader.store.symbols_by_id(&digits.to_ascii_lowercase())? {
        let file = reader.record(row.file)?;
        if wanted.file(&file) && wanted.kind(reader.view(file.clone())?.symbol(row.symbol).kind) {
            found.push(Candidate { file, symbol: row.symbol, rank: 0 });
        }
    }
    Ok(sorted(found))
}

/// The symbol that is a row of the tables. Numbers that are none are no error: the index may have been built anew.
fn by_row(reader: &Reader, id: i64, entity: Option<&str>, wanted: &Wanted) -> Result<Vec<Candidate>> {
    let row = SymbolRow::from_row_id(id);
    let known = id > 0 && row.row_id() == id && reader.store.file(row.file)?.is_some();
    if !known {
        return Ok(Vec::new());
    }
    let file = reader.record(row.file)?;
    let view = reader.view(file.clone())?;
    let Some((_, symbol)) = view.symbols().nth(row.symbol.0 as usize) else { return Ok(Vec::new()) };
    // The table of methods has functions too.
    let callable = |entity: &str| entity == "method" && symbol.kind.entity() == Some("function");
    let fits = entity.is_none_or(|entity| symbol.kind.entity() == Some(entity) || callable(entity));
    let fits = fits && wanted.file(&file) && wanted.kind(symbol.kind);
    Ok(if fits { vec![Candidate { file, symbol: row.symbol, rank: 0 }] } else { Vec::new() })
}

/// The symbols around a place, the innermost first.
fn by_place(reader: &Reader, place: &FilePlace, wanted: &Wanted) -> Result<Vec<Candidate>> {
    let Ok(Some(record)) = reader.meant_file(&place.file) else {
        return Ok(Vec::new());
    };
    let view = reader.view(record)?;
    let Some((line, at)) = place_spans(&view, place.line, place.column) else {
        return Ok(Vec::new());
    };
    let mut around: Vec<(SymbolId, bool, u32)> = Vec::new();
    for (id, symbol) in view.symbols().filter(|(_, symbol)| wanted.kind(symbol.kind)) {
        let named = !symbol.name_span.is_empty() && line.contains(symbol.name_span.start);
        if named || symbol.span.contains(at) || id.0 == 0 {
            let order = if named { symbol.name_span.start } else { symbol.span.len() };
            around.push((id, named, order));
        }
    }
    around.sort_by_key(|(id, named, order)| (id.0 == 0, !named, *order, *id));
    let numbered = around.into_iter().enumerate();
    let candidate = |(i, (symbol, ..)): (usize, (SymbolId, bool, u32))| Candidate {
        file: view.record.clone(),
        symbol,
        rank: i.min(255) as u8,
    };
    Ok(numbered.map(candidate).collect())
}

/// The bytes in which a name counts as standing at the place, and the offset that has to be inside a symbol: that of
/// the column, else of the first symbol that starts on the line, else of the line.
fn place_spans(view: &FileView<'_>, line: u32, column: Option<u32>) -> Option<(Span, u32)> {
    let facts = view.facts();
    let start = *facts.line_starts.get(line.checked_sub(1)? as usize)?;
    let end = facts.line_starts.get(line as usize).copied().unwrap_or(facts.length + 1);
    let whole = Span::new(start, end);
    let Some(column) = column else {
        let starts = view.symbols().skip(1).map(|(_, symbol)| symbol.span.start);
        return Some((whole, starts.filter(|start| whole.contains(*start)).min().unwrap_or(start)));
    };
    let at = start + column;
    let under = |name: &Span| name.contains(at);
    let name = view.symbols().map(|(_, symbol)| symbol.name_span).find(under).unwrap_or(Span::new(at, at));
    whole.contains(at).then_some((name, at))
}

/// The symbols with a matching simple name.
pub(crate) fn by_name(
    reader: &Reader,
    text: &str,
    mode: Mode,
    case_sensitive: bool,
    wanted: &Wanted,
) -> Result<Vec<Candidate>> {
    by_name_in(reader, text, mode, case_sensitive, wanted, |_| true)
}

/// The same, of some files.
fn by_name_in(
    reader: &Reader,
    text: &str,
    mode: Mode,
    case_sensitive: bool,
    wanted: &Wanted,
    accepts: impl Fn(&FileRecord) -> bool,
) -> Result<Vec<Candidate>> {
    let mut by_file: FxHashMap<FileId, Vec<(TermId, u8)>> = FxHashMap::default();
    let lists = Lists::new(&reader.store);
    for term in pattern::terms(reader, text, mode, case_sensitive)? {
        let rank = u8::from(mode == Mode::Exact && term.text != text);
        for file in lists.definers(term.id)? {
            by_file.entry(file).or_default().push((term.id, rank));
        }
    }
    let mut found = Vec::new();
    for (file, terms) in by_file {
        let record = reader.record(file)?;
        if wanted.file(&record) && accepts(&record) {
            named_in(reader, record, &terms, wanted, &mut found)?;
        }
    }
    Ok(sorted(found))
}

/// Some symbols whose name has a text in it, whatever the case: those whose name it is first, then those whose name begins
/// with it, short names before long ones.
pub(crate) fn some_by_name(reader: &Reader, text: &str, inside: bool, most: usize) -> Result<Vec<Candidate>> {
    let mode = if inside { Mode::Contains } else { Mode::StartsWith };
    let mut terms: Vec<(u8, Term)> = pattern::terms(reader, text, mode, false)?
        .into_iter()
        .map(|term| {
            let begins = term.text.get(..text.len()).is_some_and(|start| start.eq_ignore_ascii_case(text));
            let rank = match begins {
                _ if term.text == text => 0,
                true if term.text.len() == text.len() => 1,
                true => 2,
                false => 3,
            };
            (rank, term)
        })
        .collect();
    terms.sort_by(|(a, one), (b, other)| (a, one.text.len(), &one.text).cmp(&(b, other.text.len(), &other.text)));
    let lists = Lists::new(&reader.store);
    let (mut found, wanted) = (Vec::new(), Wanted::anything());
    for (rank, term) in terms {
        let first = found.len();
        for file in lists.definers(term.id)? {
            named_in(reader, reader.record(file)?, &[(term.id, rank)], &wanted, &mut found)?;
        }
        found[first..].sort_by(|a, b| (&a.file.path, a.symbol).cmp(&(&b.file.path, b.symbol)));
        if found.len() >= most {
            break;
        }
    }
    found.truncate(most);
    Ok(found)
}

fn named_in(
    reader: &Reader,
    record: Arc<FileRecord>,
    terms: &[(TermId, u8)],
    wanted: &Wanted,
    found: &mut Vec<Candidate>,
) -> Result<()> {
    let stored = reader.outline(record.id)?;
    let mut names: Vec<_> = terms.iter().filter_map(|(id, rank)| Some((stored.str_id(*id)?, *rank))).collect();
    names.sort_unstable();
    let first = found.len();
    for (i, symbol) in stored.facts.symbols.iter().enumerate().filter(|(_, s)| wanted.kind(s.kind)) {
        if let Ok(at) = names.binary_search_by_key(&symbol.name, |(name, _)| *name) {
            found.push(Candidate { file: record.clone(), symbol: SymbolId(i as u32), rank: names[at].1 });
        }
    }
    // A key that is its own value is a second name of what the file calls so.
    let is_short = |c: &Candidate| is_short_key(&stored.facts.symbols[c.symbol.index()]);
    if found[first..].iter().any(|candidate| !is_short(candidate)) {
        let mut place = 0;
        found.retain(|candidate| {
            place += 1;
            place <= first || !is_short(candidate)
        });
    }
    Ok(())
}

/// Whether a member is written by its name alone: `{ name }`.
pub(crate) fn is_short_key(symbol: &Symbol) -> bool {
    symbol.kind == SymbolKind::Field && symbol.span == symbol.name_span && !symbol.span.is_empty()
}

/// The symbols whose qualified or canonical name is the text or ends in it.
fn by_qualified(reader: &Reader, text: &str, case_sensitive: bool, wanted: &Wanted) -> Result<Vec<Candidate>> {
    let (base, _) = split_ordinal(text);
    let Some(last) = last_part(base) else {
        return Ok(Vec::new());
    };
    let exact = by_whole_name(reader, text, last, wanted)?;
    if !exact.is_empty() {
        return Ok(exact);
    }
    let asked = normal(text);
    let near = Near::of(reader, &asked)?;
    let mut found = by_name_in(reader, last, Mode::Exact, case_sensitive, wanted, |file| near.accepts(file))?;
    if found.is_empty() {
        return whole_files(reader, text, wanted);
    }
    let mut kept = Vec::new();
    let mut view: Option<FileView<'_>> = None;
    for candidate in found.drain(..) {
        if view.as_ref().is_none_or(|v| v.record.id != candidate.file.id) {
            view = Some(reader.view(candidate.file.clone())?);
        }
        let view = view.as_ref().expect("set above");
        let fqn = view.fqn(candidate.symbol);
        let rank = match () {
            () if fqn == text => Some(0),
            () if is_tail(&normal(&fqn), &asked) => Some(1),
            () if is_tail(&normal(split_ordinal(&fqn).0), &asked) => Some(1),
            () if of_type(&fqn).is_some_and(|fqn| is_tail(&normal(&fqn), &asked)) => Some(1),
            () if !case_sensitive && is_tail(&normal(&fqn).to_lowercase(), &asked.to_lowercase()) => Some(2),
            () if !case_sensitive && is_tail(&normal(split_ordinal(&fqn).0).to_lowercase(), &asked.to_lowercase()) => {
                Some(2)
            }
            () if text.contains("::") && view.names().canonical(view.facts(), candidate.symbol, view) == text => {
                Some(0)
            }
            () => None,
        };
        view.check()?;
        kept.extend(rank.map(|rank| Candidate { rank, ..candidate }));
    }
    let best = kept.iter().map(|c| c.rank).min();
    kept.retain(|c| Some(c.rank) == best || best == Some(1));
    Ok(sorted(kept))
}

/// The symbol whose qualified name is the text: in a file whose module the text starts with.
fn by_whole_name(reader: &Reader, text: &str, last: &str, wanted: &Wanted) -> Result<Vec<Candidate>> {
    let named = by_name_in(reader, last, Mode::Exact, true, wanted, |file| text.starts_with(&file.module))?;
    for candidate in named {
        let view = reader.view(candidate.file.clone())?;
        let found = view.fqn(candidate.symbol) == text;
        view.check()?;
        if found {
            return Ok(vec![candidate]);
        }
    }
    Ok(Vec::new())
}

/// Which files can hold a symbol with a qualified name: those that have its last but one part in their text or name.
struct Near {
    part: String,
    files: FxHashSet<FileId>,
}

impl Near {
    /// `asked` has dots between its parts.
    fn of(reader: &Reader, asked: &str) -> Result<Near> {
        let part = asked.rsplit('.').nth(1).unwrap_or_default();
        // Anything else than a name may be written in another way.
        let plain = part.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$');
        let part = if plain { part.to_lowercase() } else { String::new() };
        let mut files = FxHashSet::default();
        if !part.is_empty() {
            for term in pattern::terms(reader, &part, Mode::Exact, false)? {
                files.extend(reader.store.users(term.id)?);
            }
        }
        Ok(Near { part, files })
    }

    fn accepts(&self, file: &FileRecord) -> bool {
        let named = |text: &str| text.to_lowercase().contains(&self.part);
        self.part.is_empty() || self.files.contains(&file.id) || named(&file.module) || named(&file.path)
    }
}

/// A path, the name of a module or the end of one means the file's own symbol.
fn whole_files(reader: &Reader, text: &str, wanted: &Wanted) -> Result<Vec<Candidate>> {
    if !wanted.kind(SymbolKind::Module) {
        return Ok(Vec::new());
    }
    let mut files: Vec<Arc<FileRecord>> = reader.known_file(text).ok().flatten().into_iter().collect();
    if files.is_empty() {
        let named = reader.store.files_of_module(text)?;
        files = named.into_iter().map(|id| reader.record(id)).collect::<Result<_>>()?;
    }
    if files.is_empty() {
        let asked = normal(text);
        let all = reader.store.files()?.into_iter();
        files = all.filter(|file| is_tail(&normal(&file.module), &asked)).map(Arc::new).collect();
    }
    // A module of many files is a folder: none of them is it.
    let files = files.into_iter().filter(|file| wanted.file(file) && !is_prose(file)).take(MOST_MODULES);
    Ok(sorted(files.map(|file| Candidate { file, symbol: SymbolId(0), rank: 0 }).collect()))
}

/// As many files are shown where several modules have the end that was asked for.
const MOST_MODULES: usize = 50;

fn is_prose(file: &FileRecord) -> bool {
    codegraph_languages::by_name(&file.language).is_some_and(|language| language.prose)
}

/// `name#2` is the second symbol of that name.
fn split_ordinal(text: &str) -> (&str, Option<u32>) {
    match text.rsplit_once('#') {
        Some((base, number)) if !base.is_empty() && !number.is_empty() => match number.parse() {
            Ok(number) => (base, Some(number)),
            Err(_) => (text, None),
        },
        _ => (text, None),
    }
}

/// The simple name at the end of a qualified one.
fn last_part(text: &str) -> Option<&str> {
    let part = text.rsplit(['.', ':', '/', '\\', '#', ' ']).next()?;
    (!part.is_empty()).then_some(part)
}

/// The same separator for all languages, so that any of them can be written.
fn normal(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (base, ordinal) = split_ordinal(text);
    for c in base.chars() {
        match c {
            ':' | '\\' | '/' | '#' | '.' if out.ends_with('.') => {}
            ':' | '\\' | '/' | '#' | '.' => out.push('.'),
            _ => out.push(c),
        }
    }
    if let Some(number) = ordinal {
        out.push_str(&format!("#{number}"));
    }
    out
}

fn is_tail(whole: &str, part: &str) -> bool {
    let part = part.trim_start_matches('.');
    whole.strip_suffix(part).is_some_and(|before| before.is_empty() || before.ends_with(['.', '<', ' ']))
}

/// The name of a method that a trait asks for, as people write it: `Type::fmt` for `<Type<T> as Show>::fmt`.
fn of_type(fqn: &str) -> Option<String> {
    let (before, block) = fqn.split_once('<')?;
    let (about, _) = block.split_once(" as ")?;
    let (mut depth, mut end) = (1, block.len());
    for (at, c) in block.char_indices() {
        depth += i32::from(c == '<') - i32::from(c == '>');
        if depth == 0 {
            end = at + 1;
            break;
        }
    }
    let name = about.split('<').next()?.rsplit(['&', ' ', ':']).next()?;
    (!name.is_empty()).then(|| format!("{before}{name}{}", &block[end..]))
}

/// All wanted symbols of the project, by path and position.
pub(crate) fn all(reader: &Reader, wanted: &Wanted) -> Result<Vec<Candidate>> {
    let mut found = Vec::new();
    for record in reader.store.files()? {
        if !wanted.file(&record) {
            continue;
        }
        let record = Arc::new(record);
        let stored = reader.store.outline(record.id)?;
        let fitting = stored.facts.symbols.iter().enumerate().filter(|(_, s)| wanted.kind(s.kind));
        found.extend(fitting.map(|(i, _)| Candidate { file: record.clone(), symbol: SymbolId(i as u32), rank: 0 }));
    }
    Ok(found)
}

/// By rank, path and position.
pub(crate) fn sorted(mut found: Vec<Candidate>) -> Vec<Candidate> {
    found.sort_by(|a, b| (a.rank, &a.file.path, a.symbol).cmp(&(b.rank, &b.file.path, b.symbol)));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tail_starts_at_a_part() {
        let tail = |whole: &str, part: &str| is_tail(&normal(whole), &normal(part));
        assert!(tail("krate::mod::Type::new", "Type.new"));
        assert!(tail("krate::mod::Type::new", "Type::new"));
        assert!(!tail("krate::MyType::new", "Type::new"));
        assert!(tail("pkg.mod.f#2", "mod.f#2"));
        assert!(!tail("pkg.mod.f#2", "mod.f"));
        assert!(tail("krate::<T as Show>::fmt", "<T as Show>::fmt"));
        assert_eq!(of_type("krate::<Vec<T> as From<Box<T>>>::from").as_deref(), Some("krate::Vec::from"));
        assert_eq!(of_type("krate::<&'a mut a::D as Show>::fmt").as_deref(), Some("krate::D::fmt"));
        assert_eq!((of_type("krate::D::fmt"), of_type("a::b<c>::d")), (None, None));
    }
}
