package packs

import (
	"context"
	"encoding/json"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/pack"
)

// LinkSession makes a session the one whose ledger a draft copies; "" is the one that the decision names, if any (rule
// P-23). The stored originals of the session's documents become files of the draft, and those of the session of before
// go. The caller has asked whether the actor may read the session.
func (store *Store) LinkSession(ctx context.Context, a access.Actor, packID string, revision int, sessionID,
	reason string,
	as Answering) (*PackView, error) {
	originals, err := store.originalsFor(ctx, "s.id = ?", a.Tenant, sessionID)
	if err != nil {
		return nil, err
	}
	return store.changePack(ctx, "LinkSession", a, packID, as, func(t *sqldb.Tx, p *storedPack) error {
		if err := p.view.Chain.Edit(a, revision); err != nil {
			return err
		}
		if sessionID != "" {
			if err := store.linkable(t, a.Tenant, sessionID); err != nil {
				return err
			}
		}
		c, before := &p.view.Content, p.view.Content
		received, err := loadDecision(t, a.Tenant, c.DecisionID)
		if err != nil {
			return err
		}
		here, err := hasSession(t, a.Tenant, received.Decision.LedgerSessionID)
		if err != nil {
			return err
		}
		if err := c.NameSession(sessionID, &received.Decision, here); err != nil {
			return err
		}
		if c.LedgerSessionID == before.LedgerSessionID {
			return nil
		}
		if err := p.swapOriginals(t, before.LedgerSessionID, originals); err != nil {
			return err
		}
		if err := p.copySession(t); err != nil {
			return err
		}
		return store.saveEdit(t, a, p, &before, reason)
	})
}

// linkable refuses a session that is not in the tenant, or whose stored content is not what the log recorded.
func (store *Store) linkable(t *sqldb.Tx, tenant, id string) error {
	here, err := hasSession(t, tenant, id)
	if err != nil {
		return err
	}
	if !here {
		return domain.Refuse(domain.Invalid, "session_id", "refused_session_none")
	}
	return store.VerifiedWithin(t, tenant, id)
}

// hasSession reports whether a tenant has a session; no session has the id "".
func hasSession(t *sqldb.Tx, tenant, id string) (found bool, err error) {
	err = t.Each("SELECT 1 FROM sessions WHERE tenant_id = ? AND id = ?", []any{tenant, id}, func(sqldb.Scanner) error {
		found = true
		return nil
	})
	return found, err
}

// copySession copies the present ledger of the session that a draft names, and sets what follows from it.
func (p *storedPack) copySession(t *sqldb.Tx) error {
	c := &p.view.Content
	l, err := p.sessions.LedgerOf(t, p.tenant, c.LedgerSessionID)
	if err != nil {
		return err
	}
	reviews, err := loadProvenance(t, p.tenant, c.LedgerSessionID)
	if err != nil {
		return err
	}
	policy, err := reads.Policy(t, p.tenant)
	if err != nil {
		return err
	}
	c.CopyLedger(l, reviews)
	c.SetPolicy(policy)
	p.view.Texts, err = storedTexts(t, p.tenant, c.Sources, l)
	return err
}

// swapOriginals takes the originals of the session of before out of a draft's files, and adds those that it lacks.
// Their bytes belong to the documents and stay. So do files of the library: a person may have attached them.
func (p *storedPack) swapOriginals(t *sqldb.Tx, before string, originals []pack.Attachment) error {
	id, c := p.view.Life.PackID, &p.view.Content
	const ofBefore = ` AND pack_id = ?2 AND blob IN (
		SELECT d.blob FROM documents d JOIN sessions s ON s.tenant_id = d.tenant_id AND s.no = d.session_no
		WHERE d.tenant_id = ?1 AND s.id = ?3 AND d.blob <> '')
		AND blob NOT IN (SELECT v.blob FROM library_versions v WHERE v.tenant_id = ?1)`
	if err := auditlog.DeletedRows(t, p.tenant, "pack_attachments", ofBefore, id, before); err != nil {
		return err
	}
	_, err := t.Exec("DELETE FROM pack_attachments WHERE tenant_id = ?1"+ofBefore, p.tenant, id, before)
	if err != nil {
		return err
	}
	if c.Attachments, err = loadAttachments(t, p.tenant, id); err != nil {
		return err
	}
	for _, file := range originals {
		if c.HasFile(file.SHA256) {
			continue
		}
		if err := addAttachment(t, p.tenant, id, file); err != nil {
			return err
		}
		c.Attachments = append(c.Attachments, file)
	}
	return nil
}

// loadProvenance returns who is a member of the tenant, and where the reviews of a session are in its log.
func loadProvenance(t *sqldb.Tx, tenant, sessionID string) (*pack.Provenance, error) {
	out := &pack.Provenance{Members: map[string]bool{}, Events: map[string]int64{}}
	if sessionID == "" {
		return out, nil
	}
	err := t.Each("SELECT user_id FROM memberships WHERE tenant_id = ?", []any{tenant}, func(r sqldb.Scanner) error {
		var id string
		err := r.Scan(&id)
		out.Members[id] = true
		return err
	})
	if err != nil {
		return nil, err
	}
	err = t.Each(`SELECT seq, bytes FROM events
		WHERE tenant_id = ? AND object_kind = 'session' AND object_id = ? AND action = ?`,
		[]any{tenant, sessionID, auditlog.ClaimReviewedAction}, func(r sqldb.Scanner) error {
			var seq int64
			var bytes []byte
			var event struct{ Details struct{ ID string } }
			if err := r.Scan(&seq, &bytes); err != nil {
				return err
			}
			if err := json.Unmarshal(bytes, &event); err != nil {
				return err
			}
			out.Events[event.Details.ID] = seq - 1
			return nil
		})
	return out, err
}
