// Package packs writes an evidence pack as Markdown, PDF, JSON and the zip that third parties verify (rules P-18 and
// F-11). It depends only on the value and an io.Writer; the same value always produces the same bytes.
package packs

import (
	"strings"
	"time"

	"sanad/internal/domain/letterhead"
	"sanad/internal/domain/pack"
	"sanad/internal/exporters/typeset"
)

// Document is the input of a pack's Markdown and PDF: its frozen content and its life-cycle state. Nothing else
// affects the files, so the same value produces the same bytes.
type Document struct {
	Tenant  string                 // the tenant's display name
	Letter  *letterhead.Letterhead // of its PDF: as it was when the pack was signed; nil for none
	Zone    *time.Location         // in which its PDF gives times: as it was then; nil for UTC
	Content pack.Content
	JSON    []byte // pack.json as frozen; nil for a draft, which has nothing to attach
	Digest  string // of JSON, hex; "" for a draft
	Life    pack.Life

	Language string       // of a rendering in one language, "en" or "ar"; "" for both
	Draft    bool         // a draft PDF: each page says that it is not signed
	Since    []pack.Since // of a draft PDF: what changed since submission; of a signed pack the approvals say it
	Looked   string       // when the alarms and outcomes of a draft PDF were found, RFC 3339; "" for a signed file
}

// NewDocument returns the document of a frozen pack. For a sign-off, life already contains the last approval. For a
// draft, pass &pack.Frozen{Content: c}, which has neither bytes nor digest.
func NewDocument(tenant string, f *pack.Frozen, life *pack.Life) *Document {
	return &Document{Tenant: tenant, Content: f.Content, JSON: f.Bytes, Digest: f.Digest, Life: *life}
}

// since returns what had changed since submission, each once: what the approvals acknowledged, and for a draft what has
// changed by now.
func (d *Document) since() (out []*pack.Since) {
	seen := map[string]bool{}
	add := func(all []pack.Since) {
		for i := range all {
			if x := &all[i]; !seen[x.ID] {
				seen[x.ID] = true
				out = append(out, x)
			}
		}
	}
	for i := range d.Life.Approvals {
		add(d.Life.Approvals[i].Since)
	}
	add(d.Since)
	return out
}

// at returns the document's date: that of its latest event.
func (d *Document) at() time.Time {
	stamps := []string{d.Content.CreatedAt, d.Life.SubmittedAt}
	for i := range d.Life.Approvals {
		stamps = append(stamps, d.Life.Approvals[i].At)
	}
	if d.Life.Return != nil {
		stamps = append(stamps, d.Life.Return.At)
	}
	latest := time.Unix(0, 0).UTC()
	for _, s := range stamps {
		if t, err := time.Parse(time.RFC3339, s); err == nil && t.After(latest) {
			latest = t.UTC()
		}
	}
	return latest
}

// classification returns the classification of every export of a pack: its own, but at least S2 (rule P-18).
func (d *Document) classification() string {
	if d.Content.SensitivityClass == "S3" {
		return "S3"
	}
	return "S2"
}

// signed reports whether the pack was signed off. A superseded pack need not have been.
func (d *Document) signed() bool {
	l := &d.Life
	return l.State == pack.SignedOff || l.State == pack.Superseded && len(l.Approvals) > 0 && len(l.Approvals) >= l.Need
}

// stales counts the sources that are older than the decision allows.
func (d *Document) stales() (n int) {
	for i := range d.Content.Sources {
		if hours, ok := d.age(&d.Content.Sources[i]); ok && d.stale(hours) {
			n++
		}
	}
	return n
}

// looked returns when the outcomes were found: of a draft when it was looked at, of a signed pack at its sign-off.
func (d *Document) looked() time.Time {
	if at, err := time.Parse(time.RFC3339, d.Looked); err == nil {
		return at
	}
	return d.at()
}

// concerns returns the alarm line of the pack as the document shows it.
func (d *Document) concerns() []pack.Concern {
	var since []pack.Since
	for _, x := range d.since() {
		since = append(since, *x)
	}
	s := pack.Standing{Content: &d.Content, Life: &d.Life, At: d.looked(), Since: since}
	return s.Concerns()
}

// age returns how many hours, rounded up, before the decision a source was retrieved; negative if it
// was retrieved later.
func (d *Document) age(s *pack.EvidenceSource) (hours int, ok bool) {
	at, err := time.Parse(time.RFC3339, s.RetrievedAt)
	decided, wrong := time.Parse(time.RFC3339, d.Content.DecidedAt)
	if err != nil || wrong != nil {
		return 0, false
	}
	age := decided.Sub(at)
	if hours = int(age / time.Hour); age > 0 && age%time.Hour > 0 {
		hours++
	} else if age < 0 {
		hours = min(hours, -1)
	}
	return hours, true
}

// wholeHours returns how many hours before the decision a source was retrieved, rounded down; where that would hide that it
// is too old, rounded up.
func (d *Document) wholeHours(s *pack.EvidenceSource) int {
	hours, _ := d.age(s)
	at, _ := time.Parse(time.RFC3339, s.RetrievedAt)
	decided, _ := time.Parse(time.RFC3339, d.Content.DecidedAt)
	if d.stale(hours) {
		return hours
	}
	return int(decided.Sub(at) / time.Hour)
}

// stale reports whether an age exceeds the decision's freshness window.
func (d *Document) stale(hours int) bool {
	return d.Content.FreshnessWindowHours != nil && hours > *d.Content.FreshnessWindowHours
}

// memo returns the memo in a language. If it has no title, title is the decision's.
func (d *Document) memo(lang string) (title, summary, body string) {
	m := &d.Content.Memo
	if title, summary, body = m.TitleEN, m.ExecutiveSummaryEN, m.BodyEN; lang == "ar" {
		title, summary, body = m.TitleAR, m.ExecutiveSummaryAR, m.BodyAR
	}
	if title = strings.Join(strings.Fields(title), " "); title == "" {
		title = strings.Join(strings.Fields(d.Content.Title), " ")
	}
	return title, summary, body
}

// stateKinds maps a pack's states to badges.
var stateKinds = map[pack.State]typeset.Kind{
	pack.Draft: typeset.Open, pack.InReview: typeset.Unsure, pack.SignedOff: typeset.Good, pack.Returned: typeset.Bad,
	pack.Superseded: typeset.Plain, pack.Discarded: typeset.Plain,
}
