package library_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/access"
	"sanad/internal/domain/library"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/webtest"
	"sanad/internal/quota"
)

const policy = "# Leave\n\nEmployees are entitled to 15 days of annual leave.\n\nNotice is one month."

// post sends a form with files.
func post(s *webtest.Server, path string, parts ...webtest.Part) *httptest.ResponseRecorder {
	body, kind := s.FormOf(parts...)
	return s.Do("POST", path, body, "Content-Type", kind)
}

// added adds a document and returns its address.
func added(t *testing.T, s *webtest.Server, name, text string) string {
	t.Helper()
	res := post(s, "/library", webtest.Part{Name: "name", Content: name}, webtest.Part{Name: "folder", Content: "HR"},
		webtest.Part{Name: "tags", Content: "leave, rules"}, webtest.Part{Name: "file", File: "leave.md", Content: text})
	require.Equal(t, http.StatusSeeOther, res.Code, res.Body)
	return strings.TrimSuffix(res.Header().Get("Location"), "?done=added")
}

// A document is added, chosen for a review and followed by a newer version, which says what of the review's cited
// passages changed. Nothing of this needs a script.
func TestLibrary(t *testing.T) {
	s := webtest.NewServer(t)
	at := added(t, s, "Leave policy", policy)
	id := strings.TrimPrefix(at, "/library/")
	list := s.Do("GET", "/library?q=POLICY&folder=HR&tag=leave", "").Body.String()
	require.Contains(t, list, at)
	require.NotContains(t, s.Do("GET", "/library?q=pension", "").Body.String(), at)

	require.Contains(t, s.Do("GET", "/sessions/new", "").Body.String(), `name="library" value="`+id+`"`)
	res := post(s, "/sessions", webtest.Part{Name: "answer", Content: "Employees are entitled to 15 days of annual leave."},
		webtest.Part{Name: "library", Content: id})
	require.Equal(t, http.StatusSeeOther, res.Code, res.Body)
	session, err := s.Store.Session(context.Background(), s.Tenant.ID, strings.TrimPrefix(res.Header().Get("Location"), "/sessions/"))
	require.NoError(t, err)
	d := session.Documents[0]
	require.Equal(t, []any{library.Ref{ID: id, No: 1}, "Leave policy", "leave.md"}, []any{d.Library, d.Title, d.Filename})
	require.Contains(t, s.Do("GET", "/documents/"+d.ID, "").Body.String(), "version 1</a>")
	require.Equal(t, policy, s.Do("GET", "/documents/"+d.ID+"/original", "").Body.String())

	page := s.Do("GET", at, "").Body.String()
	require.Contains(t, page, "/sessions/"+session.ID)
	require.Contains(t, page, "1 session, 0 packs.")
	newer := strings.Replace(policy, "15 days", "20 days", 1)
	res = post(s, at+"/versions", webtest.Part{Name: "file", File: "leave.md", Content: newer})
	require.Equal(t, http.StatusSeeOther, res.Code, res.Body)
	page = s.Do("GET", at+"?done=version", "").Body.String()
	require.Contains(t, page, "1 no longer there")
	require.Contains(t, page, "No session was changed")
	require.Contains(t, s.Do("GET", "/documents/"+d.ID, "").Body.String(), "The library has a newer version: 2")
	require.Equal(t, newer, s.Do("GET", at+"/versions/2", "").Body.String())
	require.Equal(t, 404, s.Do("GET", at+"/versions/3", "").Code)
	require.NotContains(t, s.Do("GET", at+"?version=2", "").Body.String(), "/sessions/"+session.ID)

	res = s.Do("POST", at, "name=Leave+rules&folder=&tags=hr", "Content-Type", "application/x-www-form-urlencoded")
	require.Equal(t, http.StatusSeeOther, res.Code)
	require.Contains(t, s.Do("GET", "/library?tag=hr", "").Body.String(), "Leave rules")
}

// What is refused keeps what was typed and says where the fault is.
func TestRefusedForms(t *testing.T) {
	s := webtest.NewServer(t)
	at := added(t, s, "Leave policy", policy)
	for name, c := range map[string]struct {
		path   string
		parts  []webtest.Part
		status int
		says   []string
	}{
		"no file": {path: "/library", parts: []webtest.Part{{Name: "name", Content: "Typed name"}}, status: 422,
			says: []string{"Choose the file of the document.", "Typed name"}},
		"the same file": {path: "/library", status: 409, says: []string{"Leave policy, version 1", at, "Typed name"},
			parts: []webtest.Part{{Name: "name", Content: "Typed name"}, {Name: "file", File: "x.md", Content: policy}}},
		"no document": {path: "/library", status: 422, says: []string{"x.pdf"},
			parts: []webtest.Part{{Name: "file", File: "x.pdf", Content: "%PDF-1.7\n"}}},
		"the same file again": {path: at + "/versions", status: 409, says: []string{"Leave policy, version 1"},
			parts: []webtest.Part{{Name: "file", File: "x.md", Content: policy}}},
		"a version without file": {path: at + "/versions", status: 422, says: []string{"Choose the file of the document."}},
		"a choice that is gone": {path: "/sessions", status: 422, says: []string{"no such document or version", "Typed answer"},
			parts: []webtest.Part{{Name: "answer", Content: "Typed answer"},
				{Name: "library", Content: "8d1b4b5e-0000-4000-8000-000000000000"}}},
	} {
		t.Run(name, func(t *testing.T) {
			res := post(s, c.path, c.parts...)
			require.Equal(t, c.status, res.Code, res.Body)
			for _, words := range c.says {
				require.Contains(t, res.Body.String(), words)
			}
		})
	}
	res := s.Do("POST", at, "name=&folder=F&tags=", "Content-Type", "application/x-www-form-urlencoded")
	require.Equal(t, 422, res.Code)
	require.Contains(t, res.Body.String(), "Name the document")
}

