package models_test

import (
	"context"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db/dbtest"
	"sanad/internal/domain/model"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/webtest"
	"sanad/internal/words"
)

const endpointBody = `{"name":"Gateway","kind":"openai","url":"https://models.example/v1","model":"qwen3","key":"sk-swordfish",
	"price_in":2.5,"day_cost":10,"run_tokens":1000}`

type endpointAnswer struct {
	ID      string `json:"model_id"`
	Name    string
	HasKey  bool    `json:"has_key"`
	PriceIn float64 `json:"price_in"`
	DayCost float64 `json:"day_cost"`
	Timeout float64 `json:"timeout_seconds"`
	Redact  bool
	Enabled bool
	Today   *struct{ Calls int } `json:"spent_today"`
}

// TestEndpointsByAPI: an endpoint is added, read, changed at its revision and removed; its key is in no answer.
func TestEndpointsByAPI(t *testing.T) {
	s := webtest.NewServer(t)
	res := s.Do("POST", "/api/v1/models", endpointBody, "Idempotency-Key", "k1")
	made := webtest.Get[endpointAnswer](t, res, 201)
	require.Equal(t, endpointAnswer{ID: made.ID, Name: "Gateway", HasKey: true, PriceIn: 2.5, DayCost: 10, Timeout: 60,
		Redact: true, Enabled: true}, made)
	again := s.Do("POST", "/api/v1/models", endpointBody, "Idempotency-Key", "k1")
	require.Equal(t, "true", again.Header().Get("Idempotent-Replayed"))
	require.Equal(t, "name", webtest.Get[webtest.Problem](t, s.Do("POST", "/api/v1/models", endpointBody), 422).Path)
	at := "/api/v1/models/" + made.ID
	require.Equal(t, at, res.Header().Get("Location"))

	shown := s.Do("GET", at, "")
	require.NotNil(t, webtest.Get[endpointAnswer](t, shown, 200).Today)
	require.Equal(t, 428, s.Do("PATCH", at, `{"enabled":false}`).Code)
	tag := shown.Header().Get("ETag")
	changed := s.Do("PATCH", at, `{"enabled":false,"day_cost":0.5}`, "If-Match", tag)
	require.Equal(t, []any{false, 0.5}, []any{webtest.Get[endpointAnswer](t, changed, 200).Enabled,
		webtest.Get[endpointAnswer](t, changed, 200).DayCost})
	require.Equal(t, 412, s.Do("PATCH", at, `{"enabled":true}`, "If-Match", tag).Code)
	elsewhere := s.Do("PATCH", at, `{"url":"https://other.example/v1"}`, "If-Match", "*")
	require.Equal(t, "key", webtest.Get[webtest.Problem](t, elsewhere, 422).Path, "a key goes to its own host only")
	require.False(t, webtest.Get[endpointAnswer](t, s.Do("PATCH", at, `{"key":""}`, "If-Match", "*"), 200).HasKey)
	require.Contains(t, s.Do("POST", at+"/test", "").Body.String(), `"fault":"untried"`)
	for _, answer := range []*httptest.ResponseRecorder{res, shown, changed, again, s.Do("GET", "/api/v1/models", ""),
		s.Do("GET", "/admin/models/"+made.ID, ""), s.Do("GET", "/audit/export", "")} {
		require.NotContains(t, answer.Body.String(), "swordfish")
	}
	require.Equal(t, 412, s.Do("DELETE", at, "", "If-Match", tag).Code, "it has changed since")
	now := s.Do("GET", at, "").Header().Get("ETag")
	require.Equal(t, 204, s.Do("DELETE", at, "", "If-Match", now).Code)
	require.Equal(t, 404, s.Do("DELETE", at, "").Code)
	other := webtest.Get[endpointAnswer](t, s.Do("POST", "/api/v1/models", endpointBody), 201)
	require.Equal(t, 204, s.Do("DELETE", "/api/v1/models/"+other.ID, "").Code, "If-Match may be left out")
	require.Equal(t, 404, s.Do("GET", at, "").Code)
	for body, path := range map[string]string{
		`{"name":"","kind":"openai","url":"https://m.example/v1","model":"m"}`:                      "name",
		`{"name":"a","kind":"gpt","url":"https://m.example/v1","model":"m"}`:                        "kind",
		`{"name":"a","kind":"openai","url":"ftp://m.example","model":"m"}`:                          "url",
		`{"name":"a","kind":"nli","url":"https://m.example/v1"}`:                                    "url",
		`{"name":"a","kind":"openai","url":"https://m.example/v1","model":"m","timeout_seconds":0}`: "timeout_seconds",
		`{"name":"a","kind":"openai","url":"https://m.example/v1","model":"m","run_cost":3}`:        "run_cost",
		`{"name":"a","kind":"openai","url":"https://m.example/v1","model":"m","price_in":-1}`:       "price_in",
		`{"name":"a","kind":"openai","url":"https://m.example/v1","model":"m","key":"two words"}`:   "key",
	} {
		require.Equal(t, path, webtest.Get[webtest.Problem](t, s.Do("POST", "/api/v1/models", body), 422).Path, body)
	}
}

