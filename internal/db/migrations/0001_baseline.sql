-- The tables of a store. Rules that hold everywhere:
--   * every row carries tenant_id, and every query names it; foreign keys to sessions hold the tenant too
--   * ids shown to anybody are text UUIDs; "no" columns are inner row numbers, never shown
--   * times are RFC 3339 in UTC with nine fractional digits, so that text order is time order
--   * offsets count Unicode code points; booleans are 0 and 1; JSON columns are NULL where there is nothing
--   * wide columns stand last, so that lists read none of them
-- Rows that are appended and never rewritten have no row id, so that INSERT OR REPLACE, which deletes rows without
-- asking a delete trigger, has no other key to replace by than the one that their insert trigger guards.

-- === Tenants ===

-- The day that a due date names ends at midnight of the tenant's time zone when the day was set. Another zone later
-- moves no day that stands.
CREATE TABLE tenants (
  id               TEXT NOT NULL PRIMARY KEY,
  slug             TEXT NOT NULL UNIQUE,
  name             TEXT NOT NULL,
  freshness_months INTEGER NOT NULL,
  time_zone        TEXT NOT NULL DEFAULT '', -- of the IANA database, '' for UTC
  second_review    TEXT NOT NULL DEFAULT '' CHECK (second_review IN ('', 'open', 'blind')), -- of new sessions
  second_factor    INTEGER NOT NULL DEFAULT 0, -- 1: approvers and administrators need one
  mail_titles      INTEGER NOT NULL DEFAULT 0, -- 1: mails name the titles of sessions and packs
  remind_after     INTEGER NOT NULL DEFAULT 3, -- days until approvers are reminded of a pack; 0 for never
  remind_every     INTEGER NOT NULL DEFAULT 3, -- days between reminders; 0 for one reminder
  remind_most      INTEGER NOT NULL DEFAULT 3, -- reminders of one pack at most
  letter_name      TEXT NOT NULL DEFAULT '',   -- at the head of its PDFs, as are the next two
  letter_address   TEXT NOT NULL DEFAULT '',   -- in lines
  letter_logo      TEXT NOT NULL DEFAULT '',   -- PNG or SVG in base64, '' for none
  week_start       TEXT NOT NULL DEFAULT '' CHECK (week_start IN ('', 'sunday', 'saturday')), -- '' for Monday
  calendar         TEXT NOT NULL DEFAULT '' CHECK (calendar IN ('', 'hijri')), -- hijri: Umm al-Qura beside Gregorian
  created_at       TEXT NOT NULL
) STRICT;

-- The installation's own log (failed logins of names nobody has); no one is a member, no page leads here.
INSERT INTO tenants (id, slug, name, freshness_months, created_at)
VALUES ('00000000-0000-0000-0000-000000000000', 'system', 'System', 24, '1970-01-01T00:00:00.000000000Z');

-- === People, logins and API tokens ===
--
-- Users, their logins and their identities are of the whole installation (a person may be in several tenants); what
-- they may do is of each tenant. Passwords are argon2id hashes, TOTP secrets are sealed with the master key, tokens
-- and recovery codes are SHA-256 hashes of random values.

CREATE TABLE users (
  id          TEXT NOT NULL PRIMARY KEY,   -- the pseudonymous id that the log names
  login       TEXT NOT NULL UNIQUE,        -- folded to lower case
  name        TEXT NOT NULL,               -- as shown
  email       TEXT NOT NULL,               -- '' for none; it is a login, and links an identity
  contact     TEXT NOT NULL DEFAULT '',    -- folded, '' for none; unlike email it is no login and links nothing
  password    TEXT NOT NULL,               -- PHC string, '' where only OIDC may log in
  totp        BLOB,                        -- sealed secret, NULL where there is none
  totp_step   INTEGER NOT NULL,            -- the newest time step that was used; no step counts twice
  disabled_at TEXT NOT NULL,               -- '' while enabled
  created_at  TEXT NOT NULL
) STRICT;

CREATE INDEX users_email ON users (email) WHERE email <> '';

