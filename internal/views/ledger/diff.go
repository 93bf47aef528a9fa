package ledger

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// DiffView is the claim as it stands in the answer, and the sentences of its source, with what agrees and what differs.
type DiffView struct {
	Answer, Source DiffSide
	Pairs          []PairLine
	Standing       string   // the answer's own words, if the claim puts them otherwise
	Said, Notes    []string // what a reader must know of the claim, and of the passage
	Agrees         bool     // all that is listed is the same on both sides, although the verdict is not support
	found          judge.Contrast
}

// DiffSide is one of the two texts.
type DiffSide struct {
	Dir, Lang     string // of the text, not of the page
	Before, After string // the sentences around it, "" if none
	Runs          []DiffRun
	Mark          string // what ends the claim's sentence before After
	BreakBefore   bool   // Before stands on a line of its own
	BreakAfter    bool
	Table         *DiffTable // where it stands in a table, its rows; nil elsewhere
}

// DiffRun is a stretch of a side: plain, or one mark with the word that turns it round.
type DiffRun struct {
	Kind               judge.MarkKind // "" for plain
	N                  string         // number of its pair, "" if none
	Title              string
	Text, Turn, Behind string // Turn stands between Text and Behind
}

// isPlain reports whether a run looks like the words around it: the same words on both sides, and those that may decide,
// are marks that judges and PDF use.
func (r *DiffRun) isPlain() bool {
	return r.N == "" && (r.Kind == "" || r.Kind == judge.MarkSame || r.Kind == judge.MarkDecides)
}

// PairLine is one line between the two texts.
type PairLine struct {
	Kind           judge.MarkKind
	N, Icon, Word  string
	Answer, Source string // one may be ""
	None           string // said in the place of the empty one
	AnswerDir      string
	SourceDir      string
}

// diffIcons say without colour what a line is.
var diffIcons = map[judge.MarkKind]string{
	judge.MarkConflict: "✗", judge.MarkDiffers: "≠", judge.MarkEqual: "=", judge.MarkInstead: "≈", judge.MarkMissing: "○",
	judge.MarkSame: "=",
}

// diff sets the claim beside the passage of the match that is shown, and words why it has its verdict, by the one that
// decides.
func (v *ClaimView) diff(c *ui.Chrome, in *LedgerPart, e *ledger.Entry, column *ColumnInput) {
	shown, _ := ShownMatch(e, column.Passage)
	v.Diff = newDiff(c, in, e, shown)
	found := &v.Diff.found
	if found.Claim.Cut {
		v.Whole = v.Text
	}
	if e.Best != nil && shown != e.Best {
		_, passage := whereFound(in.Session, e.Best)
		best := contrast(in.Session, e.Claim, passage, e.Best)
		found = &best
	}
	v.Why = newWhy(c, &in.Page, in.Reader, e, found)
}

// newDiff sets a claim beside the passage of a match, nil for none.
func newDiff(c *ui.Chrome, in *LedgerPart, e *ledger.Entry, shown *ledger.Match) *DiffView {
	claim := e.Claim
	d, m, lang, passage := &DiffView{}, ledger.Match{}, "", ""
	d.inAnswer(c, in, claim)
	if shown != nil {
		m, passage = whereFound(in.Session, shown)
		if passage != "" && m.Quote != shown.Quote {
			d.Notes = append(d.Notes, c.T("diff_snippet_only"))
		}
		if doc := in.Session.Document(m.Chunk.Document); doc != nil {
			lang = doc.Lang
		}
	}
	x := contrast(in.Session, claim, passage, &m)
	d.found = x
	if len(x.Pairs) == 0 && e.Verdict != ledger.Supported { // then the reader looks for where the passage says it
		x.Claim.Marks, x.Source.Marks = agreed(&x.Claim), agreed(&x.Source)
	}
	d.Answer.Dir, d.Answer.Lang = direction(claim.Text, in.Answer.Text), language(in.Session.Lang, claim.Text)
	d.Answer.fill(c, text.NewRuler(claim.Text), &x.Claim, x.Pairs, "diff_in_source")
	if x.Claim.Cut {
		d.Said = append(d.Said,
			c.T("diff_claim_cut", "N", c.Num(x.Claim.Core.Len()), "Of", c.Num(text.Len(claim.Text))))
	}
	if passage == "" {
		if claim.Unjudged == "" { // its figures stand alone
			d.lines(c, &x)
		} else {
			d.unread(in.Session, claim)
		}
		return d
	}
	d.Source.Dir, d.Source.Lang = direction(passage, passage), language(lang, passage)
	reads := in.Session.Document(m.Chunk.Document).Slicer(passage)
	d.Source.fill(c, reads, &x.Source, x.Pairs, "diff_in_answer")
	d.Source.context(passage, reads, &x.Source)
	d.Source.table(c, in.Session, &m, passage, &x.Source, x.Pairs)
	d.lines(c, &x)
	d.Agrees = e.Verdict != ledger.Supported && !e.Unjudged() && d.agrees()
	if x.Apart {
		d.Notes = append(d.Notes, c.T("diff_apart"))
	}
	return d
}

