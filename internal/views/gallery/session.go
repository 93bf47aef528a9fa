package gallery

import (
	"slices"
	"strings"

	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	ledgerviews "sanad/internal/views/ledger"
	"sanad/internal/views/ui"
)

// Positions of the claims of gallerySession, each named after the state that it shows.
const (
	sampleSupported = iota
	sampleConfirmed
	sampleContradicted
	sampleNotFound
	sampleWeak
	sampleUnjudged
	sampleOverridden
	sampleStale
	sampleWithdrawn
	sampleInvented
	sampleHuge
	sampleRTL
	sampleClaims // how many there are
)

// sampleReader is the user who views the samples.
const sampleReader = "u-noura"

const samplePassage = "Permanent employees receive 15 days of paid annual leave in a calendar year. Up to 5 days may be carried over into the next year. Sick leave of up to 10 weeks is granted against a medical certificate."

// gallerySession is a session with a claim for every state that a claim can be in.
func gallerySession() *ledger.Session {
	s := &ledger.Session{
		ID: "00000000-0000-4000-8000-000000000001", Title: "Leave policy: what does an employee in logistics get?",
		Query:  "How many days of leave do I get?",
		Answer: "Employees get 15 days of leave [cite:a1b2c3d4]. Up to 10 days may be carried over. Fathers get 3 weeks.",
		Lang:   "en", Revision: 4, CreatedAt: galleryDay,
		Run:   ledger.Run{Judge: "lexical", Version: "3", At: galleryDay},
		Seats: ledger.Seats{{ID: sampleReader, Name: "Noura Al-Harbi"}},
		Documents: []ledger.Document{
			sampleDocument(0, "Leave_Policy.pdf", samplePassage), sampleDocument(1, "سياسة-الإجازات.pdf", rtlText),
			sampleDocument(2, hugeWord+".pdf", hugeText),
		},
	}
	withdrawn := sampleDocument(3, "Leave_Policy_2019.pdf", samplePassage)
	withdrawn.Withdrawn = "Replaced by the policy of 2026."
	s.Documents = append(s.Documents, withdrawn)
	s.Claims = []ledger.Claim{
		sampleSupported: sampleClaim("Permanent employees receive 15 days of paid annual leave.", ledger.Policy,
			ledger.Material, sampleMatch(0, samplePassage, "15 days of paid annual leave", 0.97, ledger.Full)),
		sampleConfirmed: sampleClaim("Sick leave is granted for up to 10 weeks.", ledger.Numeric, ledger.Minor,
			sampleMatch(0, samplePassage, "Sick leave of up to 10 weeks", 0.91, ledger.Full)),
		sampleContradicted: sampleClaim("Up to 10 days may be carried over.", ledger.Numeric, ledger.Critical,
			conflicting(sampleMatch(0, samplePassage, "Up to 5 days may be carried over", 0.93, ledger.None))),
		sampleNotFound: sampleClaim("Fathers get 3 weeks of parental leave.", ledger.Policy, ledger.Critical),
		sampleWeak: sampleClaim("All employees receive paid annual leave in their first month.", ledger.Fact,
			ledger.Material, sampleMatch(0, samplePassage, "paid annual leave", 0.78, ledger.Partial)),
		sampleUnjudged: sampleClaim("Leave is a right.", ledger.Definition, ledger.Minor),
		sampleOverridden: sampleClaim("Leave is counted by calendar year.", ledger.Definition, ledger.Minor,
			sampleMatch(0, samplePassage, "in a calendar year", 0.74, ledger.Partial)),
		sampleStale: sampleClaim("Leave may be carried over into the next year.", ledger.Policy,
			ledger.Material, sampleMatch(0, samplePassage, "carried over into the next year", 0.88, ledger.Full)),
		sampleWithdrawn: sampleClaim("A medical certificate is needed.", ledger.Policy, ledger.Material,
			sampleMatch(3, samplePassage, "against a medical certificate", 0.9, ledger.Full)),
		sampleInvented: sampleClaim("Overtime is paid twice.", ledger.Policy, ledger.Critical,
			sampleMatch(0, samplePassage, "overtime is remunerated at double the rate", 0.95, ledger.Full)),
		sampleHuge: sampleClaim(hugeText+" "+hugeWord, ledger.Fact, ledger.Material,
			sampleMatch(2, hugeText, hugeText[:200], 0.9, ledger.Full)),
		sampleRTL: sampleClaim("يستحق الموظف الدائم إجازة سنوية مدتها 15 يومًا.", ledger.Policy,
			ledger.Material, sampleMatch(1, rtlText, "إجازة سنوية مدفوعة الأجر مدتها 15 يومًا", 0.94, ledger.Full)),
	}
	for i := range s.Claims {
		s.Claims[i].Position = i
		bare := strings.TrimSuffix(s.Claims[i].Text, ".")
		if at := text.Place(bare, s.Answer); at.Kind == text.Exact {
			s.Claims[i].Span = &at.Span
		}
	}
	s.Claims[sampleUnjudged].Unjudged = "The claim has no words that could be looked for."
	said := func(at int, r ledger.Review) {
		r.Actor, r.At = "Noura Al-Harbi", galleryDay
		s.Claims[at].Reviews = append(s.Claims[at].Reviews, r)
	}
	said(sampleConfirmed, ledger.Review{Action: ledger.Confirm, Verdict: ledger.Supported, By: sampleReader})
	said(sampleOverridden, ledger.Review{Action: ledger.Comment, Reason: rtlText, By: "u-huda"})
	said(sampleOverridden, ledger.Review{Action: ledger.Override, Verdict: ledger.Supported,
		Reason: "The first sentence says so.", By: sampleReader})
	said(sampleStale, ledger.Review{Action: ledger.Confirm, Verdict: ledger.Weak, By: sampleReader})
	s.Claims[sampleStale].Stale = 1
	s.Claims[sampleSupported].Citations = []ledger.Citation{
		{Hash: "a1b2c3d4", Status: ledger.Resolved,
			Places: []ledger.Place{{DocumentID: "d0", Filename: "Leave_Policy.pdf"}}},
		{Hash: "e5f60718", Status: ledger.Unresolved},
	}
	s.Claims[sampleNotFound].RequiresCitation = true
	return s
}

