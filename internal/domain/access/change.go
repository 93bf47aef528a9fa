package access

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"sanad/internal/domain"
	"sanad/internal/words"
)

// ChangeKind is what a change that may need a second administrator is about (rule P-29). Kinds are stored.
type ChangeKind string

// The kinds of change.
const (
	AddPerson      ChangeKind = "user.add"
	InvitePerson   ChangeKind = "user.invite"
	ChangeRole     ChangeKind = "user.role"
	ChangeAccess   ChangeKind = "user.access" // disabled or enabled
	ResetPassword  ChangeKind = "user.password"
	RemoveCodes    ChangeKind = "user.totp_off"
	ChangePolicy   ChangeKind = "policy"
	ChangeHold     ChangeKind = "hold" // of a session or document
	ChangePackHold ChangeKind = "pack_hold"
	ChangeFactor   ChangeKind = "second_factor" // whether approvers and administrators need a second factor

	ChangeRetention ChangeKind = "retention"   // the retention periods
	NameDeputy      ChangeKind = "user.deputy" // of somebody else
)

// ChangeKinds lists them in display order.
var ChangeKinds = []ChangeKind{AddPerson, InvitePerson, ChangeRole, ChangeAccess, ResetPassword, RemoveCodes,
	ChangePolicy, ChangeHold, ChangePackHold, ChangeFactor, ChangeRetention, NameDeputy}

// OfAccount reports whether the change is one of a person's account or membership.
func (k ChangeKind) OfAccount() bool {
	return slices.Contains([]ChangeKind{AddPerson, InvitePerson, ChangeRole, ChangeAccess, ResetPassword, RemoveCodes,
		NameDeputy}, k)
}

// Change is a change of administration: what it is about, and what it sets. The JSON is stored.
type Change struct {
	Kind   ChangeKind `json:"-"`
	Object string     `json:"-"` // id of the person, link, session, document or pack; of a new or invited person the login name; else ""

	Reason string `json:"-"` // of a hold

	UserID     string          `json:"user_id,omitempty"` // of a new person
	Name       string          `json:"name,omitempty"`    // of a person
	Email      string          `json:"email,omitempty"`
	Role       Role            `json:"role,omitempty"` // that the person gets, or has
	Was        Role            `json:"was,omitempty"`
	Password   string          `json:"password,omitempty"`    // PHC string; removed when the request is decided
	KeepTokens bool            `json:"keep_tokens,omitempty"` // the person's API tokens outlive the new password
	On         bool            `json:"on,omitempty"`          // access enabled, hold set, factor required, no period shortened
	Of         string          `json:"of,omitempty"`          // kind of the object of a hold
	Policy     json.RawMessage `json:"policy,omitempty"`
	Version    int             `json:"version,omitempty"` // of the policy in force when it was asked

	Days map[string]int `json:"days,omitempty"` // of the retention periods that change, by kind; 0 for none

	Deputy *DeputyChange `json:"deputy,omitempty"` // of the person

	Link     string `json:"link,omitempty"`      // hash of an invitation's link; removed when the request is decided
	LinkDays int    `json:"link_days,omitempty"` // how long it can be used; 0 for an invitation by name
}

// DeputyChange is the deputy that a person is to have, and from when until when. The JSON is stored.
type DeputyChange struct {
	ID     string    `json:"id"`
	Name   string    `json:"name"`
	Starts time.Time `json:"starts"`
	Ends   time.Time `json:"ends"`
	Zone   string    `json:"zone,omitempty"` // in which the days were chosen, "" for UTC
}

// Demanded reports whether a tenant's changes need a second administrator now (rule P-29): it has two, or one of two
// was removed, disabled or demoted within MakerFor. admins is how many enabled ones it has, lost when that last
// happened, zero if never.
func Demanded(admins int, lost, now time.Time) bool {
	return admins >= 2 || !lost.IsZero() && now.Sub(lost) < MakerFor
}

// NeedsSecond reports whether a change by a needs a second administrator in a tenant that demands one. The
// operator's changes never do, nor does a new password or the removal of one-time codes of one's own account. Disabling
// somebody who is not an administrator does not either, nor does setting a legal hold: neither must wait. Retention
// periods need one unless they erase nothing sooner. Adding or inviting a person does from approver on.
func NeedsSecond(a Actor, c *Change) bool {
	if a.ID == Operator {
		return false
	}
	switch c.Kind {
	case AddPerson, InvitePerson:
		return c.Role.AtLeast(Approver)
	case ChangeAccess:
		return c.On || c.Role == Admin
	case ResetPassword, RemoveCodes:
		return c.Object != a.ID
	case ChangeHold, ChangePackHold, ChangeFactor, ChangeRetention:
		return !c.On
	}
	return true
}

