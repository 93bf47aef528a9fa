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

	Job   *db.ClaimedJob                           // what this is done for; nil where the caller waits
	Watch func(step string, done, total int) error // is told how far it has come, and may end it; nil where a request waits
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
		more, err := in.judge(s)
		if err != nil {
			return Taken{}, err
		}
		warnings = append(warnings, more...)
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
	if in.Job != nil {
		return in.finish(ctx, read, &l, warnings)
	}
	taken.SessionID, taken.Created, err = in.Store.InsertSession(ctx, in.Actor, &l, originals(read), r)
	taken.Warnings = told(read, warnings, taken.Created)
	return taken, err
}

// finish stores what a job was about, and ends the job with it.
func (in Intake) finish(ctx context.Context, read *importers.Result, l *ledger.Ledger, warnings []importers.Warning) (taken Taken, err error) {
	n := len(l.Session.Claims)
	if err := in.Watch(db.JobStoring, n, n); err != nil {
		return Taken{}, err
	}
	taken.SessionID, taken.Created, err = in.Store.FinishJob(ctx, in.Job, l, originals(read), func(created bool) []db.JobWarning {
		taken.Warnings = told(read, warnings, created)
		return each(taken.Warnings[:min(len(taken.Warnings), maxJobWarnings)], func(w importers.Warning) db.JobWarning { return db.JobWarning(w) })
	})
	return taken, err
}

// maxJobWarnings is how many warnings are kept with a job; the first ones tell what is wrong with a file.
const maxJobWarnings = 200

// told are the warnings for who sent the file; of one that was there already the reviews in it were not taken over.
func told(read *importers.Result, warnings []importers.Warning, created bool) []importers.Warning {
	if created || read.Reviews == 0 {
		return warnings
	}
	return append(slices.Clone(read.Warnings), importers.Warning{Path: "sanad.claims", Msg: fmt.Sprintf(
		"This content was there already, so the %d review(s) in the file were not taken over.", read.Reviews)})
}

// judge judges a session; while a request waits, not more claims than judge.MaxClaims.
func (in Intake) judge(s *ledger.Session) (warnings []importers.Warning, err error) {
	watch := func(int, int) error { return nil }
	if in.Watch != nil {
		watch = func(begun, all int) error { return in.Watch(db.JobJudging, begun, all) }
	} else if err := judge.CheckSize(s); err != nil {
		return nil, err
	}
	start := time.Now() // a duration for operators, not part of any result
	more, err := judge.RunWatched(s, judge.NewLexical(), in.Now, watch)
	for _, w := range more {
		warnings = append(warnings, importers.Warning(w))
	}
	s.Run.Duration = time.Since(start)
	return warnings, err
}

// assess resolves the citations, in the session and then in the rest of the tenant, and assesses the whole. An exported
// ledger states what its citations resolved to, so there they are left alone.
func (in Intake) assess(ctx context.Context, s *ledger.Session, resolve bool) (ledger.Ledger, error) {
	tenant, err := in.Store.Tenant(ctx, in.Actor.Tenant)
	if err != nil {
		return ledger.Ledger{}, err
	}
	if resolve {
		if err := resolveCitations(ctx, in.Store, in.Actor.Tenant, s); err != nil {
			return ledger.Ledger{}, err
		}
	}
	s.Second = tenant.Second
	return ledger.Assess(s, tenant.FreshnessMonths), nil
}

// resolveCitations resolves what the answer cites: in the session, and then in the rest of the tenant.
func resolveCitations(ctx context.Context, store *db.Store, tenant string, s *ledger.Session) error {
	s.ResolveCitations(nil)
	loose := s.LooseCitations()
	if len(loose) == 0 {
		return nil
	}
	found, err := store.CitedChunks(ctx, tenant, loose)
	if err != nil {
		return err
	}
	s.ResolveCitations(found)
	return nil
}

func originals(read *importers.Result) []db.Original {
	out := make([]db.Original, len(read.Originals))
	for i, o := range read.Originals {
		out[i] = db.Original{Document: o.Document, MediaType: o.MediaType, Data: o.Data}
	}
	return out
}
