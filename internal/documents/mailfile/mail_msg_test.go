package mailfile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/charmap"

	"sanad/internal/documents/block"
)

// msgFolder is a folder of a message that tests make, as its properties.
type msgFolder struct {
	texts   map[int]string // in Unicode
	bytes   map[string][]byte
	numbers map[int]uint64
	folders map[string]*msgFolder
	head    int // bytes before its properties
}

// utf16le writes a string as Outlook stores it.
func utf16le(s string) []byte {
	var out []byte
	for _, u := range utf16.Encode([]rune(s)) {
		out = binary.LittleEndian.AppendUint16(out, u)
	}
	return out
}

func (f *msgFolder) into(w *compoundWriter, at int) {
	put := func(name string, data []byte) {
		child := w.Add(compoundEntry{Name: name, Kind: streamEntry, Data: data})
		w.Entries[at].Children = append(w.Entries[at].Children, child)
	}
	rows := make([]byte, f.head)
	for _, id := range slices.Sorted(maps.Keys(f.numbers)) {
		rows = binary.LittleEndian.AppendUint32(rows, uint32(id)<<16|0x0003)
		rows = binary.LittleEndian.AppendUint32(rows, 6)
		rows = binary.LittleEndian.AppendUint64(rows, f.numbers[id])
	}
	put("__properties_version1.0", rows)
	for _, id := range slices.Sorted(maps.Keys(f.texts)) {
		put(fmt.Sprintf("__substg1.0_%04X001F", id), utf16le(f.texts[id]))
	}
	for _, name := range slices.Sorted(maps.Keys(f.bytes)) {
		put("__substg1.0_"+name, f.bytes[name])
	}
	for _, name := range slices.Sorted(maps.Keys(f.folders)) {
		child := w.Add(compoundEntry{Name: name, Kind: folderEntry})
		w.Entries[at].Children = append(w.Entries[at].Children, child)
		f.folders[name].into(w, child)
	}
}

// file returns the message as a file.
func (f *msgFolder) file() []byte {
	w := &compoundWriter{}
	w.Add(compoundEntry{Name: "Root Entry", Kind: rootEntry})
	if f.head = 32; f.bytes == nil {
		f.bytes = map[string][]byte{}
	}
	f.into(w, 0)
	return w.File()
}

// outlookFile returns a message with a page.
func outlookFile(t testing.TB, subject, page string) []byte {
	t.Helper()
	return (&msgFolder{texts: map[int]string{msgSubject: subject, msgBody: "plain"}, bytes: map[string][]byte{"10130102": []byte(page)}}).file()
}

func readsOutlook(t *testing.T, data []byte) (p *block.Page, shown []string) {
	t.Helper()
	require.True(t, LooksOutlook(data))
	p = &block.Page{}
	require.NoError(t, readOutlook(data, p, wordsOfRTF))
	for _, b := range p.Blocks {
		shown = append(shown, b.Text)
	}
	return p, shown
}

func TestOutlookMessage(t *testing.T) {
	pdf := []byte("%PDF-1.7 " + strings.Repeat("x", 9000))
	inner := &msgFolder{head: 24, texts: map[int]string{msgSubject: "قديم", msgBody: "It was 15 days."},
		folders: map[string]*msgFolder{"__attach_version1.0_#00000000": {head: 8, texts: map[int]string{msgLongName: "b.txt"},
			bytes: map[string][]byte{"37010102": []byte("words")}}}}
	f := &msgFolder{
		texts:   map[int]string{msgSubject: "Leave", msgSentFor: "Sara", msgSentForSMTP: "sara@example.ae", msgShownCc: "HR"},
		bytes:   map[string][]byte{"10130102": []byte(`<p>Leave is <b>30</b> days.</p><img src="cid:1">`)},
		numbers: map[int]uint64{msgSent: (11_644_473_600 + 1_777_968_000) * 10_000_000, msgCodePage: 65001},
		folders: map[string]*msgFolder{
			"__recip_version1.0_#00000000": {head: 8, texts: map[int]string{msgName: "علي", msgSMTP: "ali@example.ae"},
				numbers: map[int]uint64{msgRecipient: 1}},
			"__attach_version1.0_#00000000": {head: 8, texts: map[int]string{msgLongName: "العقد.pdf"}, bytes: map[string][]byte{"37010102": pdf}},
			"__attach_version1.0_#00000001": {head: 8, texts: map[int]string{msgName: "Old/new"}, numbers: map[int]uint64{msgMethod: msgEmbedded},
				folders: map[string]*msgFolder{"__substg1.0_3701000D": inner}},
			"__attach_version1.0_#00000002": {head: 8, texts: map[int]string{msgLongName: "logo.png", msgContentID: "1"},
				numbers: map[int]uint64{msgPlaceFlags: 4}, bytes: map[string][]byte{"37010102": []byte("\x89PNG")}},
			"__attach_version1.0_#00000003": {head: 8, texts: map[int]string{msgLongName: "plan.docx"}, numbers: map[int]uint64{msgMethod: 2}},
		},
	}
	data := f.file()
	require.True(t, bytes.Equal(data, f.file()), "the same entries are the same bytes")
	p, got := readsOutlook(t, data)
	require.Equal(t, []string{"From: Sara <sara@example.ae>\nTo: علي <ali@example.ae>\nCc: HR\nDate: Tue, 05 May 2026 08:00:00 +0000\n" +
		"Subject: Leave\nAttachments: العقد.pdf, Old-new.msg, plan.docx", "Leave is 30 days."}, got)
	require.Equal(t, []string{"The mail has 1 picture in its text, which is not read.",
		"The mail has 1 attachment that is stored outside the file and is not fetched: plan.docx."}, says(p))
	require.Len(t, p.Inner, 2)
	require.Equal(t, block.Inner{Name: "العقد.pdf", Data: pdf}, p.Inner[0])
	old, got := readsOutlook(t, p.Inner[1].Data)
	require.Equal(t, []string{"Subject: قديم\nAttachments: b.txt", "It was 15 days."}, got)
	require.Equal(t, []block.Inner{{Name: "b.txt", Data: []byte("words")}}, old.Inner)
}