// agrees reports whether all that is listed is the same on both sides.
func (d *DiffView) agrees() bool {
	return len(d.Pairs) > 0 && !slices.ContainsFunc(d.Pairs, func(p PairLine) bool {
		return p.Kind != judge.MarkSame && p.Kind != judge.MarkEqual
	})
}

// agreed are the marks of a side, with those of the figures that both sides have in place of the words around them.
func agreed(s *judge.Side) []judge.Mark {
	out := slices.DeleteFunc(slices.Clone(s.Marks), func(m judge.Mark) bool {
		return slices.ContainsFunc(s.Agreed, func(sp text.Span) bool { return overlaps(m.Span, sp) })
	})
	for _, sp := range s.Agreed {
		if !slices.ContainsFunc(out, func(m judge.Mark) bool { return overlaps(m.Span, sp) }) {
			out = append(out, judge.Mark{Span: sp, Kind: judge.MarkEqual})
		}
	}
	slices.SortFunc(out, func(a, b judge.Mark) int { return a.Start - b.Start })
	return out
}

// unread shows the passage that an unjudged claim cites, beside which nothing was set.
func (d *DiffView) unread(s *ledger.Session, claim *ledger.Claim) {
	ref := claim.UnreadPassage()
	if ref == nil || s.Chunk(*ref) == nil {
		return
	}
	doc := s.Document(ref.Document)
	words := cut(doc.Shown(s.Chunk(*ref).Text), maxUnread)
	d.Source.Dir, d.Source.Lang, d.Source.Runs = direction(words, words), language(doc.Lang, words), []DiffRun{{Text: words}}
}

// maxUnread bounds a passage that nobody compared, in code points.
const maxUnread = 600

// contrast sets a claim beside the passage of a match. The passage's words are as a reader sees them.
func contrast(s *ledger.Session, claim *ledger.Claim, passage string, m *ledger.Match) judge.Contrast {
	x, d := judge.NewContrast(claim.Text, passage, m), s.Document(m.Chunk.Document)
	for _, list := range [][]judge.Pair{x.Pairs, x.Figures} {
		for i := range list {
			list[i].Source = d.Shown(list[i].Source)
		}
	}
	return x
}

// whereFound is a match with the text that it is in. Where only the match's own words are stored, these are the text.
func whereFound(s *ledger.Session, shown *ledger.Match) (m ledger.Match, passage string) {
	if ch := s.Chunk(shown.Chunk); ch != nil && ch.Text != "" {
		return *shown, ch.Text
	}
	m = *shown
	m.Quote = text.Placement{Kind: text.Exact, Span: text.Span{End: text.Len(m.Snippet)}}
	return m, m.Snippet
}

// direction is that of a text by its own letters or, where it has none, of the column that it stands in.
func direction(words, column string) string {
	if strings.ContainsFunc(words, unicode.IsLetter) {
		return say.Dir(words)
	}
	return say.DirOf(column)
}

// context takes over the sentences around the core of a passage.
func (s *DiffSide) context(passage string, shown text.Slicer, side *judge.Side) {
	ruler := text.NewRuler(passage)
	s.Before, s.After = shown.Slice(side.Before), shown.Slice(side.After)
	s.BreakBefore = strings.Contains(ruler.Slice(text.Span{Start: side.Before.End, End: side.Core.Start}), "\n")
	s.BreakAfter = strings.Contains(ruler.Slice(text.Span{Start: side.Core.End, End: side.After.Start}), "\n")
}

