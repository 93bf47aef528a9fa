package packs

import (
	"context"
	"slices"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain/audit"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
)

// since finds the open threads, what changed after a pack was submitted (in the ledger that it copied, as everybody sees
// it, and in the documents that it rests on), and what its sources are like while it is in review.
func (p *storedPack) since(t *sqldb.Tx) error {
	v := p.view
	v.Since, v.Changes, v.Later = nil, pack.Changes{}, 0
	if err := p.threads(t); err != nil || !v.Life.Frozen() {
		return err
	}
	if copied := v.Content.Ledger; copied != nil {
		entries, revision, err := presentEntries(t, p.sessions, p.tenant, copied)
		if err != nil && !sqldb.NoRow(err) { // an erased ledger has no entries
			return err
		}
		v.Later, v.Changes = revision, pack.CompareLedger(copied.Entries, entries)
	}
	documents, err := p.documentsSince(t)
	v.Since = append(v.Content.ChangedSince(&v.Changes, documents), pack.ThreadAlarms(v.Threads)...)
	if v.Life.State == pack.InReview {
		v.Since = append(v.Since, v.Content.SourceAlarms(t.Now())...)
	}
	return err
}

// threads finds the open threads of the pack and of the session whose ledger it copies, as everybody sees them.
func (p *storedPack) threads(t *sqldb.Tx) error {
	v := p.view
	all, err := packComments(t, p.tenant, v.Life.PackID)
	if err != nil {
		return err
	}
	v.Threads = nil
	for _, id := range pack.OpenThreads(all) {
		v.Threads = append(v.Threads, pack.OpenThread{ID: id})
	}
	if p.ledgerSession() == "" {
		return nil
	}
	return p.sessions.OpenThreads(t, p.tenant, p.ledgerSession(), func(claim int, id string) {
		v.Threads = append(v.Threads, pack.OpenThread{ID: id, Claim: claim})
	})
}

// presentEntries returns the entries of the ledger that a pack copied as everybody sees it now, and its revision. Of
// claims that have changed, text, verdict, state and reviews are those of now, and only these claims are read whole: a
// large ledger is compared by four columns.
func presentEntries(t *sqldb.Tx, sessions packSessions, tenant string, copied *pack.Ledger) ([]pack.Entry, int, error) {
	old := map[int]*pack.Entry{} // by position
	for i := range copied.Entries {
		old[copied.Entries[i].Number-1] = &copied.Entries[i]
	}
	var out []pack.Entry
	at := map[int]int{} // places in out, by position
	revision, err := sessions.ClaimsNow(t, tenant, copied.SessionID, copied.Revision,
		func(position int, v ledger.Verdict, state ledger.ReviewState, reviews int) bool {
			e := old[position]
			if e == nil {
				e = &pack.Entry{Number: position + 1}
			}
			at[position], out = len(out), append(out, *e)
			return e.Verdict != v || e.State != state || len(e.Reviews) != reviews
		},
		func(c *ledger.Claim, v ledger.Verdict, state ledger.ReviewState) {
			e := &out[at[c.Position]]
			e.ClaimID, e.ClaimText, e.Verdict, e.State = c.Key, c.Text, v, state
			e.Reviews = new(pack.Provenance).Reviews(c)
		})
	if err != nil {
		return nil, 0, err
	}
	if revision == copied.Revision {
		return copied.Entries, revision, nil
	}
	return out, revision, nil
}

// documentsSince returns, of the documents of the pack's ledger and those that its sources name, the ones that were
// withdrawn or erased after submission and, if there are any, the ones of the ledger that are in use.
func (p *storedPack) documentsSince(t *sqldb.Tx) ([]ledger.Document, error) {
	submitted := slices.IndexFunc(p.view.Events, func(e audit.StoredEvent) bool { return e.Action == "pack.submitted" })
	those, args := p.restsOn()
	if submitted < 0 || those == "" {
		return nil, nil
	}
	gone, err := sqldb.Collect(t, `SELECT d.id FROM documents d WHERE d.id IN (`+those+`)
		AND (d.status <> 'ready' OR d.withdrawn <> '') AND EXISTS (SELECT 1 FROM events e WHERE e.tenant_id = d.tenant_id
		AND e.object_kind = 'document' AND e.object_id = d.id AND e.seq > ?
		AND e.action IN ('document.withdrawn', 'document.replaced', 'document.erased'))`,
		append(slices.Clone(args), p.view.Events[submitted].Seq), sqldb.ScanText)
	if err != nil || len(gone) == 0 {
		return nil, err
	}
	args = append([]any{p.ledgerSession()}, args...)
	var out []ledger.Document
	err = t.Each(`SELECT d.id, d.key, d.uri, d.status, d.withdrawn, coalesce(c.root, ''), EXISTS (SELECT 1 FROM sessions s
			WHERE s.tenant_id = d.tenant_id AND s.no = d.session_no AND s.id = ?) FROM documents d
		LEFT JOIN chunks c ON c.tenant_id = d.tenant_id AND c.session_no = d.session_no AND c.document = d.position
		WHERE d.id IN (`+those+") ORDER BY d.session_no, d.position, c.position", args, func(r sqldb.Scanner) error {
		var d ledger.Document
		var chunk ledger.Chunk
		var own bool
		if err := r.Scan(&d.ID, &d.Key, &d.URI, &d.Status, &d.Withdrawn, &chunk.Root, &own); err != nil {
			return err
		}
		if !slices.Contains(gone, d.ID) && !(own && d.Citable()) {
			return nil
		}
		if n := len(out); n == 0 || out[n-1].ID != d.ID {
			out = append(out, d)
		}
		last := &out[len(out)-1]
		last.Chunks = append(last.Chunks, chunk)
		return nil
	})
	return out, err
}

// ledgerSession returns the session whose ledger the pack copied, "" if none.
func (p *storedPack) ledgerSession() string {
	if p.view.Content.Ledger == nil {
		return ""
	}
	return p.view.Content.Ledger.SessionID
}

// restsOn returns a query of the ids of the documents of the pack's ledger and of those that its sources name, with its
// arguments; "" if there can be none.
func (p *storedPack) restsOn() (query string, args []any) {
	c, session := &p.view.Content, p.ledgerSession()
	var named []any
	for i := range c.Sources {
		if id := c.Sources[i].InternalRef; id != "" {
			named = append(named, id)
		}
	}
	if session == "" && len(named) == 0 {
		return "", nil
	}
	list, ids := sqldb.InList(named)
	return `SELECT o.id FROM sessions s JOIN documents o ON o.tenant_id = s.tenant_id AND o.session_no = s.no
		WHERE s.tenant_id = ? AND s.id = ?
		UNION ALL SELECT o.id FROM documents o WHERE o.tenant_id = ? AND o.id IN ` + list,
		append([]any{p.tenant, session, p.tenant}, ids...)
}

// ComparedWithLedger compares the entries that a pack copied (the older side) with the ledger as it is now.
func (store *Store) ComparedWithLedger(ctx context.Context, tenant string,
	copied *pack.Ledger) (out pack.Changes, err error) {
	err = store.Read(ctx, "ComparedWithLedger", func(t *sqldb.Tx) error {
		entries, _, err := presentEntries(t, store.Needs.Sessions, tenant, copied)
		out = pack.CompareLedger(copied.Entries, entries)
		return err
	})
	return out, err
}
