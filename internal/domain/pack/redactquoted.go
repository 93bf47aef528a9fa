package pack

import (
	"cmp"
	"slices"
	"strings"

	"sanad/internal/domain"
	"sanad/internal/words"
)

// quotedWords is how many consecutive words of a text count as a quotation of it.
const quotedWords = 8

// refuseQuoted refuses a copy in which an excerpt that is left out can still be read: memos quote excerpts, and so do
// the snippets of claims. gone has the kind and id of everything left out.
func (c *Content) refuseQuoted(gone map[[2]string]bool) error {
	var places []Part
	for i := range c.Sources {
		begin := beginning(c.Sources[i].Excerpt)
		if begin == "" || !gone[[2]string{LeafExcerpt, Reference(i)}] {
			continue
		}
		for _, p := range c.places() {
			if !gone[[2]string{p.kind, p.id}] && strings.Contains(bareWords(p.text), begin) {
				places = append(places, Part{Kind: p.kind, ID: p.id})
			}
		}
	}
	if len(places) == 0 {
		return nil
	}
	slices.SortFunc(places, func(a, b Part) int { return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.ID, b.ID)) })
	return &StillQuotedError{slices.Compact(places)}
}

// StillQuotedError names the parts of a copy that quote a text that is left out of it.
type StillQuotedError struct{ Parts []Part }

// Error names the parts.
func (e *StillQuotedError) Error() string { return e.Unwrap().Error() }

// Unwrap returns the error as a domain.Error of kind Invalid.
func (e *StillQuotedError) Unwrap() error {
	var names []string
	for _, p := range e.Parts {
		names = append(names, p.Kind+" "+p.ID)
	}
	return domain.Refuse(domain.Invalid, "redactions", "refused_left_out_can", "List", words.ListOf(names))
}

type place struct{ kind, id, text string }

// places returns where an excerpt may be quoted.
func (c *Content) places() []place {
	var out []place
	for _, f := range c.Memo.Fields() {
		out = append(out, place{LeafMemo, f.Name, f.Text})
	}
	for i := range c.Sources {
		out = append(out, place{LeafExcerpt, Reference(i), c.Sources[i].Excerpt})
	}
	if c.Ledger != nil {
		for i := range c.Ledger.Entries {
			e := &c.Ledger.Entries[i]
			out = append(out, place{LeafClaim, e.ClaimID, e.ClaimText + "\n" + e.Snippet})
		}
		for i := range c.Ledger.SetAside {
			e := &c.Ledger.SetAside[i]
			out = append(out, place{LeafAside, e.ClaimID, e.ClaimText + "\n" + e.Snippet})
		}
	}
	return out
}

// beginning returns the first words of a text, with a space on both sides: how a quotation of it begins.
func beginning(excerpt string) string {
	words := strings.Fields(bareWords(excerpt))
	if len(words) == 0 {
		return ""
	}
	return " " + strings.Join(words[:min(quotedWords, len(words))], " ") + " "
}

// bareWords returns only the words of a text or of Markdown, one space around each, so that punctuation and escapes
// don't hide a quotation.
func bareWords(s string) string {
	fields := strings.FieldsFunc(s, func(r rune) bool { return !hasWord([]rune{r}) })
	return " " + strings.ToLower(strings.Join(fields, " ")) + " "
}
