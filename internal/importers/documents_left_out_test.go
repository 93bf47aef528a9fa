package importers

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
)

// TestGivenTextOfMarkdown holds that the text of a Markdown file that comes in JSON is read as the file is, and that
// what a caller says of a document is kept, or refused with its place.
func TestGivenTextOfMarkdown(t *testing.T) {
	t.Parallel()
	read := func(document string) (*Result, error) {
		return Read([]byte(`{"format":"sanad.session/v1","session":{"answer":"Guests pay 40 euros."},`+
			`"documents":[`+document+`]}`), Options{})
	}
	r, err := read(`{"filename":"rules.md","text":"Guests pay ~~30~~ 40 euros."}`)
	require.NoError(t, err)
	require.Equal(t, "Guests pay  40 euros.", r.Session.Documents[0].Chunks[0].Text)
	require.Equal(t, ledger.Struck, r.Session.Documents[0].LeftOut[0].Kind)
	r, err = read(`{"filename":"rules.txt","text":"Guests pay ~~30~~ 40 euros."}`)
	require.NoError(t, err)
	require.Empty(t, r.Session.Documents[0].LeftOut)
	r, err = read(`{"chunks":[{"text":"Why 40?","kind":"comment"}],"left_out":[{"kind":"hidden","how":"tiny",` +
		`"text":"Free.","page_number":3,"at":7}]}`)
	require.NoError(t, err)
	require.Equal(t, ledger.FileComment, r.Session.Documents[0].Chunks[0].Kind)
	require.Equal(t, []ledger.LeftOut{{Kind: ledger.Hidden, How: ledger.Tiny, Text: "Free.", Page: 3, At: 7}}, r.Session.Documents[0].LeftOut)
	r, err = read(`{"chunks":[{"text":"Rent 95","scanned":true,"doubtful":[{"start":5,"end":7,"confidence":41}]}]}`)
	require.NoError(t, err)
	require.True(t, r.Session.Documents[0].Chunks[0].Scanned)
	require.Equal(t, []ledger.DoubtfulWord{{Start: 5, End: 7, Confidence: 41}}, r.Session.Documents[0].Chunks[0].Doubtful)
	for document, path := range map[string]string{
		`{"chunks":[{"text":"x","kind":"margin"}]}`: "documents[0].chunks[0].kind",
		`{"text":"x","left_out":[{"kind":"gone","how":"tiny",` +
			`"text":"y"}]}`: "documents[0].left_out[0].kind",
		`{"text":"x","left_out":[{"kind":"hidden","how":"magic",` +
			`"text":"y"}]}`: "documents[0].left_out[0].how",
		`{"text":"x","left_out":[{"kind":"hidden","how":"tiny","text":"y",` +
			`"at":-1}]}`: "documents[0].left_out[0]",
		`{"chunks":[{"text":"Rent 95","doubtful":[{"start":5,` +
			`"end":7}]}]}`: "documents[0].chunks[0].doubtful[0]", // not scanned
		`{"chunks":[{"text":"Rent 95","scanned":true,"doubtful":[{"start":5,` +
			`"end":8}]}]}`: "documents[0].chunks[0].doubtful[0]",
		`{"chunks":[{"text":"Rent 95","scanned":true,"doubtful":[{"start":5,"end":7,` +
			`"confidence":101}]}]}`: "documents[0].chunks[0].doubtful[0]",
		`{"chunks":[{"text":"Rent 95","scanned":true,"doubtful":[{"start":0,"end":4},{"start":3,` +
			`"end":5}]}]}`: "documents[0].chunks[0].doubtful[1]",
	} {
		_, err := read(document)
		var e *domain.Error
		require.ErrorAs(t, err, &e, document)
		require.Equal(t, path, e.Path)
	}
}
