package checks

import (
	"slices"
	"sort"
	"strings"
	"unicode"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/domain/text/quantity"
)

// quoteBudget bounds the bytes of source text that the quotations of one session are searched in. What is beyond it is
// not checked, and the claim says so.
const quoteBudget = 512 << 20

// minPart is how many words the part of a quotation must have that falls into one claim, to be looked up by itself.
const minPart = 3

// quoteSearch looks up quotations in the session's sources. Each source is prepared once.
type quoteSearch struct {
	s       *ledger.Session
	sources []quoteSource
	others  map[string]bool // folded texts in which a quotation is none of a source: the question, titles
	missing bool            // some source came without its text
	scripts map[string]bool // of the sources
	quoted  map[string]bool // keys of documents of which the session has only what a provider's file quotes
	spent   int
}

// quoteSource is the text of a document, with the place where each chunk begins in it.
type quoteSource struct {
	doc    *ledger.Document
	text   string
	starts []int
	placer *text.Placer
	tokens []text.Token
}

func newQuoteSearch(s *ledger.Session) *quoteSearch {
	q := &quoteSearch{s: s, others: map[string]bool{}, scripts: map[string]bool{}, quoted: excerptsOnly(s)}
	for i := range s.Documents {
		d := &s.Documents[i]
		src := newQuoteSource(d)
		if q.lacksText(&src) {
			q.missing = true
		}
		for _, name := range []string{d.Title, d.Filename, d.URI} {
			q.others[text.Fold(name)] = true
		}
		q.scripts[text.Script(src.text)] = true
		q.sources = append(q.sources, src)
	}
	return q
}

func newQuoteSource(d *ledger.Document) quoteSource {
	src, at := quoteSource{doc: d, starts: make([]int, len(d.Chunks))}, 0
	var b strings.Builder
	for j := range d.Chunks {
		src.starts[j] = at
		words := d.Chunks[j].Words()
		b.WriteString(words)
		b.WriteByte('\n')
		at += text.Len(words) + 1
	}
	src.text = b.String()
	src.placer = text.NewPlacer(src.text)
	return src
}

// lacksText reports whether a source came without its own text.
func (q *quoteSearch) lacksText(src *quoteSource) bool {
	return q.quoted[src.doc.Key] || strings.TrimSpace(src.text) == ""
}

// excerptsOnly returns the keys of the documents of which a provider's file has only the words that it quotes.
func excerptsOnly(s *ledger.Session) map[string]bool {
	out := map[string]bool{}
	if ledger.ProviderName(s.Format) == "" {
		return out
	}
	for i := range s.Claims {
		u := s.Upstream(s.Claims[i].Position)
		if u == nil {
			continue
		}
		for _, m := range u.Citations {
			if m.QuotedOnly {
				out[m.DocumentID] = true
			}
		}
	}
	return out
}

// quoteHit is where words were found.
type quoteHit struct {
	status ledger.QuotationStatus
	ref    ledger.ChunkRef
}

// find looks up words: in the documents that are cited first, and of equally close places the first.
func (q *quoteSearch) find(words string, cited map[int]bool) (best quoteHit, ok bool) {
	order := make([]int, len(q.sources))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		x, y := cited[q.sources[a].doc.Position], cited[q.sources[b].doc.Position]
		switch {
		case x == y:
			return 0
		case x:
			return -1
		}
		return 1
	})
	words = lookedUp(words)
	for _, i := range order {
		src := &q.sources[i]
		q.spent += len(src.text)
		hit, found := src.find(words)
		if found && (!ok || closeness(hit) < closeness(best)) {
			best, ok = hit, true
		}
		if ok && best.status == ledger.QuoteExact {
			break
		}
	}
	return best, ok
}

// closeness orders hits, the closest first.
func closeness(h quoteHit) int { return slices.Index(ledger.QuotationStatuses, h.status) }

