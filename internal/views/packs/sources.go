package packs

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode"

	"sanad/internal/domain/judge"
	"sanad/internal/domain/pack"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// Check is a small thing that was checked: a sign, and the word beside it.
type Check struct{ Key, Icon, Word string }

func GoodCheck(word string) Check { return Check{"supported", "✓", word} }
func BadCheck(word string) Check  { return Check{"contradicted", "✗", word} }
func OpenCheck(word string) Check { return Check{"not_found", "○", word} }
func WarnCheck(word string) Check { return Check{"weak", "▲", word} }

// SourceView is one source of a pack.
type SourceView struct {
	ID, Ref                   string // "e1", "E1"
	Name, Reference           string
	Kind, Class, Confidence   string
	Excerpt                   string
	Withheld                  bool
	Retrieved                 say.Moment
	Hash, Fresh               Check
	Since                     string // how old it is now, or was at the signature, "" unless it was fresh and had become too old
	ExcerptHash, ContentHash  string
	EvidenceID, Root, Offsets string
	Place                     string // "p. 3", "" if it is not known
	Against                   string // how it speaks against the decision, "" if it does not
	Bad                       bool   // a claim is contradicted by it
	Score                     float64
}

func sourceViews(c *ui.Chrome, k *pack.Content) []SourceView {
	out := make([]SourceView, len(k.Sources))
	for i := range k.Sources {
		out[i] = sourceView(c, k, i)
	}
	for _, a := range k.AdverseSources() {
		out[a.At].Against, out[a.At].Bad = a.Said(c.Lang), len(a.Claims) > 0
		if word := pack.Reservation(k.Sources[a.At].Excerpt); len(a.Claims) == 0 && word != "" {
			out[a.At].Against = c.T("pk_reserves_by", "Said", a.Said(c.Lang), "Words", say.Isolated(word))
		}
	}
	return out
}

func sourceView(c *ui.Chrome, k *pack.Content, i int) SourceView {
	s := &k.Sources[i]
	v := SourceView{
		ID: "e" + fmt.Sprint(i+1), Ref: pack.Reference(i), Name: s.Source, Reference: s.URI,
		Kind: c.Known("pk_kind_", s.Kind), Class: s.SensitivityClass,
		Excerpt: s.Shown(), Withheld: s.S3(), Retrieved: c.Minute(ui.Instant(s.RetrievedAt)),
		ExcerptHash: s.ExcerptHash, ContentHash: s.ContentHash,
		EvidenceID: s.EvidenceID, Root: s.ChunkRoot, Fresh: freshness(c, k, s.RetrievedAt), Place: pageOf(c, k, s),
	}
	if v.Reference == "" {
		v.Reference = s.InternalRef
	}
	if s.Confidence != nil {
		v.Confidence, v.Score = c.Percent(*s.Confidence), *s.Confidence
	}
	if s.OffsetStart != nil && s.OffsetEnd != nil {
		v.Offsets = c.InDigits(fmt.Sprintf("%d–%d", *s.OffsetStart, *s.OffsetEnd))
	}
	switch {
	case v.Withheld:
		v.Hash = OpenCheck(c.T("pk_hash_salted"))
	case pack.Hash([]byte(s.Excerpt)) == s.ExcerptHash:
		v.Hash = GoodCheck(c.T("pk_hash_ok"))
	default:
		v.Hash = BadCheck(c.T("pk_hash_bad"))
	}
	return v
}

// pageOf is the page, slide or row of a source, which the ledger knows where a claim rests on the same passage.
func pageOf(c *ui.Chrome, k *pack.Content, s *pack.EvidenceSource) string {
	root := strings.TrimPrefix(s.ChunkRoot, "sha256:")
	if k.Ledger == nil || root == "" {
		return ""
	}
	for i := range k.Ledger.Entries {
		if e := &k.Ledger.Entries[i]; e.Page > 0 && strings.TrimPrefix(e.ChunkRoot, "sha256:") == root {
			at := e.Location()
			return c.SaidAll(at.Short())
		}
	}
	return ""
}

// freshness says how old a source was at the decision.
func freshness(c *ui.Chrome, k *pack.Content, retrieved string) Check {
	at, decided := ui.Instant(retrieved), ui.Instant(k.DecidedAt)
	if at.IsZero() || decided.IsZero() {
		return BadCheck(c.T("pk_fresh_unknown"))
	}
	age := decided.Sub(at)
	hours := int(age / time.Hour)
	switch {
	case age < 0:
		return OpenCheck(c.T("pk_fresh_later"))
	case k.FreshnessWindowHours == nil:
		return OpenCheck(c.T("pk_fresh_age", "Age", hourWords(c, hours)))
	case age > time.Duration(*k.FreshnessWindowHours)*time.Hour:
		return BadCheck(c.T("pk_fresh_old", "Age", hourWords(c, hours), "Window",
			hourWords(c, *k.FreshnessWindowHours)))
	}
	return GoodCheck(c.T("pk_fresh_ok", "Age", hourWords(c, hours), "Window", hourWords(c, *k.FreshnessWindowHours)))
}

