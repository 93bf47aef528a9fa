package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/stretchr/testify/require"

	"sanad/internal/documents"
	"sanad/internal/domain"
	"sanad/internal/isolated"
)

// Folders of the files that TestCorpus reads, and of their texts as other programs read them: "a.odt" and "a.odt.txt".
const (
	corpusFolder = "SANAD_CORPUS"
	corpusTexts  = "SANAD_CORPUS_TEXTS"
)

// corpusCount is what came of the files with one end of names.
type corpusCount struct {
	files, read, bytes int
	wanted, found      int // words of the texts
	took               time.Duration
	refused            []string
}

// TestCorpus reads the files of a folder in processes of their own, and prints what came of them, with the share of the
// words in their texts that were found, and the files below 98 %. It fails if a process does.
func TestCorpus(t *testing.T) {
	folder := os.Getenv(corpusFolder)
	if folder == "" {
		t.Skip("no folder in " + corpusFolder)
	}
	p := isolated.New([]string{webBinary(t), readFileName})
	names, err := filepath.Glob(filepath.Join(folder, "*"))
	require.NoError(t, err)
	counts := map[string]*corpusCount{}
	for _, name := range names {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		end := strings.ToLower(filepath.Ext(name))
		c := cmp.Or(counts[end], &corpusCount{})
		counts[end] = c
		c.files++
		begun := time.Now()
		d, err := documents.Read(t.Context(), "file", filepath.Base(name), data,
			documents.Options{Bytes: 64 << 20, Parse: documents.Isolated(p)})
		c.took += time.Since(begun)
		if err != nil {
			require.NotEqual(t, domain.Internal, domain.KindOf(err), "%s: %v", name, err)
			c.refused = append(c.refused, filepath.Base(name)+": "+err.Error())
			continue
		}
		c.read++
		c.bytes += len(data)
		if wanted, err := os.ReadFile(filepath.Join(os.Getenv(corpusTexts), filepath.Base(name)+".txt")); err == nil {
			all, found, missing := recalled(d, string(wanted))
			if c.wanted, c.found = c.wanted+all, c.found+found; found*100 < all*98 {
				fmt.Printf("%s: %d of %d words; not %q\n", filepath.Base(name), found, all, missing[:min(12, len(missing))])
			}
		}
	}
	for end, c := range counts {
		fmt.Printf("%s: %d files, %d read, %d bytes, %v; %d of %d words\n", end, c.files, c.read, c.bytes, c.took, c.found, c.wanted)
		for _, s := range c.refused {
			fmt.Println("  " + s)
		}
	}
}

// recalled counts the words of a text that a document has, in what stands or in what is left out.
func recalled(d *documents.Document, wanted string) (all, found int, missing []string) {
	has := map[string]int{}
	add := func(s string) {
		for _, w := range wordsOf(s) {
			has[w]++
		}
	}
	for i := range d.Blocks {
		add(d.Blocks[i].Text)
	}
	for i := range d.Left {
		add(d.Left[i].Text)
	}
	for _, w := range wordsOf(wanted) {
		all++
		if has[w] > 0 {
			has[w]--
			found++
		} else if !slices.Contains(missing, w) {
			missing = append(missing, w)
		}
	}
	return all, found, missing
}

func wordsOf(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
