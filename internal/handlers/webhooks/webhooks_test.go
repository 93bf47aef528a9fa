package webhooks_test

import (
	"context"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/domain/webhook"
	"sanad/internal/handlers/webtest"
)

type hookAnswer struct {
	Webhook struct {
		ID      string `json:"webhook_id"`
		URL     string
		Kinds   []string
		Enabled bool
		Waiting int
	}
	Secret string
}

const hookBody = `{"url":"https://hooks.example/sanad?key=swordfish","kinds":["session.imported","session.judged"]}`

func TestWebhooksByAPI(t *testing.T) {
	s := webtest.NewServer(t)
	res := s.Do("POST", "/api/v1/webhooks", hookBody)
	made := webtest.Get[hookAnswer](t, res, 201)
	at := "/api/v1/webhooks/" + made.Webhook.ID
	require.Equal(t, at, res.Header().Get("Location"))
	require.Regexp(t, `^whsec_[A-Za-z0-9+/]{43}=$`, made.Secret)
	require.True(t, made.Webhook.Enabled)

	s.Create(webtest.LeavePolicy)
	list := webtest.Get[struct {
		Deliveries []struct{ Kind, State string }
		Next       *string
	}](t, s.Do("GET", at+"/deliveries?limit=1", ""), 200)
	require.Equal(t, "session.judged", list.Deliveries[0].Kind)
	require.Equal(t, "waiting", list.Deliveries[0].State)
	require.NotNil(t, list.Next)
	rest := s.Do("GET", at+"/deliveries?after="+*list.Next, "")
	require.Contains(t, rest.Body.String(), `"kind":"session.imported"`)
	require.Contains(t, rest.Body.String(), `"next":null`)

	require.Equal(t, 428, s.Do("PATCH", at, `{"enabled":false}`).Code)
	tag := res.Header().Get("ETag")
	res = s.Do("PATCH", at, `{"enabled":false}`, "If-Match", tag, "Idempotency-Key", "k1")
	require.Equal(t, 200, res.Code)
	require.NotEqual(t, tag, res.Header().Get("ETag"))
	again := s.Do("PATCH", at, `{"enabled":false}`, "If-Match", tag, "Idempotency-Key", "k1")
	require.Equal(t, "true", again.Header().Get("Idempotent-Replayed"))
	require.Equal(t, 412, s.Do("PATCH", at, `{"enabled":true}`, "If-Match", tag).Code)
	require.Equal(t, 409, s.Do("POST", at+"/test", "").Code, "it is disabled")
	require.Equal(t, 200, s.Do("PATCH", at, `{"enabled":true,"kinds":["pack.purged"]}`, "If-Match",
		res.Header().Get("ETag")).Code)

	first := s.Do("POST", at+"/test", "", "Idempotency-Key", "k2")
	require.Equal(t, 202, first.Code)
	require.Equal(t, first.Body.String(), s.Do("POST", at+"/test", "", "Idempotency-Key", "k2").Body.String())
	renewed := webtest.Get[hookAnswer](t, s.Do("POST", at+"/rotate", ""), 200)
	require.NotEqual(t, made.Secret, renewed.Secret)
	for _, path := range []string{at, "/api/v1/webhooks", at + "/deliveries"} {
		require.NotContains(t, s.Do("GET", path, "").Body.String(), "whsec_")
	}
	require.Equal(t, 204, s.Do("DELETE", at, "").Code)
	require.Equal(t, 404, s.Do("DELETE", at, "").Code)
	require.Equal(t, 404, s.Do("GET", at, "").Code)
}

func TestBadWebhooks(t *testing.T) {
	s := webtest.NewServer(t)
	for body, path := range map[string]string{
		`{"url":"ftp://x","kinds":["pack.purged"]}`:                      "url",
		`{"url":"https://u:p@hooks.example/","kinds":["pack.purged"]}`:   "url",
		`{"url":"https://127.0.0.1/","kinds":["pack.purged"]}`:           "url",
		`{"url":"http://hooks.example/","kinds":["pack.purged"]}`:        "url",
		`{"url":"https://hooks.example/","kinds":[]}`:                    "kinds",
		`{"url":"https://hooks.example/","kinds":["login.failed"]}`:      "kinds",
		`{"url":"https://hooks.example/"}`:                               "kinds",
		`{"url":"https://hooks.example/","kinds":["pack.purged","nix"]}`: "kinds",
	} {
		require.Equal(t, path, webtest.Get[webtest.Problem](t, s.Do("POST", "/api/v1/webhooks", body), 422).Path, body)
	}
	require.Equal(t, 400, s.Do("POST", "/api/v1/webhooks", `{"url":`).Code)
	require.Equal(t, 422, s.Do("POST", "/api/v1/webhooks",
		`{"url":"https://hooks.example/","kinds":["pack.purged"],"secret":"x"}`).Code)
	require.Equal(t, `{"webhooks":[]}`, strings.TrimSpace(s.Do("GET", "/api/v1/webhooks", "").Body.String()))
	for range 20 {
		require.Equal(t, 201, s.Do("POST", "/api/v1/webhooks", hookBody).Code)
	}
	require.Equal(t, 409, s.Do("POST", "/api/v1/webhooks", hookBody).Code)
	page := s.Post("/admin/webhooks", "url=https%3A%2F%2Fhooks.example%2F&kind=pack.purged")
	require.Equal(t, 409, page.Code)
	require.Contains(t, page.Body.String(), "remove one first")
}

