-- Older programs serve on: none
-- Judges over the network (rules J-10, SEC-28). An older program would call the recorded rows of endpoints missing, would leave
-- their keys sealed with a master key that it replaces, and would keep answers when it erases their document.

-- What a tenant's sessions may be judged by. Costs are millionths of the currency that the tenant counts in; 0 is no bound.
CREATE TABLE model_endpoints (
  tenant_id          TEXT NOT NULL REFERENCES tenants (id),
  id                 TEXT NOT NULL,
  name               TEXT NOT NULL,
  kind               TEXT NOT NULL CHECK (kind IN ('openai', 'anthropic', 'nli', 'embeddings')),
  url                TEXT NOT NULL,
  model              TEXT NOT NULL,            -- '' where the address says which
  sealed             BLOB NOT NULL,            -- the key, encrypted with the master key; empty for none
  trust_supported    INTEGER NOT NULL,         -- millionths: the measured share of "supported" that is right, 0 if not measured
  trust_contradicted INTEGER NOT NULL,
  price_in           INTEGER NOT NULL,         -- cost of a million tokens of questions
  price_out          INTEGER NOT NULL,         -- cost of a million tokens of answers
  run_tokens         INTEGER NOT NULL,         -- bounds of one run
  run_cost           INTEGER NOT NULL,
  day_tokens         INTEGER NOT NULL,         -- bounds of one day in UTC
  day_cost           INTEGER NOT NULL,
  parallel           INTEGER NOT NULL,         -- questions at a time in one run
  timeout_ms         INTEGER NOT NULL,         -- of one try
  redact             INTEGER NOT NULL,         -- 1: personal data is replaced before anything is sent
  revision           INTEGER NOT NULL,
  created_at         TEXT NOT NULL,
  created_by         TEXT NOT NULL,
  changed_at         TEXT NOT NULL,
  changed_by         TEXT NOT NULL,
  disabled_at        TEXT NOT NULL,            -- '' while enabled
  PRIMARY KEY (tenant_id, id)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX model_endpoints_named ON model_endpoints (tenant_id, name);

-- What an endpoint was asked about a session, without any word of it.
CREATE TABLE model_calls (
  no          INTEGER PRIMARY KEY,
  tenant_id   TEXT NOT NULL,
  session_no  INTEGER NOT NULL,
  endpoint_id TEXT NOT NULL,                   -- may be gone
  job_id      TEXT NOT NULL,
  claim       INTEGER NOT NULL,
  at          TEXT NOT NULL,                   -- when it was answered, or given up
  kind        TEXT NOT NULL,
  model       TEXT NOT NULL,
  template    TEXT NOT NULL,
  question    TEXT NOT NULL,                   -- SHA-256 of the body that was sent last, '' once a document is erased
  answer      TEXT NOT NULL,                   -- SHA-256 of the answer, '' if none, and once a document is erased
  tries       INTEGER NOT NULL,
  tokens_in   INTEGER NOT NULL,
  tokens_out  INTEGER NOT NULL,
  cost        INTEGER NOT NULL,
  latency_us  INTEGER NOT NULL,
  fault       TEXT NOT NULL,                   -- code of the fault, '' if there was none
  violations  INTEGER NOT NULL,                -- ids that the model was not given
  addressing  INTEGER NOT NULL,                -- ids of sentences that speak to the judge
  disagree    INTEGER NOT NULL,                -- 1: the embedded judge finds otherwise
  FOREIGN KEY (tenant_id, session_no) REFERENCES sessions (tenant_id, no) ON DELETE CASCADE
) STRICT;

CREATE INDEX model_calls_session ON model_calls (tenant_id, session_no, job_id);

-- What was answered, so that nothing is asked twice. It may repeat words of documents: it goes with the session, and when
-- a document of the session is erased.
CREATE TABLE model_answers (
  tenant_id  TEXT NOT NULL,
  session_no INTEGER NOT NULL,
  digest     TEXT NOT NULL,                    -- SHA-256 of kind, address, model, template and question
  job_id     TEXT NOT NULL,                    -- that asked
  at         TEXT NOT NULL,
  counts     INTEGER NOT NULL,                 -- 0: it cannot be read as an answer, so that another job asks again
  answer     TEXT NOT NULL,
  PRIMARY KEY (tenant_id, session_no, digest),
  FOREIGN KEY (tenant_id, session_no) REFERENCES sessions (tenant_id, no) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- What was spent, also on sessions that are gone.
CREATE TABLE model_spending (
  tenant_id   TEXT NOT NULL REFERENCES tenants (id),
  endpoint_id TEXT NOT NULL,
  day         TEXT NOT NULL,                   -- in UTC
  calls       INTEGER NOT NULL,
  failed      INTEGER NOT NULL,
  tokens_in   INTEGER NOT NULL,
  tokens_out  INTEGER NOT NULL,
  cost        INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, endpoint_id, day)
) STRICT, WITHOUT ROWID;
