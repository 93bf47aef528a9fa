package handlers

import (
	"context"
	"fmt"
	"slices"
	"time"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
	"sanad/internal/importers"
)

// Intake is what the page, the API and the command line share when a session comes in.
type Intake struct {
	Store *db.Store
	Actor domain.Actor
	Now   time.Time
	NewID func() string
}

// Taken is what became of an import.
type Taken struct {
	SessionID string
	Created   bool // false where the same content was there already
	Warnings  []importers.Warning
}

// Take judges what was read, resolves its citations, assesses it and stores it, once for the same content. receipt,
// where given, makes the answer to an Idempotency-Key and is stored in the same transaction.
func (in Intake) Take(ctx context.Context, read *importers.Result, receipt func(Taken) (*db.Receipt, error)) (Taken, error) {
	s := &read.Session
	warnings := read.Warnings
	if s.Run.At.IsZero() { // an exported ledger brings its run along
		if err := judge.CheckSize(s); err != nil {
			return Taken{}, err
		}
		start := time.Now() // a duration for operators, not part of any result
		for _, w := range judge.Run(s, judge.NewLexical(), in.Now) {
			warnings = append(warnings, importers.Warning(w))
		}
		s.Run.Duration = time.Since(start)
	}
	if read.Reviews > 0 {
		warnings = append(warnings, importers.Warning{Path: "sanad.claims", Msg: fmt.Sprintf(
			"%d review(s) were taken over from the file; who wrote them was not checked.", read.Reviews)})
	}
	s.Identify(in.NewID)
	s.Revision, s.CreatedAt, s.UpdatedAt = 1, in.Now, in.Now
	l, err := in.assess(ctx, s, read.Format != importers.LedgerFormat)
	if err != nil {
		return Taken{}, err
	}
	taken := Taken{SessionID: s.ID, Created: true, Warnings: warnings}
	var r *db.Receipt
	if receipt != nil {
		if r, err = receipt(taken); err != nil {
			return Taken{}, err
		}
	}
	taken.SessionID, taken.Created, err = in.Store.InsertSession(ctx, in.Actor, &l, originals(read), r)
	if !taken.Created && read.Reviews > 0 {
		taken.Warnings = append(slices.Clone(read.Warnings), importers.Warning{Path: "sanad.claims", Msg: fmt.Sprintf(
			"This content was there already, so the %d review(s) in the file were not taken over.", read.Reviews)})
	}
	return taken, err
}

// assess resolves the citations, in the session and then in the rest of the tenant, and assesses the whole. An exported
// ledger states what its citations resolved to, so there they are left alone.
func (in Intake) assess(ctx context.Context, s *ledger.Session, resolve bool) (ledger.Ledger, error) {
	tenant, err := in.Store.Tenant(ctx, in.Actor.Tenant)
	if err != nil {
		return ledger.Ledger{}, err
	}
	if resolve {
		s.ResolveCitations(nil)
		if loose := s.LooseCitations(); len(loose) > 0 {
			found, err := in.Store.CitedChunks(ctx, in.Actor.Tenant, loose)
			if err != nil {
				return ledger.Ledger{}, err
			}
			s.ResolveCitations(found)
		}
	}
	return ledger.Assess(s, tenant.FreshnessMonths), nil
}

func originals(read *importers.Result) []db.Original {
	out := make([]db.Original, len(read.Originals))
	for i, o := range read.Originals {
		out[i] = db.Original{Document: o.Document, MediaType: o.MediaType, Data: o.Data}
	}
	return out
}
