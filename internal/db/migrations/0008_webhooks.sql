-- Webhooks (spec page 5 "API", page 6 "Webhooks"): where a tenant is told of what happens, and what it is told.

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

-- The outbox: a message is written in the transaction of the event it tells of, and sent afterwards, in the order of no.
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
CREATE INDEX webhook_deliveries_listed  ON webhook_deliveries (tenant_id, webhook_id, no);
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (tenant_id, webhook_id, no) WHERE state = 'waiting';
CREATE INDEX webhook_deliveries_ended   ON webhook_deliveries (tenant_id, webhook_id, no) WHERE state <> 'waiting';
