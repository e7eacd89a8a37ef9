//! What a task in words is about, in all repositories: files by their rarest words, then everything that these have.

use codegraph_model::LineType;
use codegraph_query::{ContextAnswer, ContextQuestion, ManyFile, ManySymbol, ManyTask, Neighbour};
use postgres::Row;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{FoundSymbol, SYMBOL, SYMBOL_COLUMNS, from_symbol, label};
use crate::schema::SEEN;
use crate::{Org, Result};

/// Rows that are read for the rarest words; a word that more files have leads nowhere.
const MOST_ROWS: u64 = 20_000;
/// Files in which the other words are looked for.
const MOST_LOOKED_AT: usize = 240;
/// Symbols and files that the names and places of a task lead to.
const MOST_NAMED: i64 = 60;

/// Files that a task may be about. Their numbers are their places in `ids`.
#[derive(Default)]
struct Files {
    ids: Vec<(i32, i64)>,
    hashes: Vec<String>,
    numbers: FxHashMap<(i32, i64), usize>,
    all: Vec<ManyFile>,
}

/// The columns that a file is read with, of the aliases `f` and `r`.
const FILE: &str = "f.repository, f.id, r.name, r.commit, f.path, f.language, f.lines, f.size, f.hash";
const FILE_COLUMNS: usize = 9;

impl Files {
    fn of(&mut self, row: &Row) -> &mut ManyFile {
        let id = (row.get(0), row.get(1));
        let number = *self.numbers.entry(id).or_insert_with(|| {
            let project = label(&row.get::<_, String>(2), &row.get::<_, String>(3));
            let (lines, size): (i32, i64) = (row.get(6), row.get(7));
            let size = (lines.max(0) as u32, size.max(0) as u64);
            self.all.push(ManyFile::new(self.ids.len(), project, row.get(4), row.get(5), size));
            self.hashes.push(row.get(8));
            self.ids.push(id);
            self.ids.len() - 1
        });
        &mut self.all[number]
    }

    /// Repositories and numbers of the files that are left, in their order.
    fn left(&self) -> (Vec<i32>, Vec<i64>) {
        self.all.iter().map(|file| self.ids[file.number]).unzip()
    }
}

impl Org {
    /// Answers what a task is about.
    pub fn context(&self, question: &ContextQuestion) -> Result<ContextAnswer> {
        let mut task = ManyTask::of(question)?;
        let have = self.learn(&mut task)?;
        let mut files = Files::default();
        let named = self.named(&task, question, &mut files)?;
        self.by_words(&task, &have, &mut files)?;
        let more = task.best_files(&mut files.all, ManyTask::MOST_FILES);
        let found = self.look_into(&mut files, &named)?;
        task.answer(question, &files.all, more, |(file, symbol)| self.neighbours(&found[file][symbol]))
    }

    /// How many files have each word; what each is worth follows.
    fn learn(&self, task: &mut ManyTask) -> Result<FxHashMap<String, u64>> {
        let sql = "SELECT w.stem, sum(w.files)::bigint FROM word w WHERE w.stem = ANY($1::text[]) GROUP BY 1";
        let rows = self.rows(sql, &[&task.stems()])?;
        let have: FxHashMap<String, u64> =
            rows.iter().map(|row| (row.get(0), row.get::<_, i64>(1).max(0) as u64)).collect();
        let total = self.rows("SELECT coalesce(sum(files), 0)::bigint FROM repository", &[])?;
        let total: i64 = total.first().map_or(0, |row| row.get(0));
        task.learn(&have, total.max(0) as u64);
        Ok(have)
    }

