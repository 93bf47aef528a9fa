package audit_test

import (
	"fmt"
	"html"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/handlers/webtest"
)

// wordsOf returns a page's words without its tags.
func wordsOf(page string) string {
	return html.UnescapeString(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(page, ""))
}

// review makes a review by the API, which must be taken.
func review(t *testing.T, s *webtest.Server, who, session string, claim int, body string) {
	t.Helper()
	res := s.As(who).Do("POST", fmt.Sprintf("/api/v1/sessions/%s/claims/%d/reviews", session, claim), body, "If-Match", "*")
	require.Equal(t, 201, res.Code, res.Body.String())
}

// TestAuditTellsWhatChanged checks that a review is told with the claim's text and both verdicts, and that the list can
// be limited to one claim, which its pages keep.
func TestAuditTellsWhatChanged(t *testing.T) {
	s := webtest.NewServer(t)
	id := s.As("reviewer").Create(webtest.LeavePolicy).SessionID
	review(t, s, "reviewer", id, 1, `{"action":"override","verdict":"contradicted","reason":"The text says otherwise."}`)
	review(t, s, "reviewer", id, 1, `{"action":"override","verdict":"weak","reason":"In part."}`)
	review(t, s, "reviewer", id, 2, `{"action":"comment","reason":"See page 2."}`)
	page := s.As("admin").Do("GET", "/audit?action=claim", "").Body.String()
	plain := wordsOf(page)
	require.Contains(t, plain, "The reviewer overrode claim 1 ")
	require.Contains(t, plain, "Contradicted → Weak")
	require.Contains(t, plain, "Supported → Contradicted", "the machine's verdict before the first review")
	require.NotContains(t, plain, "The text says otherwise.", "what somebody wrote is in the session")
	one := s.Do("GET", "/audit?claim=1&object="+id, "").Body.String()
	require.Len(t, rowsOf(one), 2)
	require.Contains(t, one, `name="claim" type="number" min="1" inputmode="numeric"`)
	require.Contains(t, one, `value="1"`)
	require.Len(t, rowsOf(s.Do("GET", "/audit?claim=2&object="+id, "").Body.String()), 1)
	require.Contains(t, page, "/audit?"+strings.ReplaceAll(url.Values{"claim": {"1"}, "object": {id}}.Encode(), "&", "&amp;"))
}

// TestAuditKeepsSealedReviewsSealed checks that the log's page says of a sealed review neither what it was nor which
// verdict it gave, in no place of the page, until it is open (rules L-18, L-35).
func TestAuditKeepsSealedReviewsSealed(t *testing.T) {
	s := webtest.NewServer(t)
	id := s.As("reviewer").Create(webtest.LeavePolicy).SessionID
	for _, who := range []string{"reviewer", "approver", "admin"} {
		s.Person(who)
	}
	res := s.As("admin").Do("POST", "/api/v1/sessions/"+id+"/reviewers", fmt.Sprintf(
		`{"first_reviewer":%q,"second_reviewer":%q,"second_review":"blind"}`, s.Person("reviewer").ID, s.Person("approver").ID))
	require.Equal(t, 200, res.Code, res.Body.String())
	review(t, s, "reviewer", id, 1, `{"action":"override","verdict":"contradicted","reason":"No."}`)
	sealed := s.As("admin").Do("GET", "/audit?claim=1&object="+id, "").Body.String()
	require.Contains(t, wordsOf(sealed), "the review is sealed until all reviewers have decided")
	list := webtest.Between(sealed, `class="trail"`, "</main>")
	for _, word := range []string{"contradicted", "Contradicted", "override", "overrode", "reason_commitment"} {
		require.NotContains(t, list, word)
	}
	review(t, s, "approver", id, 1, `{"action":"confirm"}`)
	open := wordsOf(s.As("admin").Do("GET", "/audit?claim=1&object="+id, "").Body.String())
	require.NotContains(t, open, "the review is sealed")
	require.Contains(t, open, "The reviewer overrode claim 1 ")
	require.Contains(t, open, ": verdict Contradicted", "what another had said before was not seen then")
}
