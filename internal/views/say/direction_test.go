package say_test

import (
	"testing"

	"github.com/a-h/templ"
	"github.com/stretchr/testify/require"

	"sanad/internal/views/say"
)

// An element with somebody's words says their direction and their language, "" where it is not known.
func TestWrittenSaysTheLanguage(t *testing.T) {
	for words, want := range map[string]templ.OrderedAttributes{
		"رسوم البلدية 12":            {{Key: "dir", Value: "rtl"}, {Key: "lang", Value: "ar"}},
		"Municipal fees":             {{Key: "dir", Value: "ltr"}, {Key: "lang", Value: "en"}},
		"Frais annuels de scolarité": {{Key: "dir", Value: "ltr"}, {Key: "lang", Value: ""}},
		"مرخصی سالانه ۳۰ روز است":    {{Key: "dir", Value: "rtl"}, {Key: "lang", Value: ""}},
		"12 – 14":                    {{Key: "dir", Value: "ltr"}},
	} {
		require.Equal(t, want, say.Written(words), words)
	}
	require.Equal(t, templ.OrderedAttributes{{Key: "dir", Value: "rtl"}, {Key: "lang", Value: "fa"}}, say.WrittenIn("rtl", "fa"))
}
