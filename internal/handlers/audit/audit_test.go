package audit_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain/access"
	"sanad/internal/domain/audit"
	"sanad/internal/handlers/webtest"
)

// rowsOf returns the numbers of the events that a page of the log shows.
func rowsOf(page string) []string {
	var out []string
	for _, m := range regexp.MustCompile(`<li id="e([0-9,]+)"`).FindAllStringSubmatch(page, -1) {
		out = append(out, m[1])
	}
	return out
}

func TestAuditNamesPeopleAsTheyAreNow(t *testing.T) {
	s := webtest.NewServer(t)
	made := s.As("reviewer").Create(webtest.LeavePolicy)
	page := s.Do("GET", "/audit?action=session", "").Body.String()
	require.Len(t, rowsOf(page), 1)
	require.Contains(t, page, `<b><bdi dir="ltr" lang="en">The reviewer</bdi></b> imported the session <a href="/sessions/`)
	require.Contains(t, page, `href="/sessions/`+made.SessionID+`"`)
	require.Contains(t, s.Do("GET", "/audit?action=session&lang=ar", "").Body.String(), "استيراد الجلسة")
	events, _, err := s.Store.Log(context.Background(), s.Tenant.ID, audit.Query{Action: "session.", Limit: 1})
	require.NoError(t, err)
	require.NotContains(t, string(events[0].Bytes), "The reviewer")
}

func TestAuditFilters(t *testing.T) {
	s := webtest.NewServer(t)
	made := s.As("reviewer").Create(webtest.LeavePolicy)
	s.As("reviewer").Do("POST", "/api/v1/sessions/"+made.SessionID+"/claims/1/reviews",
		`{"action":"comment","reason":"x"}`, "If-Match", "*")
	s.Person("viewer")
	count := func(q url.Values) int { return len(rowsOf(s.Do("GET", "/audit?"+q.Encode(), "").Body.String())) }
	require.Equal(t, 1, count(url.Values{"action": {"claim"}}))
	require.Equal(t, 2, count(url.Values{"object": {made.SessionID}}))
	require.Equal(t, 1, count(url.Values{"object": {made.SessionID}, "action": {"session"}}))
	require.Equal(t, 0, count(url.Values{"object": {made.SessionID}, "actor": {s.Person("viewer").ID}}))
	day, all := webtest.Now.Format("2006-01-02"), count(url.Values{})
	require.Equal(t, all, count(url.Values{"from": {day}, "to": {day}}), "both days are whole")
	require.Equal(t, 0, count(url.Values{"to": {webtest.Now.AddDate(0, 0, -1).Format("2006-01-02")}}))
	require.Equal(t, all, count(url.Values{"from": {"nonsense"}, "action": {"'; DROP"}}),
		"an invalid filter is ignored")
}

func TestAuditIsPagedByKey(t *testing.T) {
	s := webtest.NewServer(t)
	for i := range 120 {
		require.NoError(t, s.Store.LogEvent(context.Background(), access.AtCommandLine(s.Tenant.ID),
			db.Event{Action: "log.verified", Kind: "tenant", ObjectID: fmt.Sprint(i)}))
	}
	var seen []string
	path, pages := "/audit?action=log", 0
	for path != "" {
		page := s.Do("GET", path, "").Body.String()
		seen = append(seen, rowsOf(page)...)
		path = ""
		if m := regexp.MustCompile(`rel="next" href="([^"]+)"`).FindStringSubmatch(page); m != nil {
			path = strings.ReplaceAll(m[1], "&amp;", "&")
			require.Contains(t, path, "action=log", "the next page keeps the filter")
		}
		pages++
	}
	require.Equal(t, 3, pages)
	require.Len(t, seen, 120)
}

func TestVerifyAudit(t *testing.T) {
	s := webtest.NewServer(t)
	s.Create(webtest.LeavePolicy)
	res := s.Post("/audit/verify", "")
	require.Equal(t, 200, res.Code, res.Body.String())
	require.Contains(t, res.Body.String(), "The log is intact")
	require.Contains(t, res.Body.String(), "Agrees")
	require.NotContains(t, s.Do("GET", "/audit", "").Body.String(), ">Never<",
		"the page shows when the log was last verified")

	// somebody with the database file changes an event
	file := dbtest.Raw(t, s.Dir)
	_, err := file.Exec("DROP TRIGGER events_keep")
	require.NoError(t, err)
	_, err = file.Exec("UPDATE events SET bytes = ? WHERE tenant_id = ? AND seq = 2",
		[]byte(`{}`), s.Tenant.ID)
	require.NoError(t, err)
	require.NoError(t, file.Close())
	res = s.Post("/audit/verify", "")
	require.Equal(t, 200, res.Code)
	require.Contains(t, res.Body.String(), "The log does not match what was signed")
	require.Equal(t, "2", webtest.FindGroup(t, `(?s)First bad event</dt>\s*<dd><b>([0-9]+)</b>`, res.Body.String()))
	require.Contains(t, s.Do("GET", "/audit", "").Body.String(), "with faults")
}

