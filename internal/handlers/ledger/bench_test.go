package ledger_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/handlers/webtest"
)

// inFocus returns the numbers of the claim that a ledger page has in focus, and of the first one of its list.
func inFocus(t *testing.T, body string) []string {
	t.Helper()
	_, pane, found := strings.Cut(body, `id="pane"`)
	require.True(t, found, body)
	return []string{webtest.Between(pane, `data-n="`, `"`), webtest.Between(body, `<tr class="row" id="claim-`, `"`)}
}

// The claim in focus is the one that the address names, else the first that waits, wherever the list has it (WEB-17).
func TestClaimInFocus(t *testing.T) {
	s := webtest.NewServer(t)
	var claims []string
	for i := range 60 {
		claims = append(claims, fmt.Sprintf(`{"claim_text":"Leave number %d is 15 days."}`, i+1))
	}
	id := s.Create(`{"format":"sanad.session/v1","session":{"title":"Leave","answer":"Leave is 15 days."},
		"documents":[{"id":"hr","filename":"HR.txt","text":"Leave is 15 days."}],"claims":[` +
		strings.Join(claims, ",") + `]}`).SessionID
	at := "/sessions/" + id
	page := func(query string) string { return s.Do("GET", at+query, "").Body.String() }
	decide := func(from, to int) {
		for n := from; n <= to; n++ {
			require.Equal(t, 201, s.Do("POST", fmt.Sprintf("/api/v1%s/claims/%d/reviews", at, n),
				`{"action":"override","verdict":"supported","reason":"Read."}`, "If-Match", "*").Code)
		}
	}
	for _, c := range []struct{ query, focus, first string }{
		{"", "1", "1"}, {"?claim=7", "7", "1"}, {"?claim=55", "55", "55"},
		{"?claim=55&unsettled=1", "55", "55"}, {"?claim=999", "1", "1"}, {"?claim=x", "1", "1"},
	} {
		require.Equal(t, []string{c.focus, c.first}, inFocus(t, page(c.query)), c.query)
	}
	decide(1, 3)
	require.Equal(t, []string{"4", "1"}, inFocus(t, page("")))
	decide(4, 52)
	require.Equal(t, []string{"53", "53"}, inFocus(t, page("")), "on a later page of the list")
	require.Equal(t, []string{"55", "53"}, inFocus(t, page("?claim=55&unsettled=1")), "the list begins as it was")
	require.Contains(t, page("?lang=ar"), "حُسم 52 من 60 إفادة")
}

// Each tab is a link, and the page without JavaScript is whole.
func TestTabsOfALedger(t *testing.T) {
	s := webtest.NewServer(t)
	at := "/sessions/" + s.Create(webtest.LeavePolicy).SessionID
	for tab, part := range map[string]string{
		"": `id="results"`, "answer": `class="answer"`, "report": `id="verdicts-h"`, "sources": `id="people"`,
		"nonsense": `id="results"`,
	} {
		body := s.Do("GET", at+"?verdict=supported&tab="+tab, "").Body.String()
		require.Contains(t, body, part, tab)
		for _, link := range []string{"answer", "report", "sources"} {
			require.Contains(t, body, `href="`+at+"?tab="+link+`&amp;verdict=supported"`, tab)
		}
	}
}
