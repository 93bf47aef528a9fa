package ledger_test

import (
	"context"
	"encoding/json"
	"io"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/audit"
	"sanad/internal/domain/ledger"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/webtest"
	"sanad/internal/importers"
	"sanad/internal/pdftext"
)

type replacedAnswer struct {
	Newer    string `json:"newer_document_id"`
	Affected int    `json:"affected_claims"`
	Stale    int    `json:"stale_reviews"`
	Warnings []any
}

type foundAnswer struct{ Results []foundPassage }

type foundPassage struct {
	Kind     string
	Document string `json:"document_id"`
	Chunk    int
}

// documents returns the documents of an exported ledger.
func documents(t *testing.T, export string) any {
	t.Helper()
	var file struct {
		Sanad struct{ Documents []map[string]any }
	}
	require.NoError(t, json.Unmarshal([]byte(export), &file))
	require.NotEmpty(t, file.Sanad.Documents)
	return file.Sanad.Documents
}

// After judging again, claims rest on the newer version of the document; the older version stays readable.
func TestReplaceADocument(t *testing.T) {
	w := &webtest.World{Server: webtest.NewServer(t), Names: map[string]string{}}
	s := w.As("reviewer")
	ctx, session := context.Background(), (&webtest.World{Server: s, Names: w.Names}).Upload("reviewer")
	old, path := session.Documents[0], "/api/v1/sessions/"+session.ID
	api := "/api/v1/documents/" + old.ID + "/replace"
	body := `{"reason":"Of 2026.","pages":[{"number":4,"text":` + strconv.Quote(old.Chunks[0].Text) +
		`},{"text":"A page more."}],"published_at":"2026-01-01"}`
	require.Equal(t, 201, s.Do("POST", path+"/claims/1/reviews", `{"action":"confirm"}`, "If-Match", "*").Code)
	before := s.Do("GET", path+"/ledger", "").Body.String()

	require.Equal(t, 428, s.Do("POST", api, body).Code)
	require.Equal(t, 412, s.Do("POST", api, body, "If-Match", `"old"`).Code)
	for bad, at := range map[string]string{
		`{"reason":" ","text":"x"}`: "reason", `{"reason":"x"}`: "text", `{"reason":"x","text":" "}`: "text",
		`{"reason":"x","text":"x","pages":[]}`:             "text",
		`{"reason":"x","text":"x","lang":"?"}`:             "lang",
		`{"reason":"x","pages":[{"number":0,"text":"x"}]}`: "pages[0].number",
	} {
		require.Contains(t, s.Do("POST", api, bad, "If-Match", "*").Body.String(), `"path":"`+at+`"`, bad)
	}
	require.Equal(t, 422, s.Do("POST", api, `{"reason":"x","texts":"x"}`, "If-Match", "*").Code)
	require.Equal(t, before, s.Do("GET", path+"/ledger", "").Body.String(), "nothing of these changed it")

	res := s.Do("POST", api, body, "If-Match", "*", "Idempotency-Key", "r")
	out := webtest.Get[replacedAnswer](t, res, 200)
	require.Equal(t, []int{1, 1}, []int{out.Affected, out.Stale})
	require.Equal(t, res.Body.String(), s.Do("POST", api, body, "If-Match", "*", "Idempotency-Key", "r").Body.String())
	require.Equal(t, 409, s.Do("POST", api, body, "If-Match", "*").Code, "it is out of use already")

	kept, err := s.Store.Session(ctx, s.Tenant.ID, session.ID)
	require.NoError(t, err)
	require.Len(t, kept.Documents, len(session.Documents)+1)
	newer := kept.Documents[len(kept.Documents)-1]
	require.Equal(t, []any{out.Newer, old.Key + " (2)", old.Key, old.Filename, "2026-01-01", ledger.Ready, ""},
		[]any{newer.ID, newer.Key, newer.Supersedes, newer.Filename, newer.PublishedAt, newer.Status, newer.Withdrawn})
	require.Equal(t, "Of 2026.", kept.Documents[0].Withdrawn)
	require.Equal(t, old.Chunks, kept.Documents[0].Chunks, "the older one stays readable")

	judged := webtest.Get[judgedAnswer](t, s.Do("POST", path+"/judge", "", "If-Match", "*"), 200)
	require.Equal(t, []int{1, 0}, []int{judged.Run.Changed, judged.Run.Flips}, "the same words, in the newer version")
	run := s.Do("GET", "/sessions/"+session.ID+"/runs/2", "").Body.String()
	require.Contains(t, run, "<li>1 review to check again</li>", "the replacement had made it stale, before the run")
	require.Contains(t, run, `href="/sessions/`+session.ID+`?stale=1#ledger"`)
	require.NotContains(t, run, "became stale")
	changes := s.Do("GET", path+"/runs/2/changes", "").Body.String()
	require.Contains(t, changes, `"evidence_gained":[{"document_id":"`+newer.Key+`"`)
	require.Contains(t, changes, `"page_number":4`)

	first, second := s.Do("GET", "/documents/"+old.ID, "").Body.String(), s.Do("GET", "/documents/"+newer.ID,
		"").Body.String()
	require.Contains(t, first, `href="/documents/`+newer.ID+`"`)
	require.NotContains(t, first, "/replace", "once is enough")
	require.Contains(t, second, `href="/documents/`+old.ID+`"`)
	require.Contains(t, second, "A page more.")

	found := webtest.Get[foundAnswer](t, s.Do("GET", "/api/v1/search?q=page+more", ""), 200).Results
	require.Equal(t, []foundPassage{{"passage", newer.ID, 2}}, found, "its words are found")

	log, _, err := s.Store.Log(ctx, s.Tenant.ID, audit.Query{Action: "document.replaced", ObjectID: old.ID, Limit: 9})
	require.NoError(t, err)
	require.Len(t, log, 1)

	export := s.Do("GET", "/sessions/"+session.ID+"/export/json", "").Body.String()
	other := webtest.NewServer(t).As("reviewer")
	again := other.Do("GET", "/sessions/"+other.Create(export).SessionID+"/export/json", "").Body.String()
	require.Equal(t, documents(t, export), documents(t, again), "an exported ledger keeps all of them")
}

