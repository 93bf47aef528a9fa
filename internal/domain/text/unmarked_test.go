package text

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestUnmark(t *testing.T) {
	t.Parallel()
	for markdown, want := range map[string]string{
		"## 4.2 Leave\n\nStaff get **30 days**.":      "4.2 Leave\n\nStaff get 30 days.",
		"| Fee \\| rate | 5\\* |":                     "| Fee | rate | 5* |",
		"- one\n- **two**: b\n* three":                "- one\n- two: b\n* three",
		"#1 of 3, C# and ####### seven":               "#1 of 3, C# and ####### seven",
		"####### seven":                               "####### seven",
		"Run `a \\| b ** c` and 2 ** 3 and 2**3.":     "Run `a \\| b ** c` and 2 ** 3 and 2**3.",
		"C:\\Temp\\new and a line's end\\":            "C:\\Temp\\new and a line's end\\",
		"   ### الإجازة\nللموظف **ثلاثون** يومًا":     "الإجازة\nللموظف ثلاثون يومًا",
		"\\# no heading, \\\\ one backslash, \\**b**": "# no heading, \\ one backslash, **b",
		"": "", "##": "", "**": "**",
	} {
		assert.Equal(t, want, Unmark(markdown), "%q", markdown)
	}
}

// TestUnmarkedKeepsSpans holds that any part is cut by the spans of the text as it is.
func TestUnmarkedKeepsSpans(t *testing.T) {
	t.Parallel()
	const markdown = "# Leave\n**30** days \\| é"
	u := NewUnmarked(markdown)
	whole := ""
	for at := range u.Len() {
		whole += u.Slice(Span{Start: at, End: at + 1})
	}
	assert.Equal(t, Unmark(markdown), whole)
	assert.Equal(t, "30 days", u.Slice(Span{Start: 10, End: 19}))
	assert.Empty(t, u.Slice(Span{Start: 9, End: 3}))
}
