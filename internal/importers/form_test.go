package importers

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"

	"sanad/internal/documents"
	"sanad/internal/domain"
	"sanad/internal/domain/filetype"
)

const goodAnswer = "The fee is 5 euros.\r\nThe limit is 3 days."

// utf16le returns s as Windows editors save "Unicode".
func utf16le(s string) []byte {
	out := []byte{0xFF, 0xFE}
	for _, u := range utf16.Encode([]rune(s)) {
		out = append(out, byte(u), byte(u>>8))
	}
	return out
}

func TestFromForm(t *testing.T) {
	r, err := FromForm(context.Background(),
		Form{Query: "What is the fee?", Answer: goodAnswer, Lang: "en", Files: []File{
			{Name: `C:\docs\fees.txt`, Data: []byte("\ufeffThe fee is 5 euros.")},
			{Name: "FEES.TXT", Data: utf16le("The limit is ٣ days.")},
			{Name: "../a/\u202Epage.md", Data: []byte("# Fees\n\nThe fee is 5 euros.")},
			{Name: "page", Data: []byte("<!DOCTYPE html><title>Fees &amp; limits</title><h1>Fees</h1><p>The fee<br>is " +
				"5&nbsp;euros.<script>x</script>")},
			{Name: "", Data: []byte("plain")},
		}}, Options{})
	require.NoError(t, err)
	s := r.Session
	require.Equal(t, FormFormat, s.Format)
	require.Equal(t, "What is the fee?", s.Title)
	require.Equal(t, "The fee is 5 euros.\nThe limit is 3 days.", s.Answer)
	require.Len(t, s.Claims, 2)
	var names, media []string
	for i, d := range s.Documents {
		names, media = append(names, d.Filename), append(media, d.MediaType)
		require.Equal(t, i, r.Originals[i].Document)
		require.Equal(t, d.MediaType, r.Originals[i].MediaType)
	}
	require.Equal(t, []string{"fees.txt", "FEES (2).TXT", "page.md", "page", "document-5.txt"}, names)
	require.Equal(t, []string{"text/plain", "text/plain", "text/markdown", "text/html", "text/plain"}, media)
	require.Equal(t, "The limit is ٣ days.", s.Documents[1].Chunks[0].Text)
	require.Equal(t, "Fees & limits", s.Documents[3].Title)
	require.Equal(t, []string{"Fees"}, s.Documents[3].Chunks[0].HeadingPath)
	require.Equal(t, "Fees\n\nThe fee is 5 euros.", s.Documents[3].Chunks[0].Text)
	require.Equal(t, []byte("plain"), r.Originals[4].Data)
}

func TestFromFormJSON(t *testing.T) {
	for _, name := range []string{"x.json", "x"} {
		r, err := FromForm(context.Background(), Form{Files: []File{{Name: name, Data: sample(t)}}}, Options{})
		require.NoError(t, err)
		require.Equal(t, SessionFormat, r.Format)
	}
}

