-- How far people agree with the machine, counted by every write so that no page counts claims: those that a judge gave a
-- verdict and for which a person's verdict stands (ledger.Compared), by the day their session was made.

CREATE TABLE comparisons (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  day       TEXT NOT NULL,                 -- as in counters
  judge     TEXT NOT NULL,                 -- claims.judge
  version   TEXT NOT NULL,                 -- of the run, '' where the judgement was given
  machine   TEXT NOT NULL,                 -- its verdict
  person    TEXT NOT NULL,                 -- the verdict that stands
  claims    INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, day, judge, version, machine, person)
) STRICT, WITHOUT ROWID;

INSERT INTO comparisons (tenant_id, day, judge, version, machine, person, claims)
SELECT s.tenant_id, substr(s.created_at, 1, 10), c.judge, CASE WHEN c.given = 1 THEN '' ELSE r.version END, c.machine_verdict, c.verdict, count(*)
FROM sessions s JOIN claims c ON c.session_no = s.no JOIN ledger_runs r ON r.session_no = s.no AND r.n = s.run
WHERE c.settled = 1 AND c.machine_verdict <> ''
GROUP BY 1, 2, 3, 4, 5, 6;

-- The spread of the confidence (ledger.Spread) joins what is kept of each session: ten counts for each of the four verdicts.
CREATE TEMP TABLE spread (no INTEGER, cell INTEGER, n INTEGER, PRIMARY KEY (no, cell)) WITHOUT ROWID;
INSERT INTO temp.spread
SELECT session_no AS no, 10 * CASE machine_verdict WHEN 'supported' THEN 0 WHEN 'weak' THEN 1 WHEN 'contradicted' THEN 2 ELSE 3 END
  + min(9, max(0, CAST(confidence * 10 AS INTEGER))) AS cell, count(*) AS n
FROM claims WHERE overridden = 0 AND machine_verdict <> '' GROUP BY 1, 2;

-- json(...) because from SQLite 3.54 on a subquery's value is text to json_set, which would store a string.
UPDATE sessions SET overview = json_set(overview, '$.summary.confidence', json((
  WITH RECURSIVE cells (cell) AS (SELECT 0 UNION ALL SELECT cell + 1 FROM cells WHERE cell < 39)
  SELECT json_group_array(coalesce(k.n, 0) ORDER BY cells.cell) FROM cells LEFT JOIN temp.spread k ON k.no = sessions.no AND k.cell = cells.cell)))
WHERE no IN (SELECT no FROM temp.spread);
DROP TABLE temp.spread;
