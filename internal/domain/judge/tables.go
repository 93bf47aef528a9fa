package judge

import (
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/domain/text/quantity"
	"sanad/internal/words"
)

// A claim about a table is read against one row: its first cell, and the cells under the heads that the claim speaks
// of, each after its head: "Card Gold, Fee 2024: 25 dinars". A number elsewhere in the table then neither supports the
// claim nor hides that the cell says another.

// rowOf is where the words of a chunk that is made of a row stand.
type rowOf struct {
	chunk *chunk
	span  text.Span // of the row
}

// readTable reads the claim against the row that it speaks of, if there is one and prose, the best window of the
// chunk's own sentences, does not follow the claim more closely.
func (x *Index) readTable(q *query, c *chunk, prose *window) []window {
	var best *chunk
	score := 0.0
	for i := range c.grids {
		g := &c.grids[i]
		heads := x.headsOf(q, g)
		row, s := x.rowFor(q, c, g)
		if row < 0 || s <= score {
			continue
		}
		if made := x.rowText(q, c, g, heads, row); made != "" {
			best, score = x.made(made, &rowOf{c, g.Rows[row].Span}), s
		}
	}
	if best == nil {
		return nil
	}
	rows := readSentences(q, best)
	for i := range rows {
		rows[i].impliedVerbs()
		rows[i].findFree()
	}
	if len(rows) == 0 || !inGrid(c, prose) && bestWindow(rows).words() <= prose.words() {
		return nil
	}
	return rows
}

// tellRows notes the windows that are rows of a table whose first cells have no word of the claim, where that of
// another row with the same heads has one: the claim is not about them.
func (x *Index) tellRows(q *query, sights []sight) {
	type read struct {
		heads string
		named bool
	}
	rows := map[int]read{}
	named := map[string]bool{}
	for i := range sights {
		g, row := x.rowAt(sights[i].chunk, sights[i].window.Span)
		if row == nil || len(row.Cells) == 0 || len(g.Heads()) == 0 {
			continue
		}
		r := read{heads: strings.Join(g.Heads(), "|")}
		for t, found := range q.foundIn(&x.chunks[sights[i].chunk], row.Cells[0].Span, false) {
			r.named = r.named || found > 0 && !generic()[q.terms[t].Stem]
		}
		named[r.heads] = named[r.heads] || r.named
		rows[i] = r
	}
	for i, r := range rows {
		sights[i].other = !r.named && named[r.heads]
	}
}

// rowAt returns the row of a table of a chunk that has a span, nil if none has.
func (x *Index) rowAt(chunk int, span text.Span) (*ledger.Grid, *ledger.GridRow) {
	for i := range x.chunks[chunk].grids {
		g := &x.chunks[chunk].grids[i]
		for k := range g.Rows {
			if g.Rows[k].Span == span {
				return g, &g.Rows[k]
			}
		}
	}
	return nil, nil
}

// isRowOnly reports whether a window is of a table but was not read as a row that the claim names: it cannot
// contradict.
func (w *window) isRowOnly() bool {
	return w.chunk.row == nil && len(w.chunk.grids) > 0 && inGrid(w.chunk, w)
}

// inGrid reports whether a window touches a table.
func inGrid(c *chunk, w *window) bool {
	span := w.span()
	for i := range c.grids {
		if g := &c.grids[i]; span.Start < g.Span.End && g.Span.Start < span.End {
			return true
		}
	}
	return false
}

// words is the window's coverage of the claim's terms that are no quantities.
func (w window) words() float64 {
	rest, _ := w.rest(func(t *term) bool { return t.quantity >= 0 })
	return rest
}

// headsOf returns for each head of a table how well it has the claim's terms.
func (x *Index) headsOf(q *query, g *ledger.Grid) [][]float64 {
	var out [][]float64
	for _, h := range g.Heads() {
		c := x.made(h, nil)
		out = append(out, q.foundIn(c, text.Span{End: c.ruler.Len()}, true))
	}
	return out
}

