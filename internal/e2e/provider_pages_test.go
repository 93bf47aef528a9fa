package e2e

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// sessionLink is an address of a session.
var sessionLink = regexp.MustCompile(`/sessions/[0-9a-f]{8}-[0-9a-f-]{27}`)

// upload sends a file as the page does without JavaScript, and gives the address of its session.
func (a *app) upload(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	var form bytes.Buffer
	m := multipart.NewWriter(&form)
	part, err := m.CreateFormFile("file", filepath.Base(file))
	require.NoError(t, err)
	_, err = part.Write(data)
	require.NoError(t, err)
	require.NoError(t, m.Close())
	req, err := http.NewRequestWithContext(context.Background(), http.MethodPost, a.url+"/sessions", &form)
	require.NoError(t, err)
	req.Header.Set("Content-Type", m.FormDataContentType())
	req.AddCookie(a.cookie)
	res, err := http.DefaultTransport.RoundTrip(req)
	require.NoError(t, err)
	defer res.Body.Close() //nolint:errcheck // only read
	page, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	if res.StatusCode == http.StatusSeeOther {
		return res.Header.Get("Location")
	}
	found := sessionLink.FindString(string(page)) // with warnings, the page says what was not taken and leads on
	require.NotEmpty(t, found, file)
	return found
}

// What providers' files said, beside our verdicts: in both languages, wide and narrow, nothing for axe-core to find and
// nothing scrolls sideways.
func TestProviderPagesAreAccessible(t *testing.T) {
	a := startApp(t)
	b := open(t, a)
	for name, sample := range map[string]string{
		"anthropic": "anthropic/damaged.json", "openai": "openai/damaged.json", "ragas": "ragas/row.json", "gemini": "gemini/rest.json", "anthropic-ar": "anthropic/ar.json",
	} {
		at := a.upload(t, "../importers/testdata/"+sample)
		for page, path := range map[string]string{"session": at + "?claim=1", "claim": at + "/claims/1?"} {
			for _, lang := range []string{"en", "ar"} {
				for _, width := range []int64{1280, 360} {
					id := fmt.Sprintf("provider-%s-%s-%s-%d", name, page, lang, width)
					b.width(width)
					b.visit(path + "&theme=light&lang=" + lang)
					require.Equal(t, 1, eval[int](b, `document.querySelectorAll(".said").length`), id)
					b.picture(id)
					b.accessible(id)
				}
			}
		}
	}
}
