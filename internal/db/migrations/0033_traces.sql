-- Older programs serve on: none
-- Traces that arrive as they happen (docs/traces.md). Text of spans is here only until its trace is done with, or for a day
-- if nothing was made of it: what was made, and can be erased, holds its own.
CREATE TABLE live_traces (
  tenant_id  TEXT NOT NULL REFERENCES tenants (id),
  trace_id   TEXT NOT NULL,             -- 32 hex digits
  state      TEXT NOT NULL,             -- gathering, session, decision, nothing, failed
  service    TEXT NOT NULL,
  name       TEXT NOT NULL,
  first_at   TEXT NOT NULL,
  last_at    TEXT NOT NULL,
  root_at    TEXT NOT NULL,             -- when the ended root came in, '' if it has not
  due_at     TEXT NOT NULL,             -- when it is complete
  spans      INTEGER NOT NULL,          -- that were kept
  bytes      INTEGER NOT NULL,          -- of their bodies
  late       INTEGER NOT NULL,          -- spans that came when it was done with
  attempts   INTEGER NOT NULL,
  owner      TEXT NOT NULL,             -- the worker that has it, '' if none
  held_until TEXT NOT NULL,             -- '' if none
  actor      TEXT NOT NULL,             -- who sent its first span
  actor_more TEXT NOT NULL,             -- JSON, as of jobs
  cause      TEXT NOT NULL,             -- why nothing was made, '' otherwise
  note       TEXT NOT NULL,             -- what is wrong with it, '' if nothing
  object_id  TEXT NOT NULL,             -- of the session or decision, '' if none
  ended_at   TEXT NOT NULL,             -- '' while it is gathered
  PRIMARY KEY (tenant_id, trace_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX live_traces_due    ON live_traces (due_at, tenant_id, trace_id) WHERE state = 'gathering';
CREATE INDEX live_traces_open   ON live_traces (tenant_id, bytes) WHERE state = 'gathering';
CREATE INDEX live_traces_listed ON live_traces (tenant_id, last_at, trace_id);
CREATE INDEX live_traces_ended  ON live_traces (ended_at, tenant_id, trace_id) WHERE ended_at <> '';

CREATE TABLE live_spans (
  tenant_id TEXT NOT NULL,
  trace_id  TEXT NOT NULL,
  span_id   TEXT NOT NULL,              -- 16 hex digits
  service   TEXT NOT NULL,
  body      TEXT NOT NULL,              -- OTLP/JSON; '' once something was made of the trace, and if the span came late
  PRIMARY KEY (tenant_id, trace_id, span_id),
  FOREIGN KEY (tenant_id, trace_id) REFERENCES live_traces (tenant_id, trace_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE live_rules (
  tenant_id TEXT PRIMARY KEY REFERENCES tenants (id),
  revision  INTEGER NOT NULL,
  rules     TEXT NOT NULL,              -- JSON
  actor     TEXT NOT NULL,
  at        TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- What became of spans and traces, by day.
CREATE TABLE live_counts (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  day       TEXT NOT NULL,              -- in UTC
  what      TEXT NOT NULL,              -- a state, or a cause
  n         INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, day, what)
) STRICT, WITHOUT ROWID;

CREATE INDEX live_counts_day ON live_counts (day);

-- Which processes serve, so that nobody changes the schema under one that cannot go on (rule DB-13). No record depends on
-- it; the row of a process that is gone is deleted. Limits of requests are each process's own.
DROP TABLE limit_use;
CREATE TABLE serving (
  process TEXT NOT NULL PRIMARY KEY,    -- host, process id and a random part, new at each start
  level   INTEGER NOT NULL,             -- the newest level of the schema that it knows
  at      TEXT NOT NULL
) STRICT, WITHOUT ROWID;
