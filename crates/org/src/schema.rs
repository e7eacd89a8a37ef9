//! The tables of the store, in plain PostgreSQL 14 or later, partitioned by repository, with roles and the rows that each
//! may see.
//!
//! The parts of the large tables lie on the server itself or, as foreign tables, on others (`servers.rs`). What a reader sees of
//! a repository is decided by one row on the server itself, its state: so a push is seen as a whole, wherever its parts lie.

use postgres::{Client, Transaction};

use crate::servers::Servers;
use crate::{Error, Result};

/// The schema that this release writes and reads.
pub(crate) const VERSION: i32 = 3;

/// What two pushes that find no store do one after the other.
const MAKING: i64 = 0x6367_7068;

/// Parts of each large table.
pub(crate) const PARTS: usize = 16;

/// A table that has a row for each thing in a file, or for each file.
pub(crate) struct Large {
    pub(crate) name: &'static str,
    /// The column by whose hash rows are spread over the parts.
    by: &'static str,
    columns: &'static str,
    /// Unique within a part, and so in all.
    key: Option<&'static str>,
    indexes: &'static [&'static str],
    /// What parts of words and regular expressions are looked for in.
    trigrams: Option<&'static str>,
}

pub(crate) const LARGE: &[Large] = &[
    Large {
        name: "file",
        by: "repository",
        columns: "repository integer NOT NULL, id bigint NOT NULL, path text NOT NULL, language text NOT NULL,
            hash text NOT NULL, fingerprint text NOT NULL, lines integer NOT NULL, size bigint NOT NULL,
            package text NOT NULL, module text NOT NULL, since bigint NOT NULL, until bigint",
        key: Some("repository, id"),
        indexes: &["(repository, path)", "(path)", "(hash)"],
        trigrams: None,
    },
    Large {
        name: "symbol",
        by: "repository",
        columns: "repository integer NOT NULL, file bigint NOT NULL, key uuid NOT NULL, symbol_id uuid NOT NULL, parent uuid,
            name text NOT NULL, kind text NOT NULL, fqn text NOT NULL, canonical_fqn text NOT NULL, scoped text NOT NULL,
            byte_start integer NOT NULL, byte_end integer NOT NULL, start_line integer NOT NULL,
            start_col integer NOT NULL, end_line integer NOT NULL, end_col integer NOT NULL, line integer NOT NULL,
            visibility text, flags text NOT NULL, signature text, docs text",
        key: Some("repository, file, key"),
        indexes: &["(lower(name) text_pattern_ops)", "(symbol_id)", "(repository, key)", "(repository, parent)"],
        trigrams: Some("name"),
    },
    Large {
        name: "reference",
        by: "repository",
        columns: "repository integer NOT NULL, file bigint NOT NULL, name text, kind text NOT NULL,
            byte_start integer NOT NULL, byte_end integer NOT NULL, line integer NOT NULL, col integer NOT NULL,
            caller uuid NOT NULL, target uuid, outside text, args smallint, certainty text, how text",
        key: None,
        indexes: &[
            "(repository, file)",
            "(repository, target) WHERE target IS NOT NULL",
            "(repository, caller)",
            "(outside) WHERE outside IS NOT NULL",
        ],
        trigrams: None,
    },
    Large {
        name: "term",
        by: "repository",
        columns: "repository integer NOT NULL, file bigint NOT NULL, term text NOT NULL, lines integer[] NOT NULL,
            types text NOT NULL",
        key: None,
        indexes: &["(repository, file)", "(lower(term) text_pattern_ops)"],
        trigrams: Some("term"),
    },
    // Which terms of a repository have a word, and how many files have those.
    Large {
        name: "word",
        by: "repository",
        columns: "repository integer NOT NULL, stem text NOT NULL, files integer NOT NULL, terms text[] NOT NULL",
        key: Some("repository, stem"),
        indexes: &["(stem)"],
        trigrams: None,
    },
    Large {
        name: "content",
        by: "hash",
        columns: "hash text NOT NULL, text bytea NOT NULL",
        key: Some("hash"),
        indexes: &[],
        trigrams: None,
    },
];

