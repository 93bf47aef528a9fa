package packs

import (
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
	"sanad/internal/exporters/prose"
)

// language is the language of one part of a pack's document: its own messages and those of the ledger's PDF.
type language struct{ *prose.Lang }

// languages are the parts of a document, in their order.
var languages = []language{{&prose.Langs[0]}, {&prose.Langs[1]}}

// T returns the message id with its placeholders filled; pairs are name, value. Messages that only a pack's document
// uses are in the catalogue under "packfile.".
func (p *language) T(id string, pairs ...any) string {
	return prose.Say(p.Words, id, pairs, "packfile.", "pdf.")
}

// name returns the word for a value of a closed list, or the value itself if it is unknown: a pack may come from
// another version of the program.
func (p *language) name(prefix, value string) string {
	if s := p.T(prefix + value); s != prefix+value {
		return s
	}
	return value
}

// instant formats a time of pack.json; anything else is returned unchanged.
func (p *language) instant(s string) string {
	t, err := time.Parse(time.RFC3339, s)
	switch {
	case s == "":
		return "–"
	case err != nil:
		return s
	}
	return p.Time(t)
}

// instantOf is instant, but returns "" for "".
func (p *language) instantOf(s string) string {
	if s == "" {
		return ""
	}
	return p.instant(s)
}

// Day formats the day of a time of pack.json.
func (p *language) Day(s string) string {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return s
	}
	return p.Date(t)
}

// share formats a confidence in whole percents, as the page does; pack.json has all of its digits.
func (p *language) share(x *float64) string {
	if x == nil {
		return "–"
	}
	return strconv.Itoa(int(math.Round(*x*100))) + "%"
}

// span says a length of time: whole days from two days on.
func (p *language) span(hours int) string {
	switch {
	case hours >= 48:
		n := (hours + 12) / 24
		return p.Words.Plural("pk_days", n, strconv.Itoa(n))
	case hours == 0:
		return p.Words.Text("pk_under_hour")
	}
	return p.Words.Plural("pk_hours", hours, strconv.Itoa(hours))
}

// classes returns the three classes of a decision.
func (p *language) classes(h *pack.Header) string {
	return p.T("classes_are", "A", h.ApprovalClass, "R", h.ReversibilityClass, "S", h.SensitivityClass)
}

// requirement says which rules require the pack and who must sign it. The level is a badge or comes first.
func (p *language) requirement(r *pack.Requirement) string {
	var parts []string
	for _, x := range r.Rules {
		parts = append(parts, p.reason(x))
	}
	s := p.T("effective", "Class", r.EffectiveClass, "N", strconv.Itoa(r.Approvers))
	if len(parts) == 0 {
		return s
	}
	return strings.Join(parts, p.T("semicolon")) + ". " + s
}

func (p *language) reason(r pack.Reason) string {
	if s := r.Words(p.Code); s != "" {
		return capital(s)
	}
	return r.Name // a rule of another version
}

// capital returns s with its first letter in upper case.
func capital(s string) string {
	if s == "" {
		return s
	}
	first, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(first)) + s[size:]
}

// status returns the pack's state; a pack that nobody has signed yet is unresolved (rule P-12).
func (p *language) status(l *pack.Life) string {
	s := p.name("status_", string(l.State))
	if l.Unresolved() {
		s += " · " + p.T("unresolved")
	}
	return s
}

// freshness says how old a source was at the time of the decision.
func (p *language) freshness(d *Document, s *pack.EvidenceSource) string {
	hours, ok := d.age(s)
	switch {
	case !ok:
		return ""
	case hours < 0:
		return p.T("age_later")
	case d.Content.FreshnessWindowHours == nil:
		return p.T("age", "Age", p.span(d.wholeHours(s)))
	}
	return p.T("age_of", "Age", p.span(d.wholeHours(s)), "Max", p.span(*d.Content.FreshnessWindowHours))
}

