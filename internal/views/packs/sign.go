package packs

import (
	"slices"
	"strconv"
	"strings"

	"sanad/internal/domain/pack"
	"sanad/internal/views/ui"
	"sanad/internal/words"
)

// SinceAlarm is something that changed after the pack was submitted, or that its sources say, which an approver
// acknowledges as well.
type SinceAlarm struct {
	ID, Text, Href string
	Checked        bool
	Missing        bool          // it was not acknowledged
	Fresh          bool          // perhaps because it was not there when the form was made
	Adverse        []AdverseView // of sources with reservations
}

// since lays out what became known after submission, and what the sources say.
func (p *Page) since(in *Input) (out []SinceAlarm) {
	for i := range in.Since {
		x := &in.Since[i]
		href := p.Href + "#changed"
		if x.Kind == pack.SourcesWithdrawn {
			href = withdrawnHref(&in.Pack.Content, x.IDs())
		}
		if x.OfThreads() {
			href = p.threadsHref(x.Kind)
		}
		if x.OfSources() {
			concern := x.Concern()
			if href = p.concernHref(&in.Pack.Content, &concern); strings.HasPrefix(href, "#") {
				href = p.Href + href
			}
		}
		a := SinceAlarm{ID: x.ID, Text: x.Text(p.Lang), Href: href, Checked: slices.Contains(in.Decide.Read, x.ID),
			Missing: slices.Contains(in.Decide.Missing, x.ID), Fresh: !x.OfSources()}
		if x.Kind == pack.SourcesReserved && p.Attention != nil {
			a.Adverse = slices.DeleteFunc(slices.Clone(p.Attention.Adverse), func(v AdverseView) bool {
				return v.Bad || !slices.Contains(x.IDs(), v.Ref)
			})
		}
		out = append(out, a)
	}
	return out
}

// threadsHref is the address of open threads: of the one thread on the pack or, of several, the comments; else the
// claims of the ledger that have some.
func (p *Page) threadsHref(kind string) string {
	var one string
	n := 0
	for i := range p.threads {
		if x := &p.threads[i]; (x.Claim > 0) == (kind == pack.ClaimThreads) {
			one, n = x.ID, n+1
			if x.Claim > 0 {
				one = p.session + "/claims/" + strconv.Itoa(x.Claim) + "#comment-" + x.ID
			}
		}
	}
	switch {
	case kind == pack.ClaimThreads && n == 1:
		return one
	case kind == pack.ClaimThreads:
		return p.session + "?threads=1#ledger"
	case n == 1:
		return p.Href + "#comment-" + one
	}
	return p.Href + "#sec-comments"
}

// missing reports whether the form lacks the acknowledgement of an alarm.
func (p *Page) missing(id string) bool { return slices.Contains(p.Decide.Missing, id) }

// covers says in words what the digest is of.
func (p *Page) covers(in *Input) string {
	k := &in.Pack.Content
	claims := 0
	if k.Ledger != nil {
		claims = len(k.Ledger.Entries)
	}
	return p.T("pk_sign_covers", "Claims", p.N("n_claims", claims), "Sources", p.N("pk_n_sources", len(k.Sources)),
		"Calls", p.N("pk_n_calls", len(k.ToolCalls)), "At", p.Minute(ui.Instant(in.Pack.Life.SubmittedAt)).Full)
}

// already returns what the system did against its intent, which a signature does not undo.
func already(k *pack.Content) (out []string) {
	for i := range k.ToolCalls {
		if t := &k.ToolCalls[i]; t.Departed() && t.ActualAction != "" && !t.NothingDone() {
			out = append(out, t.ActualAction)
		}
	}
	return out
}

// shortDigest is how many hex digits of the digest people compare.
const shortDigest = 12

// ShortDigest is the beginning of the digest, in groups that can be read aloud.
func (p *Page) ShortDigest() string {
	d := p.Digest()
	var groups []string
	for d = d[:min(len(d), shortDigest)]; d != ""; d = d[min(len(d), 4):] {
		groups = append(groups, d[:min(len(d), 4)])
	}
	return strings.Join(groups, " ")
}

// afterwards says what follows the signature.
func (p *Page) afterwards() string {
	switch {
	case p.Decide.Why != nil, slices.Contains(p.Decide.Ends, ""): // that is said instead
		return ""
	case p.Decide.Last:
		return p.T("pk_sign_last")
	}
	if next := p.Decide.next(&p.Chrome); next != "" {
		return next
	}
	return p.T("pk_sign_more")
}

// justSigned reports whether the reader has signed the pack a moment ago.
func (p *Page) justSigned() bool {
	return slices.Contains([]string{"approved", "signed"}, p.Query().Get("done")) && len(p.Approvals) > 0
}

// newest is the latest approval.
func (p *Page) newest() ApprovalView { return p.Approvals[len(p.Approvals)-1] }

// returnNote is a field of the form that returns a pack, for one place of it.
type returnNote struct{ ID, Name, Label, Text string }

// returnNotes lists the places that a return can speak of.
func (p *Page) returnNotes() (out []returnNote) {
	for i, place := range pack.ReturnPlaces {
		out = append(out, returnNote{ID: "rn-" + strconv.Itoa(i), Name: "note " + place,
			Label: placeWords(&p.Chrome, place), Text: p.Decide.Notes[place]})
	}
	return out
}

// placeWords names a place of a pack, such as "Memo · العربية".
func placeWords(c *ui.Chrome, place string) string {
	if field, ok := strings.CutPrefix(place, "memo."); ok {
		part, lang, _ := cutAtLast(field, "_")
		return c.T("pk_memo_"+part) + " · " + c.T("lang_"+lang)
	}
	base, _, _ := strings.Cut(place, "[")
	switch base {
	case "sources", "tool_calls", "statement":
		return c.T("pk_place_" + base)
	}
	return c.T("pk_place_claims")
}

// AlarmNames names the alarms of a pack that have these ids, in short, in the order of the form's boxes.
func AlarmNames(in *Input, lang string, ids []string) string {
	k := &in.Pack.Content
	var out []string
	for i := range k.Alarms {
		if x := &k.Alarms[i]; slices.Contains(ids, x.ID) {
			out = append(out, x.Name(k, lang))
		}
	}
	for i := range in.Since {
		if x := &in.Since[i]; slices.Contains(ids, x.ID) {
			c := x.Concern()
			out = append(out, c.Text(lang, nil))
		}
	}
	return strings.Join(out[:min(len(out), maxNumbers)], words.In(lang).Text("list_comma"))
}

// NoteView is what a return says of one place.
type NoteView struct{ Place, Label, Text, Href string }

func noteViews(c *ui.Chrome, notes []pack.ReturnNote) (out []NoteView) {
	for _, n := range notes {
		out = append(out, NoteView{Place: n.Place, Label: placeWords(c, n.Place), Text: n.Text})
	}
	return out
}
