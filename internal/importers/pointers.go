package importers

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"sanad/internal/domain"
	"sanad/internal/domain/evidence"
	"sanad/internal/domain/ledger"
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
	EvidenceIDs []string `json:"evidence_ids" limit:"1000"` // pointers, as in the prompt
}

// FromPointers returns the session of a pointer answer, and what is wrong with its pointers, by the claim's number. The
// chunks become documents, each claim a line of the answer with an anchor for each chunk that it names; what it names
// in vain stands beside the claim as the caller's words. Errors are *domain.Error with Paths such as "claims[2].text".
func FromPointers(in *PointerAnswer, opt Options) (
	read *Result, violations []evidence.ClaimViolation, ungrounded []int, err error) {
	if len(in.Claims) == 0 {
		return nil, nil, nil, domain.Refuse(domain.Invalid, "claims", "refused_claims_missing")
	}
	ids := make([][]string, len(in.Claims))
	for i := range in.Claims {
		if strings.TrimSpace(in.Claims[i].Text) == "" {
			return nil, nil, nil, domain.Refuse(domain.Invalid, at("claims", i, "text"), "refused_in_claim_words")
		}
		ids[i] = in.Claims[i].EvidenceIDs
	}
	found, violations, ungrounded := evidence.CheckAnswer(evidence.Build(in.Chunks), ids)
	file := sessionFile{Format: SessionFormat, Session: sessionWire{Query: in.Query}, Documents: documentsOfMap(in.Chunks)}
	var answer strings.Builder
	for i := range in.Claims {
		statement := strings.Join(strings.Fields(in.Claims[i].Text), " ")
		if i > 0 {
			answer.WriteString("\n\n")
		}
		answer.WriteString(statement)
		for _, o := range found[i] {
			fmt.Fprintf(&answer, " [cite:%s]", ledger.ChunkHash(o.Span))
		}
		file.Claims = append(file.Claims, ownClaim{claimWire: claimWire{Text: statement}})
	}
	file.Session.Answer = answer.String()
	b := newBuilder(opt.withDefaults())
	for _, v := range violations {
		path := at("claims", v.Claim-1, "reason")
		said := fmt.Sprintf("%s: %s is not in the evidence map.", v.Code, v.PointerID)
		if earlier, ok := b.s.Extra[path]; ok {
			said = strings.Trim(string(earlier), `"`) + " " + said
		}
		b.unknown(path, jsonOf(said))
	}
	read, err = b.own(&file)
	return read, violations, ungrounded, err
}

// documentsOfMap returns the documents of an evidence map's chunks, in the order in which they first occur.
func documentsOfMap(chunks []evidence.Chunk) []documentWire {
	var out []documentWire
	places := map[[2]string]int{}
	for i := range chunks {
		c := &chunks[i]
		if strings.TrimSpace(c.Span) == "" {
			continue
		}
		key := [2]string{c.SourceRoot, c.DocumentURI}
		n, known := places[key]
		if !known {
			n, places[key] = len(out), len(out)
			d := documentWire{URI: c.DocumentURI}
			if c.Title != nil {
				d.Title = *c.Title
			}
			d.Filename = cmp.Or(d.Title, c.DocumentURI, fmt.Sprintf("Source %d", n+1))
			out = append(out, d)
		}
		out[n].Chunks = append(out[n].Chunks, chunkWire{ID: fmt.Sprintf("E%d", i+1), Text: c.Span})
	}
	return out
}

// jsonOf returns a text as JSON.
func jsonOf(s string) json.RawMessage {
	data, err := json.Marshal(s)
	if err != nil {
		panic("importers: " + err.Error()) // a text always has a JSON form
	}
	return data
}
