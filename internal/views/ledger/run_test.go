package ledger

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
	"sanad/internal/views/viewtest"
)

// A claim that is listed as changed says what changed: its verdict, its evidence, or its figure alone.
func TestChangedClaimSaysWhatChanged(t *testing.T) {
	p := &RunPage{Chrome: viewtest.ChromeAt("en", "/")}
	row := func(from, to ledger.Verdict, gained ...ledger.Stance) ChangeRow {
		return p.changeRow(&RunInput{}, &ledger.RunChange{Change: ledger.Change{From: from, To: to,
			FromConfidence: 0.81, ToConfidence: 0.82, Gained: gained}})
	}
	require.True(t, row(ledger.Supported, ledger.Supported).Figure)
	require.False(t, row(ledger.Supported, ledger.Supported, ledger.Stance{}).Figure)
	flip := row(ledger.Weak, ledger.Supported)
	require.True(t, flip.Flip)
	require.False(t, flip.Figure)
	require.Equal(t, []string{"Weak", "Supported"}, []string{flip.From.Word, flip.To.Word})
	require.Empty(t, flip.From.Percent+flip.To.Percent, "a run stores computed figures, which are shown nowhere")
}

// The newest run's page also shows reviews that became stale earlier, when a document was replaced.
func TestNewestRunShowsStaleReviews(t *testing.T) {
	c := viewtest.ChromeAt("en", "/")
	in := RunInput{RunPage: ledger.RunPage{SessionID: "s", Runs: 2, LookAgain: 2, Next: -1,
		RunRow: ledger.RunRow{Number: 2, Changed: 1}, Changes: []ledger.RunChange{{LookAgain: true}, {}}}}
	p := NewRunPage(c, in)
	require.Equal(t, []string{"1 claim changed", "0 verdicts changed", "2 reviews to check again"}, p.Figures)
	require.Equal(t, "/sessions/s?stale=1#ledger", p.StaleHref)
	require.Equal(t, []string{"Look again", ""}, []string{p.Rows[0].Stale, p.Rows[1].Stale})

	in.Stale = 1
	require.Equal(t, []string{"1 review became stale", "2 reviews to check again"}, NewRunPage(c, in).Figures[2:])
	in.Runs = 3
	p = NewRunPage(c, in)
	require.Equal(t, []string{"1 review became stale"}, p.Figures[2:], "what waits now is no matter of an older run")
	require.Empty(t, p.StaleHref+p.Rows[0].Stale)
}

// A run says what it read with, and that the one before read with something else.
func TestRunSaysWhatItReadWith(t *testing.T) {
	reader := func(name string) map[string]string {
		return map[string]string{"reader": strings.Repeat(name, 64), "calibration": strings.Repeat("c", 64)}
	}
	before := ledger.RunRow{Run: ledger.Run{Judge: "embedded", Version: "11", Parameters: reader("a")}}
	in := RunInput{RunPage: ledger.RunPage{SessionID: "s", Runs: 2, Next: -1, Before: &before,
		RunRow: ledger.RunRow{Number: 2, Run: ledger.Run{Judge: "embedded", Version: "11", Parameters: reader("b")}}}}
	for _, lang := range []string{"en", "ar"} {
		c := viewtest.ChromeAt(lang, "/")
		p := NewRunPage(c, in)
		require.Contains(t, p.Reader.Text, strings.Repeat("b", 12)+"…\u2069")
		require.Contains(t, p.Reader.Whole, strings.Repeat("b", 64))
		require.Equal(t, c.T("run_read_otherwise"), p.ReadOtherwise)
		html := viewtest.Html(t, Run(p))
		require.Contains(t, html, p.ReadOtherwise)
		require.Contains(t, html, `title="`+p.Reader.Whole+`"`)
	}
	before.Run.Parameters = in.Run.Parameters
	require.Empty(t, NewRunPage(viewtest.ChromeAt("en", "/"), in).ReadOtherwise)
}

