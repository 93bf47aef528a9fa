package auditlog

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/audit"
)

// VerifySession computes the digests of a session from its rows and compares them with the newest state digest that the
// log holds of it (rule LOG-8), computes its derived values again, and reads its original files. Faults are results; an
// error means that the check was not possible. It reads a large
// session in several transactions, and begins again when the session was changed meanwhile.
func (store *Store) VerifySession(ctx context.Context, tenant, id string) ([]audit.ContentFault, error) {
	faults, err := store.VerifyAlone(ctx, tenant, id, true)
	if err != nil || len(faults) > 0 {
		return faults, err
	}
	return store.Rules.Originals(ctx, tenant, id)
}

// VerifyAlone is VerifySession; derive says whether derived values are computed again, too.
func (store *Store) VerifyAlone(ctx context.Context, tenant, id string, derive bool) ([]audit.ContentFault, error) {
	for range maxRestarts {
		faults, same, err := store.verifyInParts(ctx, tenant, id, derive)
		if err != nil || same {
			return faults, err
		}
	}
	var faults []audit.ContentFault
	err := store.Read(ctx, "VerifySession", func(t *sqldb.Tx) (err error) {
		faults, err = store.verifySession(t, tenant, id)
		return err
	})
	return faults, err
}

// maxRestarts is how often VerifySession begins again before it reads all in one transaction.
const maxRestarts = 3

// LeavesAtOnce is how many leaves of a section VerifySession reads in one transaction: some tenth of a second. Tests
// set less.
var LeavesAtOnce = 4_000

// verifyInParts is verifySession in transactions of their own, none of which reads long; same is false if the session
// was changed meanwhile.
func (store *Store) verifyInParts(ctx context.Context, tenant, id string,
	derive bool) (faults []audit.ContentFault, same bool, err error) {
	var c *contentCheck
	step := func(do func(t *sqldb.Tx) error) error {
		return store.Read(ctx, "VerifySession", func(t *sqldb.Tx) error {
			if c != nil {
				c.t = t
			}
			return do(t)
		})
	}
	goOn := false
	err = step(func(t *sqldb.Tx) (err error) {
		c, goOn, err = store.beginCheck(t, tenant, id)
		return err
	})
	if err != nil || !goOn {
		if c != nil {
			faults = c.faults
		}
		return faults, true, err
	}
	for i := range store.Contents.Sections {
		err := c.section(&store.Contents.Sections[i], func(do func() error) error {
			return step(func(*sqldb.Tx) error { return do() })
		})
		if err != nil {
			return nil, false, err
		}
	}
	var compare func(fault func(part, field string, claim int)) error
	err = step(func(t *sqldb.Tx) error {
		now, err := loadState(t, store.Contents, tenant, id, c.no)
		if err != nil {
			return err
		}
		if same = now.seq == c.seq; !same {
			return nil
		}
		c.name()
		if len(c.faults) == 0 && derive {
			compare, err = c.rules.Derived(c.rows())
		}
		return err
	})
	if err == nil && compare != nil {
		err = compare(func(part, field string, claim int) {
			f := c.fault(audit.FaultDerived, part, "")
			f.Claim, f.Field = claim, field
		})
	}
	return c.faults, same, err
}

func (check *contentCheck) rows() SessionRows {
	return SessionRows{Tx: check.t, Tenant: check.tenant, Session: check.session, No: check.no}
}

// name adds the field to the faults where it can be told: a derived value that is not what the rules compute, a text
// that has not its stored hash, a review whose row is not the one that its event recorded.
func (check *contentCheck) name() {
	for i := range check.faults {
		if f := &check.faults[i]; f.Kind == audit.FaultRows && f.Field == "" {
			f.Field = check.rules.Field(check.rows(), *f)
		}
	}
}

// verifySession verifies a session in one transaction, which must not have appended to the log yet.
func (store *Store) verifySession(t *sqldb.Tx, tenant, id string) ([]audit.ContentFault, error) {
	c, goOn, err := store.beginCheck(t, tenant, id)
	if err != nil {
		return nil, err
	}
	for i := range store.Contents.Sections {
		if !goOn {
			break
		}
		if err := c.section(&store.Contents.Sections[i], func(do func() error) error { return do() }); err != nil {
			return nil, err
		}
	}
	c.name()
	return c.faults, nil
}

