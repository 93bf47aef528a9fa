package judge

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"sanad/internal/domain/claims"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/domain/text/quantity"
	"sanad/internal/words"
)

// Embedded is the judge that Sanad comes with. In English a reader reads each window of the sources beside the claim,
// and the comparison of words says what differs; in Arabic, and where there is no reader, the comparison alone judges
// (Lexical). It needs no network.
type Embedded struct {
	reader   Reader // nil for none
	balances *Balances
	words    Lexical
	within   context.Context
	chosen   bool // the reader is the operator's choice: it judges every language
}

// NewEmbedded makes the judge. Without a reader, or with one that the shipped balances were not found for, it compares
// words only (CheckReader says why).
func NewEmbedded(r Reader) Embedded {
	if r == nil || CheckReader(r.Digest()) != nil {
		return NewEmbeddedWith(nil, nil)
	}
	return NewEmbeddedWith(r, balances())
}

// CheckReader returns an error if the shipped balances were found for another reader than the one with this digest.
// They would turn its answers into probabilities that nobody measured.
func CheckReader(digest string) error {
	if known := balances().Reader; known != digest {
		return fmt.Errorf("its calibration was found for the reader %.12s, and this is %.12s", known, digest)
	}
	return nil
}

// NewEmbeddedWith makes a judge with a reader, nil for none, and the balances that were found for it.
func NewEmbeddedWith(r Reader, b *Balances) Embedded {
	return Embedded{reader: r, balances: b, words: NewLexical(), within: context.Background()}
}

// In returns the judge bound to a context, for a run that can be cancelled between two windows.
func (e Embedded) In(ctx context.Context) Embedded {
	e.within = ctx
	return e
}

// Reads reports whether the reader is asked about a claim. Comparing words takes no time that a person would notice.
func (e Embedded) Reads(c *ledger.Claim) bool {
	return e.reader != nil && (e.chosen || text.Script(c.Text) != "ar")
}

// Name is "embedded". Without a reader it is the lexical judge, and says so.
func (e Embedded) Name() string {
	if e.reader == nil {
		return e.words.Name()
	}
	return "embedded"
}

// Version changes whenever the same input may give another result with the same reader and calibration.
func (e Embedded) Version() string {
	if e.reader == nil {
		return e.words.Version()
	}
	return "14"
}

// Parameters are what the result depends on besides the input.
func (e Embedded) Parameters() map[string]string {
	out := e.words.Parameters()
	if e.reader != nil {
		out[ledger.ReaderParameter], out[ledger.CalibrationParameter] = e.reader.Digest(), e.balances.digest
	}
	return out
}

// Judge reads the claim against the windows of the sources.
func (e Embedded) Judge(c *ledger.Claim, x *Index) ([]ledger.Match, error) {
	matches, _, err := e.estimate(c, x)
	return matches, err
}

// estimate is Judge, and also returns the probability that the claim is supported, 0 to 1, even without a match.
func (e Embedded) estimate(c *ledger.Claim, x *Index) ([]ledger.Match, float64, error) {
	if !e.Reads(c) {
		return e.words.estimate(c, x)
	}
	stated := x.Stated(c)
	matches, p, err := e.read(stated, x)
	matches = x.withoutLoose(c, matches)
	if e.chosen {
		return matches, p, err
	}
	return x.withTranslated(stated, matches, p, err)
}

// read is estimate by what the reader says.
func (e Embedded) read(stated string, x *Index) ([]ledger.Match, float64, error) {
	sights, err := x.look(e.within, e.reader, stated, e.chosen)
	if err != nil {
		return nil, 0.5, err
	}
	if len(sights) == 0 {
		return nil, unseenP, nil
	}
	unread, err := e.reader.Unknown(claims.Statement(stated))
	if err != nil {
		return nil, 0.5, err
	}
	balance := e.balances.of(x.document)
	compared := !e.chosen || isCompared(stated)
	for i := range sights {
		s := &sights[i]
		s.across = e.chosen && !(compared && s.isAlike())
		s.rate(balance, unread)
	}
	var matches []ledger.Match
	if e.Calibrated() {
		matches = x.seenMatches(sights, balance)
	} else {
		matches = x.uncalibratedMatches(sights, balance)
	}
	best, against := 0.0, 0.0
	for i := range sights {
		best = math.Max(best, sights[i].p)
	}
	for i := range matches {
		if matches[i].Contradicts {
			against = math.Max(against, matches[i].Similarity)
		}
	}
	return matches, round(math.Min(best, 1-against)), nil
}

// unseenP is the probability of support of a claim that shares no word with any source.
const unseenP = 0.02

