package packs_test

import (
	"bytes"
	"context"
	"encoding/json"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/auth"
	"sanad/internal/db"
	"sanad/internal/domain/access"
	"sanad/internal/domain/library"
	"sanad/internal/domain/pack"
	"sanad/internal/handlers/webtest"
)

// lacking is a decision of class A1 that lacks an excerpt, what a tool did, and a second language.
func lacking(id string) string {
	return strings.NewReplacer(`"excerpt":"We run 300 beds."`, `"excerpt":""`,
		`"actual_action":"retrieve contact 456"`, `"actual_action":""`,
		`"statement_ar":"مستشفى الرياض يطابق ملف العميل المستهدف بدرجة 0.84.",`, "").Replace(webtest.DecisionOf(id, "A1"))
}

// A decision that lacks something is taken as it is, and its draft is mended by the API until it can be submitted.
func TestMendByAPI(t *testing.T) {
	s := webtest.NewServer(t)
	require.Equal(t, 201, s.As("reviewer").Do("POST", "/api/v1/decisions", lacking("dec_1")).Code)
	p := s.API("reviewer", "POST", "/packs", `{"decision_id":"dec_1"}`)(201)
	path := "/api/v1/packs/" + p.PackID
	refused := webtest.Get[problems](t, s.As("reviewer").Do("POST", path+"/submit", ""), 422)
	var paths []string
	for _, e := range refused.Errors {
		paths = append(paths, e.Path)
	}
	require.Contains(t, paths, "sources[1].excerpt")
	require.Contains(t, paths, "tool_calls[0].actual_action")

	type draft struct {
		Sources   []map[string]any `json:"sources"`
		ToolCalls []map[string]any `json:"tool_calls"`
		Mended    []struct{ Path, Change string }
	}
	got := webtest.Get[draft](t, s.As("reviewer").Do("GET", path, ""), 200)
	got.Sources[1]["excerpt"] = "We run 300 beds."
	got.ToolCalls[0]["actual_action"] = "retrieved contact 456"
	change, err := json.Marshal(map[string]any{"sources": got.Sources, "tool_calls": got.ToolCalls,
		"statement_ar": "مستشفى الرياض يطابق الملف.", "reason": "The export cut these off."})
	require.NoError(t, err)
	body := string(change)
	require.Equal(t, 428, s.As("reviewer").Do("PATCH", path, body).Code, "If-Match is needed")
	require.Equal(t, 403, s.As("viewer").Do("PATCH", path, body, "If-Match", "*").Code)
	bad := webtest.Get[problems](t, s.As("reviewer").Do("PATCH", path,
		`{"sources":[{"retrieved_at":"yesterday","sensitivity_class":"S9"}]}`, "If-Match", "*"), 422)
	require.Len(t, bad.Errors, 2, "every field that is refused is named")
	mended := webtest.Get[draft](t, s.As("reviewer").Do("PATCH", path, body, "If-Match", p.Etag()), 200)
	var at []string
	for _, m := range mended.Mended {
		at = append(at, m.Path)
	}
	require.Equal(t, []string{"statement_ar", "sources[1].excerpt", "tool_calls[0].actual_action"}, at)
	require.Equal(t, 412, s.As("approver").Do("PATCH", path, body, "If-Match", p.Etag()).Code, "somebody else was first")
	require.Contains(t, s.As("viewer").Do("GET", "/api/v1/decisions/dec_1", "").Body.String(), `"actual_action":""`)
	require.Equal(t, "in_review", s.API("reviewer", "POST", "/packs/"+p.PackID+"/submit", "")(200).Status)

	pdf := s.As("reviewer").Do("GET", path+"/draft.pdf?language=ar", "")
	require.Equal(t, 200, pdf.Code)
	require.True(t, bytes.HasPrefix(pdf.Body.Bytes(), []byte("%PDF-")))
	require.Equal(t, 409, s.As("approver").Do("GET", path+"/reading.pdf?language=en", "").Code, "it is not signed")
}

