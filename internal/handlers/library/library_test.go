package library_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/access"
	"sanad/internal/domain/erasure"
	"sanad/internal/domain/ledger"
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
	require.Contains(t, page, "/admin/erasures?kind=library&amp;id="+id)
	admin := access.Actor{Tenant: s.Tenant.ID, ID: s.Person("admin").ID, User: "admin", Human: true, Role: access.Admin}
	_, err = s.Store.PutOnHold(context.Background(), admin, erasure.Library, id, "A suit over leave.")
	require.NoError(t, err)
	require.Contains(t, s.Do("GET", at, "").Body.String(), "A suit over leave.")
	require.NotContains(t, s.As("reviewer").Do("GET", at, "").Body.String(), "A suit over leave.")
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
	sum := fmt.Sprintf("%x", sha256.Sum256([]byte(policy)))
	for more, want := range map[string]struct {
		status int
		path   string
	}{
		`,"library_version":7`:  {422, "documents[1].library"},
		`,"library_version":-1`: {422, "documents[1].library"},
		`,"text":"x"`:           {422, "documents[1].library"},
		`,"lake":"a.txt"`:       {422, "documents[1].lake"},
		`,"lake_sha256":"` + strings.Repeat("0", 64) + `"`:          {409, "documents[1].lake_sha256"},
		`,"lake_sha256":"00"`:                                       {422, "documents[1].lake_sha256"},
		`},{"text":"x","library_version":1`:                         {422, "documents[2].library_version"},
		`},{"text":"x","lake_sha256":"` + sum + `"`:                 {422, "documents[2].lake_sha256"},
		`,"lake_sha256":"` + sum + `"},{"library":"` + id[:8] + `"`: {422, "documents[2].library"},
	} {
		for _, add := range []func() *httptest.ResponseRecorder{
			func() *httptest.ResponseRecorder { return s.Do("POST", "/api/v1/sessions", of(more)) },
			func() *httptest.ResponseRecorder {
				_, list, _ := strings.Cut(of(more), `"documents":`)
				return s.Do("POST", "/api/v1/sessions/"+session.ID+"/documents", `{"documents":`+list, "If-Match", "*")
			},
		} {
			res := add()
			require.Equal(t, want.status, res.Code, "%s: %s", more, res.Body)
			require.Contains(t, res.Body.String(), `"path":"`+want.path+`"`, more)
		}
	}
	require.Equal(t, 201, s.Do("POST", "/api/v1/sessions", of(`,"title":"T","lake_sha256":"`+strings.ToUpper(sum)+`"`)).Code)
	res := s.Do("POST", "/api/v1/sessions", `{"format":"sanad.session/v1",
		"session":{"answer":"Notice is one month."},"documents":[{"text":"x","library_version":2}]}`)
	require.Contains(t, res.Body.String(), `"path":"documents[0].library_version"`, "where no file is read too")
	other := webtest.Get[webtest.Created](t, s.Do("POST", "/api/v1/sessions",
		`{"format":"sanad.session/v1","session":{"answer":"Notice is one month."},"documents":[{"text":"Nothing."}]}`), http.StatusCreated)
	res = s.Do("POST", "/api/v1/sessions/"+other.SessionID+"/documents", `{"documents":[{"library":"`+id+`","library_version":1}]}`,
		"If-Match", "*")
	require.Equal(t, 200, res.Code, res.Body)
	uses, err := s.Store.LibraryUses(context.Background(), s.Tenant.ID, id, library.UsesQuery{From: 1, To: 1, Limit: 9})
	require.NoError(t, err)
	require.Equal(t, 3, uses.Sessions)
}