    /// Files that the task names, or that have what it names; the symbols that it names.
    fn named(
        &self,
        task: &ManyTask,
        question: &ContextQuestion,
        files: &mut Files,
    ) -> Result<FxHashSet<(i32, String)>> {
        let mut symbols = FxHashSet::default();
        let mut asked: Vec<FoundSymbol> = Vec::new();
        for name in &question.names {
            asked.extend(self.meant(&name.as_str().into())?);
        }
        let names: Vec<String> = task.names().iter().map(|name| (*name).to_owned()).collect();
        let sql = format!(
            "SELECT {SYMBOL} FROM {} WHERE lower(s.name) = ANY($2::text[]) AND s.name = ANY($1::text[])
             ORDER BY r.name, f.path, s.byte_start LIMIT {MOST_NAMED}",
            from_symbol()
        );
        let folded: Vec<String> = names.iter().map(|name| name.to_lowercase()).collect();
        if !names.is_empty() {
            asked.extend(self.rows(&sql, &[&names, &folded])?.iter().map(|row| FoundSymbol::of(row, 0)));
        }
        let (repositories, numbers): (Vec<i32>, Vec<i64>) = asked.iter().map(|one| (one.repository, one.file)).unzip();
        symbols.extend(asked.iter().map(FoundSymbol::identity));
        let by_number = self.rows(
            &format!(
                "SELECT {FILE} FROM file f JOIN repository r ON r.id = f.repository AND {SEEN}
                WHERE f.repository = ANY($1::integer[]) AND f.id = ANY($2::bigint[])"
            ),
            &[&repositories, &numbers],
        )?;
        let mut paths = task.paths();
        paths.extend(question.focus.iter().map(String::as_str));
        let by_path = self.rows(
            &format!(
                "SELECT {FILE} FROM file f JOIN repository r ON r.id = f.repository AND {SEEN}
                WHERE f.path = ANY($1::text[]) LIMIT {MOST_NAMED}"
            ),
            &[&paths],
        )?;
        by_number.iter().chain(&by_path).for_each(|row| files.of(row).is_named = true);
        Ok(symbols)
    }

    /// Files by their words: the rarest ones lead to them, then the others are counted in the best of these.
    fn by_words(&self, task: &ManyTask, have: &FxHashMap<String, u64>, files: &mut Files) -> Result<()> {
        let telling = task.telling();
        let (mut rows, mut rare) = (0, 0);
        for stem in &telling {
            rows += have.get(*stem).copied().unwrap_or(0);
            if rare > 0 && rows > MOST_ROWS {
                break;
            }
            rare += 1;
        }
        let (rare, others) = telling.split_at(rare);
        let (repositories, terms) = self.terms(rare, None)?;
        let sql = format!(
            "SELECT {FILE}, t.term, t.lines, t.types FROM term t
             JOIN file f ON f.repository = t.repository AND f.id = t.file
             JOIN repository r ON r.id = t.repository AND {SEEN}
             WHERE t.repository = ANY($1::integer[]) AND lower(t.term) = ANY($2::text[])"
        );
        self.rows(&format!("{sql} LIMIT {}", 2 * MOST_ROWS), &[&repositories, &terms])?
            .iter()
            .for_each(|row| files.of(row).terms.push(term(row)));
        task.best_files(&mut files.all, MOST_LOOKED_AT);
        let (repositories, numbers) = files.left();
        // Those that the task names have not been asked for their rare words if no word led to them.
        let (_, mut terms) = self.terms(others, Some(&repositories))?;
        terms.extend(self.terms(rare, Some(&repositories))?.1);
        files.all.iter_mut().for_each(|file| file.terms.clear());
        let kept: FxHashMap<(i32, i64), usize> =
            files.all.iter().enumerate().map(|(place, file)| (files.ids[file.number], place)).collect();
        for row in self.rows(&format!("{sql} AND t.file = ANY($3::bigint[])"), &[&repositories, &terms, &numbers])? {
            if let Some(place) = kept.get(&(row.get(0), row.get(1))) {
                files.all[*place].terms.push(term(&row));
            }
        }
        Ok(())
    }

    /// The terms that have some words, and the repositories that have those.
    fn terms(&self, stems: &[&str], within: Option<&[i32]>) -> Result<(Vec<i32>, Vec<String>)> {
        let sql = "SELECT w.repository, w.terms FROM word w
            WHERE w.stem = ANY($1::text[]) AND ($2::integer[] IS NULL OR w.repository = ANY($2))";
        let (mut repositories, mut terms) = (Vec::new(), Vec::new());
        for row in self.rows(sql, &[&stems, &within])? {
            repositories.push(row.get(0));
            terms.extend(row.get::<_, Vec<String>>(1));
        }
        repositories.sort_unstable();
        repositories.dedup();
        terms.sort_unstable();
        terms.dedup();
        Ok((repositories, terms))
    }

