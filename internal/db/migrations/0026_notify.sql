-- Comments that address people, and what people are told of.

-- Who is addressed in the text of a review. The text has the name as it was then; here is the account, so that another
-- name of the person breaks nothing. Of a sealed review (rule L-35) nobody is told before the seal falls.
CREATE TABLE mentions (
  tenant_id  TEXT NOT NULL,
  session_no INTEGER NOT NULL REFERENCES sessions (no),
  claim      INTEGER NOT NULL,
  review     TEXT NOT NULL,                -- its id
  start      INTEGER NOT NULL,             -- of the @, in code points of the text
  length     INTEGER NOT NULL,             -- with the @
  user_id    TEXT NOT NULL,
  told       INTEGER NOT NULL,
  PRIMARY KEY (session_no, claim, review, start)
) STRICT, WITHOUT ROWID;

CREATE INDEX mentions_untold ON mentions (tenant_id, session_no) WHERE told = 0;

-- What people say of a pack. A comment stays; its author can say that it is withdrawn.
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
  withdrawn_at TEXT NOT NULL,              -- '' if it stands
  PRIMARY KEY (tenant_id, pack_id, n)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX pack_comments_id ON pack_comments (tenant_id, pack_id, id);

CREATE TRIGGER pack_comments_next BEFORE INSERT ON pack_comments
WHEN NEW.n <> (SELECT count(*) FROM pack_comments WHERE tenant_id = NEW.tenant_id AND pack_id = NEW.pack_id)
BEGIN SELECT RAISE(ABORT, 'comments are appended in order'); END;
CREATE TRIGGER pack_comments_keep BEFORE UPDATE ON pack_comments
WHEN (NEW.tenant_id, NEW.pack_id, NEW.n, NEW.id, NEW.by_id, NEW.name, NEW.role, NEW.at, NEW.text, NEW.mentions)
  IS NOT (OLD.tenant_id, OLD.pack_id, OLD.n, OLD.id, OLD.by_id, OLD.name, OLD.role, OLD.at, OLD.text, OLD.mentions)
  OR OLD.withdrawn_at <> '' OR NEW.withdrawn_at = ''
BEGIN SELECT RAISE(ABORT, 'a comment stays as it was said'); END;
CREATE TRIGGER pack_comments_stay BEFORE DELETE ON pack_comments
WHEN NOT EXISTS (SELECT 1 FROM pack_tombstones WHERE tenant_id = OLD.tenant_id AND pack_id = OLD.pack_id)
BEGIN SELECT RAISE(ABORT, 'comments go with their pack only'); END;

-- What a person is told of. No row holds text of what it is about: that is read when it is shown, by who may still read it.
CREATE TABLE notifications (
  no          INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant_id   TEXT NOT NULL REFERENCES tenants (id),
  user_id     TEXT NOT NULL REFERENCES users (id),
  key         TEXT NOT NULL,               -- what happened: told once
  kind        TEXT NOT NULL,               -- assigned, mentioned, returned, to_sign
  object_kind TEXT NOT NULL CHECK (object_kind IN ('session', 'pack')),
  object_id   TEXT NOT NULL,
  claim       INTEGER NOT NULL,            -- number from 1; 0 if it is about no claim
  place       TEXT NOT NULL,               -- id of a comment on a pack, '' if it is about none
  by_id       TEXT NOT NULL,               -- who did it, '' for the server
  at          TEXT NOT NULL,
  read_at     TEXT NOT NULL                -- '' until then
) STRICT;

CREATE UNIQUE INDEX notifications_once   ON notifications (tenant_id, user_id, key);
CREATE INDEX notifications_listed ON notifications (tenant_id, user_id, no);
CREATE INDEX notifications_unread ON notifications (tenant_id, user_id, no) WHERE read_at = '';
CREATE INDEX notifications_about  ON notifications (tenant_id, object_kind, object_id);
CREATE INDEX notifications_at     ON notifications (at);
