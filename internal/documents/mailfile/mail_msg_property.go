package mailfile

import (
	"encoding/binary"
	"errors"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/richardlehane/mscfb"

	"sanad/internal/isolated"
)

// Properties of Outlook's messages (MS-OXPROPS).
const (
	msgClass        = 0x001A
	msgSubject      = 0x0037
	msgSent         = 0x0039
	msgSentFor      = 0x0042
	msgSentForMail  = 0x0065
	msgSenderName   = 0x0C1A
	msgSenderMail   = 0x0C1F
	msgShownBcc     = 0x0E02
	msgShownCc      = 0x0E03
	msgShownTo      = 0x0E04
	msgDelivered    = 0x0E06
	msgBody         = 0x1000
	msgRTF          = 0x1009
	msgHTML         = 0x1013
	msgName         = 0x3001
	msgMail         = 0x3003
	msgData         = 0x3701
	msgShortName    = 0x3704
	msgMethod       = 0x3705
	msgLongName     = 0x3707
	msgMediaType    = 0x370E
	msgContentID    = 0x3712
	msgPlaceFlags   = 0x3714
	msgSMTP         = 0x39FE
	msgCodePage     = 0x3FDE
	msgStringPage   = 0x3FFD
	msgLanguage     = 0x3FF1
	msgSenderSMTP   = 0x5D01
	msgSentForSMTP  = 0x5D02
	msgRecipient    = 0x0C15 // of a recipient: to, cc or bcc
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
	msgEmbedded = 5
	msgOLE      = 6
)

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

// stringPage returns the character set of strings that are not in Unicode: the stated one, that of the sender's
// language, or that of the text. English says nothing: it is what programs state that know no better.
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
var languagePages = map[int]string{0x01: "windows-1256", 0x20: "windows-1256", 0x29: "windows-1256",
	0x0D: "windows-1255",
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
