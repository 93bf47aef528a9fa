package sessions

import (
	"slices"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/notify"
)

// address stores who is addressed in the reviews that the events are about, and names them in the events; and the
// people of the threads that the reviews belong to, who are told too (rule N-6). The session has these claims.
func (store *Store) address(t *sqldb.Tx, tenant string, session *ledger.Session, events []auditlog.Event) error {
	for i := range events {
		at := events[i].Review
		if at == nil {
			continue
		}
		c := session.Claim(at.Claim)
		r := &c.Reviews[at.N]
		found, err := reads.FindMentions(t, tenant, r.Reason)
		if err != nil {
			return err
		}
		if len(found) > 0 {
			events[i].Details["mentions"] = notify.Addressed(found)
		}
		others, err := peopleOf(t, tenant, session.ID, c, r)
		if err != nil {
			return err
		}
		for n, id := range notify.Others(others, found, r.By) {
			found = append(found, notify.Mention{Start: -1 - n, ID: id})
		}
		for _, m := range found {
			_, err := t.Exec(`INSERT INTO mentions (tenant_id, session_no, claim, review, start, length, user_id, told)
				SELECT ?1, no, ?3, ?4, ?5, ?6, ?7, 0 FROM sessions WHERE tenant_id = ?1 AND id = ?2`,
				tenant, session.ID, at.Claim, r.ID, m.Start, m.Length, m.ID)
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// peopleOf returns who wrote in the thread that a reply or a resolution belongs to, and who is addressed in it; nobody
// for any other review.
func peopleOf(t *sqldb.Tx, tenant, sessionID string, c *ledger.Claim, r *ledger.Review) (out []string, err error) {
	if r.Thread == 0 || r.Action == ledger.Reopen {
		return nil, nil
	}
	said := []any{}
	for i := range c.Reviews {
		x := &c.Reviews[i]
		if x.Action == ledger.Comment && (i+1 == r.Thread || x.Thread == r.Thread) && !c.Undone(i) {
			out, said = append(out, x.By), append(said, x.ID)
		}
	}
	list, args := sqldb.InList(said)
	addressed, err := sqldb.Collect(t, `SELECT m.user_id FROM mentions m
		JOIN sessions s ON s.tenant_id = m.tenant_id AND s.no = m.session_no
		WHERE m.tenant_id = ? AND s.id = ? AND m.claim = ? AND m.start >= 0 AND m.review IN `+list+
		" ORDER BY m.review, m.start", append([]any{tenant, sessionID, c.Position}, args...), sqldb.ScanText)
	return append(out, addressed...), err
}

// untoldMention is somebody who was addressed, or takes part in a thread, and was not told yet.
type untoldMention struct {
	no, claim    int
	start        int // below 0 for the people of a thread
	review, user string
}

// tellMentioned tells those who are addressed in reviews that everybody may see now, or take part in their threads,
// once: of a sealed one nobody is told before the seal falls (rule N-2), and of one that was taken back meanwhile,
// never. Only claims that the session has are looked at.
func (store *Store) tellMentioned(t *sqldb.Tx, a access.Actor, session *ledger.Session) error {
	untold, err := sqldb.Collect(t, `SELECT n.session_no, n.claim, n.review, n.user_id, n.start FROM mentions n
		JOIN sessions s ON s.tenant_id = n.tenant_id AND s.no = n.session_no
		WHERE n.tenant_id = ?1 AND s.tenant_id = ?1 AND s.id = ?2 AND n.told = 0 ORDER BY n.claim, n.review, n.start`,
		[]any{a.Tenant, session.ID},
		func(r sqldb.Scanner, m *untoldMention) error {
			return r.Scan(&m.no, &m.claim, &m.review, &m.user, &m.start)
		})
	if err != nil {
		return err
	}
	for _, m := range untold {
		c := session.Claim(m.claim)
		if c == nil {
			continue
		}
		open := session.Open(c)
		n := slices.IndexFunc(open, func(r ledger.Review) bool { return r.ID == m.review })
		if n < 0 {
			continue
		}
		if err := store.tellOf(t, a.Tenant, &m, c, n); err != nil {
			return err
		}
	}
	return nil
}

func (store *Store) tellOf(t *sqldb.Tx, tenant string, m *untoldMention, c *ledger.Claim, n int) error {
	_, err := t.Exec(`UPDATE mentions SET told = 1
		WHERE tenant_id = ? AND session_no = ? AND claim = ? AND review = ?
		AND user_id = ?`, tenant, m.no, m.claim, m.review, m.user)
	if err != nil || c.Undone(n) {
		return err
	}
	var id string
	if err := t.Row("SELECT id FROM sessions WHERE tenant_id = ? AND no = ?", []any{tenant, m.no}, &id); err != nil {
		return err
	}
	kind := notify.Mentioned
	if m.start < 0 {
		kind = notify.OfThread(c.Reviews[n].Action == ledger.Resolve)
	}
	return store.Needs.Notices.Notify(t, tenant, &notify.Message{
		To: m.user, By: c.Reviews[n].By, Kind: kind, ObjectKind: notify.Session, ObjectID: id,
		Claim: c.Number(),
		Key:   string(kind) + "/" + m.review,
	})
}
