package db_test

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
	"sanad/internal/domain/erasure"
	"sanad/internal/domain/pack"
)

// pair is a tenant with two administrators, each of whom needs the other.
type pair struct {
	*people
	first, second access.Actor
	approver      db.User
}

func newPair(t *testing.T) *pair {
	t.Helper()
	p := &pair{people: newPeople(t)}
	p.first = p.admin(t, "first")
	require.False(t, must1(p.DemandsSecond(p.ctx, p.tenant.ID)), "there is one administrator only")
	p.second, p.approver = p.admin(t, "second"), p.add(t, p.tenant, "approver", access.Approver)
	require.True(t, must1(p.DemandsSecond(p.ctx, p.tenant.ID)), "from two on, always")
	return p
}

func (p *pair) admin(t *testing.T, login string) access.Actor {
	t.Helper()
	u := p.add(t, p.tenant, login, access.Admin)
	return access.Actor{Tenant: p.tenant.ID, ID: u.ID, User: u.Name, Role: access.Admin, Human: true, Why: "As agreed."}
}

// asked returns the request that a change became.
func asked(t *testing.T, err error) access.Request {
	t.Helper()
	var waits *db.AskedError
	require.ErrorAs(t, err, &waits)
	require.Empty(t, waits.Request.Change.Password)
	return waits.Request
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
			_, err := p.AddUser(p.ctx, a, db.User{Login: "new", Name: "New", Password: "phc"}, access.Approver)
			return err
		}, "user.added"},
		"role": {func(p *pair, a access.Actor) error {
			return p.SetRole(p.ctx, a, p.approver.ID, access.Viewer)
		}, "user.role_changed"},
		"reset": {func(p *pair, a access.Actor) error {
			return p.SetPassword(p.ctx, a, p.approver.ID, db.NewPassword{PHC: "phc"})
		}, "user.password_changed"},
		"one-time codes": {func(p *pair, a access.Actor) error {
			return p.SetTOTP(p.ctx, a, p.approver.ID, nil, nil)
		}, "user.totp_changed"},
		"shut an administrator out": {func(p *pair, a access.Actor) error {
			return p.SetMemberDisabled(p.ctx, a, p.second.ID, true)
		}, "user.disabled"},
		"policy": {func(p *pair, a access.Actor) error {
			_, err := p.SetPolicy(p.ctx, a, 0, policy)
			return err
		}, "tenant.policy_changed"},
		"retention": {func(p *pair, a access.Actor) error {
			return p.SetPeriods(p.ctx, a, []erasure.Period{{Kind: erasure.Session, Days: 1}})
		}, "tenant.retention_changed"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPair(t)
			silent := p.first
			silent.Why = " "
			is(t, domain.Invalid, c.do(p, silent)) // without a reason
			r := asked(t, c.do(p, p.first))
			log := p.actions(t, p.tenant.ID)
			require.Equal(t, "change.asked", log[len(log)-1], "nothing else has happened")

			_, err := p.ConfirmChange(p.ctx, p.first, r.ID)
			is(t, domain.Denied, err)
			viewer := p.second
			viewer.Role = access.Approver
			_, err = p.ConfirmChange(p.ctx, viewer, r.ID)
			is(t, domain.Denied, err)
			done, err := p.ConfirmChange(p.ctx, p.second, r.ID)
			require.NoError(t, err)
			require.Equal(t, access.Confirmed, done.State)
			log = p.actions(t, p.tenant.ID)
			require.Equal(t, []string{c.action, "change.confirmed"}, log[len(log)-2:])
			_, err = p.ConfirmChange(p.ctx, p.second, r.ID)
			is(t, domain.Conflict, err) // once
		})
	}
}

// What must not wait does not: access ends at once, one's own account is one's own, and the operator is exempt.
func TestChangesThatDoNotWait(t *testing.T) {
	p := newPair(t)
	require.NoError(t, p.SetMemberDisabled(p.ctx, p.first, p.approver.ID, true))
	asked(t, p.SetMemberDisabled(p.ctx, p.first, p.approver.ID, false))
	require.NoError(t, p.SetPassword(p.ctx, p.first, p.first.ID, db.NewPassword{PHC: "phc"}))
	require.NoError(t, p.SetTOTP(p.ctx, p.first, p.first.ID, []byte("sealed"), nil))
	_, err := p.AddUser(p.ctx, p.first, db.User{Login: "viewer", Name: "Viewer"}, access.Viewer)
	require.NoError(t, err)
	require.NoError(t, p.SetRole(p.ctx, access.AtCommandLine(p.tenant.ID), p.approver.ID, access.Viewer))
	require.NoError(t, p.SetRole(p.ctx, p.first, p.approver.ID, access.Viewer), "it changes nothing")
	_, err = p.PutOnHold(p.ctx, p.first, erasure.Session, "none", "x")
	isNotFound(t, err) // what cannot be done is refused at once
}