// VerifiedWithin returns a *ContentError unless the stored content of a session is what the log recorded. There may be
// no such session.
func (store *Store) VerifiedWithin(t *sqldb.Tx, tenant, id string) error {
	if id == "" {
		return nil
	}
	faults, err := store.verifySession(t, tenant, id)
	return refuseFaults(faults, err)
}

// Verified is verified in transactions of its own.
func (store *Store) Verified(ctx context.Context, tenant, id string) error {
	if id == "" {
		return nil
	}
	return refuseFaults(store.VerifyAlone(ctx, tenant, id, false))
}

// noSession reports whether an error means that there is no such session.
func noSession(err error) bool { return err != nil && domain.KindOf(err) == domain.NotFound }

func refuseFaults(faults []audit.ContentFault, err error) error {
	switch {
	case noSession(err):
		return nil
	case err != nil:
		return err
	case len(faults) > 0:
		return contentError(faults[0])
	}
	return nil
}

// beginCheck checks what the log and the stored state say of a session; goOn reports whether its rows can be compared.
func (store *Store) beginCheck(t *sqldb.Tx, tenant, id string) (c *contentCheck, goOn bool, err error) {
	no := 0
	err = t.Row("SELECT no FROM sessions WHERE tenant_id = ? AND id = ?", []any{tenant, id}, &no)
	if err != nil && !sqldb.NoRow(err) {
		return nil, false, err
	}
	there := err == nil
	st, err := loadState(t, store.Contents, tenant, id, no)
	if err != nil {
		return nil, false, err
	}
	c = &contentCheck{state: st, rules: store.Rules}
	made, erased, err := madeInLog(t, tenant, id)
	switch {
	case err != nil:
		return nil, false, err
	case !there && !made && (erased || st.seq == 0): // what was erased keeps its state (rule ER-6)
		return nil, false, sqldb.NotFound()
	case !there:
		c.fault(audit.FaultGone, "", "")
		return c, false, nil
	case !made:
		c.fault(audit.FaultUnknown, "", "")
		return c, false, nil
	}
	root, err := c.logged(store)
	if err != nil || root == "" {
		return c, false, err
	}
	stored, err := audit.StateRoot(st.list())
	if err != nil {
		return nil, false, err
	}
	text, err := json.Marshal(st.list())
	if err != nil {
		return nil, false, err
	}
	if audit.Hex(stored) != root || string(text) != st.text {
		c.fault(audit.FaultHashes, "", "the roots of the parts are not those of the state digest")
	}
	return c, true, nil
}

// madeInLog reports whether the log has an event that made a session and none that erased it, and whether it has one
// that erased it.
func madeInLog(t *sqldb.Tx, tenant, id string) (made, erased bool, err error) {
	err = t.Row(`SELECT count(*) FILTER (WHERE action = 'session.imported') > 0
		AND count(*) FILTER (WHERE action = 'session.erased') = 0, count(*) FILTER (WHERE action = 'session.erased') > 0
		FROM events WHERE tenant_id = ? AND object_kind = 'session'
		AND object_id = ?`, []any{tenant, id}, &made, &erased)
	return made, erased, err
}

// logged returns the newest state digest of the session in the log, "" if it can't be trusted, which is a fault.
func (check *contentCheck) logged(s *Store) (string, error) {
	head, found, err := LogHead(check.t, check.tenant)
	if err != nil {
		return "", err
	}
	wrong, err := s.ownFault(check.t, check.tenant, head, found)
	if err != nil || wrong != "" {
		check.fault(audit.FaultEvent, "", wrong)
		return "", err
	}
	events, err := sqldb.Collect(check.t, "SELECT "+eventColumns+` FROM events WHERE tenant_id = ?1 AND seq >= ?2 AND (
		object_kind = 'session' AND object_id = ?3 OR object_kind = 'document' AND object_id IN (SELECT id
		FROM documents WHERE tenant_id = ?1 AND session_no = ?4))
		ORDER BY seq`, []any{check.tenant, check.seq, check.session, check.no}, scanEvent)
	if err != nil {
		return "", err
	}
	root := ""
	for i := range events {
		e, err := audit.ParseEvent(events[i].Bytes)
		content, ok := audit.ContentOf(&e)
		switch {
		case err != nil || events[i].Seq == check.seq && (!ok || content.Format != audit.StateFormat || !about(&e,
			check.session)):
			check.fault(audit.FaultEvent, "", fmt.Sprintf("event %d", events[i].Seq))
			return "", nil //nolint:nilerr // a result, not an error
		case events[i].Seq == check.seq:
			root = content.State
		case ok && about(&e, check.session) && content.State != root:
			check.fault(audit.FaultNewer, "", fmt.Sprintf("event %d", e.Seq))
			return "", nil
		}
	}
	if root == "" {
		check.fault(audit.FaultEvent, "", fmt.Sprintf("event %d", check.seq))
		return "", nil
	}
	if _, err := provenEvent(check.t, check.tenant, head, check.seq); err != nil {
		check.fault(audit.FaultEvent, "", fmt.Sprintf("event %d: %v", check.seq, err))
		return "", nil
	}
	return root, nil
}

