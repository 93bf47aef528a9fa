package ledger

import (
	"html"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/views/viewtest"
)

var marks = regexp.MustCompile(`<span class="vh">[^<]*</span>|<[^>]*>`)

// The text of a document, and of both sides of a claim, is that of its source, to the byte, however it is marked.
func TestQuotationsKeepTheirText(t *testing.T) {
	c := viewtest.ChromeAt("en", "/")
	claim := &ClaimLink{Number: "1", Href: "/"}
	texts := []string{"paid leave", " a  b ", "<b>it's</b> &amp; \"more\"", "مدتها 15 يومًا وفق الملحق (B) من Leave_Policy.pdf", "،"}
	for _, dir := range []string{"ltr", "rtl"} {
		for _, a := range texts {
			for _, b := range texts {
				passage := mark{passage: true}
				runs := []textRun{{text: a}, {text: b, mark: passage, first: true}, {text: a, mark: mark{passage: true, word: "match"}},
					{text: b, mark: mark{passage: true, word: "conflict"}}, {text: a, claim: claim}, {text: b, claim: claim, again: true},
					{text: a, mark: passage}}
				page := viewtest.Html(t, sourceRuns(&c, runs, dir))
				require.Equal(t, a+b+a+b+a+b+a, html.UnescapeString(marks.ReplaceAllString(page, "")))

				s := &DiffSide{Dir: dir, Before: a, After: b, Mark: ".", BreakAfter: true,
					Runs: []DiffRun{{Text: a}, {Kind: "same", Text: b}, {Kind: "conflict", Text: a, Turn: b, Behind: a}, {Text: b}}}
				page = viewtest.Html(t, answerSide(s))
				require.Equal(t, a+" "+a+b+a+b+a+b+"."+b, html.UnescapeString(marks.ReplaceAllString(page, "")))
				s.BreakBefore, s.BreakAfter = true, false
				page = viewtest.Html(t, sourceSentences(s))
				require.Equal(t, a+a+b+a+b+a+b+s.behind()+b, html.UnescapeString(marks.ReplaceAllString(page, "")))
			}
		}
	}
	require.Equal(t, ". ", (&DiffSide{After: "More.", Mark: "."}).behind())
	require.Empty(t, (&DiffSide{After: ", and more."}).behind())
}