// foundIn returns how well a part of a chunk has the claim's terms, its quantities only if numbers is set.
func (q *query) foundIn(c *chunk, span text.Span, numbers bool) []float64 {
	out := make([]float64, len(q.terms))
	for i := range c.tokens {
		t := &c.tokens[i]
		if t.Start < span.Start || t.Start >= span.End {
			continue
		}
		for _, h := range q.hits(t.word) {
			if (numbers || q.terms[h.term].quantity < 0) && !q.refutes(h.term, c.quantities, t.Start) {
				out[h.term] = math.Max(out[h.term], h.value)
			}
		}
	}
	if !numbers {
		return out
	}
	for _, i := range q.numbers {
		for _, e := range c.quantities {
			if e.Start >= span.Start && e.Start < span.End {
				out[i] = math.Max(out[i], q.meets(q.terms[i].quantity, e))
			}
		}
	}
	return out
}

// numberHint is what a number of the claim counts for finding its row, where rows are alike otherwise.
const numberHint = 1e-3

// rowFor returns the row that has most of the claim's words, -1 if the claim has no word by which it can be told from
// the others. Numbers count in the first cell alone: elsewhere they are what the claim may have wrong.
func (x *Index) rowFor(q *query, c *chunk, g *ledger.Grid) (row int, score float64) {
	row = -1
	least := math.Inf(1)
	hint := 0.0
	for i := range g.Rows {
		r := &g.Rows[i]
		if isGroup(r) {
			continue
		}
		s, n := 0.0, 0.0
		all := q.foundIn(c, r.Span, true)
		words := q.foundIn(c, r.Span, false)
		var first []float64
		if len(r.Cells) > 0 {
			first = q.foundIn(c, r.Cells[0].Span, true)
		}
		if k := groupOf(g, i); k >= 0 {
			raise(words, q.foundIn(c, g.Rows[k].Span, true))
		}
		for t := range q.terms {
			s += float64(q.terms[t].weight * math.Max(words[t], first[t]))
			if q.terms[t].quantity >= 0 {
				n += float64(q.terms[t].weight * all[t])
			}
		}
		least = math.Min(least, s)
		if s > score+1e-9 || s > score-1e-9 && s > 0 && n > hint+1e-9 {
			row, score, hint = i, s, n
		}
	}
	if row >= 0 && len(g.Rows) > 1 && score <= least+1e-9 {
		return -1, 0
	}
	return row, score + float64(numberHint*hint)
}

// isGroup reports whether a row has but one cell with words, the first: it names the rows below it.
func isGroup(r *ledger.GridRow) bool {
	for i, c := range r.Cells {
		if (c.Text == "") != (i > 0) {
			return false
		}
	}
	return len(r.Cells) > 1
}

// groupOf returns the row that names the group of row i, -1 if none.
func groupOf(g *ledger.Grid, i int) int {
	for k := i - 1; k >= 0; k-- {
		if isGroup(&g.Rows[k]) {
			return k
		}
	}
	return -1
}

// rowText writes a row as a sentence of the cells that the claim speaks of; "" if it speaks of none.
func (x *Index) rowText(q *query, c *chunk, g *ledger.Grid, heads [][]float64, row int) string {
	r := &g.Rows[row]
	names := g.Heads()
	if len(r.Cells) < 2 {
		return ""
	}
	covered := q.foundIn(c, r.Cells[0].Span, true)
	if len(heads) > 0 {
		raise(covered, heads[0])
	}
	var lead []string
	if k := groupOf(g, row); k >= 0 {
		raise(covered, q.foundIn(c, g.Rows[k].Span, true))
		lead = append(lead, g.Rows[k].Cells[0].Text)
	}
	chosen := chooseCells(q, c, r, names, heads, covered)
	if len(chosen) == 0 {
		return ""
	}
	if g.Caption.Len() > 0 {
		if found := q.foundIn(c, g.Caption, true); q.gain(found, covered) > 0 {
			lead = append([]string{c.ruler.Slice(g.Caption)}, lead...)
		}
	}
	head := func(i int) string {
		if i < len(names) {
			return names[i]
		}
		return ""
	}
	lead = append(lead, strings.TrimSpace(head(0)+" "+r.Cells[0].Text))
	var cells []string
	for _, i := range chosen {
		cells = append(cells, headedCell(head(i), r.Cells[i].Text))
	}
	return strings.Join(lead, ", ") + ", " + strings.Join(cells, "; ")
}

