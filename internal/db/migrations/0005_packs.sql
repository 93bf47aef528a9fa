-- Decisions and evidence packs (spec page 4; seed 003). What a submitted pack says is never changed again, nor is one taken
-- away, unless a purge of it is on record: the triggers below refuse that to whoever has the database open, also by way of
-- INSERT OR REPLACE, which deletes rows without asking a delete trigger.

CREATE TABLE tenant_secrets (              -- from which the salts of S3 content come; never in a pack
  tenant_id  TEXT NOT NULL REFERENCES tenants (id),
  purpose    TEXT NOT NULL,
  sealed     BLOB NOT NULL,                -- encrypted with the master key
  created_at TEXT NOT NULL,
  PRIMARY KEY (tenant_id, purpose)
) STRICT, WITHOUT ROWID;

CREATE TABLE decisions (
  no             INTEGER PRIMARY KEY,
  tenant_id      TEXT NOT NULL REFERENCES tenants (id),
  decision_id    TEXT NOT NULL,            -- the caller's
  digest         TEXT NOT NULL,            -- of data
  missing        INTEGER NOT NULL,         -- it must have a pack and has none
  created_at     TEXT NOT NULL,
  title          TEXT NOT NULL,
  agent_name     TEXT NOT NULL,
  entity_id      TEXT NOT NULL,
  approval_class TEXT NOT NULL,            -- the effective one
  level          TEXT NOT NULL CHECK (level IN ('mandatory', 'recommended', 'skip')),
  session_id     TEXT NOT NULL,            -- sessions.id as the caller named it, '' for none; it may not be there
  decided_at     TEXT NOT NULL,            -- as given
  data           TEXT NOT NULL,            -- RFC 8785 JSON of the decision, its S3 content replaced
  UNIQUE (tenant_id, decision_id)
) STRICT;

CREATE INDEX decisions_created ON decisions (tenant_id, created_at, decision_id);
CREATE INDEX decisions_level   ON decisions (tenant_id, level, created_at, decision_id);
CREATE INDEX decisions_missing ON decisions (tenant_id, created_at, decision_id) WHERE missing = 1;

CREATE TABLE evidence_packs (
  no             INTEGER PRIMARY KEY,
  tenant_id      TEXT NOT NULL REFERENCES tenants (id),
  pack_id        TEXT NOT NULL UNIQUE,
  decision_id    TEXT NOT NULL,
  version        INTEGER NOT NULL,
  supersedes     TEXT NOT NULL,            -- pack_id, '' for a first version
  family         TEXT NOT NULL,            -- pack_id of the first version
  session_id     TEXT NOT NULL,
  title          TEXT NOT NULL,
  agent_name     TEXT NOT NULL,
  entity_id      TEXT NOT NULL,
  approval_class TEXT NOT NULL,            -- the effective one
  level          TEXT NOT NULL,
  need           INTEGER NOT NULL,         -- approvers
  made_by        TEXT NOT NULL,
  created_at     TEXT NOT NULL,
  retain_until   TEXT NOT NULL,
  -- what changes
  state          TEXT NOT NULL CHECK (state IN ('draft', 'in_review', 'signed_off', 'returned', 'superseded')),
  revision       INTEGER NOT NULL,
  updated_at     TEXT NOT NULL,
  approvals      INTEGER NOT NULL,
  on_hold        INTEGER NOT NULL,
  superseded_by  TEXT NOT NULL,            -- '' until it is
  signed_at      TEXT NOT NULL,            -- '' until it is
  returned_at    TEXT NOT NULL,            -- '' until it is; with it who and why
  returned_by    TEXT NOT NULL,
  returned_name  TEXT NOT NULL,
  return_reason  TEXT NOT NULL,
  -- what submission freezes
  submitted_at   TEXT NOT NULL,            -- '' for a draft
  digest         TEXT NOT NULL,            -- of content, '' for a draft
  secret         BLOB NOT NULL,            -- sealed; the salts of the content root come from it
  content        TEXT NOT NULL,            -- a draft's JSON without the ledger; from submission on the bytes of pack.json
  FOREIGN KEY (tenant_id, decision_id) REFERENCES decisions (tenant_id, decision_id)
) STRICT;

