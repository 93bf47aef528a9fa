package importers

import (
	"strings"

	"sanad/internal/domain/text"
)

// maxReason is the maximum length of an explanation that is kept, in code points.
const maxReason = 2000

// explanation are the fields in which the judges of other programs say why; they differ in the name.
type explanation struct {
	Notes     string `json:"notes"`
	Reason    string `json:"reason"`
	Rationale string `json:"rationale"`
	Explained string `json:"explanation"`
}

// words returns the explanation, "" if none.
func (e *explanation) words() string {
	var out []string
	for _, x := range []string{e.Reason, e.Rationale, e.Explained, e.Notes} {
		if x = strings.TrimSpace(x); x != "" {
			out = append(out, x)
		}
	}
	return clipped(strings.Join(out, "\n"), maxReason)
}

// clipped returns s cut to most code points.
func clipped(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return text.Slice(s, text.Span{End: most})
}
