package ui

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// drawn writes blocks as text: claims as <n:…>, citations as [hash], bold as *…*.
func drawn(blocks []AnswerBlock) string {
	var b strings.Builder
	for _, block := range blocks {
		fmt.Fprintf(&b, "%s|%s", block.Kind, block.Marker)
		for _, r := range block.Runs {
			switch {
			case r.Cite != nil:
				fmt.Fprintf(&b, "[%s]", r.Cite.Label)
			case r.Claim != nil && r.Repeat:
				fmt.Fprintf(&b, "<+%d:%s>", r.Claim.Number, r.Text)
			case r.Claim != nil:
				fmt.Fprintf(&b, "<%d:%s>", r.Claim.Number, r.Text)
			case r.Bold:
				fmt.Fprintf(&b, "*%s*", r.Text)
			default:
				b.WriteString(r.Text)
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

func draw(answer string, start int, claims ...string) string {
	var marks []ledger.AnswerMark
	for i, c := range claims {
		at := text.Place(c, answer)
		marks = append(marks, ledger.AnswerMark{
			Position: i, Span: text.Span{Start: at.Span.Start + start, End: at.Span.End + start},
			Verdict: ledger.Weak,
		})
	}
	return drawn(ParseAnswer(answer).Blocks(start, marks,
		func(m ledger.AnswerMark) *AnswerClaim { return &AnswerClaim{Number: m.Position + 1} },
		func(hash string) *AnswerCite { return &AnswerCite{Label: hash} }))
}

func TestAnswerBlocks(t *testing.T) {
	for name, c := range map[string]struct {
		answer string
		start  int
		claims []string
		want   string
	}{
		"claims and citation": {
			answer: "One is so [cite:a1b2c3d4]. Two is not.", claims: []string{"One is so", "Two is not"},
			want: "p|<1:One is so> [a1b2c3d4]. <2:Two is not>.\n",
		},
		"citation inside a claim": {
			answer: "One [cite:a1b2c3d4] is so.", claims: []string{"One [cite:a1b2c3d4] is so"},
			want: "p|<1:One >[a1b2c3d4]<+1: is so>.\n",
		},
		"bold inside a claim": {
			answer: "One **is** so.", claims: []string{"One **is** so"}, want: "p|<1:One ><+1:is><+1: so>.\n",
		},
		"the shorter claim wins": {
			answer: "One and two and three.", claims: []string{"One and two and three", "two"},
			want: "p|<1:One and ><2:two><+1: and three>.\n",
		},
		"written with escapes": {
			answer: `See a\_b &amp; c, not \&amp; and ` + "`d\\_e`.",
			want:   `p|See a_b & c, not &amp; and d\_e.` + "\n",
		},
		"a part of the answer": {
			answer: "One is so. Two.", start: 500, claims: []string{"Two"}, want: "p|One is so. <1:Two>.\n",
		},
		"headings, lists, code": {
			answer: "# Head\n\n- a\n- b\n\n3. c\n\n```\nx [cite:a1b2c3d4]\n```\n", claims: []string{"b"},
			want: "h|Head\nli|•a\nli|•<1:b>\nli|3.c\ncode|x [a1b2c3d4]\n\n",
		},
		"table rows": {
			answer: "| a | b |\n|---|---|\n| c | d |\n", claims: []string{"d"},
			want: "row|a · b\nrow|c · <1:d>\n",
		},
		"what stands between cells is of no claim": {
			answer: "| a | b |\n|---|---|\n| c | [cite:a1b2c3d4] |\n", claims: []string{"c"},
			want: "row|a · b\nrow|<1:c> · [a1b2c3d4]\n",
		},
		"links are not live": {
			answer: "See [here](javascript:alert(1)) and <https://x.example>.",
			want:   "p|See here (javascript:alert(1)) and https://x.example.\n",
		},
		"raw HTML is text": {answer: "a <b>bold</b> c", want: "p|a <b>bold</b> c\n"},
		"Arabic": {
			answer: "الإجازة ١٥ يوماً. والترحيل ٥ أيام.", claims: []string{"والترحيل ٥ أيام"},
			want: "p|الإجازة ١٥ يوماً. <1:والترحيل ٥ أيام>.\n",
		},
		"nothing": {},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.want, draw(c.answer, c.start, c.claims...)) })
	}
}

// All words of any answer are shown.
func FuzzAnswerBlocks(f *testing.F) {
	for _, seed := range []string{"a [cite:a1b2c3d4] b", "- x\n  - y\n\n> q", "| a |\n|---|\n| b |", "\xff\x00 **",
		"1) a\n2) b", "<div>\n</div>"} {
		f.Add(seed, 0, 5)
	}
	f.Fuzz(func(t *testing.T, answer string, from, to int) {
		n := text.Len(answer)
		from, to = min(max(from, 0), n), min(max(to, 0), n)
		blocks := ParseAnswer(answer).Blocks(0, []ledger.AnswerMark{{Span: text.Span{
			Start: from, End: to,
		}}, {Position: 1, Span: text.Span{Start: 0, End: n / 2}}},
			func(m ledger.AnswerMark) *AnswerClaim { return &AnswerClaim{Number: m.Position + 1} },
			func(hash string) *AnswerCite { return &AnswerCite{Label: hash} })
		_ = drawn(blocks)
	})
}