// chooseCells returns the cells whose heads or words say most of the claim that covered does not have yet, in their
// order; the one there is, if there is but one. covered is raised by what they have.
func chooseCells(q *query, c *chunk, r *ledger.GridRow, names []string, heads [][]float64, covered []float64) []int {
	chosen, rate, free := make([]bool, len(r.Cells)), rateOf(q.text) != "", isFree(q.meaning.tokens)
	for {
		best, most, hint := -1, 1e-9, 0.0
		var has []float64
		for i := 1; i < len(r.Cells); i++ {
			if chosen[i] || r.Cells[i].Text == "" {
				continue
			}
			found := q.foundIn(c, r.Cells[i].Span, false)
			if i < len(heads) {
				raise(found, heads[i])
			}
			gain := q.gain(found, covered)
			if rate && rateOf(c.ruler.Slice(r.Cells[i].Span)) != "" {
				gain += rateGain
			}
			if free && i < len(names) && isNothing(headedCell(names[i], r.Cells[i].Text)) {
				gain += rateGain
			}
			n := q.gain(q.foundIn(c, r.Cells[i].Span, true), covered)
			if gain > most+1e-9 || gain > most-1e-9 && n > hint+1e-9 {
				best, most, hint, has = i, gain, n, found
			}
		}
		if best < 0 {
			break
		}
		chosen[best] = true
		raise(covered, has)
	}
	var out []int
	for i, ok := range chosen {
		if ok {
			out = append(out, i)
		}
	}
	if len(out) == 0 && len(r.Cells) == 2 && r.Cells[1].Text != "" {
		out = []int{1}
	}
	return out
}

// isNothing reports whether the only money in a text is an amount of 0.
func isNothing(s string) bool {
	money := slices.DeleteFunc(quantity.Read(s), func(q quantity.Quantity) bool { return !q.IsMoney() })
	return len(money) == 1 && money[0].Value.IsZero()
}

// isFreeRow reports whether the window is a row with a price of 0 and the claim says that it is free.
func (r *reading) isFreeRow() bool {
	w := &r.best
	return w.chunk.row != nil && isFree(w.query.meaning.tokens) && !w.query.meaning.any(opNot) && isNothing(w.chunk.text)
}

// findFree finds the claim's words that something is free in a row with a price of 0.
func (w *window) findFree() {
	if !isFree(w.query.meaning.tokens) || !isNothing(w.chunk.text) {
		return
	}
	for i := range w.query.terms {
		if t := &w.query.terms[i]; freeStems()[t.Stem] {
			w.found[i] = sameWord
		}
	}
	w.measure()
}

// freeStems are the words of freeOfCharge.
var freeStems = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for _, phrase := range freeOfCharge {
		for _, t := range text.Tokens(phrase) {
			out[t.Stem] = true
		}
	}
	return out
})

// rateGain is what a cell like "per year" counts for a claim that says per what, whatever that is, and a price of 0 for
// one that says that something is free.
const rateGain = 0.01

// ratePattern is a rate in an English or Arabic text: "per year".
var ratePattern = regexp.MustCompile(`(?i)(?:^|\s)(per|each|every|لكل|كل)\s+(\p{L}+)`)

// rateOf is what a text says something is counted for: "per year"; "" if it does not say.
func rateOf(s string) string {
	return strings.TrimSpace(ratePattern.FindString(s))
}

// rates looks in a row for another rate than the claim's: "per year" for "per term".
func (c *comparer) rates() {
	w := c.window
	mine, theirs := rateOf(w.query.text), rateOf(w.chunk.text)
	if w.chunk.row == nil || mine == "" || theirs == "" {
		return
	}
	what := func(rate string) string {
		tokens := text.Tokens(rate)
		return tokens[len(tokens)-1].Stem
	}
	if what(mine) != what(theirs) {
		c.out.counterpart = ledger.Conflict{Kind: "entity", Claim: mine, Evidence: theirs}
	}
}

// cellDenies reports whether the window is a row of which a cell says no to a word of the claim, which negates nothing
// and has the rest from the row.
func (r *reading) cellDenies() bool {
	w, q := &r.best, r.best.query
	if w.chunk.row == nil || q.negated || q.meaning.limits() || w.coverage < closeMark {
		return false
	}
	m := w.meaning()
	for i := range m.tokens {
		if m.ops[i] == opNot && w.from()+i+1 < w.to() && len(q.hits(w.chunk.tokens[w.from()+i+1].word)) > 0 &&
			(m.tokens[i].Norm == "not" || m.tokens[i].Norm == "غير") {
			return true
		}
	}
	return false
}

