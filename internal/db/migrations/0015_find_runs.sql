-- What rows of find_search stand for, by runs of rows that go on from one another: a session's claims are one run, a document's
-- passages another. Before, each row had a row here, which took as long to write as the index itself. Both tables are made anew
-- and filled by find_fill.go.
DROP TABLE find_rows;
DROP TABLE find_search;

CREATE TABLE find_runs (
  first      INTEGER PRIMARY KEY,          -- a row of find_search; the run goes on to the row before the next run's first
  tenant_id  TEXT NOT NULL,
  session_no INTEGER NOT NULL,
  kind       INTEGER NOT NULL,             -- as in find.go: claim, answer, passage, note
  a          INTEGER NOT NULL,             -- of the first row: claims.position, answer_parts.start, documents.position; of a note claims.position
  b          INTEGER NOT NULL,             -- of the first row: chunks.position of a passage, reviews.n of a note, else 0
  UNIQUE (session_no, kind, a, b),         -- and from row to row one further, see findSteps
  FOREIGN KEY (tenant_id, session_no) REFERENCES sessions (tenant_id, no)
) STRICT;

CREATE VIRTUAL TABLE find_search USING fts5 (
  words, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'
);
