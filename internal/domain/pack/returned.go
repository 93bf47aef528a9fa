package pack

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"sanad/internal/domain"
	"sanad/internal/domain/canonical"
)

// ReturnNote is the part of a return's reasons that speaks of one place of the pack.
type ReturnNote struct {
	Place string // one of ReturnPlaces, or such a place with a number: "sources[2]"
	Text  string
}

// ReturnPlaces are the places that a note of a return can name.
var ReturnPlaces = []string{"statement", "memo.title_en", "memo.title_ar", "memo.executive_summary_en",
	"memo.executive_summary_ar", "memo.body_en", "memo.body_ar", "sources", "tool_calls", "claims"}

// noteStart matches the beginning of a note: a line that starts with a place and a colon.
var noteStart = regexp.MustCompile(`(?m)^(statement|memo\.(?:title|executive_summary|body)_(?:en|ar)|` +
	`(?:sources|tool_calls)(?:\[[0-9]{1,4}\])?|claims):[ \t]*`)

// ReturnReasons writes the reasons of a return as they are stored: what concerns the whole pack, then each note in a
// paragraph that begins with its place and a colon. Notes without text are left out.
func ReturnReasons(general string, notes []ReturnNote) string {
	var out []string
	if general = strings.TrimSpace(general); general != "" {
		out = append(out, general)
	}
	for _, n := range notes {
		if text := strings.TrimSpace(n.Text); text != "" && noteStart.MatchString(n.Place+":") {
			out = append(out, n.Place+": "+text)
		}
	}
	return strings.Join(out, "\n\n")
}

// Notes splits the reasons of a return into what concerns the whole pack, and its notes. Reasons without notes, as all
// were once, are general.
func (r *Return) Notes() (general string, notes []ReturnNote) {
	starts := noteStart.FindAllStringSubmatchIndex(r.Reason, -1)
	if len(starts) == 0 {
		return strings.TrimSpace(r.Reason), nil
	}
	for i, at := range starts {
		end := len(r.Reason)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		notes = append(notes, ReturnNote{Place: r.Reason[at[2]:at[3]], Text: strings.TrimSpace(r.Reason[at[1]:end])})
	}
	notes = slices.DeleteFunc(notes, func(n ReturnNote) bool { return n.Text == "" })
	return strings.TrimSpace(r.Reason[:starts[0][0]]), notes
}

// SaysWhat returns what a frozen content says: pack.json without what each version and each submission has of its own,
// its ids, dates, roots, policy and salt. Two packs that say the same differ in nothing that a person could have changed.
func (c *Content) SaysWhat() ([]byte, error) {
	n := *c
	n.PackID, n.Version, n.Supersedes, n.CreatedAt, n.RetainUntil = "", 0, "", "", ""
	n.Policy, n.Alarms, n.OneAdministrator = nil, nil, false
	n.EvidenceMapRoot, n.ContentRoot, n.Blind = "", "", ""
	if c.Ledger != nil {
		l := *c.Ledger
		l.Revision = 0
		n.Ledger = &l
	}
	return canonical.JSON(n)
}

// CheckChanged refuses a content that says what the version before it said when it was returned.
func (c *Content) CheckChanged(returned *Content) error {
	now, err := c.SaysWhat()
	if err != nil {
		return err
	}
	then, err := returned.SaysWhat()
	if err != nil {
		return err
	}
	if bytes.Equal(now, then) {
		return domain.Refuse(domain.Invalid, "", "fault_pack_unchanged")
	}
	return nil
}

// ReturnBefore returns why the version before the first one of the chain was returned, nil if it was not.
func (c Chain) ReturnBefore() *Return {
	if len(c) < 2 {
		return nil
	}
	return c[1].Return
}