// gain is the weight of the claim's terms that found has better than covered.
func (q *query) gain(found, covered []float64) float64 {
	sum := 0.0
	for i, f := range found {
		sum += float64(q.terms[i].weight * math.Max(0, f-covered[i]))
	}
	return sum
}

// Cells that say no, and heads of which they say it: what is "refundable" or "covered by insurance".
var (
	noCells   = text.FoldAll(`no`, `not`, `لا`, `كلا`)
	deniables = regexp.MustCompile(`(?i)^(\p{L}+(?:able|ible)|covered|included|required|allowed|permitted|insured|taxed|` +
		`taxable|mandatory|optional|open|available|قابل|قابلة|مشمول|مشمولة|متاح|متاحة|مطلوب|مطلوبة|إلزامي|إلزامية|مسموح|` +
		`مسترد|مستردة|خاضع|خاضعة)(?:\s|$)`)
)

// deniedHead writes a cell that says no as what it says: "not refundable"; "" where the head is no such word.
func deniedHead(head, cell string) string {
	if !slices.Contains(noCells, text.Fold(strings.TrimSpace(cell))) || !deniables.MatchString(strings.TrimSpace(head)) {
		return ""
	}
	if text.Script(head) == "ar" {
		return "غير " + strings.TrimSpace(head)
	}
	return "not " + strings.ToLower(strings.TrimSpace(head))
}

// headedCell writes a cell after its head; a bare number takes the head's unit along.
func headedCell(head, cell string) string {
	if denied := deniedHead(head, cell); denied != "" {
		return denied
	}
	if unit, word := unitOf(head, cell); unit != "" {
		cell += " " + unit
		head = strings.ReplaceAll(head, "("+word+")", "") // "2024 (dinars)" is no amount
	}
	if head = strings.TrimSpace(head); head == "" {
		return cell
	}
	return head + ": " + cell
}

// unitOf returns the unit of a bare number below a head, and the head's word that says it; "" if none.
func unitOf(head, cell string) (unit, word string) {
	if !strings.ContainsFunc(cell, unicode.IsDigit) || strings.ContainsFunc(cell, text.HasUnit) {
		return "", ""
	}
	if q := quantity.Read(cell); len(q) != 1 || q[0].Kind != quantity.Amount || text.IsYear(q[0].Value.Float()) &&
		!strings.ContainsAny(cell, ",.") {
		return "", ""
	}
	words := strings.FieldsFunc(head, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune("()[]:,،/", r)
	})
	for i := len(words) - 1; i >= 0; i-- {
		if i > 0 && rateWords[strings.ToLower(words[i-1])] {
			continue
		}
		for _, w := range []string{words[i], strings.TrimPrefix(words[i], "بال"), strings.TrimPrefix(words[i], "ب"),
			strings.TrimPrefix(words[i], "ال")} {
			if q := quantity.Read("7 " + w); len(q) == 1 && q[0].Unit != "" && q[0].Len() == text.Len("7 "+w) {
				return w, words[i]
			}
		}
	}
	return "", ""
}

// rateWords stand before what a figure is divided by: "ships per day" are no days.
var rateWords = wordSet("per each every a an في لكل كل بكل")

// tableVerbs say that something has a value, which a table says by its lines.
var tableVerbs = wordSet(`cost costs amount amounts amounted total totals totalled totaled reach reaches reached stand
	stands stood count counts counted number numbers numbered record records recorded register registers registered
	report reports reported equal equals equalled show shows showed list lists listed set sets priced measure measures
	measured comprise comprises comprised contain contains contained valued rated
	بلغ بلغت يبلغ تبلغ سجل سجلت يسجل تسجل وصل وصلت يصل تصل ساوي يساوي تساوي كلف يكلف تكلف ضم ضمت يضم تضم يعادل تعادل قدر
	يقدر تقدر حدد حددت يحدد تحدد`)

// impliedVerbs finds the claim's verbs that a row leaves out.
func (w *window) impliedVerbs() {
	for i := range w.query.terms {
		if t := &w.query.terms[i]; w.found[i] == 0 && t.quantity < 0 && !t.name && tableVerbs[t.Norm] {
			w.found[i] = sameWord
		}
	}
	w.measure()
}

