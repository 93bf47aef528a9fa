package packs

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	goldtext "github.com/yuin/goldmark/text"

	"sanad/internal/domain/pack"
	"sanad/internal/domain/text"
	"sanad/internal/exporters/exporttest"
	"sanad/internal/exporters/prose"
)

// hostileText tries to inject markup into a document.
const hostileText = "# E1\n\n| a | b |\n|---|---|\n<script>alert(1)</script> [x](javascript:alert(1)) ![i](http://e.example/x.png) `code` **bold** &amp; \u202Etxt.exe\u202C " +
	"http://evil.example www.evil.example a@b.example _em_ ~~s~~ \\ 👩‍👩‍👧 {#id} [E1](http://evil.example) [E2]: http://evil.example\n\n```\nfence\n~~~\n\n</div>\n\n### E2\n===\n1. x\n\x00\x07"

// TestPackMarkdownGolden compares a signed pack and a hostile draft with their golden files, and each with
// a second run.
func TestPackMarkdownGolden(t *testing.T) {
	all := map[string]func(t testing.TB) *Document{
		"hospital": func(t testing.TB) *Document {
			d := fixtures["hospital"](t)
			d.Digest, d.Content.ContentRoot, d.Content.EvidenceMapRoot = strings.Repeat("d1", 32), strings.Repeat("c0",
				32), strings.Repeat("e3", 32)
			return d
		},
		"nasty": func(testing.TB) *Document { d, _ := filled(func(int) string { return hostileText }); return d },
	}
	for name, make := range all {
		t.Run(name, func(t *testing.T) {
			var one, two bytes.Buffer
			require.NoError(t, Markdown(&one, make(t)))
			require.NoError(t, Markdown(&two, make(t)))
			require.Equal(t, one.String(), two.String(), "the same pack gives the same bytes")
			exporttest.Golden(t, "pack-"+name+".md", one.Bytes())
		})
	}
}

// outline parses a pack's Markdown and returns the ids of its headings, the targets of its references, and any other
// active content.
func outline(src []byte) (headings, references, live []string) {
	md := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithParserOptions(parser.WithAutoHeadingID()))
	_ = ast.Walk(md.Parser().Parse(goldtext.NewReader(src)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			id, _ := n.AttributeString("id")
			headings = append(headings, string(id.([]byte)))
		case *ast.Link:
			references = append(references, string(n.Destination))
		case *ast.HTMLBlock:
			live = append(live, strings.TrimSpace(string(n.Lines().Value(src))))
		case *ast.Image, *ast.AutoLink, *ast.CodeSpan, *ast.CodeBlock, *ast.FencedCodeBlock, *ast.RawHTML:
			live = append(live, n.Kind().String())
		}
		return ast.WalkContinue, nil
	})
	return headings, references, live
}

// TestPackMarkdownAnchors checks that each reference leads to the heading of its source in the same part.
func TestPackMarkdownAnchors(t *testing.T) {
	for name, make := range fixtures {
		var b bytes.Buffer
		d := make(t)
		require.NoError(t, Markdown(&b, d))
		headings, references, live := outline(b.Bytes())
		require.Equal(t, []string{`<div dir="rtl" lang="ar">`, `</div>`}, live, name)
		require.GreaterOrEqual(t, len(references), 2*len(pack.Top(d.Content.Sources)), name)
		for _, to := range references {
			require.Contains(t, headings, strings.TrimPrefix(to, "#"), name)
		}
		en, ar, _ := strings.Cut(b.String(), "<div")
		require.NotContains(t, en, "(#e1-1)")
		require.NotContains(t, ar, "(#e1)")
		require.Contains(t, ar, "(#e1-1)")
	}
}

// TestPackMarkdownNasty checks that, whatever a pack's texts are, the file has the same headings and no active content.
func TestPackMarkdownNasty(t *testing.T) {
	var plain, hostile bytes.Buffer
	d, _ := filled(sentinel)
	require.NoError(t, Markdown(&plain, d))
	d, _ = filled(func(int) string { return hostileText })
	require.NoError(t, Markdown(&hostile, d))
	want, _, _ := outline(plain.Bytes())
	headings, references, live := outline(hostile.Bytes())
	require.Len(t, headings, len(want))
	require.Equal(t, want[2:len(want)/2], headings[2:len(want)/2], "everything but the titles")
	require.Equal(t, []string{`<div dir="rtl" lang="ar">`, `</div>`}, live)
	for _, to := range references {
		require.Regexp(t, `^#e1(-1)?$`, to)
	}
	require.NotContains(t, hostile.String(), "\u202E")
}