// A new or shorter retention period waits, also with a longer one; what erases nothing sooner does not.
func TestRetentionPeriodsWaitIfTheyEraseSooner(t *testing.T) {
	p := newPair(t)
	set := func(a access.Actor, session, upload int) error {
		return p.SetPeriods(p.ctx, a, []erasure.Period{{Kind: erasure.Session, Days: session},
			{Kind: erasure.Upload, Days: upload}})
	}
	days := func() [2]int {
		all := must1(p.Periods(p.ctx, p.tenant.ID))
		return [2]int{all[0].Days, all[4].Days}
	}
	confirm := func(err error) (r access.Request) {
		t.Helper()
		r = asked(t, err)
		_, err = p.ConfirmChange(p.ctx, p.first, r.ID)
		is(t, domain.Denied, err)
		_, err = p.ConfirmChange(p.ctx, p.second, r.ID)
		require.NoError(t, err)
		return r
	}
	r := asked(t, set(p.first, 30, 0))
	require.Equal(t, map[string]int{"session": 30}, r.Change.Days, "what changes")
	require.Equal(t, [2]int{}, days(), "nothing is set yet")
	_, err := p.RefuseChange(p.ctx, p.second, r.ID)
	require.NoError(t, err)
	first := confirm(set(p.first, 30, 7))
	require.Equal(t, [2]int{30, 7}, days())
	require.NoError(t, set(p.first, 31, 0), "longer, and none")
	require.Equal(t, [2]int{31, 0}, days())
	confirm(set(p.first, 40, 90))
	require.Equal(t, [2]int{40, 90}, days())
	asked(t, set(p.first, 39, 100))
	require.Equal(t, [2]int{40, 90}, days())
	var event string
	require.NoError(t, dbtest.Raw(t, p.dir).QueryRow(`SELECT bytes FROM events WHERE action = 'tenant.retention_changed'
		ORDER BY seq LIMIT 1`).Scan(&event))
	require.Contains(t, event, `"request":"`+first.ID+`"`, "the event names the request")
}

func TestRequestsEnd(t *testing.T) {
	p := newPair(t)
	ask := func() access.Request { return asked(t, p.SetRole(p.ctx, p.first, p.approver.ID, access.Viewer)) }

	r := ask()
	is(t, domain.Conflict, p.SetRole(p.ctx, p.second, p.approver.ID, access.Viewer)) // it waits already
	_, err := p.RefuseChange(p.ctx, p.first, r.ID)
	is(t, domain.Denied, err)
	_, err = p.WithdrawChange(p.ctx, p.second, r.ID)
	is(t, domain.Denied, err)
	_, err = p.RefuseChange(p.ctx, p.second, r.ID)
	require.NoError(t, err)

	_, err = p.WithdrawChange(p.ctx, p.first, ask().ID)
	require.NoError(t, err)

	r = ask()
	p.pass(access.RequestFor)
	_, err = p.ConfirmChange(p.ctx, p.second, r.ID)
	is(t, domain.Conflict, err)
	found, err := p.ChangeRequest(p.ctx, p.second, r.ID)
	require.NoError(t, err)
	require.Equal(t, access.Lapsed, found.State)
	require.NoError(t, p.LapseChanges(p.ctx))
	require.NotEqual(t, r.ID, ask().ID, "a lapsed request is in nobody's way")
	require.Equal(t, "change.asked change.refused change.asked change.withdrawn change.asked change.lapsed change.asked",
		strings.Join(p.actions(t, p.tenant.ID)[3:], " "))

	stranger := p.second
	stranger.Tenant = p.other.ID
	_, err = p.ChangeRequest(p.ctx, stranger, r.ID)
	isNotFound(t, err)
	_, err = p.ConfirmChange(p.ctx, stranger, r.ID)
	isNotFound(t, err)
}

