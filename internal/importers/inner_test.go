package importers_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/domain/filetype"
	"sanad/internal/importers"
)

// attached writes a part with a file.
func attached(name string, data []byte) string {
	return "--b\r\nContent-Type: application/octet-stream\r\nContent-Transfer-Encoding: base64\r\n" +
		"Content-Disposition: attachment; filename=\"" + name + "\"\r\n\r\n" + base64.StdEncoding.EncodeToString(data) + "\r\n"
}

// mailWith is a mail with a text and parts.
func mailWith(text string, parts ...string) []byte {
	return []byte("Subject: s\r\nContent-Type: multipart/mixed; " +
		"boundary=b\r\n\r\n--b\r\n\r\n" + text + "\r\n" + strings.Join(parts, "") + "--b--\r\n")
}

// nested is a mail in so many mails, as it was sent: all of them hold its bytes.
func nested(times int, text string) []byte {
	mail := "Subject: s\r\n\r\n" + text
	for i := range times {
		mail = fmt.Sprintf("Subject: s\r\nContent-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n"+
			"Content-Type: message/rfc822\r\n\r\n%s\r\n--b%d--\r\n", i, i, mail, i)
	}
	return []byte(mail)
}

func formOf(answer string, files ...importers.File) (*importers.Result, error) {
	return importers.FromForm(context.Background(), importers.Form{Answer: answer, Files: files}, importers.Options{})
}

// TestAttachmentsAreDocuments holds that each attachment that is read is a document with its own original, below its
// mail.
func TestAttachmentsAreDocuments(t *testing.T) {
	page := []byte("<!DOCTYPE html><p>The fee is 50 AED.</p>")
	inner := mailWith("It was 15 days.", attached("terms.txt", []byte("The fee is 70 AED.")))
	outer := mailWith("Leave is 30 days.", attached("fees.html", page), attached("old.eml", inner), attached("scan.png", []byte("\x89PNG")),
		attached("a.zip", []byte("PK\x03\x04")), attached("b.xyz", []byte("x")), attached("bad.docx", []byte("words")))
	r, err := formOf("Leave is 30 days.", importers.File{Name: "mail.eml", Data: outer},
		importers.File{Name: "note.txt", Data: []byte("The note is short.")})
	require.NoError(t, err)
	var names []string
	for _, d := range r.Session.Documents {
		names = append(names, d.Filename+" "+d.MediaType)
	}
	html := filetype.HTML.MediaType
	require.Equal(t, []string{"mail.eml message/rfc822", "mail.eml › fees.html " + html, "mail.eml › old.eml " +
		"message/rfc822",
		"mail.eml › old.eml › terms.txt text/plain", "note.txt text/plain"}, names)
	require.Len(t, r.Originals, 5)
	for i, want := range [][]byte{outer, page, inner, []byte("The fee is 70 AED."), []byte("The note is short.")} {
		require.Equal(t, i, r.Originals[i].Document)
		require.True(t, bytes.Equal(want, r.Originals[i].Data), names[i])
	}
	require.Equal(t, "It was 15 days.", r.Session.Documents[2].Chunks[1].Text)
	var warned []string
	for _, w := range r.Warnings {
		warned = append(warned, w.Path+": "+w.Msg)
	}
	require.Equal(t, []string{
		"mail.eml: An attachment of mail.eml is not read. The content of mail.eml › bad.docx is not that of a .docx file, or it is damaged; " +
			"open it in its " +
			"program, save it again and upload that.",
		"mail.eml: mail.eml has 3 attachments of kinds that are not read: scan.png, a.zip, b.xyz."}, warned)
	again, err := formOf("Leave is 30 days.", importers.File{Name: "mail.eml", Data: outer},
		importers.File{Name: "note.txt", Data: []byte("The note is short.")})
	require.NoError(t, err)
	require.Equal(t, r.Session.Digest, again.Session.Digest)
}

