-- Work that nobody waits for at the door: big imports (docs/adr/0008). What a job reads lies in the bucket until it has
-- ended; what came of it is stored in the transaction that ends it.

CREATE TABLE jobs (
  id         TEXT NOT NULL PRIMARY KEY,
  tenant_id  TEXT NOT NULL REFERENCES tenants (id),
  kind       TEXT NOT NULL CHECK (kind IN ('file', 'form')),
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

CREATE INDEX jobs_newest ON jobs (tenant_id, created_at, id);
CREATE INDEX jobs_open   ON jobs (state, created_at, id) WHERE state IN ('queued', 'running');
CREATE INDEX jobs_same   ON jobs (tenant_id, digest, kind);
CREATE INDEX jobs_ended  ON jobs (tenant_id, ended_at) WHERE ended_at <> '';
