package ledger_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"mime/multipart"
	"net/http"
	"os"
	"path"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/app"
	"sanad/internal/db"
	"sanad/internal/domain/job"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/webtest"
	"sanad/internal/importers"
	"sanad/internal/pdftext"
)

// longPDF replaces the PDF reader by one that returns n pages for any PDF, each with a different rule.
func longPDF(n int) func(*web.Options) {
	return func(o *web.Options) {
		o.Import = importers.Options{PDF: func(context.Context, []byte) (*pdftext.Text, error) {
			t := &pdftext.Text{Reader: pdftext.Poppler, Pages: make([]pdftext.Page, n)}
			for i := range t.Pages {
				t.Pages[i].Paragraphs = []pdftext.Paragraph{
					{Text: fmt.Sprintf("Chapter %d", i+1), Level: 1},
					{Text: fmt.Sprintf("Rule %d says that item %d is covered for %d days. ", i+1, i+1, i+11) +
						strings.Repeat("Further words stand here to fill the page as print does. ", 40)},
				}
			}
			return t, nil
		}}
	}
}

var viewLink = regexp.MustCompile(`/documents/[0-9a-f-]+\?chunk=[0-9]+[^"#]*`)

// TestUploadNamesEveryBadFile: all faults are reported at once, so that they can be corrected in one go.
func TestUploadNamesEveryBadFile(t *testing.T) {
	s := webtest.NewServer(t)
	status, body, _ := s.Upload("Leave is 15 days.", "good.txt", "Leave is 15 days.", "rates.ods", "a,b", "cut.docx",
		"PK\x03\x04")
	require.Equal(t, http.StatusUnsupportedMediaType, status)
	require.Contains(t, body, "2 files cannot be accepted. rates.ods is a .ods file")
	require.Contains(t, body, "cut.docx is damaged")
	require.NotContains(t, body, "good.txt")
}

// TestAnswerInAFile: the headings of an uploaded answer do not become claims.
func TestAnswerInAFile(t *testing.T) {
	s := webtest.NewServer(t)
	form := s.Do("GET", "/sessions/new", "").Body.String()
	require.Contains(t, form, "Or the answer as a file")
	var b bytes.Buffer
	m := multipart.NewWriter(&b)
	w, err := m.CreateFormFile("answer_file", "answer.html")
	require.NoError(t, err)
	_, err = w.Write([]byte("<h1>Harbour report 2023</h1><p>The harbour takes 40 ships a day.</p><table><tr><th>Topic<th>Source<tr><td>Depth<td>16 metres</table>"))
	require.NoError(t, errors.Join(err, m.Close()))
	location := s.Do("POST", "/sessions", b.String(), "Content-Type", m.FormDataContentType())
	id := regexp.MustCompile(`/sessions/[0-9a-f-]{36}`).FindString(location.Header().Get("Location") +
		location.Body.String())
	require.NotEmpty(t, id, location.Body.String())
	ledger := s.Do("GET", id, "").Body.String()
	require.Contains(t, ledger, id+"/claims/2")
	require.NotContains(t, ledger, id+"/claims/3")
	require.Contains(t, s.Do("GET", id+"/claims/1", "").Body.String(), "The harbour takes 40 ships a day")
	require.Contains(t, s.Do("GET", id+"/claims/2", "").Body.String(), "Depth: 16 metres")
}

