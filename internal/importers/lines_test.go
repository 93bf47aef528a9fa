package importers_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/importers"
)

// TestBrokenLines says what is read of JSONL some of whose lines are broken, and at which lines of the file its rows
// are.
func TestBrokenLines(t *testing.T) {
	own := `{"format":"sanad.session/v1","session":{"answer":"Leave is 15 days."}}`
	ragas := `{"user_input":"q","retrieved_contexts":["a"],"response":"Leave is 15 days."}`
	cases := []struct {
		name, file string
		want       []string // what was taken, in order
	}{
		{
			name: "truncated last", file: own + "\n" + own + "\n" + own[:40],
			want: []string{"[2].session: Line 3, column 41: The input ends here, in the middle of a value", "[0]", "[1]"},
		},
		{
			name: "in the middle", file: "\ufeff" + own + "\r\n\r\nnot JSON\r\n" + own + "\n",
			want: []string{"[1]: Line 3, column 1: ", "[0]", "[2]"},
		},
		{
			name: "first", file: ragas[1:] + "\n" + ragas + "\n" + ragas,
			want: []string{"[0]: Line 1, column 13: ", "[1]", "[2]"},
		},
		{
			name: "two on a line", file: ragas + "\n" + ragas + "}\n" + ragas,
			want: []string{"[1]: Line 2, column 77: ", "[0]", "[2]"},
		},
		{name: "all but one", file: own[1:] + "\n" + own[1:] + "\n" + own, want: []string{": Line 1, column 9: "}},
		{name: "a list", file: "[\n" + own + ",\n" + own + "\n", want: []string{": Line 4, column 1: "}},
		{
			name: "one session", file: "{\n\"format\":\"sanad.session/v1\",\n\"session\":\n",
			want: []string{"session: Line 4, "},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			read := func(opt importers.Options) error {
				got = nil
				return importers.ReadEach(bytes.NewReader([]byte(c.file)), int64(len(c.file)), opt,
					func(r *importers.Result, refused *domain.Error) error {
						if refused != nil {
							got = append(got, refused.Path+": "+refused.Text())
						} else {
							got = append(got, r.Row)
						}
						return nil
					})
			}
			if err := read(importers.Options{Lines: true}); err != nil {
				var ours *domain.Error
				require.ErrorAs(t, err, &ours)
				got = append(got, ours.Path+": "+ours.Text())
			}
			require.Len(t, got, len(c.want), "%q", got)
			for i := range got {
				require.Contains(t, got[i], c.want[i])
			}
			require.Error(t, read(importers.Options{}), "an import takes nothing of it")
			require.Empty(t, got)
		})
	}
	places := map[string]int{"[0]": 0, "[1]": 0, "[2]": 0}
	file := cases[1].file
	require.NoError(t, importers.RowLines(bytes.NewReader([]byte(file)), int64(len(file)), places))
	require.Equal(t, map[string]int{"[0]": 1, "[1]": 3, "[2]": 4}, places)
}

// TestClaimless says which answers in which nothing can be checked can be asked for. A file without an answer never
// can.
func TestClaimless(t *testing.T) {
	read := func(file string, opt importers.Options) (*importers.Result, error) {
		return importers.Read([]byte(file), opt)
	}
	for _, answer := range []string{"", "  ", "Hello!", "Hello! How are you?"} {
		for _, form := range []string{
			`{"format":"sanad.session/v1","session":{"answer":%q},"documents":[{"filename":"a.txt","text":"Leave is 15 ` +
				`days."}]}`,
			`{"user_input":"q","retrieved_contexts":["Leave is 15 days."],"response":%q}`,
		} {
			file := fmt.Sprintf(form, answer)
			_, err := read(file, importers.Options{})
			require.Error(t, err)
			r, err := read(file, importers.Options{Claimless: true})
			require.NoError(t, err)
			require.Empty(t, r.Session.Claims)
			require.Equal(t, answer, r.Session.Answer)
		}
	}
	_, err := read(`{"object":"response","output":[]}`, importers.Options{Claimless: true})
	require.ErrorContains(t, err, "no answer")
}