// TestEndpointPages: the pages do the same without JavaScript; what was typed is kept if it is refused, but for the
// key.
func TestEndpointPages(t *testing.T) {
	s := webtest.NewServer(t)
	const typed = "name=Gateway&kind=openai&url=https%3A%2F%2Fmodels.example%2Fv1&model=qwen3&key=sk-swordfish"
	bad := s.Post("/admin/models", typed+"&run_tokens=many")
	require.Equal(t, 422, bad.Code)
	require.Contains(t, bad.Body.String(), `value="many"`)
	require.Contains(t, bad.Body.String(), "Give a whole number")
	require.NotContains(t, bad.Body.String(), "swordfish")
	require.Contains(t, s.Post("/admin/models?lang=ar", typed+"&timeout=0").Body.String(), "أدخل من 1 إلى 600 ثانية")

	made := s.Post("/admin/models", typed+"&redact=1&day_tokens=٥٠٠٠&price_in=2.5")
	require.Equal(t, 303, made.Code)
	at := strings.TrimSuffix(made.Header().Get("Location"), "?done=added")
	page := s.Do("GET", at, "").Body.String()
	for _, want := range []string{"it is never shown", `value="5000"`, `value="2.5"`, "0 of 5,000", "What is sent", at + "/test"} {
		if want == at+"/test" {
			want = "Tests are not set up"
		}
		require.Contains(t, page, want)
	}
	require.NotContains(t, page, "swordfish")
	require.Contains(t, s.Do("GET", "/admin/models", "").Body.String(), `href="`+at+`"`)

	revision := func() string {
		m := regexp.MustCompile(`name="revision" value="(\d+)"`).FindStringSubmatch(s.Do("GET", at, "").Body.String())
		require.NotNil(t, m)
		return "revision=" + m[1]
	}
	old := revision()
	require.Equal(t, 303, s.Post(at+"/disable", old).Code)
	require.Equal(t, 409, s.Post(at+"/enable", old).Code, "it has changed since")
	require.Equal(t, 303, s.Post(at+"/enable", revision()).Code)
	require.Equal(t, 303, s.Post(at, strings.Replace(typed, "key=sk-swordfish", "key=", 1)+"&parallel=3&"+revision()).Code)
	e, key, err := s.Store.OpenModelEndpoint(context.Background(), s.Tenant.ID, strings.TrimPrefix(at, "/admin/models/"))
	require.NoError(t, err)
	require.Equal(t, []any{"sk-swordfish", 3, time.Minute}, []any{key, e.Parallel, e.Timeout}, "an empty key stays")
	require.Equal(t, 303, s.Post(at, strings.Replace(typed, "key=sk-swordfish", "key=&no_key=1", 1)+"&"+revision()).Code)
	require.Equal(t, 303, s.Post(at+"/remove", revision()).Code)
	require.Equal(t, 404, s.Do("GET", at, "").Code)
}

