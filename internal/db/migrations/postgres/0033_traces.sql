-- Older programs serve on: none
-- Traces that arrive as they happen (docs/traces.md). Text of spans is here only until its trace is done with, or for a day
-- if nothing was made of it: what was made, and can be erased, holds its own.
CREATE TABLE live_traces (
  tenant_id  text COLLATE "C" NOT NULL REFERENCES tenants (id) DEFERRABLE,
  trace_id   text COLLATE "C" NOT NULL,             -- 32 hex digits
  state      text COLLATE "C" NOT NULL,             -- gathering, session, decision, nothing, failed
  service    text COLLATE "C" NOT NULL,
  name       text COLLATE "C" NOT NULL,
  first_at   text COLLATE "C" NOT NULL,
  last_at    text COLLATE "C" NOT NULL,
  root_at    text COLLATE "C" NOT NULL,             -- when the ended root came in, '' if it has not
  due_at     text COLLATE "C" NOT NULL,             -- when it is complete
  spans      bigint NOT NULL,          -- that were kept
  bytes      bigint NOT NULL,          -- of their bodies
  late       bigint NOT NULL,          -- spans that came when it was done with
  attempts   bigint NOT NULL,
  owner      text COLLATE "C" NOT NULL,             -- the worker that has it, '' if none
  held_until text COLLATE "C" NOT NULL,             -- '' if none
  actor      text COLLATE "C" NOT NULL,             -- who sent its first span
  actor_more text COLLATE "C" NOT NULL,             -- JSON, as of jobs
  cause      text COLLATE "C" NOT NULL,             -- why nothing was made, '' otherwise
  note       text COLLATE "C" NOT NULL,             -- what is wrong with it, '' if nothing
  object_id  text COLLATE "C" NOT NULL,             -- of the session or decision, '' if none
  ended_at   text COLLATE "C" NOT NULL,             -- '' while it is gathered
  PRIMARY KEY (tenant_id, trace_id)
);

CREATE INDEX live_traces_due    ON live_traces (due_at, tenant_id, trace_id) WHERE state = 'gathering';
CREATE INDEX live_traces_open   ON live_traces (tenant_id, bytes) WHERE state = 'gathering';
CREATE INDEX live_traces_listed ON live_traces (tenant_id, last_at, trace_id);
CREATE INDEX live_traces_ended  ON live_traces (ended_at, tenant_id, trace_id) WHERE ended_at <> '';

CREATE TABLE live_spans (
  tenant_id text COLLATE "C" NOT NULL,
  trace_id  text COLLATE "C" NOT NULL,
  span_id   text COLLATE "C" NOT NULL,              -- 16 hex digits
  service   text COLLATE "C" NOT NULL,
  body      text COLLATE "C" NOT NULL,              -- OTLP/JSON; '' once something was made of the trace, and if the span came late
  PRIMARY KEY (tenant_id, trace_id, span_id),
  FOREIGN KEY (tenant_id, trace_id) REFERENCES live_traces (tenant_id, trace_id) DEFERRABLE
);

CREATE TABLE live_rules (
  tenant_id text COLLATE "C" NOT NULL PRIMARY KEY REFERENCES tenants (id) DEFERRABLE,
  revision  bigint NOT NULL,
  rules     text COLLATE "C" NOT NULL,              -- JSON
  actor     text COLLATE "C" NOT NULL,
  at        text COLLATE "C" NOT NULL
);

-- What became of spans and traces, by day.
CREATE TABLE live_counts (
  tenant_id text COLLATE "C" NOT NULL REFERENCES tenants (id) DEFERRABLE,
  day       text COLLATE "C" NOT NULL,              -- in UTC
  what      text COLLATE "C" NOT NULL,              -- a state, or a cause
  n         bigint NOT NULL,
  PRIMARY KEY (tenant_id, day, what)
);

CREATE INDEX live_counts_day ON live_counts (day);

-- Which processes serve, so that nobody changes the schema under one that cannot go on (rule DB-13). No record depends on
-- it; the row of a process that is gone is deleted. Limits of requests are each process's own.
DROP TABLE limit_use;
CREATE TABLE serving (
  process text COLLATE "C" NOT NULL PRIMARY KEY,    -- host, process id and a random part, new at each start
  level   bigint NOT NULL,                          -- the newest level of the schema that it knows
  at      text COLLATE "C" NOT NULL
);
