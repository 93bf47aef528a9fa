-- Every key of a table that has a tenant begins with it, so that a database can be partitioned or sharded by tenant. Numbers
-- and ids stay unique in the whole store, though no key says so any more: a number is given by a counter that all tenants
-- share, ids are random UUIDs, and secrets have 256 random bits.

-- The words of searches name their tenant. Rows whose object is gone are of no use.

DROP INDEX session_search_words;
ALTER TABLE session_search ADD COLUMN tenant_id text COLLATE "C";
UPDATE session_search x SET tenant_id = o.tenant_id FROM sessions o WHERE o.no = x.rowid;
DELETE FROM session_search WHERE tenant_id IS NULL;
ALTER TABLE session_search
  ALTER COLUMN tenant_id SET NOT NULL,
  DROP CONSTRAINT session_search_pkey,
  ADD PRIMARY KEY (tenant_id, rowid);
CREATE INDEX session_search_words ON session_search USING gin (words);

DROP INDEX claim_search_words;
ALTER TABLE claim_search ADD COLUMN tenant_id text COLLATE "C";
UPDATE claim_search x SET tenant_id = o.tenant_id FROM claims o WHERE o.no = x.rowid;
DELETE FROM claim_search WHERE tenant_id IS NULL;
ALTER TABLE claim_search
  ALTER COLUMN tenant_id SET NOT NULL,
  DROP CONSTRAINT claim_search_pkey,
  ADD PRIMARY KEY (tenant_id, rowid);
CREATE INDEX claim_search_words ON claim_search USING gin (words);

DROP INDEX find_search_words;
ALTER TABLE find_search ADD COLUMN tenant_id text COLLATE "C";
UPDATE find_search x SET tenant_id = o.tenant_id FROM (SELECT tenant_id, first, lead(first, 1, 9223372036854775807) OVER (ORDER BY first) AS next FROM find_runs) o
  WHERE x.rowid >= o.first AND x.rowid < o.next;
DELETE FROM find_search WHERE tenant_id IS NULL;
ALTER TABLE find_search
  ALTER COLUMN tenant_id SET NOT NULL,
  DROP CONSTRAINT find_search_pkey,
  ADD PRIMARY KEY (tenant_id, rowid);
CREATE INDEX find_search_words ON find_search USING gin (words);

DROP INDEX decision_search_words;
ALTER TABLE decision_search ADD COLUMN tenant_id text COLLATE "C";
UPDATE decision_search x SET tenant_id = o.tenant_id FROM decisions o WHERE o.no = x.rowid;
DELETE FROM decision_search WHERE tenant_id IS NULL;
ALTER TABLE decision_search
  ALTER COLUMN tenant_id SET NOT NULL,
  DROP CONSTRAINT decision_search_pkey,
  ADD PRIMARY KEY (tenant_id, rowid);
CREATE INDEX decision_search_words ON decision_search USING gin (words);

DROP INDEX pack_search_words;
ALTER TABLE pack_search ADD COLUMN tenant_id text COLLATE "C";
UPDATE pack_search x SET tenant_id = o.tenant_id FROM evidence_packs o WHERE o.no = x.rowid;
DELETE FROM pack_search WHERE tenant_id IS NULL;
ALTER TABLE pack_search
  ALTER COLUMN tenant_id SET NOT NULL,
  DROP CONSTRAINT pack_search_pkey,
  ADD PRIMARY KEY (tenant_id, rowid);
CREATE INDEX pack_search_words ON pack_search USING gin (words);

