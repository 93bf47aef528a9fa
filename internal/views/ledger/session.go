// Package ledger has the pages of sessions: their list, the ledger, its claims, reviews, documents and runs.
package ledger

import (
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/views/ui"
)

// LedgerPart is the part of a session that a page shows: some claims with their evidence, and the counts of all.
type LedgerPart struct {
	ledger.Page
	More   bool   // Matching is where the count stopped: that many or more
	Reader string // id of who reads
}

// SessionInput is the input of the ledger page.
type SessionInput struct {
	LedgerPart
	Sources SourcesInput
	Filter  ledger.ClaimFilter
	Open    int // position of the claim opened beside the table, -1 if none
	Steps   StepsForm
	Saved   ui.SavedPart
	People  []domain.Named // who can be chosen as a reviewer, by who may assign
}

// SessionPage is the ledger.
type SessionPage struct {
	ui.Chrome
	ID, Title, Query         string
	Lang                     string
	Path                     string
	Created                  string
	CreatedStamp             string
	Judge                    string
	Whose                    string    // that verdicts follow the imported file, "" if none does
	From                     *FromLine // nil if the session came in a format of ours
	Figures                  []ui.Figure
	Summary                  ledger.Summary
	Bar                      ui.Bar
	Spread                   *ui.SpreadChart // nil if no claim has a confidence
	Answer                   []ui.AnswerBlock
	AnswerCut                bool
	Sources                  SourceList
	Flags                    []FlagLine
	FollowUps, Actions       []string
	AddHref                  string // to the form that adds documents, "" if the reader may not
	EraseHref                string // to the form that asks for its erasure, "" if the reader may not
	Filter                   ledger.ClaimFilter
	Verdicts, Types, Weights []ui.Option
	Citations, Quotations    []ui.Option // nil if no claim shown or filtered for has any
	Rows                     []Row
	Matching                 string
	PrevHref, NextHref       string
	Range                    string // which of the claims are on this page, "" if none
	Pane                     *ClaimView
	Exports                  []Export
	Review                   ReviewPanel
	Kept                     []ui.Option // the filter, for a form that leads back to it
	BulkHref, BulkText       string      // to the page that confirms what is filtered, "" if there is nothing to
	JudgeHref, Revision      string      // of the form that judges the session again
	AnswersHref, AnswersText string      // to the versions of the answer; "" if it was never revised
	NewestHref               string      // to the newest version, "" if this is it
	ReviseHref               string      // to the form that revises the answer, "" if the reader may not
	RunsHref, RunsText       string      // to what the newest run changed; "" of a session judged once
	OlderRules               string      // says that an older rule set assessed the session; "" if the one in force did
	Saved                    ui.SavedPart
}

// FlagLine is one risk flag; it leads to its claims.
type FlagLine struct {
	Severity ledger.Severity
	Icon     string
	Text     string
	Weight   string
	Then     string
	Href     string
	Current  bool
}

// Row is one claim of the ledger table.
type Row struct {
	Number           int
	Text             string
	Href             string
	Type, Importance string
	Weight           ledger.Importance
	Badge            ui.Badge
	Note             string // overridden, confirmed, why unjudged
	Stale            string // that the review saw another judgement, or the evidence is withdrawn
	Source           ui.Source
	Partial          bool
	Open             bool
	Awaits           bool   // the reader's decision
	Since            string // the version of the answer that it is new in, "" for the first
	Miscited         bool   // it cites the wrong passage
	Invented         bool   // it quotes what is in no source
}

// Export is one download.
type Export struct{ Href, Label string }

