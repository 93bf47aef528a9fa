package packs

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/access"
	"sanad/internal/domain/judge"
	"sanad/internal/domain/pack"
	"sanad/internal/views/viewtest"
)

// TestOnlyTellingWordsAreCompared: words of a tool call are set against each other only where its two texts are much
// the same, and never a function word against a content word. Both texts stand beside them in full.
func TestOnlyTellingWordsAreCompared(t *testing.T) {
	for _, x := range []struct {
		intended, actual string
		pairs, want      []judge.ActionWords
	}{
		{intended: "Pay 500 to the supplier", actual: "Pay 900 to the supplier", pairs: []judge.ActionWords{{Intended: "500", Actual: "900"}}, want: []judge.ActionWords{{Intended: "500", Actual: "900"}}},
		{intended: "Do not pay the supplier", actual: "Do pay the supplier", pairs: []judge.ActionWords{{Intended: "not"}}, want: []judge.ActionWords{{Intended: "not"}}},
		{intended: "Pay the supplier not now", actual: "Pay the supplier released now", pairs: []judge.ActionWords{{Intended: "not", Actual: "released"}, {Actual: "Now"}}, want: []judge.ActionWords{{Actual: "Now"}}},
		{intended: "Hold the payment, and do not release it", actual: "Payment released by the bank on Sunday", pairs: []judge.ActionWords{{Intended: "not", Actual: "released"}, {Actual: "not"}}, want: nil},
		{intended: "سداد فاتورة المورد كاملة", actual: "سداد فاتورة المورد جزئيًا", pairs: []judge.ActionWords{{Intended: "كاملة", Actual: "جزئيًا"}}, want: []judge.ActionWords{{Intended: "كاملة", Actual: "جزئيًا"}}},
	} {
		require.Equal(t, x.want, telling(x.intended, x.actual, x.pairs), x.intended)
	}
}

// TestMemoHelp: each sign of Markdown is isolated, and the chips' marks are explained and given.
func TestMemoHelp(t *testing.T) {
	x := onPack(pack.Draft)
	x.Content.Memo.BodyAR = "الأسرّة [E1]"
	for lang, cited := range map[string]string{"en": "cited in the text", "ar": "مذكور في النص"} {
		page := viewtest.Html(t, Edit(NewEditPage(viewtest.ChromeAt(lang, "/"), EditInput{Pack: x})))
		require.Contains(t, page, `<bdi dir="ltr"><code># …</code></bdi>`)
		require.Contains(t, page, `<span class="chip-is cited">`+cited+`</span>`)
		require.Contains(t, page, `class="chip is-top is-cited"`)
		require.Contains(t, page, `class="chip is-top"`)
	}
}

// TestCallsAreMarkedAsCounted: the page marks those tool calls as departed that memo, Markdown and PDF count.
func TestCallsAreMarkedAsCounted(t *testing.T) {
	k := &pack.Content{ToolCalls: []pack.ToolCallRecord{
		{IntendedAction: "hold the payment", ActualAction: "released the payment", ContradictionFlag: true},
		{IntendedAction: "hold the payment", ActualAction: "none", ContradictionFlag: true,
			VerificationStatus: "failed", Error: "no answer"},
		{IntendedAction: "read", ActualAction: "read", VerificationStatus: "verified"},
	}}
	c := viewtest.ChromeAt("en", "/")
	var marked []string
	for _, v := range callViews(&c, k) {
		if v.Contradicts {
			marked = append(marked, strings.ToUpper(v.ID))
		}
	}
	require.Equal(t, []string{"T1"}, marked)
	require.Equal(t, k.Departed(), marked)
}

// TestSigningAs: who signs sees the job title that the pack will keep, or the way to add one; an approval shows the one
// that it was given with.
func TestSigningAs(t *testing.T) {
	c := viewtest.ChromeAt("en", "/")
	c.User = "Sara Al Dosari"
	p := NewPage(c, Input{Pack: onPack(pack.InReview), Decide: Decide{Shown: true, Title: "مديرة المشتريات"}})
	html := viewtest.Html(t, Sign(p))
	require.Contains(t, html, "You sign as")
	require.Contains(t, html, "مديرة المشتريات")
	require.NotContains(t, html, "#job-title")
	p.Decide.Title = ""
	require.Contains(t, viewtest.Html(t, Sign(p)), `href="/account#job-title"`)

	x := onPack(pack.SignedOff)
	x.Life.Approvals = []pack.Approval{{Actor: "u2", Name: "Sara", Title: "Head of Procurement", Role: "approver"}}
	p = NewPage(c, Input{Pack: x})
	require.Equal(t, "Head of Procurement", p.Approvals[0].Title)
	require.Contains(t, viewtest.Html(t, packApprovals(p)), "Head of Procurement")
}

// TestDeadEnds: what nobody could finish is said beside for whom the pack waits, and before the signature.
func TestDeadEnds(t *testing.T) {
	p := NewPage(viewtest.ChromeAt("en", "/"), Input{Pack: onPack(pack.InReview), Decide: Decide{Shown: true,
		Waits: pack.Waits{DeadEnd: true}, Ends: []string{""}}})
	require.Contains(t, viewtest.Html(t, packApprovals(p)), "After any of them approves, nobody in the organisation")
	require.Contains(t, viewtest.Html(t, Sign(p)), "After your signature, nobody in the organisation")
	p.Decide.Ends, p.Decide.Waits.DeadEnd = nil, false
	require.NotContains(t, viewtest.Html(t, packApprovals(p)), "count as one person")
	require.NotContains(t, viewtest.Html(t, Sign(p)), "dead-end")
	p.Decide.Deputies, p.Decide.Ends = []access.Deputy{{For: access.Person{ID: "u9", Name: "Huda"}}}, []string{"u9"}
	p.Decide.Next = map[string][]pack.Waiting{"": {{Person: access.Person{Name: "Nasser"}}}}
	html := viewtest.Html(t, Sign(p))
	require.Contains(t, html, `If you sign as deputy of <bdi lang="en">Huda</bdi>, nobody in the organisation`)
	require.Contains(t, html, "If you sign in your own name, the next signature can come from: \u2068Nasser\u2069.")
}
