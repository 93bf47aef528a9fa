package packs_test

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
	refused := func(b *dbtest.Board, who access.Actor, v *db.PackView) {
		t.Helper()
		_, err := b.ApprovePack(b.Ctx, who, dbtest.Approval(v), db.Answering{}, dbtest.Render)
		dbtest.RequireKind(t, domain.Denied, err)
	}
	ofClass := func(b *dbtest.Board, who access.Actor, id, class string) *db.PackView {
		b.Decide(t, dbtest.DecisionOf(id, class, 4))
		v, err := b.CreatePack(b.Ctx, who, id, db.Answering{})
		require.NoError(t, err)
		v, err = b.SubmitPack(b.Ctx, who, v.Life.PackID, v.Life.Revision, db.Answering{})
		require.NoError(t, err)
		return v
	}
	draftedBy := func(b *dbtest.Board, who access.Actor, id string) *db.PackView { return ofClass(b, who, id, "A2") }
	resets := map[string]func(b *dbtest.Board, p access.Actor) error{
		"password": func(b *dbtest.Board, p access.Actor) error {
			return b.SetPassword(b.Ctx, b.Admin, p.ID, db.NewPassword{PHC: "$argon2id$new"})
		},
		"one-time code": func(b *dbtest.Board,
			p access.Actor) error {
			return b.SetTOTP(b.Ctx, b.Admin, p.ID, nil, nil)
		},
		"role": func(b *dbtest.Board, p access.Actor) error {
			if err := b.SetRole(b.Ctx, b.Admin, p.ID, access.Viewer); err != nil {
				return err
			}
			return b.SetRole(b.Ctx, b.Admin, p.ID, p.Role)
		},
	}
	for name, reset := range resets {
		t.Run(name, func(t *testing.T) {
			b := dbtest.NewBoard(t)
			v := draftedBy(b, b.Drafter, "d1")
			require.NoError(t, reset(b, b.Drafter))
			refused(b, b.Admin, v)
			b.Approve(t, b.Approver, v)

			v = draftedBy(b, b.Admin, "d2")
			require.NoError(t, reset(b, b.Approver))
			refused(b, b.Approver, v)
			b.Approve(t, b.Second, v)

			refused(b, b.Approver, draftedBy(b, b.Drafter, "d0")) // one person set up both
			v = ofClass(b, b.Editor, "d3", "A3")                  // needs two people
			v = b.Approve(t, b.Approver, v)
			refused(b, b.Admin, v)
			b.Approve(t, b.Second, v)

			v = draftedBy(b, b.Admin, "d4")
			refused(b, b.Approver, v)
			dbtest.RequireKind(t, domain.Denied, b.Vouch(b.Ctx, b.Admin, b.Approver.ID, "trust me"))
			dbtest.RequireKind(t, domain.Invalid, b.Vouch(b.Ctx, access.AtCommandLine(b.Tenant.ID), b.Approver.ID, ""))
			require.NoError(t, b.Vouch(b.Ctx, access.AtCommandLine(b.Tenant.ID), b.Approver.ID, "met in person"))
			require.Contains(t, b.Actions(t, b.Tenant.ID), "user.vouched")
			b.Approve(t, b.Approver, v)

			require.NoError(t, reset(b, b.Second))
			v = draftedBy(b, b.Admin, "d5")
			refused(b, b.Second, v)
			b.Pass(access.MakerFor + time.Minute)
			b.Approve(t, b.Second, v)
		})
	}
	t.Run("a new account", func(t *testing.T) {
		b := dbtest.NewBoard(t)
		fresh, err := b.AddUser(b.Ctx, b.Admin, db.User{Login: "fresh", Name: "Fresh", Password: "$argon2id$x"},
			access.Approver)
		require.NoError(t, err)
		v := draftedBy(b, b.Admin, "d1")
		refused(b, dbtest.As(b.Tenant, fresh, access.Approver), v)
		puppet, err := b.AddUser(b.Ctx, b.Admin, db.User{Login: "puppet", Name: "P", Password: "$argon2id$x"},
			access.Reviewer)
		require.NoError(t, err)
		v = draftedBy(b, dbtest.As(b.Tenant, puppet, access.Reviewer), "d2")
		refused(b, dbtest.As(b.Tenant, fresh, access.Approver), v)
		b.Approve(t, b.Approver, v)
	})
	t.Run("the maker's maker", func(t *testing.T) {
		b := dbtest.NewBoard(t)
		require.NoError(t, b.SetPassword(b.Ctx, b.Admin, b.Editor.ID, db.NewPassword{PHC: "$argon2id$new"}))
		require.NoError(t, b.SetPassword(b.Ctx, b.Editor, b.Drafter.ID, db.NewPassword{PHC: "$argon2id$new"}))
		v := draftedBy(b, b.Drafter, "d1")
		refused(b, b.Admin, v)
		b.Approve(t, b.Approver, v)
		require.NoError(t, b.Vouch(b.Ctx, access.AtCommandLine(b.Tenant.ID), b.Editor.ID, "met in person"))
		b.Approve(t, b.Admin, draftedBy(b, b.Drafter, "d2"))
	})
	t.Run("over a machine", func(t *testing.T) {
		b := dbtest.NewBoard(t)
		k, err := b.AddToken(b.Ctx, b.Admin, access.Token{Name: "robot", Role: access.Admin, Hash: "h",
			ExpiresAt: b.At.Add(time.Hour)})
		require.NoError(t, err)
		machine := access.Actor{Tenant: b.Tenant.ID, ID: k.ID, User: "robot", Role: access.Admin, Token: k.ID}
		require.NoError(t, b.SetPassword(b.Ctx, machine, b.Drafter.ID, db.NewPassword{PHC: "$argon2id$new"}))
		refused(b, b.Admin, draftedBy(b, b.Drafter, "d1"))
	})
	t.Run("a token", func(t *testing.T) {
		b := dbtest.NewBoard(t)
		k, err := b.AddToken(b.Ctx, access.AtCommandLine(b.Tenant.ID),
			access.Token{Name: "laptop", UserID: b.Drafter.ID,
				Role: access.Reviewer, Hash: "h", ExpiresAt: b.At.Add(time.Hour)})
		require.NoError(t, err)
		issue := func(by string) {
			_, err := dbtest.Raw(t, b.Dir).Exec("UPDATE api_tokens SET created_by = ? WHERE id = ?", by, k.ID)
			require.NoError(t, err)
		}
		v := draftedBy(b, b.Drafter, "d1")
		issue(b.Admin.ID) // the app lets nobody make another's token; it would count
		refused(b, b.Admin, v)
		issue(access.Operator)
		b.Approve(t, b.Admin, v)
	})
	t.Run("the operator is exempt", func(t *testing.T) {
		b := dbtest.NewBoard(t)
		require.NoError(t, b.SetPassword(b.Ctx, access.AtCommandLine(b.Tenant.ID), b.Approver.ID,
			db.NewPassword{PHC: "$argon2id$new"}))
		b.Approve(t, b.Approver, draftedBy(b, b.Admin, "d1"))
	})
}