// TestFilesInFilesAreBounded holds that nested mails, many attachments and large ones are refused with their bound.
func TestFilesInFilesAreBounded(t *testing.T) {
	thousand := strings.Repeat("Subject: s\r\nContent-Type: message/rfc822\r\n\r\n", 1000) + "Subject: s\r\n\r\nwords"
	many := func(n int) []byte {
		var parts []string
		for i := range n {
			parts = append(parts, attached(fmt.Sprintf("%d.txt", i), []byte("words")))
		}
		return mailWith("words", parts...)
	}
	for name, c := range map[string]struct {
		data []byte
		says string
	}{
		"deep":     {nested(9, "It was 15 days."), "contains mails nested more than 8 levels deep"},
		"thousand": {[]byte(thousand), "contains mails nested more than 8 levels deep"},
		"many":     {many(201), "it has more than 200 attachments"},
		"many in several": {mailWith("words", attached("a.eml", many(150)), attached("b.eml", many(60))),
			"mail.eml › b.eml has more than 200 attachments, including those of the mails in it"},
		"large": {nested(7, strings.Repeat("words ", 1<<17)), "have more than"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := importers.FromForm(context.Background(), importers.Form{Answer: "Leave is 30 days.",
				Files: []importers.File{{Name: "mail.eml", Data: c.data}}}, importers.Options{DocumentBytes: 1 << 20})
			require.ErrorContains(t, err, c.says)
			require.Equal(t, domain.TooLarge, domain.KindOf(err))
		})
	}
	_, err := importers.FromForm(context.Background(), importers.Form{Answer: "Leave is 30 days.",
		Files: []importers.File{{Name: "mail.eml", Data: many(3)}}}, importers.Options{Documents: 3})
	require.ErrorContains(t, err, "Session and files have more than 3 documents")
}

// TestAnswerWithAttachmentsIsRefused holds that nothing of an answer's file is dropped silently.
func TestAnswerWithAttachmentsIsRefused(t *testing.T) {
	text := func(data []byte) (string, error) {
		return importers.Text(context.Background(), importers.File{Name: "a.eml", Data: data}, importers.Options{})
	}
	got, err := text([]byte("Subject: s\r\n\r\nLeave is 30 days."))
	require.NoError(t, err)
	require.Equal(t, "Leave is 30 days.", got)
	_, err = text(mailWith("Leave is 30 days.", attached("fees.txt", []byte("The fee is 50 AED."))))
	require.ErrorContains(t, err, "a.eml is a mail with 1 attachment (fees.txt), which an answer cannot have.")
}

// TestSessionNamesAttachments holds that documents of a session in JSON that have no words are found among the files of
// a mail too, and that files of the lake stay with the documents that name them.
func TestSessionNamesAttachments(t *testing.T) {
	mail := mailWith("Leave is 30 days.", attached("fees.txt", []byte("The fee is 50 AED.")))
	session := func(documents string) []byte {
		return []byte(`{"format":"sanad.session/v1","session":{"answer":"Leave is 30 days."},` +
			`"documents":` + documents + `,"claims":[]}`)
	}
	r, err := importers.FromForm(context.Background(), importers.Form{
		Session: session(`[{"id":"fees","filename":"mail.eml › fees.txt"},{"id":"mail","filename":"mail.eml"}]`),
		Files:   []importers.File{{Name: "mail.eml", Data: mail}}}, importers.Options{})
	require.NoError(t, err)
	require.Len(t, r.Session.Documents, 2)
	require.Equal(t, "The fee is 50 AED.", r.Session.Documents[0].Chunks[0].Text)
	require.Equal(t, []int{1, 0}, []int{r.Originals[0].Document, r.Originals[1].Document})

	r, err = importers.FromForm(context.Background(), importers.Form{
		Session: session(`[{"id":"mail","lake":"in/mail.eml"},{"id":"note","lake":"in/note.txt"}]`),
		Files:   []importers.File{{Name: "mail.eml", Data: mail}, {Name: "note.txt", Data: []byte("The note is short.")}},
		Lake:    []string{"in/mail.eml", "in/note.txt"}}, importers.Options{})
	require.NoError(t, err)
	var got []string
	for _, d := range r.Session.Documents {
		got = append(got, d.Filename+" "+d.URI)
	}
	require.Equal(t, []string{"mail.eml lake:in/mail.eml", "note.txt lake:in/note.txt", "mail.eml › fees.txt "}, got)
}

// TestVersionWithAttachments holds that a new version is the mail alone, and that this is said.
func TestVersionWithAttachments(t *testing.T) {
	mail := mailWith("Leave is 30 days.", attached("fees.txt", []byte("The fee is 50 AED.")))
	d, original, warned, err := importers.UploadedVersion(context.Background(), importers.File{Name: "mail.eml", Data: mail}, importers.Options{})
	require.NoError(t, err)
	require.Equal(t, "mail.eml", d.Filename)
	require.True(t, bytes.Equal(mail, original.Data))
	said, err := json.Marshal(warned)
	require.NoError(t, err)
	require.Contains(t, string(said), "mail.eml has 1 attachment (fees.txt), which is not part of the new version")
}
