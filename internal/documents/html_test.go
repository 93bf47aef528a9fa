package documents

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/documents/webpage"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

func TestReadHTML(t *testing.T) {
	p, err := webpage.Parse(`<html><head><title> The
	 page </title><style>p{}</style></head><body>intro &lt;text&gt;
	<nav hidden>gone</nav><div style="DISPLAY : none">gone</div><template>gone</template><noscript>gone</noscript>
	<h2>Head <em>line</em></h2><p>One <b>bo</b>ld.</p><ul><li>first<ul><li>inner</li></ul><li>second</ul>
	<table><tr><th>Item<th>Price<tr><td>Tea<td><p>5</p><p>euros</p></table>
	<blockquote>said</blockquote><pre>a
  b</pre><h6>Six</h6>tail<div>x<div>y</div>z</div><select><option>gone</select></body>`)
	require.NoError(t, err)
	require.Equal(t, "The page", p.Title)
	var got []string
	for _, b := range p.Blocks {
		got = append(got, strings.Repeat("#", b.Level)+b.Text)
		require.Equal(t, text.Len(b.Text), b.Span.Len())
	}
	require.Equal(t, []string{"intro <text>", "##Head line", "One bold.", "first", "inner", "second",
		"| Item | Price |\n|---|---|\n| Tea | 5 euros |", "said", "a\n  b", "######Six", "tail", "x", "y", "z"}, got)
}

func FuzzHTML(f *testing.F) {
	f.Add("<h1>a<p>b<table><tr><td>c")
	f.Fuzz(func(t *testing.T, s string) {
		p, err := webpage.Parse(s)
		if err != nil {
			return
		}
		for _, b := range p.Blocks {
			if strings.TrimSpace(b.Text) == "" || b.Span.Len() != text.Len(b.Text) {
				t.Fatalf("bad block %+v", b)
			}
		}
		ledger.ChunkBlocks(p.Blocks, ledger.MaxChunk)
	})
}
