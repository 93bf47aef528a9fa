package people_test

import (
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/audit"
	"sanad/internal/domain/erasure"
	"sanad/internal/domain/pack"
)

// pair is a tenant with two administrators, each of whom needs the other.
type pair struct {
	*dbtest.People
	first, second access.Actor
	approver      db.User
}

func newPair(t *testing.T) *pair {
	t.Helper()
	p := &pair{People: dbtest.NewPeople(t)}
	p.first = p.admin(t, "first")
	require.False(t, must1(p.DemandsSecond(p.Ctx, p.Tenant.ID)), "there is one administrator only")
	p.second, p.approver = p.admin(t, "second"), p.AddPerson(t, p.Tenant, "approver", access.Approver)
	require.True(t, must1(p.DemandsSecond(p.Ctx, p.Tenant.ID)), "from two on, always")
	return p
}

func (p *pair) admin(t *testing.T, login string) access.Actor {
	t.Helper()
	u := p.AddPerson(t, p.Tenant, login, access.Admin)
	return access.Actor{Tenant: p.Tenant.ID, ID: u.ID, User: u.Name, Role: access.Admin, Human: true, Why: "As agreed."}
}

// Each kind of change waits for a second administrator, and takes effect when that one confirms it, in the name of who
// asked.
func TestChangesWaitForASecondAdministrator(t *testing.T) {
	policy := pack.DefaultPolicy()
	policy.BulkConfirmsAll = true
	for name, c := range map[string]struct {
		do     func(p *pair, a access.Actor) error
		action string
	}{
		"new approver": {func(p *pair, a access.Actor) error {
			_, err := p.AddUser(p.Ctx, a, db.User{Login: "new", Name: "New", Password: "phc"}, access.Approver)
			return err
		}, "user.added"},
		"role": {func(p *pair, a access.Actor) error {
			return p.SetRole(p.Ctx, a, p.approver.ID, access.Viewer)
		}, "user.role_changed"},
		"reset": {func(p *pair, a access.Actor) error {
			return p.SetPassword(p.Ctx, a, p.approver.ID, db.NewPassword{PHC: "phc"})
		}, "user.password_changed"},
		"one-time codes": {func(p *pair, a access.Actor) error {
			return p.SetTOTP(p.Ctx, a, p.approver.ID, nil, nil)
		}, "user.totp_changed"},
		"shut an administrator out": {func(p *pair, a access.Actor) error {
			return p.SetMemberDisabled(p.Ctx, a, p.second.ID, true)
		}, "user.disabled"},
		"policy": {func(p *pair, a access.Actor) error {
			_, err := p.SetPolicy(p.Ctx, a, 0, policy)
			return err
		}, "tenant.policy_changed"},
		"retention": {func(p *pair, a access.Actor) error {
			return p.SetPeriods(p.Ctx, a, []erasure.Period{{Kind: erasure.Session, Days: 1}})
		}, "tenant.retention_changed"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPair(t)
			silent := p.first
			silent.Why = " "
			dbtest.RequireKind(t, domain.Invalid, c.do(p, silent)) // without a reason
			r := dbtest.RequireAsked(t, c.do(p, p.first))
			log := p.Actions(t, p.Tenant.ID)
			require.Equal(t, "change.asked", log[len(log)-1], "nothing else has happened")

			_, err := p.ConfirmChange(p.Ctx, p.first, r.ID)
			dbtest.RequireKind(t, domain.Denied, err)
			viewer := p.second
			viewer.Role = access.Approver
			_, err = p.ConfirmChange(p.Ctx, viewer, r.ID)
			dbtest.RequireKind(t, domain.Denied, err)
			done, err := p.ConfirmChange(p.Ctx, p.second, r.ID)
			require.NoError(t, err)
			require.Equal(t, access.Confirmed, done.State)
			log = p.Actions(t, p.Tenant.ID)
			require.Equal(t, []string{c.action, "change.confirmed"}, log[len(log)-2:])
			_, err = p.ConfirmChange(p.Ctx, p.second, r.ID)
			dbtest.RequireKind(t, domain.Conflict, err) // once
		})
	}
}

