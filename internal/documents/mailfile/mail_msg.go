package mailfile

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"sanad/internal/documents/block"
	"sanad/internal/documents/webpage"
	"sanad/internal/domain/text"
	"sanad/internal/isolated"
)

// ReadOutlook returns the reader of messages of Outlook (MS-OXMSG): the richest of their texts, and their attachments
// as files of their own. An attached message becomes such a file too. readRTF reads a text of RTF; where that is cut
// off, it fails and has added what there is.
func ReadOutlook(readRTF func(data []byte, out *block.List) error) func(data []byte, out *block.Page) error {
	return func(data []byte, out *block.Page) error { return readOutlook(data, out, readRTF) }
}

func readOutlook(data []byte, out *block.Page, readRTF func([]byte, *block.List) error) error {
	root, err := openCompound(data)
	if err != nil {
		return err
	}
	o := &outlook{root: root, Mail: Mail{Room: Room(data)}, readRTF: readRTF}
	top := root.at("")
	if top == nil || top.streams["__properties_version1.0"] == nil {
		return errNotMail
	}
	if err := o.message(top); err != nil {
		return err
	}
	return o.Mail.write(out)
}

// outlook reads a message.
type outlook struct {
	Mail
	root    *compound
	readRTF func([]byte, *block.List) error
	page    string // the character set of strings that are not in Unicode
	err     error  // the bound that a stream exceeds
}

// message reads the message in a folder.
func (o *outlook) message(s *storage) error {
	props := o.properties(s)
	o.page = stringPage(props.number(msgStringPage), props.number(msgLanguage), props.number(msgCodePage))
	class := strings.ToUpper(props.text(msgClass))
	o.subject = text.OneLine(props.text(msgSubject))
	o.field("From", address(first(props.text(msgSentFor), props.text(msgSenderName)),
		first(props.text(msgSentForSMTP), props.text(msgSenderSMTP), props.text(msgSentForMail), props.text(msgSenderMail))))
	for i, name := range []string{"To", "Cc", "Bcc"} {
		shown := []int{msgShownTo, msgShownCc, msgShownBcc}[i]
		o.field(name, first(o.recipients(s, i+1), props.text(shown)))
	}
	if sent := first(props.time(msgSent), props.time(msgDelivered)); sent != "" {
		o.field("Date", sent)
	}
	o.field("Subject", o.subject)
	if err := o.attachments(s, strings.Contains(class, ".SMIME")); err != nil {
		return err
	}
	if o.bodies == nil {
		if err := o.texts(&props); err != nil {
			return err
		}
	}
	return o.err
}

// texts takes the richest text of a message: HTML, HTML inside RTF, RTF that was written as such, plain text, RTF of
// it.
func (o *outlook) texts(props *msgProperties) error {
	plain := Body{Text: strings.ReplaceAll(props.text(msgBody), "\x00", "")}
	add := func(s string) {
		b := Body{Text: strings.ReplaceAll(s, "\x00", ""), Html: true}
		if plain.Text != "" {
			b.instead = []Body{plain}
		}
		o.bodies = []Body{b}
	}
	if page := props.bytes(msgHTML); len(page) > 0 {
		set := codePage(props.number(msgCodePage))
		if s, ok := webpage.DecodeHTML(page); ok && set == "" {
			add(s)
			return nil
		}
		s, _ := inCharset(set, page)
		add(s)
		return nil
	}
	if s := props.text(msgHTML); s != "" {
		add(s)
		return nil
	}
	rtf, err := unpackRTF(props.bytes(msgRTF))
	if err != nil {
		return err
	}
	of, ok := isRTF(rtf)
	hasPlain := strings.TrimSpace(plain.Text) != ""
	if of == `\fromhtml` {
		add(htmlInRTF(rtf, o.page))
		return nil
	}
	if ok && (of == "" || !hasPlain) {
		list := &block.List{}
		err := o.readRTF(rtf, list)
		var bound *isolated.Bound
		if errors.As(err, &bound) {
			return err
		}
		if err == nil || !hasPlain { // the plain text is whole
			o.cut = o.cut || err != nil
			o.bodies = []Body{{read: list}}
		}
	}
	if hasPlain && o.bodies == nil {
		o.bodies = []Body{plain}
	} else if hasPlain {
		o.bodies[0].instead = []Body{plain}
	}
	return nil
}

