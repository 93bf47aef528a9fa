package handlers_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/handlers"
	"sanad/internal/importers"
)

var now = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

// server is the app on a fresh store.
type server struct {
	t       testing.TB
	store   *db.Store
	handler http.Handler
}

func newServer(t *testing.T, change ...func(*handlers.Options)) *server {
	t.Helper()
	return newServerFor(t, change...)
}

func newServerFor(t testing.TB, change ...func(*handlers.Options)) *server {
	t.Helper()
	store, err := db.Open(context.Background(), db.Options{Dir: t.TempDir(), Now: func() time.Time { return now }, NewID: uuid.NewString})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	tenant, err := store.EnsureTenant(context.Background(), "main", "Main")
	require.NoError(t, err)
	o := handlers.Options{
		Store: store, Log: slog.New(slog.NewTextHandler(io.Discard, nil)), Now: func() time.Time { return now }, NewID: uuid.NewString,
		Actor: domain.Actor{Tenant: tenant.ID, User: "local", Role: domain.Admin},
	}
	for _, f := range change {
		f(&o)
	}
	return &server{t, store, handlers.New(o)}
}

// do sends a request; headers are name, value pairs.
func (s *server) do(method, path, body string, headers ...string) *httptest.ResponseRecorder {
	s.t.Helper()
	r := httptest.NewRequest(method, "http://127.0.0.1"+path, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	return w
}

// get decodes a JSON answer.
func get[T any](t testing.TB, w *httptest.ResponseRecorder, status int) T {
	t.Helper()
	require.Equal(t, status, w.Code, w.Body.String())
	var v T
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &v), w.Body.String())
	return v
}

type problem struct {
	Status       int
	Detail, Path string
}

// leave is a small session in our own format.
const leave = `{"format":"sanad.session/v1",
 "session":{"external_id":"hr-42","title":"Leave","query":"How many days?","answer":"Employees are entitled to 15 days of annual leave [cite:b8b859ac]. Carryover is 5 days.","lang":"en"},
 "documents":[{"id":"hr","filename":"HR.pdf","chunks":[{"id":"c1","text":"All permanent employees shall receive 15 days of paid annual leave.","page_number":12}]}],
 "claims":[
  {"claim_id":"clm_001","claim_text":"Employees are entitled to 15 days of annual leave","claim_type":"policy","importance":"critical","start_offset":0,"end_offset":49,
   "matches":[{"chunk":"c1","similarity":0.92,"support_level":"full","contradicts":false,"snippet":"15 days of paid annual leave"}]},
  {"claim_id":"clm_002","claim_text":"Carryover is 5 days","claim_type":"numeric","importance":"critical","matches":[]}]}`

type created struct {
	SessionID string `json:"session_id"`
	LedgerURL string `json:"ledger_url"`
	Warnings  []struct{ Path, Message string }
}

func (s *server) create(body string) created {
	s.t.Helper()
	return get[created](s.t, s.do("POST", "/api/v1/sessions", body), http.StatusCreated)
}

type apiLedger struct {
	Ledger struct {
		ID      string
		Entries []struct {
			ClaimID         string `json:"claim_id"`
			ClaimImportance string `json:"claim_importance"`
			Verdict         *string
			Confidence      float64  `json:"confidence_score"`
			Chunks          []string `json:"evidence_chunk_ids"`
			Snippet         string   `json:"evidence_snippet"`
			Source          *struct {
				ID, Filename string
				Page         int `json:"page_number"`
			} `json:"source_document"`
		}
		Summary struct {
			Total    int            `json:"total_claims"`
			Verdicts map[string]int `json:"by_verdict"`
			Coverage float64        `json:"evidence_coverage"`
		}
		RiskFlags []struct {
			Type     string
			Affected []string `json:"affected_claim_ids"`
		} `json:"risk_flags"`
	}
	Session struct{ ID, Query, Mode string }
}

