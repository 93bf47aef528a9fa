package judge

import (
	"cmp"
	"slices"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/ledger/checks"
	"sanad/internal/domain/text"
	"sanad/internal/exact"
)

// Passage is a chunk that a judge with a model behind it may read a claim against.
type Passage struct {
	Ref       ledger.ChunkRef
	Label     string // a name of its document
	Text      string
	Sentences []text.Span
}

// Candidates returns up to n passages for a claim: those that BM25 finds, best first, then the others in the order of
// the documents, since a model may read what shares no word with the claim, such as a source in another language. Other
// rankings of the passages, by their places, are joined with that of BM25 by Fuse.
func (x *Index) Candidates(claim string, n int, rankings ...[]int) []Passage {
	var out []Passage
	var found []int
	if q := x.queryOf(claim); len(q.terms) > 0 && len(q.terms) <= maxTerms {
		x.lookUp(q)
		found = x.retrieve(q)
	}
	found = Fuse(append([][]int{found}, rankings...)...)
	found = slices.DeleteFunc(found, func(i int) bool { return i < 0 || i >= len(x.chunks) })
	for _, i := range found[:min(n, len(found))] {
		out = append(out, x.passage(i))
	}
	for i := 0; i < len(x.chunks) && len(out) < n; i++ {
		if !slices.Contains(found, i) {
			out = append(out, x.passage(i))
		}
	}
	return out
}

// Len is how many passages there are, and PassageText the text of the one at a place.
func (x *Index) Len() int                 { return len(x.chunks) }
func (x *Index) PassageText(i int) string { return x.chunks[i].text }

func (x *Index) passage(i int) Passage {
	c := &x.chunks[i]
	p := Passage{Ref: c.ref, Label: x.labels[c.ref.Document], Text: c.text}
	for k := range c.sentences {
		p.Sentences = append(p.Sentences, c.sentences[k].span)
	}
	return p
}

// Lang is the language of the session as stated, "" when unknown.
func (x *Index) Lang() string { return x.lang }

// Opinion is what a judge says of a claim and a few passages, and of nothing else.
type Opinion string

// The opinions, from none to the firmest.
const (
	Unread  Opinion = "unread"  // it cannot read the claim or the passages
	Nothing Opinion = "nothing" // below its relevance floor
	Against Opinion = "against" // they contradict the claim
	Partly  Opinion = "partly"  // they speak about the claim
	Carried Opinion = "carried" // they carry the claim whole
)

// Opine has a judge read a claim against passages alone, for a second word on what a model cites.
func Opine(j Judge, lang, claim string, passages []string) (out Opinion) {
	defer func() {
		if recover() != nil {
			out = Unread
		}
	}()
	alone := &ledger.Session{Lang: lang}
	for i, p := range passages {
		alone.Documents = append(alone.Documents, ledger.Document{
			Position: i, Status: ledger.Ready, Chunks: []ledger.Chunk{{Text: p}},
		})
	}
	matches, err := j.Judge(&ledger.Claim{Text: claim}, NewIndex(alone))
	out = Nothing
	for i := range matches {
		switch m := &matches[i]; {
		case m.Contradicts:
			return Against
		case m.Support == ledger.Full:
			out = Carried
		case out == Nothing:
			out = Partly
		}
	}
	if err != nil {
		return Unread
	}
	return out
}

// BM25's parameters and how many chunks are looked at closely.
const (
	bm25K1   = 1.2
	bm25B    = 0.75
	topCount = 8
)

