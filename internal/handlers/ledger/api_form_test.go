package ledger_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/app"
	"sanad/internal/domain/filetype"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/webtest"
	"sanad/internal/importers"
)

// sendForm posts a form; more are headers.
func sendForm(s *webtest.Server, path string, parts []webtest.Part, more ...string) *httptest.ResponseRecorder {
	s.T.Helper()
	body, of := s.FormOf(parts...)
	return s.Do("POST", path, body, append(more, "Content-Type", of)...)
}

// verdictsIn returns the verdict of each claim of a session.
func verdictsIn(s *webtest.Server, id string) (out []string) {
	s.T.Helper()
	for _, e := range webtest.Get[struct {
		Ledger struct{ Entries []struct{ Verdict string } }
	}](s.T, s.Do("GET", "/api/v1/sessions/"+id+"/ledger", ""), http.StatusOK).Ledger.Entries {
		out = append(out, e.Verdict)
	}
	return out
}

const (
	leave  = "All permanent employees shall receive 15 days of paid annual leave."
	policy = "Of leave: " + leave
)

// A PDF, HTML and text come with an answer; the PDF is kept as it was sent.
func TestAPITakesFilesAsAForm(t *testing.T) {
	s := webtest.NewServer(t)
	pdf, err := os.ReadFile("../../pdftext/testdata/libreoffice.ar.pdf")
	require.NoError(t, err)
	created := webtest.Get[webtest.Created](t, sendForm(s, "/api/v1/sessions", []webtest.Part{
		{Name: "answer", Content: "تُمنح الإجازة المرضية لمدة تصل إلى 10 أسابيع بموجب شهادة طبية. " + leave},
		{Name: "title", Content: "Leave"}, {Name: "query", Content: "How long?"}, {Name: "lang", Content: "ar"},
		{Name: "documents", File: "سياسة.pdf", Content: string(pdf)},
		{Name: "documents", File: "hr.html", Content: "<h1>HR</h1><p>" + policy + "</p>"},
		{Name: "documents", File: "note.txt", Content: "Nothing about it."},
	}), http.StatusCreated)
	session, err := s.Store.Session(context.Background(), s.Tenant.ID, created.SessionID)
	require.NoError(t, err)
	require.Equal(t, "Leave", session.Title)
	require.Equal(t, "ar", session.Lang)
	require.Len(t, session.Documents, 3)
	require.Equal(t, "سياسة.pdf", session.Documents[0].Filename)
	require.Equal(t, filetype.PDF.MediaType, session.Documents[0].MediaType)
	require.Equal(t, []string{"supported", "supported"}, verdictsIn(s, session.ID))
	original := s.Do("GET", "/documents/"+session.Documents[0].ID+"/original", "")
	require.Equal(t, pdf, original.Body.Bytes())
}

// The session may come as JSON, whole or its object alone; a file is the content of the document that names it.
func TestAPITakesASessionAsJSONWithFiles(t *testing.T) {
	s := webtest.NewServer(t)
	hr := webtest.Part{Name: "documents", File: "HR.txt", Content: policy}
	whole := `{"format":"sanad.session/v1","session":{"external_id":"a-1","answer":"` + leave + `"},
		"documents":[{"id":"old","filename":"old.txt","text":"Leave is 12 days."},
		{"id":"hr","filename":"HR.txt","title":"HR policy","published_at":"2026-01-31","supersedes":"old"}]}`
	for name, c := range map[string]struct {
		part webtest.Part
		keys []string
	}{
		"whole":         {webtest.Part{Name: "session", Content: whole}, []string{"old", "hr", "doc_003"}},
		"whole, a file": {webtest.Part{Name: "session", File: "a.json", Content: strings.Replace(whole, "a-1", "a-2", 1)}, []string{"old", "hr", "doc_003"}},
		"object":        {webtest.Part{Name: "session", Content: `{"answer":"` + leave + `"}`}, []string{"doc_001", "doc_002"}},
	} {
		created := webtest.Get[webtest.Created](t, sendForm(s, "/api/v1/sessions", []webtest.Part{
			c.part, hr, {Name: "documents", File: "more.md", Content: "# More\n\nNothing."},
		}), http.StatusCreated)
		session, err := s.Store.Session(context.Background(), s.Tenant.ID, created.SessionID)
		require.NoError(t, err, name)
		var keys []string
		for _, d := range session.Documents {
			keys = append(keys, d.Key)
			if d.Key == "hr" {
				require.Equal(t, []string{"HR policy", "HR.txt", filetype.PlainText.MediaType},
					[]string{d.Title, d.Filename, d.MediaType})
			}
		}
		require.Equal(t, c.keys, keys, name)
		require.Equal(t, []string{"supported"}, verdictsIn(s, session.ID), name)
	}
}

