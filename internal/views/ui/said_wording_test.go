package ui

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/words"
)

// TestADecisionsFaultsHaveOneWording: what is wrong with a decision reads the same where its form is refused and where
// a trace's note tells it.
func TestADecisionsFaultsHaveOneWording(t *testing.T) {
	for said, refused := range map[string]string{
		"missing": "missing", "signs": "id_signs", "data": "data_large", "one_of": "one_of", "time": "time_form",
		"plain_json": "plain_json", "share": "share", "offsets": "offsets", "sha256": "sha256", "memo": "long_memo",
	} {
		require.Equal(t, words.In("ar").Text("fault_"+refused), words.In("ar").Text("said_dec_"+said), said)
	}
	for said, refused := range map[string]string{"characters": "characters", "items": "items"} { // and what to do
		short, long := words.In("ar").Text("said_dec_"+said), words.In("ar").Text("fault_"+refused)
		require.True(t, strings.HasPrefix(long, short), said)
	}
}

// TestArabicWordingOfFaults: commas are shown, entries are not called claims, and a value is isolated once.
func TestArabicWordingOfFaults(t *testing.T) {
	c := NewChrome(ChromeInput{Lang: "ar"})
	for english, arabic := range map[string]string{
		`This is an exported ledger without its "sanad" part and without entries.`: "" +
			"هذا سجل أدلة مُصدَّر بلا الجزء «sanad» وبلا قيود.",
		"2 is outside 0 to 1; give a number from 0 to 1.": "" +
			"\u20682\u2069 خارج المجال من 0 إلى 1؛ أعطِ عددًا من 0 إلى 1.",
		"2 is outside 0 to 1; give a number from 0 (worst) to 1 (best).": "" +
			"\u20682\u2069 خارج المجال من 0 إلى 1؛ أعطِ عددًا من 0 (الأسوأ) إلى 1 (الأفضل).",
		`"c" may mean a/c or b/c; write one of these.`: "" +
			"قد يعني «\u2068c\u2069» \u2068a/c\u2069 أو \u2068b/c\u2069؛ اكتب أحدهما.",
		"This document is out of use already; its newer version is replaced instead, where there is one.": "" +
			"لم يعد هذا المستند مستخدمًا؛ استبدل إصداره الأحدث إن وُجد.",
	} {
		require.Equal(t, arabic, c.SaidText(english))
	}
}
