// Package erasure holds the rules of deleting for good: what may be erased, what stands in the way, who decides, and
// how long things are kept (rules ER-1 to ER-4).
package erasure

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/words"
)

// Kind is what an erasure is about. Kinds are stored.
type Kind string

// The kinds that can be erased.
const (
	Session  Kind = "session"
	Document Kind = "document"
	Bundle   Kind = "bundle"
	Artifact Kind = "artifact" // in the lake; its id is its path
	Upload   Kind = "upload"   // what a job was given
	Pack     Kind = "pack"
	Library  Kind = "library" // a document of the library with all of its versions
)

// Kinds lists them in display order.
var Kinds = []Kind{Session, Document, Library, Bundle, Artifact, Upload, Pack}

// Retained lists the kinds that may have a retention period. Packs have one of their own (rule P-17).
var Retained = []Kind{Session, Document, Library, Bundle, Artifact, Upload}

// Holdable lists the kinds that can be put under legal hold here. Packs have a hold of their own (rule P-17).
var Holdable = []Kind{Session, Document, Library}

// Valid reports whether k is a kind.
func (k Kind) Valid() bool { return slices.Contains(Kinds, k) }

// State is how far an erasure is. States are stored.
type State string

// The states of an erasure. Erasing means that the rows are gone, but files or traces in the database may remain; it is
// finished at the next start if the process was killed.
const (
	Asked   State = "asked"
	Erasing State = "erasing"
	Done    State = "done"
	Refused State = "refused"
)

// Request is an erasure: asked for by one person and confirmed by another, or made because a period was over.
type Request struct {
	ID        string
	Kind      Kind
	ObjectID  string // of an artifact that is erased, the SHA-256 of its path
	SessionID string // of a document; "" otherwise
	Title     string // of what is still there; never stored with the request
	State     State
	Retention bool // a retention period was over; nobody asked
	Reason    string
	Counts    map[string]int // what goes, by name: "claims", "documents"
	Files     int            // outside the database
	Bytes     int64          // of these files

	AskedBy, AskedName         string
	AskedAt                    time.Time
	ConfirmedBy, ConfirmedName string // or refused by; "" while asked
	ConfirmedAt, DoneAt        time.Time
}

// ObstacleCode names what stands in the way of an erasure.
type ObstacleCode string

// The obstacles.
const (
	OnHold    ObstacleCode = "legal_hold"
	InReview  ObstacleCode = "pack_in_review"
	InPack    ObstacleCode = "pack_refers"    // a pack that was not erased or purged
	Successor ObstacleCode = "newer_version"  // of a pack
	Unended   ObstacleCode = "job_not_ended"  // of an upload
	Gone      ObstacleCode = "already_erased" // of a document
)

// Obstacle is something that stands in the way, and the object that it is about.
type Obstacle struct {
	Code   ObstacleCode `json:"code"`
	Object string       `json:"object"`
}

// Message says what stands in the way and what would clear it.
func (o Obstacle) Message() domain.Message {
	switch o.Code {
	case OnHold:
		return words.Msg("refused_held", "Object", o.Object)
	case InReview:
		return words.Msg("refused_held_review", "Object", o.Object)
	case InPack:
		return words.Msg("refused_held_pack", "Object", o.Object)
	case Successor:
		return words.Msg("refused_held_newer", "Object", o.Object)
	case Unended:
		return words.Msg("refused_held_job", "Object", o.Object)
	case Gone:
		return words.Msg("refused_held_erased", "Object", o.Object)
	}
	return words.AsWritten(string(o.Code))
}

// Due is an object whose retention period is over.
type Due struct {
	Request
	Obstacles []Obstacle // why it is kept nevertheless; nil if it goes
}

// ObstacleError is the refusal of an erasure. As a domain.Error, it is a Conflict that names every obstacle.
type ObstacleError struct{ Obstacles []Obstacle }

func (e *ObstacleError) Error() string { return e.Unwrap().Error() }

// Unwrap returns the error as a domain.Error.
func (e *ObstacleError) Unwrap() error {
	all := make(words.Sentences, len(e.Obstacles))
	for i, o := range e.Obstacles {
		all[i] = o.Message()
	}
	return domain.Refuse(domain.Conflict, "", "sentences", "All", all)
}

