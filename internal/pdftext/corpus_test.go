package pdftext_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"

	"sanad/internal/pdftext"
)

// TestCorpus reads the PDFs of a folder that the variable SANAD_PDFS names, as `.ci/pdfs` does, and counts which of the
// words that pdftotext finds are found too, and how many of them in the same order. It prints a line for each file.
func TestCorpus(t *testing.T) {
	folder := os.Getenv("SANAD_PDFS")
	if folder == "" {
		t.Skip("run by .ci/pdfs, with a folder of PDFs")
	}
	var files []string
	require.NoError(t, filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
		if strings.EqualFold(filepath.Ext(path), ".pdf") {
			files = append(files, path)
		}
		return err
	}))
	var sum corpusFigures
	var wait sync.WaitGroup
	var lock sync.Mutex
	next := make(chan string)
	for range 2 {
		wait.Go(func() {
			for path := range next {
				f := measureFile(t, path)
				lock.Lock()
				name, _ := filepath.Rel(folder, path)
				t.Logf("%-10s %6d words, %5.1f %% recalled, %5.1f %% in order, %d more, %d hidden, %4d ms: %s", f.fault,
					f.words, share(f.recalled, f.words), share(f.ordered, f.words), f.more, f.hidden, f.took.Milliseconds(),
					name)
				sum.add(&f)
				lock.Unlock()
			}
		})
	}
	for _, path := range files {
		next <- path
	}
	close(next)
	wait.Wait()
	slices.Sort(sum.times)
	t.Logf("%d files: %v; %d hidden by reason: %v", len(files), sum.faults, sum.hidden, sum.reasons)
	t.Logf("of the %d words of pdftotext %.2f %% recalled, %.2f %% hidden, %.2f %% in order on their page; "+
		"%.2f %% of ours are not among them", sum.words, share(sum.recalled, sum.words), share(sum.unseen, sum.words),
		share(sum.ordered, sum.words), share(sum.more, sum.more+sum.recalled))
	t.Logf("the mean of the files that both read: %.2f %% recalled, %.2f %% in order", sum.meanRecalled/sum.both*100,
		sum.meanOrdered/sum.both*100)
	t.Logf("time: median %v, longest %v", sum.times[len(sum.times)/2], sum.times[len(sum.times)-1])
}

// corpusFigures are those of a file, or their sum.
type corpusFigures struct {
	fault                          string
	words, recalled, ordered, more int // of pdftotext, and of ours which it has not
	unseen                         int // of the words of pdftotext, those that are hidden
	hidden                         int // characters that are
	reasons                        map[string]int
	took                           time.Duration

	faults                          map[string]int
	times                           []time.Duration
	both, meanRecalled, meanOrdered float64 // over files that both read and that have words
}

func (s *corpusFigures) add(f *corpusFigures) {
	if s.faults == nil {
		s.faults, s.reasons = map[string]int{}, map[string]int{}
	}
	s.faults[f.fault]++
	s.times = append(s.times, f.took)
	s.words, s.recalled, s.ordered, s.more = s.words+f.words, s.recalled+f.recalled, s.ordered+f.ordered, s.more+f.more
	s.hidden += f.hidden
	s.unseen += f.unseen
	for k, n := range f.reasons {
		s.reasons[k] += n
	}
	if f.words > 0 {
		s.both++
		s.meanRecalled += share(f.recalled, f.words) / 100
		s.meanOrdered += share(f.ordered, f.words) / 100
	}
}

func share(n, of int) float64 { return 100 * float64(n) / float64(max(of, 1)) }

// measureFile compares both readers on a file. What pdftotext cannot read either is only said to be so.
func measureFile(t *testing.T, path string) (f corpusFigures) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		f.fault = "unread"
		return f
	}
	start := time.Now()
	got, err := inProcess(t, pdftext.UseOwn).Read(context.Background(), data)
	f.took = time.Since(start)
	f.fault = "read"
	for name, kind := range map[string]error{"encrypted": pdftext.ErrEncrypted, "broken": pdftext.ErrBroken,
		"too large": pdftext.ErrTooLarge, "gave up": pdftext.ErrGaveUp} {
		if errors.Is(err, kind) {
			f.fault = name
		}
	}
	if err != nil {
		return f
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	c := exec.CommandContext(ctx, "pdftotext", "-q", "-enc", "UTF-8", "-", "-")
	c.Stdin = bytes.NewReader(data)
	out, err := c.Output()
	if err != nil {
		f.fault = "read alone"
		return f
	}
	theirs, err := pdftext.FromPoppler(out, pdftext.Limits{})
	if err != nil || len(theirs.Pages) != len(got.Pages) {
		f.fault = "other pages"
		return f
	}
	f.reasons = map[string]int{}
	ours, unseen := map[string]int{}, map[string]int{}
	for i := range got.Pages {
		a, b := corpusWords(&got.Pages[i]), corpusWords(&theirs.Pages[i])
		f.words += len(b)
		f.more += len(a)
		f.ordered += commonOrder(b, a)
		for _, w := range a {
			ours[w]++
		}
		for _, h := range got.Pages[i].Hidden {
			f.hidden += utf8.RuneCountInString(h.Text)
			f.reasons[string(h.Reason)] += utf8.RuneCountInString(h.Text)
			for _, w := range wordsOf(h.Text) {
				unseen[w]++
			}
		}
	}
	for i := range theirs.Pages { // over the whole file: a sentence may be read with the page before
		for _, w := range corpusWords(&theirs.Pages[i]) {
			switch {
			case ours[w] > 0:
				ours[w]--
				f.recalled++
			case unseen[w] > 0:
				unseen[w]--
				f.unseen++
			}
		}
	}
	f.more -= f.recalled
	return f
}

// corpusWords returns the words of a page: what stands between characters that are neither letters nor digits.
func corpusWords(p *pdftext.Page) []string {
	var out []string
	for _, x := range p.Paragraphs {
		out = append(out, wordsOf(x.Text)...)
	}
	return out
}

func wordsOf(s string) []string {
	s = strings.NewReplacer(string(pdftext.Raised), "", string(pdftext.Lowered), "", string(pdftext.OnLine), "").Replace(s)
	return strings.FieldsFunc(strings.ToLower(norm.NFKC.String(s)), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.Mn, r)
	})
}

// commonOrder returns the length of the longest common subsequence (Hunt and Szymanski).
func commonOrder(a, b []string) int {
	places := map[string][]int{}
	for i := len(b) - 1; i >= 0; i-- {
		places[b[i]] = append(places[b[i]], i)
	}
	var ends []int
	for _, w := range a {
		for _, at := range places[w] {
			i := sort.SearchInts(ends, at)
			if i == len(ends) {
				ends = append(ends, at)
			} else {
				ends[i] = at
			}
		}
	}
	return len(ends)
}
