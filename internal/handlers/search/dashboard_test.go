package search_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/handlers/webtest"
)

type statsAnswer struct {
	Days int `json:"days"`
	Open []struct {
		From     int  `json:"min_days"`
		To       *int `json:"max_days"`
		Sessions int  `json:"sessions"`
		Oldest   *struct {
			Title string `json:"title"`
		} `json:"oldest"`
	} `json:"open_sessions"`
	Weeks []struct {
		Sessions int      `json:"sessions"`
		Coverage *float64 `json:"evidence_coverage"`
		Override *float64 `json:"override_rate"`
	} `json:"weeks"`
	All    measured   `json:"all_judges"`
	Judges []measured `json:"judges"`
}

type measured struct {
	Judge, Version *string
	Decided, Same  int
	Agreement      *float64 `json:"agreement_rate"`
	Kappa          *float64
	Matrix         []struct {
		Machine string `json:"machine_verdict"`
		Person  string `json:"verdict"`
		Claims  int    `json:"claims"`
	}
}

// After a review the dashboard and the API show the same figures about people and the machine.
func TestDashboard(t *testing.T) {
	w := webtest.NewWorld(t)
	stats := func(query string) statsAnswer {
		return webtest.Get[statsAnswer](t, w.As("viewer").Do("GET", "/api/v1/stats"+query, ""), 200)
	}
	page := func(query string) string {
		res := w.As("viewer").Do("GET", "/dashboard"+query, "")
		require.Equal(t, http.StatusOK, res.Code)
		return res.Body.String()
	}
	before := stats("")
	require.Equal(t, 90, before.Days)
	require.Len(t, before.Weeks, 12)
	require.Zero(t, before.All.Decided)
	require.Nil(t, before.All.Agreement, "nothing is no 0 %")
	require.Nil(t, before.Weeks[0].Coverage)
	require.Contains(t, page(""), "Nobody has decided a claim")
	require.Contains(t, w.As("viewer").Do("GET", "/", "").Body.String(), `href="/dashboard"`)

	review := func(claim int, body string) {
		res := w.As("reviewer").Do("POST", w.Fill(fmt.Sprintf("/api/v1/sessions/{session}/claims/%d/reviews", claim)),
			body, "If-Match", "*")
		require.Equal(t, 201, res.Code, res.Body.String())
	}
	review(1, `{"action":"override","verdict":"not_found","reason":"It says nothing of it."}`)
	after := stats("?days=30")
	require.Equal(t, []int{30, 1, 0, 1}, []int{after.Days, after.All.Decided, after.All.Same, len(after.Judges)})
	require.Nil(t, after.All.Judge)
	require.NotNil(t, after.Judges[0].Judge)
	require.InDelta(t, 0, *after.All.Agreement, 0)
	require.Nil(t, after.All.Kappa, "of so few")
	require.Len(t, after.All.Matrix, 16)
	n := 0
	for _, cell := range after.All.Matrix {
		n += cell.Claims
		if cell.Claims > 0 {
			require.Equal(t, "not_found", cell.Person)
		}
	}
	require.Equal(t, 1, n)
	require.InDelta(t, 1, *after.Weeks[11].Override, 0)
	require.Positive(t, after.Open[0].Sessions)
	require.NotEmpty(t, after.Open[0].Oldest.Title)
	require.Nil(t, after.Open[3].To)

	html := page("?days=30&judge=" + *after.Judges[0].Judge)
	require.Contains(t, html, "Of 1 claim that people decided, 0 kept the judge’s verdict: 0%.")
	require.Contains(t, html, "needs 30 claims")
	require.Equal(t, 1, strings.Count(html, `class="num other"`))
	require.Contains(t, page("?days=7&judge=nobody"), `days=90#trust" aria-current="true"`,
		"what is no choice is as if not given")
	require.Equal(t, 400, w.As("viewer").Do("GET", "/api/v1/stats?days=7", "").Code)
	require.Zero(t, webtest.Get[statsAnswer](t, w.As("foreign").Do("GET", "/api/v1/stats", ""), 200).All.Decided,
		"another tenant's are its own")

	// the session's page shows the figures of the machine's verdicts: here of none, one is a person's and one not found
	report := func(id string) string {
		return w.As("viewer").Do("GET", "/sessions/"+id+"?tab=report", "").Body.String()
	}
	require.NotContains(t, report(w.Fill("{session}")), `id="spread-t"`)
	other := report(w.Create(strings.Replace(webtest.LeavePolicy, "hr-42", "other", 1)).SessionID)
	require.Contains(t, other, `id="spread-t"`)
	require.Contains(t, other, "1 claim has no figure")
}
