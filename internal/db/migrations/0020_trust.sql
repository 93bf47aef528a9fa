-- What a signature stands on (docs/rules: ledger, packs, log). One part for each of its tables.

-- Sign-off policies (rule P-21). Every change is a new version; version 0, the default, is not stored.
CREATE TABLE policies (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  version   INTEGER NOT NULL,              -- 1, 2, 3 …
  at        TEXT NOT NULL,
  actor     TEXT NOT NULL,
  content   TEXT NOT NULL,                 -- JSON of pack.Policy without its version
  PRIMARY KEY (tenant_id, version)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER policies_next BEFORE INSERT ON policies
WHEN NEW.version <> (SELECT coalesce(max(version), 0) + 1 FROM policies WHERE tenant_id = NEW.tenant_id)
BEGIN SELECT RAISE(ABORT, 'policies are appended in order'); END;

CREATE TRIGGER policies_keep BEFORE UPDATE ON policies
BEGIN SELECT RAISE(ABORT, 'policies are append-only'); END;

CREATE TRIGGER policies_stay BEFORE DELETE ON policies
BEGIN SELECT RAISE(ABORT, 'policies are append-only'); END;

-- The ids of the alarms that an approver acknowledged: a JSON list.
ALTER TABLE pack_approvals ADD COLUMN acknowledged TEXT NOT NULL DEFAULT '[]';

-- Answers in versions, passages that people attached, and what a run read.
ALTER TABLE sessions ADD COLUMN answer_version INTEGER NOT NULL DEFAULT 0;  -- 2, 3 … of a revised answer
ALTER TABLE sessions ADD COLUMN first_ledger   TEXT NOT NULL DEFAULT '';   -- ledger_id of version 1, '' in version 1
ALTER TABLE claims ADD COLUMN since INTEGER NOT NULL DEFAULT 0;            -- version of the answer that it is new in
ALTER TABLE matches ADD COLUMN attached TEXT;                              -- JSON: who attached it, and when
ALTER TABLE ledger_runs ADD COLUMN bundle_id TEXT NOT NULL DEFAULT '';     -- bundle that it read, '' for the documents
ALTER TABLE documents ADD COLUMN bundle_id TEXT NOT NULL DEFAULT '';       -- bundle that it is an item of
ALTER TABLE documents ADD COLUMN blob_sha256 TEXT NOT NULL DEFAULT '';     -- hex, of the original; '' if it was stored before
CREATE INDEX sessions_versions ON sessions (tenant_id, first_ledger, answer_version) WHERE first_ledger <> '';
CREATE INDEX sessions_ledger ON sessions (tenant_id, ledger_id);

-- Equal sessions of a list stand in the order in which they were stored (rule DB-11), not by id as in 0001.
DROP INDEX IF EXISTS sessions_title;
DROP INDEX IF EXISTS sessions_coverage;
DROP INDEX IF EXISTS sessions_total;
CREATE INDEX sessions_title    ON sessions (tenant_id, title_key, no);
CREATE INDEX sessions_coverage ON sessions (tenant_id, coverage, no);
CREATE INDEX sessions_total    ON sessions (tenant_id, total, no);

-- What exported ledgers that were imported said of a session and its claims: claim -1 has the list of the imports, the
-- others what each said of the claim. It settles nothing here (rule L-32).
CREATE TABLE imported_reviews (
  tenant_id  TEXT NOT NULL REFERENCES tenants (id),
  session_no INTEGER NOT NULL REFERENCES sessions (no),
  claim      INTEGER NOT NULL,             -- claims.position, -1 for the list of imports
  said       TEXT NOT NULL,                -- JSON: a list of ledger.Imported, of ledger.Import for claim -1
  PRIMARY KEY (session_no, claim)
) STRICT;

CREATE TRIGGER imported_reviews_keep BEFORE UPDATE ON imported_reviews
BEGIN SELECT RAISE(ABORT, 'imported reviews never change'); END;

-- Keys of other stores: a ledger that one of them signed is shown as reviewed there (rule L-32).
CREATE TABLE trusted_keys (
  tenant_id  TEXT NOT NULL REFERENCES tenants (id),
  id         TEXT NOT NULL,                -- OpenSSH fingerprint, SHA256:…
  name       TEXT NOT NULL,                -- of the store, as the tenant calls it
  public     BLOB NOT NULL,                -- Ed25519
  added_by   TEXT NOT NULL,
  added_at   TEXT NOT NULL,
  PRIMARY KEY (tenant_id, id)
) STRICT;

-- Content digests (rule LOG-8, docs/integrity.md): the salt of each row that is digested, for the rows below it too; the trees over
-- the digests, in pages of 64 hashes; and the event that holds the newest state digest. Pages stay when a session is erased,
-- so they refer to it by its id. states.go fills what was stored before.

ALTER TABLE sessions ADD COLUMN salt BLOB;
ALTER TABLE ledger_runs ADD COLUMN salt BLOB;
ALTER TABLE documents ADD COLUMN salt BLOB;
ALTER TABLE claims ADD COLUMN salt BLOB;
ALTER TABLE reviews ADD COLUMN salt BLOB;

DROP TRIGGER IF EXISTS reviews_keep;
DROP TRIGGER IF EXISTS ledger_runs_keep;
UPDATE sessions SET salt = randomblob(32);
UPDATE ledger_runs SET salt = randomblob(32);
UPDATE documents SET salt = randomblob(32);
UPDATE claims SET salt = randomblob(32);
UPDATE reviews SET salt = randomblob(32);
CREATE TRIGGER reviews_keep BEFORE UPDATE ON reviews
BEGIN SELECT RAISE(ABORT, 'reviews are append-only'); END;
CREATE TRIGGER ledger_runs_keep BEFORE UPDATE ON ledger_runs BEGIN SELECT RAISE(ABORT, 'runs are append-only'); END;

CREATE TABLE session_states (
  tenant_id  TEXT NOT NULL REFERENCES tenants (id),
  session_id TEXT NOT NULL,
  seq        INTEGER NOT NULL,             -- of the event that holds the state digest
  sections   TEXT NOT NULL,                -- JSON of []audit.Section
  PRIMARY KEY (tenant_id, session_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE state_pages (
  tenant_id  TEXT NOT NULL REFERENCES tenants (id),
  session_id TEXT NOT NULL,
  section    TEXT NOT NULL,
  level      INTEGER NOT NULL,             -- audit.PageID
  page       INTEGER NOT NULL,
  hashes     BLOB NOT NULL,                -- up to 64 of 32 bytes
  PRIMARY KEY (tenant_id, session_id, section, level, page)
) STRICT;

-- That a tenant has a log, sealed with the master key (rule LOG-9).
CREATE TABLE log_seals (
  tenant_id TEXT NOT NULL PRIMARY KEY REFERENCES tenants (id),
  sealed    BLOB NOT NULL
) STRICT;

-- The salts of the digests that events hold of rows outside of sessions (rule LOG-11). A salt goes with its row.
CREATE TABLE record_salts (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  tbl       TEXT NOT NULL,
  id        TEXT NOT NULL,                 -- the row's key without what is secret of it
  salt      BLOB NOT NULL,
  PRIMARY KEY (tenant_id, tbl, id)
) STRICT, WITHOUT ROWID;

-- Drafts that were given up (rule P-11). A table's CHECK changes with its text: SQLite has no ALTER for it, and the stored
-- rows stay as they are (sqlite.org/lang_altertable.html, "Making Other Kinds Of Table Schema Changes").
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, '''returned'', ''superseded''))', '''returned'', ''superseded'', ''discarded''))')
WHERE type = 'table' AND name = 'evidence_packs';
PRAGMA writable_schema = RESET;

ALTER TABLE evidence_packs ADD COLUMN discarded_at   TEXT NOT NULL DEFAULT '';  -- '' until it is; with it who and why
ALTER TABLE evidence_packs ADD COLUMN discarded_by   TEXT NOT NULL DEFAULT '';
ALTER TABLE evidence_packs ADD COLUMN discarded_name TEXT NOT NULL DEFAULT '';
ALTER TABLE evidence_packs ADD COLUMN discard_reason TEXT NOT NULL DEFAULT '';

-- one chain per decision, besides those whose draft was given up
DROP INDEX IF EXISTS evidence_packs_first;
CREATE UNIQUE INDEX evidence_packs_first ON evidence_packs (tenant_id, decision_id) WHERE supersedes = '' AND state <> 'discarded';

DROP TRIGGER IF EXISTS evidence_packs_new;
CREATE TRIGGER evidence_packs_new BEFORE INSERT ON evidence_packs
WHEN EXISTS (SELECT 1 FROM evidence_packs WHERE no = NEW.no OR pack_id = NEW.pack_id
    OR NEW.supersedes = '' AND supersedes = '' AND tenant_id = NEW.tenant_id AND decision_id = NEW.decision_id AND state <> 'discarded'
    OR NEW.supersedes <> '' AND supersedes = NEW.supersedes AND tenant_id = NEW.tenant_id AND state IN ('draft', 'in_review'))
BEGIN SELECT RAISE(ABORT, 'a pack is never replaced'); END;

DROP TRIGGER IF EXISTS evidence_packs_life;
CREATE TRIGGER evidence_packs_life BEFORE UPDATE ON evidence_packs
WHEN NEW.state <> OLD.state AND NOT (
    OLD.state = 'draft' AND NEW.state = 'in_review' AND NEW.digest <> '' AND NEW.submitted_at <> ''
    OR OLD.state = 'draft' AND NEW.state = 'discarded' AND NEW.discarded_at <> '' AND NEW.digest = ''
    OR OLD.state = 'in_review' AND NEW.state = 'returned' AND NEW.returned_at <> ''
    OR OLD.state = 'in_review' AND NEW.state = 'signed_off' AND NEW.signed_at <> ''
      AND (SELECT count(*) FROM pack_approvals WHERE tenant_id = NEW.tenant_id AND pack_id = NEW.pack_id) >= NEW.need
    OR OLD.state IN ('signed_off', 'returned') AND NEW.state = 'superseded' AND NEW.superseded_by <> '')
  OR NEW.signed_at <> OLD.signed_at AND NOT (OLD.state = 'in_review' AND NEW.state = 'signed_off')
  OR NEW.superseded_by <> OLD.superseded_by AND NOT (OLD.state <> 'superseded' AND NEW.state = 'superseded')
  OR (NEW.returned_at, NEW.returned_by, NEW.returned_name, NEW.return_reason)
    IS NOT (OLD.returned_at, OLD.returned_by, OLD.returned_name, OLD.return_reason) AND NOT (OLD.state = 'in_review' AND NEW.state = 'returned')
  OR (NEW.discarded_at, NEW.discarded_by, NEW.discarded_name, NEW.discard_reason)
    IS NOT (OLD.discarded_at, OLD.discarded_by, OLD.discarded_name, OLD.discard_reason) AND NOT (OLD.state = 'draft' AND NEW.state = 'discarded')
  OR NEW.approvals <> OLD.approvals AND NOT (OLD.state = 'in_review' AND NEW.approvals = OLD.approvals + 1)
BEGIN SELECT RAISE(ABORT, 'this is not how a pack lives'); END;

-- Attachments come and go while the pack is a draft.
DROP TRIGGER IF EXISTS pack_attachments_next;
CREATE TRIGGER pack_attachments_next BEFORE INSERT ON pack_attachments
WHEN NOT EXISTS (SELECT 1 FROM evidence_packs WHERE pack_id = NEW.pack_id AND tenant_id = NEW.tenant_id AND state = 'draft')
  OR NEW.n <> (SELECT coalesce(max(n) + 1, 0) FROM pack_attachments WHERE tenant_id = NEW.tenant_id AND pack_id = NEW.pack_id)
BEGIN SELECT RAISE(ABORT, 'attachments are appended in order, to a draft'); END;
DROP TRIGGER IF EXISTS pack_attachments_stay;
CREATE TRIGGER pack_attachments_stay BEFORE DELETE ON pack_attachments
WHEN NOT EXISTS (SELECT 1 FROM pack_tombstones WHERE tenant_id = OLD.tenant_id AND pack_id = OLD.pack_id)
  AND NOT EXISTS (SELECT 1 FROM evidence_packs WHERE pack_id = OLD.pack_id AND tenant_id = OLD.tenant_id AND state = 'draft')
BEGIN SELECT RAISE(ABORT, 'the attachments of a submitted pack go by a recorded purge only'); END;

-- Who changed what of a draft, and why (rule P-23).
CREATE TABLE pack_edits (
  tenant_id TEXT NOT NULL,
  pack_id   TEXT NOT NULL REFERENCES evidence_packs (pack_id),
  revision  INTEGER NOT NULL,              -- that the change made
  actor     TEXT NOT NULL,
  name      TEXT NOT NULL,                 -- as shown then
  at        TEXT NOT NULL,
  parts     TEXT NOT NULL,                 -- a JSON list: sources, tool_calls, statement, memo, attachments, departure
  reason    TEXT NOT NULL,                 -- '' if none was given
  PRIMARY KEY (tenant_id, pack_id, revision)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER pack_edits_next BEFORE INSERT ON pack_edits
WHEN NEW.revision <= (SELECT coalesce(max(revision), 0) FROM pack_edits WHERE tenant_id = NEW.tenant_id AND pack_id = NEW.pack_id)
BEGIN SELECT RAISE(ABORT, 'edits are appended in order'); END;
CREATE TRIGGER pack_edits_keep BEFORE UPDATE ON pack_edits
BEGIN SELECT RAISE(ABORT, 'edits are append-only'); END;
CREATE TRIGGER pack_edits_stay BEFORE DELETE ON pack_edits
WHEN NOT EXISTS (SELECT 1 FROM pack_tombstones WHERE tenant_id = OLD.tenant_id AND pack_id = OLD.pack_id)
BEGIN SELECT RAISE(ABORT, 'edits are append-only'); END;

-- Tool calls that arrived apart from their decision (rule P-9).
CREATE TABLE decision_calls (
  tenant_id   TEXT NOT NULL,
  decision_id TEXT NOT NULL,
  n           INTEGER NOT NULL,            -- 0, 1 …
  id          TEXT NOT NULL,               -- the caller's
  digest      TEXT NOT NULL,               -- of data
  at          TEXT NOT NULL,
  actor       TEXT NOT NULL,
  data        TEXT NOT NULL,               -- RFC 8785 JSON of the call, its S3 content replaced
  PRIMARY KEY (tenant_id, decision_id, n),
  UNIQUE (tenant_id, decision_id, id),
  FOREIGN KEY (tenant_id, decision_id) REFERENCES decisions (tenant_id, decision_id)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER decision_calls_next BEFORE INSERT ON decision_calls
WHEN NEW.n <> (SELECT count(*) FROM decision_calls WHERE tenant_id = NEW.tenant_id AND decision_id = NEW.decision_id)
  OR EXISTS (SELECT 1 FROM decision_calls WHERE tenant_id = NEW.tenant_id AND decision_id = NEW.decision_id AND id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'tool calls are appended in order'); END;
CREATE TRIGGER decision_calls_keep BEFORE UPDATE ON decision_calls
BEGIN SELECT RAISE(ABORT, 'what was taken in stays'); END;
CREATE TRIGGER decision_calls_stay BEFORE DELETE ON decision_calls
WHEN NOT EXISTS (SELECT 1 FROM pack_tombstones WHERE tenant_id = OLD.tenant_id AND decision_id = OLD.decision_id)
  OR EXISTS (SELECT 1 FROM evidence_packs WHERE tenant_id = OLD.tenant_id AND decision_id = OLD.decision_id)
BEGIN SELECT RAISE(ABORT, 'a decision goes with the purge of its last pack only'); END;

-- Changes of administration that one administrator asked for and another one decides (rule P-29).
ALTER TABLE tenants ADD COLUMN second_admin INTEGER NOT NULL DEFAULT 0;   -- 1: a second administrator is demanded

CREATE TABLE change_requests (
  no           INTEGER PRIMARY KEY,
  id           TEXT NOT NULL UNIQUE,
  tenant_id    TEXT NOT NULL REFERENCES tenants (id),
  kind         TEXT NOT NULL,              -- access.ChangeKind
  object_id    TEXT NOT NULL,              -- of the person, session, document, pack; of a new person the login name; else ''
  content      TEXT NOT NULL,              -- JSON of access.Change; without the password's hash once it is decided
  reason       TEXT NOT NULL,
  state        TEXT NOT NULL CHECK (state IN ('asked', 'confirmed', 'refused', 'withdrawn', 'lapsed')),
  asked_by     TEXT NOT NULL,
  asked_name   TEXT NOT NULL,
  asked_at     TEXT NOT NULL,
  expires_at   TEXT NOT NULL,
  decided_by   TEXT NOT NULL,              -- '' while asked, and if it lapsed
  decided_name TEXT NOT NULL,
  decided_at   TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX change_requests_open ON change_requests (tenant_id, kind, object_id) WHERE state = 'asked';
CREATE INDEX change_requests_asked ON change_requests (tenant_id, state <> 'asked', no DESC);
CREATE INDEX change_requests_due ON change_requests (expires_at, tenant_id) WHERE state = 'asked';

CREATE TRIGGER change_requests_new BEFORE INSERT ON change_requests
WHEN NEW.state <> 'asked' OR EXISTS (SELECT 1 FROM change_requests WHERE no = NEW.no OR id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'a change begins by being asked for'); END;
CREATE TRIGGER change_requests_step BEFORE UPDATE ON change_requests
WHEN OLD.state <> 'asked' OR NEW.state = 'asked' OR NEW.state = 'confirmed' AND NEW.decided_by IN ('', OLD.asked_by)
  OR (NEW.id, NEW.tenant_id, NEW.kind, NEW.object_id, NEW.reason, NEW.asked_by, NEW.asked_at, NEW.expires_at)
    IS NOT (OLD.id, OLD.tenant_id, OLD.kind, OLD.object_id, OLD.reason, OLD.asked_by, OLD.asked_at, OLD.expires_at)
BEGIN SELECT RAISE(ABORT, 'a change is decided once, by a second administrator'); END;
CREATE TRIGGER change_requests_stay BEFORE DELETE ON change_requests
BEGIN SELECT RAISE(ABORT, 'requests stay on record'); END;

-- Erasure and retention (rules ER-1 to ER-6). A request is asked for by one person and confirmed by another; the rows go in the
-- transaction that confirms it, the files after it. While it is 'erasing', the triggers below let the rows of its object go.

CREATE TABLE erasures (
  no             INTEGER PRIMARY KEY,
  id             TEXT NOT NULL UNIQUE,
  tenant_id      TEXT NOT NULL REFERENCES tenants (id),
  kind           TEXT NOT NULL CHECK (kind IN ('session', 'document', 'bundle', 'artifact', 'upload', 'pack')),
  object_id      TEXT NOT NULL,            -- of an artifact its path, and once it is erased the SHA-256 of that
  session_id     TEXT NOT NULL,            -- of a document, else ''
  state          TEXT NOT NULL CHECK (state IN ('asked', 'erasing', 'done', 'refused')),
  retention      INTEGER NOT NULL,         -- 1: a period was over; 0: a person asked
  reason         TEXT NOT NULL,
  counts         TEXT NOT NULL,            -- JSON object
  files          INTEGER NOT NULL,
  bytes          INTEGER NOT NULL,
  remains        TEXT NOT NULL,            -- JSON: the files that are still to be deleted
  asked_by       TEXT NOT NULL,
  asked_name     TEXT NOT NULL,
  asked_at       TEXT NOT NULL,
  confirmed_by   TEXT NOT NULL,            -- or refused by; '' while asked
  confirmed_name TEXT NOT NULL,
  confirmed_at   TEXT NOT NULL,
  done_at        TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX erasures_open ON erasures (tenant_id, kind, object_id) WHERE state IN ('asked', 'erasing');
CREATE INDEX erasures_object ON erasures (tenant_id, kind, object_id);
CREATE INDEX erasures_asked ON erasures (tenant_id, state, no);
CREATE INDEX erasures_session ON erasures (tenant_id, session_id) WHERE session_id <> '';

CREATE TABLE legal_holds (                 -- of sessions and documents, set and lifted in turn; packs have pack_holds
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  kind      TEXT NOT NULL CHECK (kind IN ('session', 'document')),
  object_id TEXT NOT NULL,
  n         INTEGER NOT NULL,
  held      INTEGER NOT NULL,              -- 1 set, 0 lifted
  actor     TEXT NOT NULL,
  at        TEXT NOT NULL,
  reason    TEXT NOT NULL,
  PRIMARY KEY (tenant_id, kind, object_id, n)
) STRICT, WITHOUT ROWID;

CREATE VIEW held AS SELECT h.tenant_id, h.kind, h.object_id FROM legal_holds h
WHERE h.held = 1 AND h.n = (SELECT max(x.n) FROM legal_holds x WHERE x.tenant_id = h.tenant_id AND x.kind = h.kind AND x.object_id = h.object_id);

CREATE TRIGGER legal_holds_next BEFORE INSERT ON legal_holds
WHEN NEW.n <> (SELECT count(*) FROM legal_holds WHERE tenant_id = NEW.tenant_id AND kind = NEW.kind AND object_id = NEW.object_id)
BEGIN SELECT RAISE(ABORT, 'holds are appended in order'); END;
CREATE TRIGGER legal_holds_keep BEFORE UPDATE ON legal_holds BEGIN SELECT RAISE(ABORT, 'holds are append-only'); END;
CREATE TRIGGER legal_holds_stay BEFORE DELETE ON legal_holds BEGIN SELECT RAISE(ABORT, 'holds are append-only'); END;

CREATE TABLE retention_periods (           -- a kind without a row has none
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  kind      TEXT NOT NULL CHECK (kind IN ('session', 'document', 'bundle', 'artifact', 'upload')),
  days      INTEGER NOT NULL CHECK (days > 0),
  set_by    TEXT NOT NULL,
  set_at    TEXT NOT NULL,
  PRIMARY KEY (tenant_id, kind)
) STRICT, WITHOUT ROWID;

-- What is kept of an erased pack: the envelope of its Statement, and the copy in which each leaf is its hash.
CREATE TABLE erased_packs (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  pack_id   TEXT NOT NULL,
  name      TEXT NOT NULL,
  data      BLOB NOT NULL,
  PRIMARY KEY (tenant_id, pack_id, name)
) STRICT, WITHOUT ROWID;

-- A row here means that something was deleted and its traces are still in free pages, the index or the write-ahead log.
CREATE TABLE scrub_due (
  one   INTEGER PRIMARY KEY CHECK (one = 1),
  since TEXT NOT NULL
) STRICT;

CREATE TRIGGER erasures_new BEFORE INSERT ON erasures
WHEN NOT (NEW.state = 'asked' AND NEW.retention = 0 OR NEW.state = 'erasing' AND NEW.retention = 1 AND NEW.kind <> 'pack')
  OR EXISTS (SELECT 1 FROM erasures WHERE no = NEW.no OR id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'an erasure begins by being asked for'); END;
CREATE TRIGGER erasures_step BEFORE UPDATE ON erasures
WHEN NOT (OLD.state = 'asked' AND NEW.state = 'refused'
    OR OLD.state = 'asked' AND NEW.state = 'erasing' AND NEW.confirmed_by NOT IN ('', OLD.asked_by)
    OR OLD.state = 'erasing' AND NEW.state IN ('erasing', 'done'))
  OR (NEW.id, NEW.tenant_id, NEW.kind, NEW.retention, NEW.reason, NEW.asked_by, NEW.asked_at)
    IS NOT (OLD.id, OLD.tenant_id, OLD.kind, OLD.retention, OLD.reason, OLD.asked_by, OLD.asked_at)
BEGIN SELECT RAISE(ABORT, 'an erasure is confirmed by a second person, and never goes back'); END;
CREATE TRIGGER erasures_stay BEFORE DELETE ON erasures BEGIN SELECT RAISE(ABORT, 'erasures stay on record'); END;

CREATE VIEW erasing_sessions AS SELECT s.no FROM erasures e JOIN sessions s ON s.tenant_id = e.tenant_id AND s.id = e.object_id
WHERE e.kind = 'session' AND e.state = 'erasing';
CREATE VIEW erasing_documents AS SELECT s.no FROM erasures e JOIN sessions s ON s.tenant_id = e.tenant_id AND s.id = e.session_id
WHERE e.kind = 'document' AND e.state = 'erasing';
CREATE VIEW erasing_bundles AS SELECT b.no FROM erasures e JOIN evidence_bundles b ON b.tenant_id = e.tenant_id AND b.bundle_id = e.object_id
WHERE e.kind = 'bundle' AND e.state = 'erasing';

DROP TRIGGER IF EXISTS reviews_stay;
CREATE TRIGGER reviews_stay BEFORE DELETE ON reviews WHEN OLD.session_no NOT IN (SELECT no FROM erasing_sessions)
BEGIN SELECT RAISE(ABORT, 'reviews are append-only'); END;
DROP TRIGGER IF EXISTS ledger_runs_stay;
CREATE TRIGGER ledger_runs_stay BEFORE DELETE ON ledger_runs WHEN OLD.session_no NOT IN (SELECT no FROM erasing_sessions)
BEGIN SELECT RAISE(ABORT, 'runs are append-only'); END;
DROP TRIGGER IF EXISTS run_marks_stay;
CREATE TRIGGER run_marks_stay BEFORE DELETE ON run_marks WHEN OLD.session_no NOT IN (SELECT no FROM erasing_sessions)
BEGIN SELECT RAISE(ABORT, 'runs are append-only'); END;
DROP TRIGGER IF EXISTS run_changes_stay;
CREATE TRIGGER run_changes_stay BEFORE DELETE ON run_changes WHEN OLD.session_no NOT IN (SELECT no FROM erasing_sessions)
BEGIN SELECT RAISE(ABORT, 'runs are append-only'); END;
DROP TRIGGER IF EXISTS run_claims_stay;
CREATE TRIGGER run_claims_stay BEFORE DELETE ON run_claims WHEN OLD.session_no NOT IN (SELECT no FROM erasing_sessions)
BEGIN SELECT RAISE(ABORT, 'runs are append-only'); END;
DROP TRIGGER IF EXISTS run_claims_keep;                -- the snippets of an erased document leave the older runs too
CREATE TRIGGER run_claims_keep BEFORE UPDATE ON run_claims
WHEN OLD.session_no NOT IN (SELECT no FROM erasing_documents)
  OR (NEW.session_no, NEW.run, NEW.claim, NEW.verdict, NEW.confidence, NEW.judge, NEW.given)
    IS NOT (OLD.session_no, OLD.run, OLD.claim, OLD.verdict, OLD.confidence, OLD.judge, OLD.given)
BEGIN SELECT RAISE(ABORT, 'runs are append-only'); END;

DROP TRIGGER IF EXISTS ledger_runs_keep;               -- with an erased document go the salts of what repeated it
CREATE TRIGGER ledger_runs_keep BEFORE UPDATE ON ledger_runs
WHEN OLD.session_no NOT IN (SELECT no FROM erasing_documents)
  OR (NEW.session_no, NEW.n, NEW.id, NEW.judge, NEW.version, NEW.parameters, NEW.input_digest, NEW.at, NEW.duration_ns, NEW.bundle_id)
    IS NOT (OLD.session_no, OLD.n, OLD.id, OLD.judge, OLD.version, OLD.parameters, OLD.input_digest, OLD.at, OLD.duration_ns, OLD.bundle_id)
BEGIN SELECT RAISE(ABORT, 'runs are append-only'); END;

DROP TRIGGER IF EXISTS evidence_bundles_stay;
CREATE TRIGGER evidence_bundles_stay BEFORE DELETE ON evidence_bundles WHEN OLD.no NOT IN (SELECT no FROM erasing_bundles)
BEGIN SELECT RAISE(ABORT, 'a bundle stays on record'); END;
DROP TRIGGER IF EXISTS evidence_builds_stay;
CREATE TRIGGER evidence_builds_stay BEFORE DELETE ON evidence_builds WHEN OLD.bundle_no NOT IN (SELECT no FROM erasing_bundles)
BEGIN SELECT RAISE(ABORT, 'a build stays on record'); END;
DROP TRIGGER IF EXISTS evidence_items_stay;
CREATE TRIGGER evidence_items_stay BEFORE DELETE ON evidence_items WHEN OLD.bundle_no NOT IN (SELECT no FROM erasing_bundles)
BEGIN SELECT RAISE(ABORT, 'an item stays on record'); END;
DROP TRIGGER IF EXISTS run_evidence_stay;
CREATE TRIGGER run_evidence_stay BEFORE DELETE ON run_evidence WHEN OLD.bundle_no NOT IN (SELECT no FROM erasing_bundles)
BEGIN SELECT RAISE(ABORT, 'a link stays on record'); END;
DROP TRIGGER IF EXISTS lake_artifacts_stay;            -- an artifact goes by its own erasure, or with the last bundle that names it
CREATE TRIGGER lake_artifacts_stay BEFORE DELETE ON lake_artifacts
WHEN NOT EXISTS (SELECT 1 FROM erasures WHERE tenant_id = OLD.tenant_id AND state = 'erasing' AND (kind = 'artifact' AND object_id = OLD.path OR kind = 'bundle'))
BEGIN SELECT RAISE(ABORT, 'an artifact stays on record'); END;

-- A pack goes when its time is over (P-17), or by an erasure that two people decided.
DROP TRIGGER IF EXISTS pack_tombstones_due;
CREATE TRIGGER pack_tombstones_due BEFORE INSERT ON pack_tombstones
WHEN NEW.purged_by = NEW.second_by
  OR EXISTS (SELECT 1 FROM pack_tombstones WHERE tenant_id = NEW.tenant_id AND pack_id = NEW.pack_id)
  OR NOT EXISTS (SELECT 1 FROM pack_purges
    WHERE tenant_id = NEW.tenant_id AND pack_id = NEW.pack_id AND state = 'asked' AND asked_by = NEW.purged_by)
    AND NOT EXISTS (SELECT 1 FROM erasures
    WHERE tenant_id = NEW.tenant_id AND kind = 'pack' AND object_id = NEW.pack_id AND state = 'erasing' AND asked_by = NEW.purged_by)
  OR NOT EXISTS (SELECT 1 FROM evidence_packs WHERE tenant_id = NEW.tenant_id AND pack_id = NEW.pack_id AND on_hold = 0 AND state <> 'in_review'
    AND digest = NEW.digest AND decision_id = NEW.decision_id AND (retain_until <= NEW.purged_at OR EXISTS (SELECT 1 FROM erasures
    WHERE tenant_id = NEW.tenant_id AND kind = 'pack' AND object_id = NEW.pack_id AND state = 'erasing')))
  OR EXISTS (SELECT 1 FROM evidence_packs WHERE tenant_id = NEW.tenant_id AND supersedes = NEW.pack_id)
BEGIN SELECT RAISE(ABORT, 'this pack may not be purged'); END;

-- Rows are deleted from this index now, so it must be able to; filled by find_fill.go.
DELETE FROM find_runs;
DROP TABLE find_search;
CREATE VIRTUAL TABLE find_search USING fts5 (
  words, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'
);