func TestMendPage(t *testing.T) {
	s := webtest.NewServer(t)
	require.Equal(t, 201, s.As("reviewer").Do("POST", "/api/v1/decisions", lacking("dec_1")).Code)
	p := s.API("reviewer", "POST", "/packs", `{"decision_id":"dec_1"}`)(201)
	path := "/packs/" + p.PackID
	status, page := s.Page("reviewer", path+"/mend")
	require.Equal(t, 200, status)
	require.Contains(t, page, `href="#sources-1-excerpt"`, "each broken rule leads to its field")
	form := func(p webtest.PackJSON, change ...string) string {
		fields := []string{"revision", webtest.RevisionOf(p), "statement", "It fits."}
		for i, name := range []string{"a", "b"} {
			at := "sources[" + string(rune('0'+i)) + "]."
			fields = append(fields, at+"source", name, at+"uri", "x:"+name, at+"retrieved_at", "2026-11-21T07:00:00Z",
				at+"confidence", "0.5", at+"excerpt", "Says "+name+".")
		}
		fields = append(fields, "tool_calls[0].tool_name", "crm.get", "tool_calls[0].intended_action", "fetch contact 456",
			"tool_calls[0].actual_action", "retrieved contact 456")
		return webtest.Form(append(fields, change...)...)
	}
	bad := s.As("reviewer").Post(path+"/mend", form(p, "sources[0].confidence", "much", "tool_calls[0].inputs", "{"))
	require.Equal(t, 422, bad.Code)
	require.Contains(t, bad.Body.String(), "Give a number from 0 to 1.")
	require.Contains(t, bad.Body.String(), "This is not JSON")
	require.Contains(t, bad.Body.String(), "Says a.", "what was typed stays")
	require.Contains(t, bad.Body.String(), `value="much"`, "also what cannot be read")
	require.Contains(t, bad.Body.String(), `aria-invalid="true" autofocus>{</textarea>`)
	bad = s.As("reviewer").Post(path+"/mend", form(p, "sources[0].remove", "1", "sources[1].confidence", "2"))
	require.Equal(t, 422, bad.Code)
	require.Contains(t, bad.Body.String(), `name="sources[0].remove" value="1" checked`)
	require.Contains(t, bad.Body.String(), `id="sources-1-confidence-e"`, "the fault stands at the field that was typed")

	require.Equal(t, 303, s.As("reviewer").Post(path+"/mend", form(p, "reason", "Found in the file.")).Code)
	stale := s.As("approver").Post(path+"/mend", form(p, "statement", "Mine."))
	require.Equal(t, 409, stale.Code)
	require.Contains(t, stale.Body.String(), "Found in the file.", "it says who changed what, and why")
	require.Contains(t, stale.Body.String(), "Mine.")
	require.Contains(t, stale.Body.String(), "It fits.", "beside what is stored")

	now := s.API("reviewer", "GET", "/packs/"+p.PackID, "")(200)
	_, page = s.Page("reviewer", path+"/mend")
	require.Contains(t, page, "Did the tool do what was intended?")
	require.Equal(t, 422, s.As("reviewer").Post(path+"/departures", webtest.Form("revision", webtest.RevisionOf(now),
		"tool_call", "1", "departed", "no")).Code, "a reason is needed")
	require.Equal(t, 303, s.As("reviewer").Post(path+"/departures", webtest.Form("revision", webtest.RevisionOf(now),
		"tool_call", "1", "departed", "no", "reason", "To fetch is to retrieve.")).Code)
	_, page = s.Page("reviewer", path)
	require.Contains(t, page, "To fetch is to retrieve.")
}

func TestAttachmentsPage(t *testing.T) {
	s := webtest.NewServer(t)
	p := s.Draft("dec_1", "A2")
	path := "/packs/" + p.PackID
	upload := func(name, content string) (int, string) {
		now := s.API("reviewer", "GET", "/packs/"+p.PackID, "")(200)
		var body bytes.Buffer
		m := multipart.NewWriter(&body)
		require.NoError(t, m.WriteField("revision", webtest.RevisionOf(now)))
		f, err := m.CreateFormFile("file", name)
		require.NoError(t, err)
		_, err = f.Write([]byte(content))
		require.NoError(t, err)
		require.NoError(t, m.Close())
		w := s.As("reviewer").Do(http.MethodPost, path+"/attachments", body.String(), "Content-Type", m.FormDataContentType())
		return w.Code, w.Body.String()
	}
	status, _ := upload("minutes.txt", "The board met.")
	require.Equal(t, 303, status)
	status, page := upload("drawing.png", "<svg onload='alert(1)'/>")
	require.Equal(t, 422, status)
	require.Contains(t, page, "SVG and HTML are refused")
	status, _ = upload("again.txt", "The board met.")
	require.Equal(t, 409, status)
	_, page = s.Page("reviewer", path+"/mend")
	require.Contains(t, page, "minutes.txt")
	require.NotContains(t, page, "drawing.png")
}