// What must not wait does not: access ends at once, one's own account is one's own, and the operator is exempt.
func TestChangesThatDoNotWait(t *testing.T) {
	p := newPair(t)
	require.NoError(t, p.SetMemberDisabled(p.Ctx, p.first, p.approver.ID, true))
	dbtest.RequireAsked(t, p.SetMemberDisabled(p.Ctx, p.first, p.approver.ID, false))
	require.NoError(t, p.SetPassword(p.Ctx, p.first, p.first.ID, db.NewPassword{PHC: "phc"}))
	require.NoError(t, p.SetTOTP(p.Ctx, p.first, p.first.ID, []byte("sealed"), nil))
	_, err := p.AddUser(p.Ctx, p.first, db.User{Login: "viewer", Name: "Viewer"}, access.Viewer)
	require.NoError(t, err)
	require.NoError(t, p.SetRole(p.Ctx, access.AtCommandLine(p.Tenant.ID), p.approver.ID, access.Viewer))
	require.NoError(t, p.SetRole(p.Ctx, p.first, p.approver.ID, access.Viewer), "it changes nothing")
	_, err = p.PutOnHold(p.Ctx, p.first, erasure.Session, "none", "x")
	dbtest.RequireNotFound(t, err) // what cannot be done is refused at once
}

// A new or shorter retention period waits, also with a longer one; what erases nothing sooner does not.
func TestRetentionPeriodsWaitIfTheyEraseSooner(t *testing.T) {
	p := newPair(t)
	set := func(a access.Actor, session, upload int) error {
		return p.SetPeriods(p.Ctx, a, []erasure.Period{{Kind: erasure.Session, Days: session},
			{Kind: erasure.Upload, Days: upload}})
	}
	days := func() [2]int {
		all := must1(p.Periods(p.Ctx, p.Tenant.ID))
		return [2]int{all[0].Days, all[len(all)-1].Days} // sessions, uploads
	}
	confirm := func(err error) (r access.Request) {
		t.Helper()
		r = dbtest.RequireAsked(t, err)
		_, err = p.ConfirmChange(p.Ctx, p.first, r.ID)
		dbtest.RequireKind(t, domain.Denied, err)
		_, err = p.ConfirmChange(p.Ctx, p.second, r.ID)
		require.NoError(t, err)
		return r
	}
	r := dbtest.RequireAsked(t, set(p.first, 30, 0))
	require.Equal(t, map[string]int{"session": 30}, r.Change.Days, "what changes")
	require.Equal(t, [2]int{}, days(), "nothing is set yet")
	_, err := p.RefuseChange(p.Ctx, p.second, r.ID)
	require.NoError(t, err)
	first := confirm(set(p.first, 30, 7))
	require.Equal(t, [2]int{30, 7}, days())
	require.NoError(t, set(p.first, 31, 0), "longer, and none")
	require.Equal(t, [2]int{31, 0}, days())
	confirm(set(p.first, 40, 90))
	require.Equal(t, [2]int{40, 90}, days())
	dbtest.RequireAsked(t, set(p.first, 39, 100))
	require.Equal(t, [2]int{40, 90}, days())
	var event string
	require.NoError(t, dbtest.Raw(t, p.Dir).QueryRow(`SELECT bytes FROM events WHERE action = 'tenant.retention_changed'
		ORDER BY seq LIMIT 1`).Scan(&event))
	require.Contains(t, event, `"request":"`+first.ID+`"`, "the event names the request")
}

func TestRequestsEnd(t *testing.T) {
	p := newPair(t)
	ask := func() access.Request {
		return dbtest.RequireAsked(t, p.SetRole(p.Ctx, p.first, p.approver.ID, access.Viewer))
	}

	r := ask()
	dbtest.RequireKind(t, domain.Conflict, p.SetRole(p.Ctx, p.second, p.approver.ID, access.Viewer)) // it waits already
	_, err := p.RefuseChange(p.Ctx, p.first, r.ID)
	dbtest.RequireKind(t, domain.Denied, err)
	_, err = p.WithdrawChange(p.Ctx, p.second, r.ID)
	dbtest.RequireKind(t, domain.Denied, err)
	_, err = p.RefuseChange(p.Ctx, p.second, r.ID)
	require.NoError(t, err)

	_, err = p.WithdrawChange(p.Ctx, p.first, ask().ID)
	require.NoError(t, err)

	r = ask()
	p.Pass(access.RequestFor)
	_, err = p.ConfirmChange(p.Ctx, p.second, r.ID)
	dbtest.RequireKind(t, domain.Conflict, err)
	found, err := p.ChangeRequest(p.Ctx, p.second, r.ID)
	require.NoError(t, err)
	require.Equal(t, access.Lapsed, found.State)
	require.NoError(t, p.LapseChanges(p.Ctx))
	require.NotEqual(t, r.ID, ask().ID, "a lapsed request is in nobody's way")
	require.Equal(t, "change.asked change.refused change.asked change.withdrawn change.asked change.lapsed change.asked",
		strings.Join(p.Actions(t, p.Tenant.ID)[3:], " "))

	stranger := p.second
	stranger.Tenant = p.Other.ID
	_, err = p.ChangeRequest(p.Ctx, stranger, r.ID)
	dbtest.RequireNotFound(t, err)
	_, err = p.ConfirmChange(p.Ctx, stranger, r.ID)
	dbtest.RequireNotFound(t, err)
}

