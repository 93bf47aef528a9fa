package judge

import (
	"context"
	"slices"
	"strings"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/words"
)

// NewChosen makes the judge that reads with a model of the operator's choice, in every language. With nil what the
// reader says is not calibrated: it is shown, and a match is weak at best.
func NewChosen(r Reader, calibrated *Balances) Embedded {
	e := Embedded{reader: r, balances: calibrated, words: NewLexical(), within: context.Background(), chosen: true}
	if calibrated == nil {
		e.balances = uncalibrated
	}
	return e
}

// Calibrated reports whether what the reader says is a probability.
func (e Embedded) Calibrated() bool { return e.balances != uncalibrated }

// uncalibrated takes what a reader says of itself for its probability.
var uncalibrated = func() *Balances {
	one := Balance{
		Support:  Sum{Parts: []Part{{Figure: "reads_support", Weight: 1, place: readsSupport}}},
		Conflict: Sum{Parts: []Part{{Figure: "reads_conflict", Weight: 1, place: readsConflict}}},
	}
	return &Balances{Document: one, Sentence: one, digest: ledger.Uncalibrated}
}()

// uncalibratedMatches makes the matches of what was read by a reader without a calibration. Each says that it is the
// reader's word and none decides, apart from a sentence that is the claim word for word.
func (x *Index) uncalibratedMatches(sights []sight, b *Balance) []ledger.Match {
	for i := range sights {
		if s := &sights[i]; s.across || !s.verbatim {
			s.p, s.q = round(partialTop*s.p), round(partialTop*s.q)
		}
	}
	matches := x.seenMatches(sights, b)
	for i := range matches {
		m := &matches[i]
		switch {
		case m.Similarity > partialTop:
			continue
		case m.Contradicts:
			m.Contradicts, m.Conflicts = false, nil
			m.Remark(words.Msg("note_reader_contradicts"))
		default:
			m.Support = ledger.Partial
			m.Remark(words.Msg("note_reader_supports"))
		}
	}
	return matches
}

// isCompared reports whether the words of a text are compared with those of its sources, as those of English and Arabic
// are.
func isCompared(s string) bool {
	script := text.Script(s)
	return (script == "latin" || script == "ar") && !text.IsForeign(s)
}

// isAlike reports whether the window is in the script of the claim and in a language that is compared.
func (s *sight) isAlike() bool {
	return isCompared(s.window.Text) && text.Script(s.window.Text) == text.Script(s.best.query.text)
}

// matchAcross is a window of another language, which supports the claim or contradicts it.
func (s *sight) matchAcross(against bool) ledger.Match {
	m := s.found(&s.best)
	m.Missing, m.Features = nil, []ledger.Feature{{Name: "score", Value: s.p}}
	m.Similarity, m.Support = s.p, ledger.Partial
	switch {
	case against:
		m.Similarity, m.Support, m.Contradicts = s.q, ledger.None, true
		m.Remark(words.Msg("note_otherwise"))
	case s.vetoed == "unread":
		m.Remark(words.Msg("note_unread_word"))
	case s.vetoed == "number":
		m.Remark(words.Msg("note_number"))
	case s.carries():
		m.Support = ledger.Full
		m.Remark(words.Msg("note_same_meaning"))
	}
	return m
}

// lacksWord reports whether a passage lacks one of some words as they are written.
func lacksWord(passage string, list []string) bool {
	passage = text.Fold(passage)
	return slices.ContainsFunc(list, func(w string) bool { return !strings.Contains(passage, text.Fold(w)) })
}

// lacksDigits reports whether a claim has a number in digits that a passage lacks.
func lacksDigits(passage, claim string) bool {
	there := digitRuns(passage)
	return slices.ContainsFunc(digitRuns(claim), func(run string) bool { return !slices.Contains(there, run) })
}

// digitRuns returns the runs of digits in a text, in ASCII and without what groups thousands.
func digitRuns(s string) []string {
	s = strings.NewReplacer(",", "", "٬", "").Replace(text.Fold(s))
	return strings.FieldsFunc(s, func(r rune) bool { return r < '0' || r > '9' })
}
