package db_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
)

// ledgerDecision returns a decision about a session; its first source quotes the session's first document.
func ledgerDecision(s *ledger.Session) *pack.Decision {
	d := decisionOf("dec_l", "A2", 3)
	d.LedgerSessionID = s.ID
	// across the end of a chunk
	d.Evidence[0].URI, d.Evidence[0].Excerpt = s.Documents[0].URI, "خمسة عشر يوما في السنة نص آخر"
	d.Evidence[1].InternalRef, d.Evidence[1].Excerpt = s.Documents[1].ID, "Employees get 12 days."
	return d
}

// TestDraftsFollowTheLedger checks that a draft shows the present ledger, that submission copies it, and that later
// reviews don't change the copy.
func TestDraftsFollowTheLedger(t *testing.T) {
	b := newBoard(t)
	s := fullSession()
	b.insert(t, s)
	b.decide(t, ledgerDecision(s))
	v, err := b.CreatePack(b.ctx, b.drafter, "dec_l", db.Answering{})
	require.NoError(t, err)
	require.Len(t, v.Content.Ledger.Entries, 3)
	require.Len(t, v.Texts, 2)
	_, err = b.SubmitPack(b.ctx, b.drafter, v.Life.PackID, v.Life.Revision, db.Answering{})
	var broken *db.BrokenPackError
	require.ErrorAs(t, err, &broken)
	is(t, domain.Invalid, err)
	require.Equal(t, []string{"claim_unjudged"}, brokenRules(broken.Faults))

	dbtest.Ask(t, b.Store, b.tenant.ID, pack.Off, pack.PolicyRules...)
	review := func(reason string) {
		_, err := b.UpdateSession(context.Background(), b.drafter, s.ID, db.ClaimReviewed(s.ID, 3, ledger.Comment),
			func(s *ledger.Session) (*ledger.Ledger, *db.Receipt, error) {
				c := &s.Claims[2]
				c.Reviews = append(c.Reviews,
					ledger.Review{ID: "r" + reason, Actor: b.drafter.User, Role: "reviewer", At: now,
						Action: ledger.Override, Verdict: ledger.Weak, Reason: reason})
				s.Revision++
				return assess(s), nil, nil
			})
		require.NoError(t, err)
	}
	review("first")
	v, err = b.Pack(b.ctx, b.tenant.ID, v.Life.PackID)
	require.NoError(t, err)
	require.Equal(t, 2, v.Content.Ledger.Revision)
	require.Empty(t, brokenRules(v.Content.Validate(v.Texts)))
	v = b.submit(t, v)
	review("second")
	got, err := b.Pack(b.ctx, b.tenant.ID, v.Life.PackID)
	require.NoError(t, err)
	require.Equal(t, v.JSON, got.JSON)
	require.Equal(t, 2, got.Content.Ledger.Revision)
	require.Len(t, got.Content.Ledger.Entries[2].Reviews, 1)
	b.approve(t, b.approver, got)
	require.Equal(t, got.Content, *b.verified(t, v.Life.PackID).Content)
}

func brokenRules(faults []pack.Fault) (out []string) {
	for _, f := range faults {
		if f.Rule.Severity == pack.SeverityError {
			out = append(out, f.Rule.Name)
		}
	}
	return out
}

// TestQuotesAreComparedWithTheStoredText checks that a changed word in a quote of a stored document is found.
func TestQuotesAreComparedWithTheStoredText(t *testing.T) {
	b := newBoard(t)
	s := fullSession()
	s.Claims = s.Claims[:2]
	b.insert(t, identify(s))
	d := ledgerDecision(s)
	d.Evidence[0].Excerpt, d.Evidence[1].Excerpt = "أربعة عشر يوما", "Employees get 13 days."
	b.decide(t, d)
	v, err := b.CreatePack(b.ctx, b.drafter, "dec_l", db.Answering{})
	require.NoError(t, err)
	require.Equal(t, []string{"excerpt_verbatim", "excerpt_verbatim"}, brokenRules(v.Content.Validate(v.Texts)))
}

// TestDraftsMayBeBroken checks that an invalid draft can be stored but not submitted, and that only the memo
// can be changed.
func TestDraftsMayBeBroken(t *testing.T) {
	b := newBoard(t)
	v := b.draft(t, "dec_1", "A2")
	id := v.Life.PackID
	v, err := b.UpdatePack(b.ctx, b.drafter, id, v.Life.Revision, db.Answering{}, retell(strings.Repeat("word ", 121)))
	require.NoError(t, err)
	_, err = b.SubmitPack(b.ctx, b.drafter, id, v.Life.Revision, db.Answering{})
	var broken *db.BrokenPackError
	require.ErrorAs(t, err, &broken)
	require.Equal(t, []string{"summary_words"}, brokenRules(broken.Faults))
	for name, apply := range map[string]func(*pack.Content) error{
		"id":      func(c *pack.Content) error { c.PackID = "pack_ffffffffffffffff"; return nil },
		"dates":   func(c *pack.Content) error { c.RetainUntil = c.CreatedAt; return nil },
		"head":    func(c *pack.Content) error { c.Title = "x"; return nil },
		"prompts": func(c *pack.Content) error { c.Prompts = nil; return nil },
		"require": func(c *pack.Content) error { c.Requirement.Approvers = 0; return nil },
	} {
		_, err := b.UpdatePack(b.ctx, b.drafter, id, v.Life.Revision, db.Answering{}, apply)
		require.Equal(t, domain.Internal, domain.KindOf(err), name)
	}
	refusal := domain.Refuse(domain.TooLarge, "memo.body_en", "refused_text_longer_characters", "N", 1)
	_, err = b.UpdatePack(b.ctx, b.drafter, id, v.Life.Revision, db.Answering{},
		func(*pack.Content) error { return refusal })
	require.Equal(t, refusal, err)
	_, err = b.UpdatePack(b.ctx, b.viewer, id, v.Life.Revision, db.Answering{}, retell("x"))
	is(t, domain.Denied, err)
	_, err = b.UpdatePack(b.ctx, b.drafter, id, v.Life.Revision-1, db.Answering{}, retell("x"))
	is(t, domain.Conflict, err)
	got, err := b.Pack(b.ctx, b.tenant.ID, id)
	require.NoError(t, err)
	require.Equal(t, v, got)
	_, err = b.CreatePack(b.ctx, b.drafter, "dec_1", db.Answering{})
	is(t, domain.Conflict, err)
	require.ErrorContains(t, err, id)
}

