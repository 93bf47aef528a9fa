package sessions

import (
	"context"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain/ledger"
)

// Runs lists up to limit runs of a session with numbers below before (0 for all), newest first. next is the before of
// the following page, 0 after the last one.
func (store *Store) Runs(ctx context.Context, tenant, sessionID string,
	before, limit int) (rows []ledger.RunRow, next int, err error) {
	limit = max(1, limit)
	err = store.Read(ctx, "Runs", func(t *sqldb.Tx) error {
		no, newest, err := sessionRun(t, tenant, sessionID)
		if err != nil {
			return err
		}
		first := before
		if before <= 0 || before > newest+1 {
			first = newest + 2
		}
		rows, err = sqldb.Collect(t, runRows+" AND r.n < ? ORDER BY r.n DESC LIMIT ?",
			[]any{tenant, no, first - 1, limit + 1}, scanRun(newest))
		return err
	})
	if err == nil && len(rows) > limit {
		rows = rows[:limit]
		next = rows[limit-1].Number
	}
	return rows, next, err
}

// RunPage returns up to limit changes of a run after the claim at position after (-1 for the first). The number of
// queries is fixed.
func (store *Store) RunPage(ctx context.Context, tenant, sessionID string,
	number, after, limit int) (*ledger.RunPage, error) {
	p := &ledger.RunPage{
		SessionID: sessionID, Next: -1, Pages: map[ledger.ChunkRef]int{}, Hashes: map[ledger.ChunkRef]string{},
	}
	limit = max(1, limit)
	err := store.Read(ctx, "RunPage", func(t *sqldb.Tx) error {
		no, newest, err := sessionRun(t, tenant, sessionID)
		if err != nil {
			return err
		}
		if err := t.Row(`SELECT title, coalesce(overview ->> '$.summary.stale', '0') FROM sessions
			WHERE tenant_id = ? AND no = ?`,
			[]any{tenant, no}, &p.Title, &p.LookAgain); err != nil {
			return err
		}
		p.Runs = newest + 1
		found, err := sqldb.Collect(t, runRows+" AND r.n IN (?, ?) ORDER BY r.n DESC",
			[]any{tenant, no, number - 1, number - 2}, scanRun(newest))
		if err != nil {
			return err
		}
		if len(found) == 0 || found[0].Number != number {
			return sqldb.NotFound()
		}
		if p.RunRow = found[0]; len(found) > 1 {
			p.Before = &found[1]
		}
		p.Changes, err = sqldb.Collect(t,
			`SELECT x.claim, x.from_verdict, x.to_verdict, x.from_confidence, x.to_confidence, x.stale, x.gained,
				x.lost, c.key, c.text, c.stale
			FROM run_changes x JOIN claims c ON c.tenant_id = x.tenant_id AND c.session_no = x.session_no
			AND c.position = x.claim
			WHERE x.tenant_id = ? AND x.session_no = ? AND x.run = ? AND x.claim > ? ORDER BY x.claim LIMIT ?`,
			[]any{tenant, no, number - 1, after, limit + 1}, func(r sqldb.Scanner, x *ledger.RunChange) error {
				return r.Scan(&x.Position, &x.From, &x.To, &x.FromConfidence, &x.ToConfidence, &x.Stale,
					sqldb.JSONInto(&x.Gained), sqldb.JSONInto(&x.Lost), &x.Key, &x.Text, &x.LookAgain)
			})
		if err != nil {
			return err
		}
		if len(p.Changes) > limit {
			p.Changes = p.Changes[:limit]
			p.Next = p.Changes[limit-1].Position
		}
		p.Bundles, err = sqldb.Collect(t,
			`SELECT b.bundle_id FROM run_evidence e JOIN evidence_bundles b ON b.no = e.bundle_no AND b.tenant_id = e.tenant_id
			WHERE e.tenant_id = ? AND e.run_id = ? ORDER BY b.bundle_id LIMIT 20`, []any{tenant, p.Run.ID},
			func(r sqldb.Scanner, id *string) error { return r.Scan(id) })
		if err != nil {
			return err
		}
		return readPlaces(p, t, tenant, no)
	})
	return sqldb.OrZero(p, err)
}

// readPlaces reads the places of the changes' chunks.
func readPlaces(p *ledger.RunPage, t *sqldb.Tx, tenant string, no int) error {
	documents, chunks := map[int]bool{}, []any{}
	var positions []any
	for i := range p.Changes {
		for _, list := range [][]ledger.Stance{p.Changes[i].Gained, p.Changes[i].Lost} {
			for _, x := range list {
				if !documents[x.Chunk.Document] {
					documents[x.Chunk.Document] = true
					positions = append(positions, x.Chunk.Document)
				}
				if _, known := p.Pages[x.Chunk]; !known {
					p.Pages[x.Chunk] = 0
					chunks = append(chunks, x.Chunk.Document, x.Chunk.Chunk)
				}
			}
		}
	}
	list, args := sqldb.InList(positions)
	var err error
	p.Documents, err = sqldb.Collect(t, fromDocuments+" AND position IN "+list+" ORDER BY position",
		append([]any{tenant, no}, args...), scanDocument)
	if err != nil {
		return err
	}
	list, args = sqldb.InPairs(chunks)
	return t.Each(`SELECT document, position, page, hash FROM chunks
		WHERE tenant_id = ? AND session_no = ? AND (document, position) IN `+list,
		append([]any{tenant, no}, args...), func(r sqldb.Scanner) error {
			var at ledger.ChunkRef
			page, hash := 0, ""
			err := r.Scan(&at.Document, &at.Chunk, &page, &hash)
			p.Pages[at], p.Hashes[at] = page, hash[:min(len(hash), ledger.HashDigits)]
			return err
		})
}

