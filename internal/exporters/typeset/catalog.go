package typeset

import (
	"bytes"
	"cmp"
	"crypto/md5" //nolint:gosec // PDF's checksum of an attachment is MD5, ISO 32000-1 table 46
	"encoding/xml"
	"fmt"
	"regexp"
	"sort"
	"strings"
	"time"
	"unicode/utf16"
)

// producer is the program's name in the file.
const producer = "Sanad typeset"

// catalog writes the objects that the catalog refers to and returns the catalog.
func (p *finisher) catalog(attachments []Attachment) string {
	lang := cmp.Or(langTag(p.flow.doc.Lang), "en")
	var out strings.Builder
	fmt.Fprintf(&out, "<</Type/Catalog/Pages 1 0 R/Lang%s/MarkInfo<</Marked true>>/StructTreeRoot %d 0 R",
		pdfText(lang), p.structure())
	direction := "L2R"
	if strings.HasPrefix(lang, "ar") {
		direction = "R2L"
	}
	fmt.Fprintf(&out, "/ViewerPreferences<</DisplayDocTitle true/Direction/%s>>", direction)
	if root := p.outlines(); root > 0 {
		fmt.Fprintf(&out, "/Outlines %d 0 R/PageMode/UseOutlines", root)
	}
	fmt.Fprintf(&out, "/Metadata %d 0 R", p.add(p.metadata()))
	icc := p.add(stream("/N 3", sRGBProfile()))
	fmt.Fprintf(&out, "/OutputIntents[<</Type/OutputIntent/S/GTS_PDFA1/OutputConditionIdentifier(sRGB IEC61966-2.1)/Info(sRGB IEC61966-2.1)/DestOutputProfile %d 0 R>>]", icc)
	out.WriteString(p.embed(attachments))
	out.WriteString(">>")
	return out.String()
}

// embed writes the attachments as associated files of the document (PDF/A-3, ISO 19005-3 6.8).
func (p *finisher) embed(attachments []Attachment) string {
	if len(attachments) == 0 {
		return ""
	}
	names := make([]string, len(attachments))
	var refs []string
	for i, a := range attachments {
		n := p.attachment(a)
		names[i] = fmt.Sprintf("%s %d 0 R", pdfText(clean(a.Name)), n)
		refs = append(refs, fmt.Sprintf("%d 0 R", n))
	}
	sort.Strings(names)
	return fmt.Sprintf("/Names<</EmbeddedFiles<</Names[%s]>>>>/AF[%s]", strings.Join(names, " "),
		strings.Join(refs, " "))
}

func (p *finisher) attachment(a Attachment) int {
	mime, relation := a.MIME, a.Relation
	if mime == "" {
		mime = "application/octet-stream"
	}
	if relation == "" {
		relation = "Data"
	}
	dict := fmt.Sprintf("/Type/EmbeddedFile/Subtype/%s/Params<</Size %d/CheckSum<%x>/ModDate(%s)>>",
		pdfName(mime), len(a.Content), md5.Sum(a.Content), pdfDate(p.flow.doc.Date)) //nolint:gosec // as above
	content := p.add(stream(dict, a.Content))
	name := pdfText(clean(a.Name))
	return p.add(fmt.Appendf(nil, "<</Type/Filespec/F%s/UF%s/Desc%s/AFRelationship/%s/EF<</F %d 0 R/UF %d 0 R>>>>",
		name, name, pdfText(clean(a.Description)), pdfName(relation), content, content))
}

// pdfName returns s escaped as a PDF name.
func pdfName(s string) string {
	const most = 127 // ISO 19005-3 6.1.13
	var out strings.Builder
	for _, b := range []byte(s[:min(len(s), most/3)]) {
		switch {
		case b == 0: // not allowed in any form
		case b > '*' && b < 0x7F && !strings.ContainsRune("/<>[]{}()%#", rune(b)):
			out.WriteByte(b)
		default:
			fmt.Fprintf(&out, "#%02X", b)
		}
	}
	if out.Len() == 0 {
		return "Unknown"
	}
	return out.String()
}

