package db

import (
	"errors"
	"math"

	"sanad/internal/domain/ledger"
)

// afterSQL has what migrations do besides their SQL, in the same transaction, by version.
var afterSQL = map[int]func(*Store, *tx) error{
	4:  enterOldEvents,
	16: func(_ *Store, t *tx) error { return fillFind(t) },
	20: func(s *Store, t *tx) error {
		return errors.Join(fillFind(t), sealLogs(s, t), sealStored(s, t), sealRecords(s, t))
	},
	24: countSealed,
	29: fillPacks,
}

// fillBatch is how many texts are in memory at once; the longest are passages of a few thousand code points.
const fillBatch = 500

// fillFind indexes existing sessions in the order in which they were imported. Memory is limited to a batch.
func fillFind(t *tx) error {
	type session struct {
		no     int
		tenant string
	}
	for last := 0; ; {
		found, err := collect(t, "SELECT no, tenant_id FROM sessions WHERE no > ? ORDER BY no LIMIT ?",
			[]any{last, fillBatch},
			func(r scanner, s *session) error { return r.Scan(&s.no, &s.tenant) })
		if err != nil || len(found) == 0 {
			return err
		}
		for _, s := range found {
			if err := fillSession(t, s.tenant, s.no); err != nil {
				return err
			}
		}
		last = found[len(found)-1].no
	}
}

// fillQueries select the texts of a session by kind after a position (?3, ?4), in the order in which inserter.find
// writes them: from last to first, but the notes of one claim from first to last.
var fillQueries = []struct {
	kind  ledger.FindKind
	query string
}{
	{ledger.FindClaims, `SELECT position, 0, text FROM claims
		WHERE tenant_id = ? AND session_no = ? AND (position, 0) < (?3, ?4) ORDER BY position DESC LIMIT ?`},
	{ledger.FindAnswers, `SELECT start, 0, text FROM answer_parts
		WHERE tenant_id = ? AND session_no = ? AND (start, 0) < (?3, ?4) ORDER BY start DESC LIMIT ?`},
	{ledger.FindPassages, `SELECT document, position, text FROM chunks
		WHERE tenant_id = ? AND session_no = ? AND (document, position) < (?3, ?4)
		ORDER BY document DESC, position DESC LIMIT ?`},
	{ledger.FindNotes, `SELECT claim, n, reason FROM reviews
		WHERE tenant_id = ? AND session_no = ? AND claim <= ?3 AND (claim < ?3 OR n > ?4) AND reason <> ''
		ORDER BY claim DESC, n LIMIT ?`},
}

func fillSession(t *tx, tenant string, no int) error {
	x := newFindIndex(t, tenant, no, moreFind)
	type place struct {
		a, b int
		text string
	}
	for _, q := range fillQueries {
		for at := (place{a: math.MaxInt32}); ; {
			found, err := collect(t, q.query, []any{tenant, no, at.a, at.b, fillBatch},
				func(r scanner, p *place) error { return r.Scan(&p.a, &p.b, &p.text) })
			if err != nil {
				return err
			}
			for _, p := range found {
				x.add(q.kind, p.a, p.b, p.text)
			}
			if len(found) < fillBatch {
				break
			}
			at = found[len(found)-1]
		}
	}
	return x.flush()
}
