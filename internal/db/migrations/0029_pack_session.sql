-- Packs are found by the words of their memo too: the program fills pack_search again after this file.

-- While a pack is a draft, people may link the session whose ledger it copies (rule P-23). Nothing else of what
-- identifies it changes, and after its submission the session does not either.
DROP TRIGGER IF EXISTS evidence_packs_same;
CREATE TRIGGER evidence_packs_same BEFORE UPDATE ON evidence_packs
WHEN NOT EXISTS (SELECT 1 FROM resealing) AND (
  (NEW.no, NEW.tenant_id, NEW.pack_id, NEW.decision_id, NEW.version, NEW.supersedes, NEW.family, NEW.title, NEW.agent_name,
    NEW.entity_id, NEW.approval_class, NEW.level, NEW.need, NEW.made_by, NEW.created_at, NEW.retain_until, NEW.secret)
  IS NOT (OLD.no, OLD.tenant_id, OLD.pack_id, OLD.decision_id, OLD.version, OLD.supersedes, OLD.family, OLD.title, OLD.agent_name,
    OLD.entity_id, OLD.approval_class, OLD.level, OLD.need, OLD.made_by, OLD.created_at, OLD.retain_until, OLD.secret)
  OR NEW.session_id <> OLD.session_id AND (OLD.state <> 'draft' OR NEW.state <> 'draft')
  OR NEW.revision <> OLD.revision + 1)
BEGIN SELECT RAISE(ABORT, 'what identifies a pack never changes, and every change grows its revision by one'); END;
