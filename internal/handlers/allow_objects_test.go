package handlers_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/access"
	"sanad/internal/handlers"
	"sanad/internal/handlers/webtest"
)

// shutOut answers by role, but says no about single objects.
type shutOut map[access.Object]bool

func (a shutOut) Allowed(ctx context.Context, who access.Actor, what access.Action, on access.Object) (bool, error) {
	may, err := access.ByRole{}.Allowed(ctx, who, what, on)
	return may && !a[on], err
}

// narrowed is a server whose Authorizer says no about single objects, as a stricter OpenFGA model does.
func narrowed(t *testing.T) (*webtest.Server, func(kind, id string), func()) {
	t.Helper()
	a := shutOut{}
	s := webtest.NewServer(t, func(o *handlers.Options) { o.Authorizer = a })
	return s, func(kind, id string) { a[access.Object{Kind: kind, ID: id}] = true }, func() { clear(a) }
}

// TestNarrowedByOtherAddresses checks that who is shut out of a pack or session is shut out at each address that names
// it by a request or a link too (rule P-20).
func TestNarrowedByOtherAddresses(t *testing.T) {
	s, shut, open := narrowed(t)
	p := s.Signed("dec_1")
	asked := webtest.Get[map[string]any](t, s.As("viewer").Do("POST", "/api/v1/packs/"+p.PackID+"/export",
		`{"format":"pdf","reason":"board"}`), 202)
	export := "/api/v1/pack-exports/" + asked["export_id"].(string)
	packLink := webtest.Get[map[string]string](t, s.As("approver").Do("POST", "/api/v1/packs/"+p.PackID+"/export",
		`{"format":"pdf"}`), 200)["download_url"]
	id := s.Create(webtest.LeavePolicy).SessionID
	link := webtest.Get[map[string]any](t, s.As("reviewer").Do("POST", "/api/v1/sessions/"+id+"/ledger/export",
		`{"format":"json"}`), 200)["download_url"].(string)
	password := `{"password":"` + webtest.Password + `"}`

	shut("evidence_pack", p.PackID)
	shut("session", id)
	for _, x := range []struct{ who, method, path string }{
		{"approver", "POST", export + "/grant"},
		{"approver", "POST", export + "/refuse"},
		{"viewer", "POST", export + "/link"},
		{"approver", "GET", packLink},
		{"reviewer", "GET", link},
	} {
		require.Equal(t, 404, s.As(x.who).Do(x.method, x.path, password).Code, x.path)
	}
	for _, q := range []string{"Riyadh", "Riyad"} { // the search, also the forgiving one
		require.NotContains(t, s.As("viewer").Do("GET", "/search?q="+q, "").Body.String(), p.PackID)
	}
	open()
	require.Contains(t, s.As("viewer").Do("GET", "/search?q=Riyadh", "").Body.String(), p.PackID)
	require.Equal(t, 200, s.As("approver").Do("GET", packLink, "").Code)
	require.Equal(t, 200, s.As("reviewer").Do("GET", link, "").Code)
	require.Equal(t, 200, s.As("approver").Do("POST", export+"/grant", password).Code)
	require.Equal(t, 200, s.As("viewer").Do("POST", export+"/link", "").Code)
}

// TestNarrowedSearch checks that a search leaves out what was found in a session or a document that the reader is shut
// out of.
func TestNarrowedSearch(t *testing.T) {
	s, shut, open := narrowed(t)
	hidden := s.Create(webtest.LeavePolicy).SessionID
	kept := s.Create(strings.Replace(webtest.LeavePolicy, "hr-42", "hr-43", 1)).SessionID
	type results struct {
		Results []struct {
			SessionID  string `json:"session_id"`
			DocumentID string `json:"document_id"`
		}
	}
	find := func() (sessions map[string]int, document string) {
		sessions = map[string]int{}
		for _, r := range webtest.Get[results](t, s.Do("GET", "/api/v1/search?q=days", ""), 200).Results {
			sessions[r.SessionID]++
			if r.SessionID == hidden && r.DocumentID != "" {
				document = r.DocumentID
			}
		}
		return sessions, document
	}
	all, document := find()
	require.Len(t, all, 2)
	require.NotEmpty(t, document)
	shut("document", document)
	less, _ := find()
	require.Equal(t, all[hidden]-1, less[hidden])
	open()
	shut("session", hidden)
	only, _ := find()
	require.Equal(t, map[string]int{kept: all[kept]}, only)
	for _, path := range []string{"/search?q=days", "/search?q=days&kind=claim"} {
		page := s.Do("GET", path, "").Body.String()
		require.NotContains(t, page, hidden, path)
		require.Contains(t, page, kept, path)
	}
}

// TestNarrowedLedgerCopies checks that who is shut out of a session neither makes a pack that copies its ledger, nor
// reads one.
func TestNarrowedLedgerCopies(t *testing.T) {
	s, shut, open := narrowed(t)
	id := s.Create(webtest.LeavePolicy).SessionID
	about := func(decision string) {
		body := strings.Replace(webtest.DecisionOf(decision, "A2"), `"decision_id"`,
			`"ledger_session_id":"`+id+`","decision_id"`, 1)
		require.Equal(t, 201, s.Do("POST", "/api/v1/decisions", body).Code)
	}
	about("dec_1")
	about("dec_2")
	p := webtest.Get[webtest.PackJSON](t, s.Do("POST", "/api/v1/packs", `{"decision_id":"dec_1"}`), 201)
	shut("session", id)
	require.Equal(t, 404, s.Do("POST", "/api/v1/packs", `{"decision_id":"dec_2"}`).Code)
	require.Equal(t, 404, s.Post("/packs", "decision=dec_2").Code)
	for _, path := range []string{"/packs/" + p.PackID, "/api/v1/packs/" + p.PackID, "/packs/" + p.PackID + "/draft.pdf"} {
		require.Equal(t, 404, s.Do("GET", path, "").Code, path)
	}
	open()
	require.Equal(t, 200, s.Do("GET", "/packs/"+p.PackID, "").Code)
	require.Equal(t, 201, s.Do("POST", "/api/v1/packs", `{"decision_id":"dec_2"}`).Code)
}
