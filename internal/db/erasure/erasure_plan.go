package erasure

import (
	"slices"
	"strings"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/erasure"
	"sanad/internal/domain/ledger"
)

// erasePlan is what an erasure deletes, and what stands in its way.
type erasePlan struct {
	erasure.Request
	tenant    string
	packs     erasurePacks
	obstacles []erasure.Obstacle
	files     []auditlog.File
}

// planErasure finds what the erasure of an object would delete; NotFound if there is no such object.
func (store *Store) planErasure(t *sqldb.Tx, tenant string, kind erasure.Kind, id string) (*erasePlan, error) {
	p := &erasePlan{tenant: tenant, packs: store.Needs.Packs,
		Request: erasure.Request{Kind: kind, ObjectID: id, Counts: map[string]int{}}}
	plan := map[erasure.Kind]func(*sqldb.Tx) error{
		erasure.Session: p.session, erasure.Document: p.document, erasure.Bundle: p.bundle,
		erasure.Artifact: p.artifact, erasure.Upload: p.upload, erasure.Pack: p.pack,
		erasure.Library: p.library,
	}[kind]
	if plan == nil {
		return nil, domain.Refuse(domain.Invalid, "kind", "refused_session_document_bundle")
	}
	err := plan(t)
	if err == nil {
		p.Title, err = titleOf(t, tenant, kind, id)
	}
	if err == nil {
		p.files, err = auditlog.FilesOf(t, store.Needs.Claims, kind, tenant, id)
	}
	p.Files = len(p.files)
	for _, f := range p.files {
		p.Bytes += f.Size
	}
	return p, err
}

// obstacle adds an obstacle for each id that a query returns.
func (plan *erasePlan) obstacle(t *sqldb.Tx, code erasure.ObstacleCode, query string, args ...any) error {
	ids, err := sqldb.Collect(t, query, args, sqldb.ScanText)
	for _, id := range ids {
		if o := (erasure.Obstacle{Code: code, Object: id}); !slices.Contains(plan.obstacles, o) {
			plan.obstacles = append(plan.obstacles, o)
		}
	}
	return err
}

// packsOf adds the packs that refer to a session.
func (plan *erasePlan) packsOf(t *sqldb.Tx, sessionID string) error {
	const from = "SELECT pack_id FROM evidence_packs WHERE tenant_id = ? AND session_id = ? AND session_id <> '' AND state "
	for code, state := range map[erasure.ObstacleCode]string{
		erasure.InReview: "= 'in_review'", erasure.InPack: "<> 'in_review'",
	} {
		if err := plan.obstacle(t, code, from+state+" ORDER BY no", plan.tenant, sessionID); err != nil {
			return err
		}
	}
	plan.sortObstacles()
	return nil
}

func (plan *erasePlan) sortObstacles() {
	slices.SortFunc(plan.obstacles, func(a, b erasure.Obstacle) int {
		return strings.Compare(string(a.Code)+a.Object, string(b.Code)+b.Object)
	})
}

// holdsOf adds the holds on a session and its documents; documentID limits it to one document, "" for all.
func (plan *erasePlan) holdsOf(t *sqldb.Tx, sessionID, documentID string) error {
	return plan.obstacle(t, erasure.OnHold, `SELECT h.kind || ' ' || h.object_id FROM held h
		WHERE h.tenant_id = ?1 AND (h.kind = 'session' AND h.object_id = ?2
		OR h.kind = 'document' AND h.object_id IN (SELECT d.id FROM documents d JOIN sessions s
		ON s.tenant_id = d.tenant_id AND s.no = d.session_no
			WHERE s.tenant_id = ?1 AND s.id = ?2 AND (?3 = '' OR d.id = ?3))) ORDER BY h.kind, h.object_id`,
		plan.tenant, sessionID, documentID)
}

func (plan *erasePlan) session(t *sqldb.Tx) error {
	no := 0
	err := t.Row("SELECT no FROM sessions WHERE tenant_id = ? AND id = ?", []any{plan.tenant, plan.ObjectID}, &no)
	if err != nil {
		return err
	}
	if err := plan.holdsOf(t, plan.ObjectID, ""); err != nil {
		return err
	}
	if err := plan.packsOf(t, plan.ObjectID); err != nil {
		return err
	}
	return plan.count(t, no, "claims", "documents", "reviews", "ledger_runs")
}

