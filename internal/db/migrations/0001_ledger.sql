-- The ledger's tables. Rules that hold everywhere:
--   * every row carries tenant_id, and every query names it; foreign keys to sessions hold the tenant too
--   * ids shown to anybody are text UUIDs; "no" columns are inner row numbers, never shown
--   * times are RFC 3339 in UTC with nine fractional digits, so that text order is time order
--   * offsets count Unicode code points; booleans are 0 and 1; JSON columns are NULL where there is nothing
--   * wide columns stand last, so that lists read none of them
-- The type names are those of SQLite's STRICT tables; PostgreSQL reads INTEGER as BIGINT and BLOB as BYTEA.

CREATE TABLE tenants (
  id               TEXT NOT NULL PRIMARY KEY,
  slug             TEXT NOT NULL UNIQUE,
  name             TEXT NOT NULL,
  freshness_months INTEGER NOT NULL,
  created_at       TEXT NOT NULL
) STRICT;

CREATE TABLE sessions (
  no            INTEGER PRIMARY KEY,
  id            TEXT NOT NULL UNIQUE,
  tenant_id     TEXT NOT NULL REFERENCES tenants (id),
  ledger_id     TEXT NOT NULL,
  digest        TEXT NOT NULL,
  revision      INTEGER NOT NULL,
  created_at    TEXT NOT NULL,
  updated_at    TEXT NOT NULL,
  -- what lists show, sort and filter by, as ledger.Assess computed it
  status        TEXT NOT NULL,             -- open, reviewed
  title_key     TEXT NOT NULL,             -- the folded title
  total         INTEGER NOT NULL,
  supported     INTEGER NOT NULL,
  weak          INTEGER NOT NULL,
  contradicted  INTEGER NOT NULL,
  not_found     INTEGER NOT NULL,
  unjudged      INTEGER NOT NULL,
  reviewed      INTEGER NOT NULL,
  covered       INTEGER NOT NULL,          -- claims with at least one match
  coverage      REAL NOT NULL,
  flags         INTEGER NOT NULL,          -- bit i is ledger.RiskTypes[i]
  flag_count    INTEGER NOT NULL,
  severity      TEXT NOT NULL,             -- the highest flag's, '' without flags
  urgency       INTEGER NOT NULL,          -- 3 high, 2 medium, 1 low, 0 no flag
  reviewer      TEXT NOT NULL,             -- who reviewed last
  -- where the parts lie
  run           INTEGER NOT NULL,          -- ledger_runs.n of the run the matches come from
  first_claim   INTEGER NOT NULL,          -- claims.no of the first claim; the others follow without a gap
  document_count INTEGER NOT NULL,
  answer_length INTEGER NOT NULL,
  -- the session as it came in
  external_id   TEXT NOT NULL,
  mode          TEXT NOT NULL,
  lang          TEXT NOT NULL,
  model         TEXT NOT NULL,
  model_version TEXT NOT NULL,
  trace_id      TEXT NOT NULL,
  decision_id   TEXT NOT NULL,
  format        TEXT NOT NULL,
  title         TEXT NOT NULL,
  query         TEXT NOT NULL,
  overview      TEXT NOT NULL,             -- JSON of ledger.Overview, cut to its head
  extra         TEXT,                      -- JSON
  UNIQUE (tenant_id, digest),
  UNIQUE (tenant_id, no)
) STRICT;

CREATE INDEX sessions_created  ON sessions (tenant_id, created_at, id);
CREATE INDEX sessions_status   ON sessions (tenant_id, status, created_at, id);
CREATE INDEX sessions_title    ON sessions (tenant_id, title_key, id);
CREATE INDEX sessions_coverage ON sessions (tenant_id, coverage, id);
CREATE INDEX sessions_total    ON sessions (tenant_id, total, id);
CREATE INDEX sessions_queue    ON sessions (tenant_id, urgency DESC, created_at) WHERE status = 'open';

-- Sums over sessions, kept by every write so that no page adds them up: one row per day of creation, and day '' for all.
CREATE TABLE counters (
  tenant_id    TEXT NOT NULL REFERENCES tenants (id),
  day          TEXT NOT NULL,
  sessions     INTEGER NOT NULL,
  claims       INTEGER NOT NULL,
  covered      INTEGER NOT NULL,
  reviewed     INTEGER NOT NULL,
  supported    INTEGER NOT NULL,
  weak         INTEGER NOT NULL,
  contradicted INTEGER NOT NULL,
  not_found    INTEGER NOT NULL,
  unjudged     INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, day)
) STRICT;

CREATE TABLE ledger_runs (
  tenant_id    TEXT NOT NULL,
  session_no   INTEGER NOT NULL,
  n            INTEGER NOT NULL,
  id           TEXT NOT NULL,
  judge        TEXT NOT NULL,
  version      TEXT NOT NULL,
  parameters   TEXT,                       -- JSON
  input_digest TEXT NOT NULL,
  at           TEXT NOT NULL,
  duration_ns  INTEGER NOT NULL,
  PRIMARY KEY (session_no, n),
  FOREIGN KEY (tenant_id, session_no) REFERENCES sessions (tenant_id, no)
) STRICT;