func TestCreateAndReadALedger(t *testing.T) {
	s := newServer(t)
	c := s.create(leave)
	require.Equal(t, "/api/v1/sessions/"+c.SessionID+"/ledger", c.LedgerURL)
	require.NotNil(t, c.Warnings)
	require.Empty(t, c.Warnings)

	again := get[created](t, s.do("POST", "/api/v1/sessions", strings.ReplaceAll(leave, "\n", " ")), http.StatusOK)
	require.Equal(t, c.SessionID, again.SessionID, "the same content is the same session")

	w := s.do("GET", c.LedgerURL, "")
	l := get[apiLedger](t, w, http.StatusOK)
	require.Equal(t, c.SessionID, l.Session.ID)
	require.Equal(t, "answer", l.Session.Mode)
	require.Len(t, l.Ledger.Entries, 2)
	first := l.Ledger.Entries[0]
	require.Equal(t, "clm_001", first.ClaimID)
	require.Equal(t, "critical", first.ClaimImportance)
	require.Equal(t, "supported", *first.Verdict)
	require.InDelta(t, 0.92, first.Confidence, 1e-12)
	require.Equal(t, []string{"b8b859ac"}, first.Chunks)
	require.Equal(t, "HR.pdf", first.Source.Filename)
	require.Equal(t, 12, first.Source.Page)
	require.Nil(t, l.Ledger.Entries[1].Source)
	require.Equal(t, "missing_evidence", l.Ledger.RiskFlags[0].Type)
	require.Equal(t, []string{"clm_002"}, l.Ledger.RiskFlags[0].Affected)

	tag := w.Header().Get("ETag")
	require.NotEmpty(t, tag)
	require.Equal(t, http.StatusNotModified, s.do("GET", c.LedgerURL, "", "If-None-Match", tag).Code)
	require.Equal(t, http.StatusNotModified, s.do("GET", c.LedgerURL, "", "If-None-Match", "W/"+tag).Code)
}

func TestReviewsNeedTheNewestRevision(t *testing.T) {
	s := newServer(t)
	c := s.create(leave)
	reviews := "/api/v1/sessions/" + c.SessionID + "/claims/2/reviews"
	tag := s.do("GET", c.LedgerURL, "").Header().Get("ETag")
	body := `{"action":"override","verdict":"weak","reason":"Found it in the annex."}`

	require.Equal(t, http.StatusPreconditionRequired, get[problem](t, s.do("POST", reviews, body), 428).Status)
	w := s.do("POST", reviews, body, "If-Match", tag)
	require.Equal(t, http.StatusCreated, w.Code, w.Body.String())
	next := w.Header().Get("ETag")
	require.NotEqual(t, tag, next)
	require.Contains(t, get[problem](t, s.do("POST", reviews, body, "If-Match", tag), 412).Detail, "changed")
	require.Equal(t, http.StatusCreated, s.do("POST", reviews, `{"action":"comment","reason":"x"}`, "If-Match", next).Code)

	p := get[problem](t, s.do("POST", reviews, `{"action":"override","verdict":"weak"}`, "If-Match", "*"), 422)
	require.Equal(t, "reason", p.Path)
	l := get[apiLedger](t, s.do("GET", c.LedgerURL, ""), 200)
	require.Equal(t, "weak", *l.Ledger.Entries[1].Verdict)
}

func TestIdempotencyKeyAnswersAsTheFirstTime(t *testing.T) {
	s := newServer(t)
	c := s.create(leave)
	path := "/api/v1/sessions/" + c.SessionID + "/claims/1/reviews"
	body := `{"action":"comment","reason":"once"}`
	first := s.do("POST", path, body, "If-Match", "*", "Idempotency-Key", "k1")
	second := s.do("POST", path, body, "If-Match", "*", "Idempotency-Key", "k1")
	require.Equal(t, http.StatusCreated, second.Code)
	require.Equal(t, first.Body.String(), second.Body.String())
	require.Equal(t, 422, s.do("POST", path, `{"action":"comment","reason":"other"}`, "If-Match", "*", "Idempotency-Key", "k1").Code)
	tenant, err := s.store.EnsureTenant(context.Background(), "main", "Main")
	require.NoError(t, err)
	session, err := s.store.Session(context.Background(), tenant.ID, c.SessionID)
	require.NoError(t, err)
	require.Len(t, session.Claims[0].Reviews, 1)
}