impl Large {
    /// The table that is asked; its rows lie in parts.
    fn parent(&self) -> String {
        format!("CREATE TABLE {}({}) PARTITION BY HASH ({});", self.name, self.columns, self.by)
    }

    /// A part that lies on the server itself.
    fn part(&self, part: usize) -> String {
        let name = self.name;
        format!(
            "CREATE TABLE {name}_{part} PARTITION OF {name} FOR VALUES WITH (MODULUS {PARTS}, REMAINDER {part}); {}",
            self.keys(part)
        )
    }

    /// A part that lies on another server, as that server sees it.
    pub(crate) fn alone(&self, part: usize) -> String {
        let Large { name, columns, .. } = self;
        format!("CREATE TABLE {name}_{part}({columns}); {}", self.keys(part))
    }

    /// The same part, as the server that is asked sees it.
    pub(crate) fn foreign(&self, part: usize, server: &str) -> String {
        let name = self.name;
        format!(
            "CREATE FOREIGN TABLE {name}_{part} PARTITION OF {name} FOR VALUES WITH (MODULUS {PARTS}, REMAINDER {part})
             SERVER {server} OPTIONS (schema_name 'codegraph', table_name '{name}_{part}');"
        )
    }

    /// Keys and indexes of a part. The table itself has none: it could not have unique ones with parts elsewhere.
    fn keys(&self, part: usize) -> String {
        let table = format!("{}_{part}", self.name);
        let key = self.key.map(|key| format!("ALTER TABLE {table} ADD PRIMARY KEY ({key});"));
        let indexes = self.indexes.iter().map(|index| format!("CREATE INDEX ON {table}{index};"));
        key.into_iter().chain(indexes).collect()
    }
}

const SMALL: &str = "
CREATE TABLE about(version integer NOT NULL);
CREATE TABLE repository(
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL UNIQUE, team text NOT NULL DEFAULT 'everyone',
    link text, state bigint, commit text, files integer, pushed_at timestamptz);
CREATE TABLE state(
    repository integer NOT NULL REFERENCES repository(id) ON DELETE CASCADE, id bigint NOT NULL, commit text NOT NULL,
    pushed_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (repository, id));
CREATE TABLE offer(
    repository integer NOT NULL REFERENCES repository(id) ON DELETE CASCADE, ecosystem text NOT NULL, package text NOT NULL,
    path text NOT NULL, uses text NOT NULL, key uuid NOT NULL, named boolean NOT NULL,
    least smallint, most smallint, gives uuid);
CREATE TABLE need(
    repository integer NOT NULL REFERENCES repository(id) ON DELETE CASCADE, ecosystem text NOT NULL, package text NOT NULL,
    version text);
CREATE SEQUENCE file_number;
CREATE INDEX ON offer(path, ecosystem);
CREATE INDEX ON offer(repository, key);
CREATE INDEX ON offer(repository, gives) WHERE gives IS NOT NULL;
CREATE INDEX ON need(repository, ecosystem, package);
";

/// Tables that lie on the server that is asked.
const SMALL_NAMES: &[&str] = &["about", "repository", "state", "offer", "need"];

/// What the state of a repository `r` shows of its files `f`.
pub(crate) const SEEN: &str = "f.since <= r.state AND (f.until IS NULL OR f.until > r.state)";

/// A repository belongs to a team. Everybody sees those of `everyone`; the others are seen by the members of the role
/// `codegraph_team_NAME`, and by who pushes.
const RIGHTS: &str = "
DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'codegraph_read') THEN CREATE ROLE codegraph_read; END IF;
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'codegraph_push') THEN CREATE ROLE codegraph_push; END IF;
EXCEPTION WHEN insufficient_privilege OR duplicate_object THEN NULL; END $$;
CREATE FUNCTION visible() RETURNS integer[] LANGUAGE sql STABLE SECURITY DEFINER SET search_path = codegraph, pg_temp AS $$
    SELECT coalesce(array_agg(id), '{}') FROM repository
    WHERE team = 'everyone'
        OR EXISTS (SELECT FROM pg_roles WHERE rolname IN ('codegraph_team_' || team, 'codegraph_push')
                   AND pg_has_role(session_user, oid, 'member'))
