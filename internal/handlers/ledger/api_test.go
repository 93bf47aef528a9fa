package ledger_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/domain/evidence"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/webtest"
	"sanad/internal/importers"
)

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

// A ledger says whose answer it is, and of which trace, where the import said.
func TestLedgerSaysWhoseAnswerItIs(t *testing.T) {
	s := webtest.NewServer(t)
	c := s.Create(`{"format":"sanad.session/v1","session":{"answer":"Leave is 15 days.","model":"vendor/m-1","model_version":"2",
		"trace_id":"4bf92f3577b34da6a3ce929d0e0e4736"}}`)
	said := s.Do("GET", c.LedgerURL, "").Body.String()
	require.Contains(t, said, `"model":"vendor/m-1","model_version":"2","trace_id":"4bf92f3577b34da6a3ce929d0e0e4736"`)
	require.NotContains(t, s.Do("GET", s.Create(webtest.LeavePolicy).LedgerURL, "").Body.String(), `"trace_id"`)
}

func TestCreateAndReadALedger(t *testing.T) {
	s := webtest.NewServer(t)
	c := s.Create(webtest.LeavePolicy)
	require.Equal(t, "/api/v1/sessions/"+c.SessionID+"/ledger", c.LedgerURL)
	require.NotNil(t, c.Warnings)
	require.Empty(t, c.Warnings)

	again := webtest.Get[webtest.Created](t,
		s.Do("POST", "/api/v1/sessions", strings.ReplaceAll(webtest.LeavePolicy, "\n", " ")), http.StatusOK)
	require.Equal(t, c.SessionID, again.SessionID, "the same content is the same session")

	w := s.Do("GET", c.LedgerURL, "")
	l := webtest.Get[apiLedger](t, w, http.StatusOK)
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
	require.Equal(t, http.StatusNotModified, s.Do("GET", c.LedgerURL, "", "If-None-Match", tag).Code)
	require.Equal(t, http.StatusNotModified, s.Do("GET", c.LedgerURL, "", "If-None-Match", "W/"+tag).Code)
}

func TestReviewsNeedTheNewestRevision(t *testing.T) {
	s := webtest.NewServer(t)
	c := s.Create(webtest.LeavePolicy)
	reviews := "/api/v1/sessions/" + c.SessionID + "/claims/2/reviews"
	tag := s.Do("GET", c.LedgerURL, "").Header().Get("ETag")
	body := `{"action":"override","verdict":"weak","reason":"Found it in the annex."}`

	require.Equal(t, http.StatusPreconditionRequired,
		webtest.Get[webtest.Problem](t, s.Do("POST", reviews, body), 428).Status)
	w := s.Do("POST", reviews, body, "If-Match", tag)
	require.Equal(t, http.StatusCreated, w.Code, w.Body.String())
	next := w.Header().Get("ETag")
	require.NotEqual(t, tag, next)
	require.Contains(t, webtest.Get[webtest.Problem](t, s.Do("POST", reviews, body, "If-Match", tag), 412).Detail,
		"changed")
	require.Equal(t, http.StatusCreated,
		s.Do("POST", reviews, `{"action":"comment","reason":"x"}`, "If-Match", next).Code)

	p := webtest.Get[webtest.Problem](t,
		s.Do("POST", reviews, `{"action":"override","verdict":"weak"}`, "If-Match", "*"), 422)
	require.Equal(t, "reason", p.Path)
	l := webtest.Get[apiLedger](t, s.Do("GET", c.LedgerURL, ""), 200)
	require.Equal(t, "weak", *l.Ledger.Entries[1].Verdict)
}

// Importing a reviewed export into its own store warns that the reviews were not imported again.
func TestReimportWarnsAboutReviews(t *testing.T) {
	s, other := webtest.NewServer(t), webtest.NewServer(t)
	c := s.Create(webtest.LeavePolicy)
	s.Do("POST", "/api/v1/sessions/"+c.SessionID+"/claims/1/reviews", `{"action":"confirm"}`, "If-Match", "*")
	export := s.Do("GET", "/sessions/"+c.SessionID+"/export/json", "").Body.String()
	taken := other.Create(export)
	require.Contains(t, taken.Warnings[0].Message, "its 1 review(s) are shown as imported and do not settle claims here")
	again := webtest.Get[webtest.Created](t, other.Do("POST", "/api/v1/sessions", export), 200)
	require.Contains(t, again.Warnings[0].Message, "were not imported")
}

