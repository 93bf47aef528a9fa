package typeset

import (
	"bytes"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	written "sanad/internal/domain/text"
)

var nasties = []string{
	"", " ", "\n\n\n", "😀👨‍👩‍👧‍👦🇦🇪", "\u0301", "\u064b\u064b", "a\u202eb\u2066c\u2069\u2069", "\x00\x01\x1b\x7f",
	"\xff\xfe\xc3(",
	"\U0010ffff\ufffe\uffff", strings.Repeat("ك", 3000), strings.Repeat("()", 2000),
	strings.Repeat("e"+strings.Repeat("\u0301", 50), 50),
	"لا\u200dلا\u200cلا", "\ufeff\u00ad\ufe0f", "\ue000\uf8ff", "漢字かな", "ﷺ ﷲ ﻻ", "\u2028\u2029\u0085\r\n\r", "ͣ͂ͦa",
	"\u200b\u200b",
	"\u2067\u2067\u2067abc", strings.Repeat("\u2067a\u2069", 500), "((((((1٪", "+++---", "12 345 678 +1 (2)",
	"ـــــــ", "\u0640\u064e",
}

// nastyDoc puts a text into every place that takes text.
func nastyDoc(s string) *Doc {
	cell := Cell{Spans: Text(s), Badge: &Badge{Kind(len(s)), s}, Lang: s, Dir: Dir(len(s) % 3)}
	section := Section{Lang: "ar", Title: s, Head: [2]string{s, s}, HeadLang: [2]string{"en", s}, Foot: s, PageOf: s,
		Classification: s, Blocks: []Block{
			Cover{Kicker: s, Title: s, Subtitle: s, Badge: &Badge{Open, s},
				Facts: []KeyValue{{Key: s, Value: Text(s), Badge: &Badge{Bad, s}, Lang: s}}, TitleLang: "ar"},
			Heading{Level: len(s) % 5, Text: s, Lang: s},
			Paragraph{Spans: []Span{{Text: s, Bold: true}, {Text: s, Code: true}, {Text: s, Isolate: true},
				{Text: s, Lang: "ar"}, {Text: s, Lang: s}}},
			List{[][]Span{Text(s), nil}, true}, Quote{Spans: Text(s), Source: Text(s), Lang: s}, Rule{}, PageBreak{},
			PageBreak{},
			Table{Caption: s, Columns: []Column{{s, 1, true}, {s, -3, false}, {s, 0.001, false}},
				Rows: []Row{{[]Cell{cell, cell, cell, cell}}, {}}},
			Table{}, KeyValues{}, List{}, Paragraph{}, Quote{}, Badge{}, Heading{Text: s},
		}}
	english := section
	english.Lang = "en"
	return &Doc{Title: s, Author: s, Subject: s, Keywords: s, Lang: s, ID: s, Sections: []Section{section, english}}
}

func TestNastyText(t *testing.T) {
	for _, s := range sized(nasties) {
		name := writeFile(t, nastyDoc(s),
			[]Attachment{{Name: s, Description: s, MIME: s, Relation: s, Content: []byte(s)}})
		require.Contains(t, runTool(t, "qpdf", "--check", name), "No syntax or stream encoding errors found", "%.40q",
			s)
	}
	require.NoError(t, Write(io.Discard, &Doc{}, nil))
}

// sized returns every fourth short text under the race detector, where each document is slow; make thorough
// runs them all.
func sized(texts []string) []string {
	if !raceEnabled {
		return texts
	}
	var out []string
	for i, s := range texts {
		if i%4 == 0 && len(s) < 2000 {
			out = append(out, s)
		}
	}
	return out
}

// TestPlaceholders checks that what can't be drawn is named, and that nothing else is changed.
func TestPlaceholders(t *testing.T) {
	set, err := newSetter()
	require.NoError(t, err)
	for in, want := range map[string]string{
		"a😀b": "a[U+1F600]b", "\xffz": "[byte FF]z", "\u0301x": "\u25cc\u0301x", "a\u202eb": "a[U+202E]b",
		"\x07":    "[U+0007]",
		"مَرحبًا": "مَرحبًا", "ﻻ": "لا", "a\tb": "a b", "漢": "[U+6F22]", "x\u200fy": "x\u200fy", "é": "é",
		"\ufeffa": "a",
	} {
		z := sanitiser{has: set.has}
		z.sanitise(in)
		require.Equal(t, want, string(z.out), "%q", in)
	}
}

