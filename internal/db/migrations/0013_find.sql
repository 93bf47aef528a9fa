-- Finding: full text over claims, answers, passages of documents and what reviewers wrote, and filters kept under a name.

-- What the rows of find_search stand for. They are made in the transaction that makes what they stand for, and stay as that
-- does; what changes (verdicts, states, withdrawn documents) is looked up. Rows that were there before are made by find_fill.go.
CREATE TABLE find_rows (
  no         INTEGER PRIMARY KEY,          -- the row of find_search, in the order of writing
  tenant_id  TEXT NOT NULL,
  session_no INTEGER NOT NULL,
  kind       INTEGER NOT NULL,             -- as in find.go: claim, answer, passage, note
  a          INTEGER NOT NULL,             -- claims.position, answer_parts.start, documents.position; of a note claims.position
  b          INTEGER NOT NULL,             -- chunks.position of a passage, reviews.n of a note, else 0
  UNIQUE (session_no, kind, a, b),
  FOREIGN KEY (tenant_id, session_no) REFERENCES sessions (tenant_id, no)
) STRICT;

-- Its words begin with what they are of, kind and tenant (find.go).
CREATE VIRTUAL TABLE find_search USING fts5 (
  words, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'
);

CREATE TABLE saved_views (
  id         TEXT NOT NULL PRIMARY KEY,
  tenant_id  TEXT NOT NULL REFERENCES tenants (id),
  user_id    TEXT NOT NULL,                -- whose it is
  page       TEXT NOT NULL CHECK (page IN ('sessions', 'ledger', 'search')),
  name       TEXT NOT NULL,
  name_key   TEXT NOT NULL,                -- the folded name
  query      TEXT NOT NULL,                -- the page's parameters, in the order of their names; never a path
  shared     INTEGER NOT NULL,             -- all of the tenant see it
  created_at TEXT NOT NULL,
  UNIQUE (tenant_id, user_id, page, name_key)
) STRICT;

CREATE INDEX saved_views_shared ON saved_views (tenant_id, page, name_key, id) WHERE shared = 1;
