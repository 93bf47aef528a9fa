package claims_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/claims"
	"sanad/internal/domain/text"
)

// hostile are patterns that take a Markdown parser the square of their length, or more.
var hostile = []string{
	"> ", ">", "1. ", "- ", "* ", "+ ", "- > ", "[a](", "[", "![", "](", "**a*b_ ", "*a ", "_a", "**a ", "`a", "``a`",
	"<a ", "<!--", "~~a", "a](b ", "[a]: ", "&", "\\[", "|", "a|b\n-|-\n",
	"- a\n", "> a\n", "1. a\n\n", "> > > a\n", "  ", "- a\n  ", "```\n", "~~~\n\n", "| a ", "a\n", "#", "# \n", "a. ",
	"<a>", "http://a.b/ ", "[a][b] ", "- [ ] a\n", "***", "[^1]", "*a_ [b](c) `d`\n", "\t", "\n\t- ",
	"<div>\n", "=\n", "-\n", "a@b.c ", "(", "\"", "https://", "و", "\n\n",
	strings.Repeat("> ", 20) + "a\n", strings.Repeat("1. ", 20) + "a\n", strings.Repeat("- ", 19) + "\n",
	strings.Repeat("[a](", 120) + "\n\n", strings.Repeat("*a_", 240) + "\n\n",
	strings.Repeat("[", 490) + "a\n\n", strings.Repeat("`a", 480) + "\n- ", "- " + strings.Repeat("[", 490) + "\n",
	ladder(98, "- a\n"), ladder(90, "1. a\n"), "| " + strings.Repeat("[a](|", 50) + "\n",
}

// ladder is a list where each item lies deeper than the one before.
func ladder(n int, item string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", 2*i) + item)
	}
	return b.String()
}

// TestClaimsHostile shows that what comes of hostile patterns is sound; that they cost in proportion is the
// benchmark's.
func TestClaimsHostile(t *testing.T) {
	for _, p := range hostile {
		t.Run(fmt.Sprintf("%.20q", p), func(t *testing.T) {
			answer := strings.Repeat(p, 50_000/len(p))
			requireSound(t, answer, claims.Of(answer))
		})
	}
}

// TestClaimsStretches shows that what is cut and joined is what it was, with spans in the whole answer.
func TestClaimsStretches(t *testing.T) {
	var all strings.Builder
	want := 0
	for all.Len() < 100_000 {
		all.WriteString("## Title é\n\nEmployees receive **15 days** of leave.\n\n```\ncode stays code.\n\nIt has blank lines.\n```\n\n- Leave is paid by the company.\n\n  It is granted by the manager.\n\n")
		want += 3
	}
	list := claims.Of(all.String())
	require.Len(t, list, want)
	for i, c := range list {
		got := text.Slice(all.String(), *c.Span)
		require.Equal(t, []string{"Employees receive **15 days** of leave", "Leave is paid by the company",
			"It is granted by the manager"}[i%3], got)
	}
}

// TestClaimsPlain shows that hostile Markdown doesn't hide the statements beside it.
func TestClaimsPlain(t *testing.T) {
	answer := "Leave is 15 days.\n\n" + strings.Repeat("> ", 30) + "Sick leave is 5 days.\n\nThe fee is **5 riyals**."
	var got []string
	for _, c := range claims.Of(answer) {
		got = append(got, text.Slice(answer, *c.Span))
	}
	require.Len(t, got, 3)
	require.Contains(t, got[1], "Sick leave is 5 days")
	require.Equal(t, "The fee is **5 riyals**", got[2])
}
