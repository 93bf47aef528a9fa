package erasure

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/bundle"
	"sanad/internal/domain/erasure"
	"sanad/internal/domain/ledger"
)

// erasedFile is a file outside the database that goes with an erasure.
type erasedFile struct {
	Lake bool   `json:"lake,omitempty"` // in the tenant's part of the lake; false: in the bucket
	Key  string `json:"key"`
	size int64
}

// erasePlan is what an erasure deletes, and what stands in its way.
type erasePlan struct {
	erasure.Request
	tenant    string
	packs     erasurePacks
	obstacles []erasure.Obstacle
	files     []erasedFile
}

// planErasure finds what the erasure of an object would delete; NotFound if there is no such object.
func (s *Store) planErasure(t *sqldb.Tx, tenant string, kind erasure.Kind, id string) (*erasePlan, error) {
	p := &erasePlan{tenant: tenant, packs: s.Needs.Packs,
		Request: erasure.Request{Kind: kind, ObjectID: id, Counts: map[string]int{}}}
	plan := map[erasure.Kind]func(*sqldb.Tx) error{
		erasure.Session: p.session, erasure.Document: p.document, erasure.Bundle: p.bundle,
		erasure.Artifact: p.artifact, erasure.Upload: p.upload, erasure.Pack: p.pack,
	}[kind]
	if plan == nil {
		return nil, domain.Refuse(domain.Invalid, "kind", "refused_session_document_bundle")
	}
	err := plan(t)
	if err == nil {
		p.Title, err = titleOf(t, tenant, kind, id)
	}
	p.Files = len(p.files)
	for _, f := range p.files {
		p.Bytes += f.size
	}
	return p, err
}

// obstacle adds an obstacle for each id that a query returns.
func (p *erasePlan) obstacle(t *sqldb.Tx, code erasure.ObstacleCode, query string, args ...any) error {
	ids, err := sqldb.Collect(t, query, args, sqldb.ScanText)
	for _, id := range ids {
		if o := (erasure.Obstacle{Code: code, Object: id}); !slices.Contains(p.obstacles, o) {
			p.obstacles = append(p.obstacles, o)
		}
	}
	return err
}

// packsOf adds the packs that refer to a session.
func (p *erasePlan) packsOf(t *sqldb.Tx, sessionID string) error {
	const from = "SELECT pack_id FROM evidence_packs WHERE tenant_id = ? AND session_id = ? AND session_id <> '' AND state "
	for code, state := range map[erasure.ObstacleCode]string{
		erasure.InReview: "= 'in_review'", erasure.InPack: "<> 'in_review'",
	} {
		if err := p.obstacle(t, code, from+state+" ORDER BY no", p.tenant, sessionID); err != nil {
			return err
		}
	}
	slices.SortFunc(p.obstacles, func(a, b erasure.Obstacle) int {
		return strings.Compare(string(a.Code)+a.Object, string(b.Code)+b.Object)
	})
	return nil
}

// holdsOf adds the holds on a session and its documents; documentID limits it to one document, "" for all.
func (p *erasePlan) holdsOf(t *sqldb.Tx, sessionID, documentID string) error {
	return p.obstacle(t, erasure.OnHold, `SELECT h.kind || ' ' || h.object_id FROM held h
		WHERE h.tenant_id = ?1 AND (h.kind = 'session' AND h.object_id = ?2
		OR h.kind = 'document' AND h.object_id IN (SELECT d.id FROM documents d JOIN sessions s
		ON s.tenant_id = d.tenant_id AND s.no = d.session_no
			WHERE s.tenant_id = ?1 AND s.id = ?2 AND (?3 = '' OR d.id = ?3))) ORDER BY h.kind, h.object_id`,
		p.tenant, sessionID, documentID)
}

func (p *erasePlan) session(t *sqldb.Tx) error {
	no := 0
	err := t.Row("SELECT no FROM sessions WHERE tenant_id = ? AND id = ?", []any{p.tenant, p.ObjectID}, &no)
	if err != nil {
		return err
	}
	if err := p.holdsOf(t, p.ObjectID, ""); err != nil {
		return err
	}
	if err := p.packsOf(t, p.ObjectID); err != nil {
		return err
	}
	if err := p.originals(t, no, ""); err != nil {
		return err
	}
	return p.count(t, no, "claims", "documents", "reviews", "ledger_runs")
}