// RunClaim is a claim as judged by one run.
type RunClaim struct {
	Position   int
	Key        string
	Verdict    ledger.Verdict // the machine's, "" if unjudged
	Confidence float64
	Judge      string
	Given      bool
	Unjudged   string
	Matches    []ledger.Match
}

// RunClaims returns the judgements of any run: up to limit claims after position after (-1 for the first), with the
// documents and chunks that the matches refer to. next is the following page's after, -1 after the last one.
func (store *Store) RunClaims(ctx context.Context, tenant, sessionID string,
	number, after, limit int) (claims []RunClaim, of *ledger.Session, next int, err error) {
	limit, next = max(1, limit), -1
	err = store.Read(ctx, "RunClaims", func(t *sqldb.Tx) error {
		no, newest, err := sessionRun(t, tenant, sessionID)
		if err != nil {
			return err
		}
		switch n := number - 1; {
		case n < 0 || n > newest:
			return sqldb.NotFound()
		case n == newest:
			claims, err = newestClaims(t, tenant, no, after, limit+1)
		default:
			claims, err = sqldb.Collect(t,
				`SELECT x.claim, c.key, x.verdict, x.confidence, x.judge, x.given, x.unjudged, x.matches
				FROM run_claims x JOIN claims c ON c.tenant_id = x.tenant_id AND c.session_no = x.session_no
				AND c.position = x.claim
				WHERE x.tenant_id = ? AND x.session_no = ? AND x.run = ? AND x.claim > ? ORDER BY x.claim LIMIT ?`,
				[]any{tenant, no, n, after, limit + 1}, func(r sqldb.Scanner, c *RunClaim) error {
					return r.Scan(&c.Position, &c.Key, &c.Verdict, &c.Confidence, &c.Judge, &c.Given, &c.Unjudged,
						sqldb.JSONInto(&c.Matches))
				})
		}
		if err != nil {
			return err
		}
		if len(claims) > limit {
			claims = claims[:limit]
			next = claims[limit-1].Position
		}
		of, err = namedBy(t, tenant, no, claims)
		return err
	})
	return claims, of, next, err
}

// newestClaims returns the judgements of the newest run, which are stored with the claims.
func newestClaims(t *sqldb.Tx, tenant string, no, after, limit int) ([]RunClaim, error) {
	list, values, err := loadClaims(t,
		"FROM claims c WHERE c.tenant_id = ? AND c.session_no = ? AND c.position > ? ORDER BY c.position LIMIT ?",
		tenant, no, after, limit)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	shell := ledger.Session{Claims: list}
	if err := loadEvidence(t, &shell, tenant, no, "AND claim BETWEEN ? AND ?", list[0].Position,
		list[len(list)-1].Position); err != nil {
		return nil, err
	}
	out := make([]RunClaim, len(list))
	for i := range list {
		c, d := &shell.Claims[i], &values[i]
		out[i] = RunClaim{
			Position: c.Position, Key: c.Key, Verdict: d.machine, Confidence: d.confidence, Judge: c.Judge,
			Given: c.Given, Unjudged: c.Unjudged, Matches: c.Matches,
		}
	}
	return out, nil
}

// namedBy reads the documents and chunks that matches refer to.
func namedBy(t *sqldb.Tx, tenant string, no int, claims []RunClaim) (*ledger.Session, error) {
	shell := make([]ledger.Claim, len(claims))
	for i := range claims {
		shell[i].Matches = claims[i].Matches
	}
	documents, chunks := references(shell)
	out := &ledger.Session{}
	list, args := sqldb.InList(documents)
	var err error
	out.Documents, err = sqldb.Collect(t, fromDocuments+" AND position IN "+list+" ORDER BY position",
		append([]any{tenant, no}, args...), scanDocument)
	if err != nil {
		return nil, err
	}
	list, args = sqldb.InPairs(chunks)
	return out, loadChunks(t, out, tenant, no, "AND (document, position) IN "+list, args...)
}

// sessionRun returns a session's row number and the number of its newest run, from 0.
func sessionRun(t *sqldb.Tx, tenant, id string) (no, newest int, err error) {
	err = t.Row("SELECT no, run FROM sessions WHERE tenant_id = ? AND id = ?", []any{tenant, id}, &no, &newest)
	return no, newest, err
}
