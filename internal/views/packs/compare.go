package packs

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"sanad/internal/domain/pack"
	"sanad/internal/domain/text/redline"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
	"sanad/internal/words"
)

// ComparePage shows what changed between two versions.
type ComparePage struct {
	ui.Chrome
	Title    string
	Old, New VersionView
	Nothing  bool
	Claims   []ChangeView
	Sources  []SourceChangeView
	Memo     []MemoChangeView
	PDFHref  string        // the memo's redline as a file, "" if the reader may not export
	Others   []VersionView // the other versions, to compare with

	Decision, Policy           []FieldChangeView
	Calls, Prompts, Attachment []ItemChangeView
}

// SourceChangeView is one source that came, went or changed.
type SourceChangeView struct {
	Kind, Name, Old, New string
	Fields               []FieldChangeView
}

// ItemChangeView is a tool call, prompt or attachment that came, went or changed.
type ItemChangeView struct {
	Kind, Name string
	Fields     []FieldChangeView
}

// FieldChangeView is a text that differs: its wording word by word, or both as a whole.
type FieldChangeView struct {
	Label, Old, New string
	Pieces          []redline.Piece
	Dir             string
}

// MemoChangeView is one part of the memo whose wording changed.
type MemoChangeView struct {
	Label, Lang, Dir string
	Pieces           []redline.Piece
}

// CompareInput is two versions of a pack, the older first, and what changed.
type CompareInput struct {
	Title    string
	Old, New Version
	Shown    string // id of the version that the page belongs to
	Versions []Version
	Names    map[string]string
	Session  string // the ledger's, "" if none
	Changes  pack.Changes
}

// NewComparePage lays out what changed from older to newer. Pure.
func NewComparePage(c ui.Chrome, in CompareInput) *ComparePage {
	both := versionViews(&c, []Version{in.Old, in.New}, in.Shown, in.Names)
	p := &ComparePage{Chrome: c, Title: in.Title, Old: both[0], New: both[1], Nothing: in.Changes.None()}
	if in.Session != "" {
		in.Session = "/sessions/" + in.Session
	}
	p.Claims = changeViews(&c, LedgerChanges(in.Changes), in.Session)
	add := func(kind string, all []pack.SourceChange) {
		for _, x := range all {
			p.Sources = append(p.Sources, SourceChangeView{
				Kind: c.T("pk_source_" + kind), Name: x.Source, Old: x.OldHash, New: x.NewHash,
				Fields: fieldChanges(&c, x.Fields),
			})
			if last := &p.Sources[len(p.Sources)-1]; last.Old == last.New { // only its fields differ
				last.Kind, last.Old, last.New = c.T("pk_cmp_source_changed"), "", ""
			}
		}
	}
	add("changed", in.Changes.SourcesChanged)
	add("added", in.Changes.SourcesAdded)
	add("dropped", in.Changes.SourcesDropped)
	p.Decision, p.Policy = fieldChanges(&c, in.Changes.Decision), fieldChanges(&c, in.Changes.Policy)
	p.Calls, p.Prompts = itemChanges(&c, in.Changes.Calls), itemChanges(&c, in.Changes.Prompts)
	p.Attachment = itemChanges(&c, in.Changes.Attachments)
	if c.May.ExportPack {
		p.PDFHref = ui.Address("/packs/"+in.New.ID+"/compare.pdf", url.Values{"with": {in.Old.ID}})
	}
	for _, m := range in.Changes.Memo {
		v := MemoChangeView{
			Label: MemoPart(words.In(c.Lang), m.Name, m.Lang),
			Lang:  m.Lang, Dir: direction(m.Lang), Pieces: redline.Visible(m.Pieces),
		}
		p.Memo = append(p.Memo, v)
	}
	for _, v := range versionViews(&c, in.Versions, in.Shown, in.Names) {
		if v.ID != in.Old.ID && v.ID != in.New.ID {
			p.Others = append(p.Others, v)
		}
	}
	return p
}

// MemoPart names a field of the memo, such as "Executive summary · English".
func MemoPart(w *words.Catalogue, name, lang string) string {
	return w.Text("pk_memo_"+strings.TrimSuffix(name, "_"+lang)) + " · " + w.Text("lang_"+lang)
}

func itemChanges(c *ui.Chrome, all []pack.ItemChange) (out []ItemChangeView) {
	for _, x := range all {
		out = append(out, ItemChangeView{Kind: c.T("pk_mend_" + x.Kind), Name: x.Name, Fields: fieldChanges(c, x.Fields)})
	}
	return out
}

func fieldChanges(c *ui.Chrome, all []pack.FieldChange) (out []FieldChangeView) {
	for _, x := range all {
		v := FieldChangeView{Label: changeLabel(c, x.Name), Old: changeValue(c, x.Name, x.Old),
			New: changeValue(c, x.Name, x.New), Dir: say.Dir(x.New + x.Old)}
		if v.Old == x.Old && v.New == x.New {
			v.Pieces = redline.Visible(x.Pieces)
		} else {
			v.Dir = c.Dir
		}
		out = append(out, v)
	}
	return out
}

// changeLabels are the message ids of fields that other pages name too.
var changeLabels = map[string]string{"statement": "pk_statement", "statement_ar": "pk_statement_ar",
	"statement_en": "pk_statement_en", "approval_class": "pk_approval_class", "reversibility_class": "pk_reversibility_class",
	"sensitivity_class": "pk_sensitivity_class", "confidence": "confidence", "high_stakes": "pk_high_stakes",
	"agent_name": "pk_agent", "model": "pk_model", "decided_at": "pk_decided_at", "intended_action": "pk_intended",
	"actual_action": "pk_actual", "verification_status": "pk_verification", "side_effects": "pk_effects",
	"inputs": "pk_inputs", "outputs": "pk_outputs", "excerpt": "pk_excerpt", "retrieved_at": "pk_retrieved"}

func changeLabel(c *ui.Chrome, name string) string {
	if slices.Contains(pack.PolicyRules, name) {
		return c.T("policy.rule_" + name)
	}
	if id := changeLabels[name]; id != "" {
		return c.T(id)
	}
	return c.T("pk_cmp_" + name)
}

// changeValue is a value in the reader's words where it is one of a list, a share or a number; else as it is.
func changeValue(c *ui.Chrome, name, value string) string {
	if value == "" {
		return ""
	}
	prefix := map[string]string{"verification_status": "pk_call_", "departure": "pk_departure_", "kind": "pk_kind_"}[name]
	switch {
	case prefix != "":
		return c.Known(prefix, value)
	case name == "high_stakes" && value == "true":
		return c.T("yes")
	case name == "high_stakes":
		return c.T("no")
	case strings.HasSuffix(name, "_class"):
		return say.Isolated(value) + " · " + c.Known("pk_class_", value)
	case slices.Contains(pack.PolicyRules, name):
		level, days, _ := strings.Cut(value, " ")
		if n, err := strconv.Atoi(days); err == nil {
			return c.T("policy.level_"+level) + " · " + c.N("pk_cmp_days", n)
		}
		return c.T("policy.level_" + level)
	}
	if name == "confidence" {
		if x, err := strconv.ParseFloat(value, 64); err == nil {
			return c.Percent(x)
		}
	}
	if n, err := strconv.Atoi(value); err == nil && (name == "version" || strings.HasSuffix(name, "_hours")) {
		return c.Num(n)
	}
	return value
}

// direction is the direction that a language is written in.
func direction(lang string) string {
	if lang == "ar" {
		return "rtl"
	}
	return "ltr"
}
