// Package ledger has the pages of sessions: their list, the ledger, its claims, reviews, documents and runs.
package ledger

import (
	"cmp"
	"crypto/sha256"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/agreement"
	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/library"
	"sanad/internal/domain/live"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// LedgerPart is the part of a session that a page shows: some claims with their evidence, and the counts of all.
type LedgerPart struct {
	ledger.Page
	More   bool   // Matching is where the count stopped: that many or more
	Reader string // id of who reads
	Column ColumnInput

	parsed *ui.ParsedAnswer // see answer
}

// answer is the loaded part of the answer, parsed once for a page.
func (in *LedgerPart) answer() *ui.ParsedAnswer {
	if in.parsed == nil {
		in.parsed = ui.ParseAnswer(in.Answer.Text)
	}
	return in.parsed
}

// columnOf is what the evidence column shows of the claim at a position: what was asked for, if it is of that claim.
func (in *LedgerPart) columnOf(position int) ColumnInput {
	if in.Column.View == "" && in.Column.Passage == 0 || in.Column.Position == position {
		return in.Column
	}
	return ColumnInput{At: in.Column.At}
}

// SessionInput is the input of the ledger page.
type SessionInput struct {
	LedgerPart
	Sources SourcesInput
	Filter  ledger.ClaimFilter
	Open    int    // position of the claim asked for, -1 if none: the first that waits is then in focus
	Tab     string // one of Tabs, "" for the claims
	Steps   StepsForm
	Saved   ui.SavedPart
	People  []access.Named // who can be chosen as a reviewer, by who may assign
	Bulk    BulkState
	Layout  Layout
	Due     ui.DueInput
	Trace   live.Trace // that the session was made of, zero if none
	Waiting int        // how many other sessions wait for the reader
	Newer   []library.Newer
}

// MaxWaiting is up to how many other sessions that wait for the reader the ledger says.
const MaxWaiting = 99

// SessionPage is the ledger.
type SessionPage struct {
	ui.Chrome
	ID, Title, Query         string
	Lang                     string
	Path                     string
	Tab                      string // one of Tabs
	Tabs                     []TabLink
	Sheet                    bool   // the claim in focus was asked for: where the window is narrow, it covers the list
	ListHref                 string // the list with its filter, without a claim
	Created                  string
	CreatedStamp             string
	Judge                    string
	Reader                   ReaderLine
	Whose                    string           // that verdicts follow the imported file, "" if none does
	Waiting                  string           // how many other sessions wait for the reader, "" if none
	From                     *FromLine        // nil if the session came in a format of ours
	Refused                  []string         // which spans of its live trace were refused, on every tab
	Late                     string           // how many spans of it came too late, "" if none
	Warnings                 []domain.Warning // of its import, where a live trace was imported
	Figures                  []ui.Figure
	Summary                  ledger.Summary
	Bar                      ui.Bar
	Spread                   *ui.SpreadChart // nil if no claim has a confidence
	Answer                   []ui.AnswerBlock
	AnswerCut                bool
	Sources                  SourceList
	Flags                    []FlagLine
	Unjudged                 string // what to do about claims that no judge could judge; "" if there are none
	AddHref                  string // to the form that adds documents, "" if the reader may not
	EraseHref                string // to the form that asks for its erasure, "" if the reader may not
	Filter                   ledger.ClaimFilter
	Verdicts, Tiers          []ui.Option
	Types, Weights           []ui.Option
	FlagTypes                []ui.Option // with the number of their claims
	Asides                   []ui.Option
	Citations, Quotations    []ui.Option // nil if no claim shown or filtered for has any
	Rows                     []Row
	Matching                 string
	PrevHref, NextHref       string
	Range                    string     // which of the claims are on this page, "" if none
	Pane                     *ClaimView // the claim in focus, nil if the list is empty
	Exports                  []Export
	Review                   ReviewPanel
	Due                      ui.DueView
	Kept                     []ui.Option // the filter, for a form that leads back to it
	BulkHref, BulkText       string      // to the page that confirms what is filtered, "" if there is nothing to
	BulkWhich                string      // which claims it takes, "" for any
	JudgeHref                string      // to the form that judges the session again
	AnswersHref, AnswersText string      // to the versions of the answer; "" if it was never revised
	NewestHref               string      // to the newest version, "" if this is it
	ReviseHref               string      // to the form that revises the answer, "" if the reader may not
	RunsHref, RunsText       string      // to what the newest run changed; "" of a session judged once
	OlderRules               string      // says that an older rule set assessed the session; "" if the one in force did
	Saved                    ui.SavedPart
	Layout                   Layout
	Newer                    []NewerLine // what the library has a newer version of
	NewerMore                string      // in the place of several, on a tab that does not list them

	filters url.Values // the filter as it stands in the address; nobody changes it
	after   string     // the place in the list as it stands there, "" for its beginning
}

// Export is one download.
type Export struct{ Href, Label string }

// NewSessionPage lays out the ledger: its head, and the tab that is shown. Pure.
func NewSessionPage(c ui.Chrome, in SessionInput) *SessionPage {
	s := in.Session
	p := &SessionPage{
		Chrome: c, ID: s.ID, Title: s.Title, Query: s.Query, Lang: s.Lang, Path: "/sessions/" + s.ID,
		Summary: in.Overview.Summary, Filter: in.Filter, Layout: in.Layout, Saved: in.Saved,
	}
	p.Chrome.ArabicContent = strings.HasPrefix(s.Lang, "ar")
	in.Column.At = &url.URL{Path: p.Path, RawQuery: p.Chrome.Query().Encode()}
	p.filters, p.after = p.Chrome.Query(passing...), p.Chrome.Query().Get("after")
	p.tabs(in)
	p.Bench = p.Tab != TabReport && p.Tab != TabSources
	p.JudgeHref = p.Path + "/judge"
	if in.Waiting > MaxWaiting {
		p.Waiting = p.N("more_wait_for_you", MaxWaiting)
	} else if in.Waiting > 0 {
		p.Waiting = p.N("n_wait_for_you", in.Waiting)
	}
	p.Figures = p.figures()
	if c.May.Import {
		p.AddHref = p.Path + "/documents"
	}
	p.versions(in)
	p.newerInLibrary(in.Newer)
	p.panel(in)
	p.exports()
	p.Refused, p.Warnings = spansRefused(&p.Chrome, s), in.Trace.Warnings
	if late := in.Trace.After(s.RefusedTotal()); late > 0 {
		p.Late = p.N("trc_came_late", late)
	}
	switch p.Tab {
	case TabClaims:
		p.answer(&in)
		p.claims(in)
	case TabAnswer:
		p.answer(&in)
	case TabReport:
		p.report(in)
	case TabSources:
		p.about(in)
	}
	return p
}

// Share is a part of the claims, labelled.
type Share struct{ Label, Value string }

// Shares says for how many claims the evidence is enough, for how many there is a passage, which may speak against
// them, and how many it speaks against or has nothing for.
func (p *SessionPage) Shares() []Share {
	s := &p.Summary
	of := func(label string, n int, share float64) Share {
		return Share{p.T(label), p.T("share_of", "N", p.Num(n), "All", p.Num(s.Total), "Share", p.Percent(share))}
	}
	supported, against := s.ByVerdict[ledger.Supported], s.ByVerdict[ledger.Contradicted]+s.ByVerdict[ledger.NotFound]
	return []Share{
		of("share_supported", supported, float64(supported)/float64(max(1, s.Total))),
		of("share_found", int(math.Round(s.Coverage*float64(s.Total))), s.Coverage),
		of("share_against", against, s.Unsupported),
	}
}

// MayJudge reports whether the reader may judge the session again.
func (p *SessionPage) MayJudge() bool { return p.May.Import && p.Summary.Total > 0 }

// claims lays out the list with its filters, and the claim in focus.
func (p *SessionPage) claims(in SessionInput) {
	if in.Matching >= 0 { // else too many to count
		p.Matching = p.Num(in.Matching)
	}
	if in.More {
		p.Matching += "+"
	}
	p.choices(in.Filter, in.Overview.Flags)
	p.bulk(in)
	p.rows(in)
	p.pages(in)
}

// report lays out what the whole ledger comes to.
func (p *SessionPage) report(in SessionInput) {
	c := &p.Chrome
	p.Bar = c.VerdictBar(in.Overview.Summary.ByVerdict, in.Overview.Summary.Unjudged)
	p.Spread = c.Spread(&p.Summary)
	p.Flags = p.flagLines(in.Overview.Flags, in.Overview.FollowUps())
	if n := in.Overview.Summary.Unjudged; n > 0 {
		p.Unjudged = p.T("do_unjudged", "Claims", p.N("n_claims", n))
	}
}

// about lays out what the ledger rests on, and when and by what it was judged.
func (p *SessionPage) about(in SessionInput) {
	c, s := &p.Chrome, in.Session
	p.Created, p.CreatedStamp = c.Time(s.CreatedAt), say.Stamp(s.CreatedAt)
	p.Judge, p.Reader = judgeWords(c, &s.Run, s.Run.Judge), readerLine(c, &s.Run)
	if s.Run.Judge == "given" || s.Run.Judge == "given+embedded" || s.Run.Judge == "given+lexical" {
		p.Whose = c.T("whose_" + s.Run.Judge)
	}
	if in.Runs > 1 {
		p.RunsHref, p.RunsText = p.Path+"/runs/"+strconv.Itoa(in.Runs), c.N("judged_times", in.Runs)
	}
	if n := s.RuleSet; n != 0 && n < ledger.CurrentRuleSet() {
		p.OlderRules = c.T("older_rules", "N", c.Num(n), "Current", c.Num(ledger.CurrentRuleSet()))
	}
	p.From = providerLine(c, s)
	p.Sources = p.SourceList(s, in.Sources)
	if c.May.Erase {
		p.EraseHref = "/admin/erasures?kind=session&id=" + s.ID
	}
}

// exports lists the downloads.
func (p *SessionPage) exports() {
	if !p.May.Export {
		return
	}
	to := p.Path + "/export/"
	p.Exports = []Export{
		{to + "pdf", p.T("format_pdf")}, {to + "pdf?language=en", p.T("pk_pdf_en")}, {to + "pdf?language=ar", p.T("pk_pdf_ar")},
		{to + "xlsx?language=" + p.Chrome.Lang, p.T("format_xlsx")}, {to + "csv?language=" + p.Chrome.Lang, p.T("format_csv")},
		{to + "markdown", p.T("format_markdown")}, {to + "json", p.T("format_json")},
	}
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

// judgeWords names a judge of a run: the run's own, or that of one of its claims.
func judgeWords(c *ui.Chrome, run *ledger.Run, judge string) string {
	switch judge {
	case "":
		return ""
	case "given":
		return c.T("judge_given")
	}
	r := agreement.RaterOf(run, judge, false)
	if r.Model == "" {
		return c.T("judge_name", "Name", judgeName(c, judge), "Version", r.Version)
	}
	return raterName(c, r)
}

// ReaderLine says what the embedded judge read with: in short, and with the whole digests.
type ReaderLine struct{ Text, Whole string }

// readerLine names what a run read with; it is empty where nothing was read.
func readerLine(c *ui.Chrome, run *ledger.Run) ReaderLine {
	if run.Reader() == "" {
		return ReaderLine{}
	}
	said := func(digits int) string {
		reader := readerName(c, run.Reader(), digits)
		if !run.Calibrated() {
			return c.T("judge_reader_uncalibrated", "Reader", reader)
		}
		return c.T("judge_reader", "Reader", reader,
			"Calibration", say.Isolated(ledger.CutDigest(run.Calibration(), digits)))
	}
	return ReaderLine{said(ledger.DigestDigits), said(sha256.Size * 2)}
}

// readerName says whose reader it is, with so many digits of its digest.
func readerName(c *ui.Chrome, digest string, digits int) string {
	return c.T(ledger.ReaderMessage(digest), "Digest", say.Isolated(ledger.CutDigest(digest, digits)))
}

// claimReader names what the embedded judge read a claim with, or says that it compared words only, as it does in a
// language that its reader does not know.
func claimReader(c *ui.Chrome, run *ledger.Run, claim *ledger.Claim) ReaderLine {
	if claim.Judge != "embedded" {
		return ReaderLine{}
	}
	read := func(m ledger.Match) bool {
		return slices.ContainsFunc(m.Features, func(f ledger.Feature) bool { return f.Name == judge.ReaderFeature })
	}
	if len(claim.Matches) > 0 && !slices.ContainsFunc(claim.Matches, read) {
		return ReaderLine{Text: c.T("judge_claim_words")}
	}
	return readerLine(c, run)
}

// judgeName names a judge, or two of one run, such as "lexical+openai".
func judgeName(c *ui.Chrome, name string) string {
	if s := c.Known("judge_", name); s != name {
		return s
	}
	parts := strings.Split(name, "+")
	for i, part := range parts {
		if parts[i] = c.Known("judge_", part); parts[i] == part {
			parts[i] = say.Isolated(part)
		}
	}
	return strings.Join(parts, " + ")
}

func (p *SessionPage) figures() []ui.Figure {
	var out []ui.Figure
	add := func(v ledger.Verdict, n int) {
		b := p.VerdictBadge(v, 0)
		current := p.Filter.Verdict == cmp.Or(v, ledger.UnjudgedOnly)
		out = append(out, ui.Figure{
			Badge: b, Count: p.Num(n), Href: p.toggled("verdict", b.Key, current), Current: current,
		})
	}
	for _, v := range ledger.Verdicts {
		add(v, p.Summary.ByVerdict[v])
	}
	if p.Summary.Unjudged > 0 {
		add(ledger.Unjudged, p.Summary.Unjudged)
	}
	return out
}

// NewerLine is a document of which the library has a newer version.
type NewerLine struct {
	Text        string
	Since       string // what changed since
	SinceHref   string
	ReplaceHref string // to the form that replaces it, "" if the reader may not
}

// newerInLibrary lays out what the library has a newer version of. The tab of the sources lists all of them; on others
// one line stands for several.
func (p *SessionPage) newerInLibrary(all []library.Newer) {
	if len(all) > 1 && p.Tab != TabSources {
		p.NewerMore = p.N("lib_newer_n", len(all))
		return
	}
	for i := range all {
		x := &all[i]
		line := NewerLine{Text: p.T("lib_newer_of", "Name", say.Isolated(x.Name), "N", p.Num(x.Newest)),
			Since: p.T("lib_changed_since", "N", p.Num(x.No)), SinceHref: ui.LibraryCompare(x.ID, x.No, x.Newest)}
		if p.May.Import {
			line.ReplaceHref = "/documents/" + x.DocumentID + "#document-steps"
		}
		p.Newer = append(p.Newer, line)
	}
}
