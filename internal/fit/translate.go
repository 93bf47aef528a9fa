package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sanad/internal/domain/text"
)

// parallelSources are the collections of parallel.jsonl.gz that words may be learned from for what is shipped:
// sentences under CC BY, CC BY-SA, MIT, Apache-2.0 and Unicode-3.0. The catalogues under GPL, LGPL and AGPL, and those
// without a licence, are not read.
var parallelSources = []string{"ntrex", "xquad", "tatoeba", "cldr", "ms_beginners_mt", "ms_headings",
	"ms_project_operations",
	"opensource_guide", "wikipedia_app", "sdg", "tunisian_constitution", "kolibri"}

// How words are learned from pairs of sentences.
const (
	alignRounds = 6    // of expectation and maximisation
	leastShare  = 0.04 // of either word's occurrences that the other one must explain
	leastCount  = 1.0  // expected occurrences of a pair
)

// writeTranslations writes which Arabic stems stand for an English one: what Arabic WordNet and Wiktionary have for a
// synset of WordNet (a folder with wn-nodia-arb.tab and wn-wikt-arb.tab of the Open Multilingual Wordnet), and what IBM
// model 1 (Brown and others, 1993) finds in both directions of the pairs of sentences.
func writeTranslations(w io.Writer, parallel, wordnet, multilingual string) error {
	found := map[[2]string]bool{}
	pairs, err := readParallel(parallel)
	if err != nil {
		return err
	}
	forth, back := align(pairs, false), align(pairs, true)
	for pair, l := range forth {
		if r := back[pair]; l.share >= leastShare && r.share >= leastShare && min(l.count, r.count) >= leastCount {
			found[pair] = true
		}
	}
	n, err := readWordnet(wordnet)
	if err != nil {
		return err
	}
	for _, name := range []string{"wn-nodia-arb.tab", "wn-wikt-arb.tab"} {
		if err := n.translate(filepath.Join(multilingual, name), found); err != nil {
			return err
		}
	}
	by := map[string][]string{}
	for pair := range found {
		by[pair[0]] = append(by[pair[0]], pair[1])
	}
	var b strings.Builder
	for _, e := range slices.Sorted(maps.Keys(by)) {
		slices.Sort(by[e])
		fmt.Fprintf(&b, "%s %s\n", e, strings.Join(by[e], " "))
	}
	_, err = io.WriteString(w, b.String())
	return err
}

// sentencePair is the content words of a sentence in both languages, by number.
type sentencePair struct{ english, arabic []int }

// parallelWords are the sentences and the stems that their numbers stand for.
type parallelWords struct {
	pairs           []sentencePair
	english, arabic []string
}

// readParallel reads the pairs of the sources that may be learned from.
func readParallel(path string) (*parallelWords, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	out, english, arabic := &parallelWords{}, map[string]int{}, map[string]int{}
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var row struct{ En, Ar, Source string }
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			return nil, err
		}
		if !slices.Contains(parallelSources, row.Source) {
			continue
		}
		p := sentencePair{english: numbered(row.En, false, english, &out.english),
			arabic: numbered(row.Ar, true, arabic, &out.arabic)}
		if len(p.english) > 0 && len(p.arabic) > 0 {
			out.pairs = append(out.pairs, p)
		}
	}
	return out, errors.Join(lines.Err(), z.Close())
}

// numbered returns the numbers of a sentence's content words of one script.
func numbered(s string, arabic bool, ids map[string]int, stems *[]string) (out []int) {
	for _, t := range text.Tokens(s) {
		if t.Kind != text.Word || t.Stop || (text.Script(t.Norm) == "ar") != arabic {
			continue
		}
		id, known := ids[t.Stem]
		if !known {
			id = len(*stems)
			ids[t.Stem], *stems = id, append(*stems, t.Stem)
		}
		out = append(out, id)
	}
	return out
}

// linked is how often a word was translated by another one, and which share of its occurrences that is.
type linked struct{ count, share float64 }

// align finds IBM model 1 of the words of one language given those of the other: turned, of the English given the
// Arabic.
func align(all *parallelWords, turned bool) map[[2]string]linked {
	type link struct{ from, to int }
	ids := map[link]int{}
	var links []link
	sentences := make([][][]int, len(all.pairs)) // of each, for each word of the one side its links to those of the other
	for i, p := range all.pairs {
		from, to := p.english, p.arabic
		if turned {
			from, to = to, from
		}
		for _, t := range to {
			row := make([]int, len(from))
			for k, f := range from {
				l := link{from: f, to: t}
				id, known := ids[l]
				if !known {
					id = len(links)
					ids[l], links = id, append(links, l)
				}
				row[k] = id
			}
			sentences[i] = append(sentences[i], row)
		}
	}
	words := max(len(all.english), len(all.arabic))
	chance, count := make([]float64, len(links)), make([]float64, len(links))
	for i := range chance {
		chance[i] = 1
	}
	total := make([]float64, words)
	for range alignRounds {
		clear(count)
		clear(total)
		for _, s := range sentences {
			for _, row := range s {
				sum := 0.0
				for _, id := range row {
					sum += chance[id]
				}
				for _, id := range row {
					share := chance[id] / sum
					count[id] += share
					total[links[id].from] += share
				}
			}
		}
		for id, l := range links {
			chance[id] = count[id] / total[l.from]
		}
	}
	out := map[[2]string]linked{}
	for id, l := range links {
		e, a := l.from, l.to
		if turned {
			e, a = a, e
		}
		if chance[id] >= leastShare/10 {
			out[[2]string{all.english[e], all.arabic[a]}] = linked{count: count[id], share: chance[id]}
		}
	}
	return out
}

// translate adds the single words that a file of the Open Multilingual Wordnet has for the synsets of WordNet.
func (n *wordnet) translate(path string, found map[[2]string]bool) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	poses := map[string]string{"n": "noun", "v": "verb", "a": "adj", "s": "adj", "r": "adv"}
	for line := range strings.SplitSeq(string(data), "\n") {
		f := strings.Split(strings.TrimSpace(line), "\t")
		if len(f) < 3 || !strings.HasSuffix(f[1], "lemma") {
			continue
		}
		synset, pos, _ := strings.Cut(f[0], "-")
		arabic := text.Tokens(f[2])
		if len(arabic) != 1 || text.Script(arabic[0].Norm) != "ar" {
			continue
		}
		for _, word := range n.words[[2]string{poses[pos], synset}] {
			if t := text.Tokens(word); len(t) == 1 && t[0].Kind == text.Word && !t[0].Stop {
				found[[2]string{t[0].Stem, arabic[0].Stem}] = true
			}
		}
	}
	return nil
}
