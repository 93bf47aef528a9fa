package exporters

import (
	"strconv"
	"strings"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/exporters/typeset"
)

// imported writes what imported ledgers said of the claims, apart from our own judgement and reviews (rule L-32).
func (m *mdWriter) imported(l *ledger.Ledger) {
	for i := range l.Session.Imports {
		s := section{m: m, heading: "## Imported Reviews", intro: importLine(&l.Session.Imports[i])}
		for _, e := range l.Entries {
			for _, x := range e.Claim.Imported {
				if x.Import == i {
					s.said(e.Claim.Number(), l.Session, &x)
				}
			}
		}
	}
}

// said writes what one import said of a claim.
func (s *section) said(number int, session *ledger.Session, x *ledger.Imported) {
	if x.Verdict != "" {
		s.item("#%d: %s", number, exportTexts.Text("exported.imported_verdict", "Verdict", verdictLabel(x.Verdict),
			"Figure", figure(x.Confidence)))
	}
	for j := range x.Reviews {
		r := x.Reviews[j].AsReview()
		s.item("#%d: %s", number, reviewLine(&r))
	}
	for j := range x.Passages {
		p := &x.Passages[j]
		s.item("#%d: %s", number, exportTexts.Text("exported.imported_passage", "At", p.At.UTC().Format("2006-01-02 15:04")+
			" UTC", "Name", inline(p.Actor), "Place", passagePlace(session, p), "Words", inline(passageWords(session, p))))
	}
}

// passagePlace names the file of a passage and where it is in it.
func passagePlace(s *ledger.Session, p *ledger.ImportedPassage) string {
	d := s.Document(p.Document)
	if d == nil {
		return "-"
	}
	return inline(documentTitle(d)) + place(d, s.Chunk(p.Ref()))
}

// passageWords returns the words of a passage, "" if they are erased.
func passageWords(s *ledger.Session, p *ledger.ImportedPassage) string {
	c := s.Chunk(p.Ref())
	if c == nil || p.End > text.Len(c.Text) {
		return ""
	}
	return text.Slice(c.Text, p.Span())
}

func importLine(x *ledger.Import) string {
	file := exportTexts.Text("exported.imported_no_name")
	if x.File != "" {
		file = inline(x.File)
	}
	at := x.At.UTC().Format("2006-01-02")
	if x.Store != "" {
		return exportTexts.Text("exported.imported_signed", "Store", inline(x.Store), "File", file, "Name",
			inline(x.ByName), "At", at)
	}
	return exportTexts.Text("exported.imported", "File", file, "Name", inline(x.ByName), "At", at)
}

func figure(f float64) string { return strconv.FormatFloat(f, 'f', 4, 64) }

// imported appends what imported ledgers said of a claim.
func (p *pdfWriter) imported(out *lines, e *ledger.Entry) {
	for i := range e.Claim.Imported {
		x := &e.Claim.Imported[i]
		from := p.l.Session.ImportOf(x)
		out.line(typeset.Span{Text: p.importLine(&from), Bold: true})
		if x.Verdict != "" {
			out.labelled(p.t("imported_verdict"), typeset.Span{Text: p.verdict(x.Verdict) + " · " + figure(x.Confidence)})
		}
		for j := range x.Reviews {
			r := x.Reviews[j].AsReview()
			out.line(typeset.Span{Text: p.action(&r), Color: pdfSoft})
			out.line(typeset.Span{Text: clipped(r.Actor, pdfTitleLength), Isolate: true, Color: pdfSoft},
				typeset.Span{Text: p.t("list_comma") + p.time(r.At), Color: pdfSoft})
			if strings.TrimSpace(r.Reason) != "" {
				out.line(p.free(clipped(r.Reason, pdfRemarkLength))...)
			}
		}
		for j := range x.Passages {
			p.importedPassage(out, &x.Passages[j])
		}
	}
}

// importedPassage appends who attached which passage where the file was made.
func (p *pdfWriter) importedPassage(out *lines, x *ledger.ImportedPassage) {
	out.line(typeset.Span{Text: p.t("imported_passage"), Color: pdfSoft})
	out.line(typeset.Span{Text: clipped(x.Actor, pdfTitleLength), Isolate: true, Color: pdfSoft},
		typeset.Span{Text: p.t("list_comma") + p.time(x.At), Color: pdfSoft})
	if d := p.l.Session.Document(x.Document); d != nil {
		where := []typeset.Span{{Text: documentTitle(d), Isolate: true}}
		at := d.Locate(p.l.Session.Chunk(x.Ref()))
		for _, s := range p.saidAll(at.Long()) {
			where = append(where, typeset.Span{Text: p.t("list_comma")}, typeset.Span{Text: s, Isolate: true})
		}
		out.line(where...)
	}
	if words := strings.Join(strings.Fields(passageWords(p.l.Session, x)), " "); words != "" {
		out.line(p.own(clipped(words, pdfShortLength))...)
	}
}

func (p *pdfWriter) importLine(x *ledger.Import) string {
	file := p.t("imported_no_name")
	if x.File != "" {
		file = clipped(x.File, pdfTitleLength)
	}
	if x.Store != "" {
		return p.t("imported_signed", "Store", clipped(x.Store, pdfTitleLength), "File", file, "Name",
			clipped(x.ByName, pdfTitleLength), "At", p.time(x.At))
	}
	return p.t("imported", "File", file, "Name", clipped(x.ByName, pdfTitleLength), "At", p.time(x.At))
}