func TestIdempotencyKeyInParallel(t *testing.T) {
	s := newServer(t)
	c := s.create(leave)
	path := "/api/v1/sessions/" + c.SessionID + "/claims/1/reviews"
	tag := s.do("GET", c.LedgerURL, "").Header().Get("ETag")
	answers := make(chan *httptest.ResponseRecorder, 10)
	for range cap(answers) {
		go func() {
			answers <- s.do("POST", path, `{"action":"comment","reason":"once"}`, "If-Match", tag, "Idempotency-Key", "same")
		}()
	}
	first := <-answers
	require.Equal(t, 201, first.Code, first.Body.String())
	for range cap(answers) - 1 {
		w := <-answers
		require.Equal(t, 201, w.Code, w.Body.String())
		require.Equal(t, first.Body.String(), w.Body.String())
		require.Equal(t, first.Header().Get("ETag"), w.Header().Get("ETag"))
	}
}

func TestIdempotencyKeyOfImportsAndExports(t *testing.T) {
	s := newServer(t)
	c := s.create(leave)
	known := s.do("POST", "/api/v1/sessions", leave, "Idempotency-Key", "k")
	require.Equal(t, 200, known.Code)
	again := s.do("POST", "/api/v1/sessions", leave, "Idempotency-Key", "k")
	require.Equal(t, 200, again.Code)
	require.Equal(t, known.Body.String(), again.Body.String())
	require.Equal(t, known.Header().Get("Location"), again.Header().Get("Location"))
	require.Equal(t, 422, s.do("POST", "/api/v1/sessions", strings.Replace(leave, "hr-42", "hr-43", 1), "Idempotency-Key", "k").Code)

	path := "/api/v1/sessions/" + c.SessionID + "/ledger/export"
	one := s.do("POST", path, `{"format":"json"}`, "Idempotency-Key", "e")
	require.Equal(t, 200, one.Code)
	require.Equal(t, one.Body.String(), s.do("POST", path, `{"format":"json"}`, "Idempotency-Key", "e").Body.String())
}

// A reviewed export that comes back to its own store says that its reviews were not taken over again.
func TestReimportSaysWhatBecameOfReviews(t *testing.T) {
	s, other := newServer(t), newServer(t)
	c := s.create(leave)
	s.do("POST", "/api/v1/sessions/"+c.SessionID+"/claims/1/reviews", `{"action":"confirm"}`, "If-Match", "*")
	export := s.do("GET", "/sessions/"+c.SessionID+"/export/json", "").Body.String()
	taken := other.create(export)
	require.Contains(t, taken.Warnings[0].Message, "1 review(s) were taken over")
	again := get[created](t, other.do("POST", "/api/v1/sessions", export), 200)
	require.Contains(t, again.Warnings[0].Message, "not taken over")
}

func TestBadBodiesAreRefusedAndLeaveNoTrace(t *testing.T) {
	s := newServer(t, func(o *handlers.Options) { o.Import = importers.Options{Answer: 2000, Bytes: 20000} })
	for name, c := range map[string]struct {
		body   string
		status int
		path   string
	}{
		"empty":           {"", 400, ""},
		"not json":        {"{", 400, ""},
		"duplicate key":   {`{"format":"sanad.session/v1","format":"x"}`, 400, ""},
		"invalid UTF-8":   {"{\"format\":\"\xff\"}", 400, ""},
		"lone surrogate":  {`{"format":"\ud800"}`, 400, ""},
		"trailing data":   {`{"format":"sanad.session/v1"} x`, 400, ""},
		"too deep":        {strings.Repeat("[", 65) + strings.Repeat("]", 65), 400, ""},
		"unknown format":  {`{"hello":1}`, 415, ""},
		"huge":            {`{"x":"` + strings.Repeat("y", 20001) + `"}`, 413, ""},
		"truncated":       {leave[:len(leave)/2], 400, ""},
		"wrong type":      {strings.Replace(leave, `"similarity":0.92`, `"similarity":"high"`, 1), 422, "claims[0].matches[0].similarity"},
		"offset outside":  {strings.Replace(leave, `"end_offset":49`, `"end_offset":4900`, 1), 422, "claims[0].end_offset"},
		"unknown chunk":   {strings.Replace(leave, `"chunk":"c1"`, `"chunk":"c9"`, 1), 422, "claims[0].matches[0].chunk"},
		"duplicate claim": {strings.Replace(leave, "clm_002", "clm_001", 1), 422, "claims[1].claim_id"},
	} {
		t.Run(name, func(t *testing.T) {
			w := s.do("POST", "/api/v1/sessions", c.body, "Content-Type", "application/json")
			require.Equal(t, "application/problem+json", w.Header().Get("Content-Type"))
			var p problem
			require.NoError(t, json.Unmarshal(w.Body.Bytes(), &p))
			require.Equal(t, c.status, p.Status, p.Detail)
			require.NotEmpty(t, p.Detail)
			if c.path != "" {
				require.Equal(t, c.path, p.Path)
			}
		})
	}
	list := get[struct{ Sessions []any }](t, s.do("GET", "/api/v1/sessions", ""), 200)
	require.Empty(t, list.Sessions)
}