// machine returns the judge's verdict on a claim, with its figure.
func (p *language) machine(e *pack.Entry) string {
	if e.FigureSource == "" {
		return p.Verdict(e.MachineVerdict)
	}
	return p.Tiered(e.MachineVerdict, e.Tier) + " · " + p.sure(e)
}

// sure returns the one figure of the judge's verdict, and whose it is.
func (p *language) sure(e *pack.Entry) string {
	if e.FigureSource == ledger.Calibrated {
		return p.T("probability") + " " + p.share(&e.Figure)
	}
	value := p.share(&e.Figure)
	if id := "says_" + string(e.FigureSource); p.Words.Has(id) {
		return p.T(id, "Value", value)
	}
	return value + " (" + string(e.FigureSource) + ")" // of another version of the program
}

// effective returns a claim's effective verdict, with its tier if it is the judge's.
func (p *language) effective(e *pack.Entry) string {
	if e.Verdict != e.MachineVerdict {
		return p.Verdict(e.Verdict)
	}
	return p.Tiered(e.Verdict, e.Tier)
}

// Tiered returns the name of a verdict with its tier.
func (p *language) Tiered(v ledger.Verdict, t ledger.Tier) string {
	if t == "" {
		return p.Verdict(v)
	}
	return p.T("tier_word", "Verdict", p.Verdict(v), "Tier", p.name("tier_", string(t)))
}

// Verdict returns the name of a verdict, which may be one of another version.
func (p *language) Verdict(v ledger.Verdict) string {
	if v == ledger.Unjudged {
		return p.T("verdict_unjudged")
	}
	return p.name("verdict_", string(v))
}

// fixedNotes are the fixed sentences of verdict.v1; prose.Notes has the judge's.
var fixedNotes = map[string]string{
	"No matching evidence found in provided documents": "why_none",
	"Evidence does not adequately support claim":       "why_little",
}

// note says why a claim got its verdict, in the part's language if the sentence is known.
func (p *language) note(s string) string {
	if id, ok := fixedNotes[s]; ok {
		return p.T(id)
	}
	if id, ok := prose.Notes[s]; ok {
		return p.T(id)
	}
	return s
}

// tally counts claims by effective verdict: "Supported 9 · Weak 1".
func (p *language) tally(entries []pack.Entry) string {
	by := map[ledger.Verdict]int{}
	for i := range entries {
		by[entries[i].Verdict]++
	}
	var parts []string
	for _, v := range append(append([]ledger.Verdict{}, ledger.Verdicts...), ledger.Unjudged) {
		if by[v] > 0 {
			parts = append(parts, p.Verdict(v)+": "+strconv.Itoa(by[v]))
		}
	}
	return strings.Join(parts, " · ")
}

// place returns the place of a claim's evidence.
func (p *language) place(e *pack.Entry) []string {
	if e.Document == "" {
		return []string{p.T("no_source")}
	}
	at := e.Location()
	return append([]string{prose.Clipped(e.Document, prose.TitleLength)}, p.SaidAll(at.Long())...)
}

// review says what a person did about a claim.
func (p *language) review(r *pack.Review) string {
	var to []string
	if r.Verdict != "" {
		to = append(to, p.Verdict(r.Verdict))
	}
	if r.ClaimType != "" {
		to = append(to, p.name("type_", string(r.ClaimType)))
	}
	if r.Importance != "" {
		to = append(to, p.name("importance_", string(r.Importance)))
	}
	for _, n := range r.ReplacedBy {
		to = append(to, "C"+strconv.Itoa(n))
	}
	did := p.name("review_", r.Did())
	if len(to) == 0 {
		return did
	}
	return did + ": " + p.List(to...)
}

// flags names a claim's risk flags.
func (p *language) flags(e *pack.Entry) string {
	names := make([]string, len(e.Flags))
	for i, f := range e.Flags {
		names[i] = p.name("flag_name_", string(f))
	}
	return p.List(names...)
}

// who returns the name of a person who approved or returned the pack, or the pseudonymous id if the name is unknown.
func who(name, actor string) string {
	if strings.TrimSpace(name) != "" {
		return name
	}
	return actor
}
