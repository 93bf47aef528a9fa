package db

import (
	"slices"
	"strings"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/notify"
)

// addressees returns who can be mentioned in a tenant: everybody who can log in there.
func addressees(t *sqldb.Tx, tenant string) ([]notify.Addressee, error) {
	return sqldb.Collect(t, `SELECT u.id, u.name, u.login FROM memberships m JOIN users u ON u.id = m.user_id
		WHERE m.tenant_id = ? AND m.disabled_at = '' AND u.disabled_at = ''`, []any{tenant},
		func(r sqldb.Scanner, a *notify.Addressee) error { return r.Scan(&a.ID, &a.Name, &a.Login) })
}

// findMentions returns who is addressed in a text; the query is sent only if somebody may be.
func findMentions(t *sqldb.Tx, tenant, text string) ([]notify.Mention, error) {
	if !strings.ContainsRune(text, '@') {
		return nil, nil
	}
	people, err := addressees(t, tenant)
	return notify.FindMentions(text, people), err
}

// mentioned returns the ids of who is addressed, each once.
func mentioned(list []notify.Mention) (ids []string) {
	for _, m := range list {
		if !slices.Contains(ids, m.ID) {
			ids = append(ids, m.ID)
		}
	}
	return ids
}

// address stores who is addressed in the reviews that the events are about, and names them in the events. The session
// has these claims.
func address(t *sqldb.Tx, tenant string, s *ledger.Session, events []Event) error {
	for i := range events {
		at := events[i].review
		if at == nil {
			continue
		}
		r := &s.Claim(at.claim).Reviews[at.n]
		found, err := findMentions(t, tenant, r.Reason)
		if err != nil {
			return err
		}
		for _, m := range found {
			_, err := t.Exec(`INSERT INTO mentions (tenant_id, session_no, claim, review, start, length, user_id, told)
				SELECT ?1, no, ?3, ?4, ?5, ?6, ?7, 0 FROM sessions WHERE tenant_id = ?1 AND id = ?2`,
				tenant, s.ID, at.claim, r.ID, m.Start, m.Length, m.ID)
			if err != nil {
				return err
			}
		}
		if len(found) > 0 {
			events[i].Details["mentions"] = mentioned(found)
		}
	}
	return nil
}

// untoldMention is somebody who was addressed and not told yet.
type untoldMention struct {
	no, claim    int
	review, user string
}

// tellMentioned tells those who are addressed in reviews that everybody may see now, once: of a sealed one nobody is
// told before the seal falls (rule N-2), and of one that was taken back meanwhile, never. Only claims that the session
// has are looked at.
func (s *Store) tellMentioned(t *sqldb.Tx, a domain.Actor, session *ledger.Session) error {
	untold, err := sqldb.Collect(t, `SELECT n.session_no, n.claim, n.review, n.user_id FROM mentions n
		JOIN sessions s ON s.tenant_id = n.tenant_id AND s.no = n.session_no
		WHERE n.tenant_id = ?1 AND s.tenant_id = ?1 AND s.id = ?2 AND n.told = 0 ORDER BY n.claim, n.review, n.start`,
		[]any{a.Tenant, session.ID},
		func(r sqldb.Scanner, m *untoldMention) error { return r.Scan(&m.no, &m.claim, &m.review, &m.user) })
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
		if err := s.tellOf(t, a.Tenant, &m, c, n); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) tellOf(t *sqldb.Tx, tenant string, m *untoldMention, c *ledger.Claim, n int) error {
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
	return s.notify(t, tenant, &notice{
		to: m.user, by: c.Reviews[n].By, kind: notify.Mentioned, object: notify.Session, id: id, claim: c.Number(),
		key: "mentioned/" + m.review,
	})
}

// mentions reads who is addressed in the reviews of the page's claims.
func (b *pageBuilder) mentions() error {
	var claims []any
	for i := range b.page.Session.Claims {
		if c := &b.page.Session.Claims[i]; addresses(c) {
			claims = append(claims, c.Position)
		}
	}
	if len(claims) == 0 {
		return nil
	}
	b.page.Mentions = map[string][]notify.Mention{}
	list, args := sqldb.InList(claims)
	return b.t.Each("SELECT a.review, a.start, a.length, a.user_id, coalesce("+nameOf("a", "user_id")+`, '')
		FROM mentions a WHERE a.tenant_id = ? AND a.session_no = ? AND a.claim IN `+list+
		" ORDER BY a.claim, a.review, a.start", append([]any{b.tenant, b.head.no}, args...), func(r sqldb.Scanner) error {
		var review string
		var m notify.Mention
		err := r.Scan(&review, &m.Start, &m.Length, &m.ID, &m.Name)
		b.page.Mentions[review] = append(b.page.Mentions[review], m)
		return err
	})
}

// addresses reports whether a review of the claim may address somebody.
func addresses(c *ledger.Claim) bool {
	return slices.ContainsFunc(c.Reviews, func(r ledger.Review) bool { return strings.ContainsRune(r.Reason, '@') })
}

// maxChoices is how many people a form offers to mention; others can be typed.
const maxChoices = 100

// choices lists who can be mentioned, by name, each with what to type: the name, or the login name where two share it.
func choices(t *sqldb.Tx, tenant string) ([]access.Named, error) {
	return sqldb.Collect(t, `SELECT u.id, CASE WHEN count(*) OVER (PARTITION BY lower(u.name)) > 1 THEN u.login ELSE u.name END
		FROM memberships m JOIN users u ON u.id = m.user_id
		WHERE m.tenant_id = ? AND m.disabled_at = '' AND u.disabled_at = '' ORDER BY u.name, u.login LIMIT ?`,
		[]any{tenant, maxChoices}, func(r sqldb.Scanner, n *access.Named) error { return r.Scan(&n.ID, &n.Name) })
}
