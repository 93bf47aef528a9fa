package documents

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/gob"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/charmap"

	"sanad/internal/documents/mailfile"
	"sanad/internal/domain/filetype"
	"sanad/internal/isolated"
)

// mailOf joins the lines of a mail.
func mailOf(lines ...string) []byte { return []byte(strings.Join(lines, "\r\n") + "\r\n") }

// readsMail reads a mail and returns its passages, a heading with its number of "#".
func readsMail(t *testing.T, data []byte) (*Parsed, []string) {
	t.Helper()
	p, err := Parse(filetype.Mail.MediaType, data)
	require.NoError(t, err)
	var shown []string
	for _, b := range p.Blocks {
		require.Len(t, []rune(b.Text), b.Span.Len())
		if b.Level > 0 {
			b.Text = strings.Repeat("#", b.Level) + " " + b.Text
		}
		shown = append(shown, b.Text)
	}
	return p, shown
}

func says(p *Parsed) (out []string) {
	for _, w := range p.Warnings {
		out = append(out, w.String())
	}
	return out
}

// The fields that a reader sees are one passage; of two forms of a text the richer one is read.
func TestMailIsReadAsItIsShown(t *testing.T) {
	p, got := readsMail(t, mailOf("Received: from a by b", "From: =?utf-8?B?2LPYp9ix2Kkg2KfZhNi5?==?utf-8?B?2YTZig==?= <sara@example.ae>",
		"To: Ali <ali@example.ae>,", " Huda <huda@example.ae>", "Cc: hr@example.ae",
		"Date: Tue, 5 May 2026 10:00:00 +0400", "Subject: =?windows-1256?Q?=C7=E1=DA=DE=CF?= 2026", "MIME-Version: 1.0",
		`Content-Type: multipart/alternative; boundary="b"`, "", "for old programs", "--b", "Content-Type: text/plain", "",
		"The plain form.", "--b", "Content-Type: text/html; charset=utf-8", "Content-Transfer-Encoding: quoted-printable", "",
		`<p>Leave is <b>30</b> days.</p><p style=3D"display:none">Not shown at all here.</p><p>The fee is 5=`,
		`0 AED.</p>`, "--b--", "after it"))
	require.Equal(t, []string{
		"From: سارة العلي <sara@example.ae>\nTo: Ali <ali@example.ae>, Huda <huda@example.ae>\nCc: hr@example.ae\n" +
			"Date: Tue, 5 May 2026 10:00:00 +0400\nSubject: العقد 2026",
		"Leave is 30 days.", "The fee is 50 AED."}, got)
	require.Equal(t, "العقد 2026", p.Title)
	require.Len(t, p.Left, 1)
	require.Empty(t, p.Warnings)
}

// A text without words gives way to the form before it.
func TestMailWithoutWordsInItsPage(t *testing.T) {
	p, got := readsMail(t, mailOf("Subject: s", "Content-Type: multipart/alternative; boundary=b", "", "--b",
		"Content-Type: text/plain", "", "The plain form.", "--b", "Content-Type: multipart/related; boundary=c", "", "--c",
		"Content-Type: text/html", "", "<img src=cid:1>", "--c", "Content-Type: image/png", "Content-ID: <1>", "", "x", "--c--", "--b--"))
	require.Equal(t, []string{"Subject: s", "The plain form."}, got)
	require.Equal(t, []string{"The mail has 1 picture in its text, which is not read."}, says(p))
}

