package bundle

import (
	"time"

	"sanad/internal/domain/redact"
)

// Replay builds a bundle again by the version and the policy that it names, and compares (rule B-16). req is the
// request that it was built from. If it is nil, the input is what the bundle records and the lake keeps: artifacts are
// loaded again, texts that came with the request are those of the bundle, already redacted. The error is Invalid if the
// version is not known, or that of a Load whose context ended.
func Replay(was *Bundle, req *Request, load Load, red *redact.Redactor) (*Comparison, error) {
	out := &Comparison{BundleID: was.BundleID, BuildVersion: was.BuildVersion, Input: FromRequest}
	if req == nil {
		out.Input = FromRecord
		req = recorded(was, load)
	}
	same := *req
	same.Policy = &was.Policy
	b, err := built(was.BuildVersion, &same, load, red)
	if err != nil {
		return nil, err
	}
	made, err := b.finish(time.Time{})
	if err != nil {
		return nil, err
	}
	id, err := was.identify()
	if err != nil {
		return nil, err
	}
	out.BuiltID, out.RecordHolds = made.Bundle.BundleID, id == was.BundleID && contentsHold(was)
	out.compare(was, &made.Bundle, b.holes)
	return out, nil
}

// contentsHold reports whether each item's text has the hash and the size that the bundle says.
func contentsHold(b *Bundle) bool {
	for i := range b.Items {
		if x := &b.Items[i]; hashOf(x.Content) != x.ContentSHA256 || len(x.Content) != x.ByteCount {
			return false
		}
	}
	return true
}

// kept is what a bundle keeps of a source that came with the request: a failure, or its items and what was dropped of
// it, in order.
type kept struct {
	failed *Failed
	parts  []part
}

// part is an item with its whole text, or an item that was dropped, whose text is not kept.
type part struct {
	item    *Item
	text    string
	dropped *Dropped
}

// again adds what is kept of a source. Its texts are redacted already, so that they are only bounded.
func (b *builder) again(path string, k *kept) {
	if f := k.failed; f != nil {
		b.fail(path, f.EvidenceType, f.SourceRef, f.Cause())
		return
	}
	for _, p := range k.parts {
		if p.dropped != nil {
			b.hole(*p.dropped)
			continue
		}
		if base := baseOf(p.item.EvidenceID); b.owners[base] == "" {
			b.owners[base] = p.item.ContentSHA256
		}
		b.add(source{
			id: p.item.EvidenceID, evidenceType: p.item.EvidenceType, ref: p.item.SourceRef, text: p.text,
			meta: keptMeta(p.item),
		})
	}
}

// keptMeta returns what an item's metadata say of its text before it was bounded.
func keptMeta(x *Item) Metadata {
	return Metadata{Redaction: x.Metadata.Redaction, Chunk: x.Metadata.Chunk, Repaired: x.Metadata.Repaired}
}

// hole takes the place of an item that was dropped and whose text is not kept: it is dropped for the same reason, if
// the limits still leave no room for it.
func (b *builder) hole(d Dropped) {
	d.Reason = b.over(&Item{EvidenceID: d.EvidenceID, ByteCount: d.ByteCount}, "")
	b.holes = append(b.holes, len(b.out.DroppedItems))
	b.out.DroppedItems = append(b.out.DroppedItems, d)
}
