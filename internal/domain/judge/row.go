package judge

import (
	"container/list"
	"crypto/sha256"
	"encoding/binary"
	"strings"
	"sync"

	"sanad/internal/domain/ledger"
)

// Row is one line of `sanad judge`: a claim and the texts it is judged against (rule J-7).
type Row struct {
	ID       string     `json:"id"`
	Claim    string     `json:"claim"`
	Evidence []Evidence `json:"evidence"`
	Lang     string     `json:"lang"`
}

// Evidence is one text of a row.
type Evidence struct {
	Doc  string `json:"doc"`
	Text string `json:"text"`
}

// Result is the answer to a Row. An unjudged one has no verdict, notes and matches, but its cause.
type Result struct {
	ID         string          `json:"id"`
	Verdict    *ledger.Verdict `json:"verdict"`
	Confidence float64         `json:"confidence"`
	PSupported float64         `json:"p_supported"`
	Notes      string          `json:"notes,omitempty"`
	Matches    []RowMatch      `json:"matches,omitzero"`
	Unjudged   string          `json:"unjudged,omitempty"`
	Error      string          `json:"error,omitempty"` // of a row that could not be read: the same as Unjudged
}

// RowMatch is one match of a Result; start and end count code points of the text of doc.
type RowMatch struct {
	Doc         string            `json:"doc"`
	Similarity  float64           `json:"similarity"`
	Support     ledger.Support    `json:"support_level"`
	Contradicts bool              `json:"contradicts"`
	Snippet     string            `json:"snippet"`
	Start       int               `json:"start"`
	End         int               `json:"end"`
	Note        string            `json:"note,omitempty"`
	Conflicts   []ledger.Conflict `json:"conflicts,omitempty"`
	Missing     []string          `json:"missing,omitempty"`
	Features    []ledger.Feature  `json:"features"`
}

// estimator is a judge that estimates how likely a claim is supported even if it has no match.
type estimator interface {
	estimate(c *ledger.Claim, x *Index) ([]ledger.Match, float64, error)
}

// withEstimate is a judge that keeps the estimate of the one claim it judges.
type withEstimate struct {
	named
	by estimator
	p  float64
}

// named is what a judge says of itself.
type named interface {
	Name() string
	Version() string
	Parameters() map[string]string
}

// Judge asks the estimator.
func (e *withEstimate) Judge(c *ledger.Claim, x *Index) (matches []ledger.Match, err error) {
	matches, e.p, err = e.by.estimate(c, x)
	return matches, err
}

// JudgeRow judges one row by itself.
func JudgeRow(row Row, j Judge) Result {
	s := RowSession(row)
	return judgeRow(row, j, s, NewIndex(s))
}

// judgeRow judges a row's claim against its evidence, which s holds and x indexes.
func judgeRow(row Row, j Judge, s *ledger.Session, x *Index) Result {
	c := &ledger.Claim{Key: row.ID, Text: strings.TrimSpace(row.Claim)}
	e := &withEstimate{named: j}
	if by, ok := j.(estimator); ok {
		e.by, j = by, e
	}
	judgeOne(c, j, x)
	if c.Unjudged != "" {
		return UnjudgedRow(row.ID, c.Unjudged)
	}
	a := ledger.RuleSets[ledger.CurrentRuleSet()-1].Decide(c.Matches)
	out := Result{ID: row.ID, Verdict: &a.Verdict, Confidence: a.Confidence, Notes: a.Notes(),
		Matches: make([]RowMatch, 0, len(c.Matches))}
	if a.Deciding >= 0 && c.Matches[a.Deciding].Note != "" {
		out.Notes = ledger.WithRemark(out.Notes, c.Matches[a.Deciding].Note)
	}
	for i := range c.Matches {
		out.Matches = append(out.Matches, rowMatch(s, &c.Matches[i]))
	}
	out.PSupported = stated(a)
	if e.by != nil {
		out.PSupported = e.p
	}
	return out
}

// UnjudgedRow is the answer to a row that cannot be judged.
func UnjudgedRow(id, cause string) Result { return Result{ID: id, PSupported: 0.5, Unjudged: cause} }

// BrokenRow is the answer to a row that cannot be read.
func BrokenRow(id, fault string) Result {
	out := UnjudgedRow(id, fault)
	out.Error = fault
	return out
}