// ageSince says how old sources were at the last signature, or are now, that were fresh at the decision and had become too
// old by then, instead of the green tick.
func ageSince(c *ui.Chrome, k *pack.Content, l *pack.Life, sources []SourceView) {
	at, says := l.ReliedOn(c.Now), "pk_fresh_today"
	if at != c.Now {
		says = "pk_fresh_signed"
	}
	for i := range sources {
		if s := &k.Sources[i]; k.AgedSource(s, at) {
			sources[i].Fresh = OpenCheck(sources[i].Fresh.Word)
			sources[i].Since = c.T(says, "Age", hourWords(c, int(at.Sub(ui.Instant(s.RetrievedAt))/time.Hour)))
		}
	}
}

// CallView is one tool call: what was intended against what was done.
type CallView struct {
	ID, Number, Tool string
	Intended, Actual string
	Contradicts      bool
	Finding          string // what is wrong with it, in one sentence; "" if nothing is
	Unclear          bool
	Position         string // its number as forms send it
	Words            []string
	Decided          string // what a person said, and why
	Failed, Sealed   bool
	Reported         string // that the system reports it as verified, "" if it does not
	Unverified       bool   // nobody has said that it was verified
	Class            string
	Effects          []string
	Error            string
	Started, Ended   say.Moment
	Inputs, Outputs  string
}

// findingOf returns the message that says in one sentence what is wrong with a call, "" if nothing is.
func findingOf(t *pack.ToolCallRecord) string {
	switch {
	case t.Failed() && t.NothingDone():
		return "pk_failed_idle"
	case t.Failed() && t.Departed():
		return "pk_failed_departed"
	case t.Failed():
		return "pk_failed"
	case t.OnlyFlagged():
		return "pk_contradicts_said"
	case t.Departed() && t.Caller != nil && t.Caller.ContradictionFlag:
		return "pk_contradicts_both"
	case t.Departed():
		return "pk_contradicts"
	case t.Unclear():
		return "pk_departure_cannot_tell"
	}
	return ""
}

func callViews(c *ui.Chrome, k *pack.Content) []CallView {
	out := make([]CallView, len(k.ToolCalls))
	for i := range k.ToolCalls {
		t := &k.ToolCalls[i]
		v := CallView{
			ID: "t" + fmt.Sprint(i+1), Number: pack.CallID(i), Tool: t.ToolName, Intended: t.IntendedAction,
			Actual:      t.ActualAction,
			Contradicts: t.Departed(), Failed: t.Failed(), Sealed: t.S3(), Class: t.SensitivityClass,
			Effects: t.SideEffects, Error: t.Error,
			Started: c.Minute(ui.Instant(t.StartedAt)), Ended: c.Minute(ui.Instant(t.EndedAt)),
			Inputs: indented(t.Inputs), Outputs: indented(t.Outputs),
			Unclear: t.Unclear(), Position: fmt.Sprint(i + 1), Unverified: t.VerificationStatus == pack.Unverified,
		}
		if id := findingOf(t); id != "" {
			v.Finding = c.T(id)
		}
		if t.VerificationStatus == "verified" {
			v.Reported = c.T("pk_reported_verified")
			if t.Departed() {
				v.Reported = c.T("pk_reported_though")
			}
		}
		if t.ActualAction != "" && t.NothingDone() {
			v.Actual = c.T("pk_nothing_done")
		}
		v.departure(c, t.Departure)
		out[i] = v
	}
	return out
}

// telling returns the pairs of words that tell a reader something: none where the two texts have less than half of
// their words in common, as pairs are then matched by chance, and none of a function word with a content word.
func telling(intended, actual string, pairs []judge.ActionWords) (out []judge.ActionWords) {
	one, other := spokenWords(intended), spokenWords(actual)
	left, common := map[string]int{}, 0
	for _, w := range one {
		left[w]++
	}
	for _, w := range other {
		if left[w] > 0 {
			left[w]--
			common++
		}
	}
	if 2*common < max(len(one), len(other)) {
		return nil
	}
	for _, p := range pairs {
		if p.Intended == "" || p.Actual == "" || functionWords[strings.ToLower(p.Intended)] == functionWords[strings.ToLower(p.Actual)] {
			out = append(out, p)
		}
	}
	return out
}

// spokenWords are the words of a text, in small letters.
func spokenWords(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// functionWords are words that mean nothing beside a content word.
var functionWords = wordSet("a an the not no nor of to in on at by for from with and or but if as is are was were be been " +
	"it its this that these those than then " +
	"لا لم لن ليس ما غير دون بلا من إلى على عن في مع أو و ثم أن إن إذا قد هذا هذه ذلك تلك")

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

// departure words what was found of a call, and what a person said.
func (v *CallView) departure(c *ui.Chrome, d *pack.Departure) {
	if d == nil {
		return
	}
	for _, w := range telling(v.Intended, v.Actual, d.Words) {
		v.Words = append(v.Words, c.T("pk_departure_words", "Intended", say.Isolated(ui.OrDash(w.Intended)),
			"Actual", say.Isolated(ui.OrDash(w.Actual))))
	}
	if d.Decided != nil {
		v.Decided = c.T("pk_departure_decided", "Result", c.Known("pk_departure_", string(d.Decided.Result)),
			"Reason", say.Isolated(d.Decided.Reason))
	}
}

// indented writes JSON for reading; its values stay as they are.
func indented(raw json.RawMessage) string {
	if len(raw) == 0 {
		return ""
	}
	var b strings.Builder
	var buf []byte
	if out, err := json.MarshalIndent(raw, "", "  "); err == nil {
		buf = out
	} else {
		buf = raw
	}
	b.Write(buf)
	return b.String()
}
