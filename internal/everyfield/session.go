package everyfield

import (
	"fmt"
	"strings"

	"sanad/internal/domain"
	"sanad/internal/domain/evidence"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// SessionValues returns the valid values of the restricted types in a session.
func SessionValues() Values {
	v := Values{}
	Add(v, ledger.Verdicts...)
	Add(v, ledger.ClaimTypes...)
	Add(v, ledger.Importances...)
	Add(v, ledger.Supports...)
	Add(v, ledger.Actions...)
	Add(v, ledger.Ready, ledger.Deleted)
	Add(v, ledger.Resolved, ledger.Ambiguous, ledger.Unresolved)
	Add(v, text.Exact, text.Normalised, text.Fuzzy)
	Add(v, ledger.CitationStatuses...)
	Add(v, ledger.QuotationStatuses...)
	Add(v, ledger.PartKinds[1:]...)
	Add(v, ledger.LeftOutKinds...)
	Add(v, ledger.LeftOutHows...)
	Add(v, ledger.SecondOpen) // in a blind session the store hides reviews from readers
	return v
}

// Session returns a session that an import could have produced. Every exported field is set in at least one place where
// it occurs: to the value of Fill, except where a field must match another one.
func Session() *ledger.Session {
	s := &ledger.Session{}
	Fill(s, SessionValues())
	s.Lang, s.RuleSet = "ar-SA", ledger.FirstRuleSet
	s.Answer += strings.Repeat(" سند", 100)
	for i := range s.Documents {
		fitDocument(s, i)
	}
	for i := range s.Claims {
		fitClaim(s, i)
	}
	return s
}

func fitDocument(s *ledger.Session, i int) {
	d := &s.Documents[i]
	d.Position, d.Lang = i, []string{"en", "ar"}[i]
	d.PublishedAt, d.ValidUntil = fmt.Sprintf("2024-01-%02d", i+1), fmt.Sprintf("2030-01-%02d", i+1)
	d.Supersedes = s.Documents[1-i].Key
	roots := make([]string, len(d.Chunks))
	for j := range d.Chunks {
		c := &d.Chunks[j]
		c.Position, c.Hash, c.Root = j, ledger.ChunkDigest(c.Text), ledger.TextDigest(c.Text)
		c.Span = &text.Span{Start: 1000*j + 1, End: 1000*j + 1 + text.Len(c.Text)}
		c.Scanned = true
		c.Doubtful = []ledger.DoubtfulWord{{Start: j, End: j + 2, Confidence: 40 + i}, {Start: j + 3, End: j + 5, Confidence: 9}}
		roots[j] = c.Root
	}
	root, err := evidence.DocumentRoot(roots)
	if err != nil {
		panic(err) // the roots are digests
	}
	d.Root = root
}

func fitClaim(s *ledger.Session, i int) {
	c := &s.Claims[i]
	c.Position, c.Span = i, &text.Span{Start: 10*i + 1, End: 10*i + 8}
	c.Stale, c.Withheld = 2-i, 1-i
	if i == 0 {
		c.Leave(domain.Message{}) // so that it has a verdict
	}
	for j := range c.Matches {
		m := &c.Matches[j]
		m.Chunk = ledger.ChunkRef{Document: 1 - j, Chunk: j}
		m.Similarity = 0.9 - 0.25*float64(j) - 0.01*float64(i) // best first
		m.Quote.Span = text.Span{Start: j + 1, End: j + 5}
	}
	for j := range c.Citations {
		x := &c.Citations[j]
		x.Hash, x.Span = fmt.Sprintf("%08x", 100+10*i+j), text.Span{Start: 10*j + 1, End: 10*j + 6}
	}
	for j := range c.Checks.Citations {
		x := &c.Checks.Citations[j]
		x.Cited, x.Supporting = &ledger.ChunkRef{Document: j, Chunk: i}, &ledger.ChunkRef{Document: 1 - j, Chunk: j}
		q := &c.Checks.Quotations[j]
		q.Chunk, q.Span = &ledger.ChunkRef{Document: i, Chunk: j}, &text.Span{Start: 10*j + 2, End: 10*j + 9}
	}
	c.Checks.Absent, c.Checks.Doubtful = []int{i}, []int{1 - i}
	c.Checks.LeftOut = &ledger.LeftOutCheck{Document: i, Index: 1 - i, Kind: ledger.LeftOutKinds[i]}
	for j := range c.Imported {
		x := &c.Imported[j]
		x.Import, x.Confidence, x.Stale = 1-j, 0.5+0.1*float64(j), 1+j
		for k := range x.Reviews { // a file's verdicts and words, in the shape of reviews
			x.Reviews[k].Action = []ledger.Action{ledger.Override, ledger.Undo}[k]
			x.Reviews[k].Undoes = k
		}
		for k := range x.Passages {
			p := &x.Passages[k]
			p.Document, p.Chunk, p.Start, p.End = k, 1-k, k+1, k+5
		}
	}
	// Undoes is set on an undo only, which must be by the author of the review that it undoes; Adjudicates is set on a
	// confirm or override only
	first, undo := &c.Reviews[0], &c.Reviews[1]
	first.Action, first.Undoes, first.Adjudicates = []ledger.Action{ledger.Override, ledger.Confirm}[i], 0, true
	undo.Action, undo.Undoes, undo.Adjudicates = ledger.Undo, 1, false
	undo.Actor, undo.By = first.Actor, first.By
	// only a comment asks, and only what belongs to a thread that one begins names it
	first.Asks, first.Thread, undo.Asks, undo.Thread = false, 0, false, 0
	if i == 1 {
		asks := *first
		asks.ID, asks.Action, asks.Adjudicates, asks.Asks, asks.Into = first.ID+" asks", ledger.Comment, false, true, nil
		reply := asks
		reply.ID, reply.Asks, reply.Thread = first.ID+" reply", false, len(c.Reviews)+1
		c.Reviews = append(c.Reviews, asks, reply)
	}
	for _, positions := range [][]int{c.Replaces, first.Into, undo.Into} { // which claims of the session these are
		for k := range positions {
			positions[k] = 1
		}
	}
}
