package typeset

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// The post-pass (rule PDF-8) adds what fpdf can't write. It parses fpdf's file and rewrites it with complete ToUnicode
// maps, subset names, the structure tree, bookmarks, attachments and PDF/A-3u metadata.

// finisher runs the post-pass over one file.
type finisher struct {
	*pdfFile
	flow     *flow
	pages    []int // object numbers
	fontRefs [weights]int
	formRefs []int
}

// finish turns fpdf's file into the final one.
func (f *flow) finish(raw []byte, attachments []Attachment) ([]byte, error) {
	file, err := readPDF(raw)
	if err != nil {
		return nil, err
	}
	p := &finisher{pdfFile: file, flow: f}
	p.dropCatalog()
	p.fonts()
	if err := p.findPages(); err != nil {
		return nil, err
	}
	info := p.add(p.info())
	catalog := p.catalog(attachments)
	root := p.add([]byte(catalog))
	first := sha256.Sum256([]byte(f.doc.ID + "\x00" + f.doc.Title + "\x00" + pdfDate(f.doc.Date)))
	second := sha256.New()
	for _, o := range p.objects {
		_, _ = second.Write(o)
	}
	trailer := fmt.Sprintf("/Root %d 0 R/Info %d 0 R/ID[<%x><%x>]", root, info, first[:16], second.Sum(nil)[:16])
	return p.write(trailer), nil
}

// dropCatalog removes fpdf's own catalog and information, its last two objects; finish writes others.
func (p *finisher) dropCatalog() { p.objects = p.objects[:len(p.objects)-2] }

var (
	pageHead    = []byte("<</Type /Page\n")
	contentsRef = regexp.MustCompile(`/Contents (\d+) 0 R`)
)

// findPages rewrites page objects and page tree: each page refers to the structure tree, the extra pages at the end
// become forms, and no entry is repeated. Objects 1 and 2 are fpdf's page tree and resources.
func (p *finisher) findPages() error {
	var kids []byte
	found := 0
	for n, body := range p.objects {
		if !bytes.HasPrefix(body, pageHead) {
			continue
		}
		m := contentsRef.FindSubmatch(body)
		if m == nil {
			return errFile
		}
		at, err := strconv.Atoi(string(m[1]))
		if err != nil || at >= len(p.objects) {
			return errFile
		}
		p.objects[n] = nil
		if i := found; i < len(p.flow.pages) {
			p.objects[n] = fmt.Appendf(nil, "<</Type/Page/Parent 1 0 R/Contents %d 0 R/StructParents %d/Tabs/S>>", at,
				i)
			p.pages = append(p.pages, n)
			kids = fmt.Appendf(kids, "%d 0 R ", n)
			err = p.content(at, "")
		} else {
			p.formRefs = append(p.formRefs, at)
			err = p.content(at, fmt.Sprintf("/Subtype/Form/BBox[0 0 %.0f %.0f]/Resources 2 0 R", math.Ceil(pageWidth),
				math.Ceil(pageHeight)))
		}
		if err != nil {
			return err
		}
		found++
	}
	if found != len(p.flow.pages)+len(p.flow.forms) {
		return errFile
	}
	p.objects[1] = fmt.Appendf(nil, "<</Type/Pages/MediaBox[0 0 %.2f %.2f]/Resources 2 0 R/Count %d/Kids[%s]>>",
		pageWidth, pageHeight, len(p.pages), bytes.TrimSpace(kids))
	p.objects[2] = p.resources()
	return nil
}

// content compresses the content of a page or form, starting at contentMark.
func (p *finisher) content(at int, dict string) error {
	_, content, found := bytes.Cut(p.objects[at], []byte("stream\n"))
	_, content, marked := bytes.Cut(content, []byte(contentMark))
	if !found || !marked {
		return errFile
	}
	p.objects[at] = stream(dict, bytes.TrimRight(bytes.TrimSuffix(content, []byte("endstream")), "\n"))
	return nil
}

func (p *finisher) fontResources() string {
	out := ""
	for w, ref := range p.fontRefs {
		if ref > 0 {
			out += fmt.Sprintf("/%s %d 0 R", fontNames[w], ref)
		}
	}
	return "/Font<<" + out + ">>"
}

func (p *finisher) resources() []byte {
	out := fmt.Appendf(nil, "<<%s/XObject<<", p.fontResources())
	for i, ref := range p.formRefs {
		out = fmt.Appendf(out, "/X%d %d 0 R", i, ref)
	}
	return append(append(out, p.image()...), ">>>>"...)
}

// image adds the picture of pixels, if there is one, and returns its entry in the resources.
func (p *finisher) image() string {
	if p.flow.picture == nil {
		return ""
	}
	x := p.flow.picture
	n := p.add(stream(fmt.Sprintf("/Type/XObject/Subtype/Image/Width %.0f/Height %.0f/ColorSpace/DeviceRGB"+
		"/BitsPerComponent 8", x.Width, x.Height), x.RGB))
	return fmt.Sprintf("/I0 %d 0 R", n)
}

// pdfText returns a text string: ASCII unchanged, everything else in UTF-16.
func pdfText(s string) string {
	raw := []byte(s)
	if strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' }) {
		raw = append([]byte{0xFE, 0xFF}, utf16Bytes(s)...)
	}
	return "(" + string(appendEscaped(nil, raw...)) + ")"
}
