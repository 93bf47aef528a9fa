package packs

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sanad/internal/domain"
	"sanad/internal/domain/pack"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// MendInput is a draft whose evidence is mended.
type MendInput struct {
	Pack   *pack.Pack    // with what was typed
	Stored *pack.Content // what the draft has, where somebody else changed it meanwhile; nil if nobody did
	Edits  []pack.Edit   // of this version, oldest first
	Names  map[string]string
	Newer  []pack.Edit     // those since the form was made
	Faults []*domain.Error // of what was typed
	Broken []pack.Fault    // rules that the draft breaks
	Return *pack.Return    // of the version before, nil if that was not returned

	// What was refused, if anything: the form ("mend", "departure-N", "attach", "discard"), its fault and the reason
	// that was typed; of "mend" also the texts that could not be read, by path, and the items that were to be removed.
	Form    string
	Fault   *ui.FormFault
	Reason  string
	Typed   map[string]string
	Removed map[string]bool

	Library ui.LibraryOffer // documents of which files may be taken
	Again   bool            // a file that was chosen has to be chosen again, because the library was searched
}

// MendPage is the form by which sources, tool calls, statements and files of a draft are mended.
type MendPage struct {
	ui.Chrome
	Head
	Statements []MendField
	Sources    []MendItem
	Calls      []MendItem
	Open       []CallView // whose words can't tell
	Files      []FileView
	FileHelp   string
	Library    ui.LibraryChoice
	Session    string // title of the session whose ledger it copies, "" if none
	Mended     []MendLine
	Edits      []EditLine
	Newer      []EditLine
	Faults     []FaultView // rules that the draft breaks, besides those of the memo
	Warnings   []FaultView
	InMemo     string // how many rules the memo breaks, "" if none
	Returned   *ReturnedView
	// what the return of the version before says of the parts of the form
	OfStatement, OfSources, OfCalls []string

	Done   string
	Fault  string // at the top of the page
	form   string // that was refused
	reason string // that was typed there
	fault  *ui.FormFault
}

// MendItem is a source or a tool call of the form.
type MendItem struct {
	ID, Ref, Name string
	Remove        string // name of the box that removes it; "" of the empty one that adds
	Removed       bool   // the box is checked
	Open          bool
	Notes         []string // of the return of the version before
	Fields        []MendField
}

// MendField is one field of the form.
type MendField struct {
	ID, Name, Label, Text, Lang, Dir string
	Rows                             string // "" for a single line
	Options                          []ui.Option
	Stored                           string // what somebody else has stored meanwhile
	Fault                            string
}

// MendLine is a place in which the draft differs from the decision as received.
type MendLine struct{ Path, Change string }

// EditLine is a change of the draft.
type EditLine struct {
	Who    string
	At     say.Moment
	Parts  string
	Reason string
}

// NewMendPage lays out the form. Pure.
func NewMendPage(c ui.Chrome, in MendInput) *MendPage {
	k := &in.Pack.Content
	p := &MendPage{Chrome: c, Head: NewHead(&c, in.Pack), form: in.Form, reason: in.Reason, fault: in.Fault,
		Done: c.Notice("pk_done_", "mended", "attached", "detached", "decided")}
	if in.Fault != nil && !slices.Contains([]string{"reason", "file", "library"}, in.Fault.Field) {
		p.Fault = c.FaultWords(in.Fault)
	}
	f := mendFields{c: &c, faults: in.Faults, typed: in.Typed, removed: in.Removed}
	p.Statements = f.statements(k, in.Stored)
	for i := 0; i <= len(k.Sources); i++ {
		p.Sources = append(p.Sources, f.source(k, in.Stored, i))
	}
	for i := 0; i <= len(k.ToolCalls); i++ {
		p.Calls = append(p.Calls, f.call(k, in.Stored, i))
	}
	for _, t := range callViews(&c, k) {
		if t.Unclear {
			p.Open = append(p.Open, t)
		}
	}
	for _, a := range k.Attachments {
		p.Files = append(p.Files, FileView{Name: a.Name, Type: a.MediaType, Size: kibibytes(&c, a.Size), Hash: a.SHA256})
	}
	p.Library = ui.NewLibraryChoice(&c, in.Library, p.Href+"/mend")
	p.Library.Rule = c.T("pk_library_rule")
	if p.FileHelp = c.T("pk_attach_hint"); in.Again {
		p.FileHelp += " " + c.T("files_again")
	}
	if k.Ledger != nil {
		p.Session = cmp.Or(k.Ledger.Query, k.Ledger.SessionID)
	}
	p.Mended = mendLines(&c, k.Mended)
	p.Edits, p.Newer = editLines(&c, in.Edits, in.Names), editLines(&c, in.Newer, in.Names)
	p.broken(k, in.Broken)
	p.pin(k, in)
	return p
}