func TestExportByLink(t *testing.T) {
	s := newServer(t)
	c := s.create(leave)
	path := "/api/v1/sessions/" + c.SessionID + "/ledger/export"
	e := get[struct {
		URL     string    `json:"download_url"`
		Expires time.Time `json:"expires_at"`
	}](t, s.do("POST", path, `{"format":"json"}`), 200)
	require.Equal(t, now.Add(15*time.Minute), e.Expires)
	w := s.do("GET", e.URL, "")
	require.Equal(t, 200, w.Code)
	require.Contains(t, w.Header().Get("Content-Disposition"), `attachment; filename="Leave r1.json"`)
	require.True(t, json.Valid(w.Body.Bytes()))
	require.Equal(t, 404, s.do("GET", "/downloads/nonsense", "").Code)
	require.Equal(t, 422, s.do("POST", path, `{"format":"docx"}`).Code)
	require.Equal(t, 404, s.do("POST", "/api/v1/sessions/"+uuid.NewString()+"/ledger/export", `{"format":"json"}`).Code)
	// the export, imported elsewhere, is an equal ledger
	other := newServer(t)
	again := other.create(w.Body.String())
	require.Empty(t, again.Warnings)
	require.Equal(t, entries(get[apiLedger](t, s.do("GET", c.LedgerURL, ""), 200)), entries(get[apiLedger](t, other.do("GET", again.LedgerURL, ""), 200)))
}

func entries(l apiLedger) any { return l.Ledger.Entries }

func TestLinkExpires(t *testing.T) {
	at := now
	s := newServer(t, func(o *handlers.Options) { o.Now = func() time.Time { return at } })
	c := s.create(leave)
	e := get[map[string]string](t, s.do("POST", "/api/v1/sessions/"+c.SessionID+"/ledger/export", `{"format":"markdown"}`), 200)
	at = now.Add(14 * time.Minute)
	require.Equal(t, 200, s.do("GET", e["download_url"], "").Code)
	at = now.Add(15 * time.Minute)
	require.Equal(t, 404, s.do("GET", e["download_url"], "").Code)
}

func TestEvidenceMaps(t *testing.T) {
	s := newServer(t)
	m := get[struct {
		Evidence              []map[string]any
		Root, Prompt, Lattice string
	}](t, s.do("POST", "/api/v1/evidence-maps", `{"chunks":[],"claims":[{"text":"x","pointer_ids":["E9"]}],"window":200}`), 200)
	require.NotNil(t, m.Evidence)
	require.Equal(t, strings.Repeat("0", 64), m.Root)
	require.Equal(t, "- x\n  [E9: ?]", m.Lattice)
	require.Equal(t, 400, s.do("POST", "/api/v1/evidence-maps", `{"chunks":[{"span":"\ud800"}]}`).Code)
}

