package pack

import (
	"regexp"
	"time"

	"sanad/internal/domain/evidence"
	"sanad/internal/domain/ledger"
)

// Pack is a pack's content and its current life.
type Pack struct {
	Content Content
	Life    Life
}

// Opening is the data of a new pack that comes from outside. Version 0 means 1.
type Opening struct {
	PackID     string // "pack_" and 16 hex digits, random
	TenantID   string
	At         time.Time
	Version    int
	Supersedes string
	Reviews    Provenance // of the ledger's reviews
}

var packID = regexp.MustCompile(`^pack_[0-9a-f]{16}$`)

// CheckID reports whether id has the form of a pack id.
func CheckID(id string) bool { return packID.MatchString(id) }

// Assemble returns the content of a draft, from a decision that was validated and passed through SealRestricted: its
// evidence becomes sources, its tool calls and prompts are copied, as is the ledger session (nil for none), and the
// memo is drafted in both languages (rule P-6).
func Assemble(d *Decision, in Opening, l *ledger.Ledger) Content {
	c := Content{
		Format: Format, PackID: in.PackID, TenantID: in.TenantID, Version: max(in.Version, 1),
		Supersedes: in.Supersedes,
		Header:     d.Header, Requirement: Requires(&d.Header),
		Sources: make([]EvidenceSource, len(d.Evidence)), ToolCalls: make([]ToolCallRecord, len(d.ToolCalls)),
		Prompts: make([]PromptRecord, len(d.Prompts)),
	}
	c.stamp(in.At)
	for i, s := range d.Evidence {
		c.Sources[i] = s.promote()
	}
	copy(c.ToolCalls, d.Calls())
	for i, p := range d.Prompts {
		c.Prompts[i] = p.promote()
	}
	c.Replay = d.Replay.promote()
	c.CopyLedger(l, &in.Reviews)
	c.Memo = DraftMemo(&c)
	if !d.Memo.empty() { // the agent's own is taken as it is, and rewritten by people as any draft is
		c.Memo = *d.Memo
		c.MemoBy = AgentMemo
	}
	return c
}

// Next returns the content of a new version: the same except for id, version, predecessor and dates.
func (c *Content) Next(id string, at time.Time) Content {
	n := *c
	n.PackID, n.Version, n.Supersedes, n.ContentRoot = id, c.Version+1, c.PackID, ""
	n.Policy, n.Alarms = nil, nil
	n.stamp(at)
	return n
}

func (c *Content) stamp(at time.Time) {
	c.CreatedAt, c.RetainUntil = stampOf(at), stampOf(RetainUntil(at))
}

// stampOf returns a time as pack.json writes it: UTC, whole seconds.
func stampOf(at time.Time) string { return at.UTC().Truncate(time.Second).Format(time.RFC3339) }

// CopyLedger copies the current ledger, nil for none: for drafts, and again at submission, before Validate and Freeze.
// Later reviews don't affect the copy.
func (c *Content) CopyLedger(l *ledger.Ledger, from *Provenance) {
	c.Ledger = nil
	if l != nil {
		counted := l.Findings()
		c.Ledger = &Ledger{SessionID: l.Session.ID, Revision: l.Session.Revision, Query: l.Session.Query,
			JudgedAt: stampOf(l.Session.Run.At), Entries: Entries(&counted, from)}
		if len(counted.Aside) > 0 {
			c.Ledger.SetAside = copied(counted.Aside, from)
		}
	}
	c.EvidenceMapRoot = c.mapRoot()
}

// mapRoot returns the root of the evidence map: the evidence ids of the sources, then those of the ledger's entries,
// each once.
func (c *Content) mapRoot() string {
	var objects []evidence.Object
	seen := map[string]bool{"": true}
	add := func(id string) {
		if !seen[id] {
			seen[id] = true
			objects = append(objects, evidence.Object{EvidenceID: id})
		}
	}
	for i := range c.Sources {
		add(c.Sources[i].EvidenceID)
	}
	if c.Ledger != nil {
		for i := range c.Ledger.Entries {
			add(c.Ledger.Entries[i].EvidenceID)
		}
	}
	return evidence.Root(objects)
}
