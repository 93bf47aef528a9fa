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