// TestTypedEndpointSurvivesTheConfirmation: what was typed into a form is filled in again after the password was asked
// for, but for the key, which is nowhere; the page says that it is to be typed again.
func TestTypedEndpointSurvivesTheConfirmation(t *testing.T) {
	s := webtest.NewServer(t)
	typed := webtest.Form("name", "Gateway <b>", "kind", "anthropic", "url", "https://models.example/"+strings.Repeat("v", 300),
		"model", "qwen3", "key", "sk-swordfish", "run_tokens", "1000", "price_in", "2.5", "timeout", "30", "revision", "0")
	made := webtest.Get[endpointAnswer](t, s.Do("POST", "/api/v1/models", endpointBody), 201)
	for _, path := range []string{"/admin/models", "/admin/models/" + made.ID} {
		s.Clock.Move(6 * time.Minute)
		b := s.Browser("admin")
		asked := b.Ask("POST", path, typed, "Referer", "http://127.0.0.1"+path+"?done=added")
		to := asked.Header().Get("Location")
		require.Equal(t, "/confirm?next="+url.QueryEscape(path+"?done=added"), to)
		require.NotContains(t, b.Ask("GET", to, "").Body.String(), "swordfish")
		require.Equal(t, 303, b.Ask("POST", to, webtest.Form("password", webtest.Password)).Code)
		s.Person("admin").Cookie = b.Kept["sanad"]
		page := b.Ask("GET", path, "").Body.String()
		for _, want := range []string{
			`value="Gateway &lt;b&gt;"`, `<option value="anthropic" selected>`, `value="https://models.example/` + strings.Repeat("v", 300),
			`value="qwen3"`, `value="1000"`, `value="2.5"`, `value="30"`, "filled in again", "Enter the key again",
		} {
			require.Contains(t, page, want, path)
		}
		require.NotRegexp(t, `name="redact"[^>]*checked`, page, "it was not ticked")
		require.NotContains(t, page, "swordfish")
		require.NotContains(t, b.Ask("GET", path, "").Body.String(), "filled in again", "it is shown once")
	}
	// what is too long for a cookie is not cut, but left out, which the page says
	s.Clock.Move(6 * time.Minute)
	long := s.Browser("admin")
	to := long.Ask("POST", "/admin/models", webtest.Form("name", "Long", "kind", "nli", "url",
		"https://models.example/"+strings.Repeat("v", 3000))).Header().Get("Location")
	long.Ask("POST", to, webtest.Form("password", webtest.Password))
	s.Person("admin").Cookie = long.Kept["sanad"]
	page := long.Ask("GET", "/admin/models", "").Body.String()
	require.Contains(t, page, `value="Long"`)
	require.Contains(t, page, "Some of it was too long to keep")
	require.NotContains(t, page, "vvvv")
	require.NotContains(t, page, "Enter the key again", "none was typed")
	// what somebody else has changed meanwhile is not written over
	s.Clock.Move(6 * time.Minute)
	b, at := s.Browser("admin"), "/admin/models/"+made.ID
	require.Regexp(t, `(?s)confirm\?next=.*action="`+at+`/disable"`, b.Ask("GET", at, "").Body.String(), "said before the buttons")
	to = b.Ask("POST", at, typed).Header().Get("Location")
	b.Ask("POST", to, webtest.Form("password", webtest.Password))
	require.Equal(t, 200, s.Do("PATCH", "/api/v1/models/"+made.ID, `{"parallel":2}`, "If-Match", "*").Code)
	page = b.Ask("GET", at, "").Body.String()
	require.Regexp(t, `(?s)id="m-form".*name="revision" value="0"`, page)
	require.Regexp(t, `(?s)action="`+at+`/disable"><input type="hidden" name="revision" value="1">`, page, "a button is of the page as it is")
	require.Equal(t, 409, b.Ask("POST", at, typed).Code)
}

