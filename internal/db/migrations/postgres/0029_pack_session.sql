-- While a pack is a draft, people may link the session whose ledger it copies (rule P-23). Nothing else of what
-- identifies it changes, and after its submission the session does not either.
CREATE OR REPLACE FUNCTION evidence_packs_same() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM resealing) AND (
    (NEW.no, NEW.tenant_id, NEW.pack_id, NEW.decision_id, NEW.version, NEW.supersedes, NEW.family, NEW.title, NEW.agent_name,
      NEW.entity_id, NEW.approval_class, NEW.level, NEW.need, NEW.made_by, NEW.created_at, NEW.retain_until, NEW.secret)
    IS DISTINCT FROM (OLD.no, OLD.tenant_id, OLD.pack_id, OLD.decision_id, OLD.version, OLD.supersedes, OLD.family, OLD.title,
      OLD.agent_name, OLD.entity_id, OLD.approval_class, OLD.level, OLD.need, OLD.made_by, OLD.created_at, OLD.retain_until, OLD.secret)
    OR NEW.session_id <> OLD.session_id AND (OLD.state <> 'draft' OR NEW.state <> 'draft')
    OR NEW.revision <> OLD.revision + 1) THEN
    RAISE EXCEPTION USING ERRCODE = 'SANAD',
      MESSAGE = 'what identifies a pack never changes, and every change grows its revision by one';
  END IF;
  RETURN NEW;
END $$;
