//! Carries out the plan of an update in one transaction: read, extract, number, pack, put.

use codegraph_live::layouts;
use codegraph_model::Overlay;
use codegraph_resolve::Interface;
use codegraph_store::{Encoded, FileRecord, Input, LineIds, LineRange, Store, Update, Watched};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::build::{NAME_KEY, RULES_KEY, skipped_input, unclaimed_input};
use crate::config::Filter;
use crate::file::{Defects, Numbered, Parsed, parse_source};
use crate::freshness::Known;
use crate::link::{Dirty, LINKER_KEY, new_interface, relink, stored_interface};
use crate::modules::{Declaration, Namer, Prefix};
use crate::plan::{Candidate, Plan};
use crate::read::{Outcome, Source, read, written};
use crate::rules::Rules;
use crate::stamp::{Seen, UNTRUSTED};
use crate::update::UpdateReport;
use crate::{Error, Phase, Progress, Project, Result, Skipped};

/// Files that are extracted before they are written, so that memory stays bounded.
const BATCH: usize = 256;

/// What looking at a candidate showed.
enum Looked {
    /// The facts are the same; the stamp may not be.
    Same(FileRecord),
    Different(Box<Parsed>, Option<LineRange>),
    Out(Skipped, Seen),
    Unclaimed(String, Seen),
    Gone(String),
}

/// An update in progress.
pub(crate) struct Work<'a> {
    project: &'a Project,
    /// The inputs that were known before, by path.
    inputs: FxHashMap<&'a str, &'a Input>,
    filter: Filter,
    /// Texts that stand in for those on disk.
    overlay: Option<&'a Overlay>,
    namer: Namer<'a>,
    update: Update<'a>,
    report: &'a mut UpdateReport,
    wrote: bool,
    /// Names of other files may depend on what was done.
    names_change: bool,
    defects: Defects,
    dirty: Dirty,
}