func TestMailInCharacterSets(t *testing.T) {
	const arabic = "الإجازة ثلاثون يومًا."
	plain := strings.NewReplacer("\u064b", "").Replace(arabic) // a sign that ISO 8859-6 has, and windows-1256 too
	for name, c := range map[string]struct{ set, text string }{
		"windows-1256": {"windows-1256", arabic}, "iso-8859-6": {"iso-8859-6", plain}, "asmo": {"ASMO-708", plain},
		"utf-8": {"UTF-8", arabic}, "stated as none": {"", arabic}, "wrong": {"x-unknown", arabic},
	} {
		t.Run(name, func(t *testing.T) {
			data := []byte(c.text)
			switch name {
			case "windows-1256":
				data, _ = charmap.Windows1256.NewEncoder().Bytes(data)
			case "iso-8859-6", "asmo":
				data, _ = charmap.ISO8859_6.NewEncoder().Bytes(data)
			}
			p, got := readsMail(t, mailOf("Subject: s", `Content-Type: text/plain; charset="`+c.set+`"`,
				"Content-Transfer-Encoding: base64", "", base64.StdEncoding.EncodeToString(data)))
			require.Equal(t, []string{"Subject: s", c.text}, got)
			require.Len(t, p.Warnings, map[string]int{"wrong": 1}[name])
		})
	}
}

// Lines that programs cut are joined; what is quoted keeps its mark; the line above a quoted mail is a heading if the
// author wrote nothing below it.
func TestMailText(t *testing.T) {
	for name, c := range map[string]struct {
		head, text string
		want       []string
	}{
		"flowed": {"; format=flowed; delsp=no", "Leave is \r\n30 days.\r\n\r\n> It was \r\n> 15 days.\r\n-- \r\nSara",
			[]string{"Leave is 30 days.", "> It was 15 days.", "-- \nSara"}},
		"answer above": {"", "Yes.\r\n\r\nOn 3 May 2026 at 10:00, Ali Hassan <a@b.ae> wrote:\r\n> Is it\r\n> 30 days?\r\n>\r\n>> It is 15.",
			[]string{"Yes.", "# On 3 May 2026 at 10:00, Ali Hassan <a@b.ae> wrote:", "> Is it\n30 days?", "> It is 15."}},
		"answer below": {"", "On 3 May 2026 at 10:00, Ali wrote:\r\n> Is it 30 days?\r\n\r\nNo, it is 15.",
			[]string{"On 3 May 2026 at 10:00, Ali wrote:", "> Is it 30 days?", "No, it is 15."}},
		"fields": {"", "Agreed.\r\n\r\nFrom: Ali\r\nSent: Sunday, 3 May 2026\r\nTo: Sara\r\nSubject: Leave\r\n\r\nIt is 15 days.",
			[]string{"Agreed.", "# From: Ali\nSent: Sunday, 3 May 2026\nTo: Sara\nSubject: Leave", "It is 15 days."}},
		"Arabic": {"; charset=utf-8", "نعم.\r\n\r\nمن: علي\r\nتاريخ الإرسال: 3 مايو 2026\r\nإلى: سارة\r\n\r\nالمدة 15 يومًا.",
			[]string{"نعم.", "# من: علي\nتاريخ الإرسال: 3 مايو 2026\nإلى: سارة", "المدة 15 يومًا."}},
		"original": {"", "Yes.\r\n\r\n-----Original Message-----\r\n\r\nIt is 15 days.",
			[]string{"Yes.", "# -----Original Message-----", "It is 15 days."}},
		"signed": {"", "-----BEGIN PGP SIGNED MESSAGE-----\r\nHash: SHA256\r\n\r\nIt is 15 days.\r\n-----BEGIN PGP SIGNATURE-----\r\n\r\n" +
			"iQEzBAEB\r\n-----END PGP SIGNATURE-----", []string{"It is 15 days."}},
	} {
		t.Run(name, func(t *testing.T) {
			_, got := readsMail(t, mailOf("Subject: s", "Content-Type: text/plain"+c.head, "", c.text))
			require.Equal(t, c.want, got[1:])
		})
	}
}

