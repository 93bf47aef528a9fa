package mailfile

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"sanad/internal/documents/block"
	"sanad/internal/documents/webpage"
	"sanad/internal/domain/filetype"
	"sanad/internal/domain/text"
	"sanad/internal/isolated"
	"sanad/internal/words"
)

var errNotMail = errors.New("no field of a mail stands at its head")

// Read reads a mail as it was sent (RFC 5322, RFC 2045 to 2049), and a web archive, which has the same form (RFC 2557).
// Of several forms of one text the richest is read, as mail programs show it. Attachments are files of their own.
func Read(data []byte, out *block.Page) error {
	if !LooksMail(data) {
		return errNotMail
	}
	m := &Mail{Room: Room(data)}
	fields, body, err := ReadHead(bytes.TrimPrefix(data, []byte("\ufeff")))
	if err != nil {
		return err
	}
	e := NewEntity(fields, body, "text/plain")
	for _, x := range []struct{ name, shown string }{{"from", "From"}, {"to", "To"}, {"cc", "Cc"}, {"bcc", "Bcc"},
		{"reply-to", "Reply-To"}, {"date", "Date"}, {"subject", "Subject"}} {
		m.field(x.shown, mailWords(fieldOf(fields, x.name), e.params["charset"]))
	}
	m.subject = mailWords(fieldOf(fields, "subject"), e.params["charset"])
	if m.bodies, err = m.Take(e, 0, false); err != nil {
		return err
	}
	return m.write(out)
}

// mailFields are those of which a mail has one at least.
var mailFields = []string{"from", "to", "subject", "date", "received", "return-path", "message-id", "mime-version",
	"content-type", "delivered-to", "sender", "x-sender", "cc", "bcc", "reply-to"}

// LooksMail reports whether a file begins with fields of a mail.
func LooksMail(data []byte) bool {
	data = bytes.TrimPrefix(data[:min(len(data), 64<<10)], []byte("\ufeff"))
	fields, _, _ := ReadHead(bytes.TrimLeft(data, "\r\n"))
	return slices.ContainsFunc(fields, func(f mailField) bool { return slices.Contains(mailFields, f.name) })
}

// entity is a mail or a part of one (RFC 2045, 2.4).
type entity struct {
	fields []mailField
	kind   string            // its media type, in lower case
	params map[string]string // of its media type
	place  string            // "attachment", "inline" or ""
	name   string            // of its file, "" if it has none
	body   []byte            // as it is encoded
}

// NewEntity returns a part; without a media type it is of the usual kind.
func NewEntity(fields []mailField, body []byte, usual string) *entity {
	e := &entity{fields: fields, body: body}
	e.kind, e.params = mailParameters(fieldOf(fields, "content-type"), "")
	if !strings.Contains(e.kind, "/") {
		e.kind = usual
	}
	place, params := mailParameters(fieldOf(fields, "content-disposition"), e.params["charset"])
	e.place = place
	if e.name = params["filename"]; e.name == "" {
		e.name = e.params["name"]
	}
	return e
}

// content returns the decoded bytes.
func (e *entity) content() []byte {
	coding := strings.ToLower(string(fieldOf(e.fields, "content-transfer-encoding")))
	coding, _, _ = strings.Cut(strings.TrimSpace(coding), ";")
	switch strings.Trim(coding, `"' `) {
	case "base64":
		return fromBase64(e.body)
	case "quoted-printable":
		return fromQuoted(e.body)
	case "x-uuencode", "uuencode", "x-uue":
		return fromUuencode(e.body)
	}
	return e.body
}

// is reports whether the kind is one of these.
func (e *entity) is(kinds ...string) bool { return slices.Contains(kinds, e.kind) }