// Strings of old messages are in the character set that is stated, or else in that of the sender's language.
func TestOutlookStrings(t *testing.T) {
	arabic, _ := charmap.Windows1256.NewEncoder().Bytes([]byte("الإجازة"))
	for name, numbers := range map[string]map[int]uint64{
		"stated": {msgStringPage: 1256, msgLanguage: 1033}, "language": {msgLanguage: 0x3801, msgCodePage: 65001},
		"text": {msgLanguage: 1033, msgCodePage: 1256},
	} {
		t.Run(name, func(t *testing.T) {
			_, got := readsOutlook(t, (&msgFolder{numbers: numbers, bytes: map[string][]byte{"0037001E": arabic}}).file())
			require.Equal(t, []string{"Subject: الإجازة"}, got)
		})
	}
}

// packedRTF writes RTF as Outlook packs it, without any repetition.
func packedRTF(s string) []byte {
	var body []byte
	for len(s) > 0 {
		n := min(8, len(s))
		body = append(append(body, 0), s[:n]...)
		s = s[n:]
	}
	head := binary.LittleEndian.AppendUint32(nil, uint32(len(body)+12))
	head = binary.LittleEndian.AppendUint32(head, uint32(len(body)))
	head = append(head, "LZFu\x00\x00\x00\x00"...)
	return append(head, body...)
}

// wordsOfRTF stands for the reader of RTF, which is in a room of its own.
func wordsOfRTF(data []byte, out *block.List) error {
	if !bytes.HasSuffix(data, []byte("}")) {
		out.Put("as far as it goes", 0, 0)
		return errors.New("cut")
	}
	out.Put("read: "+string(data), 0, 0)
	return nil
}

// A text that is RTF is the page that the RTF wraps, or it is read as RTF.
func TestOutlookRTF(t *testing.T) {
	for name, c := range map[string]struct{ rtf, plain, want string }{
		"a page": {`{\rtf1\ansi\ansicpg1252\fromhtml1 {\fonttbl{\f0 Arial;}{\f1\fcharset178 Arial;}}` +
			`{\*\htmltag64 <p>}\htmlrtf {\htmlrtf0 Leave \f1 \'d3 \f0 is {\*\htmltag84 <b>}30{\*\htmltag92 </b>} days \{a\} \u8211?.` +
			`\htmlrtf\par}\htmlrtf0 {\*\htmltag72 </p>}}`, "plain", "Leave س is 30 days {a} –."},
		"words":                  {`{\rtf1 Leave}`, "", `read: {\rtf1 Leave}`},
		"words beside":           {`{\rtf1 Leave}`, "The plain form.", `read: {\rtf1 Leave}`},
		"made of what is beside": {`{\rtf1\fromtext Leave}`, "The plain form.", "The plain form."},
		"cut":                    {`{\rtf1 Lea`, "", "as far as it goes"},
		"cut beside":             {`{\rtf1 Lea`, "The plain form.", "The plain form."},
	} {
		t.Run(name, func(t *testing.T) {
			f := &msgFolder{texts: map[int]string{msgSubject: "s"}, bytes: map[string][]byte{"10090102": packedRTF(c.rtf)}}
			if c.plain != "" {
				f.texts[msgBody] = c.plain
			}
			_, got := readsOutlook(t, f.file())
			require.Equal(t, []string{"Subject: s", c.want}, got)
		})
	}
}

// The example of MS-OXRTFCP, 4.1.1 and 4.1.2.
func TestUnpackRTF(t *testing.T) {
	for data, want := range map[string]string{
		"\x2d\x00\x00\x00\x2b\x00\x00\x00LZFu\xf1\xc5\xc7\xa7\x03\x00\x0a\x00rcpg125B2\x0a\xf3 hel\x09\x00 bw\x05\xb0ld}\x0a\x80\x0f\xa0": "{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n",
		"\x1a\x00\x00\x00\x1c\x00\x00\x00LZFu\xe2\xd4\x4b\x51\x41\x00\x04\x20WXYZ\x0dn}\x01\x0e\xb0":                                      "{\\rtf1 WXYZWXYZWXYZWXYZWXYZ}",
	} {
		got, err := unpackRTF([]byte(data))
		require.NoError(t, err)
		require.Equal(t, want, string(got))
	}
}

