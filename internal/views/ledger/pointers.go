package ledger

import (
	"cmp"
	"slices"

	"sanad/internal/domain"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// PointersForm is what was typed into the form of a pointer answer, with what is wrong with it.
type PointersForm struct {
	Query, Passages, Answer string
	Fault                   *ui.FormFault // of passages, answer or the whole
}

// PointersPage is the form that checks an answer whose claims point to passages.
type PointersPage struct {
	ui.Chrome
	Form                    PointersForm
	Passages, Answer, Whole string // what is wrong with the passages, the answer, anything else; "" when it is fine
}

// NewPointersPage lays out the form; a fault stands beside the field it is about. Pure.
func NewPointersPage(c ui.Chrome, f PointersForm) *PointersPage {
	p := &PointersPage{Chrome: c, Form: f}
	if f.Fault == nil {
		return p
	}
	switch fault := c.FaultWords(f.Fault); f.Fault.Field {
	case "passages":
		p.Passages = fault
	case "answer":
		p.Answer = fault
	default:
		p.Whole = fault
	}
	return p
}

// UnknownPointer is a pointer of a claim, by number, to a passage that was not given.
type UnknownPointer struct {
	Claim   int
	Pointer string
}

// PointedInput is a pointer answer that was taken.
type PointedInput struct {
	SessionID  string
	Claims     []string // the words of its claims
	Unknown    []UnknownPointer
	Ungrounded []int // numbers of claims
	Warnings   []domain.Warning
}

// PointedPage says what is wrong with the pointers of an answer before it leads on to the ledger.
type PointedPage struct {
	ui.Chrome
	Href     string
	Heading  string
	Claims   []PointedClaim
	Warnings []domain.Warning
}

// PointedClaim is an ungrounded claim, with why it is.
type PointedClaim struct {
	Name, Text, Href string
	Why              []string
}

// NewPointedPage lays out the notice. Pure.
func NewPointedPage(c ui.Chrome, in PointedInput) *PointedPage {
	p := &PointedPage{Chrome: c, Href: "/sessions/" + in.SessionID, Warnings: in.Warnings,
		Heading: c.N("n_ungrounded", len(in.Ungrounded))}
	for _, n := range in.Ungrounded {
		x := PointedClaim{Name: c.T("claim_n", "N", c.Num(n)), Text: in.Claims[n-1], Href: claimPath(in.SessionID, n-1)}
		from, _ := slices.BinarySearchFunc(in.Unknown, n, func(u UnknownPointer, n int) int { return cmp.Compare(u.Claim, n) })
		for ; from < len(in.Unknown) && in.Unknown[from].Claim == n; from++ {
			x.Why = append(x.Why, c.T("pointer_unknown", "Pointer", say.Isolated(in.Unknown[from].Pointer)))
		}
		if len(x.Why) == 0 {
			x.Why = []string{c.T("pointer_none")}
		}
		p.Claims = append(p.Claims, x)
	}
	return p
}
