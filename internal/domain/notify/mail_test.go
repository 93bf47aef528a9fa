package notify_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/notify"
)

func TestMailTo(t *testing.T) {
	for _, c := range []struct{ login, email, contact, slug, want string }{
		{login: "sara", email: "sara@example.test", contact: "", slug: "main", want: "sara@example.test"},
		{login: "sara", email: "", contact: "", slug: "main", want: ""},
		{login: "sara@a", email: "", contact: "sara@example.test", slug: "a", want: "sara@example.test"},
		{login: "sara@a.2", email: "", contact: "sara@example.test", slug: "a", want: "sara@example.test"},
		{login: "sara@a", email: "", contact: "sara@example.test", slug: "b", want: ""},   // of another tenant's administrator
		{login: "sara@a.x", email: "", contact: "sara@example.test", slug: "a", want: ""}, // a name of no tenant
		{login: "sara", email: "", contact: "sara@example.test", slug: "a", want: ""},     // an address that nobody can have set
		{login: "sara@a", email: "s@example.test", contact: "x@example.test", slug: "b", want: "s@example.test"},
	} {
		require.Equal(t, c.want, notify.MailTo(c.login, c.email, c.contact, c.slug), "%+v", c)
	}
}

func TestMailWait(t *testing.T) {
	total := time.Duration(0)
	for attempt := 1; attempt < notify.MailAttempts; attempt++ {
		wait, more := notify.MailWait(attempt, 0)
		require.True(t, more)
		sooner, _ := notify.MailWait(attempt, 0.999)
		require.Less(t, sooner, wait)
		require.GreaterOrEqual(t, sooner, wait*3/4)
		total += wait
	}
	require.Greater(t, total, 18*time.Hour, "an outage of a night passes")
	require.Less(t, total, 48*time.Hour)
	_, more := notify.MailWait(notify.MailAttempts, 0)
	require.False(t, more)
}

func TestSchedule(t *testing.T) {
	at := func(text string) time.Time {
		out, err := time.Parse(time.RFC3339, text)
		require.NoError(t, err)
		return out
	}
	for _, c := range []struct{ hour, zone, after, next string }{
		{hour: "07:00", zone: "UTC", after: "2026-03-01T06:59:59Z", next: "2026-03-01T07:00:00Z"},
		{hour: "07:00", zone: "UTC", after: "2026-03-01T07:00:00Z", next: "2026-03-02T07:00:00Z"},
		{hour: "07:00", zone: "+03:00", after: "2026-03-01T03:30:00Z", next: "2026-03-01T04:00:00Z"},
		{hour: "07:00", zone: "+03:00", after: "2026-03-31T20:00:00Z", next: "2026-04-01T04:00:00Z"},
		{hour: "23:30", zone: "-05:00", after: "2026-12-31T23:59:00Z", next: "2027-01-01T04:30:00Z"},
	} {
		s, err := notify.ParseSchedule(c.hour, c.zone)
		require.NoError(t, err)
		require.Equal(t, at(c.next), s.Next(at(c.after)), "%+v", c)
	}
	for _, c := range [][2]string{{"7", "UTC"}, {"24:00", "UTC"}, {"07:00", "Nowhere"}, {"07:00", "+3"}, {"07:00", "Local"},
		{"", "UTC"}} {
		_, err := notify.ParseSchedule(c[0], c[1])
		require.Error(t, err, c)
	}
	require.Equal(t, "00:00 (UTC)", notify.Schedule{}.String())
	seven := notify.Schedule{Hour: 7}
	require.Equal(t, at("2026-03-01T04:00:00Z"), seven.In("Asia/Riyadh").Next(at("2026-03-01T03:59:59Z")))
	require.Equal(t, seven, seven.In("").In("Nowhere/At all"))
}

func TestChoices(t *testing.T) {
	var none notify.Choices
	require.Equal(t, notify.Once, none.Of(notify.ToSign))
	require.Equal(t, notify.Daily, none.Of("of a later version"), "nobody is flooded by what they never chose")
	got, err := none.With(notify.Choices{notify.Mentioned: notify.Off})
	require.NoError(t, err)
	require.Equal(t, notify.Off, got.Of(notify.Mentioned))
	require.Equal(t, notify.Once, got.Of(notify.Returned))
	require.Len(t, got, len(notify.Kinds))
	for _, bad := range []notify.Choices{{"other": notify.Off}, {notify.Mentioned: "sometimes"}, {notify.Mentioned: ""}} {
		_, err := none.With(bad)
		require.Error(t, err)
	}
	for _, k := range notify.Kinds {
		require.Equal(t, notify.Off, notify.AllOff().Of(k))
	}
}

func TestOffToken(t *testing.T) {
	mac := func(context, text string) string { return context + "|" + strings.ReplaceAll(text, ".", "|") }
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	token := notify.OffToken(mac, "tenant", "user", now)
	tenant, user, ok := notify.ReadOffToken(mac, token, now.Add(notify.OffKeptFor))
	require.True(t, ok)
	require.Equal(t, []string{"tenant", "user"}, []string{tenant, user})
	_, _, ok = notify.ReadOffToken(mac, token, now.Add(notify.OffKeptFor+time.Second))
	require.False(t, ok, "it is too old")
	other := func(_, text string) string { return text }
	_, _, ok = notify.ReadOffToken(other, token, now)
	require.False(t, ok, "of another key")
	for _, bad := range []string{"", ".", "...", token + ".", token + "x", strings.Replace(token, "user", "uzer", 1),
		strings.Repeat("a", 600), "a.b.c.d"} {
		_, _, ok = notify.ReadOffToken(mac, bad, now)
		require.False(t, ok, bad)
	}
}