func TestSecureOutlookMessages(t *testing.T) {
	secure := func(class string, data []byte) []byte {
		return (&msgFolder{texts: map[int]string{msgSubject: "s", msgClass: class}, folders: map[string]*msgFolder{
			"__attach_version1.0_#00000000": {head: 8, texts: map[int]string{msgLongName: "smime.p7m"},
				bytes: map[string][]byte{"37010102": data}}}}).file()
	}
	_, got := readsOutlook(t, secure("IPM.Note.SMIME.MultipartSigned", mailOf("Content-Type: multipart/signed; boundary=b", "",
		"--b", "Content-Type: text/plain", "", "Leave is 30 days.", "--b--")))
	require.Equal(t, []string{"Subject: s", "Leave is 30 days."}, got)
	_, got = readsOutlook(t, secure("IPM.Note.SMIME", wrapped(signedData, "Content-Type: text/plain\n\nLeave is 30 days.")))
	require.Equal(t, []string{"Subject: s", "Leave is 30 days."}, got)
	enveloped := wrapped([]byte("\x2a\x86\x48\x86\xf7\x0d\x01\x07\x03"), "words and words")
	require.ErrorIs(t, readOutlook(secure("IPM.Note.SMIME", enveloped), &block.Page{}, wordsOfRTF), block.ErrLocked)
}

// What is not all there is not read, and that is said.
func TestOutlookMessageThatIsCut(t *testing.T) {
	f := &msgFolder{texts: map[int]string{msgSubject: "s", msgBody: "plain"}, bytes: map[string][]byte{
		"10130102": []byte(strings.Repeat("<p>words", 2000))}}
	data := f.file()
	at := bytes.Index(data, utf16le("__substg1.0_10130102"))
	binary.LittleEndian.PutUint32(data[at+120:], 1<<16) // larger than the file
	p, got := readsOutlook(t, data)
	require.Equal(t, []string{"Subject: s", "plain"}, got)
	require.Equal(t, []string{"The mail ends too early: it was cut off in transfer, and text or attachments may be missing. Send it whole."},
		says(p))
}

// TestDeepOutlookMessage: messages within messages are read down to a bound.
func TestDeepOutlookMessage(t *testing.T) {
	deep := &msgFolder{head: 24, texts: map[int]string{msgSubject: "s"}}
	for range 60 {
		deep = &msgFolder{head: 8, folders: map[string]*msgFolder{"__attach_version1.0_#00000000": deep}}
	}
	require.ErrorContains(t, readOutlook(deep.file(), &block.Page{}, wordsOfRTF), "are nested more than 50 levels deep")
}

// TestMessagesOfOtherTests: the files that tests of documents read are messages of these tests. -update writes them.
func TestMessagesOfOtherTests(t *testing.T) {
	table := `{\rtf1\ansi\ansicpg1256 \trowd\cellx2000\cellx4000\intbl Item\cell Fee\cell\row` +
		`\trowd\cellx2000\cellx4000\intbl \'c7\'e1\'d0\'e5\'c8\'ed\'c9\cell {\strike 20 }25\cell\row\pard}`
	for name, data := range map[string][]byte{
		"leave.msg": outlookFile(t, "s", strings.Repeat("<p>words", 2000)),
		"table.msg": (&msgFolder{texts: map[int]string{msgSubject: "s", msgBody: "plain"},
			bytes: map[string][]byte{"10090102": packedRTF(table)}}).file(),
	} {
		if name = "testdata/" + name; *update {
			require.NoError(t, os.WriteFile(name, data, 0o644))
		}
		stored, err := os.ReadFile(name)
		require.NoError(t, err)
		require.True(t, bytes.Equal(data, stored), name)
	}
}

var update = flag.Bool("update", false, "write the files that tests of documents read")

// mailOf is a mail of lines.
func mailOf(lines ...string) []byte { return []byte(strings.Join(lines, "\r\n") + "\r\n") }

// wrapped returns content in a message of a kind of CMS.
func wrapped(kind []byte, content string) []byte {
	element := func(tag byte, parts ...string) string {
		s := strings.Join(parts, "")
		return string([]byte{tag, byte(len(s))}) + s
	}
	signed := element(0x30, element(0x02, "\x01"), element(0x31), element(0x30, element(0x06, "\x2a"),
		element(0xA0, element(0x04, content))))
	return []byte(element(0x30, element(0x06, string(kind)), element(0xA0, signed)))
}

func says(p *block.Page) (out []string) {
	for _, w := range p.Warnings {
		out = append(out, w.String())
	}
	return out
}
