package ledger

import (
	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
)

// comments completes a claim's view with who is addressed in its reviews, who can be, and a form to withdraw each of
// the reader's comments.
func (v *ClaimView) comments(p *ledger.Page, claim *ledger.Claim, reader string) {
	v.Form.People = p.People
	for i := range claim.Reviews {
		r := &claim.Reviews[i]
		v.Reviews[i].Mentions = p.Mentions[r.ID]
		if r.Action == ledger.Comment {
			v.Reviews[i].Anchor = "comment-" + r.ID
		}
		if v.c.May.Review && claim.OwnComment(reader, r.ID) == i {
			v.Reviews[i].Undo = &UndoForm{
				Action: v.Href + "/reviews", Seen: len(claim.Reviews), Label: v.c.T("comment_withdraw"),
				About: v.c.T("comment_withdraw_claim", "N", v.c.Num(claim.Number())), Of: r.ID,
			}
		}
		if r.Action == ledger.Comment && v.Reviews[i].Undone != "" {
			v.Reviews[i].Undone = v.c.T("comment_withdrawn")
		}
	}
}

// ThreadView is what follows a comment that begins a thread.
type ThreadView struct {
	State  string // that it is open or resolved, "" for a comment that asks nothing
	Open   bool
	Lines  []ReviewLine // replies, and who resolved or reopened it, oldest first
	Action string       // where the forms below are sent
	Seen   int
	Of     string // id of the comment
	Reply  bool   // the reader may reply
	Do     string // resolve or reopen, "" if the reader may do neither
	Label  string // of what the reader may do
	About  string // the thread, for screen readers
	Text   string // of a reply, typed and refused
	Fault  string
}

// threads puts what belongs to a thread under the comment that begins it. The lines are those of the claim's reviews.
func (v *ClaimView) threads(claim *ledger.Claim, form *ReviewForm) {
	at := map[int]*ThreadView{} // by number of the first comment
	for _, x := range claim.Threads() {
		r := &claim.Reviews[x.First]
		t := &ThreadView{Open: x.Open, Action: v.Href + "/reviews", Seen: len(claim.Reviews), Of: r.ID,
			Reply: v.c.May.Review && x.May(ledger.Comment) == nil, About: v.c.T("thread_of", "Name", v.c.OwnName(r.Actor))}
		at[x.First+1], v.Reviews[x.First].Thread = t, t
		t.State, t.Do, t.Label = v.c.ThreadWords(x.Open, x.Resolved >= 0, v.c.May.Review)
		if in := &form.Input; form.Fault != nil && in.Action == ledger.Comment && x.Has(claim, in.Thread) {
			t.Text = in.Reason
			if form.Fault.Kind != domain.Conflict {
				t.Fault = faultText(v.c, form.Fault)
			}
		}
	}
	for i := range claim.Reviews {
		if t := at[claim.Reviews[i].Thread]; t != nil && claim.Reviews[i].Thread > 0 {
			t.Lines, v.Reviews[i].Inside = append(t.Lines, v.Reviews[i]), true
		}
	}
}