// An administrator whose account the asker made or reset within 30 days is no second one, nor the other way round.
func TestASecondAdministratorOfOnesOwnMaking(t *testing.T) {
	p := newPair(t)
	u, err := p.AddUser(p.ctx, p.first, db.User{Login: "puppet", Name: "Puppet", Password: "phc"}, access.Admin)
	_, err = p.ConfirmChange(p.ctx, p.second, asked(t, err).ID)
	require.NoError(t, err)
	puppet := access.Actor{Tenant: p.tenant.ID, ID: u.ID, User: "Puppet", Role: access.Admin, Human: true, Why: "x"}
	lift := p.hold(t)
	r := asked(t, lift(p.first))
	_, err = p.ConfirmChange(p.ctx, puppet, r.ID)
	is(t, domain.Denied, err)
	back := asked(t, p.SetRole(p.ctx, puppet, p.approver.ID, access.Viewer))
	_, err = p.ConfirmChange(p.ctx, p.first, back.ID)
	is(t, domain.Denied, err)
	d, err := p.Demand(p.ctx, p.first)
	require.NoError(t, err)
	require.Equal(t, access.Demand{On: true, Admins: 3, Able: 1}, d)
	require.NoError(t, p.Vouch(p.ctx, access.AtCommandLine(p.tenant.ID), puppet.ID, "met in person"))
	_, err = p.ConfirmChange(p.ctx, puppet, r.ID)
	require.NoError(t, err)
	require.Empty(t, must1(p.LegalHolds(p.ctx, p.tenant.ID)))
}

// Two administrators who both set up a third person stay two people: neither could act as the other. The third is one
// person with each of them.
func TestTwoWhoSetUpOnePersonStayTwo(t *testing.T) {
	p := newPair(t)
	lift := p.hold(t)
	r := asked(t, p.SetPassword(p.ctx, p.first, p.approver.ID, db.NewPassword{PHC: "phc"}))
	_, err := p.ConfirmChange(p.ctx, p.second, r.ID)
	require.NoError(t, err)
	r = asked(t, p.SetRole(p.ctx, p.second, p.approver.ID, access.Admin))
	_, err = p.ConfirmChange(p.ctx, p.first, r.ID)
	require.NoError(t, err)
	third := access.Actor{Tenant: p.tenant.ID, ID: p.approver.ID, User: "Third", Role: access.Admin, Human: true,
		Why: "x"}
	for _, by := range []access.Actor{p.first, p.second} {
		require.Equal(t, 1, must1(p.Demand(p.ctx, by)).Able, "the other one, not the third")
	}
	require.Zero(t, must1(p.Demand(p.ctx, third)).Able)
	r = asked(t, lift(p.first))
	_, err = p.ConfirmChange(p.ctx, third, r.ID)
	is(t, domain.Denied, err)
	_, err = p.ConfirmChange(p.ctx, p.second, r.ID)
	require.NoError(t, err)
}

// hold puts a session under legal hold, and returns what asks to lift it.
func (p *pair) hold(t *testing.T) func(a access.Actor) error {
	t.Helper()
	s := identify(sizedSession(1))
	p.insert(t, s)
	_, err := p.PutOnHold(p.ctx, p.first, erasure.Session, s.ID, "A case.")
	require.NoError(t, err, "setting one protects: it takes effect at once")
	require.Len(t, must1(p.LegalHolds(p.ctx, p.tenant.ID)), 1)
	return func(a access.Actor) error {
		_, err := p.LiftHold(p.ctx, a, erasure.Session, s.ID, "The case is over.")
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
			_, err := p.SetPolicy(p.ctx, a, 0, policy)
			return err
		},
		"new administrator": func(p *pair, a access.Actor) error {
			_, err := p.AddUser(p.ctx, a, db.User{Login: "new", Name: "New", Password: "phc"}, access.Admin)
			return err
		},
		"role": func(p *pair, a access.Actor) error {
			return p.SetRole(p.ctx, a, p.approver.ID, access.Admin)
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPair(t)
			u, err := p.AddUser(p.ctx, p.first, db.User{Login: "middle", Name: "Middle", Password: "phc"}, access.Admin)
			_, err = p.ConfirmChange(p.ctx, p.second, asked(t, err).ID)
			require.NoError(t, err)
			middle := access.Actor{Tenant: p.tenant.ID, ID: u.ID, User: "Middle", Role: access.Admin, Human: true,
				Why: "x"}
			u, err = p.AddUser(p.ctx, middle, db.User{Login: "far", Name: "Far", Password: "phc"}, access.Admin)
			_, err = p.ConfirmChange(p.ctx, p.second, asked(t, err).ID)
			require.NoError(t, err)
			far := access.Actor{Tenant: p.tenant.ID, ID: u.ID, User: "Far", Role: access.Admin, Human: true, Why: "x"}
			r := asked(t, do(p, p.first))
			_, err = p.ConfirmChange(p.ctx, far, r.ID)
			is(t, domain.Denied, err)
			_, err = p.ConfirmChange(p.ctx, p.second, r.ID)
			require.NoError(t, err)
		})
	}
}

