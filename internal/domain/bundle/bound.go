package bundle

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// cut returns the last offset at or before limit where s can be cut without splitting a code point.
func cut(s string, limit int) int {
	if len(s) <= limit {
		return len(s)
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return limit
}

// add bounds an item, then takes it or records why it was dropped.
func (b *builder) add(s source) {
	at := cut(s.text, b.out.Policy.MaxItemBytes)
	item := Item{
		EvidenceID: s.id, EvidenceType: s.evidenceType, SourceRef: s.ref, Content: s.text[:at], ByteCount: at,
		Metadata: s.meta,
	}
	item.ContentSHA256 = hashOf(item.Content)
	item.Metadata.Bounding = Bounding{OriginalSize: len(s.text), BoundedSize: at}
	if at < len(s.text) {
		item.Metadata.Bounding.Applied = true
		item.Metadata.Bounding.TruncationPoint = &at
		item.Metadata.Bounding.Note = fmt.Sprintf("Truncated to %d byte limit", b.out.Policy.MaxItemBytes)
	}
	if m := s.meta.Sampling; m != nil && s.partial && b.rules.partial {
		item.Metadata.Bounding.sampled(m)
	}
	if reason := b.over(&item, s.over); reason != "" {
		b.out.DroppedItems = append(b.out.DroppedItems, Dropped{
			EvidenceID: s.id, EvidenceType: s.evidenceType, SourceRef: s.ref, ByteCount: at,
			ContentSHA256: item.ContentSHA256, Reason: reason,
		})
		return
	}
	if s.partial || at < len(s.text) {
		item.FullRef = b.fullRef(&s)
	}
	b.seen[s.id] = true
	b.total += at
	if m := item.Metadata.Sampling; m != nil {
		b.rows += m.RowsShown
	}
	b.out.Items = append(b.out.Items, item)
}

// sampled says that an item shows a part of its result, so that whoever reads the bounding alone knows it.
func (b *Bounding) sampled(m *Sampling) {
	b.Applied = true
	said := fmt.Sprintf("Shows %d of %d rows and %d of %d columns", m.RowsShown, m.RowsTotal, m.ColsShown, m.ColsTotal)
	if b.Note != "" {
		said += "; " + b.Note
	}
	b.Note = said
}

// over returns why an item is dropped, "" if it is not: its id is already in the bundle, a limit of the bundle is
// reached, or the limit that is given. The last items are dropped first, so once one does not fit, none after it is
// taken; of SQL rows (limit), no later row.
func (b *builder) over(item *Item, limit string) string {
	switch {
	case b.seen[item.EvidenceID]:
		return Duplicate
	case b.stop != "":
	case limit != "":
		b.seen[item.EvidenceID] = true
		return limit
	case len(b.out.Items) >= b.out.Policy.MaxItems:
		b.stop = OverItems
	case b.total+item.ByteCount > b.out.Policy.MaxTotalBytes:
		b.stop = OverBytes
	}
	if b.stop != "" {
		b.seen[item.EvidenceID] = true
	}
	return b.stop
}

// fullRef points to the whole of a source, and has it written to the lake if it is not there yet.
func (b *builder) fullRef(s *source) *FullRef {
	if s.lake != nil {
		return s.lake
	}
	whole := s.whole
	if whole == "" {
		whole = s.text
	}
	sum := hashOf(whole)
	ref := &FullRef{LakeURI: "evidence/full/" + sum + ".txt", Size: len(whole), SHA256: sum}
	if !b.placed[ref.LakeURI] {
		b.placed[ref.LakeURI] = true
		b.writes = append(b.writes, Write{ref.LakeURI, []byte(whole)})
	}
	return ref
}

// stored returns a reference to an artifact that is already in the lake.
func stored(lakeURI string, artifact []byte) *FullRef {
	return &FullRef{LakeURI: lakeURI, Size: len(artifact), SHA256: hashOf(artifact)}
}

// finish computes the bundle's summary and id.
func (b *builder) finish(now time.Time) (*Result, error) {
	out := &b.out
	out.CreatedUTC = now.UTC().Truncate(time.Second)
	types := map[string]int{}
	for i := range out.Items {
		types[out.Items[i].EvidenceType]++
	}
	n, dropped := len(out.Items), len(out.DroppedItems)
	out.Summary = Summary{ItemCount: n, TypeCounts: types, TotalBytes: b.total, ApproxTokens: b.total / 4,
		BundleBounding: BundleBounding{
			Applied: dropped > 0, OriginalCount: n + dropped, FinalCount: n, ItemsDropped: dropped, TotalBytes: b.total,
			Note: b.note(),
		}}
	id, err := out.identify()
	if err != nil {
		return nil, err
	}
	out.BundleID = id
	return &Result{Bundle: b.out, Writes: b.writes}, nil
}

// note says in words what was dropped.
func (b *builder) note() string {
	repeated := 0
	for i := range b.out.DroppedItems {
		if b.out.DroppedItems[i].Reason == Duplicate {
			repeated++
		}
	}
	var said []string
	if n := len(b.out.DroppedItems) - repeated; n > 0 {
		said = append(said, fmt.Sprintf("Dropped %d items to meet bundle limits", n))
	}
	if repeated > 0 {
		said = append(said, fmt.Sprintf("Dropped %d items whose id was there before", repeated))
	}
	return strings.Join(said, "; ")
}