// NewSessionPage lays out the ledger. Pure.
func NewSessionPage(c ui.Chrome, in SessionInput) *SessionPage {
	s := in.Session
	p := &SessionPage{
		Chrome: c, ID: s.ID, Title: s.Title, Query: s.Query, Lang: s.Lang, Path: "/sessions/" + s.ID,
		Created: c.Time(s.CreatedAt), CreatedStamp: ui.Stamp(s.CreatedAt),
		Judge: judgeWords(&c, s.Run.Judge, s.Run.Version), Summary: in.Overview.Summary, Filter: in.Filter,
		Matching: c.Num(in.Matching),
		Bar:      c.VerdictBar(in.Overview.Summary.ByVerdict, in.Overview.Summary.Unjudged), Saved: in.Saved,
	}
	if s.Run.Judge == "given" || s.Run.Judge == "given+lexical" {
		p.Whose = c.T("whose_" + s.Run.Judge)
	}
	if in.More {
		p.Matching += "+"
	}
	p.Spread = c.Spread(&p.Summary)
	p.JudgeHref, p.Revision = p.Path+"/judge", strconv.Itoa(s.Revision)
	if in.Runs > 1 {
		p.RunsHref, p.RunsText = p.Path+"/runs/"+strconv.Itoa(in.Runs), c.N("judged_times", in.Runs)
	}
	if n := in.Session.RuleSet; n != 0 && n < ledger.CurrentRuleSet() {
		p.OlderRules = c.T("older_rules", "N", c.Num(n), "Current", c.Num(ledger.CurrentRuleSet()))
	}
	p.From = providerLine(&c, s)
	p.Answer = p.answer(in)
	p.AnswerCut = in.Answer.Length > in.Answer.Start+len([]rune(in.Answer.Text)) || in.Answer.Start > 0
	p.Sources = p.SourceList(s, in.Sources)
	p.Figures = p.figures()
	p.Flags = p.flagLines(in.Overview.Flags)
	p.FollowUps, p.Actions = advice(&c, in.Overview.FollowUps()), advice(&c, in.Overview.Actions())
	if c.May.Import {
		p.AddHref = p.Path + "/documents"
	}
	if c.May.Erase {
		p.EraseHref = "/admin/erasures?kind=session&id=" + s.ID
	}
	p.versions(in)
	p.choices(in.Filter)
	p.rows(in)
	p.pages(in)
	p.panel(in)
	p.bulk(in)
	for _, f := range []string{"pdf", "markdown", "json"} {
		p.Exports = append(p.Exports, Export{p.Path + "/export/" + f, c.T("format_" + f)})
	}
	return p
}

// versions lays out the links between the versions of the answer.
func (p *SessionPage) versions(in SessionInput) {
	newest := in.Newest
	if newest.SessionID != "" {
		p.AnswersHref = p.Path + "/answers"
		p.AnswersText = p.T("answer_version_of", "N", p.Num(in.Session.Version()), "Of", p.Num(newest.Version))
	}
	switch {
	case newest.SessionID != "" && newest.SessionID != in.Session.ID:
		p.NewestHref = "/sessions/" + newest.SessionID
	case p.May.Import && p.Summary.Total > 0:
		p.ReviseHref = p.Path + "/answers/new"
	}
}

// judgeWords names the judge of a run.
func judgeWords(c *ui.Chrome, name, version string) string {
	if name == "" {
		return ""
	}
	if name == "given" {
		return c.T("judge_given")
	}
	return c.T("judge_name", "Name", c.T("judge_"+name), "Version", version)
}

func (p *SessionPage) figures() []ui.Figure {
	var out []ui.Figure
	add := func(v ledger.Verdict, n int) {
		b := p.Badge(v, 0)
		out = append(out, ui.Figure{Badge: b, Count: p.Num(n), Href: p.Path + "?verdict=" + b.Key + "#ledger"})
	}
	for _, v := range ledger.Verdicts {
		add(v, p.Summary.ByVerdict[v])
	}
	if p.Summary.Unjudged > 0 {
		add(ledger.Unjudged, p.Summary.Unjudged)
	}
	return out
}