// TestQueueLeavesOutWhatNobodyMayApprove: the queue and its count hold only packs that the reader may approve: not
// those of which they reviewed a claim, nor those that rule P-22 keeps from them.
func TestQueueLeavesOutWhatNobodyMayApprove(t *testing.T) {
	queued := func(b *dbtest.Board, who access.Actor) []string {
		q, err := b.PackQueue(b.Ctx, who, 9)
		require.NoError(t, err)
		require.Equal(t, len(q.Packs), q.NPacks)
		ids := []string{}
		for _, p := range q.Packs {
			view, err := b.Pack(b.Ctx, b.Tenant.ID, p.PackID)
			require.NoError(t, err)
			require.NoError(t, view.Content.MayApprove(view.Chain, who, b.At))
			ids = append(ids, p.DecisionID)
		}
		return ids
	}
	t.Run("a reviewer of the ledger", func(t *testing.T) {
		b := dbtest.NewBoard(t)
		s := dbtest.Identify(dbtest.SizedSession(2))
		s.Claims[0].Reviews = []ledger.Review{{ID: "r1", Actor: "Approver", Role: "approver",
			At:     dbtest.Now.Add(-time.Hour),
			Action: ledger.Override, Verdict: ledger.Supported, Reason: "It is there.", By: b.Approver.ID},
			{ID: "r2", Actor: "Second", Role: "approver", At: dbtest.Now.Add(-time.Hour), Action: ledger.Comment,
				Reason: "Looks well.", By: b.Second.ID}}
		b.AddSession(t, s)
		dbtest.Ask(t, b.Store, b.Tenant.ID, pack.Off, pack.CriticalReviewed, pack.AllReviewed, pack.AdverseAnswered,
			pack.QuotesAnswered, pack.OverrideConfirmed, pack.JudgementRecent)
		d := dbtest.DecisionOf("d1", "A2", 4)
		d.LedgerSessionID = s.ID
		b.Decide(t, d)
		v, err := b.CreatePack(b.Ctx, b.Drafter, "d1", db.Answering{})
		require.NoError(t, err)
		v = b.Submit(t, v)
		require.Empty(t, queued(b, b.Approver))
		require.Equal(t, []string{"d1"}, queued(b, b.Second), "a comment is no review")
		var refused *pack.PolicyError
		require.ErrorAs(t, v.Content.MayApprove(v.Chain, b.Approver, b.At), &refused)

		dbtest.Ask(t, b.Store, b.Tenant.ID, pack.Warn, pack.ApproverApart)
		d = dbtest.DecisionOf("d2", "A2", 4)
		d.LedgerSessionID = s.ID
		b.Decide(t, d)
		v, err = b.CreatePack(b.Ctx, b.Drafter, "d2", db.Answering{})
		require.NoError(t, err)
		b.Submit(t, v)
		require.Equal(t, []string{"d2"}, queued(b, b.Approver), "each pack keeps its policy")
	})
	t.Run("whose credentials a maker set", func(t *testing.T) {
		b := dbtest.NewBoard(t)
		b.Submit(t, b.Draft(t, "d1", "A2"))
		require.Equal(t, []string{"d1"}, queued(b, b.Admin))
		require.NoError(t, b.SetPassword(b.Ctx, b.Admin, b.Drafter.ID, db.NewPassword{PHC: "$argon2id$new"}))
		require.Empty(t, queued(b, b.Admin), "what the drafter made counts as made by the administrator too")
		require.Equal(t, []string{"d1"}, queued(b, b.Approver))
		require.NoError(t, b.SetPassword(b.Ctx, b.Admin, b.Approver.ID, db.NewPassword{PHC: "$argon2id$new"}))
		require.Empty(t, queued(b, b.Approver), "one person set up both")
		require.Equal(t, []string{"d1"}, queued(b, b.Second))
		b.Pass(access.MakerFor + time.Minute)
		require.Equal(t, []string{"d1"}, queued(b, b.Approver))
	})
}

