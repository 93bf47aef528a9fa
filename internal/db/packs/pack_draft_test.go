package packs_test

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
	d := dbtest.DecisionOf("dec_l", "A2", 3)
	d.LedgerSessionID = s.ID
	// across the end of a chunk
	d.Evidence[0].URI, d.Evidence[0].Excerpt = s.Documents[0].URI, "خمسة عشر يوما في السنة نص آخر"
	d.Evidence[1].InternalRef, d.Evidence[1].Excerpt = s.Documents[1].ID, "Employees get 12 days."
	return d
}

// TestDraftsFollowTheLedger checks that a draft shows the present ledger, that submission copies it, and that later
// reviews don't change the copy.
func TestDraftsFollowTheLedger(t *testing.T) {
	b := dbtest.NewBoard(t)
	s := dbtest.FullSession()
	b.AddSession(t, s)
	b.Decide(t, ledgerDecision(s))
	v, err := b.CreatePack(b.Ctx, b.Drafter, "dec_l", db.Answering{})
	require.NoError(t, err)
	require.Len(t, v.Content.Ledger.Entries, 3)
	require.Len(t, v.Texts, 2)
	_, err = b.SubmitPack(b.Ctx, b.Drafter, v.Life.PackID, v.Life.Revision, db.Answering{})
	var broken *db.BrokenPackError
	require.ErrorAs(t, err, &broken)
	dbtest.RequireKind(t, domain.Invalid, err)
	require.Equal(t, []string{"claim_unjudged"}, brokenRules(broken.Faults))

	dbtest.Ask(t, b.Store, b.Tenant.ID, pack.Off, pack.PolicyRules...)
	review := func(reason string) {
		_, err := b.UpdateSession(context.Background(), b.Drafter, s.ID, db.ClaimReviewed(s.ID, 3, ledger.Comment),
			func(s *ledger.Session) (*ledger.Ledger, *db.Receipt, error) {
				c := &s.Claims[2]
				c.Reviews = append(c.Reviews,
					ledger.Review{ID: "r" + reason, Actor: b.Drafter.User, Role: "reviewer", At: dbtest.Now,
						Action: ledger.Override, Verdict: ledger.Weak, Reason: reason})
				s.Revision++
				return dbtest.Assess(s), nil, nil
			})
		require.NoError(t, err)
	}
	review("first")
	v, err = b.Pack(b.Ctx, b.Tenant.ID, v.Life.PackID)
	require.NoError(t, err)
	require.Equal(t, 2, v.Content.Ledger.Revision)
	require.Empty(t, brokenRules(v.Content.Validate(v.Texts)))
	v = b.Submit(t, v)
	review("second")
	got, err := b.Pack(b.Ctx, b.Tenant.ID, v.Life.PackID)
	require.NoError(t, err)
	require.Equal(t, v.JSON, got.JSON)
	require.Equal(t, 2, got.Content.Ledger.Revision)
	require.Len(t, got.Content.Ledger.Entries[2].Reviews, 1)
	b.Approve(t, b.Approver, got)
	require.Equal(t, got.Content, *b.VerifiedPack(t, v.Life.PackID).Content)
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
	b := dbtest.NewBoard(t)
	s := dbtest.FullSession()
	s.Claims = s.Claims[:2]
	b.AddSession(t, dbtest.Identify(s))
	d := ledgerDecision(s)
	d.Evidence[0].Excerpt, d.Evidence[1].Excerpt = "أربعة عشر يوما", "Employees get 13 days."
	b.Decide(t, d)
	v, err := b.CreatePack(b.Ctx, b.Drafter, "dec_l", db.Answering{})
	require.NoError(t, err)
	require.Equal(t, []string{"excerpt_verbatim", "excerpt_verbatim"}, brokenRules(v.Content.Validate(v.Texts)))
}