// TestMemo checks what a memo's Markdown becomes.
func TestMemo(t *testing.T) {
	d := &Document{}
	d.Content.Sources = make([]pack.EvidenceSource, 2)
	for in, want := range map[string]string{
		"plain":                        "plain",
		"a **b** [E1].":                "a **b** [[E1]](#e1).",
		"[E3] and [E0]":                `\[E3\] and \[E0\]`,
		`\[E1] is text, \*so\* is a_b`: `\[E1\] is text, \*so\* is a_b`,
		`icp\_matcher &amp; &lt;b&gt;`: `icp_matcher & \<b>`,
		"[E1]: http://x.example":       "[[E1]](#e1): http\\://x.example",
		"[E2](http://x.example)":       "[[E2]](#e2)(http\\://x.example)",
		"# E1":                         "**E1**",
		"**[E1] b**":                   "[[E1]](#e1) **b**",
		"- a [E1]\n- b":                "- a [[E1]](#e1)\n- b",
		"1. a\n2. b":                   "1. a\n2. b",
		"3. a\n4. b":                   "3\\. a\\\n4\\. b",
		"a\\\n\\- b  \n# c":            "a\\\n\\- b\n\n**c**",
		"ends in a backslash \\":       `ends in a backslash \\`,
		"<b>x</b>":                     `\<b>x\</b>`,
		"":                             "",
	} {
		m := markdownWriter{language: languages[0], d: d}
		m.memo(in)
		require.Equal(t, want, strings.TrimSpace(m.String()), "%q", in)
	}
}

// written writes a pack's PDF and returns its path.
func written(t testing.TB, d *Document) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, PDF(&b, d))
	file := filepath.Join(t.TempDir(), "pack.pdf")
	require.NoError(t, os.WriteFile(file, b.Bytes(), 0o600))
	return file
}

func TestPackPDF(t *testing.T) {
	for name, make := range fixtures {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := make(t)
			file := written(t, d)
			exporttest.Tool(t, "qpdf", "--check", file)
			exporttest.CheckFonts(t, file)
			checkPackAttached(t, file, d)
			first, err := os.ReadFile(file)
			require.NoError(t, err)
			var again bytes.Buffer
			require.NoError(t, PDF(&again, make(t)))
			require.True(t, bytes.Equal(first, again.Bytes()), "the same pack gives the same bytes")
			en, ar := exporttest.Pages(t, file)
			for i, part := range []string{en, ar} {
				checkPackPart(t, &languages[i], d, part)
			}
		})
	}
}

// checkPackPart checks that a part has the tenant on every page, the status, the memo, and who approved the pack.
func checkPackPart(t *testing.T, lang *language, d *Document, part string) {
	t.Helper()
	plain := exporttest.Letters(exporttest.BidiControls.ReplaceAllString(part, ""))
	pages := strings.Count(plain, exporttest.Letters(lang.T("class_"+d.classification())))
	require.Positive(t, pages)
	require.GreaterOrEqual(t, strings.Count(plain, exporttest.Letters(d.Content.PackID)), pages)
	if d.Digest != "" {
		require.GreaterOrEqual(t, strings.Count(plain, d.Digest), pages, "each page has the digest")
	}
	require.Equal(t, !d.signed(), strings.Contains(plain, exporttest.Letters(lang.T("not_signed_is"))),
		"what nobody stands for says so")
	require.Contains(t, plain, exporttest.Letters(lang.status(&d.Life)))
	file := pdfWriter{language: *lang, d: d}
	pageBreak := regexp.MustCompile(exporttest.Letters(file.foot()) + `Page\d+of\d+` +
		regexp.QuoteMeta(exporttest.Letters(d.Tenant+
			file.classification()+d.Content.PackID)))
	plain = pageBreak.ReplaceAllString(plain, "")
	_, summary, body := d.memo(lang.Code)
	for _, text := range []string{summary, body} {
		for _, b := range prose.Blocks(prose.MemoParser(), text) {
			for _, spans := range b.Items {
				requirePackWords(t, lang, plain, prose.PlainText(spans))
			}
		}
	}
	for i := range d.Life.Approvals {
		requirePackWords(t, lang, plain, d.Life.Approvals[i].Name)
		requirePackWords(t, lang, plain, d.Life.Approvals[i].Comment)
	}
	for i := range d.Content.Sources {
		requirePackWords(t, lang, plain, d.Content.Sources[i].Excerpt)
	}
}

