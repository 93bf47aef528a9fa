package ledger

import (
	"fmt"
	"strings"
)

// AdviceKind names a fixed template of a follow-up question or a recommended action.
type AdviceKind string

// Advice is one question or action with what fills its template: the numbers of up to three claims and how many more.
type Advice struct {
	Kind    AdviceKind
	Claim   string // text of the first claim, for questions that quote it
	Numbers []int  // 1-based, at most three
	More    int    // further claims
}

// FollowUps lists one follow-up question per flag, in flag order: what to ask whoever knows.
func (o *Overview) FollowUps() []Advice { return o.advise("ask_") }

// Actions lists the recommended actions: one per flag, in flag order, then one for claims no judge could judge.
func (o *Overview) Actions() []Advice {
	out := o.advise("do_")
	if n := o.Summary.Unjudged; n > 0 {
		out = append(out, Advice{Kind: "do_unjudged", More: n})
	}
	return out
}

// advise makes one advice per flag from the claims its head names.
func (o *Overview) advise(prefix string) []Advice {
	out := make([]Advice, 0, len(o.Flags))
	for _, f := range o.Flags {
		a := Advice{Kind: AdviceKind(prefix + string(f.Type))}
		for i := 0; i < min(len(f.Claims), headClaims); i++ {
			a.Numbers = append(a.Numbers, f.Claims[i].Position+1)
		}
		if len(f.Claims) > 0 {
			a.Claim = f.Claims[0].Text
		}
		a.More = f.Count - len(a.Numbers)
		out = append(out, a)
	}
	return out
}

// adviceTexts are the English templates; %s is the list of claims, and %q where it stands the first claim's text.
var adviceTexts = map[AdviceKind]string{
	"ask_missing_evidence":    "Which document covers %s?",
	"ask_contradiction":       "Which is right: the answer or the source that contradicts %s?",
	"ask_outdated_source":     "Is there a newer version of the documents behind %s?",
	"ask_ambiguous_evidence":  "What exactly do the sources of %s mean?",
	"ask_conflicting_sources": "Which of the conflicting sources of %s is authoritative?",
	"ask_low_confidence":      "Is there stronger evidence for %s?",
	"do_missing_evidence":     "Upload documents that cover %s, or remove or qualify them",
	"do_contradiction":        "Correct %s to what the sources say",
	"do_outdated_source":      "Check %s against current documents",
	"do_ambiguous_evidence":   "Clarify the evidence of %s",
	"do_conflicting_sources":  "Settle which source is authoritative for %s",
	"do_low_confidence":       "Qualify %s or find better evidence",
	"do_unjudged":             "Judge or review %s: no verdict could be computed",
}

// Text is the advice in English.
func (a Advice) Text() string { return fmt.Sprintf(adviceTexts[a.Kind], a.claims()) }

// claims lists the claims as "claim #4", "claims #4 and #7", "claims #4, #7, #9 and 5 more", "2 claim(s)".
func (a Advice) claims() string {
	if len(a.Numbers) == 0 {
		return fmt.Sprintf("%d claim(s)", a.More)
	}
	parts := make([]string, len(a.Numbers))
	for i, n := range a.Numbers {
		parts[i] = fmt.Sprintf("#%d", n)
	}
	if a.More > 0 {
		parts = append(parts, fmt.Sprintf("%d more", a.More))
	}
	if len(parts) == 1 {
		return "claim " + parts[0]
	}
	return "claims " + strings.Join(parts[:len(parts)-1], ", ") + " and " + parts[len(parts)-1]
}
