package pack

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/notify"
	"sanad/internal/words"
)

// MaxComments is how many comments a pack takes.
const MaxComments = 1000

// Comment is what somebody said of a pack, in whatever state it is. It is no part of pack.json, of what is signed, or
// of an export (rule N-1).
type Comment struct {
	ID        string
	By        string // id
	Name      string // as shown now, or then if the person has left
	Role      string // then
	At        time.Time
	Text      string
	Mentions  []notify.Mention
	Withdrawn time.Time // zero if it stands
}

// CheckComment returns a comment's text as it is stored, or an error if it says nothing or too much.
func CheckComment(text string) (string, error) {
	text = strings.TrimSpace(text)
	switch {
	case text == "" || !utf8.ValidString(text):
		return "", domain.Refuse(domain.Invalid, "text", "refused_comment_missing")
	case utf8.RuneCountInString(text) > ledger.MaxComment:
		return "", domain.Refuse(domain.TooLarge, "text", "fault_comment_long", "N", ledger.MaxComment)
	}
	return text, nil
}

// MayWithdraw returns an error if who may not withdraw the comment with an id: only its author may, once.
func MayWithdraw(all []Comment, id string, who access.Actor) error {
	i := slices.IndexFunc(all, func(c Comment) bool { return c.ID == id })
	switch {
	case i < 0:
		return &domain.Error{Kind: domain.NotFound, Message: words.Msg("refused_pack_such_comment")}
	case all[i].By != who.ID:
		return denied("refused_comment_other")
	case !all[i].Withdrawn.IsZero():
		return domain.Refuse(domain.Conflict, "", "refused_comment_withdrawn")
	}
	return nil
}
