package ledger_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/access"
	"sanad/internal/domain/filetype"
	"sanad/internal/handlers/webtest"
)

// ofLake is a session whose second document is in the lake; more are members of that document.
func ofLake(path, more string) string {
	return fmt.Sprintf(`{"format":"sanad.session/v1","session":{"answer":%q},"documents":[{"text":"Nothing about it."},
		{"id":"hr","lake":%q%s}]}`, leave, path, more)
}

// A document is read from the lake as an uploaded file is, and its digest is kept.
func TestDocumentsOfTheLake(t *testing.T) {
	s := webtest.NewServer(t)
	require.Equal(t, 201, s.Do("PUT", "/api/v1/lake/docs/hr.html", "<h1>HR</h1><p>"+policy+"</p>").Code)
	res := s.Do("POST", "/api/v1/sessions", ofLake("docs/hr.html", ""), "Idempotency-Key", "k")
	created := webtest.Get[webtest.Created](t, res, http.StatusCreated)
	session, err := s.Store.Session(context.Background(), s.Tenant.ID, created.SessionID)
	require.NoError(t, err)
	d := session.Documents[1]
	require.Equal(t, []string{"hr", "hr.html", "lake:docs/hr.html", filetype.HTML.MediaType},
		[]string{d.Key, d.Filename, d.URI, d.MediaType})
	require.Len(t, d.BlobSHA256, 64)
	require.Equal(t, []string{"supported"}, verdictsIn(s, session.ID))
	again := s.Do("POST", "/api/v1/sessions", ofLake("docs/hr.html", ""), "Idempotency-Key", "k")
	require.Equal(t, res.Body.String(), again.Body.String())
	require.Equal(t, 201, s.Do("POST", "/api/v1/sessions", ofLake("docs/hr.html", `,"title":"HR","lake_sha256":"`+d.BlobSHA256+`"`)).Code)
	only := s.NarrowedToken(s.Person("reviewer").User.ID, access.Reviewer, access.ScopeImport)
	refused := s.Do("POST", "/api/v1/sessions", ofLake("docs/hr.html", ""), "Authorization", "Bearer "+only)
	require.Equal(t, 403, refused.Code)
	require.Contains(t, refused.Header().Get("WWW-Authenticate"), `scope="read"`, "import alone does not read the lake")
}

// What cannot be read is told with the document's place, and nothing is stored.
func TestFaultsOfDocumentsOfTheLake(t *testing.T) {
	s := webtest.NewServer(t)
	for name, data := range map[string]string{"a.ods": "a,b", "b.pdf": "%PDF-1.7\n", "c.txt": policy, "big.txt": strings.Repeat("x ", 6<<20)} {
		require.Equal(t, 201, s.Do("PUT", "/api/v1/lake/"+name, data).Code)
	}
	for name, c := range map[string]struct {
		body   string
		status int
		says   string
	}{
		"unknown":           {ofLake("none.pdf", ""), 422, `"path":"documents[1].lake"`},
		"outside":           {ofLake("../x", ""), 422, `"path":"documents[1].lake"`},
		"another host":      {ofLake("https://example.org/a.txt", ""), 422, `"path":"documents[1].lake"`},
		"too large":         {ofLake("big.txt", ""), 413, `"path":"documents[1].lake"`},
		"changed":           {ofLake("c.txt", `,"lake_sha256":"`+strings.Repeat("00", 32)+`"`), 409, `"path":"documents[1].lake_sha256"`},
		"no SHA-256":        {ofLake("c.txt", `,"lake_sha256":"00"`), 422, `"path":"documents[1].lake_sha256"`},
		"another kind":      {ofLake("a.ods", ""), 415, `"path":"documents[1].lake"`},
		"broken":            {ofLake("b.pdf", ""), 422, `"path":"documents[1].lake"`},
		"with text":         {ofLake("c.txt", `,"text":"x"`), 422, `"path":"documents[1].lake"`},
		"a fault elsewhere": {strings.Replace(ofLake("c.txt", ""), `"answer":"`+leave+`"`, `"answer":""`, 1), 422, `"path":"session.answer"`},
	} {
		res := s.Do("POST", "/api/v1/sessions", c.body)
		require.Equal(t, c.status, res.Code, "%s: %s", name, res.Body.String())
		require.Contains(t, res.Body.String(), c.says, name)
	}
	require.Equal(t, 0, stored(t, s))
	other := s.As("foreign")
	require.Equal(t, 422, other.Do("POST", "/api/v1/sessions", ofLake("c.txt", "")).Code)
}