// A repeat with the same Idempotency-Key has another boundary, and is the same request.
func TestIdempotencyKeyOfAForm(t *testing.T) {
	s := webtest.NewServer(t)
	parts := []webtest.Part{{Name: "answer", Content: leave}, {Name: "documents", File: "hr.txt", Content: policy}}
	first := sendForm(s, "/api/v1/sessions", parts, "Idempotency-Key", "k")
	require.Equal(t, http.StatusCreated, first.Code, first.Body.String())
	again := sendForm(s, "/api/v1/sessions", parts, "Idempotency-Key", "k")
	require.Equal(t, "true", again.Header().Get("Idempotent-Replayed"))
	require.Equal(t, first.Body.String(), again.Body.String())
	for _, other := range [][]webtest.Part{
		{parts[0], {Name: "documents", File: "hr.txt", Content: policy + " "}}, {parts[0], {Name: "documents", File: "h.txt", Content: policy}},
		{parts[0]}, {{Name: "answer", Content: policy}, parts[1]},
	} {
		require.Equal(t, 422, sendForm(s, "/api/v1/sessions", other, "Idempotency-Key", "k").Code)
	}
	id := webtest.Get[webtest.Created](t, first, http.StatusCreated).SessionID
	more := []webtest.Part{{Name: "documents", File: "more.txt", Content: "Leave is 20 days."}}
	path := "/api/v1/sessions/" + id + "/documents"
	added := sendForm(s, path, more, "If-Match", "*", "Idempotency-Key", "d")
	require.Equal(t, http.StatusOK, added.Code, added.Body.String())
	require.Equal(t, added.Body.String(), sendForm(s, path, more, "If-Match", "*", "Idempotency-Key", "d").Body.String())
	session, err := s.Store.Session(context.Background(), s.Tenant.ID, id)
	require.NoError(t, err)
	require.Len(t, session.Documents, 2)
	require.Equal(t, 428, sendForm(s, path, more).Code)
}

// What takes long to read becomes a job, with a session as JSON too; a fault of the texts is told at once.
func TestLargeFormIsAJob(t *testing.T) {
	var pages importers.Options
	s := webtest.NewServer(t, longPDF(3), func(o *web.Options) { pages = o.Import })
	large := "%PDF-1.7\n" + strings.Repeat("x", 600<<10)
	form := func(session string) []webtest.Part {
		return []webtest.Part{{Name: "session", Content: session}, {Name: "documents", File: "rules.pdf", Content: large}}
	}
	rule := `{"answer":"Rule 2 says that item 2 is covered for 12 days."}`
	res := sendForm(s, "/api/v1/sessions", form(rule), "Idempotency-Key", "j")
	job := webtest.Get[webtest.Job](t, res, http.StatusAccepted)
	require.Equal(t, "/api/v1/jobs/"+job.ID, res.Header().Get("Location"))
	require.Equal(t, res.Body.String(), sendForm(s, "/api/v1/sessions", form(rule), "Idempotency-Key", "j").Body.String())
	defer s.Work(func(w *app.Worker) { w.Import = pages })()
	done := s.WaitForJob(job.ID)
	require.Equal(t, "done", done.Status, "%+v", done.Error)
	session, err := s.Store.Session(context.Background(), s.Tenant.ID, *done.SessionID)
	require.NoError(t, err)
	require.Equal(t, []string{"rules.pdf", filetype.PDF.MediaType},
		[]string{session.Documents[0].Filename, session.Documents[0].MediaType})
	require.Equal(t, []string{"supported"}, verdictsIn(s, session.ID))
	require.Equal(t, 422, sendForm(s, "/api/v1/sessions", form(`{"answer":7}`)).Code)
}

