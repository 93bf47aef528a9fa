package exporters

import (
	"strconv"
	"strings"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/exporters/prose"
	"sanad/internal/exporters/typeset"
)

// imported are what imported ledgers said of the claims, apart from our own judgement and reviews (rule L-32).
func imported(l *ledger.Ledger) (out []claimLines) {
	for i := range l.Session.Imports {
		s := &section{heading: "## Imported Reviews", intro: importLine(&l.Session.Imports[i])}
		out = append(out, claimLines{s, func(e *ledger.Entry) {
			for k := range e.Claim.Imported {
				if x := &e.Claim.Imported[k]; x.Import == i {
					s.said(e.Claim.Number(), l.Session, x)
				}
			}
		}})
	}
	return out
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
			" UTC", "Name", prose.Inline(p.Actor), "Place", passagePlace(session, p), "Words",
			prose.Inline(passageWords(session, p))))
	}
}

// passagePlace names the file of a passage and where it is in it.
func passagePlace(s *ledger.Session, p *ledger.ImportedPassage) string {
	d := s.Document(p.Document)
	if d == nil {
		return "-"
	}
	return prose.Inline(documentTitle(d)) + place(d, s.Chunk(p.Ref()))
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
		file = prose.Inline(x.File)
	}
	at := x.At.UTC().Format("2006-01-02")
	if x.Store != "" {
		return exportTexts.Text("exported.imported_signed", "Store", prose.Inline(x.Store), "File", file, "Name",
			prose.Inline(x.ByName), "At", at)
	}
	return exportTexts.Text("exported.imported", "File", file, "Name", prose.Inline(x.ByName), "At", at)
}

func figure(f float64) string { return strconv.FormatFloat(f, 'f', 4, 64) }

// imported appends what imported ledgers said of a claim.
func (p *pdfWriter) imported(out *prose.Lines, e *ledger.Entry) {
	for i := range e.Claim.Imported {
		x := &e.Claim.Imported[i]
		from := p.l.Session.ImportOf(x)
		out.Line(typeset.Span{Text: p.importLine(&from), Bold: true})
		if x.Verdict != "" {
			out.Labelled(p.T("imported_verdict"), typeset.Span{Text: p.Verdict(x.Verdict) + " · " + figure(x.Confidence)})
		}
		for j := range x.Reviews {
			r := x.Reviews[j].AsReview()
			out.Line(typeset.Span{Text: p.action(&r), Color: prose.Soft})
			out.Line(typeset.Span{Text: prose.Clipped(r.Actor, prose.TitleLength), Isolate: true, Color: prose.Soft},
				typeset.Span{Text: p.T("list_comma") + p.Time(r.At), Color: prose.Soft})
			if strings.TrimSpace(r.Reason) != "" {
				out.Line(p.free(prose.Clipped(r.Reason, prose.RemarkLength))...)
			}
		}
		for j := range x.Passages {
			p.importedPassage(out, &x.Passages[j])
		}
	}
}

// importedPassage appends who attached which passage where the file was made.
func (p *pdfWriter) importedPassage(out *prose.Lines, x *ledger.ImportedPassage) {
	out.Line(typeset.Span{Text: p.T("imported_passage"), Color: prose.Soft})
	out.Line(typeset.Span{Text: prose.Clipped(x.Actor, prose.TitleLength), Isolate: true, Color: prose.Soft},
		typeset.Span{Text: p.T("list_comma") + p.Time(x.At), Color: prose.Soft})
	if d := p.l.Session.Document(x.Document); d != nil {
		where := []typeset.Span{{Text: documentTitle(d), Isolate: true}}
		at := d.Locate(p.l.Session.Chunk(x.Ref()))
		for _, s := range p.SaidAll(at.Long()) {
			where = append(where, typeset.Span{Text: p.T("list_comma")}, typeset.Span{Text: s, Isolate: true})
		}
		out.Line(where...)
	}
	if words := strings.Join(strings.Fields(passageWords(p.l.Session, x)), " "); words != "" {
		out.Line(p.own(prose.Clipped(words, pdfShortLength))...)
	}
}

func (p *pdfWriter) importLine(x *ledger.Import) string {
	file := p.T("imported_no_name")
	if x.File != "" {
		file = prose.Clipped(x.File, prose.TitleLength)
	}
	if x.Store != "" {
		return p.T("imported_signed", "Store", prose.Clipped(x.Store, prose.TitleLength), "File", file, "Name",
			prose.Clipped(x.ByName, prose.TitleLength), "At", p.Time(x.At))
	}
	return p.T("imported", "File", file, "Name", prose.Clipped(x.ByName, prose.TitleLength), "At", p.Time(x.At))
}
