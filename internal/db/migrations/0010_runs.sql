-- A session may be judged again, and a document withdrawn. The newest run's judgement stands in claims, matches and citations;
-- of the runs before it, it is kept here, and for each run what it changed. Runs are history: nothing of them is rewritten.

ALTER TABLE claims ADD COLUMN stale_reviews INTEGER NOT NULL DEFAULT 0; -- so many, the oldest, saw another judgement
ALTER TABLE claims ADD COLUMN stale INTEGER NOT NULL DEFAULT 0;         -- the review that decides is one of them
CREATE INDEX claims_stale ON claims (session_no, position) WHERE stale = 1;

ALTER TABLE documents ADD COLUMN withdrawn TEXT NOT NULL DEFAULT '';    -- why it is out of use

CREATE INDEX ledger_runs_id ON ledger_runs (tenant_id, id);

CREATE TRIGGER ledger_runs_next BEFORE INSERT ON ledger_runs
WHEN NEW.n <> (SELECT count(*) FROM ledger_runs WHERE session_no = NEW.session_no)
BEGIN SELECT RAISE(ABORT, 'runs are appended in order'); END;
CREATE TRIGGER ledger_runs_keep BEFORE UPDATE ON ledger_runs BEGIN SELECT RAISE(ABORT, 'runs are append-only'); END;
CREATE TRIGGER ledger_runs_stay BEFORE DELETE ON ledger_runs BEGIN SELECT RAISE(ABORT, 'runs are append-only'); END;

CREATE TABLE run_marks (                   -- what else there is to say of a run than its first had
  session_no INTEGER NOT NULL,
  run        INTEGER NOT NULL,             -- ledger_runs.n, from 1
  tenant_id  TEXT NOT NULL,
  made_by    TEXT NOT NULL,                -- id of the actor
  changed    INTEGER NOT NULL,             -- rows of run_changes
  flips      INTEGER NOT NULL,             -- of them, those with another verdict
  stale      INTEGER NOT NULL,             -- reviews that it made stale
  PRIMARY KEY (session_no, run),
  FOREIGN KEY (session_no, run) REFERENCES ledger_runs (session_no, n)
) STRICT, WITHOUT ROWID;

CREATE TABLE run_claims (                  -- the judgement of a run that is not the newest
  session_no INTEGER NOT NULL,
  run        INTEGER NOT NULL,             -- ledger_runs.n
  claim      INTEGER NOT NULL,             -- claims.position
  tenant_id  TEXT NOT NULL,
  verdict    TEXT NOT NULL,                -- the machine's, '' unjudged
  confidence REAL NOT NULL,
  judge      TEXT NOT NULL,
  given      INTEGER NOT NULL,
  unjudged   TEXT NOT NULL,
  matches    TEXT,                         -- JSON of []ledger.Match
  PRIMARY KEY (session_no, run, claim),
  FOREIGN KEY (session_no, run) REFERENCES ledger_runs (session_no, n)
) STRICT, WITHOUT ROWID;