// In a page, who wrote what below a quoted mail can't be told from its blocks.
func TestMailPageThatQuotes(t *testing.T) {
	const line = "On Sun, 3 May 2026, Ali wrote:"
	for page, heading := range map[string]bool{
		"<p>Yes.</p><div>" + line + "</div><blockquote><p>Is it 30?</p><blockquote>It is.</blockquote></blockquote>&nbsp;": true,
		"<p>" + line + "</p><blockquote>Is it 30?</blockquote><p>It is 15.</p>":                                            false,
		"<p>" + line + "</p><blockquote>Is it 30?</blockquote><p>Yes.</p><blockquote>And?</blockquote>":                    false,
	} {
		_, got := readsMail(t, mailOf("Subject: s", "Content-Type: text/html", "", page))
		require.Equal(t, heading, slices.Contains(got, "# "+line), page)
		require.Equal(t, !heading, slices.Contains(got, line), page)
	}
}

func TestMailAttachments(t *testing.T) {
	part := func(head, body string) string { return "--b\r\n" + head + "\r\n\r\n" + body }
	p, got := readsMail(t, mailOf("Subject: s", "Content-Type: multipart/mixed; boundary=b", "",
		part("Content-Type: text/plain", "See the files."),
		part("Content-Type: application/pdf\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: attachment;\r\n"+
			" filename*0*=utf-8''%D8%A7%D9%84%D8%B9;\r\n filename*1*=%D9%82%D8%AF;\r\n filename*2=.pdf", "JVBERi0x\r\nLjc="),
		part("Content-Type: text/plain; charset=windows-1256\r\nContent-Disposition: attachment; filename*=windows-1256''%C7.txt", "\xC7"),
		part(`Content-Type: application/octet-stream; name="=?utf-8?B?2YXZhNmBLmRvY3g=?="`, "PK\x03\x04"),
		part("Content-Type: message/rfc822", "Subject: Old/new\r\n\r\nIt is 15 days."),
		part("Content-Type: message/external-body; access-type=URL; URL=\"http://example.ae/x\"; name=plan.pdf", "Content-Type: x/y\r\n\r\n"),
		part("Content-Type: application/zip; name=empty.zip", ""),
		part("Content-Type: image/png\r\nContent-Disposition: inline; filename=logo.png", "\x89PNG"),
		part("Content-Type: image/png\r\nContent-Disposition: attachment; filename=scan.png", "\x89PNG"),
		part("Content-Type: application/pgp-signature; name=signature.asc", "sig"),
		part("Content-Type: application/x-uu; name=old.bin\r\nContent-Transfer-Encoding: x-uuencode", "begin 644 old.bin\r\n#0V%T\r\n`\r\nend"),
		"--b--"))
	require.Equal(t, []string{"Subject: s\nAttachments: العقد.pdf, ا.txt, ملف.docx, Old-new.eml, scan.png, old.bin, plan.pdf",
		"See the files."}, got)
	var files []string
	for _, f := range p.Inner {
		files = append(files, f.Name+": "+string(f.Data))
	}
	require.Equal(t, []string{"العقد.pdf: %PDF-1.7", "ا.txt: ا", "ملف.docx: PK\x03\x04",
		"Old-new.eml: Subject: Old/new\r\n\r\nIt is 15 days.", "scan.png: \x89PNG", "old.bin: Cat"}, files)
	require.Equal(t, []string{"The mail has 1 picture in its text, which is not read.",
		"The mail has 1 attachment that is stored outside the file and is not fetched: plan.pdf.",
		"The mail has 1 attachment that is empty: empty.zip."}, says(p))
}

