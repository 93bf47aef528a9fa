package auditlog_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
)

// everything does each thing that a store can do with people once, and returns their texts that must not be in a log.
func everything(t *testing.T, p *dbtest.People) (secrets []string) {
	t.Helper()
	tenant, err := p.AddTenant(p.Ctx, "ministry-slug", "Ministry-of-names")
	require.NoError(t, err)
	operator := access.AtCommandLine(tenant.ID)
	admin, u := p.AddPerson(t, tenant, "login-admin", access.Admin),
		p.AddPerson(t, tenant, "login-user", access.Approver)
	p.AlsoMember(t, p.Other, u, access.Viewer)
	a, self := dbtest.As(tenant, admin, access.Admin), dbtest.As(tenant, u, access.Approver)
	l := access.Login{ID: "login-id", TokenHash: "cookie-one", UserID: u.ID, TenantID: tenant.ID,
		Agent:   "agent-of-user",
		Address: "192.0.2.7"}
	require.NoError(t, p.CreateLogin(p.Ctx, self, l))
	k := p.MakeToken(t, tenant, u, access.Reviewer, "token-name")
	steps := []error{
		p.SetRole(p.Ctx, a, u.ID, access.Reviewer),
		p.LoginFailed(p.Ctx, access.Actor{From: "198.51.100.9", ID: "login-user", User: "Name-of-user"}, "failure-key",
			u.ID),
		p.LoginFailed(p.Ctx, access.Actor{From: "198.51.100.9", ID: "login-user", User: "Name-of-user"}, "failure-key",
			""),
		p.LogFailures(p.Ctx),
		p.SetTOTP(p.Ctx, self, u.ID, []byte("totp-secret"), []string{"recovery-hash"}),
		p.FreshenLogin(p.Ctx, self, l.ID, "cookie-two"),
		p.SwitchTenant(p.Ctx, self, l.ID, p.Other.ID),
		p.EndLogin(p.Ctx, self, l.ID),
		p.SetPassword(p.Ctx, self, u.ID, db.NewPassword{PHC: "password-phc"}),
		p.RevokeToken(p.Ctx, a, k.ID),
		p.SetMemberDisabled(p.Ctx, a, u.ID, true),
		p.SetMemberDisabled(p.Ctx, a, u.ID, false),
		p.SetUserDisabled(p.Ctx, operator, u.ID, true),
		p.SetUserDisabled(p.Ctx, operator, u.ID, false),
		p.SetFreshness(p.Ctx, a, 12),
		p.RenameTenant(p.Ctx, a, "Ministry-renamed"),
	}
	for i, err := range steps {
		require.NoError(t, err, i)
	}
	used, err := p.UseRecoveryCode(p.Ctx, self, u.ID, "recovery-hash")
	require.NoError(t, err)
	require.True(t, used)
	_, err = p.UserByIdentity(p.Ctx, "https://issuer.test", "subject-1", u.Email)
	require.NoError(t, err)
	return []string{
		"name-of", "login-admin", "login-user", "@example.test", "argon2id", "ministry", "cookie-", "agent-of",
		"192.0.2.7", "token-name",
		"hash of", "198.51.100.9", "failure-key", "totp-secret", "recovery-hash", "password-phc", "issuer.test",
		"subject-1",
	}
}

// TestTheLogNamesNobody checks that the log contains no names and no secrets, since it outlives a person's right to be
// forgotten (rule LOG-6).
func TestTheLogNamesNobody(t *testing.T) {
	p := dbtest.NewPeople(t)
	secrets := everything(t, p)
	d := dbtest.Raw(t, p.Dir)
	rows, err := d.Query("SELECT tenant_id, action, lower(CAST(bytes AS TEXT) || ' ' || actor || ' ' || object_id) FROM events")
	require.NoError(t, err)
	defer func() { require.NoError(t, rows.Close()) }()
	actions := map[string]bool{}
	for rows.Next() {
		var tenant, action, all string
		require.NoError(t, rows.Scan(&tenant, &action, &all))
		actions[action] = true
		for _, secret := range secrets {
			require.NotContains(t, all, secret, action)
		}
		require.Equal(t, action == "login.failed", strings.Contains(all, `"from":"hmac-sha256:`), all)
		if tenant == db.SystemTenant {
			require.Equal(t, "login.failed", action)
		}
	}
	require.NoError(t, rows.Err())
	for _, action := range []string{
		"tenant.added", "tenant.changed", "user.added", "user.role_changed", "user.disabled", "user.enabled",
		"user.password_changed",
		"user.totp_changed", "identity.linked", "login.succeeded", "login.failed", "login.freshened", "login.switched",
		"login.ended",
		"login.recovery_used", "token.added", "token.revoked",
	} {
		require.True(t, actions[action], "%s was logged", action)
	}
}

