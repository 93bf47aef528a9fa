package ledger

import (
	"slices"
	"strconv"
	"strings"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// AsideView says why a claim no longer counts.
type AsideView struct {
	Title, Then      string
	Actor, At, Stamp string
	Reason           string
	Into             []OtherClaim // the claims that came in its place
	Undo             *UndoForm    // nil unless the reader may undo it here
}

// OtherClaim leads to another claim of the session.
type OtherClaim struct{ Label, Href string }

// place says whether a claim counts, which others came in its place, and in whose place it came.
func (v *ClaimView) place(s *ledger.Session, e *ledger.Entry) {
	c := v.c
	if r := e.Claim.AsideBy(); r != nil {
		v.Aside = &AsideView{Title: c.T("aside_" + string(e.State)), Then: c.T("aside_" + string(e.State) + "_then"),
			Actor: c.OwnName(r.Actor), At: c.Time(r.At), Stamp: say.Stamp(r.At), Reason: r.Reason, Into: claimLinks(c, s.ID, r.Into)}
	}
	v.Replaces = claimLinks(c, s.ID, e.Claim.Replaces)
	if !c.May.Review || s.Second == ledger.SecondBlind || s.Closed() {
		return
	}
	if e.Claim.MayTakeBack() {
		v.TakeBackHref = v.Href + "/words/undo"
	}
	if v.Aside == nil {
		v.RewordHref = v.Href + "/words"
	}
}

func claimLinks(c *ui.Chrome, session string, positions []int) []OtherClaim {
	out := make([]OtherClaim, len(positions))
	for i, at := range positions {
		out[i] = OtherClaim{c.T("claim_n", "N", c.Num(at+1)), claimPath(session, at)}
	}
	return out
}

// offers reports whether the form offers an action.
func (f *FormView) offers(a ledger.Action) bool {
	return slices.ContainsFunc(f.Actions, func(x ActionOption) bool { return x.Value == a })
}

// actions returns the actions that stand in the row, or those under "more".
func (f *FormView) actions(quiet bool) (out []ActionOption) {
	for _, a := range f.Actions {
		if a.Quiet == quiet {
			out = append(out, a)
		}
	}
	return out
}

// chosenAmong reports whether one of the actions is chosen.
func chosenAmong(actions []ActionOption) bool {
	return slices.ContainsFunc(actions, func(a ActionOption) bool { return a.Checked })
}

// RewordInput is what the form shows that splits, merges or rewrites claims.
type RewordInput struct {
	Session *ledger.Session
	Claims  []int  // positions of the claims that are replaced, the one that the page is about first
	Texts   string // as typed, "" for those of the claims
	Reason  string
	Fault   *domain.Error // nil for none
}

// RewordPage is the form that splits, merges or rewrites claims.
type RewordPage struct {
	ui.Chrome
	SessionTitle, SessionHref, ClaimHref, Heading string
	Action, Revision                              string
	Old                                           []ClaimLine    // that are replaced
	Near                                          []RewordChoice // that may be taken together with it
	Answer                                        string         // the sentences of the answer around them, "" if they have no place in it
	Texts, Reason, Fault                          string
	Rule                                          string // what becomes of the new claims
}

// ClaimLine is a claim by its number and words.
type ClaimLine struct{ Number, Text string }

// RewordChoice is a claim that may be merged with the one that the page is about.
type RewordChoice struct {
	ClaimLine
	Value  string
	Chosen bool
}

// rewordReach is how many claims before and after one are offered to be merged with it.
const rewordReach = 3

// NewRewordPage lays out the page. Pure.
func NewRewordPage(c ui.Chrome, in RewordInput) *RewordPage {
	s, first := in.Session, in.Session.Claim(in.Claims[0])
	p := &RewordPage{
		Chrome: c, SessionTitle: s.Title, SessionHref: "/sessions/" + s.ID, ClaimHref: claimPath(s.ID, first.Position),
		Heading: c.T("reword_title", "N", c.Num(first.Number())), Action: claimPath(s.ID, first.Position) + "/words",
		Revision: strconv.Itoa(s.Revision), Texts: in.Texts, Reason: in.Reason, Rule: c.T("reword_judged"),
	}
	if s.Run.Judge == "given" {
		p.Rule = c.T("reword_given")
	}
	if in.Fault != nil {
		p.Fault = c.Said(in.Fault.Message)
	}
	var words []string
	for _, at := range in.Claims {
		claim := s.Claim(at)
		p.Old = append(p.Old, ClaimLine{c.Num(at + 1), claim.Text})
		words = append(words, claim.Text)
	}
	if p.Texts == "" {
		p.Texts = strings.Join(words, " ")
	}
	p.Answer = sentencesAround(s, in.Claims)
	for _, at := range besideClaim(s, first.Position) {
		p.Near = append(p.Near, RewordChoice{ClaimLine: ClaimLine{c.Num(at + 1), s.Claim(at).Text},
			Value: strconv.Itoa(at + 1), Chosen: slices.Contains(in.Claims, at)})
	}
	return p
}

// besideClaim returns the claims that count and stand beside one, in the order of the answer.
func besideClaim(s *ledger.Session, position int) []int {
	var order []int
	starts, start := map[int]int{}, 0 // where claims begin in the answer; one without a place follows the one before it
	for i := range s.Claims {
		c := &s.Claims[i]
		if c.Span != nil {
			start = c.Span.Start
		}
		if c.AsideBy() == nil || c.Position == position {
			order, starts[c.Position] = append(order, c.Position), start
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return starts[a] - starts[b] })
	at := slices.Index(order, position)
	near := slices.Clone(order[max(0, at-rewordReach):min(len(order), at+rewordReach+1)])
	return slices.DeleteFunc(near, func(p int) bool { return p == position })
}

// answerReach is how far around claims their sentences are looked for, in code points.
const answerReach = 600

// sentencesAround returns the sentences of the answer that claims stand in, "" if none has a place.
func sentencesAround(s *ledger.Session, claims []int) string {
	var out []string
	for _, at := range claims {
		span := s.Claim(at).Span
		if span == nil {
			continue
		}
		from := max(0, span.Start-answerReach)
		part := text.Slice(s.Answer, text.Span{Start: from, End: span.End + answerReach})
		for _, x := range text.Sentences(part) {
			if said := text.Unmark(text.Slice(part, x)); x.Start+from < span.End && x.End+from > span.Start && !slices.Contains(out, said) {
				out = append(out, said)
			}
		}
	}
	return strings.Join(out, " ")
}
