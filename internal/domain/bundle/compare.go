package bundle

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sanad/internal/domain"
	"sanad/internal/domain/canonical"
)

// Where the input of a replay came from.
const (
	FromRequest = "request" // the caller gave it
	FromRecord  = "record"  // the bundle and the lake
)

// Outcomes of a comparison.
const (
	Same    = "same"
	Differs = "differs"
	Missing = "missing"  // it was there, and is not built again
	Added   = "added"    // it was not there, and is built now
	NotKept = "not_kept" // it was dropped, and its text was not kept, so only the limits were applied again
)

// Where a source is in a bundle.
const (
	InItems   = "item"
	InDropped = "dropped"
	InFailed  = "failed"
)

// Comparison says how a bundle that is built again agrees with its record.
type Comparison struct {
	BundleID     string         `json:"bundle_id"`
	BuildVersion string         `json:"build_version"` // the rules that both were built by
	Input        string         `json:"input"`
	Equal        bool           `json:"equal"`           // the same id, and nothing differs
	BuiltID      string         `json:"built_bundle_id"` // the id that came out this time
	RecordHolds  bool           `json:"record_holds"`    // the record's id and hashes are those of its own content
	Counts       map[string]int `json:"counts"`          // by outcome
	Sources      []Compared     `json:"sources"`         // in the order of the record, then what was added
}

// Compared is an item, something that was dropped, or a source that failed. Was and Now say which of these it is.
type Compared struct {
	Outcome      string       `json:"outcome"`
	EvidenceID   string       `json:"evidence_id,omitempty"`
	EvidenceType string       `json:"evidence_type,omitempty"`
	SourceRef    SourceRef    `json:"source_ref"`
	Path         string       `json:"path,omitempty"`
	Was          string       `json:"was,omitempty"`
	Now          string       `json:"now,omitempty"`
	Reason       string       `json:"reason,omitempty"` // why it is not an item now
	Differs      []Difference `json:"differs,omitempty"`

	Said domain.Message `json:"-"` // what the reason of a source that failed says
}

// Difference is a field with what the record says and what was built now, as JSON; "" if there is no such field.
type Difference struct {
	Field string `json:"field"`
	Was   string `json:"was"`
	Now   string `json:"now"`
}

// entry is one source of a bundle while two are compared.
type entry struct {
	Compared
	fields map[string]string // what is compared, by name
	hole   bool
	taken  bool
}

// entries returns all items, what was dropped, and what failed.
func entries(b *Bundle, holes []int) (out []*entry) {
	for i := range b.Items {
		x := b.Items[i]
		x.Content = "" // its hash and size are compared
		out = append(out, newEntry(InItems, x.EvidenceID, x.EvidenceType, x.SourceRef, x))
	}
	for i := range b.DroppedItems {
		x := b.DroppedItems[i]
		e := newEntry(InDropped, x.EvidenceID, x.EvidenceType, x.SourceRef, x)
		e.Reason, e.hole = x.Reason, slices.Contains(holes, i)
		out = append(out, e)
	}
	for i := range b.FailedSources {
		x := b.FailedSources[i]
		e := newEntry(InFailed, "", x.EvidenceType, x.SourceRef, x)
		e.Reason, e.Said, e.Path = x.Reason, x.Cause(), x.Path
		out = append(out, e)
	}
	return out
}

func newEntry(in, id, evidenceType string, ref SourceRef, v any) *entry {
	e := &entry{fields: map[string]string{}}
	e.Was, e.EvidenceID, e.EvidenceType, e.SourceRef = in, id, evidenceType, ref
	e.fill("", v)
	return e
}

// fill notes the fields of a value as canonical JSON; those of metadata one by one.
func (e *entry) fill(head string, v any) {
	data, err := canonical.JSON(v)
	var fields map[string]json.RawMessage
	if err != nil || json.Unmarshal(data, &fields) != nil {
		e.fields[head] = "unreadable"
		return
	}
	for name, raw := range fields {
		switch name {
		case "content":
		case "metadata":
			e.fill("metadata.", raw)
		default:
			e.fields[head+name] = string(raw)
		}
	}
}

