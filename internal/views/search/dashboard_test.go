package search

import (
	"bytes"
	"context"
	"net/url"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
	"sanad/internal/views/ui"
)

func dashboard(t *testing.T, lang, digits string, in DashboardInput) (*DashboardPage, string) {
	t.Helper()
	p := NewDashboardPage(ui.NewChrome(ui.ChromeInput{
		Lang: lang, Digits: digits, SignedIn: true, URL: &url.URL{Path: "/dashboard"},
	}), in)
	var out bytes.Buffer
	require.NoError(t, Dashboard(p).Render(context.Background(), &out))
	return p, out.String()
}

// TestTrendsSayWhatTheyFound checks the findings in both languages, that a week with nothing to count is a gap in the
// line and "none" in the table, never 0 %, and that time runs from left to right in both.
func TestTrendsSayWhatTheyFound(t *testing.T) {
	monday := time.Date(2026, 2, 2, 0, 0, 0, 0, time.UTC)
	in := DashboardInput{Days: 90, Periods: []int{30, 90}}
	for i, w := range []ledger.Week{
		{Claims: 4, Reviewed: 4, Decided: 4, Changed: 1, ByVerdict: map[ledger.Verdict]int{ledger.Supported: 3, ledger.Weak: 1}},
		{Claims: 4, Reviewed: 4, Decided: 4, ByVerdict: map[ledger.Verdict]int{ledger.Supported: 4}},
		{}, {Claims: 4, Reviewed: 2, Decided: 2, ByVerdict: map[ledger.Verdict]int{ledger.NotFound: 4}},
	} {
		w.Start = monday.AddDate(0, 0, 7*i)
		in.Weeks = append(in.Weeks, w)
	}
	p, html := dashboard(t, "en", "latn", in)
	require.Len(t, p.Trends, 3)
	work, agreement, verdicts := p.Trends[0], p.Trends[1], p.Trends[2]
	require.Equal(t, "12 claims came in; still waiting: 2.", work.Says)
	require.Equal(t, "Reviewers kept 90% of 10; 100% in the latest week.", agreement.Says)
	require.Equal(t, "58% Supported", verdicts.Key[0].Word)
	require.Equal(t, "33% Not found", verdicts.Key[3].Word)
	require.Equal(t, "3 of 4 weeks have claims", p.FilledOf)
	require.Len(t, work.Bars, 4, "no bar of nothing")
	require.Len(t, agreement.Lines, 1, "the last week stands alone")
	require.Len(t, agreement.Dots, 3)
	require.Empty(t, p.Weeks[2].Agreement)
	require.Equal(t, []string{"4", "2", "2", "100%"},
		[]string{p.Weeks[3].Claims, p.Weeks[3].Reviewed, p.Weeks[3].Waiting, p.Weeks[3].Agreement})
	require.Contains(t, html, `<span class="soft">none</span>`)
	require.Contains(t, html, "Every session has been reviewed", "no session is open")

	arabicPage, arabic := dashboard(t, "ar", "arab", in)
	require.Contains(t, arabic, "٩٠٪")
	require.Equal(t, agreement.Dots, arabicPage.Trends[1].Dots)
	for i := range agreement.Dots[1:] {
		require.Less(t, coordinate(t, agreement.Dots[i].X), coordinate(t, agreement.Dots[i+1].X))
	}
	in.Weeks = in.Weeks[:2]
	few, html := dashboard(t, "en", "latn", in)
	require.Empty(t, few.Trends, "two points are no chart")
	require.Contains(t, html, "A chart needs three weeks with claims")
	_, empty := dashboard(t, "en", "latn", DashboardInput{Weeks: make([]ledger.Week, 12)})
	require.Contains(t, empty, "No session came in within these weeks.")
	require.NotContains(t, empty, "<svg class=\"chart\"")
}

func coordinate(t *testing.T, s string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(s, 64)
	require.NoError(t, err)
	return v
}

