package main

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"sanad/internal/domain/text"
)

// usual is how many of a word's senses are used, the most frequent first: in rarer senses a word seldom means what its
// synonyms mean.
const usual = 2

// sense is a word in one of WordNet's synsets.
type sense struct{ pos, synset, word string }

// standing ranks a sense among the senses of its word.
type standing struct {
	rank   int // 1 for the most used
	tagged int // how many of the word's senses occur in WordNet's tagged texts
}

// wordnet is the content of a folder with WordNet's files (https://wordnet.princeton.edu, wndb(5)). Debian's
// package wordnet-base installs them in /usr/share/wordnet.
type wordnet struct {
	standing map[sense]standing
	words    map[[2]string][]string // part of speech and synset → words
	derived  [][2]sense             // pairs of words of which one is derived from the other
}

var wordnetFiles = []string{"noun", "verb", "adj", "adv"}

func readWordnet(dir string) (*wordnet, error) {
	n := &wordnet{map[sense]standing{}, map[[2]string][]string{}, nil}
	for _, pos := range wordnetFiles {
		if err := eachEntry(filepath.Join(dir, "index."+pos),
			func(f []string) error { return n.index(pos, f) }); err != nil {
			return nil, err
		}
	}
	for _, pos := range wordnetFiles {
		if err := eachEntry(filepath.Join(dir, "data."+pos),
			func(f []string) error { return n.synset(pos, f) }); err != nil {
			return nil, err
		}
	}
	for _, pos := range wordnetFiles {
		if err := eachEntry(filepath.Join(dir, "data."+pos),
			func(f []string) error { return n.pointers(pos, f) }); err != nil {
			return nil, err
		}
	}
	return n, nil
}

// eachEntry calls f with the fields of each entry of a file of WordNet, without its gloss; an error names the line.
func eachEntry(path string, f func(fields []string) error) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close() //nolint:errcheck // only read
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		if strings.HasPrefix(lines.Text(), " ") {
			continue // the licence
		}
		entry, _, _ := strings.Cut(lines.Text(), "|")
		if err := f(strings.Fields(entry)); err != nil {
			return fmt.Errorf("%s: line %d: %w", path, n, err)
		}
	}
	return lines.Err()
}

// number parses field i of an entry in the given base.
func number(f []string, i, base int) (int, error) {
	if i >= len(f) {
		return 0, fmt.Errorf("%d fields, more expected", len(f))
	}
	v, err := strconv.ParseInt(f[i], base, 0)
	return int(v), err
}

// index reads "lemma pos synset_cnt p_cnt [ptr_symbol...] sense_cnt tagsense_cnt synset_offset...".
func (n *wordnet) index(pos string, f []string) error {
	pointers, err := number(f, 3, 10)
	if err != nil {
		return err
	}
	tagged, err := number(f, 5+pointers, 10)
	if err != nil {
		return err
	}
	for i, offset := range f[6+pointers:] {
		n.standing[sense{pos, offset, f[0]}] = standing{i + 1, tagged}
	}
	return nil
}

// synset reads "offset lex_filenum ss_type w_cnt word lex_id [word lex_id...] p_cnt [ptr...]".
func (n *wordnet) synset(pos string, f []string) error {
	count, err := number(f, 3, 16)
	if err != nil {
		return err
	}
	if len(f) < 4+2*count {
		return fmt.Errorf("%d fields for %d words", len(f), count)
	}
	for i := range count {
		word, _, _ := strings.Cut(f[4+2*i], "(") // "(p)": where the adjective stands
		n.words[[2]string{pos, f[0]}] = append(n.words[[2]string{pos, f[0]}], strings.ToLower(word))
	}
	return nil
}

// speech maps the letters by which pointers name the parts of speech to their names in the files.
var speech = map[string]string{"n": "noun", "v": "verb", "a": "adj", "s": "adj", "r": "adv"}

// pointers reads a synset's pointers "symbol offset pos source/target", of which "+" is a derivation.
func (n *wordnet) pointers(pos string, f []string) error {
	words, err := number(f, 3, 16)
	if err != nil {
		return err
	}
	at := 4 + 2*words
	count, err := number(f, at, 10)
	if err != nil {
		return err
	}
	if len(f) < at+1+4*count {
		return fmt.Errorf("%d fields for %d words and %d pointers", len(f), words, count)
	}
	for i := range count {
		p := f[at+1+4*i:]
		if p[0] != "+" || len(p[3]) != 4 {
			continue
		}
		from, err := number([]string{p[3][:2]}, 0, 16)
		if err != nil {
			return err
		}
		to, err := number([]string{p[3][2:]}, 0, 16)
		if err != nil {
			return err
		}
		a, b := n.words[[2]string{pos, f[0]}], n.words[[2]string{speech[p[2]], p[1]}]
		if from < 1 || from > len(a) || to < 1 || to > len(b) {
			return fmt.Errorf("a derivation without a word: %v", p[:4])
		}
		n.derived = append(n.derived, [2]sense{{pos, f[0], a[from-1]}, {speech[p[2]], p[1], b[to-1]}})
	}
	return nil
}

// common reports whether a sense is in common use and belongs to a single word of three letters or more.
func (n *wordnet) common(s sense) bool {
	st, ok := n.standing[s]
	return ok && len(s.word) >= 3 && strings.Trim(s.word, "abcdefghijklmnopqrstuvwxyz") == "" && st.rank <= usual
}

// groups returns groups of interchangeable stems: those of the words that are commonly used in a synset, and those of
// two words of which one is derived from the other.
func (n *wordnet) groups() []string {
	out := map[string]bool{}
	add := func(words ...string) {
		stems := map[string]bool{}
		for _, w := range words {
			stems[text.Stem(text.Fold(w))] = true
		}
		if len(stems) > 1 {
			out[strings.Join(slices.Sorted(maps.Keys(stems)), " ")] = true
		}
	}
	for id, words := range n.words {
		var used []string
		for _, w := range words {
			s := sense{id[0], id[1], w}
			if st := n.standing[s]; n.common(s) && st.rank <= st.tagged {
				used = append(used, w)
			}
		}
		add(used...)
	}
	for _, d := range n.derived {
		if n.common(d[0]) && n.common(d[1]) && n.standing[d[0]].tagged+n.standing[d[1]].tagged > 0 {
			add(d[0].word, d[1].word)
		}
	}
	return slices.Sorted(maps.Keys(out))
}

// writeWordnet writes the groups of the WordNet in dir.
func writeWordnet(w io.Writer, dir string) error {
	n, err := readWordnet(dir)
	if err != nil {
		return err
	}
	fmt.Fprint(w, "# Stems that WordNet 3.0 gives one meaning, or derives from one another: written by go run ./internal/fit -wordnet. Its licence\n# is in wordnet-license.txt.\n")
	for _, g := range n.groups() {
		if _, err := fmt.Fprintln(w, g); err != nil {
			return err
		}
	}
	return nil
}
