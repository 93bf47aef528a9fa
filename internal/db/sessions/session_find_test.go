package sessions_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/db/dbtest"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// brief returns each result as one line, with the marks in brackets.
func brief(found []ledger.Found) []string {
	var out []string
	for _, x := range found {
		r, at, s := []rune(x.Excerpt.Text), 0, ""
		for _, m := range x.Excerpt.Marks {
			s += string(r[at:m.Start]) + "[" + string(r[m.Start:m.End]) + "]"
			at = m.End
		}
		out = append(out, fmt.Sprintf("%s %d %d: %s%s", x.Kind, x.Claim, x.Chunk, s, string(r[at:])))
	}
	return out
}

func TestFind(t *testing.T) {
	h := dbtest.New(t)
	s := dbtest.FullSession()
	h.AddSession(t, s)
	h.Says(t, s.ID, 1, ledger.ReviewInput{Action: ledger.Comment, Reason: "Ask the payroll's people about أيامٍ"})

	for query, want := range map[string][]string{
		"ايام": {"claim 1 0: ويرحّل خمسة [أيام]",
			"answer 1 0: يستحق الموظف ١٥ يومًا [cite:a1b2c3d4]. ويرحّل خمسة [أيام] [cite:ffffffff].",
			"note 1 0: Ask the payroll's people about [أيامٍ]"},
		"15 يوم": {"claim 0 0: يستحق الموظف [١٥] [يومًا]",
			"answer 0 0: يستحق الموظف [١٥] [يومًا] [cite:a1b2c3d4]. ويرحّل خمسة أيام [cite:ffffffff].",
			"passage -1 0: يستحق الموظف [خمسة عشر] [يوما] في السنة"},
		"fifteen": {"claim 0 0: يستحق الموظف [١٥] يومًا",
			"answer 0 0: يستحق الموظف [١٥] يومًا [cite:a1b2c3d4]. ويرحّل خمسة أيام [cite:ffffffff].",
			"passage -1 0: يستحق الموظف [خمسة عشر] يوما في السنة"},
		"twelve days":      {"passage -1 0: Employees get [12] [days]."},
		"السنه":            {"passage -1 0: يستحق الموظف خمسة عشر يوما في [السنة]"},
		"an employee":      {"passage -1 0: [Employees] get 12 days."},
		"JUDGED could":     {"claim 2 0: Nobody [could] [judge] this"},
		"سبب":              {"note 0 0: [سبب]"},
		"PAYROLL":          {"note 1 0: Ask the [payroll's] people about أيامٍ"},
		"nowhere":          nil,
		"employee nowhere": nil,
		"”…!":              nil,
		"":                 nil,
		`" OR 1 NEAR(*`:    nil,
	} {
		for _, size := range []int{1, 2, 50} {
			require.Equal(t, want, brief(h.FindAll(t, h.Actor, ledger.FindQuery{Text: query}, size)), "%q %d", query,
				size)
		}
		groups, more, err := h.FindGroups(context.Background(), h.Actor, ledger.FindQuery{Text: query, Limit: 1})
		require.NoError(t, err)
		var listed []ledger.Found
		for _, k := range ledger.FindKinds {
			listed = append(listed, groups[k]...)
			require.False(t, more[k])
		}
		require.Equal(t, want, brief(listed), query)
	}
	found := h.FindAll(t, h.Actor, ledger.FindQuery{Text: "السنة"}, 5)[0]
	require.Equal(t, ledger.Found{
		Kind: ledger.FindPassages, SessionID: s.ID, SessionTitle: s.Title, State: ledger.InReview, At: dbtest.Now,
		Claim:      -1,
		DocumentID: s.Documents[0].ID, Document: "سياسة", Filename: "سياسة.pdf", Page: 12,
		Excerpt: text.Excerpt{Text: "يستحق الموظف خمسة عشر يوما في السنة", Marks: []text.Span{{Start: 30, End: 35}},
			Focus: 30},
	}, stripped(found))
}

// stripped returns a result without unexported fields.
func stripped(x ledger.Found) ledger.Found {
	return ledger.Found{Kind: x.Kind, SessionID: x.SessionID, SessionTitle: x.SessionTitle, State: x.State, At: x.At,
		Excerpt: x.Excerpt, Claim: x.Claim,
		Verdict: x.Verdict, Actor: x.Actor, DocumentID: x.DocumentID, Document: x.Document, Filename: x.Filename, Chunk: x.Chunk,
		Page: x.Page, Withdrawn: x.Withdrawn}
}

