package pack

import (
	"cmp"
	"slices"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text/redline"
)

// Changes is what changed between two versions, or since the last sign-off (rule P-14). Lists are in the order of the
// newer content; removed items are in the order of the older.
type Changes struct {
	ClaimsAdded    []ClaimChange
	ClaimsDropped  []ClaimChange
	Flips          []ClaimChange // the effective verdict differs
	Reviewed       []ClaimChange // same verdict, but another review state or number of reviews
	SourcesAdded   []SourceChange
	SourcesDropped []SourceChange
	SourcesChanged []SourceChange // same source, but other hashes or fields
	Memo           []MemoChange
	Decision       []FieldChange // what the decision says, and the session that was copied
	Calls          []ItemChange  // intended and actual actions, and all else of a tool call
	Prompts        []ItemChange
	Attachments    []ItemChange
	Policy         []FieldChange // what the sign-off policy demands
}

// ClaimChange is a claim with its verdicts in both versions.
type ClaimChange struct {
	ClaimID  string
	Number   int // in the newer content or, if it was removed, in the older
	Text     string
	Old, New ledger.Verdict // "" if the claim is not in that version, or unjudged

	Overridden bool // by an override that the older version does not have
	SetAside   bool // it is still there, but no longer counts
}

// SourceChange is a source with its hashes in both versions; "" if it is not in one.
type SourceChange struct {
	Position         int // in the newer content or, if it was removed, in the older
	Source           string
	OldHash, NewHash string // of the content if both have that hash, else of the excerpt
	Fields           []FieldChange
}

// MemoChange is a field of the memo whose wording changed.
type MemoChange struct {
	Name, Lang string
	Old, New   string
	Pieces     []redline.Piece // the wording of both, word by word
}

// None reports whether nothing changed.
func (c *Changes) None() bool {
	return len(c.ClaimsAdded)+len(c.ClaimsDropped)+len(c.Flips)+len(c.Reviewed)+len(c.SourcesAdded)+
		len(c.SourcesDropped)+len(c.SourcesChanged)+len(c.Memo)+
		len(c.Decision)+len(c.Calls)+len(c.Prompts)+len(c.Attachments)+len(c.Policy) == 0
}

// Compare returns what changed from older to newer.
func Compare(older, newer *Content) Changes {
	var oldEntries, newEntries []Entry
	if older.Ledger != nil {
		oldEntries = older.Ledger.Entries
	}
	if newer.Ledger != nil {
		newEntries = append(slices.Clip(newer.Ledger.Entries), newer.Ledger.SetAside...)
	}
	c := CompareLedger(oldEntries, newEntries)
	c.sources(older.Sources, newer.Sources)
	c.more(older, newer)
	before, after := older.Memo.Fields(), newer.Memo.Fields()
	for i := range before {
		if before[i].Text != after[i].Text {
			x := MemoChange{Name: after[i].Name, Lang: after[i].Lang, Old: before[i].Text, New: after[i].Text}
			x.Pieces, _ = redline.Compare(x.Old, x.New) // within its limit of words a memo is never too long
			c.Memo = append(c.Memo, x)
		}
	}
	return c
}

// CompareLedger returns what changed in the claims. For "changed since sign-off", newer is Entries of the current
// ledger. A claim of newer that is set aside counts as dropped.
func CompareLedger(older, newer []Entry) Changes {
	var c Changes
	name := func(e *Entry) string { return e.ClaimID + "\x00" + e.ClaimText }
	was, aside := indexed(older, name), map[string]bool{}
	for i := range newer {
		e := &newer[i]
		if e.State.Aside() {
			aside[name(e)] = true
			continue
		}
		old := was.take(name(e))
		change := ClaimChange{ClaimID: e.ClaimID, Number: e.Number, Text: e.ClaimText, New: e.Verdict}
		change.Overridden = e.overriddenSince(old)
		switch {
		case old == nil:
			c.ClaimsAdded = append(c.ClaimsAdded, change)
			continue
		case old.Verdict != e.Verdict:
			change.Old = old.Verdict
			c.Flips = append(c.Flips, change)
		case old.State != e.State || len(old.Reviews) != len(e.Reviews):
			change.Old = old.Verdict
			c.Reviewed = append(c.Reviewed, change)
		}
	}
	for _, e := range was.rest(older) {
		c.ClaimsDropped = append(c.ClaimsDropped, ClaimChange{
			ClaimID: e.ClaimID, Number: e.Number, Text: e.ClaimText, Old: e.Verdict, SetAside: aside[name(&e)],
		})
	}
	return c
}

// overriddenSince reports whether the claim is decided by an override that its older version does not have. old is nil
// for a claim that has no older version.
func (e *Entry) overriddenSince(old *Entry) bool {
	return e.State == ledger.Overridden &&
		(old == nil || old.State != e.State || old.Verdict != e.Verdict || old.overrides() < e.overrides())
}

// overrides counts them, with those that were undone: reviews are never taken away.
func (e *Entry) overrides() (n int) {
	for i := range e.Reviews {
		if e.Reviews[i].Action == ledger.Override {
			n++
		}
	}
	return n
}

func (c *Changes) sources(older, newer []EvidenceSource) {
	name := func(s *EvidenceSource) string { return s.Source + "\x00" + s.URI + "\x00" + s.InternalRef }
	was := indexed(older, name)
	for i := range newer {
		s := &newer[i]
		old := was.take(name(s))
		change := SourceChange{Position: i, Source: s.Source, NewHash: cmp.Or(s.ContentHash, s.ExcerptHash)}
		if old == nil {
			c.SourcesAdded = append(c.SourcesAdded, change)
			continue
		}
		change.Fields = comparedFields(old.fields(), s.fields())
		switch {
		case old.ContentHash != s.ContentHash:
			change.OldHash = cmp.Or(old.ContentHash, old.ExcerptHash)
		case old.ExcerptHash != s.ExcerptHash:
			change.OldHash, change.NewHash = old.ExcerptHash, s.ExcerptHash
		case len(change.Fields) > 0:
			change.OldHash = change.NewHash
		default:
			continue
		}
		c.SourcesChanged = append(c.SourcesChanged, change)
	}
	for i, s := range was.rest(older) {
		c.SourcesDropped = append(c.SourcesDropped, SourceChange{
			Position: i, Source: s.Source, OldHash: cmp.Or(s.ContentHash, s.ExcerptHash),
		})
	}
}

// index pairs items of the same name in two lists, in order: of three and two with one name, one is left over.
type index[T any] struct {
	all   []T
	names map[string][]int
	taken map[int]bool
}

func indexed[T any](all []T, name func(*T) string) *index[T] {
	x := &index[T]{all, map[string][]int{}, map[int]bool{}}
	for i := range all {
		n := name(&all[i])
		x.names[n] = append(x.names[n], i)
	}
	return x
}

func (x *index[T]) take(name string) *T {
	at := x.names[name]
	if len(at) == 0 {
		return nil
	}
	x.names[name] = at[1:]
	x.taken[at[0]] = true
	return &x.all[at[0]]
}

// rest yields the items that were not taken, in order.
func (x *index[T]) rest(all []T) func(yield func(int, T) bool) {
	return func(yield func(int, T) bool) {
		for i := range all {
			if !x.taken[i] && !yield(i, all[i]) {
				return
			}
		}
	}
}