CREATE INDEX evidence_packs_created  ON evidence_packs (tenant_id, created_at, pack_id);
CREATE INDEX evidence_packs_state    ON evidence_packs (tenant_id, state, created_at, pack_id);
CREATE INDEX evidence_packs_decision ON evidence_packs (tenant_id, decision_id, no);
CREATE INDEX evidence_packs_session  ON evidence_packs (tenant_id, session_id) WHERE session_id <> '';
CREATE INDEX evidence_packs_family   ON evidence_packs (tenant_id, family, no);
CREATE INDEX evidence_packs_waiting  ON evidence_packs (tenant_id, submitted_at) WHERE state = 'in_review';
CREATE INDEX evidence_packs_retained ON evidence_packs (tenant_id, retain_until);
CREATE INDEX evidence_packs_next     ON evidence_packs (tenant_id, supersedes) WHERE supersedes <> '';
-- one chain per decision, and one open version per predecessor
CREATE UNIQUE INDEX evidence_packs_first ON evidence_packs (tenant_id, decision_id) WHERE supersedes = '';
CREATE UNIQUE INDEX evidence_packs_open  ON evidence_packs (tenant_id, supersedes) WHERE supersedes <> '' AND state IN ('draft', 'in_review');

CREATE TABLE pack_makers (                 -- who may not approve
  tenant_id TEXT NOT NULL,
  pack_id   TEXT NOT NULL REFERENCES evidence_packs (pack_id),
  actor     TEXT NOT NULL,
  own       INTEGER NOT NULL,              -- made or edited this version; 0: one before it
  n         INTEGER NOT NULL,              -- the order
  PRIMARY KEY (tenant_id, pack_id, actor)
) STRICT, WITHOUT ROWID;

CREATE TABLE pack_approvals (
  tenant_id TEXT NOT NULL,
  pack_id   TEXT NOT NULL REFERENCES evidence_packs (pack_id),
  n         INTEGER NOT NULL,              -- 0, 1 …
  actor     TEXT NOT NULL,
  name      TEXT NOT NULL,                 -- as shown then
  role      TEXT NOT NULL,
  at        TEXT NOT NULL,
  digest    TEXT NOT NULL,
  log_index INTEGER NOT NULL,              -- events.seq - 1
  comment   TEXT NOT NULL,
  PRIMARY KEY (tenant_id, pack_id, n)
) STRICT, WITHOUT ROWID;

CREATE TABLE pack_holds (                  -- legal holds, set and lifted in turn
  tenant_id TEXT NOT NULL,
  pack_id   TEXT NOT NULL REFERENCES evidence_packs (pack_id),
  n         INTEGER NOT NULL,
  held      INTEGER NOT NULL,              -- 1 set, 0 lifted
  actor     TEXT NOT NULL,
  at        TEXT NOT NULL,
  reason    TEXT NOT NULL,
  PRIMARY KEY (tenant_id, pack_id, n)
) STRICT, WITHOUT ROWID;

