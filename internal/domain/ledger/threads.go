package ledger

import (
	"slices"

	"sanad/internal/domain"
)

// MaxReplies is how many replies a thread takes, on a claim or a pack.
const MaxReplies = 100

// Thread is a comment on a claim and what belongs to it. Places are those of the claim's reviews, from 0.
type Thread struct {
	First    int   // the comment that begins it
	Replies  []int // in order, withdrawn ones too
	Open     bool  // it is to be resolved: it asks for an answer or somebody replied, and nobody has resolved it
	Resolved int   // the review that resolved it, -1 while nobody has

	ThreadState
}

// Threads returns the threads of a claim, in order: each comment that answers none begins one (rule N-6).
func (c *Claim) Threads() (out []Thread) {
	if !slices.ContainsFunc(c.Reviews, func(r Review) bool { return r.Action == Comment }) {
		return nil
	}
	gone := c.undone()
	at := map[int]int{} // places in out, by the number of the first comment
	for i := range c.Reviews {
		r := &c.Reviews[i]
		withdrawn := gone != nil && gone[i]
		n, follows := at[r.Thread]
		switch {
		case r.Action == Comment && !follows:
			at[i+1] = len(out)
			out = append(out, Thread{First: i, Resolved: -1,
				ThreadState: ThreadState{Stands: !withdrawn, Wants: r.Asks && !withdrawn}})
		case !follows:
		case r.Action == Comment:
			x := &out[n]
			x.Replies = append(x.Replies, i)
			x.Count++
			x.Stands, x.Wants = x.Stands || !withdrawn, x.Wants || !withdrawn
		case r.Action == Resolve && !withdrawn:
			out[n].Resolved = i
		case r.Action == Reopen && !withdrawn:
			out[n].Resolved = -1
		}
	}
	for i := range out {
		x := &out[i]
		x.Closed = x.Resolved >= 0
		x.Open = x.Wants && !x.Closed
	}
	return out
}

// ThreadOf returns the thread that a comment with an id belongs to, nil if there is none.
func (c *Claim) ThreadOf(id string) *Thread {
	if id == "" {
		return nil
	}
	all := c.Threads()
	for i := range all {
		if all[i].Has(c, id) {
			return &all[i]
		}
	}
	return nil
}

// Has reports whether one of the thread's comments has an id; c is the thread's claim.
func (x *Thread) Has(c *Claim, id string) bool {
	is := func(n int) bool { return c.Reviews[n].ID == id }
	return id != "" && (is(x.First) || slices.ContainsFunc(x.Replies, is))
}

// OpenThreads returns the claim's threads that are to be resolved.
func (c *Claim) OpenThreads() []Thread {
	return slices.DeleteFunc(c.Threads(), func(x Thread) bool { return !x.Open })
}

// takeThread says which thread a reply, a resolution or a reopening belongs to, by the id of one of its comments; "" is
// none, for a comment of its own. visible is the claim as the reviewer sees it, whole as it is.
func (r *Review) takeThread(id string, visible, whole *Claim) error {
	if id == "" && r.Action == Comment {
		return nil
	}
	x := visible.ThreadOf(id)
	if x == nil {
		return domain.Refuse(domain.Invalid, "review_id", "refused_thread_none")
	}
	if err := x.May(r.Action); err != nil {
		return err
	}
	first := visible.Reviews[x.First].ID
	r.Thread = 1 + slices.IndexFunc(whole.Reviews, func(y Review) bool { return y.ID == first })
	return nil
}

// Did is what a review did, as messages name it: a comment that answers one is a reply.
func (r *Review) Did() string {
	switch {
	case r.Action == Comment && r.Thread > 0:
		return "reply"
	case r.Action == Comment && r.Asks:
		return "ask"
	}
	return string(r.Action)
}

// ThreadsAt returns whether the claim's comments begin an open thread, by their place, from 0; only those that have
// begun one that was to be resolved are in it.
func (c *Claim) ThreadsAt() map[int]bool {
	var out map[int]bool
	for _, x := range c.Threads() {
		if x.Open || x.Resolved >= 0 {
			if out == nil {
				out = map[int]bool{}
			}
			out[x.First] = x.Open
		}
	}
	return out
}

// ThreadState is what decides what may be done to a thread, on a claim or a pack.
type ThreadState struct {
	Stands bool // one of its comments is not withdrawn
	Wants  bool // it asks for an answer, or a reply stands
	Closed bool // somebody has resolved it
	Count  int  // replies, withdrawn ones too
}

// May refuses, as a conflict, what cannot be done to the thread as it is: comment is a reply.
func (x ThreadState) May(action Action) error {
	switch {
	case action != Resolve && !x.Stands:
		return domain.Refuse(domain.Conflict, "", "fault_reply_withdrawn")
	case action == Comment && x.Count >= MaxReplies:
		return domain.Refuse(domain.Conflict, "", "fault_replies_full", "N", MaxReplies)
	case action == Resolve && x.Closed:
		return domain.Refuse(domain.Conflict, "", "fault_thread_resolved")
	case action == Resolve && !x.Wants:
		return domain.Refuse(domain.Conflict, "", "fault_thread_asks_nothing")
	case action == Reopen && !x.Closed:
		return domain.Refuse(domain.Conflict, "", "fault_thread_open")
	}
	return nil
}