-- The answer in parts of 4,000 code points, so that a page of a huge answer reads one part of it.
CREATE TABLE answer_parts (
  tenant_id  TEXT NOT NULL,
  session_no INTEGER NOT NULL,
  start      INTEGER NOT NULL,
  text       TEXT NOT NULL,
  PRIMARY KEY (session_no, start),
  FOREIGN KEY (tenant_id, session_no) REFERENCES sessions (tenant_id, no)
) STRICT;

CREATE TABLE documents (
  id             TEXT NOT NULL PRIMARY KEY,
  tenant_id      TEXT NOT NULL,
  session_no     INTEGER NOT NULL,
  position       INTEGER NOT NULL,
  key            TEXT NOT NULL,
  filename       TEXT NOT NULL,
  title          TEXT NOT NULL,
  uri            TEXT NOT NULL,
  lang           TEXT NOT NULL,
  published_at   TEXT NOT NULL,
  valid_until    TEXT NOT NULL,
  supersedes     TEXT NOT NULL,
  source_quality REAL,
  status         TEXT NOT NULL,            -- ready, deleted
  media_type     TEXT NOT NULL,
  blob           TEXT NOT NULL,            -- key of the original in the bucket, '' where none is kept
  root           TEXT NOT NULL,
  chunk_count    INTEGER NOT NULL,
  outline        TEXT,                     -- JSON: where the heading path changes, bounded
  UNIQUE (session_no, position),
  FOREIGN KEY (tenant_id, session_no) REFERENCES sessions (tenant_id, no)
) STRICT;

CREATE TABLE chunks (
  tenant_id    TEXT NOT NULL,
  session_no   INTEGER NOT NULL,
  document     INTEGER NOT NULL,           -- documents.position
  position     INTEGER NOT NULL,
  id           TEXT NOT NULL,
  key          TEXT NOT NULL,
  hash         TEXT NOT NULL,              -- full digest of the normalised text
  root         TEXT NOT NULL,
  page         INTEGER NOT NULL,
  heading_path TEXT,                       -- JSON
  span_start   INTEGER,
  span_end     INTEGER,
  text         TEXT NOT NULL,
  PRIMARY KEY (session_no, document, position),
  FOREIGN KEY (session_no, document) REFERENCES documents (session_no, position)
) STRICT;

CREATE INDEX chunks_hash ON chunks (tenant_id, hash);

CREATE TABLE claims (
  no                   INTEGER PRIMARY KEY, -- sessions.first_claim + position; also the row of claim_search
  tenant_id            TEXT NOT NULL,
  session_no           INTEGER NOT NULL,
  position             INTEGER NOT NULL,
  -- as ledger.Assess computed it, for filters and marks
  verdict              TEXT NOT NULL,       -- effective, '' unjudged
  machine_verdict      TEXT NOT NULL,
  confidence           REAL NOT NULL,
  state                TEXT NOT NULL,       -- ledger.ReviewState
  overridden           INTEGER NOT NULL,
  effective_type       TEXT NOT NULL,
  effective_importance TEXT NOT NULL,
  uncited              INTEGER NOT NULL,
  flags                INTEGER NOT NULL,    -- bit i is ledger.RiskTypes[i]
  revision             INTEGER NOT NULL,    -- number of reviews
  -- as it came in and was judged
  id                   TEXT NOT NULL,
  key                  TEXT NOT NULL,
  type                 TEXT NOT NULL,
  importance           TEXT NOT NULL,
  requires_citation    INTEGER NOT NULL,
  span_start           INTEGER,             -- in the answer
  span_end             INTEGER,
  judge                TEXT NOT NULL,
  given                INTEGER NOT NULL,
  unjudged             TEXT NOT NULL,       -- why no judge could judge it
  text                 TEXT NOT NULL,
  UNIQUE (session_no, position),
  FOREIGN KEY (tenant_id, session_no) REFERENCES sessions (tenant_id, no)
) STRICT;

-- Every filter ends in position, so that a page of any filter is read in order.
CREATE INDEX claims_verdict    ON claims (session_no, verdict, position);
CREATE INDEX claims_state      ON claims (session_no, state, position);
CREATE INDEX claims_type       ON claims (session_no, effective_type, position);
CREATE INDEX claims_importance ON claims (session_no, effective_importance, position);
CREATE INDEX claims_flagged    ON claims (session_no, position) WHERE flags <> 0;
CREATE INDEX claims_uncited    ON claims (session_no, position) WHERE uncited = 1;
CREATE INDEX claims_span       ON claims (session_no, span_start, position) WHERE span_start IS NOT NULL;