// recipients lists those of a kind with their addresses.
func (o *outlook) recipients(s *storage, kind int) string {
	var all []string
	length := 0
	for _, name := range s.folders {
		if length > mostFieldText {
			break
		}
		if !strings.HasPrefix(name, "__recip_version1.0_") {
			continue
		}
		p := o.properties(o.root.at(s.path + name + "/"))
		if p.number(msgRecipient) != kind {
			continue
		}
		one := address(p.text(msgName), first(p.text(msgSMTP), p.text(msgMail)))
		length += len(one)
		all = append(all, one)
	}
	return strings.Join(all, "; ")
}

// attachments keeps the attachments. What is signed or encrypted whole is one of them; its text is the message's.
func (o *outlook) attachments(s *storage, secure bool) error {
	for _, name := range s.folders {
		if !strings.HasPrefix(name, "__attach_version1.0_") {
			continue
		}
		in := o.root.at(s.path + name + "/")
		if err := o.attachment(in, secure); err != nil {
			return err
		}
		if o.err != nil {
			return o.err
		}
	}
	return nil
}

func (o *outlook) attachment(s *storage, secure bool) error {
	p := o.properties(s)
	name := text.CleanName(first(p.text(msgLongName), p.text(msgShortName), p.text(msgName)))
	kind := strings.ToLower(p.text(msgMediaType))
	embedded := o.root.at(s.path + "__substg1.0_3701000D/")
	switch method := p.number(msgMethod); {
	case embedded != nil && embedded.streams["__properties_version1.0"] != nil:
		data, err := o.embedded(embedded)
		if err != nil {
			return err
		}
		name = strings.TrimSuffix(nameOfSubject(name), ".msg")
		return o.attach(strings.TrimSpace(name)+".msg", "", data)
	case method == msgOLE || embedded != nil: // a picture or a table that the text shows
		o.shown++
		return nil
	case method > msgByValue && method != msgEmbedded:
		if len(o.elsewhere) < mostAttached {
			o.elsewhere = append(o.elsewhere, name)
		}
		return nil
	}
	data := p.bytes(msgData)
	if secure && (strings.EqualFold(name, "smime.p7m") || strings.Contains(kind, "pkcs7-mime") ||
		kind == "multipart/signed") {
		return o.secured(kind, data)
	}
	const drawn = 4 // in the text
	if p.number(msgPlaceFlags)&drawn != 0 && isPicture(data) || p.number(msgHiddenInMail) != 0 && isPicture(data) {
		o.shown++
		return nil
	}
	return o.attach(name, kind, data)
}

// secured reads a message that is signed or encrypted as a whole, which Outlook keeps as it was sent.
func (o *outlook) secured(kind string, data []byte) error {
	e := &entity{kind: "application/pkcs7-mime", body: data}
	if !bytes.HasPrefix(data, []byte{0x30}) || kind == "multipart/signed" {
		fields, body, err := ReadHead(data)
		if err != nil {
			return err
		}
		e = NewEntity(fields, body, "text/plain")
	}
	bodies, err := o.Take(e, 0, false)
	o.bodies = append(o.bodies, bodies...)
	return err
}

// isPicture reports whether a file is a picture, by its first bytes.
func isPicture(data []byte) bool {
	return slices.ContainsFunc([]string{"\x89PNG", "\xFF\xD8\xFF", "GIF8", "II*\x00", "MM\x00*", "BM", "RIFF"},
		func(begin string) bool { return bytes.HasPrefix(data, []byte(begin)) })
}

// first returns the first that is not empty.
func first(all ...string) string {
	for _, s := range all {
		if strings.TrimSpace(s) != "" {
			return s
		}
	}
	return ""
}

// address writes a name and an address. Addresses inside an organisation say nothing to people.
func address(name, mail string) string {
	switch {
	case !strings.Contains(mail, "@") || strings.EqualFold(strings.Trim(name, "'"), mail):
		return first(name, mail)
	case name == "":
		return mail
	}
	return name + " <" + mail + ">"
}