func TestDiscardPage(t *testing.T) {
	s := webtest.NewServer(t)
	p := s.Draft("dec_1", "A2")
	path := "/packs/" + p.PackID
	require.Equal(t, 422, s.As("reviewer").Post(path+"/discard", webtest.Form("revision", webtest.RevisionOf(p))).Code)
	require.Equal(t, 303, s.As("reviewer").Post(path+"/discard",
		webtest.Form("revision", webtest.RevisionOf(p), "reason", "Decided by hand.")).Code)
	status, page := s.Page("viewer", path)
	require.Equal(t, 200, status)
	require.Contains(t, page, "Decided by hand.")
	require.Equal(t, 303, s.As("reviewer").Post("/packs", webtest.Form("decision", "dec_1")).Code, "another draft")
}

// TestLinkSession: a decision that names no session gets one in its draft, found by a word, with its originals and a
// line in the trail; the decision stays as it was.
func TestLinkSession(t *testing.T) {
	s := webtest.NewServer(t)
	p := s.Draft("dec_1", "A2")
	path, api := "/packs/"+p.PackID+"/session", "/api/v1/packs/"+p.PackID+"/session"
	_, page := s.Page("reviewer", "/packs/"+p.PackID+"/mend")
	require.Contains(t, page, `href="`+path+`"`)

	id := s.Create(webtest.LeavePolicy).SessionID
	_, page = s.Page("reviewer", path+"?q=zzzz")
	require.Contains(t, page, "No session has these words")
	_, page = s.Page("reviewer", path+"?q=leave")
	require.Contains(t, page, `value="`+id+`"`)
	link := func(who, session string, more ...string) int {
		now := s.API("reviewer", "GET", "/packs/"+p.PackID, "")(200)
		return s.As(who).Post(path, webtest.Form(append([]string{"revision", webtest.RevisionOf(now), "session_id", session},
			more...)...)).Code
	}
	require.Equal(t, 403, link("viewer", id))
	for _, bad := range []string{"x", "00000000-0000-4000-8000-000000000000", strings.Repeat("x", 9000)} {
		require.Equal(t, 422, link("reviewer", bad), bad)
	}
	require.Equal(t, 409, s.As("reviewer").Post(path, webtest.Form("revision", "99", "session_id", id)).Code, "stale")
	require.Equal(t, 303, link("reviewer", id, "reason", "Reviewed on Sunday."))

	type draft struct {
		Session string                          `json:"ledger_session_id"`
		Ledger  struct{ Entries []struct{} }    `json:"ledger"`
		Mended  []struct{ Path, Change string } `json:"mended"`
	}
	got := webtest.Get[draft](t, s.As("viewer").Do("GET", "/api/v1/packs/"+p.PackID, ""), 200)
	require.Equal(t, id, got.Session)
	require.NotEmpty(t, got.Ledger.Entries)
	require.Equal(t, []struct{ Path, Change string }{{"ledger_session_id", "added"}}, got.Mended)
	require.Empty(t, webtest.Get[draft](t, s.As("viewer").Do("GET", "/api/v1/decisions/dec_1", ""), 200).Session)
	_, page = s.Page("reviewer", "/packs/"+p.PackID+"/mend")
	require.Contains(t, page, "Reviewed on Sunday.")
	require.Contains(t, page, "session · ")
	require.Contains(t, s.As("viewer").Do("GET", "/api/v1/packs?ledger_session_id="+id, "").Body.String(), p.PackID,
		"the pack is found by its session")

	back := webtest.Get[draft](t, s.As("reviewer").Do("PUT", api, `{"session_id":"","reason":"The wrong one."}`), 200)
	require.Empty(t, back.Session+strings.Join(make([]string, len(back.Ledger.Entries)), "x"))
	require.Equal(t, 412, s.As("reviewer").Do("PUT", api, `{"session_id":"`+id+`"}`, "If-Match", p.Etag()).Code)
	again := webtest.Get[draft](t, s.As("reviewer").Do("PUT", api, `{"session_id":"`+id+`"}`), 200)
	require.Equal(t, id, again.Session)
	require.Equal(t, 404, s.As("foreign").Do("PUT", api, `{"session_id":"`+id+`"}`).Code)
}

