package web_test

import (
	"context"
	"mime"
	"net/http"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"sanad/internal/db/dbtest"
	"sanad/internal/domain/audit"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/webtest"
)

func TestAttachmentNames(t *testing.T) {
	for name, want := range map[string]string{
		"plain.pdf":               "plain.pdf",
		`say "hi".txt`:            "say -hi-.txt",
		"a\r\nSet-Cookie: x=y":    "aSet-Cookie- x=y",
		"invoice\u202efdp.exe":    "invoicefdp.exe",
		"\u2066x\u2069\u200fy.md": "xy.md",
		"../../etc/passwd":        "-..-etc-passwd",
		`C:\temp\x`:               "C--temp-x",
		"سياسة الإجازات.pdf":      "سياسة الإجازات.pdf",
		"100%.txt":                "100%.txt",
		"😀.txt":                   "😀.txt",
		"bad\xffutf8.txt":         "bad\uFFFDutf8.txt",
		"":                        "download",
		"...":                     "download",
		"a;b=c.txt":               "a;b=c.txt",
		"nul\x00byte":             "nulbyte",
	} {
		header := web.Attachment(name)
		require.Equal(t, 1, strings.Count(header, " filename="), header)
		for _, r := range header {
			require.True(t, r >= ' ' && r <= '~', "%q has %q", header, r)
		}
		_, params, err := mime.ParseMediaType(header)
		if strings.Contains(header, "filename*=") {
			require.NoError(t, err, header)
			require.Equal(t, want, params["filename"], header)
		} else {
			require.Equal(t, `attachment; filename="`+want+`"`, header)
		}
	}
}

func FuzzAttachment(f *testing.F) {
	f.Add("a\"b\u202e\n.txt")
	f.Fuzz(func(t *testing.T, name string) {
		header := web.Attachment(name)
		require.Equal(t, 2, strings.Count(header, `"`))
		require.False(t, strings.ContainsFunc(header, func(r rune) bool { return r < ' ' || r > '~' }), header)
		require.False(t, strings.ContainsFunc(web.SafeName(name),
			func(r rune) bool { return unicode.Is(unicode.Bidi_Control, r) || unicode.IsControl(r) }))
	})
}

// The names of uploads are not trusted: an original is always sent as a download without a media type of its own.
func TestOriginalsAreAttachments(t *testing.T) {
	w := webtest.NewWorld(t)
	res := w.Do("GET", "/documents/"+w.Names["document"]+"/original", "")
	require.Equal(t, http.StatusOK, res.Code)
	require.Equal(t, "application/octet-stream", res.Header().Get("Content-Type"))
	require.True(t, strings.HasPrefix(res.Header().Get("Content-Disposition"), "attachment;"))
	require.Equal(t, "nosniff", res.Header().Get("X-Content-Type-Options"))
}

// A download is logged before its first byte; if it cannot be logged, nothing is sent (rule P-18).
func TestDownloadsAreLogged(t *testing.T) {
	w := webtest.NewWorld(t)
	path := "/documents/" + w.Names["document"] + "/original"
	logged := func() int {
		events, _, err := w.Store.Log(context.Background(), w.Tenant.ID,
			audit.Query{Action: "document.downloaded", ObjectID: w.Names["document"], Limit: 9})
		require.NoError(t, err)
		for _, e := range events {
			require.Equal(t, w.Person("viewer").ID, e.Actor)
		}
		return len(events)
	}
	require.Equal(t, 200, w.As("viewer").Do("GET", path, "").Code)
	require.Equal(t, 404, w.As("foreign").Do("GET", path, "").Code)
	require.Equal(t, 1, logged())

	_, err := dbtest.Raw(t, w.Dir).Exec("CREATE TRIGGER full BEFORE INSERT ON events BEGIN SELECT raise(ABORT, 'disk full'); END")
	require.NoError(t, err)
	res := w.As("viewer").Do("GET", path, "")
	require.Equal(t, 500, res.Code)
	require.NotContains(t, res.Body.String(), "Leave is 15 days")
	require.Empty(t, res.Header().Get("Content-Disposition"))
}
