-- Who said what of a claim and took it back, who is to review a session, and how far that is.

ALTER TABLE reviews ADD COLUMN by_id       TEXT NOT NULL DEFAULT '';    -- id of the person or machine, '' of an import
ALTER TABLE reviews ADD COLUMN undoes      INTEGER NOT NULL DEFAULT 0;  -- n + 1 of the review that it takes back
ALTER TABLE reviews ADD COLUMN adjudicates INTEGER NOT NULL DEFAULT 0;  -- it settles that two reviewers differ
ALTER TABLE reviews ADD COLUMN batch       TEXT NOT NULL DEFAULT '';    -- id of the step that confirmed several claims

ALTER TABLE claims ADD COLUMN settled INTEGER NOT NULL DEFAULT 0;       -- as ledger.Assess computed it
ALTER TABLE claims ADD COLUMN differs INTEGER NOT NULL DEFAULT 0;       -- likewise

ALTER TABLE tenants ADD COLUMN second_review TEXT NOT NULL DEFAULT '' CHECK (second_review IN ('', 'open', 'blind')); -- of new sessions

ALTER TABLE sessions ADD COLUMN state           TEXT NOT NULL DEFAULT 'new' CHECK (state IN ('new', 'in_review', 'reviewed', 'closed'));
ALTER TABLE sessions ADD COLUMN settled         INTEGER NOT NULL DEFAULT 0; -- claims
ALTER TABLE sessions ADD COLUMN differing       INTEGER NOT NULL DEFAULT 0; -- claims
ALTER TABLE sessions ADD COLUMN second_review   TEXT NOT NULL DEFAULT '' CHECK (second_review IN ('', 'open', 'blind'));
ALTER TABLE sessions ADD COLUMN first_reviewer  TEXT NOT NULL DEFAULT '';   -- id of a user, '' for nobody
ALTER TABLE sessions ADD COLUMN second_reviewer TEXT NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN closed_at       TEXT NOT NULL DEFAULT '';   -- the last time; it is closed where state says so
ALTER TABLE sessions ADD COLUMN closed_by       TEXT NOT NULL DEFAULT '';   -- id of a user
ALTER TABLE sessions ADD COLUMN closed_reason   TEXT NOT NULL DEFAULT '';

UPDATE claims SET settled = 1 WHERE state IN ('confirmed', 'overridden') AND stale = 0;
UPDATE sessions SET settled = (SELECT count(*) FROM claims c WHERE c.session_no = sessions.no AND c.settled = 1);
UPDATE sessions SET
  state = CASE WHEN settled = total THEN 'reviewed' WHEN reviewer <> '' THEN 'in_review' ELSE 'new' END,
  status = CASE WHEN settled = total THEN 'reviewed' ELSE 'open' END,
  overview = json_set(overview, '$.summary.settled', settled, '$.summary.begun', json(CASE WHEN reviewer <> '' THEN 'true' ELSE 'false' END));

CREATE INDEX reviews_by      ON reviews (session_no, by_id, claim) WHERE by_id <> '';
CREATE INDEX claims_settled  ON claims (session_no, settled, position);
CREATE INDEX claims_differs  ON claims (session_no, position) WHERE differs = 1;
CREATE INDEX sessions_state  ON sessions (tenant_id, state, created_at, id);
CREATE INDEX sessions_first  ON sessions (tenant_id, first_reviewer, urgency DESC, created_at) WHERE status = 'open' AND first_reviewer <> '';
CREATE INDEX sessions_second ON sessions (tenant_id, second_reviewer, urgency DESC, created_at) WHERE status = 'open' AND second_reviewer <> '';