func TestFindFilters(t *testing.T) {
	h := dbtest.New(t)
	old, late := dbtest.SizedSession(8), dbtest.SizedSession(5)
	old.CreatedAt = dbtest.Now.AddDate(0, 0, -10)
	h.AddSession(t, old)
	h.AddSession(t, late)
	count := func(q ledger.FindQuery) (n [4]int) {
		q.Text = "days of leave"
		for _, x := range h.FindAll(t, h.Actor, q, 3) {
			for i, k := range ledger.FindKinds {
				if x.Kind == k {
					n[i]++
				}
			}
		}
		return n
	}
	require.Equal(t, [4]int{13, 2, 40, 0}, count(ledger.FindQuery{}))
	require.Equal(t, [4]int{13, 0, 0, 0}, count(ledger.FindQuery{Kind: ledger.FindClaims}))
	require.Equal(t, [4]int{0, 0, 40, 0}, count(ledger.FindQuery{Kind: ledger.FindPassages}))
	require.Equal(t, [4]int{3, 0, 0, 0}, count(ledger.FindQuery{Verdict: ledger.Weak}))
	require.Equal(t, [4]int{}, count(ledger.FindQuery{Verdict: ledger.Weak, Kind: ledger.FindAnswers}))
	require.Equal(t, [4]int{}, count(ledger.FindQuery{Verdict: ledger.UnjudgedOnly}))
	require.Equal(t, [4]int{8, 1, 20, 0}, count(ledger.FindQuery{To: dbtest.Now.AddDate(0, 0, -1)}))
	require.Equal(t, [4]int{5, 1, 20, 0}, count(ledger.FindQuery{From: dbtest.Now.AddDate(0, 0, -1)}))
	require.Equal(t, [4]int{}, count(ledger.FindQuery{State: ledger.Closed}))
	require.Equal(t, [4]int{13, 2, 40, 0}, count(ledger.FindQuery{State: ledger.New}))

	// the newest first, and within a session the first claim
	all := h.FindAll(t, h.Actor, ledger.FindQuery{Text: "leave", Kind: ledger.FindClaims}, 4)
	require.Equal(t, late.ID, all[0].SessionID)
	require.Equal(t, []int{0, 1, 2, 3, 4, 0},
		[]int{all[0].Claim, all[1].Claim, all[2].Claim, all[3].Claim, all[4].Claim, all[5].Claim})
	require.Equal(t, []ledger.Verdict{ledger.Supported, ledger.Weak, ledger.Contradicted, ledger.NotFound},
		[]ledger.Verdict{all[0].Verdict, all[1].Verdict, all[2].Verdict, all[3].Verdict})

	_, _, err := h.Find(context.Background(), h.Actor, ledger.FindQuery{Text: "leave", After: "nonsense"})
	require.Equal(t, domain.Invalid, domain.KindOf(err))
	_, next, err := h.Find(context.Background(), h.Actor,
		ledger.FindQuery{Text: "leave", Kind: ledger.FindClaims, Limit: 1})
	require.NoError(t, err)
	_, _, err = h.Find(context.Background(), h.Actor,
		ledger.FindQuery{Text: "leave", Kind: ledger.FindAnswers, After: next})
	require.Equal(t, domain.Invalid, domain.KindOf(err))
	_, other := h.NewTenant(t, "other")
	_, _, err = h.Find(context.Background(), other, ledger.FindQuery{Text: "leave", After: next})
	require.Equal(t, domain.Invalid, domain.KindOf(err), "another tenant's cursor is invalid")
	require.Empty(t, h.FindAll(t, other, ledger.FindQuery{Text: "leave"}, 5))
	require.Empty(t, h.FindAll(t, h.Actor, ledger.FindQuery{Text: "c" + h.Tenant.ID[:8]}, 5),
		"a scope is no word that anybody can type")
}