// count counts a session's rows of some tables.
func (plan *erasePlan) count(t *sqldb.Tx, no int, tables ...string) error {
	for _, table := range tables {
		n := 0
		if err := t.Row("SELECT count(*) FROM "+table+" WHERE tenant_id = ? "+
			"AND session_no = ?", []any{plan.tenant, no}, &n); err != nil {
			return err
		}
		plan.Counts[strings.TrimPrefix(table, "ledger_")] = n
	}
	return nil
}

func (plan *erasePlan) document(t *sqldb.Tx) error {
	no, position, status := 0, 0, ""
	err := t.Row(`SELECT s.no, s.id, d.position, d.status FROM documents d JOIN sessions s ON s.tenant_id = d.tenant_id
		AND s.no = d.session_no
		WHERE d.tenant_id = ? AND d.id = ?`,
		[]any{plan.tenant, plan.ObjectID}, &no, &plan.SessionID, &position, &status)
	if err != nil {
		return err
	}
	if status == string(ledger.Erased) {
		plan.obstacles = append(plan.obstacles, erasure.Obstacle{Code: erasure.Gone, Object: plan.ObjectID})
	}
	if err := plan.holdsOf(t, plan.SessionID, plan.ObjectID); err != nil {
		return err
	}
	if err := plan.packsOf(t, plan.SessionID); err != nil {
		return err
	}
	chunks, claims := 0, 0
	err = t.Row(`SELECT (SELECT count(*) FROM chunks
			WHERE tenant_id = ?3 AND session_no = ?1 AND document = ?2),
		(SELECT count(DISTINCT claim) FROM matches WHERE tenant_id = ?3 AND session_no = ?1
		AND document = ?2)`, []any{no, position, plan.tenant}, &chunks, &claims)
	plan.Counts["chunks"], plan.Counts["claims_that_rely_on_it"] = chunks, claims
	return err
}

// bundleUse adds what stands in the way of losing a bundle: packs and holds on sessions whose runs were given it.
func (plan *erasePlan) bundleUse(t *sqldb.Tx, no int) error {
	sessions, err := sqldb.Collect(t, `SELECT s.id FROM run_evidence e
		JOIN ledger_runs r ON r.tenant_id = e.tenant_id AND r.id = e.run_id
		JOIN sessions s ON s.tenant_id = r.tenant_id AND s.no = r.session_no WHERE e.bundle_no = ? AND e.tenant_id = ?
		GROUP BY s.no, s.id ORDER BY s.no`, []any{no, plan.tenant}, sqldb.ScanText)
	for _, id := range sessions {
		if err == nil {
			err = plan.holdsOf(t, id, "")
		}
		if err == nil {
			err = plan.packsOf(t, id)
		}
	}
	return err
}

func (plan *erasePlan) bundle(t *sqldb.Tx) error {
	no := 0
	err := t.Row("SELECT no FROM evidence_bundles WHERE tenant_id = ? AND bundle_id = ?",
		[]any{plan.tenant, plan.ObjectID},
		&no)
	if err != nil {
		return err
	}
	if err := plan.bundleUse(t, no); err != nil {
		return err
	}
	items := 0
	if err := t.Row("SELECT item_count FROM evidence_bundles WHERE tenant_id = ? "+
		"AND no = ?", []any{plan.tenant, no}, &items); err != nil {
		return err
	}
	plan.Counts["items"] = items
	return nil
}

func (plan *erasePlan) artifact(t *sqldb.Tx) error {
	one := 0
	if err := t.Row("SELECT 1 FROM lake_artifacts WHERE tenant_id = ? AND path = ?", []any{plan.tenant, plan.ObjectID},
		&one); err != nil {
		return err
	}
	bundles, err := sqldb.Collect(t, `SELECT bundle_no FROM evidence_items
		WHERE tenant_id = ?1 AND json_extract(full_ref, '$.lake_uri') = ?2
		UNION SELECT bundle_no FROM evidence_builds WHERE tenant_id = ?1 AND lake_uri = ?2`,
		[]any{plan.tenant, plan.ObjectID}, func(r sqldb.Scanner, no *int) error { return r.Scan(no) })
	if err != nil {
		return err
	}
	for _, no := range bundles {
		if err := plan.bundleUse(t, no); err != nil {
			return err
		}
	}
	plan.Counts["bundles_that_name_it"] = len(bundles)
	return nil
}