impl<'a> Work<'a> {
    pub(crate) fn new(
        project: &'a Project,
        known: &'a Known,
        store: &'a mut Store,
        report: &'a mut UpdateReport,
    ) -> Result<Work<'a>> {
        let filter = Filter::new(project.root(), project.config())?;
        let namer = Namer::new(project.name(), layouts(&known.inputs), |path| known.has_file(path));
        let inputs = known.inputs.iter().map(|input| (input.path.as_str(), input)).collect();
        let update = store.update()?;
        Ok(Work {
            project,
            inputs,
            filter,
            overlay: None,
            namer,
            update,
            report,
            wrote: false,
            names_change: false,
            defects: Defects::default(),
            dirty: Dirty::default(),
        })
    }

    pub(crate) fn run(mut self, plan: &Plan, progress: &dyn Progress) -> Result<()> {
        self.change(plan, progress)?;
        if self.wrote {
            progress.begin(Phase::Finish, 0);
            self.update.commit()?;
        }
        Ok(())
    }

    /// Carries out a plan with other texts than those on disk, and leaves the transaction open.
    pub(crate) fn preview(mut self, plan: &Plan, overlay: &'a Overlay) -> Result<()> {
        self.overlay = Some(overlay);
        self.change(plan, &crate::Silent)?;
        Ok(self.update.leave_open()?)
    }

    fn change(&mut self, plan: &Plan, progress: &dyn Progress) -> Result<()> {
        self.names_change = plan.names_change;
        let gone: Vec<&str> = plan.gone_inputs.iter().map(String::as_str).collect();
        gone.iter().for_each(|path| self.note_manifest(path, None));
        plan.put_inputs.iter().for_each(|input| self.note_manifest(&input.path, Some(input)));
        self.update.change_inputs(&gone, &plan.put_inputs.iter().collect::<Vec<_>>())?;
        self.wrote |= !gone.is_empty() || !plan.put_inputs.is_empty();
        for path in &plan.gone {
            self.drop_file(path)?;
        }
        progress.begin(Phase::Extract, plan.candidates.len() as u64);
        for (batch, candidates) in plan.candidates.chunks(BATCH).enumerate() {
            if progress.cancelled() {
                return Err(Error::Cancelled);
            }
            self.batch(candidates)?;
            let done = batch * BATCH + candidates.len();
            progress.advance(done as u64, candidates.last().map_or("", |candidate| &candidate.path));
        }
        let Defects { syntax, timed_out, dense } = std::mem::take(&mut self.defects);
        self.report.files_with_syntax_problems += syntax;
        self.report.timed_out.extend(timed_out);
        self.report.dense.extend(dense);
        self.set_metadata()?;
        if self.names_change {
            self.rename()?;
        }
        self.report.skipped.sort_unstable();
        if !self.dirty.is_empty() {
            progress.begin(Phase::Link, 0);
            self.report.relinked = relink(&mut self.update, std::mem::take(&mut self.dirty))?;
        }
        Ok(())
    }

    /// What a manifest says about names and modules can change every link.
    fn note_manifest(&mut self, path: &str, new: Option<&Input>) {
        let said = |input: &Input| match &input.watched {
            Watched::Manifest(layout) => layout.clone(),
            _ => String::new(),
        };
        let old = self.inputs.get(path).copied().map(said);
        if old.unwrap_or_default() != new.map(said).unwrap_or_default() {
            self.dirty.set_everything();
        }
    }

    fn set_metadata(&mut self) -> Result<()> {
        let rules = Rules::of(self.project.root()).fingerprint();
        let linker = codegraph_resolve::VERSION.to_string();
        for (key, value) in [(RULES_KEY, &*rules), (LINKER_KEY, &*linker), (NAME_KEY, self.project.name())] {
            if self.update.store().metadata(key)?.as_deref() != Some(value) {
                self.update.set_metadata(key, value)?;
                self.wrote = true;
                if key == LINKER_KEY {
                    self.dirty.set_everything();
                }
            }
        }
        Ok(())
    }

    fn drop_file(&mut self, path: &str) -> Result<()> {
        if let Some(record) = self.update.store().file_by_path(path)? {
            self.note_importers(record.id)?;
            let gone = stored_interface(self.update.store(), &record)?;
            self.dirty.add(&record, Interface::difference(Some(&gone), None));
            self.dirty.add_changed(record.id);
            let change = self.update.remove(record.id)?;
            self.add_prefixes(&record)?;
            self.report.count(change);
            self.report.removed.push(path.to_owned());
            self.names_change = true;
            self.wrote = true;
        }
        Ok(())
    }

    /// Notes the modules around a file that no other file is in.
    fn add_prefixes(&mut self, record: &FileRecord) -> Result<()> {
        let store = self.update.store();
        self.dirty.add_prefixes(record, |module| {
            Ok(store.is_module_prefix(module)? || !store.files_of_module(module)?.is_empty())
        })
    }

    /// What a compiler said about other files may lead here, by names that they do not write.
    fn note_importers(&mut self, file: codegraph_model::FileId) -> Result<()> {
        for importer in self.update.store().importers(file)? {
            self.dirty.add_file(importer);
        }
        Ok(())
    }

    fn batch(&mut self, candidates: &[Candidate]) -> Result<()> {
        let store = self.update.store();
        let old: Vec<Option<FileRecord>> =
            candidates.iter().map(|candidate| store.file_by_path(&candidate.path)).collect::<Result<_, _>>()?;
        let (project, filter, overlay) = (self.project, &self.filter, self.overlay);
        let looks: Vec<Looked> = candidates
            .par_iter()
            .zip(old.par_iter().with_max_len(1))
            .map(|(candidate, old)| {
                let text = overlay.and_then(|overlay| overlay.get(&candidate.path));
                match text {
                    // What somebody is writing is not left out.
                    Some(text) => look(None, written(filter, &candidate.path, text), candidate, old.as_ref()),
                    None => look(Some(filter), read(project, filter, &candidate.path), candidate, old.as_ref()),
                }
            })
            .collect();
        let mut ready = Vec::new();
        for (look, old) in looks.into_iter().zip(old) {
            match look {
                Looked::Same(record) => self.touch(&record, old)?,
                Looked::Different(parsed, lines) => ready.push((self.number(*parsed, lines, old.as_ref())?, old)),
                Looked::Out(skipped, seen) => self.leave_out(skipped, seen)?,
                Looked::Unclaimed(path, seen) => {
                    self.drop_file(&path)?;
                    self.put_input(&unclaimed_input(&path, seen))?;
                }
                Looked::Gone(path) => {
                    self.drop_file(&path)?;
                    self.forget_input(&path)?;
                }
            }
        }
        let packed: Vec<Encoded> = ready.par_iter().map(|(file, _)| file.pack()).collect();
        ready.into_iter().zip(packed).try_for_each(|((file, old), encoded)| self.put(file.parsed, old, &encoded))
    }

    fn touch(&mut self, record: &FileRecord, old: Option<FileRecord>) -> Result<()> {
        // A stamp that was not trusted and still is not says nothing new.
        let same = |old: &FileRecord| {
            (old.size, old.mtime_ns, old.mark) == (record.size, record.mtime_ns, record.mark)
                || old.mtime_ns == UNTRUSTED && record.mtime_ns == UNTRUSTED
        };
        if !old.as_ref().is_some_and(same) {
            self.update.touch(record)?;
            self.wrote = true;
        }
        Ok(())
    }

    /// Gives a file its names, the ids of its lines and the numbers of its texts.
    fn number(&mut self, parsed: Parsed, lines: Option<LineRange>, old: Option<&FileRecord>) -> Result<Numbered> {
        let names = self.first_prefix(&parsed, old);
        let lines = match old {
            Some(old) => {
                let stored = self.update.store().outline(old.id)?;
                self.update.expect(&stored)?;
                LineIds::carry(&stored, &parsed.facts.line_starts, parsed.facts.length, lines)
            }
            None => LineIds::default(),
        };
        let terms = self.update.intern(&parsed.facts.strings)?;
        let numbered = parsed.numbered(names, terms, lines);
        self.compare(&numbered, old)?;
        Ok(numbered)
    }

    /// Notes what others see of a file, where that is not as before.
    fn compare(&mut self, Numbered { parsed, terms, .. }: &Numbered, old: Option<&FileRecord>) -> Result<()> {
        let store = self.update.store();
        let new = new_interface(store, parsed.language, &parsed.facts, terms)?;
        let same_names =
            |old: &&FileRecord| (&old.module, &old.language) == (&parsed.record.module, &parsed.record.language);
        match old {
            Some(old) if same_names(&old) => {
                let before = stored_interface(store, old)?;
                self.dirty.add(old, Interface::difference(Some(&before), Some(&new)));
            }
            Some(old) => {
                let before = stored_interface(store, old)?;
                self.dirty.add(old, Interface::difference(Some(&before), None));
                let record = FileRecord { id: old.id, ..parsed.record.clone() };
                self.dirty.add(&record, Interface::difference(None, Some(&new)));
                self.add_prefixes(&parsed.record)?;
            }
            None => {
                self.dirty.add(&parsed.record, Interface::difference(None, Some(&new)));
                self.add_prefixes(&parsed.record)?;
            }
        }
        Ok(())
    }

    fn put(&mut self, parsed: Parsed, old: Option<FileRecord>, encoded: &Encoded) -> Result<()> {
        if let Some(old) = &old {
            self.note_importers(old.id)?;
        }
        let (id, change) = self.update.put(&parsed.record, encoded)?;
        if let Some(old) = old.as_ref().filter(|old| old.module != parsed.record.module) {
            self.add_prefixes(old)?;
        }
        self.dirty.add_changed(id);
        self.report.count(change);
        self.defects.count(&parsed);
        self.names_change |= old.as_ref().is_none_or(|old| old.language != parsed.record.language);
        let path = parsed.record.path;
        self.forget_input(&path)?;
        match old {
            Some(_) => self.report.changed.push(path),
            None => self.report.added.push(path),
        }
        self.wrote = true;
        Ok(())
    }

    /// What a file is called before all files are known. Right for a file that was there; others may get a longer
    /// name at the end.
    fn first_prefix(&mut self, parsed: &Parsed, old: Option<&FileRecord>) -> Prefix {
        let prefix = parsed.prefix(&mut self.namer);
        match old {
            Some(old) if old.language == parsed.record.language && !parsed.declares_module() => {
                Prefix { package: old.package.clone(), module: old.module.clone() }
            }
            _ => prefix,
        }
    }

    fn leave_out(&mut self, skipped: Skipped, seen: Seen) -> Result<()> {
        self.drop_file(&skipped.path)?;
        self.put_input(&skipped_input(&skipped.path, skipped.reason.clone(), seen))?;
        self.report.skipped.push(skipped);
        Ok(())
    }

    fn put_input(&mut self, input: &Input) -> Result<()> {
        if self.inputs.get(input.path.as_str()).is_some_and(|old| *old == input) {
            return Ok(());
        }
        self.update.change_inputs(&[&input.path], &[input])?;
        self.wrote = true;
        Ok(())
    }

    fn forget_input(&mut self, path: &str) -> Result<()> {
        if self.inputs.contains_key(path) {
            self.update.change_inputs(&[path], &[])?;
            self.wrote = true;
        }
        Ok(())
    }

    /// Gives every file the names that a new index would give it.
    fn rename(&mut self) -> Result<()> {
        let store = self.update.store();
        let inputs = store.inputs()?;
        let mut files = store.files()?;
        files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        let exists = |path: &str| files.binary_search_by(|file| file.path.as_str().cmp(path)).is_ok();
        let mut namer = Namer::new(self.project.name(), layouts(&inputs), exists);
        let mut renamed = Vec::new();
        for file in &files {
            let Some(language) = codegraph_languages::by_name(&file.language) else {
                continue;
            };
            let prefix = match namer.prefix(&file.path, language, Declaration::Before(&file.module)) {
                Some(prefix) => prefix,
                None => {
                    let declared = declared(store, file)?;
                    let prefix = namer.prefix(&file.path, language, Declaration::Now(declared.as_deref()));
                    prefix.expect("what it declares is known")
                }
            };
            if (&prefix.package, &prefix.module) != (&file.package, &file.module) {
                renamed.push((file.id, file.path.clone(), prefix));
            }
        }
        for (id, path, prefix) in renamed {
            let store = self.update.store();
            let before = store.file(id)?;
            if let Some(before) = &before {
                let interface = stored_interface(store, before)?;
                let after =
                    FileRecord { module: prefix.module.clone(), package: prefix.package.clone(), ..before.clone() };
                self.dirty.add(before, Interface::difference(Some(&interface), None));
                self.dirty.add(&after, Interface::difference(None, Some(&interface)));
                self.dirty.add_file(id);
                self.add_prefixes(&after)?;
            }
            self.update.rename_module(id, &prefix.package, &prefix.module)?;
            if let Some(before) = before {
                self.add_prefixes(&before)?;
            }
            self.wrote = true;
            let is_new = |list: &[String]| list.contains(&path);
            if !is_new(&self.report.added) && !is_new(&self.report.changed) {
                self.report.renamed += 1;
            }
        }
        Ok(())
    }
}

