-- The audit log as a Merkle tree per tenant (spec page 6 "Audit log"): the leaves are events.bytes in the order of seq.

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

CREATE TABLE log_hashes (                  -- the tree's stored hashes, numbered as golang.org/x/mod/sumdb/tlog does
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  n         INTEGER NOT NULL,
  hash      BLOB NOT NULL,
  PRIMARY KEY (tenant_id, n)
) STRICT, WITHOUT ROWID;

CREATE TABLE log_heads (                   -- one row per tenant: the newest tree
  tenant_id  TEXT NOT NULL PRIMARY KEY REFERENCES tenants (id),
  epoch      INTEGER NOT NULL,             -- grows when a restore abandons a later tree
  size       INTEGER NOT NULL,
  root       BLOB NOT NULL,
  checkpoint TEXT NOT NULL,                -- the signed note
  updated_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX events_action ON events (tenant_id, action, seq);
CREATE INDEX events_actor  ON events (tenant_id, actor, seq);
CREATE INDEX events_object ON events (tenant_id, object_kind, object_id, seq);