// originals adds the original files of a session's documents.
func (p *erasePlan) originals(t *sqldb.Tx, no int, documentID string) error {
	keys, err := sqldb.Collect(t, `SELECT blob FROM documents WHERE tenant_id = ? AND session_no = ? AND blob <> ''
		AND (? = '' OR id = ?) ORDER BY position`,
		[]any{p.tenant, no, documentID, documentID}, sqldb.ScanText)
	for _, key := range keys {
		p.files = append(p.files, erasedFile{Key: key})
	}
	return err
}

// count counts a session's rows of some tables.
func (p *erasePlan) count(t *sqldb.Tx, no int, tables ...string) error {
	for _, table := range tables {
		n := 0
		if err := t.Row("SELECT count(*) FROM "+table+" WHERE tenant_id = ? "+
			"AND session_no = ?", []any{p.tenant, no}, &n); err != nil {
			return err
		}
		p.Counts[strings.TrimPrefix(table, "ledger_")] = n
	}
	return nil
}

func (p *erasePlan) document(t *sqldb.Tx) error {
	no, position, status := 0, 0, ""
	err := t.Row(`SELECT s.no, s.id, d.position, d.status FROM documents d JOIN sessions s ON s.tenant_id = d.tenant_id
		AND s.no = d.session_no
		WHERE d.tenant_id = ? AND d.id = ?`,
		[]any{p.tenant, p.ObjectID}, &no, &p.SessionID, &position, &status)
	if err != nil {
		return err
	}
	if status == string(ledger.Erased) {
		p.obstacles = append(p.obstacles, erasure.Obstacle{Code: erasure.Gone, Object: p.ObjectID})
	}
	if err := p.holdsOf(t, p.SessionID, p.ObjectID); err != nil {
		return err
	}
	if err := p.packsOf(t, p.SessionID); err != nil {
		return err
	}
	if err := p.originals(t, no, p.ObjectID); err != nil {
		return err
	}
	chunks, claims := 0, 0
	err = t.Row(`SELECT (SELECT count(*) FROM chunks
			WHERE tenant_id = ?3 AND session_no = ?1 AND document = ?2),
		(SELECT count(DISTINCT claim) FROM matches WHERE tenant_id = ?3 AND session_no = ?1
		AND document = ?2)`, []any{no, position, p.tenant}, &chunks, &claims)
	p.Counts["chunks"], p.Counts["claims_that_rely_on_it"] = chunks, claims
	return err
}

// bundleUse adds what stands in the way of losing a bundle: packs and holds on sessions whose runs were given it.
func (p *erasePlan) bundleUse(t *sqldb.Tx, no int) error {
	sessions, err := sqldb.Collect(t, `SELECT s.id FROM run_evidence e
		JOIN ledger_runs r ON r.tenant_id = e.tenant_id AND r.id = e.run_id
		JOIN sessions s ON s.tenant_id = r.tenant_id AND s.no = r.session_no WHERE e.bundle_no = ? AND e.tenant_id = ?
		GROUP BY s.no, s.id ORDER BY s.no`, []any{no, p.tenant}, sqldb.ScanText)
	for _, id := range sessions {
		if err == nil {
			err = p.holdsOf(t, id, "")
		}
		if err == nil {
			err = p.packsOf(t, id)
		}
	}
	return err
}

func (p *erasePlan) bundle(t *sqldb.Tx) error {
	no := 0
	err := t.Row("SELECT no FROM evidence_bundles WHERE tenant_id = ? AND bundle_id = ?", []any{p.tenant, p.ObjectID},
		&no)
	if err != nil {
		return err
	}
	if err := p.bundleUse(t, no); err != nil {
		return err
	}
	items := 0
	if err := t.Row("SELECT item_count FROM evidence_bundles WHERE tenant_id = ? "+
		"AND no = ?", []any{p.tenant, no}, &items); err != nil {
		return err
	}
	p.Counts["items"] = items
	return p.bundleFiles(t, no)
}