// retrieve returns the chunks that a claim may be about, best BM25 first, at most topCount.
func (x *Index) retrieve(q *query) []int {
	scores := make([]float64, len(x.chunks))
	n := float64(len(x.chunks))
	for _, word := range q.wanted {
		list := x.postings[word]
		df := float64(len(list))
		idf := exact.Log(1 + (n-df+0.5)/(df+0.5))
		for _, p := range list {
			tf, length := float64(p.count), float64(len(x.chunks[p.chunk].tokens))
			norm := float64(bm25K1 * (1 - bm25B + float64(bm25B*length/x.mean)))
			scores[p.chunk] += float64(idf * tf * (bm25K1 + 1) / (tf + norm))
		}
	}
	var found []int
	for i, s := range scores {
		if s > 0 {
			found = append(found, i)
		}
	}
	slices.SortStableFunc(found, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	return found[:min(len(found), topCount)]
}

// fuseK keeps the first ranks of one ranking from deciding alone (Cormack, Clarke and Büttcher, 2009: reciprocal rank
// fusion).
const fuseK = 60

// Fuse joins rankings of places, best first, by reciprocal rank: a place at rank r of a ranking, from 1, counts
// 1/(60+r) there. Of equal places the smaller comes first. A place that a ranking names twice counts once, where it
// stands first.
func Fuse(rankings ...[]int) []int {
	scores := map[int]float64{}
	var out []int
	for _, ranking := range rankings {
		counted := map[int]bool{}
		for _, place := range ranking {
			if counted[place] {
				continue
			}
			counted[place] = true
			if _, seen := scores[place]; !seen {
				out = append(out, place)
			}
			scores[place] += 1 / float64(fuseK+len(counted))
		}
	}
	slices.SortFunc(out, func(a, b int) int { return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(a, b)) })
	return out
}

// Scope says which claims of a session are put to a model. Scopes are stored.
type Scope string

// The scopes.
const (
	Rest  Scope = "rest" // those of which the embedded judge is not sure
	Every Scope = "all"
)

// Reason says why a claim is put to a model.
type Reason string

// The reasons, in the order in which they are looked for.
const (
	OtherLanguage Reason = "language" // no source says it, or none could be compared, and some are in another language
	Unjudged      Reason = "unjudged" // the embedded judge cannot judge it for another reason
	Weak          Reason = "weak"
	Critical      Reason = "critical" // it matters most, whatever the embedded judge finds
	AnyClaim      Reason = "all"      // all claims are asked about
)

// Reasons lists them in the order that pages show.
var Reasons = []Reason{OtherLanguage, Unjudged, Weak, Critical, AnyClaim}

// Unsure is a claim that a model is to be asked about.
type Unsure struct {
	Claim  int // its index
	Reason Reason
}

// differentLanguages is the id of why a claim is unjudged whose sources are in another language.
const differentLanguages = "note_langs"

// sourceLanguage is the id of why one is whose sources are in languages that are not covered.
const sourceLanguage = "note_source_lang"

// otherLanguages are the causes that a reader of another language would lift.
var otherLanguages = []string{differentLanguages, sourceLanguage, ledger.CitedLanguage}

// Cascade returns the claims of a session that a model is to be asked about, in their order (rule J-11). The session is
// as the embedded judge judged it; reviews that changed what matters most count.
func Cascade(s *ledger.Session, scope Scope) (out []Unsure) {
	l := ledger.Assess(s, ledger.DefaultFreshness)
	scripts, foreign := scriptsOf(s), hasForeign(s)
	for i := range l.Entries {
		e := &l.Entries[i]
		var reason Reason
		switch {
		case scope == Every:
			reason = AnyClaim
		case slices.Contains(otherLanguages, e.Claim.UnjudgedSaid.ID), e.Machine == ledger.NotFound && foreign,
			e.Machine == ledger.NotFound && inAnother(text.Script(e.Claim.Text), scripts):
			reason = OtherLanguage
		case e.Claim.Unjudged != "":
			reason = Unjudged
		case e.Machine == ledger.Weak:
			reason = Weak
		case e.Importance == ledger.Critical:
			reason = Critical
		default:
			continue
		}
		out = append(out, Unsure{i, reason})
	}
	return out
}

// scriptsOf returns the scripts that the passages of a session are written in as a whole.
func scriptsOf(s *ledger.Session) map[string]bool {
	out := map[string]bool{}
	for i := range s.Documents {
		for j := range s.Documents[i].Chunks {
			out[text.Script(s.Documents[i].Chunks[j].Text)] = true
		}
	}
	return out
}

// hasForeign reports whether a passage of the session is in a language that is not covered.
func hasForeign(s *ledger.Session) bool {
	return slices.ContainsFunc(s.Documents, func(d ledger.Document) bool {
		return slices.ContainsFunc(d.Chunks, func(c ledger.Chunk) bool { return checks.Foreign(&d, &c) })
	})
}

// inAnother reports whether some of these scripts is one that a claim in script cannot be compared with.
func inAnother(script string, scripts map[string]bool) bool {
	return script == "latin" && (scripts["ar"] || scripts["mixed"]) || script == "ar" && (scripts["latin"] || scripts["mixed"])
}
