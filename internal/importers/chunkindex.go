package importers

import (
	"slices"
	"strings"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/strictjson"
	"sanad/internal/words"
)

// chunkIndex finds the chunk that a match refers to.
type chunkIndex struct {
	byName map[string][]ledger.ChunkRef // by the caller's chunk id; generated ids are left out
	byPath map[string][]ledger.ChunkRef // by "document id/chunk id", also for generated ids
	byHash []hashed                     // sorted by hash
}

type hashed struct {
	hash string
	ref  ledger.ChunkRef
}

func (x *chunkIndex) named(key string, ref ledger.ChunkRef) {
	if x.byName == nil {
		x.byName = map[string][]ledger.ChunkRef{}
	}
	x.byName[key] = append(x.byName[key], ref)
}

// build indexes the documents by path and hash, once.
func (x *chunkIndex) build(docs []ledger.Document) {
	if x.byPath != nil {
		return
	}
	x.byPath = map[string][]ledger.ChunkRef{}
	for i := range docs {
		for j := range docs[i].Chunks {
			c, ref := &docs[i].Chunks[j], ledger.ChunkRef{Document: i, Chunk: j}
			path := docs[i].Key + "/" + c.Key
			x.byPath[path] = append(x.byPath[path], ref)
			x.byHash = append(x.byHash, hashed{c.Hash, ref})
		}
	}
	slices.SortStableFunc(x.byHash, func(a, b hashed) int { return strings.Compare(a.hash, b.hash) })
}

// find returns the chunk that name refers to: a chunk id, "document id/chunk id", or a hash prefix of 8 digits or more,
// in this order. If several chunks have the same text, it returns the first.
func (b *builder) find(path, name string) (ledger.ChunkRef, error) {
	b.refs.build(b.s.Documents)
	return b.choose(path, name, b.refs.byName[name], b.refs.byPath[name], b.refs.prefixed(name))
}

// findPath returns the chunk of that id in the document of that id.
func (b *builder) findPath(path, document, chunk string) (ledger.ChunkRef, error) {
	b.refs.build(b.s.Documents)
	name := document + "/" + chunk
	return b.choose(path, name, b.refs.byPath[name])
}

// choose returns the one chunk of the first non-empty list.
func (b *builder) choose(path, name string, lists ...[]ledger.ChunkRef) (ledger.ChunkRef, error) {
	for _, refs := range lists {
		switch {
		case len(refs) == 1:
			return refs[0], nil
		case len(refs) > 1:
			return ledger.ChunkRef{}, domain.Refuse(domain.Invalid, path, "refused_in_chunk_two",
				"Name", words.Quoted(strictjson.Clip(name)), "Field", strictjson.Clip(b.pathOf(refs[0])),
				"Words", strictjson.Clip(b.pathOf(refs[1])))
		}
	}
	return ledger.ChunkRef{}, domain.Refuse(domain.Invalid, path, "refused_in_chunk_none",
		"Name", words.Quoted(strictjson.Clip(name)))
}

// pathOf returns both ids of a chunk: "document id/chunk id".
func (b *builder) pathOf(ref ledger.ChunkRef) string {
	d := &b.s.Documents[ref.Document]
	return d.Key + "/" + d.Chunks[ref.Chunk].Key
}

// prefixed returns one chunk for each digest that begins with prefix.
func (x *chunkIndex) prefixed(prefix string) []ledger.ChunkRef {
	prefix = strings.ToLower(prefix)
	if !ledger.IsHash(prefix) {
		return nil
	}
	var out []ledger.ChunkRef
	last := ""
	i, _ := slices.BinarySearchFunc(x.byHash, prefix,
		func(h hashed, p string) int { return strings.Compare(h.hash, p) })
	for ; i < len(x.byHash) && strings.HasPrefix(x.byHash[i].hash, prefix); i++ {
		if h := x.byHash[i]; h.hash != last {
			last = h.hash
			out = append(out, h.ref)
		}
	}
	return out
}