-- Keys that refer to keys which change.
ALTER TABLE answer_parts DROP CONSTRAINT answer_parts_tenant_id_session_no_fkey;
ALTER TABLE chunks DROP CONSTRAINT chunks_session_no_document_fkey;
ALTER TABLE citations DROP CONSTRAINT citations_session_no_claim_fkey;
ALTER TABLE claims DROP CONSTRAINT claims_tenant_id_session_no_fkey;
ALTER TABLE documents DROP CONSTRAINT documents_tenant_id_session_no_fkey;
ALTER TABLE evidence_builds DROP CONSTRAINT evidence_builds_bundle_no_fkey;
ALTER TABLE evidence_items DROP CONSTRAINT evidence_items_bundle_no_fkey;
ALTER TABLE exports DROP CONSTRAINT exports_tenant_id_session_no_fkey;
ALTER TABLE find_runs DROP CONSTRAINT find_runs_tenant_id_session_no_fkey;
ALTER TABLE imported_reviews DROP CONSTRAINT imported_reviews_session_no_fkey;
ALTER TABLE ledger_runs DROP CONSTRAINT ledger_runs_tenant_id_session_no_fkey;
ALTER TABLE mail_queue DROP CONSTRAINT mail_queue_notice_fkey;
ALTER TABLE matches DROP CONSTRAINT matches_session_no_claim_fkey, DROP CONSTRAINT matches_session_no_document_chunk_fkey;
ALTER TABLE mentions DROP CONSTRAINT mentions_session_no_fkey;
ALTER TABLE pack_approvals DROP CONSTRAINT pack_approvals_pack_id_fkey;
ALTER TABLE pack_attachments DROP CONSTRAINT pack_attachments_pack_id_fkey;
ALTER TABLE pack_comments DROP CONSTRAINT pack_comments_pack_id_fkey;
ALTER TABLE pack_edits DROP CONSTRAINT pack_edits_pack_id_fkey;
ALTER TABLE pack_exports DROP CONSTRAINT pack_exports_pack_id_fkey;
ALTER TABLE pack_files DROP CONSTRAINT pack_files_pack_id_fkey;
ALTER TABLE pack_holds DROP CONSTRAINT pack_holds_pack_id_fkey;
ALTER TABLE pack_makers DROP CONSTRAINT pack_makers_pack_id_fkey;
ALTER TABLE reviews DROP CONSTRAINT reviews_session_no_claim_fkey;
ALTER TABLE run_changes DROP CONSTRAINT run_changes_session_no_run_fkey;
ALTER TABLE run_claims DROP CONSTRAINT run_claims_session_no_run_fkey;
ALTER TABLE run_evidence DROP CONSTRAINT run_evidence_bundle_no_fkey;
ALTER TABLE run_marks DROP CONSTRAINT run_marks_session_no_run_fkey;
ALTER TABLE upstream DROP CONSTRAINT upstream_session_no_fkey;

ALTER TABLE answer_parts
  DROP CONSTRAINT answer_parts_pkey,
  ADD PRIMARY KEY (tenant_id, session_no, start);
ALTER TABLE api_tokens
  DROP CONSTRAINT api_tokens_pkey,
  DROP CONSTRAINT api_tokens_hash_key,
  ADD PRIMARY KEY (tenant_id, id),
  ADD UNIQUE (tenant_id, hash);
ALTER TABLE change_requests
  DROP CONSTRAINT change_requests_pkey,
  DROP CONSTRAINT change_requests_id_key,
  ADD PRIMARY KEY (tenant_id, no),
  ADD UNIQUE (tenant_id, id);
ALTER TABLE chunks
  DROP CONSTRAINT chunks_pkey,
  ADD PRIMARY KEY (tenant_id, session_no, document, "position");
ALTER TABLE citations
  DROP CONSTRAINT citations_pkey,
  ADD PRIMARY KEY (tenant_id, session_no, claim, n);
ALTER TABLE claims
  DROP CONSTRAINT claims_pkey,
  DROP CONSTRAINT claims_session_no_position_key,
  ADD PRIMARY KEY (tenant_id, no),
  ADD UNIQUE (tenant_id, session_no, "position");
ALTER TABLE decisions
  DROP CONSTRAINT decisions_pkey,
  ADD PRIMARY KEY (tenant_id, no);