CREATE TABLE pack_files (                  -- made once, at sign-off; pack.json is evidence_packs.content
  tenant_id  TEXT NOT NULL,
  pack_id    TEXT NOT NULL REFERENCES evidence_packs (pack_id),
  name       TEXT NOT NULL,
  media_type TEXT NOT NULL,
  size       INTEGER NOT NULL,
  sha256     TEXT NOT NULL,
  data       BLOB NOT NULL,
  PRIMARY KEY (tenant_id, pack_id, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE pack_attachments (            -- originals of the session's documents, as the pack pins them; the files are in the bucket
  tenant_id  TEXT NOT NULL,
  pack_id    TEXT NOT NULL REFERENCES evidence_packs (pack_id),
  n          INTEGER NOT NULL,
  blob       TEXT NOT NULL,                -- key in the bucket
  name       TEXT NOT NULL,
  media_type TEXT NOT NULL,
  size       INTEGER NOT NULL,
  sha256     TEXT NOT NULL,
  PRIMARY KEY (tenant_id, pack_id, n)
) STRICT, WITHOUT ROWID;

CREATE TABLE pack_exports (
  id         TEXT NOT NULL PRIMARY KEY,
  tenant_id  TEXT NOT NULL,
  pack_id    TEXT NOT NULL REFERENCES evidence_packs (pack_id),
  format     TEXT NOT NULL,
  state      TEXT NOT NULL CHECK (state IN ('asked', 'granted', 'refused')),
  asked_by   TEXT NOT NULL,
  asked_name TEXT NOT NULL,
  asked_at   TEXT NOT NULL,
  decided_by TEXT NOT NULL,                -- '' while asked
  decided_at TEXT NOT NULL,
  token_hash TEXT,                         -- of the link, NULL until it is made
  linked_at  TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  reason     TEXT NOT NULL                 -- for asking, or for refusing
) STRICT;

CREATE UNIQUE INDEX pack_exports_link ON pack_exports (token_hash) WHERE token_hash IS NOT NULL;
CREATE INDEX pack_exports_waiting ON pack_exports (tenant_id, asked_at, id) WHERE state = 'asked';
CREATE INDEX pack_exports_asker   ON pack_exports (tenant_id, asked_by, asked_at, id);
CREATE INDEX pack_exports_pack    ON pack_exports (pack_id);

CREATE TABLE pack_purges (                 -- dry runs that wait for a second person, and what became of them
  id           TEXT NOT NULL PRIMARY KEY,
  tenant_id    TEXT NOT NULL REFERENCES tenants (id),
  pack_id      TEXT NOT NULL,
  state        TEXT NOT NULL CHECK (state IN ('asked', 'done', 'refused')),
  asked_by     TEXT NOT NULL,
  asked_name   TEXT NOT NULL,
  asked_at     TEXT NOT NULL,
  files        INTEGER NOT NULL,
  bytes        INTEGER NOT NULL,
  decision     INTEGER NOT NULL,           -- the decision goes too
  confirmed_by TEXT NOT NULL,              -- or refused by; '' while asked
  confirmed_at TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX pack_purges_open ON pack_purges (tenant_id, pack_id) WHERE state = 'asked';
CREATE INDEX pack_purges_asked ON pack_purges (tenant_id, asked_at, id);

CREATE TABLE pack_tombstones (
  tenant_id    TEXT NOT NULL REFERENCES tenants (id),
  pack_id      TEXT NOT NULL,
  decision_id  TEXT NOT NULL,
  digest       TEXT NOT NULL,
  created_at   TEXT NOT NULL,
  retain_until TEXT NOT NULL,
  purged_at    TEXT NOT NULL,
  purged_by    TEXT NOT NULL,
  second_by    TEXT NOT NULL,
  PRIMARY KEY (tenant_id, pack_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX pack_tombstones_decision ON pack_tombstones (tenant_id, decision_id);

-- Full text, as session_search is: rows carry the number of their decision or pack, and begin with the tenant's word.
CREATE VIRTUAL TABLE decision_search USING fts5 (
  words, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'
);

CREATE VIRTUAL TABLE pack_search USING fts5 (
  words, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'
);

-- Decisions: what was taken in stays.

CREATE TRIGGER decisions_new BEFORE INSERT ON decisions
WHEN EXISTS (SELECT 1 FROM decisions WHERE no = NEW.no OR tenant_id = NEW.tenant_id AND decision_id = NEW.decision_id)
BEGIN SELECT RAISE(ABORT, 'a decision is never replaced'); END;

CREATE TRIGGER decisions_keep BEFORE UPDATE ON decisions
WHEN (NEW.no, NEW.tenant_id, NEW.decision_id, NEW.digest, NEW.created_at, NEW.title, NEW.agent_name, NEW.entity_id, NEW.approval_class, NEW.level,
    NEW.session_id, NEW.decided_at, NEW.data)
  IS NOT (OLD.no, OLD.tenant_id, OLD.decision_id, OLD.digest, OLD.created_at, OLD.title, OLD.agent_name, OLD.entity_id, OLD.approval_class, OLD.level,
    OLD.session_id, OLD.decided_at, OLD.data)
BEGIN SELECT RAISE(ABORT, 'a decision never changes'); END;

CREATE TRIGGER decisions_stay BEFORE DELETE ON decisions
WHEN NOT EXISTS (SELECT 1 FROM pack_tombstones WHERE tenant_id = OLD.tenant_id AND decision_id = OLD.decision_id)
  OR EXISTS (SELECT 1 FROM evidence_packs WHERE tenant_id = OLD.tenant_id AND decision_id = OLD.decision_id)
BEGIN SELECT RAISE(ABORT, 'a decision goes with the purge of its last pack only'); END;

-- Packs: what identifies one never changes, what it says is frozen by submission, and it lives as page 4 says.

CREATE TRIGGER evidence_packs_new BEFORE INSERT ON evidence_packs
WHEN EXISTS (SELECT 1 FROM evidence_packs WHERE no = NEW.no OR pack_id = NEW.pack_id
    OR NEW.supersedes = '' AND supersedes = '' AND tenant_id = NEW.tenant_id AND decision_id = NEW.decision_id
    OR NEW.supersedes <> '' AND supersedes = NEW.supersedes AND tenant_id = NEW.tenant_id AND state IN ('draft', 'in_review'))
BEGIN SELECT RAISE(ABORT, 'a pack is never replaced'); END;

CREATE TRIGGER evidence_packs_draft BEFORE INSERT ON evidence_packs
WHEN NEW.state <> 'draft' OR NEW.revision <> 1 OR NEW.approvals <> 0 OR NEW.signed_at <> '' OR NEW.digest <> ''
  OR EXISTS (SELECT 1 FROM pack_tombstones WHERE pack_id = NEW.pack_id)
BEGIN SELECT RAISE(ABORT, 'a pack begins as a draft'); END;

CREATE TRIGGER evidence_packs_same BEFORE UPDATE ON evidence_packs
WHEN (NEW.no, NEW.tenant_id, NEW.pack_id, NEW.decision_id, NEW.version, NEW.supersedes, NEW.family, NEW.session_id, NEW.title, NEW.agent_name,
    NEW.entity_id, NEW.approval_class, NEW.level, NEW.need, NEW.made_by, NEW.created_at, NEW.retain_until, NEW.secret)
  IS NOT (OLD.no, OLD.tenant_id, OLD.pack_id, OLD.decision_id, OLD.version, OLD.supersedes, OLD.family, OLD.session_id, OLD.title, OLD.agent_name,
    OLD.entity_id, OLD.approval_class, OLD.level, OLD.need, OLD.made_by, OLD.created_at, OLD.retain_until, OLD.secret)
  OR NEW.revision <> OLD.revision + 1
BEGIN SELECT RAISE(ABORT, 'what identifies a pack never changes, and every change grows its revision by one'); END;

CREATE TRIGGER evidence_packs_frozen BEFORE UPDATE ON evidence_packs
WHEN OLD.state <> 'draft' AND (NEW.content, NEW.digest, NEW.submitted_at) IS NOT (OLD.content, OLD.digest, OLD.submitted_at)
BEGIN SELECT RAISE(ABORT, 'a submitted pack never changes'); END;

CREATE TRIGGER evidence_packs_life BEFORE UPDATE ON evidence_packs
WHEN NEW.state <> OLD.state AND NOT (
    OLD.state = 'draft' AND NEW.state = 'in_review' AND NEW.digest <> '' AND NEW.submitted_at <> ''
    OR OLD.state = 'in_review' AND NEW.state = 'returned' AND NEW.returned_at <> ''
    OR OLD.state = 'in_review' AND NEW.state = 'signed_off' AND NEW.signed_at <> ''
      AND (SELECT count(*) FROM pack_approvals WHERE tenant_id = NEW.tenant_id AND pack_id = NEW.pack_id) >= NEW.need
    OR OLD.state IN ('signed_off', 'returned') AND NEW.state = 'superseded' AND NEW.superseded_by <> '')
  OR NEW.signed_at <> OLD.signed_at AND NOT (OLD.state = 'in_review' AND NEW.state = 'signed_off')
  OR NEW.superseded_by <> OLD.superseded_by AND NOT (OLD.state <> 'superseded' AND NEW.state = 'superseded')
  OR (NEW.returned_at, NEW.returned_by, NEW.returned_name, NEW.return_reason)
    IS NOT (OLD.returned_at, OLD.returned_by, OLD.returned_name, OLD.return_reason) AND NOT (OLD.state = 'in_review' AND NEW.state = 'returned')
  OR NEW.approvals <> OLD.approvals AND NOT (OLD.state = 'in_review' AND NEW.approvals = OLD.approvals + 1)
BEGIN SELECT RAISE(ABORT, 'this is not how a pack lives'); END;

CREATE TRIGGER evidence_packs_stay BEFORE DELETE ON evidence_packs
WHEN NOT EXISTS (SELECT 1 FROM pack_tombstones WHERE tenant_id = OLD.tenant_id AND pack_id = OLD.pack_id)
BEGIN SELECT RAISE(ABORT, 'a pack goes by a recorded purge only'); END;

-- What belongs to a pack: appended while it lives, then kept; gone with a purge on record only.

CREATE TRIGGER pack_makers_next BEFORE INSERT ON pack_makers
WHEN NOT EXISTS (SELECT 1 FROM evidence_packs WHERE pack_id = NEW.pack_id AND tenant_id = NEW.tenant_id AND state = 'draft')
  OR NEW.n <> (SELECT count(*) FROM pack_makers WHERE tenant_id = NEW.tenant_id AND pack_id = NEW.pack_id)
  OR EXISTS (SELECT 1 FROM pack_makers WHERE tenant_id = NEW.tenant_id AND pack_id = NEW.pack_id AND actor = NEW.actor)
BEGIN SELECT RAISE(ABORT, 'makers are appended in order, to a draft'); END;
CREATE TRIGGER pack_makers_keep BEFORE UPDATE ON pack_makers
WHEN (NEW.tenant_id, NEW.pack_id, NEW.actor, NEW.n) IS NOT (OLD.tenant_id, OLD.pack_id, OLD.actor, OLD.n) OR NEW.own < OLD.own
BEGIN SELECT RAISE(ABORT, 'who made a pack stays'); END;
CREATE TRIGGER pack_makers_stay BEFORE DELETE ON pack_makers
WHEN NOT EXISTS (SELECT 1 FROM pack_tombstones WHERE tenant_id = OLD.tenant_id AND pack_id = OLD.pack_id)
BEGIN SELECT RAISE(ABORT, 'who made a pack stays'); END;

CREATE TRIGGER pack_approvals_next BEFORE INSERT ON pack_approvals
WHEN NOT EXISTS (SELECT 1 FROM evidence_packs WHERE pack_id = NEW.pack_id AND tenant_id = NEW.tenant_id AND state = 'in_review' AND digest = NEW.digest)
  OR NEW.n <> (SELECT count(*) FROM pack_approvals WHERE tenant_id = NEW.tenant_id AND pack_id = NEW.pack_id)
  OR EXISTS (SELECT 1 FROM pack_approvals WHERE tenant_id = NEW.tenant_id AND pack_id = NEW.pack_id AND actor = NEW.actor)
  OR EXISTS (SELECT 1 FROM pack_makers WHERE tenant_id = NEW.tenant_id AND pack_id = NEW.pack_id AND actor = NEW.actor)
BEGIN SELECT RAISE(ABORT, 'a pack in review is approved by others than its makers, each once'); END;
CREATE TRIGGER pack_approvals_keep BEFORE UPDATE ON pack_approvals
BEGIN SELECT RAISE(ABORT, 'approvals are append-only'); END;
CREATE TRIGGER pack_approvals_stay BEFORE DELETE ON pack_approvals
WHEN NOT EXISTS (SELECT 1 FROM pack_tombstones WHERE tenant_id = OLD.tenant_id AND pack_id = OLD.pack_id)
BEGIN SELECT RAISE(ABORT, 'approvals are append-only'); END;

CREATE TRIGGER pack_holds_next BEFORE INSERT ON pack_holds
WHEN NEW.n <> (SELECT count(*) FROM pack_holds WHERE tenant_id = NEW.tenant_id AND pack_id = NEW.pack_id)
BEGIN SELECT RAISE(ABORT, 'holds are appended in order'); END;
CREATE TRIGGER pack_holds_keep BEFORE UPDATE ON pack_holds
BEGIN SELECT RAISE(ABORT, 'holds are append-only'); END;
CREATE TRIGGER pack_holds_stay BEFORE DELETE ON pack_holds
WHEN NOT EXISTS (SELECT 1 FROM pack_tombstones WHERE tenant_id = OLD.tenant_id AND pack_id = OLD.pack_id)
BEGIN SELECT RAISE(ABORT, 'holds are append-only'); END;

CREATE TRIGGER pack_files_next BEFORE INSERT ON pack_files
WHEN NOT EXISTS (SELECT 1 FROM evidence_packs WHERE pack_id = NEW.pack_id AND tenant_id = NEW.tenant_id AND state = 'in_review')
  OR EXISTS (SELECT 1 FROM pack_files WHERE tenant_id = NEW.tenant_id AND pack_id = NEW.pack_id AND name = NEW.name)
BEGIN SELECT RAISE(ABORT, 'the files of a pack are made once'); END;
CREATE TRIGGER pack_files_keep BEFORE UPDATE ON pack_files
BEGIN SELECT RAISE(ABORT, 'the files of a pack never change'); END;
CREATE TRIGGER pack_files_stay BEFORE DELETE ON pack_files
WHEN NOT EXISTS (SELECT 1 FROM pack_tombstones WHERE tenant_id = OLD.tenant_id AND pack_id = OLD.pack_id)
BEGIN SELECT RAISE(ABORT, 'the files of a pack go by a recorded purge only'); END;

CREATE TRIGGER pack_attachments_next BEFORE INSERT ON pack_attachments
WHEN NOT EXISTS (SELECT 1 FROM evidence_packs WHERE pack_id = NEW.pack_id AND tenant_id = NEW.tenant_id AND state = 'draft')
  OR NEW.n <> (SELECT count(*) FROM pack_attachments WHERE tenant_id = NEW.tenant_id AND pack_id = NEW.pack_id)
BEGIN SELECT RAISE(ABORT, 'attachments are appended in order, to a draft'); END;
CREATE TRIGGER pack_attachments_keep BEFORE UPDATE ON pack_attachments
BEGIN SELECT RAISE(ABORT, 'the attachments of a pack never change'); END;
CREATE TRIGGER pack_attachments_stay BEFORE DELETE ON pack_attachments
WHEN NOT EXISTS (SELECT 1 FROM pack_tombstones WHERE tenant_id = OLD.tenant_id AND pack_id = OLD.pack_id)
BEGIN SELECT RAISE(ABORT, 'the attachments of a pack go by a recorded purge only'); END;

-- A tombstone, which lets a pack go, needs a dry run by another person, a time that is over, no hold, and no successor.
CREATE TRIGGER pack_tombstones_due BEFORE INSERT ON pack_tombstones
WHEN NEW.purged_by = NEW.second_by
  OR EXISTS (SELECT 1 FROM pack_tombstones WHERE tenant_id = NEW.tenant_id AND pack_id = NEW.pack_id)
  OR NOT EXISTS (SELECT 1 FROM pack_purges
    WHERE tenant_id = NEW.tenant_id AND pack_id = NEW.pack_id AND state = 'asked' AND asked_by = NEW.purged_by)
  OR NOT EXISTS (SELECT 1 FROM evidence_packs WHERE tenant_id = NEW.tenant_id AND pack_id = NEW.pack_id AND on_hold = 0 AND state <> 'in_review'
    AND digest = NEW.digest AND decision_id = NEW.decision_id AND retain_until <= NEW.purged_at)
  OR EXISTS (SELECT 1 FROM evidence_packs WHERE tenant_id = NEW.tenant_id AND supersedes = NEW.pack_id)
BEGIN SELECT RAISE(ABORT, 'this pack may not be purged'); END;
CREATE TRIGGER pack_tombstones_keep BEFORE UPDATE ON pack_tombstones
BEGIN SELECT RAISE(ABORT, 'tombstones stay as they are'); END;
CREATE TRIGGER pack_tombstones_stay BEFORE DELETE ON pack_tombstones
BEGIN SELECT RAISE(ABORT, 'tombstones stay'); END;

-- What an unpurged pack refers to stays (spec page 4 "Retention").
CREATE TRIGGER sessions_referenced BEFORE DELETE ON sessions
WHEN EXISTS (SELECT 1 FROM evidence_packs WHERE tenant_id = OLD.tenant_id AND session_id = OLD.id)
BEGIN SELECT RAISE(ABORT, 'an evidence pack refers to this session'); END;

CREATE TRIGGER documents_referenced BEFORE DELETE ON documents
WHEN EXISTS (SELECT 1 FROM sessions s JOIN evidence_packs p ON p.tenant_id = s.tenant_id AND p.session_id = s.id
  WHERE s.no = OLD.session_no AND s.tenant_id = OLD.tenant_id)
BEGIN SELECT RAISE(ABORT, 'an evidence pack refers to this document'); END;

CREATE TRIGGER documents_wanted BEFORE UPDATE ON documents
WHEN (NEW.blob <> OLD.blob OR NEW.status <> OLD.status) AND EXISTS (
  SELECT 1 FROM sessions s JOIN evidence_packs p ON p.tenant_id = s.tenant_id AND p.session_id = s.id
  WHERE s.no = OLD.session_no AND s.tenant_id = OLD.tenant_id)
BEGIN SELECT RAISE(ABORT, 'an evidence pack refers to this document'); END;

CREATE TRIGGER chunks_referenced BEFORE DELETE ON chunks
WHEN EXISTS (SELECT 1 FROM sessions s JOIN evidence_packs p ON p.tenant_id = s.tenant_id AND p.session_id = s.id
  WHERE s.no = OLD.session_no AND s.tenant_id = OLD.tenant_id)
BEGIN SELECT RAISE(ABORT, 'an evidence pack refers to this text'); END;
