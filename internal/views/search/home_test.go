package search

import (
	"bytes"
	"context"
	"math"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
	"sanad/internal/views/ui"
	"sanad/internal/views/viewtest"
)

// Whoever may not review is not told that sessions wait for a review by them.
func TestReaderIsToldOfOpenSessions(t *testing.T) {
	for _, may := range []bool{true, false} {
		c := ui.NewChrome(ui.ChromeInput{Lang: "en", Digits: "latn", SignedIn: true, URL: &url.URL{Path: "/"}})
		c.May.Review = may
		in := HomeInput{}
		in.Sessions, in.Queue = 5, make([]ledger.SessionRow, 5)
		var out bytes.Buffer
		require.NoError(t, Home(NewHomePage(c, in)).Render(context.Background(), &out))
		if may {
			require.Contains(t, out.String(), "5 sessions to review")
			continue
		}
		require.Contains(t, out.String(), "5 open sessions")
		require.NotContains(t, out.String(), "o review")
		require.NotContains(t, out.String(), "waiting for review")
	}
}

// A chart has three points or more, and its dates never touch, however the days lie.
func TestCoverageChartHasRoomForItsDates(t *testing.T) {
	c := ui.NewChrome(ui.ChromeInput{Lang: "ar", Digits: "arab", URL: &url.URL{Path: "/"}})
	day := func(n int) ledger.DayCoverage {
		return ledger.DayCoverage{Day: time.Date(2026, 1, n, 0, 0, 0, 0, time.UTC), Coverage: 0.5}
	}
	require.Nil(t, NewChart(&c, []ledger.DayCoverage{day(1), day(2)}))
	for _, days := range [][]int{{1, 2, 3}, {1, 2, 90}, {1, 89, 90}, {1, 30, 31, 32, 60, 61, 90}, {5, 6, 7, 8, 9, 10, 11, 12}} {
		var in []ledger.DayCoverage
		for _, n := range days {
			in = append(in, day(n))
		}
		ch, last := NewChart(&c, in), -1000.0
		for _, d := range ch.Days {
			if d.Shown {
				x, err := strconv.ParseFloat(d.X, 64)
				require.NoError(t, err)
				require.GreaterOrEqual(t, x-last, labelRoom-0.1, days)
				last = x
			}
		}
		require.True(t, ch.Days[len(ch.Days)-1].Shown, "the last day is named")
	}
}

// The figures at the ends of the two lines are apart, whichever of them is the higher one, and each stays on its side.
func TestFiguresOfTheChartAreApart(t *testing.T) {
	c := ui.NewChrome(ui.ChromeInput{Lang: "en", URL: &url.URL{Path: "/"}})
	for _, x := range []struct{ support, found float64 }{{0.6, 0.8}, {0.78, 0.8}, {0.8, 0.8}, {0.82, 0.8}, {0.8, 0.6}} {
		var in []ledger.DayCoverage
		for n := range 3 {
			in = append(in, ledger.DayCoverage{Day: time.Date(2026, 1, 1+n, 0, 0, 0, 0, time.UTC), Support: x.support,
				Coverage: x.found})
		}
		ch := NewChart(&c, in)
		support, err := strconv.ParseFloat(ch.Support.TextY, 64)
		require.NoError(t, err)
		found, err := strconv.ParseFloat(ch.Found.TextY, 64)
		require.NoError(t, err)
		require.GreaterOrEqual(t, math.Abs(support-found), lineHeight-0.1, x)
		require.Less(t, math.Abs(support-found), 26.0, x)
		require.Equal(t, x.support > x.found, support < found, x)
	}
}

// The reader's own drafts are listed, those that were returned first; who drafts nothing has no such section.
func TestHomeListsYourDrafts(t *testing.T) {
	for lang, title := range map[string]string{"en": "Your drafts", "ar": "مسوداتك"} {
		c := ui.NewChrome(ui.ChromeInput{Lang: lang, Digits: "latn", SignedIn: true, URL: &url.URL{Path: "/"}})
		in := HomeInput{}
		in.Sessions = 1
		draw := func() string {
			var out bytes.Buffer
			require.NoError(t, Home(NewHomePage(c, in)).Render(context.Background(), &out))
			return out.String()
		}
		require.NotContains(t, draw(), title)
		in.Packs.Drafts = []pack.Row{{PackID: "pack_d", Title: "A draft", State: pack.Draft}}
		in.Packs.Returned = []pack.Row{{PackID: "pack_r", Title: "A returned one", State: pack.Returned}}
		in.Packs.NDrafts, in.Packs.NReturned = 4, 1
		page := draw()
		require.Contains(t, page, title)
		require.Less(t, strings.Index(page, "/packs/pack_r"), strings.Index(page, "/packs/pack_d"), "returned ones first")
		require.Contains(t, page, c.N("pk_n_more", 3))
	}
}

// The excerpt of an answer has its words, not the marks of its Markdown and its citations.
func TestExcerptsOfAnswersHaveNoMarks(t *testing.T) {
	said := ""
	for _, s := range withoutMarks([]ui.Segment{{Text: "## Short\n**Annual "}, {Text: "leave", Kind: "match"},
		{Text: " in short** is `15` days [cite:17ac84da]. Carried on [cite:57fd"}}) {
		said += s.Text
	}
	require.Equal(t, "Short\nAnnual leave in short is 15 days. Carried on", said)
}

// TestHomeSaysWhatTakingCosts: an approver reads before they take a review whose packs they could then not approve.
func TestHomeSaysWhatTakingCosts(t *testing.T) {
	page := func(classes ...string) string {
		c := viewtest.ChromeAt("en", "/")
		c.May.Review = true
		in := HomeInput{Free: 2, Apart: classes}
		in.Sessions = 2
		return viewtest.Html(t, Home(NewHomePage(c, in)))
	}
	require.Contains(t, page("A2", "A3"), "Whoever takes part in a review cannot approve its pack of class A2, A3.")
	require.NotContains(t, page(), "cannot approve")
}
