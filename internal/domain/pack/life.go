package pack

import (
	"cmp"
	"slices"

	"sanad/internal/domain"
	"sanad/internal/domain/access"
)

// State is the state of a pack: draft → in review → signed off | returned → superseded, or
// draft → discarded (rule P-11).
type State string

// The six states.
const (
	Draft      State = "draft"
	InReview   State = "in_review"
	SignedOff  State = "signed_off"
	Returned   State = "returned"
	Superseded State = "superseded"
	Discarded  State = "discarded" // a draft that was given up; it stays readable and is never signed
)

// States lists them in order.
var States = []State{Draft, InReview, SignedOff, Returned, Superseded, Discarded}

// Life is the part of a pack that changes: everything that is not in pack.json. Actors are pseudonymous ids.
type Life struct {
	PackID       string
	Supersedes   string // the predecessor, "" for the first version
	SupersededBy string // the signed version that replaced it
	State        State
	Revision     int      // grows by one with every change
	Authors      []string // who made or edited this version
	Before       []string // who made an earlier version, and who recorded the decision where it must have a pack
	TokenIssuers []string // who made the tokens of the machines among the authors
	Need         int      // how many different approvers
	Mandatory    bool
	Digest       string // of pack.json in hex, from submission on
	SubmittedAt  string
	Approvals    []Approval
	Return       *Return
	Discard      *Return // why the draft was discarded
	Hold         *Hold
	Makers       access.Makers // of the tenant's people, and of the machines among the authors
}

// Approval records who approved a pack, when, and which bytes.
type Approval struct {
	Actor    string `json:"actor"`
	Name     string `json:"name,omitempty"`  // as shown; never in the Statement or the log
	Title    string `json:"title,omitempty"` // job title then, where the name is and nowhere else
	Role     string `json:"role"`
	At       string `json:"at"`
	Digest   string `json:"digest"`
	Comment  string `json:"comment,omitempty"`
	LogIndex int64  `json:"log_index"` // of its event in the tenant's log, from 0; set once it is logged

	For *Behalf `json:"for,omitempty"` // whose deputy the approver was; nil for an approval in one's own name

	Acknowledged []string `json:"acknowledged,omitempty"` // ids of the alarms that the approver acknowledged
	Since        []Since  `json:"since,omitempty"`        // those of them that are about what changed after submission
}

// Return records why a pack was returned, or a draft discarded.
type Return struct {
	Actor  string `json:"actor"`
	Name   string `json:"name,omitempty"`
	At     string `json:"at"`
	Reason string `json:"reason"`
}

// Hold is a legal hold.
type Hold struct {
	Actor  string `json:"actor"`
	At     string `json:"at"`
	Reason string `json:"reason"`
}

// Reviewer returns what the API calls reviewer_id and reviewed_at: the last approval of a signed-off pack, or who
// returned it.
func (l *Life) Reviewer() (id, at string) {
	switch {
	case l.Return != nil:
		return l.Return.Actor, l.Return.At
	case l.State != InReview && len(l.Approvals) > 0:
		last := l.Approvals[len(l.Approvals)-1]
		return last.Actor, last.At
	}
	return "", ""
}

// Unresolved reports whether the pack still lacks the approval that it needs (rule P-12).
func (l *Life) Unresolved() bool {
	return l.Mandatory && (l.State == Draft || l.State == InReview || l.State == Returned)
}

// Frozen reports whether the content was submitted: it is the bytes of pack.json, and can no longer change.
func (l *Life) Frozen() bool { return l.State != Draft && l.State != Discarded }

// Chain is a pack followed by the packs that it supersedes, newest first: decisions about the first one take all into
// account. Its methods change nothing if they return an error; otherwise store every pack of the chain.
type Chain []*Life

// Authors returns who made or edited any version, each once, in order.
func (c Chain) Authors() []string {
	var out []string
	for _, l := range c {
		out = append(out, l.Authors...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// HasTokenIssuer reports whether a machine whose token a person created has made or edited any version: that person
// could have used the token.
func (c Chain) HasTokenIssuer(who string) bool {
	return slices.ContainsFunc(c, func(l *Life) bool { return slices.Contains(l.TokenIssuers, who) })
}

// LastSigned returns the newest version before the first one of the chain that was signed off; "" if none was.
func (c Chain) LastSigned() string {
	for _, l := range c[1:] {
		// a returned one becomes superseded as well
		if l.State == SignedOff || l.State == Superseded && l.Return == nil {
			return l.PackID
		}
	}
	return ""
}

// person reports whether the actor is a person, not a machine or the command line.
func person(who access.Actor) bool { return who.Human && who.ID != "" && who.ID != access.Operator }

func denied(id string) *domain.Error {
	return domain.Refuse(domain.Denied, "", id)
}

// may checks state, revision and role before a change.
func (l *Life) may(who access.Actor, least access.Role, revision int, states ...State) error {
	if !who.Role.AtLeast(least) {
		return denied("fault_role")
	}
	if revision != l.Revision {
		return errChanged()
	}
	if !slices.Contains(states, l.State) {
		return domain.Refuse(domain.Conflict, "", "refused_pack_state_"+string(l.State))
	}
	return nil
}

func errChanged() error {
	return domain.Refuse(domain.Conflict, "", "refused_pack_changed")
}

// Words returns the state as it is shown.
func (s State) Words() string {
	switch s {
	case InReview:
		return "in review"
	case SignedOff:
		return "signed off"
	case Draft, Returned, Superseded, Discarded:
	}
	return string(s)
}

func (l *Life) madeBy(id string) {
	if !slices.Contains(l.Authors, id) {
		l.Authors = append(l.Authors, id)
	}
	l.Revision++
}

// ApprovalNames returns the names of those who approved, in their order.
func (l *Life) ApprovalNames() (out []string) {
	for i := range l.Approvals {
		if name := cmp.Or(l.Approvals[i].Name, l.Approvals[i].Actor); !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}
