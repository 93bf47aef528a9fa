-- The master key can be replaced (rule SEC-26). What the database holds sealed is sealed again under the new key, in one
-- transaction.

-- By which keys this database was sealed. A fingerprint tells nothing about its key.
CREATE TABLE master_keys (
  fingerprint TEXT NOT NULL PRIMARY KEY,
  since       TEXT NOT NULL,               -- '' where that was before there was this table
  retired_at  TEXT NOT NULL,               -- '' for the one in use
  receipts    BLOB NOT NULL                -- a retired key's subkey for MACs, sealed with the one in use: it made the digests of
                                           -- receipts, which last for seven days; empty after that
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX master_keys_used ON master_keys (retired_at) WHERE retired_at = '';

-- Has a row only within the transaction that replaces the key.
CREATE TABLE resealing (
  one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1)
) STRICT, WITHOUT ROWID;

-- A pack's secret never changes, but the seal around it does with the master key. Nothing else of the pack changes with it.
DROP TRIGGER IF EXISTS evidence_packs_same;
CREATE TRIGGER evidence_packs_same BEFORE UPDATE ON evidence_packs
WHEN NOT EXISTS (SELECT 1 FROM resealing) AND (
  (NEW.no, NEW.tenant_id, NEW.pack_id, NEW.decision_id, NEW.version, NEW.supersedes, NEW.family, NEW.session_id, NEW.title, NEW.agent_name,
    NEW.entity_id, NEW.approval_class, NEW.level, NEW.need, NEW.made_by, NEW.created_at, NEW.retain_until, NEW.secret)
  IS NOT (OLD.no, OLD.tenant_id, OLD.pack_id, OLD.decision_id, OLD.version, OLD.supersedes, OLD.family, OLD.session_id, OLD.title, OLD.agent_name,
    OLD.entity_id, OLD.approval_class, OLD.level, OLD.need, OLD.made_by, OLD.created_at, OLD.retain_until, OLD.secret)
  OR NEW.revision <> OLD.revision + 1)
BEGIN SELECT RAISE(ABORT, 'what identifies a pack never changes, and every change grows its revision by one'); END;

CREATE TRIGGER evidence_packs_resealed BEFORE UPDATE OF no, tenant_id, pack_id, decision_id, version, supersedes, family, session_id, title,
  agent_name, entity_id, approval_class, level, need, made_by, created_at, retain_until, state, revision, updated_at, approvals, on_hold,
  superseded_by, signed_at, returned_at, returned_by, returned_name, return_reason, submitted_at, digest, content, discarded_at,
  discarded_by, discarded_name, discard_reason ON evidence_packs
WHEN EXISTS (SELECT 1 FROM resealing)
BEGIN SELECT RAISE(ABORT, 'resealing changes the seal only'); END;

CREATE TRIGGER evidence_packs_sealed BEFORE UPDATE OF secret ON evidence_packs
WHEN EXISTS (SELECT 1 FROM resealing) AND length(NEW.secret) <> length(OLD.secret)
BEGIN SELECT RAISE(ABORT, 'a resealed secret has the same length'); END;