func TestFromFormBad(t *testing.T) {
	answer := goodAnswer
	for _, c := range []struct {
		name string
		form Form
		kind domain.Kind
		path string
		says string
	}{
		{name: "nothing", form: Form{}, kind: domain.Invalid, path: "answer", says: "paste the answer"},
		{
			name: "blank", form: Form{Answer: " \n", Files: []File{{Name: "a.txt", Data: nil}}}, kind: domain.Invalid,
			path: "answer", says: "paste the answer",
		},
		{
			name: "nothing checkable", form: Form{Answer: "Hello! How are you?"}, kind: domain.Invalid,
			path: "answer", says: "No checkable statement was found in the answer; give one that states something.",
		},
		{name: "answer not UTF-8", form: Form{Answer: "\xff"}, kind: domain.Invalid, path: "answer", says: "UTF-8"},
		{
			name: "language", form: Form{Answer: answer, Lang: "English!"}, kind: domain.Invalid, path: "lang",
			says: "ar-SA",
		},
		{
			name: "title", form: Form{Answer: answer, Title: strings.Repeat("a", 501)}, kind: domain.TooLarge,
			path: "title", says: "500",
		},
		{
			name: "answer too long", form: Form{Answer: strings.Repeat("a", 101)}, kind: domain.TooLarge,
			path: "answer", says: "100",
		},
		{
			name: "file too large", form: Form{Answer: answer, Files: []File{{Name: "a.txt", Data: make([]byte, 201)}}},
			kind: domain.TooLarge, path: "files[0]", says: "a.txt",
		},
		{
			name: "too many files", form: Form{Answer: answer, Files: make([]File, 3)}, kind: domain.TooLarge,
			path: "files", says: "2 files",
		},
		{
			name: "PDF", form: Form{Answer: answer, Files: []File{{Name: "a.pdf", Data: []byte("%PDF-1.7")}}},
			kind: domain.Invalid, path: "files[0]", says: "a.pdf is damaged",
		},
		{
			name: "no PDF", form: Form{Answer: answer, Files: []File{{Name: "a.pdf", Data: []byte("words")}}},
			kind: domain.Invalid, path: "files[0]", says: "not that of a .pdf file",
		},
		{
			name: "PDF in disguise", form: Form{Answer: answer, Files: []File{{Name: "a.txt", Data: []byte("%PDF-1.7")}}},
			kind: domain.Invalid, path: "files[0]", says: "The content of a.txt is a PDF, but its name ends with .txt; rename it",
		},
		{
			name: "DOCX", form: Form{Answer: answer, Files: []File{{Name: "a.docx", Data: []byte("PK\x03\x04")}}},
			kind: domain.Invalid, path: "files[0]", says: "not a complete Word document",
		},
		{
			name: "old Office",
			form: Form{Answer: answer, Files: []File{{Name: "a.doc", Data: []byte("\xD0\xCF\x11\xE0")}}},
			kind: domain.Unsupported, path: "files[0]", says: "Office",
		},
		{
			name: "events", form: Form{Answer: answer, Files: []File{{Name: "a.sse", Data: []byte("data: a")}}},
			kind: domain.Unsupported, path: "files[0]", says: ".sse",
		},
		{
			name: "CSV", form: Form{Answer: answer, Files: []File{{Name: "a.csv", Data: []byte(",,\n")}}},
			kind: domain.Invalid, path: "files[0]", says: "a.csv has no text",
		},
		{
			name: "binary", form: Form{Answer: answer, Files: []File{{Name: "a.txt", Data: []byte("a\x00b")}}},
			kind: domain.Unsupported, path: "files[0]", says: "NUL",
		},
		{
			name: "Latin-1", form: Form{Answer: answer, Files: []File{{Name: "a.txt", Data: []byte("caf\xe9")}}},
			kind: domain.Invalid, path: "files[0]", says: "save it as UTF-8",
		},
		{
			name: "cut UTF-16",
			form: Form{Answer: answer, Files: []File{{Name: "a.txt", Data: append(utf16le("ab"), 'x')}}},
			kind: domain.Invalid, path: "files[0]", says: "save it as UTF-8",
		},
		{
			name: "lone surrogate",
			form: Form{Answer: answer, Files: []File{{Name: "a.txt", Data: []byte{0xFE, 0xFF, 0xD8, 0x00, 0x00, 'a'}}}},
			kind: domain.Invalid, path: "files[0]", says: "UTF-8",
		},
		{
			name: "UTF-16 with NUL",
			form: Form{Answer: answer, Files: []File{{Name: "a.txt", Data: []byte{0xFF, 0xFE, 0, 0}}}},
			kind: domain.Unsupported, path: "files[0]", says: "NUL",
		},
		{
			name: "JSON among others",
			form: Form{Answer: answer, Files: []File{{Name: "a.txt", Data: []byte("a")}, {Name: "b.json", Data: []byte("{}")}}},
			kind: domain.Unsupported, path: "files[1]", says: "upload it alone",
		},
		{
			name: "empty file",
			form: Form{Answer: answer, Files: []File{{Name: "a.txt", Data: []byte("a")}, {Name: "b.txt", Data: nil}}},
			kind: domain.Invalid, path: "files[1]", says: "b.txt is empty (0 bytes)",
		},
		{
			name: "empty PDF", form: Form{Answer: answer, Files: []File{{Name: "a.pdf", Data: nil}}}, kind: domain.Invalid,
			path: "files[0]", says: "a.pdf is empty (0 bytes)",
		},
		{
			name: "white space",
			form: Form{Answer: answer, Files: []File{{Name: "a.md", Data: []byte("\ufeff \n\t\u00a0\n")}}},
			kind: domain.Invalid, path: "files[0]", says: "leave it out",
		},
		{
			name: "HTML without text",
			form: Form{
				Answer: answer,
				Files:  []File{{Name: "a.html", Data: []byte("<title>T</title><p> <img src=x><script>a()</script>")}},
			},
			kind: domain.Invalid, path: "files[0]", says: "a.html has no text",
		},
		{
			name: "deep HTML",
			form: Form{Answer: answer, Files: []File{{Name: "a.html", Data: []byte(strings.Repeat("<i>", 60) + "x")}}},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := FromForm(context.Background(), c.form, small)
			if c.path == "" {
				require.NoError(t, err)
				return
			}
			var e *domain.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, c.kind, e.Kind, e.Error())
			require.Equal(t, c.path, e.Path)
			require.Contains(t, e.Text(), c.says)
		})
	}
}

