package packs

import (
	"fmt"
	"strings"

	"sanad/internal/domain/pack"
	"sanad/internal/views/ui"
)

// EditInput is a draft as it is written.
type EditInput struct {
	Pack   *pack.Pack // with what was typed
	Faults []pack.Fault
	Fault  *ui.FormFault       // of the form: stale, too long
	Stored *pack.BilingualMemo // what somebody else has written into the draft meanwhile, nil if nobody has
	Saved  bool
	Tried  bool               // the reader tried to submit it, and it was refused
	Rules  []pack.RuleOutcome // of the sign-off policy that refuse it

	Previewed bool              // what was typed is shown as a preview, and not stored
	Return    *pack.Return      // of the version before, nil if that was not returned
	Names     map[string]string // shown names of actors, by pseudonymous id
}

// EditPage is the drafting form.
type EditPage struct {
	ui.Chrome
	Head
	Groups   []MemoGroup
	Faults   []FaultView
	Warnings []FaultView
	Rules    []RuleView // of the sign-off policy, each with the claims that break it
	Broken   string     // how many rules are broken, "" if none
	Sources  []SourceView
	Top      map[string]bool
	Fault    string
	Stale    bool
	Saved    bool
	Tried    bool
	Submits  bool

	Previewed bool
	Returned  *ReturnedView
}

// MemoGroup is one part of the memo in both languages.
type MemoGroup struct {
	Part, Label string
	Fields      []MemoInput
	Preview     *MemoPreview // nil of the title, which is no Markdown
}

// MemoInput is one field of the memo.
type MemoInput struct {
	ID, Name, Lang, Dir, Label, Text string
	Stored                           string // what somebody else has stored meanwhile, "" if it is the same
	Rows, Most                       string // Most "" for no limit
	Words                            string // "12 of 120 words"
	Over                             bool
	Faults, Warnings                 []string
	Notes                            []string // of the return of the version before
	One                              bool     // a single line
}

// FaultView is a broken rule: where, what to do, and the address of the place to correct it.
type FaultView struct{ Rule, Text, Where, Href string }

// NewEditPage lays out the drafting form. Pure.
func NewEditPage(c ui.Chrome, in EditInput) *EditPage {
	p := &EditPage{
		Chrome: c, Head: NewHead(&c, in.Pack), Sources: sourceViews(&c, &in.Pack.Content),
		Fault: c.FaultWords(in.Fault), Stale: in.Stored != nil,
		Saved: in.Saved, Tried: in.Tried, Submits: c.May.DraftPack, Top: map[string]bool{}, Previewed: in.Previewed,
	}
	p.Returned = returnedView(&c, &in.Pack.Content, in.Return, in.Names, p.Href+"/edit")
	for _, i := range pack.Top(in.Pack.Content.Sources) {
		p.Top[pack.Reference(i)] = true
	}
	for _, f := range in.Faults {
		v := faultView(&c, f, &in.Pack.Content, p.Href+"/edit")
		if f.Rule.Severity == pack.SeverityError {
			p.Faults = append(p.Faults, v)
		} else {
			p.Warnings = append(p.Warnings, v)
		}
	}
	for i := range in.Rules {
		p.Rules = append(p.Rules, ruleView(&c, &in.Pack.Content, &in.Rules[i], p.Href+"/edit"))
	}
	if n := len(p.Faults); n > 0 {
		p.Broken = c.N("pk_n_faults", n)
	}
	fields, drafted := in.Pack.Content.Memo.Fields(), draftedSentences(&c, &in.Pack.Content)
	for i := 0; i+1 < len(fields); i += 2 {
		part := strings.TrimSuffix(fields[i].Name, "_en")
		g := MemoGroup{Part: part, Label: c.T("pk_memo_" + part)}
		for _, f := range fields[i : i+2] {
			field := memoInput(&c, part, f, in.Faults)
			field.Stored, field.Notes = in.stored(f), p.Returned.at("memo."+f.Name)
			if in.Fault != nil && in.Fault.Field == "memo."+f.Name {
				field.Faults = append(field.Faults, p.Fault)
			}
			g.Fields = append(g.Fields, field)
		}
		if c.Lang == "ar" {
			g.Fields[0], g.Fields[1] = g.Fields[1], g.Fields[0]
		}
		if part != "title" {
			g.Preview = memoPreview(&c, part, g.Fields, len(in.Pack.Content.Sources), drafted)
		}
		p.Groups = append(p.Groups, g)
	}
	return p
}

// stored is what somebody else has written into a field meanwhile, "" if that is the same.
func (in *EditInput) stored(f pack.MemoField) string {
	if in.Stored == nil {
		return ""
	}
	for _, x := range in.Stored.Fields() {
		if x.Name == f.Name && x.Text != f.Text {
			return x.Text
		}
	}
	return ""
}

func errorsOf(faults []pack.Fault) (n int) {
	for _, f := range faults {
		if f.Rule.Severity == pack.SeverityError {
			n++
		}
	}
	return n
}

func memoInput(c *ui.Chrome, part string, f pack.MemoField, faults []pack.Fault) MemoInput {
	in := MemoInput{
		ID: "f-" + f.Name, Name: f.Name, Lang: f.Lang, Dir: direction(f.Lang),
		Label: c.T("pk_memo_"+part) + " · " + c.T("lang_"+f.Lang), Text: f.Text, Rows: "4", One: part == "title",
	}
	most := map[string]int{"executive_summary": pack.MaxSummaryWords, "body": pack.MaxBodyWords}[part]
	if most > 0 {
		n := pack.Words(f.Text)
		in.Most, in.Words, in.Over = fmt.Sprint(most), wordsOf(c, n, most), n > most
	}
	if part == "body" {
		in.Rows = "16"
	}
	for _, x := range faults {
		switch {
		case x.Path != "memo."+f.Name:
		case x.Rule.Severity == pack.SeverityError:
			in.Faults = append(in.Faults, ruleWords(c, x))
		default:
			in.Warnings = append(in.Warnings, ruleWords(c, x))
		}
	}
	return in
}

// ruleWords describes what to do about a broken rule.
func ruleWords(c *ui.Chrome, f pack.Fault) string {
	return f.Text(c.Lang, c.Shown(f.Args)...)
}

// faultView lays out a fault for the page at path.
func faultView(c *ui.Chrome, f pack.Fault, k *pack.Content, path string) FaultView {
	return FaultView{Rule: c.Num(f.Rule.Number), Text: ruleWords(c, f), Where: placeOf(f.Path).words(c, k),
		Href: thereFrom(path, faultHref(k, &f))}
}

// describedBy lists what a screen reader reads with the field.
func (f MemoInput) describedBy() string {
	ids := []string{f.ID + "-e"}
	if f.Words != "" {
		ids = append(ids, f.ID+"-w")
	}
	if len(f.Notes) > 0 {
		ids = append(ids, f.ID+"-r")
	}
	return strings.Join(ids, " ")
}
