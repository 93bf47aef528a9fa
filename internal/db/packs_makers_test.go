package db_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/erasure"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
)

// TestNoWayRound: an administrator who sets up a person, or a person's credentials, cannot approve alone through them:
// neither what that person drafted, nor in that person's name what they drafted themselves.
func TestNoWayRound(t *testing.T) {
	refused := func(b *board, who access.Actor, v *db.PackView) {
		t.Helper()
		_, err := b.ApprovePack(b.ctx, who, approval(v), db.Answering{}, render)
		is(t, domain.Denied, err)
	}
	ofClass := func(b *board, who access.Actor, id, class string) *db.PackView {
		b.decide(t, decisionOf(id, class, 4))
		v, err := b.CreatePack(b.ctx, who, id, db.Answering{})
		require.NoError(t, err)
		v, err = b.SubmitPack(b.ctx, who, v.Life.PackID, v.Life.Revision, db.Answering{})
		require.NoError(t, err)
		return v
	}
	draftedBy := func(b *board, who access.Actor, id string) *db.PackView { return ofClass(b, who, id, "A2") }
	resets := map[string]func(b *board, p access.Actor) error{
		"password": func(b *board, p access.Actor) error {
			return b.SetPassword(b.ctx, b.admin, p.ID, db.NewPassword{PHC: "$argon2id$new"})
		},
		"one-time code": func(b *board, p access.Actor) error { return b.SetTOTP(b.ctx, b.admin, p.ID, nil, nil) },
		"role": func(b *board, p access.Actor) error {
			if err := b.SetRole(b.ctx, b.admin, p.ID, access.Viewer); err != nil {
				return err
			}
			return b.SetRole(b.ctx, b.admin, p.ID, p.Role)
		},
	}
	for name, reset := range resets {
		t.Run(name, func(t *testing.T) {
			b := newBoard(t)
			v := draftedBy(b, b.drafter, "d1")
			require.NoError(t, reset(b, b.drafter))
			refused(b, b.admin, v)
			b.approve(t, b.approver, v)

			v = draftedBy(b, b.admin, "d2")
			require.NoError(t, reset(b, b.approver))
			refused(b, b.approver, v)
			b.approve(t, b.second, v)

			refused(b, b.approver, draftedBy(b, b.drafter, "d0")) // one person set up both
			v = ofClass(b, b.editor, "d3", "A3")                  // needs two people
			v = b.approve(t, b.approver, v)
			refused(b, b.admin, v)
			b.approve(t, b.second, v)

			v = draftedBy(b, b.admin, "d4")
			refused(b, b.approver, v)
			is(t, domain.Denied, b.Vouch(b.ctx, b.admin, b.approver.ID, "trust me"))
			is(t, domain.Invalid, b.Vouch(b.ctx, access.AtCommandLine(b.tenant.ID), b.approver.ID, ""))
			require.NoError(t, b.Vouch(b.ctx, access.AtCommandLine(b.tenant.ID), b.approver.ID, "met in person"))
			require.Contains(t, b.actions(t, b.tenant.ID), "user.vouched")
			b.approve(t, b.approver, v)

			require.NoError(t, reset(b, b.second))
			v = draftedBy(b, b.admin, "d5")
			refused(b, b.second, v)
			b.pass(access.MakerFor + time.Minute)
			b.approve(t, b.second, v)
		})
	}
	t.Run("a new account", func(t *testing.T) {
		b := newBoard(t)
		fresh, err := b.AddUser(b.ctx, b.admin, db.User{Login: "fresh", Name: "Fresh", Password: "$argon2id$x"},
			access.Approver)
		require.NoError(t, err)
		v := draftedBy(b, b.admin, "d1")
		refused(b, as(b.tenant, fresh, access.Approver), v)
		puppet, err := b.AddUser(b.ctx, b.admin, db.User{Login: "puppet", Name: "P", Password: "$argon2id$x"},
			access.Reviewer)
		require.NoError(t, err)
		v = draftedBy(b, as(b.tenant, puppet, access.Reviewer), "d2")
		refused(b, as(b.tenant, fresh, access.Approver), v)
		b.approve(t, b.approver, v)
	})
	t.Run("the maker's maker", func(t *testing.T) {
		b := newBoard(t)
		require.NoError(t, b.SetPassword(b.ctx, b.admin, b.editor.ID, db.NewPassword{PHC: "$argon2id$new"}))
		require.NoError(t, b.SetPassword(b.ctx, b.editor, b.drafter.ID, db.NewPassword{PHC: "$argon2id$new"}))
		v := draftedBy(b, b.drafter, "d1")
		refused(b, b.admin, v)
		b.approve(t, b.approver, v)
		require.NoError(t, b.Vouch(b.ctx, access.AtCommandLine(b.tenant.ID), b.editor.ID, "met in person"))
		b.approve(t, b.admin, draftedBy(b, b.drafter, "d2"))
	})
	t.Run("over a machine", func(t *testing.T) {
		b := newBoard(t)
		k, err := b.AddToken(b.ctx, b.admin, access.Token{Name: "robot", Role: access.Admin, Hash: "h",
			ExpiresAt: b.now.Add(time.Hour)})
		require.NoError(t, err)
		machine := access.Actor{Tenant: b.tenant.ID, ID: k.ID, User: "robot", Role: access.Admin, Token: k.ID}
		require.NoError(t, b.SetPassword(b.ctx, machine, b.drafter.ID, db.NewPassword{PHC: "$argon2id$new"}))
		refused(b, b.admin, draftedBy(b, b.drafter, "d1"))
	})
	t.Run("a token", func(t *testing.T) {
		b := newBoard(t)
		k, err := b.AddToken(b.ctx, access.AtCommandLine(b.tenant.ID),
			access.Token{Name: "laptop", UserID: b.drafter.ID,
				Role: access.Reviewer, Hash: "h", ExpiresAt: b.now.Add(time.Hour)})
		require.NoError(t, err)
		issue := func(by string) {
			_, err := dbtest.Raw(t, b.dir).Exec("UPDATE api_tokens SET created_by = ? WHERE id = ?", by, k.ID)
			require.NoError(t, err)
		}
		v := draftedBy(b, b.drafter, "d1")
		issue(b.admin.ID) // the app lets nobody make another's token; it would count
		refused(b, b.admin, v)
		issue(access.Operator)
		b.approve(t, b.admin, v)
	})
	t.Run("the operator is exempt", func(t *testing.T) {
		b := newBoard(t)
		require.NoError(t, b.SetPassword(b.ctx, access.AtCommandLine(b.tenant.ID), b.approver.ID,
			db.NewPassword{PHC: "$argon2id$new"}))
		b.approve(t, b.approver, draftedBy(b, b.admin, "d1"))
	})
}

