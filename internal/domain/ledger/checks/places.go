package checks

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// A claim may cite a place of a document by its number: "Under section 6.1, …", "… (المادة 10)", "… (p. 3)". It is
// judged without the words that only say where it stands, and only a passage of that place makes it supported: "Under
// clause 1.1, notice is three months" is not supported by clause 2.1.

// CitedPart is a part of a chunk.
type CitedPart struct {
	Chunk ledger.ChunkRef
	Span  text.Span // in the chunk, in code points
}

// has reports whether a match rests on a passage.
func (p CitedPart) has(m *ledger.Match) bool {
	quote := m.Quote.Span
	return p.Chunk == m.Chunk && (quote.Len() == 0 || quote.Start < p.Span.End && p.Span.Start < quote.End)
}

// PlaceClaim is what a claim states of the places that it cites.
type PlaceClaim struct {
	Stated   string // the claim, without the words that only say where it stands
	Passages []CitedPart
	cites    []cited
}

// Has reports whether a match rests on one of the places.
func (p *PlaceClaim) Has(m *ledger.Match) bool {
	return slices.ContainsFunc(p.Passages, func(x CitedPart) bool { return x.has(m) })
}

// Parts returns the passages of the places, and then what else their chunks hold.
func (p *PlaceClaim) Parts(s *ledger.Session) []CitedPart {
	out := slices.Clone(p.Passages)
	for _, ref := range refsIn(p.Passages) {
		at := 0
		add := func(end int) {
			if end > at {
				out = append(out, CitedPart{ref, text.Span{Start: at, End: end}})
			}
		}
		for _, x := range inOrder(p.Passages, ref) {
			add(x.Span.Start)
			at = max(at, x.Span.End)
		}
		add(text.Len(s.Chunk(ref).Text))
	}
	return out
}

// inOrder returns the parts of one chunk by where they begin.
func inOrder(list []CitedPart, ref ledger.ChunkRef) []CitedPart {
	out := slices.DeleteFunc(slices.Clone(list), func(x CitedPart) bool { return x.Chunk != ref })
	slices.SortFunc(out, func(a, b CitedPart) int { return a.Span.Start - b.Span.Start })
	return out
}

// The bounds on what the places that a claim names may cost: each of their passages is judged.
const (
	maxPlaceCites    = 4
	maxPlacePassages = 8
	maxPagesCited    = 5
)

const placeDigits = `[0-9٠-٩]{1,4}(?:[.٫\-][0-9٠-٩]{1,4}){0,5}(?:\([0-9٠-٩a-z]{1,3}\)){0,3}`

var (
	placeName = regexp.MustCompile(`(?i)(?:^|[\s(\[,،;"“«])((?:` +
		`(sections?|secs?\.|articles?|arts?\.|clauses?|paragraphs?|paras?\.?|§§?|(?:ال|لل|بال|وال)?(?:مادة|فقرة|بند|قسم))|` +
		`(pages?|pp?\.|(?:ال|لل|بال|وال)?صفحة))\s{0,3}(?:رقم\s)?(\(?)(` + placeDigits + `)\)?)`)
	pageRange  = regexp.MustCompile(`^\s?[–—-]\s?([0-9٠-٩]{1,4})`)
	lineNumber = regexp.MustCompile(`^[\s#*_>•-]{0,8}(?:((?i:section|sec\.|article|art\.|clause|paragraph|para\.?|§|` +
		`(?:ال)?(?:مادة|فقرة|بند|قسم)))\s{0,3}(?:رقم\s)?)?\(?(` + placeDigits + `)\)?(.?)`)
	otherText = regexp.MustCompile(`^\s{1,3}(?:of|in|from|to|من|في)\s+([^,،.;:()؛]{1,80})`)
	ownText   = regexp.MustCompile(`(?i)^(?:this|the present|هذا|هذه)\s`)
	leadsToAt = regexp.MustCompile(`(?i)(?:^|[\s,،(]+)(?:under|according to|as per|per|pursuant to|in|see|by|on|بموجب|وفق|وفقًا|وفقا|بحسب|حسب|طبقًا|طبقا|في|انظر|عملًا|عملا|استنادًا إلى|استنادا إلى)\s*$`)
	followsAt = regexp.MustCompile(`(?i)^\s+(?:says|states|provides|stipulates|specifies|على)\s+(?:(?:that|أنّ?(?:هما|ها|هم|ه)?)\s+)?`)
	saysAt    = regexp.MustCompile(`^\s*(?:تنص|نصت|ينص|نص)\s*$`)
	placeTail = regexp.MustCompile(`^\s*[,،:]?\s*`)
	placeEnds = regexp.MustCompile(`^\s*[.。!؟?]?\s*$`)
)

