package gallery

import (
	"github.com/a-h/templ"

	"sanad/internal/domain/ledger"
	packsviews "sanad/internal/views/packs"
	"sanad/internal/views/ui"
)

// galleryMarks are the small signs that every page is made of.
func galleryMarks(c *ui.Chrome) []Sample {
	var machine, person []templ.Component
	for _, v := range append([]ledger.Verdict{ledger.Unjudged}, ledger.Verdicts...) {
		for _, confidence := range []float64{0.35, 0.7, 0.97} {
			machine = append(machine, ui.VerdictOf(c, c.FigureBadge(v, confidence, ledger.Calibrated)))
		}
		if v != ledger.Unjudged {
			person = append(person, ui.BadgeMark(c.PersonBadge(v)))
		}
	}
	bars := func(counts map[ledger.Verdict]int, unjudged int) templ.Component {
		return ui.BarChart(c.VerdictBar(counts, unjudged))
	}
	var states []ui.Option
	for _, s := range []string{"queued", "running", "done", "failed", "cancelled"} {
		states = append(states, ui.Option{Value: ui.JobStateClass(s), Label: c.T("job_state_" + s)})
	}
	for _, s := range []string{"draft", "in_review", "signed_off", "returned", "superseded"} {
		states = append(states, ui.Option{Value: "pk-" + s, Label: c.T("pk_state_" + s)})
	}
	return []Sample{
		{State: "verdicts of the judge, by confidence", Body: inCluster(machine...)},
		{State: "verdicts of a person", Body: inCluster(person...)},
		{State: "checks", Body: inCluster(packsviews.CheckMark(packsviews.GoodCheck(c.T("pk_check_ok"))),
			packsviews.CheckMark(packsviews.BadCheck(c.T("pk_check_failed"))),
			packsviews.CheckMark(packsviews.OpenCheck(c.T("pk_check_not_checked"))))},
		{State: "states in lists", Body: stateWords(states)},
		{State: "verdict bar", Body: bars(map[ledger.Verdict]int{ledger.Supported: 31, ledger.Weak: 9,
			ledger.Contradicted: 4, ledger.NotFound: 5}, 3)},
		{State: "verdict bar, one verdict", Body: bars(map[ledger.Verdict]int{ledger.Supported: 1}, 0)},
		{State: "verdict bar, very uneven",
			Body: bars(map[ledger.Verdict]int{ledger.Supported: 99_999, ledger.Contradicted: 1}, 0)},
		{State: "progress bar, partial", Body: ui.BarChart(c.ProgressBar(20, 3, 2, 1, 50))},
		{State: "figures from 0 to 1", Body: inCluster(ui.Hbar(0), ui.Hbar(0.5), ui.Hbar(1))},
		{State: "buttons, alive and disabled", Body: buttonRow(c)},
	}
}
