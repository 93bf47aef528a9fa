package app

import (
	"context"
	"slices"
	"time"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/filetype"
	"sanad/internal/domain/job"
	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
	"sanad/internal/importers"
	"sanad/internal/words"
)

// Importer stores sessions that were read from a file, a form or a request.
type Importer struct {
	Store    *db.Store
	Actor    access.Actor
	Now      time.Time
	NewID    func() string
	Embedded *Embedded // judge; nil compares words only
	File     string    // name of the file that is read, "" if it has none

	Job *db.ClaimedJob // the job that the import belongs to; nil while a caller waits for it
	// Watch is called with the progress, and ends the import by returning an error. With nil, a session of more than
	// judge.MaxClaims claims is refused, since a caller waits.
	Watch func(step string, done, total int) error
	Told  Told // nil if nobody is told of verdicts as they come
}

// Imported is the outcome of an import.
type Imported struct {
	SessionID string
	Created   bool // false if the same content was stored before
	Warnings  []domain.Warning
}

// Import judges what was read, resolves its citations, assesses it and stores it, once for the same content. If receipt
// is given, it makes the answer to an Idempotency-Key, which is stored in the same transaction.
func (in Importer) Import(
	ctx context.Context, read *importers.Result, receipt func(Imported) (*db.Receipt, error),
) (Imported, error) {
	s := &read.Session
	warnings := read.Warnings
	if read.Format == importers.LedgerFormat {
		from, err := in.brought(ctx, read)
		if err != nil {
			return Imported{}, err
		}
		warnings = append(warnings, from)
	}
	// an exported ledger can have documents that are out of use, and items of a bundle besides its own documents
	restore := unread(s, s.Run.BundleID)
	own, err := in.Embedded.For(ctx, in.Store, in.Actor.Tenant)
	if err != nil {
		return Imported{}, err
	}
	more, err := in.judge(ctx, s, own)
	if err != nil {
		return Imported{}, err
	}
	warnings = append(warnings, more...)
	if s.BundleID != "" {
		warnings = append(warnings, domain.Warn("session.bundle_id", words.Msg("warning_bundle")))
	}
	s.Identify(in.NewID)
	s.Revision, s.CreatedAt, s.UpdatedAt = 1, in.Now, in.Now
	l, err := in.assess(ctx, s, own, restore)
	if err != nil {
		return Imported{}, err
	}
	if in.Watch != nil {
		if err := in.Watch(job.Storing, len(s.Claims), len(s.Claims)); err != nil {
			return Imported{}, err
		}
	}
	if in.Job != nil {
		return in.finish(ctx, read, &l, warnings)
	}
	done := Imported{SessionID: s.ID, Created: true, Warnings: warnings}
	var r *db.Receipt
	if receipt != nil {
		if r, err = receipt(done); err != nil {
			return Imported{}, err
		}
	}
	done.SessionID, done.Created, err = in.Store.InsertSession(ctx, in.Actor, &l, originals(read), r)
	done.Warnings = outcomeWarnings(read, warnings, done.Created)
	return done, err
}

// brought notes on the session of an exported ledger who brought which file, and which store signed it if the tenant
// trusts its key. The warning says what became of the file's judgement and reviews.
func (in Importer) brought(ctx context.Context, read *importers.Result) (domain.Warning, error) {
	s := &read.Session
	s.Brought(filetype.ShortName(in.File), in.Actor.ID, in.Actor.User, in.Now)
	trusted, err := in.Store.TrustedKeys(ctx, in.Actor.Tenant)
	if err != nil {
		return domain.Warning{}, err
	}
	for _, k := range trusted {
		if read.SignedBy(k.Public) {
			s.SignedBy(k.Name, k.ID)
			return domain.Warn("sanad.signature", words.Msg("warning_ledger_signed", "Store",
				words.Quoted(k.Name), "N", read.Reviews)), nil
		}
	}
	return domain.Warn("sanad.claims", words.Msg("warning_ledger_brought", "N", read.Reviews)), nil
}

// finish stores the session of a job, and ends the job in the same transaction.
func (in Importer) finish(
	ctx context.Context, read *importers.Result, l *ledger.Ledger, warnings []domain.Warning,
) (done Imported, err error) {
	kept := func(created bool) []domain.Warning {
		done.Warnings = outcomeWarnings(read, warnings, created)
		first := done.Warnings[:min(len(done.Warnings), maxJobWarnings)]
		return append([]domain.Warning{}, first...)
	}
	done.SessionID, done.Created, err = in.Store.FinishJob(ctx, in.Job, l, originals(read), kept)
	return done, err
}

// maxJobWarnings is how many warnings are stored with a job. The first ones show what is wrong with a file.
const maxJobWarnings = 200

// outcomeWarnings returns the warnings for the sender of a file. If its content was stored before, its reviews were not
// taken over, and the warnings say so.
func outcomeWarnings(read *importers.Result, warnings []domain.Warning, created bool) []domain.Warning {
	if created || read.Reviews == 0 {
		return warnings
	}
	return append(slices.Clone(read.Warnings), domain.Warn("sanad.claims", words.Msg("warning_ledger_known",
		"N", read.Reviews)))
}

// judge judges a session; without Watch, at most judge.MaxClaims claims.
func (in Importer) judge(
	ctx context.Context, s *ledger.Session, own judge.Embedded,
) (warnings []domain.Warning, err error) {
	watch := func(int, int) error { return ctx.Err() }
	if in.Watch != nil {
		watch = func(begun, all int) error { return in.Watch(job.Judging, begun, all) }
	} else if err := judge.CheckSize(s); err != nil {
		return nil, err
	}
	start := time.Now() // a duration for operators, not part of any result
	warnings, err = judge.RunWatched(s, run(ctx, own, in.Actor, in.Told), in.Now, watch)
	s.Run.Duration = time.Since(start)
	return append(warnings, in.Embedded.warnings(own)...), err
}

// assess resolves the citations, checks them and, with the documents in their own states again, assesses the session.
func (in Importer) assess(
	ctx context.Context, s *ledger.Session, own judge.Embedded, restore func(),
) (ledger.Ledger, error) {
	tenant, err := in.Store.Tenant(ctx, in.Actor.Tenant)
	if err != nil {
		return ledger.Ledger{}, err
	}
	if err := resolveCitations(ctx, in.Store, in.Actor.Tenant, s); err != nil {
		return ledger.Ledger{}, err
	}
	judge.CheckAnswer(s, run(ctx, own, in.Actor, nil))
	if err := ctx.Err(); err != nil { // then some of the cited passages were not read
		return ledger.Ledger{}, err
	}
	restore()
	s.Second = tenant.Second
	return ledger.AssessHead(s, tenant.FreshnessMonths), nil
}

// resolveCitations resolves what the answer cites: first in the session, then in the rest of the tenant.
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

// CheckStored returns what does judge.CheckAgain for the tenant's stored sessions, whose matches stay as they are.
func (e *Embedded) CheckStored(ctx context.Context, store *db.Store, tenant string) (func(*ledger.Session), error) {
	own, err := e.For(ctx, store, tenant)
	return func(s *ledger.Session) { judge.CheckAgain(s, own) }, err
}

func originals(read *importers.Result) []db.Original { return originalsOf(read.Originals) }

func originalsOf(list []importers.Original) []db.Original {
	out := make([]db.Original, len(list))
	for i, o := range list {
		out[i] = db.Original{Document: o.Document, MediaType: o.MediaType, Data: o.Data}
	}
	return out
}