// broken lays out the rules that the draft breaks. Those of the memo are one line, which leads to its form.
func (p *MendPage) broken(k *pack.Content, all []pack.Fault) {
	memo := 0
	for _, x := range all {
		switch {
		case strings.HasPrefix(x.Path, "memo.") && x.Rule.Severity == pack.SeverityError:
			memo++
		case strings.HasPrefix(x.Path, "memo.") && !strings.HasSuffix(x.Rule.Name, "quotation"): // those come from mending
		case x.Rule.Severity == pack.SeverityError:
			p.Faults = append(p.Faults, faultView(&p.Chrome, x, k, p.Href+"/mend"))
		default:
			p.Warnings = append(p.Warnings, faultView(&p.Chrome, x, k, p.Href+"/mend"))
		}
	}
	if memo > 0 {
		p.InMemo = p.N("pk_n_in_memo", memo)
	}
	for i := range p.Sources { // an item that is to be added is open where a rule leads to it
		p.Sources[i].Open = p.Sources[i].Remove != "" || p.leadsTo(p.Sources[i].ID)
	}
	for i := range p.Calls {
		p.Calls[i].Open = p.Calls[i].Remove != "" || p.leadsTo(p.Calls[i].ID)
	}
}

// leadsTo reports whether a broken rule leads to a field of an item.
func (p *MendPage) leadsTo(item string) bool {
	in := func(v FaultView) bool { return strings.HasPrefix(v.Href, "#"+item+"-") }
	return slices.ContainsFunc(p.Faults, in) || slices.ContainsFunc(p.Warnings, in)
}

// pin sets what the return of the version before says beside what it speaks of.
func (p *MendPage) pin(k *pack.Content, in MendInput) {
	p.Returned = returnedView(&p.Chrome, k, in.Return, in.Names, p.Href+"/mend")
	p.OfStatement, p.OfSources, p.OfCalls = p.Returned.at("statement"), p.Returned.at("sources"), p.Returned.at("tool_calls")
	for i := range p.Sources {
		p.Sources[i].Notes = p.Returned.at(fmt.Sprintf("sources[%d]", i))
	}
	for i := range p.Calls {
		p.Calls[i].Notes = p.Returned.at(fmt.Sprintf("tool_calls[%d]", i))
	}
}

func mendLines(c *ui.Chrome, all []pack.Mend) (out []MendLine) {
	for _, m := range all {
		out = append(out, MendLine{Path: m.Path, Change: c.T("pk_mend_" + m.Change)})
	}
	return out
}

func editLines(c *ui.Chrome, all []pack.Edit, names map[string]string) (out []EditLine) {
	for _, e := range all {
		var parts []string
		for _, p := range e.Parts {
			parts = append(parts, c.Known("pk_part_", p))
		}
		name := e.Name
		if name == "" {
			name = names[e.Actor]
		}
		out = append(out, EditLine{Who: c.ActorName(e.Actor, name), At: c.Minute(e.At),
			Parts: strings.Join(parts, c.T("list_comma")), Reason: e.Reason})
	}
	return out
}

// fieldID is the id of the field that has a path of the draft: "sources-0-excerpt".
func fieldID(path string) string {
	return strings.NewReplacer("[", "-", "].", "-", "]", "").Replace(path)
}

// mendFields makes the form's fields.
type mendFields struct {
	c       *ui.Chrome
	faults  []*domain.Error
	typed   map[string]string
	removed map[string]bool
}

func (f *mendFields) field(path, label, text, stored, rows string) MendField {
	out := MendField{ID: fieldID(path), Name: path, Label: f.c.T(label), Text: text, Dir: "auto", Rows: rows}
	if stored != text {
		out.Stored = stored
	}
	for _, e := range f.faults {
		if e.Path == path {
			out.Fault = f.c.FaultWords(ui.FaultOf(e))
		}
	}
	if typed, ok := f.typed[path]; ok {
		out.Text = typed
	}
	return out
}

// code is a field of what machines read, which is written from left to right.
func (f *mendFields) code(path, label, text, stored, rows string) MendField {
	out := f.field(path, label, text, stored, rows)
	out.Dir = "ltr"
	return out
}

func (f *mendFields) statements(k, stored *pack.Content) (out []MendField) {
	if stored == nil {
		stored = k
	}
	out = append(out, f.field("statement", "pk_statement", k.Statement, stored.Statement, "4"))
	second, label, is, was := "statement_ar", "pk_statement_ar", k.StatementAR, stored.StatementAR
	if en, _ := k.Statements(); en != k.Statement {
		second, label, is, was = "statement_en", "pk_statement_en", k.StatementEN, stored.StatementEN
	}
	field := f.field(second, label, is, was, "4")
	field.Lang = strings.TrimPrefix(second, "statement_")
	field.Dir = direction(field.Lang)
	return append(out, field)
}