func TestWebhookPages(t *testing.T) {
	s := webtest.NewServer(t)
	private := s.Post("/admin/webhooks", "url=https%3A%2F%2F10.0.0.1%2F&kind=pack.purged")
	require.Equal(t, 422, private.Code)
	require.Contains(t, private.Body.String(), "--webhook-allow")
	bad := s.Post("/admin/webhooks", "url=nonsense&kind=pack.purged&kind=session.imported")
	require.Equal(t, 422, bad.Code)
	require.Contains(t, bad.Body.String(), `value="nonsense"`, "what was typed is kept")
	require.Len(t, regexp.MustCompile(`name="kind" value="[a-z_.]+" checked`).FindAllString(bad.Body.String(), -1), 2)
	require.Contains(t, bad.Body.String(), "Give an address")
	require.Contains(t, s.Post("/admin/webhooks", "url=https%3A%2F%2Fhooks.example%2F").Body.String(),
		"Choose at least one event")

	made := s.Post("/admin/webhooks", "url=https%3A%2F%2Fhooks.example%2Fx&kind=session.imported").Body.String()
	secret := regexp.MustCompile(`whsec_[A-Za-z0-9+/]{43}=`).FindString(made)
	require.NotEmpty(t, secret)
	at := regexp.MustCompile(`/admin/webhooks/[0-9a-f-]{36}`).FindString(made)
	list := s.Do("GET", "/admin/webhooks", "").Body.String()
	require.Contains(t, list, `href="`+at+`"`)

	require.Equal(t, 303, s.Post(at+"/test", "").Code)
	hook, err := s.Store.Webhooks(context.Background(), s.Tenant.ID)
	require.NoError(t, err)
	due, err := s.Store.DueDeliveries(context.Background(), s.Clock.Now(), 1)
	require.NoError(t, err)
	require.NoError(t, s.Store.SaveAttempt(context.Background(),
		db.Attempt{No: due[0].No, Tenant: s.Tenant.ID, Webhook: hook[0].ID,
			State: db.DeliveryWaiting, NextAt: s.Clock.Now().Add(10e9), Status: 302, Reason: "redirect"}))
	page := s.Do("GET", at+"?done=tested", "").Body.String()
	for _, want := range []string{"A test event is on its way", "redirects are not followed", ">302", "next attempt",
		at + "/disable", at + "/rotate", at + "/remove"} {
		require.Contains(t, page, want)
	}
	require.NotContains(t, page, at+"/enable")
	require.Equal(t, 303, s.Post(at+"/disable", "").Code)
	page = s.Do("GET", at, "").Body.String()
	require.Contains(t, page, at+"/enable")
	require.NotContains(t, page, at+"/test")
	require.Equal(t, 409, s.Post(at+"/test", "").Code)
	require.NotContains(t, list+page, "whsec_")
	require.NotContains(t, s.Post(at+"/rotate", "").Body.String(), secret)
	log := s.Do("GET", "/audit", "").Body.String()
	for _, want := range []string{"added the webhook to", "sent a test event to the webhook", "disabled the webhook to",
		"a new secret", `href="` + at + `"`} {
		require.Contains(t, log, want)
	}
	export := s.Do("GET", "/audit/export", "")
	require.Equal(t, 200, export.Code)
	require.Contains(t, export.Body.String(), "webhook.rotated")
	require.NotContains(t, export.Body.String(), "hooks.example", "the log itself names no address")
	require.Equal(t, 303, s.Post(at+"/remove", "").Code)
	require.Equal(t, 404, s.Do("GET", at, "").Code)
}

// What was typed into the form is filled in again after the password was asked for.
func TestTypedWebhookSurvivesTheConfirmation(t *testing.T) {
	s := webtest.NewServer(t)
	s.Person("admin")
	s.Clock.Move(6 * time.Minute)
	b := s.Browser("admin")
	typed := webtest.Form("url", "https://hooks.example/"+strings.Repeat("x", 300))
	for _, kind := range webhook.Kinds {
		typed += "&kind=" + kind
	}
	to := b.Ask("POST", "/admin/webhooks", typed).Header().Get("Location")
	require.Equal(t, 303, b.Ask("POST", to, webtest.Form("password", webtest.Password)).Code)
	page := b.Ask("GET", "/admin/webhooks", "").Body.String()
	require.Contains(t, page, `value="https://hooks.example/`+strings.Repeat("x", 300)+`"`)
	require.Len(t, regexp.MustCompile(`name="kind"[^>]* checked`).FindAllString(page, -1), len(webhook.Kinds))
}
