package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"time"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/job"
	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
	"sanad/internal/importers"
)

// Revised is the outcome of revising an answer.
type Revised struct {
	Session  *ledger.Session
	Kept     int // claims that are in both versions
	New      int
	Created  bool // false if the same revision was stored before
	Warnings []domain.Warning
}

// Reviser stores revised answers.
type Reviser struct {
	Importer
	Limits importers.Options
}

// Revise makes the next version of a session's answer: a new session, in which unchanged claims keep matches and
// reviews and the others are judged (rule L-31). check is given the session that is revised. The error is a Conflict if
// that session was revised already or changes meanwhile. Reviews that are hidden from the person are no such change:
// the answer is revised again with them, so that nobody learns of them and none is lost.
func (r Reviser) Revise(
	ctx context.Context, id string, in *importers.RevisedAnswer, check func(*ledger.Session) error,
	receipt func(Revised) (*db.Receipt, error),
) (Revised, error) {
	old, err := r.Store.SessionToRevise(ctx, r.Actor, id)
	if err != nil {
		return Revised{}, err
	}
	for range maxRevisions {
		out, err := r.revise(ctx, old, in, check, receipt)
		if err == nil || domain.KindOf(err) != domain.Conflict {
			return out, err
		}
		now, reading := r.Store.SessionToRevise(ctx, r.Actor, id)
		if reading != nil {
			return Revised{}, reading
		}
		if now.Revision == old.Revision || now.RevisionFor(r.Actor.ID) != old.RevisionFor(r.Actor.ID) {
			return Revised{}, err
		}
		old = now
	}
	return Revised{}, domain.Refuse(domain.Conflict, "", "refused_ledger_changed_meanwhile")
}

// maxRevisions is how often an answer is revised again because of reviews that are hidden from whoever revises it.
const maxRevisions = 5

// revise is Revise for the session as it was loaded.
func (r Reviser) revise(
	ctx context.Context, old *ledger.Session, in *importers.RevisedAnswer, check func(*ledger.Session) error,
	receipt func(Revised) (*db.Receipt, error),
) (Revised, error) {
	if err := errors.Join(check(old), old.MayRevise()); err != nil {
		return Revised{}, err
	}
	claims, warnings, err := in.Read(r.Limits)
	if err != nil {
		return Revised{}, err
	}
	rev := old.Revise(in.Answer, claims, r.Now)
	s := rev.Session
	if old.Answer == s.Answer && len(rev.New) == 0 && rev.Kept == len(old.Claims) {
		return Revised{}, domain.Refuse(domain.Invalid, "answer", "refused_answer_change_leave")
	}
	s.Identify(r.NewID)
	s.Digest = versionDigest(old, s)
	if err := r.judgeNew(ctx, rev); err != nil {
		return Revised{}, err
	}
	tenant, err := r.Store.Tenant(ctx, r.Actor.Tenant)
	if err != nil {
		return Revised{}, err
	}
	l := ledger.Assess(s, tenant.FreshnessMonths)
	files, err := r.originals(ctx, old)
	if err != nil {
		return Revised{}, err
	}
	out := Revised{Session: s, Kept: rev.Kept, New: len(rev.New), Created: true, Warnings: warnings}
	if r.Job != nil {
		_, _, err := r.Store.FinishJob(ctx, r.Job, &l, files, func(bool) []domain.Warning { return warnings })
		return out, err
	}
	var answer *db.Receipt
	if receipt != nil {
		if answer, err = receipt(out); err != nil {
			return Revised{}, err
		}
	}
	stored, created, err := r.Store.InsertSession(ctx, r.Actor, &l, files, answer)
	if err != nil {
		return Revised{}, err
	}
	s.ID, out.Created = stored, created
	return out, nil
}

// versionDigest makes a content digest that no other session has: the same words as a new version of another answer are
// another session.
func versionDigest(old, s *ledger.Session) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "sanad.answer-version/v1\n%s\n%d\n%s", old.ID, s.AnswerVersion,
		importers.Digest(s)))
	return hex.EncodeToString(sum[:])
}

// judgeNew judges the new claims of a revised answer, with citations and quotations checked for all.
func (r Reviser) judgeNew(ctx context.Context, rev *ledger.Revision) error {
	s := rev.Session
	watch := func(int, int) error { return ctx.Err() }
	if r.Watch != nil {
		watch = func(begun, all int) error { return r.Watch(job.Judging, begun, all) }
	}
	own, err := r.Embedded.For(ctx, r.Store, r.Actor.Tenant)
	if err != nil {
		return err
	}
	start := time.Now() // a duration for operators, not part of any result
	restore := unread(s, "")
	err = judge.RunSome(s, rev.New, run(ctx, own, r.Actor, r.Told), r.Now, watch)
	if err == nil {
		err = resolveCitations(ctx, r.Store, r.Actor.Tenant, s)
	}
	rev.Judged()
	if err == nil {
		judge.CheckAnswer(s, run(ctx, own, r.Actor, nil))
		rev.Checked()
		err = ctx.Err()
	}
	restore()
	s.Run.Duration = time.Since(start)
	return err
}

// originals reads the files that the documents of the old version were made from.
func (r Reviser) originals(ctx context.Context, old *ledger.Session) ([]db.Original, error) {
	var out []db.Original
	for i := range old.Documents {
		d := &old.Documents[i]
		if d.Blob == "" || d.Status != ledger.Ready {
			continue
		}
		from, meta, err := r.Store.Original(ctx, r.Actor.Tenant, d.ID)
		if err != nil {
			return nil, err
		}
		data, err := io.ReadAll(from)
		from.Close() //nolint:errcheck // only read
		if err != nil {
			return nil, err
		}
		out = append(out, db.Original{Document: d.Position, MediaType: meta.MediaType, Data: data})
	}
	return out, nil
}