// find looks up words in one source. Fewer than three words must be the same and whole: part of a word, or a word that
// is nearly the same, would prove nothing.
func (src *quoteSource) find(words string) (hit quoteHit, ok bool) {
	if want := text.Tokens(words); len(want) < minPart {
		return src.findShort(words, want)
	}
	p := src.placer.Place(words)
	if p.Kind == text.NotPlaced || p.Kind == text.Fuzzy && otherNumbers(words, text.Slice(src.text, p.Span)) {
		return hit, false
	}
	return quoteHit{ledger.QuotationStatus(p.Kind), src.at(p.Span.Start)}, true
}

// otherNumbers reports whether a quotation has a number, also in words, that the passage lacks: then it is another
// statement, not a slip.
func otherNumbers(words, passage string) bool {
	have := quantity.Read(passage)
	return slices.ContainsFunc(quantity.Read(words), func(q quantity.Quantity) bool {
		return q.IsFigure() && !slices.ContainsFunc(have, func(p quantity.Quantity) bool {
			return quantity.Compare(q, p).Supports()
		})
	})
}

func (src *quoteSource) findShort(words string, want []text.Token) (hit quoteHit, ok bool) {
	if src.tokens == nil {
		src.tokens = text.Tokens(src.text)
	}
	for i := 0; i+len(want) <= len(src.tokens) && len(want) > 0; i++ {
		same, exact := true, true
		for j := range want {
			same = same && src.tokens[i+j].Norm == want[j].Norm
			exact = exact && src.tokens[i+j].Text == want[j].Text
		}
		switch {
		case same && exact:
			return quoteHit{ledger.QuoteExact, src.at(src.tokens[i].Start)}, true
		case same && !ok:
			hit, ok = quoteHit{ledger.QuoteNormalised, src.at(src.tokens[i].Start)}, true
		}
	}
	return hit, ok
}

// at returns the chunk at a code point of the source.
func (src *quoteSource) at(point int) ledger.ChunkRef {
	i := sort.SearchInts(src.starts, point+1) - 1
	return ledger.ChunkRef{Document: src.doc.Position, Chunk: src.doc.Chunks[max(i, 0)].Position}
}

// lookedUp returns a quotation as it is to be looked up: without Markdown marks, citations and the punctuation that the
// sentence around it adds; a letter in brackets is the letter, other words in brackets were put in by who quotes.
func lookedUp(words string) string {
	words = ledger.WithoutAnchors(words)
	words = strings.NewReplacer("**", "", "__", "", "*", "", "`", "").Replace(words)
	var b strings.Builder
	for {
		open := strings.IndexByte(words, '[')
		end := strings.IndexByte(words[max(open, 0):], ']')
		if open < 0 || end < 0 {
			break
		}
		inner := words[open+1 : open+end]
		b.WriteString(words[:open])
		if text.Len(inner) <= 1 {
			b.WriteString(inner)
		} else {
			b.WriteString("...")
		}
		words = words[open+end+1:]
	}
	b.WriteString(words)
	return strings.TrimFunc(b.String(), func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(".,;:!?،؛؟…'’‘\"“”«»", r)
	})
}

// checkable reports whether words that are in no source can be called invented: every source that may have them came
// with its text, in their script.
func (q *quoteSearch) checkable(words string, cited map[int]bool) bool {
	if script := text.Script(words); script != "none" && !q.scripts[script] && !q.scripts["mixed"] {
		return false // a translation
	}
	if !q.missing {
		return len(q.sources) > 0
	}
	for i := range q.sources {
		if src := &q.sources[i]; cited[src.doc.Position] && q.lacksText(src) {
			return false
		}
	}
	return len(cited) > 0
}

// isOther reports whether words are those of the question or the name of a document.
func (q *quoteSearch) isOther(words string) bool {
	folded := text.Fold(lookedUp(words))
	if folded == "" || strings.Contains(text.Fold(q.s.Query), folded) {
		return true
	}
	for name := range q.others {
		if strings.Contains(name, folded) {
			return true
		}
	}
	return false
}