func TestSessionsArePagedByKey(t *testing.T) {
	s := newServer(t)
	for i := range 7 {
		s.create(strings.Replace(leave, "hr-42", fmt.Sprint("hr-", i), 1))
	}
	type page struct {
		Sessions []struct{ ID string }
		Next     *string
	}
	seen := map[string]bool{}
	path := "/api/v1/sessions?limit=3"
	for pages := 1; ; pages++ {
		w := s.do("GET", path, "")
		p := get[page](t, w, 200)
		for _, x := range p.Sessions {
			require.False(t, seen[x.ID])
			seen[x.ID] = true
		}
		if p.Next == nil {
			require.Equal(t, 3, pages)
			require.Empty(t, w.Header().Get("Link"))
			break
		}
		require.Contains(t, w.Header().Get("Link"), `rel="next"`)
		path = "/api/v1/sessions?limit=3&after=" + *p.Next
	}
	require.Len(t, seen, 7)
	require.Equal(t, 400, s.do("GET", "/api/v1/sessions?limit=0", "").Code)
	for query, path := range map[string]string{"after=nonsense": "", "sort=nonsense": "sort", "status=x": "status", "verdict=x": "verdict", "flag=x": "flag", "dir=x": "dir"} {
		p := get[problem](t, s.do("GET", "/api/v1/sessions?"+query, ""), 400)
		if path != "" {
			require.Equal(t, path, p.Path)
		}
	}
}

func TestDevToken(t *testing.T) {
	s := newServer(t, func(o *handlers.Options) { o.DevToken = "secret" })
	require.Equal(t, 401, s.do("GET", "/api/v1/sessions", "").Code)
	require.Equal(t, 401, s.do("GET", "/api/v1/sessions", "", "Authorization", "Bearer wrong").Code)
	require.Equal(t, 200, s.do("GET", "/api/v1/sessions", "", "Authorization", "Bearer secret").Code)
}

func TestCitationLookUp(t *testing.T) {
	s := newServer(t)
	s.create(leave)
	require.Contains(t, s.do("GET", "/api/v1/citations/b8b859ac", "").Body.String(), `"resolved":true`)
	require.Contains(t, s.do("GET", "/api/v1/citations/00000000", "").Body.String(), "Citation references deleted or unavailable chunk")
	require.Equal(t, 404, s.do("GET", "/api/v1/citations/xyz", "").Code)
}

func TestGuards(t *testing.T) {
	s := newServer(t)
	w := s.do("GET", "/", "")
	require.Equal(t, 200, w.Code)
	for header, want := range map[string]string{
		"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cache-Control": "no-store",
		"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp",
	} {
		require.Equal(t, want, w.Header().Get(header), header)
	}
	require.Contains(t, w.Header().Get("Content-Security-Policy"), "default-src 'none'")
	require.NotContains(t, w.Header().Get("Content-Security-Policy"), "unsafe")
	require.NotEmpty(t, w.Header().Get("X-Request-Id"))
	require.NotContains(t, w.Body.String(), " style=")
	require.NotRegexp(t, `<script[^>]*>[^<]`, w.Body.String(), "no inline script")

	c := s.create(leave)
	form := "action=comment&reason=x&seen=0"
	cross := s.do("POST", "/sessions/"+c.SessionID+"/claims/1/reviews", form, "Content-Type", "application/x-www-form-urlencoded", "Sec-Fetch-Site", "cross-site")
	require.Equal(t, 403, cross.Code)
	require.Equal(t, 403, s.do("POST", "/api/v1/sessions", leave, "Origin", "https://elsewhere.example").Code)

	r := httptest.NewRequest("GET", "http://rebound.example/", nil)
	rec := httptest.NewRecorder()
	s.handler.ServeHTTP(rec, r)
	require.Equal(t, http.StatusMisdirectedRequest, rec.Code)
}

func TestMethods(t *testing.T) {
	s := newServer(t)
	require.Equal(t, 200, s.do("HEAD", "/healthz", "").Code)
	require.Equal(t, 200, s.do("HEAD", "/sessions", "").Code)
	require.Equal(t, 200, s.do("HEAD", "/api/v1/sessions", "").Code)
	require.Equal(t, 405, s.do("DELETE", "/sessions", "").Code)
	require.NotEmpty(t, get[problem](t, s.do("DELETE", "/api/v1/sessions", ""), 405).Detail)
	require.NotEmpty(t, get[problem](t, s.do("GET", "/api/v1/nowhere", ""), 404).Detail)
	require.Equal(t, "gzip", s.do("GET", "/sessions/new", "", "Accept-Encoding", "gzip").Header().Get("Content-Encoding"))
}

