package documents

import (
	"cmp"
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/documents/block"
	"sanad/internal/documents/webpage"
	"sanad/internal/domain"
	"sanad/internal/domain/claims"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// tested is a document with its chunks, as a session stores them.
type tested struct {
	*Document
	Chunks []ledger.Chunk
}

// readAs reads a file as an upload.
func readAs(name string, data []byte, opt Options) (*tested, error) {
	opt.Bytes = cmp.Or(opt.Bytes, 10<<20)
	d, err := Read(context.Background(), "files[0]", name, data, opt)
	if err != nil {
		return nil, err
	}
	return &tested{Document: d, Chunks: ledger.ChunkBlocks(blocksOf(d), ledger.MaxChunk)}, nil
}

func blocksOf(d *Document) []ledger.Block {
	if d.Blocks == nil {
		return ledger.ParseBlocks(d.Text, 0, 0)
	}
	return d.Blocks
}

// mustRead reads a file that can be read.
func mustRead(t *testing.T, name string, data []byte) *tested {
	t.Helper()
	d, err := readAs(name, data, Options{})
	require.NoError(t, err)
	return d
}

// tidy checks what every error of this package must have, and returns it.
func tidy(t *testing.T, err error) *domain.Error {
	t.Helper()
	var e *domain.Error
	require.ErrorAs(t, err, &e, "%v", err)
	require.Contains(t, []domain.Kind{domain.Invalid, domain.TooLarge, domain.Unsupported}, e.Kind)
	require.Equal(t, "files[0]", e.Path)
	require.NotEmpty(t, e.Text())
	return e
}

// TestTablesAsMarkdown checks that one-column tables do not become tables, and that text after a table is not
// added to it.
func TestTablesAsMarkdown(t *testing.T) {
	out := block.List{Blocks: []ledger.Block{}}
	row := func(heads bool, cells ...string) block.Row {
		r := block.Row{Heads: heads}
		for _, c := range cells {
			r.Cells = append(r.Cells, block.Cell{Text: c})
		}
		return r
	}
	out.PutTable(&block.Table{Rows: []block.Row{row(false, "one")}}, 0)
	out.PutTable(&block.Table{Rows: []block.Row{row(false, "a", "b"), row(false, "c", "d", "e"), row(true, "F", "2020")}}, 0)
	out.Put("behind", 0, 0)
	out.PutTable(&block.Table{Rows: []block.Row{row(false, "alone", "here")}}, 0)
	require.Equal(t, "one\n\n| a | b | |\n|---|---|---|\n| c | d | e |\n\n| F | 2020 |\n|---|---|\n\nbehind\n\n| | |\n|---|---|\n| alone | here |",
		(&Document{Blocks: out.Blocks}).AsMarkdown())
}

// FuzzAnswerFile checks that an answer can be split, whatever blocks and rows its file has.
func FuzzAnswerFile(f *testing.F) {
	f.Add("<h1>a</h1><table><tr><th>b|<th>c<tr><td>d<td>e \\| f</table>")
	f.Fuzz(func(t *testing.T, s string) {
		p, err := webpage.Parse(s)
		if err != nil {
			return
		}
		answer := (&Document{Blocks: p.Blocks}).AsMarkdown()
		for _, c := range claims.Of(answer) {
			require.LessOrEqual(t, c.Span.End, text.Len(answer))
		}
	})
}