func TestBadBodiesAreRefusedAndLeaveNoTrace(t *testing.T) {
	s := webtest.NewServer(t, func(o *web.Options) { o.Import = importers.Options{Answer: 2000, Bytes: 20000} })
	for name, c := range map[string]struct {
		body   string
		status int
		path   string
	}{
		"empty":          {"", 400, ""},
		"not json":       {"{", 400, ""},
		"duplicate key":  {`{"format":"sanad.session/v1","format":"x"}`, 400, ""},
		"invalid UTF-8":  {"{\"format\":\"\xff\"}", 400, ""},
		"lone surrogate": {`{"format":"\ud800"}`, 400, ""},
		"trailing data":  {`{"format":"sanad.session/v1"} x`, 400, ""},
		"too deep":       {strings.Repeat("[", 65) + strings.Repeat("]", 65), 400, ""},
		"unknown format": {`{"hello":1}`, 415, ""},
		"huge":           {`{"x":"` + strings.Repeat("y", 20001) + `"}`, 413, ""},
		"truncated":      {webtest.LeavePolicy[:len(webtest.LeavePolicy)/2], 400, ""},
		"wrong type": {strings.Replace(webtest.LeavePolicy, `"similarity":0.92`, `"similarity":"high"`, 1), 422,
			"claims[0].matches[0].similarity"},
		"offset outside": {strings.Replace(webtest.LeavePolicy, `"end_offset":49`, `"end_offset":4900`, 1), 422,
			"claims[0].end_offset"},
		"unknown chunk": {strings.Replace(webtest.LeavePolicy, `"chunk":"c1"`, `"chunk":"c9"`, 1), 422,
			"claims[0].matches[0].chunk"},
		"duplicate claim": {strings.Replace(webtest.LeavePolicy, "clm_002", "clm_001", 1), 422, "claims[1].claim_id"},
	} {
		t.Run(name, func(t *testing.T) {
			w := s.Do("POST", "/api/v1/sessions", c.body, "Content-Type", "application/json")
			require.Equal(t, "application/problem+json", w.Header().Get("Content-Type"))
			var p webtest.Problem
			require.NoError(t, json.Unmarshal(w.Body.Bytes(), &p))
			require.Equal(t, c.status, p.Status, p.Detail)
			require.NotEmpty(t, p.Detail)
			if c.path != "" {
				require.Equal(t, c.path, p.Path)
			}
		})
	}
	list := webtest.Get[struct{ Sessions []any }](t, s.Do("GET", "/api/v1/sessions", ""), 200)
	require.Empty(t, list.Sessions)
}

func TestExportByLink(t *testing.T) {
	s := webtest.NewServer(t)
	c := s.Create(webtest.LeavePolicy)
	path := "/api/v1/sessions/" + c.SessionID + "/ledger/export"
	e := webtest.Get[struct {
		URL     string    `json:"download_url"`
		Expires time.Time `json:"expires_at"`
	}](t, s.Do("POST", path, `{"format":"json"}`), 200)
	require.Equal(t, webtest.Now.Add(15*time.Minute), e.Expires)
	w := s.Do("GET", e.URL, "")
	require.Equal(t, 200, w.Code)
	require.Contains(t, w.Header().Get("Content-Disposition"), `attachment; filename="Leave r1.json"`)
	require.True(t, json.Valid(w.Body.Bytes()))
	require.Equal(t, 404, s.Do("GET", "/downloads/nonsense", "").Code)
	require.Equal(t, 422, s.Do("POST", path, `{"format":"docx"}`).Code)
	require.Equal(t, 404, s.Do("POST", "/api/v1/sessions/"+uuid.NewString()+"/ledger/export", `{"format":"json"}`).Code)
	// the export, imported elsewhere, has the same claims, judged there
	other := webtest.NewServer(t)
	again := other.Create(w.Body.String())
	ours := webtest.Get[apiLedger](t, s.Do("GET", c.LedgerURL, ""), 200).Ledger.Entries
	theirs := webtest.Get[apiLedger](t, other.Do("GET", again.LedgerURL, ""), 200).Ledger.Entries
	require.Len(t, theirs, len(ours))
	for i := range ours {
		require.Equal(t, ours[i].ClaimID, theirs[i].ClaimID)
	}
}

func TestLinkExpires(t *testing.T) {
	s := webtest.NewServer(t)
	c := s.Create(webtest.LeavePolicy)
	e := webtest.Get[map[string]string](t,
		s.Do("POST", "/api/v1/sessions/"+c.SessionID+"/ledger/export", `{"format":"markdown"}`), 200)
	s.Clock.Move(14 * time.Minute)
	require.Equal(t, 200, s.Do("GET", e["download_url"], "").Code)
	s.Clock.Move(time.Minute)
	require.Equal(t, 404, s.Do("GET", e["download_url"], "").Code)
}