// Clear returns nil if nothing stands in the way.
func Clear(in []Obstacle) error {
	if len(in) == 0 {
		return nil
	}
	return &ObstacleError{in}
}

// GoneError says of an erased object when and why it was erased, and nothing of what it held (rule ER-7). As a
// domain.Error, it is Gone.
type GoneError struct{ Erased Request }

func (e *GoneError) Error() string { return e.Unwrap().Error() }

// Unwrap returns the error as a domain.Error.
func (e *GoneError) Unwrap() error {
	on := e.Erased.ConfirmedAt.UTC().Format(time.DateOnly)
	if e.Erased.Retention {
		return domain.Refuse(domain.Gone, "", "refused_gone_period", "Date", on)
	}
	return domain.Refuse(domain.Gone, "", "refused_gone_asked", "Date", on, "Reason", e.Erased.Reason)
}

// MaxReason is the length limit of a reason, in code points.
const MaxReason = 2000

// Reason checks the reason for an erasure or a hold.
func Reason(text string) (string, error) {
	text = strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD"))
	switch n := utf8.RuneCountInString(text); {
	case n == 0:
		return "", domain.Refuse(domain.Invalid, "reason", "refused_reason_do_repeat")
	case n > MaxReason:
		return "", domain.Refuse(domain.Invalid, "reason", "refused_reason_most_characters", "N", MaxReason)
	}
	return text, nil
}

// MayAsk returns why an actor may not ask for an erasure, nil if they may.
func MayAsk(a access.Actor) error {
	if !a.Human || !a.Role.AtLeast(access.Admin) {
		return denied("refused_erase_ask_person")
	}
	return nil
}

// MayConfirm returns why an actor may not confirm an erasure, nil if they may.
func MayConfirm(r *Request, second access.Actor, makers access.Makers) error {
	if !second.Human || !second.Role.AtLeast(access.Approver) {
		return denied("refused_erase_person")
	}
	if second.ID == r.AskedBy {
		return denied("refused_erase_own")
	}
	if makers.OnePerson(second.ID, r.AskedBy) {
		return denied("refused_erase_linked")
	}
	return nil
}

func denied(id string) error {
	return domain.Refuse(domain.Denied, "", id)
}

// The bounds of a retention period, in days.
const (
	MinDays = 1
	MaxDays = 36_500
)

// Period is how long a tenant keeps things of a kind: Days after they were made.
type Period struct {
	Kind Kind `json:"kind"`
	Days int  `json:"days"` // 0: kept until somebody erases it
}

// CheckPeriods returns the first fault of a tenant's periods.
func CheckPeriods(all []Period) error {
	seen := map[Kind]bool{}
	for _, p := range all {
		switch {
		case !slices.Contains(Retained, p.Kind) || seen[p.Kind]:
			return domain.Refuse(domain.Invalid, "periods", "refused_name_each_session")
		case p.Days != 0 && (p.Days < MinDays || p.Days > MaxDays):
			return domain.Refuse(domain.Invalid, string(p.Kind), "refused_period_days_period", "N", MinDays, "Most",
				MaxDays)
		}
		seen[p.Kind] = true
	}
	return nil
}

// With returns periods with those of want in place of theirs.
func With(periods, want []Period) []Period {
	out := slices.Clone(periods)
	for _, p := range want {
		if at := slices.IndexFunc(out, func(x Period) bool { return x.Kind == p.Kind }); at >= 0 {
			out[at] = p
		}
	}
	return out
}

// Changes returns those of want that differ from periods, and whether one of them erases sooner.
func Changes(periods, want []Period) (out []Period, sooner bool) {
	for _, p := range want {
		at := slices.IndexFunc(periods, func(x Period) bool { return x.Kind == p.Kind })
		was := Period{Kind: p.Kind}
		if at >= 0 {
			was = periods[at]
		}
		if p == was {
			continue
		}
		out = append(out, p)
		sooner = sooner || p.Days > 0 && (was.Days == 0 || p.Days < was.Days)
	}
	return out, sooner
}

// Before returns the time of which everything older is due.
func (p Period) Before(now time.Time) time.Time { return now.UTC().AddDate(0, 0, -p.Days) }

// Hold is a legal hold that was set or lifted.
type Hold struct {
	Kind     Kind
	ObjectID string
	Held     bool // false: lifted
	Actor    string
	At       time.Time
	Reason   string
}
