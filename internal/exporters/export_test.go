package exporters

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	goldtext "github.com/yuin/goldmark/text"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
	"sanad/internal/exporters/exporttest"
)

var fixtures = map[string]func() *ledger.Session{"english": exporttest.English, "arabic": exporttest.Arabic,
	"nasty":   exporttest.Nasty,
	"checked": exporttest.Checked}

func TestGolden(t *testing.T) {
	for name, make := range fixtures {
		for _, f := range Formats {
			if f.Name == "pdf" || f.Name == "xlsx" {
				continue // see pdf_test.go and xlsx_test.go
			}
			t.Run(name+"/"+f.Name, func(t *testing.T) {
				got, err := f.Render(exporttest.Assess(make()))
				require.NoError(t, err)
				exporttest.Golden(t, name+"."+f.Extension, got)
				again, err := f.Render(exporttest.Assess(make()))
				require.NoError(t, err)
				require.Equal(t, got, again, "the same ledger gives the same bytes")
			})
		}
	}
}

func TestAPIGolden(t *testing.T) {
	for name, make := range fixtures {
		t.Run(name, func(t *testing.T) {
			got, err := json.MarshalIndent(APILedger(exporttest.Assess(make())), "", "  ")
			require.NoError(t, err)
			exporttest.Golden(t, name+".api.json", append(got, '\n'))
		})
	}
}

// TestMarkdownExport compares the English export with the reference example (rule L-22) line by line.
func TestMarkdownExport(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, Markdown(&b, exporttest.Assess(exporttest.English())))
	want := `## Evidence Ledger

**Session:** Leave Policy Q&A
**Generated:** 2026-01-03 14:30 UTC
**Evidence Coverage:** 75%

### Summary

| Verdict | Count |
|---------|-------|
| Supported | 2 |
| Weak | 1 |
| Not Found | 1 |

### Claims Detail

#### 1. Employees are entitled to 15 days of annual leave

- **Type:** Policy
- **Importance:** Critical
- **Verdict:** ✓ Supported (Confidence: 92%)
- **Source:** HR_Policy.pdf, Page 12
- **Evidence:** "All permanent employees shall receive 15 days of paid annual leave per calendar year."

---

#### 2. Leave requests must be submitted 2 weeks in advance

- **Type:** Policy
- **Importance:** Material
- **Verdict:** ✓ Supported (Confidence: 88%)
- **Source:** Leave_Guidelines.pdf, Section 3.2
- **Evidence:** "Leave applications must be submitted at least 14 calendar days before the intended start date."

---
`
	require.True(t, strings.HasPrefix(b.String(), want), b.String()[:len(want)+100])
}

// TestJSONExport checks names and their order against rule L-22.
func TestJSONExport(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, JSON(&b, exporttest.Assess(exporttest.English())))
	order := []string{"ledger_id", "session_id", "generated_at", "summary", "total_claims", "evidence_coverage",
		"by_verdict",
		"supported", "weak", "contradicted", "not_found", "entries", "claim_id", "claim_text", "claim_type",
		"importance", "verdict",
		"confidence_score", "evidence", "chunk_ids", "snippet", "source", "document_id", "filename", "page_number",
		"notes",
		"risk_flags", "type", "severity", "description", "affected_claims"}
	rest := b.String()
	for _, name := range order {
		_, after, ok := strings.Cut(rest, `"`+name+`":`)
		require.True(t, ok, "%s does not follow in order", name)
		rest = after
	}
	require.Contains(t, b.String(), `"generated_at": "2026-01-03T14:30:00Z"`)
}

// TestMarkdownStructure parses the exports and checks that user text creates no heading, link, image, code,
// HTML or table.
func TestMarkdownStructure(t *testing.T) {
	sections := []string{"Evidence Ledger", "Summary", "Claims Detail", "Risk Flags", "Recommended Actions"}
	for name, make := range fixtures {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			l := exporttest.Assess(make())
			require.NoError(t, Markdown(&b, l))
			var levels [7]int
			var top []string
			tables := 0
			src := b.Bytes()
			md := goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Linkify, extension.Footnote,
				extension.DefinitionList))
			require.NoError(t, ast.Walk(md.Parser().Parse(goldtext.NewReader(src)),
				func(n ast.Node, entering bool) (ast.WalkStatus, error) {
					if !entering {
						return ast.WalkContinue, nil
					}
					switch n := n.(type) {
					case *ast.Heading:
						levels[n.Level]++
						if n.Level < 4 {
							top = append(top, string(n.Lines().Value(src)))
						}
					case *extast.Table:
						tables++
					case *ast.Link, *ast.Image, *ast.AutoLink, *ast.CodeSpan, *ast.CodeBlock, *ast.FencedCodeBlock, *ast.RawHTML, *ast.HTMLBlock, *extast.Strikethrough, *extast.Footnote, *extast.DefinitionList, *extast.TaskCheckBox:
						t.Errorf("%s: %s", n.Kind(), n.Parent().Kind())
					}
					return ast.WalkContinue, nil
				}))
			require.Equal(t, sections, top[:len(sections)])
			for _, h := range top[len(sections):] {
				require.Contains(t,
					[]string{"Follow-up Questions", "Question", "Answer", "Figures Side by Side", "Judge's Notes", "Confidence", "Reviews",
						"Unjudged Claims", "Citations", "Citation and Quotation Checks", "Sources", "Integrity"}, h)
			}
			require.Equal(t, len(l.Entries), levels[4])
			require.Equal(t, 1, tables)
			require.NotContains(t, b.String(), "\u202E")
		})
	}
}