// rate computes the probabilities that the window supports and contradicts the claim, and which rule or frame keeps it
// from full support. Words that the reader cannot see must stand in a window as they are.
func (s *sight) rate(balance *Balance, unread []string) {
	s.p = balance.Support.Curve.at(balance.Support.logOdds(s))
	s.q = balance.Conflict.Curve.at(balance.Conflict.logOdds(s))
	switch {
	case s.across:
	case s.verbatim:
		s.p, s.q = math.Max(s.p, verbatimP), 0
	case s.isOffByFigure():
		s.q = math.Max(s.q, figureP)
	case s.cellDenies():
		s.q = math.Max(s.q, figureP)
	case s.onlyTurned(), s.keepsDeadline():
		s.p, s.q = math.Max(s.p, evenOdds), math.Min(s.q, readsAgainst)
	case s.open(), s.onlyUncompared(), s.sameOtherwise() && len(s.rules()) == 0:
		if s.best.figuresStand().doubtful && (s.open() || s.q > readsAgainst) {
			s.p = math.Max(s.p, evenOdds) // it may say what the claim says, and a person has to look
		}
		s.q = math.Min(s.q, readsAgainst)
	}
	if s.vetoed = s.heeded(unread); s.vetoed == "" && s.p > fullMark && !s.across {
		s.vetoed = s.framed()
	}
	switch {
	case s.vetoed != "":
		s.p = math.Min(s.p, partialTop)
	case s.p >= readsFloor && s.p <= fullMark && !s.across && len(s.rules()) == 0 && s.framed() == "" && s.contained():
		s.p = containedP
	}
	if s.other {
		s.p, s.q = math.Min(s.p, otherRowP), 0
	}
	s.p, s.q = round(math.Min(s.p, mostSure)), round(math.Min(s.q, mostSure))
}

// otherRowP is the most that a row of a table supports a claim which names another row: it is not shown.
const otherRowP = 0.30

// sameOtherwise reports whether the window has all of the claim's figures and one of them in another form, as "24
// hours" for "one day". To the reader that may be another figure.
func (s *sight) sameOtherwise() bool {
	if !s.best.figuresStand().all {
		return false
	}
	passage := text.Fold(s.window.Text)
	for _, f := range figures(s.best.query.claimItems()) {
		if span, _ := f.InText(); !strings.Contains(passage, text.Fold(text.Slice(s.best.query.text, span))) {
			return true
		}
	}
	return false
}

// onlyUncompared reports whether nothing speaks against the window but a figure that may be read in two ways.
func (s *sight) onlyUncompared() bool {
	stand := s.best.figuresStand()
	return stand.relation == quantity.Open && !stand.limits &&
		!slices.ContainsFunc(s.rules(),
			func(rule string) bool { return rule != "figure" && rule != "number" && rule != "point" })
}

// heeded names the rule that forbids full support and is surer than the reader, "" for none. Where words cannot be
// compared, digits can: a figure of the claim that the window lacks forbids full support.
func (s *sight) heeded(unread []string) string {
	switch passage := s.window.Passage(); {
	case (s.across || !s.verbatim) && lacksWord(passage, unread):
		return "unread"
	case s.across && lacksDigits(passage, s.best.query.text):
		return "number"
	case s.across:
		return ""
	}
	for _, rule := range s.rules() {
		if surerThanReader[rule] {
			return rule
		}
	}
	return ""
}

// rules names the rules that speak against full support, the surest first.
func (s *sight) rules() (out []string) {
	if s.verbatim {
		return nil
	}
	if _, _, other := s.core().otherNumber(); other && s.lacksNumber() {
		out = append(out, "figure")
	}
	out = append(out, s.vetoes()...)
	if s.deniesWord() {
		out = append(out, "denies")
	}
	return out
}

// surerThanReader are the rules that are heeded against the reader. docs/judge.md has how often each is right, and why
// those are here that it does not bear out.
var surerThanReader = map[string]bool{"sign": true, "permuted": true, "figure": true, "date": true, "cell": true,
	"unit": true, "bound": true, "exception": true, "evenif": true, "only": true, "exchanged": true, "mixed": true,
	"cancelled": true, "polarity": true, "denies": true, "time": true, "comparison": true, "contradiction": true,
	"counterpart": true}

// Heeds reports whether a rule or a frame keeps a window from full support whatever the reader says.
func Heeds(rule string) bool { return surerThanReader[rule] || slices.Contains(FrameNames(), rule) }

// readsFloor is the probability from which on a window is shown as speaking for a claim, at least in part.
const readsFloor = 0.35

// readsAgainst is the probability above which a window contradicts, chosen as docs/judge.md says.
const readsAgainst = 0.75

// evenOdds is the probability of support from which on no window contradicts: where one of them says what the claim
// says, another that reads otherwise is about something else.
const evenOdds = 0.5

