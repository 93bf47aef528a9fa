package accounts

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/access"
	"sanad/internal/domain/audit"
	"sanad/internal/views/ui"
	"sanad/internal/views/viewtest"
	"sanad/internal/words"
)

func TestFaultsInTheReadersLanguage(t *testing.T) {
	en, ar := viewtest.ChromeAt("en", "/"), viewtest.ChromeAt("ar", "/")
	known, other := &ui.FormFault{
		Field: "role", Word: "last_admin",
	}, &ui.FormFault{Field: "name", Message: words.Msg("refused_role")}
	require.Equal(t, "Your role does not allow this.", en.FaultAt(other, "name"))
	require.Equal(t, words.In("ar").Text("refused_role"), ar.FaultAt(other, "name"))
	require.Empty(t, en.FaultAt(other, "role"))
	require.Empty(t, en.FaultAt(nil, "role"))
	require.Contains(t, en.FaultAt(known, "role"), "last administrator")
	require.Equal(t, words.In("ar").Text("fault_last_admin"), ar.FaultAt(known, "role"))
}

func TestUserPageOffersWhatMayBeDone(t *testing.T) {
	member := access.Member{ID: "u1", Name: "Huda", Login: "huda", Role: access.Viewer, TOTP: true}
	for name, c := range map[string]struct {
		change         func(*access.Member)
		offers, hidden []string
	}{
		"a member": {func(*access.Member) {}, []string{"/role", "/password", "/disable", "/totp-off"},
			[]string{"/enable"}},
		"disabled": {func(r *access.Member) { r.Disabled = true }, []string{"/role", "/enable"}, []string{"/disable"}},
		"by operator": {func(r *access.Member) { r.Disabled, r.Everywhere = true, true }, []string{"/role"},
			[]string{"/disable", "/enable"}},
		"of others": {func(r *access.Member) { r.Others = 1 }, []string{"/role", "/disable"},
			[]string{"/password", "/totp-off"}},
		"oneself": {func(r *access.Member) { r.ID = "me" }, []string{"/role", "/disable"},
			[]string{"/password", "/totp-off"}},
		"no app": {func(r *access.Member) { r.TOTP = false }, []string{"/password"}, []string{"/totp-off"}},
	} {
		t.Run(name, func(t *testing.T) {
			row := member
			c.change(&row)
			page := viewtest.Html(t, User(NewUserPage(viewtest.ChromeAt("en", "/admin/users/u1"), row, "me", nil)))
			for _, path := range c.offers {
				require.Contains(t, page, `action="/admin/users/`+row.ID+path+`"`)
			}
			for _, path := range c.hidden {
				require.NotContains(t, page, `action="/admin/users/`+row.ID+path+`"`)
			}
		})
	}
}

func TestTokenStates(t *testing.T) {
	c := viewtest.ChromeAt("en", "/admin/tokens")
	for want, row := range map[string]access.Token{
		"valid":   {ExpiresAt: c.Now.Add(time.Second)},
		"expired": {ExpiresAt: c.Now},
		"revoked": {ExpiresAt: c.Now.Add(time.Hour), RevokedAt: c.Now},
	} {
		row.ID, row.Name, row.CreatedBy = "k1", "Nightly", access.Operator
		page := viewtest.Html(t, Tokens(NewTokensPage(c, []access.Token{row}, nil, ui.AdminList{Total: 1}, TokenForm{})))
		require.Contains(t, page, `<tr class="is-`+want+`">`)
		require.Contains(t, page, ">Operator</bdi>")
		if want == "valid" {
			require.Contains(t, page, `href="/admin/tokens/k1/revoke"`)
		} else {
			require.NotContains(t, page, `href="/admin/tokens/k1/revoke"`)
		}
	}
}

func TestKeysInUseComeFirst(t *testing.T) {
	c := viewtest.ChromeAt("en", "/admin/keys?done=log")
	p := NewKeysPage(c, []audit.PublicKey{
		{
			ID: "SHA256:a+b/c", Purpose: "log", CreatedAt: c.Now, RetiredAt: c.Now.Add(time.Hour),
		}, {
			ID: "SHA256:new", Purpose: "log", CreatedAt: c.Now.Add(time.Hour), RetiredAt: time.Time{},
		}, {ID: "SHA256:s", Purpose: "sign", CreatedAt: c.Now, RetiredAt: time.Time{}},
	}, TrustForm{})
	require.Equal(t, "sign", p.Groups[0].Purpose)
	require.Equal(t, "SHA256:new", p.Groups[1].Keys[0].ID)
	require.Equal(t, "/admin/keys/public?id=SHA256%3Aa%2Bb%2Fc", p.Groups[1].Keys[1].Href)
	require.NotEmpty(t, p.Done)
}

// Each fault and each kind has a message.
func TestFamiliesOfAccounts(t *testing.T) {
	families := map[string][]string{
		"tok_state_": {"valid", "expired", "revoked"}, "sig_": keyPurposes, "sig_rotate_": keyPurposes,
		"sig_done_":     keyPurposes,
		"acc_password_": {"current", "new", "again"}, "adm_user_": {"name", "login", "email"},
		"tok_": {"name", "days"}, "ten_": {"name", "months"},
		"acc_done_": {"password", "totp_off", "device", "devices", "tenant"},
		"adm_done_": {"role", "disabled", "enabled", "totp_off"},
		"actor_":    {access.Operator, access.System, access.Anonymous},
		"fault_": {"password_short", "password_long", "password_signs", "password_repeated", "password_login",
			"password_common", "password_again",
			"password_wrong", "password_wait", "totp_wrong", "totp_used", "login_taken", "login_form", "email_form",
			"name_form", "role_unknown",
			"last_admin", "other_tenants", "token_days", "token_person", "months"},
	}
	for _, r := range access.Roles {
		families["role_"] = append(families["role_"], string(r))
	}
	viewtest.HasWords(t, families)
}

// TestADeputysTimeIsSaidInDays: whole days are said as days, the last one included, in a request and in the list alike.
func TestADeputysTimeIsSaidInDays(t *testing.T) {
	c := viewtest.ChromeAt("en", "/")
	starts := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	ends := starts.AddDate(0, 0, 14)
	want := "from 1 Dec 2026 to 14 Dec 2026 (inclusive)"
	p := NewChangesPage(c, ChangesInput{All: []access.Request{{State: access.Asked, Change: access.Change{
		Kind: access.NameDeputy, Name: "Sara", Deputy: &access.DeputyChange{Name: "Lina", Starts: starts, Ends: ends}}}}})
	require.Contains(t, p.Waiting[0].What, want)
	d := access.Deputy{For: access.Person{ID: "s", Name: "Sara"}, By: access.Person{ID: "l", Name: "Lina"}, Starts: starts,
		Ends: ends}
	panel := NewDeputyPanel(c, DeputyInput{Of: d.For, Own: []access.Deputy{d}})
	require.Contains(t, panel.Own[0].Says, want)
}