// TestLinkSessionKeepsTheOneThatIsNamed: nobody takes the ledger that a decision names out of its pack.
func TestLinkSessionKeepsTheOneThatIsNamed(t *testing.T) {
	s := webtest.NewServer(t)
	named, other := s.Create(webtest.LeavePolicy).SessionID, s.Create(strings.Replace(webtest.LeavePolicy, "leave", "absence", 1)).SessionID
	require.Equal(t, 201, s.As("reviewer").Do("POST", "/api/v1/decisions", strings.Replace(webtest.DecisionOf("dec_2", "A2"),
		`"decision_id"`, `"ledger_session_id":"`+named+`","decision_id"`, 1)).Code)
	p := s.API("reviewer", "POST", "/packs", `{"decision_id":"dec_2"}`)(201)
	api := "/api/v1/packs/" + p.PackID + "/session"
	require.Equal(t, 409, s.As("admin").Do("PUT", api, `{"session_id":"`+other+`"}`).Code)
	require.Equal(t, 200, s.As("reviewer").Do("PUT", api, `{"session_id":"`+named+`"}`).Code)
	_, page := s.Page("reviewer", "/packs/"+p.PackID+"/session")
	require.NotContains(t, page, `name="session_id"`)
	require.Contains(t, page, "cannot be replaced")
}

// A program attaches a version of the library by its id; what is wrong with that is said at its place.
func TestAttachFromTheLibrary(t *testing.T) {
	w := webtest.NewWorld(t)
	id := w.Names["library"]
	p := w.Draft("dec_library", "A2")
	path := "/api/v1/packs/" + p.PackID + "/attachments"
	for body, want := range map[string]string{
		`{"library":"` + id + `","library_version":9}`:      `"path":"library"`,
		`{"library":"` + id + `","content":"YQ=="}`:         `"path":"library"`,
		`{"name":"a","content":"YQ==","library_version":1}`: `"path":"library_version"`,
		`{"library":"` + id + `","reason":7}`:               `"path":"reason"`,
		`{"library":"` + id + `","name":"a.docx"}`:          `"path":"name"`,
		`{"library":"` + id + `","name":"a.exe"}`:           `"path":"name"`,
	} {
		res := w.As("reviewer").Do("POST", path, body)
		require.Equal(t, 422, res.Code, "%s: %s", body, res.Body)
		require.Contains(t, res.Body.String(), want, body)
	}
	narrowed := w.NarrowedToken(w.Person("reviewer").User.ID, access.Reviewer, access.ScopeReview)
	refused := w.As("reviewer").Do("POST", path, `{"library":"`+id+`"}`, "Authorization", "Bearer "+narrowed)
	require.Equal(t, 403, refused.Code)
	require.Contains(t, refused.Header().Get("WWW-Authenticate"), `scope="read"`, "the role has it, the token has not")
	res := w.As("reviewer").Do("POST", path, `{"library":"`+id+`","library_version":1,"name":"notice policy.txt","reason":"It decides."}`)
	files := webtest.Get[struct {
		Attachments []struct{ Name, SHA256 string }
	}](t, res, 201).Attachments
	file := files[len(files)-1]
	require.Equal(t, "notice policy.txt", file.Name)
	require.Equal(t, "Notice is one month.", w.As("reviewer").Do("GET", "/packs/"+p.PackID+"/attachments/"+file.SHA256, "").Body.String())
	require.Equal(t, 409, w.As("reviewer").Do("POST", path, `{"library":"`+id+`","library_version":1}`).Code, "it is attached")
	uses := webtest.Get[struct {
		Sessions, Packs int
		Attached        []struct {
			PackID  string `json:"pack_id"`
			Version int
		}
	}](t, w.As("reviewer").Do("GET", "/api/v1/library/"+id+"/uses", ""), 200)
	require.Equal(t, []int{0, 1}, []int{uses.Sessions, uses.Packs})
	require.Equal(t, []any{p.PackID, 1}, []any{uses.Attached[0].PackID, uses.Attached[0].Version})
	page := w.As("reviewer").Do("GET", "/library/"+id, "").Body.String()
	require.Contains(t, page, `href="/packs/`+p.PackID+`"`)
	require.Contains(t, page, "Packs that have its file")
	require.NotContains(t, page, "Nothing rests on it")
	require.Contains(t, w.As("reviewer").Do("GET", "/library/"+id+"?version=2", "").Body.String(), "Nothing rests on it")

	secret := auth.NewToken()
	_, err := w.Store.AddToken(context.Background(), access.AtCommandLine(w.Tenant.ID), access.Token{Name: "narrow",
		Role: access.Reviewer, Hash: db.HashToken(secret), ExpiresAt: w.Clock.Now().Add(time.Hour), Scopes: access.ParseScopes("review")})
	require.NoError(t, err)
	res = w.As("reviewer").Do("POST", path, `{"library":"`+id+`"}`, "Authorization", "Bearer "+secret)
	require.Equal(t, 403, res.Code)
	require.Contains(t, res.Body.String(), "scope", "not the role, which it has")
}