// bundleFiles adds the artifacts of a bundle, and those of its items that no other bundle names.
func (p *erasePlan) bundleFiles(t *sqldb.Tx, no int) error {
	paths, err := sqldb.Collect(t, "SELECT lake_uri FROM evidence_builds WHERE tenant_id = ? AND bundle_no = ? ORDER BY n",
		[]any{p.tenant, no}, sqldb.ScanText)
	if err != nil {
		return err
	}
	refs, err := sqldb.Collect(t, `SELECT full_ref FROM evidence_items
		WHERE tenant_id = ? AND bundle_no = ? AND full_ref <> 'null' ORDER BY n`, []any{p.tenant, no}, sqldb.ScanText)
	if err != nil {
		return err
	}
	for _, text := range refs {
		var ref bundle.FullRef
		if err := json.Unmarshal([]byte(text), &ref); err != nil {
			return fmt.Errorf("full_ref: %w", err)
		}
		others := 0
		if err := t.Row(`SELECT count(*) FROM evidence_items
			WHERE tenant_id = ? AND bundle_no <> ? AND json_extract(full_ref, '$.lake_uri') = ?`,
			[]any{p.tenant, no, ref.LakeURI}, &others); err != nil {
			return err
		}
		if others == 0 && ref.LakeURI != "" && !slices.Contains(paths, ref.LakeURI) {
			paths = append(paths, ref.LakeURI)
		}
	}
	return p.artifacts(t, paths...)
}

// artifacts adds files of the lake.
func (p *erasePlan) artifacts(t *sqldb.Tx, paths ...string) error {
	for _, path := range paths {
		f := erasedFile{Lake: true, Key: path}
		err := t.Row("SELECT size FROM lake_artifacts WHERE tenant_id = ? AND path = ?", []any{p.tenant, path}, &f.size)
		if err != nil && !sqldb.NoRow(err) {
			return err
		}
		p.files = append(p.files, f)
	}
	return nil
}

func (p *erasePlan) artifact(t *sqldb.Tx) error {
	one := 0
	if err := t.Row("SELECT 1 FROM lake_artifacts WHERE tenant_id = ? AND path = ?", []any{p.tenant, p.ObjectID},
		&one); err != nil {
		return err
	}
	bundles, err := sqldb.Collect(t, `SELECT bundle_no FROM evidence_items
		WHERE tenant_id = ?1 AND json_extract(full_ref, '$.lake_uri') = ?2
		UNION SELECT bundle_no FROM evidence_builds WHERE tenant_id = ?1 AND lake_uri = ?2`,
		[]any{p.tenant, p.ObjectID}, func(r sqldb.Scanner, no *int) error { return r.Scan(no) })
	if err != nil {
		return err
	}
	for _, no := range bundles {
		if err := p.bundleUse(t, no); err != nil {
			return err
		}
	}
	p.Counts["bundles_that_name_it"] = len(bundles)
	return p.artifacts(t, p.ObjectID)
}

func (p *erasePlan) upload(t *sqldb.Tx) error {
	state := ""
	f := erasedFile{}
	err := t.Row("SELECT state, blob, bytes FROM jobs WHERE tenant_id = ? AND id = ?", []any{p.tenant, p.ObjectID},
		&state,
		&f.Key, &f.size)
	if err != nil {
		return err
	}
	if state == "queued" || state == "running" {
		p.obstacles = append(p.obstacles, erasure.Obstacle{Code: erasure.Unended, Object: p.ObjectID})
	}
	if f.Key != "" {
		p.files = append(p.files, f)
	}
	return nil
}

func (p *erasePlan) pack(t *sqldb.Tx) error {
	obstacles, files, err := p.packs.ErasureOf(t, p.tenant, p.ObjectID)
	if err != nil {
		return err
	}
	p.obstacles = append(p.obstacles, obstacles...)
	p.Counts["files"] = files
	keys, err := sqldb.Collect(t, `SELECT a.blob FROM pack_attachments a WHERE a.tenant_id = ?1 AND a.pack_id = ?2 AND a.blob <> ''
		AND NOT EXISTS (SELECT 1 FROM documents d WHERE d.tenant_id = ?1 AND d.blob = a.blob)
		AND NOT EXISTS (SELECT 1 FROM pack_attachments x WHERE x.tenant_id = ?1 AND x.pack_id <> ?2 AND x.blob = a.blob)
		ORDER BY a.n`,
		[]any{p.tenant, p.ObjectID}, sqldb.ScanText)
	for _, key := range keys {
		p.files = append(p.files, erasedFile{Key: key})
	}
	return err
}

// filesKeys returns the keys of the files.
func (p *erasePlan) filesKeys() []string {
	keys := make([]string, len(p.files))
	for i := range p.files {
		keys[i] = p.files[i].Key
	}
	return keys
}