// PlacedClaims returns the claims that cite places which documents have, by their index. A place does not count that no
// document has, that the sentence is about ("Section 6.1 was replaced"), or that is in another text ("Article 5 of the
// GDPR").
func PlacedClaims(s *ledger.Session) map[int]*PlaceClaim {
	out := map[int]*PlaceClaim{}
	var all *places
	for i := range s.Claims {
		words := s.Claims[i].Text
		if !strings.ContainsFunc(words, unicode.IsDigit) || !placeName.MatchString(words) {
			continue
		}
		if all == nil {
			all = &places{session: s, passages: passagesByPlace(s), names: namesOf(s)}
		}
		if p := all.citedBy(words); p != nil {
			out[i] = p
		}
	}
	return out
}

// places are the places of a session's documents. Many claims look them up, so that they are read once.
type places struct {
	session  *ledger.Session
	passages map[string][]CitedPart
	names    [][]string // the words of each document's title and file name
}

// namesOf returns the words of each document's title and file name.
func namesOf(s *ledger.Session) [][]string {
	out, apart := make([][]string, len(s.Documents)), strings.NewReplacer("_", " ", ".", " ", "-", " ")
	for i := range s.Documents {
		d := &s.Documents[i]
		out[i] = tellingWords(d.Title + " " + apart.Replace(d.Filename))
	}
	return out
}

// citedBy reads the places that a claim cites, nil if none.
func (all *places) citedBy(words string) *PlaceClaim {
	p, stated := &PlaceClaim{}, words
	found := placeName.FindAllStringSubmatchIndex(words, maxPlaceCites)
	for _, m := range slices.Backward(found) { // from the end, so that what stands before keeps its place
		at := placeAt{start: m[2], end: m[11], page: m[6] >= 0, number: placeNumber(words[m[10]:m[11]])}
		if m[8] < m[9] && strings.HasPrefix(words[at.end:], ")") { // المادة (10)
			at.end++
		}
		if at.page {
			at.readRange(words)
		}
		about, end, ok := all.textOf(words, at.end)
		if !ok {
			continue
		}
		anchor := strings.TrimSpace(words[at.start:at.end])
		at.end = end
		passages := at.passages(all.passages)
		passages = slices.DeleteFunc(slices.Clone(passages), func(x CitedPart) bool {
			return about != nil && !slices.Contains(about, x.Chunk.Document)
		})
		rest := withoutPlace(stated, at.start, at.end)
		if len(passages) == 0 || rest == stated {
			continue
		}
		stated = rest
		passages = passages[:min(len(passages), maxPlacePassages)]
		p.cites = append(p.cites, cited{anchor: anchor, places: passages, refs: refsIn(passages)})
		p.Passages = append(p.Passages, passages...)
	}
	slices.Reverse(p.cites)
	if p.Stated = strings.TrimSpace(stated); len(p.cites) == 0 || p.Stated == "" {
		return nil
	}
	return p
}

// refsIn are the chunks of passages.
func refsIn(list []CitedPart) (out []ledger.ChunkRef) {
	for _, x := range list {
		if !slices.Contains(out, x.Chunk) {
			out = append(out, x.Chunk)
		}
	}
	return out
}

// placeAt is a place that a claim names, by its bytes.
type placeAt struct {
	start, end int
	page       bool
	number     string
	last       int // of a range of pages
}