// TestIsolates checks that ranges, dates, names and the like keep their order in Arabic.
func TestIsolates(t *testing.T) {
	for in, want := range map[string]string{
		"في 2024-2026.":                       "2024-2026",
		"(15/04/2026)":                        "15/04/2026",
		"هاتف: +971 4 123 4567 أو":            "+971 4 123 4567",
		"بنسبة 17.8%، ثم":                     "17.8%",
		"الملف report_v2-final.pdf.":          "report_v2-final.pdf",
		"sha256:9f86d0 نص":                    "sha256:9f86d0",
		"الادعاء #9":                          "#9",
		"مبلغ 12 500 000 درهم":                "12 500 000",
		"الدالة f(x) هنا":                     "f(x)",
		"عام 2024 فقط":                        "",
		"سياسة….pdf":                          "",
		"ملف/2024-1":                          "2024-1",
		"مناقصة Gulf tender 2026-90417 للعام": "Gulf tender 2026-90417",
		"شهادة ISO/IEC 27001:2022، ثم":        "ISO/IEC 27001:2022",
		"خطة Plan B - 2026-01":                "Plan B - 2026-01",
		"نظام (SAP S/4 rev 3) جديد":           "SAP S/4 rev 3",
		"نظام SAP (S/4 و B/5)":                "S/4B/5",
		"خطة GDPR only":                       "",
		"سنة 2024-2026 tender":                "2024-2026",
		"أ \u2066a.b\u2069 \u2066c.d\u2069":   "a.bc.d",
		"بلا شيء":                             "",
	} {
		text := []rune(in)
		got := ""
		for _, i := range written.Isolations(text) {
			got += string(text[i[0]:i[1]])
		}
		require.Equal(t, want, got, in)
	}
}

// TestLinear checks that 200 kB without a space allocate in proportion to 20 kB: ten times as much, twice that where a
// buffer just had to grow, and not the hundred times of a quadratic rule. The benchmark measures time.
func TestLinear(t *testing.T) {
	if raceEnabled {
		t.Skip("too slow under the race detector; make thorough runs it")
	}
	// A collection in the middle empties the pools of buffers, whose replacement would be counted too.
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	for _, unit := range []string{"a", "ك", "😀", "(", "1-2 ", "\u2067a", "e\u0301", "لا"} {
		measure := func(n int) uint64 {
			d := &Doc{Sections: []Section{{Lang: "ar",
				Blocks: []Block{Paragraph{Spans: Text(strings.Repeat(unit, n/len(unit)))}}}}}
			runtime.GC()
			runtime.GC() // the second one empties what the pools kept of the first
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			require.NoError(t, Write(io.Discard, d, nil))
			runtime.ReadMemStats(&after)
			return after.TotalAlloc - before.TotalAlloc
		}
		measure(1000)
		small, large := measure(20_000), measure(200_000)
		t.Logf("%q: 20 kB %d kB, 200 kB %d kB allocated", unit, small>>10, large>>10)
		require.Less(t, large, 40*small, "%q", unit)
	}
}

// TestConcurrent writes documents concurrently, for go test -race.
func TestConcurrent(t *testing.T) {
	var group sync.WaitGroup
	outs := make([]bytes.Buffer, 4)
	for i := range outs {
		group.Go(func() { _ = Write(&outs[i], sample(3), nil) })
	}
	group.Wait()
	for i := range outs {
		require.NotZero(t, outs[i].Len())
		require.Equal(t, outs[0].Bytes(), outs[i].Bytes())
	}
}

// FuzzWrite puts any text into every place that takes text.
func FuzzWrite(f *testing.F) {
	for _, s := range nasties {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 300 {
			return
		}
		require.NoError(t, Write(io.Discard, nastyDoc(s), []Attachment{{Name: s, Content: []byte(s)}}))
	})
}