// requirePackWords is exporttest.RequireWords for texts that may mix both languages.
func requirePackWords(t *testing.T, lang *language, plain, said string) {
	t.Helper()
	if strings.ContainsFunc(said, func(r rune) bool { return unicode.Is(unicode.Arabic, r) }) {
		for word := range strings.FieldsSeq(said) {
			require.Contains(t, plain, exporttest.Letters(word), "%s: %s", lang.Code, said)
		}
		return
	}
	for _, s := range sentencesOf(said) { // behind each may stand that it names no source
		exporttest.RequireWords(t, lang.Lang, plain, s)
	}
}

func sentencesOf(s string) (out []string) {
	for _, span := range text.Sentences(s) {
		out = append(out, text.Slice(s, span))
	}
	return out
}

// checkPackAttached checks that the file of a frozen pack contains pack.json byte for byte.
func checkPackAttached(t *testing.T, file string, d *Document) {
	t.Helper()
	if d.JSON == nil {
		require.Contains(t, exporttest.Tool(t, "pdfdetach", "-list", file), "0 embedded files")
		return
	}
	out := file + ".json"
	exporttest.Tool(t, "pdfdetach", "-save", "1", "-o", out, file)
	got, err := os.ReadFile(out)
	require.NoError(t, err)
	require.Equal(t, string(d.JSON), string(got))
}

// TestPackPDFNasty puts hostile text into every place that takes text.
func TestPackPDFNasty(t *testing.T) {
	for _, text := range []string{hostileText, strings.Repeat("طويل", 1000), strings.Repeat("x", 5000), "",
		"\xff\xfe"} {
		d, _ := filled(func(int) string { return text })
		file := written(t, d)
		exporttest.Tool(t, "qpdf", "--check", file)
		if text != hostileText {
			continue
		}
		en, _ := exporttest.Pages(t, file)
		require.NotRegexp(t, "\u202Etxt", en)
		raw, err := os.ReadFile(file)
		require.NoError(t, err)
		require.NotContains(t, string(raw), "/URI", "nothing is active")
	}
}

// TestPackMarks checks that contradictions, failures, stale sources and withheld content are marked.
func TestPackMarks(t *testing.T) {
	payment, credit := fixtures["payment"](t), fixtures["credit"](t)
	d := fixtures["tender"](t)
	hours := 0
	d.Content.FreshnessWindowHours = &hours
	for doc, ids := range map[*Document][]string{
		payment: {"contradiction", "contradiction_is", "call_failed"},
		credit:  {"withheld", "status_returned", "class_S3", "salted_hash"},
		d:       {"stale", "status_in_review", "unresolved"},
	} {
		file := written(t, doc)
		en, ar := exporttest.Pages(t, file)
		// poppler reads an Arabic page with more English on it from left to right; the tags have the right order
		tagged := exporttest.Tool(t, "qpdf", "--json=2", "--json-stream-data=none", file)
		var md bytes.Buffer
		require.NoError(t, Markdown(&md, doc))
		for i, part := range []string{en, ar + tagged} {
			for _, id := range ids {
				require.Contains(t, exporttest.Letters(part), exporttest.Letters(languages[i].T(id)), id)
				require.Contains(t, exporttest.Letters(md.String()), exporttest.Letters(languages[i].T(id)), id)
			}
		}
		for _, kept := range []string{"Mr. A. N.", "1000000000", "guarantor, Mr"} {
			require.NotContains(t, en+md.String(), kept, "restricted text is sealed")
		}
	}
}
