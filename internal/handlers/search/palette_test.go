package search_test

import (
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/handlers/webtest"
)

// offered returns the palette's list for a query on the start page.
func offered(t *testing.T, s *webtest.Server, who string, query ...string) string {
	t.Helper()
	q := url.Values{"at": {"/"}}
	for i := 0; i < len(query); i += 2 {
		q.Set(query[i], query[i+1])
	}
	res := s.As(who).Do("GET", "/palette?"+q.Encode(), "", "HX-Request", "true")
	require.Equal(t, 200, res.Code)
	require.NotContains(t, res.Body.String(), "<html")
	return res.Body.String()
}

// The palette finds by name what the reader may see, and nothing of another tenant; a note of a blind second review is
// not looked through.
func TestPalette(t *testing.T) {
	s := webtest.NewServer(t)
	id := s.Create(webtest.LeavePolicy).SessionID
	s.AddDecision("dec_waits", "A2")
	p := s.API("reviewer", "POST", "/packs", `{"decision_id":"dec_waits"}`)(201)
	require.Equal(t, 303, s.Post("/sessions/"+id+"/claims/2/reviews",
		"action=comment&reason=Zanzibar+is+an+island&seen=0").Code)
	document := regexp.MustCompile(`/documents/[0-9a-f-]+`).FindString(s.Do("GET", "/sessions/"+id+"/claims/1", "").Body.String())

	for query, want := range map[string]string{
		"leav": "/sessions/" + id, "annual": "/sessions/" + id + "?claim=1", "hospi riy": "/packs/" + p.PackID,
		"Hopsital": "/packs/" + p.PackID, id[:8]: "/sessions/" + id, "dashb": "/dashboard", "لوحة المتابعة": "/dashboard",
	} {
		require.Contains(t, offered(t, s, "viewer", "q", query), `href="`+want, query)
		found := offered(t, s, "foreign", "q", query)
		for _, x := range []string{id, p.PackID, document} {
			require.NotContains(t, found, x, query)
		}
	}
	require.Contains(t, offered(t, s, "viewer", "q", "Hopsital"), "showing words that differ by one letter")
	require.NotContains(t, offered(t, s, "viewer", "q", "hospital"), "one letter")
	require.NotContains(t, offered(t, s, "viewer", "q", "Zanzibar"), id)

	for _, page := range []string{"tenant", "changes", "policy"} { // where two people are asked
		require.Contains(t, offered(t, s, "admin", "q", "four eyes"), "/admin/"+page)
	}

	person := s.Person("approver").ID
	require.Contains(t, offered(t, s, "admin", "q", "approver"), "/admin/users/"+person)
	require.NotContains(t, offered(t, s, "reviewer", "q", "approver"), "/admin/users/")
	require.Equal(t, "/search?q=days", s.Do("GET", "/palette?q=days", "").Header().Get("Location"))
}

// What was opened last comes first, each once; an address that the reader may not read, or that is none, is left out.
// The page that is open decides which commands there are.
func TestPaletteRemembers(t *testing.T) {
	s := webtest.NewServer(t)
	first, second := s.Create(webtest.LeavePolicy).SessionID, s.Create(webtest.ManyClaims(3)).SessionID
	opened := "/sessions/" + first + ",//evil.example,/sessions/none,/sessions/" + first + strings.Repeat(",/x", 100)
	list := offered(t, s, "viewer", "opened", opened)
	require.Less(t, strings.Index(list, first), strings.Index(list, second))
	require.Equal(t, 1, strings.Count(list, `href="/sessions/`+first+`"`))
	require.NotContains(t, list, "evil.example")
	require.NotContains(t, offered(t, s, "foreign", "opened", opened), first)

	at := "/sessions/" + second + "?claim=2"
	require.Contains(t, offered(t, s, "viewer", "at", at, "q", "٣"), `href="/sessions/`+second+`?claim=3"`)
	require.NotContains(t, offered(t, s, "viewer", "at", at, "q", "4"), `?claim=4`)
	require.Contains(t, offered(t, s, "reviewer", "at", at), "/export/pdf")
	require.Contains(t, offered(t, s, "reviewer", "at", at), "/export/xlsx?language=en")
	require.NotContains(t, offered(t, s, "viewer", "at", at), "/export/pdf")
	require.NotContains(t, offered(t, s, "foreign", "at", at), second+"/export")
	require.Contains(t, offered(t, s, "viewer", "at", at, "q", "arabic"), "/sessions/"+second+"?claim=2&amp;lang=ar")
	for _, strange := range []string{"https://evil.example/x", "//evil.example/x", "javascript:x", "%zz", "/\\evil.example"} {
		require.NotContains(t, offered(t, s, "viewer", "at", strange), `href="//`, strange)
		require.NotContains(t, offered(t, s, "viewer", "at", strange), `evil.example/x?`, strange)
	}
}
