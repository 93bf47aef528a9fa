package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"runtime"
	"sync"

	"sanad/internal/db"
	"sanad/internal/domain/access"
	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
)

// VerdictRow is a row with the verdict of a person.
type VerdictRow struct {
	judge.Row
	Verdict ledger.Verdict
}

// mostLabelled is how many claims of a tenant a reader is calibrated on, those of the newest sessions.
const mostLabelled = 20_000

// errNotChosen is a call that has no reader to calibrate.
var errNotChosen = errors.New("app: the reader that ships is calibrated already")

// ReadRows has the reader read rows with verdicts of people. watch is called with how many are read.
func (e *Embedded) ReadRows(ctx context.Context, rows []VerdictRow, watch func(done int) error) ([]judge.Labelled, error) {
	by := map[string][]VerdictRow{} // what has the same evidence
	var order []string
	for _, row := range rows {
		evidence, err := json.Marshal(row.Evidence)
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(evidence)
		group := hex.EncodeToString(sum[:])
		if by[group] == nil {
			order = append(order, group)
		}
		by[group] = append(by[group], row)
	}
	var out []judge.Labelled
	for _, group := range order {
		s := judge.RowSession(by[group][0].Row)
		var claims []labelled
		for _, row := range by[group] {
			claims = append(claims, labelled{row.Claim, row.Verdict})
		}
		read, err := e.read(ctx, s, group, claims)
		if err != nil {
			return nil, err
		}
		out = append(out, read...)
		if err := watch(len(out)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// ReadReviewed has the reader read the tenant's claims whose verdict people settled, against the sources as they are
// now.
func (e *Embedded) ReadReviewed(
	ctx context.Context, store *db.Store, tenant string, watch func(done int) error,
) (out []judge.Labelled, err error) {
	settled, err := store.SettledClaims(ctx, tenant, mostLabelled)
	if err != nil {
		return nil, err
	}
	for first := 0; first < len(settled); {
		last := first
		for last < len(settled) && settled[last].Session == settled[first].Session {
			last++
		}
		s, err := store.Session(ctx, tenant, settled[first].Session)
		if err != nil {
			return nil, err
		}
		unread(s, s.Run.BundleID)
		var claims []labelled
		for _, c := range settled[first:last] {
			if claim := s.Claim(c.Position); claim != nil {
				claims = append(claims, labelled{claim.Text, c.Verdict})
			}
		}
		read, err := e.read(ctx, s, s.ID, claims)
		if err != nil {
			return nil, err
		}
		out = append(out, read...)
		if err := watch(len(out)); err != nil {
			return nil, err
		}
		first = last
	}
	return out, nil
}

// labelled is a claim and the verdict that a person gave it.
type labelled struct {
	claim   string
	verdict ledger.Verdict
}

// read has the reader read claims against the sources of a session. A claim that it cannot read is left out.
func (e *Embedded) read(
	ctx context.Context, s *ledger.Session, group string, claims []labelled,
) (out []judge.Labelled, err error) {
	if e.Chosen() == "" {
		return nil, errNotChosen
	}
	own, x := e.Judge().In(ctx), judge.NewIndex(s)
	read := make([]*judge.Labelled, len(claims))
	next := make(chan int)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := range next {
				if l, found, err := own.Preferred(claims[i].claim, x); err == nil && found {
					l.Verdict, l.Group = claims[i].verdict, group
					read[i] = &l
				}
			}
		})
	}
	for i := range claims {
		next <- i
	}
	close(next)
	workers.Wait()
	for _, l := range read {
		if l != nil {
			out = append(out, *l)
		}
	}
	return out, ctx.Err()
}

// Calibrate finds what the word of the reader counts in a tenant, and stores it.
func (e *Embedded) Calibrate(
	ctx context.Context, store *db.Store, by access.Actor, rows []judge.Labelled,
) (judge.Calibrated, error) {
	found, err := judge.Calibrate(e.Chosen(), rows)
	if err != nil {
		return found, err
	}
	return found, store.SetReaderCalibration(ctx, by, db.ReaderCalibration{Reader: e.Chosen(), Balances: string(found.Balances),
		Rows: found.Rows})
}
