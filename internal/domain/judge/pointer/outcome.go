package pointer

import (
	"slices"

	"sanad/internal/domain"
	"sanad/internal/domain/evidence"
	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/words"
)

// OtherClaimsID is the code of a violation: the answer names a pointer of the form that another claim has.
const OtherClaimsID = "EVIDENCE_OF_ANOTHER_CLAIM"

// Trust is the measured share of a model's words that people found right, 0 for a word that was not measured. Without
// it a model's "supported" supports in part at most (docs/models.md).
type Trust struct{ Supported, Contradicted float64 }

// Outcome is what became of an answer. What it counts is for people and for comparing models; the matches alone make
// the verdict.
type Outcome struct {
	Matches    []ledger.Match
	Said       ledger.Verdict       // what the model says
	Stated     *float64             // how sure it says it is, nil if it doesn't: never shown as a probability
	Violations []evidence.Violation // ids that it was not given
	Addressing []string             // ids that it named and that are no evidence, as they speak to the judge
	Baseless   bool                 // a verdict without evidence: the claim is not found, whatever the model says
	Opinion    judge.Opinion        // what the embedded judge says of the cited sentences; "" if none are cited
	Disagree   bool                 // it is no support, and the model says it is; or the reverse
	Beside     bool                 // a cited sentence stands beside one that speaks to the judge
}

// What the figures of a match are where nothing was measured. They rank matches; they are no probabilities.
const (
	unmeasured = 0.70 // a model says supported or contradicted
	doubtful   = 0.50 // a model says weak, or the embedded judge disagrees
	mostSure   = 0.99
)

// Read holds a model's answer to its evidence. An error means that there is no answer that counts, and says why; the
// outcome then still says what was found.
func (q *Question) Read(said string, own judge.Judge, t Trust) (Outcome, error) {
	a, err := parse(said)
	if err != nil {
		return Outcome{}, err
	}
	out := Outcome{Said: ledger.Verdict(*a.Verdict)}
	if c := a.Confidence; c != nil && *c >= 0 && *c <= 1 {
		out.Stated = c
	}
	if *a.Claim != q.ClaimID {
		return out, unjudged("cause_model_other")
	}
	cited, violations := evidence.Check(q.Objects, *a.EvidenceIDs)
	if out.Violations = q.named(violations); len(violations) > 0 {
		return out, unjudged("cause_model_ids", "List", list(out.Violations))
	}
	cited = slices.DeleteFunc(cited, func(o evidence.Object) bool {
		if q.hidden[o.PointerID] {
			out.Addressing = append(out.Addressing, o.PointerID)
		}
		return q.hidden[o.PointerID]
	})
	if out.Said == ledger.NotFound {
		return out, nil
	}
	out.rest(q, cited, own, t, a.Differs)
	return out, nil
}

// rest makes the matches that a word rests on.
func (o *Outcome) rest(q *Question, cited []evidence.Object, own judge.Judge, t Trust, differs string) {
	if o.Baseless = len(cited) == 0; o.Baseless {
		return
	}
	o.compare(q, cited, own)
	o.Beside = slices.ContainsFunc(cited, func(c evidence.Object) bool { return q.beside[c.PointerID] })
	o.Matches = q.matches(cited)
	for i := range o.Matches {
		o.weigh(&o.Matches[i], t, differs)
	}
}

// named cleans the ids of violations, which a model wrote, and tells those of another claim.
func (q *Question) named(violations []evidence.Violation) []evidence.Violation {
	const most = 24 // letters of an id
	for i := range violations {
		if q.another(violations[i].PointerID) {
			violations[i].Code = OtherClaimsID
		}
		violations[i].PointerID = short(clean(violations[i].PointerID), most)
	}
	return violations
}

// list names a few violations.
func list(violations []evidence.Violation) words.List {
	const most = 5
	var out words.List
	for _, v := range violations[:min(most, len(violations))] {
		out = append(out, `"`+v.PointerID+`"`)
	}
	if len(violations) > most {
		out = append(out, "…")
	}
	return out
}

// compare asks the embedded judge about the cited sentences and notes whether the two judges disagree.
func (o *Outcome) compare(q *Question, cited []evidence.Object, own judge.Judge) {
	var passages []string
	for _, c := range cited {
		passages = append(passages, c.Span)
	}
	o.Opinion = judge.Opine(own, q.Lang, q.Claim, passages)
	switch o.Said {
	case ledger.Supported:
		o.Disagree = o.Opinion == judge.Nothing || o.Opinion == judge.Against
	case ledger.Contradicted:
		o.Disagree = o.Opinion == judge.Carried
	}
}

// matches makes a match of each run of cited sentences that stand together, with their words as the source has them.
func (q *Question) matches(cited []evidence.Object) (out []ledger.Match) {
	places := make([]int, 0, len(cited))
	for i := range q.Objects {
		if slices.ContainsFunc(cited, func(o evidence.Object) bool { return o.PointerID == q.Objects[i].PointerID }) {
			places = append(places, i)
		}
	}
	for n, i := range places {
		p, o := q.passage[i], &q.Objects[i]
		if n > 0 && places[n-1] == i-1 && q.passage[i-1].Ref == p.Ref {
			last := &out[len(out)-1]
			last.Quote.Span.End = o.OffsetEnd
			last.Snippet = text.Slice(p.Text, last.Quote.Span)
			continue
		}
		span := text.Span{Start: o.OffsetStart, End: o.OffsetEnd}
		out = append(out, ledger.Match{
			Chunk: p.Ref, Snippet: o.Span, Quote: text.Placement{Kind: text.Exact, Span: span},
		})
	}
	return out
}

// weigh sets how far a match supports the claim, so that the rule of verdicts (L-3) says no more than is known: full
// support only where the model's word was measured, the embedded judge doesn't disagree, and nobody wrote to the judge
// right beside it.
func (o *Outcome) weigh(m *ledger.Match, t Trust, differs string) {
	m.Support, m.Similarity = ledger.Partial, unmeasured
	switch {
	case o.Said == ledger.Contradicted:
		m.Support, m.Contradicts = ledger.None, true
		if t.Contradicted > 0 {
			m.Similarity = min(t.Contradicted, mostSure)
		}
	case o.Said == ledger.Weak || o.Disagree || o.Beside:
		m.Similarity = doubtful
	case t.Supported > 0:
		m.Support, m.Similarity = ledger.Full, min(t.Supported, mostSure)
	}
	m.Remark(o.note(differs))
}

// note says whose word the match is, and who disagrees.
func (o *Outcome) note(differs string) domain.Message {
	var own, objection domain.Message
	if d := short(clean(differs), 200); d != "" {
		own = words.Msg("note_model_differs", "Text", d)
	}
	switch {
	case o.Disagree && o.Opinion == judge.Nothing:
		objection = words.Msg("note_model_nothing")
	case o.Disagree && o.Opinion == judge.Against:
		objection = words.Msg("note_model_against")
	case o.Disagree:
		objection = words.Msg("note_model_for")
	case o.Beside:
		objection = words.Msg("note_model_beside")
	}
	return words.Msg("note_model", "Verdict", words.Msg("note_said_"+string(o.Said)), "Differs", own, "Objection", objection)
}