func TestEvidenceMaps(t *testing.T) {
	s := webtest.NewServer(t)
	m := webtest.Get[struct {
		Evidence              []map[string]any
		Root, Prompt, Lattice string
	}](t, s.Do("POST", "/api/v1/evidence-maps",
		`{"chunks":[],"claims":[{"text":"x","pointer_ids":["E9"]}],"window":200}`), 200)
	require.NotNil(t, m.Evidence)
	require.Equal(t, strings.Repeat("0", 64), m.Root)
	require.Equal(t, "- x\n  [E9: ?]", m.Lattice)
	require.Equal(t, 400, s.Do("POST", "/api/v1/evidence-maps", `{"chunks":[{"span":"\ud800"}]}`).Code)
}

// TestEvidenceMapProves asks for the proofs of two passages of a map of five, and of one that it does not have.
func TestEvidenceMapProves(t *testing.T) {
	s := webtest.NewServer(t)
	var chunks []evidence.Chunk
	for i := range 5 {
		chunks = append(chunks, evidence.Chunk{SourceRoot: "r", ChunkIdx: i, ChunkRoot: fmt.Sprint("c", i), Span: "Leave is 15 days."})
	}
	made := evidence.Build(chunks)
	ask := func(ids ...string) *httptest.ResponseRecorder {
		body, err := json.Marshal(map[string]any{"chunks": chunks, "claims": []any{}, "prove": ids})
		require.NoError(t, err)
		return s.Do("POST", "/api/v1/evidence-maps", string(body))
	}
	m := webtest.Get[struct {
		Root   string
		Proofs []evidence.Proof
	}](t, ask(made[3].EvidenceID, made[0].EvidenceID), 200)
	require.Len(t, m.Proofs, 2)
	for i, at := range []int{3, 0} {
		require.Equal(t, made[at].EvidenceID, m.Proofs[i].EvidenceID)
		require.NoError(t, m.Proofs[i].Verify(m.Root))
	}
	p := webtest.Get[webtest.Problem](t, ask("E00000000"), 422)
	require.Contains(t, p.Detail, "E00000000")
	require.NotContains(t, ask().Body.String(), "proofs", "only who asks gets them")
}

// TestEvidenceMapIsBounded: a passage that is too long, and one that claims point to too often, are refused by their
// place.
func TestEvidenceMapIsBounded(t *testing.T) {
	s := webtest.NewServer(t)
	for place, body := range map[string]string{
		"chunks[1].span": `{"chunks":[{"span":"x"},{"span":"` + strings.Repeat("x", 1_000_001) + `"}],"claims":[]}`,
		"claims[0].pointer_ids[33]": `{"chunks":[{"span":"` + strings.Repeat("x", 1_000_000) +
			`"}],"claims":[{"text":"y","pointer_ids":["E1"` + strings.Repeat(`,"E1"`, 99) + `]}]}`,
		"prove": `{"chunks":[{"span":"x"}],"claims":[],"prove":["E1"` + strings.Repeat(`,"E1"`, 10_000) + `]}`,
	} {
		require.Equal(t, place, webtest.Get[webtest.Problem](t, s.Do("POST", "/api/v1/evidence-maps", body), 413).Path)
	}
}

func TestSessionsArePagedByKey(t *testing.T) {
	s := webtest.NewServer(t)
	for i := range 7 {
		s.Create(strings.Replace(webtest.LeavePolicy, "hr-42", fmt.Sprint("hr-", i), 1))
	}
	type page struct {
		Sessions []struct{ ID string }
		Next     *string
	}
	seen := map[string]bool{}
	path := "/api/v1/sessions?limit=3"
	for pages := 1; ; pages++ {
		w := s.Do("GET", path, "")
		p := webtest.Get[page](t, w, 200)
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
	require.Equal(t, 400, s.Do("GET", "/api/v1/sessions?limit=0", "").Code)
	for query, path := range map[string]string{"after=nonsense": "", "sort=nonsense": "sort", "state=x": "state",
		"status=new": "status", "verdict=x": "verdict", "flag=x": "flag", "dir=x": "dir"} {
		p := webtest.Get[webtest.Problem](t, s.Do("GET", "/api/v1/sessions?"+query, ""), 400)
		if path != "" {
			require.Equal(t, path, p.Path)
		}
	}
}

func TestCitationLookUp(t *testing.T) {
	s := webtest.NewServer(t)
	s.Create(webtest.LeavePolicy)
	cited := s.Do("GET", "/api/v1/citations/b8b859ac", "").Body.String()
	require.Contains(t, cited, `"chunk_hash":"b8b859ac"`)
	require.Contains(t, cited, `"resolved":true`)
	require.Regexp(t, `"chunk":\{.*"text":"[^"]{10,}`, cited, "a program reads the passage here")
	require.Contains(t, s.Do("GET", "/api/v1/citations/00000000", "").Body.String(),
		"Citation references deleted or unavailable chunk")
	require.Equal(t, 404, s.Do("GET", "/api/v1/citations/xyz", "").Code)
}
