package bundle

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sanad/internal/words"
)

// recorded returns the request of a bundle as far as the bundle records it. Each list has its failed elements where
// they were; where duplicates stood between the others is not recorded, so they follow.
func recorded(b *Bundle, load Load) *Request {
	r := recording{load: load, failed: map[string]*Failed{}, whole: map[string]string{}}
	for i := range b.FailedSources {
		r.failed[b.FailedSources[i].Path] = &b.FailedSources[i]
	}
	r.group(b)
	var out Request
	out.JobInput.ExtraParams.Evidence = restore(&r, evidencePath, InlineText, func(g *group) Inline {
		return Inline{kept: r.kept(g)}
	}, func(f *Failed) Inline { return Inline{kept: &kept{failed: f}} })
	const refs = "evidence_refs."
	uri, failedURI := func(g *group) string { return g.ref.LakeURI }, func(f *Failed) string { return f.SourceRef.LakeURI }
	out.Refs.LakeText = restore(&r, refs+"lake_text", LakeText, uri, failedURI)
	out.Refs.LakeHTTP = restore(&r, refs+"lake_http", LakeHTTP, uri, failedURI)
	out.Refs.SQLQueryDefs = restore(&r, refs+"sql_query_defs", SQLQueryDef, func(g *group) QueryDef {
		return QueryDef{kept: r.kept(g)}
	}, func(f *Failed) QueryDef { return QueryDef{kept: &kept{failed: f}} })
	out.Refs.SQLResults = restore(&r, refs+"sql_results", SQLResult, func(g *group) SQLRef {
		return SQLRef{LakeURI: g.ref.LakeURI, QueryKey: g.ref.QueryKey, RowsPerItem: g.rowsPerItem()}
	}, func(f *Failed) SQLRef {
		ref := SQLRef{LakeURI: f.SourceRef.LakeURI, QueryKey: f.SourceRef.QueryKey}
		if f.is(noQueryKey) && ref.QueryKey != "" {
			ref.RowsPerItem = -1
		}
		return ref
	})
	out.Refs.Documents = restore(&r, refs+"documents", DocChunk, r.document, failedDocument)
	out.Refs.Transcripts = restore(&r, refs+"transcripts", TranscriptChunk, r.document, failedDocument)
	for _, f := range b.FailedSources {
		if f.is(unknownKind) {
			out.Refs.Unknown = append(out.Refs.Unknown, strings.TrimPrefix(f.Path, refs))
		}
	}
	return &out
}

// recording is a bundle's record while it is turned into a request.
type recording struct {
	load   Load
	groups []*group
	failed map[string]*Failed // by path
	whole  map[string]string  // artifacts with whole texts that were loaded, by path
}

// group is what one element of the request became.
type group struct {
	evidenceType string
	ref          SourceRef
	base         string // what its ids begin with
	ranged       bool   // ids with ranges of rows
	parts        []part
	ids          map[string]bool
}

// group assigns items and what was dropped to the elements that they came from. An id that an element has already
// belongs to another one: a duplicate.
func (r *recording) group(b *Bundle) {
	for i := range b.Items {
		x := &b.Items[i]
		r.put(x.EvidenceID, x.EvidenceType, x.SourceRef, part{item: x, text: x.Content})
	}
	for i := range b.DroppedItems {
		x := &b.DroppedItems[i]
		r.put(x.EvidenceID, x.EvidenceType, x.SourceRef, part{dropped: x})
	}
}

func (r *recording) put(id, evidenceType string, ref SourceRef, p part) {
	base, ranged := id, false
	switch evidenceType {
	case SQLResult, DocChunk, TranscriptChunk:
		base, ranged = baseOf(id), strings.Count(id, ":") > 2
	}
	for _, g := range r.groups {
		if g.evidenceType == evidenceType && g.ref == ref && g.base == base && g.ranged == ranged && !g.ids[id] {
			g.parts, g.ids[id] = append(g.parts, p), true
			return
		}
	}
	r.groups = append(r.groups, &group{
		evidenceType: evidenceType, ref: ref, base: base, ranged: ranged, parts: []part{p}, ids: map[string]bool{id: true},
	})
}

// baseOf returns the id up to its chunk number: sql:P or sql:P~H.
func baseOf(id string) string {
	kind, rest, _ := strings.Cut(id, ":")
	p, _, _ := strings.Cut(rest, ":")
	return kind + ":" + p
}

