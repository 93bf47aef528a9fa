package exporters

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"sanad/internal/domain/ledger"
	"sanad/internal/exporters/prose"
	"sanad/internal/exporters/typeset"
)

// hashWidth is the width of the column of hashes, in percent: one line of it.
const hashWidth = 58.5

// annex lists the documents with their dates and hashes, and the attached file with its.
func (p *pdfWriter) annex() {
	p.chapter("annex")
	if p.first != nil {
		p.add(p.there("annex_there", "annex"))
		return
	}
	s := p.l.Session
	if len(s.Documents) == 0 {
		p.add(typeset.Paragraph{Spans: typeset.Text(p.T("no_documents"))})
	}
	p.add(typeset.Paragraph{Soft: true, Spans: typeset.Text(p.T("annex_hint"))})
	t := typeset.Table{Columns: []typeset.Column{{Title: p.T("file"), Width: 100 - hashWidth},
		{Title: p.T("hashes"), Width: hashWidth}}}
	for i := range s.Documents {
		d := &s.Documents[i]
		spans := p.document(d)
		if dates := p.dates(d); len(dates) > 0 {
			between := "\n"
			if len(spans) > 1 { // beside the title
				between = " · "
			}
			spans = append(append(spans, typeset.Span{Text: between}), dates...)
		}
		t.Rows = append(t.Rows, typeset.Row{Cells: []typeset.Cell{{Spans: spans},
			{Spans: p.fileHashes(d)}}})
	}
	sum := sha256.Sum256(p.file)
	t.Rows = append(t.Rows, typeset.Row{Cells: []typeset.Cell{
		{Spans: []typeset.Span{{Text: "ledger.json", Bold: true, Isolate: true}}},
		{Spans: p.hashes("hash_file", hex.EncodeToString(sum[:]), "hash_canonical", p.digest)},
	}})
	p.add(t)
}

// fileHashes returns the hashes of a document, or says that its file is not here.
func (p *pdfWriter) fileHashes(d *ledger.Document) []typeset.Span {
	out := prose.Lines(p.hashes("hash_file", d.BlobSHA256, "document_root", d.Root))
	if d.BlobSHA256 == "" && d.Root != "" {
		out.Line(typeset.Span{Text: p.T("file_not_held"), Color: prose.Soft})
	}
	return out
}

// hashes returns hashes below their names; pairs are name, hash.
func (p *pdfWriter) hashes(pairs ...string) []typeset.Span {
	var out prose.Lines
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			out.Line(typeset.Span{Text: p.T(pairs[i]), Color: prose.Soft})
			out.Line(code(pairs[i+1])...)
		}
	}
	if len(out) == 0 {
		out.Line(code("")...)
	}
	return out
}

func (p *pdfWriter) document(d *ledger.Document) []typeset.Span {
	name := documentTitle(d)
	out := []typeset.Span{{Text: name, Bold: true, Isolate: true}}
	for _, s := range []string{d.Title, d.URI} {
		if strings.TrimSpace(s) != "" && prose.Clipped(s, prose.TitleLength) != name {
			out = append(out, typeset.Span{Text: "\n"}, typeset.Span{Text: prose.Clipped(s, prose.TitleLength), Isolate: true})
		}
	}
	if d.Status == ledger.Deleted {
		out = append(out, typeset.Span{Text: "\n" + p.T("deleted")})
	}
	if d.Withdrawn != "" {
		out = append(out, typeset.Span{Text: "\n"},
			typeset.Span{Text: p.T("withdrawn") + ": ", Bold: true, Color: prose.Alarm})
		out = append(out, p.free(prose.Clipped(d.Withdrawn, prose.RemarkLength))...)
	}
	hidden, struck := d.CountLeftOut()
	for _, x := range []struct {
		kind ledger.LeftOutKind
		n    int
	}{{ledger.Hidden, hidden}, {ledger.Struck, struck}} {
		if x.n > 0 {
			out = append(out, typeset.Span{Text: "\n" + p.leftOut(x.kind, x.n)})
		}
	}
	return out
}

// leftOut counts the passages of a file that support nothing.
func (p *pdfWriter) leftOut(kind ledger.LeftOutKind, n int) string {
	return p.T("doc_left_out") + " " + p.Words.Plural("doc_left_out_"+string(kind), n, strconv.Itoa(n))
}

func (p *pdfWriter) dates(d *ledger.Document) []typeset.Span {
	var out []typeset.Span
	add := func(label, value string) {
		if value == "" {
			return
		}
		if len(out) > 0 {
			out = append(out, typeset.Span{Text: " · "})
		}
		out = append(out, typeset.Span{Text: label + " "},
			typeset.Span{Text: prose.Clipped(value, prose.TitleLength), Isolate: true})
	}
	add(p.T("published"), p.Day(d.PublishedAt))
	add(p.T("valid_until"), p.Day(d.ValidUntil))
	replaces := d.Supersedes
	if older := p.l.Session.Replaces(d); older != nil {
		replaces = replacedName(older, d)
	}
	add(p.T("replaces"), replaces)
	return out
}

// code returns a text for machines as a span; none if it is empty.
func code(s string) []typeset.Span {
	if s == "" {
		return typeset.Text("–")
	}
	return []typeset.Span{{Text: s, Code: true}}
}