// TestDraftsMayBeBroken checks that an invalid draft can be stored but not submitted, and that only the memo
// can be changed.
func TestDraftsMayBeBroken(t *testing.T) {
	b := dbtest.NewBoard(t)
	v := b.Draft(t, "dec_1", "A2")
	id := v.Life.PackID
	v, err := b.UpdatePack(b.Ctx, b.Drafter, id, v.Life.Revision, db.Answering{},
		dbtest.Retell(strings.Repeat("word ", 121)))
	require.NoError(t, err)
	_, err = b.SubmitPack(b.Ctx, b.Drafter, id, v.Life.Revision, db.Answering{})
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
		_, err := b.UpdatePack(b.Ctx, b.Drafter, id, v.Life.Revision, db.Answering{}, apply)
		require.Equal(t, domain.Internal, domain.KindOf(err), name)
	}
	refusal := domain.Refuse(domain.TooLarge, "memo.body_en", "refused_text_longer_characters", "N", 1)
	_, err = b.UpdatePack(b.Ctx, b.Drafter, id, v.Life.Revision, db.Answering{},
		func(*pack.Content) error { return refusal })
	require.Equal(t, refusal, err)
	_, err = b.UpdatePack(b.Ctx, b.Viewer, id, v.Life.Revision, db.Answering{}, dbtest.Retell("x"))
	dbtest.RequireKind(t, domain.Denied, err)
	_, err = b.UpdatePack(b.Ctx, b.Drafter, id, v.Life.Revision-1, db.Answering{}, dbtest.Retell("x"))
	dbtest.RequireKind(t, domain.Conflict, err)
	got, err := b.Pack(b.Ctx, b.Tenant.ID, id)
	require.NoError(t, err)
	require.Equal(t, v, got)
	_, err = b.CreatePack(b.Ctx, b.Drafter, "dec_1", db.Answering{})
	dbtest.RequireKind(t, domain.Conflict, err)
	require.ErrorContains(t, err, id)
}

// TestPackReceipts checks that a repeated key gets the first answer, and that nothing is done twice.
func TestPackReceipts(t *testing.T) {
	b := dbtest.NewBoard(t)
	b.Decide(t, dbtest.DecisionOf("dec_1", "A2", 2))
	var v *db.PackView
	steps := map[string]func(as db.Answering) (*db.PackView, error){
		"1 create": func(as db.Answering) (*db.PackView, error) { return b.CreatePack(b.Ctx, b.Drafter, "dec_1", as) },
		"2 update": func(as db.Answering) (*db.PackView, error) {
			return b.UpdatePack(b.Ctx, b.Drafter, v.Life.PackID, v.Life.Revision, as, dbtest.Retell("x"))
		},
		"3 submit": func(as db.Answering) (*db.PackView, error) {
			return b.SubmitPack(b.Ctx, b.Drafter, v.Life.PackID, v.Life.Revision, as)
		},
		"4 return": func(as db.Answering) (*db.PackView, error) {
			return b.ReturnPack(b.Ctx, b.Approver, v.Life.PackID, v.Life.Revision, "r", as)
		},
		"5 version": func(as db.Answering) (*db.PackView,
			error) {
			return b.NewVersion(b.Ctx, b.Drafter, v.Life.PackID, as)
		},
		"5 mend": func(as db.Answering) (*db.PackView, error) { // what was returned is not submitted unchanged
			return b.UpdatePack(b.Ctx, b.Drafter, v.Life.PackID, v.Life.Revision, as, dbtest.Retell("Mended"))
		},
		"6 submit": func(as db.Answering) (*db.PackView, error) {
			return b.SubmitPack(b.Ctx, b.Drafter, v.Life.PackID, v.Life.Revision, as)
		},
		"7 approve": func(as db.Answering) (*db.PackView, error) {
			return b.ApprovePack(b.Ctx, b.Approver, dbtest.Approval(v), as, dbtest.Render)
		},
	}
	for _, name := range []string{"1 create", "2 update", "3 submit", "4 return", "5 version", "5 mend", "6 submit",
		"7 approve"} {
		as := db.Answering{Key: name, Receipt: func(v *db.PackView) (*db.Receipt, error) {
			return &db.Receipt{Key: name, Digest: "d", Status: 200,
				Body: []byte(v.Life.PackID + string(v.Life.State))}, nil
		}}
		next, err := steps[name](as)
		require.NoError(t, err, name)
		before := b.Actions(t, b.Tenant.ID)
		_, err = steps[name](as)
		var replay *db.ReplayError
		require.ErrorAs(t, err, &replay, name)
		require.Equal(t, next.Life.PackID+string(next.Life.State), string(replay.Receipt.Body))
		require.Equal(t, before, b.Actions(t, b.Tenant.ID))
		v = next
	}
	require.Equal(t, pack.SignedOff, v.Life.State)
}

// TestPackLists tests filters and paging.
func TestPackLists(t *testing.T) {
	b := dbtest.NewBoard(t)
	signed, review, draft := b.Signed(t, "dec_1"), b.Submit(t, b.Draft(t, "dec_2", "A2")), b.Draft(t, "dec_3", "A2")
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
				rows, next, err := b.Packs(b.Ctx, b.Tenant.ID, q)
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
	counts, err := b.PackCounts(b.Ctx, b.Tenant.ID)
	require.NoError(t, err)
	require.Equal(t, map[pack.State]int{pack.SignedOff: 1, pack.InReview: 1, pack.Draft: 1}, counts)
}
