package bundles_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/domain/bundle"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/webtest"
)

// usageRequest is the request of the reference example (rule B-15).
const usageRequest = `{"job_input":{"entity_type":"character","entity_id":"luke_skywalker","extra_params":{"evidence":[{"text":"Luke Skywalker is a Jedi...","source_uri":"wookieepedia"}]}},
	"evidence_refs":{"lake_text":["docs/character_bio.md"],"sql_results":[{"lake_uri":"results/character_facts.json","query_key":"character_facts"}]},
	"policy":{"max_items":30,"max_total_bytes":75000,"max_sql_rows":50,"enable_redaction":false}}`

// Artifacts are written to the lake, a bundle is built from them, and the same request returns the same bundle.
func TestBundleFromRequestToDownload(t *testing.T) {
	s := webtest.NewServer(t).As("reviewer")
	require.Equal(t, 201, s.Do("PUT", "/api/v1/lake/docs/character_bio.md", "Luke grew up on Tatooine.",
		"Content-Type", "text/markdown").Code)
	require.Equal(t, 201, s.Do("PUT", "/api/v1/lake/results/character_facts.json",
		`{"columns":["name","planet"],"rows":[["Luke","Tatooine"],["Leia",null]]}`).Code)

	res := s.Do("POST", "/api/v1/bundles", usageRequest)
	b := webtest.Get[bundle.Bundle](t, res, 201)
	require.Equal(t, "2.2", b.BuildVersion)
	require.Equal(t, 30, b.Policy.MaxItems)
	require.Equal(t, 75000, b.Policy.MaxTotalBytes)
	require.Equal(t, 10000, b.Policy.MaxItemBytes, "what is not given has its default")
	require.Equal(t, map[string]int{"inline_text": 1, "lake_text": 1, "sql_result": 1}, b.Summary.TypeCounts)
	require.Equal(t, b.Summary.TotalBytes/4, b.Summary.ApproxTokens)
	require.Contains(t, b.Items[2].Content, "NULL")
	require.Empty(t, b.DroppedItems)
	require.Empty(t, b.FailedSources)
	require.Equal(t, "/api/v1/bundles/"+b.BundleID, res.Header().Get("Location"))
	for _, name := range []string{"bundle_id", "created_utc", "build_version", "policy", "items", "summary"} {
		require.Contains(t, webtest.Get[map[string]any](t, res, 201), name)
	}

	s.Clock.Move(60e9)
	again := s.Do("POST", "/api/v1/bundles", usageRequest)
	require.Equal(t, 200, again.Code)
	require.Equal(t, res.Body.String(), again.Body.String(), "the same to the byte, a minute later")
	kept := s.As("viewer").Do("GET", "/api/v1/bundles/"+b.BundleID, "")
	require.Equal(t, 200, kept.Code)
	require.Equal(t, strings.TrimSpace(res.Body.String()), kept.Body.String())
	require.Contains(t, kept.Header().Get("ETag"), `"`)
}

// Sources that could not be used are reported and recorded, and do not make it another bundle.
func TestFailedSourcesAreRecorded(t *testing.T) {
	s := webtest.NewServer(t).As("reviewer")
	body := func(refs string) string {
		return `{"job_input":{"extra_params":{"evidence":[{"text":"Leave is 15 days."}]}},"evidence_refs":{` + refs +
			`}}`
	}
	whole := webtest.Get[bundle.Bundle](t, s.Do("POST", "/api/v1/bundles", body("")), 201)
	broken := webtest.Get[bundle.Bundle](t,
		s.Do("POST", "/api/v1/bundles",
			body(`"lake_text":["docs/none.md","../../etc/passwd","/etc/passwd"],"lake_pdf":["x"]`)), 200)
	require.Equal(t, whole.BundleID, broken.BundleID)
	require.Len(t, broken.FailedSources, 4)
	require.Equal(t, "There is no such artifact in the lake.", broken.FailedSources[0].Reason)
	require.Contains(t, broken.FailedSources[1].Reason, "relative")
	kept, err := s.Store.Bundle(context.Background(), s.Tenant.ID, whole.BundleID, 0, 9)
	require.NoError(t, err)
	require.Len(t, kept.Builds, 2)
	var answered []bundle.Failed
	for _, f := range kept.Builds[1].Failed {
		require.Equal(t, f.Reason, f.Said.String())
		f.Said = domain.Message{}
		answered = append(answered, f)
	}
	require.Equal(t, broken.FailedSources, answered)
	row := webtest.Get[map[string][]map[string]any](t, s.Do("GET", "/api/v1/bundles", ""), 200)["bundles"][0]
	require.EqualValues(t, 4, row["failed_sources"])
}