// An administrator whose account the asker made or reset within 30 days is no second one, nor the other way round.
func TestASecondAdministratorOfOnesOwnMaking(t *testing.T) {
	p := newPair(t)
	u, err := p.AddUser(p.Ctx, p.first, db.User{Login: "puppet", Name: "Puppet", Password: "phc"}, access.Admin)
	_, err = p.ConfirmChange(p.Ctx, p.second, dbtest.RequireAsked(t, err).ID)
	require.NoError(t, err)
	puppet := access.Actor{Tenant: p.Tenant.ID, ID: u.ID, User: "Puppet", Role: access.Admin, Human: true, Why: "x"}
	lift := p.hold(t)
	r := dbtest.RequireAsked(t, lift(p.first))
	_, err = p.ConfirmChange(p.Ctx, puppet, r.ID)
	dbtest.RequireKind(t, domain.Denied, err)
	back := dbtest.RequireAsked(t, p.SetRole(p.Ctx, puppet, p.approver.ID, access.Viewer))
	_, err = p.ConfirmChange(p.Ctx, p.first, back.ID)
	dbtest.RequireKind(t, domain.Denied, err)
	d, err := p.Demand(p.Ctx, p.first)
	require.NoError(t, err)
	require.Equal(t, access.Demand{On: true, Admins: 3, Able: 1}, d)
	require.NoError(t, p.Vouch(p.Ctx, access.AtCommandLine(p.Tenant.ID), puppet.ID, "met in person"))
	_, err = p.ConfirmChange(p.Ctx, puppet, r.ID)
	require.NoError(t, err)
	require.Empty(t, must1(p.LegalHolds(p.Ctx, p.Tenant.ID)))
}

// Two administrators who both set up a third person stay two people: neither could act as the other. The third is one
// person with each of them.
func TestTwoWhoSetUpOnePersonStayTwo(t *testing.T) {
	p := newPair(t)
	lift := p.hold(t)
	r := dbtest.RequireAsked(t, p.SetPassword(p.Ctx, p.first, p.approver.ID, db.NewPassword{PHC: "phc"}))
	_, err := p.ConfirmChange(p.Ctx, p.second, r.ID)
	require.NoError(t, err)
	r = dbtest.RequireAsked(t, p.SetRole(p.Ctx, p.second, p.approver.ID, access.Admin))
	_, err = p.ConfirmChange(p.Ctx, p.first, r.ID)
	require.NoError(t, err)
	third := access.Actor{Tenant: p.Tenant.ID, ID: p.approver.ID, User: "Third", Role: access.Admin, Human: true,
		Why: "x"}
	for _, by := range []access.Actor{p.first, p.second} {
		require.Equal(t, 1, must1(p.Demand(p.Ctx, by)).Able, "the other one, not the third")
	}
	require.Zero(t, must1(p.Demand(p.Ctx, third)).Able)
	r = dbtest.RequireAsked(t, lift(p.first))
	_, err = p.ConfirmChange(p.Ctx, third, r.ID)
	dbtest.RequireKind(t, domain.Denied, err)
	_, err = p.ConfirmChange(p.Ctx, p.second, r.ID)
	require.NoError(t, err)
}

// hold puts a session under legal hold, and returns what asks to lift it.
func (p *pair) hold(t *testing.T) func(a access.Actor) error {
	t.Helper()
	s := dbtest.Identify(dbtest.SizedSession(1))
	p.AddSession(t, s)
	_, err := p.PutOnHold(p.Ctx, p.first, erasure.Session, s.ID, "A case.")
	require.NoError(t, err, "setting one protects: it takes effect at once")
	require.Len(t, must1(p.LegalHolds(p.Ctx, p.Tenant.ID)), 1)
	return func(a access.Actor) error {
		_, err := p.LiftHold(p.Ctx, a, erasure.Session, s.ID, "The case is over.")
		return err
	}
}

