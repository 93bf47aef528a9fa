package packs

import (
	"sanad/internal/domain/access"
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
	Fault    *ui.FormFault
}

// CommentsView is the section of comments.
type CommentsView struct {
	Lines  []CommentLine
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
}

func commentsView(c *ui.Chrome, in *Said, href string) *CommentsView {
	v := &CommentsView{May: c.May.DraftPack, Action: href + "/comments", Text: in.Text, Fault: c.FaultWords(in.Fault),
		People: in.People}
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
		v.Lines = append(v.Lines, line)
	}
	return v
}
