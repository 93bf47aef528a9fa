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
	require.Equal(t, 1, count(url.Values{"object": {made.SessionID}, "action": {"session.imported"}}))
	require.Equal(t, 0, count(url.Values{"object": {made.SessionID}, "action": {"session.closed"}}))
	require.Equal(t, 2, count(url.Values{"find": {made.SessionID}, "object": {made.SessionID}}))
	require.Equal(t, 0, count(url.Values{"object": {made.SessionID}, "actor": {s.Person("viewer").ID}}))
	day, all := webtest.Now.Format("2006-01-02"), count(url.Values{})
	require.Equal(t, all, count(url.Values{"from": {day}, "to": {day}}), "both days are whole")
	require.Equal(t, 0, count(url.Values{"to": {webtest.Now.AddDate(0, 0, -1).Format("2006-01-02")}}))
	require.Equal(t, all, count(url.Values{"from": {"nonsense"}, "action": {"'; DROP"}}),
		"an invalid filter is ignored")
}

// TestAuditFindsItsObjectByTitle checks that words list what the reader may choose, that a choice is shown by its title
// and can be dropped, and that an id which no title answers still limits the list.
func TestAuditFindsItsObjectByTitle(t *testing.T) {
	s := webtest.NewServer(t)
	made := s.As("reviewer").Create(webtest.LeavePolicy)
	s.AddDecision("dec_waits", "A2")
	p := s.API("reviewer", "POST", "/packs", `{"decision_id":"dec_waits"}`)(201)
	person := s.Person("approver").ID
	page := func(q url.Values) string { return s.As("admin").Do("GET", "/audit?"+q.Encode(), "").Body.String() }

	found := page(url.Values{"find": {"leave"}, "action": {"session"}})
	require.Contains(t, found, "/audit?action=session&amp;object="+made.SessionID, "the other filters stay")
	require.Empty(t, rowsOf(found), "no events before an object is chosen")
	require.Contains(t, page(url.Values{"find": {"hospital"}}), "object="+p.PackID)
	require.Contains(t, page(url.Values{"find": {"approver"}}), "object="+person)
	require.Contains(t, page(url.Values{"find": {made.SessionID[:8]}}), "object="+made.SessionID)
	require.NotContains(t, s.As("foreign").Do("GET", "/audit?find=leave", "").Body.String(), made.SessionID)

	chosen := page(url.Values{"object": {made.SessionID}, "claim": {"1"}, "actor": {person}})
	require.Contains(t, chosen, `name="object" value="`+made.SessionID+`"`)
	require.Contains(t, wordsOf(chosen), "(Session)")
	require.Contains(t, chosen, `href="/audit?actor=`+person+`" aria-label="Events of every object"`)
	require.NotContains(t, page(url.Values{"object": {p.PackID}}), `name="claim"`, "only a session has claims")
	typed := page(url.Values{"find": {"dec_waits"}})
	require.NotEmpty(t, rowsOf(typed))
	require.Contains(t, typed, `name="object" value="dec_waits"`)
	require.Empty(t, rowsOf(page(url.Values{"find": {"no such thing"}})))
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
	require.Contains(t, res.Body.String(), "يختلف المحتوى المحفوظ عما قُيِّد")
	require.Equal(t, 200, s.Do("GET", "/readyz", "").Code, "no pass has found it yet")
	pass()
	require.Contains(t, s.Do("GET", "/audit", "").Body.String(), "Stored content differs from what the log recorded")
	require.Contains(t, s.Do("GET", "/audit", "").Body.String(), "matches, claim 1")
	res = s.Do("GET", "/readyz", "")
	require.Equal(t, 503, res.Code)
	require.Contains(t, res.Body.String(), "stored content differs from what the log recorded")
}

// TestLogKeepsTheOrganisationsTime checks that the log's times and days, and the days it is filtered by, are those of
// the organisation's zone, while datetime stays UTC, and that Hijri dates stand beside where they were chosen.
func TestLogKeepsTheOrganisationsTime(t *testing.T) {
	s := webtest.NewServer(t)
	s.As("reviewer").Create(webtest.LeavePolicy) // at 09:00 UTC on 21 November
	by := access.AtCommandLine(s.Tenant.ID)
	require.Contains(t, s.As("admin").Do("GET", "/audit", "").Body.String(), ">09:00<")
	require.NoError(t, s.Store.SetTimeZone(t.Context(), by, "Pacific/Auckland")) // 13 hours ahead in November
	require.NoError(t, s.Store.SetCalendar(t.Context(), by, access.Hijri))
	require.NoError(t, s.Store.SetWeekStart(t.Context(), by, access.Saturday))
	page := s.Do("GET", "/audit", "").Body.String()
	require.Contains(t, page, `<time datetime="2026-11-21T09:00:00Z"`)
	require.Contains(t, page, ">22:00<")
	require.Contains(t, wordsOf(page), "21 Nov 2026 (11 Jumada II 1448 AH)")
	require.Contains(t, wordsOf(page), "UTC+13")
	require.Contains(t, page, `data-first="6"`, "calendars begin with the organisation's day")
	require.Contains(t, wordsOf(page), "turned on Hijri dates beside Gregorian ones")

	require.NoError(t, s.Store.SetTimeZone(t.Context(), by, "Pacific/Kiritimati")) // 14 hours ahead
	require.NotEmpty(t, rowsOf(s.Do("GET", "/audit?from=2026-11-21&to=2026-11-21", "").Body.String()))
	require.NoError(t, s.Store.SetTimeZone(t.Context(), by, "America/Los_Angeles")) // 8 hours behind
	require.NotEmpty(t, rowsOf(s.Do("GET", "/audit?from=2026-11-21&to=2026-11-21", "").Body.String()))
	require.Empty(t, rowsOf(s.Do("GET", "/audit?to=2026-11-20", "").Body.String()))
}
