// Command fit trains the embedded judge on the dev sets of the evaluation whose licence allows it, and measures the
// judge on all of them (docs/judge.md). Its output depends only on the data and a seed.
//
//	go run ./internal/fit              measure, write docs/judge.md and docs/judge.svg
//	go run ./internal/fit -write       find the weights, write them to internal/domain/judge/weights
//	go run ./internal/fit -background  write the table of common stems
//	go run ./internal/fit -wordnet DIR write the table of synonyms from WordNet's files
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"sanad/internal/domain/judge"
)

const judgeDir = "internal/domain/judge"

func main() {
	dev := flag.String("dev", "../shared/eval/dev", "folder of the dev sets")
	write := flag.Bool("write", false, "find the weights and write them")
	background := flag.Bool("background", false, "write the table of common stems")
	wordnet := flag.String("wordnet", "", "folder of WordNet's files: write the table of synonyms")
	flag.Parse()
	if err := run(*dev, *write, *background, *wordnet); err != nil {
		fmt.Fprintln(os.Stderr, "fit:", err)
		os.Exit(1)
	}
}

func run(dev string, write, background bool, wordnet string) error {
	if wordnet != "" {
		return writeFile("wordnet.txt", func(w io.Writer) error { return writeWordnet(w, wordnet) })
	}
	all, err := load(dev)
	if err != nil {
		return err
	}
	if background {
		return writeFile("background.txt", func(w io.Writer) error { return writeBackground(w, all) })
	}
	sampleAll(all)
	if write {
		m := find(all, func(*set, *row) bool { return true })
		return errors.Join(save(filepath.Join(judgeDir, "weights", "support.json"), m.support),
			save(filepath.Join(judgeDir, "weights", "conflict.json"), m.conflict))
	}
	return report(os.Stdout, all, judge.NewLexical())
}

// writeFile writes a data file of the judge.
func writeFile(name string, write func(io.Writer) error) error {
	f, err := os.Create(filepath.Join(judgeDir, "lexicon", name))
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}
