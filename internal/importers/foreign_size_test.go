package importers

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// annotated returns an Anthropic answer of n statements, each citing a document of n sentences with the given words.
func annotated(n int, quote func(int) string) []byte {
	var doc, answer strings.Builder
	for i := range n {
		fmt.Fprintf(&doc, "Rule %d gives staff %d days of leave. ", i, i+2)
		if i > 0 {
			answer.WriteByte(',')
		}
		fmt.Fprintf(&answer, `{"type":"text","text":"Rule %d gives %d days. ","citations":[{"type":"char_location",`+
			`"cited_text":%q,"document_index":0,"start_char_index":%d,"end_char_index":%d}]}`, i, i+2, quote(i), i, i+9)
	}
	return fmt.Appendf(nil, `{"request":{"messages":[{"role":"user","content":[{"type":"document",`+
		`"source":{"type":"text","data":%q}}]}]},"response":{"content":[%s]}}`,
		strings.TrimSpace(doc.String()), answer.String())
}

func good(i int) string { return fmt.Sprintf("Rule %d gives staff %d days of leave.", i, i+2) }

// TestForeignHostileFiles checks that importing large and hostile files ends, leaving unplaced what exceeds
// the search budget.
func TestForeignHostileFiles(t *testing.T) {
	for _, c := range []struct {
		name string
		in   []byte
		most int // minimum number of exactly placed marks
	}{
		{"many citations", annotated(1500, good), 1500},
		{"quotes that are nowhere",
			annotated(1500, func(i int) string { return fmt.Sprintf("Rule %d gives nobody any holiday at all", i) }),
			0},
		{"near misses", annotated(1000,
			func(i int) string { return fmt.Sprintf("Rule %d gives staffs %d days of leave", i, i+2) }), 0},
		{"one letter", annotated(1500, func(int) string { return "e" }), 1500},
		{"very many blocks", []byte(`{"type":"message","content":[` + strings.Repeat(`{"type":"text","text":"a"},`,
			60_000) + `{"type":"text","text":"It is 5 euros."}]}`), 0},
		{"many sources", []byte(`{"content":[{"type":"text","text":"It is 5 euros.","annotations":[` +
			strings.Repeat(`{"type":"citation","url":"u","title":"t"},`, 20_000) + `{"type":"citation"}]}]}`), 0},
		{"one claim, many marks", []byte(`{"source_id":1,"source_info":"x y","response":"It is 5 euros.","labels":[` +
			strings.Repeat(`{"start":0,"end":5,"text":"It is"},`, 20_000) + `{}]}`), 20_000},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := Read(c.in, Options{})
			require.NoError(t, err)
			require.GreaterOrEqual(t, r.Placed.Exact, c.most)
		})
	}
}
