package ledger_test

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/text"
	"sanad/internal/handlers/webtest"
)

// A made-up review in an edited export is shown on the claim's page as the file's word, and no review of ours.
func TestImportedReviewsOnThePage(t *testing.T) {
	s, other := webtest.NewServer(t), webtest.NewServer(t)
	c := s.Create(webtest.LeavePolicy)
	s.Do("POST", "/api/v1/sessions/"+c.SessionID+"/claims/1/reviews", `{"action":"confirm"}`, "If-Match", "*")
	export := s.Do("GET", "/sessions/"+c.SessionID+"/export/json", "").Body.String()
	forged := regexp.MustCompile(`"actor": "[^"]*"`).ReplaceAllString(export, `"actor": "Alpha Approver"`)
	require.NotEqual(t, export, forged)
	id := other.Create(forged).SessionID

	page := other.Do("GET", "/sessions/"+id+"/claims/1", "").Body.String()
	require.Contains(t, page, "Imported reviews")
	require.Contains(t, page, "None of this counts here")
	require.Contains(t, page, "Alpha Approver")
	require.NotContains(t, other.Do("GET", "/sessions/"+id+"/claims/2", "").Body.String(), "Alpha Approver")
	ledger := other.Do("GET", "/api/v1/sessions/"+id+"/ledger", "").Body.String()
	require.Contains(t, ledger, `"imported_reviews":[{"file":""`)
	require.Contains(t, ledger, `"state":"unreviewed"`)
	require.NotContains(t, ledger, `"state":"confirmed"`)
}

// The name of the file of an imported ledger is kept with what it said.
func TestImportedFileIsNamed(t *testing.T) {
	s, other := webtest.NewServer(t), webtest.NewServer(t)
	export := s.Do("GET", "/sessions/"+s.Create(webtest.LeavePolicy).SessionID+"/export/json", "").Body.String()
	page := other.Form("file", "leave export.json", export)
	id := regexp.MustCompile(`/sessions/([0-9a-f-]{36})`).FindStringSubmatch(page.Body.String())
	require.NotNil(t, id, page.Body.String())
	require.Contains(t, other.Do("GET", "/api/v1/sessions/"+id[1]+"/ledger", "").Body.String(),
		`"imported_reviews":[{"file":"leave export.json"`)
}

// A passage that a person attached is kept when the export is imported: the claim's page shows who attached which
// words, with a link to their place, and the verdict is our judge's. A file with a place that is not in it is refused.
func TestImportedPassageOnThePage(t *testing.T) {
	s, other := webtest.NewServer(t).As("reviewer"), webtest.NewServer(t)
	id := s.Create(badge).SessionID
	session, err := s.Store.Session(context.Background(), s.Tenant.ID, id)
	require.NoError(t, err)
	d := &session.Documents[0]
	last := &d.Chunks[len(d.Chunks)-1]
	start := d.Start(last.Position) + text.Len(last.Text[:strings.Index(last.Text, badgeWords)])
	body := fmt.Sprintf(`{"document_id":%q,"start":%d,"end":%d}`, d.ID, start, start+text.Len(badgeWords))
	require.Equal(t, 201, s.Do("POST", "/api/v1/sessions/"+id+"/claims/1/passages", body, "If-Match", "*").Code)

	export := s.Do("GET", "/sessions/"+id+"/export/json", "").Body.String()
	far := other.Create(export).SessionID
	page := other.Do("GET", "/sessions/"+far+"/claims/1", "").Body.String()
	imported := page[strings.Index(page, "Imported reviews"):]
	require.Contains(t, imported, badgeWords)
	require.Contains(t, imported, "Attached by")
	require.Regexp(t, `<a href="/documents/[^"]+"><bdi[^>]*>`, imported)
	again := other.Do("GET", "/sessions/"+far+"/export/json", "").Body.String()
	require.Contains(t, again, `"passages": [`)
	require.NotContains(t, again, `"attached": {`, "no match of ours is one")
	answer := other.Do("POST", "/api/v1/sessions", regexp.MustCompile(`"chunk": \d+`).ReplaceAllString(again, `"chunk": 99`))
	require.Equal(t, 422, answer.Code)
	require.Contains(t, answer.Body.String(), `"path":"sanad.claims[0].imported_reviews[0].passages[0].chunk"`)
}
