package ledger

import (
	"net/url"
	"strconv"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text/redline"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// AnswersInput is the versions of an answer, and two of them compared.
type AnswersInput struct {
	ID       string // of the session that the page was asked for
	Rows     []ledger.AnswerRow
	From, To *ledger.Session // nil if there is one version only
	Changes  []ledger.AnswerChange
}

// AnswersPage lists the versions and shows what changed.
type AnswersPage struct {
	ui.Chrome
	SessionTitle, SessionHref string
	ReviseHref                string // to the form that revises the newest version, "" if the reader may not
	Rows                      []AnswerLine
	Heading                   string // which versions are compared, "" if there is one only
	Figures                   []string
	Changes                   []AnswerChangeRow
	Redline                   []ui.RedlinePart // the wording of both, nil if it is the same
	Coarse                    bool             // long passages of it stand as removed and added whole
	PDFHref                   string           // the redline as a file, "" if the reader may not export
}

// AnswerLine is one version.
type AnswerLine struct {
	Name, Href, At, Stamp, Claims, New string
	CompareHref                        string // to what changed in it, "" for the first
	Current                            bool   // it is the one that the page was asked for
}

// AnswerChangeRow is what became of one claim.
type AnswerChangeRow struct {
	Kind, Word       string
	From, To         string // its words, "" if it is not in that version
	FromHref, ToHref string
	Was, Is          *ui.Badge
}

// NewAnswersPage lays out the page. Pure.
func NewAnswersPage(c ui.Chrome, in AnswersInput) *AnswersPage {
	newest := in.Rows[len(in.Rows)-1]
	p := &AnswersPage{Chrome: c, SessionTitle: newest.Title, SessionHref: "/sessions/" + in.ID}
	if c.May.Import {
		p.ReviseHref = "/sessions/" + newest.SessionID + "/answers/new"
	}
	for _, x := range in.Rows {
		line := AnswerLine{
			Name: c.T("answer_version", "N", c.Num(x.Version)), Href: "/sessions/" + x.SessionID, At: c.Time(x.At),
			Stamp: say.Stamp(x.At), Claims: c.N("n_claims", x.Claims), Current: x.SessionID == in.ID,
		}
		if x.Version > 1 {
			line.New = c.N("n_new_claims", x.New)
			line.CompareHref = ui.Address(p.SessionHref+"/answers", map[string][]string{"to": {strconv.Itoa(x.Version)}})
		}
		p.Rows = append(p.Rows, line)
	}
	if in.To == nil {
		return p
	}
	p.Heading = c.T("answers_compared", "From", c.Num(in.From.Version()), "To", c.Num(in.To.Version()))
	kinds := map[string]int{}
	for i := range in.Changes {
		p.Changes = append(p.Changes, p.change(&in, &in.Changes[i]))
		kinds[in.Changes[i].Kind()]++
	}
	for _, kind := range []string{"kept", "reworded", "new", "removed"} {
		p.Figures = append(p.Figures, c.N("n_answer_"+kind, kinds[kind]))
	}
	p.redline(&in)
	return p
}

// redline sets the wording of the two versions against each other.
func (p *AnswersPage) redline(in *AnswersInput) {
	if in.From.Answer == in.To.Answer {
		return
	}
	var pieces []redline.Piece
	pieces, p.Coarse = redline.Compare(in.From.Answer, in.To.Answer)
	p.Redline = p.Redlined(pieces)
	if p.May.Export {
		p.PDFHref = ui.Address(p.SessionHref+"/answers.pdf", url.Values{"from": {strconv.Itoa(in.From.Version())},
			"to": {strconv.Itoa(in.To.Version())}})
	}
}

func (p *AnswersPage) change(in *AnswersInput, x *ledger.AnswerChange) AnswerChangeRow {
	row := AnswerChangeRow{Kind: x.Kind(), Word: p.T("answer_change_" + x.Kind())}
	if x.From != nil {
		b := p.EntryBadge(x.From)
		row.From, row.FromHref, row.Was = x.From.Claim.Text, claimPath(in.From.ID, x.From.Claim.Position), &b
	}
	if x.To != nil {
		b := p.EntryBadge(x.To)
		row.To, row.ToHref, row.Is = x.To.Claim.Text, claimPath(in.To.ID, x.To.Claim.Position), &b
	}
	return row
}

// AnswerForm is what was typed into the form that revises an answer, with what is wrong with it.
type AnswerForm struct {
	Answer  string
	Fault   *ui.FormFault
	Changed bool // the ledger has changed, or was revised, since the form was made
}

// ReviseInput is the input of its page.
type ReviseInput struct {
	Session  ledger.SessionRow
	Revision int
	Newest   ledger.NewestAnswer
	Form     AnswerForm
}

// RevisePage is the form that revises an answer.
type RevisePage struct {
	ui.Chrome
	SessionTitle, SessionHref string
	Action, Revision, Answer  string
	Fault, Changed            string
	NewestHref                string // to the newer version that is to be revised instead, "" if this is the newest
}

// NewRevisePage lays out the form. Pure.
func NewRevisePage(c ui.Chrome, in ReviseInput) *RevisePage {
	base := "/sessions/" + in.Session.ID
	p := &RevisePage{
		Chrome: c, SessionTitle: in.Session.Title, SessionHref: base, Action: base + "/answers",
		Revision: strconv.Itoa(in.Revision), Answer: in.Form.Answer,
	}
	if in.Newest.SessionID != "" && in.Newest.SessionID != in.Session.ID {
		p.NewestHref = "/sessions/" + in.Newest.SessionID + "/answers/new"
	}
	if in.Form.Changed {
		p.Changed = c.T("answer_changed")
	} else {
		p.Fault = c.FaultWords(in.Form.Fault)
	}
	return p
}
