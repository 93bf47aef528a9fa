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
	// that it names, and what is written around them.
	MaxLattice = 32 << 20
	// MaxSought bounds the bytes of spans longer than the window, each times the words of the claim that are sought in it.
	MaxSought = 128 << 20
	// around is what a pointer takes besides its texts, in bytes.
	around = 64
)

// Claim is a statement of an answer with the evidence it points to.
type Claim struct {
	Text        string   `json:"text"`
	PointerIDs  []string `json:"pointer_ids,omitempty"`
	EvidenceIDs []string `json:"evidence_ids,omitempty"` // used if there are no pointer ids, through the same index
}

// ids returns what the claim points to, and the name of the list.
func (c *Claim) ids() (ids []string, list string) {
	if len(c.PointerIDs) > 0 {
		return c.PointerIDs, "pointer_ids"
	}
	return c.EvidenceIDs, "evidence_ids"
}

// Lattice writes the claims with an excerpt of each span they point to (rule E-7). A claim without text is left out; an
// unknown pointer is shown as "[E9: ?]". More than MaxLattice or MaxSought is refused as too large, with the place of
// the pointer, before anything is written.
func Lattice(claims []Claim, byPointer map[string]*Object, window int) (string, error) {
	if err := bounded(claims, byPointer, window); err != nil {
		return "", err
	}
	var lines []string
	for _, c := range claims {
		claim := strings.TrimFunc(c.Text, isSpace)
		if claim == "" {
			continue
		}
		lines = append(lines, "- "+claim)
		ids, _ := c.ids()
		tokens := ContentTokens(claim)
		for _, id := range ids {
			o, known := byPointer[id]
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

// bounded refuses claims whose lattice would cost more than MaxLattice or MaxSought.
func bounded(claims []Claim, byPointer map[string]*Object, window int) error {
	read, sought := 0, 0
	for i, c := range claims {
		words := len(ContentTokens(c.Text))
		ids, list := c.ids()
		for j, id := range ids {
			read += len(c.Text) + len(id) + around
			if o, known := byPointer[id]; known {
				read += len(o.Span) + len(o.Label()) + len(o.ChunkRoot)
				if len(o.Span) > window {
					sought += len(o.Span) * words
				}
			}
			if read > MaxLattice || sought > MaxSought {
				return domain.Refuse(domain.TooLarge, fmt.Sprintf("claims[%d].%s[%d]", i, list, j), "refused_lattice_large")
			}
		}
	}
	return nil
}

func prefix(s string, n int) string {
	r := []rune(s)
	return string(r[:min(n, len(r))])
}