// TestUploadPDF: a PDF and a text are uploaded together, the original can be downloaded unchanged, and a citation leads
// to its page.
func TestUploadPDF(t *testing.T) {
	s := webtest.NewServer(t)
	data, err := os.ReadFile("../../pdftext/testdata/libreoffice.ar.pdf")
	require.NoError(t, err)
	status, body, location := s.Upload("تُمنح الإجازة المرضية لمدة تصل إلى 10 أسابيع بموجب شهادة طبية.", "سياسة.pdf",
		string(data), "note.txt", "Nothing about it stands here.")
	require.Equal(t, http.StatusSeeOther, status, body)
	claim := s.Do("GET", location+"/claims/1", "").Body.String()
	path := strings.ReplaceAll(viewLink.FindString(claim), "&amp;", "&")
	require.NotEmpty(t, path)
	page := s.Do("GET", path, "").Body.String()
	require.Contains(t, page, `aria-label="Page 3"`)
	require.Contains(t, page, "Text read by Sanad’s own PDF reader")
	require.Contains(t, page, "<mark>أسابيع</mark>")
	document := strings.Split(path, "?")[0]
	require.Contains(t, page, document+`/original#page=3`)
	original := s.Do("GET", document+"/original", "")
	require.Equal(t, data, original.Body.Bytes())
	require.Equal(t, "application/octet-stream", original.Header().Get("Content-Type"))
	require.Contains(t, original.Header().Get("Content-Disposition"), "attachment; filename=")
	script := regexp.MustCompile(`/static/pdf\.min\.mjs\?v=[0-9a-f]+`).FindString(page)
	require.Equal(t, "text/javascript; charset=utf-8", s.Do("GET", script, "").Header().Get("Content-Type"))
	require.NotContains(t, s.Do("GET", location, "").Body.String(), "original.js",
		"the reader of the original is loaded with documents only")
	export := webtest.Get[struct {
		DownloadURL string `json:"download_url"`
	}](t, s.Do("POST", "/api/v1"+location+"/ledger/export", `{"format":"json"}`), http.StatusOK)
	ledger := s.Do("GET", export.DownloadURL, "").Body.Bytes()
	require.Contains(t, string(ledger), `"text_by": "sanad"`)
	again, err := importers.Read(ledger, importers.Options{})
	require.NoError(t, err)
	require.Equal(t, []string{"sanad", ""},
		[]string{again.Session.Documents[0].TextBy, again.Session.Documents[1].TextBy})
}

// TestUploadFaults: files that cannot be read are named beside the field, and what was typed is kept.
func TestUploadFaults(t *testing.T) {
	s := webtest.NewServer(t)
	for name, c := range map[string]struct {
		status int
		file   string
		words  string
	}{
		"broken.pdf": {http.StatusUnprocessableEntity, "%PDF-1.7\n%%EOF\n", "broken.pdf is damaged or not a complete PDF"},
		"bad.docx":   {http.StatusUnprocessableEntity, "PK\x03\x04", "bad.docx is damaged or not a complete Word document"},
		"slides.ppt": {http.StatusUnsupportedMediaType, "\xD0\xCF\x11\xE0", "slides.ppt is an old Office document"},
	} {
		status, body, _ := s.Upload("Leave is 15 days.", name, c.file)
		require.Equal(t, c.status, status, name)
		require.Contains(t, body, c.words)
		require.Contains(t, body, ">Leave is 15 days.</textarea>")
		require.Contains(t, body, `aria-invalid="true"`)
	}
	w := s.Form("file", "policy.pdf", "%PDF-1.7\n")
	require.Equal(t, http.StatusUnsupportedMediaType, w.Code)
	require.Regexp(t, `id="n-i-e"[^>]*>(<[^>]*>|\s|▲)*policy\.pdf is a document, not an interchange file`, w.Body.String())
}

// While too many PDFs are being read, the form is shown again in the reader's language with what was typed. An error of
// the PDF reader itself is a server error.
func TestUploadWhileBusy(t *testing.T) {
	why := error(&pdftext.Fault{Kind: pdftext.ErrBusy, Cause: errors.New("2 files are being read")})
	s := webtest.NewServer(t, func(o *web.Options) {
		o.Import = importers.Options{PDF: func(context.Context, []byte) (*pdftext.Text, error) { return nil, why }}
	})
	status, body, _ := s.Upload("Leave is 15 days.", "a.pdf", "%PDF-1.7\n%%EOF\n")
	require.Equal(t, http.StatusServiceUnavailable, status)
	require.Contains(t, body, "This server is busy reading other files, so a.pdf was not read")
	require.Contains(t, body, ">Leave is 15 days.</textarea>")
	_, body, _ = s.UploadAt("/sessions?lang=ar", "Leave is 15 days.", "a.pdf", "%PDF-1.7\n%%EOF\n")
	require.Contains(t, body, "الخادم مشغول بقراءة ملفات أخرى، فلم يُقرأ الملف")
	require.Contains(t, body, `<form method="get" action="/sessions/new"`,
		"who switches the language comes to the form")
	why = errors.New("fork: resource temporarily unavailable")
	status, body, _ = s.Upload("Leave is 15 days.", "a.pdf", "%PDF-1.7\n%%EOF\n")
	require.Equal(t, http.StatusInternalServerError, status)
	require.NotContains(t, body, "fork")
	require.NotContains(t, body, "broken")
}

