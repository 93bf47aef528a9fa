package importers

import (
	"context"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/domain/judge"
)

// tidy checks what every error of this package must have.
func tidy(t *testing.T, err error) {
	var e *domain.Error
	require.ErrorAs(t, err, &e, "%v", err)
	require.Contains(t, []domain.Kind{domain.Invalid, domain.TooLarge, domain.Unsupported}, e.Kind)
	require.NotEmpty(t, e.Text())
	require.True(t, utf8.ValidString(e.Safe()))
	require.Less(t, len(e.Text()), 2000)
}

// FuzzRead checks that any bytes give a result or a tidy error, and that a result can be judged, exported and
// read back equal.
func FuzzRead(f *testing.F) {
	for _, c := range badInputs {
		f.Add([]byte(c.in))
	}
	f.Add([]byte(valid))
	f.Add(sample(f))
	f.Add(exported(f, judged(f)))
	f.Add([]byte("[0"))
	f.Add([]byte("user_input,retrieved_contexts,response,f1\nq,\"['a\\x41', 'b']\",The fee is 5.,1e999\n"))
	f.Add([]byte("data: {\"choices\":[{\"delta\":{\"content\":\"The fee is 5.\"},\"seed\":NaN}]}\n\ndata: [DONE]\n\n"))
	f.Add(utf16Of(`{"user_input":"q","response":"The fee is 5.","contexts":["The fee is 5."]}`, true, false))
	for _, name := range samples(f) {
		f.Add(sampleFile(f, name))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := Read(data, Options{})
		if err != nil {
			tidy(t, err)
			if _, err := readAll(data, Options{}); err != nil {
				tidy(t, err)
			}
			return
		}
		s := &r.Session
		judge.Run(s, judge.NewLexical(), time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
		s.ResolveCitations(nil)
		file := exported(t, s)
		back, err := Read(file, Options{})
		require.NoError(t, err)
		digest := Digest(s)
		s.SetImported()
		require.Equal(t, string(exported(t, s)), string(exported(t, &back.Session)))
		require.Equal(t, digest, back.Session.Digest)
	})
}

// FuzzForm checks that any answer and document that are accepted can be judged, exported and read back equal.
func FuzzForm(f *testing.F) {
	f.Add("The fee is 5 euros. [cite:12345678] **Bold** claim.",
		"# Fees\n\nThe fee is 5 euros.\n\n| a | b |\n|---|---|\n| 1 | 2 |", ".md")
	f.Add("الرسوم ٥ يورو. الحد ٣ أيام.", "<h1>x<p>الرسوم ٥ يورو", ".html")
	f.Fuzz(func(t *testing.T, answer, doc, ext string) {
		r, err := FromForm(context.Background(),
			Form{Answer: answer, Files: []File{{Name: "a" + ext, Data: []byte(doc)}, {Name: "b" + ext, Data: []byte(doc)}}}, Options{})
		if err != nil {
			tidy(t, err)
			return
		}
		s := &r.Session
		judge.Run(s, judge.NewLexical(), time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
		s.ResolveCitations(nil)
		back, err := Read(exported(t, s), Options{})
		require.NoError(t, err)
		s.SetImported()
		copyStore(s, &back.Session)
		require.Equal(t, s, &back.Session)
	})
}
