//! The tables of the store, in plain PostgreSQL 14 or later, partitioned by repository, with roles and the rows that each
//! may see.

use postgres::Client;

use crate::{Error, Result};

/// The schema that this release writes and reads.
const VERSION: i32 = 1;

/// What two pushes that find no store do one after the other.
const MAKING: i64 = 0x6367_7068;

/// Parts of each large table.
const PARTS: u32 = 16;

/// The tables that have a row for each thing in a file, and the key of a partition.
const LARGE: &[(&str, &str)] = &[
    (
        "file",
        "id bigint NOT NULL, path text NOT NULL, language text NOT NULL, hash text NOT NULL, fingerprint text NOT NULL,
         lines integer NOT NULL, size bigint NOT NULL, package text NOT NULL, module text NOT NULL, since bigint NOT NULL,
         until bigint, PRIMARY KEY (repository, id)",
    ),
    (
        "symbol",
        "file bigint NOT NULL, key uuid NOT NULL, symbol_id uuid NOT NULL, parent uuid, name text NOT NULL,
         kind text NOT NULL, fqn text NOT NULL, canonical_fqn text NOT NULL, scoped text NOT NULL, byte_start integer NOT NULL,
         byte_end integer NOT NULL, start_line integer NOT NULL, start_col integer NOT NULL, end_line integer NOT NULL,
         end_col integer NOT NULL, line integer NOT NULL, visibility text, flags text NOT NULL, signature text, docs text,
         PRIMARY KEY (repository, file, key)",
    ),
    (
        "reference",
        "file bigint NOT NULL, name text, kind text NOT NULL, byte_start integer NOT NULL, byte_end integer NOT NULL,
         line integer NOT NULL, col integer NOT NULL, caller uuid NOT NULL, target uuid, outside text, certainty text, how text",
    ),
    ("term", "file bigint NOT NULL, term text NOT NULL, lines integer[] NOT NULL, types text NOT NULL"),
];

const SMALL: &str = "
CREATE TABLE about(version integer NOT NULL);
CREATE TABLE repository(
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL UNIQUE, team text NOT NULL DEFAULT 'everyone',
    link text, state bigint, commit text, pushed_at timestamptz);
CREATE TABLE state(
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, repository integer NOT NULL REFERENCES repository(id) ON DELETE CASCADE,
    commit text NOT NULL, pushed_at timestamptz NOT NULL DEFAULT now());
CREATE TABLE content(hash text PRIMARY KEY, text bytea NOT NULL);
CREATE TABLE offer(
    repository integer NOT NULL REFERENCES repository(id) ON DELETE CASCADE, ecosystem text NOT NULL, package text NOT NULL,
    version text, path text NOT NULL, key uuid NOT NULL, named boolean NOT NULL);
CREATE TABLE need(
    repository integer NOT NULL REFERENCES repository(id) ON DELETE CASCADE, ecosystem text NOT NULL, package text NOT NULL,
    version text);
CREATE SEQUENCE file_number;
CREATE INDEX ON offer(path, ecosystem);
CREATE INDEX ON offer(repository, key);
CREATE INDEX ON need(repository, ecosystem, package);
";

const INDEXES: &str = "
CREATE INDEX ON file(repository, path) WHERE until IS NULL;
CREATE INDEX ON file(path) WHERE until IS NULL;
CREATE INDEX ON symbol(name);
CREATE INDEX ON symbol(lower(name));
CREATE INDEX ON symbol(symbol_id);
CREATE INDEX ON symbol(repository, key);
CREATE INDEX ON symbol(repository, parent);
CREATE INDEX ON reference(repository, file);
CREATE INDEX ON reference(repository, target) WHERE target IS NOT NULL;
CREATE INDEX ON reference(repository, caller);
CREATE INDEX ON reference(outside) WHERE outside IS NOT NULL;
CREATE INDEX ON term(repository, file);
CREATE INDEX ON term(lower(term) text_pattern_ops);
";

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

const GRANTS: &str = "
DO $$ BEGIN
    GRANT USAGE ON SCHEMA codegraph TO codegraph_read, codegraph_push;
    GRANT SELECT ON ALL TABLES IN SCHEMA codegraph TO codegraph_read;
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA codegraph TO codegraph_push;
    GRANT USAGE ON ALL SEQUENCES IN SCHEMA codegraph TO codegraph_push;
EXCEPTION WHEN undefined_object THEN NULL; END $$;
";

