package importers

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
)

// inTwoWays reads an input as a whole and in parts, checks that both give the same result or the same error, and
// reports whether it was read in parts. The texts of a session read in parts are not in memory.
func inTwoWays(t *testing.T, in string, opt Options) (parts bool) {
	t.Helper()
	want, wantErr := Read([]byte(in), opt)
	opt.TextDir, opt.large = t.TempDir(), 1
	open := func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(in)), nil }
	got, err := ReadAgain(open, int64(len(in)), opt)
	require.Equal(t, wantErr, err)
	if err != nil {
		return false
	}
	parts = got.texts != nil
	for i := range got.Session.Documents {
		d := &got.Session.Documents[i]
		for j := range d.Chunks {
			c := &d.Chunks[j]
			require.Equal(t, len(want.Session.Documents[i].Chunks[j].Text), c.Size())
			if parts {
				require.Empty(t, c.Text)
			}
			words := c.Words()
			c.PutAway(0, nil)
			c.Text = words
		}
	}
	left, readErr := os.ReadDir(opt.TextDir)
	require.NoError(t, readErr)
	require.Empty(t, left, "the file has no name")
	require.NoError(t, got.Close())
	got.texts, got.signed, want.signed = nil, nil, nil
	require.Equal(t, want, got)
	return parts
}

// TestInPartsEqualsWhole reads files of our own format in parts: with texts, pages and chunks, ids given, generated and
// mixed, matches with and without snippets, and answers of which the claims are split.
func TestInPartsEqualsWhole(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		require.True(t, inTwoWays(t, randomSession(random), Options{}))
	}
	require.True(t, inTwoWays(t, valid, small))
	for name, in := range map[string]string{
		"no documents": `{"format":"sanad.session/v1","session":{"answer":"The fee is 5 euros."},"documents":[]}`,
		"an empty list": `{"format":"sanad.session/v1","session":{"answer":"The fee is 5 euros."},"documents":[],` +
			`"claims":[]}`,
		"spaces": " \n{ \"session\" : {\"answer\":\"The fee is 5 euros.\"} , \"format\":\"sanad.session/v1\"," +
			"\r\n\"documents\":\t[ ] } \n",
		"escaped names": `{"\u0066ormat":"sanad.session/v1","session":{"answer":"The \"fee\" {is} [5] \\ euros."},` +
			`"documents":[{"id":"a]}","text":"}\\\"{"}]}`,
		"numbered as ours": `{"format":"sanad.session/v1","session":{"answer":"The fee is 5 euros."},` +
			`"documents":[{"text":"x"},{"id":"doc_003","text":"y"}]}`,
	} {
		require.True(t, inTwoWays(t, in, Options{}), name)
	}
}

// TestNotInParts holds that whatever is not read in parts is read, or refused, as before.
func TestNotInParts(t *testing.T) {
	for name, in := range map[string]string{
		"an unknown field": `{"format":"sanad.session/v1","session":{"answer":"The fee is 5 euros.","x":1},` +
			`"documents":[]}`,
		"an unknown member": `{"format":"sanad.session/v1","session":{"answer":"The fee is 5 euros."},"documents":[],` +
			`"x":{}}`,
		"claims first": `{"format":"sanad.session/v1","claims":[{"claim_text":"x"}],"session":{"answer":"x"},` +
			`"documents":[]}`,
		"no list": `{"format":"sanad.session/v1","session":{"answer":"The fee is 5 euros."}}`,
		"null":    `{"format":"sanad.session/v1","session":{"answer":"The fee is 5 euros."},"documents":null}`,
		"the id of another": `{"format":"sanad.session/v1","session":{"answer":"The fee is 5 euros."},` +
			`"documents":[{"text":"x"},{"id":"doc_001","text":"y"}]}`,
		"a byte order mark":   "\ufeff" + valid,
		"an exported ledger":  string(exported(t, judged(t))),
		"somebody's response": `{"user_input":"What?","retrieved_contexts":["It is 5 euros."],"response":"It is 5 euros."}`,
	} {
		require.False(t, inTwoWays(t, in, Options{}), name)
	}
	for _, c := range badInputs {
		limits := small
		if c.kind != domain.TooLarge {
			limits = Options{}
		}
		require.False(t, inTwoWays(t, c.in, limits), c.name)
	}
	for i := range valid {
		inTwoWays(t, valid[:i], Options{})
	}
}

