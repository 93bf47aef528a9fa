package ledger

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/views/viewtest"
)

// TestFiguresStandSideBySide shows each figure of a claim beside the source's, or beside nothing, whatever its verdict
// and whoever judged it.
func TestFiguresStandSideBySide(t *testing.T) {
	t.Parallel()
	const carry = "Staff may carry over at most 10 days of leave."
	by := func(judge string) func(*ledger.Session, *ledger.Claim) {
		return func(_ *ledger.Session, c *ledger.Claim) { c.Judge = judge }
	}
	for _, x := range []struct {
		name, claim, passage string
		change               func(*ledger.Session, *ledger.Claim)
		answer, source       string
	}{
		{name: "contradicted", claim: carry, passage: "Staff may carry over no more than five days of leave.",
			answer: "at most 10 days", source: "no more than five days"},
		{name: "the same", claim: carry, passage: carry, answer: "at most 10 days", source: "at most 10 days"},
		{name: "no partner", claim: carry, passage: "Staff may carry over leave.", answer: "10 days"},
		{name: "not found", claim: carry, passage: "The canteen is closed.", answer: "at most 10 days"},
		{name: "by the caller", claim: carry, passage: "Staff may carry over leave of up to 10 days.",
			change: by("given"), answer: "at most 10 days", source: "up to 10 days"},
		{name: "by a model", claim: carry, passage: "Staff may carry over leave of up to 10 days.",
			change: by("openai"), answer: "at most 10 days", source: "up to 10 days"},
		{name: "Arabic", claim: "لا تزيد مدة الإجازة على عشرة أيام.", passage: "لا تتجاوز مدة الإجازة خمسة أيام.",
			answer: "لا تزيد … على عشرة أيام", source: "لا تتجاوز … خمسة أيام"},
	} {
		for _, lang := range []string{"en", "ar"} {
			v := opened(t, lang, x.claim, x.passage, x.change)
			found := false
			for _, p := range v.Diff.Pairs {
				found = found || p.Answer == x.answer && p.Source == x.source
			}
			require.True(t, found, "%s: %+v", x.name, v.Diff.Pairs)
			require.Contains(t, viewtest.Html(t, OpenedClaim(v, true)), x.answer+"</bdi>", x.name)
		}
	}
	unjudged := opened(t, "en", carry, "The canteen is closed.", func(_ *ledger.Session, c *ledger.Claim) {
		c.Matches, c.Unjudged = nil, "The judge failed."
	})
	require.Empty(t, unjudged.Diff.Pairs, "nothing was compared")
}

// TestDecidingWordsAreNotFaint holds that words that decide stand in the passage itself, which is never gray.
func TestDecidingWordsAreNotFaint(t *testing.T) {
	t.Parallel()
	v := opened(t, "en", "Managers approve expenses.", "Only directors, and not managers, approve expenses.", nil)
	html := viewtest.Html(t, OpenedClaim(v, true))
	core := viewtest.ByClass(t, html, "core")
	require.Len(t, core, 1)
	require.Contains(t, viewtest.VisibleText(core[0]), "Only directors, and not managers")
	for n := range core[0].Descendants() {
		for _, a := range n.Attr {
			require.NotRegexp(t, `\b(around|soft|was)\b`, a.Val, "none of it is gray")
		}
	}
	for n := range core[0].Ancestors() {
		for _, a := range n.Attr {
			require.False(t, a.Key == "class" && strings.Contains(" "+a.Val+" ", " around "), "it stands in nothing gray")
		}
	}
}

// TestUnreadPassageIsShown shows an unjudged claim with the passage that it cites, and why nobody judged it.
func TestUnreadPassageIsShown(t *testing.T) {
	t.Parallel()
	const french = "Les employés ont droit à 15 jours de congé annuel."
	for lang, cause := range map[string]string{"en": "is in a language that this judge cannot compare",
		"ar": "بلغة لا يستطيع هذا المُحكِّم مقارنتها"} {
		v := opened(t, lang, "Employees get 15 days of leave.", french, func(_ *ledger.Session, c *ledger.Claim) {
			c.Matches = nil
			c.Leave(domain.Message{ID: ledger.CitedLanguage})
			c.Checks.Citations = []ledger.CitationCheck{{Anchor: "[1]", Status: ledger.NotRead, Cited: &ledger.ChunkRef{}}}
		})
		html := viewtest.Html(t, OpenedClaim(v, true))
		require.Contains(t, html, french)
		require.Contains(t, html, cause)
		require.Empty(t, v.Diff.Pairs)
	}
}
