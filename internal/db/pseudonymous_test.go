package db_test

import (
	"fmt"
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
func everything(t *testing.T, p *people) (secrets []string) {
	t.Helper()
	tenant, err := p.AddTenant(p.ctx, "ministry-slug", "Ministry-of-names")
	require.NoError(t, err)
	operator := access.AtCommandLine(tenant.ID)
	admin, u := p.add(t, tenant, "login-admin", access.Admin), p.add(t, tenant, "login-user", access.Approver)
	p.also(t, p.other, u, access.Viewer)
	a, self := as(tenant, admin, access.Admin), as(tenant, u, access.Approver)
	l := access.Login{ID: "login-id", TokenHash: "cookie-one", UserID: u.ID, TenantID: tenant.ID, Agent: "agent-of-user",
		Address: "192.0.2.7"}
	require.NoError(t, p.CreateLogin(p.ctx, self, l))
	k := p.token(t, tenant, u, access.Reviewer, "token-name")
	steps := []error{
		p.SetRole(p.ctx, a, u.ID, access.Reviewer),
		p.LoginFailed(p.ctx, access.Actor{From: "198.51.100.9", ID: "login-user", User: "Name-of-user"}, "failure-key",
			u.ID),
		p.LoginFailed(p.ctx, access.Actor{From: "198.51.100.9", ID: "login-user", User: "Name-of-user"}, "failure-key",
			""),
		p.LogFailures(p.ctx),
		p.SetTOTP(p.ctx, self, u.ID, []byte("totp-secret"), []string{"recovery-hash"}),
		p.FreshenLogin(p.ctx, self, l.ID, "cookie-two"),
		p.SwitchTenant(p.ctx, self, l.ID, p.other.ID),
		p.EndLogin(p.ctx, self, l.ID),
		p.SetPassword(p.ctx, self, u.ID, db.NewPassword{PHC: "password-phc"}),
		p.RevokeToken(p.ctx, a, k.ID),
		p.SetMemberDisabled(p.ctx, a, u.ID, true),
		p.SetMemberDisabled(p.ctx, a, u.ID, false),
		p.SetUserDisabled(p.ctx, operator, u.ID, true),
		p.SetUserDisabled(p.ctx, operator, u.ID, false),
		p.SetFreshness(p.ctx, a, 12),
		p.RenameTenant(p.ctx, a, "Ministry-renamed"),
	}
	for i, err := range steps {
		require.NoError(t, err, i)
	}
	used, err := p.UseRecoveryCode(p.ctx, self, u.ID, "recovery-hash")
	require.NoError(t, err)
	require.True(t, used)
	_, err = p.UserByIdentity(p.ctx, "https://issuer.test", "subject-1", u.Email)
	require.NoError(t, err)
	return []string{
		"name-of", "login-admin", "login-user", "@example.test", "argon2id", "ministry", "cookie-", "agent-of",
		"192.0.2.7", "token-name",
		"hash of", "198.51.100.9", "failure-key", "totp-secret", "recovery-hash", "password-phc", "issuer.test", "subject-1",
	}
}

// TestTheLogNamesNobody checks that the log contains no names and no secrets, since it outlives a person's right to be
// forgotten (rule LOG-6).
func TestTheLogNamesNobody(t *testing.T) {
	p := newPeople(t)
	secrets := everything(t, p)
	d := dbtest.Raw(t, p.dir)
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
	p := newPeople(t)
	u := p.add(t, p.tenant, "u", access.Viewer)
	l, k := p.signIn(t, p.tenant, u, "l"), p.token(t, p.tenant, u, access.Viewer, "k")
	require.NoError(t, p.SetTOTP(p.ctx, as(p.tenant, u, access.Viewer), u.ID, []byte("s"), []string{"code"}))
	d := dbtest.Raw(t, p.dir)
	_, err := d.Exec("CREATE TRIGGER full BEFORE INSERT ON events BEGIN SELECT raise(ABORT, 'disk full'); END")
	require.NoError(t, err)
	before := p.state(t)
	by, self := access.AtCommandLine(p.tenant.ID), as(p.tenant, u, access.Viewer)
	for name, do := range map[string]func() error{
		"AddUser": func() error {
			_, err := p.AddUser(p.ctx, by, db.User{Login: "n", Name: "N"}, access.Viewer)
			return err
		},
		"AddMember": func() error { return p.AddMember(p.ctx, access.AtCommandLine(p.other.ID), u.ID, access.Viewer) },
		"AddTenant": func() error { _, err := p.AddTenant(p.ctx, "n", "N"); return err },
		"AddToken":  func() error { _, err := p.AddToken(p.ctx, by, newToken(p.now)); return err },
		"CreateLogin": func() error {
			return p.CreateLogin(p.ctx, self, access.Login{TokenHash: "n", UserID: u.ID, TenantID: p.tenant.ID})
		},
		"EndLogin":          func() error { return p.EndLogin(p.ctx, self, l.ID) },
		"FreshenLogin":      func() error { return p.FreshenLogin(p.ctx, self, l.ID, "n") },
		"RenameTenant":      func() error { return p.RenameTenant(p.ctx, by, "N") },
		"RevokeToken":       func() error { return p.RevokeToken(p.ctx, by, k.ID) },
		"SetFreshness":      func() error { return p.SetFreshness(p.ctx, by, 3) },
		"SetMemberDisabled": func() error { return p.SetMemberDisabled(p.ctx, by, u.ID, true) },
		"SetPassword":       func() error { return p.SetPassword(p.ctx, by, u.ID, db.NewPassword{PHC: "n"}) },
		"SetRole":           func() error { return p.SetRole(p.ctx, by, u.ID, access.Admin) },
		"SetTOTP":           func() error { return p.SetTOTP(p.ctx, by, u.ID, nil, nil) },
		"SetEmail":          func() error { return p.SetEmail(p.ctx, by, u.ID, "n@example.com") },
		"SetUserDisabled":   func() error { return p.SetUserDisabled(p.ctx, by, u.ID, true) },
		"UseRecoveryCode":   func() error { _, err := p.UseRecoveryCode(p.ctx, self, u.ID, "code"); return err },
		"UserByIdentity":    func() error { _, err := p.UserByIdentity(p.ctx, "i", "s", u.Email); return err },
	} {
		is(t, domain.Internal, do())
		require.Equal(t, before, p.state(t), name)
	}
}

func newToken(now time.Time) access.Token {
	return access.Token{Name: "n", Role: access.Viewer, Hash: "n", ExpiresAt: now.Add(time.Hour)}
}

// state returns everything stored about people.
func (p *people) state(t *testing.T) (out []string) {
	t.Helper()
	d := dbtest.Raw(t, p.dir)
	for _, table := range []string{"tenants", "users", "memberships", "identities", "recovery_codes", "logins",
		"login_failures", "api_tokens"} {
		rows, err := d.Query("SELECT * FROM " + table)
		require.NoError(t, err)
		columns, err := rows.Columns()
		require.NoError(t, err)
		for rows.Next() {
			cells := make([]any, len(columns))
			for i := range cells {
				cells[i] = new(any)
			}
			require.NoError(t, rows.Scan(cells...))
			line := table
			for _, c := range cells {
				line += fmt.Sprintf("|%v", *c.(*any))
			}
			out = append(out, line)
		}
		require.NoError(t, rows.Err())
		require.NoError(t, rows.Close())
	}
	return out
}
