package packs

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzPackMemo checks that no memo adds a heading, a link other than to a source, or anything else active
// to the Markdown.
func FuzzPackMemo(f *testing.F) {
	for _, s := range []string{"", "plain [E1]", hostileText, "- a\n  - b\n\n3. c", "**[E1]** \\[E1\\] [E9](x)",
		"a\\\n\\", "&#42;&#x5b;x](y)", "***a** b*", "\x00\u202e"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, memo string) {
		d, _ := filled(sentinel)
		d.Content.Memo.BodyEN, d.Content.Memo.ExecutiveSummaryAR = memo, memo
		var b bytes.Buffer
		require.NoError(t, Markdown(&b, d))
		headings, references, live := outline(b.Bytes())
		plain, _ := filled(sentinel)
		var p bytes.Buffer
		require.NoError(t, Markdown(&p, plain))
		want, _, _ := outline(p.Bytes())
		require.Equal(t, want, headings)
		require.Equal(t, []string{`<div dir="rtl" lang="ar">`, `</div>`}, live)
		for _, to := range references {
			require.True(t, strings.HasPrefix(to, "#e1"), to)
		}
	})
}
