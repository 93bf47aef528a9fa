package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math/big"
	"path/filepath"
	"slices"

	"sanad/internal/domain/judge"
)

// written is the folder of documents and claims that were written for the training of the reader.
const written = "internal/reader/train/written"

// keptOf is one document in so many that the reader did not learn from, by written.py.
const keptOf = 8

var writtenLabels = map[string]string{"S": "supported", "C": "contradicted", "N": "not_found"}

// writtenRows returns the claims of the documents in a folder that the reader did not learn from.
func writtenRows(dir string) (*set, error) {
	s := &set{name: "written, kept", block: blocks, documents: true}
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil {
		return nil, err
	}
	slices.Sort(files)
	for _, file := range files {
		err := eachLine(file, func(line []byte) error {
			var d struct {
				ID     string
				Text   string
				Claims [][4]string // label, kind, claim, the sentences that it rests on
			}
			if err := json.Unmarshal(line, &d); err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
			if !kept(d.ID) {
				return nil
			}
			for i, c := range d.Claims {
				r := row{set: s, place: len(s.rows), Label: writtenLabels[c[0]], Kind: c[1]}
				r.Row = judge.Row{ID: fmt.Sprintf("written/%s/%d", d.ID, i), Claim: c[2], Lang: "en", Evidence: []judge.Evidence{{Doc: d.ID, Text: d.Text}}}
				s.rows = append(s.rows, r)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return s, nil
}

// kept reports whether a document is one that the reader did not learn from.
func kept(document string) bool {
	sum := sha256.Sum256([]byte(document))
	return new(big.Int).Mod(new(big.Int).SetBytes(sum[:]), big.NewInt(keptOf)).Sign() == 0
}