// TestAddressesOfEndpoints: an address that is not reached, or that has a secret, is refused when it is stored, by the
// API and by the form, and one that was stored before is shown masked and kept as it is.
func TestAddressesOfEndpoints(t *testing.T) {
	s := webtest.NewServer(t)
	body := func(address string) string {
		return `{"name":"n","kind":"openai","model":"m","url":"` + address + `"}`
	}
	made := webtest.Get[endpointAnswer](t, s.Do("POST", "/api/v1/models", body("https://models.example/v1?api-version=2024-10-21")), 201)
	at := "/admin/models/" + made.ID
	for address, want := range map[string]struct{ said, page string }{
		"https://10.0.0.8/v1":                              {"sanad serve --model-allow 10.0.0.8", "This address is not public"},
		"http://models.example/v1":                         {"sanad serve --model-allow", "Nothing is sent without TLS"},
		"https://me:swordfish@models.example/v1":           {"give the secret as the key", "enter the secret as the key"},
		"https://models.example/v1?api-key=swordfish&a=1":  {"(api-key)", "enter it as the key"},
		"https://models.example/v1?a=1&token=swordfish123": {"(token)", "enter it as the key"},
	} {
		for _, res := range []*httptest.ResponseRecorder{s.Do("POST", "/api/v1/models", body(address)),
			s.Do("PATCH", "/api/v1/models/"+made.ID, `{"url":"`+address+`"}`, "If-Match", "*")} {
			p := webtest.Get[webtest.Problem](t, res, 422)
			require.Equal(t, "url", p.Path, address)
			require.Contains(t, p.Detail, want.said)
			require.NotContains(t, res.Body.String(), "swordfish")
		}
		form := webtest.Form("name", "x", "kind", "openai", "model", "m", "url", address, "revision", "0")
		for _, page := range []*httptest.ResponseRecorder{s.Post("/admin/models", form), s.Post(at, form)} {
			require.Equal(t, 422, page.Code)
			require.Contains(t, page.Body.String(), want.page)
			require.NotContains(t, page.Body.String(), "swordfish")
		}
		require.NotContains(t, s.Post("/admin/models?lang=ar", form).Body.String(), want.page)
	}

	const secret = "sk9f8a7b6c5d4e3f2a1b0c9d8e7f" // in a path: taken, shown masked
	stored := "https://models.example/v1/" + secret + "/chat?api-version=1&api-key=swordfish"
	_, err := dbtest.Raw(t, s.Dir).Exec("UPDATE model_endpoints SET url = ?", stored)
	require.NoError(t, err)
	shown := s.Do("GET", "/api/v1/models/"+made.ID, "").Body.String()
	require.Contains(t, shown, "api-version=1")
	for _, seen := range []string{shown, s.Do("GET", "/api/v1/models", "").Body.String(), s.Do("GET", at, "").Body.String(),
		s.Do("GET", "/admin/models", "").Body.String()} {
		require.NotContains(t, seen, "swordfish")
		require.NotContains(t, seen, secret)
	}
	masked := "https://models.example/v1/***/chat?api-version=1&api-key=***"
	require.Contains(t, s.Do("GET", at, "").Body.String(), `value="`+strings.ReplaceAll(masked, "&", "&amp;")+`"`)
	require.Equal(t, 303, s.Post(at, webtest.Form("name", "y", "kind", "openai", "model", "m", "url", masked, "revision", "0")).Code)
	require.Equal(t, 200, s.Do("PATCH", "/api/v1/models/"+made.ID, `{"parallel":2,"url":"`+masked+`"}`, "If-Match", "*").Code)
	e, err := s.Store.ModelEndpoint(context.Background(), s.Tenant.ID, made.ID)
	require.NoError(t, err)
	require.Equal(t, stored, e.URL, "it stays")
}

type triedAnswer struct {
	OK      bool
	Enabled bool
	Fault   *string
	Text    *string
	TextAR  *string `json:"text_ar"`
}