// TestNoChangeWithoutItsEvent checks that a change and its event are atomic: if the event can't be written,
// nothing has changed.
func TestNoChangeWithoutItsEvent(t *testing.T) {
	p := dbtest.NewPeople(t)
	u := p.AddPerson(t, p.Tenant, "u", access.Viewer)
	l, k := p.SignIn(t, p.Tenant, u, "l"), p.MakeToken(t, p.Tenant, u, access.Viewer, "k")
	require.NoError(t, p.SetTOTP(p.Ctx, dbtest.As(p.Tenant, u, access.Viewer), u.ID, []byte("s"), []string{"code"}))
	d := dbtest.Raw(t, p.Dir)
	_, err := d.Exec("CREATE TRIGGER full BEFORE INSERT ON events BEGIN SELECT raise(ABORT, 'disk full'); END")
	require.NoError(t, err)
	before := p.State(t)
	by, self := access.AtCommandLine(p.Tenant.ID), dbtest.As(p.Tenant, u, access.Viewer)
	for name, do := range map[string]func() error{
		"AddUser": func() error {
			_, err := p.AddUser(p.Ctx, by, db.User{Login: "n", Name: "N"}, access.Viewer)
			return err
		},
		"AddMember": func() error { return p.AddMember(p.Ctx, access.AtCommandLine(p.Other.ID), u.ID, access.Viewer) },
		"AddTenant": func() error { _, err := p.AddTenant(p.Ctx, "n", "N"); return err },
		"AddToken":  func() error { _, err := p.AddToken(p.Ctx, by, newToken(p.At)); return err },
		"CreateLogin": func() error {
			return p.CreateLogin(p.Ctx, self, access.Login{TokenHash: "n", UserID: u.ID, TenantID: p.Tenant.ID})
		},
		"EndLogin":          func() error { return p.EndLogin(p.Ctx, self, l.ID) },
		"FreshenLogin":      func() error { return p.FreshenLogin(p.Ctx, self, l.ID, "n") },
		"RenameTenant":      func() error { return p.RenameTenant(p.Ctx, by, "N") },
		"RevokeToken":       func() error { return p.RevokeToken(p.Ctx, by, k.ID) },
		"SetFreshness":      func() error { return p.SetFreshness(p.Ctx, by, 3) },
		"SetMemberDisabled": func() error { return p.SetMemberDisabled(p.Ctx, by, u.ID, true) },
		"SetPassword":       func() error { return p.SetPassword(p.Ctx, by, u.ID, db.NewPassword{PHC: "n"}) },
		"SetRole":           func() error { return p.SetRole(p.Ctx, by, u.ID, access.Admin) },
		"SetTOTP":           func() error { return p.SetTOTP(p.Ctx, by, u.ID, nil, nil) },
		"SetEmail":          func() error { return p.SetEmail(p.Ctx, by, u.ID, "n@example.com") },
		"SetUserDisabled":   func() error { return p.SetUserDisabled(p.Ctx, by, u.ID, true) },
		"UseRecoveryCode":   func() error { _, err := p.UseRecoveryCode(p.Ctx, self, u.ID, "code"); return err },
		"UserByIdentity":    func() error { _, err := p.UserByIdentity(p.Ctx, "i", "s", u.Email); return err },
	} {
		dbtest.RequireKind(t, domain.Internal, do())
		require.Equal(t, before, p.State(t), name)
	}
}

func newToken(now time.Time) access.Token {
	return access.Token{Name: "n", Role: access.Viewer, Hash: "n", ExpiresAt: now.Add(time.Hour)}
}