// TestLongDocument: for 300 pages the viewer shows only those around the cited one, and its answer stays small.
func TestLongDocument(t *testing.T) {
	s := webtest.NewServer(t, longPDF(300))
	status, body, location := s.Upload("Rule 211 says that item 211 is covered for 221 days.", "long.pdf", "%PDF-1.7\n%%EOF\n")
	require.Equal(t, http.StatusSeeOther, status, body)
	path := strings.ReplaceAll(viewLink.FindString(s.Do("GET", location+"/claims/1", "").Body.String()), "&amp;", "&")
	w := s.Do("GET", path, "")
	page := w.Body.String()
	require.Contains(t, page, `aria-label="Page 211"`)
	require.Regexp(t, `(?s)is-current.{0,300}<mark>Rule</mark> <mark>211</mark>`, page)
	require.Contains(t, page, "Text read by pdftotext (poppler)")
	require.NotContains(t, page, `aria-label="Page 150"`)
	require.Less(t, len(page), 140<<10, "bytes: each passage is printed once")
	require.Less(t, strings.Count(page, `class="sheet"`), 45)
}

// A large PDF is read by a job, whose page shows the progress.
func TestLargePDFIsAJob(t *testing.T) {
	s := webtest.NewServer(t, longPDF(3))
	status, body, location := s.Upload("Rule 2 says that item 2 is covered for 12 days.", "large.pdf",
		"%PDF-1.7\n"+strings.Repeat("x", 600<<10))
	require.Equal(t, http.StatusSeeOther, status, body)
	require.True(t, strings.HasPrefix(location, "/jobs/"), location)
}

// BenchmarkDocumentPage compares the page of a document of 300 pages with one of 30.
func BenchmarkDocumentPage(b *testing.B) {
	for _, pages := range []int{30, 300} {
		s := webtest.NewServerFor(b, longPDF(pages))
		status, body, location := s.Upload("Rule 15 says that item 15 is covered for 25 days.", "long.pdf", "%PDF-1.7\n%%EOF\n")
		require.Equal(b, http.StatusSeeOther, status, body)
		path := strings.ReplaceAll(viewLink.FindString(s.Do("GET", location+"/claims/1", "").Body.String()), "&amp;",
			"&")
		cookie := "sanad=" + s.Person("admin").Cookie
		b.Run(fmt.Sprint("pages=", pages), func(b *testing.B) {
			size := 0
			for b.Loop() {
				w := s.Serve(webtest.Request("GET", path, "", "Cookie", cookie))
				if size = w.Body.Len(); w.Code != http.StatusOK {
					b.Fatal(w.Code)
				}
			}
			b.ReportMetric(float64(size), "page-bytes")
		})
	}
}

// A file that takes longer than a request has is read by a job instead of being refused.
func TestSlowFileIsAJob(t *testing.T) {
	why := &pdftext.Fault{Kind: pdftext.ErrGaveUp, Cause: errors.New("it took longer than 10s")}
	s := webtest.NewServer(t, func(o *web.Options) {
		o.Import = importers.Options{PDF: func(context.Context, []byte) (*pdftext.Text, error) { return nil, why }}
	})
	status, body, location := s.Upload("Leave is 15 days.", "slow.pdf", "%PDF-1.7\n")
	require.Equal(t, http.StatusSeeOther, status, body)
	require.Contains(t, location, "/jobs/")
}

