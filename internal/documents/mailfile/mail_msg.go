package mailfile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/richardlehane/mscfb"

	"sanad/internal/documents/block"
	"sanad/internal/documents/webpage"
	"sanad/internal/domain/text"
	"sanad/internal/isolated"
	"sanad/internal/words"
)

// Properties of Outlook's messages (MS-OXPROPS).
const (
	MsgClass        = 0x001A
	MsgSubject      = 0x0037
	MsgSent         = 0x0039
	MsgSentFor      = 0x0042
	msgSentForMail  = 0x0065
	msgSenderName   = 0x0C1A
	msgSenderMail   = 0x0C1F
	msgShownBcc     = 0x0E02
	MsgShownCc      = 0x0E03
	msgShownTo      = 0x0E04
	msgDelivered    = 0x0E06
	MsgBody         = 0x1000
	msgRTF          = 0x1009
	msgHTML         = 0x1013
	MsgName         = 0x3001
	msgMail         = 0x3003
	msgData         = 0x3701
	msgShortName    = 0x3704
	MsgMethod       = 0x3705
	MsgLongName     = 0x3707
	msgMediaType    = 0x370E
	MsgContentID    = 0x3712
	MsgPlaceFlags   = 0x3714
	MsgSMTP         = 0x39FE
	MsgCodePage     = 0x3FDE
	MsgStringPage   = 0x3FFD
	MsgLanguage     = 0x3FF1
	msgSenderSMTP   = 0x5D01
	MsgSentForSMTP  = 0x5D02
	MsgRecipient    = 0x0C15 // of a recipient: to, cc or bcc
	msgHiddenInMail = 0x7FFE
)

// Kinds of properties (MS-OXCDATA, 2.11.1).
const (
	msgString8 = 0x001E
	msgString  = 0x001F
	msgBinary  = 0x0102
	msgObject  = 0x000D
)

// Ways to attach (MS-OXCMSG, 2.2.2.9).
const (
	msgByValue  = 1
	MsgEmbedded = 5
	msgOLE      = 6
)

// ReadOutlook reads a message of Outlook (MS-OXMSG): the richest of its texts, and its attachments as files of their own. An
// attached message becomes such a file too.
func ReadOutlook(data []byte, out *block.Page) error {
	root, err := openCompound(data)
	if err != nil {
		return err
	}
	o := &outlook{root: root, Mail: Mail{Room: Room(data)}}
	top := root.at("")
	if top == nil || top.streams["__properties_version1.0"] == nil {
		return errNotMail
	}
	if err := o.message(top); err != nil {
		return err
	}
	return o.Mail.write(out)
}

// storage is a folder of a compound file.
type storage struct {
	path    string // of its names, each with a "/" behind it
	streams map[string]*mscfb.File
	folders []string // names, in the order of the file
}

// compound is a compound file (MS-CFB): folders by their path.
type compound struct {
	folders map[string]*storage
	left    int64 // bytes that may still be read: two streams may share theirs
}

func (c *compound) at(path string) *storage { return c.folders[path] }

// mostStreams is how many streams and folders a message may have.
const mostStreams = 50_000

// storedTimes is by how many times the streams of a compound file may exceed it, as several may share their bytes.
const storedTimes = 4

