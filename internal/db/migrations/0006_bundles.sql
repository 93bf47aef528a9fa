-- Evidence bundles (spec page 3; seed 000 "SQL Server Tracking"). The texts are in the lake; here is what was decided about
-- them, and where they are used. Nothing of it is ever changed or taken away: the triggers below refuse that to whoever has the
-- database open, also by way of INSERT OR REPLACE, which deletes rows without asking a delete trigger.

CREATE TABLE lake_artifacts (              -- what this program wrote into the lake; others may write there too
  tenant_id  TEXT NOT NULL REFERENCES tenants (id),
  path       TEXT NOT NULL,
  sha256     TEXT NOT NULL,
  size       INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  made_by    TEXT NOT NULL,
  PRIMARY KEY (tenant_id, path)
) STRICT, WITHOUT ROWID;

CREATE TABLE evidence_bundles (
  no            INTEGER PRIMARY KEY,
  tenant_id     TEXT NOT NULL REFERENCES tenants (id),
  bundle_id     TEXT NOT NULL,             -- made of the content: two tenants may have the same
  created_at    TEXT NOT NULL,
  made_by       TEXT NOT NULL,
  build_version TEXT NOT NULL,
  policy        TEXT NOT NULL,             -- JSON
  item_count    INTEGER NOT NULL,
  total_bytes   INTEGER NOT NULL,
  type_counts   TEXT NOT NULL,             -- JSON
  UNIQUE (tenant_id, bundle_id)
) STRICT;

CREATE INDEX evidence_bundles_created ON evidence_bundles (tenant_id, created_at, bundle_id);

-- What was left out and what failed is no part of a bundle's id: requests that come to the same items may differ in it.
-- Each such record is kept, with its artifact.
CREATE TABLE evidence_builds (
  tenant_id  TEXT NOT NULL,
  bundle_no  INTEGER NOT NULL REFERENCES evidence_bundles (no),
  n          INTEGER NOT NULL,             -- 0, 1, 2 …
  digest     TEXT NOT NULL,                -- of what was dropped and what failed
  created_at TEXT NOT NULL,                -- created_utc of the artifact
  made_by    TEXT NOT NULL,
  lake_uri   TEXT NOT NULL,
  sha256     TEXT NOT NULL,                -- of the artifact
  size       INTEGER NOT NULL,
  bounding   TEXT NOT NULL,                -- JSON: bundle_bounding
  dropped    TEXT NOT NULL,                -- JSON: dropped_items
  failed     TEXT NOT NULL,                -- JSON: failed_sources
  dropped_n  INTEGER NOT NULL,
  failed_n   INTEGER NOT NULL,
  PRIMARY KEY (bundle_no, n),
  UNIQUE (bundle_no, digest)
) STRICT, WITHOUT ROWID;

CREATE TABLE evidence_items (
  tenant_id      TEXT NOT NULL,
  bundle_no      INTEGER NOT NULL REFERENCES evidence_bundles (no),
  n              INTEGER NOT NULL,         -- 0, 1, 2 … as in the bundle
  evidence_id    TEXT NOT NULL,
  evidence_type  TEXT NOT NULL,
  source_ref     TEXT NOT NULL,            -- JSON
  content_sha256 TEXT NOT NULL,
  byte_count     INTEGER NOT NULL,
  full_ref       TEXT NOT NULL,            -- JSON; 'null' where the content is all there is
  metadata       TEXT NOT NULL,            -- JSON: bounding, redaction, sampling, chunk, http
  PRIMARY KEY (bundle_no, n)
) STRICT, WITHOUT ROWID;

CREATE INDEX evidence_items_content  ON evidence_items (tenant_id, content_sha256, bundle_no);
CREATE INDEX evidence_items_evidence ON evidence_items (tenant_id, evidence_id, bundle_no);

CREATE TABLE run_evidence (                -- which runs were given which bundles
  tenant_id  TEXT NOT NULL,
  run_id     TEXT NOT NULL,                -- a judge run's, or the caller's own
  bundle_no  INTEGER NOT NULL REFERENCES evidence_bundles (no),
  created_at TEXT NOT NULL,
  made_by    TEXT NOT NULL,
  PRIMARY KEY (tenant_id, run_id, bundle_no)
) STRICT, WITHOUT ROWID;

CREATE INDEX run_evidence_bundle ON run_evidence (bundle_no, created_at, run_id);

