//! The compact map: a structural overview of a project that a model reads instead of its files. `docs/map.md` describes
//! the format.

mod alias;
mod atlas;
mod block;
mod budget;
mod chunk;
mod imports;
mod layout;
mod legend;
mod line;
mod rank;
mod select;
mod state;

use rayon::prelude::*;
use serde::Serialize;

use crate::source::Texts;
use crate::{Error, Reader, Remarks, Result};

use atlas::Atlas;
use block::{Block, Writer};
use budget::{Fitted, Form};
use chunk::{Piece, Split};
use imports::Importer;
use rank::Ranks;
use select::Selected;

pub use chunk::MapChunk;
pub use state::MapState;

const ORDER_KEY: &str = "map_order";
const ALIASES_KEY: &str = "map_aliases";

/// A map in fewer tokens could say nothing but what it leaves out.
const FEWEST_TOKENS: usize = 50;

/// A question for a map.
#[derive(Clone, Debug, Default)]
pub struct Map {
    /// Files, folders or globs; everything if empty.
    pub paths: Vec<String>,
    /// At most so many tokens.
    pub tokens: Option<usize>,
    /// Split into so many parts.
    pub chunks: Option<usize>,
    /// Split where a part would have more tokens.
    pub chunk_tokens: Option<usize>,
    /// Files, folders or globs that the asker works on: what they use counts more.
    pub focus: Vec<String>,
    /// Names that the asker mentioned: of symbols or files.
    pub mention: Vec<String>,
    /// Files, folders or globs that the asker has already.
    pub exclude: Vec<String>,
    pub no_tests: bool,
}

/// A map.
#[derive(Clone, Debug, Serialize)]
pub struct MapAnswer {
    /// The map; empty if it was asked for in parts.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub text: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub chunks: Vec<MapChunk>,
    /// What is shown of each file, in the order of the map.
    pub files: Vec<MapEntry>,
    /// How many files there are to show.
    pub total: usize,
    /// Files of which nothing is shown.
    pub left_out: usize,
    /// Counted where a number of tokens was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<usize>,
    /// What the surface keeps in the index, so that the next map has the same order and aliases; nothing if it does.
    #[serde(skip)]
    pub state: Option<MapState>,
    #[serde(flatten)]
    pub remarks: Remarks,
}

/// How much of a file a map shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MapForm {
    Whole,
    /// Some of its lines.
    Shrunk,
    Name,
}

/// What a map shows of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MapEntry {
    pub file: String,
    /// `whole`, `shrunk` or `name`.
    pub form: MapForm,
    /// Changes when names, parameters, types, nesting, imports or calls change, not when positions do.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub structure_hash: String,
    /// Other files that use something of it.
    pub references: usize,
}

/// Answers with a map.
pub fn map(reader: &Reader, question: &Map) -> Result<MapAnswer> {
    let split = split(question)?;
    // Loading the vocabulary takes as long as reading the index: both at once.
    let _warm = (question.tokens.is_some() || split.is_some()).then(codegraph_tokens::warm);
    let atlas = Atlas::read(reader)?;
    let importer = Importer::new(&atlas);
    let settled = state::settle(reader, &atlas, &importer)?;
    let mut remarks = Remarks::of(reader);
    let selected = Selected::new(reader, &atlas, question, &settled.order, &mut remarks)?;
    let paths: Vec<String> = atlas.files.par_iter().map(|file| settled.aliases.shown(&file.record.path)).collect();
    let aliases = &settled.aliases;
    let maker = Maker { atlas: &atlas, importer: &importer, aliases, paths: &paths, texts: reader.texts() };
    let made = match question.tokens {
        Some(budget) => maker.fitted(&selected, budget)?,
        None => maker.whole(&selected.places)?,
    };
    made.stale.iter().for_each(|place| remarks.stale(&atlas.files[*place as usize].record.path));
    let mut answer = made.answer(selected.places.len(), split);
    if question.tokens.is_some() && answer.tokens.is_none() {
        answer.tokens = Some(codegraph_tokens::count(&answer.text));
    }
    if selected.places.is_empty() {
        remarks.cover(reader, &["documents without code"])?;
    }
    answer.state = settled.state;
    answer.remarks = remarks;
    drop((importer, paths));
    // Some million small pieces: nobody has to wait until they are taken apart.
    rayon::spawn(move || drop(atlas));
    Ok(answer)
}

fn split(question: &Map) -> Result<Option<Split>> {
    let bad = |what: &str, give: &'static str| Err(Error::Invalid { what: what.to_owned(), give });
    match (question.tokens, question.chunks, question.chunk_tokens) {
        (Some(tokens), ..) if tokens < FEWEST_TOKENS => {
            bad(&format!("a map in {tokens} tokens could show nothing; {FEWEST_TOKENS} can"), "give more tokens")
        }
        (_, Some(_), Some(_)) => {
            bad("a map is split by a number of parts or by tokens, not both", "give one of the two")
        }
        (_, Some(0), _) => bad("a map has at least one part", "give 1 or more chunks"),
        (_, _, Some(0)) => bad("a part has at least one token", "give 1 or more tokens per chunk"),
        (_, Some(count), _) => Ok(Some(Split::Count(count))),
        (_, _, Some(tokens)) => Ok(Some(Split::Tokens(tokens))),
        _ => Ok(None),
    }
}