// made analyses words that stand in no chunk as they are.
func (x *Index) made(s string, row *rowOf) *chunk {
	c := &chunk{text: s, ruler: text.NewRuler(s), row: row}
	if row != nil {
		c.ref = row.chunk.ref
	}
	tokens := text.Tokens(s)
	found := quantity.ReadTokens(s, tokens)
	for k := range tokens {
		word, ok := x.ids[tokens[k].Stem]
		if !ok {
			word = x.unknown
		}
		c.tokens = append(c.tokens, token{Token: tokens[k], word: word, sense: senseOf(tokens, k)})
	}
	for k, g := range gapMarks(s, len(c.tokens), func(k int) text.Span { return c.tokens[k].Span }) {
		c.tokens[k].gap = g
	}
	each := func(k int) *text.Token { return &c.tokens[k].Token }
	c.figures, c.dates = found, quantity.Dates(found)
	c.quantities = amounts(found, len(c.tokens), each)
	c.cut()
	return c
}

// asWritten returns a conflict with the source's words as they are in the row: without the unit of its head.
func (c *chunk) asWritten(conflict ledger.Conflict) ledger.Conflict {
	if c.row == nil {
		return conflict
	}
	row := c.row.chunk.ruler.Slice(c.row.span)
	if isNegator(conflict.Evidence) && !strings.Contains(row, conflict.Evidence) { // "not refundable" is the cell "no"
		for _, cell := range strings.Split(row, "|") {
			if slices.Contains(noCells, text.Fold(strings.TrimSpace(cell))) {
				conflict.Evidence = strings.TrimSpace(cell)
			}
		}
	}
	words := strings.Fields(conflict.Evidence)
	for n := len(words); n > 0; n-- {
		if s := strings.Join(words[:n], " "); strings.Contains(row, s) {
			conflict.Evidence = s
			break
		}
	}
	return conflict
}

// cell is where a token is in a table of the text; the zero cell is outside of tables.
type cell struct {
	table  int // 1 for the first
	row    int // 0 for the head
	column int
}

// cells returns the cell of each token of the window. A line with a bar in it is a table's row ("a | b" or "| a | b
// |"); tables end at the first other line.
func (w *window) cells() []cell {
	tokens := w.chunk.tokens[w.from():w.to()]
	if !strings.Contains(w.chunk.text, "|") {
		return nil
	}
	out := make([]cell, len(tokens))
	at, next, tables, row := 0, 0, 0, -1
	for line := range strings.SplitSeq(w.chunk.text, "\n") {
		inner := strings.TrimPrefix(strings.TrimSpace(line), "|")
		switch {
		case !strings.Contains(inner, "|"):
			row = -1
		case strings.Trim(inner, "|-: \t") != "": // no rule between head and body
			if row++; row == 0 {
				tables++
			}
		}
		column := 0
		if row >= 0 && strings.HasPrefix(strings.TrimSpace(line), "|") {
			column = -1
		}
		for _, r := range line {
			for next < len(tokens) && tokens[next].Start < at {
				next++
			}
			switch {
			case r == '|':
				column++
			case next < len(tokens) && tokens[next].Start == at && row >= 0:
				out[next] = cell{table: tables, row: row, column: column}
			}
			at++
		}
		at++ // the line break
	}
	return out
}

// otherCell reports whether the window gathers the claim from different rows of a table, or finds a number of it in
// another column than the one that the claim speaks of.
func (w *window) otherCell() bool {
	cells := w.cells()
	where := make([][]cell, len(w.query.terms)) // of each term, all places
	tabled := false
	for k, c := range cells {
		tabled = tabled || c.row > 0
		for _, i := range w.termsAt(w.from() + k) {
			where[i] = append(where[i], c)
		}
	}
	if !tabled {
		return false
	}
	for _, c := range cells {
		if c.row > 0 && w.rowHolds(where, c) && w.columnsAgree(where, c) {
			return false
		}
	}
	for _, places := range where {
		if inBody(places) {
			return true
		}
	}
	return false // the table has nothing of the claim that is not said beside it
}

// inBody reports whether a term is in rows of tables only, heads apart.
func inBody(places []cell) bool {
	for _, c := range places {
		if c.row == 0 {
			return false
		}
	}
	return len(places) > 0
}