func TestAuditExport(t *testing.T) {
	s := webtest.NewServer(t)
	s.Create(webtest.LeavePolicy)
	for range 1100 {
		require.NoError(t, s.Store.LogEvent(context.Background(), access.AtCommandLine(s.Tenant.ID),
			db.Event{Action: "x.y", Kind: "z"}))
	}
	res := s.Do("GET", "/audit/export?action=claim", "")
	require.Equal(t, 200, res.Code)
	require.Equal(t, `attachment; filename="sanad-audit.jsonl"`, res.Header().Get("Content-Disposition"))
	lines := bytes.Split(bytes.TrimSuffix(res.Body.Bytes(), []byte("\n")), []byte("\n"))
	stored, err := s.Store.Events(context.Background(), s.Tenant.ID, 0, 5000)
	require.NoError(t, err)
	require.Len(t, lines, len(stored), "an export is whole, whatever the filter")
	for i := range stored {
		require.Equal(t, string(stored[i].Bytes), string(lines[i]))
	}
	var last struct{ Action, Actor string }
	require.NoError(t, json.Unmarshal(lines[len(lines)-1], &last))
	require.Equal(t, "log.exported", last.Action)
	require.Equal(t, s.Person("admin").ID, last.Actor)
}

// breaking calls a function at the first byte of an answer.
type breaking struct {
	*httptest.ResponseRecorder
	at func()
}

func (b *breaking) Write(p []byte) (int, error) {
	if b.at != nil {
		b.at()
		b.at = nil
	}
	return b.ResponseRecorder.Write(p)
}

// An export that fails halfway must not look complete.
func TestBrokenExportBreaksTheConnection(t *testing.T) {
	s := webtest.NewServer(t)
	for range 600 { // more than one batch
		require.NoError(t, s.Store.LogEvent(context.Background(), access.AtCommandLine(s.Tenant.ID),
			db.Event{Action: "x.y", Kind: "z"}))
	}
	r := httptest.NewRequest("GET", "http://127.0.0.1/audit/export", nil)
	r.Header.Set("Cookie", "sanad="+s.Person("admin").Cookie)
	ctx, cancel := context.WithCancel(r.Context())
	w := &breaking{httptest.NewRecorder(), cancel}
	require.PanicsWithValue(t, http.ErrAbortHandler, func() { s.Handler.ServeHTTP(w, r.WithContext(ctx)) })
	require.Less(t, bytes.Count(w.Body.Bytes(), []byte("\n")), 600)
}

func TestCheckpointDownload(t *testing.T) {
	s := webtest.NewServer(t)
	s.Person("admin")
	res := s.Do("GET", "/audit/checkpoint", "")
	require.Equal(t, 200, res.Code)
	require.Contains(t, res.Header().Get("Content-Disposition"), "attachment")
	note, err := s.Store.Checkpoint(context.Background(), s.Tenant.ID)
	require.NoError(t, err)
	require.Equal(t, note, res.Body.String())
}

// TestChangedContentIsShownAndRefused checks what people and programs are told of a session whose rows somebody
// changed.
func TestChangedContentIsShownAndRefused(t *testing.T) {
	s := webtest.NewServer(t)
	id := s.Create(webtest.LeavePolicy).SessionID
	pass := func() {
		require.NoError(t, s.Store.PassContents(context.Background(), func(time.Duration) error { return nil }))
	}
	require.Contains(t, s.Do("GET", "/audit", "").Body.String(), "Not since the server started")
	pass()
	page := s.Do("GET", "/audit", "").Body.String()
	require.NotContains(t, page, "Not since the server started")
	require.NotContains(t, page, "Stored content differs from what the log recorded")
	require.Equal(t, 200, s.Do("GET", "/sessions/"+id+"/export/json", "").Code)

	file := dbtest.Raw(t, s.Dir)
	_, err := file.Exec("UPDATE matches SET snippet = 'never said' WHERE claim = 0")
	require.NoError(t, err)
	require.NoError(t, file.Close())
	res := s.Do("GET", "/sessions/"+id+"/export/json", "")
	require.Equal(t, 503, res.Code)
	require.Contains(t, res.Body.String(), "matches, claim 1")
	res = s.Do("GET", "/sessions/"+id+"/export/pdf?lang=ar", "")
	require.Equal(t, 503, res.Code)
	require.Contains(t, res.Body.String(), "المحتوى المحفوظ ليس هو ما قُيِّد")
	require.Equal(t, 200, s.Do("GET", "/readyz", "").Code, "no pass has found it yet")
	pass()
	require.Contains(t, s.Do("GET", "/audit", "").Body.String(), "Stored content differs from what the log recorded")
	require.Contains(t, s.Do("GET", "/audit", "").Body.String(), "matches, claim 1")
	res = s.Do("GET", "/readyz", "")
	require.Equal(t, 503, res.Code)
	require.Contains(t, res.Body.String(), "stored content is not what the log recorded")
}
