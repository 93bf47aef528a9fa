package text_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/text"
)

func TestOneLetter(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"office", "office", true}, {"ofice", "office", true}, {"offfice", "office", true}, {"offise", "office", true},
		{"offiec", "office", true}, {"office", "offices", true}, {"xoffice", "office", true}, {"officx", "office", true},
		{"ofise", "office", false}, {"ecffio", "office", false}, {"off", "office", false}, {"", "a", true},
		{"", "", true}, {"", "ab", false}, {"ab", "ba", true}, {"abc", "cba", false},
		{"الموظف", "الموضف", true}, {"مستشفى", "مستشقي", false}, {"مستشفى", "مسشتفى", true},
	} {
		require.Equal(t, c.want, text.OneLetter(c.a, c.b), "%s %s", c.a, c.b)
		require.Equal(t, c.want, text.OneLetter(c.b, c.a), "%s %s", c.b, c.a)
	}
}

// A name is found by its beginnings in any order, then by parts of its words, then with one wrong letter; numbers are
// exact, and short words have no wrong letter.
func TestNaming(t *testing.T) {
	const name = "Khalid Abdulrahman Al-Marri · خالد عبدالرَّحمن المرّي 2026"
	for query, want := range map[string]text.Likeness{
		"khal": text.BeginsName, "KHALID abd": text.BeginsName, "marri khalid": text.BeginsWords, "a k": text.BeginsWords,
		"عبدالرحمن": text.BeginsWords, "rahman": text.WithinWords, "رحمن خالد": text.WithinWords,
		"kahlid": text.OneLetterOff, "abdulrhm": text.OneLetterOff, "مارري": text.Unlike, "خالد عبدالرجمن": text.OneLetterOff,
		"2026": text.BeginsWords, "2027": text.Unlike, "20226": text.Unlike, "klhd": text.Unlike, "ql": text.Unlike,
		"khalid nobody": text.Unlike, "": text.Unlike, " ·": text.Unlike, "al": text.BeginsWords,
	} {
		require.Equal(t, want, text.NewNaming(query).Like(name), query)
	}
	require.Equal(t, text.Unlike, text.NewNaming("x").Like(""))
}