// TestQueueLeavesOutWhatNobodyMayApprove: the queue and its count hold only packs that the reader may approve: not
// those of which they reviewed a claim, nor those that rule P-22 keeps from them.
func TestQueueLeavesOutWhatNobodyMayApprove(t *testing.T) {
	queued := func(b *board, who access.Actor) []string {
		q, err := b.PackQueue(b.ctx, who, 9)
		require.NoError(t, err)
		require.Equal(t, len(q.Packs), q.NPacks)
		ids := []string{}
		for _, p := range q.Packs {
			view, err := b.Pack(b.ctx, b.tenant.ID, p.PackID)
			require.NoError(t, err)
			require.NoError(t, view.Content.MayApprove(view.Chain, who, b.now))
			ids = append(ids, p.DecisionID)
		}
		return ids
	}
	t.Run("a reviewer of the ledger", func(t *testing.T) {
		b := newBoard(t)
		s := identify(sizedSession(2))
		s.Claims[0].Reviews = []ledger.Review{{ID: "r1", Actor: "Approver", Role: "approver", At: now.Add(-time.Hour),
			Action: ledger.Override, Verdict: ledger.Supported, Reason: "It is there.", By: b.approver.ID},
			{ID: "r2", Actor: "Second", Role: "approver", At: now.Add(-time.Hour), Action: ledger.Comment,
				Reason: "Looks well.", By: b.second.ID}}
		b.insert(t, s)
		dbtest.Ask(t, b.Store, b.tenant.ID, pack.Off, pack.CriticalReviewed, pack.AllReviewed, pack.AdverseAnswered,
			pack.QuotesAnswered, pack.OverrideConfirmed, pack.JudgementRecent)
		d := decisionOf("d1", "A2", 4)
		d.LedgerSessionID = s.ID
		b.decide(t, d)
		v, err := b.CreatePack(b.ctx, b.drafter, "d1", db.Answering{})
		require.NoError(t, err)
		v = b.submit(t, v)
		require.Empty(t, queued(b, b.approver))
		require.Equal(t, []string{"d1"}, queued(b, b.second), "a comment is no review")
		var refused *pack.PolicyError
		require.ErrorAs(t, v.Content.MayApprove(v.Chain, b.approver, b.now), &refused)

		dbtest.Ask(t, b.Store, b.tenant.ID, pack.Warn, pack.ApproverApart)
		d = decisionOf("d2", "A2", 4)
		d.LedgerSessionID = s.ID
		b.decide(t, d)
		v, err = b.CreatePack(b.ctx, b.drafter, "d2", db.Answering{})
		require.NoError(t, err)
		b.submit(t, v)
		require.Equal(t, []string{"d2"}, queued(b, b.approver), "each pack keeps its policy")
	})
	t.Run("whose credentials a maker set", func(t *testing.T) {
		b := newBoard(t)
		b.submit(t, b.draft(t, "d1", "A2"))
		require.Equal(t, []string{"d1"}, queued(b, b.admin))
		require.NoError(t, b.SetPassword(b.ctx, b.admin, b.drafter.ID, db.NewPassword{PHC: "$argon2id$new"}))
		require.Empty(t, queued(b, b.admin), "what the drafter made counts as made by the administrator too")
		require.Equal(t, []string{"d1"}, queued(b, b.approver))
		require.NoError(t, b.SetPassword(b.ctx, b.admin, b.approver.ID, db.NewPassword{PHC: "$argon2id$new"}))
		require.Empty(t, queued(b, b.approver), "one person set up both")
		require.Equal(t, []string{"d1"}, queued(b, b.second))
		b.pass(access.MakerFor + time.Minute)
		require.Equal(t, []string{"d1"}, queued(b, b.approver))
	})
}

