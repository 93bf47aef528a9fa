package evidence

import (
	"fmt"
	"strings"

	"sanad/internal/domain"
)

// DefaultWindow is the excerpt window of a claim lattice by default (rule E-7).
const DefaultWindow = 200

// What one lattice may cost. One long span or claim that many pointers join is read as often.
const (
	// MaxLattice bounds the texts of all pointers together, in bytes: the claim, and the id with the span, label and root
	// that it names.
	MaxLattice = 32 << 20
	// MaxSought bounds the bytes of spans longer than the window, each times the words of the claim that are sought in it.
	MaxSought = 256 << 20
)

// Claim is a statement of an answer with the evidence it points to.
type Claim struct {
	Text        string   `json:"text"`
	PointerIDs  []string `json:"pointer_ids,omitempty"`
	EvidenceIDs []string `json:"evidence_ids,omitempty"` // used if there are no pointer ids, through the same index
}

// Lattice writes the claims with an excerpt of each span they point to (rule E-7). A claim without text is left out; an
// unknown pointer is shown as "[E9: ?]". More than MaxLattice or MaxSought is refused as too large, with the place of the
// pointer.
func Lattice(claims []Claim, byPointer map[string]Object, window int) (string, error) {
	var lines []string
	read, sought := 0, 0
	for i, c := range claims {
		claim := strings.TrimFunc(c.Text, isSpace)
		if claim == "" {
			continue
		}
		lines = append(lines, "- "+claim)
		ids, of := c.PointerIDs, "pointer_ids"
		if len(ids) == 0 {
			ids, of = c.EvidenceIDs, "evidence_ids"
		}
		tokens := ContentTokens(claim)
		for j, id := range ids {
			o, known := byPointer[id]
			read += len(claim) + len(id) + len(o.Span) + len(o.Label()) + len(o.ChunkRoot)
			if len(o.Span) > window {
				sought += len(o.Span) * len(tokens)
			}
			if read > MaxLattice || sought > MaxSought {
				return "", domain.Refuse(domain.TooLarge, fmt.Sprintf("claims[%d].%s[%d]", i, of, j), "refused_lattice_large")
			}
			if !known {
				lines = append(lines, "  ["+id+": ?]")
				continue
			}
			lines = append(lines, "  ["+id+" | "+o.Label()+" | "+prefix(o.ChunkRoot, 8)+": \""+
				spotlight(tokens, o.Span, window)+"\"]")
		}
	}
	return strings.Join(lines, "\n"), nil
}

func prefix(s string, n int) string {
	r := []rune(s)
	return string(r[:min(n, len(r))])
}