// library is a document of the library. Sessions that were made of it keep their own text and the file, but a hold on
// one of them, or a pack that refers to one or has a file of the library, keeps the document too: it shows what they
// rest on.
func (plan *erasePlan) library(t *sqldb.Tx) error {
	if err := t.Row("SELECT version FROM library_documents WHERE tenant_id = ? AND id = ?",
		[]any{plan.tenant, plan.ObjectID}, new(int)); err != nil {
		return err
	}
	const using = ` FROM documents d JOIN sessions s ON s.tenant_id = d.tenant_id AND s.no = d.session_no
		WHERE d.tenant_id = ?1 AND d.library_id = ?2 AND d.library_id <> '' AND d.status <> 'erased'`
	err := plan.obstacle(t, erasure.OnHold, `SELECT h.kind || ' ' || h.object_id FROM held h WHERE h.tenant_id = ?1
		AND (h.kind = 'library' AND h.object_id = ?2 OR h.kind = 'session' AND h.object_id IN (SELECT s.id`+using+`)
		OR h.kind = 'document' AND h.object_id IN (SELECT d.id`+using+")) ORDER BY h.kind, h.object_id",
		plan.tenant, plan.ObjectID)
	if err != nil {
		return err
	}
	for code, state := range map[erasure.ObstacleCode]string{
		erasure.InReview: "= 'in_review'", erasure.InPack: "<> 'in_review'",
	} {
		if err := plan.obstacle(t, code, `SELECT pack_id FROM (SELECT p.pack_id, p.no FROM evidence_packs p WHERE p.tenant_id = ?1
			AND p.session_id <> '' AND p.session_id IN (SELECT s.id`+using+") AND p.state "+state+`
			UNION SELECT p.pack_id, p.no FROM library_versions v
			JOIN pack_attachments a ON a.tenant_id = v.tenant_id AND a.blob = v.blob
			JOIN evidence_packs p ON p.tenant_id = a.tenant_id AND p.pack_id = a.pack_id
			WHERE v.tenant_id = ?1 AND v.document_id = ?2 AND p.state `+state+") AS found ORDER BY no LIMIT ?3",
			plan.tenant, plan.ObjectID, maxNamed); err != nil {
			return err
		}
	}
	plan.sortObstacles()
	versions, sessions := 0, 0
	err = t.Row(`SELECT (SELECT count(*) FROM library_versions WHERE tenant_id = ?1 AND document_id = ?2),
		(SELECT count(DISTINCT s.no)`+using+")", []any{plan.tenant, plan.ObjectID}, &versions, &sessions)
	plan.Counts["versions"], plan.Counts["sessions_that_keep_it"] = versions, sessions
	return err
}

// maxNamed is how many packs of each kind a refusal names: thousands may rest on one document of the library.
const maxNamed = 20

func (plan *erasePlan) upload(t *sqldb.Tx) error {
	state := ""
	err := t.Row("SELECT state FROM jobs WHERE tenant_id = ? AND id = ?", []any{plan.tenant, plan.ObjectID}, &state)
	if err != nil {
		return err
	}
	if state == "queued" || state == "running" {
		plan.obstacles = append(plan.obstacles, erasure.Obstacle{Code: erasure.Unended, Object: plan.ObjectID})
	}
	return nil
}

func (plan *erasePlan) pack(t *sqldb.Tx) error {
	obstacles, files, err := plan.packs.ErasureOf(t, plan.tenant, plan.ObjectID)
	if err != nil {
		return err
	}
	plan.obstacles = append(plan.obstacles, obstacles...)
	plan.Counts["files"] = files
	return nil
}

// filesKeys returns the keys of the files.
func (plan *erasePlan) filesKeys() []string {
	keys := make([]string, len(plan.files))
	for i := range plan.files {
		keys[i] = plan.files[i].Key
	}
	return keys
}