// TestFindBeyondTheNewest checks that a search finds all rows in their order, whether it finds them among the newest of
// their kind, before these, or partly there.
func TestFindBeyondTheNewest(t *testing.T) {
	h := dbtest.New(t)
	const n = 350 // a session has more claims than are looked at one by one
	old, late := dbtest.SizedSession(n), dbtest.SizedSession(n)
	for i := range n {
		old.Claims[i].Text = fmt.Sprintf("Oldest rule %d", i)
		if i%50 == 0 {
			late.Claims[i].Text += " oldest"
		}
	}
	h.AddSession(t, old)
	own := h.Actor
	_, h.Actor = h.NewTenant(t, "other")
	h.AddSession(t, dbtest.SizedSession(n)) // its rows are between those of the tenant
	h.Actor = own
	h.AddSession(t, late)
	places := func(q ledger.FindQuery, size int) (out []string) {
		q.Kind = ledger.FindClaims
		for _, x := range h.FindAll(t, h.Actor, q, size) {
			out = append(out, fmt.Sprint(x.SessionID == late.ID, " ", x.Claim))
		}
		return out
	}
	var all, some, contradicted []string
	for i := range n {
		all = append(all, fmt.Sprint("true ", i))
		if i%50 == 0 {
			some = append(some, fmt.Sprint("true ", i))
		}
	}
	for i := range n {
		some = append(some, fmt.Sprint("false ", i))
		if i%4 == 2 { // sizedSession
			contradicted = append(contradicted, fmt.Sprint("false ", i))
		}
	}
	require.NotEmpty(t, contradicted)
	for _, size := range []int{3, 40, 1000} {
		require.Equal(t, all, places(ledger.FindQuery{Text: "days of leave"}, size), size)
		require.Equal(t, some, places(ledger.FindQuery{Text: "oldest"}, size), size)
		require.Equal(t, contradicted, places(ledger.FindQuery{Text: "oldest rule", Verdict: ledger.Contradicted},
			size), size)
		require.Equal(t, []string{"false 7"}, places(ledger.FindQuery{Text: "oldest 7"}, size), size)
		require.Equal(t, []string{"false 7"}, places(ledger.FindQuery{Text: "oldset 7", Near: text.NearWords}, size),
			size)
		require.Empty(t, places(ledger.FindQuery{Text: "nowhere"}, size), size)
	}
}

// TestFindInALongAnswer checks that a long answer is found in parts, each with the claim at that position.
func TestFindInALongAnswer(t *testing.T) {
	h := dbtest.New(t)
	s := dbtest.SizedSession(400)
	h.AddSession(t, s)
	found := h.FindAll(t, h.Actor, ledger.FindQuery{Text: "Claim 399", Kind: ledger.FindAnswers}, 10)
	require.Len(t, found, 1)
	require.Equal(t, 399, found[0].Claim)
	require.LessOrEqual(t, text.Len(found[0].Excerpt.Text), 280)
}

// TestFindKeepsBlindNotes checks that one's own notes of a blind session are found and the other reviewer's are not.
func TestFindKeepsBlindNotes(t *testing.T) {
	h := dbtest.New(t)
	s := dbtest.SizedSession(3)
	h.AddSession(t, s)
	h.Assign(t, s.ID, ledger.Seats{{ID: "a"}, {ID: "b"}}, ledger.SecondBlind)
	h.As("a").Says(t, s.ID, 0, ledger.ReviewInput{Action: ledger.Comment, Reason: "A secret thought"})
	q := ledger.FindQuery{Text: "thoughts"}
	find := func(id string) int {
		return len(h.FindAll(t, access.Actor{Tenant: h.Tenant.ID, ID: id, Role: access.Admin}, q, 5))
	}
	require.Equal(t, []int{1, 0, 0, 0}, []int{find("a"), find("b"), find("c"), find("")})
	h.Assign(t, s.ID, ledger.Seats{{ID: "a"}, {ID: "b"}}, ledger.SecondOpen)
	require.Equal(t, []int{1, 1, 1}, []int{find("a"), find("b"), find("")})
}

// TestFindNewerVersion checks that a replacing document is found like one imported with the session, from its first
// passage on.
func TestFindNewerVersion(t *testing.T) {
	h := dbtest.New(t)
	s := dbtest.FullSession()
	h.AddSession(t, s)
	newer := h.Replace(t, s, "صار عشرين يوما", "Sabbaticals are new", "Sabbaticals need approval").Newer
	found := h.FindAll(t, h.Actor, ledger.FindQuery{Text: "sabbatical"}, 1)
	require.Equal(t, []string{"passage -1 1: [Sabbaticals] are new", "passage -1 2: [Sabbaticals] need approval"},
		brief(found))
	require.Equal(t, []any{newer.ID, "سياسة", false}, []any{found[0].DocumentID, found[0].Document, found[0].Withdrawn})
	found = h.FindAll(t, h.Actor, ledger.FindQuery{Text: "يوما", Kind: ledger.FindPassages}, 5)
	require.Equal(t, []string{"passage -1 0: صار عشرين [يوما]", "passage -1 0: يستحق الموظف خمسة عشر [يوما] في السنة"},
		brief(found))
	require.Equal(t, []bool{false, true}, []bool{found[0].Withdrawn, found[1].Withdrawn},
		"the older one stays readable")
}

func median(d []time.Duration) time.Duration {
	slices.Sort(d)
	return d[len(d)/2]
}

