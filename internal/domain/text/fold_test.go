package text_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/text"
)

func TestFold(t *testing.T) {
	cases := map[string]string{
		"":                     "",
		"  Hello \t\n World  ": "hello world",
		"أحمد وإبراهيم وآمنة ٱلله": "احمد وابراهيم وامنه الله",
		"مستشفى":     "مستشفي",
		"مسؤول رئيس": "مسوول رييس",
		"إِجَازَةٌ سَنَوِيَّةٌ": "اجازه سنويه",
		"رحيـــم": "رحيم",
		"٠١٢٣٤٥٦٧٨٩ ۰۱۲۳۴۵۶۷۸۹":     "0123456789 0123456789",
		"٣٫٥٪ ١٬٢٥٠ ،؛؟":            "3.5% 1,250 ,;?",
		"“curly” ‘quotes’ – — «ok»": "\"curly\" 'quotes' - - \"ok\"",
		"ﬁne ＡＢＣ １２":                "fine abc 12",
		"Cafe\u0301 CAFÉ":           "café café",
		"soft\u00adhyphen\u200b":    "softhyphen",
		"wait…":                     "wait...",
		"a\u00a0b\u2003c":           "a b c",
		"ﻻ ﺇﺟﺎﺯﺓ":                   "لا اجازه",
		"bad\xffbyte":               "bad\ufffdbyte",
		"کتاب فارسی":                "كتاب فارسي",
	}
	for s, want := range cases {
		require.Equal(t, want, text.Fold(s), "%q", s)
		folded, starts := text.FoldMap(s)
		require.Equal(t, want, folded, "%q", s)
		require.Len(t, starts, text.Len(folded)+1, "%q", s)
	}
}

func TestFoldMap(t *testing.T) {
	folded, starts := text.FoldMap(" Aِ إِجَا  زة ")
	require.Equal(t, "a اجا زه", folded)
	require.Equal(t, []int{1, 3, 4, 6, 8, 9, 11, 12, 13}, starts)
}

func TestWestern(t *testing.T) {
	for in, want := range map[string]string{"": "", "12": "12", "١٢٬٥٠٠": "12٬500", "۱۲": "12", "٠٫٩": "0.9", "٩٠٪": "90%",
		"أ": "أ"} {
		require.Equal(t, want, text.Western(in))
	}
}
