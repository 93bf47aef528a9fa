package ledger_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
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
	require.Equal(t, []string{"hr", "hr.html", "lake:docs/hr.html", domain.HTML.MediaType}, []string{d.Key, d.Filename, d.URI, d.MediaType})
	require.Len(t, d.BlobSHA256, 64)
	require.Equal(t, []string{"supported"}, verdictsIn(s, session.ID))
	again := s.Do("POST", "/api/v1/sessions", ofLake("docs/hr.html", ""), "Idempotency-Key", "k")
	require.Equal(t, res.Body.String(), again.Body.String())
	require.Equal(t, 201, s.Do("POST", "/api/v1/sessions", ofLake("docs/hr.html", `,"title":"HR","lake_sha256":"`+d.BlobSHA256+`"`)).Code)
}

// What cannot be read is told with the document's place, and nothing is stored.
func TestFaultsOfDocumentsOfTheLake(t *testing.T) {
	s := webtest.NewServer(t)
	for name, data := range map[string]string{"a.csv": "a,b", "b.pdf": "%PDF-1.7\n", "c.txt": policy, "big.txt": strings.Repeat("x ", 6<<20)} {
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
		"changed":           {ofLake("c.txt", `,"lake_sha256":"00"`), 409, `"path":"documents[1].lake_sha256"`},
		"another kind":      {ofLake("a.csv", ""), 415, `"path":"documents[1].lake"`},
		"broken":            {ofLake("b.pdf", ""), 422, `"path":"documents[1].lake"`},
		"with text":         {ofLake("c.txt", `,"text":"x"`), 422, `"path":"documents[1].lake"`},
		"a fault elsewhere": {strings.Replace(ofLake("c.txt", ""), `"answer":"`+leave+`"`, `"answer":""`, 1), 422, `"path":"session.answer"`},
	} {
		res := s.Do("POST", "/api/v1/sessions", c.body)
		require.Equal(t, c.status, res.Code, "%s: %s", name, res.Body.String())
		require.Contains(t, res.Body.String(), c.says, name)
	}
	require.Equal(t, 0, stored(t, s))
	batch := s.Do("POST", "/api/v1/sessions:batch", batchOf(ofLake("c.txt", "")))
	require.Contains(t, batch.Body.String(), "No lake is read here")
	other := s.As("foreign")
	require.Equal(t, 422, other.Do("POST", "/api/v1/sessions", ofLake("c.txt", "")).Code)
}
