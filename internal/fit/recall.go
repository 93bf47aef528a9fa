package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// A claim's windows are of use if they have the sentence that the claim is about. measureRecall counts how often they
// do where a set tells which one that is:
//   - fm2: all evidence of a page is one document; the claim is about its own part of it.
//   - onestop: the claim is a sentence in simpler words; all articles that have the original are one session.
//   - bump, summedits: the claim is an edited one; it is about what the one that it was made of is about: the windows of the
//     closest supported claim on the same document tell.

// recallOf counts the windows that are needed until one has the sentence.
type recallOf struct {
	name  string
	all   int
	first [judge.MostWindows]int // claims whose n-th window is the first that has it
	words int                    // of all windows
	n     int                    // windows
}

func (r *recallOf) add(windows []judge.Window, has func(*judge.Window) bool) {
	r.all++
	for i := range windows {
		r.words += len(strings.Fields(windows[i].Passage()))
		r.n++
	}
	for i := range windows {
		if has(&windows[i]) {
			r.first[i]++
			return
		}
	}
}

// within returns the share of claims that need no more than n windows.
func (r *recallOf) within(n int) string {
	sum := 0
	for _, k := range r.first[:n] {
		sum += k
	}
	return percent(float64(sum) / float64(max(1, r.all)))
}

func measureRecall(w io.Writer, dir string) error {
	fmt.Fprint(w, "| claims | number | in the first window | in three | in eight | windows | words of one |\n|---|---|---|---|---|---|---|\n")
	pages, err := rowsOf(dir, "dev/fm2.jsonl", "train/fm2_more.jsonl")
	if err != nil {
		return err
	}
	simpler, err := simplerSentences(dir)
	if err != nil {
		return err
	}
	out := append(recallOfPages(pages), simpler)
	for _, name := range []string{"bump", "summedits"} {
		rows, err := rowsOf(dir, "train/"+name+".jsonl")
		if err != nil {
			return err
		}
		out = append(out, recallOfEdits(name, rows))
	}
	for _, r := range out {
		fmt.Fprintf(w, "| %s | %d | %s | %s | %s | %.1f | %d |\n", r.name, r.all, r.within(1), r.within(3), r.within(judge.MostWindows),
			float64(r.n)/float64(r.all), r.words/max(1, r.n))
	}
	return nil
}

func rowsOf(dir string, names ...string) ([]row, error) {
	s := &set{}
	for _, name := range names {
		if err := s.read(filepath.Join(dir, name)); err != nil {
			return nil, err
		}
	}
	return s.rows, nil
}

// recallOfPages looks for each claim's own evidence on its page.
func recallOfPages(rows []row) []recallOf {
	texts := map[string][]string{}
	for i := range rows {
		e := rows[i].Evidence[0]
		if !slices.Contains(texts[e.Doc], e.Text) {
			texts[e.Doc] = append(texts[e.Doc], e.Text)
		}
	}
	supported, contradicted := recallOf{name: "fm2, supported"}, recallOf{name: "fm2, contradicted"}
	for i := range rows {
		r := &rows[i]
		page := texts[r.Evidence[0].Doc]
		if len(page) < 4 {
			continue
		}
		one := r.Row
		one.Evidence = []judge.Evidence{{Doc: "page", Text: strings.Join(page, "\n\n")}}
		s := judge.RowSession(one)
		counted := &supported
		if !r.supported() {
			counted = &contradicted
		}
		counted.add(judge.NewSources(s).Windows(r.Claim), func(w *judge.Window) bool { return shares(s, w, r.Evidence[0].Text) })
	}
	return []recallOf{supported, contradicted}
}

// shares reports whether a window has half of a text's words or more in common with it, or all of its own.
func shares(s *ledger.Session, w *judge.Window, passage string) bool {
	have := map[string]bool{}
	for _, word := range strings.Fields(passage) {
		have[word] = true
	}
	words, n := strings.Fields(text.Slice(s.Chunk(w.Ref).Text, w.Span)), 0
	for _, word := range words {
		if have[word] {
			n++
		}
	}
	return strings.Contains(strings.Join(words, " "), strings.Join(strings.Fields(passage), " ")) ||
		strings.Contains(strings.Join(strings.Fields(passage), " "), strings.Join(words, " ")) || 10*n >= 9*len(words)
}

// simplerSentences looks for sentences of news in simpler words.
func simplerSentences(dir string) (recallOf, error) {
	out := recallOf{name: "onestop, in simpler words"}
	var row judge.Row
	var news []string
	err := eachLine(filepath.Join(dir, "more/texts_en.jsonl.gz"), func(line []byte) error {
		var t struct{ Text, Source string }
		err := json.Unmarshal(line, &t)
		if t.Source == "onestop_news" {
			news = append(news, t.Text)
		}
		return err
	})
	if err != nil {
		return out, err
	}
	for _, t := range news {
		row.Evidence = append(row.Evidence, judge.Evidence{Text: t})
	}
	s := judge.RowSession(row)
	x := judge.NewSources(s)
	all := strings.Join(strings.Fields(strings.Join(news, " ")), " ")
	err = eachLine(filepath.Join(dir, "more/para.jsonl.gz"), func(line []byte) error {
		var p struct{ A, B, Source string }
		err := json.Unmarshal(line, &p)
		if a := strings.Join(strings.Fields(p.A), " "); p.Source == "onestop" && p.A != p.B && strings.Contains(all, a) {
			out.add(x.Windows(p.B), func(w *judge.Window) bool {
				return strings.Contains(strings.Join(strings.Fields(text.Slice(s.Chunk(w.Ref).Text, w.Span)), " "), a)
			})
		}
		return err
	})
	return out, err
}

// recallOfEdits looks for what edited claims were made of.
func recallOfEdits(name string, rows []row) recallOf {
	out := recallOf{name: name + ", edited"}
	of := map[string][]*row{}
	for i := range rows {
		r := &rows[i]
		of[r.Evidence[0].Text] = append(of[r.Evidence[0].Text], r)
	}
	for _, key := range slices.Sorted(maps.Keys(of)) {
		x := judge.NewSources(judge.RowSession(of[key][0].Row))
		for _, r := range of[key] {
			if r.Label != "contradicted" {
				continue
			}
			original, most := "", 0.0
			for _, o := range of[key] {
				if like := alike(r.Claim, o.Claim); o.supported() && like > most {
					original, most = o.Claim, like
				}
			}
			want := x.Windows(original)
			if most < 0.6 || len(want) == 0 {
				continue
			}
			out.add(x.Windows(r.Claim), func(w *judge.Window) bool {
				return w.Ref == want[0].Ref && w.Span.Start < want[0].Span.End && want[0].Span.Start < w.Span.End
			})
		}
	}
	return out
}

// alike is the share of words that two claims have in common.
func alike(a, b string) float64 {
	have := map[string]bool{}
	for _, t := range text.Tokens(a) {
		have[t.Norm] = true
	}
	n, all := 0, len(have)
	for _, t := range text.Tokens(b) {
		if have[t.Norm] {
			n++
		} else {
			all++
		}
	}
	return float64(n) / float64(max(1, all))
}