$$;
ALTER TABLE repository ENABLE ROW LEVEL SECURITY;
CREATE POLICY seen ON repository USING (id = ANY ((SELECT visible())::integer[]));
";

/// Nobody but the owner reads a part by its name: the rows that each may see are decided at the table.
const GRANTS: &str = "
DO $$ BEGIN
    GRANT USAGE ON SCHEMA codegraph TO codegraph_read, codegraph_push;
    GRANT SELECT ON {TABLES}, {VIEWS} TO codegraph_read, codegraph_push;
    GRANT INSERT, UPDATE, DELETE ON {TABLES} TO codegraph_push;
    GRANT USAGE ON ALL SEQUENCES IN SCHEMA codegraph TO codegraph_push;
EXCEPTION WHEN undefined_object THEN NULL; END $$;
";

/// What people ask in SQL: the current state of everything, with repository and commit. Newer servers look with the rights
/// of who asks; on older ones only the owner may use these. `{SEEN}` stands for [`SEEN`].
const VIEWS: &[(&str, &str)] = &[
    ("repositories", "SELECT name AS repository, commit, team, pushed_at FROM repository"),
    (
        "files",
        "SELECT r.name AS repository, r.commit, f.path, f.language, f.hash, f.lines, f.size, f.package, f.module
         FROM file f JOIN repository r ON r.id = f.repository AND {SEEN}",
    ),
    (
        "symbols",
        "SELECT r.name AS repository, r.commit, replace(s.symbol_id::text, '-', '') AS symbol_id,
             replace(s.key::text, '-', '') AS symbol_key, s.name, s.kind, s.fqn, s.canonical_fqn, f.language,
             f.path AS file_path, s.byte_start, s.byte_end, s.start_line, s.start_col, s.end_line, s.end_col, s.visibility,
             s.flags, s.signature, s.docs, replace(s.parent::text, '-', '') AS parent_key
         FROM symbol s JOIN file f ON f.repository = s.repository AND f.id = s.file
         JOIN repository r ON r.id = s.repository AND {SEEN}",
    ),
    (
        "\"references\"",
        "SELECT r.name AS repository, r.commit, f.path AS file_path, x.name AS referenced_symbol, x.kind, x.byte_start,
             x.byte_end, x.line AS start_line, x.col AS start_col, replace(x.caller::text, '-', '') AS caller_key,
             replace(x.target::text, '-', '') AS target_key, x.outside, x.args, x.certainty, x.how
         FROM reference x JOIN file f ON f.repository = x.repository AND f.id = x.file
         JOIN repository r ON r.id = x.repository AND {SEEN}",
    ),
    (
        "terms",
        "SELECT r.name AS repository, r.commit, f.path AS file_path, t.term, t.lines, t.types
         FROM term t JOIN file f ON f.repository = t.repository AND f.id = t.file
         JOIN repository r ON r.id = t.repository AND {SEEN}",
    ),
    (
        "offers",
        "SELECT r.name AS repository, r.commit, o.ecosystem, o.package, o.path, o.uses, o.named,
             o.least, o.most, replace(o.gives::text, '-', '') AS gives_key, replace(o.key::text, '-', '') AS symbol_key FROM offer o JOIN repository r ON r.id = o.repository",
    ),
    (
        "needs",
        "SELECT r.name AS repository, r.commit, n.ecosystem, n.package, n.version
         FROM need n JOIN repository r ON r.id = n.repository",
    ),
];