func TestDashboardComparesJudges(t *testing.T) {
	one, two, same := ledger.Table(nil), ledger.Table(nil), ledger.Table(nil)
	one.Add(ledger.Supported, ledger.Supported, 20)
	one.Add(ledger.Supported, ledger.NotFound, 5)
	one.Add(ledger.NotFound, ledger.Supported, 10)
	one.Add(ledger.NotFound, ledger.NotFound, 15)
	two.Add(ledger.Weak, ledger.Weak, 3)
	same.Add(ledger.Weak, ledger.Weak, ledger.MinKappa)
	in := DashboardInput{Days: 90, Periods: []int{30, 90}, Judge: "lexical", Version: "3", One: true,
		Judges: []ledger.JudgeComparison{
			{Judge: "given", Table: two}, {Judge: "lexical", Version: "3", Table: one},
			{Judge: "<other>", Version: "1", Table: same},
		}}
	p, html := dashboard(t, "en", "latn", in)
	require.Equal(t, []JudgeLine{
		{
			LinkChoice: LinkChoice{"All judges", "/dashboard?days=90", false}, Claims: "83", Agreement: "82%",
			Kappa: "0.73",
		},
		{
			LinkChoice: LinkChoice{"Imported file, no judge", "/dashboard?days=90&judge=given", false},
			Claims:     "3", Agreement: "100%", WhyNot: "needs 30 claims",
		},
		{
			LinkChoice: LinkChoice{"Embedded judge, words only v\u20683\u2069", "/dashboard?days=90&judge=lexical&version=3", true},
			Claims:     "50", Agreement: "70%", Kappa: "0.40",
		},
		{
			LinkChoice: LinkChoice{"\u2068<other>\u2069 v\u20681\u2069",
				"/dashboard?days=90&judge=%3Cother%3E&version=1", false},
			Claims: "30", Agreement: "100%", WhyNot: "undefined: all verdicts are the same",
		},
	}, p.Judges)
	require.Equal(t, "Of 50 claims that people decided, 35 kept the judge’s verdict: 70%.", p.Matrix.Says,
		"of the chosen judge alone")
	row := p.Matrix.Rows[0]
	require.Equal(t, []MatrixCell{{"20", "same"}, {"0", ""}, {"0", ""}, {"5", "other"}}, row.Cells)
	require.Equal(t, []string{"80%", ""}, []string{row.Kept, p.Matrix.Rows[1].Kept})
	require.Contains(t, html, "&lt;other&gt;")
	require.Equal(t, "/dashboard?days=30&judge=lexical&version=3", p.Periods[0].Href,
		"another period of the same judge")
}

func TestSpreadChart(t *testing.T) {
	c := ui.NewChrome(ui.ChromeInput{Lang: "en"})
	require.Nil(t, c.Spread(&ledger.Summary{Total: 3}))
	spread := make(ledger.Histogram, 4*ledger.ConfidenceBins)
	spread[9], spread[5], spread[ledger.ConfidenceBins+5] = 8, 1, 3
	ch := c.Spread(&ledger.Summary{Total: 14, Confidence: spread})
	require.Equal(t, "The figures beside the judge’s verdicts on 12 claims: 50–60%: 4, 90–100%: 8", ch.Title)
	require.Equal(t, "2 claims have no figure: they were not found or not judged, or a person gave the verdict.", ch.LeftOut)
	require.Len(t, ch.Bars, ledger.ConfidenceBins)
	require.Equal(t, []ui.SpreadRect{{
		Key: "supported", X: "216.0", Y: "104.0", Width: "34.0", Height: "12.0",
	}, {Key: "weak", X: "216.0", Y: "68.0", Width: "34.0", Height: "36.0"}}, ch.Bars[5].Rects, "stacked")
	require.Equal(t, "96.0", ch.Bars[9].Rects[0].Height, "the highest bar fills the chart")
	require.Equal(t, []string{"1", "3", "0", "0"}, ch.Bars[5].Counts)
	require.False(t, ch.Bars[0].Shown)
}

// The dates under a chart never touch: those shown are four weeks apart, and the last week's is one of them.
func TestChartDatesAreApart(t *testing.T) {
	for n := 3; n <= 12; n++ {
		in := DashboardInput{}
		for i := range n {
			in.Weeks = append(in.Weeks, ledger.Week{Start: time.Date(2026, 2, 2+7*i, 0, 0, 0, 0, time.UTC),
				Sessions: 1, Claims: 4, Covered: 3})
		}
		p, _ := dashboard(t, "ar", "arab", in)
		labels, shown := p.Trends[0].Labels, -4
		for i, l := range labels {
			if l.Shown {
				require.GreaterOrEqual(t, i-shown, 4, "%d weeks", n)
				shown = i
			}
		}
		require.Equal(t, n-1, shown, "the last week is named")
	}
}

// The dashboard says how much is late and due soon, each a link to its list; nothing late is said too.
func TestDashboardSaysWhatIsDue(t *testing.T) {
	for lang, want := range map[string][]string{
		"en": {"2 sessions are late", "1 pack is late", "3 sessions are due within 7 days"},
		"ar": {"جلستان فات موعدهما", "حزمة واحدة فات موعدها", "3 جلسات موعدها خلال 7 أيام"},
	} {
		c := ui.NewChrome(ui.ChromeInput{Lang: lang, Digits: "latn", URL: &url.URL{Path: "/dashboard"}})
		in := DashboardInput{Periods: []int{30}, Days: 30}
		draw := func() string {
			var out bytes.Buffer
			require.NoError(t, Dashboard(NewDashboardPage(c, in)).Render(context.Background(), &out))
			return out.String()
		}
		require.Contains(t, draw(), c.T("due_dash_none"))
		in.Due.LateSessions, in.Due.LatePacks, in.Due.SoonSessions = 2, 1, 3
		page := draw()
		for i, words := range want {
			require.Contains(t, page, words)
			href := []string{"/sessions?due=late", "/packs?due=late", "/sessions?due=soon"}[i]
			require.Contains(t, page, `href="`+href+`"`)
		}
		require.NotContains(t, page, "/packs?due=soon")
		require.NotContains(t, page, c.T("due_dash_none"))
	}
}