// language is that of a text for the browser, "" if unknown: a tag that goes with its letters, else by these.
func language(tag, words string) string {
	base, _, _ := strings.Cut(tag, "-")
	arabic := base == "ar" || base == "fa" || base == "ur"
	switch say.Dir(text.Slice(words, text.Span{End: maxListed})) {
	case "rtl":
		if arabic {
			return tag
		}
		return text.Language(words)
	}
	if arabic || tag == "" {
		return text.Language(words)
	}
	return tag
}

// fill cuts a side into runs, with a sign where something of the same sentence is left out. other is the message that
// says what stands on the other side.
func (s *DiffSide) fill(c *ui.Chrome, whole text.Slicer, side *judge.Side, pairs []judge.Pair, other string) {
	s.Runs = diffRuns(c, whole, side.Core, side.Marks, pairs, other)
	if !side.Cut || len(s.Runs) == 0 {
		return
	}
	if side.Core.Start > 0 {
		s.Runs = slices.Insert(s.Runs, 0, DiffRun{Text: "… "})
	}
	if side.Core.End < whole.Len() {
		s.Runs = append(s.Runs, DiffRun{Text: " …"})
	}
}

// diffTitle says what a mark's words stand against.
func diffTitle(c *ui.Chrome, kind judge.MarkKind, p judge.Pair, other string) string {
	words := p.Source
	if other == "diff_in_answer" {
		words = p.Claim
	}
	if words == "" {
		return c.T("diff_" + string(kind))
	}
	return c.T("diff_"+string(kind)) + " · " + c.T(other, "Words", say.Isolated(cut(words, maxListed)))
}

// lines lists the pairs, the figures that stand in none, what is missing, and what stands elsewhere in the passage.
func (d *DiffView) lines(c *ui.Chrome, x *judge.Contrast) {
	add := func(p judge.Pair, n string) {
		d.Pairs = append(d.Pairs, PairLine{Kind: p.Kind, N: n, Icon: diffIcons[p.Kind], Word: c.T("diff_" + string(p.Kind)),
			Answer: cut(p.Claim, maxListed), Source: cut(p.Source, maxListed), None: c.T("diff_nothing"),
			AnswerDir: d.Answer.Dir, SourceDir: d.Source.Dir})
	}
	for i, p := range x.Pairs {
		add(p, c.Num(i+1))
	}
	for _, p := range x.Figures {
		if !slices.Contains(x.Pairs, p) && !missed(x.Missing, p) {
			add(p, "")
		}
	}
	if len(x.Missing) > 0 {
		missing := make([]string, len(x.Missing))
		for i, w := range x.Missing {
			missing[i] = cut(w, maxListed)
		}
		add(judge.Pair{Kind: judge.MarkMissing, Claim: strings.Join(missing, " · ")}, "")
	}
	if len(x.Elsewhere) > 0 {
		d.Notes = append(d.Notes, c.T("diff_elsewhere", "Words", quoted(c, x.Elsewhere)))
	}
}

// missed reports whether a figure that the passage lacks is among the words that are said to be missing.
func missed(missing []string, p judge.Pair) bool {
	return p.Kind == judge.MarkMissing && slices.ContainsFunc(missing, func(w string) bool {
		return strings.Contains(w, p.Claim)
	})
}

// maxAround bounds what is shown of the answer on each side of a claim, in code points: about two lines of the evidence
// column, which has to show the claim, its passage and the decision at once.
const maxAround = 110

// maxStanding bounds the claim's own words in the answer where they differ from its text, in code points.
const maxStanding = 480

// inAnswer finds the claim in the answer as people read it, without Markdown, and the sentences before and after.
func (d *DiffView) inAnswer(c *ui.Chrome, in *LedgerPart, claim *ledger.Claim) {
	a := in.Answer
	if claim.Span == nil {
		if a.Length > 0 {
			d.Said = append(d.Said, c.T("diff_not_in_answer"))
		}
		return
	}
	if claim.Span.Start < a.Start || claim.Span.End > a.Start+text.Len(a.Text) {
		return // the answer is long, and another part of it is loaded
	}
	mark := &ui.AnswerClaim{}
	blocks := in.answer().Blocks(a.Start, []ledger.AnswerMark{{Position: claim.Position, Span: *claim.Span}},
		func(ledger.AnswerMark) *ui.AnswerClaim { return mark }, func(string) *ui.AnswerCite { return &ui.AnswerCite{} })
	said := d.Answer.around(blocks)
	if bare(said) != bare(claim.Text) && strings.TrimSpace(said) != "" {
		d.Standing = cut(strings.TrimSpace(said), maxStanding)
	}
}