// Take returns the texts of a part that are shown, and keeps its attachments. A related one belongs to a text beside
// it.
func (m *Mail) Take(e *entity, depth int, related bool) ([]Body, error) {
	if depth > mostMailDepth {
		return nil, isolated.Over(words.Msg("bound_deep", "N", mostMailDepth))
	}
	signed := e.is("application/pkcs7-mime", "application/x-pkcs7-mime") &&
		(depth == 0 || e.name == "" || strings.EqualFold(e.name, "smime.p7m"))
	switch {
	case strings.HasPrefix(e.kind, "multipart/"):
		return m.multipart(e, depth)
	case signed:
		return m.signed(e, depth)
	case e.is("application/pkcs7-signature", "application/x-pkcs7-signature", "application/pgp-signature",
		"application/applefile", "application/pgp-keys") && e.place != "attachment", e.is("application/pkcs7-signature"):
		return nil, nil // it signs the text
	case e.is("message/external-body"):
		m.leaveElsewhere(e)
		return nil, nil
	case strings.HasPrefix(e.kind, "image/") && e.place != "attachment", related && e.isResource():
		m.shown++
		return nil, nil
	case e.isText(depth):
		b, err := m.body(e)
		return []Body{b}, err
	}
	return nil, m.attachEntity(e)
}

// isText reports whether a part is shown as text of the mail.
func (e *entity) isText(depth int) bool {
	if depth > 0 && (e.place == "attachment" || e.name != "") {
		return false
	}
	return e.is("text/plain", "text/html", "text/enriched", "text/rfc822-headers", "text/markdown",
		"application/xhtml+xml", "message/delivery-status", "message/disposition-notification")
}

// isForm reports whether a part is a form of a text, beside others, that is read. What has a name is an attachment.
func (e *entity) isForm() bool {
	return e.name != "" && !e.is("text/calendar") || strings.HasPrefix(e.kind, "multipart/") || e.isText(1)
}

// isResource reports whether a part is there for a page to be drawn: a style, a script, a letter form, a frame.
func (e *entity) isResource() bool {
	return e.place != "attachment" && (fieldOf(e.fields, "content-id") != nil ||
		fieldOf(e.fields, "content-location") != nil) && (e.name == "" || strings.HasPrefix(e.kind, "text/css"))
}

// leaveElsewhere names an attachment that is not in the file. Nothing is fetched.
func (m *Mail) leaveElsewhere(e *entity) {
	name := text.CleanName(e.name)
	if name == "" {
		name = text.CleanName(e.params["access-type"])
	}
	if len(m.elsewhere) < mostAttached {
		m.elsewhere = append(m.elsewhere, name)
	}
}

// body returns a text that is shown.
func (m *Mail) body(e *entity) (Body, error) {
	data := e.content()
	set := e.params["charset"]
	b := Body{Html: e.is("text/html", "application/xhtml+xml")}
	if isUTF7(set) {
		return b, block.ErrCharset
	}
	if b.Html && set == "" {
		if s, ok := webpage.DecodeHTML(data); ok {
			b.Text = s
			return b, nil
		}
	}
	var known bool
	if b.Text, known = inCharset(set, data); !known {
		m.odd = set
	}
	b.flowed = strings.EqualFold(e.params["format"], "flowed")
	b.delSp = strings.EqualFold(e.params["delsp"], "yes")
	if strings.HasPrefix(strings.TrimSpace(b.Text), "-----BEGIN PGP MESSAGE-----") {
		return b, block.ErrLocked
	}
	b.Text = strings.ReplaceAll(b.Text, "\x00", "")
	return b, nil
}

func isUTF7(set string) bool {
	set = strings.ToLower(set)
	return strings.HasSuffix(set, "utf-7") || strings.HasSuffix(set, "utf7")
}

// attachEntity keeps an attachment. A text in another character set is kept in UTF-8, since its file alone does not say
// which; the bytes as they were sent are in the mail's own file.
func (m *Mail) attachEntity(e *entity) error {
	data, name := e.content(), e.name
	switch {
	case e.is("message/rfc822", "message/global"):
		if name == "" {
			fields, _, _ := ReadHead(data[:min(len(data), mostHead)])
			name = nameOfSubject(mailWords(fieldOf(fields, "subject"), ""))
		}
		if !slices.Contains(mailEnds, filetype.NameEnd(name)) && name != "" {
			name += ".eml"
		}
	case strings.HasPrefix(e.kind, "text/") && e.params["charset"] != "":
		if s, known := inCharset(e.params["charset"], data); known {
			data = []byte(s)
		}
	}
	return m.attach(name, e.kind, data)
}

