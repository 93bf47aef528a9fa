// Command fit trains the embedded judge on the sets of the evaluation whose licence allows it, and measures it on sets
// that were left out whole (docs/judge.md). Its output depends only on the data and a seed.
//
//	go run ./internal/fit              measure the judge with its reader, write docs/judge.md
//	go run ./internal/fit -calibrate   the same, and write the balances to internal/domain/judge/weights/reader.json
//	go run ./internal/fit -vetoes           measure each rule and frame against the reader, print only
//	go run ./internal/fit -without     measure what each group of figures and rules is worth, print only
//	go run ./internal/fit -words       measure the judge without a reader, write docs/judge.md
//	go run ./internal/fit -cross       measure with groups of rows left out instead, print only
//	go run ./internal/fit -write       measure, and write weights and curves to internal/domain/judge/weights
//	go run ./internal/fit -background  write the table of common stems
//	go run ./internal/fit -wordnet DIR write the table of synonyms from WordNet's files
//	go run ./internal/fit -pairs FILE…  write the rows of files with what a reader is given of their evidence
//	go run ./internal/fit -recall       measure whether a claim's windows have the sentence that it is about
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

const (
	judgeDir = "internal/domain/judge"
	shipped  = "internal/reader/weights/reader.bin"
)

func main() {
	dir := flag.String("data", "../shared/eval", "folder of the evaluation")
	write := flag.Bool("write", false, "find the weights and write them")
	background := flag.Bool("background", false, "write the table of common stems")
	wordnet := flag.String("wordnet", "", "folder of WordNet's files: write the table of synonyms")
	translations := flag.String("translations", "",
		"folder of the Open Multilingual Wordnet's Arabic files: write which Arabic words stand for English ones; -wordnet too")
	cross := flag.Bool("cross", false, "leave out groups of rows, not whole sets")
	pairs := flag.Bool("pairs", false, "write the rows of the files that follow with their windows")
	recall := flag.Bool("recall", false, "measure the windows")
	words := flag.Bool("words", false, "measure the judge without a reader")
	objections := flag.Bool("vetoes", false, "measure the rules that overrule the reader")
	less := flag.Bool("without", false, "measure what each group of figures and rules is worth")
	calibrate := flag.Bool("calibrate", false, "write what was found for the reader")
	weights := flag.String("reader", shipped, "weights of the reader; of others the figures are only printed")
	flag.Parse()
	var err error
	switch {
	case *translations != "":
		err = writeFile("translations.txt", func(w io.Writer) error {
			return writeTranslations(w, filepath.Join(*dir, "more", "parallel.jsonl.gz"), *wordnet, *translations)
		})
	case *pairs:
		err = writePairs(os.Stdout, flag.Args())
	case *recall:
		err = measureRecall(os.Stdout, *dir)
	case *less:
		err = without(os.Stdout, *dir, *weights)
	case *objections:
		err = vetoes(os.Stdout, *dir, *weights)
	case !*words && !*cross && !*write && !*background && *wordnet == "":
		err = reading(*dir, *weights, *calibrate)
	default:
		err = run(*dir, *cross, *write, *background, *wordnet)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "fit:", err)
		os.Exit(1)
	}
}

func run(dir string, cross, write, background bool, wordnet string) error {
	if wordnet != "" {
		return writeFile("wordnet.txt", func(w io.Writer) error { return writeWordnet(w, wordnet) })
	}
	all, err := load(dir)
	if err != nil {
		return err
	}
	if background {
		return writeFile("background.txt", func(w io.Writer) error { return writeBackground(w, all) })
	}
	sampleAll(all)
	if cross {
		for _, x := range all {
			if x.fitted {
				x.block = -1
			}
		}
	}
	scores, found := crossScores(all)
	if write {
		m, weights := found[blocks], filepath.Join(judgeDir, "weights")
		if err := errors.Join(save(filepath.Join(weights, "support.json"), m.support.weights()),
			save(filepath.Join(weights, "conflict.json"), m.conflict.weights()),
			save(filepath.Join(weights, "calibration.json"), calibrate(scores, func(*row) bool { return true }))); err != nil {
			return err
		}
	}
	var b strings.Builder
	report(&b, all, leftOut(all, scores, found))
	if err := errors.Join(splitting(&b, all), flagging(&b, all)); err != nil {
		return err
	}
	fmt.Print(b.String())
	if cross {
		return nil
	}
	return publish(byWords, b.String())
}

// writeFile writes a data file of the judge.
func writeFile(name string, write func(io.Writer) error) error {
	f, err := os.Create(filepath.Join(judgeDir, "lexicon", name))
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}
