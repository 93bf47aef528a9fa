package main

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// asvsRow is a row of docs/asvs.md: a requirement, and how it is answered.
type asvsRow struct{ id, level, asked, answer, tests string }

var (
	asvsLine = regexp.MustCompile(`^\| ([0-9]+\.[0-9]+\.[0-9]+) \| ([12]) \| (.*) \| (.*) \| (.*) \|$`)
	// asvsPlace is what a kept requirement names: a rule, a page, a heading, or a file.
	asvsPlace = regexp.MustCompile("\\]\\([^)]+\\)|`[A-Za-z.][A-Za-z0-9_./-]*\\.(?:go|md|yml|templ|js|html)`|`Makefile`")
	asvsRule  = regexp.MustCompile(`\[(` + ruleID + `)\]\(([^)]+)\)`)
	asvsTest  = regexp.MustCompile("`((?:Test|Fuzz)\\w+)`")
	asvsID    = regexp.MustCompile(`\b[0-9]+\.[0-9]+\.[0-9]+\b`)
)

// The answers that a row can give.
const (
	asvsHeld    = "Held: "
	asvsNotHeld = "Not held: "
	asvsNone    = "Does not apply: "
)

func asvsRows(page string) (rows []asvsRow) {
	for _, line := range strings.Split(page, "\n") {
		if m := asvsLine.FindStringSubmatch(line); m != nil {
			rows = append(rows, asvsRow{id: m[1], level: m[2], asked: m[3], answer: m[4], tests: m[5]})
		}
	}
	return rows
}

// docs/asvs.md answers every requirement of levels 1 and 2 once, in their order. What is held names a place and a test,
// and both exist; what is not is in the list at the top, and nothing else is.
func TestASVS(t *testing.T) {
	page := ourPages(t)["docs/asvs.md"]
	rows := asvsRows(page)
	require.Equal(t, asvsRequirements(t), idsOf(rows))
	rules, tests := ruleBook(t), testsOf(ourFiles(t))
	var open []string
	counts := map[string]int{}
	for _, r := range rows {
		require.Empty(t, asvsFault(r, rules, tests), "%+v", r)
		begin, _, _ := strings.Cut(r.answer, ": ")
		counts[begin+": "]++
		if strings.HasPrefix(r.answer, asvsNotHeld) {
			open = append(open, r.id)
		}
	}
	require.Contains(t, strings.Join(strings.Fields(page), " "), fmt.Sprintf(
		"Of %d, %d are held, %d do not apply and %d are not held", len(rows), counts[asvsHeld], counts[asvsNone],
		counts[asvsNotHeld]))
	list := page[strings.Index(page, "## Not held"):]
	list = list[:strings.Index(list, "\n## ")]
	named := asvsID.FindAllString(list, -1)
	require.ElementsMatch(t, open, named, "the list at the top and the rows")
}

// asvsFault says what is wrong with a row; "" if nothing.
func asvsFault(r asvsRow, rules map[string]string, tests map[string]bool) string {
	for _, m := range asvsTest.FindAllStringSubmatch(r.tests, -1) {
		if !tests[m[1]] {
			return "there is no test " + m[1]
		}
	}
	for _, m := range asvsRule.FindAllStringSubmatch(r.answer, -1) {
		if rules[m[1]] == "" || rules[m[1]] != "docs/"+m[2] {
			return "rule " + m[1] + " is not in " + m[2]
		}
	}
	kind := slices.IndexFunc([]string{asvsHeld, asvsNotHeld, asvsNone}, func(begin string) bool {
		rest, ok := strings.CutPrefix(r.answer, begin)
		return ok && strings.TrimSpace(rest) != ""
	})
	switch {
	case kind < 0:
		return "no answer"
	case strings.TrimSpace(r.asked) == "":
		return "it does not say what is asked"
	case kind == 0 && !asvsPlace.MatchString(r.answer):
		return "it names no place"
	case kind == 0 && !asvsTest.MatchString(r.tests):
		return "it names no test"
	}
	return ""
}

// asvsRequirements returns the requirements of levels 1 and 2, each as its id and level, in the standard's order.
func asvsRequirements(t *testing.T) (all []string) {
	t.Helper()
	data, err := os.ReadFile("testdata/asvs-5.0.0.txt")
	require.NoError(t, err)
	levels := map[string]int{}
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		if !strings.HasPrefix(line, "#") {
			all = append(all, line)
			levels[line[strings.Index(line, " ")+1:]]++
		}
	}
	require.Equal(t, map[string]int{"1": 70, "2": 183}, levels, "as many as version 5.0.0 has")
	return all
}

func idsOf(rows []asvsRow) (all []string) {
	for _, r := range rows {
		all = append(all, r.id+" "+r.level)
	}
	return all
}

// SECURITY.md states in how many days a component with a known fault is replaced, by the fault's weight (ASVS 15.1.1).
func TestTimesToReplaceComponents(t *testing.T) {
	page := strings.Join(strings.Fields(ourPages(t)["SECURITY.md"]), " ")
	for _, says := range []string{"critical and high (CVSS 7.0 and more) 7 days", "medium 30 days", "low 90 days",
		"at least every 6 months"} {
		require.Contains(t, page, says)
	}
}

func TestFaultsOfASVSRows(t *testing.T) {
	rules, tests := map[string]string{"SEC-1": "docs/rules/security.md"}, map[string]bool{"TestX": true}
	for name, c := range map[string]struct{ line, want string }{
		"held":           {"| 1.2.3 | 1 | a | Held: [SEC-1](rules/security.md) | `TestX` |", ""},
		"held in a file": {"| 1.2.3 | 1 | a | Held: `internal/x/y.go` | `TestX` |", ""},
		"does not apply": {"| 1.2.3 | 2 | a | Does not apply: no mail | – |", ""},
		"not held":       {"| 1.2.3 | 2 | a | Not held: no scanner | – |", ""},
		"empty":          {"| 1.2.3 | 2 | a |  | `TestX` |", "no answer"},
		"a word":         {"| 1.2.3 | 2 | a | Held:  | `TestX` |", "no answer"},
		"nothing asked":  {"| 1.2.3 | 2 |  | Not held: no scanner | – |", "it does not say what is asked"},
		"no place":       {"| 1.2.3 | 2 | a | Held: somewhere | `TestX` |", "it names no place"},
		"no test":        {"| 1.2.3 | 2 | a | Held: `a.go` | – |", "it names no test"},
		"absent test":    {"| 1.2.3 | 2 | a | Held: `a.go` | `TestY` |", "there is no test TestY"},
		"absent rule":    {"| 1.2.3 | 2 | a | Held: [SEC-2](rules/security.md) | `TestX` |", "rule SEC-2 is not in rules/security.md"},
		"rule elsewhere": {"| 1.2.3 | 2 | a | Held: [SEC-1](rules/log.md) | `TestX` |", "rule SEC-1 is not in rules/log.md"},
	} {
		t.Run(name, func(t *testing.T) {
			rows := asvsRows(c.line)
			require.Len(t, rows, 1)
			require.Equal(t, c.want, asvsFault(rows[0], rules, tests))
		})
	}
}