// readRange reads the end of a range of pages: "pp. 3–4".
func (p *placeAt) readRange(words string) {
	if from, to, ok := strings.Cut(p.number, "."); ok { // "3-4" is read as 3.4
		p.number, p.last = from, numberOf(to)
	}
	if m := pageRange.FindStringSubmatch(words[p.end:]); m != nil {
		p.last, p.end = numberOf(m[1]), p.end+len(m[0])
	}
}

// passages returns the passages of a place: "6.1(a)" is looked up as 6.1 if no passage begins with it.
func (p *placeAt) passages(all map[string][]CitedPart) []CitedPart {
	if p.page {
		first := numberOf(p.number)
		out := all["p"+p.number]
		for n := first + 1; n <= p.last && n < first+maxPagesCited; n++ {
			out = append(slices.Clone(out), all["p"+strconv.Itoa(n)]...)
		}
		return out
	}
	for number := p.number; ; {
		if list := all[number]; len(list) > 0 {
			return list
		}
		at := strings.LastIndexByte(number, '(')
		if at <= 0 {
			return nil
		}
		number = number[:at]
	}
}

// placeNumber is a number of a place as they are compared: "٢-١" is 2.1.
func placeNumber(s string) string {
	return strings.NewReplacer("-", ".", "٫", ".").Replace(text.Fold(s))
}

// textOf reads which text a place is said to be of: "of the leave policy". It returns the documents that are named so,
// nil if no text is named, and where the words end. ok is false if it is a text that the session does not have.
func (all *places) textOf(words string, end int) (about []int, last int, ok bool) {
	m := otherText.FindStringSubmatchIndex(words[end:])
	if m == nil {
		return nil, end, true
	}
	name := words[end+m[2] : end+m[3]]
	if ownText.MatchString(name) {
		return nil, end + m[1], true
	}
	named := tellingWords(name)
	for i, own := range all.names {
		if len(named) > 0 && !slices.ContainsFunc(named, func(w string) bool { return !slices.Contains(own, w) }) {
			about = append(about, all.session.Documents[i].Position)
		}
	}
	return about, end + m[1], len(about) > 0
}

// withoutPlace returns a sentence without a place that it cites: in brackets, behind a word such as "under" at its
// beginning or end, or as its subject ("Section 6 states that …"). Any other place is a part of what is stated, and the
// sentence is returned as it is.
func withoutPlace(words string, start, end int) string {
	before, after := words[:start], words[min(end, len(words)):]
	open, closed := strings.TrimRight(before, " "), strings.TrimLeft(after, " ")
	if strings.HasSuffix(open, "(") && strings.HasPrefix(closed, ")") ||
		strings.HasSuffix(open, "[") && strings.HasPrefix(closed, "]") {
		return strings.TrimRight(open[:len(open)-1], " ") + closed[1:]
	}
	head, follows := strings.TrimSpace(before) == "" || saysAt.MatchString(before), followsAt.FindString(after)
	if head && follows != "" {
		return after[len(follows):]
	}
	lead := leadsToAt.FindStringIndex(before)
	switch {
	case lead == nil:
		return words
	case strings.TrimSpace(before[:lead[0]]) == "":
		return after[len(placeTail.FindString(after)):]
	case placeEnds.MatchString(after):
		return before[:lead[0]] + strings.TrimLeft(after, " ")
	case strings.Contains(before[lead[0]:], "(") && strings.HasPrefix(closed, ")"):
		return before[:lead[0]] + closed[1:]
	}
	return words
}

