package main

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// ruleID is the number of a rule of docs/rules: "L-3", "SEC-12".
const ruleID = `[A-Z]{1,3}-[0-9]+`

var (
	ruleHeading = regexp.MustCompile(`(?m)^## (` + ruleID + `) (\S.*)\n((?:[^#\n].*\n|\n)+)`)
	anyHeading  = regexp.MustCompile(`(?m)^##+ .*$`)
	// citedRules matches citations of rules: "rule L-3", "rules L-3, L-4 and P-1", "rules B-1 to B-16", also across a
	// line break in a comment.
	citedRules = regexp.MustCompile(`\b[Rr]ules?[\s/#-]+` + ruleID + `(?:(?:, | and | to |,? and )` + ruleID + `)*`)
	oneRule    = regexp.MustCompile(ruleID)
)

// ruleBook returns the rules of docs/rules by number, each with its file.
func ruleBook(t *testing.T) map[string]string {
	t.Helper()
	rules := map[string]string{}
	for page, text := range ourPages(t) {
		if filepath.Dir(page) != "docs/rules" || page == "docs/rules/README.md" {
			continue
		}
		found := ruleHeading.FindAllStringSubmatch(text+"\n", -1)
		require.Len(t, anyHeading.FindAllString(text, -1), len(found), "%s: a heading is no rule with a text", page)
		for i, m := range found {
			id := m[1]
			require.Empty(t, rules[id], "%s: the number %s stands twice", page, id)
			series, _, _ := strings.Cut(id, "-")
			first, _, _ := strings.Cut(found[0][1], "-")
			require.Equal(t, fmt.Sprintf("%s-%d", first, i+1), id, "%s: numbers go up by one and are never removed",
				page)
			require.Equal(t, first, series, "%s: one series in each file", page)
			require.NotEmpty(t, strings.TrimSpace(m[3]), "%s: rule %s says something", page, id)
			rules[id] = page
		}
	}
	require.Greater(t, len(rules), 100)
	return rules
}

// Every rule number that code, comments and pages cite is in the rule book.
func TestCitedRulesExist(t *testing.T) {
	rules := ruleBook(t)
	cited := 0
	for path, text := range ourFiles(t) {
		ids := []string{}
		for _, m := range citedRules.FindAllString(text, -1) {
			ids = append(ids, oneRule.FindAllString(m, -1)...)
		}
		if filepath.Dir(path) == "docs/rules" { // rules refer to one another by number alone
			for _, m := range regexp.MustCompile(`\((`+ruleID+`)\)`).FindAllStringSubmatch(text, -1) {
				ids = append(ids, m[1])
			}
		}
		for _, id := range ids {
			require.NotEmpty(t, rules[id], "%s cites rule %s, which does not exist", path, id)
			cited++
		}
	}
	require.Greater(t, cited, 150)
}

// The index of the rule book names all of its files and their letters.
func TestIndexOfTheRules(t *testing.T) {
	index := ourPages(t)["docs/rules/README.md"]
	for id, page := range ruleBook(t) {
		series, number, _ := strings.Cut(id, "-")
		_, err := strconv.Atoi(number)
		require.NoError(t, err)
		row := fmt.Sprintf("| [%s](%s) | %s |", filepath.Base(page), filepath.Base(page), series)
		require.Contains(t, index, row)
	}
}

// No file refers to documents that are not in the repository.
func TestNothingRefersToAbsentPapers(t *testing.T) {
	for path, text := range ourFiles(t) {
		if path == "cmd/web/docs_rules_test.go" {
			continue
		}
		require.Empty(t, absentPaper(text), path)
	}
}

// absentPapers is how papers that are not in the repository were once cited, after the start of a word. Each expression
// begins with a literal, in lower case, so that it is looked for quickly.
var absentPapers = []*regexp.Regexp{
	regexp.MustCompile(`spec[\s/#-]+page\b`),
	regexp.MustCompile(`seeds? 0[0-9]{2}\b`),
	regexp.MustCompile(`the seed's\b`),
	regexp.MustCompile(`each seed's\b`),
	regexp.MustCompile(`style\.md\b`),
	regexp.MustCompile(`page 1?[0-9](?:'s)? "`),
}

// absentPaper returns the first such citation in a text; "" if none.
func absentPaper(text string) string {
	text = strings.ToLower(text)
	for _, paper := range absentPapers {
		for _, at := range paper.FindAllStringIndex(text, -1) {
			if at[0] == 0 || !inWord(text[at[0]-1]) {
				return text[at[0]:at[1]]
			}
		}
	}
	return ""
}

// inWord reports whether a byte belongs to a word, as regexp's \b sees it.
func inWord(b byte) bool {
	return b == '_' || '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
}

func TestAbsentPaper(t *testing.T) {
	for text, want := range map[string]string{
		"see Spec\n// page 4":       "spec\n// page",
		"see Spec\npage 4":          "spec\npage",
		"spec/page":                 "spec/page",
		"aspect page":               "",
		"respec page; spec-page":    "spec-page",
		"Seed 002 and seeds 0123":   "seed 002",
		"seeds 0123":                "",
		"(the seed's words)":        "the seed's",
		"lathe seed's, Each seed's": "each seed's",
		"STYLE.md":                  "style.md",
		"restyle.md":                "",
		`page 12's "Roles"`:         `page 12's "`,
		`page 4 "Roles"`:            `page 4 "`,
		`page 24 "Roles"`:           "",
	} {
		require.Equal(t, want, absentPaper(text), text)
	}
}