func sampleDocument(at int, name, words string) ledger.Document {
	return ledger.Document{
		ID: "d" + string(rune('0'+at)), Key: "d" + string(rune('0'+at)), Position: at, Filename: name,
		Status: ledger.Ready,
		Chunks: []ledger.Chunk{{Text: words, Hash: strings.Repeat("a1b2c3d4", 8), Page: 12,
			HeadingPath: []string{"4.2 Annual leave"}}},
	}
}

func sampleClaim(words string, kind ledger.ClaimType, weight ledger.Importance, matches ...ledger.Match) ledger.Claim {
	return ledger.Claim{Key: "c", Text: words, Type: kind, Importance: weight, Judge: "lexical", Matches: matches}
}

func sampleMatch(document int, passage, quote string, similarity float64, support ledger.Support) ledger.Match {
	return ledger.Match{
		Chunk: ledger.ChunkRef{Document: document}, Similarity: similarity, Support: support, Snippet: quote,
		Quote:    text.Place(quote, passage),
		Features: []ledger.Feature{{Name: "recall", Value: similarity}, {Name: "numbers", Value: 1}},
	}
}

func conflicting(m ledger.Match) ledger.Match {
	m.Contradicts, m.Conflicts, m.Missing = true, []ledger.Conflict{{Kind: "number", Claim: "10 days",
		Evidence: "5 days"}}, []string{"10 days"}
	return m
}

// samplePart is the ledger of a session, of which a page shows the claims at positions; none means all.
func samplePart(s *ledger.Session, positions ...int) ledgerviews.LedgerPart {
	l := ledger.Assess(s, 24)
	part := ledgerviews.LedgerPart{Reader: sampleReader, Page: ledger.Page{
		Session: s, Overview: l.Overview, Flags: map[int][]ledger.RiskType{},
		Answer:   ledger.AnswerPart{Text: s.Answer, Length: text.Len(s.Answer)},
		Matching: len(s.Claims), State: l.Summary.State(), Runs: 2, Documents: len(s.Documents),
	}}
	for i := range l.Entries {
		part.Flags[i] = l.Entries[i].Flags
	}
	for i, words := range []string{"Employees get 15 days of leave", "Up to 10 days may be carried over",
		"Fathers get 3 weeks"} {
		verdict := []ledger.Verdict{ledger.Supported, ledger.Contradicted, ledger.NotFound}[i]
		part.Marks = append(part.Marks,
			ledger.AnswerMark{Position: []int{sampleSupported, sampleContradicted, sampleNotFound}[i],
				Span: text.Place(words, s.Answer).Span, Verdict: verdict})
	}
	if len(positions) > 0 {
		shown := *s
		shown.Claims = nil
		for _, at := range slices.Sorted(slices.Values(positions)) { // as a session has them
			shown.Claims = append(shown.Claims, s.Claims[at])
		}
		part.Session = &shown
	}
	return part
}

// samplePage is the ledger page of a session; change, where given, makes another state of it.
func samplePage(c *ui.Chrome, change func(*ledgerviews.SessionInput), positions ...int) *ledgerviews.SessionPage {
	in := ledgerviews.SessionInput{LedgerPart: samplePart(gallerySession(), positions...), Open: -1,
		People: []access.Named{{ID: sampleReader, Name: "Noura Al-Harbi"}, {ID: "u-huda", Name: "هدى السالم"}}}
	if change != nil {
		change(&in)
	}
	return ledgerviews.NewSessionPage(*c, in)
}