// TestPeopleMakeTheirOwnTokens: nobody in the app makes a token in another's name.
func TestPeopleMakeTheirOwnTokens(t *testing.T) {
	b := dbtest.NewBoard(t)
	ask := func(by access.Actor, person string) error {
		_, err := b.AddToken(b.Ctx, by, access.Token{UserID: person, Name: "k", Role: access.Reviewer,
			Hash: "hash " + by.ID + person, ExpiresAt: b.At.Add(time.Hour)})
		return err
	}
	dbtest.RequireKind(t, domain.Invalid, ask(b.Admin, b.Drafter.ID))
	require.NoError(t, ask(b.Admin, b.Admin.ID))
	require.NoError(t, ask(b.Admin, ""), "a machine's token: who made it stands behind it")
	require.NoError(t, ask(b.Drafter, b.Drafter.ID))
	require.NoError(t, ask(access.AtCommandLine(b.Tenant.ID), b.Drafter.ID))
}

// TestNobodyConfirmsForOneself: an erasure and a purge are confirmed by nobody who counts as one person with whoever
// asked, over any number of accounts between.
func TestNobodyConfirmsForOneself(t *testing.T) {
	b := dbtest.NewBoard(t)
	v := b.Signed(t, "dec_1")
	s := dbtest.Identify(dbtest.SizedSession(1))
	b.AddSession(t, s)
	middle, err := b.AddUser(b.Ctx, b.Admin, db.User{Login: "middle", Name: "Middle", Password: "phc"}, access.Reviewer)
	require.NoError(t, err)
	far, err := b.AddUser(b.Ctx, dbtest.As(b.Tenant, middle, access.Admin),
		db.User{Login: "far", Name: "Far", Password: "phc"},
		access.Approver)
	require.NoError(t, err)
	puppet := dbtest.As(b.Tenant, far, access.Approver)

	e, err := b.AskErasure(b.Ctx, b.Admin, erasure.Session, s.ID, "Asked for.")
	require.NoError(t, err)
	_, err = b.ConfirmErasure(b.Ctx, puppet, e.ID)
	dbtest.RequireKind(t, domain.Denied, err)
	require.ErrorContains(t, err, "count as one person")
	_, err = b.ConfirmErasure(b.Ctx, b.Second, e.ID)
	require.NoError(t, err)

	b.At = time.Date(2033, 3, 2, 0, 0, 0, 0, time.UTC)
	require.NoError(t, b.SetPassword(b.Ctx, b.Admin, middle.ID, db.NewPassword{PHC: "phc"}))
	require.NoError(t, b.SetTOTP(b.Ctx, dbtest.As(b.Tenant, middle, access.Admin), far.ID, nil, nil))
	g, err := b.AskPurge(b.Ctx, b.Admin, v.Life.PackID)
	require.NoError(t, err)
	_, err = b.ConfirmPurge(b.Ctx, puppet, g.ID)
	dbtest.RequireKind(t, domain.Denied, err)
	require.ErrorContains(t, err, "count as one person")
	b.Pass(access.MakerFor + time.Minute)
	_, err = b.ConfirmPurge(b.Ctx, puppet, g.ID)
	require.NoError(t, err)
}

// TestPacksNameOneAdministrator: a pack says in the bytes that are signed whether one person alone administered the
// tenant when it was submitted; a second account of that person's making is no second administrator.
func TestPacksNameOneAdministrator(t *testing.T) {
	b := dbtest.NewBoard(t)
	v := b.Submit(t, b.Draft(t, "d1", "A2"))
	require.True(t, v.Content.OneAdministrator)
	require.Contains(t, string(v.JSON), `"one_administrator":true`)
	_, err := b.AddUser(b.Ctx, b.Admin, db.User{Login: "puppet", Name: "P", Password: "phc"}, access.Admin)
	require.NoError(t, err)
	require.True(t, b.Submit(t, b.Draft(t, "d2", "A2")).Content.OneAdministrator)
	b.AddPerson(t, b.Tenant, "another", access.Admin)
	v = b.Submit(t, b.Draft(t, "d3", "A2"))
	require.False(t, v.Content.OneAdministrator)
	require.NotContains(t, string(v.JSON), "one_administrator")
}
