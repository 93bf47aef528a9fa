package typeset

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestNoBlankPage checks that the space after a table, a list of facts or a heading never makes a page of its own,
// however far down the page the block ends.
func TestNoBlankPage(t *testing.T) {
	table := Table{Columns: []Column{{Title: "a", Width: 1}}}
	facts := KeyValues{}
	for i := range 3 {
		table.Rows = append(table.Rows, Row{[]Cell{{Spans: Text(fmt.Sprint("row ", i))}}})
		facts.Items = append(facts.Items, KeyValue{Key: "k", Value: Text("v")})
	}
	for _, last := range []Block{table, facts, Rule{}, PageBreak{}} {
		for soft := range 6 {
			for n := range 60 {
				blocks := make([]Block, 0, n+soft+1)
				for i := range n + soft {
					blocks = append(blocks, Paragraph{Spans: Text("line"), Soft: i < soft})
				}
				d := Doc{Lang: "en", Date: time.Unix(0, 0), Sections: []Section{{Lang: "en", Blocks: append(blocks, last)}}}
				f, err := layAt(&d, plan{scale: 1})
				require.NoError(t, err)
				if len(blocks) > 0 {
					end := f.pages[len(f.pages)-1]
					require.Contains(t, string(end.content), "BT", "%T after %d lines: a page without text", last, n+soft)
				}
			}
		}
	}
}

// TestCloserLayoutSavesAPage checks that a short document whose last page is nearly empty is laid out closer, where
// that saves the page, and that a document that needs the page keeps its space.
func TestCloserLayoutSavesAPage(t *testing.T) {
	saved := 0
	for n := range 80 {
		d := Doc{Lang: "en", Date: time.Unix(0, 0), Sections: []Section{{Lang: "en"}}}
		for range n {
			d.Sections[0].Blocks = append(d.Sections[0].Blocks, Paragraph{Spans: Text("line")})
		}
		wide, err := layAt(&d, plan{scale: 1})
		require.NoError(t, err)
		got, err := lay(&d)
		require.NoError(t, err)
		require.LessOrEqual(t, len(got.pages), len(wide.pages))
		if len(got.pages) < len(wide.pages) {
			saved++
			continue
		}
		require.InDelta(t, 1, got.scale, 0)
	}
	require.Positive(t, saved)
}
