package agreement

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
)

// TestInterval compares with the figures of Newcombe (1998), table I, method 3.
func TestInterval(t *testing.T) {
	for _, x := range []struct {
		Share
		low, high float64
	}{
		{Share{81, 263}, 0.2553, 0.3662}, {Share{15, 148}, 0.0624, 0.1605}, {Share{0, 20}, 0, 0.1611},
		{Share{1, 29}, 0.0061, 0.1718}, {Share{29, 29}, 0.8830, 1}, {Share{0, 0}, 0, 1}, {Share{3, 2}, 0, 1},
	} {
		low, high := x.Interval()
		require.InDelta(t, x.low, low, 5e-5, x.Share)
		require.InDelta(t, x.high, high, 5e-5, x.Share)
	}
	require.Zero(t, Share{}.Rate())
}

var (
	own    = Rater{Judge: "lexical", Version: "11"}
	asked  = Rater{Judge: "openai", Version: "p1", Model: "qwen3"}
	newest = Rater{Judge: "openai", Version: "p1", Model: "a-model"}
)

func TestRaterOf(t *testing.T) {
	run := &ledger.Run{Judge: "openai", Version: "p1", Parameters: map[string]string{"model": "qwen3", "own": "11"}}
	require.Equal(t, []Rater{asked, own, {Judge: "given"}},
		[]Rater{RaterOf(run, "openai", false), RaterOf(run, "lexical", false), RaterOf(run, "given", true)})
	two := &ledger.Run{Judge: "lexical+openai", Version: "11+qwen3/p1",
		Parameters: map[string]string{"model": "qwen3", "own": "11"}}
	require.Equal(t, []Rater{asked, own}, []Rater{RaterOf(two, "openai", false), RaterOf(two, "lexical", false)})
	require.Equal(t, own, RaterOf(&ledger.Run{Judge: "given+lexical", Version: "11"}, "lexical", false))
}

// TestRaterOfReader: the embedded judge with two readers is two raters, in a fixed order. A model that is asked beside
// it is the same rater whatever the reader was.
func TestRaterOfReader(t *testing.T) {
	alone := func(reader string) *ledger.Run {
		parameters := map[string]string{ledger.ReaderParameter: reader}
		return &ledger.Run{Judge: "embedded", Version: "11", Parameters: parameters}
	}
	first, second := RaterOf(alone("aa"), "embedded", false), RaterOf(alone("bb"), "embedded", false)
	require.Equal(t, Rater{Judge: "embedded", Version: "11", Reader: "aa"}, first)
	require.Equal(t, Rater{Judge: "embedded", Version: "11", Reader: "bb"}, second)
	require.Equal(t, Rater{Judge: "given"}, RaterOf(alone("aa"), "given", true))
	beside := &ledger.Run{Judge: "embedded+openai", Version: "11+qwen3/p1",
		Parameters: map[string]string{"model": "qwen3", "own": "11", ledger.ReaderParameter: "bb"}}
	require.Equal(t, second, RaterOf(beside, "embedded", false))
	require.Equal(t, asked, RaterOf(beside, "openai", false))

	c := Claim{}
	c.Add(second, ledger.Weak)
	c.Add(first, ledger.Supported)
	require.Equal(t, []ledger.Verdict{ledger.Supported, ledger.Weak}, []ledger.Verdict{c.Of(first), c.Of(second)})
	o := SecondOpinion{}
	o.Summarise([]Claim{c}, Question{Limit: 1})
	require.Equal(t, []RaterCount{{Rater: first, Claims: 1}, {Rater: second, Claims: 1}}, o.Raters)
	require.Equal(t, 1, o.Differing)
}

