package packs

import (
	"testing"

	"github.com/stretchr/testify/require"

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