// answer lays out the loaded part of the answer with its claims and citations.
func (p *SessionPage) answer(in SessionInput) []ui.AnswerBlock {
	cites := map[string]*ledger.Citation{}
	for i := range in.Session.Claims {
		for j := range in.Session.Claims[i].Citations {
			cites[in.Session.Claims[i].Citations[j].Hash] = &in.Session.Claims[i].Citations[j]
		}
	}
	numbers := map[string]int{}
	cite := func(hash string) *ui.AnswerCite {
		if numbers[hash] == 0 {
			numbers[hash] = len(numbers) + 1
		}
		return p.cite(in.Session, cites[hash], hash, numbers[hash])
	}
	claim := func(m ledger.AnswerMark) *ui.AnswerClaim {
		key := ui.VerdictKey(m.Verdict)
		return &ui.AnswerClaim{
			Number: m.Position + 1, Class: "claim v-" + key, Href: p.claimHref(m.Position),
			Label: claimLabel(&p.Chrome, m.Position+1, key),
		}
	}
	return ui.AnswerBlocks(in.Answer.Text, in.Answer.Start, in.Marks, claim, cite)
}

// claimLabel names a claim in the answer by its number, from 1, and its verdict.
func claimLabel(c *ui.Chrome, number int, key string) string {
	return c.T("claim_label", "N", c.Num(number), "Verdict", c.T("verdict_"+key))
}

// cite lays out one citation anchor: a number that links to its passage, or a visible sign that it does not resolve.
func (p *SessionPage) cite(s *ledger.Session, c *ledger.Citation, hash string, n int) *ui.AnswerCite {
	out := &ui.AnswerCite{Label: "[" + p.Num(n) + "]"}
	switch {
	case c == nil: // its claim is on another page of the table
		out.Title = p.T("citation_n", "N", p.Num(n), "Where", hash[:ledger.HashDigits])
		out.Href = p.Path + "/citations/" + hash
	case c.Status == ledger.Resolved:
		out.Title = p.T("citation_n", "N", p.Num(n), "Where", c.Places[0].Filename)
		if out.Href = citeHref(s, c.Places[0]); out.Href == "" {
			out.Href = p.Path + "/citations/" + hash
		}
	case c.Status == ledger.Ambiguous:
		out.Label, out.Broken, out.Title = "["+hash[:ledger.HashDigits]+" ≈]", true, p.T("citation_ambiguous")
	default:
		out.Label, out.Broken, out.Title = "["+hash[:ledger.HashDigits]+" ?]", true, p.T("citation_unresolved")
	}
	return out
}

// citeHref is the address of a cited passage, in this session or another of the tenant; "" if its document is unknown.
func citeHref(s *ledger.Session, at ledger.Place) string {
	document := at.DocumentID
	if at.SessionID == "" {
		document = ""
		for i := range s.Documents {
			if s.Documents[i].Key == at.DocumentID {
				document = s.Documents[i].ID
			}
		}
	}
	if document == "" {
		return ""
	}
	return ui.ChunkPath(document, at.Position)
}

func (p *SessionPage) claimHref(position int) string {
	return p.Path + "/claims/" + strconv.Itoa(position+1)
}

func (p *SessionPage) flagLines(flags []ledger.RiskFlag) []FlagLine {
	flags = slices.Clone(flags)
	slices.SortStableFunc(flags, func(a, b ledger.RiskFlag) int { return weight(a.Severity) - weight(b.Severity) })
	out := make([]FlagLine, len(flags))
	for i, f := range flags {
		out[i] = FlagLine{
			Severity: f.Severity, Icon: ui.FlagIcons[f.Severity], Weight: p.T("severity_" + string(f.Severity)),
			Text: flagText(&p.Chrome, f), Then: p.T("then_" + string(f.Type)),
			Href: p.Path + "?flag=" + string(f.Type), Current: p.Filter.Flag == f.Type,
		}
	}
	return out
}

// weight orders severities, the highest first.
func weight(s ledger.Severity) int {
	return slices.Index([]ledger.Severity{ledger.High, ledger.Medium, ledger.Low}, s)
}