struct Maker<'a> {
    atlas: &'a Atlas,
    importer: &'a Importer<'a>,
    aliases: &'a alias::Aliases,
    paths: &'a [String],
    texts: &'a Texts,
}

/// A map before it is cut into parts.
struct Made {
    pieces: Vec<Piece>,
    entries: Vec<MapEntry>,
    stale: Vec<u32>,
    tokens: Option<usize>,
    left_out: usize,
}

impl Maker<'_> {
    fn writer(&self) -> Writer<'_> {
        let Maker { atlas, importer, aliases, paths, texts } = *self;
        Writer { atlas, importer, aliases, paths, texts }
    }

    /// Whether the whole map has at most so many tokens.
    fn is_within(&self, places: &[u32], budget: usize) -> Result<bool> {
        let lines = |place: &u32| {
            let file = &self.atlas.files[*place as usize];
            2 + if file.test { 1 } else { file.layout.nodes.len() }
        };
        // A line has a few tokens at least: most projects need no try.
        if places.iter().map(lines).sum::<usize>() * 3 > budget {
            return Ok(false);
        }
        let made = self.whole(places)?;
        let text: String = made.pieces.iter().map(|piece| piece.text.as_str()).collect();
        Ok(codegraph_tokens::fits(&text, budget))
    }

    fn whole(&self, places: &[u32]) -> Result<Made> {
        let blocks = self.blocks(places)?;
        let piece = |block: &Block| {
            let file = Some(self.atlas.files[block.file as usize].record.path.clone());
            Piece { file, text: block.text() + "\n" }
        };
        let mut body: Vec<Piece> = blocks.par_iter().map(piece).collect();
        if let Some(last) = body.last_mut() {
            last.text.pop();
        }
        let aliases = self.aliases_of(&body);
        body.insert(0, Piece { file: None, text: legend::whole(&aliases, self.aliases) });
        let entries = blocks.iter().map(|block| self.entry(block.file, MapForm::Whole, &block.hash)).collect();
        let stale = blocks.iter().filter(|block| block.stale).map(|block| block.file).collect();
        Ok(Made { pieces: body, entries, stale, tokens: None, left_out: 0 })
    }

    /// The aliases that a map uses, as a text that names each once.
    fn aliases_of(&self, body: &[Piece]) -> String {
        let marks = (1..=self.aliases.folders().len()).map(|number| format!("@{number}/"));
        marks.filter(|mark| body.par_iter().any(|piece| piece.text.contains(mark.as_str()))).collect()
    }

    /// All blocks, written on all cores.
    fn blocks(&self, places: &[u32]) -> Result<Vec<Block>> {
        places.par_iter().map_init(|| self.writer(), |writer, place| writer.block(*place, false)).collect()
    }

    fn fitted(&self, selected: &Selected, budget: usize) -> Result<Made> {
        let ranks = Ranks::new(self.atlas, &selected.interest);
        let writer = self.writer();
        let whole = self.is_within(&selected.places, budget)?;
        let choose = if whole { budget::fill } else { budget::fit };
        let Fitted { text, tokens, forms, blocks, left_out } = choose(&writer, &selected.places, &ranks, budget)?;
        let mut entries = Vec::with_capacity(forms.len());
        for (place, form) in forms {
            let shown = match form {
                Form::Whole => MapForm::Whole,
                Form::Shrunk(_) => MapForm::Shrunk,
                Form::Name => MapForm::Name,
            };
            let hash = blocks.get(&place).filter(|_| form != Form::Name).map_or("", |block| &block.hash);
            entries.push(self.entry(place, shown, hash));
        }
        let stale = blocks.values().filter(|block| block.stale).map(|block| block.file).collect();
        let pieces = in_pieces(&text, &entries);
        Ok(Made { pieces, entries, stale, tokens: Some(tokens), left_out })
    }

    fn entry(&self, place: u32, form: MapForm, hash: &str) -> MapEntry {
        MapEntry {
            file: self.atlas.files[place as usize].record.path.clone(),
            form,
            structure_hash: hash.to_owned(),
            references: self.atlas.users(place),
        }
    }
}

/// A finished map, cut between its blocks: they are separated by blank lines, the legend first.
fn in_pieces(text: &str, entries: &[MapEntry]) -> Vec<Piece> {
    let mut shown = entries.iter().filter(|entry| entry.form != MapForm::Name).map(|entry| entry.file.clone());
    let mut pieces = Vec::new();
    for part in text.split_inclusive("\n\n") {
        let file = if part.starts_with('#') { None } else { shown.next() };
        pieces.push(Piece { file, text: part.to_owned() });
    }
    pieces
}

impl Made {
    fn answer(self, total: usize, split: Option<Split>) -> MapAnswer {
        let (text, chunks) = match split {
            Some(split) => (String::new(), chunk::chunks(self.pieces, split)),
            None => (self.pieces.iter().map(|piece| piece.text.as_str()).collect(), Vec::new()),
        };
        MapAnswer {
            text,
            chunks,
            files: self.entries,
            total,
            left_out: self.left_out,
            tokens: self.tokens,
            state: None,
            remarks: Remarks::default(),
        }
    }
}

/// Whether a text is a map that was made before.
pub fn is_map(text: &str) -> bool {
    text.starts_with(legend::OPENING)
}
