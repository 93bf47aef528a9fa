-- Which rules of verdict, strength and flags (ledger.RuleSets) assessed a session: what is stored of it and what pages
-- compute of it follow from these until `sanad reassess` takes it over. All sessions up to here were assessed by the first.

ALTER TABLE sessions ADD COLUMN rule_set INTEGER NOT NULL DEFAULT 1;

CREATE INDEX sessions_rule_set ON sessions (tenant_id, rule_set, no);
