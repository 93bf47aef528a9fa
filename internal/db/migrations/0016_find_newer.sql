-- What is found is indexed anew, by find_fill.go: what 0015 filled had two notes on one claim in the wrong order, and the passages of
-- newer versions of documents were never indexed. Nothing is deleted from the index, so it need not be able to.
DELETE FROM find_runs;
DROP TABLE find_search;

CREATE VIRTUAL TABLE find_search USING fts5 (
  words, content = '', detail = none, tokenize = 'ascii'
);