ALTER TABLE declined_invitations
  DROP CONSTRAINT declined_invitations_pkey,
  ADD PRIMARY KEY (tenant_id, user_id);
ALTER TABLE documents
  DROP CONSTRAINT documents_pkey,
  DROP CONSTRAINT documents_session_no_position_key,
  ADD PRIMARY KEY (tenant_id, id),
  ADD UNIQUE (tenant_id, session_no, "position");
ALTER TABLE erasures
  DROP CONSTRAINT erasures_pkey,
  DROP CONSTRAINT erasures_id_key,
  ADD PRIMARY KEY (tenant_id, no),
  ADD UNIQUE (tenant_id, id);
ALTER TABLE evidence_builds
  DROP CONSTRAINT evidence_builds_pkey,
  DROP CONSTRAINT evidence_builds_bundle_no_digest_key,
  ADD PRIMARY KEY (tenant_id, bundle_no, n),
  ADD UNIQUE (tenant_id, bundle_no, digest);
ALTER TABLE evidence_bundles
  DROP CONSTRAINT evidence_bundles_pkey,
  ADD PRIMARY KEY (tenant_id, no);
ALTER TABLE evidence_items
  DROP CONSTRAINT evidence_items_pkey,
  ADD PRIMARY KEY (tenant_id, bundle_no, n);
ALTER TABLE evidence_packs
  DROP CONSTRAINT evidence_packs_pkey,
  DROP CONSTRAINT evidence_packs_pack_id_key,
  ADD PRIMARY KEY (tenant_id, no),
  ADD UNIQUE (tenant_id, pack_id);
ALTER TABLE find_runs
  DROP CONSTRAINT find_runs_pkey,
  DROP CONSTRAINT find_runs_session_no_kind_a_b_key,
  ADD PRIMARY KEY (tenant_id, first),
  ADD UNIQUE (tenant_id, session_no, kind, a, b);
ALTER TABLE imported_reviews
  DROP CONSTRAINT imported_reviews_pkey,
  ADD PRIMARY KEY (tenant_id, session_no, claim);
ALTER TABLE invitations
  DROP CONSTRAINT invitations_id_key;
ALTER TABLE jobs
  DROP CONSTRAINT jobs_pkey,
  ADD PRIMARY KEY (tenant_id, id);
ALTER TABLE ledger_runs
  DROP CONSTRAINT ledger_runs_pkey,
  ADD PRIMARY KEY (tenant_id, session_no, n);
ALTER TABLE logins
  DROP CONSTRAINT logins_pkey,
  DROP CONSTRAINT logins_token_hash_key,
  ADD PRIMARY KEY (tenant_id, id),
  ADD UNIQUE (tenant_id, token_hash);
ALTER TABLE mail_queue
  DROP CONSTRAINT mail_queue_pkey,
  ADD PRIMARY KEY (tenant_id, notice);
ALTER TABLE mails
  DROP CONSTRAINT mails_pkey,
  ADD PRIMARY KEY (tenant_id, id);
ALTER TABLE matches
  DROP CONSTRAINT matches_pkey,
  ADD PRIMARY KEY (tenant_id, session_no, claim, rank);
ALTER TABLE mentions
  DROP CONSTRAINT mentions_pkey,
  ADD PRIMARY KEY (tenant_id, session_no, claim, review, start);
ALTER TABLE notifications
  DROP CONSTRAINT notifications_pkey,
  ADD PRIMARY KEY (tenant_id, no);
ALTER TABLE pack_exports
  DROP CONSTRAINT pack_exports_pkey,
  ADD PRIMARY KEY (tenant_id, id);
ALTER TABLE pack_purges
  DROP CONSTRAINT pack_purges_pkey,
  ADD PRIMARY KEY (tenant_id, id);
ALTER TABLE reviews
  DROP CONSTRAINT reviews_pkey,
  ADD PRIMARY KEY (tenant_id, session_no, claim, n);