func TestBundlesAreRedactedBeforeAnythingIsKept(t *testing.T) {
	s := webtest.NewServer(t).As("reviewer")
	const secret = "salem@example.com"
	long := strings.Repeat("Call the office. ", 30) + secret
	body := fmt.Sprintf(`{"job_input":{"extra_params":{"evidence":[{"text":%q}]}},"policy":{"enable_redaction":true,"max_item_bytes":100}}`, long)
	b := webtest.Get[bundle.Bundle](t, s.Do("POST", "/api/v1/bundles", body), 201)
	require.Equal(t, map[string]int{"email": 1}, b.Items[0].Metadata.Redaction.Kinds)
	require.True(t, b.Items[0].Metadata.Bounding.Applied)
	full := s.Do("GET", "/api/v1/lake/"+b.Items[0].FullRef.LakeURI, "")
	require.Equal(t, 200, full.Code)
	require.Contains(t, full.Body.String(), "[REDACTED:email]")
	require.NoError(t, filepath.WalkDir(s.Dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		require.NotContains(t, string(data), secret, path)
		return err
	}))
}

func TestBadBundleRequestsOfTheAPI(t *testing.T) {
	s := webtest.NewServer(t).As("reviewer")
	for body, want := range map[string]struct {
		status int
		path   string
	}{
		`{"policy":{"max_items":0}}`:                {422, "policy.max_items"},
		`{"policy":{"sampling_strategy":"random"}}`: {422, "policy.sampling_strategy"},
		`{"policy":{"maxitems":1}}`:                 {422, "policy.maxitems"},
		`{"extra":1}`:                               {422, "extra"},
		`{"run_id":"\u0000"}`:                       {422, "run_id"},
		`{"policy":{},"policy":{}}`:                 {400, "policy"},
		`{"policy":{}} {}`:                          {400, ""},
		`nothing`:                                   {400, ""},
	} {
		p := webtest.Get[webtest.Problem](t, s.Do("POST", "/api/v1/bundles", body), want.status)
		if want.status == 422 {
			require.Equal(t, want.path, p.Path, body)
		}
		require.NotEmpty(t, p.Detail)
	}
	require.Equal(t, 415, s.Do("POST", "/api/v1/bundles", "<x/>", "Content-Type", "text/xml").Code)
	require.Empty(t, webtest.Get[map[string]any](t, s.Do("GET", "/api/v1/bundles", ""), 200)["bundles"])
	require.Equal(t, 400, s.Do("GET", "/api/v1/bundles?after=x", "").Code)
	require.Equal(t, 400, s.Do("GET", "/api/v1/bundles?limit=0", "").Code)
}