// RequestState is how far a request for a change is. States are stored.
type RequestState string

// The states of a request. Only one that is asked can become another.
const (
	Asked     RequestState = "asked"
	Confirmed RequestState = "confirmed" // and made
	Refused   RequestState = "refused"
	Withdrawn RequestState = "withdrawn" // by the one who asked
	Lapsed    RequestState = "lapsed"    // nobody decided within RequestFor
)

// RequestFor is how long a request waits for a second administrator.
const RequestFor = 7 * 24 * time.Hour

// Request is a change that one administrator asked for and another decides.
type Request struct {
	ID     string
	Change Change
	Reason string
	State  RequestState

	AskedBy, AskedName     string
	AskedAt, ExpiresAt     time.Time
	DecidedBy, DecidedName string // "" while asked, and if it lapsed
	DecidedAt              time.Time

	Bars Bar // what keeps the reader from confirming it; set by lists
}

// Bar is what keeps somebody from confirming a request.
type Bar string

// The bars.
const (
	NoBar    Bar = ""
	BarOwn   Bar = "own"    // they asked for it
	BarLinks Bar = "linked" // they count as one person (rule P-22)
	BarRole  Bar = "role"   // no administrator, or a machine

	BarDeputy Bar = "deputy" // they would be the deputy, or have one (rule P-31)
)

// BarOf returns what keeps second from confirming a request.
func BarOf(r *Request, second Actor, makers Makers) Bar {
	switch {
	case !second.Human || !second.Role.AtLeast(Admin):
		return BarRole
	case second.ID == r.AskedBy:
		return BarOwn
	case makers.OnePerson(second.ID, r.AskedBy):
		return BarLinks
	case r.Change.Deputy != nil && (second.ID == r.Change.Deputy.ID || second.ID == r.Change.Object):
		return BarDeputy
	}
	return NoBar
}

// MayConfirm returns why second may not confirm a request, nil if they may.
func MayConfirm(r *Request, second Actor, makers Makers) error {
	return map[Bar]error{
		BarRole:  denied("refused_change_confirm_person"),
		BarOwn:   denied("refused_change_own"),
		BarLinks: denied("refused_change_linked"),

		BarDeputy: denied("refused_change_deputy"),
	}[BarOf(r, second, makers)]
}

// MayRefuse returns why somebody may not refuse a request, nil if they may: any administrator but the one who asked.
func MayRefuse(r *Request, who Actor) error {
	switch {
	case !who.Human || !who.Role.AtLeast(Admin):
		return denied("refused_change_refuse_person")
	case who.ID == r.AskedBy:
		return denied("refused_change_refuse_own")
	}
	return nil
}

// MayWithdraw returns why somebody may not take a request back, nil if they may: only who asked for it.
func MayWithdraw(r *Request, who Actor) error {
	if who.ID != r.AskedBy {
		return denied("refused_change_withdraw")
	}
	return nil
}

func denied(id string) error {
	return domain.Refuse(domain.Denied, "", id)
}

// maxReason is the length limit of a reason, in code points.
const maxReason = 2000

// ErrWhy is the cause of a refusal for want of a reason, or for too long a one.
var ErrWhy = errors.New("no reason")

func noReason(id string) error {
	return &domain.Error{Kind: domain.Invalid, Path: "reason", Message: words.Msg(id), Err: ErrWhy}
}

// ChangeReason checks the reason for a change that a second administrator decides.
func ChangeReason(text string) (string, error) {
	text = strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD"))
	switch n := utf8.RuneCountInString(text); {
	case n == 0:
		return "", noReason("refused_second_administrator_decides")
	case n > maxReason:
		return "", noReason("refused_reason_most_2000")
	}
	return text, nil
}

// Demand is whether changes in a tenant need a second administrator now, and whether there is one.
type Demand struct {
	On     bool
	Until  time.Time // when it ends unless there are two administrators again; zero while there are
	Admins int       // enabled administrators of the tenant
	Able   int       // those of them who could confirm what the reader asks for
}
