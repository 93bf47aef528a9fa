package ledger

import (
	"slices"
	"time"

	"sanad/internal/domain/due"
	"sanad/internal/domain/filter"
)

// UnjudgedOnly filters a list by claims that have no verdict, where other filters have a Verdict.
const UnjudgedOnly Verdict = "unjudged"

// FilterVerdicts lists the values of a filter by verdict.
var FilterVerdicts = append(slices.Clone(Verdicts), UnjudgedOnly)

// ClaimFilter selects claims of a ledger: those that meet all its conditions. ClaimFilters says what each field means.
type ClaimFilter struct {
	Verdict    Verdict         `json:"verdict"`
	Tier       Tier            `json:"tier"`
	Type       ClaimType       `json:"claim_type"`
	Importance Importance      `json:"importance"`
	Flag       RiskType        `json:"flag"`
	Citation   CitationStatus  `json:"citation"`
	Quotation  QuotationStatus `json:"quotation"`
	Flagged    bool            `json:"flagged"`
	Unreviewed bool            `json:"unreviewed"`
	Unsettled  bool            `json:"unsettled"`
	Differs    bool            `json:"differs"`
	Threads    bool            `json:"threads"`
	Uncited    bool            `json:"uncited"`
	Stale      bool            `json:"stale"`
	Aside      ReviewState     `json:"aside"`
	Text       string          `json:"q"`
}

// ClaimFilters are the filters of a ledger.
var ClaimFilters = filter.List[ClaimFilter]{
	filter.Text("q", "Words that must all occur in the claim, in any form.", func(f *ClaimFilter) *string { return &f.Text }),
	filter.OneOf("verdict", "", FilterVerdicts, func(f *ClaimFilter) *Verdict { return &f.Verdict }),
	filter.OneOf("tier", "Of the weak ones, those that are more likely supported than not, or those that are not.", Tiers,
		func(f *ClaimFilter) *Tier { return &f.Tier }),
	filter.OneOf("type", "", ClaimTypes, func(f *ClaimFilter) *ClaimType { return &f.Type }).Called("claim_type"),
	filter.OneOf("importance", "", Importances, func(f *ClaimFilter) *Importance { return &f.Importance }),
	filter.OneOf("flag", "With this risk flag.", RiskTypes, func(f *ClaimFilter) *RiskType { return &f.Flag }),
	filter.OneOf("citation", "One of its citations has this status.", CitationStatuses,
		func(f *ClaimFilter) *CitationStatus { return &f.Citation }),
	filter.OneOf("quotation", "One of its quotations has this status.", QuotationStatuses,
		func(f *ClaimFilter) *QuotationStatus { return &f.Quotation }),
	filter.Only("flagged", "With any risk flag.", func(f *ClaimFilter) *bool { return &f.Flagged }),
	filter.Only("unreviewed", "Nobody has reviewed it.", func(f *ClaimFilter) *bool { return &f.Unreviewed }),
	filter.Only("unsettled", "No person has given a verdict that counts, or two differ.",
		func(f *ClaimFilter) *bool { return &f.Unsettled }),
	filter.Only("differs", "Two reviewers give different verdicts, and nobody has settled it.",
		func(f *ClaimFilter) *bool { return &f.Differs }),
	filter.Only("threads", "A thread of comments on it is open.", func(f *ClaimFilter) *bool { return &f.Threads }),
	filter.Only("uncited", "It requires a citation and has none.", func(f *ClaimFilter) *bool { return &f.Uncited }),
	filter.Only("stale", "Its deciding review was made of a judgement that has changed since.",
		func(f *ClaimFilter) *bool { return &f.Stale }),
	filter.OneOf("aside", "Claims that no longer count, which all other lists leave out: not_a_claim, a person said so; "+
		"replaced, others came in its place.", Aside, func(f *ClaimFilter) *ReviewState { return &f.Aside }),
}

// SessionFilters are the filters and the order of the list of sessions.
var SessionFilters = filter.List[SessionQuery]{
	filter.OneOf("state", "open: new or in review.", append([]State{StateOpen}, States...),
		func(q *SessionQuery) *State { return &q.State }),
	filter.OneOf("assigned", "Those that the caller is to review. With state open, without those whose claims the caller has "+
		"all decided.", []string{AssignedMe}, func(q *SessionQuery) *string { return &q.Assigned }),
	filter.Text("reviewer", "The id of a person who is to review it, first or second.",
		func(q *SessionQuery) *string { return &q.Reviewer }),
	filter.OneOf("verdict", "With a claim of this verdict.", Verdicts, func(q *SessionQuery) *Verdict { return &q.Verdict }),
	filter.OneOf("flag", "With this risk flag.", RiskTypes, func(q *SessionQuery) *RiskType { return &q.Flag }),
	filter.Only("threads", "With an open thread of comments.", func(q *SessionQuery) *bool { return &q.Threads }),
	filter.OneOf("due", due.AboutFilter, due.Filters, func(q *SessionQuery) *due.State { return &q.Due }),
	filter.Text("q", "In the title or the question.", func(q *SessionQuery) *string { return &q.Text }),
	filter.OneOf("sort", "", []string{"created", "title", "coverage", "claims"},
		func(q *SessionQuery) *string { return &q.Sort }),
	filter.OneOf("dir", "", []string{"asc", "desc"}, func(q *SessionQuery) *string { return &q.Dir }),
}

// FindFilters are the filters of a search.
var FindFilters = filter.List[FindQuery]{
	filter.Text("q", "The words to look for.", func(q *FindQuery) *string { return &q.Text }),
	filter.OneOf("kind", "", FindKinds, func(q *FindQuery) *FindKind { return &q.Kind }),
	filter.OneOf("verdict", "Claims of this verdict, and notes on them.", FilterVerdicts,
		func(q *FindQuery) *Verdict { return &q.Verdict }),
	filter.OneOf("state", "In sessions of this state.", States, func(q *FindQuery) *State { return &q.State }),
	filter.From("from", "Sessions that came in, or notes written, on this day (UTC) or later.",
		func(q *FindQuery) *time.Time { return &q.From }),
	filter.To("to", "On this day or earlier.", func(q *FindQuery) *time.Time { return &q.To }),
}