// A file whose name contradicts its content is refused with 422, in the reader's language, and the answer is kept.
func TestUploadOfAnotherKind(t *testing.T) {
	s := webtest.NewServer(t)
	status, body, _ := s.Upload("Leave is 15 days.", "a.docx", "%PDF-1.7\n")
	require.Equal(t, http.StatusUnprocessableEntity, status)
	require.Contains(t, body, "The content of a.docx is a PDF, but its name ends with .docx; rename it to end with .pdf")
	require.Contains(t, body, ">Leave is 15 days.</textarea>")
	status, body, _ = s.UploadAt("/sessions?lang=ar", "Leave is 15 days.", "a.docx", "%PDF-1.7\n")
	require.Equal(t, http.StatusUnprocessableEntity, status)
	require.Contains(t, body, "محتوى الملف \u2068a.docx\u2069: ملف PDF، لكن اسمه ينتهي بالامتداد \u2068.docx\u2069؛ "+
		"غيّر امتداده إلى \u2068.pdf\u2069 وارفعه من جديد.")
}

// A PDF of 2.6 KB whose forms draw each other is read once, refused by the bound that its length sets, and becomes no
// job, which would read it again in vain; as a job's input it is read once too.
func TestAmplifyingPDFIsReadOnce(t *testing.T) {
	var read atomic.Int32
	imports := importers.Options{PDF: func(_ context.Context, data []byte) (*pdftext.Text, error) {
		read.Add(1)
		return pdftext.Read(data, pdftext.Limits{})
	}}
	s := webtest.NewServer(t, func(o *web.Options) { o.Import = imports })
	hostile := nestedForms()
	require.Less(t, len(hostile), 3<<10)
	bound := fmt.Sprintf("takes more than %d steps the limit for a file of %d bytes", pdftext.Steps(len(hostile)),
		len(hostile)) // without the commas of the page, which writes 10,263,200
	status, body, location := s.Upload("Leave is 15 days.", "a.pdf", hostile)
	require.Equal(t, http.StatusRequestEntityTooLarge, status)
	require.Contains(t, strings.ReplaceAll(body, ",", ""), bound)
	require.Empty(t, location)
	require.Equal(t, int32(1), read.Load())
	rows, _, err := s.Store.Jobs(context.Background(), s.Tenant.ID, db.JobQuery{Limit: 10})
	require.NoError(t, err)
	require.Empty(t, rows, "no job")

	status, body, location = s.Upload("Leave is 15 days.", "a.pdf", hostile, "b.pdf",
		"%PDF-1.7\n"+strings.Repeat("x", 600<<10))
	require.Equal(t, http.StatusSeeOther, status, body)
	defer s.Work(func(w *app.Worker) { w.Import = imports })()
	work := s.WaitForJob(path.Base(location))
	require.Equal(t, job.Failed, work.Status)
	require.Contains(t, strings.ReplaceAll(work.Error.Detail, ",", ""), bound)
	require.Equal(t, int32(3), read.Load(), "each file once: both faults are told")
}

// nestedForms returns a PDF of 11 forms that each draw the next one 8 times.
func nestedForms() string {
	var b strings.Builder
	var at []int
	object := func(s string) { at = append(at, b.Len()); fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", len(at), s) }
	stream := func(dict, s string) { object(fmt.Sprintf("<<%s/Length %d>>stream\n%s\nendstream", dict, len(s), s)) }
	b.WriteString("%PDF-1.7\n")
	object("<</Type/Catalog/Pages 2 0 R>>")
	object("<</Type/Pages/Kids[3 0 R]/Count 1>>")
	object("<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R/Resources<</XObject<</X 5 0 R>>>>>>")
	stream("", "/X Do")
	for i := range 11 {
		stream(fmt.Sprintf("/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X %d 0 R>>>>", 6+i),
			strings.Repeat("/X Do ", 8))
	}
	stream("/Type/XObject/Subtype/Form/BBox[0 0 9 9]", "0 0 m")
	xref := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(at)+1)
	for _, o := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&b, "trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(at)+1, xref)
	return b.String()
}
