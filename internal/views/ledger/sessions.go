package ledger

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/job"
	"sanad/internal/domain/ledger"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// SessionsInput is the sessions list with its filters.
type SessionsInput struct {
	ledger.SessionQuery // Of is empty, or the reader
	Rows                []ledger.SessionRow
	Next                string         // key of the next page, "" if none
	Jobs                []job.Job      // the imports that have not ended
	People              []access.Named // who may review, for who may assign
	Saved               ui.SavedPart
}

// SessionsPage is the sessions list.
type SessionsPage struct {
	ui.Chrome
	Rows                   []ui.SessionLine
	Columns                []ui.Column
	Text                   string
	States, Verdicts, Flag []ui.Option
	Dues                   []ui.Option
	Filtered, Paged, Mine  bool
	Threads                bool        // only sessions with open threads
	People                 []ui.Option // whose sessions can be chosen, nil if the reader may not
	Narrowed               bool        // by more than words
	Jobs                   []ui.JobLine
	FirstHref, NextHref    string
	AssignHref             string // where they are assigned to several people, "" if the reader may not
	Saved                  ui.SavedPart
}

// NewSessionsPage lays out the list. Pure.
func NewSessionsPage(c ui.Chrome, in SessionsInput) *SessionsPage {
	p := &SessionsPage{Chrome: c, Rows: c.SessionLines(in.Rows), Text: in.Text, Paged: in.After != "", Mine: in.Assigned != "",
		Threads: in.SessionQuery.Threads,
		Jobs:    c.JobLines(in.Jobs), Saved: in.Saved}
	p.Narrowed = in.State != "" || in.Verdict != "" || in.Flag != "" || in.Due != "" || p.Mine || p.Threads || in.Reviewer != ""
	p.Filtered = in.Text != "" || p.Narrowed
	p.States = ui.Options(&p.Chrome, "status_", p.T("all"), append([]ledger.State{ledger.StateOpen}, ledger.States...),
		in.State)
	p.Verdicts = ui.Options(&p.Chrome, "verdict_", p.T("all"), ledger.Verdicts, in.Verdict)
	p.Flag = ui.Options(&p.Chrome, "flag_name_", p.T("all"), ledger.RiskTypes, in.Flag)
	p.Dues = p.DueOptions(in.Due)
	for _, col := range []struct{ sort, label, class string }{
		{"title", "session", ""}, {"claims", "claims", "num c-claims"}, {"", "verdicts", "c-bar"},
		{"coverage", "coverage_short", "num c-cov"},
		{"", "flags_short", "num c-flags"}, {"", "status", "c-status"}, {"", "assigned_to", "c-who"},
		{"created", "created", "num c-when"},
	} {
		p.Columns = append(p.Columns, p.column(in, col.sort, p.T(col.label), col.class))
	}
	if len(in.People) > 0 || in.Reviewer != "" {
		p.People = []ui.Option{{Label: p.T("all"), Selected: in.Reviewer == ""}}
		known := in.Reviewer == ""
		for _, x := range in.People {
			known = known || x.ID == in.Reviewer
			p.People = append(p.People, ui.Option{Value: x.ID, Label: p.OwnName(x.Name), Selected: x.ID == in.Reviewer})
		}
		if !known {
			p.People = append(p.People, ui.Option{Value: in.Reviewer, Label: p.T("assign_gone"), Selected: true})
		}
	}
	if p.May.Assign {
		p.AssignHref = ui.Address("/sessions/assign", p.Query("after", "sort", "dir"))
	}
	p.FirstHref = p.page(nil)
	if in.Next != "" {
		p.NextHref = p.page(map[string]string{"after": in.Next})
	}
	return p
}

// page is this list's address with another key or order; a new order starts at the first page.
func (p *SessionsPage) page(set map[string]string) string {
	q := p.Query("after")
	for k, v := range set {
		q.Set(k, v)
	}
	return ui.Address("/sessions", q)
}

func (p *SessionsPage) column(in SessionsInput, sort, label, class string) ui.Column {
	col := ui.Column{Label: label, Class: class}
	if sort == "" {
		return col
	}
	dir := "desc"
	if sort == "title" {
		dir = "asc"
	}
	if cmp.Or(in.Sort, "created") == sort {
		col.Sorted, dir = "ascending", "desc"
		if in.Descending() {
			col.Sorted, dir = "descending", "asc"
		}
	}
	col.Href = p.page(map[string]string{"sort": sort, "dir": dir})
	return col
}

