// Package exporttest has what tests of several rooms of exporters share: sessions, a board's ledger, readers of PDFs,
// goldens.
package exporttest

import (
	"strings"
	"time"

	"sanad/internal/domain/evidence"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// When is when the sessions below were made and judged.
var When = time.Date(2026, 1, 3, 14, 30, 0, 0, time.UTC)

// Document returns a document of chunks; a chunk is written "page|heading|text".
func Document(position int, key, filename string, chunks ...string) ledger.Document {
	d := ledger.Document{Key: key, Position: position, Filename: filename, Status: ledger.Ready}
	var roots []string
	for i, c := range chunks {
		parts := strings.SplitN(c, "|", 3)
		x := ledger.Chunk{Key: string(rune('a' + i)), Position: i, Text: parts[2], Hash: ledger.ChunkDigest(parts[2]),
			Root: ledger.TextDigest(parts[2])}
		if parts[0] != "" {
			x.Page = int(parts[0][0]-'0')*10 + int(parts[0][1]-'0')
		}
		if parts[1] != "" {
			x.HeadingPath = strings.Split(parts[1], ">")
		}
		d.Chunks = append(d.Chunks, x)
		roots = append(roots, x.Root)
	}
	var err error
	if d.Root, err = evidence.DocumentRoot(roots); err != nil {
		panic(err)
	}
	return d
}

func Match(doc, chunk int, similarity float64, support ledger.Support, snippet string) ledger.Match {
	return ledger.Match{Chunk: ledger.ChunkRef{Document: doc, Chunk: chunk}, Similarity: similarity, Support: support,
		Snippet: snippet,
		Quote:   text.Placement{Kind: text.Exact, Span: text.Span{Start: 0, End: text.Len(snippet)}}}
}

func Claim(position int, words string, t ledger.ClaimType, i ledger.Importance, matches ...ledger.Match) ledger.Claim {
	return ledger.Claim{ID: "", Key: "clm_00" + string(rune('1'+position)), Position: position, Text: words, Type: t,
		Importance: i,
		Given:      true, Judge: "given", Matches: matches, RequiresCitation: true}
}

// Session completes a fixture with ids, times, positions of claims and citations.
func Session(s ledger.Session) *ledger.Session {
	s.ID, s.LedgerID = "5e55101f-0000-4000-8000-000000000001", "1ed9e401-0000-4000-8000-000000000001"
	s.Mode, s.Format, s.CreatedAt, s.UpdatedAt, s.Revision = "answer", "sanad.session/v1", When, When, 1
	s.Run = ledger.Run{Judge: "given", Version: "1", InputDigest: strings.Repeat("ab", 32), At: When}
	for i := range s.Claims {
		if p := text.Place(s.Claims[i].Text, s.Answer); p.Kind != text.NotPlaced {
			s.Claims[i].Span = &p.Span
		}
	}
	s.ResolveCitations(nil)
	return &s
}

// English is the reference example (rule L-22).
func English() *ledger.Session {
	leave := "All permanent employees shall receive 15 days of paid annual leave per calendar year."
	notice := "Leave applications must be submitted at least 14 calendar days before the intended start date."
	carry := "Unused annual leave may be carried over at the discretion of the department head, subject to operational requirements."
	hr := Document(0, "doc_hr001", "HR_Policy.pdf", "12|4>4.2|"+leave, "15|4>4.2|"+carry)
	hr.Title, hr.SourceQuality, hr.PublishedAt = "HR Policy", new(0.9), "2025-06-01"
	return Session(ledger.Session{
		Title: "Leave Policy Q&A", Query: "How many days of annual leave are there?", Lang: "en", Model: "m",
		ModelVersion: "1",
		Answer: "Employees are entitled to 15 days of annual leave [cite:" + ledger.ChunkHash(leave) + "].\n\n" +
			"- Leave requests must be submitted 2 weeks in advance [cite:" + ledger.ChunkHash(notice) + "].\n" +
			"- Unused leave can be carried forward to next year.\n- Maximum carryover is 5 days [cite:deadbeef].",
		Documents: []ledger.Document{hr,
			Document(1, "doc_hr002", "Leave_Guidelines.pdf", "|3>3.2 Notice period|"+notice)},
		Claims: []ledger.Claim{
			Claim(0, "Employees are entitled to 15 days of annual leave", ledger.Policy, ledger.Critical,
				Match(0, 0, 0.92, ledger.Full, leave)),
			Claim(1, "Leave requests must be submitted 2 weeks in advance", ledger.Policy, ledger.Material,
				Match(1, 0, 0.88, ledger.Full, notice)),
			Claim(2, "Unused leave can be carried forward to next year", ledger.Policy, ledger.Material,
				Match(0, 1, 0.81, ledger.Partial, carry)),
			Claim(3, "Maximum carryover is 5 days", ledger.Numeric, ledger.Critical),
		},
	})
}

func Arabic() *ledger.Session {
	leave := "يستحق الموظف إجازة سنوية مدتها ٣٠ يوماً مدفوعة الأجر."
	s := Session(ledger.Session{
		Title: "سياسة الإجازات", Query: "كم عدد أيام الإجازة السنوية؟", Lang: "ar",
		Answer: "يستحق الموظف ٣٠ يوماً من الإجازة السنوية [cite:" + ledger.ChunkHash(leave) +
			"].\nلا يجوز ترحيل أكثر من ٥ أيام.",
		Documents: []ledger.Document{Document(0, "doc_ar", "لائحة_الموارد_البشرية.pdf", "12||"+leave,
			"|الفصل الثالث: الإجازات|يجوز ترحيل ١٠ أيام كحد أقصى.")},
		Claims: []ledger.Claim{
			Claim(0, "يستحق الموظف ٣٠ يوماً من الإجازة السنوية", ledger.Policy, ledger.Critical,
				Match(0, 0, 0.93, ledger.Full, leave)),
			Claim(1, "لا يجوز ترحيل أكثر من ٥ أيام", ledger.Policy, ledger.Critical,
				Match(0, 1, 0.9, ledger.None, "يجوز ترحيل ١٠ أيام كحد أقصى.")),
		},
	})
	m := &s.Claims[1].Matches[0]
	m.Contradicts, m.Note = true, "الأرقام تختلف"
	m.Conflicts = []ledger.Conflict{{Kind: "number", Claim: "٥ أيام", Evidence: "١٠ أيام"}}
	return s
}

// Checked has an answer that cites the wrong passage, cites what nobody has, and quotes words that no source has.
func Checked() *ledger.Session {
	badge := "Visitors must wear a badge inside the laboratory."
	samples := "لا تُنقل العينات إلا في صناديق مبرّدة."
	quoted := "Samples may be carried by hand"
	s := Session(ledger.Session{
		Title: "Laboratory rules", Query: "What do visitors have to know?", Lang: "en",
		Answer: "Visitors must wear a badge inside the laboratory [2].\n" +
			"Visitors sign the book [cite:deadbeef].\n" +
			"The rules say: “" + quoted + "” [2].",
		Documents: []ledger.Document{Document(0, "doc_rules", "Laboratory_Rules.pdf", "03||"+badge),
			Document(1, "doc_samples", "نقل_العينات.pdf", "|المادة الثانية|"+samples)},
		Claims: []ledger.Claim{
			Claim(0, badge[:len(badge)-1], ledger.Policy, ledger.Critical, Match(0, 0, 0.96, ledger.Full, badge)),
			Claim(1, "Visitors sign the book", ledger.Fact, ledger.Material),
			Claim(2, "The rules say: “"+quoted+"”", ledger.Policy, ledger.Material),
		},
	})
	rules, transport := &ledger.ChunkRef{}, &ledger.ChunkRef{Document: 1}
	s.Claims[0].Checks.Citations = []ledger.CitationCheck{
		{Anchor: "[2]", Status: ledger.Elsewhere, Cited: transport, Whole: true, Supporting: rules}}
	s.Claims[1].Checks.Citations = []ledger.CitationCheck{{Anchor: "[cite:deadbeef]", Status: ledger.NotResolved}}
	s.Claims[2].Checks = ledger.Checks{
		Citations: []ledger.CitationCheck{{Anchor: "[2]", Status: ledger.DoesNotHold, Cited: transport, Whole: true}},
		Quotations: []ledger.QuotationCheck{{Text: quoted, Status: ledger.QuoteNotFound,
			Span: new(text.Place(quoted, s.Answer).Span)}},
	}
	return s
}

// Nasty contains whatever could break a document.
func Nasty() *ledger.Session {
	hostile := "# heading\n\n| a | b |\n|---|---|\n<script>alert(1)</script> [x](javascript:alert(1)) ![i](http://e.example/x.png) `code` **bold** &amp; \u202Etxt.exe\u202C http://evil.example www.evil.example a@b.example _em_ ~~s~~ \\ 👩‍👩‍👧 {#id} \x00\x07 " + string([]byte{0xff})
	s := Session(ledger.Session{
		Title: "## Not a heading\n---\n| x | <b>bold</b> " + hostile,
		Query: "1. one\n2) two\n> quote\n--- \n===\n+ plus",
		Answer: "# Heading\n```\nfence\n~~~\n" + hostile + "\n    indented\n\n\n* item\n[cite:11111111] [cite:" +
			ledger.ChunkHash("same words") + "]",
		Extra: nil,
		Documents: []ledger.Document{
			Document(0, "d|1", "../a|b`c`<i>.pdf", "12|<h1>>`x`|same words", "||"+hostile),
			Document(1, "d]2", "\u202Efdp.exe", "|# 1. Heading|same words"),
		},
		Claims: []ledger.Claim{
			Claim(0, hostile, ledger.Fact, ledger.Critical, Match(0, 1, 0.9, ledger.Full, hostile)),
			Claim(1, strings.Repeat("very long claim 🙂 ", 60)+"#", ledger.Definition, ledger.Minor,
				Match(1, 0, 0.9, ledger.Full, ""), Match(0, 0, 0.88, ledger.Partial, "same words")),
			Claim(2, "# heading #", ledger.Numeric, ledger.Material),
			Claim(3, "unjudged claim", ledger.Fact, ledger.Critical),
			Claim(4, "overridden claim", ledger.Policy, ledger.Material, Match(0, 0, 0.95, ledger.Full, "same words")),
			Claim(5, "ambiguous", ledger.Fact, ledger.Minor, Match(0, 0, 0.5, ledger.Partial, "same words")),
		},
	})
	s.Claims[3].Unjudged, s.Claims[3].Judge, s.Claims[3].Given = "The judge\ntimed out | <b>", "openai", false
	s.Claims[4].Reviews = []ledger.Review{
		{ID: "r1", Actor: "Amal | <b>", Role: "reviewer", At: When, Action: ledger.Comment, Reason: "# a\n- b"},
		{ID: "r2", Actor: "Omar", Role: "approver", At: When.Add(time.Minute), Action: ledger.Override,
			Verdict: ledger.Contradicted, Reason: "wrong `page`"},
		{ID: "r3", Actor: "Omar", Role: "approver", At: When.Add(2 * time.Minute), Action: ledger.Edit,
			Type: ledger.Fact, Importance: ledger.Minor},
	}
	s.Claims[5].Citations = append(s.Claims[5].Citations, ledger.Citation{
		Hash: "abcdef01", Span: text.Span{Start: 1, End: 5}, Status: ledger.Ambiguous,
		Places: []ledger.Place{{SessionID: "s2", DocumentID: "x", Filename: "a_b*.pdf", ChunkID: "c",
			Digest: "abcdef0123", Page: 3}, {DocumentID: "y", Filename: "c.pdf", ChunkID: "d", Digest: "abcdef0199"}},
	})
	return s
}

func Assess(s *ledger.Session) *ledger.Ledger {
	l := ledger.Assess(s, ledger.DefaultFreshness)
	return &l
}

// Reviewed returns the example ledger with reviews.
func Reviewed() *ledger.Session {
	s := English()
	s.Claims[2].Reviews = []ledger.Review{{ID: "r1", Actor: "act_reviewer", Role: "reviewer", At: When,
		Action: ledger.Override, Verdict: ledger.Supported,
		Reason: "The discretion was used in each of the last three years."}}
	s.Claims[3].Reviews = []ledger.Review{{ID: "r2", Actor: "act_reviewer", Role: "reviewer", At: When,
		Action: ledger.NeedsEvidence, Reason: "أين ورد هذا الحد؟"}}
	return s
}
