package handlers_test

import (
	"bytes"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/handlers"
	"sanad/internal/handlers/webtest"
)

func TestCitationOfAnotherPageLeadsToItsPassage(t *testing.T) {
	s := webtest.NewServer(t)
	c := s.Create(webtest.LeavePolicy)
	w := s.Do("GET", "/sessions/"+c.SessionID+"/citations/B8B859AC", "")
	require.Equal(t, 303, w.Code)
	require.Equal(t, 200, s.Do("GET", strings.SplitN(w.Header().Get("Location"), "#", 2)[0], "").Code)
	require.Equal(t, 404, s.Do("GET", "/sessions/"+c.SessionID+"/citations/00000000", "").Code)
}

func TestUnknownForeignAndMalformedAreTheSame404(t *testing.T) {
	s := webtest.NewServer(t)
	c := s.Create(webtest.LeavePolicy)
	bodies := map[string]bool{}
	for _, path := range []string{"/sessions/" + uuid.NewString(), "/sessions/none",
		"/sessions/" + c.SessionID + "/claims/99", "/sessions/" + c.SessionID + "/claims/x",
		"/sessions/" + c.SessionID + "/export/docx", "/documents/" + uuid.NewString(), "/documents/x/original",
		"/nowhere"} {
		w := s.Do("GET", path, "")
		require.Equal(t, 404, w.Code, path)
		body := w.Body.String()
		body = strings.ReplaceAll(body, w.Header().Get("X-Request-Id")[:13], "")
		body = strings.ReplaceAll(body, path, "")
		bodies[body] = true
	}
	require.Len(t, bodies, 1)
}

func TestFormErrorsKeepInput(t *testing.T) {
	s := webtest.NewServer(t)
	c := s.Create(webtest.LeavePolicy)
	path := "/sessions/" + c.SessionID + "/claims/1/reviews"
	w := s.Do("POST", path, "action=override&verdict=&reason=Because+of+the+annex&seen=0", "Content-Type",
		"application/x-www-form-urlencoded")
	require.Equal(t, 422, w.Code)
	require.Contains(t, w.Body.String(), "Because of the annex")
	require.Contains(t, w.Body.String(), `aria-invalid="true"`)
	require.Equal(t, 303, s.Do("POST", path, "action=confirm&seen=0", "Content-Type",
		"application/x-www-form-urlencoded").Code)
	stale := s.Do("POST", path, "action=confirm&reason=mine&seen=0", "Content-Type",
		"application/x-www-form-urlencoded")
	require.Equal(t, 409, stale.Code)
	require.Contains(t, stale.Body.String(), "mine")
	require.Equal(t, 400, s.Do("POST", path, "action=confirm", "Content-Type",
		"application/x-www-form-urlencoded").Code)
}

func TestHostileTextIsEscaped(t *testing.T) {
	s := webtest.NewServer(t)
	nasty := `<script>alert(1)</script> \u202e [x](javascript:alert(1)) & \"quoted\"`
	body := strings.Replace(webtest.LeavePolicy, "Carryover is 5 days.", nasty+" Carryover is 5 days.", 1)
	body = strings.Replace(body, `"title":"Leave"`, `"title":"`+nasty+`"`, 1)
	c := s.Create(body)
	for _, path := range []string{"/", "/sessions", "/sessions/" + c.SessionID,
		"/sessions/" + c.SessionID + "/claims/1"} {
		w := s.Do("GET", path, "")
		require.Equal(t, 200, w.Code)
		require.NotContains(t, w.Body.String(), "<script>alert")
		require.NotContains(t, w.Body.String(), `href="javascript:`)
	}
	w := s.Do("GET", "/sessions/"+c.SessionID+"/export/markdown", "")
	require.NotContains(t, w.Header().Get("Content-Disposition"), "\u202e")
	require.False(t, bytes.ContainsRune([]byte(w.Header().Get("Content-Disposition")), '\n'))
}

// The version is at the foot of pages for signed-in users only, so that strangers cannot look up its known faults.
func TestVersionAtTheFoot(t *testing.T) {
	t.Parallel()
	s := webtest.NewServer(t, func(o *handlers.Options) { o.Version = "v1.2.3" })
	foot := func(w *httptest.ResponseRecorder) string {
		_, after, found := strings.Cut(w.Body.String(), `<footer`)
		require.True(t, found)
		return after
	}
	require.Contains(t, foot(s.Do("GET", "/", "")), `Sanad <bdi class="mono">v1.2.3</bdi>`)
	require.NotContains(t, foot(s.As("").Do("GET", "/login", "")), "v1.2.3")
	require.NotContains(t, foot(webtest.NewServer(t).Do("GET", "/", "")), "Sanad <bdi", "no version is known")
}