// TestLostText ends the use of a result whose texts can't be read back with an error.
func TestLostText(t *testing.T) {
	in := []byte(valid)
	opt := Options{TextDir: t.TempDir(), large: 1}
	err := ReadEach(bytes.NewReader(in), int64(len(in)), opt, func(r *Result, _ *domain.Error) error {
		require.NoError(t, r.texts.file.Truncate(0))
		_ = r.Session.Documents[0].Chunks[0].Words()
		return nil
	})
	var lost *lostText
	require.ErrorAs(t, err, &lost)
	require.ErrorIs(t, err, io.EOF)
	opt.TextDir = "/nowhere/at/all"
	require.NoError(t, ReadEach(bytes.NewReader(in), int64(len(in)), opt, func(r *Result, _ *domain.Error) error {
		require.NotEmpty(t, r.Session.Documents[0].Chunks[0].Text, "without a file they are in memory")
		return nil
	}))
	other := errors.New("other")
	require.ErrorIs(t, ReadEach(bytes.NewReader(in), int64(len(in)), opt, func(*Result, *domain.Error) error { return other }),
		other)
}

// randomSession returns a session in our own format.
func randomSession(random *rand.Rand) string {
	words := func(n int) string {
		var b strings.Builder
		for range 1 + random.IntN(n) {
			b.WriteString([]string{"The fee", " is 5 euros.", " الرسم ٥", "\n\n# " +
				"Fees\n", " 😀", " \\ \" ", "\ttab"}[random.IntN(7)])
		}
		return b.String() + "x"
	}
	id := func(name string, i int) string {
		if random.IntN(3) == 0 {
			return ""
		}
		return fmt.Sprintf(`"%s":"%s-%d",`, name, name, i)
	}
	var documents, claims []string
	for i := range 1 + random.IntN(5) {
		body := fmt.Sprintf(`"text":%s`, jsonText(words(40)))
		switch random.IntN(3) {
		case 0:
			body = fmt.Sprintf(`"pages":[{"text":%s},{"number":7,"text":%s}]`, jsonText(words(9)), jsonText(words(9)))
		case 1:
			body = fmt.Sprintf(`"chunks":[{"id":"k%d","text":%s,"page_number":2},{"text":%s,"heading_path":["A"]}]`, i,
				jsonText(words(9)), jsonText(words(9)))
		}
		documents = append(documents, "{"+id("id", i)+`"filename":`+jsonText("f\u202e"+words(2))+","+body+"}")
	}
	first := ledger.ChunkDigest("The fee is 5 euros.")[:8]
	documents = append(documents, `{"id":"last","chunks":[{"id":"c","text":"The fee is 5 euros."}]}`)
	for i := range random.IntN(6) {
		matches := ""
		if random.IntN(2) == 0 {
			matches = fmt.Sprintf(`,"matches":[{"chunk":"last/c","similarity":0.9,"support_level":"full"},
				{"chunk":%q,"similarity":0.5,"support_level":"none","contradicts":true,"snippet":"fee"}]`, first)
		}
		claims = append(claims, "{"+id("claim_id", i)+`"claim_text":`+jsonText(words(5))+matches+"}")
	}
	list := ""
	if random.IntN(3) > 0 && len(claims) > 0 {
		list = `,"claims":[` + strings.Join(claims, ",") + "]"
	}
	return `{"format":"sanad.session/v1","session":{"query":"What?","answer":` + jsonText("The fee is 5 "+
		"euros. "+words(20)) +
		`},"documents":[` + strings.Join(documents, " , ") + "]" + list + "}"
}

func jsonText(s string) string {
	data, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(data)
}

// The list of claims gets its room by the size of the file, so that it is not held twice while it grows.
func TestPartsMakeRoomForClaims(t *testing.T) {
	var claims strings.Builder
	for i := range 5_000 {
		fmt.Fprintf(&claims, `%s{"claim_text":"Item %d costs %d euros."}`, []string{"", ","}[min(i, 1)], i, i*3)
	}
	in := `{"format":"sanad.session/v1","session":{"answer":"It."},"documents":[{"id":"d","text":"It."}],"claims":[` +
		claims.String() + `]}`
	r, ok := inParts(strings.NewReader(in), int64(len(in)), Options{}.withDefaults())
	require.True(t, ok)
	require.Len(t, r.Session.Claims, 5_000)
	require.Less(t, cap(r.Session.Claims), 5_900)
	r, ok = inParts(strings.NewReader(in), 10, Options{}.withDefaults())
	require.True(t, ok, "a wrong size only costs time")
	require.Len(t, r.Session.Claims, 5_000)
}