// compare fills the comparison from two bundles; holes are indexes of what was dropped now without its text.
func (c *Comparison) compare(was, now *Bundle, holes []int) {
	before, after := entries(was, nil), entries(now, holes)
	pairs := match(before, after)
	c.Sources, c.Counts = []Compared{}, map[string]int{}
	for i, e := range before {
		c.Sources = append(c.Sources, e.against(pairs[i]))
	}
	for _, e := range after {
		if !e.taken {
			e.Outcome, e.Now, e.Was = Added, e.Was, ""
			c.Sources = append(c.Sources, e.Compared)
		}
	}
	for i := range c.Sources {
		c.Counts[c.Sources[i].Outcome]++
	}
	c.Equal = c.RecordHolds && c.BuiltID == c.BundleID &&
		c.Counts[Same]+c.Counts[NotKept] == len(c.Sources)
}

// match finds for each entry what it is now: first the same one, then the one with its place and number, then anything
// of its place, such as what had failed and is an item now. Several items of one source can have one failure.
func match(before, after []*entry) []*entry {
	pairs := make([]*entry, len(before))
	for _, key := range []func(*entry) string{
		func(e *entry) string { return e.place() + "\n" + e.EvidenceID + "\n" + e.Was },
		func(e *entry) string { return e.place() + "\n" + e.EvidenceID },
		func(e *entry) string { return e.place() + "\n" + tail(e.EvidenceID) },
		(*entry).place,
	} {
		free := map[string][]*entry{}
		for _, e := range after {
			if !e.taken {
				free[key(e)] = append(free[key(e)], e)
			}
		}
		for i, e := range before {
			if list := free[key(e)]; pairs[i] == nil && len(list) > 0 {
				pairs[i], list[0].taken, free[key(e)] = list[0], true, list[1:]
			}
		}
	}
	failures := map[string]*entry{}
	for _, e := range after {
		if e.Was == InFailed {
			failures[e.place()] = e
		}
	}
	for i, e := range before {
		if f := failures[e.place()]; pairs[i] == nil && f != nil {
			pairs[i], f.taken = f, true
		}
	}
	return pairs
}

// place returns where a source comes from: inline evidence by its number, what failed without a source by its place in
// the request.
func (e *entry) place() string {
	ref := e.SourceRef
	switch {
	case e.EvidenceID != "" && e.EvidenceType == InlineText:
		return fmt.Sprintf("%s[%d]", evidencePath, number(e.EvidenceID))
	case e.EvidenceType == InlineText, ref == (SourceRef{}):
		return e.Path
	}
	return strings.Join([]string{e.EvidenceType, ref.SourceURI, ref.LakeURI, ref.QueryKey, ref.DocumentID}, "\n")
}

// tail returns the part of an id that does not depend on content: chunk and range of rows.
func tail(id string) string {
	_, rest, _ := strings.Cut(id, ":")
	_, rest, _ = strings.Cut(rest, ":")
	return rest
}

// against returns the comparison of an entry with what it is now, nil if it is gone.
func (e *entry) against(now *entry) Compared {
	out := e.Compared
	if now == nil {
		out.Outcome = Missing
		return out
	}
	out.Now, out.Reason, out.Said = now.Was, now.Reason, now.Said
	if out.Path == "" {
		out.Path = now.Path
	}
	if e.Was != now.Was && now.Was != InItems {
		out.Outcome = Missing
		if e.Was != InItems {
			out.Outcome = Differs
		}
		return out
	}
	names := map[string]bool{}
	maps.Copy(names, set(e.fields))
	maps.Copy(names, set(now.fields))
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if e.fields[name] != now.fields[name] {
			out.Differs = append(out.Differs, Difference{name, e.fields[name], now.fields[name]})
		}
	}
	switch {
	case e.Was != now.Was:
		out.Outcome = Added
	case len(out.Differs) > 0:
		out.Outcome = Differs
	case now.hole:
		out.Outcome = NotKept
	default:
		out.Outcome = Same
	}
	return out
}

func set(m map[string]string) map[string]bool {
	out := map[string]bool{}
	for name := range m {
		out[name] = true
	}
	return out
}
