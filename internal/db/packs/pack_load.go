package packs

import (
	"context"
	"encoding/json"
	"time"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/pack"
	"sanad/internal/words"
)

// Pack returns a whole pack. The number of queries is fixed, but for a ledger that changed after submission.
func (store *Store) Pack(ctx context.Context, tenant, packID string) (*PackView, error) {
	var out *PackView
	err := store.Read(ctx, "Pack", func(t *sqldb.Tx) error {
		p, err := store.loadPack(t, tenant, packID)
		if err == nil {
			out = p.view
		}
		return err
	})
	return out, err
}

// storedPack is a pack in a transaction, with what saving it needs.
type storedPack struct {
	view      *PackView
	sessions  packSessions
	tenant    string
	secret    []byte         // sealed
	revisions map[string]int // of the chain as loaded, by pack id
}

// row returns the stored row of a version.
func (p *storedPack) row(packID string) *pack.Row {
	for i := range p.view.Versions {
		if p.view.Versions[i].PackID == packID {
			return &p.view.Versions[i]
		}
	}
	return nil
}

// loadPack reads a whole pack.
func (store *Store) loadPack(t *sqldb.Tx, tenant, packID string) (*storedPack, error) {
	p := &storedPack{view: &PackView{}, sessions: store.Needs.Sessions, tenant: tenant}
	if err := p.lives(t, packID); err != nil {
		return nil, err
	}
	if err := p.content(t); err != nil {
		return nil, err
	}
	return p, p.surroundings(t)
}

// lives reads the life of every version.
func (p *storedPack) lives(t *sqldb.Tx, packID string) error {
	family, err := loadVersions(t, p.tenant, packID)
	if err != nil {
		return err
	}
	v := p.view
	v.Versions, v.Chain, v.Life = family.rows, family.chain(packID), family.lives[packID]
	v.Lives = family.lives
	v.Holds, v.SignedAt = family.holds[packID], p.row(packID).SignedAt
	p.revisions = map[string]int{}
	for _, l := range v.Chain {
		p.revisions[l.PackID] = l.Revision
	}
	return nil
}

// content reads the pack's content; a draft gets the present ledger.
func (p *storedPack) content(t *sqldb.Tx) error {
	var text string
	err := t.Row("SELECT secret, content FROM evidence_packs WHERE tenant_id = ? AND pack_id = ?",
		[]any{p.tenant, p.view.Life.PackID}, &p.secret, &text)
	if err != nil {
		return err
	}
	if p.view.Life.Frozen() {
		p.view.JSON = []byte(text)
	}
	if err := json.Unmarshal([]byte(text), &p.view.Content); err != nil {
		return err
	}
	if p.view.Life.Frozen() {
		return nil
	}
	d, err := loadDecision(t, p.tenant, p.view.Content.DecisionID)
	if err != nil {
		return err
	}
	if p.view.Content.OneAdministrator, err = p.oneAdministrator(t); err != nil {
		return err
	}
	p.view.Content.Mended = p.view.Content.Compared(&d.Decision)
	p.view.Received = &d.Decision
	return p.copySession(t)
}

// oneAdministrator reports whether one person alone administers the tenant.
func (p *storedPack) oneAdministrator(t *sqldb.Tx) (bool, error) {
	admins, err := sqldb.Collect(t, reads.AdminsOf, []any{p.tenant}, sqldb.ScanText)
	return !p.view.Life.Makers.Two(admins), err
}

// surroundings reads the stored files, the edits and the log's events.
func (p *storedPack) surroundings(t *sqldb.Tx) (err error) {
	id := p.view.Life.PackID
	p.view.Files, err = sqldb.Collect(t,
		"SELECT "+fileColumns+" FROM pack_files WHERE tenant_id = ? AND pack_id = ? ORDER BY name",
		[]any{p.tenant, id}, scanFile)
	if err != nil {
		return err
	}
	if p.view.Life.Frozen() {
		p.view.Files = append([]pack.FileRow{jsonFile(p.view.JSON)}, p.view.Files...)
	}
	if p.view.Edits, err = loadEdits(t, p.tenant, id); err != nil {
		return err
	}
	p.view.Events, err = sqldb.Collect(t,
		"SELECT "+auditlog.NamedColumns+" FROM events WHERE tenant_id = ? AND object_kind = ? AND object_id = ? ORDER BY seq",
		[]any{p.tenant, packKind, id}, auditlog.ScanNamed)
	if err != nil {
		return err
	}
	if p.view.Life.State == pack.InReview {
		if p.view.Deputies, err = reads.Deputies(t, p.tenant, t.Now()); err != nil {
			return err
		}
	}
	return p.since(t)
}

// refresh reads again what a life-cycle change has changed.
func (p *storedPack) refresh(t *sqldb.Tx) error {
	if err := p.lives(t, p.view.Life.PackID); err != nil {
		return err
	}
	return p.surroundings(t)
}

const packKind = "pack"

// packEvent returns an event about a pack.
func packEvent(action, packID string, details map[string]any) auditlog.Event {
	return auditlog.Event{Action: action, Kind: packKind, ObjectID: packID, Details: details}
}

// lifeTime formats a stored time for a pack's life, "" if none.
func lifeTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// storedTime formats a time of a pack's life or content for storing.
func storedTime(text string) (string, error) {
	if text == "" {
		return "", nil
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return "", &domain.Error{Op: "db.storedTime", Message: words.Msg("refused_pack_time_another"), Err: err}
	}
	return sqldb.Stamp(t), nil
}

// SessionOfPack returns the session whose ledger a pack copies, "" if none.
func (store *Store) SessionOfPack(ctx context.Context, tenant, packID string) (session string, err error) {
	err = store.Read(ctx, "SessionOfPack", func(t *sqldb.Tx) error {
		return t.Row("SELECT session_id FROM evidence_packs WHERE tenant_id = ? AND pack_id = ?", []any{tenant, packID},
			&session)
	})
	return session, err
}

// SessionOfDecision returns the session that a decision names, "" if none.
func (store *Store) SessionOfDecision(ctx context.Context, tenant, decisionID string) (session string, err error) {
	err = store.Read(ctx, "SessionOfDecision", func(t *sqldb.Tx) error {
		return t.Row("SELECT session_id FROM decisions WHERE tenant_id = ? AND decision_id = ?",
			[]any{tenant, decisionID}, &session)
	})
	return session, err
}