CREATE TRIGGER lake_artifacts_new BEFORE INSERT ON lake_artifacts
WHEN EXISTS (SELECT 1 FROM lake_artifacts WHERE tenant_id = NEW.tenant_id AND path = NEW.path)
BEGIN SELECT RAISE(ABORT, 'an artifact is never written over'); END;
CREATE TRIGGER lake_artifacts_keep BEFORE UPDATE ON lake_artifacts BEGIN SELECT RAISE(ABORT, 'an artifact never changes'); END;
CREATE TRIGGER lake_artifacts_stay BEFORE DELETE ON lake_artifacts BEGIN SELECT RAISE(ABORT, 'an artifact stays on record'); END;

CREATE TRIGGER evidence_bundles_new BEFORE INSERT ON evidence_bundles
WHEN EXISTS (SELECT 1 FROM evidence_bundles WHERE no = NEW.no OR tenant_id = NEW.tenant_id AND bundle_id = NEW.bundle_id)
BEGIN SELECT RAISE(ABORT, 'a bundle is never replaced'); END;
CREATE TRIGGER evidence_bundles_keep BEFORE UPDATE ON evidence_bundles BEGIN SELECT RAISE(ABORT, 'a bundle never changes'); END;
CREATE TRIGGER evidence_bundles_stay BEFORE DELETE ON evidence_bundles BEGIN SELECT RAISE(ABORT, 'a bundle stays on record'); END;

CREATE TRIGGER evidence_builds_new BEFORE INSERT ON evidence_builds
WHEN NOT EXISTS (SELECT 1 FROM evidence_bundles WHERE no = NEW.bundle_no AND tenant_id = NEW.tenant_id)
  OR EXISTS (SELECT 1 FROM evidence_builds WHERE bundle_no = NEW.bundle_no AND (n = NEW.n OR digest = NEW.digest))
  OR NEW.n > 0 AND NOT EXISTS (SELECT 1 FROM evidence_builds WHERE bundle_no = NEW.bundle_no AND n = NEW.n - 1)
BEGIN SELECT RAISE(ABORT, 'builds of a bundle are appended'); END;
CREATE TRIGGER evidence_builds_keep BEFORE UPDATE ON evidence_builds BEGIN SELECT RAISE(ABORT, 'a build never changes'); END;
CREATE TRIGGER evidence_builds_stay BEFORE DELETE ON evidence_builds BEGIN SELECT RAISE(ABORT, 'a build stays on record'); END;

CREATE TRIGGER evidence_items_new BEFORE INSERT ON evidence_items
WHEN NEW.n < 0 OR NEW.n >= coalesce((SELECT item_count FROM evidence_bundles WHERE no = NEW.bundle_no AND tenant_id = NEW.tenant_id), 0)
  OR EXISTS (SELECT 1 FROM evidence_items WHERE bundle_no = NEW.bundle_no AND n = NEW.n)
BEGIN SELECT RAISE(ABORT, 'a bundle has the items it was made with'); END;
CREATE TRIGGER evidence_items_keep BEFORE UPDATE ON evidence_items BEGIN SELECT RAISE(ABORT, 'an item never changes'); END;
CREATE TRIGGER evidence_items_stay BEFORE DELETE ON evidence_items BEGIN SELECT RAISE(ABORT, 'an item stays on record'); END;

CREATE TRIGGER run_evidence_new BEFORE INSERT ON run_evidence
WHEN NOT EXISTS (SELECT 1 FROM evidence_bundles WHERE no = NEW.bundle_no AND tenant_id = NEW.tenant_id)
  OR EXISTS (SELECT 1 FROM run_evidence WHERE tenant_id = NEW.tenant_id AND run_id = NEW.run_id AND bundle_no = NEW.bundle_no)
BEGIN SELECT RAISE(ABORT, 'a run is linked once'); END;
CREATE TRIGGER run_evidence_keep BEFORE UPDATE ON run_evidence BEGIN SELECT RAISE(ABORT, 'a link never changes'); END;
CREATE TRIGGER run_evidence_stay BEFORE DELETE ON run_evidence BEGIN SELECT RAISE(ABORT, 'a link stays on record'); END;

-- A tenant's own redaction patterns (spec page 3 "Redaction"); in order, as they are part of a redaction profile.
CREATE TABLE redaction_patterns (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  n         INTEGER NOT NULL,
  kind      TEXT NOT NULL,
  expr      TEXT NOT NULL,
  PRIMARY KEY (tenant_id, n)
) STRICT, WITHOUT ROWID;