func TestText(t *testing.T) {
	s, err := Text(context.Background(), File{Name: "a.html", Data: []byte("<p>One.<p>Two.")}, Options{})
	require.NoError(t, err)
	require.Equal(t, "One.\n\nTwo.", s)
	s, err = Text(context.Background(), File{Name: "a.md", Data: []byte("One.\r\nTwo.")}, Options{})
	require.NoError(t, err)
	require.Equal(t, "One.\nTwo.", s)
	_, err = Text(context.Background(), File{Name: "a.pdf", Data: []byte("%PDF-")}, Options{})
	require.ErrorContains(t, err, "answer")
	_, err = Text(context.Background(), File{Name: "a.txt", Data: nil}, Options{})
	require.ErrorContains(t, err, "answer: a.txt is empty (0 bytes)")
}

func TestDeepHTMLIsRefusedNotCrashed(t *testing.T) {
	_, err := FromForm(context.Background(), Form{
		Answer: goodAnswer, Files: []File{{Name: "a.html", Data: []byte(strings.Repeat("<div>", 200_000))}},
	}, Options{})
	if err != nil {
		var e *domain.Error
		require.ErrorAs(t, err, &e)
		require.Equal(t, "files[0]", e.Path)
	}
}

func TestCleanName(t *testing.T) {
	for in, want := range map[string]string{
		"a.txt": "a.txt", "/etc/passwd": "passwd", `..\..\x.md`: "x.md", "..": "document-1.txt", "": "document-1.txt",
		"a\x00\n b.txt":     "a b.txt",
		"a\nb\r\n c\rd.txt": "a b c d.txt", "\u202Efdp.exe": "fdp.exe", "تقرير.txt": "تقرير.txt", "a. ": "a",
		"\xff.txt":                         "\uFFFD.txt",
		strings.Repeat("ب", 300) + ".html": strings.Repeat("ب", 145) + ".html",
	} {
		require.Equal(t, want, cleanName(in, 0))
	}
}

// TestEveryBadFileIsNamed checks that one error names everything wrong with the uploaded files.
func TestEveryBadFileIsNamed(t *testing.T) {
	_, err := FromForm(context.Background(), Form{Answer: goodAnswer, Files: []File{
		{Name: "good.txt", Data: []byte("The fee is 5 euros.")}, {Name: "rates.sse", Data: []byte("data: b")}, {Name: "cut.pdf", Data: []byte("%PDF-1.7")},
		{Name: "blank.txt", Data: []byte(" \n")},
	}}, Options{})
	tidy(t, err)
	var e *domain.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, "files[1]", e.Path)
	require.Equal(t, domain.Unsupported, e.Kind)
	for _, says := range []string{"3 files cannot be accepted.", ".sse", "cut.pdf is damaged", "blank.txt has no text"} {
		require.Contains(t, e.Text(), says)
	}
	require.NotContains(t, e.Text(), "good.txt")
}

// TestFilesAloneAreRead: an interchange file is told from a document by its name.
func TestFilesAloneAreRead(t *testing.T) {
	for _, d := range filetype.Documents {
		for _, ext := range d.Extensions {
			_, alone := filetype.Of("x"+ext, filetype.Interchange) // CSV is both
			require.Equal(t, alone, isJSON(File{Name: "x" + ext, Data: []byte("{}")}), ext)
		}
	}
	for _, d := range filetype.Interchange {
		for _, ext := range d.Extensions {
			require.True(t, isJSON(File{Name: "x" + ext}), ext)
		}
	}
}

// TestOnceReadsTheSameBytesOnce: sessions of one request that rest on the same files read each once, and find in it what
// they would alone.
func TestOnceReadsTheSameBytesOnce(t *testing.T) {
	reads := 0
	opt := Options{Parse: func(_ context.Context, mediaType string, data []byte) (*documents.Parsed, error) {
		reads++
		return documents.Parse(mediaType, data)
	}}
	form := func(title, words string) Form {
		return Form{Title: title, Answer: "Leave is 15 days.", Files: []File{{Name: "a.html", Data: []byte("<p>" + words)}}}
	}
	once := opt.Once(40)
	long := strings.Repeat("Leave is 15 days. ", 9)
	for i, words := range []string{"Leave is 15 days.", "Leave is 16 days.", "Leave is 15 days.", long, long} {
		title := fmt.Sprint(i)
		got, err := FromForm(t.Context(), form(title, words), once)
		require.NoError(t, err)
		alone, err := FromForm(t.Context(), form(title, words), Options{})
		require.NoError(t, err)
		require.Equal(t, alone.Session, got.Session)
	}
	require.Equal(t, 4, reads, "two short ones, and what there is no room for twice")
}