func TestRunsOfBundles(t *testing.T) {
	s := webtest.NewServer(t).As("reviewer")
	one := webtest.Get[bundle.Bundle](t,
		s.Do("POST", "/api/v1/bundles",
			`{"job_input":{"extra_params":{"evidence":[{"text":"a"}]}},"run_id":"judge/7"}`), 201)
	two := webtest.Get[bundle.Bundle](t,
		s.Do("POST", "/api/v1/bundles", `{"job_input":{"extra_params":{"evidence":[{"text":"a"},{"text":"b"}]}}}`), 201)
	link := func(id, body string) *httptest.ResponseRecorder {
		return s.Do("POST", "/api/v1/bundles/"+id+"/runs", body)
	}
	require.Equal(t, 201, link(two.BundleID, `{"run_id":"judge/7"}`).Code)
	require.Equal(t, 200, link(two.BundleID, `{"run_id":"judge/7"}`).Code)
	require.Equal(t, 200, link(one.BundleID, `{"run_id":"judge/7"}`).Code)
	require.Equal(t, 422, link(one.BundleID, `{"run_id":""}`).Code)
	require.Equal(t, 422, link(one.BundleID, `{}`).Code)
	require.Equal(t, 404, link("none", `{"run_id":"x"}`).Code)
	count := func(query string) int {
		return len(webtest.Get[map[string][]any](t, s.Do("GET", "/api/v1/bundles?"+query, ""), 200)["bundles"])
	}
	require.Equal(t, 2, count("run_id=judge/7"))
	require.Equal(t, 0, count("run_id=judge/8"))
	require.Equal(t, 2, count("evidence_id=inline:0"))
	require.Equal(t, 1, count("evidence_id=inline:1"))
	require.Equal(t, 2, count("content_sha256="+one.Items[0].ContentSHA256))

	type runs struct {
		Runs []struct {
			RunID string `json:"run_id"`
			Read  bool   `json:"read"`
		} `json:"runs"`
		Total int `json:"total"`
	}
	require.Equal(t, 201, link(one.BundleID, `{"run_id":"judge/9"}`).Code)
	got := webtest.Get[runs](t, s.As("viewer").Do("GET", "/api/v1/bundles/"+one.BundleID+"/runs", ""), 200)
	require.Equal(t, 2, got.Total)
	require.ElementsMatch(t, []string{"judge/7", "judge/9"}, []string{got.Runs[0].RunID, got.Runs[1].RunID})
	require.False(t, got.Runs[0].Read)
	require.Equal(t, 404, s.Do("GET", "/api/v1/bundles/none/runs", "").Code)
}

// Where a bundle is in the lake is said, and reads the same bytes there.
func TestBundleSaysItsPlaceInTheLake(t *testing.T) {
	s := webtest.NewServer(t).As("reviewer")
	one := webtest.Get[bundle.Bundle](t, s.Do("POST", "/api/v1/bundles", `{"job_input":{"extra_params":{"evidence":[{"text":"a"}]}}}`), 201)
	whole := s.Do("GET", "/api/v1/bundles/"+one.BundleID, "")
	place := whole.Header().Get("Content-Location")
	require.Contains(t, place, "/api/v1/lake/evidence/bundles/"+one.BundleID)
	require.Equal(t, whole.Body.String(), s.Do("GET", place, "").Body.String())
	require.Contains(t, s.Do("GET", "/api/v1/bundles", "").Body.String(),
		`"lake_uri":"`+strings.TrimPrefix(place, "/api/v1/lake/")+`"`)
	require.Contains(t, s.Do("GET", "/bundles/"+one.BundleID, "").Body.String(), strings.TrimPrefix(place, "/api/v1/lake/"))
}

func TestTheLakeIsWrittenOnce(t *testing.T) {
	s := webtest.NewServer(t).As("reviewer")
	put := func(path, data string) *httptest.ResponseRecorder {
		return s.Do("PUT", "/api/v1/lake/"+path, data, "Content-Type", "application/octet-stream")
	}
	got := webtest.Get[map[string]any](t, put("docs/a.txt", "first"), 201)
	require.Equal(t, "docs/a.txt", got["path"])
	require.EqualValues(t, 5, got["size"])
	require.Equal(t, 200, put("docs/a.txt", "first").Code)
	require.Equal(t, 409, put("docs/a.txt", "second").Code)
	res := s.As("viewer").Do("GET", "/api/v1/lake/docs/a.txt", "")
	require.Equal(t, "first", res.Body.String())
	require.Equal(t, "attachment", res.Header().Get("Content-Disposition"))
	require.Equal(t, "nosniff", res.Header().Get("X-Content-Type-Options"))
	require.Equal(t, 201, put("docs/%D8%B3%D9%86%D8%AF.txt", "سند").Code)
	require.Equal(t, "سند", s.Do("GET", "/api/v1/lake/docs/%D8%B3%D9%86%D8%AF.txt", "").Body.String())
	for _, path := range []string{"", "../x", "docs/../../x", "%2e%2e/x", "docs%2f..%2f..%2fx", "a//b", "a/", "a%00b",
		"a%5Cb", "evidence/full/x.txt", "evidence/bundles/x.json",
		"docs/a.txt/below", strings.Repeat("x", 300)} {
		require.Contains(t, []int{409, 422}, put(path, "x").Code, path)
		require.Equal(t, 404, s.Do("GET", "/api/v1/lake/"+path, "").Code, path)
	}
	require.Equal(t, 404, s.As("foreign").Do("GET", "/api/v1/lake/docs/a.txt", "").Code)
	require.Equal(t, 413, put("big", strings.Repeat("x", 64<<20+1)).Code)
	entries, err := os.ReadDir(filepath.Join(s.Dir, "lake", s.Tenant.ID))
	require.NoError(t, err)
	require.Len(t, entries, 1)
}

