-- By when the review of a session is to be done, or a pack signed; people are told before that day, and once it is over.

-- The day ends at midnight of a time zone: the tenant's when the day was set. Another zone later moves no day that stands.
ALTER TABLE tenants ADD COLUMN time_zone TEXT NOT NULL DEFAULT ''; -- of the IANA database, '' for UTC

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

-- Whatever changes a session or a pack, the date says whether it is still to be kept, and who was told of it need not
-- read it any more once it is done.
CREATE TRIGGER due_dates_session AFTER UPDATE OF status ON sessions WHEN NEW.status <> OLD.status
BEGIN
  UPDATE due_dates SET open = NEW.status = 'open'
  WHERE tenant_id = NEW.tenant_id AND object_kind = 'session' AND object_id = NEW.id;
  UPDATE notifications SET read_at = NEW.updated_at
  WHERE NEW.status <> 'open' AND tenant_id = NEW.tenant_id AND object_kind = 'session' AND object_id = NEW.id AND kind = 'due'
    AND read_at = '';
END;
CREATE TRIGGER due_dates_pack AFTER UPDATE OF state ON evidence_packs WHEN NEW.state <> OLD.state
BEGIN
  UPDATE due_dates SET open = NEW.state IN ('draft', 'in_review', 'returned')
  WHERE tenant_id = NEW.tenant_id AND object_kind = 'pack' AND object_id = NEW.pack_id;
  UPDATE notifications SET read_at = NEW.updated_at
  WHERE NEW.state NOT IN ('draft', 'in_review', 'returned') AND tenant_id = NEW.tenant_id AND object_kind = 'pack'
    AND object_id = NEW.pack_id AND kind = 'due' AND read_at = '';
END;