// stated converts a verdict and its confidence to a probability of support.
func stated(a ledger.VerdictResult) float64 {
	switch a.Verdict {
	case ledger.Supported:
		return 0.5 + a.Confidence/2
	case ledger.Contradicted:
		return 0.5 - a.Confidence/2
	case ledger.Weak:
		return 0.5 * a.Confidence
	}
	return 0
}

// RowSession makes a session of a row's evidence: one document with its chunks for each text.
func RowSession(row Row) *ledger.Session {
	s := &ledger.Session{Lang: row.Lang}
	for i, e := range row.Evidence {
		s.Documents = append(s.Documents, ledger.Document{
			Position: i, Key: e.Doc, Status: ledger.Ready,
			Chunks: ledger.ChunkBlocks(ledger.ParseBlocks(e.Text, 0, 0), ledger.MaxChunk),
		})
	}
	return s
}

func rowMatch(s *ledger.Session, m *ledger.Match) RowMatch {
	start := 0
	if c := s.Chunk(m.Chunk); c != nil && c.Span != nil {
		start = c.Span.Start
	}
	return RowMatch{
		Doc: s.Document(m.Chunk.Document).Key, Similarity: m.Similarity, Support: m.Support,
		Contradicts: m.Contradicts, Snippet: m.Snippet,
		Start: start + m.Quote.Span.Start, End: start + m.Quote.Span.End, Note: m.Note, Conflicts: m.Conflicts,
		Missing: m.Missing, Features: m.Features,
	}
}

// Batch judges many rows, and analyses evidence that several of them share once. It keeps what was used last, up to a
// budget, so that its memory doesn't grow with the rows. It may be used from several goroutines at once; what it
// answers depends on the row and the judge alone.
type Batch struct {
	judge  Judge
	budget int

	mu    sync.Mutex
	size  int        // bytes of evidence kept
	order *list.List // of *analysed, the one used last in front
	kept  map[[sha256.Size]byte]*list.Element
}

// analysed is the evidence of a row made ready for its claims.
type analysed struct {
	key     [sha256.Size]byte
	size    int
	once    sync.Once
	session *ledger.Session
	index   *Index
}

// DefaultBudget is a Batch's budget in bytes of evidence text; the analyses take some hundred times as much.
const DefaultBudget = 512 << 10

// NewBatch makes a Batch that keeps analyses of up to budget bytes of evidence.
func NewBatch(j Judge, budget int) *Batch {
	return &Batch{judge: j, budget: budget, order: list.New(), kept: map[[sha256.Size]byte]*list.Element{}}
}

// JudgeRow judges one row by itself, as the function JudgeRow.
func (b *Batch) JudgeRow(row Row) Result {
	a := b.analysis(row)
	a.once.Do(func() {
		a.session = RowSession(row)
		a.index = NewIndex(a.session)
	})
	return judgeRow(row, b.judge, a.session, a.index)
}

// analysis returns the entry for a row's evidence, made new when it isn't kept; whoever comes first fills it.
func (b *Batch) analysis(row Row) *analysed {
	key, size := evidenceKey(row)
	b.mu.Lock()
	defer b.mu.Unlock()
	if e, ok := b.kept[key]; ok {
		b.order.MoveToFront(e)
		return e.Value.(*analysed)
	}
	a := &analysed{key: key, size: size}
	b.kept[key] = b.order.PushFront(a)
	b.size += size
	for b.size > b.budget && b.order.Len() > 1 {
		old := b.order.Remove(b.order.Back()).(*analysed)
		delete(b.kept, old.key)
		b.size -= old.size
	}
	return a
}

// evidenceKey is a digest of all that an analysis depends on, and the bytes of its texts.
func evidenceKey(row Row) (key [sha256.Size]byte, size int) {
	h := sha256.New()
	var room [512]byte // so that the texts need not be copied as a whole
	part := func(s string) {
		h.Write(binary.BigEndian.AppendUint64(room[:0], uint64(len(s))))
		size += len(s)
		for len(s) > 0 {
			n := copy(room[:], s)
			h.Write(room[:n])
			s = s[n:]
		}
	}
	part(row.Lang)
	for _, e := range row.Evidence {
		part(e.Doc)
		part(e.Text)
	}
	h.Sum(key[:0])
	return key, size
}