// around finds what stands before and after the claim: in its own block or, where it fills that, in the one beside it.
// It returns the claim's own words.
func (s *DiffSide) around(blocks []ui.AnswerBlock) (said string) {
	first, last, before, after := -1, -1, "", ""
	for i := range blocks {
		pre, in, post := runsAround(blocks[i].Runs)
		if in == "" {
			continue
		}
		if first < 0 {
			first, before = i, pre
		}
		last, after = i, post
		said = strings.TrimSpace(said + " " + in)
	}
	if first < 0 {
		return ""
	}
	if s.BreakBefore = before == "" && first > 0 && blocks[first-1].Kind != "h"; s.BreakBefore {
		before = blockText(&blocks[first-1])
	}
	if s.BreakAfter = strings.Trim(after, sentenceMarks) == "" && last+1 < len(blocks) && blocks[last+1].Kind != "h"; s.BreakAfter {
		s.Mark, after = strings.TrimSpace(after), blockText(&blocks[last+1])
	}
	s.Before, s.After = lastSentence(before), firstSentence(after)
	return said
}

// sentenceMarks are what may stand between two sentences.
const sentenceMarks = ".!?؟۔ "

// runsAround splits the text of a block at its claim; in is "" if the claim is not in it.
func runsAround(runs []ui.AnswerRun) (pre, in, post string) {
	first, end := -1, 0 // the claim is in runs[first:end]
	for i := range runs {
		if runs[i].Claim == nil {
			continue
		}
		if end = i + 1; first < 0 {
			first = i
		}
	}
	if first < 0 {
		return "", "", ""
	}
	return tidy(runsText(runs[:first])), strings.TrimSpace(runsText(runs[first:end])),
		strings.TrimRight(spaced.ReplaceAllString(runsText(runs[end:]), "$1"), " \n·") // · stands before an empty cell
}

// runsText is the text of runs.
func runsText(runs []ui.AnswerRun) string {
	if len(runs) == 1 {
		return runs[0].Text
	}
	var out strings.Builder
	for i := range runs {
		out.WriteString(runs[i].Text)
	}
	return out.String()
}

// spaced is the space that a citation leaves before a mark.
var spaced = regexp.MustCompile(`\s+([.,;:!?،؛؟])`)

func tidy(s string) string { return strings.TrimSpace(spaced.ReplaceAllString(s, "$1")) }

func blockText(b *ui.AnswerBlock) string { return tidy(runsText(b.Runs)) }

// lastSentence is the last sentence of a text, or its last words.
func lastSentence(s string) string {
	if n := text.Len(s); n > 8*maxAround {
		s = text.Slice(s, text.Span{Start: n - 8*maxAround, End: n})
	}
	if list := text.Sentences(s); len(list) > 0 {
		s = text.Slice(s, list[len(list)-1])
	}
	if n := text.Len(s); n > maxAround {
		s = text.Slice(s, text.Span{Start: n - maxAround, End: n})
		if _, whole, ok := strings.Cut(s, " "); ok { // from a whole word on
			s = whole
		}
		s = "…" + s
	}
	return s
}

// firstSentence is what ends the claim's own sentence and the first sentence after it, or its first words.
func firstSentence(s string) string {
	s = text.Slice(s, text.Span{End: 8 * maxAround})
	rest := strings.TrimLeft(s, sentenceMarks)
	if first := text.FirstSentence(rest); first.Len() > 0 {
		s = s[:len(s)-len(rest)] + text.Slice(rest, text.Span{End: first.End})
	}
	return cut(strings.TrimRight(s, " \n"), maxAround)
}

// bare is a sentence as the answer's words and the claim's are compared.
func bare(s string) string {
	return strings.Trim(text.Fold(strings.Join(strings.Fields(s), " ")), " .!?:;,\"'")
}

// label names the source; where sentences around the passage stand beside it, what their gray is.
func (s *DiffSide) label() string {
	if s.Before+s.After != "" {
		return "diff_source_around"
	}
	return "diff_source"
}

// behind is what stands between the core and the sentence after it, which is on the same line: a comma or a full stop
// stays where it is.
func (s *DiffSide) behind() string {
	if s.After == "" || s.BreakAfter || strings.ContainsRune(".,;:!?،؛؟", firstRune(s.After)) {
		return s.Mark
	}
	return s.Mark + " "
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}
