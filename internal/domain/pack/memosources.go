package pack

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/words"
)

// stance is how a source stands to a decision, as far as that can be told without understanding it.
type stance int

// The stances, in the order in which a memo lists sources.
const (
	contradicts stance = iota // a claim of the ledger is contradicted by it
	reserves                  // it says that something is open, failed, missing or forbidden, or sets a condition
	outdated                  // older at the decision than its window allows
	neutral
)

// memoSource is a source as a memo lists it.
type memoSource struct {
	at     int // its position
	stance stance
	claims []string // the numbers of the claims that it contradicts: "C2"
}

// memoSources lists every source: what speaks against the decision first, and equals by confidence.
func (c *Content) memoSources() []memoSource {
	out := make([]memoSource, len(c.Sources))
	for i := range out {
		out[i] = c.stanceOf(i)
	}
	slices.SortStableFunc(out, func(a, b memoSource) int {
		return cmp.Or(cmp.Compare(a.stance, b.stance),
			cmp.Compare(confidence(&c.Sources[b.at]), confidence(&c.Sources[a.at])))
	})
	return out
}

// Adverse is a source that speaks against the decision, as its memo says: a claim is contradicted by it, or it says
// that something is open, failed, missing or forbidden, or sets a condition.
type Adverse struct {
	At     int      // its position
	Claims []string // the numbers of the claims that it contradicts, "C2"; none of one that has a reservation
}

// AdverseSources returns the sources that speak against the decision, in the order of the memo.
func (c *Content) AdverseSources() (out []Adverse) {
	for _, s := range c.memoSources() {
		if s.stance == contradicts || s.stance == reserves {
			out = append(out, Adverse{At: s.at, Claims: s.claims})
		}
	}
	return out
}

// Said says in a few words of a language how the source speaks against the decision.
func (a *Adverse) Said(lang string) string {
	d := drafter{w: words.In(lang)}
	if len(a.Claims) > 0 {
		return d.contradicts(a.Claims)
	}
	return d.t("source_reserves")
}

func (c *Content) stanceOf(at int) memoSource {
	s, out := &c.Sources[at], memoSource{at: at, stance: neutral}
	for i := range c.Ledger.entries() {
		e := &c.Ledger.Entries[i]
		if (e.Verdict == ledger.Contradicted || e.MachineVerdict == ledger.Contradicted) && e.RestsOn(s) {
			out.claims = append(out.claims, "C"+strconv.Itoa(e.Number))
		}
	}
	switch {
	case len(out.claims) > 0:
		out.stance = contradicts
	case !s.S3() && hasReservation(s.Excerpt):
		out.stance = reserves
	case c.staleSource(s):
		out.stance = outdated
	}
	return out
}

func (d drafter) contradicts(claims []string) string {
	return d.t("source_contradicts", "Claims", strings.Join(claims, d.t("refs_comma")))
}

// RestsOn reports whether the evidence of a claim is of a source: the same passage, words of its excerpt, or the same
// document.
func (e *Entry) RestsOn(s *EvidenceSource) bool {
	switch {
	case e.EvidenceID != "" && e.EvidenceID == s.EvidenceID, e.SamePassage(s):
		return true
	case e.Snippet != "" && !s.S3() && strings.Contains(oneLine(s.Excerpt), oneLine(e.Snippet)):
		return true
	}
	return e.Document != "" && e.Document == s.Source
}

// SamePassage reports whether the passage of a claim's evidence is that of a source, by its hash. The excerpt of a source
// that names no passage is one.
func (e *Entry) SamePassage(s *EvidenceSource) bool {
	root := bare(e.ChunkRoot)
	return root != "" && (root == bare(s.ChunkRoot) || root == bare(s.ExcerptHash))
}

// hasReservation reports whether words say that something is open, failed, missing or forbidden, or set a condition. A
// limit such as "no more than" is none.
func hasReservation(s string) bool {
	tokens := text.Tokens(s)
	for i := range tokens {
		if reservations[tokens[i].Norm] || reservations[tokens[i].Stem] {
			return true
		}
		if !undone[tokens[i].Norm] {
			continue
		}
		for _, next := range tokens[i+1 : min(len(tokens), i+1+undoneReach)] {
			if done[next.Norm] || done[next.Stem] {
				return true
			}
		}
	}
	return false
}

// undoneReach is how many words after a negation may be what is not done: "not yet been fully confirmed".
const undoneReach = 4