// flagText describes a flag in the reader's language.
func flagText(c *ui.Chrome, f ledger.RiskFlag) string {
	switch {
	case f.Type == ledger.MissingEvidence && f.Critical > 0 && f.Material > 0:
		return c.T("flag_missing_both", "Critical", c.N("n_critical", f.Critical), "Material",
			c.N("n_material", f.Material))
	case f.Type == ledger.MissingEvidence && f.Critical > 0:
		return c.T("flag_missing_one", "Claims", c.N("n_critical", f.Critical))
	case f.Type == ledger.MissingEvidence:
		return c.T("flag_missing_one", "Claims", c.N("n_material", f.Material))
	case f.Type == ledger.LowConfidence && f.Severity != ledger.Low:
		return c.T("flag_low_mean", "Percent", c.InDigits(strconv.Itoa(f.Percent)+"%"))
	}
	return c.N("flag_"+string(f.Type), f.Count)
}

// advice writes follow-up questions and actions in the reader's language.
func advice(c *ui.Chrome, all []ledger.Advice) []string {
	out := make([]string, len(all))
	for i, a := range all {
		out[i] = c.T(string(a.Kind), "Claims", claimList(c, a))
	}
	return out
}

// claimList lists claims by number: "claim 4", "claims 4, 7, 9 and 5 more".
func claimList(c *ui.Chrome, a ledger.Advice) string {
	if len(a.Numbers) == 0 {
		return c.N("n_claims", a.More)
	}
	numbers := make([]string, len(a.Numbers))
	for i, n := range a.Numbers {
		numbers[i] = c.Num(n)
	}
	last := len(numbers) - 1
	switch {
	case a.More > 0:
		return c.T("claims_and_more", "List", strings.Join(numbers, c.T("list_between")), "More", c.N("n_more", a.More))
	case last == 0:
		return c.T("claim_one", "List", numbers[0])
	case last == 1:
		return c.T("claims_two", "First", numbers[0], "Last", numbers[1])
	}
	return c.T("claims_some", "List", strings.Join(numbers[:last], c.T("list_between")), "Last", numbers[last])
}

func (p *SessionPage) choices(f ledger.ClaimFilter) {
	all := p.T("all")
	p.Verdicts = append(ui.Options(&p.Chrome, "verdict_", all, ledger.Verdicts, f.Verdict),
		ui.Option{Value: "unjudged", Label: p.T("verdict_unjudged"), Selected: f.Unjudged})
	p.Types = ui.Options(&p.Chrome, "type_", all, ledger.ClaimTypes, f.Type)
	p.Weights = ui.Options(&p.Chrome, "importance_", all, ledger.Importances, f.Importance)
	p.Citations = ui.Options(&p.Chrome, "citation_status_", all, ledger.CitationStatuses, f.Citation)
	p.Quotations = ui.Options(&p.Chrome, "quotation_", all, ledger.QuotationStatuses, f.Quotation)
}

func (p *SessionPage) rows(in SessionInput) {
	s := in.Session
	p.Rows = make([]Row, 0, len(s.Claims))
	for i := range s.Claims {
		position := s.Claims[i].Position
		e, _ := s.EntryAt(position, in.Flags[position])
		row := p.row(&e, position == in.Open)
		row.Awaits = p.May.Review && s.Awaits(&e, in.Reader)
		if note := ownNote(&p.Chrome, &e, s, in.Reader); note != "" {
			row.Note = note
		}
		p.Rows = append(p.Rows, row)
		if position == in.Open {
			p.Pane = newClaimView(&p.Chrome, s, &e, &in.Overview, in.Reader, ReviewForm{})
		}
	}
}