// checkQuotations looks up what the answer quotes, and notes it with the claims in which it is.
func checkQuotations(s *ledger.Session, search func() *quoteSearch, cites map[int][]cited) {
	found := text.Quotations(text.WithoutThoughts(s.Answer))
	ruler := text.NewRuler(s.Answer)
	for i := range s.Claims {
		c := &s.Claims[i]
		documents := map[int]bool{}
		for _, x := range cites[i] {
			for _, ref := range x.refs {
				documents[ref.Document] = true
			}
		}
		if c.Span == nil {
			for _, x := range text.Quotations(c.Text) {
				search().check(c, x.Words, nil, documents)
			}
			continue
		}
		first := sort.Search(len(found), func(j int) bool { return found[j].End > c.Span.Start })
		for _, x := range found[first:] {
			if x.Start >= c.Span.End {
				break
			}
			checkPart(search(), c, x, ruler, documents)
		}
	}
}

// checkPart checks the part of a quotation that falls into a claim: as part of the whole where the whole is found.
func checkPart(q *quoteSearch, c *ledger.Claim, x text.Quotation, r text.Ruler, documents map[int]bool) {
	part := text.Span{Start: max(x.Start, c.Span.Start), End: min(x.End, c.Span.End)}
	if part == x.Span {
		q.check(c, x.Words, &part, documents)
		return
	}
	// a claim ends before its full stop, which is part of the quotation
	for part.End < x.End && strings.ContainsAny(r.Slice(text.Span{Start: part.End, End: part.End + 1}), ".!?,;:،؛؟") {
		part.End++
	}
	words := strings.Join(strings.Fields(strings.ReplaceAll(r.Slice(part), "\n>", "\n")), " ")
	if part == x.Span {
		words = x.Words
	}
	if part != x.Span && len(text.Tokens(words)) < minPart {
		return
	}
	q.check(c, words, &part, documents)
}

// check looks up one quotation of a claim.
func (q *quoteSearch) check(c *ledger.Claim, words string, span *text.Span, documents map[int]bool) {
	if q.spent > quoteBudget {
		c.Checks.Unchecked = true
		return
	}
	hit, ok := q.find(words, documents)
	check := ledger.QuotationCheck{Text: words, Span: span, Status: ledger.QuoteNotFound}
	switch {
	case ok:
		check.Status, check.Chunk = hit.status, &hit.ref
	case q.isOther(words):
		return
	case !q.checkable(words, documents):
		c.Checks.Unchecked = true
		return
	}
	c.Checks.Quotations = append(c.Checks.Quotations, check)
}

// checkSnippets notes which given matches have a snippet that is in no form in their source.
func checkSnippets(s *ledger.Session, search func() *quoteSearch) {
	for i := range s.Claims {
		c := &s.Claims[i]
		if c.Judge != "given" {
			continue
		}
		for rank := range c.Matches {
			m := &c.Matches[rank]
			if m.Quote.Kind != text.NotPlaced && m.Quote.Kind != "" || strings.TrimSpace(m.Snippet) == "" {
				continue
			}
			q := search()
			src := q.source(m.Chunk.Document)
			if src == nil || q.lacksText(src) || q.spent > quoteBudget {
				c.Checks.Unchecked = true
				continue
			}
			q.spent += len(src.text)
			if src.placer.Place(lookedUp(m.Snippet)).Kind == text.NotPlaced {
				c.Checks.Absent = append(c.Checks.Absent, rank)
			}
		}
	}
}

// source returns the text of a document, nil if the session does not have it.
func (q *quoteSearch) source(position int) *quoteSource {
	for i := range q.sources {
		if q.sources[i].doc.Position == position {
			return &q.sources[i]
		}
	}
	return nil
}
