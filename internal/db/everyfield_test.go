package db_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
	"sanad/internal/everyfield"
)

// notLoaded are the fields of a session that do not come back as stored, each with the reason.
var notLoaded = map[string]string{
	"Follows.SessionID": "says what the store checks when it stores a revised answer",
	"Follows.Revision":  "likewise",
	"SealedBy":          "counted from the sealed reviews, of which this session has none",
	"Closing.*":         "written by who closes the session, and read of a closed one",
	"BundleID":          "links the first run to a bundle when the session is stored; read with the runs, not with the session",
}

// TestStoreKeepsEveryField checks that storing and loading a session loses no field, including new ones.
func TestStoreKeepsEveryField(t *testing.T) {
	p := dbtest.NewPeople(t)
	s := everyfield.Session()
	for i, login := range []string{"first", "second"} { // a reviewer is the id of a user; the name is looked up
		u := p.AddPerson(t, p.Tenant, login, access.Reviewer)
		s.Seats[i] = ledger.Seat{ID: u.ID, Name: u.Name}
	}
	require.Empty(t, everyfield.Unset(s), "the session has every field")
	stored := *s
	stored.BundleID = "" // there is no such bundle
	stored.Follows = ledger.Follows{}
	p.AddSession(t, &stored)
	got, err := p.Session(p.Ctx, p.Tenant.ID, s.ID)
	require.NoError(t, err)
	require.Empty(t, everyfield.Faults(everyfield.Differ(s, got), notLoaded))
}

// TestStoreKeepsEveryFieldOfADecision checks that storing loses no field of a decision, nor of the draft made from it.
func TestStoreKeepsEveryFieldOfADecision(t *testing.T) {
	b := dbtest.NewBoard(t)
	d := everyfield.Decision()
	d.LedgerSessionID = "" // there is no such session
	b.Decide(t, d)
	got, err := b.Decision(b.Ctx, b.Tenant.ID, d.DecisionID)
	require.NoError(t, err)
	require.Empty(t, everyfield.Differ(d, &got.Decision))

	v, err := b.CreatePack(b.Ctx, b.Drafter, d.DecisionID, db.Answering{})
	require.NoError(t, err)
	want := pack.Assemble(d, pack.Opening{PackID: v.Life.PackID, TenantID: b.Tenant.ID, At: b.At}, nil)
	policy, err := b.Policy(b.Ctx, b.Tenant.ID)
	require.NoError(t, err)
	want.SetPolicy(policy)
	want.OneAdministrator = true // in the tenant of the test
	require.Empty(t, everyfield.Differ(&want, &v.Content))

	replay := everyfield.Pack().Replay
	v, err = b.UpdatePack(b.Ctx, b.Drafter, v.Life.PackID, v.Life.Revision, db.Answering{},
		func(c *pack.Content) error {
			c.Replay, c.Memo = replay, everyfield.Pack().Memo
			return nil
		})
	require.NoError(t, err)
	want.Replay, want.Memo = replay, everyfield.Pack().Memo
	require.Empty(t, everyfield.Differ(&want, &v.Content))
}

// TestStoreKeepsEveryFieldOfALife checks that each field of a pack's life is loaded, for packs with every kind of life.
func TestStoreKeepsEveryFieldOfALife(t *testing.T) {
	b := dbtest.NewBoard(t)
	draft := b.Draft(t, "dec_1", "A2")
	draft, err := b.UpdatePack(b.Ctx, machineActor(t, b), draft.Life.PackID, draft.Life.Revision, db.Answering{},
		dbtest.Retell("By a machine."))
	require.NoError(t, err)
	first := b.Submit(t, draft)
	first, err = b.ReturnPack(b.Ctx, b.Approver, first.Life.PackID, first.Life.Revision, "Look again.", db.Answering{})
	require.NoError(t, err)
	b.Pass(time.Hour)
	second, err := b.NewVersion(b.Ctx, b.Drafter, first.Life.PackID, db.Answering{})
	require.NoError(t, err)
	second = b.Approve(t, b.Approver, b.Submit(t, b.Mend(t, second)))
	require.NoError(t, b.SetPassword(b.Ctx, b.Admin, b.Second.ID, db.NewPassword{PHC: "$argon2id$new"}))
	held, err := b.SetLegalHold(b.Ctx, b.Admin, second.Life.PackID, second.Life.Revision, "suit")
	require.NoError(t, err)

	loaded, err := b.Pack(b.Ctx, b.Tenant.ID, second.Life.PackID)
	require.NoError(t, err)
	require.Empty(t, everyfield.Differ(held.Life, loaded.Life))
	older, err := b.Pack(b.Ctx, b.Tenant.ID, first.Life.PackID)
	require.NoError(t, err)
	given, err := b.NewVersion(b.Ctx, b.Drafter, second.Life.PackID, db.Answering{})
	require.NoError(t, err)
	given, err = b.DiscardPack(b.Ctx, b.Drafter, given.Life.PackID, given.Life.Revision, "Not needed.", db.Answering{})
	require.NoError(t, err)
	about := b.Large(t, "dec_since", 2)
	_, err = b.ReviewClaim(about.Content.Ledger.SessionID, 1,
		ledger.ReviewInput{Action: ledger.Override, Verdict: ledger.Contradicted, Reason: "x"})
	require.NoError(t, err)
	about, err = b.Pack(b.Ctx, b.Tenant.ID, about.Life.PackID)
	require.NoError(t, err)
	_, err = b.SetDeputy(b.Ctx, b.Approver, db.DeputyDays{For: b.Approver.ID, By: b.Editor.ID,
		Until: b.At.Format(time.DateOnly)})
	require.NoError(t, err)
	about, err = b.Pack(b.Ctx, b.Tenant.ID, about.Life.PackID)
	require.NoError(t, err)
	approval := dbtest.Approval(about)
	approval.For = b.Approver.ID
	about, err = b.ApprovePack(b.Ctx, b.Editor, approval, db.Answering{}, dbtest.Render)
	require.NoError(t, err)
	since, err := b.Pack(b.Ctx, b.Tenant.ID, about.Life.PackID)
	require.NoError(t, err)
	require.Empty(t, everyfield.Differ(about.Life, since.Life))
	require.Empty(t, everyfield.Unset([]*pack.Life{loaded.Life, older.Life, given.Life, since.Life}),
		"each field is loaded from one of the four")
}

// machineActor returns a machine whose token a person made.
func machineActor(t testing.TB, b *dbtest.Board) access.Actor {
	t.Helper()
	k, err := b.AddToken(b.Ctx, b.Admin,
		access.Token{Name: "robot", Role: access.Reviewer, Hash: "hash of robot", ExpiresAt: b.At.Add(time.Hour)})
	require.NoError(t, err)
	return access.Actor{Tenant: b.Tenant.ID, ID: k.ID, User: k.Name, Role: access.Reviewer, Token: k.ID}
}