func utf16Bytes(s string) []byte {
	var out []byte
	for _, u := range utf16.Encode([]rune(s)) {
		out = append(out, byte(u>>8), byte(u))
	}
	return out
}

var languageTag = regexp.MustCompile(`^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,4}$`)

// langTag returns a valid language tag, or "" if the language isn't one (ISO 19005-3 6.7.4).
func langTag(lang string) string {
	if languageTag.MatchString(lang) {
		return lang
	}
	return ""
}

// maxString is the maximum length of a string in the file, in characters: PDF/A allows 32,767 bytes
// (ISO 19005-3 6.1.13).
const maxString = 8000

// clean removes control characters from metadata and cuts it to the length of a string.
func clean(s string) string {
	if r := []rune(s); len(r) > maxString {
		s = string(r[:maxString])
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7F {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}

// pdfDate formats a time as PDF does, always in UTC.
func pdfDate(t time.Time) string { return t.UTC().Format("D:20060102150405+00'00'") }

func xmpDate(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05+00:00") }

// info returns the document information dictionary. PDF/A requires it to agree with the metadata.
func (p *finisher) info() []byte {
	d := p.flow.doc
	out := []byte("<<")
	for _, f := range []struct{ key, value string }{
		{"Title", d.Title}, {"Author", d.Author}, {"Subject", d.Subject}, {"Keywords", d.Keywords},
		{"Creator", producer}, {"Producer", producer},
	} {
		if v := clean(f.value); v != "" {
			out = fmt.Appendf(out, "/%s%s", f.key, pdfText(v))
		}
	}
	return fmt.Appendf(out, "/CreationDate(%s)/ModDate(%s)>>", pdfDate(d.Date), pdfDate(d.Date))
}

// metadata returns the XMP packet with the PDF/A-3u identification. It stays uncompressed, as PDF/A readers look for it
// in the bytes of the file.
func (p *finisher) metadata() []byte {
	d := p.flow.doc
	var x strings.Builder
	x.WriteString("<?xpacket begin=\"\uFEFF\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">" +
		"<rdf:Description rdf:about=\"\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\" xmlns:xmp=\"http://ns.adobe.com/xap/1.0/\" xmlns:pdf=\"http://ns.adobe.com/pdf/1.3/\" xmlns:pdfaid=\"http://www.aiim.org/pdfa/ns/id/\">\n")
	x.WriteString("<pdfaid:part>3</pdfaid:part><pdfaid:conformance>U</pdfaid:conformance>\n")
	field := func(form, value string) {
		if v := clean(value); v != "" {
			fmt.Fprintf(&x, form+"\n", escapeXML(v))
		}
	}
	field("<dc:title><rdf:Alt><rdf:li xml:lang=\"x-default\">%s</rdf:li></rdf:Alt></dc:title>", d.Title)
	field("<dc:creator><rdf:Seq><rdf:li>%s</rdf:li></rdf:Seq></dc:creator>", d.Author)
	field("<dc:description><rdf:Alt><rdf:li xml:lang=\"x-default\">%s</rdf:li></rdf:Alt></dc:description>", d.Subject)
	field("<dc:language><rdf:Bag><rdf:li>%s</rdf:li></rdf:Bag></dc:language>", langTag(d.Lang))
	field("<pdf:Keywords>%s</pdf:Keywords>", d.Keywords)
	field("<pdf:Producer>%s</pdf:Producer>", producer)
	field("<xmp:CreatorTool>%s</xmp:CreatorTool>", producer)
	fmt.Fprintf(&x, "<xmp:CreateDate>%s</xmp:CreateDate><xmp:ModifyDate>%[1]s</xmp:ModifyDate>\n", xmpDate(d.Date))
	x.WriteString("</rdf:Description></rdf:RDF></x:xmpmeta>\n<?xpacket end=\"r\"?>")
	return fmt.Appendf(nil, "<</Type/Metadata/Subtype/XML/Length %d>>\nstream\n%s\nendstream", x.Len(), x.String())
}

func escapeXML(s string) string {
	var out bytes.Buffer
	_ = xml.EscapeText(&out, []byte(s)) // a bytes.Buffer never fails
	return out.String()
}