// nameOfSubject returns a subject as the name of a file, whose strokes begin no folder.
func nameOfSubject(s string) string {
	return text.Slice(strings.NewReplacer("/", "-", `\`, "-").Replace(s), text.Span{End: 100})
}

var mailEnds = []string{".eml", ".msg"}

// signed reads what a signature wraps whole (RFC 8551, 3.5.2). What is encrypted is refused.
func (m *Mail) signed(e *entity, depth int) ([]Body, error) {
	data := e.content()
	inner, err := signedContent(data)
	if err != nil {
		return nil, err
	}
	if inner == nil { // a packed one, or only certificates
		return nil, m.attach(e.name, e.kind, data)
	}
	fields, body, err := ReadHead(inner)
	if err != nil {
		return nil, err
	}
	return m.Take(NewEntity(fields, body, "text/plain"), depth+1, false)
}

// multipart reads the parts of a part.
func (m *Mail) multipart(e *entity, depth int) ([]Body, error) {
	if e.is("multipart/encrypted") {
		return nil, block.ErrLocked
	}
	usual := "text/plain"
	if e.is("multipart/digest") {
		usual = "message/rfc822"
	}
	parts, whole, err := m.divide(e, usual)
	if err != nil {
		return nil, err
	}
	if m.cut = m.cut || !whole; len(parts) == 0 {
		return m.Take(NewEntity(nil, e.body, "text/plain"), depth+1, false)
	}
	root := e.root(parts)
	var all []Body
	for i, p := range parts {
		if e.is("multipart/alternative") && !p.isForm() {
			continue
		}
		bodies, err := m.Take(p, depth+1, e.is("multipart/related") && i != root)
		switch {
		case err != nil:
			return nil, err
		case len(bodies) == 0:
		case e.is("multipart/alternative"): // later ones are richer (RFC 2046, 5.1.4)
			bodies[0].instead = all
			all = bodies
		default:
			all = append(all, bodies...)
		}
	}
	return all, nil
}

// root returns which of related parts is the text that the others belong to (RFC 2387): the one that is named, or the
// first that can be.
func (e *entity) root(parts []*entity) int {
	start := strings.Trim(e.params["start"], "<> ")
	for i, p := range parts {
		if start != "" && strings.Trim(string(fieldOf(p.fields, "content-id")), "<> ") == start {
			return i
		}
	}
	return max(0, slices.IndexFunc(parts, func(p *entity) bool {
		return p.isText(1) || strings.HasPrefix(p.kind, "multipart/")
	}))
}

// divide returns the parts of a part, and whether its end is there.
func (m *Mail) divide(e *entity, usual string) (parts []*entity, whole bool, err error) {
	boundary := []byte("--" + strings.TrimRight(e.params["boundary"], " "))
	if len(boundary) == 2 {
		return nil, true, nil
	}
	from, rest := -1, e.body
	add := func(end int) error {
		if from < 0 {
			return nil
		}
		if m.parts++; m.parts > mostMailParts {
			return isolated.Over(words.Msg("bound_mail_parts", "N", mostMailParts))
		}
		part := bytes.TrimSuffix(bytes.TrimSuffix(e.body[from:max(from, end)], []byte("\n")), []byte("\r"))
		fields, body, err := ReadHead(part)
		parts = append(parts, NewEntity(fields, body, usual))
		return err
	}
	for len(rest) > 0 {
		start := len(e.body) - len(rest)
		var line []byte
		line, rest = cutLine(rest)
		if !bytes.HasPrefix(line, boundary) {
			continue
		}
		end := string(bytes.TrimRight(line[len(boundary):], " \t"))
		if end != "" && end != "--" {
			continue
		}
		if err := add(start); err != nil {
			return nil, false, err
		}
		if from = len(e.body) - len(rest); end == "--" {
			return parts, true, nil
		}
	}
	return parts, false, add(len(e.body))
}