func TestReplaceFromThePage(t *testing.T) {
	w := &webtest.World{Server: webtest.NewServer(t), Names: map[string]string{}}
	session := w.Upload("reviewer")
	s, path := w.As("reviewer"), "/documents/"+session.Documents[0].ID
	revision := webtest.Between(s.Do("GET", path, "").Body.String(), `name="revision" value="`, `"`)
	require.NotContains(t, s.As("viewer").Do("GET", path, "").Body.String(), "/replace")

	status, body, _ := s.Replace(path, revision, " ", "new.txt", "x")
	require.Equal(t, 422, status)
	require.Contains(t, body, "Say why it is replaced")
	status, body, _ = s.Replace(path, revision, "Of <2026>", "", "")
	require.Equal(t, 422, status)
	require.Contains(t, body, "Choose one file for the new version")
	require.Contains(t, body, "Of &lt;2026&gt;", "what was typed is kept")
	status, body, _ = s.Replace(path, revision, "x", "new.png", "\x89PNG")
	require.Equal(t, 415, status)
	require.Contains(t, body, "new.png")
	status, body, _ = s.Replace(path, "0", "Of <2026>", "new.txt", "x")
	require.Equal(t, 409, status)
	require.Contains(t, body, "The session has changed in the meantime")
	require.Contains(t, body, "Of &lt;2026&gt;</textarea>", "what was typed is kept")

	require.Contains(t, body, `<form method="get" action="`+path+`"`,
		"who switches the language comes to the page, not to the form's address")
	require.NotContains(t, body, `<form method="get" action="`+path+`/`)

	files, err := filepath.Glob(filepath.Join(s.Dir, "originals", s.Tenant.ID, "*"))
	require.NoError(t, err)
	require.Len(t, files, 1, "of what was refused no file stays")

	status, _, location := s.Replace(path, revision, "نسخة 2026", "سياسة.txt", "الإجازة 20 يومًا.")
	require.Equal(t, 303, status)
	page := s.Do("GET", location, "").Body.String()
	require.Contains(t, page, "الإجازة 20 يومًا.")
	require.Equal(t, "الإجازة 20 يومًا.", s.Do("GET", location+"/original", "").Body.String())
	require.Contains(t, s.Do("GET", path+"?lang=ar", "").Body.String(), "النسخة الأحدث منه")
}

// Warnings about the file of a new version are shown on its page. If too many files are being read, nothing is
// replaced.
func TestReplaceShowsWarnings(t *testing.T) {
	var why error
	s := webtest.NewServer(t, func(o *web.Options) {
		o.Import = importers.Options{PDF: func(context.Context, []byte) (*pdftext.Text, error) {
			return &pdftext.Text{Reader: pdftext.Own,
				Pages: []pdftext.Page{{Paragraphs: []pdftext.Paragraph{{Text: "Leave is 20 days."}}}, {}}}, why
		}}
	})
	session := (&webtest.World{Server: s, Names: map[string]string{}}).Upload("reviewer")
	s = s.As("reviewer")
	path := "/documents/" + session.Documents[0].ID
	revision := webtest.Between(s.Do("GET", path, "").Body.String(), `name="revision" value="`, `"`)
	why = &pdftext.Fault{Kind: pdftext.ErrBusy, Cause: io.EOF}
	status, body, _ := s.Replace(path, revision, "Of <2026>", "new.pdf", "%PDF-1.7\n")
	require.Equal(t, 503, status)
	require.Contains(t, body, "busy reading other files, so new.pdf was not read")
	require.Contains(t, body, "Of &lt;2026&gt;</textarea>")
	why = nil
	status, body, _ = s.Replace(path, revision, "Of 2026", "new.pdf", "%PDF-1.7\n")
	require.Equal(t, 200, status)
	require.Contains(t, body, "new.pdf has no text on 1 of its 2 pages (2)")
	require.Contains(t, body, "Leave is 20 days.")
	newer := "/documents/" + webtest.Between(body, `href="/documents/`, `/original`)
	require.NotEqual(t, path, newer)
	require.Contains(t, body, `<form method="get" action="`+newer+`"`)
	require.NotContains(t, s.Do("GET", newer, "").Body.String(), "has no text on", "it is said once")
}
