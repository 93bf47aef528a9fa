package ui

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/importers"
)

// What importing the samples of all formats warns of is said in Arabic, from its message and from its English words.
func TestWarningsOfTheSamplesAreSaidInArabic(t *testing.T) {
	c := NewChrome(ChromeInput{Lang: "ar"})
	names, err := filepath.Glob("../../importers/testdata/*/*.json*")
	require.NoError(t, err)
	n := 0
	for _, name := range names {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		b, err := importers.ReadAll(data, importers.Options{})
		if err != nil {
			continue // a sample of what is refused
		}
		for _, r := range b.Results {
			for _, w := range r.Warnings {
				n++
				require.NotEqual(t, w.Msg, c.Said(w.Said), "%s: %s", name, w.Path)
				require.NotEqual(t, w.Msg, c.SaidText(w.Msg), "%s: %s", name, w.Path)
			}
		}
	}
	require.Greater(t, n, 40)
}

// Names and quoted values stand in Arabic sentences as they were written, page numbers one by one.
func TestWarningsKeepNamesAndNumbers(t *testing.T) {
	c := NewChrome(ChromeInput{Lang: "ar", Digits: "arab"})
	for english, arabic := range map[string]string{
		"Q4 2024, final.pdf has no text on 13 of its 1,300 pages (1, 2, 30, …): nothing can be found there. " +
			"If they are scans, run OCR first.": "" +
			"في الملف \u2068Q4 2024, final.pdf\u2069 صفحات لا نص فيها، وهي \u2068١٣\u2069 من \u2068١٬٣٠٠\u2069 " +
			"(\u2068١\u2069، \u2068٢\u2069، \u2068٣٠\u2069، \u2068…\u2069)، فلا يمكن العثور على شيء فيها. " +
			"إن كانت ممسوحة ضوئيًا فشغّل عليها أولًا برنامج التعرف الضوئي على النص (OCR).",
		"a\nb.pdf ends too early, without %%EOF: it was cut off on its way, and pages may be missing. Send it whole.": "" +
			"ينتهي الملف \u2068a\nb.pdf\u2069 قبل تمامه دون \u2066%%EOF\u2069: انقطع في أثناء نقله، وقد تنقصه صفحات. أرسله كاملًا.",
		`"web_2" is none of the five kinds of citation; it is kept, not placed.`: "" +
			"ليس «\u2068web_2\u2069» من أنواع الاستشهاد الخمسة؛ حُفظ ولم يُحدَّد موضعه.",
		`"7" is none of the five kinds of citation; it is kept, not placed.`: "" +
			"ليس «\u20687\u2069» من أنواع الاستشهاد الخمسة؛ حُفظ ولم يُحدَّد موضعه.",
		"2024 ends too early, without %%EOF: it was cut off on its way, and pages may be missing. Send it whole.": "" +
			"ينتهي الملف \u20682024\u2069 قبل تمامه دون \u2066%%EOF\u2069: انقطع في أثناء نقله، وقد تنقصه صفحات. أرسله كاملًا.",
		`The file is unchanged since "10.2.0.7" signed it. Its 2 review(s) are shown as made there; ` +
			"here every claim was judged again.": "" +
			"لم يتغير الملف منذ وقّعته «\u206810.2.0.7\u2069». تُعرض مراجعاته (\u2068٢\u2069) على أنها أُجريت هناك، وحُكم هنا على كل إفادة من جديد.",
		`The file is unchanged since "وزارة 7" signed it. Its 1200 review(s) are shown as made there; ` +
			"here every claim was judged again.": "" +
			"لم يتغير الملف منذ وقّعته «\u2068وزارة 7\u2069». تُعرض مراجعاته (\u2068١٢٠٠\u2069) على أنها أُجريت هناك، وحُكم هنا على كل إفادة من جديد.",
		"There is no grounding chunk -1; the citation is kept, not placed. (So in 3 more places.)": "" +
			"لا يوجد مقطع إسناد برقم \u2068-١\u2069؛ حُفظ الاستشهاد ولم يُحدَّد موضعه. (وكذلك في ٣ مواضع أخرى.)",
	} {
		require.Equal(t, arabic, c.SaidText(english))
	}
}