ALTER TABLE run_changes
  DROP CONSTRAINT run_changes_pkey,
  ADD PRIMARY KEY (tenant_id, session_no, run, claim);
ALTER TABLE run_claims
  DROP CONSTRAINT run_claims_pkey,
  ADD PRIMARY KEY (tenant_id, session_no, run, claim);
ALTER TABLE run_marks
  DROP CONSTRAINT run_marks_pkey,
  ADD PRIMARY KEY (tenant_id, session_no, run);
ALTER TABLE saved_views
  DROP CONSTRAINT saved_views_pkey,
  ADD PRIMARY KEY (tenant_id, id);
ALTER TABLE sessions
  DROP CONSTRAINT sessions_pkey,
  DROP CONSTRAINT sessions_tenant_id_no_key,
  DROP CONSTRAINT sessions_id_key,
  ADD PRIMARY KEY (tenant_id, no),
  ADD UNIQUE (tenant_id, id);
ALTER TABLE upstream
  DROP CONSTRAINT upstream_pkey,
  ADD PRIMARY KEY (tenant_id, session_no, claim);
ALTER TABLE webhook_deliveries
  DROP CONSTRAINT webhook_deliveries_pkey,
  ADD PRIMARY KEY (tenant_id, no);

ALTER TABLE answer_parts
  ADD FOREIGN KEY (tenant_id, session_no) REFERENCES sessions (tenant_id, no) DEFERRABLE;
ALTER TABLE chunks
  ADD FOREIGN KEY (tenant_id, session_no, document) REFERENCES documents (tenant_id, session_no, "position") DEFERRABLE;
ALTER TABLE citations
  ADD FOREIGN KEY (tenant_id, session_no, claim) REFERENCES claims (tenant_id, session_no, "position") DEFERRABLE;
ALTER TABLE claims
  ADD FOREIGN KEY (tenant_id, session_no) REFERENCES sessions (tenant_id, no) DEFERRABLE;
ALTER TABLE documents
  ADD FOREIGN KEY (tenant_id, session_no) REFERENCES sessions (tenant_id, no) DEFERRABLE;
ALTER TABLE evidence_builds
  ADD FOREIGN KEY (tenant_id, bundle_no) REFERENCES evidence_bundles (tenant_id, no) DEFERRABLE;
ALTER TABLE evidence_items
  ADD FOREIGN KEY (tenant_id, bundle_no) REFERENCES evidence_bundles (tenant_id, no) DEFERRABLE;
ALTER TABLE exports
  ADD FOREIGN KEY (tenant_id, session_no) REFERENCES sessions (tenant_id, no) DEFERRABLE;
ALTER TABLE find_runs
  ADD FOREIGN KEY (tenant_id, session_no) REFERENCES sessions (tenant_id, no) DEFERRABLE;
ALTER TABLE imported_reviews
  ADD FOREIGN KEY (tenant_id, session_no) REFERENCES sessions (tenant_id, no) DEFERRABLE;
ALTER TABLE ledger_runs
  ADD FOREIGN KEY (tenant_id, session_no) REFERENCES sessions (tenant_id, no) DEFERRABLE;
ALTER TABLE mail_queue
  ADD FOREIGN KEY (tenant_id, notice) REFERENCES notifications (tenant_id, no) ON DELETE CASCADE DEFERRABLE;
ALTER TABLE matches
  ADD FOREIGN KEY (tenant_id, session_no, claim) REFERENCES claims (tenant_id, session_no, "position") DEFERRABLE,
  ADD FOREIGN KEY (tenant_id, session_no, document, chunk) REFERENCES chunks (tenant_id, session_no, document, "position") DEFERRABLE;
ALTER TABLE mentions
  ADD FOREIGN KEY (tenant_id, session_no) REFERENCES sessions (tenant_id, no) DEFERRABLE;
ALTER TABLE pack_approvals
  ADD FOREIGN KEY (tenant_id, pack_id) REFERENCES evidence_packs (tenant_id, pack_id) DEFERRABLE;