// What breaks the rules of mails is read as mail programs read it.
func TestMailThatBreaksRules(t *testing.T) {
	for name, c := range map[string]struct {
		mail, want string
		cut        bool
	}{
		"ends early":       {"Subject: s\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nIt is 15", "It is 15", true},
		"no boundary":      {"Subject: s\nContent-Type: multipart/mixed\n\nIt is 15.", "It is 15.", false},
		"boundary nowhere": {"Subject: s\nContent-Type: multipart/mixed; boundary=b\n\nIt is 15.", "It is 15.", true},
		"a longer boundary": {"Subject: s\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nIt\n--bb\nis 15.\n--b--",
			"It\n--bb\nis 15.", false},
		"no empty line":  {"Subject: s\nIt is 15.", "It is 15.", false},
		"of a folder":    {"From a@b.ae Sun May  3 10:00:00 2026\nSubject: s\n\nIt is 15.", "It is 15.", false},
		"broken base64":  {"Subject: s\nContent-Transfer-Encoding: BASE64\n\nSXQg\naXM*gMTUu=\n", "It is 15.", false},
		"a broken sign":  {"Subject: s\nContent-Transfer-Encoding: quoted-printable\n\nIt =ZZ is 1=35=\n.", "It =ZZ is 15.", false},
		"unknown coding": {"Subject: s\nContent-Transfer-Encoding: 9bit\n\nIt is 15.", "It is 15.", false},
		"NUL":            {"Subject: s\n\nIt\x00 is 15.", "It is 15.", false},
	} {
		t.Run(name, func(t *testing.T) {
			p, got := readsMail(t, []byte(c.mail))
			require.Equal(t, []string{"Subject: s", c.want}, got)
			require.Equal(t, c.cut, slices.ContainsFunc(says(p), func(s string) bool { return strings.Contains(s, "ends too early") }))
		})
	}
}

// element writes an element of ASN.1.
func element(tag byte, content ...string) string {
	s := strings.Join(content, "")
	return string([]byte{tag, 0x84, byte(len(s) >> 24), byte(len(s) >> 16), byte(len(s) >> 8), byte(len(s))}) + s
}

// wrapped is content of a kind as S/MIME wraps it; open ones state no length.
func wrapped(kind []byte, content string, open bool) []byte {
	octets := element(0x04, content)
	if open {
		octets = "\x24\x80" + element(0x04, content[:5]) + element(0x04, content[5:]) + "\x00\x00"
	}
	signed := element(0x30, element(0x02, "\x01"), element(0x31), element(0x30, element(0x06, "\x2a"), element(0xA0, octets)))
	return []byte(element(0x30, element(0x06, string(kind)), element(0xA0, signed)))
}

func TestSignedAndEncryptedMails(t *testing.T) {
	const inner = "Content-Type: text/plain\r\n\r\nLeave is 30 days."
	enveloped := []byte("\x2a\x86\x48\x86\xf7\x0d\x01\x07\x03")
	secure := func(data []byte) []byte {
		return mailOf("Subject: s", "Content-Type: application/pkcs7-mime; name=smime.p7m",
			"Content-Disposition: attachment; filename=smime.p7m", "Content-Transfer-Encoding: base64", "",
			base64.StdEncoding.EncodeToString(data))
	}
	for name, data := range map[string][]byte{
		"wrapped": secure(wrapped(signedData, inner, false)),
		"open":    secure(wrapped(signedData, inner, true)),
		"beside": mailOf("Subject: s", "Content-Type: multipart/signed; boundary=b; protocol=\"application/pkcs7-signature\"", "",
			"--b", inner, "--b", "Content-Type: application/pkcs7-signature; name=smime.p7s",
			"Content-Disposition: attachment; filename=smime.p7s", "", "sig", "--b--"),
	} {
		t.Run(name, func(t *testing.T) {
			p, got := readsMail(t, data)
			require.Equal(t, []string{"Subject: s", "Leave is 30 days."}, got)
			require.Empty(t, p.Inner)
		})
	}
	for name, data := range map[string][]byte{
		"S/MIME":      secure(wrapped(enveloped, inner, false)),
		"PGP":         mailOf("Subject: s", "Content-Type: multipart/encrypted; boundary=b", "", "--b", "", "x", "--b--"),
		"PGP in text": mailOf("Subject: s", "", "-----BEGIN PGP MESSAGE-----", "", "hQEM", "-----END PGP MESSAGE-----"),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := readAs("a.eml", data, Options{Bytes: 1 << 20})
			require.ErrorContains(t, err, "a.eml is encrypted; open it in the mail program that has its key, save it without "+
				"encryption and upload that.")
		})
	}
}