// An artifact that the lake has changed or lost is reported and never sent. The page says so and then shows no text, as
// it may not be the original; there is nothing that a replay could compare with.
func TestBundleOfABrokenLake(t *testing.T) {
	s := webtest.NewServer(t).As("reviewer")
	id := s.Bundle(webtest.InlineBundle)
	files, err := filepath.Glob(filepath.Join(s.Dir, "lake", s.Tenant.ID, "evidence", "bundles", id, "*.json"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	data, err := os.ReadFile(files[0])
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(files[0], []byte(strings.Replace(string(data), "15 days", "51 days", 1)), 0o600))
	says := func(page, replay string) string {
		t.Helper()
		require.Equal(t, 500, s.Do("GET", "/api/v1/bundles/"+id, "").Code)
		p := webtest.Get[webtest.Problem](t, s.Do("GET", "/api/v1/bundles/"+id+"/replay", ""), 409)
		require.Contains(t, p.Detail, replay)
		shown := s.Do("GET", "/bundles/"+id, "")
		require.Equal(t, 200, shown.Code)
		require.Contains(t, shown.Body.String(), page)
		return shown.Body.String()
	}
	require.NotContains(t, says("was changed after it was written", "was changed in the lake"), "51 days")
	require.Equal(t, 500, s.Do("POST", "/api/v1/bundles", webtest.InlineBundle).Code)
	require.NoError(t, os.Remove(files[0]))
	require.Contains(t, says("artifact is missing from the lake", "has lost this bundle"), "inline:0")
}

// If the process died after writing to the lake and before writing to the database, the next attempt finds the artifact
// and adds its rows.
func TestInterruptedBundleIsCompleted(t *testing.T) {
	first, second := webtest.NewServer(t).As("reviewer"), webtest.NewServer(t).As("reviewer")
	id := first.Bundle(webtest.InlineBundle)
	from := filepath.Join(first.Dir, "lake", first.Tenant.ID)
	require.NoError(t, os.CopyFS(filepath.Join(second.Dir, "lake", second.Tenant.ID), os.DirFS(from)))
	second.Clock.Move(60e9)
	b := webtest.Get[bundle.Bundle](t, second.Do("POST", "/api/v1/bundles", webtest.InlineBundle), 201)
	require.Equal(t, id, b.BundleID)
	require.Equal(t, webtest.Now, b.CreatedUTC, "as it was written first")
	require.Equal(t, 200, second.Do("GET", "/api/v1/bundles/"+id, "").Code)
}

func TestServerWithoutLake(t *testing.T) {
	s := webtest.NewServer(t, func(o *web.Options) { o.Lake = nil }).As("reviewer")
	for _, r := range [][3]string{{"POST", "/api/v1/bundles", webtest.InlineBundle}, {"PUT", "/api/v1/lake/x", "x"},
		{"GET", "/api/v1/lake/x", ""}} {
		p := webtest.Get[webtest.Problem](t, s.Do(r[0], r[1], r[2]), 503)
		require.Contains(t, p.Detail, "no lake")
	}
	require.Equal(t, 200, s.Do("GET", "/api/v1/bundles", "").Code)
}

func TestBundleIdempotency(t *testing.T) {
	s := webtest.NewServer(t).As("reviewer")
	first := s.Do("POST", "/api/v1/bundles", webtest.InlineBundle, "Idempotency-Key", "k")
	require.Equal(t, 201, first.Code)
	again := s.Do("POST", "/api/v1/bundles", webtest.InlineBundle, "Idempotency-Key", "k")
	require.Equal(t, 201, again.Code)
	require.Equal(t, "true", again.Header().Get("Idempotent-Replayed"))
	require.True(t, json.Valid(again.Body.Bytes()))
	require.Equal(t, 422, s.Do("POST", "/api/v1/bundles", webtest.ForeignBundle, "Idempotency-Key", "k").Code)
}
