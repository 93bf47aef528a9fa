package packs

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/judge"
	"sanad/internal/domain/pack"
	"sanad/internal/views/viewtest"
)

// TestOnlyTellingWordsAreCompared: words of a tool call are set against each other only where its two texts are much the
// same, and never a function word against a content word. Both texts stand beside them in full.
func TestOnlyTellingWordsAreCompared(t *testing.T) {
	for _, x := range []struct {
		intended, actual string
		pairs, want      []judge.ActionWords
	}{
		{"Pay 500 to the supplier", "Pay 900 to the supplier", []judge.ActionWords{{Intended: "500", Actual: "900"}}, []judge.ActionWords{{Intended: "500", Actual: "900"}}},
		{"Do not pay the supplier", "Do pay the supplier", []judge.ActionWords{{Intended: "not"}}, []judge.ActionWords{{Intended: "not"}}},
		{"Pay the supplier not now", "Pay the supplier released now", []judge.ActionWords{{Intended: "not", Actual: "released"}, {Actual: "Now"}}, []judge.ActionWords{{Actual: "Now"}}},
		{"Hold the payment, and do not release it", "Payment released by the bank on Sunday", []judge.ActionWords{{Intended: "not", Actual: "released"}, {Actual: "not"}}, nil},
		{"سداد فاتورة المورد كاملة", "سداد فاتورة المورد جزئيًا", []judge.ActionWords{{Intended: "كاملة", Actual: "جزئيًا"}}, []judge.ActionWords{{Intended: "كاملة", Actual: "جزئيًا"}}},
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