/// The package that a file declared when it was read.
fn declared(store: &Store, file: &FileRecord) -> Result<Option<String>> {
    let stored = store.outline(file.id)?;
    match stored.facts.package.get() {
        Some(id) => Ok(Some(store.name(&stored, id)?.to_string())),
        None => Ok(None),
    }
}

/// Extracts a candidate if it is not what the index has.
fn look(filter: Option<&Filter>, source: Outcome<Source>, candidate: &Candidate, old: Option<&FileRecord>) -> Looked {
    let path = candidate.path.clone();
    match source {
        Outcome::Read(source) => match old.filter(|old| is_same(old, &source)) {
            Some(old) => Looked::Same(FileRecord {
                size: source.seen.size,
                mtime_ns: source.seen.mtime_ns,
                mark: source.seen.mark,
                indexed_at: source.read_ns / 1_000_000_000,
                ..old.clone()
            }),
            None => match parse_source(filter, &path, source) {
                Outcome::Read(parsed) => Looked::Different(Box::new(parsed), candidate.lines),
                Outcome::Skipped(reason, seen) => Looked::Out(Skipped { path, reason }, seen),
                Outcome::Unclaimed(seen) => Looked::Unclaimed(path, seen),
                Outcome::Vanished => Looked::Gone(path),
            },
        },
        Outcome::Skipped(reason, seen) => Looked::Out(Skipped { path, reason }, seen),
        Outcome::Unclaimed(seen) => Looked::Unclaimed(path, seen),
        Outcome::Vanished => Looked::Gone(path),
    }
}

fn is_same(old: &FileRecord, source: &Source) -> bool {
    old.hash == source.hash && old.language == source.language.name && old.extractor == codegraph_extract::VERSION
}