CREATE TABLE matches (
  tenant_id   TEXT NOT NULL,
  session_no  INTEGER NOT NULL,
  claim       INTEGER NOT NULL,            -- claims.position
  rank        INTEGER NOT NULL,            -- 0 the best similarity
  document    INTEGER NOT NULL,
  chunk       INTEGER NOT NULL,
  similarity  REAL NOT NULL,
  support     TEXT NOT NULL,
  contradicts INTEGER NOT NULL,
  quote_kind  TEXT NOT NULL,               -- text.PlacementKind
  quote_start INTEGER NOT NULL,
  quote_end   INTEGER NOT NULL,
  snippet     TEXT NOT NULL,
  note        TEXT NOT NULL,
  conflicts   TEXT,                        -- JSON
  missing     TEXT,                        -- JSON
  features    TEXT,                        -- JSON
  PRIMARY KEY (session_no, claim, rank),
  FOREIGN KEY (session_no, claim) REFERENCES claims (session_no, position),
  FOREIGN KEY (session_no, document, chunk) REFERENCES chunks (session_no, document, position)
) STRICT;

CREATE INDEX matches_chunk ON matches (session_no, document, chunk, claim);

CREATE TABLE citations (
  tenant_id  TEXT NOT NULL,
  session_no INTEGER NOT NULL,
  claim      INTEGER NOT NULL,
  n          INTEGER NOT NULL,
  hash       TEXT NOT NULL,
  span_start INTEGER NOT NULL,
  span_end   INTEGER NOT NULL,
  status     TEXT NOT NULL,
  places     TEXT,                         -- JSON
  PRIMARY KEY (session_no, claim, n),
  FOREIGN KEY (session_no, claim) REFERENCES claims (session_no, position)
) STRICT;

-- Reviews and events are appended, never rewritten. They have no row id, so that INSERT OR REPLACE has no other key to
-- replace by than the one their insert trigger guards.
CREATE TABLE reviews (
  tenant_id  TEXT NOT NULL,
  session_no INTEGER NOT NULL,
  claim      INTEGER NOT NULL,
  n          INTEGER NOT NULL,
  id         TEXT NOT NULL,
  actor      TEXT NOT NULL,
  role       TEXT NOT NULL,
  at         TEXT NOT NULL,
  action     TEXT NOT NULL,
  verdict    TEXT NOT NULL,
  type       TEXT NOT NULL,
  importance TEXT NOT NULL,
  reason     TEXT NOT NULL,
  PRIMARY KEY (session_no, claim, n),
  FOREIGN KEY (session_no, claim) REFERENCES claims (session_no, position)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER reviews_next BEFORE INSERT ON reviews
WHEN NEW.n <> (SELECT count(*) FROM reviews WHERE session_no = NEW.session_no AND claim = NEW.claim)
BEGIN SELECT RAISE(ABORT, 'reviews are appended in order'); END;

CREATE TRIGGER reviews_keep BEFORE UPDATE ON reviews
BEGIN SELECT RAISE(ABORT, 'reviews are append-only'); END;

CREATE TRIGGER reviews_stay BEFORE DELETE ON reviews
BEGIN SELECT RAISE(ABORT, 'reviews are append-only'); END;

CREATE TABLE events (
  tenant_id   TEXT NOT NULL REFERENCES tenants (id),
  seq         INTEGER NOT NULL,            -- 1, 2, 3 … in each tenant
  id          TEXT NOT NULL,
  at          TEXT NOT NULL,
  actor       TEXT NOT NULL,
  role        TEXT NOT NULL,
  action      TEXT NOT NULL,
  object_kind TEXT NOT NULL,
  object_id   TEXT NOT NULL,
  bytes       BLOB NOT NULL,               -- RFC 8785 JSON of the event: what a log of it hashes, never made again
  PRIMARY KEY (tenant_id, seq)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER events_next BEFORE INSERT ON events
WHEN NEW.seq <> (SELECT coalesce(max(seq), 0) + 1 FROM events WHERE tenant_id = NEW.tenant_id)
BEGIN SELECT RAISE(ABORT, 'events are appended in order'); END;

CREATE TRIGGER events_keep BEFORE UPDATE ON events
BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;

CREATE TRIGGER events_stay BEFORE DELETE ON events
BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;

CREATE TABLE receipts (
  tenant_id  TEXT NOT NULL REFERENCES tenants (id),
  key        TEXT NOT NULL,                -- Idempotency-Key
  digest     TEXT NOT NULL,                -- of the request
  status     INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  body       BLOB NOT NULL,
  PRIMARY KEY (tenant_id, key)
) STRICT;

CREATE TABLE exports (
  tenant_id  TEXT NOT NULL,
  token_hash TEXT NOT NULL,
  session_no INTEGER NOT NULL,
  format     TEXT NOT NULL,
  revision   INTEGER NOT NULL,
  actor      TEXT NOT NULL,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  PRIMARY KEY (tenant_id, token_hash),
  FOREIGN KEY (tenant_id, session_no) REFERENCES sessions (tenant_id, no)
) STRICT;

-- Full text, see search.go: rows carry their base row's number; the words are stored nowhere else than in the index.
-- A session's row begins with its tenant's scope word; a claim's row needs none, a session's claims are a range of rows.
CREATE VIRTUAL TABLE session_search USING fts5 (
  words, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'
);

CREATE VIRTUAL TABLE claim_search USING fts5 (
  words, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'
);