// One pair of hands is one administrator, over any number of accounts between: for a lifted hold, a changed policy and
// another administrator.
func TestNoSecondAdministratorOverOthers(t *testing.T) {
	policy := pack.DefaultPolicy()
	policy.BulkConfirmsAll = true
	for name, do := range map[string]func(p *pair, a access.Actor) error{
		"policy": func(p *pair, a access.Actor) error {
			_, err := p.SetPolicy(p.Ctx, a, 0, policy)
			return err
		},
		"new administrator": func(p *pair, a access.Actor) error {
			_, err := p.AddUser(p.Ctx, a, db.User{Login: "new", Name: "New", Password: "phc"}, access.Admin)
			return err
		},
		"role": func(p *pair, a access.Actor) error {
			return p.SetRole(p.Ctx, a, p.approver.ID, access.Admin)
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPair(t)
			u, err := p.AddUser(p.Ctx, p.first, db.User{Login: "middle", Name: "Middle", Password: "phc"}, access.Admin)
			_, err = p.ConfirmChange(p.Ctx, p.second, dbtest.RequireAsked(t, err).ID)
			require.NoError(t, err)
			middle := access.Actor{Tenant: p.Tenant.ID, ID: u.ID, User: "Middle", Role: access.Admin, Human: true,
				Why: "x"}
			u, err = p.AddUser(p.Ctx, middle, db.User{Login: "far", Name: "Far", Password: "phc"}, access.Admin)
			_, err = p.ConfirmChange(p.Ctx, p.second, dbtest.RequireAsked(t, err).ID)
			require.NoError(t, err)
			far := access.Actor{Tenant: p.Tenant.ID, ID: u.ID, User: "Far", Role: access.Admin, Human: true, Why: "x"}
			r := dbtest.RequireAsked(t, do(p, p.first))
			_, err = p.ConfirmChange(p.Ctx, far, r.ID)
			dbtest.RequireKind(t, domain.Denied, err)
			_, err = p.ConfirmChange(p.Ctx, p.second, r.ID)
			require.NoError(t, err)
		})
	}
}

// The demand outlives one of two administrators by 30 days, whoever removed them and how; and no administrator less
// brings it about where there was one only.
func TestDemandOutlivesOneOfTwo(t *testing.T) {
	for name, remove := range map[string]func(p *pair) error{
		"demoted": func(p *pair) error {
			return p.SetRole(p.Ctx, access.AtCommandLine(p.Tenant.ID), p.second.ID, access.Viewer)
		},
		"disabled": func(p *pair) error {
			return p.SetMemberDisabled(p.Ctx, access.AtCommandLine(p.Tenant.ID), p.second.ID, true)
		},
		"disabled everywhere": func(p *pair) error {
			return p.SetUserDisabled(p.Ctx, access.AtCommandLine(p.Tenant.ID), p.second.ID, true)
		},
		"by the two": func(p *pair) error {
			r := dbtest.RequireAsked(t, p.SetMemberDisabled(p.Ctx, p.first, p.second.ID, true))
			_, err := p.ConfirmChange(p.Ctx, p.second, r.ID)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPair(t)
			require.NoError(t, remove(p))
			gone := p.At
			p.Pass(access.MakerFor - time.Minute)
			d := must1(p.Demand(p.Ctx, p.first))
			require.Equal(t, access.Demand{On: true, Until: gone.Add(access.MakerFor), Admins: 1}, d)
			r := dbtest.RequireAsked(t, p.SetRole(p.Ctx, p.first, p.approver.ID, access.Viewer))
			_, err := p.ConfirmChange(p.Ctx, p.first, r.ID)
			dbtest.RequireKind(t, domain.Denied, err)
			p.Pass(2 * time.Minute)
			require.Equal(t, access.Demand{Admins: 1}, must1(p.Demand(p.Ctx, p.first)))
		})
	}
	t.Run("the only one", func(t *testing.T) {
		p := dbtest.NewPeople(t)
		u := p.AddPerson(t, p.Tenant, "only", access.Admin)
		require.NoError(t, p.SetUserDisabled(p.Ctx, access.AtCommandLine(p.Tenant.ID), u.ID, true))
		p.AddPerson(t, p.Tenant, "next", access.Admin)
		require.False(t, must1(p.DemandsSecond(p.Ctx, p.Tenant.ID)))
	})
}

