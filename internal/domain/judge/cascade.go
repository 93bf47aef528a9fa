package judge

import (
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// Scope says which claims of a session are put to a model. Scopes are stored.
type Scope string

// The scopes.
const (
	Rest  Scope = "rest" // those of which the embedded judge is not sure
	Every Scope = "all"
)

// Reason says why a claim is put to a model.
type Reason string

// The reasons, in the order in which they are looked for.
const (
	OtherLanguage Reason = "language" // no source says it, or none could be compared, and some are in another language
	Unjudged      Reason = "unjudged" // the embedded judge cannot judge it for another reason
	Weak          Reason = "weak"
	Critical      Reason = "critical" // it matters most, whatever the embedded judge finds
	AnyClaim      Reason = "all"      // all claims are asked about
)

// Reasons lists them in the order that pages show.
var Reasons = []Reason{OtherLanguage, Unjudged, Weak, Critical, AnyClaim}

// Unsure is a claim that a model is to be asked about.
type Unsure struct {
	Claim  int // its index
	Reason Reason
}

// differentLanguages is the id of why a claim is unjudged whose sources are in another language.
const differentLanguages = "note_langs"

// Cascade returns the claims of a session that a model is to be asked about, in their order (rule J-11). The session is as the
// embedded judge judged it; reviews that changed what matters most count.
func Cascade(s *ledger.Session, scope Scope) (out []Unsure) {
	l := ledger.Assess(s, ledger.DefaultFreshness)
	scripts := scriptsOf(s)
	for i := range l.Entries {
		e := &l.Entries[i]
		var reason Reason
		switch {
		case scope == Every:
			reason = AnyClaim
		case e.Claim.UnjudgedSaid.ID == differentLanguages,
			e.Machine == ledger.NotFound && inAnother(text.Script(e.Claim.Text), scripts):
			reason = OtherLanguage
		case e.Claim.Unjudged != "":
			reason = Unjudged
		case e.Machine == ledger.Weak:
			reason = Weak
		case e.Importance == ledger.Critical:
			reason = Critical
		default:
			continue
		}
		out = append(out, Unsure{i, reason})
	}
	return out
}

// scriptsOf returns the scripts that the passages of a session are written in.
func scriptsOf(s *ledger.Session) map[string]bool {
	out := map[string]bool{}
	for i := range s.Documents {
		for j := range s.Documents[i].Chunks {
			out[text.Script(s.Documents[i].Chunks[j].Text)] = true
		}
	}
	return out
}

// inAnother reports whether some of these scripts is one that a claim in script cannot be compared with.
func inAnother(script string, scripts map[string]bool) bool {
	return script == "latin" && (scripts["ar"] || scripts["mixed"]) || script == "ar" && (scripts["latin"] || scripts["mixed"])
}