// The demand outlives one of two administrators by 30 days, whoever removed them and how; and no administrator less
// brings it about where there was one only.
func TestDemandOutlivesOneOfTwo(t *testing.T) {
	for name, remove := range map[string]func(p *pair) error{
		"demoted": func(p *pair) error {
			return p.SetRole(p.ctx, access.AtCommandLine(p.tenant.ID), p.second.ID, access.Viewer)
		},
		"disabled": func(p *pair) error {
			return p.SetMemberDisabled(p.ctx, access.AtCommandLine(p.tenant.ID), p.second.ID, true)
		},
		"disabled everywhere": func(p *pair) error {
			return p.SetUserDisabled(p.ctx, access.AtCommandLine(p.tenant.ID), p.second.ID, true)
		},
		"by the two": func(p *pair) error {
			r := asked(t, p.SetMemberDisabled(p.ctx, p.first, p.second.ID, true))
			_, err := p.ConfirmChange(p.ctx, p.second, r.ID)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPair(t)
			require.NoError(t, remove(p))
			gone := p.now
			p.pass(access.MakerFor - time.Minute)
			d := must1(p.Demand(p.ctx, p.first))
			require.Equal(t, access.Demand{On: true, Until: gone.Add(access.MakerFor), Admins: 1}, d)
			r := asked(t, p.SetRole(p.ctx, p.first, p.approver.ID, access.Viewer))
			_, err := p.ConfirmChange(p.ctx, p.first, r.ID)
			is(t, domain.Denied, err)
			p.pass(2 * time.Minute)
			require.Equal(t, access.Demand{Admins: 1}, must1(p.Demand(p.ctx, p.first)))
		})
	}
	t.Run("the only one", func(t *testing.T) {
		p := newPeople(t)
		u := p.add(t, p.tenant, "only", access.Admin)
		require.NoError(t, p.SetUserDisabled(p.ctx, access.AtCommandLine(p.tenant.ID), u.ID, true))
		p.add(t, p.tenant, "next", access.Admin)
		require.False(t, must1(p.DemandsSecond(p.ctx, p.tenant.ID)))
	})
}

// A machine asks as whoever made its token, who does not confirm it. A password's hash goes when the request is
// decided.
func TestMachinesAskAndHashesGo(t *testing.T) {
	p := newPair(t)
	k, err := p.AddToken(p.ctx, p.first, access.Token{Name: "robot", Role: access.Admin, Hash: "h",
		ExpiresAt: p.now.Add(time.Hour)})
	require.NoError(t, err)
	machine := access.Actor{Tenant: p.tenant.ID, ID: k.ID, User: "robot", Role: access.Admin, Token: k.ID, Why: "x"}
	policy := pack.DefaultPolicy()
	policy.BulkConfirmsAll = true
	_, err = p.SetPolicy(p.ctx, machine, 0, policy)
	r := asked(t, err)
	_, err = p.ConfirmChange(p.ctx, p.first, r.ID)
	is(t, domain.Denied, err)
	_, err = p.ConfirmChange(p.ctx, p.second, r.ID)
	require.NoError(t, err)

	_, err = p.AddToken(p.ctx, access.AtCommandLine(p.tenant.ID), access.Token{Name: "laptop", UserID: p.approver.ID,
		Role: access.Approver, Hash: "h-approver", ExpiresAt: p.now.Add(time.Hour)})
	require.NoError(t, err)
	r = asked(t, p.SetPassword(p.ctx, p.first, p.approver.ID, db.NewPassword{PHC: "$argon2id$waiting"}))
	_, err = p.TokenActor(p.ctx, "h-approver", netip.Addr{})
	require.NoError(t, err, "nothing ends before it is confirmed")
	content := func() (text string) {
		require.NoError(t, dbtest.Raw(t, p.dir).QueryRow("SELECT content FROM change_requests WHERE id = ?", r.ID).Scan(&text))
		return text
	}
	require.Contains(t, content(), "waiting")
	_, err = p.ConfirmChange(p.ctx, p.second, r.ID)
	require.NoError(t, err)
	require.NotContains(t, content(), "waiting")
	_, err = p.TokenActor(p.ctx, "h-approver", netip.Addr{})
	isNotFound(t, err)
	u, err := p.User(p.ctx, p.approver.ID)
	require.NoError(t, err)
	require.Equal(t, "$argon2id$waiting", u.Password)
}