// An exported ledger says which version of which document its sources were taken from, and so does the export of the
// session that it becomes; it rests on no library by that.
func TestOriginTravels(t *testing.T) {
	s, far := webtest.NewServer(t), webtest.NewServer(t)
	at := added(t, s, "Leave policy", policy)
	id := strings.TrimPrefix(at, "/library/")
	export := func(s *webtest.Server, session string) string {
		return s.Do("GET", "/sessions/"+session+"/export/json", "").Body.String()
	}
	first := export(s, webtest.Get[webtest.Created](t, s.Do("POST", "/api/v1/sessions", `{"format":"sanad.session/v1",
		"session":{"answer":"Notice is one month."},"documents":[{"library":"`+id+`","title":"Own title"},{"text":"x"}]}`), 201).SessionID)
	want := fmt.Sprintf(`"origin": {
          "library": "%s",
          "version": 1,
          "name": "Leave policy"
        }`, id)
	require.Equal(t, 1, strings.Count(first, want), first)
	second := far.Create(first).SessionID
	require.Contains(t, export(far, second), want)
	session, err := far.Store.Session(context.Background(), far.Tenant.ID, second)
	require.NoError(t, err)
	require.Equal(t, &library.Origin{Library: id, Version: 1, Name: "Leave policy"}, session.Documents[0].Origin)
	require.Zero(t, session.Documents[0].Library)
	require.Nil(t, session.Documents[1].Origin)

	s.Create(strings.Replace(first, "Own title", "Other title", 1))
	require.Contains(t, s.Do("GET", "/api/v1"+at+"/uses", "").Body.String(), `"sessions":1,`)
	for status, change := range map[int][2]string{
		422: {`"version": 1`, `"version": 0`}, 413: {`"library": "` + id, `"library": "` + id + `0`},
	} {
		res := far.Do("POST", "/api/v1/sessions", strings.Replace(first, change[0], change[1], 1))
		require.Equal(t, status, res.Code, res.Body)
		require.Contains(t, res.Body.String(), `"path":"sanad.documents[0].origin`)
	}
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

// noSession answers by role, but says no about one session, as an OpenFGA model of its own does.
type noSession struct{ id string }

func (a *noSession) Allowed(ctx context.Context, who access.Actor, what access.Action, on access.Object) (bool, error) {
	may, err := access.ByRole{}.Allowed(ctx, who, what, on)
	return may && (a.id == "" || on.ID != a.id), err
}

// Sessions that somebody may not read are left out of what rests on a document, on its page as in the API.
func TestUsesAreAskedFor(t *testing.T) {
	a := &noSession{}
	s := webtest.NewServer(t, func(o *web.Options) { o.Authorizer = a })
	at := added(t, s, "Leave policy", policy)
	of := func(answer string) string {
		body := `{"format":"sanad.session/v1","session":{"answer":"` + answer + `"},"documents":[{"library":"` +
			strings.TrimPrefix(at, "/library/") + `"}]}`
		return webtest.Get[webtest.Created](t, s.Do("POST", "/api/v1/sessions", body), http.StatusCreated).SessionID
	}
	hidden, shown := of("Notice is one month."), of("Leave is 15 days.")
	for _, a.id = range []string{"", hidden} {
		for _, path := range []string{at, "/api/v1" + at + "/uses"} {
			res := s.Do("GET", path, "")
			require.Equal(t, 200, res.Code, res.Body)
			require.Contains(t, res.Body.String(), shown)
			require.Equal(t, a.id == "", strings.Contains(res.Body.String(), hidden), path)
		}
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

// apiDocument is a document as the API shows it.
type apiDocument struct {
	ID       string
	Name     string
	Folder   string
	Tags     []string
	Version  int
	Versions []struct {
		Version  int
		Filename string
		SHA256   string
		By       string `json:"created_by"`
	}
}

// A program adds a document and a version, finds its id, and reads what rests on it.
func TestLibraryOfPrograms(t *testing.T) {
	s := webtest.NewServer(t)
	body := `{"name":"Leave policy","folder":"/HR/","tags":["Leave","rules"],"filename":"leave.md","text":"` +
		strings.ReplaceAll(policy, "\n", `\n`) + `"}`
	res := s.Do("POST", "/api/v1/library", body, "Idempotency-Key", "k")
	d := webtest.Get[apiDocument](t, res, http.StatusCreated)
	at := "/api/v1/library/" + d.ID
	require.Equal(t, at, res.Header().Get("Location"))
	require.Equal(t, []any{"Leave policy", "HR", []string{"Leave", "rules"}, 1}, []any{d.Name, d.Folder, d.Tags, d.Version})
	again := s.Do("POST", "/api/v1/library", body, "Idempotency-Key", "k")
	require.Equal(t, []string{"true", res.Body.String()}, []string{again.Header().Get("Idempotent-Replayed"), again.Body.String()})
	res = post(s, "/api/v1/library", webtest.Part{Name: "file", File: "notice.html", Content: "<p>Notice is one month.</p>"},
		webtest.Part{Name: "tags", Content: "rules, exit"})
	require.Equal(t, []any{"notice.html", []string{"exit", "rules"}},
		[]any{webtest.Get[apiDocument](t, res, http.StatusCreated).Name, webtest.Get[apiDocument](t, res, http.StatusCreated).Tags})

	type list struct {
		Documents []apiDocument
		Next      *string
	}
	names := func(query string) (out []string, next *string) {
		l := webtest.Get[list](t, s.Do("GET", "/api/v1/library"+query, ""), http.StatusOK)
		for _, d := range l.Documents {
			out = append(out, d.Name)
		}
		return out, l.Next
	}
	first, next := names("?limit=1")
	second, end := names("?limit=1&after=" + *next)
	require.Equal(t, []string{"Leave policy", "notice.html"}, append(first, second...))
	require.Nil(t, end)
	for query, want := range map[string]string{"?q=LEAVE+hr": "Leave policy", "?tag=exit": "notice.html", "?folder=HR": "Leave policy"} {
		found, _ := names(query)
		require.Equal(t, []string{want}, found, query)
	}

	session := webtest.Get[webtest.Created](t, s.Do("POST", "/api/v1/sessions", `{"format":"sanad.session/v1",
		"session":{"answer":"Employees are entitled to 15 days of annual leave."},"documents":[{"library":"`+d.ID+`"}]}`), http.StatusCreated)
	tag := s.Do("GET", at, "").Header().Get("ETag")
	require.Equal(t, 304, s.Do("GET", at, "", "If-None-Match", tag).Code)
	newer := strings.Replace(policy, "15 days", "20 days", 1)
	body, kind := s.FormOf(webtest.Part{Name: "file", File: "leave.md", Content: newer})
	res = s.Do("POST", at+"/versions", body, "Content-Type", kind, "If-Match", tag)
	require.Equal(t, 2, webtest.Get[apiDocument](t, res, http.StatusCreated).Version)
	require.Equal(t, 412, s.Do("POST", at+"/versions", `{"filename":"a.md","text":"Other words."}`, "If-Match", tag).Code)
	tag = s.Do("GET", at, "").Header().Get("ETag")
	require.Equal(t, 428, s.Do("PATCH", at, `{"folder":"hr"}`).Code)
	change := s.Do("PATCH", at, `{"folder":"hr"}`, "If-Match", tag, "Idempotency-Key", "rename")
	d = webtest.Get[apiDocument](t, change, http.StatusOK)
	require.Equal(t, []any{"Leave policy", "hr", []string{"Leave", "rules"}, 2}, []any{d.Name, d.Folder, d.Tags, d.Version})
	require.NotEqual(t, tag, change.Header().Get("ETag"), "letter case counts")
	require.Equal(t, 200, s.Do("GET", at, "", "If-None-Match", tag).Code)
	require.Equal(t, 304, s.Do("GET", at, "", "If-None-Match", change.Header().Get("ETag")).Code)
	require.Equal(t, 412, s.Do("PATCH", at, `{"name":"Another"}`, "If-Match", tag).Code)
	require.Equal(t, change.Body.String(),
		s.Do("PATCH", at, `{"folder":"hr"}`, "If-Match", tag, "Idempotency-Key", "rename").Body.String(), "sent again")
	res = s.Do("PATCH", at, `{"name":"Leave rules","folder":"","tags":["Rules"]}`, "If-Match", change.Header().Get("ETag"))
	d = webtest.Get[apiDocument](t, res, http.StatusOK)
	require.Equal(t, []any{"Leave rules", "", []string{"Rules"}}, []any{d.Name, d.Folder, d.Tags})
	refused := s.Do("PATCH", at, `{"name":" "}`, "If-Match", res.Header().Get("ETag"))
	require.Equal(t, 422, refused.Code)
	require.Contains(t, refused.Body.String(), `"path":"name"`)
	require.Equal(t, 403, s.As("reviewer").Do("PATCH", at, `{"name":"x"}`, "If-Match", "*").Code)
	s = s.As("admin")
	d = webtest.Get[apiDocument](t, s.Do("GET", at, ""), http.StatusOK)
	require.Equal(t, []int{2, 1}, []int{d.Versions[0].Version, d.Versions[1].Version})
	require.NotEmpty(t, d.Versions[0].By)
	require.Equal(t, policy, s.Do("GET", at+"/versions/1", "").Body.String())
	require.Equal(t, 404, s.Do("GET", at+"/versions/3", "").Code)

	uses := webtest.Get[struct {
		Sessions int
		Uses     []struct {
			ID      string `json:"session_id"`
			Version int
			Cited   []struct{ Text, Now string }
		}
	}](t, s.Do("GET", at+"/uses?version=1", ""), http.StatusOK)
	require.Equal(t, 1, uses.Sessions)
	require.Equal(t, session.SessionID, uses.Uses[0].ID)
	require.Equal(t, "lost", uses.Uses[0].Cited[0].Now)
	require.Contains(t, uses.Uses[0].Cited[0].Text, "15 days")
	require.Contains(t, s.Do("GET", at+"/uses?version=2", "").Body.String(), `"uses":[]`)
}

// What the API refuses names the place; of a file that is there already, its document.
func TestRefusedPrograms(t *testing.T) {
	s := webtest.NewServer(t)
	id := strings.TrimPrefix(added(t, s, "Leave policy", policy), "/library/")
	at := "/api/v1/library/" + id
	for body, want := range map[string]string{
		`{"filename":"x.md"}`:                     `"path":"text"`,
		`{"text":"x"}`:                            `"path":"filename"`,
		`{"filename":"x.pdf","text":"no PDF"}`:    `"path":"text"`,
		`{"filename":"x.md","text":" "}`:          `"path":"text"`,
		`{"filename":"x.md","text":"x","n":1}`:    `"path":"n"`,
		`{"filename":"x.md","text":"x","name":7}`: `"path":"name"`,
	} {
		res := s.Do("POST", "/api/v1/library", body)
		require.Equal(t, 422, res.Code, "%s: %s", body, res.Body)
		require.Contains(t, res.Body.String(), want, body)
	}
	for _, path := range []string{"/api/v1/library", at + "/versions"} {
		res := post(s, path, webtest.Part{Name: "file", File: "x.md", Content: policy})
		require.Equal(t, 409, res.Code, res.Body)
		require.Contains(t, res.Body.String(), id)
		require.Equal(t, 422, post(s, path, webtest.Part{Name: "file", Content: policy}).Code)
	}
	require.Equal(t, 422, post(s, at+"/versions", webtest.Part{Name: "name", Content: "x"}).Code)
	none := "/api/v1/library/8d1b4b5e-0000-4000-8000-000000000000"
	for _, path := range []string{none, none + "/uses", none + "/versions/1", "/api/v1/library/x/uses"} {
		require.Equal(t, 404, s.Do("GET", path, "").Code, path)
	}
	require.Equal(t, 404, s.Do("POST", none+"/versions", `{"filename":"a.md","text":"Other."}`).Code)
	for _, path := range []string{"/api/v1/library?after=x", "/api/v1/library?limit=0", at + "/uses?version=0", at + "/uses?after=x"} {
		require.Equal(t, 400, s.Do("GET", path, "").Code, path)
	}
	require.Equal(t, 403, s.As("reviewer").Do("POST", "/api/v1/library", `{"filename":"a.md","text":"Other."}`).Code)
	require.Equal(t, 403, s.As("viewer").Do("GET", "/api/v1/library", "").Code)
}

// What changed between two versions is shown by words under the page or heading where it stands, without long unchanged
// parts, and is a PDF for who may have copies.
func TestCompareVersions(t *testing.T) {
	s := webtest.NewServer(t)
	at := added(t, s, "Leave policy", policy)
	require.Contains(t, s.Do("GET", at+"/compare", "").Body.String(), "The document has one version only")
	require.Equal(t, 404, s.Do("GET", at+"/compare.pdf", "").Code)
	for _, text := range []string{
		strings.Replace(policy, "15 days", "20 days", 1) + "\n\n# إشعار\n\nمدة الإشعار شهر واحد.",
		strings.Replace(policy, "15 days", "20 days", 1) + "\n\n# إشعار\n\nمدة الإشعار شهران.",
	} {
		require.Equal(t, 303, post(s, at+"/versions", webtest.Part{Name: "file", File: "leave.md", Content: text}).Code)
	}
	require.Contains(t, s.Do("GET", at, "").Body.String(), at+"/compare?from=1&amp;to=2")
	page := s.Do("GET", at+"/compare?from=1&to=2", "").Body.String()
	require.Regexp(t, `<h3[^>]*>Leave</h3>`, page)
	require.Regexp(t, `<del>.*15 </del><ins>.*20 </ins>`, page)
	require.NotContains(t, page, "شهران")
	page = s.Do("GET", at+"/compare?from=99&to=x", "").Body.String() // the two newest
	require.Contains(t, page, "Version 2 compared with version 3")
	require.Regexp(t, `<h3 dir="rtl" lang="ar">إشعار</h3>`, page)
	require.Contains(t, page, "paragraphs unchanged")
	require.Contains(t, s.Do("GET", at+"/compare?from=3&to=1", "").Body.String(), "Version 1 compared with version 3")
	require.Contains(t, s.Do("GET", at+"/compare?from=2&to=2", "").Body.String(), "The wording is the same")

	require.Contains(t, page, at+"/compare.pdf?from=2&amp;to=3")
	res := s.Do("GET", at+"/compare.pdf?from=1&to=3&language=ar", "")
	require.Equal(t, 200, res.Code, res.Body)
	require.True(t, strings.HasPrefix(res.Body.String(), "%PDF-"))
	require.Contains(t, res.Header().Get("Content-Disposition"), "Leave policy 1-3.ar.pdf")
	require.Equal(t, 400, s.Do("GET", at+"/compare.pdf?language=fr", "").Code)
}

// A long comparison is shown in parts, all of which can be reached; of texts that are longer than what is compared only
// the beginning is, and the page says so.
func TestCompareLongVersions(t *testing.T) {
	s := webtest.NewServer(t)
	text := func(word string) string {
		var all strings.Builder
		for i := range 30_000 {
			fmt.Fprintf(&all, "Clause %d: the fee is paid within %d days of the %s.\n\n", i, i%90, word)
		}
		return all.String()
	}
	at := added(t, s, "Fees", text("notice"))
	require.Equal(t, 303, post(s, at+"/versions", webtest.Part{Name: "file", File: "fees.md", Content: text("invoice")}).Code)
	start := time.Now()
	res := s.Do("GET", at+"/compare", "")
	require.Less(t, res.Body.Len(), 2<<20)
	page := res.Body.String()
	require.Contains(t, page, "part=2")
	require.Contains(t, s.Do("GET", at+"/compare?from=1&to=2&part=2", "").Body.String(), "part=3")
	require.Contains(t, s.Do("GET", at+"/compare?from=1&to=2&part=99999", "").Body.String(), "First page")
	t.Log("three pages:", time.Since(start))
	start = time.Now()
	require.Equal(t, 200, s.Do("GET", at+"/compare.pdf", "").Code)
	t.Log("PDF:", time.Since(start))
}

// More documents than a form lists can be found in it and reached page by page, without a script; what was typed and what
// is chosen stays. A document's page leads to the form with it chosen.
func TestChooseFromTheLibrary(t *testing.T) {
	s := webtest.NewServer(t)
	ids := map[string]string{}
	for i := range 53 {
		name := fmt.Sprintf("Policy %02d", i)
		ids[name] = strings.TrimPrefix(added(t, s, name, "Policy of number "+strconv.Itoa(i)+"."), "/library/")
	}
	res := post(s, "/library", webtest.Part{Name: "name", Content: "Zebra crossing"}, webtest.Part{Name: "folder", Content: "Roads"},
		webtest.Part{Name: "tags", Content: "traffic"}, webtest.Part{Name: "file", File: "z.md", Content: "Zebras cross."})
	require.Equal(t, http.StatusSeeOther, res.Code)
	zebra := strings.TrimSuffix(strings.TrimPrefix(res.Header().Get("Location"), "/library/"), "?done=added")
	box := func(id string, checked bool) string {
		return `name="library" value="` + id + `"` + map[bool]string{true: " checked", false: ">"}[checked]
	}
	session := webtest.Get[webtest.Created](t, s.Do("POST", "/api/v1/sessions",
		`{"format":"sanad.session/v1","session":{"answer":"Notice is one month."},"documents":[{"text":"Nothing."}]}`), http.StatusCreated)
	for _, path := range []string{"/sessions/new", "/sessions/" + session.SessionID + "/documents"} {
		page := s.Do("GET", path, "").Body.String()
		require.NotContains(t, page, zebra, "it is none of the first fifty")
		require.Contains(t, page, `<details class="fold" id="lib-choice">`, "the choice is folded")
		action := strings.TrimSuffix(path, "/new")
		again := func(parts ...webtest.Part) string {
			t.Helper()
			res := post(s, action, append(parts, webtest.Part{Name: "answer", Content: "Typed answer"},
				webtest.Part{Name: "library", Content: ids["Policy 07"]})...)
			require.Equal(t, 200, res.Code, res.Body)
			if action == "/sessions" {
				require.Contains(t, res.Body.String(), "Typed answer")
			}
			require.Contains(t, res.Body.String(), box(ids["Policy 07"], true), "what is chosen stays")
			require.Contains(t, res.Body.String(), `id="lib-choice" open`)
			return res.Body.String()
		}
		find := webtest.Part{Name: "library_find", Content: "1"}
		for name, typed := range map[string]string{"library_q": "ZEBRA", "library_folder": "Roads", "library_tag": "traffic"} {
			page = again(find, webtest.Part{Name: name, Content: typed})
			require.Contains(t, page, box(zebra, false), name)
			require.NotContains(t, page, ids["Policy 08"], name)
			require.Contains(t, page, typed)
		}
		require.Contains(t, again(find, webtest.Part{Name: "library_q", Content: "pension"}), "No document matches.")
		require.Contains(t, again(find, webtest.Part{Name: "documents", File: "a.md", Content: "A."}), "Choose the files again")
		next := webtest.Between(again(find), `name="library_after" value="`, `"`)
		page = again(webtest.Part{Name: "library_after", Content: next})
		require.Contains(t, page, box(zebra, false))
		require.Contains(t, s.Do("GET", path+"?library_q=zebra&library="+ids["Policy 07"], "").Body.String(), box(zebra, false),
			"a script fetches the part alone")
	}
	page := s.Do("GET", "/library/"+zebra, "").Body.String()
	require.Contains(t, page, `href="/sessions/new?library=`+zebra+`"`)
	require.Contains(t, s.Do("GET", "/sessions/new?library="+zebra, "").Body.String(), box(zebra, true))
	require.Equal(t, http.StatusSeeOther, post(s, "/sessions", webtest.Part{Name: "answer", Content: "Zebras cross."},
		webtest.Part{Name: "library_q", Content: "other words"}, webtest.Part{Name: "library", Content: zebra}).Code)
}

// A session says of which of its documents the library has a newer version, with what changed, and takes that version by
// one button. Others are not told anything.
func TestReplaceWithTheLibrarysVersion(t *testing.T) {
	s := webtest.NewServer(t)
	ctx := context.Background()
	var ats []string
	parts := []webtest.Part{{Name: "answer", Content: "Employees are entitled to 15 days of annual leave."}}
	for _, name := range []string{"Leave policy", "Pension policy"} {
		ats = append(ats, added(t, s, name, strings.Replace(policy, "# Leave", "# "+name, 1)))
		parts = append(parts, webtest.Part{Name: "library", Content: strings.TrimPrefix(ats[len(ats)-1], "/library/")})
	}
	path := post(s, "/sessions", parts...).Header().Get("Location")
	load := func() *ledger.Session {
		session, err := s.Store.Session(ctx, s.Tenant.ID, strings.TrimPrefix(path, "/sessions/"))
		require.NoError(t, err)
		return session
	}
	session := load()
	document := "/documents/" + session.Documents[0].ID
	require.NotContains(t, s.Do("GET", path, "").Body.String(), "The library has")
	require.NotContains(t, s.Do("GET", document, "").Body.String(), `name="library_version"`)
	require.Contains(t, s.Do("GET", path+"?tab=sources", "").Body.String(), "Pension policy</bdi>", "the library's name beside the file's")

	newer := strings.Replace(policy, "15 days", "20 days", 1)
	require.Equal(t, 303, post(s, ats[0]+"/versions", webtest.Part{Name: "file", File: "leave-2.md", Content: newer}).Code)
	for _, tab := range []string{"", "?tab=sources"} {
		page := s.Do("GET", path+tab, "").Body.String()
		require.Regexp(t, "The library has version 2 of .*Leave policy", page)
		require.Contains(t, page, ats[0]+"/compare?from=1&amp;to=2")
		require.Contains(t, page, document+"#document-steps")
	}
	require.NotContains(t, s.As("viewer").Do("GET", path, "").Body.String(), "The library has", "who may not read the library")
	s = s.As("admin")
	page := s.Do("GET", document, "").Body.String()
	require.Contains(t, page, "Replace with version 2 of the library")
	reason := webtest.Between(page, `id="v-lr" name="reason" type="text" value="`, `"`)
	require.Contains(t, reason, "version 2 of “Leave policy”")
	revision := webtest.Part{Name: "revision", Content: webtest.Between(page, `name="revision" value="`, `"`)}
	send := func(version, why string) *httptest.ResponseRecorder {
		return post(s, document+"/replace", revision, webtest.Part{Name: "library_version", Content: version},
			webtest.Part{Name: "reason", Content: why})
	}
	for _, bad := range []string{"1", "3", "x"} { // not newer, not there, no number
		res := send(bad, "Typed reason")
		require.Equal(t, 422, res.Code, res.Body)
		require.Contains(t, res.Body.String(), "no such document or version")
		require.Contains(t, res.Body.String(), "Typed reason")
	}
	require.Equal(t, 422, send("2", " ").Code)
	res := send("2", reason)
	require.Equal(t, 303, res.Code, res.Body)
	session = load()
	got := session.Documents[2]
	require.Equal(t, []any{library.Ref{ID: strings.TrimPrefix(ats[0], "/library/"), No: 2}, "Leave policy", "leave-2.md", session.Documents[0].Key},
		[]any{got.Library, got.Title, got.Filename, got.Supersedes})
	require.Equal(t, newer, s.Do("GET", "/documents/"+got.ID+"/original", "").Body.String())
	require.Equal(t, reason, session.Documents[0].Withdrawn)
	require.NotContains(t, s.Do("GET", path, "").Body.String(), "/compare?from=")
	uses, err := s.Store.LibraryUses(ctx, s.Tenant.ID, got.Library.ID, library.UsesQuery{From: 2, To: 2, Limit: 9})
	require.NoError(t, err)
	require.Equal(t, 1, uses.Sessions)
	require.True(t, uses.Rows[0].Behind, "its claims rest on version 1 until they are judged again")
	require.Contains(t, s.Do("GET", ats[0], "").Body.String(), "claims rest on the one it replaced until they are judged again")
	require.Equal(t, 200, s.Do("POST", "/api/v1"+path+"/judge", "", "If-Match", "*").Code)
	uses, err = s.Store.LibraryUses(ctx, s.Tenant.ID, got.Library.ID, library.UsesQuery{From: 2, To: 2, Limit: 9})
	require.NoError(t, err)
	require.False(t, uses.Rows[0].Behind)

	for i, at := range ats { // several are one line, which leads to the list
		require.Equal(t, 303, post(s, at+"/versions", webtest.Part{Name: "file", File: "n.md", Content: newer + strings.Repeat("\n\nMore.", i+1)}).Code)
	}
	require.Contains(t, s.Do("GET", path, "").Body.String(), `<a href="`+path+`?tab=sources">The library has newer versions of 2 documents</a>`)
	require.Equal(t, 2, strings.Count(s.Do("GET", path+"?tab=sources", "").Body.String(), "The library has version"))
}