// Programs name a document of the library by its id, for a new session and for one that exists.
func TestDocumentsOfTheLibraryByID(t *testing.T) {
	s := webtest.NewServer(t)
	id := strings.TrimPrefix(added(t, s, "Leave policy", policy), "/library/")
	of := func(more string) string {
		return `{"format":"sanad.session/v1","session":{"answer":"Employees are entitled to 15 days of annual leave."},
			"documents":[{"text":"Nothing about it."},{"id":"hr","library":"` + id + `"` + more + `}]}`
	}
	created := webtest.Get[webtest.Created](t, s.Do("POST", "/api/v1/sessions", of("")), http.StatusCreated)
	session, err := s.Store.Session(context.Background(), s.Tenant.ID, created.SessionID)
	require.NoError(t, err)
	require.Equal(t, library.Ref{ID: id, No: 1}, session.Documents[1].Library)
	require.Empty(t, session.Documents[1].URI)
	for more, says := range map[string]string{
		`,"library_version":7`: `"path":"documents[1].library"`, `,"text":"x"`: `"path":"documents[1].library"`,
	} {
		res := s.Do("POST", "/api/v1/sessions", of(more))
		require.Equal(t, 422, res.Code, res.Body)
		require.Contains(t, res.Body.String(), says)
	}
	other := webtest.Get[webtest.Created](t, s.Do("POST", "/api/v1/sessions",
		`{"format":"sanad.session/v1","session":{"answer":"Notice is one month."},"documents":[{"text":"Nothing."}]}`), http.StatusCreated)
	res := s.Do("POST", "/api/v1/sessions/"+other.SessionID+"/documents", `{"documents":[{"library":"`+id+`","library_version":1}]}`,
		"If-Match", "*")
	require.Equal(t, 200, res.Code, res.Body)
	uses, err := s.Store.LibraryUses(context.Background(), s.Tenant.ID, id, library.UsesQuery{From: 1, To: 1, Limit: 9})
	require.NoError(t, err)
	require.Equal(t, 2, uses.Sessions)
}

// noLibrary answers by role, but says no about the library, as a stricter OpenFGA model does.
type noLibrary struct{ on bool }

func (a *noLibrary) Allowed(ctx context.Context, who access.Actor, what access.Action, on access.Object) (bool, error) {
	may, err := access.ByRole{}.Allowed(ctx, who, what, on)
	return may && (!a.on || what != access.ReadLibrary), err
}

// Who may not read the library by the Authorizer sees no names of it, whatever the role.
func TestNamesAreAskedFor(t *testing.T) {
	a := &noLibrary{}
	s := webtest.NewServer(t, func(o *web.Options) { o.Authorizer = a })
	at := added(t, s, "Leave policy", policy)
	id := strings.TrimPrefix(at, "/library/")
	res := post(s, "/sessions", webtest.Part{Name: "answer", Content: "Notice is one month."}, webtest.Part{Name: "library", Content: id})
	require.Equal(t, http.StatusSeeOther, res.Code, res.Body)
	session, err := s.Store.Session(context.Background(), s.Tenant.ID, strings.TrimPrefix(res.Header().Get("Location"), "/sessions/"))
	require.NoError(t, err)
	for _, a.on = range []bool{false, true} {
		form, document := s.Do("GET", "/sessions/new", ""), s.Do("GET", "/documents/"+session.Documents[0].ID, "")
		require.Equal(t, []int{200, 200}, []int{form.Code, document.Code})
		require.Equal(t, !a.on, strings.Contains(form.Body.String(), `value="`+id+`"`))
		require.Equal(t, !a.on, strings.Contains(document.Body.String(), at))
	}
}

// Documents that a form takes from the library need memory as files sent with it do.
func TestChosenDocumentsTakeMemory(t *testing.T) {
	pool := quota.NewPool(quota.Limits{All: 200 << 20, Tenant: 200 << 20, Person: 200 << 20, Wait: time.Millisecond})
	s := webtest.NewServer(t, func(o *web.Options) { o.Work = pool })
	parts := []webtest.Part{{Name: "answer", Content: "Notice is one month."}}
	for _, name := range []string{"One", "Two"} {
		at := added(t, s, name, name+strings.Repeat("\n\nNotice is one month.", 12_000))
		parts = append(parts, webtest.Part{Name: "library", Content: strings.TrimPrefix(at, "/library/")})
	}
	done, err := pool.Acquire(context.Background(), quota.Ask{Tenant: "another", Weight: 100 << 20})
	require.NoError(t, err)
	defer done()
	require.NotEqual(t, http.StatusSeeOther, post(s, "/sessions", parts...).Code)
	require.Equal(t, http.StatusSeeOther, post(s, "/sessions", parts[:2]...).Code)
}
