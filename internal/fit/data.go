package main

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"sanad/internal/domain/judge"
)

// set is one set of labelled rows.
type set struct {
	name      string
	block     int     // sets of one block are left out together, so sets of one origin are in one block
	documents bool    // claims are checked against documents; otherwise against a sentence or two
	fitted    bool    // its licence allows training on it
	share     float64 // how much the set weighs in training, against 1 for an ordinary one
	like      float64 // how much it weighs in calibration: how like the product's claims its rows are
	pairs     bool    // minimal pairs: behaviour, not a sample of what comes
	rows      []row
}

// row is one labelled claim with what the judge reads of it.
type row struct {
	judge.Row
	Label   string   `json:"label"`
	Ideal   string   `json:"ideal"`
	Never   []string `json:"never"`
	Accept  []string `json:"accept"`
	Pair    string   `json:"pair"`
	Kind    string   `json:"kind"`
	Topic   string   `json:"phenomenon"`
	Passage bool     `json:"passage"`
	Binary  bool     `json:"binary"`
	Gold    string   `json:"gold"`

	set    *set
	place  int // in its set
	sample judge.Sample
	plain  float64 // containment
	group  int     // rows with the same evidence or the same claim are one group
	fold   int
}

func (r *row) supported() bool { return r.Label == "supported" }

// debatable tells a row of the pairs that can be argued about.
func (r *row) debatable() bool { return r.Kind == "h" }

// never tells a row that must never be supported.
func (r *row) never() bool {
	if r.Never == nil {
		return !slices.Contains(r.Accept, "supported")
	}
	return slices.Contains(r.Never, "supported")
}

// contradicts reports whether a set labels contradictions at all; others call them not found.
func (s *set) contradicts() bool {
	return slices.ContainsFunc(s.rows, func(r row) bool { return r.Label == "contradicted" })
}

// little is what sets unlike the product weigh in training.
const little = 0.35

// sets lists all sets: those of dev in the order of their README, those of train, and the pairs. Sets unlike the
// product (constructed sentences, trial reports) weigh less in training.
func sets() []*set {
	return []*set{
		{name: "dev/ragtruth_qa", block: blocks, documents: true}, {name: "dev/factscore_bio", block: blocks, documents: true},
		{name: "dev/wice", block: 0, documents: true, fitted: true, share: 1, like: 1},
		{name: "dev/factcheck_bench", block: 1, documents: true, fitted: true, share: 1, like: 1},
		{name: "dev/contract_nli", block: 2, documents: true, fitted: true, share: 1, like: 1},
		{name: "dev/fever_sym", block: 0, fitted: true, share: 1, like: 1},
		{name: "dev/fm2", block: 1, fitted: true, share: 1, like: 1},
		{name: "dev/ans_ar", block: 2, fitted: true, share: 1, like: 1},
		{name: "train/gensearch", block: 3, documents: true, fitted: true, share: 1, like: 1},
		{name: "train/summedits", block: 1, documents: true, fitted: true, share: 1, like: 0.25},
		{name: "train/bump", block: 0, documents: true, fitted: true, share: 1, like: 0.5},
		{name: "train/xsum_faith", block: 2, documents: true, fitted: true, share: 1, like: 0.25},
		{name: "train/begin", block: 4, documents: true, fitted: true, share: 1, like: 0.2},
		{name: "train/diasumfact", block: 4, documents: true, fitted: true, share: 0.5, like: 0.5},
		{name: "train/evinf", block: 3, documents: true, fitted: true, share: little, like: 0.05},
		{name: "train/fm2_more", block: 1, fitted: true, share: 0.5, like: 0.5},
		{name: "train/ans_more", block: 2, fitted: true, share: 1, like: 1},
		{name: "train/wojood_ar", block: 0, fitted: true, share: 0.5, like: 0.3},
		{name: "train/negnli", block: 3, fitted: true, share: little, like: 0.15},
		{name: "train/med", block: 4, fitted: true, share: little, like: 0.05},
		{name: "train/breaking_nli", block: 4, fitted: true, share: little, like: 0.15},
		{name: "pairs/dev", fitted: true, pairs: true, share: 0.3, like: 0.1},
	}
}

// folds is the number of parts in cross-validation.
const folds = 5

// load reads the sets in dir, the evaluation's folder.
func load(dir string) ([]*set, error) {
	all := sets()
	for _, s := range all {
		if err := s.read(filepath.Join(dir, s.name+".jsonl")); err != nil {
			return nil, err
		}
	}
	group(all)
	return all, nil
}

func (s *set) read(path string) error {
	return eachLine(path, func(line []byte) error {
		r := row{set: s, place: len(s.rows)}
		if err := json.Unmarshal(line, &r); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if s.pairs {
			r.Label = r.Ideal
		}
		s.rows = append(s.rows, r)
		return nil
	})
}

// eachLine calls do with each line of a file, which may be compressed.
func eachLine(path string, do func(line []byte) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // opened for reading only
	var in io.Reader = f
	if strings.HasSuffix(path, ".gz") {
		if in, err = gzip.NewReader(f); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		if err := do(lines.Bytes()); err != nil {
			return err
		}
	}
	return lines.Err()
}

// group puts rows that share their claim, a text of their evidence or their pair in one group, and each group in one
// fold. It returns all rows; row.group is a place among them.
func group(all []*set) []*row {
	first := map[string]int{} // what rows share → the first of them
	var parent []int
	root := func(i int) int {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	var rows []*row
	for _, s := range all {
		for i := range s.rows {
			r := &s.rows[i]
			n := len(rows)
			rows, parent = append(rows, r), append(parent, n)
			shared := []string{"claim " + r.Claim}
			if r.Pair != "" {
				shared = []string{"pair " + r.Pair}
			} else {
				for _, e := range r.Evidence {
					shared = append(shared, "text "+e.Text)
				}
			}
			for _, key := range shared {
				if k, ok := first[key]; ok {
					parent[root(n)] = root(k)
				} else {
					first[key] = n
				}
			}
		}
	}
	for n, r := range rows {
		r.group = root(n)
		h := fnv.New32a()
		h.Write([]byte(rows[r.group].ID))
		r.fold = int(h.Sum32() >> 8 % folds)
	}
	return rows
}

// blocks is the number of parts that whole sets are left out in.
const blocks = 5

// block is the part that a row is left out with: that of its set, or for pairs that of its group.
func (r *row) block() int {
	if r.set.pairs || r.set.block < 0 {
		return r.fold
	}
	return r.set.block
}

// sampleAll computes what the judge reads of each row. A row that is unjudged has no passages.
func sampleAll(all []*set) {
	eachRow(all, func(r *row) {
		r.sample, _ = judge.Read(r.Row)
		r.plain = containment(r)
	})
}

// eachRow calls f with each row, concurrently.
func eachRow(all []*set, f func(*row)) {
	next := make(chan *row, 256)
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