func TestMailsThatAreRefused(t *testing.T) {
	parts := func(n int, part string) []byte {
		return mailOf("Subject: s", "Content-Type: multipart/mixed; boundary=b", "", strings.Repeat("--b\r\n"+part+"\r\n", n)+"--b--")
	}
	var deep strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&deep, "Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n", i, i)
	}
	for name, c := range map[string]struct {
		data []byte
		says string
	}{
		"UTF-7":       {mailOf("Subject: s", "Content-Type: text/plain; charset=unicode-1-1-utf-7", "", "+AAA-"), "is encoded in UTF-7"},
		"head":        {append([]byte("Subject: "), strings.Repeat("s", 10<<20)...), "its head is larger than 1,024 KiB"},
		"lines":       {append([]byte("Subject: s\n"), strings.Repeat(" s\n", 1<<20)...), "its head is larger than 1,024 KiB"},
		"deep":        {[]byte("Subject: s\n" + deep.String() + "words"), "are nested more than 50 levels deep"},
		"attachments": {parts(100_000, "Content-Type: x/y\r\n\r\nx"), "it has more than"},
		"a few more":  {parts(201, "Content-Type: x/y\r\n\r\nx"), "it has more than 200 attachments"},
		"texts":       {parts(100_000, "\r\nx"), "it has more than 10,000 parts"},
		"no fields":   {[]byte("words\n"), "The content of a.eml is not that of a .eml file, or it is damaged"},
		"a picture":   {[]byte("\x89PNG"), "The content of a.eml is an image, but its name ends with .eml"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := readAs("a.eml", c.data, Options{Bytes: 1 << 20})
			require.ErrorContains(t, err, c.says)
		})
	}
}

// A web archive is the page that it shows. Nothing that it names is fetched.
func TestWebArchive(t *testing.T) {
	d, err := readAs("a.mht", mailOf("From: <Saved by a browser>", "Subject: Leave", "Content-Type: multipart/related; boundary=b; type=text/html",
		"", "--b", "Content-Type: text/css", "Content-Location: http://example.ae/a.css", "", "p{}", "--b", "Content-Type: text/html",
		"Content-Location: http://example.ae/", "", "<p>Leave is 30 days.</p><img src=http://example.ae/x.png>", "--b--"),
		Options{Bytes: 1 << 20})
	require.NoError(t, err)
	require.Equal(t, filetype.WebArchive.MediaType, d.MediaType)
	require.Len(t, d.Blocks, 2)
	require.Equal(t, "Leave is 30 days.", d.Blocks[1].Text)
	require.Empty(t, d.Inner)
}

// What a process says of a mail arrives whole: its attachments, and warnings with names in them.
func TestMailFromItsProcess(t *testing.T) {
	data := mailOf("Subject: s", "Content-Type: multipart/mixed; boundary=b", "", "--b", "", "words", "--b", "Content-Type: x/y; name=a.txt", "",
		"words", "--b", "Content-Type: x/y; name=empty.txt", "", "--b--")
	var out bytes.Buffer
	require.NoError(t, Serve(bytes.NewReader(data), &out, filetype.Mail.MediaType))
	var got reply
	require.NoError(t, gob.NewDecoder(&out).Decode(&got))
	want, err := Parse(filetype.Mail.MediaType, data)
	require.NoError(t, err)
	require.Equal(t, want.Inner, got.Parsed.Inner)
	require.Equal(t, []string{"The mail has 1 attachment that is empty: empty.txt."}, says(got.Parsed))
	require.Equal(t, says(want), says(got.Parsed))
	out.Reset()
	require.NoError(t, Serve(bytes.NewReader(mailOf("Subject: s", "Content-Type: multipart/encrypted; boundary=b", "", "--b", "", "x")), &out,
		filetype.Mail.MediaType))
	got = reply{}
	require.NoError(t, gob.NewDecoder(&out).Decode(&got))
	require.Equal(t, "locked", got.Kind)
}