// Files of the library are chosen where a pack is made and where a draft is corrected. Searching keeps what is chosen and
// typed, and stores nothing; what is refused comes back with the choice.
func TestChooseFilesOfTheLibrary(t *testing.T) {
	w := webtest.NewWorld(t)
	id := w.Names["library"]
	add := func(name string, size int) string {
		d, err := w.Store.AddLibraryDocument(context.Background(), access.Actor{Tenant: w.Tenant.ID, ID: "u", User: "u", Human: true,
			Role: access.Admin}, &library.Document{Name: name}, &library.Version{Filename: name + ".txt", MediaType: "text/plain"},
			[]byte(strings.Repeat("x", size)), db.LibraryAnswering{})
		require.NoError(t, err)
		return d.ID
	}
	small, large := add("Charter", 10), add("Annex", pack.MaxAttachment+1)
	w.AddDecision("dec_choose", "A2")
	box := func(id string, checked bool) string {
		return `name="library" value="` + id + `"` + map[bool]string{true: " checked", false: ">"}[checked]
	}
	body := w.As("reviewer").Do("GET", "/packs/new?decision=dec_choose&library="+id, "").Body.String()
	require.Contains(t, body, box(id, true))
	require.Contains(t, body, `hx-get="/packs/new?decision=dec_choose"`)
	send := func(status int, form string) string {
		t.Helper()
		res := w.As("reviewer").Post("/packs", "decision=dec_choose&library="+id+form)
		require.Equal(t, status, res.Code, res.Body)
		return res.Body.String() + res.Header().Get("Location")
	}
	page := send(200, "&library_find=1&library_q=CHARTER")
	require.Contains(t, page, box(id, true), "what is chosen stays")
	require.Contains(t, page, box(small, false))
	require.NotContains(t, page, large)
	require.Contains(t, send(200, "&library_find=1&library_tag=none"), "No document matches.")
	page = send(413, "&library="+large)
	require.Contains(t, page, "Annex.txt")
	require.Contains(t, page, "larger than 10 MiB")
	require.Contains(t, page, box(id, true))
	require.Contains(t, send(422, "&library=x"), "no such document or version")
	packID := webtest.Between(send(303, ""), "/packs/", "/edit")
	stored := w.API("reviewer", "GET", "/packs/"+packID, "")(200)
	require.Len(t, stored.Attachments, 1)

	mend := "/packs/" + packID + "/mend"
	require.Contains(t, w.As("reviewer").Do("GET", mend+"?library_q=charter&library="+large, "").Body.String(), box(small, false),
		"a script fetches the part alone")
	post := func(status int, parts ...webtest.Part) string {
		t.Helper()
		form, kind := w.FormOf(append(parts, webtest.Part{Name: "revision", Content: webtest.RevisionOf(stored)},
			webtest.Part{Name: "reason", Content: "It decides."})...)
		res := w.As("reviewer").Do("POST", "/packs/"+packID+"/attachments", form, "Content-Type", kind)
		require.Equal(t, status, res.Code, res.Body)
		return res.Body.String() + res.Header().Get("Location")
	}
	choose := func(id string) webtest.Part { return webtest.Part{Name: "library", Content: id} }
	file := webtest.Part{Name: "file", File: "minutes.txt", Content: "The board met."}
	page = post(200, choose(small), file, webtest.Part{Name: "library_find", Content: "1"}, webtest.Part{Name: "library_q", Content: "notice"})
	for _, want := range []string{box(small, true), box(id, false), `value="It decides."`, "Choose the files again"} {
		require.Contains(t, page, want)
	}
	for status, parts := range map[int][]webtest.Part{413: {choose(small), choose(large)}, 409: {choose(small), choose(id)}} {
		page = post(status, parts...)
		require.Contains(t, page, box(small, true), "the choice stays")
		require.Contains(t, page, `value="It decides."`)
	}
	require.Contains(t, post(422), "Choose a file")
	require.Len(t, w.API("reviewer", "GET", "/packs/"+packID, "")(200).Attachments, 1, "all or none")
	require.Contains(t, post(303, choose(small), file), "done=attached")
	require.Len(t, w.API("reviewer", "GET", "/packs/"+packID, "")(200).Attachments, 3)
}
