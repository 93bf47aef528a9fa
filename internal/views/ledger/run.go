package ledger

import (
	"strconv"

	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// RunInput is a judge run of a session with a page of what it changed compared with the run before.
type RunInput struct {
	ledger.RunPage
	By    string // shown name of who asked for it, "" for nobody
	After int    // number of the claim that the page begins behind, 0 on the first
}

// newest reports whether the ledger shows the judgement of this run.
func (in *RunInput) newest() bool { return in.Number == in.Runs }

// RunPage shows what changed.
type RunPage struct {
	ui.Chrome
	SessionTitle, SessionHref string
	Heading                   string
	Judge, By                 string
	Reader                    ReaderLine
	ReadOtherwise             string // that the run before read with something else, "" if it did not
	At                        say.Moment
	First                     bool
	Figures                   []string
	Asked, Unanswered         []string // what a run that asked a model did, and what it left
	StaleHref, StaleText      string
	Bundles                   []string
	Reads                     string // what the judge read: the documents, or a bundle
	Scope                     string // that it judged only what may change, "" if it judged every claim
	Rows                      []ChangeRow
	EarlierHref, LaterHref    string
	Pager                     ui.Pager
}

// ChangeRow is one claim that changed.
type ChangeRow struct {
	Number       int
	Text, Href   string
	From, To     ui.Badge
	Flip         bool
	Figure       bool // nothing but the figure changed
	Gained, Lost []StanceLine
	Stale        string // "" if no review became stale by this run, nor is to be looked at again since the newest one
}

// StanceLine is a passage that was added or dropped.
type StanceLine struct{ Href, File, Place, Says string }

// modelFigures says what became of the questions of a run that asked a model.
func (p *RunPage) modelFigures(run *ledger.Run) {
	if run.Parameters["endpoint_id"] == "" {
		return
	}
	left := "run_model_left"
	if run.Parameters["ended"] != "" {
		left = "run_model_ended"
	}
	failed := "run_model_failed"
	if run.Parameters["fault"] != "" {
		failed = "run_model_fault"
	}
	for _, x := range []struct {
		parameter, message string
		to                 *[]string
	}{
		{"asked", "run_model_asked", &p.Asked}, {"known_answers", "run_model_known", &p.Asked},
		{"embeddings_tokens", "run_vectors_tokens", &p.Asked},
		{"failed", failed, &p.Unanswered}, {"left", left, &p.Unanswered},
		{"words_only", wordsOnly(run.Parameters["embeddings_fault"]), &p.Unanswered},
	} {
		if n, _ := strconv.Atoi(run.Parameters[x.parameter]); n > 0 {
			code := say.Isolated(run.Parameters["embeddings_fault"])
			if x.parameter == "failed" {
				code = say.Isolated(run.Parameters["fault"])
			}
			*x.to = append(*x.to, p.T(x.message, "N", p.Num(n), "Code", code))
		}
	}
	p.modelSpent(run.Parameters)
}

// modelSpent says which claims a run asked a model about, what that took, and which bound ended it.
func (p *RunPage) modelSpent(parameters map[string]string) {
	switch scope := judge.Scope(parameters["scope"]); scope {
	case judge.Rest, judge.Every:
		p.Asked = append(p.Asked, p.T("run_model_scope", "Scope", p.T("chj_scope_"+string(scope))))
	}
	amount := func(name string) (int64, bool) {
		n, err := strconv.ParseInt(parameters[name], 10, 64)
		return n, err == nil
	}
	in, counted := amount("tokens_in")
	if out, both := amount("tokens_out"); counted && both {
		p.Asked = append(p.Asked, p.T("run_model_tokens", "In", p.Num(int(in)), "Out", p.Num(int(out))))
	}
	if cost, _ := amount("cost_millionths"); cost > 0 { // 0 where no price is known
		p.Asked = append(p.Asked, p.T("run_model_cost", "Cost", money(&p.Chrome, cost)))
	}
	switch bound := parameters["used_up"]; bound {
	case "run", "day":
		p.Unanswered = append(p.Unanswered, p.T("run_model_bound_"+bound))
	}
}

// wordsOnly names the message of why the passages of some claims were found without vectors.
func wordsOnly(code string) string {
	switch code {
	case "run", "day", "disabled":
		return "run_vectors_" + code
	case "passages", "memory":
		return "run_vectors_large"
	}
	return "run_vectors_failed"
}

// NewRunPage lays out the page. Pure.
func NewRunPage(c ui.Chrome, in RunInput) *RunPage {
	base := "/sessions/" + in.SessionID
	p := &RunPage{
		Chrome: c, SessionTitle: in.Title, SessionHref: base, First: in.Number == 1,
		Heading: c.T("run_heading", "N", c.Num(in.Number), "Of", c.Num(in.Runs)),
		Judge:   judgeWords(&c, &in.Run, in.Run.Judge), By: in.By, At: c.Minute(in.Run.At), Bundles: in.Bundles,
	}
	p.Reader = readerLine(&c, &in.Run)
	if in.Before != nil && in.Run.ReadOtherwise(&in.Before.Run) {
		p.ReadOtherwise = c.T("run_read_otherwise")
	}
	if in.Run.JudgedSome() {
		p.Scope = c.T("run_scope_changed")
	}
	p.modelFigures(&in.Run)
	p.Reads = c.T("run_reads_documents")
	if in.Run.ReadsComments() {
		p.Reads = c.T("run_reads_comments")
	}
	if in.Run.BundleID != "" {
		p.Reads = c.T("run_reads_bundle", "ID", say.Isolated(in.Run.BundleID))
	}
	if !p.First {
		p.Figures = []string{c.N("n_changed_claims", in.Changed), c.N("n_flips", in.Flips)}
		if in.Stale > 0 || !in.newest() { // beside what waits now, "0 made stale" would read as if nothing did
			p.Figures = append(p.Figures, c.N("n_stale_reviews", in.Stale))
		}
		if in.newest() {
			p.Figures = append(p.Figures, c.N("n_stale", in.LookAgain))
		}
		p.EarlierHref = base + "/runs/" + strconv.Itoa(in.Number-1)
	}
	if in.LookAgain > 0 && in.newest() {
		p.StaleHref, p.StaleText = base+"?stale=1#ledger", c.T("run_look_again")
	}
	if in.Number < in.Runs {
		p.LaterHref = base + "/runs/" + strconv.Itoa(in.Number+1)
	}
	for i := range in.Changes {
		p.Rows = append(p.Rows, p.changeRow(&in, &in.Changes[i]))
	}
	if in.After > 0 {
		p.Pager.FirstHref = c.Path()
	}
	if in.Next >= 0 {
		p.Pager.NextHref = ui.Address(c.Path(), map[string][]string{"after": {strconv.Itoa(in.Next + 1)}})
	}
	return p
}

func (p *RunPage) changeRow(in *RunInput, x *ledger.RunChange) ChangeRow {
	row := ChangeRow{
		Number: x.Position + 1, Text: x.Text, Href: claimPath(in.SessionID, x.Position), Flip: x.Flip(),
		From: p.VerdictBadge(x.From, x.FromConfidence), To: p.VerdictBadge(x.To, x.ToConfidence),
	}
	row.Gained, row.Lost = p.stanceLines(in, x.Gained), p.stanceLines(in, x.Lost)
	if x.Stale > 0 {
		row.Stale = p.N("n_stale_reviews", x.Stale)
	} else if x.LookAgain && in.newest() {
		row.Stale = p.T("row_stale")
	}
	row.Figure = !row.Flip && len(x.Gained)+len(x.Lost) == 0
	return row
}

func (p *RunPage) stanceLines(in *RunInput, list []ledger.Stance) []StanceLine {
	session := ledger.Session{Documents: in.Documents}
	out := make([]StanceLine, 0, len(list))
	for _, x := range list {
		m := ledger.Match{Support: x.Support, Contradicts: x.Contradicts}
		line := StanceLine{Says: p.T(supportWord(&ledger.Claim{}, &m))}
		if d := session.Document(x.Chunk.Document); d != nil {
			line.File, line.Href = say.DocumentName(d), ui.ChunkPath(d.ID, x.Chunk.Chunk)
			line.Place = p.Place(d, &ledger.Chunk{Page: in.Pages[x.Chunk]})
			if !d.Citable() {
				line.Says = p.T("doc_withdrawn_word")
			}
		}
		out = append(out, line)
	}
	return out
}
