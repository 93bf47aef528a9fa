package packs

import (
	"strconv"
	"strings"

	"sanad/internal/domain/pack"
	"sanad/internal/domain/text"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// Head is a pack's title block.
type Head struct {
	ID, Href, Title        string
	State, Stamp           string // the state, and its name in the reader's language
	Version                string
	Unresolved             bool
	Standing               string // that nobody has approved it, or how many have
	Signers                []Signer
	Sealed                 Check  // of the pack's own page: whether the signed pack is whole
	OtherTitle             bool   // the decision's title is in the other language only
	Successor, Predecessor string // hrefs
	Level, LevelKey        string
	Because                string // the reasons in one line, "" if none
	Needs                  string // how many must approve it, in words
	Edit, CanVersion       bool
	DraftPDF, ReadingPDF   bool // may be read as a PDF: before it is signed, or in one language after it
	Revision               int
	Retain                 say.Moment
	Decided, DecidedLang   string      // what was decided, in the reader's language if it is there
	Line                   *AlarmLine  // of the pack's own page
	Due                    say.DueMark // likewise
}

// Signer is somebody who has approved a pack, as its head names them.
type Signer struct {
	Who, Title string
	At         say.Moment
}

// PredecessorID is the id of the version before, "" if none.
func (h *Head) PredecessorID() string { return strings.TrimPrefix(h.Predecessor, "/packs/") }

// Decision is what the decision itself says.
type Decision struct {
	Other       string // the statement in the language that the reader's page is not in, "" if missing
	At          say.Moment
	Facts       []ui.Fact
	Classes     []ui.Fact
	SessionHref string // of the ledger; "" if none
	Trace       string // address in the trace viewer; "" if none
}

// NewHead lays out a pack's title block. Pure.
func NewHead(c *ui.Chrome, x *pack.Pack) Head {
	k, l := &x.Content, &x.Life
	h := Head{
		ID: k.PackID, Href: "/packs/" + k.PackID, Title: k.Title, State: string(l.State),
		Stamp:   c.T("pk_state_" + string(l.State)),
		Version: c.Num(k.Version), Unresolved: l.Unresolved(), Level: c.T("pk_level_" + string(k.Requirement.Level)),
		LevelKey: string(k.Requirement.Level), Needs: needsWords(c, k.Requirement),
		Edit:       l.State == pack.Draft && c.May.DraftPack,
		CanVersion: c.May.DraftPack && (l.State == pack.SignedOff || l.State == pack.Returned), Revision: l.Revision,
		Retain: c.Moment(ui.Instant(k.RetainUntil)),
	}
	signed := len(l.Approvals) >= max(l.Need, 1) && (l.State == pack.SignedOff || l.State == pack.Superseded)
	h.DraftPDF, h.ReadingPDF = !signed && c.May.DraftPack, signed && c.May.ExportPack
	var reasons []string
	for _, r := range k.Requirement.Rules {
		reasons = append(reasons, c.Reason(r))
	}
	h.Because = strings.Join(reasons, c.T("list_comma"))
	h.Standing = c.T("pk_unresolved")
	if l.State == pack.Returned {
		h.Standing = c.T("pk_unresolved_returned")
	}
	if l.State == pack.InReview {
		h.Standing = c.T("pk_unresolved_n", "N", c.Num(len(l.Approvals)), "Of", c.Num(max(l.Need, 1)))
	}
	script := text.Script(k.Title)
	h.OtherTitle = c.Lang == "en" && script == "ar" || c.Lang == "ar" && script == "latin"
	if l.SupersededBy != "" {
		h.Successor = "/packs/" + l.SupersededBy
	}
	if k.Supersedes != "" {
		h.Predecessor = "/packs/" + k.Supersedes
	}
	h.Decided, h.DecidedLang = decidedIn(c.Lang, k)
	return h
}

// decidedIn returns the decision's statement in a language, or in the other one where it is missing.
func decidedIn(lang string, k *pack.Content) (statement, in string) {
	en, ar := k.Statements()
	if lang == "ar" && ar != "" || en == "" {
		return ar, "ar"
	}
	return en, "en"
}

func newPackDecision(c *ui.Chrome, k *pack.Content, trace string) Decision {
	d := Decision{At: c.Minute(ui.Instant(k.DecidedAt)), Trace: trace}
	en, ar := k.Statements()
	shown, _ := decidedIn(c.Lang, k)
	for _, s := range []string{en, ar} {
		if s != shown {
			d.Other = s
		}
	}
	if k.LedgerSessionID != "" && k.Ledger != nil {
		d.SessionHref = "/sessions/" + k.LedgerSessionID
	}
	add := func(name, value string, mono bool) {
		if value != "" {
			d.Facts = append(d.Facts, ui.Fact{Name: c.T(name), Value: value, Mono: mono})
		}
	}
	add("pk_decision_id", k.DecisionID, true)
	add("pk_entity", k.EntityID, true)
	add("pk_agent", k.AgentName, true)
	model := k.Model
	if k.ModelVersion != "" {
		model += " " + k.ModelVersion
	}
	add("pk_model", model, true)
	add("pk_trace", k.TraceID, true)
	class := func(name, prefix, value string) {
		d.Classes = append(d.Classes,
			ui.Fact{Name: c.T(name), Value: say.Isolated(value) + " · " + c.T(prefix+value), Mono: false})
	}
	class("pk_approval_class", "pk_class_", k.ApprovalClass)
	if as := k.Requirement.EffectiveClass; as != "" && as != k.ApprovalClass {
		d.Classes[0].Value += " · " + c.T("pk_counts_as", "Class", say.Isolated(as))
	}
	class("pk_reversibility_class", "pk_class_", k.ReversibilityClass)
	class("pk_sensitivity_class", "pk_class_", k.SensitivityClass)
	if above := moreSensitive(c, k); above != "" {
		d.Classes[len(d.Classes)-1].Value += c.T("list_comma") + c.T("pk_sensitivity_above", "Sources", above)
	}
	if k.Confidence != nil {
		d.Classes = append(d.Classes, ui.Fact{Name: c.T("pk_confidence"), Value: c.Percent(*k.Confidence), Mono: false})
	}
	d.Classes = append(d.Classes, ui.Fact{Name: c.T("pk_high_stakes"), Value: yesNo(c, k.HighStakes), Mono: false})
	if k.FreshnessWindowHours != nil {
		d.Classes = append(d.Classes,
			ui.Fact{Name: c.T("pk_window"), Value: hourWords(c, *k.FreshnessWindowHours), Mono: false})
	}
	return d
}

func yesNo(c *ui.Chrome, b bool) string {
	if b {
		return c.T("yes")
	}
	return c.T("no")
}

// hourWords writes a length of time: whole days from two days on.
func hourWords(c *ui.Chrome, n int) string {
	if n >= 48 {
		return c.N("pk_days", n/24)
	}
	if n == 0 {
		return c.T("pk_under_hour")
	}
	return c.N("pk_hours", n)
}

// RevisionText returns the revision that a form is made from.
func (h *Head) RevisionText() string { return strconv.Itoa(h.Revision) }

// moreSensitive names the sources of a higher class than their pack: "E4: S2"; "" if there is none.
func moreSensitive(c *ui.Chrome, k *pack.Content) string {
	var out []string
	for i := range k.Sources {
		if s := &k.Sources[i]; s.SensitivityClass > k.SensitivityClass {
			out = append(out, say.Isolated(pack.Reference(i)+": "+s.SensitivityClass))
		}
	}
	return strings.Join(out, c.T("list_comma"))
}
