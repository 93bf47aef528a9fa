package notify_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/access"
	"sanad/internal/domain/notify"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/webtest"
)

func withMail(o *web.Options) {
	o.Mail = &web.Mail{From: "sanad@sanad.test", Daily: notify.Schedule{Hour: 7}}
}

// An administrator sees how mails fare, sends a test message to themselves, and says whether mails name titles.
func TestMailPages(t *testing.T) {
	s := webtest.NewServer(t, withMail)
	ctx := context.Background()
	operator := access.AtCommandLine(s.Tenant.ID)
	require.Contains(t, s.Do("GET", "/admin/mail?lang=en", "").Body.String(), "no test message can be sent")
	require.Equal(t, 409, s.Post("/admin/mail/test", "").Code, "no address")
	require.NoError(t, s.Store.SetEmail(ctx, operator, s.Person("admin").ID, "admin@people.test"))
	require.Equal(t, 303, s.Post("/admin/mail/test", "").Code)
	page := s.Do("GET", "/admin/mail?lang=en&done=test", "").Body.String()
	for _, want := range []string{"sanad@sanad.test", "07:00 (UTC)", "admin@people.test", "The admin", "Test message", "Waiting"} {
		require.Contains(t, page, want)
	}
	require.NotContains(t, s.As("foreign").Do("GET", "/admin/mail?lang=en", "").Body.String(), "The admin")

	require.Equal(t, 303, s.Post("/admin/mail/titles", "titles=1").Code)
	require.Contains(t, s.Do("GET", "/admin/mail?lang=en", "").Body.String(), "E-mails show titles")
	events, err := s.Store.Events(ctx, s.Tenant.ID, 0, 1000)
	require.NoError(t, err)
	require.Equal(t, "tenant.changed", events[len(events)-1].Action)

	off := webtest.NewServer(t)
	require.Contains(t, off.Do("GET", "/admin/mail?lang=en", "").Body.String(), "No mail server is set up")
	account := off.Do("GET", "/account?lang=en", "").Body.String()
	require.Contains(t, account, "notifications are shown in Sanad only")
	require.NotContains(t, account, `action="/account/mail"`)
}

// People choose by kind on the page of their account and by the API; the link in a mail stops all, without a login, and
// only by a POST.
func TestMailSettings(t *testing.T) {
	s := webtest.NewServer(t, withMail).As("viewer")
	type settings struct {
		Available bool
		Address   *string
		Lang      *string
		Daily     *string
		Choices   []struct{ Kind, When string }
	}
	read := func() (settings, map[string]string) {
		t.Helper()
		got := webtest.Get[settings](t, s.Do("GET", "/api/v1/account/mail", ""), 200)
		by := map[string]string{}
		for _, c := range got.Choices {
			by[c.Kind] = c.When
		}
		require.Len(t, by, len(notify.Kinds))
		return got, by
	}
	got, by := read()
	require.True(t, got.Available)
	require.Nil(t, got.Address)
	require.Nil(t, got.Lang)
	require.Equal(t, "07:00 (UTC)", *got.Daily)
	require.Equal(t, "once", by["mentioned"])
	require.Equal(t, "daily", by["due"])

	require.Equal(t, 303, s.Post("/account/mail", "mail_mentioned=daily&mail_returned=off&lang=ar").Code)
	page := s.Do("GET", "/account?lang=en&done=mail", "").Body.String()
	require.Contains(t, page, "E-mail settings saved.")
	require.Contains(t, page, `<option value="off" selected>`)
	require.Equal(t, 422, s.Post("/account/mail", "mail_mentioned=hourly").Code)
	require.Equal(t, 422, s.Post("/account/mail", "lang=fr").Code)
	for _, bad := range []string{`{"lang":""}`, `{"lang":"fr"}`, `{"choices":[{"kind":"other","when":"off"}]}`,
		`{"choices":[{"kind":"mentioned","when":"hourly"}]}`} {
		require.Equal(t, 422, s.Do("PUT", "/api/v1/account/mail", bad).Code, bad)
	}
	require.Equal(t, 200, s.Do("PUT", "/api/v1/account/mail", `{"choices":[{"kind":"to_sign","when":"off"}]}`).Code)
	got, by = read()
	require.Equal(t, "ar", *got.Lang)
	require.Equal(t, map[string]string{"assigned": "once", "mentioned": "daily", "replied": "once", "resolved": "daily", "returned": "off",
		"to_sign": "off", "waits": "daily", "deputy": "once", "due": "daily"}, by)

	token := notify.OffToken(s.Keys.MAC, s.Tenant.ID, s.Person("viewer").ID, s.Clock.Now())
	nobody := s.As("")
	require.Equal(t, 200, nobody.Do("GET", "/mail/off?lang=en&t="+token, "").Code)
	_, by = read()
	require.Equal(t, "daily", by["mentioned"], "opening the link changes nothing")
	for _, bad := range []string{"", token + "0", "x.y.z." + token} {
		require.Equal(t, 404, nobody.Post("/mail/off?t="+bad, "List-Unsubscribe=One-Click").Code)
	}
	res := nobody.Post("/mail/off?lang=en&t="+token, "List-Unsubscribe=One-Click")
	require.Equal(t, 200, res.Code)
	require.Contains(t, res.Body.String(), "no more notifications by e-mail")
	_, by = read()
	for kind, when := range by {
		require.Equal(t, "off", when, kind)
	}
	other := webtest.Get[settings](t, s.As("reviewer").Do("GET", "/api/v1/account/mail", ""), 200)
	require.Equal(t, "once", other.Choices[0].When, "nobody else's")
}