func TestFormatByName(t *testing.T) {
	f, err := FormatByName("markdown")
	require.NoError(t, err)
	require.Equal(t, "md", f.Extension)
	_, err = FormatByName("exe")
	require.ErrorContains(t, err, "choose markdown, json, pdf, csv or xlsx")
}

func TestDigestFollowsContent(t *testing.T) {
	a, err := Digest(exporttest.Assess(exporttest.English()))
	require.NoError(t, err)
	changed := exporttest.English()
	changed.Claims[0].Text += "!"
	b, err := Digest(exporttest.Assess(changed))
	require.NoError(t, err)
	require.Len(t, a, 64)
	require.NotEqual(t, a, b)
}

// TestAPIReview checks that the answer has the entry as it is after the review.
func TestAPIReview(t *testing.T) {
	s := exporttest.English()
	r, err := s.AddReview(3, ledger.ReviewInput{Action: ledger.Override, Verdict: ledger.Supported, Reason: "seen"},
		"id", "Amal", "reviewer", exporttest.When)
	require.NoError(t, err)
	v := APIReview(exporttest.Assess(s), 3, r.By)
	require.Equal(t, ledger.Supported, *v.Entry.Verdict)
	require.Equal(t, ledger.NotFound, *v.Entry.MachineVerdict)
	require.Equal(t, "seen", v.Review.Reason)
	require.True(t, v.Entry.Overridden)
}

// big returns a ledger of n claims.
func big(n int) *ledger.Ledger {
	s := exporttest.English()
	one := s.Claims[0]
	s.Claims = nil
	for i := range n {
		c := one
		c.Position = i
		s.Claims = append(s.Claims, c)
	}
	return exporttest.Assess(s)
}

func FuzzMarkdown(f *testing.F) {
	f.Add("# x", "y")
	f.Fuzz(func(t *testing.T, title, claim string) {
		s := exporttest.English()
		s.Title, s.Answer, s.Claims[0].Text, s.Claims[0].Matches[0].Snippet = title, title+"\n"+claim, claim, title
		s.Documents[0].Filename = claim
		var b bytes.Buffer
		require.NoError(t, Markdown(&b, exporttest.Assess(s)))
		headings := 0
		src := b.Bytes()
		_ = ast.Walk(goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(goldtext.NewReader(src)),
			func(n ast.Node, entering bool) (ast.WalkStatus, error) {
				switch n.(type) {
				case *ast.Heading:
					if entering {
						headings++
					}
				case *ast.Link, *ast.Image, *ast.AutoLink, *ast.CodeSpan, *ast.CodeBlock, *ast.FencedCodeBlock, *ast.RawHTML, *ast.HTMLBlock:
					t.Errorf("%s in %q", n.Kind(), src)
				}
				return ast.WalkContinue, nil
			})
		// with and without an answer, and claims that have a confidence
		require.Contains(t, []int{len(s.Claims) + 13, len(s.Claims) + 12, len(s.Claims) + 11, len(s.Claims) + 10}, headings)
	})
}

func TestPlace(t *testing.T) {
	for heading, want := range map[string]string{
		"": "", "3.2": ", Section 3.2", "3.2 Notice period": ", Section 3.2", "٤٫٢ الإجازات": ", Section ٤٫٢",
		"Notice period": ", Notice period",
	} {
		c := &ledger.Chunk{}
		if heading != "" {
			c.HeadingPath = []string{"1 Outer", heading}
		}
		require.Equal(t, want, place(nil, c))
	}
	for _, x := range []struct {
		file  string
		chunk ledger.Chunk
		want  string
	}{
		{"a.pdf", ledger.Chunk{Page: 7, HeadingPath: []string{"3.2"}}, ", Page 7"},
		{"a.pptx", ledger.Chunk{Page: 7, Kind: ledger.FileNote}, ", Slide 7, note"},
		{"a.xlsx", ledger.Chunk{Page: 7, Kind: ledger.SheetRow, HeadingPath: []string{"Cards"}}, ", Cards, Row 7"},
		{"a.csv", ledger.Chunk{Page: 7, Kind: ledger.SheetRow}, ", Row 7"},
		{"a.eml", ledger.Chunk{Kind: ledger.PageHeader}, ", mail header"},
		{"a.tiff", ledger.Chunk{Page: 1, Scanned: true}, ", Page 1, read from a picture"},
	} {
		require.Equal(t, x.want, place(&ledger.Document{Filename: x.file}, &x.chunk))
	}
}