// A claim that was compared by its words says so, although the run has a reader.
func TestClaimSaysWhatItWasReadWith(t *testing.T) {
	c := viewtest.ChromeAt("en", "/")
	run := &ledger.Run{Judge: "embedded", Parameters: map[string]string{"reader": strings.Repeat("a", 64)}}
	claim := &ledger.Claim{Judge: "embedded", Matches: []ledger.Match{{Features: []ledger.Feature{{Name: "coverage"}}}}}
	require.Equal(t, ReaderLine{Text: "This claim was judged by its words only."}, claimReader(&c, run, claim))
	claim.Matches[0].Features[0].Name = judge.ReaderFeature
	require.Contains(t, claimReader(&c, run, claim).Text, "Read with another reader")
	run.Parameters["reader"] = "ec956ca393342b8a0ab2796390c750b12dce83be7eb4243855c5394ed452e62f"
	require.Contains(t, claimReader(&c, run, claim).Text, "Read with Sanad’s reader (\u2068ec956ca39334…\u2069)")
	claim.Judge = "given"
	require.Empty(t, claimReader(&c, run, claim))
}

// TestJudgeNames: a run of two judges names both, and an unknown one stands as it is.
func TestJudgeNames(t *testing.T) {
	c := viewtest.ChromeAt("en", "/")
	require.Equal(t, "Embedded judge, words only + Model (OpenAI interface)", judgeName(&c, "lexical+openai"))
	require.Equal(t, "\u2068other\u2069", judgeName(&c, "other"))
	require.Equal(t, c.T("judge_given+lexical"), judgeName(&c, "given+lexical"))
}

// TestRunSaysWhatItLeft: a run by a model says what it did not ask about, and for which claims vectors did not help,
// and why.
func TestRunSaysWhatItLeft(t *testing.T) {
	of := func(lang string, parameters map[string]string) []string {
		parameters["endpoint_id"] = "e"
		run := ledger.Run{Parameters: parameters}
		p := &RunPage{Chrome: viewtest.ChromeAt(lang, "/")}
		p.modelFigures(&run)
		return p.Unanswered
	}
	require.Empty(t, of("en", map[string]string{"embeddings_tokens": "7"}))
	require.Equal(t, []string{"Claims that were not asked about, because the budget is used up: 3",
		"No more questions were asked: the budget of the day was used up."},
		of("en", map[string]string{"left": "3", "used_up": "day"}))
	require.Contains(t, of("en", map[string]string{"left": "3", "ended": "disabled"})[0], "disabled or removed")
	for code, want := range map[string]string{"status 500": "failed (\u2068status 500\u2069): 2", "run": "the run’s", "day": "the day’s",
		"disabled": "disabled or removed", "passages": "too many passages"} {
		says := of("en", map[string]string{"words_only": "2", "embeddings_fault": code})
		require.Len(t, says, 1)
		require.Contains(t, says[0], want)
		require.Contains(t, of("ar", map[string]string{"words_only": "2", "embeddings_fault": code})[0], "بالكلمات وحدها")
	}
}

// TestRunSaysWhatItTook: a run by a model says which claims it asked about, its tokens and its cost.
func TestRunSaysWhatItTook(t *testing.T) {
	of := func(lang string, parameters map[string]string) []string {
		p := &RunPage{Chrome: viewtest.ChromeAt(lang, "/")}
		p.modelFigures(&ledger.Run{Parameters: parameters})
		return p.Asked
	}
	all := map[string]string{"endpoint_id": "e", "scope": "rest", "tokens_in": "1200", "tokens_out": "34", "cost_millionths": "2500000"}
	got := strings.Join(of("en", all), "\n")
	for _, want := range []string{"embedded judge is unsure", "34 out", "Cost of the questions: 2.5"} {
		require.Contains(t, got, want)
	}
	require.Len(t, of("ar", all), 3)
	require.Empty(t, of("en", map[string]string{"endpoint_id": "e"}), "a run of an older program says what it stored")
	require.Empty(t, of("en", map[string]string{"scope": "rest", "tokens_in": "1"}), "the embedded judge has no such figures")
}