// Sessions of a batch read the lake each on its own, within one bound for the request.
func TestBatchReadsTheLake(t *testing.T) {
	s := webtest.NewServer(t)
	for name, data := range map[string]string{"c.txt": policy, "b.pdf": "%PDF-1.7\n",
		"1.txt": policy + strings.Repeat(" a", 2<<20), "big.txt": strings.Repeat("x ", 4<<20), "other.txt": strings.Repeat("y ", 4<<20)} {
		require.Equal(t, 201, s.Do("PUT", "/api/v1/lake/"+name, data).Code)
	}
	body := batchOf(ofLake("none.txt", ""), ofLake("c.txt", ""), ofLake("b.pdf", ""), ofLake("c.txt", ""), ofLake("big.txt", ""),
		ofLake("1.txt", ""), ofLake("other.txt", ""), small(1), ofLake("c.txt", `,"title":"again"`))
	got := webtest.Get[batch](t, s.Do("POST", "/api/v1/sessions:batch", body), http.StatusOK)
	for i, want := range []struct {
		status int
		path   string
	}{
		{422, "sessions[0].documents[1].lake"}, {status: 201}, {422, "sessions[2].documents[1].lake"}, {status: 200},
		{413, "sessions[4]"}, {status: 201}, {413, "sessions[6].documents[1].lake"}, {status: 201},
		{status: 201},
	} {
		r := got.Results[i]
		require.Equal(t, want.status, r.Status, "%d: %+v", i, r.Error)
		if r.Error != nil {
			require.Equal(t, want.path, r.Error.Path)
		}
	}
	require.Equal(t, []string{"supported"}, verdictsIn(s, got.Results[1].Session.SessionID))
	theirs := webtest.Get[batch](t, s.As("foreign").Do("POST", "/api/v1/sessions:batch", batchOf(ofLake("c.txt", ""))), http.StatusOK)
	require.Equal(t, 422, theirs.Results[0].Status, "the lake of another tenant is not read")
}

// Documents that are added to a session may be in the lake, beside others, also where a job reads them.
func TestAddDocumentsOfTheLake(t *testing.T) {
	s := webtest.NewServer(t).As("reviewer")
	canteen := "The canteen opens at 11:30 on working days."
	for name, data := range map[string]string{"canteen.html": "<p>" + canteen + "</p>", "b.pdf": "%PDF-1.7\n", "a.ods": "a",
		"big.txt": "Visitors must wear a badge in the building." + strings.Repeat(" x", 3<<20)} {
		require.Equal(t, 201, s.As("admin").Do("PUT", "/api/v1/lake/"+name, data).Code)
	}
	path := "/api/v1/sessions/" + s.Create(threeClaims).SessionID
	add := func(documents string) *httptest.ResponseRecorder {
		return s.Do("POST", path+"/documents", `{"documents":[`+documents+`]}`, "If-Match", "*")
	}
	for bad, want := range map[string]struct {
		status int
		path   string
	}{
		`{"text":"x"},{"lake":"none.txt"}`:                                         {422, "documents[1].lake"},
		`{"text":"x"},{"lake":"../canteen.html"}`:                                  {422, "documents[1].lake"},
		`{"lake":"canteen.html"},{"text":"x"},{"lake":"b.pdf"}`:                    {422, "documents[2].lake"},
		`{"text":"x"},{"lake":"a.ods"}`:                                            {415, "documents[1].lake"},
		`{"lake":"canteen.html","text":"x"}`:                                       {422, "documents[0].lake"},
		`{"lake":"canteen.html","lake_sha256":"` + strings.Repeat("00", 32) + `"}`: {409, "documents[0].lake_sha256"},
		`{"lake":"canteen.html"},{"text":" "}`:                                     {422, "documents[1]"},
		`{"lake":"big.txt"},{"lake":"big.txt"},{"lake":"big.txt"}`:                 {413, "documents[2].lake"},
		`{"lake":"canteen.html","published_at":"yesterday"}`:                       {422, "documents[0].published_at"},
		`{"text":"x"},{"lake":"canteen.html","supersedes":"nobody"}`:               {422, "documents[1].supersedes"},
	} {
		res := add(bad)
		require.Equal(t, want.status, res.Code, "%s: %s", bad, res.Body.String())
		require.Contains(t, res.Body.String(), `"path":"`+want.path+`"`, bad)
	}
	res := add(`{"text":"Nothing about it.","filename":"n.txt"},{"id":"c","lake":"canteen.html"}`)
	got := webtest.Get[addedAnswer](t, res, http.StatusOK)
	require.Equal(t, []string{"n.txt", "canteen.html"}, []string{got.Documents[0].Filename, got.Documents[1].Filename})
	require.Equal(t, "c", got.Documents[1].ID)
	after := webtest.Get[ledgerOf](t, s.Do("GET", path+"/ledger", ""), 200)
	require.Equal(t, []string{"supported", "supported", "not_found"}, verdictsOf(after))
	session, err := s.Store.Session(context.Background(), s.Tenant.ID, strings.TrimPrefix(path, "/api/v1/sessions/"))
	require.NoError(t, err)
	d := session.Documents[2]
	require.Equal(t, []string{"lake:canteen.html", filetype.HTML.MediaType}, []string{d.URI, d.MediaType})
	require.Len(t, d.BlobSHA256, 64)

	require.Equal(t, http.StatusAccepted, add(`{"text":"x y z"},{"id":"v","lake":"big.txt"}`).Code, "a job reads it")
	defer s.Work()()
	require.Eventually(t, func() bool {
		l := webtest.Get[ledgerOf](t, s.Do("GET", path+"/ledger", ""), 200)
		return verdictsOf(l)[2] == "supported"
	}, time.Minute, 20*time.Millisecond)
}