// AssignInput is what is to become of the sessions that pass a list's filters.
type AssignInput struct {
	Query  ledger.SessionQuery
	Rows   []ledger.SessionRow // the first AssignListed of those that can be shared out
	Chosen []ledger.SessionRow // those of Only that still can be
	Most   string              // how many at most, as typed
	Only   []string            // ids of those that were chosen; none for all
	Whose  string              // id of who has them now, "" for nobody's
	How    ledger.Sharing
	To     []string          // ids of the people who are checked
	Shares map[string]string // as typed, by id
	Fault  *domain.Error

	People  []access.Named // who may be chosen
	Loads   []ledger.Load
	Plan    ledger.Shares
	Preview bool // the plan says who of Takers gets how many
	Takers  []ledger.Taker
	Until   time.Time   // of the plan
	Done    *AssignDone // what was just assigned, nil if nothing
	Apart   []string    // classes of packs that reviewers cannot approve
}

// AssignListed is how many sessions can be chosen one by one.
const AssignListed = 50

// AssignDone is what was assigned, and how many sessions were left out, by why.
type AssignDone struct {
	Moved, Lost, Unfit, Barred, Beyond int
	Back                               bool // they were taken back
}

// AssignPage is the page on which many sessions are assigned at once.
type AssignPage struct {
	ui.Chrome
	ListHref string
	Hidden   []ui.Option // the filters: name and value
	Filters  []ui.Option // the same in words
	Whose    []ui.Option
	People   []AssignPerson
	Ways     []ui.Option
	Found    string   // how many there are to share out
	Apart    []string // what matches and is left alone, and why
	Preview  bool
	Gets     []AssignPerson
	Asked    []ui.Option // what the preview is of: name and value
	Button   string      // "" if there is nothing to do
	Done     []string
	Was      string      // whose sessions are listed
	Most     string      // as typed
	Sessions []ui.Option // that can be chosen one by one
	Kept     []string    // ids of chosen ones that can no longer be assigned
	Longer   bool        // there are more of them
	Choosing bool        // some are chosen
	// ApartText says what a review costs those who approve packs, "" for nothing.
	ApartText string

	fault *domain.Error
}

// AssignPerson is somebody who can get sessions, or gets some.
type AssignPerson struct {
	ID, Name, Share string
	Has, Gets, Then string
	Chosen          bool
}

// NewAssignPage lays out the page. Pure.
func NewAssignPage(c ui.Chrome, in AssignInput) *AssignPage {
	p := &AssignPage{Chrome: c, Preview: in.Preview, fault: in.Fault, ApartText: c.Apart(in.Apart)}
	p.filters(&in)
	has := map[string]int{}
	p.Whose = []ui.Option{{Label: c.T("assign_nobodys"), Selected: in.Whose == ""}}
	for _, l := range in.Loads {
		if has[l.ID] = l.All; l.First > 0 || l.ID == in.Whose {
			name := c.OwnName(l.Name)
			if l.Name == "" {
				name = c.T("assign_gone")
			}
			p.Whose = append(p.Whose, ui.Option{Value: l.ID, Selected: l.ID == in.Whose,
				Label: c.T("assign_whose_n", "Name", name, "Sessions", c.N("assign_n", l.First))})
		}
	}
	for _, x := range in.People {
		p.People = append(p.People, AssignPerson{ID: x.ID, Name: x.Name, Has: c.Num(has[x.ID]),
			Chosen: slices.Contains(in.To, x.ID), Share: cmp.Or(in.Shares[x.ID], "1")})
	}
	for _, way := range append(slices.Clone(ledger.Sharings), ledger.ToNobody) {
		p.Ways = append(p.Ways, ui.Option{Value: string(way), Label: c.T("assign_" + string(way)), Selected: way == in.How})
	}
	p.Was, p.Most, p.Longer = in.Whose, in.Most, len(in.Rows) == AssignListed
	listed := map[string]bool{}
	for i, r := range slices.Concat(in.Chosen, in.Rows) { // what is chosen comes first, whatever came in since
		if !listed[r.ID] {
			listed[r.ID] = true
			p.Sessions = append(p.Sessions, ui.Option{Value: r.ID, Label: cmp.Or(r.Title, r.ID), Selected: i < len(in.Chosen)})
		}
	}
	for _, id := range in.Only {
		if !listed[id] {
			p.Kept = append(p.Kept, id)
		}
	}
	p.Choosing = len(in.Only) > 0
	p.Found = c.N("assign_found", in.Plan.Selected())
	p.apart("assign_others", in.Plan.Others)
	p.apart("assign_finished", in.Plan.Finished)
	p.done(in.Done)
	if in.Preview {
		p.preview(&in, has)
	}
	return p
}

