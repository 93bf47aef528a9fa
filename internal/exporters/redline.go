package exporters

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"time"
	"unicode"
	"unicode/utf8"

	"sanad/internal/domain/letterhead"
	"sanad/internal/domain/text/redline"
	"sanad/internal/exporters/prose"
	"sanad/internal/exporters/typeset"
)

// Redline is what changed from one version of something to another, as a document.
type Redline struct {
	Title    string // of what it is
	Language string // "en" or "ar": of the document's own words
	Versions [2]RedlineVersion
	Parts    []RedlinePart
	Letter   *letterhead.Letterhead // nil for none
	Zone     *time.Location         // nil for UTC
}

// RedlineVersion is one of the two versions.
type RedlineVersion struct {
	Name string // such as "Version 2"
	At   time.Time
}

// RedlinePart is one text in both versions.
type RedlinePart struct {
	Heading      string // "" where there is one part only
	Older, Newer string
}

// The colours of what was added and removed, which are also told apart by their lines.
const (
	redlineAdded   typeset.Color = 0x1b6638
	redlineRemoved               = prose.Alarm
)

// RedlinePDF writes a redline: the whole text, what was removed struck through, what was added underlined.
func RedlinePDF(w io.Writer, r *Redline) error {
	lang := &prose.Langs[0]
	if r.Language == prose.Langs[1].Code {
		lang = &prose.Langs[1]
	}
	lang = lang.At(r.Zone)
	names := make([]any, 0, 8)
	for i, v := range r.Versions {
		side := [2]string{"From", "To"}[i]
		names = append(names, side, v.Name, side+"At", lang.Time(v.At))
	}
	blocks := []typeset.Block{
		typeset.Cover{Kicker: lang.T("redline"), Title: prose.Clipped(r.Title, prose.TitleLength),
			TitleLang: prose.TextLang(r.Title, ""), Subtitle: lang.T("redline_versions", names...)},
		typeset.Paragraph{Soft: true, Spans: []typeset.Span{
			{Text: lang.T("redline_removed"), Color: redlineRemoved, Under: typeset.StrikeLine}, {Text: lang.T("redline_between")},
			{Text: lang.T("redline_added"), Color: redlineAdded, Under: typeset.SolidLine}}},
	}
	for _, part := range r.Parts {
		if part.Heading != "" {
			blocks = append(blocks, typeset.Heading{Level: 1, Text: part.Heading})
		}
		pieces, coarse := redline.Compare(part.Older, part.Newer)
		if coarse {
			blocks = append(blocks, typeset.Paragraph{Soft: true, Spans: typeset.Text(lang.T("redline_coarse"))})
		}
		for _, p := range redline.Paragraphs(redline.Visible(pieces)) {
			blocks = append(blocks, typeset.Paragraph{Spans: redlined(p), Lang: prose.TextLang(p.Text(), lang.Code), Own: true})
		}
	}
	doc := typeset.Doc{Title: r.Title, Subject: lang.T("redline"), Author: "Sanad", Date: r.Versions[1].At, Lang: lang.Code,
		Sections: []typeset.Section{{Lang: lang.Code, Title: lang.T("redline"), Blocks: blocks, PageOf: lang.T("page_of"),
			Head:     [2]string{prose.Clipped(r.Title, pdfRunningLength), r.Versions[0].Name + " – " + r.Versions[1].Name},
			HeadLang: [2]string{prose.TextLang(r.Title, "")}}}}
	whole := sha256.New()
	for _, x := range r.Parts {
		io.WriteString(whole, x.Heading+"\x00"+x.Older+"\x00"+x.Newer+"\x00")
	}
	doc.ID = hex.EncodeToString(whole.Sum(nil))
	prose.Headed(&doc, r.Letter)
	return typeset.Write(w, &doc, nil)
}

// redlined returns a paragraph's pieces as they are drawn.
func redlined(p redline.Paragraph) []typeset.Span {
	var out []typeset.Span
	for i, x := range p {
		if i > 0 && p[i-1].Op == redline.Removed && x.Op == redline.Added && !unicode.IsSpace(lastRune(p[i-1].Text)) {
			out = append(out, typeset.Span{Text: " "})
		}
		s := typeset.Span{Text: x.Text}
		switch x.Op {
		case redline.Added:
			s.Color, s.Under = redlineAdded, typeset.SolidLine
		case redline.Removed:
			s.Color, s.Under = redlineRemoved, typeset.StrikeLine
		case redline.Kept:
		}
		out = append(out, s)
	}
	return out
}

func lastRune(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}