// someClaims have the verdicts of three judges and of people: claim 0 all the same, claim 1 people differ, claim 2 is
// asked of one judge only, claim 3 of none that says anything.
func someClaims() []Claim {
	claims := []Claim{
		{Position: 0, Type: ledger.Policy, Lang: "en"}, {Position: 1, Type: ledger.Fact, Lang: "ar"},
		{Position: 2, Type: ledger.Fact, Lang: "ar"}, {Position: 3, Type: ledger.Fact, Lang: "ar"},
	}
	for _, by := range []Rater{asked, own, People} {
		claims[0].Add(by, ledger.Supported)
	}
	claims[1].Add(own, ledger.Weak)
	claims[1].Add(own, ledger.NotFound) // of an older run
	claims[1].Add(asked, ledger.Weak)
	claims[1].Add(People, ledger.Contradicted)
	claims[2].Add(newest, ledger.Supported)
	claims[3].Add(own, ledger.Unjudged)
	return claims
}

func TestCompare(t *testing.T) {
	claims := someClaims()
	raters := Raters(claims)
	require.Equal(t, []Rater{own, newest, asked, People}, raters, "people last")
	require.Equal(t, []bool{false, true, false, false}, []bool{claims[0].Differs(raters), claims[1].Differs(raters),
		claims[2].Differs(raters), claims[3].Differs(raters)})
	require.False(t, claims[1].Differs([]Rater{own, asked}))

	pairs := Compare(claims, raters)
	require.Len(t, pairs, 6)
	require.Equal(t, Pair{A: own, B: newest}, pairs[0], "no claim in common")
	require.Equal(t, []int{2, 2}, []int{pairs[1].Table.Agreement().Both, pairs[1].Table.Agreement().Same})
	withPeople := pairs[2]
	require.Equal(t, []any{own, People}, []any{withPeople.A, withPeople.B})
	require.Equal(t, 1, withPeople.Table.At(ledger.Weak, ledger.Contradicted))
	require.Equal(t, []string{"fact", "policy", "ar", "en"}, []string{withPeople.ByType[0].Name, withPeople.ByType[1].Name,
		withPeople.ByLang[0].Name, withPeople.ByLang[1].Name})
	require.Equal(t, 1, withPeople.ByLang[0].Table.At(ledger.Weak, ledger.Contradicted))
	require.Zero(t, withPeople.ByLang[1].Table.At(ledger.Weak, ledger.Contradicted))
	require.Nil(t, withPeople.Table.Agreement().Kappa, "of so few")
}

// TestCompareIsSymmetricAndAdds checks over random verdicts that types and languages add up to the whole, and that
// kappa does not depend on who is named first.
func TestCompareIsSymmetricAndAdds(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		var claims []Claim
		for i := range 200 {
			c := Claim{Position: i, Type: ledger.ClaimTypes[r.IntN(4)], Lang: []string{"ar", "en"}[r.IntN(2)]}
			c.Add(own, ledger.Verdicts[r.IntN(4)])
			if r.IntN(4) > 0 {
				c.Add(asked, ledger.Verdicts[r.IntN(4)])
			}
			claims = append(claims, c)
		}
		p, back := pairOf(claims, own, asked), pairOf(claims, asked, own)
		for _, list := range [][]Part{p.ByType, p.ByLang} {
			var sum ledger.Table
			for _, x := range list {
				sum.AddAll(x.Table)
			}
			require.Equal(t, p.Table, sum)
		}
		require.InDelta(t, *p.Table.Agreement().Kappa, *back.Table.Agreement().Kappa, 1e-12)
		require.LessOrEqual(t, *p.Table.Agreement().Kappa, 1.0)
	}
}

func TestSummarise(t *testing.T) {
	var o SecondOpinion
	o.Summarise(someClaims(), Question{After: -1, Limit: 2})
	require.Equal(t, []int{4, 1, 1, 2}, []int{o.Claims, o.Differing, o.Next, len(o.Rows)})
	require.Equal(t, []RaterCount{{own, 2}, {newest, 1}, {asked, 2}, {People, 2}}, o.Raters)
	require.Equal(t, []ledger.Verdict{ledger.Weak, "", ledger.Weak, ledger.Contradicted}, o.Rows[1].Verdicts)

	var rest, differ SecondOpinion
	rest.Summarise(someClaims(), Question{After: 1, Limit: 2})
	require.Equal(t, []int{2, 3, -1}, []int{rest.Rows[0].Position, rest.Rows[1].Position, rest.Next})
	differ.Summarise(someClaims(), Question{Differ: true, After: -1, Limit: 2})
	require.Equal(t, []int{1, 1, -1}, []int{len(differ.Rows), differ.Rows[0].Position, differ.Next})
	require.Equal(t, o.Pairs, differ.Pairs, "of all claims, whichever are shown")

	require.Equal(t, []int{20, 5, 2}, []int{RunsRead(3), RunsRead(MaxClaims), RunsRead(10 * MaxVerdicts)})
}

