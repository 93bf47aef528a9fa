package ledger

import (
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
