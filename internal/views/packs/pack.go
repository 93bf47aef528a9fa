// Package packs draws evidence packs: their list, pages, drafts, exports and retention.
package packs

import (
	"cmp"
	"slices"

	"sanad/internal/domain/pack"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// Input is one pack with all that its page shows.
type Input struct {
	Pack     *pack.Pack
	Reader   string            // actor
	Recorder string            // of a pack in review: who recorded the decision, "" if a machine did
	Names    map[string]string // shown names of actors, by pseudonymous id
	Versions []Version         // of the whole chain, newest first
	Seal     *Seal             // nil for what was never submitted
	Changed  []Change          // of the ledger since submission
	Concerns []pack.Concern    // the alarm line
	Since    []pack.Since      // what changed since submission, for who approves
	Threads  []pack.OpenThread // of the pack and the claims of its ledger
	Later    int               // revision of the ledger now, 0 if none
	Events   []say.Event       // the pack's own, oldest first
	Exports  Exports
	Decide   Decide
	Manage   Manage
	Holds    []pack.HoldChange // legal holds set and lifted, oldest first
	Faults   []pack.Fault      // of a draft
	Before   *pack.Return      // of a draft: of the version before, nil if that was not returned
	Signed   string            // id of the last version before this one that was signed off, "" if none
	Trace    string            // page of the operator's trace viewer, "" if none
	Policy   int               // version of the sign-off policy that is in force
	Fault    *ui.FormFault     // of an action on the whole pack, such as a new version
	Said     Said
	Due      ui.DueInput
}

// Page is the pack viewer: a document with numbered sections.
type Page struct {
	ui.Chrome
	Head
	SinceSigned string // what changed since the last sign-off, "" if that is the version before, or none
	Decision    Decision
	Sources     []SourceView
	Calls       []CallView
	Prompts     []PromptView
	Memo        MemoView
	Claims      *Claims
	LeftOut     []LeftOutView
	Replayed    bool // the recorded policy and candidates are there
	Files       []FileView
	Approvals   []ApprovalView
	Waiting     string // how many more approvers are needed, "" if none
	Return      *ApprovalView
	Before      *ReturnedView // of a draft: why the version before was returned; nil if it was not
	Decide      Decide
	Attention   *Attention // of a pack in review
	Quiet       bool       // nothing warns
	Versions    []VersionView
	Seal        *SealView
	Trail       []ui.TrailDay
	Exports     ExportsView
	Manage      Manage
	Held        *ApprovalView
	Holds       []HoldLine
	Done        string
	Fault       string
	Differs     []MendLine // where the pack differs from the decision as received
	Discard     *ApprovalView
	Mended      string // how many rules a draft still breaks
	Contents    []Section
	Only        Only // the filter of a section
	Bar         Bar
	Since       []SinceAlarm
	Covers      string // what the digest is of
	Recorded    bool   // the reader recorded the decision
	// OneAdministrator says that one person could set up the accounts of all who sign.
	OneAdministrator bool
	Already          []string // what the system did against its intent
	Comments         *CommentsView
	Due              ui.DueView

	threads []pack.OpenThread
	session string // address of the ledger
}

// Section is a numbered section of the document.
type Section struct{ ID, Number, Title string }

// PromptView is one prompt template.
type PromptView struct{ Name, Version, Hash string }

// LeftOutView is a candidate that the model was not shown.
type LeftOutView struct{ ID, Source, Reason string }

// FileView is an attachment.
type FileView struct{ Name, Type, Size, Hash string }

// ApprovalView is an approval, a return or a legal hold of a pack, with its person.
type ApprovalView struct {
	Who, Role string
	Title     string // job title when it was given, "" for none
	For       string // as whose deputy it was given, from when until when; "" in their own name
	At        say.Moment
	Said      string
	Digest    string
	Stale     bool // of a version that is superseded

	Acknowledged []string   // what the approver acknowledged
	Notes        []NoteView // of a return
}

// NewPage lays out the viewer. Pure.
func NewPage(c ui.Chrome, in Input) *Page {
	p := &Page{
		Chrome: c, Head: NewHead(&c, in.Pack), Decision: newPackDecision(&c, &in.Pack.Content, in.Trace),
		Decide: in.Decide, Manage: in.Manage, threads: in.Threads, session: "/sessions/" + in.Pack.Content.LedgerSessionID,
		Done: c.Notice("pk_done_", "submitted", "approved", "signed", "returned", "asked", "granted", "refused",
			"held", "lifted", "discarded", "commented", "withdrawn", "replied", "resolved",
			"reopened"), Fault: c.FaultWords(in.Fault),
	}
	in.Due.Action = p.Href + "/due"
	p.Due = c.DueView(&in.Due)
	p.Head.Due = p.Due.Mark
	content, life := &in.Pack.Content, &in.Pack.Life
	if in.Signed != "" && in.Signed != content.Supersedes {
		p.SinceSigned = p.Href + "/compare?with=" + in.Signed
	}
	p.Sources, p.Calls, p.Memo = sourceViews(&c, content), callViews(&c, content), memoView(&c, content)
	ageSince(&c, content, life, p.Sources)
	for _, x := range content.Prompts {
		p.Prompts = append(p.Prompts, PromptView{x.TemplateName, x.TemplateVersion, x.RenderedHash})
	}
	p.Claims = newPackClaims(&c, content, in.Changed, in.Later)
	p.Differs = mendLines(&c, content.Mended)
	p.leftOut(content)
	if life.State == pack.InReview {
		p.Attention = p.attention(content, in.Since, in.Policy)
	}
	p.people(content, life, in.Names)
	p.Versions = versionViews(&c, in.Versions, content.PackID, in.Names)
	if p.Seal = NewSealView(&c, in.Seal, life); p.Seal != nil && p.Seal.Signed && len(p.Signers) > 0 {
		if p.Sealed = p.Seal.Verdict; in.Seal.Report.OK() {
			p.Sealed.Word = c.T("pk_head_intact") // of the content it says nothing
		}
	}
	p.Trail = c.Trail(in.Events)
	p.Exports = exportsView(&c, in.Exports, p.Href)
	p.Holds = holdLines(&c, in.Holds, in.Names)
	p.Comments = NewCommentsView(&c, &in.Said, p.Href)
	if n := errorsOf(in.Faults); life.State == pack.Draft && n > 0 {
		p.Mended = c.N("pk_n_faults", n)
	}
	p.Line, p.Quiet = p.alarmLine(content, in.Concerns, in.Since), pack.Quiet(in.Concerns)
	p.Before = returnedView(&c, content, in.Before, in.Names, p.Href)
	p.onlyOf(in.Concerns)
	p.Bar, p.Since, p.Covers = p.bar(&in), p.since(&in), p.covers(&in)
	p.OneAdministrator, p.Recorded = content.OneAdministrator, in.Recorder != "" && in.Recorder == in.Reader
	p.Already = already(content)
	p.contents()
	return p
}

func (p *Page) leftOut(k *pack.Content) {
	if k.Replay != nil {
		p.Replayed = true
		for _, x := range k.Replay.LeftOut {
			p.LeftOut = append(p.LeftOut, LeftOutView{x.EvidenceID, x.Source, x.Reason})
		}
	}
	for _, a := range k.Attachments {
		p.Files = append(p.Files, FileView{
			Name: a.Name, Type: a.MediaType, Size: kibibytes(&p.Chrome, a.Size), Hash: a.SHA256,
		})
	}
}

// people lays out who approved, returned and holds the pack.
func (p *Page) people(k *pack.Content, l *pack.Life, names map[string]string) {
	view := func(actor, name, role, at, said, digest string) ApprovalView {
		if name == "" {
			name = names[actor]
		}
		v := ApprovalView{
			Who: p.ActorName(actor, name), At: p.Minute(ui.Instant(at)), Said: said, Digest: digest,
			Stale: l.State == pack.Superseded,
		}
		if role != "" {
			v.Role = p.Known("role_", role)
		}
		return v
	}
	for _, a := range l.Approvals {
		v := view(a.Actor, a.Name, a.Role, a.At, a.Comment, a.Digest)
		v.Title = a.Title
		if f := a.For; f != nil {
			v.For = p.T("pk_approved_for", "Name", p.ActorName(f.Actor, cmp.Or(f.Name, names[f.Actor])),
				"Span", p.Span(ui.Instant(f.From), ui.Instant(f.Until)))
		}
		for i := range k.Alarms {
			if x := &k.Alarms[i]; slices.Contains(a.Acknowledged, x.ID) {
				v.Acknowledged = append(v.Acknowledged, x.Sentence(k, p.Lang, say.Isolated))
			}
		}
		for i := range a.Since {
			v.Acknowledged = append(v.Acknowledged, a.Since[i].TextSigned(p.Lang))
		}
		p.Approvals = append(p.Approvals, v)
		if l.State == pack.SignedOff || l.State == pack.Superseded {
			p.Signers = append(p.Signers, Signer{Who: v.Who, Title: v.Title, At: p.Moment(ui.Instant(a.At))})
		}
	}
	if l.State == pack.InReview {
		p.Waiting = p.N("pk_waiting", max(l.Need, 1)-len(l.Approvals))
	}
	if l.Return != nil {
		general, notes := l.Return.Notes()
		v := view(l.Return.Actor, l.Return.Name, "", l.Return.At, general, "")
		v.Notes = noteViews(&p.Chrome, notes)
		p.Return = &v
	}
	if l.Discard != nil {
		v := view(l.Discard.Actor, l.Discard.Name, "", l.Discard.At, l.Discard.Reason, "")
		p.Discard = &v
	}
	if l.Hold != nil {
		v := view(l.Hold.Actor, "", "", l.Hold.At, l.Hold.Reason, "")
		p.Held = &v
	}
}

// waitsFor says for whom the pack waits, and since when; "" unless it is in review.
func (p *Page) waitsFor() string {
	w := &p.Decide.Waits
	if w.Since.IsZero() || len(w.Waiting) == 0 {
		return ""
	}
	return p.T("pk_waits", "Names", p.Decide.waiting(&p.Chrome), "Since", p.WaitsSince(w.Since))
}

// contents numbers the sections that the pack has.
func (p *Page) contents() {
	add := func(id string, is bool) {
		if is {
			p.Contents = append(p.Contents, Section{id, p.Num(len(p.Contents) + 1), p.T("pk_sec_" + id)})
		}
	}
	add("decision", true)
	add("sources", true)
	add("tools", true)
	add("prompts", len(p.Prompts) > 0)
	add("memo", true)
	add("claims", p.Claims != nil)
	add("withheld", p.Replayed)
	add("files", len(p.Files) > 0)
	add("approvals", p.State != string(pack.Draft))
	add("comments", true)
	add("versions", true)
	add("integrity", true)
	add("trail", true)
	add("export", p.Exports.Shown())
	add("retention", true)
}

// heading is the numbered heading of a section.
func (p *Page) heading(id string) Section {
	for _, s := range p.Contents {
		if s.ID == id {
			return s
		}
	}
	return Section{ID: id, Title: p.T("pk_sec_" + id)}
}

// Digest is the pack digest, "" of a draft.
func (p *Page) Digest() string {
	if p.Seal == nil {
		return ""
	}
	return p.Seal.Digest
}