ALTER TABLE pack_attachments
  ADD FOREIGN KEY (tenant_id, pack_id) REFERENCES evidence_packs (tenant_id, pack_id) DEFERRABLE;
ALTER TABLE pack_comments
  ADD FOREIGN KEY (tenant_id, pack_id) REFERENCES evidence_packs (tenant_id, pack_id) DEFERRABLE;
ALTER TABLE pack_edits
  ADD FOREIGN KEY (tenant_id, pack_id) REFERENCES evidence_packs (tenant_id, pack_id) DEFERRABLE;
ALTER TABLE pack_exports
  ADD FOREIGN KEY (tenant_id, pack_id) REFERENCES evidence_packs (tenant_id, pack_id) DEFERRABLE;
ALTER TABLE pack_files
  ADD FOREIGN KEY (tenant_id, pack_id) REFERENCES evidence_packs (tenant_id, pack_id) DEFERRABLE;
ALTER TABLE pack_holds
  ADD FOREIGN KEY (tenant_id, pack_id) REFERENCES evidence_packs (tenant_id, pack_id) DEFERRABLE;
ALTER TABLE pack_makers
  ADD FOREIGN KEY (tenant_id, pack_id) REFERENCES evidence_packs (tenant_id, pack_id) DEFERRABLE;
ALTER TABLE reviews
  ADD FOREIGN KEY (tenant_id, session_no, claim) REFERENCES claims (tenant_id, session_no, "position") DEFERRABLE;
ALTER TABLE run_changes
  ADD FOREIGN KEY (tenant_id, session_no, run) REFERENCES ledger_runs (tenant_id, session_no, n) DEFERRABLE;
ALTER TABLE run_claims
  ADD FOREIGN KEY (tenant_id, session_no, run) REFERENCES ledger_runs (tenant_id, session_no, n) DEFERRABLE;
ALTER TABLE run_evidence
  ADD FOREIGN KEY (tenant_id, bundle_no) REFERENCES evidence_bundles (tenant_id, no) DEFERRABLE;
ALTER TABLE run_marks
  ADD FOREIGN KEY (tenant_id, session_no, run) REFERENCES ledger_runs (tenant_id, session_no, n) DEFERRABLE;
ALTER TABLE upstream
  ADD FOREIGN KEY (tenant_id, session_no) REFERENCES sessions (tenant_id, no) DEFERRABLE;

-- A download by its link, whose tenant is not known before.
DROP INDEX pack_exports_link;
CREATE UNIQUE INDEX pack_exports_link ON pack_exports (tenant_id, token_hash) WHERE token_hash IS NOT NULL;

-- What is looked up before its tenant is known, and the last number that was given.
CREATE INDEX api_tokens_by_hash ON api_tokens (hash);
CREATE INDEX api_tokens_by_id ON api_tokens (id);
CREATE INDEX claims_by_no ON claims (no);
CREATE INDEX evidence_packs_by_no ON evidence_packs (no);
CREATE INDEX find_runs_by_first ON find_runs (first);
CREATE INDEX find_search_by_rowid ON find_search (rowid);
CREATE INDEX jobs_by_id ON jobs (id);
CREATE INDEX logins_by_id ON logins (id);
CREATE INDEX logins_by_token_hash ON logins (token_hash);
CREATE INDEX mails_by_id ON mails (id);
CREATE INDEX notifications_by_no ON notifications (no);
CREATE INDEX sessions_by_no ON sessions (no);
CREATE INDEX webhook_deliveries_by_no ON webhook_deliveries (no);