/// Makes the store if it is not there, with its parts on other servers if there are any.
pub(crate) fn make(client: &mut Client, servers: &mut Servers) -> Result<()> {
    match check(client) {
        Err(Error::NoStore) => {}
        other => return other,
    }
    let mut work = client.transaction()?;
    work.execute("SELECT pg_advisory_xact_lock($1)", &[&MAKING])?;
    if work.query_one("SELECT to_regclass('codegraph.about') IS NOT NULL", &[])?.get(0) {
        return Ok(work.commit()?);
    }
    let newer: bool = work.query_one("SELECT current_setting('server_version_num')::int >= 150000", &[])?.get(0);
    work.batch_execute("CREATE SCHEMA IF NOT EXISTS codegraph; SET LOCAL search_path = codegraph, public;")?;
    work.batch_execute(SMALL)?;
    servers.make(&mut work)?;
    for table in LARGE {
        work.batch_execute(&table.parent())?;
        for part in 0..PARTS {
            let made = match servers.of(part) {
                Some(server) => table.foreign(part, &server),
                None => table.part(part),
            };
            work.batch_execute(&made)?;
        }
    }
    if servers.is_empty() {
        trigrams(&mut work, 0..PARTS)?;
    }
    rights(&mut work)?;
    let invoker = if newer { " WITH (security_invoker = true)" } else { "" };
    for (view, query) in VIEWS {
        work.batch_execute(&format!("CREATE VIEW {view}{invoker} AS {};", query.replace("{SEEN}", SEEN)))?;
    }
    let views = VIEWS.iter().map(|(view, _)| *view).collect::<Vec<_>>().join(", ");
    let tables: Vec<&str> = SMALL_NAMES.iter().copied().chain(LARGE.iter().map(|table| table.name)).collect();
    work.batch_execute(&GRANTS.replace("{TABLES}", &tables.join(", ")).replace("{VIEWS}", &views))?;
    if !newer {
        work.batch_execute(&format!("REVOKE ALL ON {views} FROM PUBLIC, codegraph_read;"))?;
    }
    work.execute("INSERT INTO about VALUES ($1)", &[&VERSION])?;
    Ok(work.commit()?)
}

fn rights(work: &mut Transaction<'_>) -> Result<()> {
    work.batch_execute(RIGHTS)?;
    let of_repositories = LARGE.iter().filter(|table| table.by == "repository").map(|table| table.name);
    for table in of_repositories.chain(["state", "offer", "need"]) {
        work.batch_execute(&format!(
            "ALTER TABLE {table} ENABLE ROW LEVEL SECURITY;
             CREATE POLICY seen ON {table} USING (repository = ANY ((SELECT visible())::integer[]));"
        ))?;
    }
    // Text is seen by who sees a file that has it.
    Ok(work.batch_execute(
        "ALTER TABLE content ENABLE ROW LEVEL SECURITY;
         CREATE POLICY seen ON content USING (EXISTS (SELECT FROM file WHERE file.hash = content.hash));",
    )?)
}

/// Parts of words and regular expressions are found by trigrams where the server has them.
pub(crate) fn trigrams(work: &mut Transaction<'_>, parts: impl Iterator<Item = usize> + Clone) -> Result<()> {
    let mut indexes = String::new();
    for table in LARGE {
        for (column, part) in
            table.trigrams.into_iter().flat_map(|column| parts.clone().map(move |part| (column, part)))
        {
            let name = table.name;
            indexes.push_str(&format!(
                "CREATE INDEX ON codegraph.{name}_{part} USING gin ({column} public.gin_trgm_ops);"
            ));
        }
    }
    Ok(work.batch_execute(&format!(
        "DO $$ BEGIN
             CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;
             {indexes}
         EXCEPTION WHEN OTHERS THEN RAISE NOTICE 'no trigrams: %', SQLERRM; END $$;"
    ))?)
}

/// Whether the store is there and of this release.
pub(crate) fn check(client: &mut Client) -> Result<()> {
    let there: bool = client.query_one("SELECT to_regclass('codegraph.about') IS NOT NULL", &[])?.get(0);
    if !there {
        return Err(Error::NoStore);
    }
    let found: i32 = client.query_one("SELECT max(version) FROM codegraph.about", &[])?.get(0);
    match found == VERSION {
        true => Ok(()),
        false => Err(Error::OtherSchema { found, known: VERSION }),
    }
}