// passagesByPlace returns the passages of the citable documents by the sections that they stand in, and by their pages
// ("p3"), in the order of the documents. A section begins with its number at the head of a line and goes on to the next
// number outside of it.
func passagesByPlace(s *ledger.Session) map[string][]CitedPart {
	out := map[string][]CitedPart{}
	add := func(number string, x CitedPart) {
		for ; number != "" && x.Span.Len() > 0; number = upperNumber(number) {
			if !hasPart(out[number], x) {
				out[number] = append(out[number], x)
			}
		}
	}
	for i := range s.Documents {
		d := &s.Documents[i]
		if !d.Citable() {
			continue
		}
		open, path := "", ""
		for j := range d.Chunks {
			c := &d.Chunks[j]
			ref, whole := ledger.ChunkRef{Document: d.Position, Chunk: c.Position}, text.Span{End: text.Len(c.Text)}
			if c.Page > 0 {
				out["p"+strconv.Itoa(c.Page)] = append(out["p"+strconv.Itoa(c.Page)], CitedPart{ref, whole})
			}
			for _, head := range c.HeadingPath {
				add(headNumber(head, true), CitedPart{ref, whole})
			}
			if now := strings.Join(c.HeadingPath, "\n"); now != path {
				open, path = "", now
			}
			from, at := 0, 0
			for line := range strings.SplitAfterSeq(c.Text, "\n") {
				if number := headNumber(line, false); number != "" {
					add(open, CitedPart{ref, text.Span{Start: from, End: at}})
					open, from = number, at
				}
				at += text.Len(line)
			}
			add(open, CitedPart{ref, text.Span{Start: from, End: at}})
		}
	}
	return out
}

// hasPart reports whether a list, in the order of the chunks, has a part of its last chunk. It does not look at the
// others: a section may have 200,000 passages.
func hasPart(list []CitedPart, x CitedPart) bool {
	for _, y := range slices.Backward(list) {
		if y.Chunk != x.Chunk {
			return false
		}
		if y == x {
			return true
		}
	}
	return false
}

// headNumber returns the number that a heading or a line begins with: "6.1" of "6.1 Leave", "Article 6.1:" or "(6.1)";
// "" if none. At the head of a line a number of one level counts only where a word or a sign marks it as that of a
// section: "30 days of leave" has none.
func headNumber(line string, heading bool) string {
	m := lineNumber.FindStringSubmatch(line)
	if m == nil {
		return ""
	}
	label, number, next := m[1], m[2], m[3]
	r := []rune(next + " ")[0]
	if unicode.IsLetter(r) || unicode.IsNumber(r) || r == '%' {
		return ""
	}
	levels := strings.ContainsAny(number, ".٫-")
	if !heading && label == "" && !levels && next != "." && next != ":" &&
		!strings.Contains(line[:strings.Index(line, number)], "(") {
		return ""
	}
	return placeNumber(number)
}

// upperNumber returns the number of the section around one: "6" of "6.1", "6.1" of "6.1(a)"; "" if none.
func upperNumber(number string) string { return number[:max(0, strings.LastIndexAny(number, ".("))] }

// otherPlaceTop is the most that such a passage supports: the verdict is weak.
const otherPlaceTop = 0.85

// TakePlaced takes over what the claims that cite places find in their sources, by the claim's index. A passage of
// another place supports in part at most. Given matches stay as they were given.
func TakePlaced(s *ledger.Session, judged map[int][]ledger.Match) {
	for i, p := range PlacedClaims(s) {
		c := &s.Claims[i]
		found, ok := judged[i]
		if !ok || c.Given || c.Unjudged != "" {
			continue
		}
		own := c.ByEmbedded()
		var out []ledger.Match
		for _, m := range c.Matches {
			if m.Attached != nil || !own {
				out = append(out, m)
			}
		}
		for _, m := range found {
			known := func(o ledger.Match) bool { return o.Chunk == m.Chunk && o.Quote.Span == m.Quote.Span }
			if (own || p.Has(&m)) && !slices.ContainsFunc(out, known) {
				out = append(out, m)
			}
		}
		for k := range out {
			if m := &out[k]; m.Attached == nil && !p.Has(m) && m.Strong() {
				m.Support, m.Similarity = ledger.Partial, otherPlaceTop
				m.Remark(domain.Message{ID: ledger.OtherPlace})
			}
		}
		ledger.SortMatches(out)
		c.Matches = out
	}
}