// TestTestsOfEndpoints: a disabled endpoint can be tested, which says that it is disabled; a fault is explained in both
// languages; too many tests are 429 with Retry-After, for programs and people.
func TestTestsOfEndpoints(t *testing.T) {
	var tried model.Tried
	asked := 0
	s := webtest.NewServer(t, func(o *web.Options) {
		o.ModelTest.Try = func(context.Context, model.Endpoint, string) model.Tried { asked++; return tried }
	})
	made := webtest.Get[endpointAnswer](t, s.Do("POST", "/api/v1/models", endpointBody), 201)
	api, page := "/api/v1/models/"+made.ID+"/test", "/admin/models/"+made.ID+"/test"
	test := func() triedAnswer {
		s.Clock.Move(10 * time.Second)
		return webtest.Get[triedAnswer](t, s.Do("POST", api, ""), 200)
	}
	require.Equal(t, triedAnswer{OK: true, Enabled: true}, test())
	tried.Note = "other"
	require.Contains(t, *test().Text, "It did not find that the sentence supports the claim")
	tried = model.Tried{Fault: "status 401"}
	require.Equal(t, 200, s.Do("PATCH", "/api/v1/models/"+made.ID, `{"enabled":false}`, "If-Match", "*").Code)
	bad := test()
	require.Equal(t, []any{false, false, "status 401"}, []any{bad.OK, bad.Enabled, *bad.Fault})
	require.Contains(t, *bad.Text, "does not accept the key. Enter it again")
	require.Contains(t, *bad.TextAR, "لم تقبل الواجهة المفتاح")
	s.Clock.Move(time.Minute)
	require.Contains(t, s.Post(page, "").Body.String(), "The endpoint is disabled: no session is judged by it")
	require.Equal(t, 200, s.Do("POST", api, "").Code)
	require.Equal(t, 200, s.Do("POST", api, "").Code)
	before := asked
	s.Clock.Move(4 * time.Second)
	for range 2 { // what is refused does not count
		for _, res := range []*httptest.ResponseRecorder{s.Do("POST", api, ""), s.Post(page, "")} {
			require.Equal(t, 429, res.Code)
			require.Equal(t, "6", res.Header().Get("Retry-After"))
		}
	}
	require.Contains(t, s.Post(page, "").Body.String(), "Too many tests in a short time")
	require.Equal(t, before, asked)
	test()
}

// TestEveryFaultIsExplained: each code that a question can end with has its sentence in both languages, and its row in
// docs/models.md.
func TestEveryFaultIsExplained(t *testing.T) {
	docs, err := os.ReadFile("../../../docs/models.md")
	require.NoError(t, err)
	_, rows, _ := strings.Cut(string(docs), "### Fault codes")
	rows, _, _ = strings.Cut(rows, "\n## ")
	files, err := filepath.Glob("../../llm/*.go")
	require.NoError(t, err)
	code := regexp.MustCompile(`(?:code: |f\.code(?:, f\.\w+)* = |Fault = )"([^"]+)"`)
	found := map[string]bool{"untried": true, "status 302": true, "status 401": true, "status 404": true, "status 429": true,
		"status 400": true, "status 500": true}
	for _, f := range files {
		source, err := os.ReadFile(f)
		require.NoError(t, err)
		for _, m := range code.FindAllStringSubmatch(string(source), -1) {
			found[m[1]] = !strings.HasSuffix(f, "_test.go") || found[m[1]]
		}
	}
	require.Greater(t, len(found), 20)
	sentences := map[string]bool{}
	for code, ours := range found {
		if !ours {
			continue
		}
		if strings.HasPrefix(code, "status ") {
			require.Regexp(t, "`"+code[:len("status 4")]+"(..|xx)`", rows, code)
		} else {
			require.Contains(t, rows, "`"+code+"`", code)
		}
		if code == "passages" || code == "memory" || code == "budget" { // of the embeddings of a run, not of a test
			continue
		}
		word := "mdl_fault_" + model.FaultWord(code)
		for _, lang := range words.Langs {
			require.True(t, words.In(lang).Has(word), word)
		}
		require.Equal(t, code == "answer", word == "mdl_fault_answer", code)
		sentences[words.In("en").Text(word)] = true
	}
	require.Greater(t, len(sentences), 20)
}