// isOffByFigure reports whether a sentence of the window is the claim but for a figure. It is about the very same
// thing, so another window has to support the claim more surely to outweigh it.
func (s *sight) isOffByFigure() bool { return s.opposing != nil && s.opposing.sure }

// seenMatches makes the matches of what was read, at most one of a chunk: contradictions, and what carries the claim
// whole or in part. Where a window is at least as likely as not to support the claim, only one that is off by a figure
// contradicts, and only if that is surer.
func (x *Index) seenMatches(sights []sight, b *Balance) []ledger.Match {
	support := 0.0
	for i := range sights {
		support = math.Max(support, sights[i].p)
	}
	var out []ledger.Match
	for i := range sights {
		s := &sights[i]
		s.weights = &b.Support
		var m ledger.Match
		switch {
		case s.q > readsAgainst && (support < evenOdds || s.isOffByFigure() && s.q > support):
			m = s.readsAgainst()
		case s.p >= readsFloor:
			m = s.reads()
		default:
			continue
		}
		m.Features = append([]ledger.Feature{s.readerFeature(b)}, m.Features...)
		same := slices.IndexFunc(out, func(o ledger.Match) bool { return o.Chunk == m.Chunk })
		switch {
		case same < 0:
			out = append(out, m)
		case m.Contradicts && !out[same].Contradicts,
			m.Contradicts == out[same].Contradicts && m.Similarity > out[same].Similarity:
			out[same] = m
		}
	}
	ledger.SortMatches(out)
	return out[:min(len(out), maxMatches)]
}

// reads is a window that supports the claim, whole or in part. Its note says what was found, or that the reader is not
// sure.
func (s *sight) reads() ledger.Match {
	if s.across {
		return s.matchAcross(false)
	}
	m := s.found(&s.best)
	m.Similarity, m.Support = s.p, ledger.Partial
	switch {
	case s.carries():
		if m.Support = ledger.Full; len(m.Missing) > 0 {
			m.Remark(words.Msg("note_same_meaning"))
		}
	case s.vetoed != "":
		m.Remark(s.because())
	default:
		if nowhere := s.nowhere(m.Missing); len(nowhere) > 0 {
			m.Remark(words.Msg("note_mention", "Words", words.ListOf(nowhere)))
		} else {
			m.Remark(words.Msg("note_unsure"))
		}
	}
	return m
}

// nowhere lists those of the missing words that no source has and that tell something by being absent.
func (s *sight) nowhere(missing []string) []string {
	q := s.best.query
	return slices.DeleteFunc(slices.Clone(missing), func(word string) bool {
		at := slices.IndexFunc(q.terms, func(t term) bool { return q.written(&t) == word })
		return at < 0 || q.anywhere[at] > 0 || !q.terms[at].tells()
	})
}

// plainClass is the last class of background.txt whose words tell nothing by being absent: "much", "went", "down".
const plainClass = 4

// tells reports whether the absence of a term says something of a source: it is a quantity, a name, or a word that not
// every text has.
func (t *term) tells() bool {
	return t.quantity >= 0 || t.Kind == text.Number || t.name || !generic()[t.Stem] && rarityClass(t.Stem) > plainClass
}

// readsAgainst is a window that contradicts the claim. A difference is named only if the rule that found it is heeded
// and its words really differ: otherwise it may stand beside what the reader means.
func (s *sight) readsAgainst() ledger.Match {
	if s.across {
		return s.matchAcross(true)
	}
	if c := s.disputes(); c != nil && (c.sure || !c.weak && s.caused(c) && c.stands()) {
		return s.against(c)
	}
	m := s.found(&s.best)
	m.Similarity, m.Support, m.Contradicts = s.q, ledger.None, true
	m.Remark(words.Msg("note_otherwise"))
	return m
}

// ReaderFeature is the name of a match's feature that says what the reader's answer was and counted. It is stored.
const ReaderFeature = "reader"

// IsUnsure reports whether a match supports in part only because the reader is not sure: no rule that is heeded found a
// difference, so none may be named as the reason.
func IsUnsure(m *ledger.Match) bool {
	return (m.NoteSaid.ID == "note_unsure" || m.NoteSaid.ID == "note_mention") &&
		slices.ContainsFunc(m.Features, func(f ledger.Feature) bool { return f.Name == ReaderFeature })
}

// readerFeature is how likely the reader alone finds support, and what its answer added to the log-odds of support.
func (s *sight) readerFeature(b *Balance) ledger.Feature {
	out := ledger.Feature{Name: ReaderFeature, Value: round(likelihood(s.logits.support()))}
	for _, p := range b.Support.Parts {
		if p.place >= int(featureCount) {
			out.Weight += float64(p.Weight * s.figureSeen(p.place))
		}
	}
	out.Weight = round(out.Weight)
	return out
}