    /// Brings symbols and texts of the files that are left; gives the symbols as the store has them, in the same order.
    fn look_into(&self, files: &mut Files, named: &FxHashSet<(i32, String)>) -> Result<Vec<Vec<FoundSymbol>>> {
        let texts = self.texts(files.all.iter().map(|file| files.hashes[file.number].as_str()))?;
        let (repositories, numbers) = files.left();
        let sql = format!(
            "SELECT {SYMBOL}, s.docs, s.parent::text FROM {}
             WHERE s.repository = ANY($1::integer[]) AND s.file = ANY($2::bigint[]) AND s.parent IS NOT NULL ORDER BY s.file, s.byte_start, s.byte_end DESC",
            from_symbol()
        );
        let rows = self.rows(&sql, &[&repositories, &numbers])?;
        let mut by_file: FxHashMap<(i32, i64), Vec<(FoundSymbol, &Row)>> = FxHashMap::default();
        for row in &rows {
            let symbol = FoundSymbol::of(row, 0);
            by_file.entry((symbol.repository, symbol.file)).or_default().push((symbol, row));
        }
        let mut all = Vec::new();
        for file in &mut files.all {
            file.text = texts.whole(&files.hashes[file.number]);
            let found = by_file.remove(&files.ids[file.number]).unwrap_or_default();
            let names: FxHashMap<&str, &str> =
                found.iter().map(|(one, _)| (one.key.as_str(), one.brief.name.as_str())).collect();
            let symbol = |(one, row): &(FoundSymbol, &Row)| ManySymbol {
                brief: one.brief.clone(),
                start_line: one.span.start_line,
                bytes: one.span.byte_start as usize..one.span.byte_end as usize,
                signature: one.signature.clone(),
                docs: row.get(SYMBOL_COLUMNS),
                owner: row
                    .get::<_, Option<&str>>(SYMBOL_COLUMNS + 1)
                    .and_then(|key| names.get(key))
                    .map(|name| (*name).to_owned()),
                is_named: named.contains(&one.identity()),
            };
            file.symbols = found.iter().map(symbol).collect();
            all.push(found.into_iter().map(|(one, _)| one).collect());
        }
        Ok(all)
    }

    /// Who calls a symbol, the first few, and how many more there are.
    fn neighbours(&self, symbol: &FoundSymbol) -> Result<(Vec<Neighbour>, usize)> {
        let mut seen = FxHashSet::from_iter([symbol.identity()]);
        let mut callers: Vec<Neighbour> = Vec::new();
        let sites = self.sites(&[symbol.identity()])?;
        for site in sites.into_iter().filter(|site| site.kind.contract() == "call") {
            let is_elsewhere = site.user.repository != symbol.repository;
            if seen.insert(site.user.identity()) {
                let brief = site.user.brief;
                callers.push(Neighbour {
                    fqn: brief.fqn,
                    scoped: brief.scoped,
                    name: brief.name,
                    project: brief.project.filter(|_| is_elsewhere),
                    file: brief.file,
                    line_number: brief.line_number,
                });
            }
        }
        let more = callers.len().saturating_sub(ManyTask::MOST_NEIGHBOURS);
        callers.truncate(ManyTask::MOST_NEIGHBOURS);
        Ok((callers, more))
    }
}

/// A term of a file with its lines.
fn term(row: &Row) -> (String, Vec<(u32, LineType)>) {
    let lines: Vec<i32> = row.get(FILE_COLUMNS + 1);
    let types: &str = row.get(FILE_COLUMNS + 2);
    let line = |(line, kind): (i32, &str)| Some((line.max(0) as u32, LineType::from_word(kind)?));
    (row.get(FILE_COLUMNS), lines.into_iter().zip(types.split(',')).filter_map(line).collect())
}