// BenchmarkFind searches for a word that occurs in one claim, in a tenth and in all, in stores of 200 and of 100,000
// claims. "filtered" is the worst case: every claim of a tenth is read, and none passes the filter.
func BenchmarkFind(b *testing.B) {
	for _, n := range []int{200, 100_000} {
		h := dbtest.New(b)
		for done := 0; done < n; done += 200 {
			s := dbtest.SizedSession(200)
			for i := range s.Claims {
				s.Claims[i].Text = fmt.Sprintf("%s Rule%d of chapter%d.", s.Claims[i].Text, done+i, i%10)
			}
			h.AddSession(b, s)
		}
		for _, c := range []struct {
			name, query string
			verdict     ledger.Verdict
		}{{"rare", "rule77", ""}, {"middling", "chapter7", ""}, {"common", "employees leave", ""},
			{"filtered", "chapter7", ledger.Supported}} {
			for _, kind := range []ledger.FindKind{"", ledger.FindClaims} {
				name := "groups"
				if kind != "" {
					name = "page"
				}
				b.Run(fmt.Sprintf("claims=%d/%s/%s", n, name, c.name), func(b *testing.B) {
					took := make([]time.Duration, 0, 1000)
					for b.Loop() {
						at := time.Now()
						var err error
						if kind == "" {
							_, _, err = h.FindGroups(context.Background(), h.Actor,
								ledger.FindQuery{Text: c.query, Limit: 5})
						} else {
							_, _, err = h.Find(context.Background(), h.Actor,
								ledger.FindQuery{Text: c.query, Kind: kind, Verdict: c.verdict, Limit: 25})
						}
						require.NoError(b, err)
						took = append(took, time.Since(at))
					}
					b.ReportMetric(float64(median(took).Microseconds()), "p50-us")
				})
			}
		}
	}
}

// A forgiving search finds beginnings of words and words with one wrong letter, in both languages; numbers are exact,
// and another tenant's words stay out of reach. Its cost is bounded by the index: spellings are looked up, not scanned.
func TestFindForgivesOneLetter(t *testing.T) {
	h := dbtest.New(t)
	s := dbtest.FullSession()
	s.Claims[0].Text = "The carryover of Mohannad is 5 days in the Riyadh office."
	s.Claims[1].Text = "يحق للموظف ترحيل رصيد الإجازات."
	h.AddSession(t, s)
	found := func(q string, near text.Nearness) int {
		return len(h.FindAll(t, h.Actor, ledger.FindQuery{Text: q, Kind: ledger.FindClaims, Near: near}, 10))
	}
	for _, q := range []string{"carryovr", "caryover", "carryoveer", "carrypver", "carryovre", "carryo",
		"riyad offise", "للموضف",
		"الاجازاة ترحل", "mohannad 5"} {
		require.Equal(t, 1, found(q, text.NearWords), q)
	}
	for _, q := range []string{"carryovr", "riyad offise", "للموضف"} {
		require.Zero(t, found(q, text.SameWords), q)
	}
	for _, q := range []string{"caryovr", "6 days carryover", "rn", "qqqq zzzz"} {
		require.Zero(t, found(q, text.NearWords), q)
	}
	require.Empty(t, h.FindAll(t, access.Actor{ID: "x", Tenant: uuid.NewString(), Role: access.Admin},
		ledger.FindQuery{Text: "carryovr", Near: text.NearWords}, 10))
	long := "abcdefghijklmnopqrst bcdefghijklmnopqrstu cdefghijklmnopqrstuv defghijklmnopqrstuvw carryover"
	require.Zero(t, found(long, text.NearWords))
}

// TestFindLeavesOutClaimsSetAside checks that what no longer counts is found neither as a claim nor by its verdict, and
// that what people said of it still is.
func TestFindLeavesOutClaimsSetAside(t *testing.T) {
	h := dbtest.New(t)
	s := dbtest.FullSession()
	h.AddSession(t, s)
	find := func(q ledger.FindQuery) []string { return brief(h.FindAll(t, h.Actor, q, 5)) }
	could := ledger.FindQuery{Text: "judged could", Kind: ledger.FindClaims}
	require.Len(t, find(could), 1)
	h.Says(t, s.ID, 2, ledger.ReviewInput{Action: ledger.NotAClaim, Reason: "A remark of the writer"})
	require.Empty(t, find(could))
	require.Len(t, find(ledger.FindQuery{Text: "remark"}), 1)
	require.Empty(t, find(ledger.FindQuery{Text: "remark", Verdict: ledger.UnjudgedOnly}))
	h.Says(t, s.ID, 2, ledger.ReviewInput{Action: ledger.Undo})
	require.Len(t, find(could), 1)
}
