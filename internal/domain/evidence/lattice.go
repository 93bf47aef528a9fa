package evidence

import "strings"

// DefaultWindow is the excerpt window of a claim lattice by default (rule E-7).
const DefaultWindow = 200

// Claim is a statement of an answer with the evidence it points to.
type Claim struct {
	Text        string   `json:"text"`
	PointerIDs  []string `json:"pointer_ids,omitempty"`
	EvidenceIDs []string `json:"evidence_ids,omitempty"` // used if there are no pointer ids, through the same index
}

// Lattice writes the claims with an excerpt of each span they point to (rule E-7). A claim without text is left out; an
// unknown pointer is shown as "[E9: ?]".
func Lattice(claims []Claim, byPointer map[string]Object, window int) string {
	var lines []string
	for _, c := range claims {
		claim := strings.TrimFunc(c.Text, isSpace)
		if claim == "" {
			continue
		}
		lines = append(lines, "- "+claim)
		ids := c.PointerIDs
		if len(ids) == 0 {
			ids = c.EvidenceIDs
		}
		for _, id := range ids {
			lines = append(lines, latticeLine(claim, id, byPointer, window))
		}
	}
	return strings.Join(lines, "\n")
}

func latticeLine(claim, id string, byPointer map[string]Object, window int) string {
	o, ok := byPointer[id]
	if !ok {
		return "  [" + id + ": ?]"
	}
	return "  [" + id + " | " + o.Label() + " | " + prefix(o.ChunkRoot, 8) + ": \"" + Spotlight(claim, o.Span,
		window) + "\"]"
}

func prefix(s string, n int) string {
	r := []rune(s)
	return string(r[:min(n, len(r))])
}