-- The triggers that look for rows of the same session, bundle or id, by those keys.
CREATE OR REPLACE FUNCTION reviews_next() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.n <> (SELECT count(*) FROM reviews WHERE tenant_id = NEW.tenant_id AND session_no = NEW.session_no AND claim = NEW.claim) THEN
    RAISE EXCEPTION USING ERRCODE = 'SANAD', MESSAGE = 'reviews are appended in order';
  END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE FUNCTION ledger_runs_next() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.n <> (SELECT count(*) FROM ledger_runs WHERE tenant_id = NEW.tenant_id AND session_no = NEW.session_no) THEN
    RAISE EXCEPTION USING ERRCODE = 'SANAD', MESSAGE = 'runs are appended in order';
  END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE FUNCTION run_claims_new() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM run_claims WHERE tenant_id = NEW.tenant_id AND session_no = NEW.session_no AND run = NEW.run AND claim = NEW.claim) THEN
    RAISE EXCEPTION USING ERRCODE = 'SANAD', MESSAGE = 'runs are append-only';
  END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE FUNCTION run_changes_new() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM run_changes WHERE tenant_id = NEW.tenant_id AND session_no = NEW.session_no AND run = NEW.run AND claim = NEW.claim) THEN
    RAISE EXCEPTION USING ERRCODE = 'SANAD', MESSAGE = 'runs are append-only';
  END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE FUNCTION run_marks_new() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM run_marks WHERE tenant_id = NEW.tenant_id AND session_no = NEW.session_no AND run = NEW.run) THEN
    RAISE EXCEPTION USING ERRCODE = 'SANAD', MESSAGE = 'runs are append-only';
  END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE FUNCTION evidence_builds_new() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM evidence_bundles WHERE tenant_id = NEW.tenant_id AND no = NEW.bundle_no)
  OR EXISTS (SELECT 1 FROM evidence_builds WHERE tenant_id = NEW.tenant_id AND bundle_no = NEW.bundle_no AND (n = NEW.n OR digest = NEW.digest))
  OR NEW.n > 0 AND NOT EXISTS (SELECT 1 FROM evidence_builds WHERE tenant_id = NEW.tenant_id AND bundle_no = NEW.bundle_no AND n = NEW.n - 1) THEN
    RAISE EXCEPTION USING ERRCODE = 'SANAD', MESSAGE = 'builds of a bundle are appended';
  END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE FUNCTION evidence_items_new() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.n < 0 OR NEW.n >= coalesce((SELECT item_count FROM evidence_bundles WHERE tenant_id = NEW.tenant_id AND no = NEW.bundle_no), 0)
  OR EXISTS (SELECT 1 FROM evidence_items WHERE tenant_id = NEW.tenant_id AND bundle_no = NEW.bundle_no AND n = NEW.n) THEN
    RAISE EXCEPTION USING ERRCODE = 'SANAD', MESSAGE = 'a bundle has the items it was made with';
  END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE FUNCTION erasures_new() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT (NEW.state = 'asked' AND NEW.retention = 0 OR NEW.state = 'erasing' AND NEW.retention = 1 AND NEW.kind <> 'pack')
  OR EXISTS (SELECT 1 FROM erasures WHERE tenant_id = NEW.tenant_id AND (no = NEW.no OR id = NEW.id)) THEN
    RAISE EXCEPTION USING ERRCODE = 'SANAD', MESSAGE = 'an erasure begins by being asked for';
  END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE FUNCTION change_requests_new() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.state <> 'asked' OR EXISTS (SELECT 1 FROM change_requests WHERE tenant_id = NEW.tenant_id AND (no = NEW.no OR id = NEW.id)) THEN
    RAISE EXCEPTION USING ERRCODE = 'SANAD', MESSAGE = 'a change begins by being asked for';
  END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE FUNCTION evidence_packs_draft() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.state <> 'draft' OR NEW.revision <> 1 OR NEW.approvals <> 0 OR NEW.signed_at <> '' OR NEW.digest <> ''
  OR EXISTS (SELECT 1 FROM pack_tombstones WHERE tenant_id = NEW.tenant_id AND pack_id = NEW.pack_id) THEN
    RAISE EXCEPTION USING ERRCODE = 'SANAD', MESSAGE = 'a pack begins as a draft';
  END IF;
  RETURN NEW;
END $$;