// TestPackReceipts checks that a repeated key gets the first answer, and that nothing is done twice.
func TestPackReceipts(t *testing.T) {
	b := newBoard(t)
	b.decide(t, decisionOf("dec_1", "A2", 2))
	var v *db.PackView
	steps := map[string]func(as db.Answering) (*db.PackView, error){
		"1 create": func(as db.Answering) (*db.PackView, error) { return b.CreatePack(b.ctx, b.drafter, "dec_1", as) },
		"2 update": func(as db.Answering) (*db.PackView, error) {
			return b.UpdatePack(b.ctx, b.drafter, v.Life.PackID, v.Life.Revision, as, retell("x"))
		},
		"3 submit": func(as db.Answering) (*db.PackView, error) {
			return b.SubmitPack(b.ctx, b.drafter, v.Life.PackID, v.Life.Revision, as)
		},
		"4 return": func(as db.Answering) (*db.PackView, error) {
			return b.ReturnPack(b.ctx, b.approver, v.Life.PackID, v.Life.Revision, "r", as)
		},
		"5 version": func(as db.Answering) (*db.PackView,
			error) {
			return b.NewVersion(b.ctx, b.drafter, v.Life.PackID, as)
		},
		"6 submit": func(as db.Answering) (*db.PackView, error) {
			return b.SubmitPack(b.ctx, b.drafter, v.Life.PackID, v.Life.Revision, as)
		},
		"7 approve": func(as db.Answering) (*db.PackView, error) {
			return b.ApprovePack(b.ctx, b.approver, approval(v), as, render)
		},
	}
	for _, name := range []string{"1 create", "2 update", "3 submit", "4 return", "5 version", "6 submit",
		"7 approve"} {
		as := db.Answering{Key: name, Receipt: func(v *db.PackView) (*db.Receipt, error) {
			return &db.Receipt{Key: name, Digest: "d", Status: 200,
				Body: []byte(v.Life.PackID + string(v.Life.State))}, nil
		}}
		next, err := steps[name](as)
		require.NoError(t, err, name)
		before := b.actions(t, b.tenant.ID)
		_, err = steps[name](as)
		var replay *db.ReplayError
		require.ErrorAs(t, err, &replay, name)
		require.Equal(t, next.Life.PackID+string(next.Life.State), string(replay.Receipt.Body))
		require.Equal(t, before, b.actions(t, b.tenant.ID))
		v = next
	}
	require.Equal(t, pack.SignedOff, v.Life.State)
}

// TestPackLists tests filters and paging.
func TestPackLists(t *testing.T) {
	b := newBoard(t)
	signed, review, draft := b.signed(t, "dec_1"), b.submit(t, b.draft(t, "dec_2", "A2")), b.draft(t, "dec_3", "A2")
	ids := func(views ...*db.PackView) (out []string) {
		for _, v := range views {
			out = append(out, v.Life.PackID)
		}
		return out
	}
	for name, c := range map[string]struct {
		q    pack.Query
		want []string
	}{
		"all": {pack.Query{}, ids(signed, review, draft)}, "state": {pack.Query{State: pack.InReview}, ids(review)},
		"decision": {pack.Query{DecisionID: "dec_3"}, ids(draft)}, "session": {pack.Query{SessionID: "s"}, nil},
		"title":  {pack.Query{Text: "hospitals"}, ids(signed, review, draft)},
		"id":     {pack.Query{Text: signed.Life.PackID}, ids(signed)},
		"entity": {pack.Query{Text: "lead_dec_2"}, ids(review)}, "nothing": {pack.Query{Text: "clinic"}, nil},
	} {
		for _, limit := range []int{1, 2, 10} {
			var got []string
			q := c.q
			for q.Limit = limit; ; {
				rows, next, err := b.Packs(b.ctx, b.tenant.ID, q)
				require.NoError(t, err)
				for _, r := range rows {
					got = append(got, r.PackID)
				}
				if q.After = next; next == "" {
					break
				}
			}
			require.ElementsMatch(t, c.want, got, "%s by %d", name, limit)
		}
	}
	counts, err := b.PackCounts(b.ctx, b.tenant.ID)
	require.NoError(t, err)
	require.Equal(t, map[pack.State]int{pack.SignedOff: 1, pack.InReview: 1, pack.Draft: 1}, counts)
}
