package pointer

import (
	"crypto/sha256"
	"encoding/binary"
	"strconv"
	"unicode/utf8"

	"sanad/internal/domain"
	"sanad/internal/domain/evidence"
	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/redact"
	"sanad/internal/words"
)

// What a question holds at most.
const (
	maxPassages  = 8
	maxSentences = block - 1 // so that the pointers of one claim stay in one block of numbers
	maxShown     = 16_000    // code points of sentences
	maxClaim     = 2_000     // code points of a claim
)

// Each claim numbers its sentences in a block of its own, so that an id that was meant for another claim is seldom one
// of this claim.
const (
	block  = 100
	blocks = 99
)

// Question is a claim with the sentences that a model may point to.
type Question struct {
	ClaimID string // what the model calls the claim: "C42"
	Claim   string
	Lang    string // of the session, "" when unknown
	Objects []evidence.Object

	number  int             // the claim's block
	passage []judge.Passage // of each object
	hidden  map[string]bool // pointers of sentences that address the judge
	beside  map[string]bool // pointers of the sentences before and behind them
	cover   *redact.Cover   // nil: the words are shown as they are
}

// Redact covers what identifies a person in all that is shown: in the claim, the sentences and the sources' names,
// equal values by equal place-holders. The words of the evidence stay those of the source.
func (q *Question) Redact(r *redact.Redactor) {
	texts := []string{clean(q.Claim)}
	for i, p := range q.passage {
		if i > 0 && q.passage[i-1].Ref == p.Ref {
			continue
		}
		// values are learned from the whole passage, as the words that tell them may be in another sentence
		texts = append(texts, clean(p.Text), clean(p.Label))
	}
	q.cover = r.Cover(texts...)
}

// shown is a text as it is sent.
func (q *Question) shown(s string) string {
	if s = clean(s); q.cover != nil {
		s = q.cover.Text(s)
	}
	return s
}

// Ask makes the question about a claim. Rankings of the passages by their places are joined with that of BM25. An error
// means that it cannot be asked: the claim stays unjudged.
func Ask(c *ledger.Claim, x *judge.Index, rankings ...[]int) (*Question, error) {
	stated := x.Stated(c)
	switch {
	case utf8.RuneCountInString(stated) > maxClaim:
		return nil, unjudged("note_long")
	case judge.Addresses(clean(stated)):
		return nil, unjudged("cause_model_speaks")
	}
	sum := sha256.Sum256([]byte(c.Key + "\x00" + stated))
	q := &Question{Claim: stated, Lang: x.Lang(), number: 1 + int(binary.BigEndian.Uint32(sum[:])%blocks),
		hidden: map[string]bool{}, beside: map[string]bool{}}
	q.ClaimID = "C" + strconv.Itoa(q.number)
	if err := q.collect(x.Candidates(stated, maxPassages, rankings...)); err != nil {
		return nil, err
	}
	return q, nil
}

// collect numbers the sentences of the passages, as many as fit.
func (q *Question) collect(passages []judge.Passage) error {
	shown := 0
	for _, p := range passages {
		chunk := chunkOf(p)
		addressed := false
		for i, span := range p.Sentences {
			if shown += span.Len(); shown > maxShown || len(q.Objects) == maxSentences {
				return nil
			}
			o, err := evidence.SubObject(chunk, q.number*block+len(q.Objects)+1, span)
			if err != nil {
				return err
			}
			q.Objects, q.passage = append(q.Objects, o), append(q.passage, p)
			q.beside[o.PointerID] = addressed && i > 0
			if addressed = judge.Addresses(clean(o.Span)); addressed {
				q.hidden[o.PointerID] = true
				if n := len(q.Objects) - 2; i > 0 {
					q.beside[q.Objects[n].PointerID] = true
				}
			}
		}
	}
	return nil
}

// chunkOf is a passage as the evidence map takes it.
func chunkOf(p judge.Passage) evidence.Chunk {
	label := labelOf(p.Label)
	return evidence.Chunk{Title: &label, ChunkIdx: p.Ref.Chunk, ChunkRoot: ledger.TextDigest(p.Text), Span: p.Text}
}

// labelOf is a source's name as it stands above a sentence.
func labelOf(name string) string {
	label := short(clean(notInLabels.Replace(name)), maxLabel)
	if judge.Addresses(clean(label)) {
		return "document"
	}
	return label
}

// another reports whether a pointer has the form of one of another claim's.
func (q *Question) another(id string) bool {
	if len(id) < 2 || id[0] != 'E' {
		return false
	}
	n, err := strconv.Atoi(id[1:])
	return err == nil && n > block && n/block <= blocks && n/block != q.number && n%block != 0
}

// unjudged returns the error for a claim about which there is no answer that counts.
func unjudged(id string, args ...any) error {
	return &domain.Error{Kind: domain.Unsupported, Op: "pointer", Message: words.Msg(id, args...)}
}