// The words of reservations. They are compared folded, and by their stems.
var (
	reservations = tellingWords(`unconfirmed unverified unsigned unapproved unpaid unsettled unresolved unaudited unlicensed
		uninsured unreconciled unclear pending outstanding overdue expired lapsed rejected refused declined denied failed
		failure suspended revoked cancelled disputed dispute breach breached violation violated missing incomplete
		insufficient defective defect prohibited forbidden fraud fraudulent sanctioned insolvent bankrupt overrun shortfall
		deficit delayed unless except conditional objection objected withdrawn contested alleged
		معلق معلقة متأخر متأخرة متعثر متعثرة مرفوض مرفوضة رفض رفضت منته منتهية انتهت ملغى ملغاة ألغي ألغيت موقوف موقوفة
		مخالفة مخالف نزاع متنازع ناقص ناقصة نقص محظور محظورة ممنوع ممنوعة احتيال إفلاس عجز تعثر إخفاق أخفق فشل فشلت تحفظ
		اعتراض إلا شريطة بشرط باستثناء بانتظار`)
	undone = tellingWords(`not no never neither nor none without cannot isn't wasn't hasn't haven't hadn't doesn't didn't yet لم لن
		لا ليس ليست غير بدون دون عدم ولم ولا`)
	done = tellingWords(`confirmed confirm confirmation approved approve approval verified verify verification signed signature
		received receipt completed complete paid payment delivered delivery met valid available authorised authorized
		licensed licence license insured agreed accepted accept settled resolved tested audited reconciled certified renewed
		disclosed provided guaranteed secured funded compliant comply complied permitted allowed
		يؤكد تؤكد مؤكد مؤكدة تأكيد يعتمد تعتمد معتمد معتمدة اعتماد يوقع توقع موقع موقعة توقيع يستلم تستلم استلام يسدد تسدد
		مسدد مسددة سداد يكتمل تكتمل مكتمل مكتملة اكتمال يجدد تجدد متاح متاحة متوفر متوفرة توفر صالح صالحة سار سارية مرخص
		مرخصة ترخيص يوافق توافق موافقة يتحقق مطابق مطابقة يطابق مغطى مغطاة مضمون مضمونة يجوز مسموح يسمح يثبت ثابت`)
)

// tellingWords returns words folded, and their stems where these still tell a word: of four letters at least.
func tellingWords(words string) map[string]bool {
	out := map[string]bool{}
	for _, t := range text.Tokens(words) {
		out[t.Norm] = true
		if text.Len(t.Stem) >= 4 {
			out[t.Stem] = true
		}
	}
	return out
}

// namedSources is how many sources a draft names at most, by how little room is left. The others are given by their
// references.
var namedSources = []int{40, 20, 10, 5}

// basis lists every source, what speaks against the decision first. named bounds how many are named with their content.
func (d drafter) basis(quote, named int) string {
	all := d.sources
	if len(all) == 0 {
		return d.t("no_sources")
	}
	lines := []string{}
	if all[0].stance < neutral {
		lines = append(lines, d.t("adverse_first"), "")
	}
	for i := range all[:min(named, len(all))] {
		lines = append(lines, d.source(&all[i], quote))
	}
	if rest := all[min(named, len(all)):]; len(rest) > 0 {
		refs := make([]string, len(rest))
		for i, s := range rest {
			refs[i] = "[" + Reference(s.at) + "]"
		}
		lines = append(lines, "- "+d.t("further_sources", "Refs", strings.Join(refs, d.t("refs_comma")))+".")
	}
	return strings.Join(lines, "\n")
}

// source is the line of one source: its name, its confidence, what is against it, its words.
func (d drafter) source(m *memoSource, quote int) string {
	s, says := &d.c.Sources[m.at], d.t("withheld")
	if !s.S3() {
		says = d.quote(s.Excerpt, 55*quote/100)
	}
	about := []string{percent(s.Confidence)}
	switch m.stance {
	case contradicts:
		about = append(about, d.contradicts(m.claims))
	case reserves:
		about = append(about, d.t("source_reserves"))
	case outdated:
		about = append(about, d.t("source_outdated"))
	case neutral:
	}
	return fmt.Sprintf("- **%s** (%s): %s [%s].", quoted(s.Source, 10), strings.Join(about, d.t("rules_comma")), says,
		Reference(m.at))
}

// NoSource is the mark behind a sentence of a memo that names no source.
const NoSource = "°"

// basis matches what a sentence of the memo may rest on: a source, a tool call or a claim of the pack.
var basis = regexp.MustCompile(`(?:^|[^\pL\pN])[ETC][1-9][0-9]{0,4}(?:$|[^\pL\pN])`)

// fewestWords is how many words a text has at least that states something.
const fewestWords = 4

// states reports whether a text is a sentence of its own, and not a heading or the beginning of a list.
func states(sentence string) bool {
	sentence = strings.TrimSpace(sentence)
	return Words(sentence) >= fewestWords && !strings.HasSuffix(sentence, ":") && !strings.HasSuffix(sentence, "?") &&
		!strings.HasSuffix(sentence, "؟")
}

// Unsourced returns where the plain words of a memo's paragraph have a sentence that names no source, tool call or
// claim, in code points. What the program itself drafted (AddSentences) is of the pack's own record and needs none; a part
// of such a sentence is a person's: without its other part it may say the opposite.
func Unsourced(paragraph string, drafted map[string]bool) (out []text.Span) {
	for _, s := range text.Sentences(paragraph) {
		sentence, rest := text.Slice(paragraph, s), text.Slice(paragraph, text.Span{Start: s.End, End: text.Len(paragraph)})
		if basis.MatchString(sentence) || strings.HasPrefix(strings.TrimSpace(rest), "[E") || !states(sentence) ||
			drafted[strings.TrimSpace(sentence)] {
			continue
		}
		s.End = s.Start + text.Len(strings.TrimRightFunc(sentence, unicode.IsSpace))
		out = append(out, s)
	}
	return out
}

// AddSentences adds the sentences of a paragraph that the program drafted.
func AddSentences(drafted map[string]bool, paragraph string) {
	for _, s := range text.Sentences(paragraph) {
		drafted[strings.TrimSpace(text.Slice(paragraph, s))] = true
	}
}