func (p *SessionPage) row(e *ledger.Entry, open bool) Row {
	return Row{
		Number: e.Claim.Number(), Text: e.Claim.Text, Href: p.claimHref(e.Claim.Position), Open: open,
		Type: p.T("type_" + string(e.Type)), Importance: p.T("importance_" + string(e.Importance)),
		Weight: e.Importance,
		Badge:  p.EntryBadge(e), Note: rowNote(&p.Chrome, e), Stale: staleNote(&p.Chrome, e),
		Source: p.Source(e.Document, e.Chunk), Since: sinceNote(&p.Chrome, e.Claim),
		Miscited: e.Claim.Checks.CitationMask()&ledger.Elsewhere.Bit() != 0, Invented: e.Claim.Checks.Invented(),
		Partial: e.Best != nil && !e.Best.Contradicts && e.Best.Support == ledger.Partial,
	}
}

// sinceNote says in which version of the answer a claim is new, "" for one of the first version.
func sinceNote(c *ui.Chrome, claim *ledger.Claim) string {
	if claim.Since < 2 {
		return ""
	}
	return c.T("claim_since", "N", c.Num(claim.Since))
}

// staleNote returns why a claim must be reviewed again.
func staleNote(c *ui.Chrome, e *ledger.Entry) string {
	switch {
	case e.Stale:
		return c.T("row_stale")
	case e.Affected():
		return c.T("row_affected")
	}
	return ""
}

// rowNote is the note under the badge: what reviewers did, or why there is no verdict.
func rowNote(c *ui.Chrome, e *ledger.Entry) string {
	switch {
	case e.Unjudged():
		return e.Claim.Unjudged
	case e.Override:
		was := c.MachineBadge(e)
		return c.T("overridden_was", "Verdict", strings.TrimSpace(was.Word+" "+was.Percent))
	case e.State == ledger.Confirmed, e.State == ledger.Wanting:
		return c.T("state_" + string(e.State))
	}
	return ""
}

// bulk fills in the link to the page that confirms the filtered claims. Some of them may be settled already; that page
// says what is left.
func (p *SessionPage) bulk(in SessionInput) {
	if !p.May.Review || in.Matching == 0 || in.Overview.Summary.Settled == in.Overview.Summary.Total {
		return
	}
	p.BulkHref, p.BulkText = ui.Address(p.Path+"/confirm", p.filterQuery()), p.T("bulk_link")
	if in.Prev != nil || in.Next != nil {
		return // what waits on other pages is counted by that page
	}
	n := 0
	for i := range p.Rows {
		if p.Rows[i].Awaits && p.Rows[i].Badge.Key != ui.VerdictKey(ledger.Unjudged) {
			n++
		}
	}
	if p.BulkText = p.N("bulk_link_n", n); n == 0 {
		p.BulkHref = ""
	}
}

// filterQuery is the filter of this page as it stands in its address.
func (p *SessionPage) filterQuery() url.Values {
	return p.Chrome.Query("after", "claim", "confirmed", "batch", "undone")
}

// pages fills in the links to the pages before and after, keeping the filter.
func (p *SessionPage) pages(in SessionInput) {
	link := func(after *int) string {
		if after == nil {
			return ""
		}
		q := p.filterQuery()
		if *after >= 0 {
			q.Set("after", strconv.Itoa(*after))
		}
		return ui.Address(p.Path, q)
	}
	p.PrevHref, p.NextHref = link(in.Prev), link(in.Next)
	if n := len(p.Rows); n > 0 && !p.Filter.Any() {
		p.Range = p.T("range", "From", p.Num(p.Rows[0].Number), "To", p.Num(p.Rows[n-1].Number), "Of",
			p.N("of_claims", p.Summary.Total))
	} else if n > 0 { // numbers of claims would be no range
		p.Range = p.T("count_of", "N", p.Matching, "Claims", p.N("of_claims", p.Summary.Total))
	}
	for _, name := range slices.Sorted(maps.Keys(p.filterQuery())) {
		p.Kept = append(p.Kept, ui.Option{Value: p.Chrome.Query().Get(name), Label: name})
	}
}
