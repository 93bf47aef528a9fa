package ledger

import (
	"cmp"
	"errors"
	"strconv"
	"strings"

	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/notify"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// ReviewForm is what a reviewer typed, with what is wrong with it; zero for a fresh form.
type ReviewForm struct {
	Input  ledger.ReviewInput
	Fault  *domain.Error // Invalid: shown beside its field; Conflict: shown with what changed
	Seen   int           // reviews the form was made from, for a conflict
	Saved  bool          // a review was just stored
	Undone bool          // one was just taken back
	Did    ledger.Action // what was just done, "" for nothing

	NotTakenBack *domain.Error // why a rewording was not taken back, nil if none was refused

	Refused string       // message that says why a passage was not attached or taken back, "" if none was refused
	Passage *PassageDone // what came of attaching a passage, or of taking one back; nil for neither
}

// PassageDone is what attaching a passage to a claim, or taking one back, did to its verdict.
type PassageDone struct {
	Detached bool
	From, To ledger.Verdict
	Unseen   bool // not_found became weak although the judge sees nothing in the passage
}

// ClaimPage is one claim on its own page.
type ClaimPage struct {
	ui.Chrome
	View         *ClaimView
	SessionTitle string
	BackHref     string // the ledger, at this claim
	PrevHref     string
	NextHref     string
	Prev, Next   int
	Did          ledger.Action // the review that was just stored, "" for none
	Passage      *PassageDone  // the passage that was just attached or taken back, nil for none
}

// ClaimView is the expanded claim, in the pane or on its own page.
type ClaimView struct {
	c                *ui.Chrome
	Number, Total    int
	Text             string
	Href             string
	BackHref         string
	Kind             string    // "Policy · Material"
	Badge            ui.Badge  // the effective verdict
	Mark             string    // the label of its mark in the answer
	Machine          *ui.Badge // the machine's, if a reviewer decided otherwise
	Unjudged         string
	Quote            Light
	Uncited          bool
	Why              Why
	Diff             *DiffView
	Whole            string // the claim, where only a part of it is compared; for its own page
	Evidence         *Evidence
	Source           SourceColumn
	Notes            []string
	Features         []FeatureLine
	Weighed          bool // the judge states each figure's weight for or against support
	Judge            string
	Strength         []FeatureLine
	IDs              []ui.Option // what programs know it by
	Citation         string      // of its passage, to be copied; "" if it has none
	Cited, CitedAt   string      // its quotation, and where that is from
	StrengthScore    float64
	Cites            []CiteLine
	Checks           CheckLines
	Said             *UpstreamView // by the provider's file, nil for nothing
	Flags            []ClaimFlag
	AttachHref       string // to the passages that may be attached, "" if the reader may not
	Since            string // the version of the answer that it is new in, "" for the first
	Stale            bool   // the deciding review was made for an earlier judgement
	Refused          string // why a passage was not attached, "" if none was refused
	Affected         string // why the document of the evidence was withdrawn, "" if it was not
	Reviews          []ReviewLine
	Imported         []ImportedView // what imported files said of it, apart from Reviews
	Judged, JudgedAt string
	Reader           ReaderLine
	JudgedStamp      string
	JudgedAs         *ui.Badge    // the machine's verdict, nil when unjudged
	Changed          []ReviewLine // reviews that came after a stale form
	Form             FormView
	Saved, Undone    bool
	Sealed, Differs  bool
	Settles          bool // the reader is a third person, whose verdict settles a difference between two reviewers
	Undo             *UndoForm
	Closed           bool         // the session is: a review opens it again
	Aside            *AsideView   // nil for a claim that counts
	Replaces         []OtherClaim // the claims in whose place it came
	TakeBackHref     string       // takes that back, "" if it cannot be
	RewordHref       string       // to the form that splits, merges or rewrites it, "" if the reader may not
	Detach           *DetachForm  // of the passage that the reader attached last, nil if none
}

// DetachForm takes back a passage that the reader attached to a claim.
type DetachForm struct {
	Action, DocumentID, Passage, Label, About string
}

// ClaimFlag is a risk flag that names the claim.
type ClaimFlag struct {
	Severity ledger.Severity
	Name     string
}

// FeatureLine is one named figure.
type FeatureLine struct {
	Label string
	Value float64
	Shown string
	Count bool    // it is a number of things, not a share
	Spoke *Weight // for or against support, nil if it did neither
}

// Weight is how much a figure contributed to support (above 0) or against it, in log-odds.
type Weight struct {
	Shown string // signed
	Word  string // "strongly for", "a little against"
	Kind  string // the verdict key that colours its bar
	X, W  int    // its bar in hundredths of the cell's width
}

// CiteLine is one citation of the claim.
type CiteLine struct {
	Hash, Word, Href, File string
	Broken                 bool
}

// ReviewLine is one entry of the timeline.
type ReviewLine struct {
	Actor, Did, Reason string
	At, Stamp          string
	Stale              string    // the note that it was made for an earlier judgement, "" if not
	From               *ui.Badge // the verdict that it replaced, nil if none is known
	To                 string    // the word between both, "" if there is one verdict
	Badge              *ui.Badge
	Undone             string // the note that it was undone, "" if not
	Settles            string // the note that it settled a difference, "" if not
	Undo               *UndoForm
	Mentions           []notify.Mention // who is addressed in Reason
	Anchor             string           // id of a comment's element, "" for other reviews
	Thread             *ThreadView      // that the comment begins, nil for other reviews
	Inside             bool             // it stands in the thread that it belongs to
}

// FormView is the review form.
type FormView struct {
	Action                   string
	Seen                     int
	Actions                  []ActionOption
	Verdicts, Types, Weights []ui.Option
	Chosen                   ledger.Action
	Reason                   string
	Classes                  []string          // of the packs that are not signed without a reason here
	Decided                  string            // how the reader has decided the claim, "" if they have not
	Fault                    map[string]string // by field
	People                   []access.Named    // who can be mentioned
	Asks                     bool              // the comment must be answered
}

// ActionOption is one radio button. The quiet ones stand under "more".
type ActionOption struct {
	Quiet    bool
	Value    ledger.Action
	Label    string
	Checked  bool
	Disabled bool
}

// NewClaimPage lays out one claim. in holds that claim alone. Pure.
func NewClaimPage(c ui.Chrome, in LedgerPart, position int, form ReviewForm) *ClaimPage {
	s := in.Session
	p := &ClaimPage{Chrome: c, SessionTitle: s.Title, Did: form.Did, Passage: form.Passage}
	e, ok := s.EntryFor(position, in.Flags[position], in.Reader)
	if !ok {
		return p
	}
	p.View = newClaimView(&p.Chrome, &in, &e, form)
	p.View.comments(&in.Page, e.Claim, in.Reader)
	p.View.threads(e.Claim, &form)
	p.BackHref = p.View.BackHref
	if in.Prev != nil {
		p.Prev, p.PrevHref = *in.Prev+1, claimPath(s.ID, *in.Prev)
	}
	if in.Next != nil {
		p.Next, p.NextHref = *in.Next+1, claimPath(s.ID, *in.Next)
	}
	return p
}

func claimPath(session string, position int) string {
	return "/sessions/" + session + "/claims/" + strconv.Itoa(position+1)
}

func newClaimView(c *ui.Chrome, in *LedgerPart, e *ledger.Entry, form ReviewForm) *ClaimView {
	s, reader, total, severities := in.Session, in.Reader, in.Overview.Summary.Total, severitiesOf(&in.Overview)
	column := in.columnOf(e.Claim.Position)
	v := &ClaimView{
		c: c, Number: e.Claim.Number(), Total: max(total, e.Claim.Number()), Text: e.Claim.Text, Href: claimPath(s.ID, e.Claim.Position),
		BackHref: "/sessions/" + s.ID + "?claim=" + strconv.Itoa(e.Claim.Number()) + "#claim-" +
			strconv.Itoa(e.Claim.Number()),
		Kind:  c.T("type_"+string(e.Type)) + " · " + c.T("importance_"+string(e.Importance)),
		Badge: worded(c, c.EntryBadge(e)), Uncited: e.Uncited, Saved: form.Saved, Undone: form.Undone,
		Sealed: e.Sealed, Differs: e.Differs, Settles: e.Differs && c.May.Review && s.MaySettle(e.Claim, reader),
		Quote: newLight(c, e), Said: newUpstreamView(c, s, e.Claim.Position),
		Mark:   claimLabel(c, e.Claim.Number(), e.Verdict),
		Judged: judgeWords(c, &s.Run, e.Claim.Judge), Reader: claimReader(c, &s.Run, e.Claim), JudgedAt: c.Time(s.Run.At),
		JudgedStamp: say.Stamp(s.Run.At), Closed: in.State == ledger.Closed,
	}
	if e.Override {
		b := c.MachineBadge(e)
		v.Machine = &b
	}
	if v.Unjudged = c.Said(e.Claim.Cause()); v.Unjudged == "" {
		b := c.MachineBadge(e)
		v.JudgedAs = &b
	}
	v.Notes = notes(c, e)
	v.evidence(s, e, &column)
	v.column(s, e, &column)
	v.diff(c, in, e, &column)
	v.measures(e)
	v.ids(s, e)
	for _, f := range e.Flags {
		v.Flags = append(v.Flags, ClaimFlag{severities[f], c.T("flag_name_" + string(f))})
	}
	for i := range e.Claim.Citations {
		v.Cites = append(v.Cites, citeLine(c, s, &e.Claim.Citations[i]))
	}
	v.Checks = newCheckLines(c, s, &e.Claim.Checks)
	v.Stale = e.Stale
	if form.Refused != "" {
		v.Refused = c.T(form.Refused)
	}
	v.Since = sinceNote(c, e.Claim)
	v.place(s, e)
	if form.NotTakenBack != nil {
		v.Refused = c.Said(form.NotTakenBack.Message)
	}
	if c.May.Review && e.Claim.Unjudged == "" {
		v.AttachHref = v.Href + "/passages"
	}
	if e.Affected() {
		v.Affected = cmp.Or(e.Document.Withdrawn, c.T("no_reason"))
		if day, erased := e.Document.ErasedOn(); erased {
			v.Affected = c.T("doc_erased_on", "Date", c.CalendarDay(day))
		}
	}
	for i := range e.Claim.Reviews {
		v.Reviews = append(v.Reviews, reviewLine(c, &e.Claim.Reviews[i], verdictBefore(s, e, i)))
		if e.Claim.Undone(i) {
			v.Reviews[i].Undone = c.T("review_undone_mark")
		}
		if e.Claim.Reviews[i].Adjudicates {
			v.Reviews[i].Settles = c.T("review_settles")
		}
		if i < e.Claim.Stale {
			v.Reviews[i].Stale = c.T("review_stale")
		}
	}
	v.Imported = newImportedViews(c, s, e.Claim)
	v.Undo = undoOf(c, e, reader, v.Href, v.Closed)
	if c.May.Review {
		v.Detach = newDetachForm(c, s, e.Claim, e.Claim.LastAttached(reader))
	}
	if v.Undo != nil {
		latest := e.Claim.Latest(reader)
		v.Reviews[latest].Undo = v.Undo
		if r := &e.Claim.Reviews[latest]; v.Aside != nil && r.Action == ledger.NotAClaim && e.Claim.AsideBy() == r {
			v.Aside.Undo, v.Reviews[latest].Undo = v.Undo, nil
		}
	}
	if form.Fault != nil && form.Fault.Kind == domain.Conflict {
		if v.Changed = v.Reviews[min(max(form.Seen, 0), len(v.Reviews)):]; len(v.Changed) == 0 {
			v.Refused = c.Said(form.Fault.Message)
		}
	}
	v.Form = reviewFormView(c, in, e, form, v.Href)
	return v
}

// notes explains a verdict in the reader's language. In English it returns the ledger's own words, as exports have
// them; in Arabic it words the judge's measurements.
func notes(c *ui.Chrome, e *ledger.Entry) []string {
	if e.Claim.Unjudged != "" {
		return []string{c.Said(e.Claim.Cause())}
	}
	if c.Lang == "en" {
		return []string{e.ShownNotes()}
	}
	out := []string{c.T("notes_" + string(e.Machine))}
	if e.Best == nil {
		return out
	}
	for _, x := range e.Best.Conflicts {
		id := "notes_conflict"
		switch {
		case x.Claim == "": // only one side has, for example, a negation
			id = "notes_conflict_source"
		case x.Evidence == "":
			id = "notes_conflict_claim"
		}
		out = append(out, c.T(id, "Claim", say.Isolated(x.Claim), "Evidence", say.Isolated(x.Evidence)))
	}
	switch {
	case e.Absent() && e.Machine == ledger.Contradicted:
		out = append(out, c.T("notes_absent_against"))
	case e.Absent():
		out = append(out, c.T("notes_absent"))
	}
	if len(e.Best.Conflicts) == 0 && len(e.Best.Missing) == 0 && e.Best.Note != "" {
		out = append(out, c.Said(e.Best.Remarked()))
	}
	return out
}

func citeLine(c *ui.Chrome, s *ledger.Session, x *ledger.Citation) CiteLine {
	out := CiteLine{Hash: x.Hash, Broken: x.Status != ledger.Resolved, Word: c.T("cite_" + string(x.Status))}
	if x.Status == ledger.Resolved {
		out.File, out.Href = x.Places[0].Filename, citeHref(s, x.Places[0])
	}
	if x.Status == ledger.Ambiguous {
		for i, p := range x.Places {
			if i > 0 {
				out.File += c.T("list_comma")
			}
			out.File += p.Filename
		}
	}
	return out
}

// verdictBefore is the verdict that an override replaced, "" if it is not known: before a stale review the machine said
// something else, and in a blind session nobody saw the others' reviews.
func verdictBefore(s *ledger.Session, e *ledger.Entry, i int) ledger.Verdict {
	r := &e.Claim.Reviews[i]
	if r.Action != ledger.Override || s.Second == ledger.SecondBlind && !r.Adjudicates {
		return ""
	}
	machine := e.Machine
	if i < e.Claim.Stale {
		machine = ""
	}
	return e.Claim.VerdictBefore(i, machine)
}

// reviewLine lays out a review; from is the verdict that it replaced, "" if none is known.
func reviewLine(c *ui.Chrome, r *ledger.Review, from ledger.Verdict) ReviewLine {
	out := ReviewLine{
		Actor: c.OwnName(r.Actor), Did: c.T("did_" + r.Did()), Reason: r.Reason, At: c.Time(r.At),
		Stamp: say.Stamp(r.At),
	}
	if r.Verdict != "" {
		b := c.PersonBadge(r.Verdict)
		out.Badge = &b
	}
	if from != "" && from != r.Verdict {
		b := c.PersonBadge(from)
		out.From, out.Did, out.To = &b, c.T("did_override_from"), c.T("did_override_word")
	}
	for _, change := range []string{labelled(c, "type_", string(r.Type)),
		labelled(c, "importance_", string(r.Importance))} {
		if change != "" {
			out.Did += c.T("list_comma") + change
		}
	}
	out.Did = c.T("review_did", "Did", out.Did) // beside the name
	return out
}

func labelled(c *ui.Chrome, prefix, value string) string {
	if value == "" {
		return ""
	}
	return c.T(prefix + value)
}

// reviewFormView fills the review form: empty, or with what was typed and what is wrong with it.
func reviewFormView(c *ui.Chrome, part *LedgerPart, e *ledger.Entry, in ReviewForm, href string) FormView {
	s, reader := part.Session, part.Reader
	f := FormView{
		Action: href + "/reviews", Seen: len(e.Claim.Reviews), Chosen: in.Input.Action, Reason: in.Input.Reason,
		Fault: map[string]string{},
	}
	if !e.Reasoned() {
		f.Classes = part.Reasons.Classes(e)
	}
	if t := e.Claim.ThreadOf(in.Input.Thread); in.Input.Action.OfThread() || t != nil && t.May(ledger.Comment) == nil {
		f.Chosen, f.Reason, in = "", "", ReviewForm{} // what was typed stands in its thread
	}
	f.Asks = in.Input.Asks
	own := e.Claim.Decision(reader)
	if own != nil {
		f.Decided = ownVerdict(c, e, own)
	}
	if f.Chosen == "" {
		switch f.Chosen = ledger.Confirm; {
		case e.State.Aside():
			f.Chosen = ledger.Comment
		case e.Unjudged():
			f.Chosen = ledger.Override
		// nobody means to confirm what a person changed, or to decide twice
		case len(f.Classes) > 0: // also after a confirmation: it lacks the reason
		case e.State == ledger.Overridden && !e.Stale, own != nil && !e.Differs:
			f.Chosen = ledger.Comment
		}
	}
	if in.Fault != nil && in.Fault.Kind != domain.Conflict {
		f.Fault[in.Fault.Path] = faultText(c, in.Fault)
		if in.Input.Action == ledger.Confirm && !e.Unjudged() && !errors.Is(in.Fault, ledger.ErrReadsAll) {
			f.Fault[in.Fault.Path] = c.T("fault_confirmed")
		}
	}
	for _, a := range ledger.Actions {
		if !offered(s, e, a) {
			continue
		}
		f.Actions = append(f.Actions, ActionOption{
			Value: a, Label: actionLabel(c, e, a), Checked: a == f.Chosen,
			Disabled: a == ledger.Confirm && e.Unjudged(),
			Quiet:    a == ledger.Edit || a == ledger.NeedsEvidence || a == ledger.NotAClaim,
		})
	}
	typ, weight := in.Input.Type, in.Input.Importance
	if typ == "" {
		typ = e.Type
	}
	if weight == "" {
		weight = e.Importance
	}
	f.Verdicts = ui.Options(c, "verdict_", c.T("choose_verdict"), ledger.Verdicts, in.Input.Verdict)
	f.Types = ui.Options(c, "type_", "", ledger.ClaimTypes, typ)
	f.Weights = ui.Options(c, "importance_", "", ledger.Importances, weight)
	return f
}

// placeholder says what belongs into the field for the reason, and whether the chosen action needs it. keys.js says it
// again when another is chosen.
func (f *FormView) placeholder(c *ui.Chrome) string {
	if f.Chosen == ledger.Override || f.Chosen == ledger.NotAClaim {
		return c.T("reason_needed")
	}
	return f.reason(c)
}

// reason names the field for the reason where none is needed here, and the packs that are not signed without one (rule
// P-21).
func (f *FormView) reason(c *ui.Chrome) string {
	if len(f.Classes) > 0 {
		return c.T("reason_for_pack", "Classes", strings.Join(f.Classes, c.T("list_comma")))
	}
	return c.T("reason")
}

// offered reports whether the review form offers an action for a claim. What takes something back has a button of its
// own, and other words are written on their own page.
func offered(s *ledger.Session, e *ledger.Entry, a ledger.Action) bool {
	switch a {
	case ledger.Undo, ledger.Replace, ledger.Resolve, ledger.Reopen:
		return false
	case ledger.NotAClaim:
		return !e.State.Aside() && s.Second != ledger.SecondBlind && !s.Closed()
	}
	return e.State != ledger.Replaced || a == ledger.Comment
}

// actionLabel names an action. Confirm names the verdict that it would confirm where that is an earlier review's, of
// another judgement, and not the machine's (rule L-15).
func actionLabel(c *ui.Chrome, e *ledger.Entry, a ledger.Action) string {
	if a == ledger.Confirm && e.Stale && e.Verdict != e.Machine {
		return c.T("confirm_theirs", "Verdict", c.Verdict(e.Verdict))
	}
	return c.T("action_" + string(a))
}

// faultText says in the reader's language what is wrong with a field.
func faultText(c *ui.Chrome, e *domain.Error) string {
	if errors.Is(e, ledger.ErrReadsAll) {
		return c.T("fault_reads_all")
	}
	if ui.FormWord(e) != "" {
		return c.FaultWords(ui.FaultOf(e))
	}
	id := "fault_" + e.Path
	if e.Kind == domain.TooLarge {
		id += "_long"
	}
	if s := c.T(id); s != id {
		return s
	}
	return c.Said(e.Message)
}