// openCompound reads the names of a compound file. The library trusts the sizes that a file states of itself, so they are
// compared with the file's own first.
func openCompound(data []byte) (*compound, error) {
	const headBytes = 512
	if len(data) < headBytes {
		return nil, io.ErrUnexpectedEOF
	}
	sectors := uint32(len(data)/headBytes) + 1
	for _, at := range []int{0x28, 0x2C, 0x40, 0x48} { // of directory, table, small table, table of the table
		if binary.LittleEndian.Uint32(data[at:]) > sectors {
			return nil, io.ErrUnexpectedEOF
		}
	}
	r, err := mscfb.New(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	if len(r.File) > mostStreams {
		return nil, isolated.Over(words.Msg("bound_parts", "N", mostStreams))
	}
	c := &compound{folders: map[string]*storage{"": {streams: map[string]*mscfb.File{}}},
		left: storedTimes * int64(len(data))}
	for i, f := range r.File {
		if i == 0 {
			continue // the root
		}
		if len(f.Path) > mostMailDepth {
			return nil, isolated.Over(words.Msg("bound_deep", "N", mostMailDepth))
		}
		in := c.folder(f.Path)
		if f.FileInfo().IsDir() {
			in.folders = append(in.folders, f.Name)
			c.folder(append(slices.Clone(f.Path), f.Name))
			continue
		}
		in.streams[f.Name] = f
	}
	return c, nil
}

// folder returns the folder of a path, which it makes if none yet.
func (c *compound) folder(path []string) *storage {
	key := ""
	if len(path) > 0 {
		key = strings.Join(path, "/") + "/"
	}
	if c.folders[key] == nil {
		c.folders[key] = &storage{path: key, streams: map[string]*mscfb.File{}}
	}
	return c.folders[key]
}

// read returns the bytes of a stream, nil if none or if they are not all there.
func (c *compound) read(f *mscfb.File) ([]byte, error) {
	if f == nil || f.Size <= 0 {
		return nil, nil
	}
	if c.left -= f.Size; c.left < 0 {
		return nil, isolated.Over(words.Msg("bound_attached_bytes", "N", storedTimes))
	}
	out := make([]byte, f.Size)
	if _, err := f.ReadAt(out, 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return out, nil
}

// outlook reads a message.
type outlook struct {
	Mail
	root *compound
	page string // the character set of strings that are not in Unicode
	err  error  // the bound that a stream exceeds
}

// message reads the message in a folder.
func (o *outlook) message(s *storage) error {
	props := o.properties(s)
	o.page = stringPage(props.number(MsgStringPage), props.number(MsgLanguage), props.number(MsgCodePage))
	class := strings.ToUpper(props.text(MsgClass))
	o.subject = text.OneLine(props.text(MsgSubject))
	o.field("From", address(first(props.text(MsgSentFor), props.text(msgSenderName)),
		first(props.text(MsgSentForSMTP), props.text(msgSenderSMTP), props.text(msgSentForMail), props.text(msgSenderMail))))
	for i, name := range []string{"To", "Cc", "Bcc"} {
		shown := []int{msgShownTo, MsgShownCc, msgShownBcc}[i]
		o.field(name, first(o.recipients(s, i+1), props.text(shown)))
	}
	if sent := first(props.time(MsgSent), props.time(msgDelivered)); sent != "" {
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

// texts takes the richest text of a message: HTML, HTML inside RTF, plain text, RTF.
func (o *outlook) texts(props *msgProperties) error {
	plain := Body{Text: strings.ReplaceAll(props.text(MsgBody), "\x00", "")}
	add := func(s string) {
		b := Body{Text: strings.ReplaceAll(s, "\x00", ""), Html: true}
		if plain.Text != "" {
			b.instead = []Body{plain}
		}
		o.bodies = []Body{b}
	}
	if page := props.bytes(msgHTML); len(page) > 0 {
		set := codePage(props.number(MsgCodePage))
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
	rtf, err := UnpackRTF(props.bytes(msgRTF))
	if err != nil {
		return err
	}
	s, isHTML := textOfRTF(rtf, o.page)
	switch {
	case isHTML:
		add(s)
	case strings.TrimSpace(plain.Text) != "":
		o.bodies = []Body{plain}
	case s != "":
		o.bodies = []Body{{Text: s}}
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
		if p.number(MsgRecipient) != kind {
			continue
		}
		one := address(p.text(MsgName), first(p.text(MsgSMTP), p.text(msgMail)))
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
	name := text.CleanName(first(p.text(MsgLongName), p.text(msgShortName), p.text(MsgName)))
	kind := strings.ToLower(p.text(msgMediaType))
	embedded := o.root.at(s.path + "__substg1.0_3701000D/")
	switch method := p.number(MsgMethod); {
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
	case method > msgByValue && method != MsgEmbedded:
		if len(o.elsewhere) < mostAttached {
			o.elsewhere = append(o.elsewhere, name)
		}
		return nil
	}
	data := p.bytes(msgData)
	if secure && (strings.EqualFold(name, "smime.p7m") || strings.Contains(kind, "pkcs7-mime") || kind == "multipart/signed") {
		return o.secured(kind, data)
	}
	const drawn = 4 // in the text
	if p.number(MsgPlaceFlags)&drawn != 0 && isPicture(data) || p.number(msgHiddenInMail) != 0 && isPicture(data) {
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

// msgProperties are the properties of a message, a recipient or an attachment.
type msgProperties struct {
	o     *outlook
	in    *storage
	fixed map[int]uint64 // those of a fixed size, by their number
}

// properties reads those of a fixed size: rows of 16 bytes behind a head (MS-OXMSG, 2.4).
func (o *outlook) properties(s *storage) msgProperties {
	p := msgProperties{o: o, in: s, fixed: map[int]uint64{}}
	if s == nil {
		return p
	}
	data := o.stream(s.streams["__properties_version1.0"])
	head := 32
	if len(data)%16 != 0 {
		head = 8 // of a recipient or an attachment
	}
	for ; head+16 <= len(data); head += 16 {
		row := data[head:]
		p.fixed[int(binary.LittleEndian.Uint16(row[2:]))] = binary.LittleEndian.Uint64(row[8:])
	}
	return p
}

// stream returns the bytes of a stream. What is not all there is read as if it were not there.
func (o *outlook) stream(f *mscfb.File) []byte {
	data, err := o.root.read(f)
	var bound *isolated.Bound
	switch {
	case errors.As(err, &bound):
		o.err = err
	case err != nil:
		o.cut = true
	}
	return data
}

func (p *msgProperties) streamOf(id, kind int) []byte {
	if p.in == nil {
		return nil
	}
	const digits = 8
	name := strings.ToUpper(strconv.FormatUint(uint64(id)<<16|uint64(kind), 16))
	name = "__substg1.0_" + strings.Repeat("0", digits-len(name)) + name
	return p.o.stream(p.in.streams[name])
}

// number returns a number, 0 if none.
func (p *msgProperties) number(id int) int { return int(int32(p.fixed[id])) }

// bytes returns a property of bytes, nil if none.
func (p *msgProperties) bytes(id int) []byte { return p.streamOf(id, msgBinary) }

// text returns a string, "" if none.
func (p *msgProperties) text(id int) string {
	if data := p.streamOf(id, msgString); data != nil {
		units := make([]uint16, len(data)/2)
		for i := range units {
			units[i] = binary.LittleEndian.Uint16(data[2*i:])
		}
		return strings.TrimRight(string(utf16.Decode(units)), "\x00")
	}
	data := p.streamOf(id, msgString8)
	if data == nil {
		return ""
	}
	s, _ := inCharset(p.o.page, data)
	return strings.TrimRight(s, "\x00")
}

// time returns a time as mails write it, in UTC; "" if none.
func (p *msgProperties) time(id int) string {
	ticks := p.fixed[id] // of 100 ns, since 1601
	const perSecond, toUnix = 10_000_000, 11_644_473_600
	if ticks == 0 || ticks/perSecond > 1<<38 {
		return ""
	}
	return time.Unix(int64(ticks/perSecond)-toUnix, 0).UTC().Format(time.RFC1123Z)
}

// stringPage returns the character set of strings that are not in Unicode: the stated one, that of the sender's language,
// or that of the text. English says nothing: it is what programs state that know no better.
func stringPage(stated, language, ofText int) string {
	const english, primary = 0x09, 0x3FF
	page := languagePages[language&primary]
	switch {
	case codePage(stated) != "":
		return codePage(stated)
	case language == 0x0404 || language == 0x0C04 || language == 0x1404: // Taiwan, Hong Kong, Macao
		return "big5"
	case language != 0 && language&primary != english && page == "":
		return "windows-1252"
	case page != "":
		return page
	}
	return codePage(ofText)
}

// languagePages are the character sets of languages of Windows that are not written in that of western Europe.
var languagePages = map[int]string{0x01: "windows-1256", 0x20: "windows-1256", 0x29: "windows-1256", 0x0D: "windows-1255",
	0x11: "shift_jis", 0x12: "euc-kr", 0x04: "gbk", 0x02: "windows-1251", 0x19: "windows-1251", 0x22: "windows-1251",
	0x23: "windows-1251", 0x2F: "windows-1251", 0x08: "windows-1253", 0x1F: "windows-1254", 0x05: "windows-1250",
	0x0E: "windows-1250", 0x15: "windows-1250", 0x18: "windows-1250", 0x1A: "windows-1250", 0x1B: "windows-1250",
	0x24: "windows-1250", 0x1E: "windows-874", 0x2A: "windows-1258", 0x25: "windows-1257", 0x26: "windows-1257",
	0x27: "windows-1257"}

// codePage returns the name of the character set of a number of Windows; "" if it is none.
func codePage(n int) string {
	switch {
	case n == 65001:
		return "utf-8"
	case n == 20127:
		return "us-ascii"
	case n >= 28591 && n <= 28605:
		return "iso-8859-" + strconv.Itoa(n-28590)
	case n == 708:
		return "iso-8859-6"
	case n == 20866:
		return "koi8-r"
	case n == 21866:
		return "koi8-u"
	case n == 50220, n == 50221, n == 50222:
		return "iso-2022-jp"
	case n == 51932, n == 20932:
		return "euc-jp"
	case n == 54936:
		return "gb18030"
	case n == 932 || n == 936 || n == 949 || n == 950:
		return charsetNames["cp"+strconv.Itoa(n)]
	case n >= 1250 && n <= 1258, n == 874:
		return "windows-" + strconv.Itoa(n)
	}
	return ""
}

// LooksOutlook reports whether a compound file is a message of Outlook: its root says so, or says nothing and the file has
// the properties of one.
func LooksOutlook(data []byte) bool {
	const first, head, class = 48, 512, 80 // places of the first sector of entries, and of the class of the root
	if len(data) < head {
		return false
	}
	shift := binary.LittleEndian.Uint16(data[30:])
	if shift != 9 && shift != 12 {
		return false
	}
	at := (int(binary.LittleEndian.Uint32(data[first:]))+1)<<shift + class
	if at+len(OutlookClass) > len(data) {
		return false
	}
	root := string(data[at : at+len(OutlookClass)])
	return root == OutlookClass || root == strings.Repeat("\x00", len(root)) && bytes.Contains(data, propertiesName)
}

// propertiesName is the name of the stream that every message has, as a compound file writes it.
var propertiesName = []byte(strings.Join(strings.Split("__properties_version1.0", ""), "\x00"))
