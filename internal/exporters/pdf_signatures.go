package exporters

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"sanad/internal/domain/ledger"
	"sanad/internal/exporters/prose"
	"sanad/internal/exporters/typeset"
)

// signatory is a person who reviewed claims of a ledger.
type signatory struct {
	name, role string
	decided    int // claims that they confirmed or overrode
	last       time.Time
}

// signatures adds the signature block of a closed ledger: who reviewed it, and who closed it.
func (p *pdfWriter) signatures() {
	c := &p.l.Session.Closing
	if c.At.IsZero() {
		return
	}
	p.chapter("signature_block")
	t := typeset.Table{Whole: true, Columns: []typeset.Column{{Title: p.T("name_title"), Width: 34},
		{Title: p.T("part_taken"), Width: 40}, {Title: p.T("signature_time"), Width: 26}}}
	row := func(name, role, did string, at time.Time) {
		person := prose.Lines{{Text: prose.Clipped(name, prose.TitleLength), Isolate: true, Bold: true}}
		if role != "" {
			person.Line(typeset.Span{Text: p.T("role_" + role), Color: prose.Soft})
		}
		t.Rows = append(t.Rows, typeset.Row{Cells: []typeset.Cell{{Spans: person}, prose.Cell(did), prose.Cell(p.Time(at))}})
	}
	for _, s := range signatories(p.l) {
		row(s.name, s.role, p.T("part_reviewed", "N", strconv.Itoa(s.decided)), s.last)
	}
	row(c.By, "", p.T("part_closed"), c.At)
	p.add(t)
	if reason := strings.TrimSpace(c.Reason); reason != "" {
		p.add(typeset.KeyValues{Items: []typeset.KeyValue{{Key: p.T("closing_reason"), Value: p.free(prose.Clipped(reason,
			prose.RemarkLength))}}})
	}
	p.add(typeset.Paragraph{Soft: true, Spans: typeset.Text(p.T("signature_digest"))})
}

// signatories returns who decided claims, by name. Two people may have one name; what was taken back does not count.
func signatories(l *ledger.Ledger) []*signatory {
	by := map[string]*signatory{}
	for i := range l.Entries {
		c := l.Entries[i].Claim
		counted := map[string]bool{}
		for j := range c.Reviews {
			r := &c.Reviews[j]
			if r.Action != ledger.Confirm && r.Action != ledger.Override || c.Undone(j) {
				continue
			}
			who := cmp.Or(r.By, r.Actor)
			s := by[who]
			if s == nil {
				s = &signatory{}
				by[who] = s
			}
			if !counted[who] {
				s.decided++
				counted[who] = true
			}
			if !r.At.Before(s.last) {
				s.name, s.last, s.role = r.Actor, r.At, r.Role
			}
		}
	}
	out := make([]*signatory, 0, len(by))
	for _, who := range slices.Sorted(maps.Keys(by)) {
		out = append(out, by[who])
	}
	slices.SortStableFunc(out, func(a, b *signatory) int { return cmp.Compare(a.name, b.name) })
	return out
}
