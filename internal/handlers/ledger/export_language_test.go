package ledger_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/handlers/webtest"
)

// TestPDFInOneLanguage checks a ledger's PDF in one language by the page's address and by the API: it is smaller than
// the one in both, its name says the language, the page offers it, and other formats and languages are refused.
func TestPDFInOneLanguage(t *testing.T) {
	s := webtest.NewServer(t)
	id := s.Create(webtest.LeavePolicy).SessionID
	page := "/sessions/" + id
	both := s.Do("GET", page+"/export/pdf", "")
	require.Equal(t, 200, both.Code)
	require.Equal(t, both.Body.Bytes(), s.Do("GET", page+"/export/pdf?language=both", "").Body.Bytes())
	offers := s.Do("GET", page, "").Body.String()
	for _, lang := range []string{"en", "ar"} {
		one := s.Do("GET", page+"/export/pdf?language="+lang, "")
		require.Equal(t, 200, one.Code)
		require.Less(t, one.Body.Len(), both.Body.Len())
		require.Contains(t, one.Header().Get("Content-Disposition"), lang+".pdf")
		require.Contains(t, offers, page+"/export/pdf?language="+lang)

		res := s.Do("POST", "/api/v1"+page+"/ledger/export", `{"format":"pdf","language":"`+lang+`"}`)
		require.Equal(t, 200, res.Code, res.Body)
		var link struct {
			URL string `json:"download_url"`
		}
		require.NoError(t, json.Unmarshal(res.Body.Bytes(), &link))
		require.True(t, strings.HasSuffix(link.URL, "?language="+lang))
		require.Equal(t, one.Body.Bytes(), s.Do("GET", link.URL, "").Body.Bytes())
	}
	require.Equal(t, 400, s.Do("GET", page+"/export/pdf?language=fr", "").Code)
	require.Equal(t, 400, s.Do("GET", page+"/export/json?language=en", "").Code)
	for body, code := range map[string]int{
		`{"format":"pdf","language":"fr"}`: 422, `{"format":"json","language":"ar"}`: 422,
		`{"format":"json","language":"both"}`: 200, `{"format":"pdf"}`: 200,
		`{"format":"csv","language":"both"}`: 422, `{"format":"xlsx","language":"fr"}`: 422, `{"format":"xlsx"}`: 200,
	} {
		require.Equal(t, code, s.Do("POST", "/api/v1"+page+"/ledger/export", body).Code, body)
	}
}

// TestTablesByPageAndAPI checks a ledger as CSV and XLSX by the page's address and by the API, in both languages: the
// page offers it in its reader's, English is the default, and what is downloaded is logged.
func TestTablesByPageAndAPI(t *testing.T) {
	s := webtest.NewServer(t)
	page := "/sessions/" + s.Create(webtest.LeavePolicy).SessionID
	const sheet = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	for format, contentType := range map[string]string{"csv": "text/csv; charset=utf-8", "xlsx": sheet} {
		at := page + "/export/" + format
		for _, lang := range []string{"en", "ar"} {
			shown := s.Do("GET", page+"?lang="+lang, "").Body.String()
			require.Contains(t, shown, at+"?language="+lang, "the page offers it")
			file := s.Do("GET", at+"?language="+lang, "")
			require.Equal(t, 200, file.Code)
			require.Equal(t, contentType, file.Header().Get("Content-Type"))
			require.Contains(t, file.Header().Get("Content-Disposition"), lang+"."+format)
			if format == "csv" {
				head := map[string]string{"en": "\uFEFFNo.,Claim,", "ar": "\uFEFFالرقم,الإفادة,"}[lang]
				require.True(t, strings.HasPrefix(file.Body.String(), head))
			}
			res := s.Do("POST", "/api/v1"+page+"/ledger/export", `{"format":"`+format+`","language":"`+lang+`"}`)
			link := webtest.Get[map[string]string](t, res, 200)["download_url"]
			require.Equal(t, file.Body.Bytes(), s.Do("GET", link, "").Body.Bytes())
		}
		english := s.Do("GET", at+"?language=en", "").Body.Bytes()
		require.Equal(t, english, s.Do("GET", at, "", "Accept-Language", "ar").Body.Bytes())
		link := webtest.Get[map[string]string](t,
			s.Do("POST", "/api/v1"+page+"/ledger/export", `{"format":"`+format+`"}`), 200)["download_url"]
		require.True(t, strings.HasSuffix(link, "?language=en"), link)
		require.Equal(t, english, s.Do("GET", link, "").Body.Bytes())
		require.Equal(t, 400, s.Do("GET", at+"?language=both", "").Code)
		require.Equal(t, 403, s.As("viewer").Do("GET", at, "").Code)
	}
}

// TestDownloadsAreWholeWhenCompressed: every format, as browsers ask for it, has the bytes that it has without compression.
// A table is written in parts, the first of which is too short to be compressed.
func TestDownloadsAreWholeWhenCompressed(t *testing.T) {
	s := webtest.NewServer(t)
	page := "/sessions/" + s.Create(webtest.ManyClaims(200)).SessionID
	for _, format := range []string{"csv", "xlsx", "json", "markdown", "pdf"} {
		at := page + "/export/" + format
		plain := s.Do("GET", at, "")
		require.Equal(t, 200, plain.Code, format)
		packed := s.Do("GET", at, "", "Accept-Encoding", "gzip")
		if format == "csv" {
			require.Equal(t, "gzip", packed.Header().Get("Content-Encoding"))
			require.Equal(t, 201, strings.Count(plain.Body.String(), "\n"), "the heads, and a line a claim")
		}
		body := packed.Body.Bytes()
		if packed.Header().Get("Content-Encoding") == "gzip" {
			r, err := gzip.NewReader(packed.Body)
			require.NoError(t, err)
			body, err = io.ReadAll(r)
			require.NoError(t, err)
		}
		require.Len(t, body, plain.Body.Len(), format)
		require.True(t, bytes.Equal(plain.Body.Bytes(), body), format)
	}
}
