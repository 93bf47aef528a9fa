package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"sanad/internal/domain/text"
)

// Parameters of the background table, which classes stems by how common they are.
const (
	classes   = 10
	passage   = 400 // code points of text counted as one passage
	leastSeen = 6
)

// backgroundSets are the sources of the table: sets whose licences require no more than attribution.
var backgroundSets = []string{"dev/wice", "dev/factcheck_bench", "dev/fm2", "dev/ans_ar"}

// writeBackground writes the stems that are common in the passages of the background sets, one line per class, the most
// common first. Classes are equal steps of the logarithm of how many passages have a stem; Arabic and English are
// counted separately.
func writeBackground(w io.Writer, all []*set) error {
	seen := map[string]bool{}
	counts := [2]map[string]int{{}, {}}
	totals := [2]int{}
	for _, s := range all {
		if !slices.Contains(backgroundSets, s.name) {
			continue
		}
		for _, r := range s.rows {
			for _, e := range r.Evidence {
				if seen[e.Text] {
					continue
				}
				seen[e.Text] = true
				runes := []rune(e.Text)
				for i := 0; i < len(runes); i += passage {
					part := string(runes[i:min(len(runes), i+passage)])
					k := 0
					if text.Script(part) == "ar" {
						k = 1
					}
					totals[k]++
					have := map[string]bool{}
					for _, t := range text.Tokens(part) {
						if !t.Stop && t.Kind == text.Word && !have[t.Stem] && !strings.ContainsAny(t.Stem,
							"0123456789") {
							have[t.Stem] = true
							counts[k][t.Stem]++
						}
					}
				}
			}
		}
	}
	lines := make([][]string, classes)
	for k, table := range counts {
		for stem, n := range table {
			if n < leastSeen && (k == 0 || n < leastSeen/2) {
				continue
			}
			rare := math.Log(float64(totals[k])/float64(n)) / math.Log(float64(totals[k]))
			c := min(classes-1, int(rare*classes))
			lines[c] = append(lines[c], stem)
		}
	}
	fmt.Fprintln(w, "# Stems by how many passages of ordinary text have them, the most common first: go run ./internal/fit -background.")
	for _, l := range lines {
		slices.Sort(l)
		if _, err := fmt.Fprintln(w, "- "+strings.Join(l, " ")); err != nil {
			return err
		}
	}
	return nil
}