/// What people ask in SQL: the current state of everything, with repository and commit. Newer servers look with the rights
/// of who asks; on older ones only the owner may use these.
const VIEWS: &[(&str, &str)] = &[
    ("repositories", "SELECT name AS repository, commit, team, pushed_at FROM repository"),
    (
        "files",
        "SELECT r.name AS repository, r.commit, f.path, f.language, f.hash, f.lines, f.size, f.package, f.module
         FROM file f JOIN repository r ON r.id = f.repository WHERE f.until IS NULL",
    ),
    (
        "symbols",
        "SELECT r.name AS repository, r.commit, replace(s.symbol_id::text, '-', '') AS symbol_id,
             replace(s.key::text, '-', '') AS symbol_key, s.name, s.kind, s.fqn, s.canonical_fqn, f.language,
             f.path AS file_path, s.byte_start, s.byte_end, s.start_line, s.start_col, s.end_line, s.end_col, s.visibility,
             s.flags, s.signature, s.docs, replace(s.parent::text, '-', '') AS parent_key
         FROM symbol s JOIN file f ON f.repository = s.repository AND f.id = s.file AND f.until IS NULL
         JOIN repository r ON r.id = s.repository",
    ),
    (
        "\"references\"",
        "SELECT r.name AS repository, r.commit, f.path AS file_path, x.name AS referenced_symbol, x.kind, x.byte_start,
             x.byte_end, x.line AS start_line, x.col AS start_col, replace(x.caller::text, '-', '') AS caller_key,
             replace(x.target::text, '-', '') AS target_key, x.outside, x.certainty, x.how
         FROM reference x JOIN file f ON f.repository = x.repository AND f.id = x.file AND f.until IS NULL
         JOIN repository r ON r.id = x.repository",
    ),
    (
        "terms",
        "SELECT r.name AS repository, r.commit, f.path AS file_path, t.term, t.lines, t.types
         FROM term t JOIN file f ON f.repository = t.repository AND f.id = t.file AND f.until IS NULL
         JOIN repository r ON r.id = t.repository",
    ),
    (
        "offers",
        "SELECT r.name AS repository, r.commit, o.ecosystem, o.package, o.version, o.path, o.named,
             replace(o.key::text, '-', '') AS symbol_key FROM offer o JOIN repository r ON r.id = o.repository",
    ),
    (
        "needs",
        "SELECT r.name AS repository, r.commit, n.ecosystem, n.package, n.version
         FROM need n JOIN repository r ON r.id = n.repository",
    ),
];

/// Makes the store if it is not there.
pub(crate) fn make(client: &mut Client) -> Result<()> {
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
    for (table, columns) in LARGE {
        work.batch_execute(&format!(
            "CREATE TABLE {table}(repository integer NOT NULL, {columns}) PARTITION BY HASH (repository);"
        ))?;
        for part in 0..PARTS {
            work.batch_execute(&format!(
                "CREATE TABLE {table}_{part} PARTITION OF {table} FOR VALUES WITH (MODULUS {PARTS}, REMAINDER {part});"
            ))?;
        }
    }
    work.batch_execute(INDEXES)?;
    work.batch_execute(RIGHTS)?;
    for table in LARGE.iter().map(|(table, _)| *table).chain(["state", "offer", "need"]) {
        work.batch_execute(&format!(
            "ALTER TABLE {table} ENABLE ROW LEVEL SECURITY;
             CREATE POLICY seen ON {table} USING (repository = ANY ((SELECT visible())::integer[]));"
        ))?;
    }
    // Text is seen by who sees a file that has it.
    work.batch_execute(
        "ALTER TABLE content ENABLE ROW LEVEL SECURITY;
         CREATE POLICY seen ON content USING (EXISTS (SELECT FROM file WHERE file.hash = content.hash));
         CREATE INDEX ON file(hash);",
    )?;
    let invoker = if newer { " WITH (security_invoker = true)" } else { "" };
    for (view, query) in VIEWS {
        work.batch_execute(&format!("CREATE VIEW {view}{invoker} AS {query};"))?;
    }
    trigrams(&mut work)?;
    work.batch_execute(GRANTS)?;
    if !newer {
        work.batch_execute(
            "REVOKE ALL ON repositories, files, symbols, \"references\", terms, offers, needs FROM PUBLIC;",
        )?;
    }
    work.execute("INSERT INTO about VALUES ($1)", &[&VERSION])?;
    Ok(work.commit()?)
}

/// Parts of words and regular expressions are found by trigrams where the server has them.
fn trigrams(work: &mut postgres::Transaction<'_>) -> Result<()> {
    Ok(work.batch_execute(
        "DO $$ BEGIN
             CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;
             CREATE INDEX ON codegraph.term USING gin (term public.gin_trgm_ops);
         EXCEPTION WHEN OTHERS THEN RAISE NOTICE 'no trigrams: %', SQLERRM; END $$;",
    )?)
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
