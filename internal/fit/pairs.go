package main

import (
	"bufio"
	"encoding/json"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"sanad/internal/domain/judge"
)

// pair is a row with what a reader is given of its evidence, the best first.
type pair struct {
	Set     string   `json:"set"`
	ID      string   `json:"id"`
	Group   string   `json:"group"` // rows that share a claim or a text of their evidence have one
	Lang    string   `json:"lang"`
	Claim   string   `json:"claim"`
	Label   string   `json:"label"`
	Binary  bool     `json:"binary"`         // not_found means only "not supported"
	Texts   int      `json:"texts"`          // of the evidence
	Gold    string   `json:"gold,omitempty"` // the sentence that the claim is about, where the row says it
	Windows []string `json:"windows"`
}

// twoLabels are the sets that label no contradictions (SOURCES.md of the evaluation).
var twoLabels = strings.Fields("begin xsum_faith gensearch diasumfact med qags help_conj monli rte rte_xml arbte wojood_ar")

// writePairs writes the rows of files as pairs, cut by the judge's own code.
func writePairs(w io.Writer, files []string) error {
	var all []*set
	for _, file := range files {
		s := &set{name: strings.TrimSuffix(strings.TrimSuffix(filepath.Base(file), ".gz"), ".jsonl")}
		if err := s.read(file); err != nil {
			return err
		}
		all = append(all, s)
	}
	rows := group(all)
	out := bufio.NewWriter(w)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	for _, s := range all {
		pairs := make([]pair, len(s.rows))
		eachRow([]*set{s}, func(r *row) { pairs[r.place] = pairOf(r, rows[r.group].ID) })
		for i := range pairs {
			if err := enc.Encode(&pairs[i]); err != nil {
				return err
			}
		}
	}
	return out.Flush()
}

func pairOf(r *row, group string) pair {
	p := pair{Set: r.set.name, ID: r.ID, Group: group, Lang: r.Lang, Claim: r.Claim, Label: r.Label,
		Binary: r.Binary || slices.Contains(twoLabels, r.set.name), Texts: len(r.Evidence), Gold: r.Gold, Windows: []string{}}
	for _, w := range judge.NewSources(judge.RowSession(r.Row)).Windows(r.Claim) {
		p.Windows = append(p.Windows, w.Passage())
	}
	return p
}