// filters says which filters the sessions pass, and keeps them.
func (p *AssignPage) filters(in *AssignInput) {
	address := map[string][]string{}
	for name, v := range ledger.SessionFilters.On(&in.Query) {
		if name == "sort" || name == "dir" { // the order of the list does not matter here
			continue
		}
		address[name] = []string{v}
		p.Hidden = append(p.Hidden, ui.Option{Label: name, Value: v})
		switch name {
		case "state":
			p.filter("status", p.T("status_"+v))
		case "verdict":
			p.filter("with_verdict", p.T("verdict_"+v))
		case "flag":
			p.filter("risk_flags", p.T("flag_name_"+v))
		case "due":
			p.filter("due_heading", p.T("due_filter_"+v))
		case "assigned":
			p.filter("assigned_to", p.T("assigned_me"))
		case "reviewer":
			p.filter("assigned_to", p.person(in, v))
		case "threads":
			p.filter("pk_sec_comments", p.T("filter_threads"))
		case "q":
			p.filter("title_question_claims", v)
		}
	}
	p.ListHref = ui.Address("/sessions", address)
}

// person names somebody by their id.
func (p *AssignPage) person(in *AssignInput, id string) string {
	for _, x := range in.People {
		if x.ID == id {
			return p.OwnName(x.Name)
		}
	}
	return p.T("assign_gone")
}

func (p *AssignPage) filter(label, value string) {
	p.Filters = append(p.Filters, ui.Option{Label: p.T(label), Value: value})
}

func (p *AssignPage) apart(why string, n int) {
	if n > 0 {
		p.Apart = append(p.Apart, p.N(why, n))
	}
}

// preview says who would get how many, and what each has before and after.
func (p *AssignPage) preview(in *AssignInput, has map[string]int) {
	p.apart("assign_rest", in.Plan.Rest)
	p.apart("assign_kept", in.Plan.Kept)
	p.apart("assign_unfit", in.Plan.Unfit)
	p.apart("assign_barred", in.Plan.Barred)
	p.apart("assign_beyond", in.Plan.Beyond)
	p.Asked = append(slices.Clone(p.Hidden), ui.Option{Label: "whose", Value: in.Whose},
		ui.Option{Label: "how", Value: string(in.How)}, ui.Option{Label: "confirm", Value: "1"},
		ui.Option{Label: "until", Value: in.Until.Format(time.RFC3339Nano)},
		ui.Option{Label: "seen", Value: strconv.Itoa(in.Plan.Selected())})
	if in.Most != "" {
		p.Asked = append(p.Asked, ui.Option{Label: "most", Value: in.Most})
	}
	for _, id := range in.Only {
		p.Asked = append(p.Asked, ui.Option{Label: "session", Value: id})
	}
	if in.Whose != "" {
		p.Gets = append(p.Gets, p.change(in.Whose, p.holder(in), has[in.Whose], -in.Plan.Moved))
	}
	for i := range in.Takers {
		t := &in.Takers[i]
		if t.ID != in.Whose {
			p.Gets = append(p.Gets, p.change(t.ID, t.Name, has[t.ID], in.Plan.Each[i]))
		}
		p.Asked = append(p.Asked, ui.Option{Label: "to", Value: t.ID},
			ui.Option{Label: "share_" + t.ID, Value: strconv.Itoa(t.Share)})
	}
	switch {
	case in.Plan.Moved == 0:
	case in.How == ledger.ToNobody:
		p.Button = p.N("assign_take_back", in.Plan.Moved)
	default:
		p.Button = p.N("assign_do", in.Plan.Moved)
	}
}

// change is somebody's sessions under review before and after.
func (p *AssignPage) change(id, name string, has, gets int) AssignPerson {
	sign := ""
	if gets > 0 {
		sign = "+"
	} else if gets < 0 {
		sign, gets = "−", -gets
	}
	x := AssignPerson{ID: id, Name: name, Has: p.Num(has), Gets: say.Isolated(sign + p.Num(gets)), Then: p.Num(has + gets)}
	if sign == "−" {
		x.Then = p.Num(has - gets)
	}
	return x
}

// holder names who has the sessions now.
func (p *AssignPage) holder(in *AssignInput) string {
	for _, l := range in.Loads {
		if l.ID == in.Whose && l.Name != "" {
			return p.OwnName(l.Name)
		}
	}
	return p.T("assign_gone")
}

// done says what was just assigned.
func (p *AssignPage) done(d *AssignDone) {
	if d == nil {
		return
	}
	said := "assign_done"
	if d.Back {
		said = "assign_back"
	}
	p.Done = []string{p.N(said, d.Moved)}
	for _, x := range []struct {
		why string
		n   int
	}{{"assign_lost", d.Lost}, {"assign_unfit", d.Unfit}, {"assign_barred", d.Barred}, {"assign_beyond", d.Beyond}} {
		if x.n > 0 {
			p.Done = append(p.Done, p.N(x.why, x.n))
		}
	}
}

// Fault returns what is wrong with a field, "" if nothing.
func (p *AssignPage) Fault(field string) string {
	if p.fault == nil || p.fault.Path != field {
		return ""
	}
	return p.FaultWords(ui.FaultOf(p.fault))
}