// termsAt lists the claim's terms that a token of the chunk stands for.
func (w *window) termsAt(k int) (out []int) {
	t, quantities := &w.chunk.tokens[k], w.chunk.quantities
	for _, h := range w.query.hits(t.word) {
		if !w.query.refutes(h.term, quantities, t.Start) {
			out = append(out, h.term)
		}
	}
	if e := quantityOf(quantities, t.Start); e >= 0 {
		for _, i := range w.query.numbers {
			if w.query.meets(w.query.terms[i].quantity, quantities[e]) > 0 {
				out = append(out, i)
			}
		}
	}
	return out
}

// rowHolds reports whether a row has all terms of the claim that are in rows only.
func (w *window) rowHolds(where [][]cell, row cell) bool {
	for _, places := range where {
		if inBody(places) && !inRow(places, row) {
			return false
		}
	}
	return true
}

func inRow(places []cell, row cell) bool {
	for _, c := range places {
		if c.table == row.table && c.row == row.row {
			return true
		}
	}
	return false
}

// columnsAgree reports whether each number of the claim that a row has is under a head that says as much of the
// claim as any other head does, apart from those over the claim's other numbers.
func (w *window) columnsAgree(where [][]cell, row cell) bool {
	heads := map[int]float64{} // column → weight of the claim's terms in its head
	for i, places := range where {
		seen := map[int]bool{}
		for _, c := range places {
			if c.table == row.table && c.row == 0 && !seen[c.column] {
				seen[c.column] = true
				heads[c.column] += w.query.terms[i].weight
			}
		}
	}
	taken, best := map[int]bool{}, 0.0
	for _, i := range w.query.numbers {
		for _, c := range where[i] {
			taken[c.column] = taken[c.column] || c.table == row.table && c.row == row.row
		}
	}
	for column, weight := range heads {
		if column > 0 && !taken[column] {
			best = math.Max(best, weight)
		}
	}
	for _, i := range w.query.numbers {
		if !inBody(where[i]) {
			continue
		}
		agrees := false
		for _, c := range where[i] {
			agrees = agrees || c.table == row.table && c.row == row.row && (c.column == 0 || heads[c.column] >= best)
		}
		if !agrees {
			return false
		}
	}
	return true
}

// otherHead finds a value of the claim, a row of an answer's table ("Fee: 120 2023; 100 2024"), that the source's row
// has another one for under the same head. nil if it has none, or if a word of the claim's first cell is not in the
// row.
func (w *window) otherHead() *contradiction {
	label, cells, found := strings.Cut(w.query.text, ": ")
	if w.chunk.row == nil || !found || !strings.Contains(cells, ";") {
		return nil
	}
	end := text.Len(label)
	for i := range w.query.terms {
		if t := &w.query.terms[i]; t.End <= end && w.found[i] == 0 {
			return nil
		}
	}
	row, claim := w.chunk.text, byHead(cells)
	if at := strings.Index(row, ": "); at >= 0 {
		row = row[strings.LastIndex(row[:at], ", ")+1:]
	}
	theirs := byHead(row)
	for _, head := range slices.Sorted(maps.Keys(claim)) {
		mine, cell := claim[head], theirs[head]
		if cell.Raw == "" || quantity.Compare(mine, cell) != quantity.Other {
			continue
		}
		return &contradiction{window: w, rest: 1, sure: true,
			conflict: ledger.Conflict{Kind: "number", Claim: mine.Raw, Evidence: cell.Raw},
			note:     words.Msg("note_says", "Claim", mine.Raw, "Source", cell.Raw)}
	}
	return nil
}

// byHead reads the cells of a row that are one value under a head, by the words and years of the head.
func byHead(row string) map[string]quantity.Quantity {
	out := map[string]quantity.Quantity{}
	for cell := range strings.SplitSeq(row, ";") {
		tokens := text.Tokens(cell)
		var value *quantity.Quantity
		values, head := 0, []string(nil)
		figures := quantity.ReadTokens(cell, tokens)
		for i := range figures {
			if q := &figures[i]; q.IsYear() {
				head = append(head, q.Digits)
			} else {
				value, values = q, values+1
			}
		}
		for i := range tokens {
			t := &tokens[i]
			if !t.Stop && !slices.ContainsFunc(figures,
				func(q quantity.Quantity) bool { return t.Start < q.End && q.Start < t.End }) {
				head = append(head, t.Stem)
			}
		}
		if slices.Sort(head); values == 1 && len(head) > 0 {
			out[strings.Join(head, " ")] = *value
		}
	}
	return out
}
