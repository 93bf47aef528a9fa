// Package mailfile reads mails and messages of Outlook, and takes out their attachments.
package mailfile

import (
	"errors"
	"strconv"
	"strings"

	"sanad/internal/documents/block"
	"sanad/internal/documents/webpage"
	"sanad/internal/domain/filetype"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/isolated"
	"sanad/internal/words"
)

// Bounds of a mail (rule SEC-9). Sane ones stay far below them.
const (
	mostMailParts = 10_000 // parts of all levels
	mostMailDepth = 50     // of parts in parts; mails in mails are files of their own
	mostAttached  = 200    // attachments
	mostFieldText = 2_000  // code points of a field that is shown
)

// Mail is a mail as it is shown, whatever the format of its file.
type Mail struct {
	fields   []shownField
	subject  string
	bodies   []Body
	attached []block.Inner

	Room      int      // bytes that attachments may still have together
	parts     int      // parts of all levels
	shown     int      // pictures and others that the text shows
	elsewhere []string // names of attachments that lie elsewhere: nothing is fetched
	empty     []string // names of attachments without a byte
	odd       string   // a character set that nobody knows, "" if none
	cut       bool     // the file ends too early
}

// roomTimes is by how many times the attachments of a mail may exceed its file.
const roomTimes = 3

// errRoom says that they do.
var errRoom = isolated.Over(words.Msg("bound_attached_bytes", "N", roomTimes))

// Room is how many bytes the attachments of a mail may have together: those of its file, and more where a text is kept
// in UTF-8.
func Room(data []byte) int { return roomTimes * len(data) }

// shownField is a line above a mail's text.
type shownField struct{ name, value string }

// Body is one of the texts that are shown below each other.
type Body struct {
	Text    string
	Html    bool
	read    *block.List // its passages, if it was read as another kind of text
	flowed  bool        // lines that end with a space go on (RFC 3676)
	delSp   bool        // without that space
	instead []Body      // what is shown where the text has no words
}

// field adds a line above the text, if there is something to say.
func (m *Mail) field(name, value string) {
	value = text.OneLine(text.CleanControls(value))
	if text.Len(value) > mostFieldText {
		value = text.Slice(value, text.Span{End: mostFieldText}) + "…"
	}
	if value != "" {
		m.fields = append(m.fields, shownField{name, value})
	}
}

// attach adds an attachment. Two streams of a file may share their bytes, so that what all hold is counted.
func (m *Mail) attach(name, mediaType string, data []byte) error {
	if name = attachedName(name, mediaType, len(m.attached)+1); len(data) == 0 {
		if len(m.empty) < mostAttached {
			m.empty = append(m.empty, name)
		}
		return nil
	}
	if m.Room -= len(data); m.Room < 0 {
		return errRoom
	}
	if len(m.attached) == mostAttached {
		return isolated.Over(words.Msg("bound_attached", "N", mostAttached))
	}
	m.attached = append(m.attached, block.Inner{Name: name, Data: data})
	return nil
}

// attachedName returns the name of an attachment. One without a name, or without an end, gets that of its kind.
func attachedName(name, mediaType string, number int) string {
	name = text.CleanName(name)
	if name == "" {
		name = "attachment-" + strconv.Itoa(number)
	}
	if filetype.NameEnd(name) != "" {
		return name
	}
	for _, kind := range filetype.Documents {
		if kind.MediaType == mediaType {
			return name + kind.Extension()
		}
	}
	return name
}

// write writes the mail: the fields as one passage, apart from the texts below it.
func (m *Mail) write(out *block.Page) error {
	out.Title = m.subject
	var names []string
	for _, a := range m.attached {
		names = append(names, a.Name)
	}
	m.field("Attachments", strings.Join(append(names, m.elsewhere...), ", "))
	var head strings.Builder
	for _, f := range m.fields {
		head.WriteString(f.name + ": " + f.value + "\n")
	}
	if head.Len() > 0 {
		out.Kind = ledger.PageHeader
		out.Put(strings.TrimSuffix(head.String(), "\n"), 0, 0)
		out.Kind = ledger.Body
	}
	for i := range m.bodies {
		if err := m.bodies[i].write(out); err != nil {
			return err
		}
	}
	out.Inner = m.attached
	m.warn(out)
	return out.Over
}

// warn says what a mail has that is not read.
func (m *Mail) warn(out *block.Page) {
	if m.cut {
		out.Warn("warning_mail_cut")
	}
	if m.odd != "" {
		out.Warn("warning_mail_charset", "Name", text.Slice(text.CleanName(m.odd), text.Span{End: 60}))
	}
	if m.shown > 0 {
		out.Warn("warning_mail_shown", "N", m.shown)
	}
	if len(m.elsewhere) > 0 {
		out.Warn("warning_mail_elsewhere", "N", len(m.elsewhere), "List", SomeNames(m.elsewhere))
	}
	if len(m.empty) > 0 {
		out.Warn("warning_mail_empty", "N", len(m.empty), "List", SomeNames(m.empty))
	}
}

// SomeNames lists the first few of many names.
func SomeNames(names []string) (out words.List) {
	const most, length = 10, 80
	for _, name := range names[:min(len(names), most)] {
		out = append(out, text.Slice(name, text.Span{End: length}))
	}
	if len(names) > most {
		out = append(out, "…")
	}
	return out
}

// write writes a text, or what is shown instead of it.
func (b *Body) write(out *block.Page) error {
	var own block.Page
	switch {
	case b.read != nil:
		own.List = *b.read
	case b.Html:
		p, err := webpage.Parse(b.Text)
		var bound *isolated.Bound
		if errors.As(err, &bound) || err != nil && len(b.instead) == 0 {
			return err
		}
		if err == nil {
			own = *p
			nameQuotes(own.Blocks, quotedToEnd(b.Text))
		}
	default:
		putMailText(&own.List, b.Text, b.flowed, b.delSp)
		nameQuotes(own.Blocks, endsInQuote(own.Blocks))
	}
	if len(own.Blocks) == 0 && len(b.instead) > 0 {
		for i := range b.instead {
			if err := b.instead[i].write(out); err != nil {
				return err
			}
		}
		return nil
	}
	out.Append(&own.List)
	if own.Over != nil {
		out.Over = own.Over
	}
	return nil
}