func TestLanguage(t *testing.T) {
	for _, x := range []struct{ tag, words, want string }{
		{"", "مدة الإجازة خمسة عشر يوما", "ar"}, {"en", "مدة الإجازة خمسة عشر يوما", "ar"}, {"fa", "مدت مرخصی", "fa"},
		{"", "Leave is 15 days", "en"}, {"ar-SA", "Leave is 15 days", "en"}, {"de-DE", "Der Urlaub", "de"},
		{"", "123", "und"}, {"ar", "123", "ar"}, {"und", "Leave", "en"},
	} {
		require.Equal(t, x.want, Language(x.tag, x.words), fmt.Sprint(x))
	}
}

func TestModelOf(t *testing.T) {
	require.Equal(t, []Model{
		{"meta-llama", "Llama-3.3-70B", "2"}, {"anthropic", "claude-sonnet-4-5", ""}, {"", "qwen3", ""}, {}, {"", "/x", ""},
	}, []Model{
		ModelOf("meta-llama/Llama-3.3-70B", "2", "otlp.spans"), ModelOf(" claude-sonnet-4-5", "", "anthropic.messages"),
		ModelOf("qwen3", "", "sanad.session/v1"), ModelOf("", "", "openai.chat"), ModelOf("/x", "", ""),
	})
}

func TestModels(t *testing.T) {
	var m Models
	a, b := Model{Name: "a"}, Model{Name: "b"}
	m.AddSession(a)
	m.AddSession(b)
	m.AddSession(b)
	for _, c := range []Count{
		{Type: ledger.Fact, Lang: "en", Machine: ledger.Supported, Verdict: ledger.Supported, Claims: 5},
		{Type: ledger.Fact, Lang: "ar", Machine: ledger.Weak, Verdict: ledger.NotFound, Settled: true, Claims: 2},
		{Type: ledger.Numeric, Lang: "ar", Machine: ledger.Contradicted, Verdict: ledger.Contradicted, Settled: true, Claims: 1},
		{Type: ledger.Numeric, Lang: "ar", Verdict: ledger.Supported, Settled: true, Claims: 1}, // no judge could
		{Type: ledger.Numeric, Lang: "ar", Claims: 3},
	} {
		m.Add(b, c)
	}
	list := m.List()
	require.Equal(t, []Model{b, a}, []Model{list[0].Model, list[1].Model}, "most claims first")
	require.Equal(t, []int{2, 1}, []int{list[0].Sessions, list[1].Sessions})
	f := list[0].All
	require.Equal(t, []any{12, 3, Share{3, 9}, Share{3, 4}, Share{2, 3}},
		[]any{f.Claims, f.Unjudged, f.Wrong(), f.WrongByPeople(), f.Overrides()})
	require.Equal(t, []string{"fact", "numeric"}, []string{list[0].ByType[0].Name, list[0].ByType[1].Name})
	ar := list[0].ByLang[0]
	require.Equal(t, []any{"ar", Share{3, 4}}, []any{ar.Name, ar.Wrong()})

	r := ModelReport{Models: list}
	page, next := r.Page(0, 1)
	require.Equal(t, []any{1, 1}, []any{len(page), next})
	page, next = r.Page(next, 1)
	require.Equal(t, []any{a, 0}, []any{page[0].Model, next})
	page, next = r.Page(9, 1)
	require.Equal(t, []any{0, 0}, []any{len(page), next})
}