// section compares the rows of a section with its stored tree. It reads them in parts, and calls step to do each.
func (check *contentCheck) section(x *Section, step func(do func() error) error) error {
	old := check.sections[x.name]
	now := audit.NewStateTree(old.Size, 0, func(audit.PageID) ([]byte, error) { return nil, nil })
	beyond := -1
	for _, part := range x.parts(old.Size, LeavesAtOnce) {
		err := step(func() error {
			return x.leaves(check.t, check.tenant, check.no, part, func(leaf int, digest audit.Hash) error {
				if leaf < 0 || leaf >= old.Size {
					if beyond < 0 {
						beyond = leaf
					}
					return nil
				}
				return now.Set(leaf, digest)
			})
		})
		if err != nil {
			return err
		}
	}
	return step(func() error {
		if beyond >= 0 {
			check.place(check.fault(audit.FaultRows, x.name, "rows that no event made"), x, beyond)
		}
		if old.Size == 0 {
			return nil
		}
		root, err := now.Root()
		if err != nil {
			return err
		}
		differ, err := check.pagesDiffer(x, now)
		if err != nil {
			return err
		}
		switch {
		case audit.Hex(root) == old.Root && differ >= 0:
			check.place(check.fault(audit.FaultHashes, x.name, ""), x, differ)
		case audit.Hex(root) != old.Root:
			check.place(check.fault(audit.FaultRows, x.name, ""), x, differ)
		}
		return nil
	})
}

// pagesDiffer returns the first leaf whose stored digest is not the one computed, the first leaf of a page of a higher
// level that differs, or -1 if all stored pages are as they should be.
func (check *contentCheck) pagesDiffer(x *Section, now *audit.StateTree) (int, error) {
	stored := map[audit.PageID][]byte{}
	err := check.t.Each("SELECT level, page, hashes FROM state_pages WHERE tenant_id = ? AND session_id = ? AND section = ?",
		[]any{check.tenant, check.session, x.name}, func(r sqldb.Scanner) error {
			var id audit.PageID
			var hashes []byte
			err := r.Scan(&id.Level, &id.Page, &hashes)
			stored[id] = hashes
			return err
		})
	if err != nil {
		return 0, err
	}
	return now.FirstDifference(stored), nil
}

// VerifyContents verifies every session of a tenant, also those that only the log knows, and calls each with every
// fault. It reads one session at a time.
func (store *Store) VerifyContents(ctx context.Context, tenant string,
	each func(audit.ContentFault)) (checked int, err error) {
	ids, err := store.ContentIDs(ctx, tenant)
	if err != nil {
		return 0, err
	}
	for _, id := range ids {
		faults, err := store.VerifySession(ctx, tenant, id)
		if err != nil {
			return checked, err
		}
		checked++
		for _, f := range faults {
			each(f)
		}
	}
	for _, verify := range store.Checks {
		faults, err := verify(ctx, tenant)
		if err != nil {
			return checked, err
		}
		for _, f := range faults {
			each(f)
		}
	}
	return checked, nil
}

// ContentIDs lists the sessions that the database or the log has.
func (store *Store) ContentIDs(ctx context.Context, tenant string) (ids []string, err error) {
	err = store.Read(ctx, "VerifyContents", func(t *sqldb.Tx) error {
		if err := reads.TenantExists(t, tenant); err != nil {
			return err
		}
		ids, err = sqldb.Collect(t, `SELECT id FROM sessions WHERE tenant_id = ?1
			UNION SELECT session_id FROM session_states WHERE tenant_id = ?1
			UNION SELECT object_id FROM events WHERE tenant_id = ?1 AND object_kind = 'session'
			AND action = 'session.imported'
			EXCEPT SELECT object_id FROM events WHERE tenant_id = ?1 AND object_kind = 'session'
			AND action = 'session.erased'`,
			[]any{tenant}, func(r sqldb.Scanner, id *string) error { return r.Scan(id) })
		slices.Sort(ids)
		return err
	})
	return ids, err
}
