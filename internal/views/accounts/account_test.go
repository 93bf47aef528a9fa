package accounts

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/access"
	"sanad/internal/views/ui"
	"sanad/internal/views/viewtest"
)

func TestDeviceNames(t *testing.T) {
	en := viewtest.ChromeAt("en", "/account")
	for agent, want := range map[string]string{
		"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36":                                   "\u2068Chrome\u2069 on \u2068Linux\u2069",
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36 Edg/130.0":               "\u2068Edge\u2069 on \u2068Windows\u2069",
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:132.0) Gecko/20100101 Firefox/132.0":                                                    "\u2068Firefox\u2069 on \u2068macOS\u2069",
		"Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1": "\u2068Safari\u2069 on \u2068iPhone\u2069",
		"Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36":                   "\u2068Chrome\u2069 on \u2068Android\u2069",
		"curl/8.9": "curl", "": "Unknown browser", "<script>": "Unknown browser",
	} {
		require.Equal(t, want, newDevice(&en, agent), agent)
	}
}

func TestAccountPage(t *testing.T) {
	at := time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)
	in := AccountInput{
		Name: "Huda", Login: "huda", Role: access.Reviewer, HasPassword: true,
		Tenants: []TenantRow{{
			ID: "a", Name: "Ministry", Role: access.Reviewer, Current: true,
		}, {ID: "b", Name: "Bank", Role: access.Viewer}},
		Devices: []access.Login{{
			ID: "d1", Address: "192.0.2.1", CreatedAt: at, SeenAt: at,
		}, {ID: "d2", Address: "192.0.2.2", CreatedAt: at, SeenAt: at}},
		Here: "d1", Fault: &ui.FormFault{Field: "new", Word: "password_short"},
	}
	page := viewtest.Html(t, Account(NewAccountPage(viewtest.ChromeAt("en", "/account?done=nonsense"), in)))
	require.Contains(t, page, `action="/account/devices/d2/end"`)
	require.NotContains(t, page, `action="/account/devices/d1/end"`, "this device is ended by signing out")
	require.Contains(t, page, `id="p-new-e"`)
	require.Contains(t, page, `aria-describedby="p-new-e p-new-h"`)
	require.NotContains(t, page, `role="status">`+"nonsense")
	require.Contains(t, page, `<select id="a-t" name="tenant">`)

	in.Tenants, in.HasPassword, in.Devices = in.Tenants[:1], false, in.Devices[:1]
	page = viewtest.Html(t, Account(NewAccountPage(viewtest.ChromeAt("ar", "/account?done=tenant"), in)))
	require.NotContains(t, page, `name="tenant"`)
	require.NotContains(t, page, `type="password"`, "users of an identity provider have no password here")
	require.NotContains(t, page, `action="/account/devices/end"`)
	require.Contains(t, page, "أنت تعمل الآن لدى هذه الجهة")
}

func TestSecretsAppearOnTheirPageOnly(t *testing.T) {
	c := viewtest.ChromeAt("en", "/admin/users")
	require.Contains(t, viewtest.Html(t, Password(NewPasswordPage(c, "Huda", "huda", "pass-word", true))), "pass-word")
	require.Contains(t, viewtest.Html(t, Token(NewTokenPage(c, "Nightly", "sanad_x", "https://host", c.Now))),
		"sanad_x")
	codes := viewtest.Html(t, Recovery(NewRecoveryPage(c, []string{"aaaa-bbbb", "cccc-dddd"})))
	require.Contains(t, codes, "aaaa-bbbb")
	require.Contains(t, codes, "cccc-dddd")
}