// TestPeopleMakeTheirOwnTokens: nobody in the app makes a token in another's name.
func TestPeopleMakeTheirOwnTokens(t *testing.T) {
	b := newBoard(t)
	ask := func(by access.Actor, person string) error {
		_, err := b.AddToken(b.ctx, by, access.Token{UserID: person, Name: "k", Role: access.Reviewer,
			Hash: "hash " + by.ID + person, ExpiresAt: b.now.Add(time.Hour)})
		return err
	}
	is(t, domain.Invalid, ask(b.admin, b.drafter.ID))
	require.NoError(t, ask(b.admin, b.admin.ID))
	require.NoError(t, ask(b.admin, ""), "a machine's token: who made it stands behind it")
	require.NoError(t, ask(b.drafter, b.drafter.ID))
	require.NoError(t, ask(access.AtCommandLine(b.tenant.ID), b.drafter.ID))
}

// TestNobodyConfirmsForOneself: an erasure and a purge are confirmed by nobody who counts as one person with whoever
// asked, over any number of accounts between.
func TestNobodyConfirmsForOneself(t *testing.T) {
	b := newBoard(t)
	v := b.signed(t, "dec_1")
	s := identify(sizedSession(1))
	b.insert(t, s)
	middle, err := b.AddUser(b.ctx, b.admin, db.User{Login: "middle", Name: "Middle", Password: "phc"}, access.Reviewer)
	require.NoError(t, err)
	far, err := b.AddUser(b.ctx, as(b.tenant, middle, access.Admin),
		db.User{Login: "far", Name: "Far", Password: "phc"},
		access.Approver)
	require.NoError(t, err)
	puppet := as(b.tenant, far, access.Approver)

	e, err := b.AskErasure(b.ctx, b.admin, erasure.Session, s.ID, "Asked for.")
	require.NoError(t, err)
	_, err = b.ConfirmErasure(b.ctx, puppet, e.ID)
	is(t, domain.Denied, err)
	require.ErrorContains(t, err, "count as one person")
	_, err = b.ConfirmErasure(b.ctx, b.second, e.ID)
	require.NoError(t, err)

	b.now = time.Date(2033, 3, 2, 0, 0, 0, 0, time.UTC)
	require.NoError(t, b.SetPassword(b.ctx, b.admin, middle.ID, db.NewPassword{PHC: "phc"}))
	require.NoError(t, b.SetTOTP(b.ctx, as(b.tenant, middle, access.Admin), far.ID, nil, nil))
	g, err := b.AskPurge(b.ctx, b.admin, v.Life.PackID)
	require.NoError(t, err)
	_, err = b.ConfirmPurge(b.ctx, puppet, g.ID)
	is(t, domain.Denied, err)
	require.ErrorContains(t, err, "count as one person")
	b.pass(access.MakerFor + time.Minute)
	_, err = b.ConfirmPurge(b.ctx, puppet, g.ID)
	require.NoError(t, err)
}

// TestPacksNameOneAdministrator: a pack says in the bytes that are signed whether one person alone administered the
// tenant when it was submitted; a second account of that person's making is no second administrator.
func TestPacksNameOneAdministrator(t *testing.T) {
	b := newBoard(t)
	v := b.submit(t, b.draft(t, "d1", "A2"))
	require.True(t, v.Content.OneAdministrator)
	require.Contains(t, string(v.JSON), `"one_administrator":true`)
	_, err := b.AddUser(b.ctx, b.admin, db.User{Login: "puppet", Name: "P", Password: "phc"}, access.Admin)
	require.NoError(t, err)
	require.True(t, b.submit(t, b.draft(t, "d2", "A2")).Content.OneAdministrator)
	b.add(t, b.tenant, "another", access.Admin)
	v = b.submit(t, b.draft(t, "d3", "A2"))
	require.False(t, v.Content.OneAdministrator)
	require.NotContains(t, string(v.JSON), "one_administrator")
}
