package ui

import (
	"bytes"
	"context"
	"testing"

	"github.com/a-h/templ"
	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
)

// What is written by hand is escaped as templ escapes it.
func TestInlineEscapes(t *testing.T) {
	for _, s := range []string{
		"", "plain", `<script>alert("x")</script>`, `a & b`, "it's", `"&<>'`, "&amp;", "نص <b>عربي</b>", "a\x00b\xff", "<", "a>",
	} {
		got := written(t, func(o *Inline) { o.Text(s) })
		require.Equal(t, templ.EscapeString(s), got)
		require.Equal(t, ` title="`+templ.EscapeString(s)+`"`, written(t, func(o *Inline) { o.Attr("title", s) }))
	}
}

// Figures are written as the words of a page have them.
func TestInlineFigures(t *testing.T) {
	for _, digits := range []string{"latn", "arab"} {
		c := NewChrome(ChromeInput{Lang: "ar", Digits: digits})
		for _, n := range []int{0, 7, 999, 1000, 1234567, -5} {
			require.Equal(t, c.Num(n), written(t, func(o *Inline) { o.Num(&c, n) }))
		}
		for _, v := range []float64{0, 0.005, 0.92, 1} {
			require.Equal(t, c.Decimal(v), written(t, func(o *Inline) { o.Decimal(&c, v) }))
		}
	}
}

// A verdict is written as templ wrote it, with what a person or a file says escaped.
func TestVerdictIsWritten(t *testing.T) {
	c := NewChrome(ChromeInput{Lang: "en"})
	b := c.Badge(ledger.Weak, 0.71)
	const badge = `<span class="badge badge-weak s4"><span class="ic ic-weak" aria-hidden="true">?</span>Weak</span>`
	var out bytes.Buffer
	require.NoError(t, BadgeMark(b).Render(context.Background(), &out))
	require.Equal(t, badge, out.String())
	require.Equal(t, `<span class="verdict-of">`+badge+`<span class="pct" title="Confidence">0.71</span></span>`,
		written(t, func(o *Inline) { o.Verdict(&c, &b) }))
	b.Percent, b.Says = `0.71 <in "a" file>`, true
	require.Contains(t, written(t, func(o *Inline) { o.Verdict(&c, &b) }),
		`<span class="pct says" title="Confidence">0.71 &lt;in &#34;a&#34; file&gt;</span>`)
}

func written(t *testing.T, draw func(o *Inline)) string {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, InlineText(draw).Render(context.Background(), &out))
	return out.String()
}

// Words write what templ writes for an expression, and take no memory for it.
func TestWords(t *testing.T) {
	var out bytes.Buffer
	c := NewChrome(ChromeInput{Lang: "en"})
	for _, s := range []string{"", "plain", `<b title="x">it's</b> & 'more'`, "نص عربي"} {
		out.Reset()
		require.NoError(t, Words(s).Render(context.Background(), &out))
		require.Equal(t, templ.EscapeString(s), out.String())
	}
	require.Equal(t, Words(c.T("close")), c.Say("close"))
	require.Zero(t, testing.AllocsPerRun(100, func() {
		out.Reset()
		_ = c.Say("close").Render(context.Background(), &out)
	}))
}