// choice makes a field a list of values; their words are in the catalogue under prefix.
func (f *mendFields) choice(m MendField, prefix string, values []string) MendField {
	for _, v := range values {
		o := ui.Option{Value: v, Label: "–", Selected: v == m.Text}
		if v != "" {
			o.Label = f.c.T(prefix + v)
		}
		m.Options = append(m.Options, o)
	}
	return m
}

func (f *mendFields) source(k, stored *pack.Content, i int) MendItem {
	var s, was pack.EvidenceSource
	if i < len(k.Sources) {
		s = k.Sources[i]
		was = s
	}
	if stored != nil && i < len(stored.Sources) {
		was = stored.Sources[i]
	}
	at := fmt.Sprintf("sources[%d].", i)
	item := MendItem{ID: fmt.Sprintf("sources-%d", i), Ref: pack.Reference(i), Name: s.Source}
	if i < len(k.Sources) {
		item.Remove = at + "remove"
		item.Removed = f.removed[item.Remove]
	}
	item.Fields = []MendField{
		f.field(at+"source", "source", s.Source, was.Source, ""),
		f.code(at+"uri", "pk_uri", s.URI, was.URI, ""),
		f.code(at+"internal_ref", "pk_internal_ref", s.InternalRef, was.InternalRef, ""),
		f.code(at+"retrieved_at", "pk_retrieved", s.RetrievedAt, was.RetrievedAt, ""),
		f.code(at+"confidence", "confidence", shareText(s.Confidence), shareText(was.Confidence), ""),
		f.choice(f.field(at+"kind", "type", s.Kind, was.Kind, ""), "pk_kind_", pack.SourceKinds),
		f.choice(f.field(at+"sensitivity_class", "pk_sensitivity_class", s.SensitivityClass, was.SensitivityClass, ""),
			"pk_class_", pack.SensitivityClasses),
		f.code(at+"content_hash", "pk_content_hash", s.ContentHash, was.ContentHash, ""),
		f.field(at+"excerpt", "pk_excerpt", s.Excerpt, was.Excerpt, "5"),
	}
	return item
}

func (f *mendFields) call(k, stored *pack.Content, i int) MendItem {
	var t, was pack.ToolCallRecord
	if i < len(k.ToolCalls) {
		t = k.ToolCalls[i]
		was = t
	}
	if stored != nil && i < len(stored.ToolCalls) {
		was = stored.ToolCalls[i]
	}
	at := fmt.Sprintf("tool_calls[%d].", i)
	item := MendItem{ID: fmt.Sprintf("tool_calls-%d", i), Ref: f.c.Num(i + 1), Name: t.ToolName}
	if i < len(k.ToolCalls) {
		item.Remove = at + "remove"
		item.Removed = f.removed[item.Remove]
	}
	item.Fields = []MendField{
		f.code(at+"tool_name", "pk_tool_name", t.ToolName, was.ToolName, ""),
		f.field(at+"intended_action", "pk_intended", t.IntendedAction, was.IntendedAction, "2"),
		f.field(at+"actual_action", "pk_actual", t.ActualAction, was.ActualAction, "2"),
		f.choice(f.field(at+"verification_status", "pk_verification", t.VerificationStatus, was.VerificationStatus, ""),
			"pk_call_", append([]string{""}, pack.VerificationStatuses...)),
		f.choice(f.field(at+"sensitivity_class", "pk_sensitivity_class", t.SensitivityClass, was.SensitivityClass, ""),
			"pk_class_", pack.SensitivityClasses),
		f.field(at+"error", "pk_error", t.Error, was.Error, ""),
		f.field(at+"side_effects", "pk_effects", strings.Join(t.SideEffects, "\n"), strings.Join(was.SideEffects, "\n"), "2"),
		f.code(at+"started_at", "pk_started", t.StartedAt, was.StartedAt, ""),
		f.code(at+"ended_at", "pk_ended", t.EndedAt, was.EndedAt, ""),
		f.code(at+"inputs", "pk_inputs", rawText(t.Inputs), rawText(was.Inputs), "3"),
		f.code(at+"outputs", "pk_outputs", rawText(t.Outputs), rawText(was.Outputs), "3"),
	}
	return item
}

func rawText(raw json.RawMessage) string { return string(raw) }

// shareText writes a confidence as the form reads it.
func shareText(x *float64) string {
	if x == nil {
		return ""
	}
	return strconv.FormatFloat(*x, 'f', -1, 64)
}

// reasonAt is the reason that was typed into the form that was refused, "" in the others.
func (p *MendPage) reasonAt(form string) string {
	if form != p.form {
		return ""
	}
	return p.reason
}

// faultAt says what is wrong with a field of the form that was refused.
func (p *MendPage) faultAt(form, field string) string {
	if form != p.form {
		return ""
	}
	return p.FaultAt(p.fault, field)
}