// A machine asks as whoever made its token, who does not confirm it. A password's hash goes when the request is
// decided.
func TestMachinesAskAndHashesGo(t *testing.T) {
	p := newPair(t)
	k, err := p.AddToken(p.Ctx, p.first, access.Token{Name: "robot", Role: access.Admin, Hash: "h",
		ExpiresAt: p.At.Add(time.Hour)})
	require.NoError(t, err)
	machine := access.Actor{Tenant: p.Tenant.ID, ID: k.ID, User: "robot", Role: access.Admin, Token: k.ID, Why: "x"}
	policy := pack.DefaultPolicy()
	policy.BulkConfirmsAll = true
	_, err = p.SetPolicy(p.Ctx, machine, 0, policy)
	r := dbtest.RequireAsked(t, err)
	_, err = p.ConfirmChange(p.Ctx, p.first, r.ID)
	dbtest.RequireKind(t, domain.Denied, err)
	_, err = p.ConfirmChange(p.Ctx, p.second, r.ID)
	require.NoError(t, err)

	_, err = p.AddToken(p.Ctx, access.AtCommandLine(p.Tenant.ID), access.Token{Name: "laptop", UserID: p.approver.ID,
		Role: access.Approver, Hash: "h-approver", ExpiresAt: p.At.Add(time.Hour)})
	require.NoError(t, err)
	r = dbtest.RequireAsked(t, p.SetPassword(p.Ctx, p.first, p.approver.ID, db.NewPassword{PHC: "$argon2id$waiting"}))
	_, err = p.TokenActor(p.Ctx, "h-approver", netip.Addr{})
	require.NoError(t, err, "nothing ends before it is confirmed")
	content := func() (text string) {
		require.NoError(t, dbtest.Raw(t, p.Dir).QueryRow("SELECT content FROM change_requests WHERE id = ?",
			r.ID).Scan(&text))
		return text
	}
	require.Contains(t, content(), "waiting")
	_, err = p.ConfirmChange(p.Ctx, p.second, r.ID)
	require.NoError(t, err)
	require.NotContains(t, content(), "waiting")
	_, err = p.TokenActor(p.Ctx, "h-approver", netip.Addr{})
	dbtest.RequireNotFound(t, err)
	u, err := p.User(p.Ctx, p.approver.ID)
	require.NoError(t, err)
	require.Equal(t, "$argon2id$waiting", u.Password)
}

// TestDeputyOfOthersIsConfirmedByAThird: neither the administrator who was named as deputy nor the one who gets a deputy
// confirms that request; the log names the deputy (rule P-31).
func TestDeputyOfOthersIsConfirmedByAThird(t *testing.T) {
	p := newPair(t)
	third := dbtest.As(p.Tenant, p.AddPerson(t, p.Tenant, "third.admin", access.Admin), access.Admin)
	name := func(of, deputy string) access.Request {
		t.Helper()
		_, err := p.SetDeputy(p.Ctx, p.first, db.DeputyDays{For: of, By: deputy,
			Until: dbtest.Now.AddDate(0, 0, 5).Format(time.DateOnly)})
		return dbtest.RequireAsked(t, err)
	}
	r := name(p.approver.ID, p.second.ID)
	_, err := p.ConfirmChange(p.Ctx, p.second, r.ID)
	dbtest.RequireKind(t, domain.Denied, err)
	_, err = p.ConfirmChange(p.Ctx, third, r.ID)
	require.NoError(t, err)
	d := must1(p.Deputies(p.Ctx, p.Tenant.ID))
	require.Len(t, d, 1)
	_, err = p.EndDeputy(p.Ctx, p.second, d[0].ID)
	require.NoError(t, err)
	r = name(p.second.ID, third.ID)
	_, err = p.ConfirmChange(p.Ctx, p.second, r.ID)
	dbtest.RequireKind(t, domain.Denied, err)
	events, _, err := p.Log(p.Ctx, p.Tenant.ID, audit.Query{Action: "change.asked", Limit: 9})
	require.NoError(t, err)
	require.Contains(t, string(events[0].Bytes), `"deputy":"`+third.ID+`"`)
}