// restore makes a list of the request: failed elements where they were, the others in the places between. Inline
// evidence has its place in its id.
func restore[T any](r *recording, path, evidenceType string, use func(*group) T, failed func(*Failed) T) (out List[T]) {
	if f := r.failed[path]; f != nil {
		return List[T]{Not: true}
	}
	var groups []*group
	for _, g := range r.groups {
		if g.evidenceType == evidenceType {
			groups = append(groups, g)
		}
	}
	if evidenceType == InlineText {
		slices.SortStableFunc(groups, func(a, b *group) int { return cmp.Compare(number(a.base), number(b.base)) })
	}
	left := 0
	for at := range r.failed {
		if strings.HasPrefix(at, path+"[") {
			left++
		}
	}
	for i := 0; left > 0 || len(groups) > 0; i++ {
		var v T
		if f := r.failed[fmt.Sprintf("%s[%d]", path, i)]; f != nil {
			if left--; f.is(badElement) {
				out.Bad = append(out.Bad, i)
			} else {
				v = failed(f)
			}
		} else if len(groups) > 0 {
			v, groups = use(groups[0]), groups[1:]
		} else {
			out.Bad = append(out.Bad, i) // no such record was made here
		}
		out.Items = append(out.Items, v)
		if i > mostItems {
			break
		}
	}
	return out
}

// number returns the N of inline:N.
func number(id string) int {
	n, _ := strconv.Atoi(id[strings.LastIndexByte(id, ':')+1:])
	return n
}

// rowsPerItem returns the longest range of rows of a SQL result that became several items; 0 if it is one.
func (g *group) rowsPerItem() (n int) {
	if !g.ranged {
		return 0
	}
	for id := range g.ids {
		from, to, _ := strings.Cut(id[strings.LastIndexByte(id, ':')+1:], "-")
		a, _ := strconv.Atoi(from)
		b, _ := strconv.Atoi(to)
		n = max(n, b-a)
	}
	return n
}

// kept returns what is left of a source that came with the request. The whole of a text that was cut is in the lake.
func (r *recording) kept(g *group) *kept {
	out := &kept{}
	for _, p := range g.parts {
		if p.item != nil && p.item.Metadata.Bounding.Applied && p.item.FullRef != nil {
			whole, failed := r.full(p.item)
			if failed != nil {
				return &kept{failed: failed}
			}
			if c := p.item.Metadata.Chunk; c != nil && c.End <= len(whole) && c.Start >= 0 && c.Start <= c.End {
				whole = whole[c.Start:c.End]
			}
			p.text = whole
		}
		out.parts = append(out.parts, p)
	}
	slices.SortStableFunc(out.parts, func(a, b part) int { return cmp.Compare(a.number(), b.number()) })
	return out
}

// number returns the place of a part in its source.
func (p part) number() int {
	if p.item != nil {
		return number(p.item.EvidenceID)
	}
	return number(p.dropped.EvidenceID)
}

// full loads the whole text of an item that was cut.
func (r *recording) full(x *Item) (string, *Failed) {
	uri := x.FullRef.LakeURI
	if s, ok := r.whole[uri]; ok {
		return s, nil
	}
	b := builder{load: r.load}
	data, ok := b.fetch("", x.EvidenceType, SourceRef{LakeURI: uri})
	if !ok {
		why := words.Msg(unreadable)
		if len(b.out.FailedSources) > 0 {
			why = b.out.FailedSources[0].Said
		}
		f := Failure("", x.EvidenceType, x.SourceRef, why)
		return "", &f
	}
	r.whole[uri] = string(data)
	return string(data), nil
}

// document returns a document: a reference to the lake, its whole text, or the chunks that are left of it.
func (r *recording) document(g *group) Document {
	d := Document{DocumentID: g.ref.DocumentID, LakeURI: g.ref.LakeURI}
	if d.LakeURI != "" {
		return d
	}
	d.kept = r.kept(g)
	if whole, ok := d.kept.whole(); ok {
		d.Text, d.kept.parts = whole, d.kept.parts[:1]
	}
	return d
}

// whole joins the chunks of a text, if they are all there.
func (k *kept) whole() (string, bool) {
	var out strings.Builder
	for i, p := range k.parts {
		if p.item == nil || p.item.Metadata.Chunk == nil {
			return "", false
		}
		c := p.item.Metadata.Chunk
		if c.Index != i || c.Count != len(k.parts) || c.Start > out.Len() || out.Len()-c.Start > len(p.text) {
			return "", false
		}
		out.WriteString(p.text[out.Len()-c.Start:])
	}
	return out.String(), k.failed == nil
}

func failedDocument(f *Failed) Document {
	if f.SourceRef.LakeURI != "" && !f.is(noText) && !f.is(noDocumentID) {
		return Document{DocumentID: f.SourceRef.DocumentID, LakeURI: f.SourceRef.LakeURI}
	}
	return Document{kept: &kept{failed: f}}
}