CREATE TABLE memberships (
  tenant_id   TEXT NOT NULL REFERENCES tenants (id),
  user_id     TEXT NOT NULL REFERENCES users (id),
  role        TEXT NOT NULL CHECK (role IN ('viewer', 'reviewer', 'approver', 'admin', 'auditor')),
  title       TEXT NOT NULL,               -- job title, '' for none; what a person signs as
  disabled_at TEXT NOT NULL,               -- '' while enabled; a tenant's admin disables this, the operator the user
  created_at  TEXT NOT NULL,
  PRIMARY KEY (tenant_id, user_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX memberships_user ON memberships (user_id, tenant_id);

-- Of an OIDC provider.
CREATE TABLE identities (
  issuer     TEXT NOT NULL,
  subject    TEXT NOT NULL,
  user_id    TEXT NOT NULL REFERENCES users (id),
  created_at TEXT NOT NULL,
  PRIMARY KEY (issuer, subject)
) STRICT, WITHOUT ROWID;

CREATE INDEX identities_user ON identities (user_id);

CREATE TABLE recovery_codes (
  user_id TEXT NOT NULL REFERENCES users (id),
  hash    TEXT NOT NULL,
  PRIMARY KEY (user_id, hash)              -- a used one is deleted
) STRICT, WITHOUT ROWID;

-- A browser that is signed in.
CREATE TABLE logins (
  id         TEXT NOT NULL PRIMARY KEY,    -- shown in the list of devices
  token_hash TEXT NOT NULL UNIQUE,         -- of the cookie's value
  user_id    TEXT NOT NULL REFERENCES users (id),
  tenant_id  TEXT NOT NULL REFERENCES tenants (id), -- the one in use
  created_at TEXT NOT NULL,                -- ends 8 hours after
  seen_at    TEXT NOT NULL,                -- ends 30 minutes after
  fresh_at   TEXT NOT NULL,                -- when the password was last given
  vouched    INTEGER NOT NULL DEFAULT 0,   -- 1: the provider saw a second factor
  agent      TEXT NOT NULL,                -- the browser's name of itself, cut to 200 characters
  address    TEXT NOT NULL
) STRICT;

CREATE INDEX logins_user ON logins (user_id, created_at);
CREATE INDEX logins_seen ON logins (seen_at);

-- Since the last success, of known and unknown names alike.
CREATE TABLE login_failures (
  key     TEXT NOT NULL PRIMARY KEY,       -- keyed hash of the name that was typed
  count   INTEGER NOT NULL,
  last_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX login_failures_last ON login_failures (last_at);

CREATE TABLE api_tokens (
  id           TEXT NOT NULL PRIMARY KEY,
  tenant_id    TEXT NOT NULL REFERENCES tenants (id),
  user_id      TEXT REFERENCES users (id), -- the person it acts as; NULL for a machine's
  name         TEXT NOT NULL,
  role         TEXT NOT NULL CHECK (role IN ('viewer', 'reviewer', 'approver', 'admin', 'auditor')), -- at most that of its person
  scopes       TEXT NOT NULL DEFAULT '',   -- separated by spaces, '' for all
  addresses    TEXT NOT NULL DEFAULT '',   -- networks, separated by spaces, '' for everywhere
  hash         TEXT NOT NULL UNIQUE,
  created_at   TEXT NOT NULL,
  created_by   TEXT NOT NULL,              -- id of an actor
  expires_at   TEXT NOT NULL,
  revoked_at   TEXT NOT NULL,              -- '' while valid
  last_used_at TEXT NOT NULL               -- '' for never; to the minute
) STRICT;

CREATE INDEX api_tokens_tenant ON api_tokens (tenant_id, created_at, id);

-- Open ones only (rule SEC-24): the row goes when the person joins, when an administrator withdraws it, or when its
-- time is over. What is invited is a name, or whoever uses a link. Whether anybody has the name is not looked up before
-- somebody who has it signs in. Of a link the hash alone is stored; name and address are those of the new account.
CREATE TABLE invitations (
  tenant_id  TEXT NOT NULL REFERENCES tenants (id),
  id         TEXT NOT NULL UNIQUE,
  login      TEXT NOT NULL,                -- folded; '' for a link
  link_hash  TEXT NOT NULL,                -- SHA-256 of the link's secret in hex; '' for a name
  name       TEXT NOT NULL,                -- proposed for the new account, '' if none; it is chosen there
  email      TEXT NOT NULL,                -- of the new account, folded, '' for none
  role       TEXT NOT NULL CHECK (role IN ('viewer', 'reviewer', 'approver', 'admin', 'auditor')),
  invited_by TEXT NOT NULL,                -- a person
  invited_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  request_id TEXT NOT NULL,                -- change_requests.id that a second administrator confirmed, '' if none
  PRIMARY KEY (tenant_id, id),
  CHECK ((login = '') <> (link_hash = ''))
) STRICT;

CREATE UNIQUE INDEX invitations_name ON invitations (tenant_id, login) WHERE login <> '';
CREATE UNIQUE INDEX invitations_link ON invitations (tenant_id, link_hash) WHERE link_hash <> '';
CREATE INDEX invitations_by_link_hash ON invitations (link_hash);
CREATE INDEX invitations_login ON invitations (login, invited_at);
CREATE INDEX invitations_due ON invitations (expires_at, tenant_id);

CREATE TRIGGER invitations_keep BEFORE UPDATE ON invitations
BEGIN SELECT RAISE(ABORT, 'an invitation stays as it was sent'); END;

-- Who signs packs for whom, from when until when (rule P-31). Rows stay: approvals were given by them.
CREATE TABLE deputies (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id        TEXT NOT NULL UNIQUE,
  user_id   TEXT NOT NULL REFERENCES users (id), -- who is away
  deputy_id TEXT NOT NULL REFERENCES users (id),
  starts_at TEXT NOT NULL,
  ends_at   TEXT NOT NULL,                 -- no longer part of it
  zone      TEXT NOT NULL,                 -- in which the days were chosen, '' for UTC
  set_by    TEXT NOT NULL,                 -- the person, or an administrator
  set_at    TEXT NOT NULL,
  log_index INTEGER NOT NULL,              -- events.seq - 1 of the event that named the deputy
  ended_at  TEXT NOT NULL,                 -- '' unless it was ended before its time
  ended_by  TEXT NOT NULL,
  PRIMARY KEY (tenant_id, id),
  CHECK (user_id <> deputy_id AND starts_at < ends_at)
) STRICT;

CREATE INDEX deputies_open ON deputies (tenant_id, ends_at);

CREATE TRIGGER deputies_keep BEFORE UPDATE ON deputies
WHEN OLD.ended_at <> '' OR (NEW.tenant_id, NEW.id, NEW.user_id, NEW.deputy_id, NEW.starts_at, NEW.ends_at, NEW.zone,
    NEW.set_by, NEW.set_at, NEW.log_index) <> (OLD.tenant_id, OLD.id, OLD.user_id, OLD.deputy_id, OLD.starts_at,
    OLD.ends_at, OLD.zone, OLD.set_by, OLD.set_at, OLD.log_index)
BEGIN SELECT RAISE(ABORT, 'a deputy is ended once, and nothing else of it changes'); END;
CREATE TRIGGER deputies_stay BEFORE DELETE ON deputies
BEGIN SELECT RAISE(ABORT, 'deputies are kept'); END;

-- What a person declined: invitations of that tenant are not shown to them until then. It is theirs, and no tenant
-- sees it.
CREATE TABLE declined_invitations (
  user_id   TEXT NOT NULL REFERENCES users (id),
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  until     TEXT NOT NULL,
  PRIMARY KEY (user_id, tenant_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX declined_invitations_until ON declined_invitations (until);

-- Changes of administration that one administrator asked for and another one decides (rule P-29).
CREATE TABLE change_requests (
  no           INTEGER PRIMARY KEY,
  id           TEXT NOT NULL UNIQUE,
  tenant_id    TEXT NOT NULL REFERENCES tenants (id),
  kind         TEXT NOT NULL,              -- access.ChangeKind
  -- of the person, session, document, pack; of a new person the login name; else ''
  object_id    TEXT NOT NULL,
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

-- === Keys ===

-- By which keys this database was sealed (rule SEC-26): the master key can be replaced, and then all that the database
-- holds sealed is sealed again under the new key, in one transaction. A fingerprint tells nothing about its key.
CREATE TABLE master_keys (
  fingerprint TEXT NOT NULL PRIMARY KEY,
  since       TEXT NOT NULL,               -- '' where that was before there was this table
  retired_at  TEXT NOT NULL,               -- '' for the one in use
  -- a retired key's subkey for MACs, sealed with the one in use: it made the digests of receipts, which last for seven
  -- days; empty after that
  receipts    BLOB NOT NULL
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX master_keys_used ON master_keys (retired_at) WHERE retired_at = '';

-- Has a row only within the transaction that replaces the key.
CREATE TABLE resealing (
  one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1)
) STRICT, WITHOUT ROWID;

CREATE TABLE keys (
  tenant_id  TEXT NOT NULL REFERENCES tenants (id),
  id         TEXT NOT NULL,                -- OpenSSH fingerprint of the public key, SHA256:…
  purpose    TEXT NOT NULL CHECK (purpose IN ('log', 'sign')),
  public     BLOB NOT NULL,                -- Ed25519, 32 bytes
  sealed     BLOB NOT NULL,                -- the private key, encrypted with the master key
  created_at TEXT NOT NULL,
  retired_at TEXT NOT NULL,                -- '' for the one in use; a retired one still verifies
  PRIMARY KEY (tenant_id, id)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX keys_in_use ON keys (tenant_id, purpose) WHERE retired_at = '';

-- From which the salts of S3 content come; never in a pack.
CREATE TABLE tenant_secrets (
  tenant_id  TEXT NOT NULL REFERENCES tenants (id),
  purpose    TEXT NOT NULL,
  sealed     BLOB NOT NULL,                -- encrypted with the master key
  created_at TEXT NOT NULL,
  PRIMARY KEY (tenant_id, purpose)
) STRICT, WITHOUT ROWID;

-- Keys of other stores: a ledger that one of them signed is shown as reviewed there (rule L-32).
CREATE TABLE trusted_keys (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id        TEXT NOT NULL,                 -- OpenSSH fingerprint, SHA256:…
  name      TEXT NOT NULL,                 -- of the store, as the tenant calls it
  public    BLOB NOT NULL,                 -- Ed25519
  added_by  TEXT NOT NULL,
  added_at  TEXT NOT NULL,
  PRIMARY KEY (tenant_id, id)
) STRICT;

-- === The audit log: a Merkle tree per tenant, whose leaves are events.bytes in the order of seq ===

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

CREATE INDEX events_action ON events (tenant_id, action, seq);
CREATE INDEX events_actor ON events (tenant_id, actor, seq);
CREATE INDEX events_object ON events (tenant_id, object_kind, object_id, seq);

CREATE TRIGGER events_next BEFORE INSERT ON events
WHEN NEW.seq <> (SELECT coalesce(max(seq), 0) + 1 FROM events WHERE tenant_id = NEW.tenant_id)
BEGIN SELECT RAISE(ABORT, 'events are appended in order'); END;
CREATE TRIGGER events_keep BEFORE UPDATE ON events
BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;
CREATE TRIGGER events_stay BEFORE DELETE ON events
BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;

-- What an event names by a commitment, for the pages that show it: the address of the client, the id that a caller
-- chose for the object. '' where the event names none. The rows may be deleted at any time; the log stays as it is.
CREATE TABLE event_names (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  seq       INTEGER NOT NULL,              -- of the event
  address   TEXT NOT NULL,
  object_id TEXT NOT NULL,
  PRIMARY KEY (tenant_id, seq)
) STRICT, WITHOUT ROWID;

CREATE INDEX event_names_object ON event_names (tenant_id, object_id) WHERE object_id <> '';

-- What the log says of texts, ids and addresses that may be personal data (rule LOG-13): an event holds
-- HMAC-SHA256(salt, text). Without the salt nobody can tell whether a guessed text is the one that was meant, so the
-- salt goes with what the text belongs to.
CREATE TABLE text_salts (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  kind      TEXT NOT NULL,                 -- of what the text belongs to: pack, session … as in events
  object_id TEXT NOT NULL,
  salt      BLOB NOT NULL CHECK (length(salt) = 32),
  PRIMARY KEY (tenant_id, kind, object_id)
) STRICT, WITHOUT ROWID;

-- The tree's stored hashes, numbered as golang.org/x/mod/sumdb/tlog does.
CREATE TABLE log_hashes (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  n         INTEGER NOT NULL,
  hash      BLOB NOT NULL,
  PRIMARY KEY (tenant_id, n)
) STRICT, WITHOUT ROWID;

-- One row per tenant: the newest tree.
CREATE TABLE log_heads (
  tenant_id  TEXT NOT NULL PRIMARY KEY REFERENCES tenants (id),
  epoch      INTEGER NOT NULL,             -- grows when a restore abandons a later tree
  size       INTEGER NOT NULL,
  root       BLOB NOT NULL,
  checkpoint TEXT NOT NULL,                -- the signed note
  updated_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

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

-- === Sessions: what a machine said, its sources, and what people found ===

CREATE TABLE sessions (
  no              INTEGER PRIMARY KEY,
  id              TEXT NOT NULL UNIQUE,
  tenant_id       TEXT NOT NULL REFERENCES tenants (id),
  ledger_id       TEXT NOT NULL,
  digest          TEXT NOT NULL,
  revision        INTEGER NOT NULL,
  created_at      TEXT NOT NULL,
  updated_at      TEXT NOT NULL,
  -- what lists show, sort and filter by, as ledger.Assess computed it
  status          TEXT NOT NULL,           -- open, reviewed
  state           TEXT NOT NULL DEFAULT 'new' CHECK (state IN ('new', 'in_review', 'reviewed', 'closed')),
  title_key       TEXT NOT NULL,           -- the folded title
  total           INTEGER NOT NULL,
  supported       INTEGER NOT NULL,
  weak            INTEGER NOT NULL,
  contradicted    INTEGER NOT NULL,
  not_found       INTEGER NOT NULL,
  unjudged        INTEGER NOT NULL,
  reviewed        INTEGER NOT NULL,
  settled         INTEGER NOT NULL DEFAULT 0, -- claims
  differing       INTEGER NOT NULL DEFAULT 0, -- claims
  covered         INTEGER NOT NULL,        -- claims with at least one match
  coverage        REAL NOT NULL,
  flags           INTEGER NOT NULL,        -- bit i is ledger.RiskTypes[i]
  flag_count      INTEGER NOT NULL,
  severity        TEXT NOT NULL,           -- the highest flag's, '' without flags
  urgency         INTEGER NOT NULL,        -- 3 high, 2 medium, 1 low, 0 no flag
  reviewer        TEXT NOT NULL,           -- who reviewed last
  rule_set        INTEGER NOT NULL DEFAULT 1, -- of ledger.RuleSets: the one that assessed it, until `sanad reassess`
  -- who is to review it, and whether it is closed
  second_review   TEXT NOT NULL DEFAULT '' CHECK (second_review IN ('', 'open', 'blind')),
  first_reviewer  TEXT NOT NULL DEFAULT '', -- id of a user, '' for nobody
  second_reviewer TEXT NOT NULL DEFAULT '',
  closed_at       TEXT NOT NULL DEFAULT '', -- the last time; it is closed where state says so
  closed_by       TEXT NOT NULL DEFAULT '', -- id of a user
  closed_reason   TEXT NOT NULL DEFAULT '',
  -- where the parts lie
  run             INTEGER NOT NULL,        -- ledger_runs.n of the run the matches come from
  -- claims.no of the first claim; the others follow without a gap, and room is left for ledger.MaxNewClaims more
  first_claim     INTEGER NOT NULL,
  document_count  INTEGER NOT NULL,
  answer_length   INTEGER NOT NULL,
  answer_version  INTEGER NOT NULL DEFAULT 0, -- 2, 3 … of a revised answer
  first_ledger    TEXT NOT NULL DEFAULT '', -- ledger_id of version 1, '' in version 1
  salt            BLOB,                    -- of its content digest
  -- the session as it came in
  external_id     TEXT NOT NULL,
  mode            TEXT NOT NULL,
  lang            TEXT NOT NULL,
  model           TEXT NOT NULL,
  model_version   TEXT NOT NULL,
  trace_id        TEXT NOT NULL,
  decision_id     TEXT NOT NULL,
  format          TEXT NOT NULL,
  title           TEXT NOT NULL,
  query           TEXT NOT NULL,
  overview        TEXT NOT NULL,           -- JSON of ledger.Overview, cut to its head
  extra           TEXT,                    -- JSON
  UNIQUE (tenant_id, digest),
  UNIQUE (tenant_id, no)
) STRICT;

CREATE INDEX sessions_created ON sessions (tenant_id, created_at, id);
CREATE INDEX sessions_status ON sessions (tenant_id, status, created_at, id, first_reviewer);
CREATE INDEX sessions_queue ON sessions (tenant_id, urgency DESC, created_at) WHERE status = 'open';
-- Nobody's, with all that a queue and a plan of 10,000 read of each.
CREATE INDEX sessions_free ON sessions (tenant_id, urgency DESC, created_at, no, second_reviewer, second_review, id)
  WHERE status = 'open' AND first_reviewer = '';
CREATE INDEX sessions_state ON sessions (tenant_id, state, created_at, id);
CREATE INDEX sessions_first ON sessions (tenant_id, first_reviewer, urgency DESC, created_at)
  WHERE status = 'open' AND first_reviewer <> '';
CREATE INDEX sessions_second ON sessions (tenant_id, second_reviewer, urgency DESC, created_at)
  WHERE status = 'open' AND second_reviewer <> '';
CREATE INDEX sessions_rule_set ON sessions (tenant_id, rule_set, no);
CREATE INDEX sessions_versions ON sessions (tenant_id, first_ledger, answer_version) WHERE first_ledger <> '';
CREATE INDEX sessions_ledger ON sessions (tenant_id, ledger_id);
-- Equal sessions of a list stand in the order in which they were stored (rule DB-11).
CREATE INDEX sessions_title ON sessions (tenant_id, title_key, no);
CREATE INDEX sessions_coverage ON sessions (tenant_id, coverage, no);
CREATE INDEX sessions_total ON sessions (tenant_id, total, no);

-- What an unpurged pack refers to stays.
CREATE TRIGGER sessions_referenced BEFORE DELETE ON sessions
WHEN EXISTS (SELECT 1 FROM evidence_packs WHERE tenant_id = OLD.tenant_id AND session_id = OLD.id)
BEGIN SELECT RAISE(ABORT, 'an evidence pack refers to this session'); END;
-- A change of the session says whether its date is still to be kept; who was told of it need not read it any more once
-- it is done.
CREATE TRIGGER due_dates_session AFTER UPDATE OF status ON sessions WHEN NEW.status <> OLD.status
BEGIN
  UPDATE due_dates SET open = NEW.status = 'open'
  WHERE tenant_id = NEW.tenant_id AND object_kind = 'session' AND object_id = NEW.id;
  UPDATE notifications SET read_at = NEW.updated_at
  WHERE NEW.status <> 'open' AND tenant_id = NEW.tenant_id AND object_kind = 'session' AND object_id = NEW.id
    AND kind = 'due' AND read_at = '';
END;

-- Sums over sessions, kept by every write so that no page adds them up: one row per day of creation, and day '' for
-- all.
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

-- How far people agree with the machine, counted by every write so that no page counts claims: those that a judge gave
-- a verdict and for which a person's verdict stands (ledger.Compared), by the day their session was made.
CREATE TABLE comparisons (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  day       TEXT NOT NULL,                 -- as in counters
  judge     TEXT NOT NULL,                 -- claims.judge
  version   TEXT NOT NULL,                 -- of the run, '' where the judgement was given
  machine   TEXT NOT NULL,                 -- its verdict
  person    TEXT NOT NULL,                 -- the verdict that stands
  claims    INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, day, judge, version, machine, person)
) STRICT, WITHOUT ROWID;

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
  withdrawn      TEXT NOT NULL DEFAULT '', -- why it is out of use
  bundle_id      TEXT NOT NULL DEFAULT '', -- bundle that it is an item of
  media_type     TEXT NOT NULL,
  blob           TEXT NOT NULL,            -- key of the original in the bucket, '' where none is kept
  blob_sha256    TEXT NOT NULL DEFAULT '', -- hex, of the original
  library_id     TEXT NOT NULL DEFAULT '', -- document of the library that it was taken from, which may be erased by now
  library_no     INTEGER NOT NULL DEFAULT 0, -- its version
  -- which readers took the text out of the original: sanad, pdftotext, tesseract with its version and languages, '' if
  -- it is text itself
  text_by        TEXT NOT NULL DEFAULT '',
  root           TEXT NOT NULL,
  chunk_count    INTEGER NOT NULL,
  salt           BLOB,
  outline        TEXT,                     -- JSON: where the heading path changes, bounded
  left_out       TEXT,                     -- JSON: []ledger.LeftOut, bounded
  origin         TEXT,                     -- JSON: library.Origin, what is said of where it was taken from
  UNIQUE (session_no, position),
  FOREIGN KEY (tenant_id, session_no) REFERENCES sessions (tenant_id, no)
) STRICT;

CREATE INDEX documents_library ON documents (tenant_id, library_id, library_no, session_no) WHERE library_id <> '';

-- What an unpurged pack refers to stays.
CREATE TRIGGER documents_referenced BEFORE DELETE ON documents
WHEN EXISTS (SELECT 1 FROM sessions s JOIN evidence_packs p ON p.tenant_id = s.tenant_id AND p.session_id = s.id
  WHERE s.no = OLD.session_no AND s.tenant_id = OLD.tenant_id)
BEGIN SELECT RAISE(ABORT, 'an evidence pack refers to this document'); END;
CREATE TRIGGER documents_wanted BEFORE UPDATE ON documents
WHEN (NEW.blob <> OLD.blob OR NEW.status <> OLD.status) AND EXISTS (
  SELECT 1 FROM sessions s JOIN evidence_packs p ON p.tenant_id = s.tenant_id AND p.session_id = s.id
  WHERE s.no = OLD.session_no AND s.tenant_id = OLD.tenant_id)
BEGIN SELECT RAISE(ABORT, 'an evidence pack refers to this document'); END;

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
  kind         TEXT NOT NULL DEFAULT '',   -- ledger.PartKind: '' for the body of the file
  heading_path TEXT,                       -- JSON
  span_start   INTEGER,
  span_end     INTEGER,
  text         TEXT NOT NULL,
  scanned      INTEGER NOT NULL DEFAULT 0, -- 1 if it was read from a picture
  doubtful     TEXT,                       -- JSON: []ledger.DoubtfulWord
  PRIMARY KEY (session_no, document, position),
  FOREIGN KEY (session_no, document) REFERENCES documents (session_no, position)
) STRICT;

CREATE INDEX chunks_hash ON chunks (tenant_id, hash);

-- What an unpurged pack refers to stays.
CREATE TRIGGER chunks_referenced BEFORE DELETE ON chunks
WHEN EXISTS (SELECT 1 FROM sessions s JOIN evidence_packs p ON p.tenant_id = s.tenant_id AND p.session_id = s.id
  WHERE s.no = OLD.session_no AND s.tenant_id = OLD.tenant_id)
BEGIN SELECT RAISE(ABORT, 'an evidence pack refers to this text'); END;

CREATE TABLE claims (
  no                   INTEGER PRIMARY KEY, -- sessions.first_claim + position; also the row of claim_search
  tenant_id            TEXT NOT NULL,
  session_no           INTEGER NOT NULL,
  position             INTEGER NOT NULL,
  -- as ledger.Assess computed it, for filters and marks; the verdict is the effective one, '' unjudged
  verdict              TEXT NOT NULL CHECK (verdict IN ('', 'supported', 'weak', 'contradicted', 'not_found')),
  machine_verdict      TEXT NOT NULL CHECK (machine_verdict IN ('', 'supported', 'weak', 'contradicted', 'not_found')),
  tier                 TEXT NOT NULL CHECK (tier IN ('', 'likely', 'doubtful')), -- of the verdict
  confidence           REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
  state                TEXT NOT NULL,      -- ledger.ReviewState
  overridden           INTEGER NOT NULL,
  effective_type       TEXT NOT NULL CHECK (effective_type IN ('fact', 'policy', 'numeric', 'definition')),
  effective_importance TEXT NOT NULL CHECK (effective_importance IN ('critical', 'material', 'minor')),
  uncited              INTEGER NOT NULL,
  flags                INTEGER NOT NULL,   -- bit i is ledger.RiskTypes[i]
  revision             INTEGER NOT NULL,   -- number of reviews
  stale_reviews        INTEGER NOT NULL DEFAULT 0, -- so many, the oldest, saw another judgement
  stale                INTEGER NOT NULL DEFAULT 0, -- the review that decides is one of them
  -- so many stale ones, the newest, are sealed until both reviewers have decided
  withheld_reviews     INTEGER NOT NULL DEFAULT 0,
  settled              INTEGER NOT NULL DEFAULT 0,
  differs              INTEGER NOT NULL DEFAULT 0,
  threads              INTEGER NOT NULL DEFAULT 0, -- open ones, of reviews that are not sealed
  citation_checks      INTEGER NOT NULL DEFAULT 0, -- which of ledger.CitationStatuses occur, as bits
  quotation_checks     INTEGER NOT NULL DEFAULT 0, -- which of ledger.QuotationStatuses occur, as bits
  -- as it came in and was judged
  id                   TEXT NOT NULL,
  key                  TEXT NOT NULL,
  type                 TEXT NOT NULL CHECK (type IN ('fact', 'policy', 'numeric', 'definition')),
  importance           TEXT NOT NULL CHECK (importance IN ('critical', 'material', 'minor')),
  requires_citation    INTEGER NOT NULL,
  span_start           INTEGER,            -- in the answer
  span_end             INTEGER,
  judge                TEXT NOT NULL,
  given                INTEGER NOT NULL,
  unjudged             TEXT NOT NULL,      -- why no judge could judge it
  unjudged_said        TEXT,               -- JSON: the message of it, NULL if it came in English only
  since                INTEGER NOT NULL DEFAULT 0, -- version of the answer that it is new in
  replaces             TEXT,               -- JSON: positions of the claims in whose place it came, NULL of the answer's own
  salt                 BLOB,
  checks               TEXT NOT NULL DEFAULT '', -- JSON of ledger.Checks, '' for nothing
  text                 TEXT NOT NULL,
  UNIQUE (session_no, position),
  FOREIGN KEY (tenant_id, session_no) REFERENCES sessions (tenant_id, no)
) STRICT;

-- Every filter ends in position, so that a page of any filter is read in order.
CREATE INDEX claims_verdict ON claims (session_no, verdict, position);
CREATE INDEX claims_tier ON claims (session_no, tier, position);
CREATE INDEX claims_state ON claims (session_no, state, position);
CREATE INDEX claims_type ON claims (session_no, effective_type, position);
CREATE INDEX claims_importance ON claims (session_no, effective_importance, position);
CREATE INDEX claims_flagged ON claims (session_no, position) WHERE flags <> 0;
CREATE INDEX claims_uncited ON claims (session_no, position) WHERE uncited = 1;
CREATE INDEX claims_span ON claims (session_no, span_start, position) WHERE span_start IS NOT NULL;
CREATE INDEX claims_stale ON claims (session_no, position) WHERE stale = 1;
CREATE INDEX claims_settled ON claims (session_no, settled, position);
CREATE INDEX claims_differs ON claims (session_no, position) WHERE differs = 1;
CREATE INDEX claims_threads ON claims (session_no, position) WHERE threads > 0;

CREATE TABLE matches (
  tenant_id   TEXT NOT NULL,
  session_no  INTEGER NOT NULL,
  claim       INTEGER NOT NULL,            -- claims.position
  rank        INTEGER NOT NULL,            -- 0 the best similarity
  document    INTEGER NOT NULL,
  chunk       INTEGER NOT NULL,
  similarity  REAL NOT NULL CHECK (similarity BETWEEN 0 AND 1),
  support     TEXT NOT NULL CHECK (support IN ('full', 'partial', 'none')),
  contradicts INTEGER NOT NULL,
  quote_kind  TEXT NOT NULL,               -- text.PlacementKind
  quote_start INTEGER NOT NULL,
  quote_end   INTEGER NOT NULL,
  snippet     TEXT NOT NULL,
  note        TEXT NOT NULL,
  note_said   TEXT,                        -- JSON: the message of it, NULL if it came in English only
  attached    TEXT,                        -- JSON: who attached it, and when
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

-- Reviews are appended, never rewritten.
CREATE TABLE reviews (
  tenant_id   TEXT NOT NULL,
  session_no  INTEGER NOT NULL,
  claim       INTEGER NOT NULL,
  n           INTEGER NOT NULL,
  id          TEXT NOT NULL,
  actor       TEXT NOT NULL,
  by_id       TEXT NOT NULL DEFAULT '',    -- id of the person or machine, '' of an import
  role        TEXT NOT NULL,
  at          TEXT NOT NULL,
  action      TEXT NOT NULL,
  verdict     TEXT NOT NULL,
  type        TEXT NOT NULL,
  importance  TEXT NOT NULL,
  undoes      INTEGER NOT NULL DEFAULT 0,  -- n + 1 of the review that it takes back
  adjudicates INTEGER NOT NULL DEFAULT 0,  -- it settles that two reviewers differ
  batch       TEXT NOT NULL DEFAULT '',    -- id of the step that confirmed several claims
  replaced_by TEXT,                        -- JSON: positions of the claims that came in the claim's place, NULL if none
  asks        INTEGER NOT NULL DEFAULT 0,  -- a comment that must be answered or resolved
  thread      INTEGER NOT NULL DEFAULT 0,  -- n + 1 of the comment that begins the thread it belongs to
  salt        BLOB,
  reason      TEXT NOT NULL,
  PRIMARY KEY (session_no, claim, n),
  FOREIGN KEY (session_no, claim) REFERENCES claims (session_no, position)
) STRICT, WITHOUT ROWID;

CREATE INDEX reviews_by ON reviews (session_no, by_id, claim) WHERE by_id <> '';

CREATE TRIGGER reviews_next BEFORE INSERT ON reviews
WHEN NEW.n <> (SELECT count(*) FROM reviews WHERE session_no = NEW.session_no AND claim = NEW.claim)
BEGIN SELECT RAISE(ABORT, 'reviews are appended in order'); END;
CREATE TRIGGER reviews_keep BEFORE UPDATE ON reviews
BEGIN SELECT RAISE(ABORT, 'reviews are append-only'); END;
CREATE TRIGGER reviews_stay BEFORE DELETE ON reviews WHEN OLD.session_no NOT IN (SELECT no FROM erasing_sessions)
BEGIN SELECT RAISE(ABORT, 'reviews are append-only'); END;

-- Who is to be told of a review. Who is addressed in its text: the text has the name as it was then; here is the
-- account, so that another name of the person breaks nothing. And the people of the thread that it belongs to, for whom
-- start is -1, -2 …. Of a sealed review (rule L-35) nobody is told before the seal falls.
CREATE TABLE mentions (
  tenant_id  TEXT NOT NULL,
  session_no INTEGER NOT NULL REFERENCES sessions (no),
  claim      INTEGER NOT NULL,
  review     TEXT NOT NULL,                -- its id
  start      INTEGER NOT NULL,             -- of the @, in code points of the text; below 0 where none addresses them
  length     INTEGER NOT NULL,             -- with the @
  user_id    TEXT NOT NULL,
  told       INTEGER NOT NULL,
  PRIMARY KEY (session_no, claim, review, start)
) STRICT, WITHOUT ROWID;

CREATE INDEX mentions_untold ON mentions (tenant_id, session_no) WHERE told = 0;

-- What a provider's file said of a session and its claims, as pages read it: one row per claim, and claim -1 for the
-- whole. It stands in sessions.extra too, which keeps a session as it came in; that is too large to be read for each
-- page.
CREATE TABLE upstream (
  tenant_id  TEXT NOT NULL,
  session_no INTEGER NOT NULL REFERENCES sessions (no),
  claim      INTEGER NOT NULL,             -- claims.position, -1 for the whole session
  said       TEXT NOT NULL,                -- JSON of ledger.Upstream, of ledger.UpstreamWhole for the whole
  PRIMARY KEY (session_no, claim)
) STRICT;

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

CREATE INDEX exports_expires ON exports (expires_at);

-- === Runs: a session may be judged again ===
--
-- The newest run's judgement stands in claims, matches and citations; of the runs before it, it is kept here, and for
-- each run what it changed. Runs are history: nothing of them is rewritten.

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
  bundle_id    TEXT NOT NULL DEFAULT '',   -- bundle that it read, '' for the documents
  salt         BLOB,
  PRIMARY KEY (session_no, n),
  FOREIGN KEY (tenant_id, session_no) REFERENCES sessions (tenant_id, no)
) STRICT;

CREATE INDEX ledger_runs_id ON ledger_runs (tenant_id, id);

CREATE TRIGGER ledger_runs_next BEFORE INSERT ON ledger_runs
WHEN NEW.n <> (SELECT count(*) FROM ledger_runs WHERE session_no = NEW.session_no)
BEGIN SELECT RAISE(ABORT, 'runs are appended in order'); END;
CREATE TRIGGER ledger_runs_stay BEFORE DELETE ON ledger_runs
WHEN OLD.session_no NOT IN (SELECT no FROM erasing_sessions)
BEGIN SELECT RAISE(ABORT, 'runs are append-only'); END;
-- With an erased document go the salts of what repeated it.
CREATE TRIGGER ledger_runs_keep BEFORE UPDATE ON ledger_runs
WHEN OLD.session_no NOT IN (SELECT no FROM erasing_documents)
  OR (NEW.session_no, NEW.n, NEW.id, NEW.judge, NEW.version, NEW.parameters, NEW.input_digest, NEW.at,
    NEW.duration_ns, NEW.bundle_id)
    IS NOT (OLD.session_no, OLD.n, OLD.id, OLD.judge, OLD.version, OLD.parameters, OLD.input_digest, OLD.at,
      OLD.duration_ns, OLD.bundle_id)
BEGIN SELECT RAISE(ABORT, 'runs are append-only'); END;

-- What else there is to say of a run than its first had.
CREATE TABLE run_marks (
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

CREATE TRIGGER run_marks_new BEFORE INSERT ON run_marks
WHEN EXISTS (SELECT 1 FROM run_marks WHERE session_no = NEW.session_no AND run = NEW.run)
BEGIN SELECT RAISE(ABORT, 'runs are append-only'); END;
CREATE TRIGGER run_marks_keep BEFORE UPDATE ON run_marks BEGIN SELECT RAISE(ABORT, 'runs are append-only'); END;
CREATE TRIGGER run_marks_stay BEFORE DELETE ON run_marks WHEN OLD.session_no NOT IN (SELECT no FROM erasing_sessions)
BEGIN SELECT RAISE(ABORT, 'runs are append-only'); END;

-- The judgement of a run that is not the newest.
CREATE TABLE run_claims (
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

CREATE TRIGGER run_claims_new BEFORE INSERT ON run_claims
WHEN EXISTS (SELECT 1 FROM run_claims WHERE session_no = NEW.session_no AND run = NEW.run AND claim = NEW.claim)
BEGIN SELECT RAISE(ABORT, 'runs are append-only'); END;
CREATE TRIGGER run_claims_stay BEFORE DELETE ON run_claims WHEN OLD.session_no NOT IN (SELECT no FROM erasing_sessions)
BEGIN SELECT RAISE(ABORT, 'runs are append-only'); END;
-- The snippets of an erased document leave the older runs too.
CREATE TRIGGER run_claims_keep BEFORE UPDATE ON run_claims
WHEN OLD.session_no NOT IN (SELECT no FROM erasing_documents)
  OR (NEW.session_no, NEW.run, NEW.claim, NEW.verdict, NEW.confidence, NEW.judge, NEW.given)
    IS NOT (OLD.session_no, OLD.run, OLD.claim, OLD.verdict, OLD.confidence, OLD.judge, OLD.given)
BEGIN SELECT RAISE(ABORT, 'runs are append-only'); END;

-- What a run changed against the one before it, in claim order.
CREATE TABLE run_changes (
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

CREATE TRIGGER run_changes_new BEFORE INSERT ON run_changes
WHEN EXISTS (SELECT 1 FROM run_changes WHERE session_no = NEW.session_no AND run = NEW.run AND claim = NEW.claim)
BEGIN SELECT RAISE(ABORT, 'runs are append-only'); END;
CREATE TRIGGER run_changes_keep BEFORE UPDATE ON run_changes BEGIN SELECT RAISE(ABORT, 'runs are append-only'); END;
CREATE TRIGGER run_changes_stay BEFORE DELETE ON run_changes
WHEN OLD.session_no NOT IN (SELECT no FROM erasing_sessions)
BEGIN SELECT RAISE(ABORT, 'runs are append-only'); END;

-- === Content digests of sessions (rule LOG-8, docs/integrity.md) ===
--
-- The salt of each row that is digested stands in the row, and serves the rows below it too; here are the trees over
-- the digests, in pages of 64 hashes, and the event that holds the newest state digest. Pages stay when a session is
-- erased, so they refer to it by its id.

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

-- === Search ===

-- Full text, see search.go: rows carry their base row's number; the words are stored nowhere else than in the index. A
-- session's row begins with its tenant's scope word; a claim's row needs none, a session's claims are a range of rows.
CREATE VIRTUAL TABLE session_search USING fts5 (
  words, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'
);

CREATE VIRTUAL TABLE claim_search USING fts5 (
  words, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'
);

-- Finding: full text over claims, answers, passages of documents and what reviewers wrote. find_runs has what the rows
-- of find_search stand for, by runs of rows that go on from one another: a session's claims are one run, a document's
-- passages another. They are made in the transaction that makes what they stand for, and stay as that does; what
-- changes (verdicts, states, withdrawn documents) is looked up.
CREATE TABLE find_runs (
  -- a row of find_search; the run goes on to the row before the next run's first
  first      INTEGER PRIMARY KEY,
  tenant_id  TEXT NOT NULL,
  session_no INTEGER NOT NULL,
  kind       INTEGER NOT NULL,             -- as in find.go: claim, answer, passage, note
  -- of the first row: claims.position, answer_parts.start, documents.position; of a note claims.position
  a          INTEGER NOT NULL,
  -- of the first row: chunks.position of a passage, reviews.n of a note, else 0
  b          INTEGER NOT NULL,
  UNIQUE (session_no, kind, a, b),         -- and from row to row one further, see findSteps
  FOREIGN KEY (tenant_id, session_no) REFERENCES sessions (tenant_id, no)
) STRICT;

-- Its words begin with what they are of, kind and tenant (find.go). A figure is among the words of every index in its
-- notation and by its decimal (search_terms.go).
CREATE VIRTUAL TABLE find_search USING fts5 (
  words, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'
);

-- Filters kept under a name.
CREATE TABLE saved_views (
  id         TEXT NOT NULL PRIMARY KEY,
  tenant_id  TEXT NOT NULL REFERENCES tenants (id),
  user_id    TEXT NOT NULL,                -- whose it is
  page       TEXT NOT NULL CHECK (page IN ('sessions', 'ledger', 'search')),
  name       TEXT NOT NULL,
  name_key   TEXT NOT NULL,                -- the folded name
  query      TEXT NOT NULL,                -- the page's parameters, in the order of their names; never a path
  shared     INTEGER NOT NULL,             -- all of the tenant see it
  created_at TEXT NOT NULL,
  UNIQUE (tenant_id, user_id, page, name_key)
) STRICT;

CREATE INDEX saved_views_shared ON saved_views (tenant_id, page, name_key, id) WHERE shared = 1;

-- === Judges over the network (rules J-10, SEC-28) ===

-- What a tenant's sessions may be judged by. Costs are millionths of the currency that the tenant counts in; 0 is no
-- bound.
CREATE TABLE model_endpoints (
  tenant_id          TEXT NOT NULL REFERENCES tenants (id),
  id                 TEXT NOT NULL,
  name               TEXT NOT NULL,
  kind               TEXT NOT NULL CHECK (kind IN ('openai', 'anthropic', 'nli', 'embeddings')),
  url                TEXT NOT NULL,
  model              TEXT NOT NULL,        -- '' where the address says which
  sealed             BLOB NOT NULL,        -- the key, encrypted with the master key; empty for none
  -- millionths: the measured share of "supported" that is right, 0 if not measured
  trust_supported    INTEGER NOT NULL,
  trust_contradicted INTEGER NOT NULL,
  price_in           INTEGER NOT NULL,     -- cost of a million tokens of questions
  price_out          INTEGER NOT NULL,     -- cost of a million tokens of answers
  run_tokens         INTEGER NOT NULL,     -- bounds of one run
  run_cost           INTEGER NOT NULL,
  day_tokens         INTEGER NOT NULL,     -- bounds of one day in UTC
  day_cost           INTEGER NOT NULL,
  parallel           INTEGER NOT NULL,     -- questions at a time in one run
  timeout_ms         INTEGER NOT NULL,     -- of one try
  redact             INTEGER NOT NULL,     -- 1: personal data is replaced before anything is sent
  revision           INTEGER NOT NULL,
  created_at         TEXT NOT NULL,
  created_by         TEXT NOT NULL,
  changed_at         TEXT NOT NULL,
  changed_by         TEXT NOT NULL,
  disabled_at        TEXT NOT NULL,        -- '' while enabled
  PRIMARY KEY (tenant_id, id)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX model_endpoints_named ON model_endpoints (tenant_id, name);

-- What an endpoint was asked about a session, without any word of it.
CREATE TABLE model_calls (
  no          INTEGER PRIMARY KEY,
  tenant_id   TEXT NOT NULL,
  session_no  INTEGER NOT NULL,
  endpoint_id TEXT NOT NULL,               -- may be gone
  job_id      TEXT NOT NULL,
  claim       INTEGER NOT NULL,
  at          TEXT NOT NULL,               -- when it was answered, or given up
  kind        TEXT NOT NULL,
  model       TEXT NOT NULL,
  template    TEXT NOT NULL,
  question    TEXT NOT NULL,               -- SHA-256 of the body that was sent last, '' once a document is erased
  answer      TEXT NOT NULL,               -- SHA-256 of the answer, '' if none, and once a document is erased
  tries       INTEGER NOT NULL,
  tokens_in   INTEGER NOT NULL,
  tokens_out  INTEGER NOT NULL,
  cost        INTEGER NOT NULL,
  latency_us  INTEGER NOT NULL,
  fault       TEXT NOT NULL,               -- code of the fault, '' if there was none
  violations  INTEGER NOT NULL,            -- ids that the model was not given
  addressing  INTEGER NOT NULL,            -- ids of sentences that speak to the judge
  disagree    INTEGER NOT NULL,            -- 1: the embedded judge finds otherwise
  FOREIGN KEY (tenant_id, session_no) REFERENCES sessions (tenant_id, no) ON DELETE CASCADE
) STRICT;

CREATE INDEX model_calls_session ON model_calls (tenant_id, session_no, job_id);

-- What was answered, so that nothing is asked twice. It may repeat words of documents: it goes with the session, and
-- when a document of the session is erased.
CREATE TABLE model_answers (
  tenant_id  TEXT NOT NULL,
  session_no INTEGER NOT NULL,
  digest     TEXT NOT NULL,                -- SHA-256 of kind, address, model, template and question
  job_id     TEXT NOT NULL,                -- that asked
  at         TEXT NOT NULL,
  counts     INTEGER NOT NULL,             -- 0: it cannot be read as an answer, so that another job asks again
  answer     TEXT NOT NULL,
  PRIMARY KEY (tenant_id, session_no, digest),
  FOREIGN KEY (tenant_id, session_no) REFERENCES sessions (tenant_id, no) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- What was spent, also on sessions that are gone.
CREATE TABLE model_spending (
  tenant_id   TEXT NOT NULL REFERENCES tenants (id),
  endpoint_id TEXT NOT NULL,
  day         TEXT NOT NULL,               -- in UTC
  calls       INTEGER NOT NULL,
  failed      INTEGER NOT NULL,
  tokens_in   INTEGER NOT NULL,
  tokens_out  INTEGER NOT NULL,
  cost        INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, endpoint_id, day)
) STRICT, WITHOUT ROWID;

-- === Readers of the operator's choice (rule J-13) ===

-- What the word of a reader counts in a tenant, found on rows with verdicts of people.
CREATE TABLE reader_calibrations (
  tenant_id     TEXT NOT NULL REFERENCES tenants (id),
  reader        TEXT NOT NULL,             -- digest of what it was made from
  balances      TEXT NOT NULL,             -- JSON of the judge
  calibrated_on INTEGER NOT NULL,          -- rows
  calibrated_at TEXT NOT NULL,
  PRIMARY KEY (tenant_id, reader)
) STRICT, WITHOUT ROWID;

-- === Decisions and evidence packs ===
--
-- What a submitted pack says is never changed again, nor is one taken away, unless a purge of it is on record: the
-- triggers refuse that to whoever has the database open, also by way of INSERT OR REPLACE.

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
  restricted     TEXT,                     -- JSON: pack.Prints of its S3 content, NULL without any
  UNIQUE (tenant_id, decision_id)
) STRICT;

CREATE INDEX decisions_created ON decisions (tenant_id, created_at, decision_id);
CREATE INDEX decisions_level ON decisions (tenant_id, level, created_at, decision_id);
CREATE INDEX decisions_missing ON decisions (tenant_id, created_at, decision_id) WHERE missing = 1;

CREATE TRIGGER decisions_new BEFORE INSERT ON decisions
WHEN EXISTS (SELECT 1 FROM decisions WHERE no = NEW.no OR tenant_id = NEW.tenant_id AND decision_id = NEW.decision_id)
BEGIN SELECT RAISE(ABORT, 'a decision is never replaced'); END;
CREATE TRIGGER decisions_keep BEFORE UPDATE ON decisions
WHEN (NEW.no, NEW.tenant_id, NEW.decision_id, NEW.digest, NEW.created_at, NEW.title, NEW.agent_name, NEW.entity_id,
    NEW.approval_class, NEW.level, NEW.session_id, NEW.decided_at, NEW.data, NEW.restricted)
  IS NOT (OLD.no, OLD.tenant_id, OLD.decision_id, OLD.digest, OLD.created_at, OLD.title, OLD.agent_name, OLD.entity_id,
    OLD.approval_class, OLD.level, OLD.session_id, OLD.decided_at, OLD.data, OLD.restricted)
BEGIN SELECT RAISE(ABORT, 'a decision never changes'); END;
CREATE TRIGGER decisions_stay BEFORE DELETE ON decisions
WHEN NOT EXISTS (SELECT 1 FROM pack_tombstones WHERE tenant_id = OLD.tenant_id AND decision_id = OLD.decision_id)
  OR EXISTS (SELECT 1 FROM evidence_packs WHERE tenant_id = OLD.tenant_id AND decision_id = OLD.decision_id)
BEGIN SELECT RAISE(ABORT, 'a decision goes with the purge of its last pack only'); END;

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
  restricted  TEXT,                        -- JSON: pack.Prints of it, NULL without any
  PRIMARY KEY (tenant_id, decision_id, n),
  UNIQUE (tenant_id, decision_id, id),
  FOREIGN KEY (tenant_id, decision_id) REFERENCES decisions (tenant_id, decision_id)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER decision_calls_next BEFORE INSERT ON decision_calls
WHEN NEW.n <> (SELECT count(*) FROM decision_calls WHERE tenant_id = NEW.tenant_id AND decision_id = NEW.decision_id)
  OR EXISTS (SELECT 1 FROM decision_calls WHERE tenant_id = NEW.tenant_id AND decision_id = NEW.decision_id
    AND id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'tool calls are appended in order'); END;
CREATE TRIGGER decision_calls_keep BEFORE UPDATE ON decision_calls
BEGIN SELECT RAISE(ABORT, 'what was taken in stays'); END;
CREATE TRIGGER decision_calls_stay BEFORE DELETE ON decision_calls
WHEN NOT EXISTS (SELECT 1 FROM pack_tombstones WHERE tenant_id = OLD.tenant_id AND decision_id = OLD.decision_id)
  OR EXISTS (SELECT 1 FROM evidence_packs WHERE tenant_id = OLD.tenant_id AND decision_id = OLD.decision_id)
BEGIN SELECT RAISE(ABORT, 'a decision goes with the purge of its last pack only'); END;

-- Full text, as session_search is: rows carry the number of their decision or pack, and begin with the tenant's word.
CREATE VIRTUAL TABLE decision_search USING fts5 (
  words, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'
);

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
  state          TEXT NOT NULL CHECK (state IN ('draft', 'in_review', 'signed_off', 'returned', 'superseded',
    'discarded')),
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
  discarded_at   TEXT NOT NULL DEFAULT '', -- '' until it is; with it who and why
  discarded_by   TEXT NOT NULL DEFAULT '',
  discarded_name TEXT NOT NULL DEFAULT '',
  discard_reason TEXT NOT NULL DEFAULT '',
  -- what submission freezes
  submitted_at   TEXT NOT NULL,            -- '' for a draft
  digest         TEXT NOT NULL,            -- of content, '' for a draft
  alarms         INTEGER NOT NULL DEFAULT 0, -- how many an approver acknowledges, as of submission; lists show it
  secret         BLOB NOT NULL,            -- sealed; the salts of the content root come from it
  -- a draft's JSON without the ledger; from submission on the bytes of pack.json
  content        TEXT NOT NULL,
  FOREIGN KEY (tenant_id, decision_id) REFERENCES decisions (tenant_id, decision_id)
) STRICT;

CREATE INDEX evidence_packs_created ON evidence_packs (tenant_id, created_at, pack_id);
CREATE INDEX evidence_packs_state ON evidence_packs (tenant_id, state, created_at, pack_id);
CREATE INDEX evidence_packs_decision ON evidence_packs (tenant_id, decision_id, no);
CREATE INDEX evidence_packs_session ON evidence_packs (tenant_id, session_id) WHERE session_id <> '';
CREATE INDEX evidence_packs_family ON evidence_packs (tenant_id, family, no);
CREATE INDEX evidence_packs_waiting ON evidence_packs (tenant_id, submitted_at) WHERE state = 'in_review';
CREATE INDEX evidence_packs_retained ON evidence_packs (tenant_id, retain_until);
CREATE INDEX evidence_packs_next ON evidence_packs (tenant_id, supersedes) WHERE supersedes <> '';
-- One open version per predecessor.
CREATE UNIQUE INDEX evidence_packs_open ON evidence_packs (tenant_id, supersedes)
  WHERE supersedes <> '' AND state IN ('draft', 'in_review');
-- One chain per decision, besides those whose draft was given up (rule P-11).
CREATE UNIQUE INDEX evidence_packs_first ON evidence_packs (tenant_id, decision_id)
  WHERE supersedes = '' AND state <> 'discarded';

CREATE TRIGGER evidence_packs_draft BEFORE INSERT ON evidence_packs
WHEN NEW.state <> 'draft' OR NEW.revision <> 1 OR NEW.approvals <> 0 OR NEW.signed_at <> '' OR NEW.digest <> ''
  OR EXISTS (SELECT 1 FROM pack_tombstones WHERE pack_id = NEW.pack_id)
BEGIN SELECT RAISE(ABORT, 'a pack begins as a draft'); END;
CREATE TRIGGER evidence_packs_frozen BEFORE UPDATE ON evidence_packs
WHEN OLD.state <> 'draft'
    AND (NEW.content, NEW.digest, NEW.submitted_at, NEW.alarms)
      IS NOT (OLD.content, OLD.digest, OLD.submitted_at, OLD.alarms)
BEGIN SELECT RAISE(ABORT, 'a submitted pack never changes'); END;
CREATE TRIGGER evidence_packs_stay BEFORE DELETE ON evidence_packs
WHEN NOT EXISTS (SELECT 1 FROM pack_tombstones WHERE tenant_id = OLD.tenant_id AND pack_id = OLD.pack_id)
BEGIN SELECT RAISE(ABORT, 'a pack goes by a recorded purge only'); END;
CREATE TRIGGER evidence_packs_new BEFORE INSERT ON evidence_packs
WHEN EXISTS (SELECT 1 FROM evidence_packs WHERE no = NEW.no OR pack_id = NEW.pack_id
    OR NEW.supersedes = '' AND supersedes = '' AND tenant_id = NEW.tenant_id AND decision_id = NEW.decision_id
      AND state <> 'discarded'
    OR NEW.supersedes <> '' AND supersedes = NEW.supersedes AND tenant_id = NEW.tenant_id
      AND state IN ('draft', 'in_review'))
BEGIN SELECT RAISE(ABORT, 'a pack is never replaced'); END;
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
    IS NOT (OLD.returned_at, OLD.returned_by, OLD.returned_name, OLD.return_reason)
      AND NOT (OLD.state = 'in_review' AND NEW.state = 'returned')
  OR (NEW.discarded_at, NEW.discarded_by, NEW.discarded_name, NEW.discard_reason)
    IS NOT (OLD.discarded_at, OLD.discarded_by, OLD.discarded_name, OLD.discard_reason)
      AND NOT (OLD.state = 'draft' AND NEW.state = 'discarded')
  OR NEW.approvals <> OLD.approvals AND NOT (OLD.state = 'in_review' AND NEW.approvals = OLD.approvals + 1)
BEGIN SELECT RAISE(ABORT, 'this is not how a pack lives'); END;
CREATE TRIGGER evidence_packs_resealed BEFORE UPDATE OF no, tenant_id, pack_id, decision_id, version, supersedes,
  family, session_id, title, agent_name, entity_id, approval_class, level, need, made_by, created_at, retain_until,
  state, revision, updated_at, approvals, on_hold, superseded_by, signed_at, returned_at, returned_by, returned_name,
  return_reason, submitted_at, digest, alarms, content, discarded_at, discarded_by, discarded_name, discard_reason ON
  evidence_packs
WHEN EXISTS (SELECT 1 FROM resealing)
BEGIN SELECT RAISE(ABORT, 'resealing changes the seal only'); END;
CREATE TRIGGER evidence_packs_sealed BEFORE UPDATE OF secret ON evidence_packs
WHEN EXISTS (SELECT 1 FROM resealing) AND length(NEW.secret) <> length(OLD.secret)
BEGIN SELECT RAISE(ABORT, 'a resealed secret has the same length'); END;
-- So does a change of the pack.
CREATE TRIGGER due_dates_pack AFTER UPDATE OF state ON evidence_packs WHEN NEW.state <> OLD.state
BEGIN
  UPDATE due_dates SET open = NEW.state IN ('draft', 'in_review', 'returned')
  WHERE tenant_id = NEW.tenant_id AND object_kind = 'pack' AND object_id = NEW.pack_id;
  UPDATE notifications SET read_at = NEW.updated_at
  WHERE NEW.state NOT IN ('draft', 'in_review', 'returned') AND tenant_id = NEW.tenant_id AND object_kind = 'pack'
    AND object_id = NEW.pack_id AND kind = 'due' AND read_at = '';
END;
-- A pack's secret never changes, but the seal around it does with the master key; nothing else of the pack changes with
-- it. While a pack is a draft, people may link the session whose ledger it copies (rule P-23); after its submission the
-- session does not change either.
CREATE TRIGGER evidence_packs_same BEFORE UPDATE ON evidence_packs
WHEN NOT EXISTS (SELECT 1 FROM resealing) AND (
  (NEW.no, NEW.tenant_id, NEW.pack_id, NEW.decision_id, NEW.version, NEW.supersedes, NEW.family, NEW.title,
    NEW.agent_name, NEW.entity_id, NEW.approval_class, NEW.level, NEW.need, NEW.made_by, NEW.created_at,
    NEW.retain_until, NEW.secret)
  IS NOT (OLD.no, OLD.tenant_id, OLD.pack_id, OLD.decision_id, OLD.version, OLD.supersedes, OLD.family, OLD.title,
    OLD.agent_name, OLD.entity_id, OLD.approval_class, OLD.level, OLD.need, OLD.made_by, OLD.created_at,
    OLD.retain_until, OLD.secret)
  OR NEW.session_id <> OLD.session_id AND (OLD.state <> 'draft' OR NEW.state <> 'draft')
  OR NEW.revision <> OLD.revision + 1)
BEGIN SELECT RAISE(ABORT, 'what identifies a pack never changes, and every change grows its revision by one'); END;

CREATE VIRTUAL TABLE pack_search USING fts5 (
  words, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'
);

-- What belongs to a pack is appended while it lives, then kept; it goes with a purge on record only.
-- Who may not approve.
CREATE TABLE pack_makers (
  tenant_id TEXT NOT NULL,
  pack_id   TEXT NOT NULL REFERENCES evidence_packs (pack_id),
  actor     TEXT NOT NULL,
  own       INTEGER NOT NULL,              -- made or edited this version; 0: one before it
  n         INTEGER NOT NULL,              -- the order
  PRIMARY KEY (tenant_id, pack_id, actor)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER pack_makers_next BEFORE INSERT ON pack_makers
WHEN NOT EXISTS (SELECT 1 FROM evidence_packs WHERE pack_id = NEW.pack_id AND tenant_id = NEW.tenant_id
    AND state = 'draft')
  OR NEW.n <> (SELECT count(*) FROM pack_makers WHERE tenant_id = NEW.tenant_id AND pack_id = NEW.pack_id)
  OR EXISTS (SELECT 1 FROM pack_makers WHERE tenant_id = NEW.tenant_id AND pack_id = NEW.pack_id AND actor = NEW.actor)
BEGIN SELECT RAISE(ABORT, 'makers are appended in order, to a draft'); END;
CREATE TRIGGER pack_makers_keep BEFORE UPDATE ON pack_makers
WHEN (NEW.tenant_id, NEW.pack_id, NEW.actor, NEW.n) IS NOT (OLD.tenant_id, OLD.pack_id, OLD.actor, OLD.n)
    OR NEW.own < OLD.own
BEGIN SELECT RAISE(ABORT, 'who made a pack stays'); END;
CREATE TRIGGER pack_makers_stay BEFORE DELETE ON pack_makers
WHEN NOT EXISTS (SELECT 1 FROM pack_tombstones WHERE tenant_id = OLD.tenant_id AND pack_id = OLD.pack_id)
BEGIN SELECT RAISE(ABORT, 'who made a pack stays'); END;

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
WHEN NEW.revision <= (SELECT coalesce(max(revision), 0) FROM pack_edits WHERE tenant_id = NEW.tenant_id
    AND pack_id = NEW.pack_id)
BEGIN SELECT RAISE(ABORT, 'edits are appended in order'); END;
CREATE TRIGGER pack_edits_keep BEFORE UPDATE ON pack_edits
BEGIN SELECT RAISE(ABORT, 'edits are append-only'); END;
CREATE TRIGGER pack_edits_stay BEFORE DELETE ON pack_edits
WHEN NOT EXISTS (SELECT 1 FROM pack_tombstones WHERE tenant_id = OLD.tenant_id AND pack_id = OLD.pack_id)
BEGIN SELECT RAISE(ABORT, 'edits are append-only'); END;

CREATE TABLE pack_approvals (
  tenant_id    TEXT NOT NULL,
  pack_id      TEXT NOT NULL REFERENCES evidence_packs (pack_id),
  n            INTEGER NOT NULL,           -- 0, 1 …
  actor        TEXT NOT NULL,
  name         TEXT NOT NULL,              -- as shown then
  title        TEXT NOT NULL,              -- job title then, '' for none
  role         TEXT NOT NULL,
  at           TEXT NOT NULL,
  digest       TEXT NOT NULL,
  log_index    INTEGER NOT NULL,           -- events.seq - 1
  for_id       TEXT NOT NULL,              -- whose deputy the approver was; '' in their own name, as the next four
  for_name     TEXT NOT NULL,              -- as shown then
  for_from     TEXT NOT NULL,
  for_until    TEXT NOT NULL,
  for_log      INTEGER NOT NULL,           -- events.seq - 1 of the event that named the deputy
  comment      TEXT NOT NULL,
  acknowledged TEXT NOT NULL,              -- JSON: ids of the alarms that the approver acknowledged
  since        TEXT,                       -- JSON of []pack.Since: what had changed since submission
  PRIMARY KEY (tenant_id, pack_id, n)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER pack_approvals_next BEFORE INSERT ON pack_approvals
WHEN NOT EXISTS (SELECT 1 FROM evidence_packs WHERE pack_id = NEW.pack_id AND tenant_id = NEW.tenant_id
    AND state = 'in_review' AND digest = NEW.digest)
  OR NEW.n <> (SELECT count(*) FROM pack_approvals WHERE tenant_id = NEW.tenant_id AND pack_id = NEW.pack_id)
  OR EXISTS (SELECT 1 FROM pack_approvals WHERE tenant_id = NEW.tenant_id AND pack_id = NEW.pack_id
    AND (actor IN (NEW.actor, NEW.for_id) OR for_id <> '' AND for_id IN (NEW.actor, NEW.for_id)))
  OR EXISTS (SELECT 1 FROM pack_makers WHERE tenant_id = NEW.tenant_id AND pack_id = NEW.pack_id
    AND actor IN (NEW.actor, NEW.for_id))
BEGIN SELECT RAISE(ABORT, 'a pack in review is approved by others than its makers, each once'); END;
CREATE TRIGGER pack_approvals_keep BEFORE UPDATE ON pack_approvals
BEGIN SELECT RAISE(ABORT, 'approvals are append-only'); END;
CREATE TRIGGER pack_approvals_stay BEFORE DELETE ON pack_approvals
WHEN NOT EXISTS (SELECT 1 FROM pack_tombstones WHERE tenant_id = OLD.tenant_id AND pack_id = OLD.pack_id)
BEGIN SELECT RAISE(ABORT, 'approvals are append-only'); END;

-- Of which waiting packs approvers were reminded (rule P-31): each step once.
CREATE TABLE pack_reminders (
  tenant_id TEXT NOT NULL,
  pack_id   TEXT NOT NULL REFERENCES evidence_packs (pack_id),
  step      INTEGER NOT NULL,              -- from 1
  at        TEXT NOT NULL,
  PRIMARY KEY (tenant_id, pack_id, step)
) STRICT, WITHOUT ROWID;

-- What people say of a pack. A comment stays; its author can say that it is withdrawn. That a thread is resolved or
-- reopened is a row too.
CREATE TABLE pack_comments (
  tenant_id    TEXT NOT NULL,
  pack_id      TEXT NOT NULL REFERENCES evidence_packs (pack_id),
  n            INTEGER NOT NULL,
  id           TEXT NOT NULL,
  by_id        TEXT NOT NULL,
  name         TEXT NOT NULL,              -- as shown then
  role         TEXT NOT NULL,
  at           TEXT NOT NULL,
  text         TEXT NOT NULL,
  mentions     TEXT NOT NULL,              -- JSON: a list of start, length and id, as in mentions
  action       TEXT NOT NULL CHECK (action IN ('comment', 'resolve', 'reopen')),
  asks         INTEGER NOT NULL,           -- a comment that must be answered or resolved
  thread       TEXT NOT NULL,              -- id of the comment that begins the thread it belongs to, '' if it begins one
  withdrawn_at TEXT NOT NULL,              -- '' if it stands
  PRIMARY KEY (tenant_id, pack_id, n)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX pack_comments_id ON pack_comments (tenant_id, pack_id, id);

CREATE TRIGGER pack_comments_next BEFORE INSERT ON pack_comments
WHEN NEW.n <> (SELECT count(*) FROM pack_comments WHERE tenant_id = NEW.tenant_id AND pack_id = NEW.pack_id)
BEGIN SELECT RAISE(ABORT, 'comments are appended in order'); END;
CREATE TRIGGER pack_comments_keep BEFORE UPDATE ON pack_comments
WHEN (NEW.tenant_id, NEW.pack_id, NEW.n, NEW.id, NEW.by_id, NEW.name, NEW.role, NEW.at, NEW.text, NEW.mentions,
    NEW.action, NEW.asks, NEW.thread)
  IS NOT (OLD.tenant_id, OLD.pack_id, OLD.n, OLD.id, OLD.by_id, OLD.name, OLD.role, OLD.at, OLD.text, OLD.mentions,
    OLD.action, OLD.asks, OLD.thread)
  OR OLD.withdrawn_at <> '' OR NEW.withdrawn_at = ''
BEGIN SELECT RAISE(ABORT, 'a comment stays as it was said'); END;
CREATE TRIGGER pack_comments_stay BEFORE DELETE ON pack_comments
WHEN NOT EXISTS (SELECT 1 FROM pack_tombstones WHERE tenant_id = OLD.tenant_id AND pack_id = OLD.pack_id)
BEGIN SELECT RAISE(ABORT, 'comments go with their pack only'); END;

-- Legal holds, set and lifted in turn.
CREATE TABLE pack_holds (
  tenant_id TEXT NOT NULL,
  pack_id   TEXT NOT NULL REFERENCES evidence_packs (pack_id),
  n         INTEGER NOT NULL,
  held      INTEGER NOT NULL,              -- 1 set, 0 lifted
  actor     TEXT NOT NULL,
  at        TEXT NOT NULL,
  reason    TEXT NOT NULL,
  PRIMARY KEY (tenant_id, pack_id, n)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER pack_holds_next BEFORE INSERT ON pack_holds
WHEN NEW.n <> (SELECT count(*) FROM pack_holds WHERE tenant_id = NEW.tenant_id AND pack_id = NEW.pack_id)
BEGIN SELECT RAISE(ABORT, 'holds are appended in order'); END;
CREATE TRIGGER pack_holds_keep BEFORE UPDATE ON pack_holds
BEGIN SELECT RAISE(ABORT, 'holds are append-only'); END;
CREATE TRIGGER pack_holds_stay BEFORE DELETE ON pack_holds
WHEN NOT EXISTS (SELECT 1 FROM pack_tombstones WHERE tenant_id = OLD.tenant_id AND pack_id = OLD.pack_id)
BEGIN SELECT RAISE(ABORT, 'holds are append-only'); END;

-- Made once, at sign-off; pack.json is evidence_packs.content.
CREATE TABLE pack_files (
  tenant_id  TEXT NOT NULL,
  pack_id    TEXT NOT NULL REFERENCES evidence_packs (pack_id),
  name       TEXT NOT NULL,
  media_type TEXT NOT NULL,
  size       INTEGER NOT NULL,
  sha256     TEXT NOT NULL,
  data       BLOB NOT NULL,
  PRIMARY KEY (tenant_id, pack_id, name)
) STRICT, WITHOUT ROWID;

-- In the order of their names, of which tenant.pub is the last.
CREATE TRIGGER pack_files_next BEFORE INSERT ON pack_files
WHEN NOT EXISTS (SELECT 1 FROM evidence_packs WHERE pack_id = NEW.pack_id AND tenant_id = NEW.tenant_id
    AND state = 'signed_off')
  OR EXISTS (SELECT 1 FROM pack_files WHERE tenant_id = NEW.tenant_id AND pack_id = NEW.pack_id
    AND name IN (NEW.name, 'tenant.pub'))
BEGIN SELECT RAISE(ABORT, 'the files of a pack are made once'); END;
CREATE TRIGGER pack_files_keep BEFORE UPDATE ON pack_files
BEGIN SELECT RAISE(ABORT, 'the files of a pack never change'); END;
CREATE TRIGGER pack_files_stay BEFORE DELETE ON pack_files
WHEN NOT EXISTS (SELECT 1 FROM pack_tombstones WHERE tenant_id = OLD.tenant_id AND pack_id = OLD.pack_id)
BEGIN SELECT RAISE(ABORT, 'the files of a pack go by a recorded purge only'); END;

-- Originals of the session's documents, as the pack pins them; the files are in the bucket.
CREATE TABLE pack_attachments (
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

CREATE INDEX pack_attachments_blob ON pack_attachments (tenant_id, blob);

CREATE TRIGGER pack_attachments_keep BEFORE UPDATE ON pack_attachments
BEGIN SELECT RAISE(ABORT, 'the attachments of a pack never change'); END;
-- Attachments come and go while the pack is a draft.
CREATE TRIGGER pack_attachments_next BEFORE INSERT ON pack_attachments
WHEN NOT EXISTS (SELECT 1 FROM evidence_packs WHERE pack_id = NEW.pack_id AND tenant_id = NEW.tenant_id
    AND state = 'draft')
  OR NEW.n <> (SELECT coalesce(max(n) + 1, 0) FROM pack_attachments WHERE tenant_id = NEW.tenant_id
    AND pack_id = NEW.pack_id)
BEGIN SELECT RAISE(ABORT, 'attachments are appended in order, to a draft'); END;
CREATE TRIGGER pack_attachments_stay BEFORE DELETE ON pack_attachments
WHEN NOT EXISTS (SELECT 1 FROM pack_tombstones WHERE tenant_id = OLD.tenant_id AND pack_id = OLD.pack_id)
  AND NOT EXISTS (SELECT 1 FROM evidence_packs WHERE pack_id = OLD.pack_id AND tenant_id = OLD.tenant_id
    AND state = 'draft')
BEGIN SELECT RAISE(ABORT, 'the attachments of a submitted pack go by a recorded purge only'); END;

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
CREATE INDEX pack_exports_asker ON pack_exports (tenant_id, asked_by, asked_at, id);
CREATE INDEX pack_exports_pack ON pack_exports (pack_id);

-- Dry runs that wait for a second person, and what became of them.
CREATE TABLE pack_purges (
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

CREATE TRIGGER pack_tombstones_keep BEFORE UPDATE ON pack_tombstones
BEGIN SELECT RAISE(ABORT, 'tombstones stay as they are'); END;
CREATE TRIGGER pack_tombstones_stay BEFORE DELETE ON pack_tombstones
BEGIN SELECT RAISE(ABORT, 'tombstones stay'); END;
-- A tombstone lets a pack go. It needs a dry run by another person, a time that is over (rule P-17), no hold, and no
-- successor; or an erasure that two people decided.
CREATE TRIGGER pack_tombstones_due BEFORE INSERT ON pack_tombstones
WHEN NEW.purged_by = NEW.second_by
  OR EXISTS (SELECT 1 FROM pack_tombstones WHERE tenant_id = NEW.tenant_id AND pack_id = NEW.pack_id)
  OR NOT EXISTS (SELECT 1 FROM pack_purges
      WHERE tenant_id = NEW.tenant_id AND pack_id = NEW.pack_id AND state = 'asked' AND asked_by = NEW.purged_by)
    AND NOT EXISTS (SELECT 1 FROM erasures WHERE tenant_id = NEW.tenant_id AND kind = 'pack' AND object_id = NEW.pack_id
      AND state = 'erasing' AND asked_by = NEW.purged_by)
  OR NOT EXISTS (SELECT 1 FROM evidence_packs WHERE tenant_id = NEW.tenant_id AND pack_id = NEW.pack_id AND on_hold = 0
    AND state <> 'in_review' AND digest = NEW.digest AND decision_id = NEW.decision_id
    AND (retain_until <= NEW.purged_at OR EXISTS (SELECT 1 FROM erasures
      WHERE tenant_id = NEW.tenant_id AND kind = 'pack' AND object_id = NEW.pack_id AND state = 'erasing')))
  OR EXISTS (SELECT 1 FROM evidence_packs WHERE tenant_id = NEW.tenant_id AND supersedes = NEW.pack_id)
BEGIN SELECT RAISE(ABORT, 'this pack may not be purged'); END;

-- === The library: documents that many sessions take their sources from ===
--
-- A file is kept once: no two versions of a tenant have the same bytes, and the documents of sessions that were taken
-- from a version share its file. The text is each session's own, as its reviews saw it.

CREATE TABLE library_documents (
  no         INTEGER PRIMARY KEY,
  id         TEXT NOT NULL UNIQUE,
  tenant_id  TEXT NOT NULL REFERENCES tenants (id),
  version    INTEGER NOT NULL,             -- the newest, from 1
  created_at TEXT NOT NULL,
  created_by TEXT NOT NULL,
  changed_at TEXT NOT NULL,                -- of its newest version, which its retention period counts from
  name_key   TEXT NOT NULL,                -- the folded name
  search_key TEXT NOT NULL,                -- folded: name, folder and tags, each in a line
  folder     TEXT NOT NULL,                -- '' for none
  name       TEXT NOT NULL,
  tags       TEXT NOT NULL,                -- JSON: as typed, in the order of their folded forms
  UNIQUE (tenant_id, id)
) STRICT;

CREATE INDEX library_documents_name ON library_documents (tenant_id, name_key, no);
CREATE INDEX library_documents_folder ON library_documents (tenant_id, folder, name_key, no);
CREATE INDEX library_documents_changed ON library_documents (tenant_id, changed_at, no);

CREATE TABLE library_versions (
  tenant_id   TEXT NOT NULL,
  document_id TEXT NOT NULL,
  n           INTEGER NOT NULL,
  blob        TEXT NOT NULL,               -- key of the file in the bucket
  sha256      TEXT NOT NULL,               -- hex, of the file
  size        INTEGER NOT NULL,            -- of the file
  created_at  TEXT NOT NULL,
  created_by  TEXT NOT NULL,
  media_type  TEXT NOT NULL,
  text_by     TEXT NOT NULL,               -- as in documents
  filename    TEXT NOT NULL,
  passages    TEXT NOT NULL,               -- JSON: []library.Passage, in which cited words are looked for
  PRIMARY KEY (tenant_id, document_id, n),
  FOREIGN KEY (tenant_id, document_id) REFERENCES library_documents (tenant_id, id)
) STRICT;

-- Of two who add the same file at once, the second is told where it is.
CREATE UNIQUE INDEX library_versions_file ON library_versions (tenant_id, sha256);

CREATE TRIGGER library_versions_next BEFORE INSERT ON library_versions
WHEN NEW.n <> (SELECT count(*) + 1 FROM library_versions WHERE tenant_id = NEW.tenant_id
  AND document_id = NEW.document_id)
BEGIN SELECT RAISE(ABORT, 'versions are appended in order'); END;
CREATE TRIGGER library_versions_keep BEFORE UPDATE ON library_versions
BEGIN SELECT RAISE(ABORT, 'a version never changes'); END;
CREATE TRIGGER library_versions_stay BEFORE DELETE ON library_versions
WHEN NOT EXISTS (SELECT 1 FROM erasures WHERE tenant_id = OLD.tenant_id AND state = 'erasing' AND kind = 'library'
  AND object_id = OLD.document_id)
BEGIN SELECT RAISE(ABORT, 'a version stays on record'); END;

-- === Evidence bundles ===
--
-- The texts are in the lake; here is what was decided about them, and where they are used. Nothing of it is ever
-- changed or taken away, but by an erasure.

-- What this program wrote into the lake; others may write there too.
CREATE TABLE lake_artifacts (
  tenant_id  TEXT NOT NULL REFERENCES tenants (id),
  path       TEXT NOT NULL,
  sha256     TEXT NOT NULL,
  size       INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  made_by    TEXT NOT NULL,
  PRIMARY KEY (tenant_id, path)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER lake_artifacts_new BEFORE INSERT ON lake_artifacts
WHEN EXISTS (SELECT 1 FROM lake_artifacts WHERE tenant_id = NEW.tenant_id AND path = NEW.path)
BEGIN SELECT RAISE(ABORT, 'an artifact is never written over'); END;
CREATE TRIGGER lake_artifacts_keep BEFORE UPDATE ON lake_artifacts
BEGIN SELECT RAISE(ABORT, 'an artifact never changes'); END;
-- An artifact goes by its own erasure, or with the last bundle that names it.
CREATE TRIGGER lake_artifacts_stay BEFORE DELETE ON lake_artifacts
WHEN NOT EXISTS (SELECT 1 FROM erasures WHERE tenant_id = OLD.tenant_id AND state = 'erasing' AND (kind = 'artifact'
    AND object_id = OLD.path OR kind = 'bundle'))
BEGIN SELECT RAISE(ABORT, 'an artifact stays on record'); END;

CREATE TABLE evidence_bundles (
  no            INTEGER PRIMARY KEY,
  tenant_id     TEXT NOT NULL REFERENCES tenants (id),
  bundle_id     TEXT NOT NULL,             -- made of the content: two tenants may have the same
  created_at    TEXT NOT NULL,
  made_by       TEXT NOT NULL,
  build_version TEXT NOT NULL,
  policy        TEXT NOT NULL,             -- JSON
  item_count    INTEGER NOT NULL,
  total_bytes   INTEGER NOT NULL,
  type_counts   TEXT NOT NULL,             -- JSON
  UNIQUE (tenant_id, bundle_id)
) STRICT;

CREATE INDEX evidence_bundles_created ON evidence_bundles (tenant_id, created_at, bundle_id);

CREATE TRIGGER evidence_bundles_new BEFORE INSERT ON evidence_bundles
WHEN EXISTS (SELECT 1 FROM evidence_bundles WHERE no = NEW.no OR tenant_id = NEW.tenant_id
    AND bundle_id = NEW.bundle_id)
BEGIN SELECT RAISE(ABORT, 'a bundle is never replaced'); END;
CREATE TRIGGER evidence_bundles_keep BEFORE UPDATE ON evidence_bundles
BEGIN SELECT RAISE(ABORT, 'a bundle never changes'); END;
CREATE TRIGGER evidence_bundles_stay BEFORE DELETE ON evidence_bundles
WHEN OLD.no NOT IN (SELECT no FROM erasing_bundles)
BEGIN SELECT RAISE(ABORT, 'a bundle stays on record'); END;

-- What was left out and what failed is no part of a bundle's id: requests that come to the same items may differ in it.
-- Each such record is kept, with its artifact.
CREATE TABLE evidence_builds (
  tenant_id  TEXT NOT NULL,
  bundle_no  INTEGER NOT NULL REFERENCES evidence_bundles (no),
  n          INTEGER NOT NULL,             -- 0, 1, 2 …
  digest     TEXT NOT NULL,                -- of what was dropped and what failed
  created_at TEXT NOT NULL,                -- created_utc of the artifact
  made_by    TEXT NOT NULL,
  lake_uri   TEXT NOT NULL,
  sha256     TEXT NOT NULL,                -- of the artifact
  size       INTEGER NOT NULL,
  bounding   TEXT NOT NULL,                -- JSON: bundle_bounding
  dropped    TEXT NOT NULL,                -- JSON: dropped_items
  failed     TEXT NOT NULL,                -- JSON: failed_sources
  said       TEXT NOT NULL,                -- JSON: the message of each of them
  dropped_n  INTEGER NOT NULL,
  failed_n   INTEGER NOT NULL,
  PRIMARY KEY (bundle_no, n),
  UNIQUE (bundle_no, digest)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER evidence_builds_new BEFORE INSERT ON evidence_builds
WHEN NOT EXISTS (SELECT 1 FROM evidence_bundles WHERE no = NEW.bundle_no AND tenant_id = NEW.tenant_id)
  OR EXISTS (SELECT 1 FROM evidence_builds WHERE bundle_no = NEW.bundle_no AND (n = NEW.n OR digest = NEW.digest))
  OR NEW.n > 0 AND NOT EXISTS (SELECT 1 FROM evidence_builds WHERE bundle_no = NEW.bundle_no AND n = NEW.n - 1)
BEGIN SELECT RAISE(ABORT, 'builds of a bundle are appended'); END;
CREATE TRIGGER evidence_builds_keep BEFORE UPDATE ON evidence_builds
BEGIN SELECT RAISE(ABORT, 'a build never changes'); END;
CREATE TRIGGER evidence_builds_stay BEFORE DELETE ON evidence_builds
WHEN OLD.bundle_no NOT IN (SELECT no FROM erasing_bundles)
BEGIN SELECT RAISE(ABORT, 'a build stays on record'); END;

CREATE TABLE evidence_items (
  tenant_id      TEXT NOT NULL,
  bundle_no      INTEGER NOT NULL REFERENCES evidence_bundles (no),
  n              INTEGER NOT NULL,         -- 0, 1, 2 … as in the bundle
  evidence_id    TEXT NOT NULL,
  evidence_type  TEXT NOT NULL,
  source_ref     TEXT NOT NULL,            -- JSON
  content_sha256 TEXT NOT NULL,
  byte_count     INTEGER NOT NULL,
  full_ref       TEXT NOT NULL,            -- JSON; 'null' where the content is all there is
  metadata       TEXT NOT NULL,            -- JSON: bounding, redaction, sampling, chunk, http
  PRIMARY KEY (bundle_no, n)
) STRICT, WITHOUT ROWID;

CREATE INDEX evidence_items_content ON evidence_items (tenant_id, content_sha256, bundle_no);
CREATE INDEX evidence_items_evidence ON evidence_items (tenant_id, evidence_id, bundle_no);

CREATE TRIGGER evidence_items_new BEFORE INSERT ON evidence_items
WHEN NEW.n < 0 OR NEW.n >= coalesce((SELECT item_count FROM evidence_bundles WHERE no = NEW.bundle_no
    AND tenant_id = NEW.tenant_id), 0)
  OR EXISTS (SELECT 1 FROM evidence_items WHERE bundle_no = NEW.bundle_no AND n = NEW.n)
BEGIN SELECT RAISE(ABORT, 'a bundle has the items it was made with'); END;
CREATE TRIGGER evidence_items_keep BEFORE UPDATE ON evidence_items
BEGIN SELECT RAISE(ABORT, 'an item never changes'); END;
CREATE TRIGGER evidence_items_stay BEFORE DELETE ON evidence_items
WHEN OLD.bundle_no NOT IN (SELECT no FROM erasing_bundles)
BEGIN SELECT RAISE(ABORT, 'an item stays on record'); END;

-- Which runs were given which bundles.
CREATE TABLE run_evidence (
  tenant_id  TEXT NOT NULL,
  run_id     TEXT NOT NULL,                -- a judge run's, or the caller's own
  bundle_no  INTEGER NOT NULL REFERENCES evidence_bundles (no),
  created_at TEXT NOT NULL,
  made_by    TEXT NOT NULL,
  PRIMARY KEY (tenant_id, run_id, bundle_no)
) STRICT, WITHOUT ROWID;

CREATE INDEX run_evidence_bundle ON run_evidence (bundle_no, created_at, run_id);

CREATE TRIGGER run_evidence_new BEFORE INSERT ON run_evidence
WHEN NOT EXISTS (SELECT 1 FROM evidence_bundles WHERE no = NEW.bundle_no AND tenant_id = NEW.tenant_id)
  OR EXISTS (SELECT 1 FROM run_evidence WHERE tenant_id = NEW.tenant_id AND run_id = NEW.run_id
    AND bundle_no = NEW.bundle_no)
BEGIN SELECT RAISE(ABORT, 'a run is linked once'); END;
CREATE TRIGGER run_evidence_keep BEFORE UPDATE ON run_evidence BEGIN SELECT RAISE(ABORT, 'a link never changes'); END;
CREATE TRIGGER run_evidence_stay BEFORE DELETE ON run_evidence
WHEN OLD.bundle_no NOT IN (SELECT no FROM erasing_bundles)
BEGIN SELECT RAISE(ABORT, 'a link stays on record'); END;

-- A tenant's own redaction patterns; in order, as they are part of a redaction profile.
CREATE TABLE redaction_patterns (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  n         INTEGER NOT NULL,
  kind      TEXT NOT NULL,
  expr      TEXT NOT NULL,
  PRIMARY KEY (tenant_id, n)
) STRICT, WITHOUT ROWID;

-- === Erasure and retention (rules ER-1 to ER-6) ===
--
-- A request is asked for by one person and confirmed by another; the rows go in the transaction that confirms it, the
-- files after it. While it is 'erasing', the triggers that guard rows let those of its object go.

CREATE TABLE erasures (
  no             INTEGER PRIMARY KEY,
  id             TEXT NOT NULL UNIQUE,
  tenant_id      TEXT NOT NULL REFERENCES tenants (id),
  kind           TEXT NOT NULL CHECK (kind IN ('session', 'document', 'bundle', 'artifact', 'upload', 'pack',
    'library')),
  object_id      TEXT NOT NULL,            -- of an artifact its path, and once it is erased the SHA-256 of that
  session_id     TEXT NOT NULL,            -- of a document, else ''
  state          TEXT NOT NULL CHECK (state IN ('asked', 'erasing', 'done', 'refused')),
  retention      INTEGER NOT NULL,         -- 1: a period was over; 0: a person asked
  reason         TEXT NOT NULL,
  counts         TEXT NOT NULL,            -- JSON object
  files          INTEGER NOT NULL,
  bytes          INTEGER NOT NULL,
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

CREATE TRIGGER erasures_new BEFORE INSERT ON erasures
WHEN NOT (NEW.state = 'asked' AND NEW.retention = 0 OR NEW.state = 'erasing' AND NEW.retention = 1
    AND NEW.kind <> 'pack')
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

CREATE VIEW erasing_sessions AS SELECT s.no
  FROM erasures e JOIN sessions s ON s.tenant_id = e.tenant_id AND s.id = e.object_id
WHERE e.kind = 'session' AND e.state = 'erasing';

CREATE VIEW erasing_documents AS SELECT s.no
  FROM erasures e JOIN sessions s ON s.tenant_id = e.tenant_id AND s.id = e.session_id
WHERE e.kind = 'document' AND e.state = 'erasing';

CREATE VIEW erasing_bundles AS SELECT b.no
  FROM erasures e JOIN evidence_bundles b ON b.tenant_id = e.tenant_id AND b.bundle_id = e.object_id
WHERE e.kind = 'bundle' AND e.state = 'erasing';

-- Of sessions, documents and documents of the library, set and lifted in turn; packs have pack_holds.
CREATE TABLE legal_holds (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  kind      TEXT NOT NULL CHECK (kind IN ('session', 'document', 'library')),
  object_id TEXT NOT NULL,
  n         INTEGER NOT NULL,
  held      INTEGER NOT NULL,              -- 1 set, 0 lifted
  actor     TEXT NOT NULL,
  at        TEXT NOT NULL,
  reason    TEXT NOT NULL,
  PRIMARY KEY (tenant_id, kind, object_id, n)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER legal_holds_next BEFORE INSERT ON legal_holds
WHEN NEW.n <> (SELECT count(*) FROM legal_holds WHERE tenant_id = NEW.tenant_id AND kind = NEW.kind
    AND object_id = NEW.object_id)
BEGIN SELECT RAISE(ABORT, 'holds are appended in order'); END;
CREATE TRIGGER legal_holds_keep BEFORE UPDATE ON legal_holds BEGIN SELECT RAISE(ABORT, 'holds are append-only'); END;
CREATE TRIGGER legal_holds_stay BEFORE DELETE ON legal_holds BEGIN SELECT RAISE(ABORT, 'holds are append-only'); END;

CREATE VIEW held AS SELECT h.tenant_id, h.kind, h.object_id FROM legal_holds h
WHERE h.held = 1 AND h.n = (SELECT max(x.n) FROM legal_holds x WHERE x.tenant_id = h.tenant_id AND x.kind = h.kind
  AND x.object_id = h.object_id);

-- A kind without a row has none.
CREATE TABLE retention_periods (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  kind      TEXT NOT NULL CHECK (kind IN ('session', 'document', 'bundle', 'artifact', 'upload', 'library')),
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

-- A row here means that something was deleted whose files are still there, or whose traces are still in free pages, the
-- index or the write-ahead log.
CREATE TABLE scrub_due (
  no    INTEGER PRIMARY KEY AUTOINCREMENT,
  since TEXT NOT NULL,
  files TEXT NOT NULL                      -- JSON: those that are still to be deleted
) STRICT;

-- === Notifications, due dates and mail ===

-- What a person is told of. No row holds text of what it is about: that is read when it is shown, by who may still
-- read it.
CREATE TABLE notifications (
  no          INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant_id   TEXT NOT NULL REFERENCES tenants (id),
  user_id     TEXT NOT NULL REFERENCES users (id),
  key         TEXT NOT NULL,               -- what happened: told once
  kind        TEXT NOT NULL,               -- assigned, unassigned, mentioned, replied, resolved, returned, to_sign, waits, deputy, due
  object_kind TEXT NOT NULL CHECK (object_kind IN ('session', 'sessions', 'pack', 'deputy')),
  object_id   TEXT NOT NULL,
  claim       INTEGER NOT NULL,            -- number from 1; 0 if it is about no claim
  place       TEXT NOT NULL,               -- id of a comment on a pack; how many sessions; of a deputy; '' if none
  by_id       TEXT NOT NULL,               -- who did it, '' for the server
  at          TEXT NOT NULL,
  read_at     TEXT NOT NULL                -- '' until then
) STRICT;

CREATE UNIQUE INDEX notifications_once ON notifications (tenant_id, user_id, key);
CREATE INDEX notifications_listed ON notifications (tenant_id, user_id, no);
CREATE INDEX notifications_unread ON notifications (tenant_id, user_id, no) WHERE read_at = '';
CREATE INDEX notifications_about ON notifications (tenant_id, object_kind, object_id);
CREATE INDEX notifications_at ON notifications (at);

-- By when the review of a session is to be done, or a pack signed; people are told before that day, and once it is
-- over.
CREATE TABLE due_dates (
  tenant_id   TEXT NOT NULL,
  object_kind TEXT NOT NULL CHECK (object_kind IN ('session', 'pack')),
  object_id   TEXT NOT NULL,
  revision    INTEGER NOT NULL,            -- grows with every change, also when the day is removed
  day         TEXT NOT NULL,               -- 2026-11-30; '' once it was removed
  zone        TEXT NOT NULL,               -- '' for UTC
  late_at     TEXT NOT NULL,               -- when the day ends there
  tell_at     TEXT NOT NULL,               -- when people are told next, '' when all was told
  told        TEXT NOT NULL,               -- what they were told of this day: '', soon, late
  open        INTEGER NOT NULL,            -- 1 while the review goes on, or the pack waits for its signature
  set_by      TEXT NOT NULL,
  set_at      TEXT NOT NULL,
  PRIMARY KEY (tenant_id, object_kind, object_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX due_dates_open ON due_dates (tenant_id, object_kind, late_at, object_id) WHERE open = 1 AND day <> '';
CREATE INDEX due_dates_tell ON due_dates (tell_at) WHERE open = 1 AND tell_at <> '';

-- What people are told of by mail (rule N-5).
CREATE TABLE mail_settings (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  user_id   TEXT NOT NULL REFERENCES users (id),
  lang      TEXT NOT NULL,                 -- en or ar: as chosen, else of the newest login
  chosen    INTEGER NOT NULL,              -- 1: the person has saved them
  choices   TEXT NOT NULL,                 -- JSON: kind to once, daily or off; a kind that is not named has its default
  PRIMARY KEY (tenant_id, user_id)
) STRICT, WITHOUT ROWID;

-- Notifications that are to be mailed: at most one row for each, which has one person. It goes with the notification.
CREATE TABLE mail_queue (
  notice    INTEGER PRIMARY KEY REFERENCES notifications (no) ON DELETE CASCADE,
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  user_id   TEXT NOT NULL REFERENCES users (id),
  due_at    TEXT NOT NULL,
  daily     INTEGER NOT NULL,              -- 1: in the daily mail
  mail      TEXT NOT NULL                  -- mails.id, '' until it is in one
) STRICT;

CREATE INDEX mail_queue_due ON mail_queue (due_at) WHERE mail = '';
CREATE INDEX mail_queue_mail ON mail_queue (mail);

-- The outbox. It holds no text: a mail is put together when it is sent.
CREATE TABLE mails (
  id         TEXT NOT NULL PRIMARY KEY,    -- its Message-ID too, the same in every attempt
  tenant_id  TEXT NOT NULL REFERENCES tenants (id),
  user_id    TEXT NOT NULL REFERENCES users (id),
  kind       TEXT NOT NULL CHECK (kind IN ('notices', 'digest', 'test')),
  state      TEXT NOT NULL CHECK (state IN ('waiting', 'sent', 'failed', 'dropped')),
  attempts   INTEGER NOT NULL,
  next_at    TEXT NOT NULL,
  status     INTEGER NOT NULL,             -- SMTP reply code of the newest attempt, 0 if none
  reason     TEXT NOT NULL,                -- why the newest attempt failed, '' if it did not
  created_at TEXT NOT NULL,
  ended_at   TEXT NOT NULL                 -- '' while it waits
) STRICT, WITHOUT ROWID;

CREATE INDEX mails_due ON mails (next_at) WHERE state = 'waiting';
CREATE INDEX mails_person ON mails (user_id, created_at);
CREATE INDEX mails_tenant ON mails (tenant_id, created_at);
CREATE INDEX mails_ended ON mails (ended_at);

-- === Webhooks: where a tenant is told of what happens, and what it is told ===

CREATE TABLE webhooks (
  tenant_id   TEXT NOT NULL REFERENCES tenants (id),
  id          TEXT NOT NULL,
  url         TEXT NOT NULL,
  kinds       TEXT NOT NULL,               -- JSON: list of kinds of event
  sealed      BLOB NOT NULL,               -- the secret that signs, encrypted with the master key
  revision    INTEGER NOT NULL,
  missed      INTEGER NOT NULL,            -- messages that were not kept, as too many waited
  created_at  TEXT NOT NULL,
  created_by  TEXT NOT NULL,
  disabled_at TEXT NOT NULL,               -- '' while enabled
  PRIMARY KEY (tenant_id, id)
) STRICT, WITHOUT ROWID;

-- The outbox: a message is written in the transaction of the event it tells of, and sent afterwards, in the order of
-- no.
CREATE TABLE webhook_deliveries (
  no         INTEGER PRIMARY KEY AUTOINCREMENT, -- never used twice, though what has ended is pruned
  tenant_id  TEXT NOT NULL,
  webhook_id TEXT NOT NULL,
  id         TEXT NOT NULL,
  kind       TEXT NOT NULL,
  body       BLOB NOT NULL,                -- what is sent, to the byte
  created_at TEXT NOT NULL,
  state      TEXT NOT NULL CHECK (state IN ('waiting', 'delivered', 'failed', 'dropped')),
  attempts   INTEGER NOT NULL,
  next_at    TEXT NOT NULL,                -- when it is to be sent, of one that waits
  status     INTEGER NOT NULL,             -- of the last answer, 0 for none
  reason     TEXT NOT NULL,                -- why the last attempt failed: a word of ours
  ended_at   TEXT NOT NULL,                -- '' while it waits
  FOREIGN KEY (tenant_id, webhook_id) REFERENCES webhooks (tenant_id, id) ON DELETE CASCADE
) STRICT;

CREATE UNIQUE INDEX webhook_deliveries_of ON webhook_deliveries (tenant_id, webhook_id, id);
CREATE INDEX webhook_deliveries_listed ON webhook_deliveries (tenant_id, webhook_id, no);
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (tenant_id, webhook_id, no) WHERE state = 'waiting';
CREATE INDEX webhook_deliveries_ended ON webhook_deliveries (tenant_id, webhook_id, no) WHERE state <> 'waiting';

-- === Traces that arrive as they happen (docs/traces.md) ===
--
-- Text of spans is here only until its trace is done with, or for a day if nothing was made of it: what was made, and
-- can be erased, holds its own.

CREATE TABLE live_traces (
  tenant_id  TEXT NOT NULL REFERENCES tenants (id),
  trace_id   TEXT NOT NULL,                -- 32 hex digits
  state      TEXT NOT NULL,                -- gathering, session, decision, nothing, failed
  service    TEXT NOT NULL,
  name       TEXT NOT NULL,
  first_at   TEXT NOT NULL,
  last_at    TEXT NOT NULL,
  root_at    TEXT NOT NULL,                -- when the ended root came in, '' if it has not
  due_at     TEXT NOT NULL,                -- when it is complete
  spans      INTEGER NOT NULL,             -- that were kept
  bytes      INTEGER NOT NULL,             -- of their bodies
  late       INTEGER NOT NULL,             -- spans that came when it was done with
  attempts   INTEGER NOT NULL,
  owner      TEXT NOT NULL,                -- the worker that has it, '' if none
  held_until TEXT NOT NULL,                -- '' if none
  actor      TEXT NOT NULL,                -- who sent its first span
  actor_more TEXT NOT NULL,                -- JSON, as of jobs
  cause      TEXT NOT NULL,                -- why nothing was made, '' otherwise
  note       TEXT NOT NULL,                -- what is wrong with it, '' if nothing
  said       TEXT NOT NULL,                -- JSON: the message of the note
  lost       TEXT,                         -- JSON: its spans that were refused
  warnings   TEXT,                         -- JSON: of the session that was made of it
  object_id  TEXT NOT NULL,                -- of the session or decision, '' if none
  ended_at   TEXT NOT NULL,                -- '' while it is gathered
  PRIMARY KEY (tenant_id, trace_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX live_traces_due ON live_traces (due_at, tenant_id, trace_id) WHERE state = 'gathering';
CREATE INDEX live_traces_open ON live_traces (tenant_id, bytes) WHERE state = 'gathering';
CREATE INDEX live_traces_listed ON live_traces (tenant_id, last_at, trace_id);
CREATE INDEX live_traces_ended ON live_traces (ended_at, tenant_id, trace_id) WHERE ended_at <> '';

CREATE TABLE live_spans (
  tenant_id TEXT NOT NULL,
  trace_id  TEXT NOT NULL,
  span_id   TEXT NOT NULL,                 -- 16 hex digits
  service   TEXT NOT NULL,
  -- OTLP/JSON; '' once something was made of the trace, and if the span came late
  body      TEXT NOT NULL,
  PRIMARY KEY (tenant_id, trace_id, span_id),
  FOREIGN KEY (tenant_id, trace_id) REFERENCES live_traces (tenant_id, trace_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE live_rules (
  tenant_id TEXT PRIMARY KEY REFERENCES tenants (id),
  revision  INTEGER NOT NULL,
  rules     TEXT NOT NULL,                 -- JSON
  actor     TEXT NOT NULL,
  at        TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- What became of spans and traces, by day.
CREATE TABLE live_counts (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  day       TEXT NOT NULL,                 -- in UTC
  what      TEXT NOT NULL,                 -- a state, or a cause
  n         INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, day, what)
) STRICT, WITHOUT ROWID;

CREATE INDEX live_counts_day ON live_counts (day);

-- === Jobs, repeated requests, servers ===

-- Work that nobody waits for at the door: big imports, judging (docs/adr/0008). What a job reads lies in the bucket
-- until it has ended; what came of it is stored in the transaction that ends it.
CREATE TABLE jobs (
  id         TEXT NOT NULL PRIMARY KEY,
  tenant_id  TEXT NOT NULL REFERENCES tenants (id),
  kind       TEXT NOT NULL CHECK (kind IN ('file', 'form', 'judge')),
  state      TEXT NOT NULL CHECK (state IN ('queued', 'running', 'done', 'failed', 'cancelled')),
  name       TEXT NOT NULL,                -- of the upload, as it was given
  digest     TEXT NOT NULL,                -- SHA-256 of the upload: the same again is the same job
  bytes      INTEGER NOT NULL,
  blob       TEXT NOT NULL,                -- key of the upload in the bucket
  actor      TEXT NOT NULL,                -- who asked
  actor_more TEXT NOT NULL,                -- JSON: role, token and so on, for the log
  step       TEXT NOT NULL,                -- reading, judging, storing, '' before
  done       INTEGER NOT NULL,             -- claims
  total      INTEGER NOT NULL,
  attempt    INTEGER NOT NULL,             -- how often it was begun
  owner      TEXT NOT NULL,                -- who runs it; ids of workers are used once
  beat_at    TEXT NOT NULL,                -- when the owner last said so
  session_id TEXT NOT NULL,                -- what came of it, '' for nothing yet
  created    INTEGER NOT NULL,             -- 0 where the session was there already
  warnings   TEXT,                         -- JSON
  fault      TEXT,                         -- JSON: why it failed, safe to show
  verdicts   TEXT,                         -- JSON: of the claims judged so far, while it runs
  created_at TEXT NOT NULL,
  started_at TEXT NOT NULL,                -- of the newest attempt, '' before
  ended_at   TEXT NOT NULL                 -- '' before
) STRICT;

CREATE INDEX jobs_newest ON jobs (tenant_id, created_at, id);
CREATE INDEX jobs_open ON jobs (state, created_at, id) WHERE state IN ('queued', 'running');
CREATE INDEX jobs_same ON jobs (tenant_id, digest, kind);
CREATE INDEX jobs_ended ON jobs (tenant_id, ended_at) WHERE ended_at <> '';

-- Answers to requests with an Idempotency-Key.
CREATE TABLE receipts (
  tenant_id  TEXT NOT NULL REFERENCES tenants (id),
  key        TEXT NOT NULL,                -- Idempotency-Key
  digest     TEXT NOT NULL,                -- of the request
  status     INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  headers    TEXT,                         -- JSON object: a repeated request gets those of the first answer too
  body       BLOB NOT NULL,
  PRIMARY KEY (tenant_id, key)
) STRICT;

CREATE INDEX receipts_created ON receipts (tenant_id, created_at);

-- Which processes serve, so that nobody changes the schema under one that cannot go on (rule DB-13). No record depends
-- on it; the row of a process that is gone is deleted.
CREATE TABLE serving (
  process TEXT NOT NULL PRIMARY KEY,       -- host, process id and a random part, new at each start
  level   INTEGER NOT NULL,                -- the newest level of the schema that it knows
  at      TEXT NOT NULL
) STRICT, WITHOUT ROWID;