// TestDecidingChunkIsFirst checks that a contradicting match, which decides, comes before a better one that supports.
func TestDecidingChunkIsFirst(t *testing.T) {
	d := exporttest.Document(0, "d", "d.pdf", "||It is full.", "||It is not.", "||It is not.")
	against := exporttest.Match(0, 1, 0.9, ledger.None, "It is not.")
	against.Contradicts = true
	again := exporttest.Match(0, 2, 0.7, ledger.Partial, "It is not.")
	s := exporttest.Session(ledger.Session{Title: "t", Answer: "It is.", Documents: []ledger.Document{d},
		Claims: []ledger.Claim{exporttest.Claim(0, "It is", ledger.Fact, ledger.Critical,
			exporttest.Match(0, 0, 0.95, ledger.Full, "It is full."), against, again)}})
	l := exporttest.Assess(s)
	require.Equal(t, 1, l.Entries[0].Best.Chunk.Chunk, "the fixture: the second match decides")
	want := []string{d.Chunks[1].Hash[:8], d.Chunks[0].Hash[:8]}
	require.Equal(t, want, wholeJSON(l).Entries[0].Evidence.ChunkIDs)
	require.Equal(t, want, APILedger(l).Entries[0].ChunkIDs)
}

// wholeJSON returns the JSON export at once.
func wholeJSON(l *ledger.Ledger) *ledgerJSON {
	out := newLedgerJSON(l)
	for i := range l.Entries {
		out.Entries = append(out.Entries, newEntryJSON(&l.Entries[i], l.Session))
	}
	for i := range l.Session.Documents {
		out.Sanad.Documents = append(out.Sanad.Documents, newDocumentJSON(&l.Session.Documents[i]))
	}
	for i := range l.Session.Claims {
		out.Sanad.Claims = append(out.Sanad.Claims, newClaimJSON(&l.Session.Claims[i], l.Session))
	}
	return out
}

// TestExportInPieces checks that an export which is written claim by claim, from claims that are read anew each time, is
// the one that is made at once: its bytes, with a signature and without, and its digest.
func TestExportInPieces(t *testing.T) {
	sessions := maps.Clone(fixtures)
	sessions["reviewed"] = exporttest.Reviewed
	sessions["one set aside"] = func() *ledger.Session {
		s := exporttest.English()
		_, err := s.AddReview(1, ledger.ReviewInput{Action: ledger.NotAClaim, By: "u1", Reason: "A remark"}, "r", "Amal Haddad",
			"reviewer", exporttest.When)
		require.NoError(t, err)
		return s
	}
	sessions["empty"] = func() *ledger.Session { return exporttest.Session(ledger.Session{Title: "Empty"}) }
	for name, make := range sessions {
		whole, read := exporttest.Assess(make()), make()
		held := new(whole.Findings())
		claims := read.Claims
		read.Claims = nil
		l, err := ledger.AssessRead(read, ledger.DefaultFreshness, func(do func(c *ledger.Claim) error) error {
			for i := range claims {
				if c := claims[i]; do(&c) != nil {
					return errors.New("it goes on")
				}
			}
			return nil
		})
		require.NoError(t, err)
		for _, f := range Formats {
			if !f.Streams {
				continue
			}
			want, err := f.Render(held)
			require.NoError(t, err)
			got, err := f.Render(&l)
			require.NoError(t, err)
			require.Equal(t, string(want), string(got), "%s as %s", name, f.Name)
		}
		once := wholeJSON(held)
		for _, signature := range []*pack.Envelope{nil, pack.NewEnvelope([]byte("statement"), []byte("signature"), "key")} {
			once.Sanad.Signature = signature
			want, err := encodeJSON(once, "", "  ")
			require.NoError(t, err)
			var got bytes.Buffer
			sign, err := SignedJSON(&got, &l)
			require.NoError(t, err)
			require.NoError(t, sign(&got, signature))
			require.Equal(t, string(want), got.String(), name)
		}
		once.Sanad.Signature = nil
		canonical, err := canonicalJSON(once)
		require.NoError(t, err)
		digest, err := Digest(&l)
		require.NoError(t, err)
		require.Equal(t, fmt.Sprintf("%x", sha256.Sum256(canonical)), digest, name)
	}
}