// A fault names the part, and the file in it.
func TestFaultsOfAFormNameThePart(t *testing.T) {
	s := webtest.NewServer(t)
	answer, hr := webtest.Part{Name: "answer", Content: leave}, webtest.Part{Name: "documents", File: "hr.txt", Content: policy}
	for name, c := range map[string]struct {
		parts  []webtest.Part
		status int
		says   [2]string // path and detail
	}{
		"no parts":             {nil, 422, [2]string{"answer", "There is no answer"}},
		"no answer":            {[]webtest.Part{hr}, 422, [2]string{"answer", "There is no answer"}},
		"a text as file":       {[]webtest.Part{{Name: "file", File: "more.txt", Content: "Leave is 15 days."}}, 400, [2]string{"file", ""}},
		"unknown part":         {[]webtest.Part{answer, {Name: "files", File: "a.txt", Content: "a"}}, 422, [2]string{"files", "title, query, answer, lang, session, documents, file"}},
		"twice":                {[]webtest.Part{answer, answer}, 422, [2]string{"answer", "2 times"}},
		"no file name":         {[]webtest.Part{answer, {Name: "documents", Content: "a"}}, 422, [2]string{"documents", "no file name"}},
		"a text":               {[]webtest.Part{answer, {Name: "title", File: "a.txt", Content: "a"}}, 422, [2]string{"title", "without a file name"}},
		"a broken file":        {[]webtest.Part{answer, hr, {Name: "documents", File: "b.pdf", Content: "%PDF-1.7\n"}}, 422, [2]string{"documents[1]", "b.pdf is damaged"}},
		"another kind":         {[]webtest.Part{answer, {Name: "documents", File: "a.ods", Content: "a,b"}}, 415, [2]string{"documents[0]", "a.ods is a .ods file"}},
		"two files":            {[]webtest.Part{answer, {Name: "documents", File: "a.ods", Content: "a"}, {Name: "documents", File: "b.xls", Content: "b"}}, 415, [2]string{"documents[0]", "2 files cannot be accepted"}},
		"session and answer":   {[]webtest.Part{answer, {Name: "session", Content: "{}"}}, 422, [2]string{"answer", "give its answer there"}},
		"broken JSON":          {[]webtest.Part{{Name: "session", Content: `{"answer":`}, hr}, 400, [2]string{"session.answer", "column 11"}},
		"two values":           {[]webtest.Part{{Name: "session", Content: `{"answer":"a"},"documents":[]`}, hr}, 400, [2]string{"session", ""}},
		"empty JSON":           {[]webtest.Part{{Name: "session", File: "a.json"}, hr}, 400, [2]string{"session", ""}},
		"answer of a number":   {[]webtest.Part{{Name: "session", Content: `{"answer":7}`}, hr}, 422, [2]string{"session.answer", ""}},
		"document of a number": {[]webtest.Part{{Name: "session", Content: `{"session":{"answer":"a"},"documents":[{"id":7}]}`}, hr}, 422, [2]string{"session.documents[0].id", ""}},
		"no such file":         {[]webtest.Part{{Name: "session", Content: `{"session":{"answer":"Leave is 15 days."},"documents":[{"filename":"x.pdf"}]}`}, hr}, 422, [2]string{"session.documents[0]", `no uploaded file has its filename, "x.pdf"`}},
		"another format":       {[]webtest.Part{{Name: "session", Content: `{"format":"other","session":{"answer":"a"}}`}, hr}, 415, [2]string{"session.format", "other"}},
		"file and more":        {[]webtest.Part{answer, {Name: "file", File: "a.json", Content: "{}"}}, 422, [2]string{"file", "alone"}},
	} {
		res := sendForm(s, "/api/v1/sessions", c.parts)
		problem := webtest.Get[struct{ Path, Detail string }](t, res, c.status)
		require.Equal(t, c.says[0], problem.Path, "%s: %s", name, res.Body.String())
		require.Contains(t, problem.Detail, c.says[1], name)
		require.Equal(t, "application/problem+json", res.Header().Get("Content-Type"), name)
	}
	require.Equal(t, 0, stored(t, s))
	require.Equal(t, 415, sendForm(s, "/api/v1/sessions:batch", []webtest.Part{answer}).Code)
	require.Equal(t, 403, sendForm(s.As("viewer"), "/api/v1/sessions", []webtest.Part{answer}).Code)
	require.Equal(t, 400, s.Do("POST", "/api/v1/sessions", "x", "Content-Type", "multipart/form-data").Code)
	body, of := s.FormOf(answer, hr)
	cut := webtest.Get[webtest.Problem](t, s.Do("POST", "/api/v1/sessions", body[:len(body)-9], "Content-Type", of), 400)
	require.Contains(t, cut.Detail, "broken or incomplete")
}

// An interchange file of any format may come as a part.
func TestInterchangeFileAsAPart(t *testing.T) {
	s := webtest.NewServer(t)
	ragas := `{"user_input":"q","retrieved_contexts":["Leave is 15 days."],"response":"Leave is 15 days."}`
	for _, content := range []string{webtest.LeavePolicy, ragas} {
		require.Equal(t, 201, sendForm(s, "/api/v1/sessions", []webtest.Part{{Name: "file", File: "a.json", Content: content}}).Code)
	}
}
