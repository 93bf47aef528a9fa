package importers

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sanad/internal/domain"
	"sanad/internal/domain/evidence"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// PointerAnswer is an answer whose claims name their evidence by the pointers of an evidence map (rule E-11).
type PointerAnswer struct {
	Chunks []evidence.Chunk `json:"chunks"`
	Query  string           `json:"query" limit:"20000"`
	Claims []PointerClaim   `json:"claims" limit:"100000" need:"noun_claims"`
}

// PointerClaim is one claim of it.
type PointerClaim struct {
	Text        string   `json:"text" need:"noun_claimed"`
	PointerIDs  []string `json:"pointer_ids" limit:"1000"`  // as in the prompt
	EvidenceIDs []string `json:"evidence_ids" limit:"1000"` // used if there are no pointer ids; either kind of id
}

// ids returns what the claim names, and the name of the list.
func (c *PointerClaim) ids() (ids []string, list string) {
	if len(c.PointerIDs) > 0 {
		return c.PointerIDs, "pointer_ids"
	}
	return c.EvidenceIDs, "evidence_ids"
}

// PointerFormat is the Session.Format of a pointer answer.
const PointerFormat = "evidence.map"

// Pointed is what one pointer of one claim means.
type Pointed struct {
	Claim      int    `json:"claim"` // its number, from 1
	PointerID  string `json:"pointer_id"`
	EvidenceID string `json:"evidence_id"`
}

// Pointers is a pointer answer that was read.
type Pointers struct {
	*Result
	Evidence   []Pointed                 // in the order of the answer
	Root       string                    // of the evidence map (rule E-5)
	Violations []evidence.ClaimViolation // by the claim's number
	Ungrounded []int                     // numbers of claims, from 1
}

// FromPointers returns the session of a pointer answer, and what is wrong with its pointers, by the claim's number. The
// chunks become documents, each claim a line of the answer with an anchor for each chunk that it names; what it names,
// with roles, and what it names in vain stand beside the claim as the caller's words. Chunks are stored under their
// evidence ids, never under pointers, which another run gives to other chunks (rule E-1). Errors are *domain.Error with
// Paths such as "claims[2].text".
func FromPointers(in *PointerAnswer, opt Options) (*Pointers, error) {
	if len(in.Claims) == 0 {
		return nil, domain.Refuse(domain.Invalid, "claims", "refused_claims_missing")
	}
	ids := make([][]string, len(in.Claims))
	for i := range in.Claims {
		if strings.TrimSpace(in.Claims[i].Text) == "" {
			return nil, domain.Refuse(domain.Invalid, at("claims", i, "text"), "refused_in_claim_words")
		}
		ids[i], _ = in.Claims[i].ids()
	}
	objects := evidence.Build(withRoots(in.Chunks))
	found, violations, ungrounded := evidence.CheckAnswer(objects, ids)
	out := &Pointers{Root: evidence.Root(objects), Violations: violations, Ungrounded: ungrounded}
	m := newMapDocuments(objects)
	file := sessionFile{Format: SessionFormat, Session: sessionWire{Query: in.Query}, Documents: m.documents}
	said := make([]ledger.Upstream, len(in.Claims))
	var answer strings.Builder
	for i := range in.Claims {
		statement := strings.Join(strings.Fields(in.Claims[i].Text), " ")
		if i > 0 {
			answer.WriteString("\n\n")
		}
		answer.WriteString(statement)
		for j := range found[i] {
			o := &found[i][j]
			fmt.Fprintf(&answer, " [cite:%s]", ledger.ChunkHash(o.Span))
			out.Evidence = append(out.Evidence, Pointed{Claim: i + 1, PointerID: o.PointerID, EvidenceID: o.EvidenceID})
			said[i].Citations = append(said[i].Citations, m.mark(o))
		}
		file.Claims = append(file.Claims, ownClaim{claimWire: claimWire{Text: statement}})
	}
	file.Session.Answer = answer.String()
	for _, n := range ungrounded {
		said[n-1].Label = Ungrounded
	}
	for _, v := range violations {
		reason := fmt.Sprintf("%s: %s is not in the evidence map.", v.Code, v.PointerID)
		said[v.Claim-1].Reason = strings.TrimSpace(said[v.Claim-1].Reason + " " + reason)
	}
	b := newBuilder(opt.withDefaults())
	if err := b.ownParts(&file); err != nil {
		return nil, err
	}
	b.keepSaid("", &ledger.UpstreamWhole{Format: PointerFormat,
		Scores: []ledger.UpstreamScore{{Name: "evidence_map_root", Label: out.Root}}}, said)
	b.s.Format = PointerFormat
	out.Result = b.ownResult()
	return out, nil
}

// Ungrounded is the label of a claim with an unknown pointer or without any (rule E-9).
const Ungrounded = "UNGROUNDED"

// withRoots returns chunks with the roots that the store gives them, where the caller gives none: without a root, passages
// of one length would have one evidence id (rule E-4).
func withRoots(chunks []evidence.Chunk) []evidence.Chunk {
	out := slices.Clone(chunks)
	for i := range out {
		if c := &out[i]; c.ChunkRoot == "" {
			c.ChunkRoot = ledger.TextDigest(c.Span)
		}
	}
	return out
}

// mapDocuments are the documents of an evidence map's chunks, in the order in which they first occur. The chunks of a
// document are in the order of their chunk_idx.
type mapDocuments struct {
	documents []documentWire
	keys      map[string]string // of the document that holds a chunk, by pointer
}

func newMapDocuments(objects []evidence.Object) *mapDocuments {
	m := &mapDocuments{keys: map[string]string{}}
	places := map[[2]string]int{}
	order := make([][]*evidence.Object, 0, len(objects))
	for i := range objects {
		o := &objects[i]
		if strings.TrimSpace(o.Span) == "" {
			continue
		}
		source := [2]string{o.SourceRoot, o.DocumentURI}
		n, known := places[source]
		if !known {
			n, places[source] = len(order), len(order)
			order = append(order, nil)
			d := documentWire{ID: fmt.Sprintf("d%d", n+1), URI: o.DocumentURI}
			if o.Title != nil {
				d.Title = *o.Title
			}
			d.Filename = cmp.Or(d.Title, o.DocumentURI, fmt.Sprintf("Source %d", n+1))
			m.documents = append(m.documents, d)
		}
		order[n] = append(order[n], o)
		m.keys[o.PointerID] = m.documents[n].ID
	}
	for n, list := range order {
		slices.SortStableFunc(list, func(a, b *evidence.Object) int { return cmp.Compare(a.ChunkIdx, b.ChunkIdx) })
		taken := map[string]string{} // text by id
		for _, o := range list {
			id := o.EvidenceID
			if words, known := taken[id]; known && words == o.Span {
				continue
			} else if known { // the caller's roots are not checked (rule E-4)
				id += "~" + o.TextHash[:8]
			}
			if _, known := taken[id]; known {
				continue
			}
			taken[id] = o.Span
			m.documents[n].Chunks = append(m.documents[n].Chunks, chunkWire{ID: id, Text: o.Span})
		}
	}
	return m
}

// mark says what a pointer means, and with which role its source was retrieved.
func (m *mapDocuments) mark(o *evidence.Object) ledger.UpstreamMark {
	return ledger.UpstreamMark{
		Path: o.PointerID, Kind: ledger.PointerMark, Placed: text.Exact, Words: o.PointerID, DocumentID: m.keys[o.PointerID],
		ChunkID: o.EvidenceID, UpstreamVerdict: &ledger.UpstreamVerdict{Label: o.SourceRole},
	}
}