CREATE TABLE run_changes (                 -- what a run changed against the one before it, in claim order
  session_no      INTEGER NOT NULL,
  run             INTEGER NOT NULL,        -- ledger_runs.n, from 1
  claim           INTEGER NOT NULL,
  tenant_id       TEXT NOT NULL,
  from_verdict    TEXT NOT NULL,
  to_verdict      TEXT NOT NULL,
  from_confidence REAL NOT NULL,
  to_confidence   REAL NOT NULL,
  stale           INTEGER NOT NULL,        -- reviews that it made stale
  gained          TEXT,                    -- JSON of []ledger.Stance
  lost            TEXT,                    -- JSON of []ledger.Stance
  PRIMARY KEY (session_no, run, claim),
  FOREIGN KEY (session_no, run) REFERENCES ledger_runs (session_no, n)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER run_marks_new BEFORE INSERT ON run_marks
WHEN EXISTS (SELECT 1 FROM run_marks WHERE session_no = NEW.session_no AND run = NEW.run)
BEGIN SELECT RAISE(ABORT, 'runs are append-only'); END;
CREATE TRIGGER run_marks_keep BEFORE UPDATE ON run_marks BEGIN SELECT RAISE(ABORT, 'runs are append-only'); END;
CREATE TRIGGER run_marks_stay BEFORE DELETE ON run_marks BEGIN SELECT RAISE(ABORT, 'runs are append-only'); END;
CREATE TRIGGER run_claims_new BEFORE INSERT ON run_claims
WHEN EXISTS (SELECT 1 FROM run_claims WHERE session_no = NEW.session_no AND run = NEW.run AND claim = NEW.claim)
BEGIN SELECT RAISE(ABORT, 'runs are append-only'); END;
CREATE TRIGGER run_claims_keep BEFORE UPDATE ON run_claims BEGIN SELECT RAISE(ABORT, 'runs are append-only'); END;
CREATE TRIGGER run_claims_stay BEFORE DELETE ON run_claims BEGIN SELECT RAISE(ABORT, 'runs are append-only'); END;
CREATE TRIGGER run_changes_new BEFORE INSERT ON run_changes
WHEN EXISTS (SELECT 1 FROM run_changes WHERE session_no = NEW.session_no AND run = NEW.run AND claim = NEW.claim)
BEGIN SELECT RAISE(ABORT, 'runs are append-only'); END;
CREATE TRIGGER run_changes_keep BEFORE UPDATE ON run_changes BEGIN SELECT RAISE(ABORT, 'runs are append-only'); END;
CREATE TRIGGER run_changes_stay BEFORE DELETE ON run_changes BEGIN SELECT RAISE(ABORT, 'runs are append-only'); END;

-- Jobs may judge, too. SQLite widens a CHECK by a new table only.
CREATE TABLE jobs_wider (
  id         TEXT NOT NULL PRIMARY KEY,
  tenant_id  TEXT NOT NULL REFERENCES tenants (id),
  kind       TEXT NOT NULL CHECK (kind IN ('file', 'form', 'judge')),
  state      TEXT NOT NULL CHECK (state IN ('queued', 'running', 'done', 'failed', 'cancelled')),
  name       TEXT NOT NULL,             -- of the upload, as it was given
  digest     TEXT NOT NULL,             -- SHA-256 of the upload: the same again is the same job
  bytes      INTEGER NOT NULL,
  blob       TEXT NOT NULL,             -- key of the upload in the bucket
  actor      TEXT NOT NULL,             -- who asked
  actor_more TEXT NOT NULL,             -- JSON: role, token and so on, for the log
  step       TEXT NOT NULL,             -- reading, judging, storing, '' before
  done       INTEGER NOT NULL,          -- claims
  total      INTEGER NOT NULL,
  attempt    INTEGER NOT NULL,          -- how often it was begun
  owner      TEXT NOT NULL,             -- who runs it; ids of workers are used once
  beat_at    TEXT NOT NULL,             -- when the owner last said so
  session_id TEXT NOT NULL,             -- what came of it, '' for nothing yet
  created    INTEGER NOT NULL,          -- 0 where the session was there already
  warnings   TEXT,                      -- JSON
  fault      TEXT,                      -- JSON: why it failed, safe to show
  created_at TEXT NOT NULL,
  started_at TEXT NOT NULL,             -- of the newest attempt, '' before
  ended_at   TEXT NOT NULL              -- '' before
) STRICT;
INSERT INTO jobs_wider SELECT * FROM jobs;
DROP TABLE jobs;
ALTER TABLE jobs_wider RENAME TO jobs;
CREATE INDEX jobs_newest ON jobs (tenant_id, created_at, id);
CREATE INDEX jobs_open   ON jobs (state, created_at, id) WHERE state IN ('queued', 'running');
CREATE INDEX jobs_same   ON jobs (tenant_id, digest, kind);
CREATE INDEX jobs_ended  ON jobs (tenant_id, ended_at) WHERE ended_at <> '';
