package accounts

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"sanad/internal/domain/access"
	"sanad/internal/domain/pack"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// ChangesInput has the requests for changes of a tenant, and the policy and retention periods that one may be about.
type ChangesInput struct {
	All     []access.Request
	Reader  string // their id
	Policy  *pack.Policy
	Days    map[string]int // the retention periods, by kind
	Demand  access.Demand
	Confirm string // where the password is given again, "" if it was given recently
	Fault   *ui.FormFault
}

// ChangesPage lists what waits for a second administrator, and what was decided.
type ChangesPage struct {
	ui.Chrome
	In      ChangesInput
	Done    string
	Waiting []RequestLine
	Past    []RequestLine
}

// RequestLine is one request, laid out.
type RequestLine struct {
	What, Reason, Asked, Decided, State string
	Details                             []string // what a policy or retention periods would change
	At, Until, Ended                    say.Moment
	Bar                                 string // what keeps the reader from confirming it
	Confirm, Refuse, Withdraw           string // where, "" if the reader may not
}

// NewChangesPage lays out the page. Pure.
func NewChangesPage(c ui.Chrome, in ChangesInput) *ChangesPage {
	p := &ChangesPage{Chrome: c, In: in,
		Done: c.Notice("chg_done_", "asked", "confirmed", "refused", "withdrawn")}
	for i := range in.All {
		r := &in.All[i]
		l := p.line(r)
		if r.State != access.Asked {
			p.Past = append(p.Past, l)
			continue
		}
		at := "/admin/changes/" + r.ID
		switch {
		case r.AskedBy == in.Reader:
			l.Withdraw = at + "/withdraw"
		case r.Bars == access.NoBar:
			l.Confirm, l.Refuse = at+"/confirm", at+"/refuse"
		default:
			l.Refuse = at + "/refuse"
		}
		if r.Bars != access.NoBar {
			l.Bar = c.T("chg_bar_" + string(r.Bars))
		}
		p.Waiting = append(p.Waiting, l)
	}
	return p
}

func (p *ChangesPage) line(r *access.Request) RequestLine {
	l := RequestLine{
		What: p.what(&r.Change), Reason: r.Reason, Asked: p.ActorName(r.AskedBy, r.AskedName), At: p.Minute(r.AskedAt),
		Until: p.Minute(r.ExpiresAt), Ended: p.Minute(r.DecidedAt), State: p.T("chg_state_" + string(r.State)),
	}
	if r.DecidedBy != "" {
		l.Decided = p.ActorName(r.DecidedBy, r.DecidedName)
	}
	if next, err := PolicyOf(r); err == nil && next != nil && r.State == access.Asked {
		l.Details = p.differences(next)
	}
	if r.State == access.Asked {
		l.Details = append(l.Details, p.periods(r.Change.Days)...)
		l.Details = append(l.Details, p.link(&r.Change)...)
	}
	return l
}

// what says in one sentence what a change would do.
func (p *ChangesPage) what(c *access.Change) string {
	key, name := "chg_what_"+string(c.Kind), p.Named(c.Name)
	switch c.Kind {
	case access.AddPerson:
		return p.T(key, "Name", name, "Login", say.Isolated(c.Object), "Role", p.T("role_"+string(c.Role)))
	case access.InvitePerson:
		if c.LinkDays > 0 {
			return p.T(key+"_link", "Role", p.T("role_"+string(c.Role)))
		}
		return p.T(key, "Login", say.Isolated(c.Object), "Role", p.T("role_"+string(c.Role)))
	case access.ChangeRole:
		return p.T(key, "Name", name, "From", p.T("role_"+string(c.Was)), "To", p.T("role_"+string(c.Role)))
	case access.ResetPassword, access.RemoveCodes:
		return p.T(key, "Name", name)
	case access.NameDeputy:
		return p.T(key, "Name", name, "Deputy", p.Named(c.Deputy.Name),
			"Span", p.Span(c.Deputy.Starts, c.Deputy.Ends))
	case access.ChangeAccess:
		return p.T(key+"_"+onOff(c.On), "Name", name)
	case access.ChangeHold, access.ChangePackHold:
		return p.T("chg_what_hold_"+onOff(c.On), "Object", say.Isolated(c.Object))
	}
	return p.T(key)
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

// link says whom an invitation by link is for, as far as its sender said so, and how long it can be used.
func (p *ChangesPage) link(c *access.Change) (out []string) {
	if c.LinkDays == 0 {
		return nil
	}
	for _, x := range [][2]string{{"name", c.Name}, {"email", c.Email}, {"tok_days", p.Num(c.LinkDays)}} {
		if x[1] != "" {
			out = append(out, p.T("chg_link", "Name", p.T(x[0]), "Value", say.Isolated(x[1])))
		}
	}
	return out
}

// PolicyOf returns the policy that a request would set, nil for other kinds.
func PolicyOf(r *access.Request) (*pack.Policy, error) {
	if r.Change.Kind != access.ChangePolicy {
		return nil, nil
	}
	var out pack.Policy
	err := json.Unmarshal(r.Change.Policy, &out)
	return &out, err
}

// differences says what a policy changes of the one in force, rule by rule and class by class.
func (p *ChangesPage) differences(next *pack.Policy) (out []string) {
	say := func(rule, class, from, to string) {
		if from != to {
			out = append(out, p.T("chg_policy", "Rule", p.T("policy.in_class", "Rule", rule, "Class", class), "From", from, "To", to))
		}
	}
	for i := range next.Rules {
		r := &next.Rules[i]
		for _, class := range pack.ApprovalClasses {
			say(p.T("policy.rule_"+r.Rule), class, p.T("policy.level_"+string(p.In.Policy.Demand(r.Rule, class))),
				p.T("policy.level_"+string(r.In(class))))
			if r.Days != nil && i < len(p.In.Policy.Rules) && p.In.Policy.Rules[i].Days != nil {
				say(p.T("policy.days"), class, p.days(p.In.Policy.Rules[i].Days, class), p.days(r.Days, class))
			}
		}
	}
	if next.BulkConfirmsAll != p.In.Policy.BulkConfirmsAll {
		yes := map[bool]string{true: "yes", false: "no"}
		out = append(out, p.T("chg_policy", "Rule", p.T("policy.bulk"), "From", p.T(yes[p.In.Policy.BulkConfirmsAll]),
			"To", p.T(yes[next.BulkConfirmsAll])))
	}
	return out
}

// periods says what retention periods change of those in force.
func (p *ChangesPage) periods(next map[string]int) (out []string) {
	days := func(n int) string {
		if n == 0 {
			return p.T("chg_period_none")
		}
		return p.InDigits(strconv.Itoa(n))
	}
	for _, kind := range slices.Sorted(maps.Keys(next)) {
		out = append(out, p.T("chg_policy", "Rule", p.T("per_"+kind), "From", days(p.In.Days[kind]), "To", days(next[kind])))
	}
	return out
}

func (p *ChangesPage) days(d *pack.ClassDays, class string) string {
	return p.InDigits(strconv.Itoa(d.Of(class)))
}
