package ledger

import (
	"fmt"
	"strings"
)

// AdviceKind names a fixed template of a follow-up question or a recommended action.
type AdviceKind string

// Advice is one question or action with the values of its template: the numbers of up to three claims and how many more
// there are.
type Advice struct {
	Kind    AdviceKind
	Claim   string // text of the first claim, for questions that quote it
	Numbers []int  // 1-based, at most three
	More    int    // further claims
}

// FollowUps returns one follow-up question per flag, in flag order.
func (o *Overview) FollowUps() []Advice { return o.advise("ask_") }

// Actions lists the recommended actions: one per flag, in flag order, then one for claims no judge could judge.
func (o *Overview) Actions() []Advice {
	out := o.advise("do_")
	if n := o.Summary.Unjudged; n > 0 {
		out = append(out, Advice{Kind: "do_unjudged", More: n})
	}
	return out
}

// advise returns one Advice per flag, from the claims that the flag's head names.
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

// Text returns the advice in English, as it is exported.
func (a Advice) Text() string { return exported.Text("exported."+string(a.Kind), "Claims", a.claims()) }

// claims returns the claims as "claim #4", "claims #4 and #7", "claims #4, #7, #9 and 5 more", "2 claim(s)".
func (a Advice) claims() string {
	if len(a.Numbers) == 0 {
		return exported.Text("exported.claim_count", "N", a.More)
	}
	parts := make([]string, len(a.Numbers))
	for i, n := range a.Numbers {
		parts[i] = fmt.Sprintf("#%d", n)
	}
	if a.More > 0 {
		parts = append(parts, exported.Text("exported.claims_more", "N", a.More))
	}
	last := len(parts) - 1
	if last == 0 {
		return exported.Text("exported.claim_one", "Claim", parts[0])
	}
	return exported.Text("exported.claims_some", "List", strings.Join(parts[:last], ", "), "Last", parts[last])
}
