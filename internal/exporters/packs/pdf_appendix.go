package packs

import (
	"slices"
	"strconv"
	"strings"

	"sanad/internal/domain/pack"
	"sanad/internal/exporters/prose"
	"sanad/internal/exporters/typeset"
)

// prompts lists the prompt templates that were used.
func (p *pdfWriter) prompts() {
	p.heading("prompts")
	all := p.d.Content.Prompts
	if len(all) == 0 {
		p.add(typeset.Paragraph{Spans: typeset.Text(p.T("no_prompts"))})
		return
	}
	t := typeset.Table{Columns: []typeset.Column{{Title: "#", Width: referenceWidth},
		{Title: p.T("template"), Width: 70 - referenceWidth}, {Title: p.T("version"), Width: 30}}}
	for i := range all {
		t.Rows = append(t.Rows, typeset.Row{Cells: []typeset.Cell{p.number("P" + strconv.Itoa(i+1)),
			{Spans: p.names(all[i].TemplateName)}, {Spans: p.names(all[i].TemplateVersion)},
		}})
	}
	p.add(t)
}

// appendix adds identifiers and hashes.
func (p *pdfWriter) appendix() {
	if p.first != nil {
		p.heading("appendix")
		p.add(typeset.Paragraph{Spans: typeset.Text(p.T("annex_there", "N", strconv.Itoa(p.first.chapters["appendix"]),
			"Language", p.T("language_"+p.first.Code)))})
		return
	}
	if p.Code == "ar" { // readers take a page's direction from its letters, and those of hashes are Latin
		p.add(typeset.PageBreak{})
	}
	p.heading("appendix")
	p.soft(p.T("appendix_hint"))
	var items []typeset.KeyValue
	for _, f := range p.d.identifiers() {
		if f.words != "" {
			items = append(items, typeset.KeyValue{Key: p.T(f.id),
				Value: []typeset.Span{digits(prose.Clipped(f.words, prose.TitleLength))}})
		}
	}
	p.add(typeset.KeyValues{Items: items})
	p.soft(p.T("hashes_hint"))
	p.hashes()
	p.attached()
}

// hashes lists the hashes of each source and the evidence of each claim.
func (p *pdfWriter) hashes() {
	t := typeset.Table{Columns: []typeset.Column{{Title: "#", Width: referenceWidth},
		{Title: p.T("hashes"), Width: 100 - referenceWidth}}}
	row := func(number string, facts []fact) {
		var out prose.Lines
		for _, f := range facts {
			switch {
			case strings.HasPrefix(f.id, "as_"): // a sentence, which runs in the part's direction
				out.Labelled(p.T(strings.TrimPrefix(f.id, "as_")), isolates(f.words)...)
			case f.words != "":
				out.Labelled(p.T(f.id), digits(prose.Clipped(f.words, prose.TitleLength)))
			}
		}
		if len(out) > 0 {
			t.Rows = append(t.Rows, typeset.Row{Cells: []typeset.Cell{p.number(number), {Spans: out}}})
		}
	}
	c := &p.d.Content
	for i := range c.Prompts {
		row("P"+strconv.Itoa(i+1), []fact{{"rendered", c.Prompts[i].RenderedHash}})
	}
	for i := range c.Sources {
		// a source that is a single chunk has the hash of its excerpt
		row(pack.Reference(i), slices.DeleteFunc(sourceHashes(&c.Sources[i]), func(f fact) bool {
			return f.id == "chunk_root" && "sha256:"+f.words == c.Sources[i].ExcerptHash
		}))
	}
	if c.Ledger != nil {
		for i := range c.Ledger.Entries {
			e := &c.Ledger.Entries[i]
			row("C"+strconv.Itoa(e.Number), p.claimHashes(e))
		}
	}
	if len(t.Rows) > 0 {
		p.add(t)
	}
}

// claimHashes returns the hashes of a claim's evidence, or which source has the same.
func (p *pdfWriter) claimHashes(e *pack.Entry) []fact {
	for i := range p.d.Content.Sources {
		if e.SamePassage(&p.d.Content.Sources[i]) {
			return []fact{{"as_chunk_root", p.T("hash_as", "Source", isolated(pack.Reference(i)))}}
		}
	}
	return []fact{{"chunk_root", prefixed(e.ChunkRoot)}, {"evidence_id", e.EvidenceID}}
}

func (p *pdfWriter) attached() {
	all := p.d.Content.Attachments
	if len(all) == 0 {
		return
	}
	t := typeset.Table{Columns: []typeset.Column{{Title: p.T("attachments"), Width: 45}, {Title: "SHA-256", Width: 55}}}
	for i := range all {
		var name prose.Lines
		name.Line(p.names(all[i].Name)...)
		name.Line(typeset.Span{Text: p.T("bytes_n", "N", strconv.FormatInt(all[i].Size, 10)), Color: prose.Soft})
		t.Rows = append(t.Rows, typeset.Row{Cells: []typeset.Cell{{Spans: name},
			{Spans: []typeset.Span{digits(all[i].SHA256)}}}})
	}
	p.add(t)
}

// notShown lists what was considered and left out: the candidates that the model was not shown.
func (p *pdfWriter) notShown(r *pack.Replay) {
	if r == nil {
		return
	}
	p.heading("left_out")
	var policy prose.Lines
	if s := p.selection(r); s != "" {
		policy.Labelled(p.T("policy"), typeset.Span{Text: s})
	} else {
		p.data(&policy, p.T("policy"), r.Policy)
	}
	if len(policy) > 0 {
		p.add(typeset.Paragraph{Soft: true, Spans: policy})
	}
	t := typeset.Table{Columns: []typeset.Column{{Title: p.T("source"), Width: 34}, {Title: p.T("reason"), Width: 28},
		{Title: p.T("evidence_id"), Width: 38}}}
	for _, x := range r.LeftOut {
		t.Rows = append(t.Rows, typeset.Row{Cells: []typeset.Cell{{Spans: p.names(x.Source)},
			{Spans: []typeset.Span{p.said(p.leftOut(r, x.Reason))}}, {Spans: []typeset.Span{digits(x.EvidenceID)}}}})
	}
	if len(t.Rows) > 0 {
		p.add(t)
	}
}
