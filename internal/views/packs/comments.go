package packs

import (
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/notify"
	"sanad/internal/domain/pack"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// Said is what people said of a pack, and what the reader typed.
type Said struct {
	Comments []pack.Comment // oldest first
	People   []access.Named // who can be mentioned
	Reader   string         // id
	Text     string         // typed, and refused
	Asks     bool           // likewise
	Thread   string         // the thread that it was typed in, "" for none
	Fault    *ui.FormFault
}

// CommentsView is the section of comments.
type CommentsView struct {
	Lines  []CommentLine
	Open   string // how many threads are open, "" if none
	Asks   bool
	May    bool // the reader may comment
	Action string
	Text   string
	Fault  string
	People []access.Named
}

// CommentLine is one comment.
type CommentLine struct {
	ID, Who, Role string
	At            say.Moment
	Text          string
	Mentions      []notify.Mention
	Withdrawn     string // when, "" if it stands
	Withdraw      string // where the reader's own is withdrawn, "" if it isn't theirs
	Did           string // what was done to a thread, "" for a comment
	Thread        *CommentThread
}

// CommentThread is what follows a comment that begins a thread.
type CommentThread struct {
	Lines       []CommentLine // replies, and who resolved or reopened it, oldest first
	State       string        // that it is open or resolved, "" for a comment that asks nothing
	Open, Reply bool          // Reply: the reader may reply
	Do, Label   string        // where the reader resolves or reopens it; "" if they may do neither
	About       string        // the thread, for screen readers
	Text, Fault string        // of a reply, typed and refused
}

// NewCommentsView lays out what people said of the pack at an address. Pure.
func NewCommentsView(c *ui.Chrome, in *Said, href string) *CommentsView {
	v := &CommentsView{May: c.May.DraftPack, Action: href + "/comments", People: in.People}
	if in.Thread == "" {
		v.Text, v.Asks, v.Fault = in.Text, in.Asks, c.FaultWords(in.Fault)
	}
	lines := make([]CommentLine, len(in.Comments))
	for i := range in.Comments {
		x := &in.Comments[i]
		line := CommentLine{ID: x.ID, Who: x.Name, Role: c.Known("role_", x.Role), At: c.Minute(x.At), Text: x.Text,
			Mentions: x.Mentions}
		switch {
		case !x.Withdrawn.IsZero():
			line.Withdrawn = c.T("comment_withdrawn_on", "Time", c.Time(x.Withdrawn))
		case v.May && x.By == in.Reader:
			line.Withdraw = v.Action + "/" + x.ID + "/withdraw"
		}
		if x.Action != ledger.Comment {
			line.Did = c.T("review_did", "Did", c.T("did_"+string(x.Action)))
		}
		lines[i] = line
	}
	v.threads(c, in, lines)
	return v
}

// threads puts what belongs to a thread under the comment that begins it. lines are those of the comments.
func (v *CommentsView) threads(c *ui.Chrome, in *Said, lines []CommentLine) {
	open, at := 0, map[string]*CommentThread{}
	for _, x := range pack.Threads(in.Comments) {
		first := &in.Comments[x.First]
		t := &CommentThread{Open: x.Open, Reply: v.May && x.May(ledger.Comment) == nil,
			About: c.T("thread_of", "Name", c.OwnName(first.Name))}
		var do string
		if t.State, do, t.Label = c.ThreadWords(x.Open, x.Closed, v.May); do != "" {
			t.Do = v.Action + "/" + first.ID + "/" + do
		}
		if x.Open {
			open++
		}
		if in.Thread == first.ID {
			t.Text, t.Fault = in.Text, c.FaultWords(in.Fault)
		}
		at[first.ID] = t
	}
	for i := range in.Comments {
		if t := at[in.Comments[i].Thread]; t != nil {
			t.Lines = append(t.Lines, lines[i])
		}
	}
	for i := range in.Comments {
		if in.Comments[i].Thread == "" {
			lines[i].Thread = at[in.Comments[i].ID]
			v.Lines = append(v.Lines, lines[i])
		}
	}
	if open > 0 {
		v.Open = c.N("n_threads_open", open)
	}
}
