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

// MaxComments is how many comments a pack takes, replies and reopenings of threads among them.
const MaxComments = 1000

// Comment is what somebody said of a pack, in whatever state it is, or that they resolved or reopened a thread. It is
// no part of pack.json, of what is signed, or of an export (rule N-1).
type Comment struct {
	ID        string
	By        string // id
	Name      string // as shown now, or then if the person has left
	Role      string // then
	At        time.Time
	Text      string
	Mentions  []notify.Mention
	Action    ledger.Action // Comment, Resolve or Reopen
	Asks      bool          // a comment that must be answered or resolved
	Thread    string        // id of the comment that begins the thread it belongs to, "" if it begins one
	Withdrawn time.Time     // zero if it stands
}

// Place is the id of the comment that a page is opened at to see it: of what is said of a thread, the one that begins
// it.
func (c *Comment) Place() string {
	if c.Action != ledger.Comment {
		return c.Thread
	}
	return c.ID
}

// CheckComment returns a comment's text as it is stored, or an error if it says nothing or too much.
func CheckComment(c *Comment) (string, error) {
	text := strings.TrimSpace(c.Text)
	switch {
	case c.Action != ledger.Comment:
		return "", nil
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
	case all[i].By != who.ID || all[i].Action != ledger.Comment:
		return denied("refused_comment_other")
	case !all[i].Withdrawn.IsZero():
		return domain.Refuse(domain.Conflict, "", "refused_comment_withdrawn")
	}
	return nil
}

// Thread is a comment on a pack that begins a thread, with what followed (rule N-6). Places are those of the comments.
type Thread struct {
	First, Resolved int // Resolved is -1 while nobody has resolved it
	Replies         []int
	Open            bool
	ledger.ThreadState
}

// Threads returns the threads of a pack's comments, which are in order.
func Threads(all []Comment) (out []Thread) {
	at := map[string]int{}
	for i := range all {
		c := &all[i]
		stands := c.Withdrawn.IsZero()
		n, follows := at[c.Thread]
		switch {
		case c.Thread == "":
			at[c.ID] = len(out)
			out = append(out, Thread{First: i, Resolved: -1,
				ThreadState: ledger.ThreadState{Stands: stands, Wants: stands && c.Asks}})
		case !follows: // the store refuses it
		case c.Action == ledger.Resolve:
			out[n].Resolved = i
		case c.Action == ledger.Reopen:
			out[n].Resolved = -1
		default:
			x := &out[n]
			x.Replies = append(x.Replies, i)
			x.Count++
			x.Stands, x.Wants = x.Stands || stands, x.Wants || stands
		}
	}
	for i := range out {
		x := &out[i]
		x.Closed = x.Resolved >= 0
		x.Open = x.Wants && !x.Closed
	}
	return out
}

// OpenThreads returns the ids of the comments that begin open threads.
func OpenThreads(all []Comment) (out []string) {
	for _, x := range Threads(all) {
		if x.Open {
			out = append(out, all[x.First].ID)
		}
	}
	return out
}

// Takes refuses a new comment, resolution or reopening that the comments of a pack do not allow. Its thread becomes
// that of the comment that c.Thread names. A resolution is taken even where there is no room for more comments.
func Takes(all []Comment, c *Comment) error {
	taken := 0 // each reopening takes the place of a comment, so that there are at most as many resolutions
	for i := range all {
		if all[i].Action != ledger.Resolve {
			taken++
		}
	}
	if taken >= MaxComments && c.Action != ledger.Resolve {
		return domain.Refuse(domain.Conflict, "", "refused_comments_full", "N", MaxComments)
	}
	if c.Thread == "" && c.Action == ledger.Comment {
		return nil
	}
	c.Asks = false
	for _, x := range Threads(all) {
		if is := func(n int) bool { return all[n].ID == c.Thread }; is(x.First) || slices.ContainsFunc(x.Replies, is) {
			c.Thread = all[x.First].ID
			return x.May(c.Action)
		}
	}
	return domain.Refuse(domain.Invalid, "thread", "refused_thread_none")
}

// PeopleOf returns the people of the thread that a reply or a resolution belongs to: who wrote in it, and who is
// addressed.
func PeopleOf(all []Comment, c *Comment) (out []string) {
	if c.Thread == "" || c.Action == ledger.Reopen {
		return nil
	}
	for i := range all {
		x := &all[i]
		if x.Action == ledger.Comment && (x.ID == c.Thread || x.Thread == c.Thread) && x.Withdrawn.IsZero() {
			out = append(append(out, x.By), notify.Addressed(x.Mentions)...)
		}
	}
	return out
}
