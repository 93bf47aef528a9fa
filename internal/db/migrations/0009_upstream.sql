-- What a provider's file said of a session and its claims, as pages read it: one row per claim, and claim -1 for the whole.
-- It stands in sessions.extra too, which keeps a session as it came in; that is too large to be read for each page.

CREATE TABLE upstream (
  tenant_id  TEXT NOT NULL,
  session_no INTEGER NOT NULL REFERENCES sessions (no),
  claim      INTEGER NOT NULL,             -- claims.position, -1 for the whole session
  said       TEXT NOT NULL,                -- JSON of ledger.Upstream, of ledger.UpstreamWhole for the whole
  PRIMARY KEY (session_no, claim)
) STRICT;

INSERT INTO upstream (tenant_id, session_no, claim, said)
SELECT s.tenant_id, s.no, -1, e.value FROM sessions s, json_each(s.extra) e
WHERE s.format NOT LIKE 'sanad.%' AND e.key = 'session.upstream' AND e.type = 'object';

INSERT OR IGNORE INTO upstream (tenant_id, session_no, claim, said)
SELECT s.tenant_id, s.no, CAST(substr(e.key, 8) AS INTEGER), e.value FROM sessions s, json_each(s.extra) e
WHERE s.format NOT LIKE 'sanad.%' AND e.key GLOB 'claims[[][0-9]*].upstream' AND e.type = 'object';