func TestLogHoldsNoToken(t *testing.T) {
	var log bytes.Buffer
	s := newServer(t, func(o *handlers.Options) { o.Log = slog.New(slog.NewTextHandler(&log, nil)) })
	c := s.create(leave)
	e := get[map[string]string](t, s.do("POST", "/api/v1/sessions/"+c.SessionID+"/ledger/export", `{"format":"json"}`), 200)
	require.Equal(t, 200, s.do("GET", e["download_url"], "").Code)
	require.Contains(t, log.String(), "path=/downloads/…")
	require.NotContains(t, log.String(), strings.TrimPrefix(e["download_url"], "/downloads/"))
}

func TestCitationOfAnotherPageLeadsToItsPassage(t *testing.T) {
	s := newServer(t)
	c := s.create(leave)
	w := s.do("GET", "/sessions/"+c.SessionID+"/citations/B8B859AC", "")
	require.Equal(t, 303, w.Code)
	require.Equal(t, 200, s.do("GET", strings.SplitN(w.Header().Get("Location"), "#", 2)[0], "").Code)
	require.Equal(t, 404, s.do("GET", "/sessions/"+c.SessionID+"/citations/00000000", "").Code)
}

func TestUnknownForeignAndMalformedAreTheSame404(t *testing.T) {
	s := newServer(t)
	c := s.create(leave)
	bodies := map[string]bool{}
	for _, path := range []string{"/sessions/" + uuid.NewString(), "/sessions/none", "/sessions/" + c.SessionID + "/claims/99", "/sessions/" + c.SessionID + "/claims/x",
		"/sessions/" + c.SessionID + "/export/docx", "/documents/" + uuid.NewString(), "/documents/x/original", "/nowhere"} {
		w := s.do("GET", path, "")
		require.Equal(t, 404, w.Code, path)
		body := w.Body.String()
		body = strings.ReplaceAll(body, w.Header().Get("X-Request-Id")[:13], "")
		body = strings.ReplaceAll(body, path, "")
		bodies[body] = true
	}
	require.Len(t, bodies, 1)
}

func TestFormErrorsKeepTheWords(t *testing.T) {
	s := newServer(t)
	c := s.create(leave)
	path := "/sessions/" + c.SessionID + "/claims/1/reviews"
	w := s.do("POST", path, "action=override&verdict=&reason=Because+of+the+annex&seen=0", "Content-Type", "application/x-www-form-urlencoded")
	require.Equal(t, 422, w.Code)
	require.Contains(t, w.Body.String(), "Because of the annex")
	require.Contains(t, w.Body.String(), `aria-invalid="true"`)
	require.Equal(t, 303, s.do("POST", path, "action=confirm&seen=0", "Content-Type", "application/x-www-form-urlencoded").Code)
	stale := s.do("POST", path, "action=confirm&reason=mine&seen=0", "Content-Type", "application/x-www-form-urlencoded")
	require.Equal(t, 409, stale.Code)
	require.Contains(t, stale.Body.String(), "mine")
	require.Equal(t, 400, s.do("POST", path, "action=confirm", "Content-Type", "application/x-www-form-urlencoded").Code)
}

func TestHostileTextStaysText(t *testing.T) {
	s := newServer(t)
	nasty := `<script>alert(1)</script> \u202e [x](javascript:alert(1)) & \"quoted\"`
	body := strings.Replace(leave, "Carryover is 5 days.", nasty+" Carryover is 5 days.", 1)
	body = strings.Replace(body, `"title":"Leave"`, `"title":"`+nasty+`"`, 1)
	c := s.create(body)
	for _, path := range []string{"/", "/sessions", "/sessions/" + c.SessionID, "/sessions/" + c.SessionID + "/claims/1"} {
		w := s.do("GET", path, "")
		require.Equal(t, 200, w.Code)
		require.NotContains(t, w.Body.String(), "<script>alert")
		require.NotContains(t, w.Body.String(), `href="javascript:`)
	}
	w := s.do("GET", "/sessions/"+c.SessionID+"/export/markdown", "")
	require.NotContains(t, w.Header().Get("Content-Disposition"), "\u202e")
	require.False(t, bytes.ContainsRune([]byte(w.Header().Get("Content-Disposition")), '\n'))
}
