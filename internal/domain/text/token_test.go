package text_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/text"
)

func TestTokenNorms(t *testing.T) {
	cases := map[string][]string{
		"":                                   nil,
		"15% of 1,250.50":                    {"15%", "of", "1250.50"},
		"٣٫٥ و ١٬٢٥٠":                        {"3.5", "و", "1250"},
		"don't part-time employee’s":         {"don't", "part", "time", "employee's"},
		"14th 15kg A4 7f2d COVID19 SAR5,000": {"14", "15", "kg", "a4", "7f2d", "covid19", "sar", "5000"},
		"1,2 and 3":                          {"1", "2", "and", "3"},
		"v1.2.3.":                            {"v1", "2.3"},
		"Give .5 mg, ٫٢٥ or -.75%; fig.5":    {"give", "0.5", "mg", "0.25", "or", "0.75%", "fig", "5"},
		"2,5% of 1.234,56 and 0,125":         {"2.5%", "of", "1234.56", "and", "0.125"},
		"٢,٥٪ من ٣،٧٥ ريال":                  {"2.5%", "من", "3.75", "ريال"},
		"[1,2] 1,2,3 3,4 و5 1,250":           {"1", "2", "1", "2", "3", "3", "4", "و", "5", "1250"},
		"2024-01-15":                         {"2024", "01", "15"},
		"٢٠٢٤/٠٣/٠٥ 15.3.2024":               {"2024", "03", "05", "15", "3", "2024"},
		"the 1940s, 1980’s and 90s, 1945s":   {"the", "1940", "1980", "and", "90", "1945", "s"},
		"المادة5 15يوماً":                    {"الماده", "5", "15", "يوما"},
		"leave [cite:a1b2c3d4] is [cite:x":   {"leave", "is", "cite", "x"},
		"CO₂ m²":                             {"co2", "m2"},
		"الـPDF":                             {"ال", "pdf"},
		"« »":                                nil,
	}
	for s, want := range cases {
		var got []string
		for _, tok := range text.Tokens(s) {
			got = append(got, tok.Norm)
			require.Equal(t, tok.Text, text.Slice(s, tok.Span), s)
		}
		require.Equal(t, want, got, s)
	}
}

func TestAppendTokens(t *testing.T) {
	first, second := "Paid on 3 May in Jeddah", "due 2024-03-05, then ٣٠ يوما"
	both := text.AppendTokens(text.Tokens(first), second)
	require.Equal(t, append(text.Tokens(first), text.Tokens(second)...), both)
	require.Equal(t, text.Tokens(second), text.AppendTokens(both[:0], second), "its room is used again")
}

func TestStems(t *testing.T) {
	same := [][]string{
		{"employees", "employee", "employee's", "EMPLOYEES"},
		{"carrying", "carried", "carries"},
		{"الموظفين", "موظفون", "للموظفين", "والموظفين"},
		{"يوم", "يوماً", "يوما", "اليوم"},
		{"سنوية", "السنوي", "سنويّة"},
		{"إجازة", "الاجازات", "اجازه"},
	}
	for _, words := range same {
		for _, w := range words {
			require.Equal(t, text.Tokens(words[0])[0].Stem, text.Tokens(w)[0].Stem, w)
		}
	}
}

func TestStop(t *testing.T) {
	for _, w := range []string{"the", "of", "Is", "في", "من", "على", "وفي", "التي"} {
		require.True(t, text.Tokens(w)[0].Stop, w)
	}
	for _, w := range []string{"not", "no", "may", "must", "only", "all", "leave", "لا", "ليس", "لم", "لن", "ولا",
		"يجب", "يجوز", "إلا", "كل"} {
		require.False(t, text.Tokens(w)[0].Stop, w)
	}
}