func FuzzMail(f *testing.F) {
	f.Add(mailOf("Subject: =?utf-8?q?a?=", "Content-Type: multipart/mixed; boundary*0=b", "", "--b", "Content-Type: text/html", "", "<p>a", "--b",
		"Content-Type: message/rfc822; name*=utf-8''a%41", "", "Subject: b", "", "c", "--b--"), false)
	f.Add(mailOf("Subject: s", "Content-Type: application/pkcs7-mime", "", string(wrapped(signedData, "Subject: s\n\nwords", true))), false)
	f.Add(outlookMessage(f), true)
	f.Fuzz(func(t *testing.T, data []byte, outlook bool) {
		kind := filetype.Mail.MediaType
		if outlook {
			kind = filetype.Outlook.MediaType
		}
		p, err := Parse(kind, data)
		if err != nil {
			var fault *isolated.Fault
			require.ErrorAs(t, err, &fault)
			return
		}
		size := 0
		for _, x := range p.Inner {
			require.NotEmpty(t, x.Name)
			require.NotEmpty(t, x.Data)
			size += len(x.Data)
		}
		require.LessOrEqual(t, size, mailfile.Room(data))
		for _, b := range p.Blocks {
			require.NotEmpty(t, strings.TrimSpace(b.Text))
			require.Len(t, []rune(b.Text), b.Span.Len())
		}
	})
}

// signedData is the kind of a signed message (RFC 5652, 5.1).
var signedData = []byte("\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02")

// outlookMessage is a file that the tests of its reader make.
func outlookMessage(t testing.TB) []byte {
	t.Helper()
	data, err := os.ReadFile("mailfile/testdata/leave.msg")
	require.NoError(t, err)
	return data
}

func TestOutlookMessagesThatAreRefused(t *testing.T) {
	whole := outlookMessage(t)
	sized := func(at int) []byte {
		data := append([]byte{}, whole...)
		binary.LittleEndian.PutUint32(data[at:], 0x7FFFFFFF)
		return data
	}
	word := append([]byte{}, whole...)
	at := strings.Index(string(word), "\x0B\x0D\x02\x00\x00\x00\x00\x00\xC0") // the class of its root
	copy(word[at:], "\x06\x09\x02\x00")                                       // that of a document of Word
	for name, c := range map[string]struct {
		file string
		data []byte
		says string
	}{
		"cut":          {"a.msg", whole[:len(whole)-4096], "a.msg is damaged or not a mail"},
		"head alone":   {"a.msg", whole[:100], "a.msg is an old Office document"},
		"small table":  {"a.msg", sized(0x40), "a.msg is damaged or not a mail"},
		"table":        {"a.msg", sized(0x2C), "a.msg is damaged or not a mail"},
		"another kind": {"a.msg", word, "The content of a.msg is an old Office document, or one with a password, but its name ends with .msg"},
		"another name": {"a.doc", whole, "The content of a.doc is an Outlook message, but its name ends with .doc; rename it to end with .msg"},
		"winmail.dat":  {"winmail.dat", []byte("\x78\x9F\x3E\x22 and more"), "winmail.dat is an Outlook TNEF file (winmail.dat), whose attachments are not read"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := readAs(c.file, c.data, Options{Bytes: 1 << 20})
			require.ErrorContains(t, err, c.says)
		})
	}
}

// TestOutlookRTFIsReadAsRTFFiles: a message whose text is RTF has its tables and what is struck out.
func TestOutlookRTFIsReadAsRTFFiles(t *testing.T) {
	data, err := os.ReadFile("mailfile/testdata/table.msg")
	require.NoError(t, err)
	p, err := Parse(filetype.Outlook.MediaType, data)
	require.NoError(t, err)
	require.Equal(t, "| Item | Fee |\n|---|---|\n| الذهبية | 25 |", p.Blocks[len(p.Blocks)-1].Text)
	require.Equal(t, "~~20 ~~25", p.Left[0].Text)
}
