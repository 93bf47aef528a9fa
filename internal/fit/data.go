package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"sanad/internal/domain/judge"
)

// set is one dev set of the evaluation.
type set struct {
	name      string
	documents bool // claims are checked against documents; otherwise against one sentence
	fitted    bool // its licence allows training on it
	rows      []row
}

// row is one labelled claim with the judge's features.
type row struct {
	judge.Row
	Label  string `json:"label"`
	sample judge.Sample
	fold   int
}

func (r *row) supported() bool { return r.Label == "supported" }

// sets lists the dev sets in the order of their README, and which of them may be used for training.
func sets() []*set {
	return []*set{
		{name: "ragtruth_qa", documents: true}, {name: "factscore_bio", documents: true},
		{name: "wice", documents: true, fitted: true}, {name: "factcheck_bench", documents: true, fitted: true},
		{name: "contract_nli", documents: true, fitted: true},
		{name: "fever_sym", fitted: true}, {name: "fm2", fitted: true}, {name: "ans_ar", fitted: true},
	}
}

// folds is the number of parts of a set in cross-validation.
const folds = 5

// load reads the dev sets in dir.
func load(dir string) ([]*set, error) {
	all := sets()
	for _, s := range all {
		if err := s.read(filepath.Join(dir, s.name+".jsonl")); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func (s *set) read(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // opened for reading only
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var r row
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		h := fnv.New32a()
		h.Write([]byte(r.ID))
		r.fold = int(h.Sum32() >> 8 % folds)
		s.rows = append(s.rows, r)
	}
	return lines.Err()
}

// sampleAll computes the judge's features of each row. A row that is unjudged has no passages.
func sampleAll(all []*set) {
	eachRow(all, func(r *row) { r.sample, _ = judge.Read(r.Row) })
}

// eachRow calls f with each row, concurrently.
func eachRow(all []*set, f func(*row)) {
	next := make(chan *row)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for r := range next {
				f(r)
			}
		})
	}
	for _, s := range all {
		for i := range s.rows {
			next <- &s.rows[i]
		}
	}
	close(next)
	workers.Wait()
}
