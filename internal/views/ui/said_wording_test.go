package ui

import (
	"testing"

	"github.com/stretchr/testify/require"
)

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
