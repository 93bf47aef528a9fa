package exporters

import (
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
)

// packLang is the language of one part of a pack's document: its own messages and those of the ledger's PDF.
type packLang struct{ *pdfLang }

// packLangs are the parts of a document, in their order.
var packLangs = []packLang{{&pdfLangs[0]}, {&pdfLangs[1]}}

// t returns the message id with its placeholders filled; pairs are name, value. Messages that only a pack's document
// uses are in the catalogue under "packfile.".
func (p *packLang) t(id string, pairs ...any) string {
	return say(p.words, id, pairs, "packfile.", "pdf.")
}

// name returns the word for a value of a closed list, or the value itself if it is unknown: a pack may come from
// another version of the program.
func (p *packLang) name(prefix, value string) string {
	if s := p.t(prefix + value); s != prefix+value {
		return s
	}
	return value
}

// instant formats a time of pack.json; anything else is returned unchanged.
func (p *packLang) instant(s string) string {
	t, err := time.Parse(time.RFC3339, s)
	switch {
	case s == "":
		return "–"
	case err != nil:
		return s
	}
	return p.time(t)
}

// instantOf is instant, but returns "" for "".
func (p *packLang) instantOf(s string) string {
	if s == "" {
		return ""
	}
	return p.instant(s)
}

// day formats the day of a time of pack.json.
func (p *packLang) day(s string) string {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return s
	}
	return p.date(t)
}

// share formats a confidence. It is not rounded to whole percents, because limits are compared with it.
func (p *packLang) share(x *float64) string {
	if x == nil {
		return "–"
	}
	return strconv.FormatFloat(math.Round(*x*1e4)/1e2, 'f', -1, 64) + "%"
}

// classes returns the three classes of a decision.
func (p *packLang) classes(h *pack.Header) string {
	return p.t("classes_are", "A", h.ApprovalClass, "R", h.ReversibilityClass, "S", h.SensitivityClass)
}

// requirement says which rules require the pack and who must sign it. The level is a badge or comes first.
func (p *packLang) requirement(r *pack.Requirement) string {
	var parts []string
	for _, x := range r.Rules {
		parts = append(parts, p.reason(x))
	}
	s := p.t("effective", "Class", r.EffectiveClass, "N", strconv.Itoa(r.Approvers))
	if len(parts) == 0 {
		return s
	}
	return strings.Join(parts, p.t("semicolon")) + ". " + s
}

func (p *packLang) reason(r pack.Reason) string {
	if s := r.Words(p.code); s != "" {
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
func (p *packLang) status(l *pack.Life) string {
	s := p.name("status_", string(l.State))
	if l.Unresolved() {
		s += " · " + p.t("unresolved")
	}
	return s
}

// freshness says how old a source was at the time of the decision.
func (p *packLang) freshness(d *PackDocument, s *pack.EvidenceSource) string {
	hours, ok := d.age(s)
	switch {
	case !ok:
		return ""
	case hours < 0:
		return p.t("age_later")
	case d.Content.FreshnessWindowHours == nil:
		return p.t("age", "N", strconv.Itoa(hours))
	}
	return p.t("age_of", "N", strconv.Itoa(hours), "Max", strconv.Itoa(*d.Content.FreshnessWindowHours))
}

// machine returns the judge's verdict on a claim, with its figure.
func (p *packLang) machine(e *pack.Entry) string {
	if e.FigureSource == "" {
		return p.verdict(e.MachineVerdict)
	}
	return p.tiered(e.MachineVerdict, e.Tier) + " · " + p.sure(e)
}

// sure returns the one figure of the judge's verdict, and whose it is.
func (p *packLang) sure(e *pack.Entry) string {
	if e.FigureSource == ledger.Calibrated {
		return p.t("probability") + " " + p.share(&e.Figure)
	}
	value := strconv.FormatFloat(e.Figure, 'f', 2, 64)
	if id := "says_" + string(e.FigureSource); p.words.Has(id) {
		return p.t(id, "Value", value)
	}
	return value + " (" + string(e.FigureSource) + ")" // of another version of the program
}

// effective returns a claim's effective verdict, with its tier if it is the judge's.
func (p *packLang) effective(e *pack.Entry) string {
	if e.Verdict != e.MachineVerdict {
		return p.verdict(e.Verdict)
	}
	return p.tiered(e.Verdict, e.Tier)
}

// tiered returns the name of a verdict with its tier.
func (p *packLang) tiered(v ledger.Verdict, t ledger.Tier) string {
	if t == "" {
		return p.verdict(v)
	}
	return p.t("tier_word", "Verdict", p.verdict(v), "Tier", p.name("tier_", string(t)))
}

// verdict returns the name of a verdict, which may be one of another version.
func (p *packLang) verdict(v ledger.Verdict) string {
	if v == ledger.Unjudged {
		return p.t("verdict_unjudged")
	}
	return p.name("verdict_", string(v))
}

// packNotes are the fixed sentences of verdict.v1; pdfNotes has the judge's.
var packNotes = map[string]string{
	"No matching evidence found in provided documents": "why_none",
	"Evidence does not adequately support claim":       "why_little",
}

// note says why a claim got its verdict, in the part's language if the sentence is known.
func (p *packLang) note(s string) string {
	if id, ok := packNotes[s]; ok {
		return p.t(id)
	}
	if id, ok := pdfNotes[s]; ok {
		return p.t(id)
	}
	return s
}

// tally counts claims by effective verdict: "Supported 9 · Weak 1".
func (p *packLang) tally(entries []pack.Entry) string {
	by := map[ledger.Verdict]int{}
	for i := range entries {
		by[entries[i].Verdict]++
	}
	var parts []string
	for _, v := range append(append([]ledger.Verdict{}, ledger.Verdicts...), ledger.Unjudged) {
		if by[v] > 0 {
			parts = append(parts, p.verdict(v)+": "+strconv.Itoa(by[v]))
		}
	}
	return strings.Join(parts, " · ")
}

// place returns the place of a claim's evidence.
func (p *packLang) place(e *pack.Entry) []string {
	if e.Document == "" {
		return []string{p.t("no_source")}
	}
	at := e.Location()
	return append([]string{clipped(e.Document, pdfTitleLength)}, p.saidAll(at.Long())...)
}

// review says what a person did about a claim.
func (p *packLang) review(r *pack.Review) string {
	var to []string
	if r.Verdict != "" {
		to = append(to, p.verdict(r.Verdict))
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
	did := p.name("review_", string(r.Action))
	if len(to) == 0 {
		return did
	}
	return did + ": " + p.list(to...)
}

// flags names a claim's risk flags.
func (p *packLang) flags(e *pack.Entry) string {
	names := make([]string, len(e.Flags))
	for i, f := range e.Flags {
		names[i] = p.name("flag_name_", string(f))
	}
	return p.list(names...)
}

// who returns the name of a person who approved or returned the pack, or the pseudonymous id if the name is unknown.
func who(name, actor string) string {
	if strings.TrimSpace(name) != "" {
		return name
	}
	return actor
}
