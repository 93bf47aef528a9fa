package notify

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFindMentions(t *testing.T) {
	people := []Addressee{
		{"1", "Sara Haddad", "sara"}, {"2", "Sara", "sara.k"}, {"3", "نورة العتيبي", "noura@bank"},
		{"4", "Ali Hassan", "ali1"}, {"5", "Ali Hassan", "ali2"}, {"6", "ali1", "other"},
	}
	for name, c := range map[string]struct {
		text string
		want []Mention
	}{
		"whole name":                 {"Ask @Sara Haddad, please", []Mention{{Start: 4, Length: 12, ID: "1"}}},
		"longest counts":             {"@sara haddad", []Mention{{Start: 0, Length: 12, ID: "1"}}},
		"a login before a name":      {"@Sara", []Mention{{Start: 0, Length: 5, ID: "1"}}},
		"Arabic, counted in letters": {"انظري يا @نورة العتيبي.", []Mention{{Start: 9, Length: 13, ID: "3"}}},
		"login with an @":            {"@noura@bank and @sara.k", []Mention{{Start: 0, Length: 11, ID: "3"}, {Start: 16, Length: 7, ID: "2"}}},
		"shared name":                {"@Ali Hassan", nil},
		"login of a shared name":     {"(@ali2)", []Mention{{Start: 1, Length: 5, ID: "5"}}},
		"a login is its owner's":     {"@ali1", []Mention{{Start: 0, Length: 5, ID: "4"}}},
		"an address":                 {"mail@sara.k", nil},
		"longer word":                {"@Sarah", nil},
		"a mark goes on":             {"@Sara\u0301", nil},
		"nobody":                     {"@ @@ @nobody", nil},
		"none":                       {"no sign", nil},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.want, FindMentions(c.text, people)) })
	}
	require.Len(t, FindMentions(strings.Repeat("@sara ", 50), people), MaxMentions)
}

// TestMentionsOfNamesInTwoLanguages: of a name in two languages each is enough, and the whole is one mention.
func TestMentionsOfNamesInTwoLanguages(t *testing.T) {
	people := []Addressee{{ID: "s", Name: "Sara Al Dosari · سارة الدوسري", Login: "sara"},
		{ID: "o", Name: "Omar Said · عمر سعيد", Login: "omar"}, {ID: "p", Name: "Omar Said", Login: "omar2"}}
	for text, want := range map[string][]Mention{
		"@Sara Al Dosari please":               {{Start: 0, Length: 15, ID: "s"}},
		"@سارة الدوسري":                        {{Start: 0, Length: 13, ID: "s"}},
		"@sara al dosari · سارة الدوسري, look": {{Start: 0, Length: 30, ID: "s"}},
		"@sara, look":                          {{Start: 0, Length: 5, ID: "s"}},
		"@Omar Said":                           nil, // of two people
		"@عمر سعيد":                            {{Start: 0, Length: 9, ID: "o"}},
	} {
		require.Equal(t, want, FindMentions(text, people), text)
	}
}
